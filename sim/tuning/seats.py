"""Plays one player among others, in memory, from every seat: what it wins and scores by deal."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import games
from sim.games.game import Game
from sim.players import Style
from sim.simulate import workers_of
from sim.study import Variant
from sim.workers import Crew, end_with, results_of

BATCH_DEALS = 200
"""Deals of one call into compiled code: Ctrl-C waits no longer than that."""
WIN, SCORE, OTHERS = range(3)
"""Columns of `Deals`."""

Deals = np.ndarray
"""For each deal the player's win share and score and the mean score of the others, means over the
seatings that ended by rule: [deal, 3]; NaN if none did."""


@dataclass(frozen=True)
class Task:
    """A player (the last style) among others (those before it) in so many deals."""

    key: Any
    game: str
    variant: Variant
    styles: tuple[Style, ...]
    seed: int
    deals: int
    employer: int

    @property
    def games(self) -> int:
        """How many games that is: each deal from every seat."""
        return self.deals * len(self.styles)


@dataclass(frozen=True)
class Player:
    """Where and on which luck players are looked at."""

    game: Game
    variant: Variant

    def task(self, key: Any, who: Style, others: Sequence[Style], seed: int, deals: int) -> Task:
        """Return the task to play one style among others."""
        styles = (*others, who)
        return Task(key, self.game.name, self.variant, styles, seed, deals, os.getpid())


def play(
    game: Game,
    tasks: Sequence[Task],
    jobs: int | None,
    advance: Callable[[int], None] = lambda played: None,
) -> Mapping[Any, Deals]:
    """Play tasks on several cores and return what came out, by the tasks' keys.

    The order and the number of cores change nothing. `advance` is told of games as they are played.
    """
    return dict(played(game, tasks, jobs, advance))


def played(
    game: Game, tasks: Sequence[Task], jobs: int | None, advance: Callable[[int], None]
) -> Iterator[tuple[Any, Deals]]:
    """Yield what comes out of tasks as they are done, with their keys."""
    workers, backend = workers_of(jobs, "auto", game)
    workers = max(min(workers, len(tasks)), 1)
    in_threads = backend == "threads" or workers == 1
    crew = Crew(advance) if in_threads else None
    with closing(results_of(measure, tasks, workers, backend, crew)) as results:
        for key, deals, count in results:
            if not in_threads:
                advance(count)
            yield key, deals


def measure(task: Task, crew: Crew | None) -> tuple[Any, Deals, int]:
    """Play a task; return its key, what came out, and how many games were played."""
    if crew is None:
        end_with(task.employer)
    with crew or nullcontext():
        return task.key, _deals(task, crew), task.games


def _deals(task: Task, crew: Crew | None) -> Deals:
    game = games.get(task.game)
    variant, players = task.variant, len(task.styles)
    setup = game.setup(variant.components, variant.rulings, list(task.styles), True)
    found = []
    for first in range(0, task.deals, BATCH_DEALS):
        count = min(BATCH_DEALS, task.deals - first) * players
        tables = game.tables_for(setup, count, first * players)
        game.play(setup, task.seed, first * players, count, tables, 0)
        found.append(_by_deal(tables["seats"], players))
        if crew:
            crew.advance(count)
    return np.concatenate(found)


def _by_deal(seats: np.ndarray, players: int) -> Deals:
    """Return the columns of `Deals` from the rows of seats, which come game by game."""
    mine = seats["style"] == players - 1  # coded by place while playing
    score = seats["score"].astype(float).reshape(-1, players)
    own = score[mine.reshape(-1, players)]
    columns = (seats["win_share"][mine], own, (score.sum(1) - own) / (players - 1))
    ended = ~seats["truncated"][mine].astype(bool)
    games_left = ended.reshape(-1, players).sum(1)
    sums = [np.where(ended, column, 0.0).reshape(-1, players).sum(1) for column in columns]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(sums, axis=1) / games_left[:, None]


@dataclass(frozen=True)
class Table:
    """Who else sits at a table, by name."""

    others: tuple[str, ...]

    @property
    def players(self) -> int:
        """How many sit there, the player that is looked at among them."""
        return len(self.others) + 1


def tables_of(field: Sequence[str], players: Sequence[int]) -> list[Table]:
    """Return who a player meets: all others of one style, and mixtures of the field.

    For each number of players every style of the field comes equally often. Mixtures are styles
    that follow each other in the field's order, which is taken as a ring.
    """
    found: dict[Table, None] = {}
    for count in players:
        for at in range(len(field)):
            ring = [field[(at + step) % len(field)] for step in range(count - 1)]
            found.setdefault(Table((field[at],) * (count - 1)))
            found.setdefault(Table(tuple(ring)))
    return list(found)


def seed_of(*parts: Any) -> int:
    """Return a seed that is drawn by plain parts: other parts, other luck."""
    import hashlib

    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
