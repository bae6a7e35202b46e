"""Tidy rows made from the sums of Wildstyle's head units."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from sim.games.wildstyle.analysis.sums import sums
from sim.metrics import estimates
from sim.metrics.estimates import Row, estimate_row, frame
from sim.metrics.tidy import Unit

__all__ = ["Row", "estimate_row", "frame", "ratio_rows"]


def ratio_rows(
    run: Any,
    theme: str,
    metric: str,
    groups: Sequence[str],
    columns: tuple[int, int, int],
    *,
    share: bool = False,
    scale: Callable[[Unit], float] = lambda unit: 1.0,
) -> pl.DataFrame:
    """Return the ratio of two columns of a theme, as `sim.metrics.estimates.ratio_rows` does."""
    return estimates.ratio_rows(
        sums(run).of(theme), metric, groups, columns, share=share, scale=scale
    )
