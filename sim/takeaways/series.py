"""Rows of a game's own metrics told by series, by group and by number of players."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import polars as pl

from sim import words as say
from sim.takeaways.judging import Write, ranged
from sim.takeaways.telling import MOST_SERIES, Rows, Series, grouped, in_series, series_of
from sim.words import NameOf, Words, of_words

Row = dict[str, Any]


def rows_of(head: pl.DataFrame, metric: str, *groups: str) -> Rows:
    """Return the rows of a metric that have an estimate, by players; of some groups alone."""
    rows = head.filter(pl.col("metric") == metric, pl.col("estimate").is_not_null())
    if groups:
        rows = rows.filter(pl.col("group").is_in(groups))
    return rows.sort("players", maintain_order=True).to_dicts()


def each_series(rows: Rows) -> Iterator[tuple[Series | None, Rows]]:
    """Yield rows by series, or all under None if there are too many series to tell apart."""
    found = grouped(rows, series_of)
    if len(found) > MOST_SERIES:
        yield None, rows
    else:
        yield from found.items()


def of_equals(rows: Rows, words: Words) -> Rows:
    """Return the rows of tables at which all play in one style; all if there are none."""
    return [row for row in rows if words.is_of_equals(row["lineup"])] or rows


def of_series(rows: Rows, series: Series | None) -> Rows:
    """Return the rows of a series; all for None."""
    return [row for row in rows if series is None or series_of(row) == series]


def told(words: Words, series: Series | None, *parts: str) -> str:
    """Return sentences as one text with the name of its series before it."""
    text = " ".join(part for part in parts if part)
    return in_series(words, series, text) if series else f"Over all tables: {text}"


def ranked(rows: Rows, sign: int = 1) -> list[tuple[str, Rows]]:
    """Return the rows of each group, the highest mean first (the lowest for -1)."""
    every = grouped(rows, lambda row: row["group"])
    return sorted(every.items(), key=lambda item: -sign * fmean(r["estimate"] for r in item[1]))


def by_group(
    rows: Rows,
    words: Words,
    write: Write,
    most: int = 99,
    sign: int = 1,
    name_of: NameOf = of_words,
) -> str:
    """Return groups with their ranges over numbers of players: "P5 (1 to 2 %), O4 (3 %)"."""
    parts = [f"{name_of(group, words)} ({ranged(own, write)})" for group, own in ranked(rows, sign)]
    return ", ".join(parts[:most])


def by_players(rows: Rows, write: Write) -> str:
    """Return "2.1 with 2 players, 2.0 with 3 players", or a range where tables are many."""
    parts = [
        f"{ranged(own, write)} with {say.players(players)}"
        for players, own in grouped(rows, lambda row: row["players"]).items()
    ]
    return say.listed(parts)
