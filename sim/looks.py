"""Plays until it is known: looks at what was played at fixed numbers of games, and stops units.

A look comes after 1, 2, 3, 5, 8, 12, 18, 27 ... full shards of every cell, each about half as many
again as the last, and at the limit. What it finds depends on the games alone, so a run that was
killed and goes on takes the same looks and ends the same. A unit is a cell, or all round-robin
cells of a variant and player count, which stop together.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Protocol

import polars as pl

from sim import check, metrics
from sim.budgets import Budget
from sim.errors import SimError
from sim.metrics.moments import Moments, Reader, moments
from sim.metrics.single import rows_of
from sim.metrics.tidy import Unit, units
from sim.plan import Plan, Shard
from sim.until import DECIDED, HalfWidth, awaited, left
from sim.verdicts import BALANCED, UNBALANCED, SeatVerdict, seat_verdicts

LIMIT, KNOWN = "limit", "half width"
"""Why a unit stopped, beside the verdicts "balanced" and "unbalanced"."""
Key = tuple[str, int, str]
"""Variant, players and line-up."""


@dataclass
class Stop:
    """How a unit was played: `games` of each of its cells of at most `most`, and why no more.

    `certain` tells that its seats differ beyond doubt, however little; `budgets` counts its values
    with a budget that were waited for, by verdict; `half_width` is the widest one found.
    """

    players: int
    variant: str
    lineup: str
    cells: list[int]
    games: int
    most: int
    looks: int
    why: str
    certain: bool = False
    budgets: dict[str, int] = field(default_factory=dict)
    half_width: float | None = None


@dataclass(frozen=True)
class Found:
    """What a look says of a unit; `why` is None while more games are needed."""

    why: str | None
    certain: bool = False
    budgets: dict[str, int] = field(default_factory=dict)
    half_width: float | None = None


class Desk(Protocol):
    """Whoever plays games and keeps them."""

    def fill(self, planned: Plan, look: int = 0) -> None:
        """Play what is missing of a plan."""

    def holds(self, planned: Plan) -> bool:
        """Tell whether nothing is missing of a plan."""

    def view(self, planned: Plan, wanted: Callable[[Shard], bool] | None = None) -> Any:
        """Return a plan that has been played as a run, or some of its shards."""

    def say(self, text: str) -> None:
        """Show a line."""


def schedule() -> Iterator[int]:
    """Yield how many full shards a cell has at each look."""
    shards = 1
    while True:
        yield shards
        shards = -(-shards * 3 // 2)


def play(desk: Desk, planned: Plan) -> tuple[Plan, dict[str, Any]]:
    """Play until everything is known that the study asks; return what was played, and a record.

    A unit that other wishes have played on already stops where its games end, not before: what
    holds at every look holds there.
    """
    study = planned.study
    going = [unit for unit in units(desk.view(planned, lambda shard: False)) if unit.head]
    total, reader, stops = len(going), _Sums(desk), []
    now = dict.fromkeys((cell.index for cell in planned.cells), 0)
    for look, (shards, later) in enumerate(pairwise(schedule()), 1):
        for unit in going:
            now |= _games(planned, unit, shards)
        part = planned.with_games(now)
        desk.fill(part, look)
        found = judge(reader.run(part), going)
        on = []
        for unit, each in zip(going, found, strict=True):
            known = each.why is not None
            ends = all(now[cell] == planned.cells[cell].games for cell in unit.cells)
            after = {**now, **_games(planned, unit, later)}
            if not ends and not (known and not desk.holds(planned.with_games(after))):
                on.append(unit)
                continue
            stops.append(_stop(planned, unit, now, look, each))
        going = on
        if not going:
            break
        most = max(now[cell] for unit in going for cell in unit.cells)
        desk.say(f"Look {look}, after {most:,} games: {len(going)} of {total} go on.")
    stops.sort(key=lambda stop: stop.cells)
    until = study.until
    return planned.with_games(now), {
        "rule": until.model_dump() if isinstance(until, HalfWidth) else until,
        "left": [budget.name for budget in left(study.budgets, planned.game)]
        if until == DECIDED
        else [],
        "units": [asdict(stop) for stop in stops],
    }


def _games(planned: Plan, unit: Unit, shards: int) -> dict[int, int]:
    """Return how many games each cell of a unit has with so many shards."""
    cells = [planned.cells[index] for index in unit.cells]
    return {cell.index: min(shards * planned.shard_size(cell), cell.games) for cell in cells}


def _stop(planned: Plan, unit: Unit, games: dict[int, int], look: int, found: Found) -> Stop:
    first = unit.cells[0]
    return Stop(
        players=unit.players,
        variant=unit.variant,
        lineup=unit.lineup,
        cells=list(unit.cells),
        games=games[first],
        most=planned.cells[first].games,
        looks=look,
        why=found.why or LIMIT,
        certain=found.certain,
        budgets=found.budgets,
        half_width=found.half_width,
    )


class _Sums:
    """Keeps the sums of all shards that looks have read, so that each is read once."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seen: set[Shard] = set()
        self.known: dict[int, Moments] = {}

    def run(self, planned: Plan) -> Any:
        """Return what was played as a run whose sums are known."""
        fresh = self.desk.view(planned, lambda shard: shard not in self.seen)
        self.seen.update(planned.shards())
        for number, found in _read(fresh):
            if number in self.known:
                self.known[number].merge(found)
            else:
                self.known[number] = found
        run = self.desk.view(planned)
        moments.know(run, [self.known[number] for number in sorted(self.known)])
        return run


