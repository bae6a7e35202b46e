"""Figures of estimates: the dice, certificates, cards, buildings, villains, towns."""

from functools import partial

import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim import words as say
from sim.games.west_story.analysis.naming import name_of
from sim.plots import dots
from sim.plots.base import (
    GREY,
    INK,
    Picture,
    as_percent,
    drawn,
    games_note,
    known,
    new_figure,
    note_of,
    only_series,
    panels,
    player_counts,
    series_names,
)
from sim.plots.dots import in_points
from sim.plots.playing import card_figure
from sim.words import Words

INTERVALS = "lines: 95 % intervals"
OBSERVED = "observed, no proof of cause"
DICE = ("win_at_ties", "win_per_coin", "win_per_round_apart", "win_per_round")
"""What the dice go with, from the bottom of a figure to its top."""
PAID = {
    "vp": "By the certificate",
    "instead": "By the printed symbol instead",
    "paid": "Coins and cows paid for it",
}
SURE, UNSURE = "#b3442f", GREY

_alt = partial(dots.alt_text, name_of=name_of)
_rows = partial(dots.rows_figure, name_of=name_of)
_signed = partial(as_percent, signed=True, bins=4)


@drawn
def first_player(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what a round more as first player goes with, in win share."""
    about = "first_player", "What a round more as first player goes with"
    return dots.effects(frame, words, "first.", DICE, about, name_of=name_of, counted="case")


@drawn
def seats(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what is left to each seat at equal rounds as first player."""
    table = known(frame, "first.win_by_seat", words)
    if table.empty:
        return None
    title = "What is left to the seat"
    note = note_of("at as many rounds earned as first player", INTERVALS)
    order = sorted(set(table["group"]))[::-1]
    label = "win share from the mean of all seats, points"
    figure = _rows(table, words, title, note, label, order=order, line=0.0, percent=_signed)
    return Picture("seats_left", title, _alt(title, table, words, in_points), figure)


@drawn
def certificates(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what certificates paid their holders, against the printed symbol and the price."""
    own = frame.filter(pl.col("group") == "all")
    parts = [known(own, f"certificate.{name}", words).assign(group=name) for name in PAID]
    if any(part.empty for part in parts):
        return None
    table = pd.concat(parts)
    title = "What certificates pay their holders"
    figure = dots.rows_figure(
        *(table, words, title, INTERVALS, "VP, or coins, of a player with a certificate"),
        order=list(PAID)[::-1],
        counted="certificate",
        name_of=lambda group, words: PAID[group],
    )
    alt = dots.alt_text(title, table, words, say.number, lambda group, words: PAID[group])
    return Picture("certificates", title, alt, figure)


@drawn
def market(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the lift of owning each card beside the copies bought; a table of equals if any."""
    equals = frame.filter(pl.col("lineup").map_elements(words.is_of_equals, pl.Boolean))
    found = card_figure(
        *(frame if equals.is_empty() else equals, words, "market.bought", "market.lift"),
        title="Cards: how often they are bought, and who wins with them",
        often="copies bought in a game",
        lift="win share of owners less that of others, in points",
    )
    return found


@drawn
def buildings(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw by how much scores differ with a building type in play."""
    table = known(frame, "building.score", words)
    if table.empty:
        return None
    title = "Building types: what each does to scores"
    note = note_of("against an average type", INTERVALS)
    figure = _rows(*(table, words, title, note, "VP a player more or less"), line=0.0)
    return Picture("buildings", title, _alt(title, table, words, _vp), figure)


def _vp(value: float) -> str:
    return say.signed(value)


@drawn
def sets(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the mean score with each set of building types, from the poorest to the richest."""
    table = known(frame, "building_set.from_mean", words)
    if table.empty:
        return None
    first = series_names(table)[0]
    table = table[table["series"] == first]
    title = "Sets of building types, from the poorest to the richest"
    note = note_of(
        *(first or only_series(table, words), games_note(table), INTERVALS),
        "red: beyond 0 for one set looked at alone",
    )
    figure = new_figure(title, note)
    counts, told = player_counts(table), []
    for axis, players in zip(_panels(figure, counts), counts, strict=True):
        own = table[table["players"] == players].sort_values("estimate").reset_index(drop=True)
        beyond = (own["low"] > 0) | (own["high"] < 0)
        for those, colour in ((~beyond, UNSURE), (beyond, SURE)):
            axis.vlines(own.index[those], own["low"][those], own["high"][those], colour, lw=0.8)
        axis.plot(own.index, own["estimate"], ".", color=INK, markersize=2.5)
        axis.axhline(0, color=INK, linewidth=1)
        axis.set_title(say.players(players))
        axis.set_xticks([])
        ends = f"{say.signed(own['estimate'].min())} to {say.signed(own['estimate'].max())}"
        told.append(f"{say.players(players)}: {len(own)} sets, {ends} VP, {beyond.sum()} red")
    figure.axes[0].set_ylabel("mean score from the mean of all sets, VP")
    return Picture("building_sets", title, f"{title}. {'; '.join(told)}.", figure)


def _panels(figure: Figure, counts: list[int]) -> list[Axes]:
    return panels(figure, len(counts), len(counts), sharey=True)


@drawn
def villains(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how many of the villains that turn up are removed by a fight."""
    title = "Which villains are fought"
    return _by_thing(
        frame, words, "villain.fought", "villains", title, "of those turned up, fought", "at "
    )


@drawn
def towns(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the share of seats with discs in each town."""
    return _by_thing(
        frame,
        words,
        "town.owners",
        "towns",
        "Which towns are traded with",
        "of players have a disc",
    )


def _by_thing(
    frame: pl.DataFrame,
    words: Words,
    metric: str,
    name: str,
    title: str,
    label: str,
    leave: str = "\0",
) -> Picture | None:
    """Draw a share of each thing but those whose group begins with `leave`."""
    table = known(frame.filter(~pl.col("group").str.starts_with(leave)), metric, words)
    if table.empty:
        return None
    percent = partial(as_percent, bins=4)
    figure = _rows(table, words, title, INTERVALS, label, percent=percent)
    return Picture(name, title, _alt(title, table, words, say.percent), figure)
