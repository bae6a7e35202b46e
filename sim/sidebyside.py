"""Differences between variants as tables and words for people."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from sim import terminal
from sim import words as say
from sim.matters import MATTERS, SMALL, UNDECIDED, UNKNOWN
from sim.words import Words

Row = dict[str, Any]
MARKS = {MATTERS: " *", UNDECIDED: " ?", SMALL: "", UNKNOWN: ""}
"""What stands behind a difference that is enough to matter, and behind one that may be."""
LEGEND = "Marked *: enough to matter; ?: undecided. Shares are in points"
HEAD = "Difference in"
NO_BREAK = "\N{NO-BREAK SPACE}"
VERDICTS = {
    MATTERS: "matters",
    SMALL: "small",
    UNDECIDED: "undecided",
    UNKNOWN: "too few games",
}
MOST_DIGITS = 3
WIDEST_TEXT = 98
SHARES = (
    *("truncated_share", "seat_share", "style_share", "tie_rate", "kingmaking.share"),
    "end_reason",
)
ASKED_FOR = ("seat_share", "style_share", "turns.mean", "tie_rate")
NAMES = {
    "truncated_share": "Games cut off",
    "rounds.mean": "Rounds",
    "decisions.mean": "Decisions",
    "tie_rate": "Shared wins",
    "margin.mean": "Margin",
    "lead_changes.mean": "Lead changes",
    "kingmaking.share": "Kingmaking",
}


def name_of(row: Row, words: Words) -> str:
    """Return what a row is about: "2nd seat wins", "Turns", "Rains"."""
    metric, group = row["metric"], row["group"]
    kind, _, column = metric.partition(".")
    if metric in ("seat_share", "style_share"):
        return f"{words.group(group)} wins"
    if metric == "turns.mean":
        return words.turns.capitalize()
    if metric == "score.mean":
        return "Score" if group == "all" else f"Score, {words.group(group)}"
    if metric == "end_reason":
        return f"{words.title(group)} (end)"
    if kind == "score_part":
        part = words.title(column)
        return part if group == "all" else f"{part}, {words.group(group)}"
    return NAMES.get(metric) or words.title(column)


def is_share(row: Row) -> bool:
    """Tell whether a row is about a share, which is told in percent and points."""
    return row["metric"] in SHARES


def half_width(row: Row) -> float | None:
    """Return half of a row's interval, its larger side; None without one."""
    if row["low"] is None or row["high"] is None:
        return None
    return max(row["high"] - row["estimate"], row["estimate"] - row["low"], 0.0)


def _decimals(size: float) -> int:
    """Return how many decimals tell numbers of this size apart."""
    return min(max(math.ceil(-math.log10(size)), 0), MOST_DIGITS) if size > 0 else 1


def difference(row: Row, interval: bool = True, least: float | None = None) -> str:
    """Return a difference with half its interval: +12.9 ±0.2, in points for a share.

    Written as exactly as the smallest difference that matters asks for, or another; so half an
    interval may be too small to show.
    """
    scale = 100 if is_share(row) else 1
    digits = _decimals(scale * (row["least"] if least is None else least) / 5)
    text = say.signed(scale * row["estimate"], digits)
    half = f"{scale * (half_width(row) or 0):.{digits}f}"
    return f"{text} ±{half}" if interval and float(half) > 0 else text


def bounds(row: Row) -> str:
    """Return a difference with its interval: +12.86 (+12.84 to +12.87), in points for a share."""
    scale = 100 if is_share(row) else 1
    digits = max(_decimals(scale * (half_width(row) or 0)), _decimals(scale * row["least"] / 5))
    text = say.signed(scale * row["estimate"], digits)
    if row["low"] is None:
        return text
    low, high = (say.signed(scale * row[end], digits) for end in ("low", "high"))
    return f"{text} ({low} to {high})" if low != high else text


def value(row: Row, end: str) -> str:
    """Return one of the two estimates of a row."""
    if is_share(row):
        return say.percent(row[end])
    return say.minus(f"{row[end]:,.{_decimals(row['least'] / 5)}f}")


def times(factor: float | None) -> str:
    """Return the factor in games that pairing saves: 2.4x."""
    if factor is None:
        return ""
    return f"{factor:.1f}x" if factor < 9.95 else f"{factor:,.0f}x"


def p_text(p: float | None) -> str:
    """Return a p-value as people write it."""
    if p is None:
        return ""
    return f"<{NO_BREAK}0.001" if p < 0.001 else f"{p:.3f}" if p < 0.9995 else "1"


