"""Figures of a tournament: who beats whom, what is played in the long run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sim import words as say
from sim.plots.base import (
    BAND,
    INK,
    Picture,
    as_percent,
    drawn,
    legend_below,
    new_figure,
    note_of,
    panels,
    series_colours,
)
from sim.tuning.metagame import ALPHAS
from sim.words import Words

MOST_PANELS = 4


def _order(table: Any) -> list[int]:
    """Return styles from the strongest to the weakest by their mean against all others."""
    share = table.pairs[0].copy()
    np.fill_diagonal(share, np.nan)
    return [int(at) for at in np.argsort(-np.nanmean(share, axis=1), kind="stable")]


@drawn
def pairs(tables: Sequence[Any], words: Words) -> list[Picture]:
    """Draw for each table what one seat of a style wins among others who all play another."""
    return [_pairs(table, words) for table in tables[:MOST_PANELS]]


def _pairs(table: Any, words: Words) -> Picture:
    order = _order(table)
    names = [words.style(table.styles[at]) for at in order]
    grid = 100 * table.pairs[0][np.ix_(order, order)]
    np.fill_diagonal(grid, np.nan)
    variant = words.variant(table.variant) if len(words.variants) > 1 else ""
    title = f"Style against style, {say.players(table.players)}"
    unclear = _unclear(table, order)
    note = note_of(
        variant,
        "percent won by the style at the left of what both win, seat for seat",
        "grey: within chance" if unclear.any() else "",
    )
    figure = new_figure(title, note, tall=max(1.0, 0.45 + 0.075 * len(order)))
    axis = figure.subplots()
    reach = max(float(np.nanmax(np.abs(grid - 50))), 1.0)
    sns.heatmap(
        np.where(unclear, 50, grid),
        ax=axis,
        annot=grid,
        fmt=".1f",
        cmap=sns.diverging_palette(30, 250, s=85, l=55, as_cmap=True),
        vmin=50 - reach,
        vmax=50 + reach,
        cbar=False,
        linewidths=1.5,
        xticklabels=names,
        yticklabels=names,
        annot_kws={"fontsize": 12, "color": INK},
    )
    for row, column in np.argwhere(unclear & ~np.isnan(grid)):
        cell = Rectangle((column, row), 1, 1, facecolor=BAND, edgecolor="white", linewidth=1.5)
        axis.add_patch(cell)
        cell.set_zorder(1.5)  # over the mesh, under its numbers
    axis.grid(visible=False)
    axis.set_facecolor("white")
    axis.set_xlabel("against" if table.players == 2 else "all others play")
    axis.tick_params(axis="x", rotation=25 if len(names) > 5 else 0)
    axis.tick_params(axis="y", rotation=0)
    name = f"pairs_{table.variant}_{table.players}"
    return Picture(name, title, f"{title}. Best to worst: {', '.join(names)}.", figure)


def _unclear(table: Any, order: list[int]) -> np.ndarray:
    """Return which pairs lie within chance: their interval holds one half, [style, style]."""
    _, low, high = (part[np.ix_(order, order)] for part in table.pairs)
    return ~((low > 0.5) | (high < 0.5)) & ~np.eye(len(order), dtype=bool)


@drawn
def long_run(tables: Sequence[Any], words: Words) -> Picture | None:
    """Draw how much of the time each style is played as selection grows stronger."""
    shown = tables[:MOST_PANELS]
    if not shown:
        return None
    title = "What is played in the long run (alpha-rank)"
    note = "share of time in which a population plays the style; right: only the better spreads"
    figure = new_figure(title, note)
    axes = panels(figure, len(shown), min(len(shown), 2), sharex=True, sharey=True)
    styles = shown[0].styles
    colours = series_colours(styles)
    handles: dict[str, Any] = {}
    for axis, table in zip(axes, shown, strict=True):
        for at, style in enumerate(styles):
            (handles[words.style(style)],) = axis.plot(
                ALPHAS, table.alpha_ranks[:, at], color=colours[style], linewidth=2.2
            )
        _intensity(axis)
        variant = f", {words.variant(table.variant)}" if len(words.variants) > 1 else ""
        axis.set_title(f"{say.players(table.players)}{variant}")
    axes[0].set_ylabel("share of time")
    legend_below(figure, list(handles.values()), list(handles))
    best = [
        f"{say.players(table.players)}: {words.style(styles[int(table.alpha_ranks[-1].argmax())])}"
        for table in shown
    ]
    return Picture(
        "long_run", title, f"{title}. Most played at the end: {'; '.join(best)}.", figure
    )


def _intensity(axis: Axes) -> None:
    axis.set_xscale("log")
    axis.set_xlim(ALPHAS[0], ALPHAS[-1])
    axis.set_ylim(0, 1.02)
    axis.set_xlabel("how strictly players copy what wins (alpha)")
    as_percent(axis.yaxis)
