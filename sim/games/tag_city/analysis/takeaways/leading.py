"""Sentences on leading and drafting."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import words as say
from sim.games.tag_city.analysis.takeaways.telling import each_series, of_series, rows_of, told
from sim.takeaways.judging import beyond, bounded, ranged, verdict
from sim.takeaways.telling import Rows, Takeaway, seatings
from sim.verdicts import BALANCED, TOLERANCE, UNBALANCED
from sim.words import Words

VAGUE = 0.05
"""An adjusted win share that may be off by more tells little."""
JUDGED = {
    BALANCED: f"less than {say.points(TOLERANCE)} everywhere, interval and all",
    UNBALANCED: f"more than {say.points(TOLERANCE)} at some table, beyond chance",
}


def leading(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how unequal leading is and what one round more goes with."""
    every = bounded(rows_of(head, "lead.win_per_lead_alone"))
    short = _headline(every)
    for series, unequal in each_series(rows_of(head, "lead.unequal")):
        alone = of_series(every, series)
        adjusted = of_series(bounded(rows_of(head, "lead.win_per_lead")), series)
        tenth = of_series(bounded(rows_of(head, "lead.win_per_tenth")), series)
        parts = [
            f"{ranged(unequal, say.percent)} of games end when some have led a round more than "
            f"others {seatings(unequal)}."
        ]
        judged = verdict(alone, TOLERANCE) if alone else ""
        if alone:
            parts.append(
                f"A round more goes with {ranged(alone, _points)} points of win share: "
                f"{JUDGED.get(judged, 'too uncertain to judge; play more')}."
            )
        clear = [row for row in adjusted if _is_clear(row)]
        if clear:
            parts.append(
                f"At the same seat and mean place in the draft it is {ranged(clear, _points)} "
                f"{seatings(clear)}{_certain(clear)}."
            )
        late = [row for row in tenth if _is_clear(row)]
        if late:
            parts.append(
                f"Drafting a tenth of a place later goes with {ranged(late, _points)} "
                f"{seatings(late)}{_certain(late)}."
            )
        if len(clear) < len(adjusted):
            parts.append(
                f"{'Elsewhere' if clear else 'Here'} rounds led, seat and place in the draft go "
                "together so closely that it takes more games to tell them apart."
            )
        parts.append("Who leads more depends on when a game ends, which players bring about.")
        yield Takeaway("leading", judged, told(words, series, *parts), short)
        short = ""


def _is_clear(row: dict[str, Any]) -> bool:
    return bool(row["high"] - row["low"] <= 2 * VAGUE)


def _headline(rows: Rows) -> str:
    """Return in a few words what one round more goes with, if that is certain."""
    judged = verdict(rows, TOLERANCE) if rows else ""
    if judged == BALANCED:
        return "Who leads a round more wins about as often."
    if judged != UNBALANCED:
        return ""
    ways = {row["estimate"] > 0 for row in beyond(rows, TOLERANCE)}
    if len(ways) > 1:
        return "Who leads a round more wins more or less often, depending on the table."
    where = "" if len(beyond(rows, TOLERANCE)) == len(rows) else ", at some tables"
    return f"Who leads a round more wins {'more' if ways == {True} else 'less'} often{where}."


def _points(value: float) -> str:
    return say.signed(100 * value)


def _certain(rows: Rows) -> str:
    """Return how many of the rows differ from 0 beyond chance."""
    sure = len(beyond(rows))
    if len(rows) == 1:
        return ", beyond chance" if sure else ", within chance"
    if not sure:
        return ", within chance at all of these tables"
    return f", beyond chance at {sure} of {len(rows)} tables"
