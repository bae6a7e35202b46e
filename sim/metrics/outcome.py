"""Who wins: shares of seats and styles, ties, margins."""

from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.metrics import steered
from sim.metrics.clusters import Tally
from sim.metrics.counts import counts
from sim.metrics.moments import moments, share_scale
from sim.metrics.rows import (
    WHOLE_GAME,
    groups_with,
    mean_rows,
    pmf_rows,
    quantile_rows,
    scaled,
    share_rows,
)
from sim.metrics.tidy import finish, per_run, units

CLOSE = (1, 2, 3, 5, 10)
"""Margins for which the share of games decided by at most so much is given."""


@per_run
def seat_share(run: Any) -> pl.DataFrame:
    """Return `seat_share`, the mean win share of each seat; fair is 1 / players."""
    shares = share_rows(run, "of_seats", "win_share", "seat_share")
    return finish(run, [groups_with(shares, "seat ")])


@per_run
def style_share(run: Any) -> pl.DataFrame:
    """Return `style_share`, the mean win share of a seat that plays a style; fair is 1 / players.

    Only where two styles meet: a table of one style has nothing to compare. n counts seats.
    """
    shares = share_rows(run, "of_seats", "win_share", "style_share")
    return finish(run, [groups_with(shares, "style ")])


@per_run
def seat_test(run: Any) -> pl.DataFrame:
    """Return `seat_test.p`, the p-value of "all seats win equally often", and `seat_test.p_holm`.

    Chi-square where every game has one winner, Hotelling's test where ties or shared deals make
    shares vary otherwise; a confidence sequence if seats decided when games stopped. Holm's
    correction is over the pools and the cells outside them.
    """
    if "seat_test" in steered.steered(run):
        tests = [
            steered.seat_test(run, number, _seat_sums(unit.players, found.of_seats))
            for number, (unit, found) in enumerate(zip(units(run), moments(run), strict=True))
        ]
    else:
        tests = [_test(u.players, u.rotate, moments(run)[n]) for n, u in enumerate(units(run))]
    rows = pl.DataFrame(
        {
            "unit": pl.Series(range(len(tests)), dtype=pl.UInt32),
            "metric": "seat_test.p",
            "group": "all",
            "estimate": pl.Series([test.p for test in tests], dtype=pl.Float64),
            "low": pl.Series([None] * len(tests), dtype=pl.Float64),
            "high": pl.Series([None] * len(tests), dtype=pl.Float64),
            "n": [int(found.of_seats.m[0]) for found in moments(run)],
            "method": [test.method for test in tests],
        }
    )
    heads = rows.filter(pl.Series([unit.head for unit in units(run)]))
    corrected = heads.with_columns(
        pl.lit("seat_test.p_holm").alias("metric"),
        pl.Series("estimate", inference.adjusted(heads["estimate"].to_numpy())),
        pl.when(pl.col("method") != "none")
        .then(pl.col("method") + f", Holm over {len(heads)}")
        .otherwise(pl.col("method"))
        .alias("method"),
    )
    return finish(run, [rows, corrected])


def _test(players: int, rotate: bool, found: Any) -> inference.Test:
    tally = found.of_seats
    wins, weight, clusters = tally.y[0][:players], tally.m[0], int(tally.clusters[0])
    if weight == 0:
        return inference.Test(np.nan, "none")
    top = wins.sum() / weight
    if not rotate and (tally.yy[0][:players] == wins * top).all():
        return inference.equal_shares_test(wins / top)
    groups = len(tally.groups)
    square = tally.cross[:players, :players]
    across = tally.cross[:players, groups]
    mean = wins / weight
    spread = square - np.outer(mean, across) - np.outer(across, mean)
    spread += np.outer(mean, mean) * tally.mm[0]
    covariance = spread / weight**2 * clusters / max(clusters - 1, 1) / top**2
    if clusters < 2:
        covariance = np.full_like(covariance, np.nan)
    return inference.equal_means_test(mean / top, covariance, clusters)


def _seat_sums(players: int, tally: Tally) -> inference.Sums:
    """Return the sums of each seat's win share, [seat]."""
    sums = scaled(tally.sums("win_share"), float(share_scale(players)))
    return inference.Sums(*(part[:players] for part in sums))


@per_run
def ties(run: Any) -> pl.DataFrame:
    """Return `tie_rate`, and the `margin` between best and second (0 when tied).

    `margin.mean`, its quantiles, `margin.within` (group d: share of games decided by at most d)
    and `margin.pmf`.
    """
    return finish(
        run,
        [
            share_rows(run, "of_ended", "tied", "tie_rate", WHOLE_GAME),
            mean_rows(run, "of_ended", "margin", "margin.mean", WHOLE_GAME),
            quantile_rows(run, "margin", "margin"),
            _within(run),
            pmf_rows(run, "margin", "margin"),
        ],
    )


def _within(run: Any) -> pl.DataFrame:
    """Return the share of games decided by at most each of `CLOSE`."""
    table = counts(run)["margin"]
    parts = []
    for most in CLOSE:
        near = (pl.col("count") * (pl.col("value") <= most)).sum()
        rows = table.group_by("unit", maintain_order=True).agg(near, n=pl.col("count").sum())
        about = [units(run)[number] for number in rows["unit"]]
        share = (rows["count"] / rows["n"]).to_numpy()
        # games of one deal may all go the same way: count each deal once
        together = [unit.games_a_deal for unit in about]
        clusters = rows["n"].to_numpy() // np.array(together, np.int64)
        interval = inference.share_interval(share, np.nan, clusters, clusters, True)
        deals = pl.Series([", by deal" * unit.rotate for unit in about], dtype=pl.String)
        parts.append(
            rows.select(
                "unit",
                pl.lit("margin.within").alias("metric"),
                pl.lit(str(most)).alias("group"),
                pl.Series("estimate", share),
                pl.Series("low", interval.low),
                pl.Series("high", interval.high),
                "n",
                pl.Series("method", interval.method.tolist(), dtype=pl.String) + deals,
            )
        )
    return pl.concat(parts)