def told(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of metrics that differ enough to matter, or may, with any players.

    What single seats and styles score is left to the whole list.
    """
    rows = [row for row in rows if not (_is_score(row) and row["group"] != "all")]
    keys = {key_of(row) for row in rows if row["verdict"] == MATTERS or unsure(row)}
    return _ordered(row for row in rows if key_of(row) in keys)


def unsure(row: Row) -> bool:
    """Tell whether a difference may matter, and is about something that was seen at all."""
    return row["verdict"] == UNDECIDED and not row["own"] == row["base"] == 0


def shown(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of `told`, and those that a designer asks for first."""
    rows = list(rows)
    keys = {key_of(row) for row in told(rows)}
    return _ordered(row for row in rows if row["metric"] in ASKED_FOR or key_of(row) in keys)


def _ordered(rows: Iterable[Row]) -> list[Row]:
    """Return rows metric by metric: more players have more seats, which belong together."""
    rows = list(rows)
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    return sorted(rows, key=lambda row: metrics.index(row["metric"]))


def _is_score(row: Row) -> bool:
    return row["metric"].startswith("score")


def key_of(row: Row) -> tuple[str, str]:
    """Return what tells a row from the others of its table."""
    return row["metric"], row["group"]


def matrix(rows: Sequence[Row], words: Words, interval: bool = True) -> pd.DataFrame:
    """Return a row for each metric and a column for each number of players.

    Without intervals, as exactly as asked for where the most is needed to matter: it is for narrow
    places.
    """
    counts = sorted({row["players"] for row in rows})
    found: dict[tuple[str, str], dict[str, str]] = {}
    saved: dict[tuple[str, str], list[float]] = {}
    least: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        least.setdefault(key_of(row), []).append(row["least"])
    for row in rows:
        cells = found.setdefault(key_of(row), {HEAD: name_of(row, words)})
        exact = (min if interval else max)(least[key_of(row)])
        text = difference(row, interval, exact) + MARKS[row["verdict"]]
        cells[say.players(row["players"])] = text
        if row["saved"] is not None:
            saved.setdefault(key_of(row), []).append(row["saved"])
    table = pd.DataFrame(list(found.values()), columns=[HEAD, *map(say.players, counts)])
    table["Pairing"] = [_span(saved.get(key, ())) for key in found]
    return table.fillna("")


def _span(factors: Sequence[float]) -> str:
    if not factors:
        return ""
    low, high = times(min(factors)), times(max(factors))
    return low if low == high else f"{low.removesuffix('x')}-{high}"


def full(rows: Iterable[Row], words: Words) -> pd.DataFrame:
    """Return all that is known of each difference between two variants."""
    rows = list(rows)
    if not rows:
        return pd.DataFrame()
    columns = ["What", words.variant(rows[0]["against"]), words.variant(rows[0]["variant"])]
    columns += ["Difference", "Matters from", "Verdict", "Pairing", "p"]
    found = [
        [
            name_of(row, words),
            value(row, "base"),
            value(row, "own"),
            bounds(row),
            smallest(row),
            VERDICTS[row["verdict"]],
            times(row["saved"]),
            p_text(row["p_holm"]),
        ]
        for row in rows
    ]
    table = pd.DataFrame(found, columns=columns)
    if len({row["players"] for row in rows}) > 1:
        table.insert(0, "Players", [str(row["players"]) for row in rows])
    return table


def smallest(row: Row) -> str:
    """Return the smallest difference that matters, in the units of the difference."""
    size = row["least"] * (100 if is_share(row) else 1)
    return f"{size:.2g}" if size < 10 else f"{size:,.0f}"


def tell(comparison: Any) -> None:
    """Print what a designer reads first, then tables that fit the terminal."""
    width = terminal.line_width()
    text = textwrap.TextWrapper(min(width, WIDEST_TEXT))
    item = textwrap.TextWrapper(text.width, initial_indent="- ", subsequent_indent="  ")
    for heading, sentences in comparison.findings():
        terminal.say("\n".join(["", heading, *map(item.fill, sentences)]))
    tables = {heading: told(rows) for heading, rows in comparison.tables()}
    for heading, rows in tables.items():
        if rows:
            heads, cells = _fitting(rows, comparison.words, width)
            terminal.say(f"\n{heading}")
            terminal.table(heads, cells, styles={"*": "bold"})
    legend = f"{LEGEND}. Intervals are in compare.html." if any(tables.values()) else ""
    if notes := [*filter(None, (legend, *comparison.notes()))]:
        terminal.say("\n".join(["", *map(text.fill, notes)]))


def _fitting(rows: Sequence[Row], words: Words, width: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and cells of a table that fits.

    All that is known if that is about one number of players, and with intervals if it can be.
    """
    tables = [matrix(rows, words, interval) for interval in (True, False)]
    if len({row["players"] for row in rows}) == 1:
        tables.insert(0, _marked(rows, words))
    fitting = [table for table in tables if width_of(table) <= width]
    table = fitting[0] if fitting else tables[-1]
    return list(table.columns), table.to_numpy().tolist()


def _marked(rows: Sequence[Row], words: Words) -> pd.DataFrame:
    """Return the full table with marks for verdicts."""
    table = full(rows, words)
    place = list(table.columns).index("Verdict")
    kept = [number for number in range(table.shape[1]) if number != place - 1]
    table.isetitem(place, [MARKS[row["verdict"]].strip() for row in rows])
    return table.iloc[:, kept].set_axis(
        ["" if number == place else table.columns[number] for number in kept], axis=1
    )


def width_of(table: pd.DataFrame) -> int:
    """Return how many characters a table takes, with three between its columns."""
    columns = [[name, *table.iloc[:, at]] for at, name in enumerate(table.columns)]
    return sum(max(map(len, column)) for column in columns) + 3 * (len(columns) - 1)
