"""How games go and end: lead changes, end reasons, truncation, a game's own counts."""

from typing import Any

import polars as pl

from sim.metrics.ladder import other_pairs
from sim.metrics.moments import moments, own_columns
from sim.metrics.rows import WHOLE_GAME, mean_rows, pmf_rows, quantile_rows, share_rows
from sim.metrics.tidy import finish, per_run


@per_run
def flow(run: Any) -> pl.DataFrame:
    """Return `lead_changes`: mean, quantiles and pmf, over games that ended by rule."""
    return finish(
        run,
        [
            mean_rows(run, "of_ended", "lead_changes", "lead_changes.mean", WHOLE_GAME),
            quantile_rows(run, "lead_changes", "lead_changes"),
            pmf_rows(run, "lead_changes", "lead_changes"),
        ],
    )


@per_run
def endings(run: Any) -> pl.DataFrame:
    """Return `end_reason` (a group each), `truncated_share` and `completion_rate` of all games."""
    truncated = share_rows(run, "of_all", "truncated", "truncated_share", WHOLE_GAME)
    completed = truncated.with_columns(
        pl.lit("completion_rate").alias("metric"),
        (1 - pl.col("estimate")).alias("estimate"),
        (1 - pl.col("high")).alias("low"),
        (1 - pl.col("low")).alias("high"),
    )
    return finish(run, [*_coded(run, "of_all", "end_reason", "end_reason"), truncated, completed])


@per_run
def details(run: Any) -> pl.DataFrame:
    """Return `detail.<column>` for the game's own columns of `games`.

    The mean of a number; the share of each name (group) of a coded column.
    """
    parts = [
        mean_rows(run, "of_ended", name, f"detail.{name}", WHOLE_GAME)
        for name in own_columns(run.game, coded=False)
    ]
    for name in own_columns(run.game, coded=True):
        parts += _coded(run, "of_ended", name, f"detail.{name}")
    return finish(run, parts)


@per_run
def unseen(run: Any) -> pl.DataFrame:
    """Return `end_reason` and `detail.<column>` for names that no game of the run has: 0 of n.

    And `ladder.step` for styles that are not neighbours on the ladder. Reports have no use for
    them; a budget may name one.
    """
    parts = _coded(run, "of_all", "end_reason", "end_reason", seen=False)
    for name in own_columns(run.game, coded=True):
        parts += _coded(run, "of_ended", name, f"detail.{name}", seen=False)
    return finish(run, [*parts, other_pairs(run)])


def _coded(run: Any, part: str, column: str, metric: str, seen: bool = True) -> list[pl.DataFrame]:
    """Return the share of every name that a coded column ever has, or of those it never has."""
    tallies = [getattr(found, part) for found in moments(run)]
    names = [name for name in tallies[0].variables if name.startswith(f"{column}=")]
    return [
        share_rows(run, part, name, metric, {"": name.removeprefix(f"{column}=")})
        for name in names
        if any(tally.sums(name).y[0] for tally in tallies) == seen
    ]