def _read(run: Any) -> Iterator[tuple[int, Moments]]:
    """Yield the sums of a run's shards with the numbers of their units, shard by shard."""
    reader = Reader(run)
    for task in reader.tasks():
        yield from reader.read(task).items()


def judge(run: Any, looked: Sequence[Unit]) -> list[Found]:
    """Return what the games of a run say of some of its units, by the study's `until`."""
    until = run.study.until
    if isinstance(until, HalfWidth):
        return [_width(until, rows) for rows in _rows(run, until.metric, looked)]
    seats = _seats(run)
    budgets = _budgets(run)
    return [_decided(unit, seats, budgets) for unit in looked]


def _rows(run: Any, metric: str, looked: Sequence[Unit]) -> Iterator[pl.DataFrame]:
    head = metrics.headline(run, rows_of(run, metric))
    for unit in looked:
        yield head.filter(
            pl.col("variant") == unit.variant,
            pl.col("players") == unit.players,
            pl.col("lineup") == unit.lineup,
        )


def _width(until: HalfWidth, rows: pl.DataFrame) -> Found:
    half = ((rows["high"] - rows["low"]) / 2).to_list()
    if not half or None in half:
        return Found(None)
    return Found(KNOWN if max(half) <= until.half_width else None, half_width=max(half))


def _seats(run: Any) -> dict[Key, SeatVerdict]:
    """Return the verdict on the seats of each unit."""
    tests = metrics.headline(run, metrics.seat_test(run)).filter(pl.col("metric") == "seat_test.p")
    shares = metrics.headline(run, metrics.seat_share(run))
    return seats_decided(shares, tests, len(tests))


def seats_decided(shares: pl.DataFrame, tests: pl.DataFrame, family: int) -> dict[Key, SeatVerdict]:
    """Return verdicts on `seat_share` rows, the p-values of `seat_test.p` times the family's size.

    Not Holm's correction, in which other units' games could change a unit's verdict later.
    """
    corrected = tests.with_columns(
        pl.lit("seat_test.p_holm").alias("metric"),
        (pl.col("estimate") * family).clip(upper_bound=1.0),
    )
    found = seat_verdicts(pl.concat([shares, corrected]))
    return {(each.variant, each.players, each.lineup): each for each in found}


def _budgets(run: Any) -> dict[Key, dict[str, int]] | None:
    """Return how many values with a budget each unit has by verdict; None if it is too early.

    A value of a cell within a pool counts for the pool.
    """
    wanted: list[Budget] = awaited(run.study.budgets, run.game)
    if not wanted:
        return {}
    try:
        found = check.check(run)
    except SimError:
        return None  # a name that no game has met so far
    pools = {
        (unit.variant, unit.players, run.plan.cells[cell].lineup): unit.lineup
        for unit in units(run)
        if unit.head
        for cell in unit.cells
    }
    counts: dict[Key, dict[str, int]] = {}
    for row in found.rows:
        if row.kind != check.RANGE or row.budget not in wanted:
            continue
        place = (row.variant, row.players, row.lineup)
        own = counts.setdefault((*place[:2], pools.get(place, row.lineup)), {})
        own[row.verdict] = own.get(row.verdict, 0) + 1
    return counts


def _decided(
    unit: Unit, seats: dict[Key, SeatVerdict], budgets: dict[Key, dict[str, int]] | None
) -> Found:
    key = (unit.variant, unit.players, unit.lineup)
    counts = {} if budgets is None else budgets.get(key, {})
    seat = seats[key]
    known = seat.verdict in (BALANCED, UNBALANCED) and budgets is not None
    why = seat.verdict if known and check.UNDECIDED not in counts else None
    return Found(why, seat.certain, counts)
