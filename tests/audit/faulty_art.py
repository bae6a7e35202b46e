"""Street Art with a fault in its rules, as a plug-in; to be played uncompiled.

`FAULTY_ART` says which: "steal" takes a heart too many from a victim who has it, "count" notes a
heart too many in the tables alone.
"""

import os

from games.running import Running

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


class FaultyArt(Running, StreetArt):
    name = "faulty_art"
    title = "Faulty Art"


GAME = FaultyArt()
