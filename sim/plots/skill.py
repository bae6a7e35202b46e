"""Figures on skill and luck: the ladder of styles, and what makes scores and wins differ."""

import numpy as np
import pandas as pd
import polars as pl
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from sim import words as say
from sim.metrics.ladder import OVER
from sim.metrics.variance import OUTCOMES
from sim.plots.base import (
    GREY,
    INK,
    Picture,
    as_percent,
    drawn,
    known,
    legend_below,
    new_figure,
    note_of,
    panels,
    player_counts,
    short,
)
from sim.plots.dots import label_below
from sim.verdicts import LEVEL
from sim.words import Words

MOST_PANELS = 6
MOST_BARS = 12
"""Tables of a figure of parts; more are left to the table below it."""
LONGEST_BAR = 44
"""Names of tables beside their bars are cut to so many characters."""
ROOM = 0.055
"""Part of a bar that a number needs."""
SEEN = 0.003
"""A part that is nowhere larger is not drawn."""
REST = "#d9d9d9"
PALE = ("style", "company", "deal_x_style", "rest")
"""Parts on whose colour dark numbers are read well."""
PARTS = {
    "deal": ("the deal", 0),
    "style": ("the style", 1),
    "seat": ("the seat", 2),
    "seating": ("who sits where", 2),
    "company": ("who else sits there", 9),
    "deal_x_style": ("deals that suit a style", 6),
    "seat_x_style": ("seats that suit a style", 4),
    "rest": ("the rest: play, luck that is not shared", 7),
}
"""What the variance is split into, in the order of the bars: names and colours of the palette."""


