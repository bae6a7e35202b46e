"""Estimates with intervals as dots in rows, a panel for each number of players."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sim import words as say
from sim.plots.base import (
    GREY,
    MARKERS,
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
)
from sim.words import NameOf, Words, of_words, without_names

ALT_ROWS = 40
VAGUE = 0.2
"""An interval of win shares that reaches further to either side is not drawn."""


def alt_text(
    title: str,
    table: pd.DataFrame,
    words: Words,
    write: Callable[[float], str],
    name_of: NameOf = of_words,
) -> str:
    """Return a figure's numbers in words."""
    parts = []
    for row in table.head(ALT_ROWS).to_dict("records"):
        place = [row["series"], say.players(int(row["players"])), name_of(row["group"], words)]
        parts.append(f"{', '.join(part for part in place if part)}: {write(row['estimate'])}")
    more = len(table) - ALT_ROWS
    return f"{title}. {'; '.join(parts)}{f'; and {more} more' if more > 0 else ''}."


def rows_figure(
    table: pd.DataFrame,
    words: Words,
    title: str,
    note: str,
    label: str,
    *,
    order: Sequence[str] = (),
    line: float | None = None,
    percent: Callable[[Any], None] | None = None,
    tall: float = 1.0,
    small: bool = False,
    counted: str = "game",
    name_of: NameOf = of_words,
) -> Figure:
    """Draw a row for each group, the highest mean at the top unless `order` says (bottom first).

    `line` is where a dashed line stands; `percent` writes the axis of estimates; `counted` is what
    the rows' n counts.
    """
    names, counts = series_names(table), player_counts(table)
    order = order or table.groupby("group")["estimate"].mean().sort_values().index.tolist()
    remarks = note_of(only_series(table, words), games_note(table, counted), note, cut_note(table))
    figure = new_figure(title, remarks, tall=tall)
    axes = panels(figure, len(counts), min(len(counts), 5), sharey=True)
    colours, handles = series_colours(names), {}
    for axis, players in zip(axes, counts, strict=True):
        if line is not None:
            axis.axvline(line, color=GREY, linewidth=1.4, linestyle="--")
        for number, name in enumerate(names):
            own = table[(table["players"] == players) & (table["series"] == name)]
            if own.empty:
                continue
            shift = (number - (len(names) - 1) / 2) * 0.5 / len(names)
            handles[name] = axis.errorbar(
                own["estimate"],
                [order.index(group) + shift for group in own["group"]],
                # a bound at the estimate may miss it by rounding
                xerr=[
                    (own["estimate"] - own["low"]).clip(lower=0),
                    (own["high"] - own["estimate"]).clip(lower=0),
                ],
                fmt=MARKERS[number],
                color=colours[name],
                markersize=4 if small else 7 if len(names) == 1 else 5,
                capsize=0 if small else 2.5,
                linewidth=1.4,
            )
        axis.set_title(say.players(players))
        axis.margins(x=0.1)
        if percent:
            percent(axis.xaxis)
        else:
            axis.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes[0].set_yticks(range(len(order)), [name_of(group, words) for group in order])
    if small:
        axes[0].tick_params(axis="y", labelsize=8)
    axes[0].set_ylim(-0.7, len(order) - 0.3)
    label_below(figure, label, list(handles.values()), list(handles))
    return figure


def effects(
    frame: pl.DataFrame,
    words: Words,
    prefix: str,
    names: Sequence[str],
    about: tuple[str, str],
    *,
    name_of: NameOf = of_words,
    counted: str = "game",
) -> Picture | None:
    """Draw differences of win share, `prefix` and a name each, the first at the bottom.

    `about` is the picture's name and title. What is too vague is left out: it would hide the rest.
    """
    parts = [known(frame, f"{prefix}{name}", words).assign(group=name) for name in names]
    every = pd.concat([part for part in parts if not part.empty] or parts)
    table = every[every["high"] - every["low"] <= 2 * VAGUE]
    if table.empty:
        return None
    vague = f"none that is off by more than {say.points(VAGUE)}" * (len(table) < len(every))
    figure = rows_figure(
        *(table, words, about[1], note_of("lines: 95 % intervals", vague), "win share, points"),
        order=[name for name in names if name in set(table["group"])],
        line=0.0,
        percent=partial(as_percent, signed=True, bins=4),
        counted=counted,
        name_of=name_of,
    )
    return Picture(*about, alt_text(about[1], table, words, in_points, name_of), figure)


