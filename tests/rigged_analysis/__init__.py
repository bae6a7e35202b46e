"""What the rigged game finds out about its runs: a metric, a finding and a part of the report."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from sim.games.game import Analysis
from sim.metrics.tidy import finish, membership, per_run
from sim.takeaways import Takeaway
from sim.words import Words


@per_run
def handfuls(run: Any) -> pl.DataFrame:
    """Return `handful.mean` of each seat over the sampled games."""
    drawn = membership(run).lazy().join(run.scan("handfuls"), on="cell")
    means = (
        drawn.group_by("unit", "seat")
        .agg(
            pl.col("stones").mean().alias("estimate"),
            pl.struct("cell", "game").n_unique().alias("n"),
        )
        .sort("unit", "seat")
        .with_columns(
            pl.lit("handful.mean").alias("metric"),
            pl.format("seat {}", "seat").alias("group"),
            pl.lit(None, pl.Float64).alias("low"),
            pl.lit(None, pl.Float64).alias("high"),
            pl.lit("mean of a sample").alias("method"),
        )
    )
    return finish(run, [means.collect()])


def tell(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how large a handful is."""
    means = head.filter(pl.col("metric") == "handful.mean")["estimate"]
    if len(means):
        text = f"A handful holds {means.mean():.0f} {words.game.score_name} on average."
        yield Takeaway("handfuls", "", text)


ANALYSIS = Analysis((handfuls,), tell, str(Path(__file__).with_name("handfuls.ipynb")))
