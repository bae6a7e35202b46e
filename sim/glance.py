"""A study at a glance: a row for each table with what is asked first, in round numbers."""

from typing import Any

import pandas as pd
import polars as pl

from sim import verdicts
from sim import words as say
from sim.tables import rows_of, series_columns
from sim.words import Words

SAID = {
    verdicts.BALANCED: "fair",
    verdicts.UNBALANCED: "not fair",
    verdicts.UNDECIDED: "undecided",
}
HALFWAY = "at 50 %"
LEVEL = 0.005
"""A seat nearer to fair than this reads as level, as do styles no further apart."""
ALL_LEVEL = "all about level"
LAST = ("Shared wins", "Leader halfway wins", "Cut off")
Key = tuple[str, str, int]


def glance(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return a row for each variant, line-up and number of players; exact numbers stand below it.

    Seats, the style that wins most where several meet, length, ties, how often whoever leads
    halfway wins, games cut off.
    """
    found: dict[Key, dict[str, str]] = {}
    for each in verdicts.seat_verdicts(head):
        if each.verdict in SAID:
            about = {"variant": each.variant, "lineup": each.lineup}
            cells = found.setdefault(_key(about, each.players), _begin(about, each.players, words))
            cells["Seats"] = SAID[each.verdict]
            cells["Furthest seat"] = _seat(each)
    length = f"Length in {words.turns}"
    _enter(found, head, words, "Wins most", "style_share", None, _style(head, words))
    _enter(found, head, words, length, "turns.p50", "all", _length(head))
    _enter(found, head, words, "Shared wins", "tie_rate", "all", _percent)
    _enter(found, head, words, "Leader halfway wins", "lead.wins", HALFWAY, _percent)
    if any(row["estimate"] > 0 for row in rows_of(head, "truncated_share")):
        _enter(found, head, words, "Cut off", "truncated_share", "all", _percent)
    order = sorted(
        found, key=lambda key: (words.variants.index(key[0]), words.lineups.index(key[1]), key[2])
    )
    told = pd.DataFrame([found[key] for key in order]).fillna("")
    # the first table may lack what others have, as one of games that were all cut off does
    asked = ("Seats", "Furthest seat", "Wins most", length, *LAST)
    first = [column for column in told if column not in asked]
    return told[[*first, *(column for column in asked if column in told)]]


def _key(row: dict[str, Any], players: int) -> Key:
    return row["variant"], row["lineup"], players


def _begin(row: dict[str, Any], players: int, words: Words) -> dict[str, str]:
    return {"Players": str(players)} | series_columns(row, words)


def _enter(
    found: dict[Key, dict[str, str]],
    head: pl.DataFrame,
    words: Words,
    column: str,
    metric: str,
    group: str | None,
    write: Any,
) -> None:
    """Fill a column: of rows of one table the one with the largest estimate speaks."""
    best: dict[Key, dict[str, Any]] = {}
    for row in rows_of(head, metric):
        key = _key(row, row["players"])
        if group in (None, row["group"]) and row["estimate"] >= best.get(key, row)["estimate"]:
            best[key] = row
    for key, row in best.items():
        found.setdefault(key, _begin(row, row["players"], words))[column] = write(row)


def _seat(each: verdicts.SeatVerdict) -> str:
    if abs(each.gap) < LEVEL:
        return ALL_LEVEL
    points = say.roughly(abs(100 * each.gap))
    which = "more" if each.gap > 0 else "less"
    unit = "point" if points == "1" else "points"
    return f"{say.ordinal(each.seat + 1)}: about {points} {unit} {which}"


def _style(head: pl.DataFrame, words: Words) -> Any:
    least: dict[Key, float] = {}
    for row in rows_of(head, "style_share"):
        key = _key(row, row["players"])
        least[key] = min(row["estimate"], least.get(key, row["estimate"]))

    def write(row: dict[str, Any]) -> str:
        if row["estimate"] - least[_key(row, row["players"])] < LEVEL:
            return ALL_LEVEL
        times = row["estimate"] * row["players"]
        return f"{words.group(row['group'])}, {times:.1f} times a fair share"

    return write


def _length(head: pl.DataFrame) -> Any:
    ends = {
        (name, *_key(row, row["players"])): row["estimate"]
        for name in ("turns.p05", "turns.p95")
        for row in rows_of(head, name)
    }

    def write(row: dict[str, Any]) -> str:
        key = _key(row, row["players"])
        low, high = (ends.get((name, *key), row["estimate"]) for name in ("turns.p05", "turns.p95"))
        return f"{row['estimate']:,.0f} ({low:,.0f} to {high:,.0f})"

    return write


def _percent(row: dict[str, Any]) -> str:
    value = 100 * row["estimate"]
    if value == 0:
        return "none"
    return f"{say.roughly(value)} %" if value >= 100 * LEVEL else "hardly any"
