"""Tables for people on skill and luck: the steps of the ladder, the parts of the variance."""

import pandas as pd
import polars as pl

from sim.level import CONFIDENCE
from sim.metrics.ladder import OVER
from sim.metrics.variance import OUTCOMES
from sim.tables import interval, rows_of, series_columns, share, wide
from sim.words import Words

COLUMNS = {
    "deal": "Deal",
    "deal_common": "of this for all seats",
    "deal_x_seat": "for one seat",
    "style": "Style",
    "seat": "Seat",
    "seating": "Who sits where",
    "company": "Company",
    "deal_x_style": "Deal for a style",
    "seat_x_style": "Seat for a style",
    "rest": "Rest",
}
"""What the variance is split into, in the order of the table."""

READING = (
    "The deal is all luck that games of one number share: what is dealt, and what is drawn and "
    "rolled later in the same order. How much of it is for all seats of a table, and how much for "
    "one more than for others, is told apart by games in which other styles sit there. Styles are "
    "those of this study, each as often as the others: with weaker ones among them, the style is "
    "a larger part. The rest is play, and luck that does not come with the number. A part that is "
    "estimated below 0 is shown as 0."
)


def steps(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the steps of each ladder from the top down, a row each."""
    elo = {_key(row, row["group"][6:]): row for row in rows_of(head, "ladder.strength")}
    tested = {_key(row, row["group"]): row for row in rows_of(head, "ladder.step_p_holm")}
    found: dict[tuple, list[dict[str, str]]] = {}
    for row in rows_of(head, "ladder.step"):
        upper, lower = row["group"].split(OVER)
        p = tested.get(_key(row, row["group"]))
        strength = elo.get(_key(row, upper))
        clear = p is not None and row["estimate"] > 0.5 and p["estimate"] < 1 - CONFIDENCE
        found.setdefault(_key(row, ""), []).append(
            {"Players": str(row["players"])}
            | series_columns(row, words)
            | {
                "Stronger": words.style(upper),
                "Weaker": words.style(lower),
                "Wins of the two": share(row),
                "p, corrected": "" if p is None else _p(p["estimate"]),
                "Step": "clear" if clear else "not clear",
                "Stronger's Elo": "" if strength is None else interval(strength, 0, signed=True),
            }
        )
    return pd.DataFrame([row for rows in found.values() for row in reversed(rows)])


def _key(row: dict, group: str) -> tuple:
    return row["players"], row["variant"], row["lineup"], group


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def variance(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what the variance of scores and wins consists of, a row for each table and outcome.

    Only of tables that meet on the same deals.
    """
    names = ["players", "variant", "lineup"]
    told = head.filter(pl.col("metric") == f"{OUTCOMES['score']}.deal").select(names)
    parts = []
    for outcome, prefix in OUTCOMES.items():
        columns = [(f"{prefix}.{name}", title, share) for name, title in COLUMNS.items()]
        rows = wide(head.join(told, on=names, how="semi"), words, columns)
        if len(rows):
            rows.insert(0, "Of", f"{outcome}s")
        parts.append(rows)
    return pd.concat(parts).fillna("") if any(map(len, parts)) else pd.DataFrame()
