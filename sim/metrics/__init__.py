"""What a run says, in one tidy shape; see `sim.metrics.tidy` and docs/metrics.md.

Each function takes a run and returns rows of: cell, players, variant, lineup, metric, group,
estimate, low, high (95 %), n (games unless said otherwise), method. Rows whose line-up is `all`
pool the round-robin cells of a variant and player count; `together` are all other cells of these,
where a metric compares line-ups.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import polars as pl

from sim.level import at_level
from sim.metrics.cards import cards
from sim.metrics.flow import details, endings, flow, unseen
from sim.metrics.going import deciding, standing
from sim.metrics.kingmaking import kingmaking
from sim.metrics.ladder import ladder
from sim.metrics.length import length
from sim.metrics.outcome import seat_share, seat_test, style_share, ties
from sim.metrics.restricted import restricted
from sim.metrics.scores import scores
from sim.metrics.tidy import POOLED, SCHEMA, TOGETHER, headline, pick
from sim.metrics.variance import variance

__all__ = [
    "POOLED",
    "SCHEMA",
    "TOGETHER",
    "all_metrics",
    "at",
    "cards",
    "deciding",
    "details",
    "endings",
    "flow",
    "headline",
    "kingmaking",
    "ladder",
    "length",
    "makers",
    "pick",
    "restricted",
    "scores",
    "seat_share",
    "seat_test",
    "standing",
    "style_share",
    "ties",
    "unseen",
    "variance",
]


def all_metrics(run: Any) -> pl.DataFrame:
    """Return the rows of every metric of a run, those of its game alone last."""
    return pl.concat([theme(run) for theme in makers(run)])


def at(run: Any, confidence: float, names: Collection[str]) -> pl.DataFrame:
    """Return the rows of some metrics with intervals of another level."""
    themes = [theme for theme in makers(run) if theme(run)["metric"].is_in(list(names)).any()]
    with at_level(confidence):
        parts = [pick(theme(run), *names) for theme in themes]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *parts])


def makers(run: Any) -> Iterable[Callable[[Any], pl.DataFrame]]:
    """Return the functions that work out the metrics of a run, those of its game alone last."""
    analysis = run.game.analysis()
    return (
        seat_share,
        seat_test,
        style_share,
        length,
        scores,
        ties,
        flow,
        standing,
        deciding,
        kingmaking,
        endings,
        details,
        cards,
        restricted,
        ladder,
        variance,
        *(analysis.metrics if analysis else ()),
    )
