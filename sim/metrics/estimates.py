"""Tidy rows made from totals over clusters: ratios, and functions of sums."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.metrics.moments import share_scale
from sim.metrics.themes import Found
from sim.metrics.tidy import Unit
from sim.metrics.totals import Estimate, Totals, least_squares, mean_of
from sim.metrics.within import HELD, OUTCOMES

Row = tuple[int, str, str, float, float | None, float | None, int, str]
"""Unit, metric, group, estimate, low, high, n, method."""
SCHEMA = {
    "unit": pl.UInt32,
    "metric": pl.String,
    "group": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "method": pl.String,
}


def frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Return rows as `sim.metrics.tidy.finish` takes them."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def ratio_rows(
    found: Iterable[tuple[tuple[int, Unit], Totals]],
    metric: str,
    groups: Sequence[str],
    columns: tuple[int, int, int],
    *,
    share: bool = False,
    scale: Callable[[Unit], float] = lambda unit: 1.0,
) -> pl.DataFrame:
    """Return the ratio of two columns for each group that was seen, with a 95 % interval.

    `found` are the totals of some units, with each unit's number. `columns` are those of the
    numerator, the denominator and n. The ratio is divided by `scale(unit)`; as a `share` it has
    an interval within 0 and 1.
    """
    return frame(
        row
        for unit, totals in found
        for row in _ratios(unit, totals, metric, groups, columns, share, scale(unit[1]))
    )


def _ratios(
    unit: tuple[int, Unit],
    totals: Totals,
    metric: str,
    groups: Sequence[str],
    columns: tuple[int, int, int],
    share: bool,
    scale: float,
) -> Iterator[Row]:
    y, m, n = columns
    value, variance = totals.ratio(y, m)
    value, variance = value / scale, variance / scale**2
    clusters, counts = totals.seen[:, m], np.rint(totals.sums[:, n]).astype(int)
    rotate = unit[1].rotate
    if share:
        interval = inference.share_interval(value, variance, counts, clusters, False, rotate)
    else:
        interval = inference.mean_interval(value, variance, clusters, rotate)
    for at, group in enumerate(groups):
        if totals.sums[at, m] > 0:
            bounds = (float(interval.low[at]), float(interval.high[at]))
            yield (
                *(unit[0], metric, group, float(value[at]), *bounds),
                *(int(counts[at]), str(interval.method[at])),
            )


def estimate_row(
    unit: tuple[int, Unit],
    metric: str,
    group: str,
    found: Estimate,
    products: np.ndarray,
    clusters: int,
    n: int,
    method: str,
) -> Row:
    """Return a row with Student's interval for a function of sums; `method` is put before it."""
    number, about = unit
    variance = found.variance(products, clusters)
    interval = inference.mean_interval(found.value, variance, clusters, about.rotate)
    name = str(interval.method)
    name = name if name == "none" else f"{method}, {name}"
    bounds = (float(interval.low), float(interval.high))
    return (number, metric, group, found.value, *bounds, n, name)


def theme_rows(
    found: Found,
    theme: str,
    columns: Sequence[str],
    metric: str,
    groups: Sequence[str],
    ratio: tuple[str, str, str],
    *,
    share: bool = False,
    scale: Callable[[Unit], float] = lambda unit: 1.0,
) -> pl.DataFrame:
    """Return the ratio of two of a theme's columns, named; the third is n."""
    y, m, n = (columns.index(name) for name in ratio)
    return ratio_rows(found.of(theme), metric, groups, (y, m, n), share=share, scale=scale)


def held_rows(
    found: Found, theme: str, metric: str, groups: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return win share, score and share of all seats of groups of seats (`within.HELD`).

    n is these seats.
    """

    def rows(name: str, y: str, m: str, **how: Any) -> pl.DataFrame:
        return theme_rows(found, theme, HELD, f"{metric}.{name}", groups, (y, m, "seats"), **how)

    return (
        rows("win_share", "wins", "seats", share=True, scale=wins_scale),
        rows("score", "score", "seats"),
        rows("seats", "seats", "of", share=True).filter(pl.col("n") > 0),
    )


def style_rows(
    found: Found,
    theme: str,
    columns: Sequence[str],
    ratios: Mapping[str, tuple[str, str]],
    *,
    share: bool = False,
) -> list[pl.DataFrame]:
    """Return ratios by metric of all seats, and of each style ("style X") where two styles meet.

    The theme's groups are all seats, then each style of `found.names`; n is seats.
    """
    groups = ["all", *(f"style {style}" for style in found.names.styles)]
    mixed = [number for number, unit in enumerate(found.units) if len(unit.styles) > 1]
    wanted = pl.col("unit").is_in(mixed) | (pl.col("group") == "all")
    return [
        theme_rows(found, theme, columns, metric, groups, (y, m, "seats"), share=share).filter(
            wanted
        )
        for metric, (y, m) in ratios.items()
    ]


def wins_scale(unit: Unit) -> float:
    """Return what turns sums of wins into win shares."""
    return float(share_scale(unit.players))


@dataclass(frozen=True)
class Fit:
    """A regression of one unit: an outcome's coefficients, and what their rows need."""

    unit: tuple[int, Unit]
    outcome: str
    found: list[Estimate]
    products: np.ndarray
    clusters: int
    n: int

    def row(self, metric: str, group: str, found: Estimate) -> Row:
        """Return the row of a function of the coefficients."""
        about = self.products, self.clusters, self.n
        return estimate_row(self.unit, metric, group, found, *about, "least squares")


def seat_rows(fit: Fit, metric: str, before: int) -> Iterator[Row]:
    """Yield what a regression leaves to each seat, from the mean of all (group "seat 0" ...).

    The variables of seats but the first (`within.seats_but_first`) come after `before` others.
    """
    others = fit.unit[1].players - 1
    seats = [fit.found[0].times(0), *fit.found[before : before + others]]
    level = mean_of(seats)
    for seat, own in enumerate(seats):
        yield fit.row(metric, f"seat {seat}", own - level)


def fits(found: Found, theme: str, variables: Callable[[Unit], int]) -> Iterator[Fit]:
    """Yield the regressions of a theme (`within.regressed`) that have one solution."""
    for unit, totals in found.of(theme):
        for at, outcome in enumerate(OUTCOMES):
            own = least_squares(totals.sums[at], variables(unit[1]))
            clusters, n = int(totals.seen[at, -1]), round(totals.sums[at, -1])
            if own is not None:
                yield Fit(unit, outcome, own, totals.products[at], clusters, n)
