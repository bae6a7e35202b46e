"""The one shape of every metric, and the units that metrics are worked out for.

A tidy row is: cell, players, variant, lineup, metric, group, estimate, low, high, n, method.
A unit is a cell, or the pool of all round-robin cells of a variant and player count: its line-up
is `POOLED` and its cell is null. Cells that are not rotated stand alone, but for metrics that
compare line-ups on the same deals: those take them together, as `TOGETHER`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import polars as pl

from sim.level import level

POOLED = "all"
"""The line-up of rows that pool the round-robin cells of a variant and player count."""

TOGETHER = "together"
"""The line-up of rows that take the cells outside round robins together, their cell null."""

SCHEMA = {
    "cell": pl.UInt16,
    "players": pl.UInt8,
    "variant": pl.String,
    "lineup": pl.String,
    "metric": pl.String,
    "group": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "method": pl.String,
}
KEYS = ["cell", "players", "variant", "lineup"]


@dataclass(frozen=True)
class Unit:
    """What one row of a metric is about: one cell, or a pool of round-robin cells."""

    cell: int | None
    players: int
    variant: str
    lineup: str
    cells: tuple[int, ...]
    styles: tuple[str, ...]
    """The different styles at the table, in the study's order."""
    rotate: bool
    head: bool
    """False for a round-robin cell: its pool speaks for it."""

    @property
    def games_a_deal(self) -> int:
        """How many games share the luck of one deal."""
        return (self.players if self.rotate else 1) * len(self.cells)


def per_run(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keep what a function finds out about a run, at each level of its intervals.

    It is kept for as long as the run is in use.
    """
    return _remembering(function, level)


def sums_per_run(function: Callable[[Any], Any]) -> Any:
    """Keep what a function finds out about a run where that holds no intervals.

    `function.know(run, value)` spares it the work where somebody has done it.
    """
    return _remembering(function, lambda: None)


def _remembering(function: Callable[[Any], Any], key: Callable[[], Any]) -> Callable[[Any], Any]:
    known: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()

    @wraps(function)
    def remembered(run: Any) -> Any:
        found = known.setdefault(run, {})
        if key() not in found:
            found[key()] = function(run)
        return found[key()]

    def know(run: Any, value: Any) -> None:
        known.setdefault(run, {})[key()] = value

    remembered.know = know  # type: ignore[attr-defined]
    return remembered


@sums_per_run
def units(run: Any) -> list[Unit]:
    """Return the units of a run: by variant and players, a pool before its cells."""
    together: dict[tuple[str, int], list[Any]] = {}
    for cell in run.plan.cells:
        together.setdefault((cell.variant, cell.players), []).append(cell)
    found = []
    for (variant, players), cells in together.items():
        rotated = [cell for cell in cells if cell.rotate]
        if rotated:
            inside, styles = _cells_and_styles(run, rotated)
            found.append(Unit(None, players, variant, POOLED, inside, styles, True, True))
        for cell in cells:
            inside, styles = _cells_and_styles(run, [cell])
            found.append(
                Unit(
                    *(cell.index, players, variant, cell.lineup, inside, styles),
                    rotate=cell.rotate,
                    head=not cell.rotate,
                )
            )
    return found


@sums_per_run
def crossed(run: Any) -> list[Unit]:
    """Return what meets the same deals: each pool, and the cells outside pools.

    Those of a variant and player count are taken together, as `TOGETHER`, if there are several:
    games of one number share their luck, whatever the line-up.
    """
    together: dict[tuple[str, int, bool], list[Unit]] = {}
    for unit in units(run):
        if unit.head:
            together.setdefault((unit.variant, unit.players, unit.rotate), []).append(unit)
    return [found[0] if len(found) == 1 else _together(run, found) for found in together.values()]


def _together(run: Any, alone: list[Unit]) -> Unit:
    cells = [run.plan.cells[unit.cells[0]] for unit in alone]
    about = None, alone[0].players, alone[0].variant, TOGETHER
    return Unit(*about, *_cells_and_styles(run, cells), rotate=False, head=True)


def _cells_and_styles(run: Any, cells: list[Any]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    used = {style for cell in cells for style in cell.styles}
    styles = tuple(style for style in run.study.styles if style in used)
    return tuple(cell.index for cell in cells), styles


@sums_per_run
def membership(run: Any) -> pl.DataFrame:
    """Return which cells each unit holds: unit, cell, players, head."""
    rows = [
        (number, cell, unit.players, unit.head)
        for number, unit in enumerate(units(run))
        for cell in unit.cells
    ]
    schema = {"unit": pl.UInt32, "cell": pl.UInt16, "players": pl.UInt8, "head": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row")


def finish(
    run: Any, frames: Iterable[pl.DataFrame], about: list[Unit] | None = None
) -> pl.DataFrame:
    """Return frames with `unit` and the columns from `metric` on as one tidy frame.

    `unit` counts those of the run, or of `about`. Rows come unit by unit, each unit's in the order
    of the frames. NaN becomes null.
    """
    keys = pl.DataFrame(
        [
            (number, unit.cell, unit.players, unit.variant, unit.lineup)
            for number, unit in enumerate(units(run) if about is None else about)
        ],
        schema={"unit": pl.UInt32} | {key: SCHEMA[key] for key in KEYS},
        orient="row",
    )
    columns = ["unit", *list(SCHEMA)[len(KEYS) :]]
    parts = [
        frame.select([pl.col(column).cast(SCHEMA.get(column, pl.UInt32)) for column in columns])
        for frame in frames
    ]
    if not parts:
        return pl.DataFrame(schema=SCHEMA)
    return (
        pl.concat(parts)
        .sort("unit", maintain_order=True)
        .join(keys, on="unit", how="left", maintain_order="left")
        .with_columns(pl.col("estimate", "low", "high").fill_nan(None))
        .select(list(SCHEMA))
    )


def headline(run: Any, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows that a report leads with: pools, and cells outside any pool."""
    inside = [unit.cell for unit in units(run) if not unit.head]
    return frame.filter(~pl.col("cell").is_in(inside) | pl.col("cell").is_null())


def pick(frame: pl.DataFrame, *metrics: str) -> pl.DataFrame:
    """Return the rows of the named metrics."""
    return frame.filter(pl.col("metric").is_in(metrics))
