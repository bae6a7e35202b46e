"""Plays a changed game beside the study's own, on the same luck, in memory; keeps the sums."""

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from sim import games, store
from sim.audit.changes import Base
from sim.audit.journal import Journal, identity
from sim.audit.tables import Table
from sim.games.game import Game
from sim.metrics.moments import Reader
from sim.metrics.paired import Pair, PairReader
from sim.metrics.tidy import Unit, units
from sim.plan import Cell, Plan, Shard
from sim.progress import Progress
from sim.simulate import make_ready, rules_of, workers_of
from sim.store import StoredShard
from sim.study import Study, Variant
from sim.workers import Crew, end_with, results_of

OF_ALL, OF_ENDED, OF_SEATS = ("turns", "truncated"), ("tied", "margin"), ("win_share", "score")
"""What is added up of all games, of those that ended by rule, and of their seats."""
COLUMNS = {
    "games": ("end_reason", *OF_ALL, *OF_ENDED),
    "seats": ("seat", "style", *OF_SEATS),
}
KEPT_GAMES = 1_000_000
"""How many of the study's own games stay in memory to be compared with."""

Frames = Mapping[str, pl.DataFrame]


class Held:
    """A study whose games are in memory, or known by their sums: what metrics use of a run."""

    def __init__(self, game: Game, study: Study, cells: Sequence[Cell]) -> None:
        self.game, self.study = game, study
        self.plan = Plan(game, study, list(cells))
        self.shards: list[StoredShard] = []
        self.frames: dict[int, Frames] = {}
        """Tables of the shards by their cells, one shard of each."""

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table of some of the games in memory: its columns are those of all."""
        return next(iter(self.frames.values()))[table].lazy()

    def heads(self) -> list[Unit]:
        """Return the tables; from now on they are all that metrics know of."""
        found = [unit for unit in units(self) if unit.head]
        units.know(self, found)
        return found


class _MemoryReader(Reader):
    """Reads the few columns that are added up, from memory."""

    def __init__(self, held: Held) -> None:
        super().__init__(held, coded=False)
        self.of_all = self._columns(list(OF_ALL), [])
        self.of_ended = self._columns(list(OF_ENDED), [])
        self.of_seats = list(OF_SEATS)

    def scan(self, table: str, shard: Any) -> pl.LazyFrame:
        """Return a table of a shard."""
        return self.run.frames[shard.cell][table].lazy()


@dataclass(frozen=True)
class Task:
    """A change at a table: `own` and `base` are its cells, changed and not, in one order."""

    game: str
    study: Study
    base_name: str
    name: str
    table: Table
    base: tuple[Cell, ...]
    own: tuple[Cell, ...]
    known_as: str
    """What tells the study's own games from those of other studies."""
    key: str
    employer: int

    @property
    def games(self) -> int:
        """How many changed games are played."""
        return sum(cell.games for cell in self.own)


def tasks_of(
    base: Base, variants: Mapping[str, Variant], tables: Sequence[Table], journal: Journal
) -> Iterator[Task]:
    """Yield a task for each changed variant at each table, whether it is done or not."""
    for name, variant in variants.items():
        pair = {base.name: base.variant, name: variant}
        study = base.study.model_copy(update={"variants": pair})
        said = _played(variant)
        for table in tables:
            own = [changed(cell, name, variant) for cell in table.cells]
            cells = [replace(cell, index=index) for index, cell in enumerate([*table.cells, *own])]
            half = len(table.cells)
            key = identity(said, [_place(cell) for cell in table.cells])
            yield Task(
                game=base.game.name,
                study=study,
                base_name=base.name,
                name=name,
                table=table,
                base=tuple(cells[:half]),
                own=tuple(cells[half:]),
                known_as=journal.name,
                key=key,
                employer=os.getpid(),
            )


def changed(cell: Cell, name: str, variant: Variant) -> Cell:
    """Return a cell of another variant."""
    return replace(cell, variant=name, components=variant.components, rulings=variant.rulings)


def _played(variant: Variant) -> Any:
    return variant.model_dump(mode="json", exclude={"overrides"})


def _place(cell: Cell) -> Any:
    return cell.players, cell.styles, cell.rotate, cell.games


def known_as(base: Base) -> str:
    """Return what tells a study's own games from all others: its rules, variant and seed."""
    return identity(rules_of(base.game), _played(base.variant), base.study.seed)


