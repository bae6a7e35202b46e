"""Figures on the objective tiles: points, wins, fair values, sets."""

from functools import partial

import pandas as pd
import polars as pl
from matplotlib.lines import Line2D

from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of
from sim.games.wildstyle.analysis.plots.dots import alt_text, label_below, rows_figure
from sim.plots.base import (
    INK,
    MARKERS,
    Picture,
    as_percent,
    drawn,
    games_note,
    known,
    new_figure,
    note_of,
    panels,
    player_counts,
    series_colours,
    series_names,
)
from sim.words import Words

MOST_SETS = 60
INTERVALS = "lines: 95 % intervals"


def _sides(frame: pl.DataFrame, metric: str, words: Words) -> pd.DataFrame:
    """Return the rows of a metric that are about sides alone."""
    table = known(frame, metric, words)
    return table[~table["group"].str.contains(" ") & (table["group"] != "all")]


@drawn
def points(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the mean points a seat of each side."""
    table = _sides(frame, "objective.points", words)
    if table.empty:
        return None
    title = "What each objective brings, in points a player"
    figure = rows_figure(table, words, title, INTERVALS, "points a player, when in play")
    return Picture("objective_points", title, alt_text(title, table, words, say.number), figure)


@drawn
def deciding(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often each side decides who wins."""
    table = _sides(frame, "objective.decides", words)
    if table.empty:
        return None
    title = "Which objectives decide games"
    figure = rows_figure(
        *(table, words, title, INTERVALS),
        "games with the objective that others would win without its points",
        percent=partial(as_percent, bins=3),
    )
    return Picture("objective_decides", title, alt_text(title, table, words, say.percent), figure)


@drawn
def fair_values(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what each side would have to bring more or less, by points and by wins."""
    by_points = known(frame, "objective.fair_change", words)
    by_wins = known(frame, "objective.fair_change_by_wins", words)
    if by_points.empty:
        return None
    first = series_names(by_points)[0]
    parts = [
        table[table["series"] == first].assign(series=measure)
        for table, measure in (
            (by_points, "to bring the mean points of all"),
            (by_wins, "to be worth the mean win share of all"),
        )
    ]
    table = pd.concat(parts)
    title = "What would make all objectives worth the same"
    note = note_of(first, INTERVALS, "scored again, not played again")
    figure = rows_figure(table, words, title, note, "points a player to add or take", line=0.0)
    alt = alt_text(title, table, words, say.signed)
    return Picture("objective_fair_values", title, alt, figure)


@drawn
def side_gaps(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the mean points of A sides minus those of the B sides on their backs."""
    table = known(frame, "sides.gap", words)
    if table.empty:
        return None
    title = "A sides against the B sides on their backs"
    note = note_of(INTERVALS, "right of the line: the first one brings more")
    figure = rows_figure(table, words, title, note, "difference in points a player", line=0.0)
    return Picture("sides", title, alt_text(title, table, words, say.signed), figure)


@drawn
def points_and_wins(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what a seat owes to each side in win share, against its points."""
    across, up = (
        _sides(frame, metric, words) for metric in ("objective.points", "objective.win_worth")
    )
    if across.empty or up.empty:
        return None
    first = series_names(across)[0]
    keys = ["players", "group", "series"]
    table = across.merge(up, on=keys, suffixes=("", "_up"))
    table = table[table["series"] == first]
    groups, counts = sorted(table["group"].unique()), player_counts(table)
    title = "Points and wins of each objective"
    note = note_of(first, games_note(table), "win share lost if the player alone had no points")
    figure = new_figure(title, note, tall=1.15)
    axes = panels(figure, len(counts), min(2, len(counts)), sharex=True)
    colours = series_colours(groups[: (len(groups) + 1) // 2]).values()
    looks = dict(
        zip(groups, [(colour, full) for colour in colours for full in (True, False)], strict=False)
    )
    for axis, players in zip(axes, counts, strict=True):
        for row in table[table["players"] == players].to_dict("records"):
            x, y = row["estimate"], row["estimate_up"]
            axis.errorbar(
                x,
                y,
                xerr=[[x - row["low"]], [row["high"] - x]],
                yerr=[[y - row["low_up"]], [row["high_up"] - y]],
                linewidth=1.2,
                **_look(groups, row["group"], *looks[row["group"]]),
            )
        axis.set_title(say.players(players))
        axis.margins(0.1)
        as_percent(axis.yaxis)
    figure.supylabel("win share owed to it", fontsize=12)
    handles = [Line2D([], [], linestyle="", **_look(groups, g, *looks[g])) for g in groups]
    label_below(figure, "points a player", handles, [name_of(group, words) for group in groups])
    alt = alt_text(title, table.assign(estimate=table["estimate_up"]), words, say.percent)
    return Picture("objective_wins", title, alt, figure)


def _look(groups: list[str], group: str, colour: tuple, full: bool) -> dict:
    """Return how a side's dot looks: pairs share a colour, filled and hollow."""
    marker = MARKERS[groups.index(group) // 2 % len(MARKERS)]
    face = colour if full else "white"
    return {
        "marker": marker,
        "color": colour,
        "markerfacecolor": face,
        "markeredgecolor": colour,
        "markersize": 8,
    }


@drawn
def tile_sets(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw sets of tiles by the points that they bring, the highest at the top."""
    table = known(frame, "tileset.from_mean", words)
    if table.empty:
        return None
    first = series_names(table)[0]
    table = table[table["series"] == first]
    order = table.groupby("group")["estimate"].mean().sort_values().index.tolist()
    cut = len(order) > MOST_SETS
    if cut:
        order = order[: MOST_SETS // 2] + order[-MOST_SETS // 2 :]
        table = table[table["group"].isin(order)]
    title = "Sets of tiles: how many points they bring"
    note = note_of(first, "the highest and lowest" if cut else "", INTERVALS)
    figure = rows_figure(
        *(table, words, title, note, "points with tiles a player, minus the mean of all sets"),
        order=order,
        line=0.0,
        tall=max(0.9, 0.4 + 0.028 * len(order)),
        small=len(order) > 15,
    )
    for axis in figure.axes:
        axis.axhline(len(order) / 2 - 0.5, color=INK, linewidth=0.4) if cut else None
    return Picture("tile_sets", title, alt_text(title, table, words, say.signed), figure)
