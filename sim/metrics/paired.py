"""Two variants game by game: sums over the clusters that both share, and differences from them.

Games of one number have the same luck in two cells, so the difference of two means has the
variance of a difference, not the sum of two variances: what both owe to their luck falls out.
A cluster is a game, or a deal in round-robin cells, whose pool is added up deal by deal first.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim import inference
from sim.inference import ROUNDING, Sums
from sim.metrics.clusters import Clusters, Tally, tally
from sim.metrics.kingmaking import PART, VARIABLES, clusters, is_known
from sim.metrics.moments import MOST_WORKERS, PARTS, Reader
from sim.metrics.tidy import units


class Gap(NamedTuple):
    """The difference of two ratios of sums, for each group."""

    own: np.ndarray
    base: np.ndarray
    difference: np.ndarray
    variance: np.ndarray
    """Of the difference of games with the same luck."""
    unpaired: np.ndarray
    """What that variance would be if the games had nothing to do with each other."""
    clusters: np.ndarray


@dataclass
class Joint:
    """Sums over clusters of a variant, of the one it is compared with, and of their products.

    `yy`, `ym`, `my` are [variable, group], `mm` and `clusters` [group]; the first letter is what
    is taken of the variant (y numerator, m denominator), the second of the other.
    """

    own: Tally
    base: Tally
    yy: np.ndarray
    ym: np.ndarray
    my: np.ndarray
    mm: np.ndarray
    clusters: np.ndarray

    def merge(self, other: "Joint") -> None:
        """Add the sums over other clusters."""
        self.own.merge(other.own)
        self.base.merge(other.base)
        for name in ("yy", "ym", "my", "mm", "clusters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def gap(self, variable: str, scale: float = 1.0) -> Gap:
        """Return the difference of a variable's means, each divided by `scale`."""
        v = self.own.variables.index(variable)
        own, base = self.own.sums(variable), self.base.sums(variable)
        (a, alone_a), (b, alone_b) = inference.ratio(own), inference.ratio(base)
        with np.errstate(divide="ignore", invalid="ignore"):
            between = self.yy[v] - b * self.ym[v] - a * self.my[v] + a * b * self.mm
            spread = _squares(own, a) + _squares(base, b) - 2 * between / (own.m * base.m)
            size = _terms(own, a) + _terms(base, b)
            spread = np.where(spread <= ROUNDING * size, 0.0, spread)
            variance = spread * self.clusters / (self.clusters - 1)
        return Gap(
            a / scale,
            b / scale,
            (a - b) / scale,
            np.where(self.clusters > 1, variance, np.nan) / scale**2,
            (alone_a + alone_b) / scale**2,
            self.clusters,
        )


def _squares(sums: Sums, share: np.ndarray) -> np.ndarray:
    return (sums.yy - 2 * share * sums.ym + share**2 * sums.mm) / sums.m**2


def _terms(sums: Sums, share: np.ndarray) -> np.ndarray:
    return (sums.yy + share**2 * sums.mm) / sums.m**2


def joint(variables: list[str], groups: list[str], own: Clusters, base: Clusters) -> Joint:
    """Return the sums over clusters that two variants share, cluster by cluster."""
    seen = (own.full_weights() > 0) | (base.full_weights() > 0)
    return Joint(
        own=tally(variables, groups, own),
        base=tally(variables, groups, base),
        yy=np.einsum("vgc,vgc->vg", own.values, base.values),
        ym=_weighed(own.values, base),
        my=_weighed(base.values, own),
        mm=np.einsum("gc,gc->g", own.full_weights(), base.full_weights()),
        clusters=seen.sum(-1),
    )


def _weighed(values: np.ndarray, other: Clusters) -> np.ndarray:
    """Return the sums over clusters of values times the other's denominators."""
    if other.uniform:
        return values.sum(-1) * other.weights[:, 0]
    return np.einsum("vgc,gc->vg", values, other.weights)


@dataclass
class Pair:
    """A unit of a variant and the one like it of another, and the sums of the games of both."""

    own: int
    base: int
    games: int
    parts: dict[str, Joint]
    """By the part of `Moments`, and that of kingmaking; empty if the two share no games."""

    def merge(self, other: "Pair") -> None:
        """Add the sums over other games of the same units."""
        self.games += other.games
        for name, sums in other.parts.items():
            if name in self.parts:
                self.parts[name].merge(sums)
            else:
                self.parts[name] = sums


