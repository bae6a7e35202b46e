"""Rows of a game's tables, held against those that a replay gives."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sim.games.game import RuleBroken

Columns = Mapping[str, Any]


def check_all(table: str, rows: Sequence[Columns], expected: Sequence[Columns]) -> None:
    """Compare rows of a table with those that a replay gives, in their order."""
    if len(rows) != len(expected):
        raise RuleBroken(f"{table}: {len(rows)} rows, the replay gives {len(expected)}")
    for number, (row, due) in enumerate(zip(rows, expected, strict=True)):
        check_row(f"{table}, row {number}", row, due)


def check_row(table: str, row: Columns, expected: Columns) -> None:
    """Compare the columns of a row with those that a replay gives."""
    for column, due in expected.items():
        if column not in row:
            raise RuleBroken(f"{table}: there is no column {column}")
        if not _is_same(row[column], due):
            raise RuleBroken(f"{table}: {column} is {row[column]}, the replay gives {due}")


def _is_same(found: Any, due: Any) -> bool:
    """Compare values; a missing number may come as not-a-number, others in single precision."""
    if isinstance(found, float) and math.isnan(found):
        return due is None
    if isinstance(found, float) and isinstance(due, float | int):
        return math.isclose(found, due, rel_tol=1e-6)
    return bool(found == due)
