"""The rows of one metric from sums alone, without what else its theme has to read."""

from typing import Any

import polars as pl

from sim.metrics.flow import details, endings
from sim.metrics.moments import LENGTHS
from sim.metrics.outcome import seat_share, style_share
from sim.metrics.rows import WHOLE_GAME, mean_rows, share_rows
from sim.metrics.tidy import finish, pick

THEMES = {
    "seat_share": seat_share,
    "style_share": style_share,
    "truncated_share": endings,
    "completion_rate": endings,
    "end_reason": endings,
}


def rows_of(run: Any, metric: str) -> pl.DataFrame:
    """Return the rows of a metric that `sim.until` knows as a share or a mean."""
    if metric.startswith("detail."):
        return pick(details(run), metric)
    if metric in THEMES:
        return pick(THEMES[metric](run), metric)
    if metric == "tie_rate":
        return finish(run, [share_rows(run, "of_ended", "tied", metric, WHOLE_GAME)])
    name = metric.removesuffix(".mean").removeprefix("score_part.")
    if metric.startswith("score"):
        return finish(run, [mean_rows(run, "of_seats", name, metric)])
    part = "of_all" if name in LENGTHS else "of_ended"
    return finish(run, [mean_rows(run, part, name, metric, WHOLE_GAME)])
