"""The sums of Wildstyle's head units by theme; see `sim.metrics.heads`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.games.wildstyle.analysis import gather
from sim.games.wildstyle.analysis.blocks import Block, Names, names_of
from sim.metrics.heads import by_cluster, plus, totals_of_heads
from sim.metrics.tidy import sums_per_run, units
from sim.metrics.totals import Totals, by_label, of_clusters

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


@sums_per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    reader = _Reader(run)
    found = totals_of_heads(run, reader.read)
    return Found(reader.names, reader.tempos, reader.alone, found)


class _Reader:
    """Reads shards into the totals of the head units that they belong to."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.names = names_of(run)
        self.cells = {cell.index: cell for cell in run.plan.cells}
        self.units = units(run)
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

    def read(self, number: int, shards: list[Any]) -> dict[str, Totals]:
        """Return the totals of a unit's shards by theme."""
        values: dict[str, np.ndarray] = {}
        labels = np.empty(0, np.int64)
        for shard in shards:
            block = Block(self.run, shard, self.cells[shard.cell], self.units[number], self.names)
            for theme, function in self.themes.items():
                part = by_cluster(function(block), block.size)
                values[theme] = plus(values[theme], part) if theme in values else part
            part = by_cluster(gather.sets(block), block.size)
            values[SETS] = plus(values[SETS], part) if SETS in values else part
            own = gather.together(block.games["tile_set"].astype(np.int64), block.size)
            labels = _same(labels, own)
        found = {theme: of_clusters(part) for theme, part in values.items() if theme != SETS}
        found["joint"] = of_clusters(gather.joint(values["sides"]))
        found[SETS] = by_label(values[SETS], labels, len(self.names.sets))
        return found


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the labels of the clusters of two cells that meet the same deals."""
    common = min(len(a), len(b))
    if not (a[:common] == b[:common]).all():
        raise ValueError("cells of one pool have other tiles in a deal")
    return a if len(a) >= len(b) else b
