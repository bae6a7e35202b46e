"""Tidy rows made from the sums of Tag City's head units."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from sim.games.tag_city.analysis.sums import sums
from sim.metrics import estimates


def ratio_rows(
    run: Any,
    theme: str,
    columns: Sequence[str],
    metric: str,
    groups: Sequence[str],
    ratio: tuple[str, str, str],
    **how: Any,
) -> pl.DataFrame:
    """Return the ratio of two of a theme's columns; the third is n (`estimates.theme_rows`)."""
    return estimates.theme_rows(sums(run), theme, columns, metric, groups, ratio, **how)


def held_rows(
    run: Any, theme: str, metric: str, groups: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return win share, score and share of all seats of groups of seats; n is these seats."""
    return estimates.held_rows(sums(run), theme, metric, groups)
