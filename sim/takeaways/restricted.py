"""Sentences on what players win who do without something, against their free twins."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.takeaways.judging import beyond, bounded, ranged
from sim.takeaways.telling import Rows, Takeaway, grouped, known_rows, seatings
from sim.words import Words, without_names

NAMED = 4
LITTLE = 0.02
"""Who does without something and loses no more, interval and all, hardly needs it."""


def restricted(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what costs most to do without, what costs nothing, and what is better left alone."""
    rows = bounded(known_rows(head, "without.win", None))
    if not rows:
        return
    names = without_names(rows, words)
    known = dict(
        sorted(grouped(rows, lambda row: names[row["group"], row["variant"]]).items(), key=_mean)
    )
    sure = beyond(rows)
    lost, gained = (
        [name for name in known if any(_is(row, name, names, sign) for row in sure)]
        for sign in (-1, 1)
    )
    level = [name for name in known if all(_is_little(row) for row in known[name])]
    parts = [
        "One player who does without something among others who do not, on the same deals, wins "
        f"less than a fair share, in points of win share {seatings(rows)}: "
        + (_told(lost, known) or "nothing beyond chance")
        + f" (Holm over {len(rows)}).",
        f"Better left alone: {_told(gained[::-1], known)}." if gained else "",
        f"No loss or gain above {say.points(LITTLE)}, interval and all: {_listed(level)}."
        if level
        else "",
    ]
    short = f"Doing without {lost[0]} costs most." if lost and len(known) > 1 else ""
    yield Takeaway("doing without", "", " ".join(part for part in parts if part), short)


def _mean(item: tuple[str, Rows]) -> float:
    return sum(row["estimate"] for row in item[1]) / len(item[1])


def _is(row: dict, name: str, names: dict[tuple[str, str], str], sign: int) -> bool:
    return names[row["group"], row["variant"]] == name and sign * row["estimate"] > 0


def _is_little(row: dict) -> bool:
    return bool(row["low"] >= -LITTLE and row["high"] <= LITTLE)


def _told(names: list[str], known: dict[str, Rows]) -> str:
    return _listed(
        [f"{name} ({ranged(known[name], lambda value: say.signed(100 * value))})" for name in names]
    )


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    others = f" and {say.counted(more, 'other')}" if more > 0 else ""
    return ", ".join(names[:NAMED]) + others
