"""Tidy rows made from the sums of Tag City's head units."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.tag_city.analysis.gather import HELD
from sim.games.tag_city.analysis.sums import sums
from sim.metrics import estimates
from sim.metrics.estimates import Row, estimate_row
from sim.metrics.moments import share_scale
from sim.metrics.tidy import Unit
from sim.metrics.totals import Estimate, Totals


def ratio_rows(
    run: Any,
    theme: str,
    columns: Sequence[str],
    metric: str,
    groups: Sequence[str],
    ratio: tuple[str, str, str],
    *,
    share: bool = False,
    scale: Callable[[Unit], float] = lambda unit: 1.0,
) -> pl.DataFrame:
    """Return the ratio of two of a theme's columns; the third is n."""
    at = tuple(columns.index(name) for name in ratio)
    return estimates.ratio_rows(
        sums(run).of(theme),
        metric,
        groups,
        (at[0], at[1], at[2]),
        share=share,
        scale=scale,
    )


def held_rows(
    run: Any, theme: str, metric: str, groups: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return win share, score and share of all seats of groups of seats; n is these seats."""
    return (
        ratio_rows(
            *(run, theme, HELD, f"{metric}.win_share", groups, ("wins", "seats", "seats")),
            share=True,
            scale=lambda unit: float(share_scale(unit.players)),
        ),
        ratio_rows(run, theme, HELD, f"{metric}.score", groups, ("score", "seats", "seats")),
        ratio_rows(
            *(run, theme, HELD, f"{metric}.seats", groups, ("seats", "of", "seats")), share=True
        ).filter(pl.col("n") > 0),
    )


def coefficient_row(
    unit: tuple[int, Unit],
    metric: str,
    group: str,
    found: Estimate,
    totals: tuple[Totals, int],
    counts: tuple[int, int],
    method: str = "least squares",
) -> Row:
    """Return the row of a function of the sums of one group: totals and group, clusters and n."""
    own, at = totals
    return estimate_row(unit, metric, group, found, own.products[at], *counts, method)


def games_of(run: Any) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each head unit's number with its clusters and games that ended by rule."""
    for (number, _), totals in sums(run).of("games"):
        yield number, (int(totals.seen[0, 0]), int(np.rint(totals.sums[0, 0])))
