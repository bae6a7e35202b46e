"""Figures on how games go: distributions, score parts, endings."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from sim import words as say
from sim.plots.base import (
    GREY,
    INK,
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
    player_counts,
    series_colours,
    series_names,
    told,
)
from sim.plots.dots import dots_by_group
from sim.words import Words

TAIL = 0.002
"""Values rarer than this at either end are left out of a picture."""


def turns(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how many turns games last."""
    title = f"How long a game lasts, in {words.turns}"
    return _distribution(frame, words, "turns", title, words.turns)


def rounds(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how many rounds games last, unless all last as many."""
    counts = frame.filter(pl.col("metric") == "rounds.pmf", pl.col("estimate") > 0)["group"]
    if counts.n_unique() < 2:
        return None
    return _distribution(frame, words, "rounds", "How long a game lasts, in rounds", "rounds")


def scores(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the scores of all players."""
    unit = words.game.score_name
    return _distribution(frame, words, "score", f"What players score, in {unit}", unit)


def margins(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw by how much games are won."""
    unit = words.game.score_name
    title = f"By how much a game is won, in {unit}"
    return _distribution(frame, words, "margin", title, f"{unit} ahead of the second (0: tied)")


def lead_changes(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often the lead changes in a game."""
    title = "How often the lead passes to another player"
    return _distribution(frame, words, "lead_changes", title, "times in a game")


@drawn
def _distribution(
    frame: pl.DataFrame, words: Words, metric: str, title: str, unit: str
) -> Picture | None:
    table = known(frame, f"{metric}.pmf", words)
    if table.empty:
        return None
    table["value"] = table["group"].astype(int)
    names, counts = series_names(table), player_counts(table)
    quantiles = {
        part: known(frame, f"{metric}.{part}", words).set_index(["players", "series"])["estimate"]
        for part in ("p05", "p50", "p95")
    }
    one = len(names) == 1
    low, high, step = _reach(table)
    note = note_of(
        only_series(table, words),
        games_note(table),
        "dark: nine in ten; line: the median" if one else "dots: the medians",
        "" if low <= table["value"].min() and table["value"].max() <= high else "tails cut",
        cut_note(table),
    )
    figure = new_figure(title, note)
    axes = panels(figure, len(counts), 1, sharex=True)
    draw: Callable = _filled if one else _lines
    handles: dict[str, object] = {}
    for axis, players in zip(axes, counts, strict=True):
        draw(axis, table[table["players"] == players], players, names, quantiles, handles)
        axis.set_ylabel(say.players(players), rotation=0, ha="right", va="center")
        axis.set_yticks([])
        axis.set_ylim(bottom=0)
        axis.grid(visible=False, axis="y")
        for side in ("left", "right", "top"):
            axis.spines[side].set_visible(False)
    axes[-1].set_xlabel(unit)
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    room = max(0.8 * step, 3 - (high - low))
    axes[-1].set_xlim(_left(table, low - room, step), high + room)
    legend_below(figure, list(handles.values()), list(handles))
    middle = known(frame, f"{metric}.p50", words)
    alt = f"{title}. Medians: {told(middle, words, say.number)}"
    return Picture(metric, title, alt, figure)


def _left(table: pd.DataFrame, left: float, step: int) -> float:
    """Return where an axis begins: what cannot be negative has no room left of 0 but half a bar."""
    return left if table["value"].min() < 0 else max(left, -0.5 * step)


def _reach(table: pd.DataFrame) -> tuple[float, float, int]:
    """Return the values that hold all but the tails of every distribution, and their step."""
    lows, highs, step = [], [], 1
    for _, rows in table.groupby(["players", "series"]):
        ordered = rows.sort_values("value")
        running = ordered["estimate"].cumsum().to_numpy()
        values = ordered["value"].to_numpy()
        last = len(values) - 1
        lows.append(values[min(int(np.searchsorted(running, TAIL)), last)])
        highs.append(values[min(int(np.searchsorted(running, 1 - TAIL)), last)])
        step = max(step, int(np.diff(values).min()) if len(values) > 1 else 1)
    return min(lows), max(highs), step


def _filled(
    axis: Axes,
    rows: pd.DataFrame,
    players: int,
    names: list[str],
    quantiles: dict[str, pd.Series],
    handles: dict,
) -> None:
    """Draw one distribution as bars, nine games in ten dark, with its median."""
    low, middle, high = (quantiles[part][players, names[0]] for part in ("p05", "p50", "p95"))
    inside = rows["value"].between(low, high)
    colour = series_colours(names)[names[0]]
    step = _reach(rows)[2]
    axis.bar(rows["value"], rows["estimate"], 0.92 * step, color=colour, alpha=0.35, linewidth=0)
    axis.bar(
        rows["value"][inside], rows["estimate"][inside], 0.92 * step, color=colour, linewidth=0
    )
    axis.axvline(middle, color=INK, linewidth=1.6)
    axis.text(
        1.0,
        0.9,
        f"{middle:,.0f}  ({low:,.0f} to {high:,.0f})".replace("-", say.MINUS),
        transform=axis.transAxes,
        ha="right",
        va="top",
        fontsize=12,
    )


def _lines(
    axis: Axes,
    rows: pd.DataFrame,
    players: int,
    names: list[str],
    quantiles: dict[str, pd.Series],
    handles: dict,
) -> None:
    """Draw several distributions as lines with a dot at each median."""
    colours = series_colours(names)
    for name in names:
        own = rows[rows["series"] == name].set_index("value")["estimate"].sort_index()
        if own.empty:
            continue
        step = min((int(gap) for gap in np.diff(own.index)), default=1)
        first = own.index[0] - step if own.index[0] < 0 or own.index[0] >= step else own.index[0]
        own = own.reindex(range(first, own.index[-1] + step + 1, step), fill_value=0)
        (handles[name],) = axis.plot(own.index, own, color=colours[name], linewidth=2)
        middle = quantiles["p50"][players, name]
        axis.plot(
            [middle], [own.get(middle, 0)], "o", color=colours[name], markersize=7, clip_on=False
        )


@drawn
def score_parts(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what the mean score is made of, gains to the right, losses to the left."""
    title = f"What the score is made of, in {words.game.score_name} a player"
    rows = frame.filter(pl.col("group") == "all").sort("players", maintain_order=True)
    table = _parts(rows, words)
    if table.empty:
        return None
    label = [
        ", ".join(part for part in (say.players(int(players)), series) if part)
        for players, series in zip(table["players"], table["series"], strict=True)
    ]
    return _stacked(table, label, words, "score_parts", title, only_series(table, words))


@drawn
def style_parts(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what the score of each style is made of, for the middle number of players."""
    rows = frame.filter(pl.col("group").str.starts_with("style "))
    table = _parts(rows, words)
    if table.empty:
        return None
    counts = player_counts(table)
    players = counts[(len(counts) - 1) // 2]
    first = table["series"].iloc[0]
    table = table[(table["players"] == players) & (table["series"] == first)]
    title = f"How each style scores, in {words.game.score_name}, {say.players(players)}"
    label = [words.group(group) for group in table["group"]]
    return _stacked(table, label, words, "style_parts", title, only_series(table, words))


def _parts(rows: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the rows of all score parts, by series, players and group."""
    metrics = rows["metric"].unique(maintain_order=True).to_list()
    tables = [known(rows, metric, words) for metric in metrics if metric.startswith("score_part.")]
    return pd.concat(tables) if tables else pd.DataFrame()


def _stacked(
    table: pd.DataFrame, label: list[str], words: Words, name: str, title: str, who: str
) -> Picture:
    table = table.assign(label=label, part=table["metric"].str.removeprefix("score_part."))
    labels = list(dict.fromkeys(label))[:24]
    parts = list(dict.fromkeys(table["part"]))
    figure = new_figure(
        title,
        note_of(who, "right of 0: gained; left: lost; diamond, number: the mean score"),
        tall=max(1.0, 0.35 + 0.06 * len(labels)),
    )
    axis = figure.subplots()
    colours = series_colours(parts)
    right, left = np.zeros(len(labels)), np.zeros(len(labels))
    for part in parts:
        own = table[table["part"] == part].set_index("label")["estimate"]
        values = np.array([own[each] for each in labels], float)
        start = np.where(values >= 0, right, left)
        axis.barh(range(len(labels)), values, 0.72, left=start, color=colours[part])
        right += np.maximum(values, 0)
        left += np.minimum(values, 0)
    axis.plot(right + left, range(len(labels)), "D", color="white", markeredgecolor=INK)
    for row, total in enumerate(right + left):
        axis.annotate(
            say.minus(f"{total:.1f}"),
            (right[row], row),
            (6, 0),
            textcoords="offset points",
            va="center",
        )
    axis.axvline(0, color=INK, linewidth=1)
    axis.set_yticks(range(len(labels)), labels)
    axis.invert_yaxis()
    axis.set_xlabel(words.game.score_name)
    axis.margins(x=0.08)
    axis.grid(visible=False, axis="y")
    axis.xaxis.set_major_formatter(lambda v, _: say.number(v))
    handles = [Patch(color=colours[part]) for part in parts]
    legend_below(figure, handles, [words.title(part) for part in parts])
    totals = ", ".join(
        f"{each} {say.number(total)}" for each, total in zip(labels, right + left, strict=True)
    )
    return Picture(name, title, f"{title}. Mean scores: {totals}.", figure)


@drawn
def end_reasons(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw why games ended; nothing if they all ended alike."""
    table = known(frame.sort("players", maintain_order=True), "end_reason", words)
    if table.empty or table[table["estimate"] > 0]["group"].nunique() < 2:
        return None
    title = "How games end"
    table["label"] = [
        ", ".join(part for part in (say.players(int(players)), series) if part)
        for players, series in zip(table["players"], table["series"], strict=True)
    ]
    labels = list(dict.fromkeys(table["label"]))[:24]
    reasons = list(dict.fromkeys(table["group"]))
    note = note_of(only_series(table, words), games_note(table))
    figure = new_figure(title, note, tall=max(1.0, 0.35 + 0.06 * len(labels)))
    axis = figure.subplots()
    colours = series_colours(reasons)
    start = np.zeros(len(labels))
    for reason in reasons:
        own = table[table["group"] == reason].set_index("label")["estimate"]
        values = np.array([own.get(label, 0.0) for label in labels], float)
        axis.barh(range(len(labels)), values, 0.72, left=start, color=colours[reason])
        for row, value in enumerate(values):
            if value > 0.09:
                axis.text(
                    start[row] + value / 2,
                    row,
                    say.percent(value),
                    ha="center",
                    va="center",
                    color="white",
                    fontweight="bold",
                )
        start += values
    axis.set_yticks(range(len(labels)), labels)
    axis.invert_yaxis()
    axis.set_xlim(0, 1)
    axis.set_xlabel("share of games")
    axis.grid(visible=False, axis="y")
    as_percent(axis.xaxis)
    handles = [Patch(color=colours[reason]) for reason in reasons]
    legend_below(figure, handles, [words.title(reason) for reason in reasons])
    return Picture("endings", title, f"{title}. {told(table, words, say.percent)}", figure)


@drawn
def cards(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw each card's improvement when held beside how often it is played."""
    return card_figure(
        *(frame, words, "card.played_per_game", "card.held_lift"),
        title="Cards: how often they are played, and who wins with them",
        often="copies played in a game",
        lift="improvement when held, in points of win share",
    )


def card_figure(
    frame: pl.DataFrame, words: Words, often_metric: str, lift_metric: str, **texts: str
) -> Picture | None:
    """Draw how often cards are used beside a difference of win shares, a row for each card.

    `texts` are `title`, and what the panels `often` and `lift` show.
    """
    lift, often = known(frame, lift_metric, words), known(frame, often_metric, words)
    if lift.empty or often.empty:
        return None
    series = series_names(lift)[0]
    lift, often = (table[table["series"] == series] for table in (lift, often))
    order = lift.groupby("group")["estimate"].mean().sort_values().index.tolist()
    title = texts["title"]
    note = note_of(series or only_series(lift, words), "lines: 95 % intervals; no proof of cause")
    figure = new_figure(title, note, tall=max(1.0, 0.3 + 0.055 * len(order)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[1, 1.35])
    dots_by_group(left, often[often["group"].isin(order)], order)
    handles = dots_by_group(right, lift, order)
    left.set_yticks(range(len(order)), [words.group(group) for group in order])
    left.set_ylim(-0.6, len(order) - 0.4)
    left.margins(x=0.1)
    left.set_xlim(left=0)
    left.set_title(texts["often"])
    right.set_title(texts["lift"])
    right.axvline(0, color=GREY, linewidth=1.4)
    as_percent(right.xaxis, signed=True)
    legend_below(figure, list(handles.values()), list(handles))
    what = texts["lift"].split(",")[0]
    alt = f"{title}. {what[:1].upper()}{what[1:]}, in points: " + told(
        lift, words, lambda value: say.signed(100 * value), 40
    )
    return Picture("cards", title, alt, figure)


@drawn
def cards_by_style(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how many copies of each card a player of each style plays in a game."""
    import seaborn as sns

    table = known(frame, "card.played_by_style", words)
    if table.empty:
        return None
    counts = player_counts(table)
    players = counts[(len(counts) - 1) // 2]
    first = table["series"].iloc[0]
    table = table[(table["players"] == players) & (table["series"] == first)]
    parts = table["group"].str.split(", ", n=1, expand=True)
    table = table.assign(style=parts[0], card=parts[1])
    grid = table.pivot_table(index="style", columns="card", values="estimate", sort=False)
    title = f"Which cards each style plays, {say.players(players)}: copies in a game"
    figure = new_figure(title, note_of(only_series(table, words), "of one player of the style"))
    axis = figure.subplots()
    sns.heatmap(
        grid,
        ax=axis,
        annot=True,
        fmt=".1f",
        cmap="Blues",
        cbar=False,
        linewidths=1.5,
        xticklabels=[words.group(card) for card in grid.columns],
        yticklabels=[words.group(style) for style in grid.index],
        annot_kws={"fontsize": 11},
    )
    axis.set_xlabel("")
    axis.set_ylabel("")
    axis.tick_params(axis="x", rotation=30)
    axis.tick_params(axis="y", rotation=0)
    for tick in axis.get_xticklabels():
        tick.set(ha="right")
    return Picture("cards_by_style", title, f"{title}.", figure)
