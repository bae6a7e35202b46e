"""What tests of changes share: a study of the rigged game, tried in memory."""

from pathlib import Path

from sim import games
from sim.audit import tables
from sim.audit.changes import RULING, Base, Change
from sim.audit.effects import compared
from sim.audit.journal import Journal
from sim.audit.play import known_as, play
from sim.progress import Silent
from sim.study import from_dict

STUDY = {
    "game": "rigged",
    "players": [2, 3],
    "games": 100,
    "seed": 3,
    "lineups": {"mirror": ["plain"], "round_robin": ["plain", "pushy"]},
}


class Counter(Silent):
    """Counts the changed games that are played."""

    played = 0

    def advance(self, played):
        """Count games."""
        self.played += played


def based(**changes):
    """Return the rigged study, changed, as a base."""
    study = from_dict(STUDY | changes)
    return Base(games.get("rigged"), study, next(iter(study.variants)), tuple(study.players))


def ruling(name, value, now=None):
    """Return a change of a ruling."""
    return Change(RULING, f"rulings.{name}", "assumed", now, value)


def tables_of(base, each, lineup="*"):
    """Return the tables of a base, with so many games."""
    chosen = tables.chosen(base.study, base.name, lineup)
    return [tables.sized(table, each) for table in chosen]


def tried(base, changes, each, folder, lineup="*", jobs=1):
    """Play changes and return their effects, the rows, and how many games were played."""
    journal = Journal(Path(folder), known_as(base))
    at = tables_of(base, each, lineup)
    variants = {change.name: base.with_values({change.key: change.value}) for change in changes}
    counter = Counter()
    play(base, variants, at, journal, jobs, counter)
    return *compared(base, changes, at, journal), counter.played
