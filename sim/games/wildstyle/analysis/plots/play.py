"""Figures on play: tempo, rounds, cop cars, and where tags go."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from matplotlib.patches import Patch

from sim import words as say
from sim.games.wildstyle.analysis.gather import MOST_CARS
from sim.games.wildstyle.analysis.naming import name_of, radii
from sim.games.wildstyle.analysis.plots.dots import alt_text, rows_figure
from sim.plots.base import (
    GREY,
    INK,
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
from sim.plots.dots import counts_figure
from sim.words import Words

SEEN_ENOUGH = 100
"""Seats that must have taken so many cop cars for a dot."""
INTERVALS = "lines: 95 % intervals"


@drawn
def tempo(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw win share against tempo, as the gap to an equal share."""
    table = _tempos(frame, words)
    if table.empty:
        return None
    title = "What it is worth to be quicker"
    solid = "solid: the others all at tempo 1" if table["alone"].any() else ""
    dashed = "" if table["alone"].all() else "dashed: all tempos of the study at a table"
    figure = new_figure(title, note_of(solid, dashed, INTERVALS))
    axis = figure.subplots()
    axis.axhline(0, color=GREY, linewidth=1.4, linestyle=":")
    colours, handles = player_colours(player_counts(table)), {}
    names = series_names(table)
    table = table[table["series"].isin(names)].sort_values("tempo")
    for players, name in dict.fromkeys(zip(table["players"], table["series"], strict=True)):
        own = table[(table["players"] == players) & (table["series"] == name)]
        label = ", ".join(part for part in (say.players(int(players)), name) if part)
        handles[label] = axis.errorbar(
            100 * (1 - own["tempo"]),
            own["estimate"] - 1 / players,
            yerr=[own["estimate"] - own["low"], own["high"] - own["estimate"]],
            fmt=f"{MARKERS[names.index(name) % len(MARKERS)]}{'-' if own['alone'].all() else '--'}",
            color=colours[int(players)],
            markersize=7,
            capsize=3,
            linewidth=1.8,
        )
    axis.set_xlabel("percent less time for each act (below 0: more)")
    axis.set_ylabel("win share minus an equal share, points")
    as_percent(axis.yaxis, signed=True)
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("tempo", title, alt_text(title, table, words, say.percent), figure)


