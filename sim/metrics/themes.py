"""A game's own sums by theme: functions of blocks, added up by cluster for the head units."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.metrics.blocks import Block
from sim.metrics.heads import by_cluster, plus, totals_of_heads
from sim.metrics.tidy import Unit, units
from sim.metrics.totals import Totals, by_label, of_clusters

Values = dict[str, np.ndarray]
Theme = Callable[[Any], np.ndarray]
"""A block to [group, column, game]."""


@dataclass(frozen=True)
class Labelled:
    """A theme whose clusters belong to one of `groups` each: a block to [column, game], [game]."""

    values: Theme
    label: Theme
    groups: int


@dataclass(frozen=True)
class Found:
    """The sums of a run: names, and for each head unit the totals of each theme."""

    names: Any
    units: list[Unit]
    totals: dict[int, dict[str, Totals]]

    def of(self, theme: str) -> list[tuple[tuple[int, Unit], Totals]]:
        """Return the totals of a theme with each unit and its number."""
        return [
            ((number, self.units[number]), themes[theme])
            for number, themes in self.totals.items()
            if theme in themes
        ]


def gathered(
    run: Any,
    names: Any,
    block_of: type[Block],
    themes: Callable[[Any], Mapping[str, Theme]],
    joint: Mapping[str, Callable[[Values], np.ndarray]] | None = None,
    labelled: Mapping[str, Labelled] | None = None,
) -> Found:
    """Return the sums of a run.

    `themes` names those that a block has; `joint` makes more themes from sums by cluster, which
    compare groups.
    """
    about = units(run)
    cells = {cell.index: cell for cell in run.plan.cells}

    def read(number: int, shards: list[Any]) -> dict[str, Totals]:
        values: Values = {}
        labels: Values = {}
        for shard in shards:
            block = block_of(run, shard, cells[shard.cell], about[number], names)
            for theme, function in themes(block).items():
                _add(values, theme, by_cluster(function(block), block.size))
            for theme, each in (labelled or {}).items():
                _add(values, theme, by_cluster(each.values(block), block.size))
                _same(labels, theme, together(each.label(block), block.size))
        found = {theme: of_clusters(part) for theme, part in values.items() if theme not in labels}
        for theme, make in (joint or {}).items():
            found[theme] = of_clusters(make(values))
        for theme, own in labels.items():
            found[theme] = by_label(values[theme], own, (labelled or {})[theme].groups)
        return found

    return Found(names, about, totals_of_heads(run, read))


def _add(values: Values, theme: str, part: np.ndarray) -> None:
    values[theme] = plus(values[theme], part) if theme in values else part


def together(labels: np.ndarray, size: int) -> np.ndarray:
    """Return the label of each cluster of `size` games; they must agree."""
    wide = labels.reshape(-1, size)
    if not (wide == wide[:, :1]).all():
        raise ValueError("games of one deal have other labels")
    return wide[:, 0]


def _same(labels: Values, theme: str, own: np.ndarray) -> None:
    """Keep the labels of the clusters of cells that meet the same deals."""
    known = labels.get(theme, own[:0])
    common = min(len(known), len(own))
    if not (known[:common] == own[:common]).all():
        raise ValueError("cells of one pool have other labels in a deal")
    labels[theme] = known if len(known) >= len(own) else own
