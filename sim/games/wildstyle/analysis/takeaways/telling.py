"""What sentences on Wildstyle are made with: who leads, beyond chance or not, at which tables."""

from typing import Any

import polars as pl

from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of, radii, table_name
from sim.takeaways.judging import Write, beyond, bounded, ranged, verdict
from sim.takeaways.telling import Rows, Series, grouped, series_of
from sim.words import Words

__all__ = [
    "Picks",
    "Write",
    "agreement",
    "beyond",
    "bounded",
    "leading",
    "one_size",
    "ranged",
    "rows_of",
    "told",
    "verdict",
]

Picks = dict[Series, dict[int, Rows]]
"""For each table the rows that lead: the best, then those that may be as good."""
MOST_NAMED = 2


def rows_of(head: pl.DataFrame, metric: str) -> Rows:
    """Return the rows of a metric that have an estimate, but for those by style and of all."""
    group = pl.col("group")
    known = pl.col("estimate").is_not_null() & (group != "all")
    rows = head.filter(pl.col("metric") == metric, known, ~group.str.starts_with("style "))
    return rows.sort("players", maintain_order=True).to_dicts()


def leading(rows: Rows, sign: int = 1) -> Picks:
    """Return the rows with the highest estimate (the lowest for sign -1) of each table."""
    return {
        series: {
            players: _leaders(found, sign)
            for players, found in grouped(own, lambda row: row["players"]).items()
        }
        for series, own in grouped(rows, series_of).items()
    }


def _leaders(rows: Rows, sign: int) -> Rows:
    best = max(rows, key=lambda row: sign * row["estimate"])
    if best["low"] is None:
        return [best]
    edge, near = ("low", "high") if sign > 0 else ("high", "low")
    others = [
        row
        for row in rows
        if row is not best and row[near] is not None and sign * row[near] >= sign * best[edge]
    ]
    return [best, *sorted(others, key=lambda row: -sign * row["estimate"])]


def told(picks: Picks, words: Words, write: Write) -> str:
    """Return who leads at the tables of the first series: "A with 2 and 3 players (1 and 2)"."""
    first = next(iter(picks.values()))
    parts = []
    for name, found in grouped(first.values(), lambda rows: _names(rows, words)).items():
        counts = say.players([rows[0]["players"] for rows in found])
        values = say.listed(write(rows[0]["estimate"]) for rows in found)
        parts.append(f"{name} with {counts} ({values})")
    return "; ".join(parts)


def _names(rows: Rows, words: Words) -> str:
    names = [name_of(row["group"], words) for row in rows]
    more = len(names) - MOST_NAMED
    if more > 0:
        names = [*names[:MOST_NAMED], f"{more} other{'s' * (more > 1)}"]
    return " or ".join(names)


def agreement(run: Any, words: Words, picks: Picks) -> str:
    """Return whether the other series name the same leaders as the first."""
    series, sizes = list(picks), radii(run)
    if len(series) == 1:
        return ""
    both = len({sizes[variant] for variant, _ in series}) > 1
    astray = {
        other: _astray(picks[other], picks[series[0]], words)
        for other in series[1:]
        if _astray(picks[other], picks[series[0]], words)
    }
    if not astray:
        boards = ", on boards of either size" if both else ""
        return f"The same holds at the other tables{boards}."
    parts = [
        f"in {table_name(*other, words, sizes)} it is {where}"
        for other, where in list(astray.items())[:MOST_NAMED]
    ]
    more = f"; and otherwise in {len(astray) - MOST_NAMED} more" if len(astray) > MOST_NAMED else ""
    boards = " It hangs on the size of the boards." if both and len(series) == 2 else ""
    return f"Not everywhere: {'; '.join(parts)}{more}.{boards}"


def _astray(own: dict[int, Rows], first: dict[int, Rows], words: Words) -> str:
    """Return who leads, and with how many players, where that is nobody of the first series."""
    names: dict[str, list[int]] = {}
    for players, rows in own.items():
        if players in first and not _shared(rows, first[players]):
            names.setdefault(_names(rows, words), []).append(players)
    return ", ".join(f"{name} with {say.players(counts)}" for name, counts in names.items())


def _shared(a: Rows, b: Rows) -> set[str]:
    return {row["group"] for row in a} & {row["group"] for row in b}


def one_size(run: Any) -> str:
    """Return a warning if all boards of a study are of one size."""
    sizes = set(radii(run).values())
    if len(sizes) > 1:
        return ""
    return f"All boards here have radius {sizes.pop()}: whether it holds on others is open."
