"""Tidy rows made from totals over clusters: ratios, and functions of sums."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from sim import inference
from sim.metrics.tidy import Unit
from sim.metrics.totals import Estimate, Totals

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