@drawn
def ladder(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the styles of the first variant by strength, a panel for each number of players.

    Solid from one to the next where the step is clear.
    """
    steps = known(frame, "ladder.step", words)
    if steps.empty:
        return None
    variant = str(steps["variant"].iloc[0])
    steps = steps[steps["variant"] == variant]
    tested = known(frame, "ladder.step_p_holm", words).set_index(["variant", "players", "group"])
    strength = frame.filter(pl.col("metric") == "ladder.strength", pl.col("variant") == variant)
    counts = player_counts(steps)[:MOST_PANELS]
    title = "The ladder of skill, from the weakest style to the strongest"
    of = words.variant(variant) if len(words.variants) > 1 else ""
    note = note_of(of, "at the right: what the upper of two neighbours takes of their wins, in %")
    figure = new_figure(title, note, tall=1.0 if len(counts) < 4 else 1.35)
    axes = panels(figure, len(counts), 2 if len(counts) in (2, 4) else 3, sharex=True)
    parts = []
    for axis, players in zip(axes, counts, strict=True):
        own = steps[steps["players"] == players]
        p = [tested["estimate"].get((variant, players, group), 1.0) for group in own["group"]]
        own = own.assign(clear=(np.array(p) < LEVEL) & (own["estimate"] > 0.5))
        elo = strength.filter(pl.col("players") == players).to_dicts()
        _rungs(axis, own, {row["group"].removeprefix("style "): row for row in elo}, words)
        axis.set_title(say.players(players))
        parts += [
            f"{say.players(players)}, {words.group(row['group'])}: {say.percent(row['estimate'])}, "
            f"{'clear' if row['clear'] else 'not clear'}"
            for row in own.to_dict("records")
        ]
    label = "strength in Elo points from the mean of the styles, with 95 % intervals"
    handles = [axes[0].plot([], [], color=INK, linewidth=2.2)[0]]
    handles += axes[0].plot([], [], color=GREY, linewidth=1.4, linestyle=":")
    label_below(figure, label, handles, ["a clear step", "not clear"])
    return Picture("ladder", title, f"{title}. {'; '.join(parts)}.", figure)


def _rungs(axis: Axes, steps: pd.DataFrame, elo: dict[str, dict], words: Words) -> None:
    """Draw one ladder; of a style without a strength it says why."""
    names = [steps["group"].iloc[0].split(OVER)[1]]
    names += [group.split(OVER)[0] for group in steps["group"]]
    values = [elo[name]["estimate"] for name in names]
    places = [np.nan if value is None else value for value in values]
    for height, (name, place) in enumerate(zip(names, places, strict=True)):
        row = elo[name]
        if np.isnan(place):
            why = row["method"].rpartition(", ")[2]
            why = "" if why == "none" else why
            axis.text(0.04, height, why, transform=axis.get_yaxis_transform(), va="center")
            continue
        if row["low"] is not None:
            axis.plot([row["low"], row["high"]], [height] * 2, color=INK, linewidth=1.4)
        axis.plot(place, height, "o", color=INK, markersize=7)
    for height, step in enumerate(steps.to_dict("records")):
        ends = places[height : height + 2]
        style = {"color": INK, "linewidth": 2.2} if step["clear"] else {"color": GREY, "ls": ":"}
        axis.plot(ends, [height, height + 1], zorder=1, **style)
        axis.text(
            1.02,
            height + 0.5,
            f"{100 * step['estimate']:.0f}",
            transform=axis.get_yaxis_transform(),
            va="center",
            fontsize=10.5,
            color=INK if step["clear"] else GREY,
        )
    axis.set_yticks(range(len(names)), [short(words.style(name)) for name in names])
    axis.set_ylim(-0.6, len(names) - 0.4)
    axis.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axis.tick_params(axis="x", labelbottom=True)
    axis.margins(x=0.12)


@drawn
def variance(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what makes scores and wins differ: a bar for each table, a panel for each of the two."""
    tables = known(frame, f"{OUTCOMES['score']}.deal", words)
    if tables.empty:
        return None
    names = ["players", "variant", "lineup", "series"]
    bars = tables[names].drop_duplicates()[:MOST_BARS]
    title = "Skill and luck: what makes scores and wins differ"
    cut = f"the first {len(bars)} of {len(tables)} tables" if len(bars) < len(tables) else ""
    figure = new_figure(title, note_of("shares of the variance", cut))
    axes = panels(figure, len(OUTCOMES), len(OUTCOMES), sharey=True)
    hues = sns.color_palette("colorblind")
    colours = {part: hues[hue] for part, (_, hue) in PARTS.items()} | {"rest": REST}
    labels = [
        ", ".join(part for part in (say.players(int(row["players"])), row["series"]) if part)
        for row in bars.to_dict("records")
    ]
    found, told = [], []
    for axis, (outcome, prefix) in zip(axes, OUTCOMES.items(), strict=True):
        left = np.zeros(len(bars))
        for part, (name, _) in PARTS.items():
            rows = known(frame, f"{prefix}.{part}", words)
            wide = bars.merge(rows, on=names, how="left")["estimate"].fillna(0).to_numpy()
            if wide.max() < SEEN:
                continue
            found.append(part)
            axis.barh(range(len(bars)), wide, left=left, color=colours[part], edgecolor="white")
            for height, (start, width) in enumerate(zip(left, wide, strict=True)):
                if width >= ROOM:
                    text = f"{100 * width:.0f}"
                    colour = INK if part in PALE else "white"
                    where = start + width / 2, height
                    axis.text(*where, text, ha="center", va="center", color=colour)
            told += [
                f"{outcome}s, {label}, {name}: {say.percent(width)}"
                for label, width in zip(labels, wide, strict=True)
            ]
            left = left + wide
        axis.set_title(f"{outcome}s")
        axis.set_xlim(0, max(1.0, left.max()))
        as_percent(axis.xaxis)
        axis.grid(visible=False, axis="y")
    axes[0].set_yticks(range(len(bars)), [short(label, LONGEST_BAR) for label in labels])
    axes[0].invert_yaxis()
    shown = [part for part in PARTS if part in found]
    handles = [Patch(color=colours[part]) for part in shown]
    legend_below(figure, handles, [PARTS[part][0] for part in shown])
    return Picture("variance", title, f"{title}. {'; '.join(told)}.", figure)
