"""A refereed game act by act, with the table's hearts before each and its place in the log."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.games.street_art.components import Setup
from sim.games.street_art.logbook import Codes
from sim.games.street_art.rulebook import Returned, Stole, Took

from .table import GAME, log_of


@dataclass(frozen=True)
class Moment:
    """An act just before it is done; `row` is the index of its first row in the log."""

    row: int
    turn: int
    act: Any
    middle: int
    hearts: list[int]


@dataclass(frozen=True)
class Told:
    """A game: its log, its replay and its moments in order."""

    log: np.ndarray
    replay: Any
    moments: list[Moment]

    def first(self, condition: Callable[[Moment], bool]) -> Moment | None:
        """Return the first moment that meets a condition."""
        return next((moment for moment in self.moments if condition(moment)), None)

    def row_of_turn(self, turn: int) -> int:
        """Return the index of the first row of a turn, counted from 0."""
        return int(np.flatnonzero(self.log[:, 1] == turn)[0])


def told(setup: Setup, game: int, seed: int = 1) -> Told:
    """Play a game again, referee it, and list its moments."""
    log = log_of(setup, game, seed)
    replay = GAME.replay(setup, log)
    return Told(log, replay, list(_moments(replay)))


def _moments(replay: Any) -> Iterator[Moment]:
    start, *turns = replay.events[:-1]
    codes = Codes(start.rules)
    row = len(start.draw_pile)
    middle = start.rules.hearts
    hearts = [0] * len(replay.states[0].players)
    for number, event in enumerate([start, *turns]):
        for act in event.acts:
            yield Moment(row, number - 1, act, middle, list(hearts))
            row += len(codes.rows(act, number - 1))
            if isinstance(act, Took):
                middle -= act.amount
                hearts[act.seat] += act.amount
            elif isinstance(act, Stole):
                hearts[act.victim] -= act.amount
                hearts[act.seat] += act.amount
            elif isinstance(act, Returned):
                hearts[act.seat] -= act.amount


def first_difference(one: np.ndarray, other: np.ndarray) -> int | None:
    """Return the index of the first row in which two logs differ, None if they are the same."""
    common = min(len(one), len(other))
    unequal = np.flatnonzero((one[:common] != other[:common]).any(axis=1))
    if len(unequal):
        return int(unequal[0])
    return None if len(one) == len(other) else common
