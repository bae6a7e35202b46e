"""What all sentences are made with: findings, rows in series, spans of values."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import polars as pl

from sim import words as say
from sim.words import Words

Rows = list[dict[str, Any]]
Series = tuple[str, str]
"""A variant and a line-up: what is told in one breath over all numbers of players."""
MOST_SERIES = 4
"""With more series than this, findings are told over all of them at once."""
Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Takeaway:
    """A finding: what it is about, the verdict if there is one, and sentences."""

    topic: str
    verdict: str
    text: str
    short: str = ""
    """The finding in a few words, for headlines; empty if it is none for a headline."""


def known_rows(frame: pl.DataFrame, metric: str, group: str | None = "all") -> Rows:
    """Return the rows of a metric that have an estimate, as dicts; None takes every group."""
    rows = frame.filter(pl.col("metric") == metric, pl.col("estimate").is_not_null())
    if group is not None:
        rows = rows.filter(pl.col("group") == group)
    return rows.to_dicts()


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return items by key, in order of appearance."""
    together: dict[Key, list[Item]] = {}
    for item in items:
        together.setdefault(key(item), []).append(item)
    return together


def series_of(row: dict[str, Any]) -> Series:
    """Return the series that a row belongs to."""
    return row["variant"], row["lineup"]


def in_series(words: Words, series: Series, text: str) -> str:
    """Return a sentence with the name of its series before it, if there are several."""
    name = words.series(*series)
    return f"{name}: {text}" if name else text


def span(values: Sequence[float], write: Callable[[float], str]) -> str:
    """Return the range of some values, "5 to 8", or one value if they read alike."""
    low, high = write(min(values)), write(max(values))
    if low == high:
        return low
    unit = " %" if low.endswith(" %") and high.endswith(" %") else ""
    return f"{low.removesuffix(unit)} to {high}"


def seatings(rows: Rows) -> str:
    """Return for which numbers of players the rows speak."""
    counts = sorted({row["players"] for row in rows})
    if len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"with {counts[0]} to {counts[-1]} players"
    return f"with {say.players(counts)}"


def each_series(rows: Rows) -> dict[Series | None, Rows]:
    """Return rows by series, or all under None if there are too many series to tell apart."""
    found: dict[Series | None, Rows] = {**grouped(rows, series_of)}
    return found if len(found) <= MOST_SERIES else {None: rows}
