"""Sentences on villains, towns and the lake."""

from collections.abc import Iterator
from functools import partial

import polars as pl

from sim import words as say
from sim.games.west_story.analysis.naming import name_of
from sim.takeaways import series as by_series
from sim.takeaways.judging import ranged
from sim.takeaways.series import by_players, each_series, of_series, rows_of, told
from sim.takeaways.telling import Rows, Takeaway, seatings
from sim.words import Words

NAMED = 2

_by_group = partial(by_series.by_group, name_of=name_of)


def villains(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many villains turn up, are fought and paid."""
    for series, rows in each_series(_tokens(head, "fought")):
        turned, pot, paid = (
            of_series(_tokens(head, name), series) for name in ("turned", "pot", "paid")
        )
        text = (
            f"{ranged(turned, say.percent)} of the villains in play turn up, by token and table, "
            f"and {ranged(rows, say.percent)} of these are fought: most often "
            f"{_by_group(rows, words, say.percent, NAMED)}, least "
            f"{_by_group(rows, words, say.percent, NAMED, -1)}. One that turned up is paid "
            f"{ranged(paid, _two)} coins and cows, and its winner finds {ranged(pot, _two)}."
        )
        yield Takeaway("villains", "", told(words, series, text))


def _tokens(head: pl.DataFrame, name: str) -> Rows:
    rows = rows_of(head, f"villain.{name}")
    return [row for row in rows if not row["group"].startswith("at ")]


def towns(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell in which towns discs lie, and what they are worth."""
    for series, rows in each_series(rows_of(head, "town.owners")):
        each, full = (
            of_series(rows_of(head, f"town.{name}"), series) for name in ("per_disc", "full")
        )
        text = (
            f"Players with a disc there: {_by_group(rows, words, say.percent)}. A disc brings "
            f"{_by_group(each, words, _two)} VP. All discs that score: "
            f"{_by_group(full, words, say.percent)} of players."
        )
        yield Takeaway("towns", "", told(words, series, text))


def lake(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell who reaches the lake and when, and how long that makes games."""
    for series, rows in each_series(rows_of(head, "lake.reached", "all")):
        when, rounds = (
            of_series(rows_of(head, name, "all"), series) for name in ("lake.round", "rounds.mean")
        )
        text = f"Players who reach the lake: {by_players(rows, say.percent)}"
        text += f", in round {ranged(when, say.number)} on average." if when else "."
        if rounds:
            text += f" Games last {ranged(rounds, say.number)} rounds {seatings(rounds)}."
        yield Takeaway("the lake", "", told(words, series, text))


def _two(value: float) -> str:
    return say.number(value, 2)