def play(
    base: Base,
    variants: Mapping[str, Variant],
    tables: Sequence[Table],
    journal: Journal,
    jobs: int | None,
    progress: Progress,
) -> None:
    """Play what the journal lacks of changed variants at tables, each beside the study's own."""
    missing = [
        task for task in tasks_of(base, variants, tables, journal) if task.key not in journal
    ]
    if not missing:
        return
    workers, backend = workers_of(jobs, "auto", base.game)
    workers = min(workers, len(missing))
    in_threads = backend == "threads" or workers == 1
    make_ready(base.game, progress)
    crew = Crew(progress.advance) if in_threads else None
    title = f"{base.study.title}: {len(variants)} changes"
    with (
        progress.playing(title, sum(task.games for task in missing)),
        closing(results_of(measure, missing, workers, backend, crew)) as results,
    ):
        for key, pair, played in results:
            journal.add(key, pair)
            if not in_threads:
                progress.advance(played)


def measure(task: Task, crew: Crew | None) -> tuple[str, Pair, int]:
    """Play a task and return its key, its sums, and how many changed games there were."""
    if crew is None:
        end_with(task.employer)
    with crew or nullcontext():
        return task.key, _measured(task, crew), task.games


def _measured(task: Task, crew: Crew | None) -> Pair:
    game = games.get(task.game)
    held = Held(game, task.study, [*task.base, *task.own])
    heads = [number for number, unit in enumerate(units(held)) if unit.head]
    base, own = sorted(heads, key=lambda n: units(held)[n].variant != task.base_name)
    player = _Player(task, held)
    total: Pair | None = None
    for number, shards in enumerate(player.rounds()):
        for shard, is_own in shards:
            player.take(shard, is_own)
            if crew and is_own:
                crew.advance(shard.count)
        (pair,) = PairReader(held, _MemoryReader(held)).read((base, number, [own]))
        total = pair if total is None else _merged(total, pair)
    assert total is not None
    return total


def _merged(total: Pair, more: Pair) -> Pair:
    total.merge(more)
    return total


class _Player:
    """Plays the shards of a task into what is held."""

    def __init__(self, task: Task, held: Held) -> None:
        self.task, self.held = task, held
        self.labels = store.Labels(held.plan)
        self.setups: dict[int, Any] = {}

    def rounds(self) -> Iterator[list[tuple[Shard, bool]]]:
        """Yield the shards of one number of all cells, and which of them are changed."""
        plan, task = self.held.plan, self.task
        sides = [(cell, False) for cell in task.base] + [(cell, True) for cell in task.own]
        columns = [[(shard, is_own) for shard in plan.shards_of(cell)] for cell, is_own in sides]
        for row in zip(*columns, strict=True):
            self.held.shards, self.held.frames = [], {}
            yield list(row)

    def take(self, shard: Shard, is_own: bool) -> None:
        """Play a shard, or take it from what is known."""
        cell = self.held.plan.cells[shard.cell_index]
        frames = self._play(shard, cell) if is_own else self._known(shard, cell)
        self.held.frames[cell.index] = frames
        self.held.shards.append(StoredShard(cell.index, shard.number, shard.first, shard.count, {}))

    def _known(self, shard: Shard, cell: Cell) -> Frames:
        key = (self.task.known_as, cell.styles, cell.rotate, shard.first, shard.count)
        return _KNOWN.get(key, shard.count, lambda: self._play(shard, cell))

    def _play(self, shard: Shard, cell: Cell) -> Frames:
        game = self.held.game
        if cell.index not in self.setups:
            self.setups[cell.index] = self.held.plan.setup(cell)
        setup = self.setups[cell.index]
        tables = game.tables_for(setup, shard.count, shard.first)
        game.play(setup, self.held.study.seed, shard.first, shard.count, tables, 0)
        names = {"style": cell.styles, **game.labels(setup)}
        return {
            table: store.frame(tables[table][list(columns)], 0, self.labels, names)
            for table, columns in COLUMNS.items()
        }


class _Known:
    """The study's own games, so that they are played once for many changes."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.found: OrderedDict[Any, tuple[int, Frames]] = OrderedDict()

    def get(self, key: Any, count: int, play: Any) -> Frames:
        """Return games by their key, played if need be; those asked for longest ago are let go."""
        with self.lock:
            if key in self.found:
                self.found.move_to_end(key)
                return self.found[key][1]
        frames = play()
        with self.lock:
            self.found[key] = count, frames
            while sum(size for size, _ in self.found.values()) > max(KEPT_GAMES, count):
                self.found.popitem(last=False)
        return frames


_KNOWN = _Known()
