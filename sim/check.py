"""Judges a run by its study's budgets: passed, failed or undecided, interval and all."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from sim import baseline as earlier
from sim import metrics
from sim.baseline import KEYS, Baseline, key_of
from sim.budgets import Budget, Row, bounds, is_exact, met, scope
from sim.errors import SimError
from sim.inference import FEWEST, level_of_each
from sim.level import CONFIDENCE, at_level
from sim.metrics.tidy import crossed, per_run, units
from sim.study import Study

PASSED, FAILED, UNDECIDED, SKIPPED = "passed", "failed", "undecided", "not compared"
CHANGED, UNCHANGED = "changed", "no change seen"
"""Of rows that are compared with a baseline without a budget for their change."""
RANGE, CHANGE = "range", "change"
AT_LEAST = 2.0
"""Estimates are no guide to how many games are needed below so many times those played."""
GUIDE = 30
"""Nor are intervals of fewer games."""
TABLE = KEYS[:3]
"""What tells the tables of a run apart."""
AS_IT_IS = "compared as it is, without an interval"
NO_GAMES = "no game to judge by"
ONE_GROUP = "a single group has no spread"
TOO_FEW = "too few games for an interval"
NEVER_VARIED = "it never varied in so few games"
NOT_THERE = "the baseline has no such row"
NO_BASELINE = "compared with --baseline FILE only"

Rows = Callable[[float, Collection[str] | None], pl.DataFrame]
"""Gives tidy rows at a level, of all metrics or some, with the columns that `table` adds."""


@dataclass(frozen=True)
class Judged:
    """One row of a run and what a budget says of it.

    `least` and `most` are accepted, both included. For `kind` "change", estimate and bounds are
    those of the difference from `before`. `games` is about how many in a cell would decide.
    """

    budget: Budget | None
    kind: str
    metric: str
    players: int
    variant: str
    lineup: str
    group: str
    estimate: float | None
    low: float
    high: float
    n: int
    method: str
    least: float
    most: float
    verdict: str
    note: str = ""
    games: float | None = None
    before: float | None = None
    ends: tuple[str, ...] = ()
    """Of a spread: the groups with the largest and the smallest value."""

    @property
    def name(self) -> str:
        """The budget's key, or the metric's name where there is no budget."""
        return self.budget.name if self.budget else self.metric


@dataclass(frozen=True)
class Checked:
    """All rows of a study's budgets, judged as one family.

    `intervals` were worked out at the level `each`, so that all of them hold together in 95 % of
    studies. `moved` are rows without a budget for their change that a baseline has, too.
    """

    rows: list[Judged]
    intervals: int
    each: float
    games: int
    """The most games in a cell."""
    moved: list[Judged] = field(default_factory=list)
    baseline: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """Failed if a row failed, else undecided if one is, else passed."""
        for each in (FAILED, UNDECIDED):
            if self.count(each):
                return each
        return PASSED

    def count(self, verdict: str) -> int:
        """Return how many rows have a verdict."""
        return sum(row.verdict == verdict for row in self.rows)


def table(run: Any, confidence: float, names: Collection[str] | None = None) -> pl.DataFrame:
    """Return the tidy rows of a run at a level, with `head`, `seen` and `games`.

    `head` is False for a cell that its pool speaks for, `seen` for a name that no game had;
    `games` are those of a cell.
    """
    names = metrics.all_metrics(run)["metric"].unique() if names is None else names
    found = metrics.at(run, confidence, list(names))
    with at_level(confidence):
        never = metrics.pick(metrics.unseen(run), *names)
    rows = pl.concat([found.with_columns(seen=True), never.with_columns(seen=False)])
    played: dict[int, int] = {}
    for shard in run.shards:
        played[shard.cell] = played.get(shard.cell, 0) + shard.count
    about = pl.DataFrame(
        [
            (
                *(unit.players, unit.variant, unit.lineup, unit.head),
                sum(played[cell] for cell in unit.cells) / len(unit.cells),
            )
            for unit in dict.fromkeys([*units(run), *crossed(run)])
        ],
        schema={key: metrics.SCHEMA[key] for key in TABLE}
        | {"head": pl.Boolean, "games": pl.Float64},
        orient="row",
    )
    return rows.join(about, on=TABLE, how="left", maintain_order="left")


def prepared(study: Study, baseline: Path | None, everything: bool = False) -> Baseline | None:
    """Return the baseline in a file; raise SimError if a check of the study could say nothing."""
    if not study.budgets:
        raise SimError(
            f"{study.source}: budgets: there are none; write what is accepted, such as "
            "seat_share = { within = 0.02 }, below [budgets]."
        )
    if baseline is not None:
        return earlier.read(baseline, study.game)
    if everything:
        raise SimError("all: there is nothing to compare with; add --baseline FILE.")
    if not any(budget.has_range for budget in study.budgets):
        raise SimError(
            f"{study.source}: budgets: all of them are about a change; add --baseline FILE."
        )
    return None


def check(run: Any, baseline: Baseline | None = None, everything: bool = False) -> Checked:
    """Judge a run by its study's budgets, and compare it with a baseline if there is one.

    With `everything`, all headline metrics are compared, not only those of the budgets. Raises
    SimError for a budget that is about no row, or a baseline that has none of the rows.
    """

    def rows(confidence: float, names: Collection[str] | None) -> pl.DataFrame:
        return table(run, confidence, names)

    found = judge(run.study.budgets, rows, run.study.source, baseline, everything)
    if baseline:
        found.notes.extend(filter(None, [baseline.kinship(run)]))
    return found


@per_run
def of(run: Any) -> Checked:
    """Return the check of a run on its own, remembered."""
    return check(run)


def judge(
    budgets: Iterable[Budget],
    rows: Rows,
    source: str,
    baseline: Baseline | None = None,
    everything: bool = False,
) -> Checked:
    """Judge tidy rows by budgets; see `check`.

    Bonferroni's correction over all rows judged: with k intervals, each has the level
    1 - 0.05 / k. A row counts once however many budgets look at it, but for its change, which
    has an interval of its own.
    """
    usual = rows(CONFIDENCE, None)
    looked = [(each, rows_about(each, usual, source)) for each in budgets]
    family = set()
    for budget, found in looked:
        keys = [key_of(row) for row in found if not is_exact(row)]
        family |= {(RANGE, *key) for key in keys if budget.has_range}
        family |= {(CHANGE, *key) for key in keys if budget.change is not None and baseline}
    each = level_of_each(max(len(family), 1), "bonferroni")
    wide = _by_key(rows(each, {budget.of for budget, _ in looked}))
    judged: list[Judged] = []
    for budget, found in looked:
        at_level = [wide.get(key_of(row), row) for row in found]
        if budget.has_range:
            judged += (_spreads if budget.is_spread else _ranges)(budget, at_level)
        if budget.change is not None:
            judged += [_change(budget, row, baseline, each) for row in at_level]
    moved = _moved(rows, usual, looked, baseline, everything) if baseline else []
    return Checked(
        rows=judged,
        intervals=len(family),
        each=each,
        games=round(usual["games"].max() or 0),  # type: ignore[arg-type]
        moved=moved,
        baseline=baseline.source if baseline else "",
    )


def _by_key(rows: pl.DataFrame) -> dict[earlier.Key, Row]:
    return {key_of(row): row for row in rows.iter_rows(named=True)}


def rows_about(budget: Budget, rows: pl.DataFrame, source: str) -> list[Row]:
    """Return the rows that a budget is about; raise SimError if there are none.

    Where no game came to an end, a metric without rows may still be a metric: it is unknown.
    """
    unheard = list(_unheard(budget, rows))
    if unheard and len(unheard) == scope(budget, rows, "truncated_share").height:
        return unheard
    return [*met(budget, rows, source), *unheard]


def _unheard(budget: Budget, rows: pl.DataFrame) -> Iterator[Row]:
    """Yield a row without an estimate for each table of a budget whose games all were cut off.

    Some metrics have no rows there, and a budget must not pass by what is missing.
    """
    own = rows.filter(pl.col("metric") == budget.of)
    there = set(own.select(TABLE).iter_rows())
    for row in scope(budget, rows, "truncated_share").iter_rows(named=True):
        if row["estimate"] == 1 and tuple(row[key] for key in TABLE) not in there:
            nothing = {"estimate": None, "low": None, "high": None, "n": 0, "method": "none"}
            yield row | nothing | {"metric": budget.of, "group": budget.group or "all"}


def _ranges(budget: Budget, rows: Iterable[Row]) -> list[Judged]:
    return [_judged(budget, row, *bounds(row), _note(row)) for row in rows]


def _spreads(budget: Budget, rows: Iterable[Row]) -> list[Judged]:
    """Judge the largest minus the smallest value of each table.

    If the intervals of all groups hold, the spread lies between the gap of the highest lower and
    the lowest upper bound, and that of the highest upper and the lowest lower bound.
    """
    tables: dict[tuple, list[Row]] = {}
    for row in rows:
        tables.setdefault(tuple(row[key] for key in TABLE), []).append(row)
    return [_spread(budget, found) for found in tables.values()]


def _spread(budget: Budget, rows: list[Row]) -> Judged:
    known = [row for row in rows if row["estimate"] is not None]
    lows, highs = zip(*map(bounds, rows), strict=True)
    low, high = max(0.0, max(lows) - min(highs)), max(highs) - min(lows)
    row = dict(rows[0], metric=budget.metric, group=budget.group or "all")
    row |= {"n": min(row["n"] for row in rows), "estimate": None, "method": "none"}
    if len(known) < len(rows) or len(rows) < 2:
        note = NO_GAMES if len(rows) > 1 else ONE_GROUP
        return _judged(budget, row, -math.inf, math.inf, note)
    top, bottom = (end(known, key=lambda row: row["estimate"]) for end in (max, min))
    row |= {"estimate": top["estimate"] - bottom["estimate"], "method": "spread of intervals"}
    note = AS_IT_IS if all(map(is_exact, rows)) else ""
    return _judged(budget, row, low, high, note, (top["group"], bottom["group"]))


def _note(row: Row) -> str:
    if row["estimate"] is None:
        return NO_GAMES
    if is_exact(row):
        return AS_IT_IS
    if row["low"] is None and row["high"] is None:
        return TOO_FEW
    return NEVER_VARIED if _never_varied(row) else ""


def _never_varied(row: Row) -> bool:
    """Tell whether an interval has no width because few games all went alike."""
    ranked = row["method"].startswith("order statistics")
    return row["low"] == row["high"] is not None and row["n"] < FEWEST and not ranked


def _judged(
    budget: Budget, row: Row, low: float, high: float, note: str, ends: tuple[str, ...] = ()
) -> Judged:
    least, most = budget.accepted(row["players"])
    if note == NEVER_VARIED:
        low, high = -math.inf, math.inf
    verdict = _verdict(low, high, least, most)
    games = None
    if verdict == UNDECIDED and row["estimate"] is not None:
        sides = row["estimate"] - low, high - row["estimate"]
        games = _needed(row["estimate"], sides, (0.0, 0.0), least, most, row["games"])
    return _of_row(
        *(budget, RANGE, row, row["estimate"], low, high, least, most, verdict),
        note=note,
        games=games,
        ends=ends,
    )


def _of_row(
    budget: Budget | None,
    kind: str,
    row: Row,
    estimate: float | None,
    low: float,
    high: float,
    least: float,
    most: float,
    verdict: str,
    **more: Any,
) -> Judged:
    about = {key: row[key] for key in (*KEYS, "n", "method")}
    return Judged(
        budget=budget,
        kind=kind,
        estimate=estimate,
        low=low,
        high=high,
        least=least,
        most=most,
        verdict=verdict,
        **about,
        **more,
    )


def _verdict(low: float, high: float, least: float, most: float, slack: float = 1e-12) -> str:
    """Return the verdict; `slack` is what floating point makes of equal numbers."""
    if low >= least - slack and high <= most + slack:
        return PASSED
    return FAILED if low > most + slack or high < least - slack else UNDECIDED


def _needed(
    estimate: float,
    own: tuple[float, float],
    fixed: tuple[float, float],
    least: float,
    most: float,
    games: float,
) -> float | None:
    """Return about how many games bring the interval to one side of every edge, None if unknown.

    `own` are the parts of the interval below and above the estimate that more games narrow,
    `fixed` those that they do not. The bound of what never, or always, happened goes down with
    the games, any other with their root.
    """
    if games < GUIDE:
        return None
    factor = AT_LEAST
    rare = estimate in (0, 1) and min(own) == 0 and fixed == (0, 0)
    for edge, upper in ((least, False), (most, True)):
        if not math.isfinite(edge):
            continue
        outside = estimate > edge if upper else estimate < edge
        side = int(upper) if not outside else int(not upper)
        room = (estimate - edge) ** 2 - fixed[side] ** 2
        if room <= 0 or not math.isfinite(own[side]):
            return None
        ratio = own[side] ** 2 / room
        factor = max(factor, ratio**0.5 if rare else ratio)
        if outside:
            break
    return games * factor


def _change(budget: Budget, row: Row, baseline: Baseline | None, each: float) -> Judged:
    """Judge how far a row lies from what a baseline had."""
    most = budget.change or 0.0
    before = baseline.rows.get(key_of(row)) if baseline else None
    unknown = (None, -math.inf, math.inf, -most, most)
    if baseline is None:
        return _of_row(budget, CHANGE, row, *unknown, SKIPPED, note=NO_BASELINE)
    if before is None or before["estimate"] is None or row["estimate"] is None:
        note = NO_GAMES if row["estimate"] is None else NOT_THERE
        return _of_row(budget, CHANGE, row, *unknown, UNDECIDED, note=note)
    found = earlier.difference(row, before, each)
    low, high = found.low, found.high
    notes = [_note(row), _note(before)]
    if NEVER_VARIED in notes:
        low, high = -math.inf, math.inf
    # files hold ten digits
    verdict = _verdict(low, high, -most, most, 1e-9 * max(1.0, abs(before["estimate"])))
    games = None
    if verdict == UNDECIDED:
        games = _needed(found.gap, found.now, found.before, -most, most, row["games"])
    return _of_row(
        *(budget, CHANGE, row, found.gap, low, high, -most, most, verdict),
        note=next(filter(None, notes), ""),
        games=games,
        before=before["estimate"],
    )


def _moved(
    rows: Rows,
    usual: pl.DataFrame,
    looked: list[tuple[Budget, list[Row]]],
    baseline: Baseline,
    everything: bool,
) -> list[Judged]:
    """Compare rows without a budget for their change with a baseline, as a family of their own."""
    ours = [row for budget, found in looked for row in found if budget.change is None]
    theirs = {key_of(row) for budget, found in looked for row in found if budget.change is not None}
    if everything:
        ours = usual.filter(pl.col("head") & pl.col("seen")).to_dicts()
    looked_at = [row for _, found in looked for row in found]
    earlier.check_shared(baseline, [*ours, *looked_at])
    both = {
        key_of(row): before
        for row in ours
        if (before := baseline.rows.get(key_of(row))) is not None
        and key_of(row) not in theirs
        and _has_interval(row)
        and _has_interval(before)
    }
    each = level_of_each(max(len(both), 1), "bonferroni")
    wide = _by_key(rows(each, {key[3] for key in both}))
    return [_moved_row(wide[key], before, each) for key, before in both.items()]


def _has_interval(row: Row) -> bool:
    known = row["estimate"] is not None and row["low"] is not None and row["high"] is not None
    return known and not _never_varied(row)


def _moved_row(row: Row, before: Row, each: float) -> Judged:
    found = earlier.difference(row, before, each)
    return _of_row(
        *(None, CHANGE, row, found.gap, found.low, found.high, -math.inf, math.inf),
        CHANGED if found.low > 0 or found.high < 0 else UNCHANGED,
        before=before["estimate"],
    )
