"""Figures of estimates: leading, layers, races, drones, shapes."""

from functools import partial

import pandas as pd
import polars as pl

from sim import words as say
from sim.games.tag_city.analysis.naming import EFFECTS, LAYERS, LED, name_of
from sim.plots import dots
from sim.plots.base import Picture, as_percent, drawn, known, note_of, only_series, series_names
from sim.plots.dots import in_points
from sim.words import Words

SEEN_ENOUGH = 100
"""Seats that must have used so many for a dot."""
INTERVALS = "lines: 95 % intervals"
OBSERVED = "observed, no proof of cause"
TALL = 1.5
"""Of a figure with a row for each element."""

_alt = partial(dots.alt_text, name_of=name_of)
_rows = partial(dots.rows_figure, name_of=name_of)
_signed = partial(as_percent, signed=True, bins=4)


@drawn
def leading(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what one round more led and a later draft go with, in win share."""
    about = "leading", "What leading goes with"
    return dots.effects(frame, words, "lead.win_", list(EFFECTS)[::-1], about, name_of=name_of)


@drawn
def led_against(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw the win share of seats that led more or fewer rounds than others."""
    unlike = [group for group in LED if group != "led alike"]
    table = known(frame.filter(pl.col("group").is_in(unlike)), "lead.win_share", words)
    if table.empty:
        return None
    title = "Who led more rounds, and who fewer"
    table = _gaps(table)
    figure = _rows(
        *(table, words, title, note_of(INTERVALS, OBSERVED)),
        "win share minus an equal share, points",
        order=unlike,
        line=0.0,
        counted="seat",
        percent=_signed,
    )
    return Picture("led_against", title, _alt(title, table, words, in_points), figure)


def _gaps(table: pd.DataFrame) -> pd.DataFrame:
    """Return win shares as gaps to an equal share."""
    fair = 1 / table["players"].astype(float)
    return table.assign(**{name: table[name] - fair for name in ("estimate", "low", "high")})


@drawn
def pay(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw what each layer pays a square."""
    table = known(frame, "pay.per_square", words)
    if table.empty:
        return None
    title = "What rows, columns and neighborhoods pay"
    figure = _rows(
        *(table, words, title, INTERVALS, "points a player, for each square of the city"),
        order=list(LAYERS)[::-1],
        counted="seat",
    )
    return Picture("pay", title, _alt(title, table, words, _three), figure)


def _three(value: float) -> str:
    return say.number(value, 3)


@drawn
def fair_values(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw by what values would have to be multiplied for layers to pay evenly."""
    table = known(frame, "fair.factor", words)
    if table.empty:
        return None
    title = "Values that would make the layers pay evenly"
    note = note_of("scored again, not played again", INTERVALS)
    figure = _rows(
        *(table, words, title, note, "times the values now"),
        order=list(LAYERS)[::-1],
        line=1.0,
        counted="seat",
    )
    return Picture("fair_values", title, _alt(title, table, words, _two), figure)


def _two(value: float) -> str:
    return say.number(value, 2)


@drawn
def races(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw in which round the large value of each element goes, for the first table."""
    table = known(frame, "element.round", words)
    if table.empty:
        return None
    first = series_names(table)[0]
    table = table[table["series"] == first]
    title = "When large values are won"
    which = first if first != only_series(table, words) else ""
    note = note_of(which, "mean round, of games in which it was won", INTERVALS)
    order = list(dict.fromkeys(table["group"]))[::-1]
    figure = _rows(*(table, words, title, note, "round"), order=order, tall=TALL, small=True)
    return Picture("races", title, _alt(title, table, words, say.number), figure)


@drawn
def drones(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw win share by drones used, as the gap to an equal share."""
    return _by_use(frame, words, "drones", "How drones go with winning", "drones used")


@drawn
def checks(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw win share by checks made, as the gap to an equal share."""
    title = "How checking goes with winning"
    return _by_use(frame, words, "checks", title, "times that a player checked")


def _by_use(frame: pl.DataFrame, words: Words, kind: str, title: str, label: str) -> Picture | None:
    table = known(frame, f"{kind}.win_share", words)
    table = table[table["n"] >= SEEN_ENOUGH]
    if table["group"].nunique() < 2:
        return None
    figure = dots.counts_figure(table, words, title, note_of(INTERVALS, OBSERVED), label)
    return Picture(kind, title, _alt(title, table, words, say.percent), figure)


@drawn
def shapes(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often a die on a shape finds no room."""
    table = known(frame, "shape.no_room", words)
    if table.empty:
        return None
    title = "Which shapes find no room"
    figure = _rows(
        *(table, words, title, "", "share of the dice on it that could not be painted with"),
        percent=partial(as_percent, bins=4),
    )
    return Picture("shapes", title, _alt(title, table, words, say.percent), figure)


@drawn
def ring_score(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw by how much scores differ with a shape on the ring."""
    return _ring(frame, words, "score", "Shapes on a random ring: scores", "points a player")


@drawn
def ring_rounds(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw by how much the number of rounds differs with a shape on the ring."""
    return _ring(frame, words, "rounds", "Shapes on a random ring: length", "rounds")


def _ring(frame: pl.DataFrame, words: Words, outcome: str, title: str, unit: str) -> Picture | None:
    table = known(frame, f"ring.{outcome}", words)
    if table.empty:
        return None
    note = note_of("against an average shape of the stock", INTERVALS)
    figure = _rows(*(table, words, title, note, f"{unit} more or less"), line=0.0)
    write = partial(say.signed, digits=2)
    return Picture(f"ring_{outcome}", title, _alt(title, table, words, write), figure)
