"""How often each value occurs, in every unit: what quantiles and distributions are read from.

Lazy passes over the shards group each variable by cell and value, so that nothing larger than the
number of different values is ever held.
"""

from collections.abc import Iterable
from typing import Any

import polars as pl

from sim.metrics.moments import LENGTHS, share_scale
from sim.metrics.tidy import membership, sums_per_run

MOST_VALUES = 2000
"""A variable with a wider range is counted in equal steps, named by their lowest value."""
OF_ENDED = ("margin", "lead_changes")
COUNTED = (*LENGTHS, *OF_ENDED, "score", "winning_score")


@sums_per_run
def counts(run: Any) -> dict[str, pl.DataFrame]:
    """Return for each of `COUNTED`: unit, value, count; sorted by unit and value.

    Lengths count all games; `margin`, `lead_changes` and `winning_score` the games that ended by
    rule; `score` every seat of those.
    """
    games, seats = run.scan("games"), run.scan("seats")
    steps = _steps(games, (*LENGTHS, *OF_ENDED)) | _steps(seats, ("score",))
    ended, seated = games.filter(~pl.col("truncated")), seats.filter(~pl.col("truncated"))
    lazy = [_count(games, name, steps[name]) for name in LENGTHS]
    lazy += [_count(ended, name, steps[name]) for name in OF_ENDED]
    lazy += [_count(seated, "score", steps["score"]), _winning(run, seated, steps["score"])]
    # one by one: together they are no faster and hold five times the memory
    frames = [query.collect(engine="streaming") for query in lazy]
    return {name: _by_unit(run, frame) for name, frame in zip(COUNTED, frames, strict=True)}


def _steps(table: pl.LazyFrame, columns: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the lowest value and the width of a step for each column."""
    ends = table.select(
        bound(column).cast(pl.Int64).name.suffix(suffix)
        for column in map(pl.col, columns)
        for bound, suffix in ((pl.Expr.min, ".low"), (pl.Expr.max, ".high"))
    ).collect(engine="streaming")
    found = {}
    for column in columns:
        low, high = ends[f"{column}.low"][0] or 0, ends[f"{column}.high"][0] or 0
        found[column] = (low, (high - low) // MOST_VALUES + 1)
    return found


def _value(column: str, step: tuple[int, int]) -> pl.Expr:
    low, width = step
    value = pl.col(column).cast(pl.Int64)
    return (value if width == 1 else (value - low) // width * width + low).alias("value")


def _count(table: pl.LazyFrame, column: str, step: tuple[int, int]) -> pl.LazyFrame:
    return table.group_by("cell", _value(column, step)).agg(pl.len().cast(pl.Int64).alias("count"))


def _winning(run: Any, seats: pl.LazyFrame, step: tuple[int, int]) -> pl.LazyFrame:
    """Count winners' scores once a game, however many share the win."""
    scales = run.cells.select(
        "cell", scale=pl.col("players").map_elements(share_scale, return_dtype=pl.Int64)
    )
    winners = seats.filter(pl.col("win_share") > 0).group_by(
        "cell", _value("score", step), "win_share"
    )
    shares = winners.len().join(scales.lazy(), on="cell")
    # whole numbers: a sum of 1/3 would depend on the order of the rows
    wins = (pl.col("win_share") * pl.col("scale")).round().cast(pl.Int64) * pl.col("len")
    return shares.group_by("cell", "value").agg(
        wins.sum().alias("count") // pl.col("scale").first()
    )


def _by_unit(run: Any, frame: pl.DataFrame) -> pl.DataFrame:
    return (
        membership(run)
        .join(frame, on="cell")
        .group_by("unit", "value")
        .agg(pl.col("count").sum(), pl.col("head").first())
        .sort("unit", "value")
    )
