"""Tidy rows made from sums and counts: means, shares, quantiles and distributions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.metrics import steered
from sim.metrics.clusters import Tally
from sim.metrics.counts import counts
from sim.metrics.moments import moments, share_scale
from sim.metrics.tidy import membership, units

PERCENTS = (5, 25, 50, 75, 95)
WHOLE_GAME = {"": "all"}
"""Sums over games have one group without a name."""


def mean_rows(
    run: Any, part: str, variable: str, metric: str, named: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return the mean of a variable of `Moments.<part>` with t intervals, for every group.

    With a confidence sequence where the metric decided when games stopped. `named` gives groups
    other names.
    """
    rows, sums = _stack(run, part, variable)
    mean, variance = inference.ratio(sums)
    if metric in steered.steered(run):
        interval = steered.mean_interval(run, metric, rows, sums)
    else:
        interval = inference.mean_interval(mean, variance, sums.clusters, rows["rotate"].to_numpy())
    return _rows(rows, metric, mean, interval, sums.m, named)


def share_rows(
    run: Any, part: str, variable: str, metric: str, named: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return the mean of a variable between 0 and 1 as a share, for every group.

    With a confidence sequence where the metric decided when games stopped.
    """
    rows, sums = _stack(run, part, variable)
    scale = np.ones(len(rows))
    if variable == "win_share":
        scale = np.array([float(share_scale(players)) for players in rows["players"]])
    mean, variance = inference.ratio(sums)
    rotate = rows["rotate"].to_numpy()
    # nothing but 0 and the whole: only then is the sum of squares that of a count
    binary = ~rotate & (sums.yy == sums.y * scale)
    share = mean / scale
    if metric in steered.steered(run):
        interval = steered.share_interval(run, metric, rows, scaled(sums, scale))
    else:
        interval = inference.share_interval(
            share, variance / scale**2, sums.m, sums.clusters, binary, rotate
        )
    return _rows(rows, metric, share, interval, sums.m, named)


def scaled(sums: inference.Sums, scale: np.ndarray | float) -> inference.Sums:
    """Return the sums of numerators divided by a scale."""
    return sums._replace(y=sums.y / scale, yy=sums.yy / scale**2, ym=sums.ym / scale)


def quantile_rows(
    run: Any, variable: str, metric: str, percents: Sequence[int] = PERCENTS
) -> pl.DataFrame:
    """Return quantiles `metric.p05` ... and `metric.max` of a counted variable.

    In round-robin units the interval counts deals, not games: the careful end, whatever the games
    of a deal have in common.
    """
    table = counts(run)[variable]
    index = table["unit"].rle_id().to_numpy()
    numbers = table["unit"].unique(maintain_order=True).to_list()
    about = [units(run)[number] for number in numbers]
    totals = np.bincount(index, weights=table["count"].to_numpy()).astype(np.int64)
    seats = np.array([unit.players if variable == "score" else 1 for unit in about], np.int64)
    clusters = np.maximum(totals // (seats * [unit.games_a_deal for unit in about]), 1)
    found = inference.quantiles_of_counts(
        table["value"].to_numpy(), table["count"].to_numpy(), index, percents, clusters
    )
    base = pl.DataFrame(
        {
            "unit": pl.Series(numbers, dtype=pl.UInt32),
            "n": totals // seats,
            "method": pl.Series(
                ["order statistics" + ", by deal" * unit.rotate for unit in about],
                dtype=pl.String,
            ),
        }
    )
    parts = [
        base.with_columns(
            pl.lit(f"{metric}.p{percent:02d}").alias("metric"),
            pl.Series("estimate", found.estimate[:, column]),
            pl.Series("low", found.low[:, column]),
            pl.Series("high", found.high[:, column]),
        )
        for column, percent in enumerate(percents)
    ]
    largest = table.group_by("unit", maintain_order=True).agg(pl.col("value").last())["value"]
    parts.append(
        base.with_columns(
            pl.lit(f"{metric}.max").alias("metric"),
            largest.cast(pl.Float64).alias("estimate"),
            pl.lit(None, pl.Float64).alias("low"),
            pl.lit(None, pl.Float64).alias("high"),
            pl.lit("largest seen").alias("method"),
        )
    )
    return pl.concat(parts, how="vertical").with_columns(pl.lit("all").alias("group"))


def pmf_rows(run: Any, variable: str, metric: str) -> pl.DataFrame:
    """Return the share of each value, `metric.pmf`; cells inside a pool are left to the pool."""
    table = counts(run)[variable].filter(pl.col("head"))
    total = pl.col("count").sum().over("unit")
    # a game has one score a seat
    about = pl.DataFrame(
        {
            "unit": pl.Series(range(len(units(run))), dtype=pl.UInt32),
            "each": [unit.players if variable == "score" else 1 for unit in units(run)],
        }
    )
    return table.join(about, on="unit", how="left", maintain_order="left").select(
        "unit",
        pl.lit(f"{metric}.pmf").alias("metric"),
        pl.col("value").cast(pl.String).alias("group"),
        (pl.col("count") / total).alias("estimate"),
        pl.lit(None, pl.Float64).alias("low"),
        pl.lit(None, pl.Float64).alias("high"),
        (total // pl.col("each")).alias("n"),
        pl.lit("share of all").alias("method"),
    )


def plain_rows(table: pl.DataFrame, metric: str, estimate: pl.Expr, n: pl.Expr) -> pl.DataFrame:
    """Return rows of counts for each unit and group of a table: over so many, no interval."""
    nothing = pl.lit(None, pl.Float64)
    return table.select(
        "unit",
        pl.lit(metric).alias("metric"),
        "group",
        estimate.alias("estimate"),
        nothing.alias("low"),
        nothing.alias("high"),
        n.alias("n"),
        pl.lit("count").alias("method"),
    )


def summed(run: Any, table: str, key: str, columns: Sequence[str]) -> pl.DataFrame:
    """Return sums of a table's columns for each head unit and name of `key`, in their order."""
    scan = run.scan(table)
    counted = (
        scan.group_by("cell", key)
        .agg(pl.col(columns).cast(pl.Int64).sum())
        .collect(engine="streaming")
    )
    return (
        membership(run)
        .filter("head")
        .join(counted, on="cell")
        .group_by("unit", key)
        .agg(pl.col(columns).sum())
        .sort("unit", pl.col(key).to_physical())
    )


def groups_with(frame: pl.DataFrame, prefix: str) -> pl.DataFrame:
    """Return the rows whose group begins with a prefix."""
    return frame.filter(pl.col("group").str.starts_with(prefix))


def _stack(run: Any, part: str, variable: str) -> tuple[pl.DataFrame, inference.Sums]:
    """Return unit, group, rotate and players with a variable's sums, row by row."""
    tallies: list[Tally] = [getattr(found, part) for found in moments(run)]
    rows = pl.DataFrame(
        [
            (number, group, unit.rotate, unit.players)
            for number, (tally, unit) in enumerate(zip(tallies, units(run), strict=True))
            for group in tally.groups
        ],
        schema={"unit": pl.UInt32, "group": pl.String, "rotate": pl.Boolean, "players": pl.Int64},
        orient="row",
    )
    sums = [tally.sums(variable) for tally in tallies]
    return rows, inference.Sums(*(np.concatenate(column) for column in zip(*sums, strict=True)))


def _rows(
    rows: pl.DataFrame,
    metric: str,
    estimate: np.ndarray,
    interval: inference.Interval,
    weight: np.ndarray,
    named: Mapping[str, str] | None,
) -> pl.DataFrame:
    # the sum over all seats weighs a game by its players; n is games
    seats = np.where(rows["group"].to_numpy() == "all", rows["players"].to_numpy(), 1)
    group = pl.col("group")
    return rows.select(
        "unit",
        pl.lit(metric).alias("metric"),
        group.replace(dict(named)) if named else group,
        pl.Series("estimate", estimate),
        pl.Series("low", interval.low),
        pl.Series("high", interval.high),
        pl.Series("n", np.rint(weight / seats).astype(np.int64)),
        pl.Series("method", interval.method.tolist(), dtype=pl.String),
    )
