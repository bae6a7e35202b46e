"""What a run says, in one tidy shape; see `sim.metrics.tidy` and docs/metrics.md.

Each function takes a run and returns rows of: cell, players, variant, lineup, metric, group,
estimate, low, high (95 %), n (games unless said otherwise), method. Rows whose line-up is `all`
pool the round-robin cells of a variant and player count.
"""

from typing import Any

import polars as pl

from sim.metrics.cards import cards
from sim.metrics.flow import details, endings, flow
from sim.metrics.length import length
from sim.metrics.outcome import seat_share, seat_test, style_share, ties
from sim.metrics.restricted import restricted
from sim.metrics.scores import scores
from sim.metrics.tidy import POOLED, SCHEMA, headline, pick

__all__ = [
    "POOLED",
    "SCHEMA",
    "all_metrics",
    "cards",
    "details",
    "endings",
    "flow",
    "headline",
    "length",
    "pick",
    "restricted",
    "scores",
    "seat_share",
    "seat_test",
    "style_share",
    "ties",
]


def all_metrics(run: Any) -> pl.DataFrame:
    """Return the rows of every metric of a run, those of its game alone last."""
    analysis = run.game.analysis()
    themes = (
        seat_share,
        seat_test,
        style_share,
        length,
        scores,
        ties,
        flow,
        endings,
        details,
        cards,
        restricted,
        *(analysis.metrics if analysis else ()),
    )
    return pl.concat([theme(run) for theme in themes])
