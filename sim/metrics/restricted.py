"""What something is worth, by players who do without it: a style against its restricted twin.

A twin of a style plays as it does but forbids more: a card, a town, a kind of action. Where the
two meet in a round robin, every deal is played with the twin in each seat. Without its restriction
it would win a fair share of each deal, so what it falls short by is caused by what it forbids
(restricted play: Jaffe et al. 2012).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sim.metrics.blocks import Block
from sim.metrics.estimates import Row, estimate_row, frame, theme_rows, wins_scale
from sim.metrics.themes import Found, Theme, gathered
from sim.metrics.tidy import SCHEMA, finish, per_run
from sim.metrics.totals import ratio_of
from sim.players import Style

COLUMNS = ("bound", "wins", "score", "free", "free_score")
"""Seats that forbid it, their wins and score; the other seats and their score."""


@dataclass(frozen=True)
class Twins:
    """A style, its twin, and what the twin alone forbids."""

    free: str
    bound: str
    forbidden: tuple[str, ...]

    @property
    def group(self) -> str:
        """What rows call them."""
        return f"{self.free} without {'+'.join(self.forbidden)}"


def twins_of(cell: Any, styles: dict[str, Style]) -> Twins | None:
    """Return the twins that a round-robin cell consists of, if it does; `styles` by name."""
    names = tuple(dict.fromkeys(cell.styles))
    if not cell.rotate or len(names) != 2:
        return None
    for free, bound in (names, names[::-1]):
        a, b = styles[free], styles[bound]
        parts = ("weights", "temperature", "tempo", "search")
        alike = all(getattr(a, part) == getattr(b, part) for part in parts)
        if alike and set(a.forbid) < set(b.forbid):
            more = tuple(name for name in b.forbid if name not in a.forbid)
            return Twins(free, bound, more)
    return None


@per_run
def restricted(run: Any) -> pl.DataFrame:
    """Return what twins of a style win and score without what they forbid (group "X without Y"):

    - `without.win`: win share of one who does without it among others who do not, less a fair
      share; `without.win_of_2` ...: of two or more who do without it;
    - `without.score`, `.score_of_2` ...: mean score of those who do without it, less that of the
      others at the table.

    Only round-robin cells of a style and its twin count; n is seats that do without it. Nothing
    for a study without twins.
    """
    met = _met(run)
    if not met:
        return pl.DataFrame(schema=SCHEMA)
    groups = list(dict.fromkeys(twins.group for twins, _ in met.values()))
    found = gathered(run, groups, Block, lambda block: _themes(block, met, groups))
    fair = pl.DataFrame(
        {
            "unit": pl.Series(range(len(found.units)), dtype=pl.UInt32),
            "fair": [1 / unit.players for unit in found.units],
        }
    )
    parts = []
    for count in sorted({count for _, count in met.values()}):
        name = "" if count == 1 else f"_of_{count}"
        rows = theme_rows(
            *(found, str(count), COLUMNS, f"without.win{name}", groups, ("wins", "bound", "bound")),
            share=True,
            scale=wins_scale,
        )
        gap = pl.col("estimate", "low", "high") - pl.col("fair")
        parts.append(rows.join(fair, on="unit", maintain_order="left").with_columns(gap))
        parts.append(frame(_scores(found, str(count), f"without.score{name}", groups)))
    return finish(run, parts)


def _met(run: Any) -> dict[int, tuple[Twins, int]]:
    """Return the twins of each cell that consists of such, and how many seats do without."""
    found = {}
    for cell in run.plan.cells:
        twins = twins_of(cell, run.study.variants[cell.variant].styles)
        if twins is not None:
            found[cell.index] = twins, cell.styles.count(twins.bound)
    return found


def _themes(block: Block, met: dict[int, tuple[Twins, int]], groups: list[str]) -> dict[str, Theme]:
    if block.cell.index not in met:
        return {}
    twins, count = met[block.cell.index]
    bound = list(block.run.study.styles).index(twins.bound)
    return {str(count): lambda block: _columns(block, bound, groups.index(twins.group), groups)}


def _columns(block: Block, bound: int, at: int, groups: list[str]) -> np.ndarray:
    """Return `COLUMNS` for each group, [group, column, game]."""
    without = block.seats["style"] == bound
    score = block.seats["score"]
    columns = (without, without * block.wins, without * score, ~without, ~without * score)
    values = np.zeros((len(groups), len(COLUMNS), len(block.ended)))
    values[at] = np.stack(columns).sum(-1)
    return values * block.ended


def _scores(found: Found, theme: str, metric: str, groups: list[str]) -> Iterator[Row]:
    for unit, totals in found.of(theme):
        for at in np.flatnonzero(totals.sums[:, 0] > 0):
            sums, clusters = totals.sums[at], int(totals.seen[at, 0])
            gap = ratio_of(sums, 2, 0) - ratio_of(sums, 4, 3)
            about = totals.products[at], clusters, round(sums[0]), "difference"
            yield estimate_row(unit, metric, groups[at], gap, *about)
