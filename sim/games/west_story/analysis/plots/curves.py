"""Figures over rounds: who is ahead and wins, what a coin is worth, how VP grow."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from sim import words as say
from sim.games.west_story.analysis.naming import SHORT, round_of
from sim.plots.base import (
    GREY,
    Picture,
    as_percent,
    drawn,
    games_note,
    known,
    legend_below,
    new_figure,
    note_of,
    only_series,
    panels,
    player_counts,
    series_colours,
    series_names,
)
from sim.words import Words

SEEN_ENOUGH = 100
"""Games that must get to a round for a point there."""
AHEAD = {
    "leader": "who leads in VP as things stand",
    "richest": "who is richest",
    "first": "who was first player",
}
WORTH = {"win_per_vp": "one VP", "win_per_coin": "one coin"}


@drawn
def runaway(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the win share of who leads, is richest, was first player, after each round."""
    note = "dashed: an equal share"
    found = _lines(frame, words, AHEAD, "Being ahead, being rich, and winning", note)
    if found is None:
        return None
    figure, alt, title = found
    counts = player_counts(_first(frame, "runaway.leader", words))
    for axis, players in zip(figure.axes, counts, strict=True):
        axis.axhline(1 / players, color=GREY, linewidth=1.4, linestyle="--")
        axis.set_ylim(0, 1)
        as_percent(axis.yaxis)
    figure.axes[0].set_ylabel("wins the game")
    return Picture("runaway", title, alt, figure)


@drawn
def slopes(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the win share that one VP and one coin more than the others go with."""
    note = "each at an equal number of the other"
    title = "What a VP and a coin more than others are worth"
    found = _lines(frame, words, WORTH, title, note, lambda value: say.signed(100 * value))
    if found is None:
        return None
    figure, alt, title = found
    for axis in figure.axes:
        axis.axhline(0, color=GREY, linewidth=1.4, linestyle="--")
        as_percent(axis.yaxis, signed=True)
    figure.axes[0].set_ylabel("win share, points")
    return Picture("slopes", title, alt, figure)


def _first(frame: pl.DataFrame, metric: str, words: Words) -> pd.DataFrame:
    """Return rows of one series that stand on enough games, with rounds.

    The first table of equals: where styles differ, who is ahead may play better, too.
    """
    table = known(frame, metric, words)
    table = table[table["n"] >= SEEN_ENOUGH]
    equals = table[table["lineup"].map(words.is_of_equals).astype(bool)]
    table = table if equals.empty else equals
    if table.empty:
        return table
    table = table[table["series"] == series_names(table)[0]]
    return table.assign(round=table["group"].map(round_of)).sort_values("round")


def _lines(
    frame: pl.DataFrame,
    words: Words,
    what: dict[str, str],
    title: str,
    note: str,
    write: Callable[[float], str] = say.percent,
) -> tuple[Figure, str, str] | None:
    """Return a figure with a line for each metric over rounds, its words and title."""
    tables = {name: _first(frame, f"runaway.{name}", words) for name in what}
    first = next(iter(tables.values()))
    if any(table.empty for table in tables.values()):
        return None
    counts = player_counts(first)
    about = first["series"].iloc[0] or only_series(first, words)
    figure = new_figure(title, note_of(about, "bands: 95 % intervals", note))
    axes = panels(figure, len(counts), len(counts), sharey=True)
    colours, handles, told = series_colours(list(what)), {}, []
    for axis, players in zip(axes, counts, strict=True):
        for name, table in tables.items():
            own = table[table["players"] == players]
            handles[what[name]] = _line(axis, own, colours[name])
            shares = ", ".join(write(value) for value in own["estimate"])
            told.append(f"{say.players(players)}, {what[name]}: {shares}")
        axis.set_title(say.players(players))
        axis.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axis.set_xlabel("after round")
    legend_below(figure, list(handles.values()), list(handles))
    return figure, f"{title}. Round by round, {'; '.join(told)}.", title


def _line(axis: Axes, own: pd.DataFrame, colour: object) -> object:
    (line,) = axis.plot(own["round"], own["estimate"], "o-", color=colour, markersize=4)
    axis.fill_between(own["round"], own["low"], own["high"], color=colour, alpha=0.2, linewidth=0)
    return line


@drawn
def growth(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw VP by source after each round, a panel for each number of players."""
    table = _first(frame, "growth.source", words)
    if table.empty:
        return None
    parts = table["group"].str.split(", ", n=1, expand=True)
    table = table.assign(source=parts[1])
    title = "Where VP come from, round by round"
    about = table["series"].iloc[0] or only_series(table, words)
    figure = new_figure(title, note_of(about, games_note(table, "player"), "as things stand"))
    counts, told = player_counts(table), []
    colours = series_colours(list(SHORT))
    for axis, players in zip(
        panels(figure, len(counts), len(counts), sharey=True), counts, strict=True
    ):
        own = table[table["players"] == players]
        grid = own.pivot_table(index="round", columns="source", values="estimate")
        layers = [grid[source] for source in SHORT]
        axis.stackplot(grid.index, layers, colors=[colours[source] for source in SHORT])
        axis.set_title(say.players(players))
        axis.set_xlabel("after round")
        axis.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axis.margins(x=0)
        total = np.sum(layers, axis=0)
        told.append(f"{say.players(players)}: {', '.join(map(say.number, total))}")
    figure.axes[0].set_ylabel("VP of a player")
    handles = [Patch(color=colours[source]) for source in SHORT]
    legend_below(figure, handles, list(SHORT.values()))
    return Picture("growth", title, f"{title}. VP after each round, {'; '.join(told)}.", figure)
