"""Plays games with other values and keeps what elements were worth: one trial, one set of games.

A trial is a set of values at one seed. Trials of one seed meet the same luck. What a trial found is
kept as it comes, so that a tuner that was stopped goes on.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim.audit.changes import Base
from sim.audit.journal import identity
from sim.errors import SimError
from sim.games.game import Game
from sim.metrics.tidy import units
from sim.progress import Progress, silent
from sim.simulate import make_ready, rules_of, run
from sim.study import MAX_SEED, Study, Variant
from sim.tuning.parts import part_rows
from sim.tuning.table import POINTS, WIN
from sim.tuning.values import Element, Numbers, Setting
from sim.verdicts import NORMAL

JOURNAL = "trials.jsonl"
PER_POINT = "per_point"
KINDS = (WIN, POINTS, PER_POINT)
SEARCH, FRESH = "search", "fresh"
"""Whose luck a trial has: that of the search, or that of the confirmation, which saw no search."""
AT_ONCE = 12
"""So many sets of values are played in one run."""

Values = Mapping[str, Numbers]


@dataclass(frozen=True)
class Table:
    """A table that worth is measured at: a variant, a number of players, a line-up."""

    variant: str
    players: int
    lineup: str


@dataclass(frozen=True)
class Measure:
    """What elements are worth, [table, element]; NaN where no row says it.

    `of` is by `WIN`, `POINTS` and `PER_POINT`; `error` the standard error of the first two.
    """

    tables: tuple[Table, ...]
    of: Mapping[str, np.ndarray]
    error: Mapping[str, np.ndarray]
    games: int

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "tables": [asdict(table) for table in self.tables],
            "of": {kind: _plain(array) for kind, array in self.of.items()},
            "error": {kind: _plain(array) for kind, array in self.error.items()},
            "games": self.games,
        }


def measure_of(data: Mapping[str, Any]) -> Measure:
    """Return a measure from its plain data."""
    return Measure(
        tuple(Table(**table) for table in data["tables"]),
        {kind: _array(rows) for kind, rows in data["of"].items()},
        {kind: _array(rows) for kind, rows in data["error"].items()},
        data["games"],
    )


def _plain(array: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(x) else float(x) for x in row] for row in array]


def _array(rows: Any) -> np.ndarray:
    return np.array([[np.nan if x is None else x for x in row] for row in rows], float)


def seed_of(seed: int, family: str, number: int) -> int:
    """Return the seed of the games of one number of a family of trials."""
    digest = hashlib.sha256(f"{seed} {family} {number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % (MAX_SEED + 1)


class Trials:
    """Plays trials of a study, each `games` games of each cell, and keeps them in a folder.

    `bases` are the variants that take the same values.
    """

    def __init__(
        self,
        bases: Sequence[Base],
        setting: Setting,
        folder: Path,
        games: int,
        seed: int,
        jobs: int | None,
        progress: Progress,
    ) -> None:
        self.bases, self.setting, self.folder = bases, setting, folder
        self.games, self.seed, self.jobs, self.progress = games, seed, jobs, progress
        self.is_ready = False
        self.known = _read(folder / JOURNAL)
        study = self.study.resolved()
        names = [base.name for base in bases]
        self.about = {
            "rules": rules_of(self.game),
            "study": study | {"variants": {name: study["variants"][name] for name in names}},
            "worth": [asdict_of(element) for element in setting.elements],
            "games": games,
        }

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.bases[0].game

    @property
    def study(self) -> Study:
        """The study that values are changed in."""
        return self.bases[0].study

    @property
    def is_rescored(self) -> bool:
        """Whether games can be scored again with other points."""
        return all(e.worth.rescored or e.worth.parts for e in self.setting.elements)

    def measure(
        self,
        candidates: Sequence[Values],
        number: int,
        family: str = SEARCH,
    ) -> list[Measure]:
        """Return what elements are worth with each set of values, in the games of one number.

        Raises SimError if the game refuses values, or no row says what an element is worth.
        """
        keys = [self._key(values, number, family) for values in candidates]
        wanted = dict(zip(keys, candidates, strict=True))
        todo = [(key, values) for key, values in wanted.items() if key not in self.known]
        for first in range(0, len(todo), AT_ONCE):
            part = dict(todo[first : first + AT_ONCE])
            with self._played(part, number, family) as played:
                for key, found in played.measures(part, None):
                    self._keep(key, part[key], number, family, found)
        return [measure_of(self.known[key]) for key in keys]

    def confirm(
        self, now: Values, values: Values, number: int, rescore: bool
    ) -> tuple[Measure, Measure, Measure | None]:
        """Return measures on fresh luck of the old values, the new, and the old games rescored.

        The last are the games of the old values scored again, not played again, with the new.
        """
        old, new = self._key(now, number, FRESH), self._key(values, number, FRESH)
        again = self._key(now, number, FRESH, values)
        wanted = {key: v for key, v in ((old, now), (new, values)) if key not in self.known}
        if rescore and again not in self.known:
            wanted[old] = now
        if wanted:
            with self._played(wanted, number, FRESH) as played:
                for key, found in played.measures(wanted, None):
                    self._keep(key, wanted[key], number, FRESH, found)
                if rescore and old in wanted:
                    ((_, found),) = played.measures([old], self.setting.factors(values))
                    self._keep(again, now, number, FRESH, found)
        rescored = measure_of(self.known[again]) if rescore else None
        return measure_of(self.known[old]), measure_of(self.known[new]), rescored

    def _key(self, values: Values, number: int, family: str, scored: Values | None = None) -> str:
        return identity(self.about, dict(values), seed_of(self.seed, family, number), scored)

    def _keep(self, key: str, values: Values, number: int, family: str, found: Measure) -> None:
        self.known[key] = found.plain()
        entry = {"key": key, "values": dict(values), "family": family, "number": number}
        text = json.dumps(entry | {"found": self.known[key]}, allow_nan=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / JOURNAL).open("ab") as file:
            # a line torn by a kill must not swallow this one
            file.write(b"\n" + text.encode() + b"\n")

    @contextmanager
    def _played(
        self, wanted: Mapping[str, Values], number: int, family: str
    ) -> Iterator["_Played"]:
        """Play some values, by key; what was played is removed when it has been measured."""
        if not self.is_ready:
            make_ready(self.game, self.progress)
            self.is_ready = True
        names: dict[str, tuple[str, str]] = {}
        variants: dict[str, Variant] = {}
        for at, (key, values) in enumerate(wanted.items()):
            for base in self.bases:
                names[f"v{at}_{base.name}"] = key, base.name
                variants[f"v{at}_{base.name}"] = base.with_values(values)
        study = self._study(variants, seed_of(self.seed, family, number))
        place = self.folder / f"playing-{identity(study.resolved(), self.games)}"
        yield _Played(run(study, place, jobs=self.jobs, progress=silent()), self.setting, names)
        remove(place)

    def _study(self, variants: Mapping[str, Variant], seed: int) -> Study:
        sample = None if self.study.sample is None else 0.0
        changes = {"variants": dict(variants), "seed": seed, "games": self.games, "sample": sample}
        changes |= {"until": None, "budgets": [], "tune": None, "kingmaking": None}
        return self.study.model_copy(update=changes)


@dataclass(frozen=True)
class _Played:
    """A run of several sets of values: `names` tells key and variant by the run's variants."""

    run: Any
    setting: Setting
    names: Mapping[str, tuple[str, str]]

    def measures(
        self, keys: Iterable[str], factors: Mapping[str, float] | None
    ) -> Iterator[tuple[str, Measure]]:
        """Yield what elements are worth by key; with `factors` the games are scored again."""
        known = {
            (row["variant"], row["players"], row["lineup"], row["metric"], row["group"]): row
            for row in rows_of(self.run, self.setting, factors).to_dicts()
        }
        for key in keys:
            yield key, self._measured(key, known)

    def _measured(self, wanted: str, known: Mapping[Any, Any]) -> Measure:
        own = {name: variant for name, (key, variant) in self.names.items() if key == wanted}
        heads = [unit for unit in units(self.run) if unit.head and unit.variant in own]
        of: dict[str, list[list[float]]] = {kind: [] for kind in KINDS}
        error: dict[str, list[list[float]]] = {kind: [] for kind in KINDS}
        for unit, kind in product(heads, KINDS):
            about = unit.variant, unit.players, unit.lineup
            found = [
                known.get((*about, metric_of(element, kind), element.group))
                for element in self.setting.elements
            ]
            of[kind].append([np.nan if row is None else row["estimate"] for row in found])
            error[kind].append([_error(row) for row in found])
        cells = {cell for unit in heads for cell in unit.cells}
        return Measure(
            tuple(Table(own[unit.variant], unit.players, unit.lineup) for unit in heads),
            {kind: np.array(values, float) for kind, values in of.items()},
            {kind: np.array(values, float) for kind, values in error.items()},
            sum(shard.count for shard in self.run.shards if shard.cell in cells),
        )


