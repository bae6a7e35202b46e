"""What players score, by seat and style, and what the score is made of."""

from typing import Any

import polars as pl

from sim.metrics.moments import score_parts
from sim.metrics.rows import mean_rows, pmf_rows, quantile_rows
from sim.metrics.tidy import finish, per_run


@per_run
def scores(run: Any) -> pl.DataFrame:
    """Return `score` and `winning_score`: means, quantiles, pmf; and `score_part.<part>` means.

    Means are given for each seat, each style where two styles meet, and all seats.
    """
    parts = [mean_rows(run, "of_seats", "score", "score.mean")]
    parts += [
        mean_rows(run, "of_seats", part, f"score_part.{part}") for part in score_parts(run.game)
    ]
    for name in ("score", "winning_score"):
        parts += [quantile_rows(run, name, name), pmf_rows(run, name, name)]
    return finish(run, parts)
