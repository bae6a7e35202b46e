"""Sentences on who is ahead as games go on, and on what players can do."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import words as say
from sim.tables import share
from sim.takeaways.telling import (
    Series,
    Takeaway,
    each_series,
    in_series,
    known_rows,
    seatings,
    series_of,
    span,
)
from sim.words import Words

HALFWAY = "at 50 %"
LATE = 0.1
"""Dead time from which on it is spoken of: a tenth of the game."""


def going(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what a lead halfway is worth, how long games stay open, and what there is to choose."""
    for series, rows in each_series(known_rows(head, "lead.wins", HALFWAY)).items():
        if series is None:
            halfway = span([row["estimate"] for row in rows], _whole)
            text = f"Whoever leads halfway wins {halfway} of games, depending on players and table."
            yield Takeaway("flow", "", text)
            continue
        shares = [_percent_of(row) for row in rows]
        text = f"Whoever leads halfway wins {say.listed(shares)} of games in the end."
        text += _openness(head, series)
        yield Takeaway("flow", "", in_series(words, series, text))
    for series, rows in each_series(known_rows(head, "choice.options")).items():
        options = span([row["estimate"] for row in rows], say.number)
        text = f"A player who has to decide has {options} legal actions on average"
        text = f"{text} {seatings(rows)}.{_never(head, series, words)}"
        yield Takeaway("decisions", "", in_series(words, series, text) if series else text)


def kingmaking(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often a player who can no longer win decides between the others."""
    for series, rows in each_series(known_rows(head, "kingmaking.share")).items():
        if series is None:
            all_of_them = span([row["estimate"] for row in rows], say.percent)
            text = f"{_DECIDES} {all_of_them} of decisions {seatings(rows)}."
            yield Takeaway("kingmaking", "", text)
            continue
        first, *more = rows
        shares = [f"{share(first)} of decisions with {say.players(first['players'])}"]
        shares += [f"{share(row)} with {row['players']}" for row in more]
        text = f"{_DECIDES} {say.listed(shares)}."
        hopeless = _values(head, "kingmaking.hopeless", series)
        text += f" Of all decisions, {span(hopeless, say.percent)} are of one who cannot win."
        yield Takeaway("kingmaking", "", in_series(words, series, text))


_DECIDES = "A player who can no longer win decides between the others in"


def _percent_of(row: dict[str, Any]) -> str:
    even = _whole(1 / row["players"])
    return f"{_whole(row['estimate'])} with {row['players']} (even: {even})"


def _openness(head: pl.DataFrame, series: Series | None) -> str:
    """Return when the lead changes last, and how much of a game is dead."""
    text = ""
    last = _values(head, "lead.last", series)
    if last:
        text += f" The lead changes for the last time after {span(last, _whole)} of the game."
    late = [
        f"{_whole(row['estimate'])} with {row['players']}"
        for row in known_rows(head, "dead_time")
        if series_of(row) == series and row["estimate"] >= LATE
    ]
    if late:
        text += f" The last part of it is as good as decided: {say.listed(late)} players."
    return text


def _values(head: pl.DataFrame, metric: str, series: Series | None) -> list[float]:
    return [row["estimate"] for row in known_rows(head, metric) if series_of(row) == series]


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def _never(head: pl.DataFrame, series: Series | None, words: Words) -> str:
    """Return which kinds of act nobody ever does."""
    rows = [row for row in known_rows(head, "act.share", None) if series_of(row) == series]
    done = {row["group"] for row in rows if row["estimate"] > 0}
    never = [group for group in dict.fromkeys(row["group"] for row in rows) if group not in done]
    if not never:
        return ""
    return f" Never done: {say.listed(words.group(group) for group in never)}."
