"""Street Art with a fault in its rules, as a plug-in; to be played uncompiled.

`FAULTY_ART` says which: "steal" takes a heart too many from a victim who has it, "count" notes a
heart too many in the tables alone.
"""

import os
from dataclasses import replace

from games.running import running

from sim.games.street_art import StreetArt, rules

right = rules.steal


def greedy(s, log, seat, victim, kind, asked):
    """Steal a heart more than the card says."""
    return right(s, log, seat, victim, kind, asked + 1)


def boastful(s, log, seat, victim, kind, asked):
    """Note a heart more than was stolen."""
    amount = right(s, log, seat, victim, kind, asked)
    s.stolen[seat] += amount > 0
    return amount


if fault := os.environ.get("FAULTY_ART"):
    rules.steal = {"steal": greedy, "count": boastful}[fault]


class FaultyArt(StreetArt):
    name = "faulty_art"
    title = "Faulty Art"

    def setup(self, *args, **how):
        found = super().setup(*args, **how)
        return replace(found, record=running(found.record))

    def tables_for(self, *args, **how):
        return {name: running(rows) for name, rows in super().tables_for(*args, **how).items()}


GAME = FaultyArt()
