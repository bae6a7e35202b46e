"""The sums of Tag City's head units by theme; see `sim.metrics.heads`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.games.tag_city.analysis import gather
from sim.games.tag_city.analysis.blocks import Block, Names, names_of
from sim.metrics.heads import by_cluster, plus, totals_of_heads
from sim.metrics.tidy import Unit, sums_per_run, units
from sim.metrics.totals import Totals, of_clusters

THEMES: dict[str, Callable[[Block], np.ndarray]] = {
    "seats": gather.seats,
    "games": gather.games,
    "times_led": gather.times_led,
    "led_against": gather.led_against,
    "places": gather.places,
    "leading": gather.leading,
    "leading_alone": gather.leading_alone,
    "using": gather.using,
    "layers": gather.layers,
    "elements": gather.elements,
    "ends": gather.ends,
    "used": gather.used,
    "by_drones": gather.by_drones,
    "by_checks": gather.by_checks,
    "ties": gather.ties,
}


@dataclass(frozen=True)
class Found:
    """The sums of a run: names, and for each head unit the totals of each theme."""

    names: Names
    units: list[Unit]
    totals: dict[int, dict[str, Totals]]

    def of(self, theme: str) -> list[tuple[tuple[int, Unit], Totals]]:
        """Return the totals of a theme with each unit and its number."""
        return [
            ((number, self.units[number]), themes[theme])
            for number, themes in self.totals.items()
            if theme in themes
        ]


@sums_per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    names, about = names_of(run), units(run)
    cells = {cell.index: cell for cell in run.plan.cells}

    def read(number: int, shards: list[Any]) -> dict[str, Totals]:
        values: dict[str, np.ndarray] = {}
        for shard in shards:
            block = Block(run, shard, cells[shard.cell], about[number], names)
            for theme, function in _themes(run, block).items():
                part = by_cluster(function(block), block.size)
                values[theme] = plus(values[theme], part) if theme in values else part
        found = {theme: of_clusters(part) for theme, part in values.items()}
        found["joint"] = of_clusters(gather.joint(values["layers"]))
        return found

    return Found(names, about, totals_of_heads(run, read))


def _themes(run: Any, block: Block) -> dict[str, Callable[[Block], np.ndarray]]:
    """Return the themes that a block has."""
    found = dict(THEMES)
    if gather.ring_is_drawn(block):
        found["rings"] = gather.rings
    if run.study.sample:
        found["map"] = gather.map_squares
    return found
