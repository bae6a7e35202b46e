"""Tidy rows made from the sums of West Story's head units."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sim.games.west_story.analysis.sums import sums
from sim.metrics import estimates
from sim.metrics.estimates import wins_scale

Ratios = Mapping[str, tuple[str, str, str]]
"""By metric: the columns of numerator, denominator and n."""


def ratios(
    run: Any, theme: str, columns: Sequence[str], groups: Sequence[str], metrics: Ratios, **how: Any
) -> list[pl.DataFrame]:
    """Return ratios of a theme's columns by metric (`estimates.theme_rows`)."""
    return [
        estimates.theme_rows(sums(run), theme, columns, metric, groups, ratio, **how)
        for metric, ratio in metrics.items()
    ]


def win_shares(
    run: Any, theme: str, columns: Sequence[str], groups: Sequence[str], metrics: Ratios
) -> list[pl.DataFrame]:
    """Return ratios whose numerator is wins."""
    return ratios(run, theme, columns, groups, metrics, share=True, scale=wins_scale)


def shares(
    run: Any, theme: str, columns: Sequence[str], groups: Sequence[str], metrics: Ratios
) -> list[pl.DataFrame]:
    """Return ratios between 0 and 1."""
    return ratios(run, theme, columns, groups, metrics, share=True)
