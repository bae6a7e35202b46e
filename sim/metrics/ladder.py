"""The skill ladder: styles by strength, how far each step is, and where there is no order at all.

Of round robins alone: there every style meets every other from every seat on the same deals.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.level import level
from sim.metrics.clusters import Tally
from sim.metrics.estimates import Row, frame
from sim.metrics.heads import read_all
from sim.metrics.luce import Strengths, strengths
from sim.metrics.moments import Moments, moments, share_scale
from sim.metrics.seatings import Games, games_of
from sim.metrics.tidy import Unit, finish, per_run, sums_per_run, units
from sim.metrics.totals import Totals, of_clusters

EVEN = 0.5
METHOD = "Plackett-Luce"
OVER = " over "
FIRST, EITHER, GAMES = range(3)
"""Columns of a pair: wins of the first for each seat it has, those of either, games of both."""


@dataclass(frozen=True)
class Ladder:
    """Styles of a pool from weakest to strongest, and how each fares against each.

    `seats` counts those of each style. `share`, `low`, `high`, `p` and `games` are [winner, loser]
    by place on the ladder; `share` is the part of the wins of the two that the first takes, seat
    for seat, where both sit.
    """

    unit: tuple[int, Unit]
    styles: list[str]
    strength: Strengths
    seats: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p: np.ndarray
    games: np.ndarray
    method: np.ndarray
    clusters: int

    def name(self, *places: int) -> str:
        """Return the name of styles of which each beats the next."""
        return OVER.join(self.styles[place] for place in places)

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Each style above the weakest with the one below it."""
        return [(above, below) for below, above in pairwise(range(len(self.styles)))]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, the stronger first."""
        return [(b, a) for a, b in combinations(range(len(self.styles)), 2)]


@per_run
def ladder(run: Any) -> pl.DataFrame:
    """Return the skill ladder of each pool: styles from the weakest to the strongest.

    - `ladder.strength` (group "style X"): strength in Elo points from the mean of all styles; n
      counts seats;
    - `ladder.step` ("strong over weak"): of the wins that two neighbours take where both sit, the
      share of the stronger, seat for seat; `ladder.step_p`, that of an even share, and
      `ladder.step_p_holm`, corrected for all steps of the run;
    - `ladder.clear_steps`: steps whose share is above one half, interval and corrected test and
      all; `high` counts those for which that is not ruled out;
    - `ladder.cycles`: triples of which each clearly beats the next and the last the first (Holm
      over all pairs of the run), and `ladder.cycle` ("A over B over C") for each of them.
    """
    found = _ladders(run)
    rows: list[Row] = []
    steps = _corrected(found, [each.steps for each in found])
    pairs = _corrected(found, [each.pairs for each in found])
    for each, own, all_pairs in zip(found, steps, pairs, strict=True):
        rows += _strength_rows(each)
        rows += _step_rows(each, *own)
        rows += _cycle_rows(each, *all_pairs)
    return finish(run, [frame(rows)])


@per_run
def _ladders(run: Any) -> list[Ladder]:
    known, met = _known(run), _met(run)
    return [
        _ladder((number, units(run)[number]), strength, seats, met[number])
        for number, (strength, seats) in known.items()
    ]


@sums_per_run
def _known(run: Any) -> dict[int, tuple[Strengths, np.ndarray]]:
    """Return the strengths of the styles of each pool, and how many seats they had."""
    single = {unit.cell: number for number, unit in enumerate(units(run))}
    found = {}
    for number, unit in enumerate(units(run)):
        if unit.cell is None and len(unit.styles) > 1:
            cells = [moments(run)[single[cell]] for cell in unit.cells]
            pool = moments(run)[number].of_seats
            seats = pool.m[[pool.groups.index(f"style {name}") for name in unit.styles]]
            found[number] = _strengths(run, unit, pool, cells), seats
    return found


def _strengths(run: Any, unit: Unit, pool: Tally, cells: list[Moments]) -> Strengths:
    """Return the strengths of a pool's styles."""
    scale, count = float(share_scale(unit.players)), len(unit.styles)
    wins, seats = np.zeros((2, len(cells), count))
    for row, (found, index) in enumerate(zip(cells, unit.cells, strict=True)):
        sums = found.of_seats.sums("win_share")
        for style, name in enumerate(unit.styles):
            seats[row, style] = run.plan.cells[index].styles.count(name)
            if f"style {name}" in found.of_seats.groups:
                wins[row, style] = sums.y[found.of_seats.groups.index(f"style {name}")] / scale
            elif seats[row, style]:
                wins[row, style] = sums.y[found.of_seats.groups.index("all")] / scale
    own = [pool.groups.index(f"style {name}") for name in unit.styles]
    cross = pool.cross[np.ix_(*[own + [len(pool.groups) + at for at in own]] * 2)]
    cross[:count] /= scale
    cross[:, :count] /= scale
    rate = pool.y[0][own] / np.maximum(pool.m[own], 1) / scale
    return strengths(wins, seats, rate, cross, int(pool.clusters[own].max()))


