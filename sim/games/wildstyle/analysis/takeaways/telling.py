"""What sentences on Wildstyle are made with: who leads, beyond chance or not, at which tables."""

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of, radii, table_name
from sim.inference import adjusted
from sim.takeaways.telling import Rows, Series, grouped, series_of, span
from sim.verdicts import BALANCED, LEVEL, NORMAL, UNBALANCED, UNDECIDED
from sim.words import Words

Row = dict[str, Any]
Picks = dict[Series, dict[int, Rows]]
"""For each table the rows that lead: the best, then those that may be as good."""
MOST_NAMED = 2
Write = Callable[[float], str]


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


def beyond(rows: Rows, tolerance: float = 0.0, method: str = "holm") -> list[Row]:
    """Return the rows that lie further than `tolerance` from 0, corrected for so many rows."""
    from scipy.stats import norm

    errors = [(row["high"] - row["low"]) / 2 / NORMAL for row in rows]
    scores = [
        (abs(row["estimate"]) - tolerance) / error if error > 0 else 0.0
        for row, error in zip(rows, errors, strict=True)
    ]
    sides = 2 if tolerance == 0 else 1
    corrected = adjusted([min(1.0, sides * float(norm.sf(score))) for score in scores], method)
    return [row for row, p in zip(rows, corrected, strict=True) if p < LEVEL]


def bounded(rows: Iterable[Row]) -> Rows:
    """Return the rows that have an interval."""
    return [row for row in rows if row["low"] is not None and row["high"] is not None]


def verdict(rows: Rows, tolerance: float) -> str:
    """Return "balanced" if all intervals lie within the tolerance around 0.

    "unbalanced" if some estimate lies outside beyond chance (Holm), else "undecided".
    """
    if rows and all(row["low"] >= -tolerance and row["high"] <= tolerance for row in rows):
        return BALANCED
    return UNBALANCED if beyond(rows, tolerance) else UNDECIDED


def ranged(rows: Rows, write: Write) -> str:
    """Return the range of the rows' estimates."""
    return span([row["estimate"] for row in rows], write)
