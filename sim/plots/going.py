"""Figures on who is ahead as games go on, and on what players do."""

from typing import Any

import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim import words as say
from sim.metrics.deciding import QUARTERS
from sim.plots.base import (
    GREY,
    Picture,
    as_percent,
    cut_note,
    drawn,
    games_note,
    known,
    legend_below,
    new_figure,
    note_of,
    only_series,
    panels,
    player_colours,
    player_counts,
    series_colours,
    series_names,
    told,
)
from sim.plots.dots import dots_by_group
from sim.words import Words


@drawn
def leads(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often whoever leads at a time of the game wins in the end."""
    title = "Whoever leads wins: how often, as a game goes on"
    return _over_time(frame, words, "lead.wins", title, "win share of the leader", "leads")


@drawn
def uncertainty(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how open games are as time goes on."""
    title = "How open a game is, as it goes on"
    label = "uncertainty (100 %: all have the same chance)"
    return _over_time(frame, words, "uncertainty", title, label, "uncertainty")


def _over_time(
    frame: pl.DataFrame, words: Words, metric: str, title: str, label: str, name: str
) -> Picture | None:
    table = known(frame, metric, words)
    if table.empty:
        return None
    table["time"] = table["group"].str.extract(r"(\d+)")[0].astype(int)
    names, counts = series_names(table), player_counts(table)
    note = note_of(
        only_series(table, words),
        games_note(table),
        "bands: 95 % intervals",
        "dotted: an even chance" if metric == "lead.wins" else "",
        cut_note(table),
    )
    figure = new_figure(title, note)
    handles = _panels(figure, table, names, counts, label, metric == "lead.wins")
    legend_below(figure, list(handles.values()), list(handles))
    middle = table[table["time"] == 50]
    alt = f"{title}. Halfway: {told(middle.assign(group='all'), words, say.percent)}"
    return Picture(name, title, alt, figure)


def _panels(
    figure: Figure, table: pd.DataFrame, names: list[str], counts: list[int], label: str, even: bool
) -> dict[str, Any]:
    """Draw lines by number of players, or panels by that with lines by series."""
    handles: dict[str, Any] = {}
    if len(names) == 1:
        axes = [figure.subplots()] * len(counts)
        styles = [{names[0]: colour} for colour in player_colours(counts).values()]
    else:
        axes = panels(figure, len(counts), min(len(counts), 3), sharex=True, sharey=True)
        styles = [series_colours(names)] * len(counts)
    for axis, colours, players in zip(axes, styles, counts, strict=True):
        for name, colour in colours.items():
            own = table[(table["players"] == players) & (table["series"] == name)]
            if own.empty:
                continue
            key = say.players(players) if len(names) == 1 else name
            (handles[key],) = axis.plot(own["time"], own["estimate"], color=colour, linewidth=2.2)
            axis.fill_between(
                own["time"], own["low"], own["high"], color=colour, alpha=0.2, linewidth=0
            )
            if even:
                own_colour = colour if len(names) == 1 else GREY
                axis.axhline(1 / players, color=own_colour, linewidth=1.2, linestyle=":")
        if len(names) > 1:
            axis.set_title(say.players(players))
    for axis in dict.fromkeys(axes):
        _time_axis(axis)
    axes[0].set_ylabel(label)
    return handles


def _time_axis(axis: Axes) -> None:
    axis.set_xlim(0, 100)
    axis.set_ylim(0, 1.02)
    axis.set_xticks(range(0, 101, 25), [f"{percent} %" for percent in range(0, 101, 25)])
    axis.set_xlabel("time: share of the game played")
    as_percent(axis.yaxis)


@drawn
def acts(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw which share of all acts each kind has, by number of players."""
    table = _first_series(known(frame, "act.share", words))
    if table.empty:
        return None
    order = table.groupby("group", sort=False)["estimate"].mean().sort_values().index.tolist()
    names = [words.group(group) for group in order]
    label = "share of all that players do"
    return _dots(table, words, ("acts", "What players do", label), order, names)


@drawn
def kingmaking(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often somebody who can no longer win decides who does, as a game goes on."""
    table = _first_series(known(frame, "kingmaking.share", words))
    order = list(reversed(QUARTERS))
    table = table[table["group"].isin(order)]
    if table.empty:
        return None
    names = [f"{quarter.capitalize()} of a game" for quarter in order]
    title = "Decisions of who can no longer win that decide who does"
    about = ("kingmaking", title, "share of the decisions then")
    return _dots(table, words, about, order, names, "decision")


def _first_series(table: pd.DataFrame) -> pd.DataFrame:
    return table if table.empty else table[table["series"] == series_names(table)[0]]


def _dots(
    table: pd.DataFrame,
    words: Words,
    about: tuple[str, str, str],
    order: list[str],
    names: list[str],
    counted: str = "game",
) -> Picture:
    """Draw shares of one series in rows, by number of players.

    `about` is the picture's name, its title and the label of the axis; `order` is from the bottom.
    """
    name, title, label = about
    series = series_names(table)[0] or only_series(table, words)
    note = note_of(series, games_note(table, counted), "lines: 95 % intervals")
    figure = new_figure(title, note, tall=max(1.0, 0.3 + 0.055 * len(order)))
    axis = figure.subplots()
    handles = dots_by_group(axis, table, order)
    axis.set_yticks(range(len(order)), names)
    axis.set_ylim(-0.6, len(order) - 0.4)
    axis.set_xlim(left=0)
    axis.set_xlabel(label)
    as_percent(axis.xaxis)
    legend_below(figure, list(handles.values()), list(handles))
    alt = f"{title}, as shares: {told(table, words, say.percent)}"
    return Picture(name, title, alt, figure)