def in_points(value: float) -> str:
    """Return a difference of shares in points: +1.5 points."""
    return f"{say.signed(100 * value)} points"


def counts_figure(table: pd.DataFrame, words: Words, title: str, note: str, label: str) -> Figure:
    """Draw win shares against counts as gaps to an equal share, a panel a number of players.

    A group begins or ends with its count.
    """
    counts, names = player_counts(table), series_names(table)
    remarks = note_of(only_series(table, words), note, cut_note(table))
    figure = new_figure(title, remarks)
    axes = panels(figure, len(counts), min(len(counts), 5), sharey=True)
    table = table.assign(count=table["group"].str.extract(r"(\d+)", expand=False).astype(int))
    colours, handles = series_colours(names), {}
    for axis, players in zip(axes, counts, strict=True):
        axis.axhline(0, color=GREY, linewidth=1.4, linestyle="--")
        for number, name in enumerate(names):
            own = table[(table["players"] == players) & (table["series"] == name)]
            shift = (number - (len(names) - 1) / 2) * 0.25 / len(names)
            handles[name] = axis.errorbar(
                own["count"] + shift,
                own["estimate"] - 1 / players,
                yerr=[
                    (own["estimate"] - own["low"]).clip(lower=0),
                    (own["high"] - own["estimate"]).clip(lower=0),
                ],
                fmt=f"{MARKERS[number]}-",
                color=colours[name],
                markersize=6,
                capsize=3,
                linewidth=1.5,
            )
        axis.set_title(say.players(players))
        axis.set_xlim(-0.5, table["count"].max() + 0.5)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        as_percent(axis.yaxis, signed=True)
    axes[0].set_ylabel("win share minus an equal share, points")
    label_below(figure, label, list(handles.values()), list(handles))
    return figure


@drawn
def restricted(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what players win less than a fair share who do without something."""
    table = known(frame, "without.win", words)
    if table.empty:
        return None
    names = without_names(table.to_dict("records"), words)
    pairs = zip(table["group"], table["variant"], strict=True)
    table = table.assign(group=[names[pair] for pair in pairs], series="")
    title = "What it costs to do without"
    figure = rows_figure(
        *(table, words, title, "one against players who do not; lines: 95 % intervals"),
        "win share less a fair share, points",
        line=0.0,
        percent=partial(as_percent, signed=True, bins=4),
        tall=max(1.0, 0.3 + 0.05 * table["group"].nunique()),
        name_of=lambda group, words: group,
    )
    alt = alt_text(title, table, words, in_points, lambda group, words: group)
    return Picture("restricted", title, alt, figure)


def label_below(figure: Figure, label: str, handles: Sequence[Any], names: Sequence[str]) -> None:
    """Write what the panels' axes measure below them, and a legend below that if need be."""
    legend_below(figure, handles, names)
    if figure.legends:
        # a label of the figure would lie over a legend outside the panels
        figure.legends[-1].set_title(label)
        figure.legends[-1].get_title().set_fontsize(12)
    else:
        figure.supxlabel(label, fontsize=12)


def dots_by_group(axis: Axes, table: pd.DataFrame, order: Sequence[str]) -> dict[str, Any]:
    """Draw a dot with its interval for each group and number of players; return the handles."""
    counts = player_counts(table)
    colours, handles = player_colours(counts), {}
    for number, players in enumerate(counts):
        own = table[table["players"] == players]
        shift = (number - (len(counts) - 1) / 2) * 0.7 / max(len(counts), 2)
        handles[say.players(players)] = axis.errorbar(
            own["estimate"],
            [order.index(group) + shift for group in own["group"]],
            xerr=[own["estimate"] - own["low"], own["high"] - own["estimate"]],
            fmt="o",
            color=colours[players],
            markersize=6,
            linewidth=1.3,
        )
    for row in range(len(order) - 1):
        axis.axhline(row + 0.5, color="#ececec", linewidth=1)
    axis.grid(visible=False, axis="y")
    return handles
