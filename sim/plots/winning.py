"""Figures on who wins: seats, styles, style against style, ties."""

import numpy as np
import pandas as pd
import polars as pl
import seaborn as sns
from matplotlib.axes import Axes

from sim import words as say
from sim.metrics.tidy import POOLED
from sim.plots.base import (
    BAND,
    GREY,
    INK,
    MARKERS,
    MOST_SERIES,
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
    short,
    told,
)
from sim.verdicts import TOLERANCE
from sim.words import Words

ROOM_BELOW = 44
"""Characters that names below a panel, or below half a page's width, have side by side."""
LABELS_ROOM = 220
"""Points across a panel for upright labels, at a line's height of 1.2 to 1.4 of their size."""


@drawn
def seat_shares(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how far each seat's win share lies from an equal share, a panel a number of players."""
    table = known(frame, "seat_share", words)
    if table.empty:
        return None
    table["seat"] = table["group"].str.removeprefix("seat ").astype(int)
    names, counts = series_names(table), player_counts(table)
    title = "How much a seat is worth: win share against an equal share"
    note = note_of(
        only_series(table, words),
        games_note(table),
        f"lines: 95 % intervals; shaded: within {say.points(TOLERANCE)} of equal",
        cut_note(table),
    )
    figure = new_figure(title, note)
    columns = len(counts) if len(names) == 1 else min(len(counts), 3)
    axes = panels(figure, len(counts), columns, sharey=True, width_ratios=_widths(counts, columns))
    handles: dict[str, object] = {}
    for axis, players in zip(axes, counts, strict=True):
        _seat_panel(axis, table[table["players"] == players], players, names, handles)
    for axis in axes[::columns]:
        axis.set_ylabel("points from equal")
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("seats", title, f"{title}. {told(table, words, say.percent)}", figure)


def _widths(counts: list[int], columns: int) -> list[float] | None:
    return [players + 1.0 for players in counts] if columns == len(counts) else None


def _seat_panel(
    axis: Axes, rows: pd.DataFrame, players: int, names: list[str], handles: dict
) -> None:
    colours = series_colours(names)
    axis.axhspan(-TOLERANCE, TOLERANCE, color=BAND, zorder=0)
    axis.axhline(0, color=GREY, linewidth=1)
    fair = 1 / players
    for number, name in enumerate(names):
        own = rows[rows["series"] == name].sort_values("seat")
        if own.empty:
            continue
        shift = (number - (len(names) - 1) / 2) * 0.7 / max(len(names), 2) if len(names) > 1 else 0
        handles[name] = axis.errorbar(
            own["seat"] + shift,
            own["estimate"] - fair,
            yerr=[own["estimate"] - own["low"], own["high"] - own["estimate"]],
            fmt=MARKERS[number],
            color=colours[name],
            markersize=8 if len(names) == 1 else 5.5,
            capsize=3,
            linewidth=1.6,
        )
        if len(names) == 1:
            for seat, share, high in zip(own["seat"], own["estimate"], own["high"], strict=True):
                axis.annotate(
                    f"{100 * share:.1f}",
                    (seat, high - fair),
                    (0, 6),
                    textcoords="offset points",
                    ha="center",
                    fontsize=11,
                )
    axis.set_title(f"{say.players(players)}\nequal: {say.exactly(fair)}", fontsize=12)
    axis.set_xticks(range(players), [say.ordinal(seat + 1) for seat in range(players)])
    axis.set_xlim(-0.6, players - 0.4)
    axis.margins(y=0.14)
    axis.grid(visible=False, axis="x")
    as_percent(axis.yaxis, signed=True)


@drawn
def style_shares(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw styles ranked by win share, a panel a number of players."""
    table = known(frame, "style_share", words)
    if table.empty:
        return None
    table["times"] = table["estimate"] * table["players"]
    names, counts = series_names(table), player_counts(table)
    order = table.groupby("group")["times"].mean().sort_values().index.tolist()
    title = "Which way of playing wins"
    note = note_of(
        only_series(table, words),
        "win share of a player of the style, with 95 % intervals",
        "dashed: an equal share",
        cut_note(table),
    )
    figure = new_figure(title, note)
    axes = panels(figure, len(counts), min(len(counts), 5), sharey=True)
    colours = series_colours(names)
    handles: dict[str, object] = {}
    for axis, players in zip(axes, counts, strict=True):
        rows = table[table["players"] == players]
        axis.axvline(1 / players, color=GREY, linewidth=1.4, linestyle="--")
        for number, name in enumerate(names):
            own = rows[rows["series"] == name]
            if own.empty:
                continue
            shift = (number - (len(names) - 1) / 2) * 0.5 / len(names)
            handles[name] = axis.errorbar(
                own["estimate"],
                [order.index(group) + shift for group in own["group"]],
                xerr=[own["estimate"] - own["low"], own["high"] - own["estimate"]],
                fmt=MARKERS[number],
                color=colours[name],
                markersize=8 if len(names) == 1 else 6,
                capsize=3,
                linewidth=1.6,
            )
        axis.set_title(say.players(players))
        axis.margins(x=0.14)
        as_percent(axis.xaxis, bins=3)
    axes[0].set_yticks(range(len(order)), [short(words.group(group)) for group in order])
    axes[0].set_ylim(-0.6, len(order) - 0.4)
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("styles", title, f"{title}. {told(table, words, say.percent, 40)}", figure)


@drawn
def style_matrix(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the win share of each style when another sits at the table.

    For the fewest players of the first variant, where three styles or more meet; `frame` holds
    the rows of all cells.
    """
    rows = frame.filter(
        pl.col("metric") == "style_share",
        pl.col("lineup") != POOLED,
        pl.col("estimate").is_not_null(),
    )
    rows = rows.filter(pl.col("variant") == pl.col("variant").first())
    rows = rows.filter(pl.col("players") == pl.col("players").min())
    if rows["group"].n_unique() < 3:
        return None
    players = int(rows["players"][0])
    order, grid = _grid(rows)
    names = [words.group(group) for group in order]
    what = "Style against style" if players == 2 else "Style by company"
    title = f"{what}, {say.players(players)}: win share in percent"
    variant = words.variant(rows["variant"][0]) if len(words.variants) > 1 else ""
    note = note_of(variant, f"of the style at the left; blue: above an equal {100 / players:.1f}")
    figure = new_figure(title, note, tall=1.1)
    axis = figure.subplots()
    reach = np.nanmax(np.abs(grid - 100 / players))
    sns.heatmap(
        grid,
        ax=axis,
        annot=True,
        fmt=".1f",
        cmap="RdBu",
        center=100 / players,
        vmin=100 / players - reach,
        vmax=100 / players + reach,
        cbar=False,
        linewidths=1.5,
        xticklabels=list(map(short, names)),
        yticklabels=list(map(short, names)),
        annot_kws={"fontsize": 12},
    )
    axis.grid(visible=False)
    axis.set_facecolor(BAND)
    axis.set_xlabel("against" if players == 2 else "with at the table")
    crowded = len(names) > 5 or max(map(len, names)) * len(names) > 2 * ROOM_BELOW
    axis.tick_params(axis="x", rotation=25 if crowded else 0)
    axis.tick_params(axis="y", rotation=0)
    best = ", ".join(names)
    return Picture("style_matrix", title, f"{title}. Best to worst on average: {best}.", figure)


def _grid(rows: pl.DataFrame) -> tuple[list[str], np.ndarray]:
    """Return styles from best to worst, and percent won by each row's with each column's."""
    pairs = rows.join(rows.select("cell", other="group"), on="cell")
    means = pairs.group_by("group", "other").agg(pl.col("estimate").mean()).to_dicts()
    found = {(row["group"], row["other"]): row["estimate"] for row in means}
    overall = rows.group_by("group", maintain_order=True).agg(pl.col("estimate").mean())
    order = overall.sort("estimate", descending=True, maintain_order=True)["group"].to_list()
    grid = [[np.nan if a == b else 100 * found.get((a, b), np.nan) for b in order] for a in order]
    return order, np.array(grid)


@drawn
def ties(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often the win is shared, by number of players."""
    table = known(frame, "tie_rate", words)
    if table.empty or table["estimate"].max() == 0:
        return None
    names, counts = series_names(table), player_counts(table)
    title = "How often the win is shared"
    note = note_of(
        only_series(table, words), games_note(table), "lines: 95 % intervals", cut_note(table)
    )
    figure = new_figure(title, note)
    axis = figure.subplots()
    colours = series_colours(names)
    wide = 0.8 / max(len(names), 2)
    handles = {}
    for number, name in enumerate(names):
        own = table[table["series"] == name]
        at = [counts.index(p) + (number - (len(names) - 1) / 2) * wide for p in own["players"]]
        handles[name] = axis.bar(at, own["estimate"], wide * 0.92, color=colours[name])
        axis.errorbar(
            at,
            own["estimate"],
            yerr=[own["estimate"] - own["low"], own["high"] - own["estimate"]],
            fmt="none",
            ecolor=INK,
            capsize=3,
            linewidth=1.3,
        )
        for x, share, high in zip(at, own["estimate"], own["high"], strict=True):
            axis.annotate(
                f"{100 * share:.1f}" + " %" * (len(names) == 1),
                (x, high),
                (0, 4),
                textcoords="offset points",
                ha="center",
                fontsize=11 if len(names) < 3 else 10 if len(names) < 4 else 8,
            )
    axis.set_xticks(range(len(counts)), [say.players(players) for players in counts])
    axis.set_ylabel("share of games")
    axis.set_xlim(-0.6, len(counts) - 0.4)
    axis.set_ylim(0, table["high"].max() * 1.12)
    axis.grid(visible=False, axis="x")
    as_percent(axis.yaxis)
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("ties", title, f"{title}. {told(table, words, say.percent)}", figure)


@drawn
def variants(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw variants side by side: seats, length, ties, lead changes; a line a number of players."""
    if len(words.variants) < 2:
        return None
    shares = known(frame, "seat_share", words)
    shares["gap"] = (shares["estimate"] - 1 / shares["players"]).abs()
    keys = ["variant", "players"]
    measures = (
        ("seat furthest from equal, points", shares.groupby(keys)["gap"].max() * 100),
        ("turns of a typical game", _by_variant(frame, "turns.p50", words)),
        ("shared wins, percent", _by_variant(frame, "tie_rate", words) * 100),
        ("lead changes a game", _by_variant(frame, "lead_changes.mean", words)),
    )
    shown = [(name, values) for name, values in measures if not values.empty]
    if not shown:
        return None
    title = "Variants side by side"
    mean = "mean over line-ups" if len(words.lineups) > 1 else ""
    tall = 1.0 if len(words.variants) <= MOST_SERIES else 1.4
    figure = new_figure(title, note_of("a line for each number of players", mean), tall=tall)
    axes = panels(figure, len(shown), 2)
    counts = sorted({players for _, values in shown for _, players in values.index})
    colours, handles = player_colours(counts), {}
    for axis, (name, values) in zip(axes, shown, strict=True):
        for number, players in enumerate(counts):
            own = [values.get((variant, players), np.nan) for variant in words.variants]
            (handles[say.players(players)],) = axis.plot(
                range(len(own)),
                own,
                marker=MARKERS[number % len(MARKERS)],
                color=colours[players],
                linewidth=1.8,
                markersize=7,
            )
        labels = [short(words.variant(variant)) for variant in words.variants]
        many = len(labels) > MOST_SERIES
        turn = 90 if many else 20 if max(map(len, labels)) * len(labels) > ROOM_BELOW else 0
        align = "right" if turn == 20 else "center"
        size = min(11.5, LABELS_ROOM / len(labels))
        axis.set_xticks(range(len(labels)), labels, rotation=turn, ha=align, fontsize=size)
        axis.set_xlim(-0.3, len(labels) - 0.7)
        axis.set_title(name)
        axis.margins(y=0.12)
        axis.grid(visible=False, axis="x")
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("variants", title, f"{title}: {', '.join(name for name, _ in shown)}.", figure)


def _by_variant(frame: pl.DataFrame, metric: str, words: Words) -> pd.Series:
    return known(frame, metric, words).groupby(["variant", "players"])["estimate"].mean()
