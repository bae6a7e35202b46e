"""What is certain among many estimates: beyond chance after correction, and verdicts from it."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from sim.inference import FEWEST, adjusted
from sim.takeaways.telling import Rows, span
from sim.verdicts import BALANCED, LEVEL, NORMAL, UNBALANCED, UNDECIDED

Row = dict[str, Any]
ROUNDING = 1e-12
"""Bounds and estimates that differ by less are the same."""
Write = Callable[[float], str]


def beyond(rows: Rows, tolerance: float = 0.0, method: str = "holm") -> list[Row]:
    """Return the rows that lie further than `tolerance` from 0, corrected for so many rows.

    An interval without width, of what is the same in every game, is certain if games are many
    (`FEWEST`, as in a comparison of variants): of few, others may well differ.
    """
    from scipy.stats import norm

    scores = [_score(row, tolerance) for row in rows]
    sides = 2 if tolerance == 0 else 1
    corrected = adjusted([min(1.0, sides * float(norm.sf(score))) for score in scores], method)
    return [row for row, p in zip(rows, corrected, strict=True) if p < LEVEL]


def _score(row: Row, tolerance: float) -> float:
    """Return by how many standard errors a row lies beyond the tolerance."""
    error, far = (row["high"] - row["low"]) / 2 / NORMAL, abs(row["estimate"]) - tolerance
    if error > ROUNDING:
        return float(far / error)
    return math.inf if far > ROUNDING and (row.get("n") or 0) >= FEWEST else 0.0


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