def asdict_of(element: Element) -> dict[str, Any]:
    """Return an element as plain data."""
    return {"name": element.name, "group": element.group, **element.worth.model_dump()}


def metric_of(element: Element, kind: str) -> str:
    """Return the metric that says what an element is worth in one way; "" if none does."""
    if element.worth.parts:
        names = {WIN: "part.win_worth", POINTS: "part.points", PER_POINT: "part.win_per_point"}
        return names[kind]
    return str(getattr(element.worth, kind))


def _error(row: Mapping[str, Any] | None) -> float:
    if row is None or row["high"] is None:
        return np.nan
    return float((row["high"] - row["low"]) / 2 / NORMAL)


def rows_of(
    played: Any, setting: Setting, factors: Mapping[str, float] | None = None
) -> pl.DataFrame:
    """Return the tidy rows that say what the elements of a run are worth.

    With `factors` its games are scored again, the points of elements multiplied.
    """
    parts = {e.group: tuple(e.worth.parts) for e in setting.elements if e.worth.parts}
    groups = {e.name: e.group for e in setting.elements}
    by_group = {groups[name]: factor for name, factor in (factors or {}).items()}
    frames = [part_rows(played, parts, by_group)] if parts else []
    worths = [e.worth for e in setting.elements if not e.worth.parts]
    if factors is not None:
        names = dict.fromkeys(worth.rescored for worth in worths)
        frames += [function(name)(played, by_group) for name in names]
    elif worths:
        names = dict.fromkeys(name for worth in worths for name in worth.rows)
        frames += [function(name)(played) for name in names] or [_all_rows(played)]
    return pl.concat(frames)


def _all_rows(played: Any) -> pl.DataFrame:
    from sim.metrics import all_metrics

    return all_metrics(played)


def function(name: str) -> Callable[..., pl.DataFrame]:
    """Return the function that is named "module:function"; raise SimError if there is none."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        raise SimError(
            f'tune.worth: there is no function "{name}"; allowed: "module:function"'
        ) from None


def remove(place: Path) -> None:
    """Remove a run that is no longer needed, and its lock."""
    shutil.rmtree(place, ignore_errors=True)
    place.with_name(f".{place.name}.lock").unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove what runs left behind that were killed."""
    for place in folder.glob("playing-*"):
        remove(place)
    for lock in folder.glob(".playing-*.lock"):
        lock.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return {}
    found = {}
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            found[entry["key"]] = entry["found"]
        except (ValueError, KeyError, TypeError):
            continue  # empty, or torn by a kill
    return found