def partners(run: Any, variants: Sequence[str], against: str) -> list[tuple[int, int]]:
    """Return the numbers of each head unit of the variants and of the like unit of `against`.

    Alike are the players, the line-ups and their styles. Units without a like one are left out.
    """
    lineups = {cell.index: cell.lineup for cell in run.plan.cells}
    heads: dict[str, dict[tuple, int]] = {}
    for number, unit in enumerate(units(run)):
        if unit.head:
            inside = tuple(lineups[cell] for cell in unit.cells)
            heads.setdefault(unit.variant, {})[unit.players, unit.styles, inside] = number
    return [
        (own, heads[against][table])
        for variant in variants
        for table, own in heads[variant].items()
        if table in heads[against]
    ]


def pairs(run: Any, variants: Sequence[str], against: str) -> list[Pair]:
    """Return the sums of each head unit of the variants with the like unit of `against`.

    Read shard by shard in one pass: a worker holds two shards, or two pools' shards of a number.
    Games that only one of two cells has are left out. Pairs come as `partners` gives them.
    """
    reader = PairReader(run)
    found = {key: Pair(*key, 0, {}) for key in partners(run, variants, against)}
    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, MOST_WORKERS)) as workers:
        for parts in workers.map(reader.read, reader.tasks(found)):
            for part in parts:
                found[part.own, part.base].merge(part)
    return list(found.values())


Task = tuple[int, int, list[int]]
"""The unit compared with, a shard number, and the units that are compared."""


class PairReader:
    """Reads shards of one number of two units at a time."""

    def __init__(self, run: Any, reader: Reader | None = None) -> None:
        self.run = run
        self.reader = reader or Reader(run, coded=False)
        self.units = units(run)
        self.lineups = {cell.index: cell.lineup for cell in run.plan.cells}
        self.shards: dict[int, dict[int, Any]] = {cell: {} for cell in self.lineups}
        for shard in run.shards:
            self.shards[shard.cell][shard.number] = shard

    def tasks(self, keys: Iterable[tuple[int, int]]) -> Iterator[Task]:
        """Yield what is read together: a unit's shards once for all that are compared with it."""
        compared: dict[int, list[int]] = {}
        for own, base in keys:
            compared.setdefault(base, []).append(own)
        for base, own_units in compared.items():
            cells = self.units[base].cells
            for number in sorted({n for cell in cells for n in self.shards[cell]}):
                yield base, number, own_units

    def read(self, task: Task) -> list[Pair]:
        """Return the sums of a task's shards for each unit that is compared."""
        base, number, own_units = task
        known: dict[tuple, list[Clusters]] = {}
        found = []
        for own in own_units:
            both = self._shared(own, base, number)
            if not both:
                continue
            own_parts = self._parts(own, [(a, games) for a, _, games in both])
            key = tuple((b.cell, games) for _, b, games in both)
            if key not in known:
                known = {key: self._parts(base, [(b, games) for _, b, games in both])}
            games = sum(games for _, _, games in both)
            found.append(Pair(own, base, games, self._joints(own, own_parts, known[key])))
        return found

    def _shared(self, own: int, base: int, number: int) -> list[tuple[Any, Any, int]]:
        """Return the shards of two units, cell by cell, and how many games both have."""
        like = {self.lineups[cell]: cell for cell in self.units[own].cells}
        found = []
        for cell in self.units[base].cells:
            a = self.shards[like[self.lineups[cell]]].get(number)
            b = self.shards[cell].get(number)
            if a and b:
                found.append((a, b, min(a.count, b.count)))
        return found

    def _parts(self, number: int, shards: list[tuple[Any, int]]) -> list[Clusters]:
        """Return the parts of a unit's games, with each shard how many of its games count."""
        found = self.reader.together(number, shards)
        if is_known(self.run, self.units[number]):
            found.append(clusters(self.run, self.units[number], shards))
        return found

    def _joints(self, own: int, a: list[Clusters], b: list[Clusters]) -> dict[str, Joint]:
        parts, names = list(PARTS), self.reader.names(self.units[own])
        if is_known(self.run, self.units[own]):
            parts, names = [*parts, PART], [*names, (list(VARIABLES), [""])]
        return {
            part: joint(*named, one, other)
            for part, named, one, other in zip(parts, names, a, b, strict=True)
        }