def _ladder(unit: tuple[int, Unit], strength: Strengths, seats: np.ndarray, met: Totals) -> Ladder:
    """Return the styles by strength, with what each wins of each."""
    order, count = strength.order, len(strength.order)
    first, second = np.triu_indices(count, 1)
    share, variance = met.ratio(FIRST, EITHER)
    games, clusters = met.sums[:, GAMES], met.seen[:, EITHER]

    def interval(confidence: Any = None) -> inference.Interval:
        about = share, variance, games, clusters, False, True
        return inference.share_interval(*about, confidence)

    found = interval()
    p = inference.p_value(interval, EVEN)
    known = {"share": share, "low": found.low, "high": found.high, "p": p, "games": games}
    tables = {}
    for name, values in known.items():
        table = np.full((count, count), np.nan)
        table[first, second] = values
        table[second, first] = values
        tables[name] = table
    table = np.full((count, count), "none", dtype=object)
    table[first, second] = table[second, first] = found.method
    # the share of the second is what the first has not
    for name, other in (("share", "share"), ("low", "high"), ("high", "low")):
        tables[name][second, first] = 1 - known[other]
    at = np.ix_(order, order)
    return Ladder(
        unit=unit,
        styles=[unit[1].styles[style] for style in order],
        strength=strength,
        seats=seats[order],
        **{name: each[at] for name, each in tables.items()},
        method=table[at],
        clusters=int(clusters.max(initial=0)),
    )


def _corrected(
    found: list[Ladder], wanted: list[list[tuple[int, int]]]
) -> list[tuple[np.ndarray, int]]:
    """Return p-values of pairs of each ladder, [winner, loser], corrected for all; how many."""
    every = [each.p[pair] for each, pairs in zip(found, wanted, strict=True) for pair in pairs]
    values = iter(inference.adjusted(every))
    tables = []
    for each, pairs in zip(found, wanted, strict=True):
        table = np.full(each.p.shape, np.nan)
        for a, b in pairs:
            table[a, b] = table[b, a] = next(values)
        tables.append((table, int(np.isfinite(every).sum())))
    return tables


def _strength_rows(found: Ladder) -> Iterator[Row]:
    number = found.unit[0]
    order = found.strength.order
    elo, variance = found.strength.elo[order], found.strength.variance[order]
    seats = [round(each) for each in found.seats]
    interval = inference.mean_interval(elo, variance, found.clusters, True)
    for at, style in enumerate(found.styles):
        about = number, "ladder.strength", f"style {style}"
        if np.isfinite(elo[at]):
            method = str(interval.method[at])
            method = method if method == "none" else f"{METHOD}, {method}"
            bounds = float(interval.low[at]), float(interval.high[at])
            yield *about, float(elo[at]), *bounds, seats[at], method
        else:
            why = {np.inf: ", never lost", -np.inf: ", never won"}.get(elo[at], "")
            yield *about, np.nan, np.nan, np.nan, seats[at], f"none{why}"


def _step_rows(found: Ladder, corrected: np.ndarray, family: int) -> Iterator[Row]:
    number = found.unit[0]
    for step in found.steps:
        group, games, method = found.name(*step), int(found.games[step]), str(found.method[step])
        yield _pair_row(found, step)
        for name, p, how in (
            ("ladder.step_p", found.p[step], method),
            ("ladder.step_p_holm", corrected[step], f"{method}, Holm over {family}"),
        ):
            yield number, name, group, float(p), None, None, games, how if p >= 0 else "none"
    known = [step for step in found.steps if np.isfinite(found.p[step])]
    clear = sum(_clear(found, corrected, *step) for step in known)
    most = len(found.steps) - sum(_clear(found, corrected, b, a) for a, b in known)
    how = f"count, Holm over {family}" if known else "none"
    about = number, "ladder.clear_steps", "all", clear if known else np.nan
    yield *about, float(clear), float(most), int(found.games[found.games >= 0].max(initial=0)), how


