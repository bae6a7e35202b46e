"""The sums of a run's head units: read shard by shard in one pass, no more than a few in memory.

Heads are what a report leads with: cells outside round robins, and the pools of those. The cells
of a pool meet the same deals, so a pool adds them up deal by deal before products are summed.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.games.wildstyle.analysis import gather
from sim.games.wildstyle.analysis.blocks import Block, Names, names_of
from sim.games.wildstyle.analysis.totals import Totals, by_label, of_clusters
from sim.metrics.moments import MOST_WORKERS
from sim.metrics.tidy import per_run, units

SETS = "sets"
"""The one theme whose clusters belong to one group each."""


@dataclass(frozen=True)
class Found:
    """The sums of a run: names, tempos met, and for each head unit the totals of each theme."""

    names: Names
    tempos: list[float]
    alone: list[tuple[float, float]]
    totals: dict[int, dict[str, Totals]]

    def of(self, theme: str) -> Iterator[tuple[int, Totals]]:
        """Yield (unit, totals) of a theme."""
        for number, themes in self.totals.items():
            if theme in themes:
                yield number, themes[theme]


@per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    reader = _Reader(run)
    found: dict[int, dict[str, Totals]] = {}
    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, MOST_WORKERS)) as workers:
        for number, part in workers.map(reader.read, reader.tasks()):
            known = found.setdefault(number, {})
            for theme, totals in part.items():
                if theme in known:
                    known[theme].merge(totals)
                else:
                    known[theme] = totals
    return Found(reader.names, reader.tempos, reader.alone, dict(sorted(found.items())))


class _Reader:
    """Reads shards into the totals of the head units that they belong to."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.names = names_of(run)
        self.cells = {cell.index: cell for cell in run.plan.cells}
        self.units = units(run)
        self.heads = {
            cell: number
            for number, unit in enumerate(self.units)
            if unit.head
            for cell in unit.cells
        }
        met = [gather.tempos(run, cell) for cell in run.plan.cells]
        self.tempos = sorted({tempo for tempos, _ in met for tempo in tempos})
        self.alone = sorted({pair for _, pairs in met for pair in pairs})
        self.themes: dict[str, Callable[[Block], np.ndarray]] = {
            "sides": gather.sides,
            "style_sides": gather.style_sides,
            "gains": gather.gains,
            "games": gather.games,
            "seats": gather.seats,
            "cars": gather.cars,
            "rounds": gather.rounds,
        }
        if self.tempos:
            self.themes["alone"] = lambda block: gather.alone(block, self.alone)
            self.themes["tempos"] = lambda block: gather.by_tempo(block, self.tempos)
        if run.study.sample:
            self.themes["hexes"] = gather.hexes
            self.themes["icons"] = gather.icons
            self.themes["occupied"] = gather.occupied
            self.themes["price"] = gather.price

    def tasks(self) -> Iterator[list[Any]]:
        """Yield the shards to be read together: a pool's shards of one number, else each alone."""
        together: dict[tuple[int, int], list[Any]] = {}
        for shard in self.run.shards:
            number = self.heads[shard.cell]
            if self.units[number].cell is None:
                together.setdefault((number, shard.number), []).append(shard)
            else:
                yield [shard]
        yield from together.values()

    def read(self, shards: list[Any]) -> tuple[int, dict[str, Totals]]:
        """Return the unit of some shards, and their totals by theme."""
        number = self.heads[shards[0].cell]
        values: dict[str, np.ndarray] = {}
        labels = np.empty(0, np.int64)
        for shard in shards:
            block = Block(self.run, shard, self.cells[shard.cell], self.units[number], self.names)
            for theme, function in self.themes.items():
                part = _by_cluster(function(block), block.size)
                values[theme] = _plus(values[theme], part) if theme in values else part
            part = _by_cluster(gather.sets(block), block.size)
            values[SETS] = _plus(values[SETS], part) if SETS in values else part
            own = gather.together(block.games["tile_set"].astype(np.int64), block.size)
            labels = _same(labels, own)
        found = {theme: of_clusters(part) for theme, part in values.items() if theme != SETS}
        found["joint"] = of_clusters(gather.joint(values["sides"]))
        found[SETS] = by_label(values[SETS], labels, len(self.names.sets))
        return number, found


def _by_cluster(values: np.ndarray, size: int) -> np.ndarray:
    """Add up each `size` games; the last axis is games, then clusters."""
    return values.reshape(*values.shape[:-1], -1, size).sum(-1)


def _plus(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Add arrays cluster by cluster; the shorter one has no games in the last clusters."""
    total = np.zeros((*a.shape[:-1], max(a.shape[-1], b.shape[-1])))
    total[..., : a.shape[-1]] += a
    total[..., : b.shape[-1]] += b
    return total


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the labels of the clusters of two cells that meet the same deals."""
    common = min(len(a), len(b))
    if not (a[:common] == b[:common]).all():
        raise ValueError("cells of one pool have other tiles in a deal")
    return a if len(a) >= len(b) else b
