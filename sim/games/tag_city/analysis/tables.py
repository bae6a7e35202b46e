"""Tables of Tag City's own metrics for people: human names, rounded numbers, intervals."""

from functools import partial
from typing import Any

import pandas as pd
import polars as pl

from sim import tables
from sim import words as say
from sim.games.tag_city.analysis.naming import LED, name_of
from sim.tables import Write, interval, points, share
from sim.words import Words

Columns = list[tuple[str, str, Write]]

_by_players = partial(tables.by_players, name_of=name_of)
_wide = partial(tables.wide, name_of=name_of)
_held = partial(tables.held, name_of=name_of)


def _two(row: dict[str, Any]) -> str:
    return interval(row, 2)


def _three(row: dict[str, Any]) -> str:
    return interval(row, 3)


def _whole(group: str) -> bool:
    return group == "all"


def leading(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how unequal leading is, and what a round more goes with."""
    columns: Columns = [
        ("lead.unequal", "Games with unequal leading", share),
        ("lead.win_per_lead_alone", "Win share a round more led", points),
        ("lead.win_per_lead", "The same, adjusted", points),
        ("lead.score_per_lead", "Points a round more led, adjusted", _two),
        ("lead.win_per_tenth", "Win share a tenth of a place later, adjusted", points),
        ("lead.score_per_tenth", "Points a tenth of a place later, adjusted", _two),
    ]
    return _wide(head, words, columns, wanted=_whole)


def seats(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what seats lead, where they draft, and what is left to them after adjustment."""
    columns: Columns = [
        ("lead.rounds", "Rounds led", _two),
        ("lead.share", "Of all rounds", share),
        ("lead.place", "Mean place in the draft", _two),
        ("seat_share", "Win share", share),
        ("lead.win_by_seat", "Left to the seat, points", points),
        ("score.mean", "Score", interval),
        ("lead.score_by_seat", "Left to the seat, score", interval),
    ]
    return _wide(head, words, columns, "Seat", lambda group: group.startswith("seat "))


def led_against(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats that led fewer rounds than others, as many, more."""
    return _held(head, words, "lead", "Leading", lambda group: group in LED)


def times_led(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats by rounds led."""
    return _held(head, words, "times_led", "Rounds led")


def places(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats by mean place in the draft, from the middle."""
    return _held(head, words, "draft", "Place in the draft, on average")


def layers(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what rows, columns and neighborhoods pay."""
    columns: Columns = [
        ("pay.points", "Points a player", interval),
        ("pay.per_square", "Points a square", _three),
        ("pay.per_square_done", "Points a square completed", _three),
        ("pay.completed", "Completed", share),
        ("pay.large_share", "With the large value", share),
        ("pay.large_points", "Points from large values", share),
    ]
    return _wide(head, words, columns, "Layer")


def fair_values(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return values that would let all layers pay evenly."""
    columns: Columns = [
        ("pay.from_mean", "Pay from the mean, %", points),
        ("fair.factor", "Times the values now", _two),
        ("fair.large", "Fair large value, mean", _two),
        ("fair.small", "Fair small value, mean", _two),
    ]
    return _wide(head, words, columns, "Layer")


def elements(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what each element pays and how it is raced for."""
    columns: Columns = [
        ("element.per_square", "Points a square", _three),
        ("element.completed", "Completed by a player", share),
        ("element.contested", "By two or more", share),
        ("element.taken", "Large value taken", share),
        ("element.round", "In round", interval),
        ("element.last_die", "With the last die", share),
        ("element.shared", "Shared", share),
        ("element.large_win_share", "Win share of its takers", share),
    ]
    return _wide(head, words, columns, "Element")


def ends(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how long games are and what is scored, by why they ended."""
    columns: Columns = [
        ("end_reason", "Games", share),
        ("ends.rounds", "Rounds", interval),
        ("ends.score", "Score of a player", interval),
    ]
    return _wide(head, words, columns, "End")


def drones(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how many drones fly and what they cost."""
    columns: Columns = [
        ("drones.used", "Drones a player", _two),
        ("drones.points", "Points they cost", _two),
        ("drones.cost", "Points each", _two),
        ("drones.win_per_use", "Win share with one more", points),
        ("drones.score_per_use", "Score with one more", _two),
    ]
    return _wide(head, words, columns, "Who")


def checks(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how often networks are checked, what it costs, and which ties it breaks."""
    columns: Columns = [
        ("checks.made", "Checks a player", _two),
        ("checks.bubbles", "Bubbles circled", _two),
        ("checks.points", "Points they are worth", _two),
        ("checks.win_per_use", "Win share with one more", points),
        ("ties.level", "Best scores equal", share),
        ("ties.broken", "Of all games, decided by bubbles", share),
    ]
    return _wide(head, words, columns, "Who", lambda g: g == "all" or g.startswith("style "))


def by_drones(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats by drones used."""
    return _held(head, words, "drones", "Drones used")


def by_checks(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats by checks made."""
    return _held(head, words, "checks", "Checks made")


def shapes(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how shapes are used."""
    plain = lambda row: say.number(row["estimate"], 2)  # noqa: E731
    columns: Columns = [
        ("shape.no_room", "No room", share),
        ("shape.painted", "Painted with", share),
        ("shape.dice", "Dice a game", plain),
        ("shape.left", "Left as last die", share),
        ("shape.flown", "By drone, a game", plain),
        ("shape.points", "Points a drawing", plain),
    ]
    return _wide(head, words, columns, "Shape")


def rings(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what a shape on the ring does to a game, against an average shape."""
    signed = partial(interval, digits=2, signed=True)
    columns: Columns = [
        ("ring.score", "Score of a player", signed),
        ("ring.rounds", "Rounds", signed),
        ("ring.squares", "Squares painted", signed),
        ("ring.holes", "Holes", signed),
    ]
    return _wide(head, words, columns, "Shape on the ring")


def ring_extremes(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the rings with the lowest and highest fitted score, and what shapes explain."""
    columns: Columns = [
        ("ring.score.mean", "Score of a player", interval),
        ("ring.score.least", "Score of a player", interval),
        ("ring.score.most", "Score of a player", interval),
        ("ring.score.explained", "Variance of scores explained", share),
        ("ring.rounds.explained", "Variance of rounds explained", share),
        ("ring.squares.explained", "Variance of squares explained", share),
    ]
    return _wide(head, words, columns, "Ring")


def city(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what cities look like in the end."""
    columns: Columns = [
        ("city.painted", "Squares painted", interval),
        ("city.free", "Squares free", interval),
        ("city.holes", "Holes", _two),
        ("city.holes_of_free", "Holes, of the free", share),
        ("city.drawings", "Drawings", interval),
        ("city.last_points", "Points with last dice", interval),
    ]
    return _wide(head, words, columns, "Who")