def _pair_row(found: Ladder, pair: tuple[int, int]) -> Row:
    about = found.unit[0], "ladder.step", found.name(*pair), float(found.share[pair])
    bounds = float(found.low[pair]), float(found.high[pair])
    return *about, *bounds, int(found.games[pair]), str(found.method[pair])


def other_pairs(run: Any) -> pl.DataFrame:
    """Return rows of `ladder.step` for any two styles, either first, that are not a step.

    For `sim.metrics.tidy.finish`. Which styles are neighbours only the games tell, but a budget
    may be about any two.
    """
    return frame(
        _pair_row(each, pair)
        for each in _ladders(run)
        for pair in permutations(range(len(each.styles)), 2)
        if pair not in each.steps
    )


def _clear(found: Ladder, corrected: np.ndarray, winner: int, loser: int) -> bool:
    """Tell whether one style beats another beyond chance, corrected."""
    return bool(found.share[winner, loser] > EVEN and corrected[winner, loser] < 1 - level())


def _cycle_rows(found: Ladder, corrected: np.ndarray, family: int) -> Iterator[Row]:
    """Yield how many triples have no order, and each of them by the least of its three shares."""
    number, count = found.unit[0], len(found.styles)
    if count < 3:
        return
    beats = np.array([[_clear(found, corrected, a, b) for b in range(count)] for a in range(count)])
    clear, possible = [], 0
    for a, b, c in combinations(range(count), 3):
        # around one way or the other, the strongest named first
        ways = [((c, a), (a, b), (b, c)), ((c, b), (b, a), (a, c))]
        clear += [way for way in ways if all(beats[pair] for pair in way)]
        possible += any(not any(beats[b, a] for a, b in way) for way in ways)
    games = int(found.games[found.games >= 0].max(initial=0))
    how = f"count, Holm over {family}" if np.isfinite(found.p).any() else "none"
    total = len(clear) if how != "none" else np.nan
    bounds = float(len(clear)), float(possible)
    yield number, "ladder.cycles", "all", float(total), *bounds, games, how
    for way in clear:
        places = [pair[0] for pair in way]
        least = {
            name: min(float(getattr(found, name)[pair]) for pair in way)
            for name in ("share", "low", "high", "games")
        }
        yield (
            *(number, "ladder.cycle", found.name(*places, places[0])),
            *(least["share"], least["low"], least["high"], int(least["games"])),
            f"least of three: {found.method[way[0]]}; Holm over {family}",
        )


@sums_per_run
def _met(run: Any) -> dict[int, Totals]:
    """Return `FIRST`, `EITHER` and `GAMES` of each pair of styles of each pool, by deal.

    Pairs are in the order of `np.triu_indices`.
    """
    about, cells = units(run), {cell.index: cell for cell in run.plan.cells}

    def read(number: int, shards: list[Any]) -> Totals | None:
        unit = about[number]
        if unit.cell is not None or len(unit.styles) < 2:
            return None
        scale = _seats_scale(unit, cells)
        pairs = {pair: at for at, pair in enumerate(combinations(range(len(unit.styles)), 2))}
        deals = max(shard.count for shard in shards) // unit.players
        values = np.zeros((len(pairs), 3, deals))
        for shard in shards:
            games = games_of(run, shard, cells[shard.cell], unit, ["win"])["win"]
            there = games.ended.sum(1)
            wins = _by_style(games, len(unit.styles), scale)
            for pair in combinations(sorted(wins), 2):
                own = values[pairs[pair], :, : games.deals]
                own[FIRST] += wins[pair[0]]
                own[EITHER] += wins[pair[0]] + wins[pair[1]]
                own[GAMES] += there
        return of_clusters(values)

    found: dict[int, Totals] = {}
    for number, totals in read_all(run, about, read):
        if totals is None:
            continue
        if number in found:
            found[number].merge(totals)
        else:
            found[number] = totals
    return found


def _seats_scale(unit: Unit, cells: dict[int, Any]) -> int:
    """Return a number that makes wins by seat whole, however many seats a style has."""
    counts = [cells[cell].styles.count(name) for cell in unit.cells for name in unit.styles]
    return math.lcm(*(count for count in counts if count))


def _by_style(games: Games, styles: int, scale: int) -> dict[int, np.ndarray]:
    """Return wins by deal for each seat of the styles that sit at a line-up's table."""
    found = {}
    for style in range(styles):
        seats = games.styles == style
        if seats.any():
            own = games.values[:, seats].sum(1)
            found[style] = own * (scale // int(seats[0].sum()))
    return found