def _tempos(frame: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by tempo: of one among others at tempo 1 where known, else of all."""
    every = known(frame, "tempo.win_share", words)
    every = every.assign(tempo=every["group"].astype(float), alone=False)
    lone = known(frame, "tempo.alone", words)
    if lone.empty:
        return every
    parts = lone["group"].str.split(" among ", expand=True).astype(float)
    lone = lone.assign(tempo=parts[0], alone=True)[parts[1] == 1]
    keys = pd.MultiIndex.from_frame(lone[["players", "series"]])
    rest = every[~pd.MultiIndex.from_frame(every[["players", "series"]]).isin(keys)]
    # one among equals is one question, whatever the line-ups that ask it
    several = lone["variant"].nunique() > 1
    lone = lone.assign(series=[words.variant(v) if several else "" for v in lone["variant"]])
    # at their own tempo all are equal
    equal = lone.drop_duplicates(["players", "series"]).assign(tempo=1.0, group="1 among 1")
    fair = 1 / equal["players"]
    equal = equal.assign(estimate=fair, low=fair, high=fair)
    return pd.concat([lone, equal, rest])


@drawn
def round_lengths(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how long rounds last, in seconds and acts: medians, and what nine in ten lie within."""
    tables = {
        measure: [known(frame, f"round.{measure}.{part}", words) for part in ("p05", "p50", "p95")]
        for measure in ("seconds", "acts")
    }
    middle = tables["seconds"][1]
    middle = middle[middle["group"] != "all"]
    if middle.empty:
        return None
    title = "How long a round lasts"
    note = note_of(only_series(middle, words), "dots: medians; lines: nine rounds in ten")
    figure = new_figure(title, note_of(note, cut_note(middle)))
    axes = panels(figure, 2, 2, sharey=True)
    names, counts = series_names(middle), player_counts(middle)
    order = [
        (players, number)
        for players in reversed(counts)
        for number in sorted(middle["group"].unique(), reverse=True)
    ]
    colours, handles = series_colours(names), {}
    for axis, (measure, parted) in zip(axes, tables.items(), strict=True):
        for number, name in enumerate(names):
            parts = [
                table[(table["series"] == name) & (table["group"] != "all")].set_index(
                    ["players", "group"]
                )["estimate"]
                for table in parted
            ]
            shift = (number - (len(names) - 1) / 2) * 0.5 / len(names)
            here = [at for at in order if at in parts[1].index]
            centre = np.array([parts[1][at] for at in here])
            ends = [np.array([part[at] for at in here]) for part in (parts[0], parts[2])]
            handles[name] = axis.errorbar(
                centre,
                [order.index(at) + shift for at in here],
                xerr=[centre - ends[0], ends[1] - centre],
                fmt=MARKERS[number],
                color=colours[name],
                markersize=6,
                linewidth=2,
            )
        axis.set_title(f"in {measure}")
        axis.set_xlim(left=0)
    labels = [f"{say.players(players)}, {group}" for players, group in order]
    axes[0].set_yticks(range(len(order)), labels)
    legend_below(figure, list(handles.values()), list(handles))
    return Picture("round_lengths", title, alt_text(title, middle, words, say.number), figure)


@drawn
def round_ends(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how rounds end, as parts of all rounds."""
    whole = frame.filter(~pl.col("group").str.contains(","))
    table = known(whole, "round.end", words)
    if table.empty:
        return None
    title = "How rounds end"
    figure = new_figure(title, note_of(only_series(table, words), "shares of all rounds"))
    axis = figure.subplots()
    keys = list(dict.fromkeys(zip(table["players"], table["series"], strict=True)))[::-1]
    reasons = list(dict.fromkeys(table["group"]))
    colours = series_colours(reasons)
    for at, (players, name) in enumerate(keys):
        own = table[(table["players"] == players) & (table["series"] == name)]
        shares, left = own.set_index("group")["estimate"], 0.0
        for reason in reasons:
            part = float(shares.get(reason, 0.0))
            axis.barh(at, part, left=left, color=colours[reason], height=0.7, edgecolor="white")
            if part > 0.05:
                middle = left + part / 2
                ink = _ink_on(colours[reason])
                axis.text(middle, at, f"{100 * part:.0f}", ha="center", va="center", color=ink)
            left += part
    labels = [
        ", ".join(p for p in (say.players(int(players)), name) if p) for players, name in keys
    ]
    axis.set_yticks(range(len(keys)), labels)
    axis.set_xlim(0, 1)
    axis.grid(visible=False)
    as_percent(axis.xaxis)
    handles = [Patch(color=colours[reason]) for reason in reasons]
    legend_below(figure, handles, [name_of(reason, words) for reason in reasons])
    return Picture("round_ends", title, alt_text(title, table, words, say.percent), figure)


def _ink_on(colour: tuple[float, float, float]) -> str:
    """Return white or dark ink, whichever stands out on a colour."""
    light = np.dot(colour, (0.299, 0.587, 0.114))
    return INK if light > 0.55 else "white"


@drawn
def cop_cars(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw win share by cop cars taken, as the gap to an equal share."""
    table = known(frame, "cars.win_share", words)
    table = table[table["n"] >= SEEN_ENOUGH]
    if table.empty:
        return None
    title = "How cop cars go with winning"
    most = f" ({MOST_CARS}: or more)" if table["group"].str.contains("more").any() else ""
    note = note_of(INTERVALS, "observed, no proof of cause")
    figure = counts_figure(table, words, title, note, f"cop cars taken{most}")
    return Picture("cop_cars", title, alt_text(title, table, words, say.percent), figure)


@drawn
def occupied(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw which share of each icon's hexes is tagged."""
    table = known(frame, "map.occupied", words)
    if table.empty:
        return None
    title = "How much of the map is tagged"
    note = note_of(INTERVALS, "before tags come off")
    order = table[table["group"] != "all"].groupby("group")["estimate"].mean()
    figure = rows_figure(
        *(table, words, title, note, "share of the hexes with a tag"),
        order=["all", *order.sort_values().index],
        percent=partial(as_percent, bins=3),
    )
    return Picture("occupied", title, alt_text(title, table, words, say.percent), figure)


@drawn
def tagged(run: Any, frame: pl.DataFrame, words: Words) -> list[Picture]:
    """Draw how often each hex is tagged: a picture for each size of boards, a map a player count.

    Of several variants and line-ups the first with such boards is drawn.
    """
    table = known(frame, "map.tagged", words)
    if table.empty:
        return []
    return [_heat(table[table["variant"] == variant], radius) for variant, radius in _firsts(run)]


def _firsts(run: Any) -> Iterator[tuple[str, int]]:
    seen = set()
    for variant, radius in radii(run).items():
        if radius not in seen:
            seen.add(radius)
            yield variant, radius


def _heat(table: pd.DataFrame, radius: int) -> Picture:
    from sim.games.wildstyle.hexmap import city_map
    from sim.games.wildstyle.mapdraw import heat_map

    first = series_names(table)[0]
    table = table[table["series"] == first]
    counts = player_counts(table)
    title = f"Where tags go, on boards of radius {radius}"
    note = note_of(first, games_note(table), "share of games in which the hex is tagged")
    figure = new_figure(title, note, tall=1.3 if len(counts) > 2 else 0.9)
    axes = panels(figure, len(counts), min(2, len(counts)))
    top = np.ceil(10 * table["estimate"].max()) / 10
    middles = []
    for axis, players in zip(axes, counts, strict=True):
        city = city_map(players, radius)
        own = table[table["players"] == players].set_index("group")["estimate"]
        values = np.array([own.get(f"hex {number}", np.nan) for number in range(len(city.cells))])
        heat_map(axis, city.cells, values, city.district.tolist(), "tagged", top=top)
        axis.set_title(say.players(players))
        middles.append(f"{say.players(players)}: {say.percent(float(np.nanmean(values)))}")
    alt = f"{title}. On average a hex is tagged in, with {'; '.join(middles)} of games."
    return Picture(f"tagged_radius_{radius}", title, alt, figure)
