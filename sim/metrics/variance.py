"""How much of what makes scores, and wins, differ is the deal, the seat, the style, or the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.metrics.components import (
    MOST_CLUSTERS,
    Columns,
    Component,
    Seen,
    Slots,
    components,
    starts_of,
)
from sim.metrics.estimates import Row, frame
from sim.metrics.heads import read_all
from sim.metrics.moments import share_scale
from sim.metrics.seatings import Games, games_of, seating
from sim.metrics.tidy import Unit, crossed, finish, per_run, sums_per_run
from sim.metrics.totals import Estimate

OUTCOMES = {"score": "variance", "win": "win_variance"}
"""What is split, and how its metrics begin."""
OF_SCORES = ("deal_common", "deal_x_seat")
"""Parts of the deal that wins do not have: those of a game add up to 1."""
NEGATIVE = "negative, 0 shown"


@dataclass
class Sums:
    """An outcome in the games of a unit: its slots, and `Columns` by deal or block of deals."""

    slots: Slots
    table: np.ndarray
    deals: int

    @property
    def clusters(self) -> int:
        """How many deals, or blocks of deals, have games that ended."""
        return int((self.table[0] > 0).sum())

    def components(self) -> list[Component]:
        """Return the components of the variance; none for fewer than two deals."""
        clusters = self.clusters
        if clusters < 2:
            return []
        whole = self.table.shape[1] == self.deals
        return components(self.slots, self.table.sum(1), clusters if whole else self.deals)


@dataclass(frozen=True)
class Share:
    """A component as a share of the whole variance, with its interval."""

    name: str
    estimate: float
    low: float
    high: float
    method: str


@per_run
def variance(run: Any) -> pl.DataFrame:
    """Return the shares of the variance of scores (`variance.*`) and of wins (`win_variance.*`).

    A row for each source that the line-ups tell apart, of pools, and of the cells outside pools:
    all those of a variant and player count together, as they meet the same deals.

    - `seat`, `style`, `seat_x_style`, `company` (who else sits there); `seating` for all of these
      where not every style sits in every seat;
    - `deal`, of scores also its parts `deal_common` and `deal_x_seat`; `deal_x_style`;
    - `rest`: play, chance and whatever else; `total`: the variance itself, not a share.
    """
    about = crossed(run)
    rows = [row for number, unit in enumerate(about) for row in _rows(run, number, unit)]
    return finish(run, [frame(rows)], about)


def _rows(run: Any, number: int, unit: Unit) -> Iterator[Row]:
    # a table at which all play alike shares one win, whatever they play
    alike = all(len(set(run.plan.cells[cell].styles)) == 1 for cell in unit.cells)
    unsaid = (*OF_SCORES, "style") if alike else OF_SCORES
    for outcome, prefix in OUTCOMES.items():
        sums = sums_of(run)[number, outcome]
        games = round(sums.table[0].sum() / unit.players)
        scale = 1.0 if outcome == "score" else float(share_scale(unit.players))
        for each in shares(sums, scale, unit.games_a_deal > 1):
            if outcome == "score" or each.name not in unsaid:
                bounds = each.estimate, each.low, each.high
                yield number, f"{prefix}.{each.name}", "all", *bounds, games, each.method


def shares(sums: Sums, scale: float = 1.0, by_deal: bool = True) -> list[Share]:
    """Return each component as a share of the total, and the total divided by `scale` squared.

    All are NaN where nothing varied, or there are fewer than two deals.
    """
    found = sums.components()
    if not found or not found[-1].found.value > 0:
        names = [*sums.slots.parts, "rest", "total"]
        return [Share(name, np.nan, np.nan, np.nan, "none") for name in names]
    *parts, total = found
    products = sums.table @ sums.table.T
    shown = [
        _share(sums, part, part.found / total.found, total.found.value, products, by_deal)
        for part in parts
    ]
    whole = total.found.times(1 / scale**2)
    return [*shown, _share(sums, total, whole, scale**2, products, by_deal)]


def _share(
    sums: Sums,
    part: Component,
    found: Estimate,
    unit: float,
    products: np.ndarray,
    by_deal: bool,
) -> Share:
    """Return a component with its interval, clipped to what it can be.

    `found` is its value in a `unit`.
    """
    spread, clusters = found.variance(products, sums.clusters), sums.clusters
    if np.isfinite(part.raw):
        squares = part.raw / unit, spread, part.extra / unit**2
        interval = inference.square_interval(found.value, *squares, clusters, by_deal)
    else:
        slant = _skewness(found.slope @ sums.table)
        interval = inference.mean_interval(found.value, spread, clusters, by_deal, None, slant)
    most = np.inf if part.name == "total" else 1.0
    value, low, high = (float(np.clip(x, 0, most)) for x in (found.value, *interval[:2]))
    note = f", {NEGATIVE}" if found.value < 0 else ""
    return Share(part.name, value, low, high, f"moments, {interval.method}{note}")


def _skewness(values: np.ndarray) -> float:
    """Return the skewness of what clusters add to an estimate, 0 if nothing varies."""
    square = float(np.square(values).mean())
    return float((values**3).mean()) / square**1.5 if square > 0 else 0.0


@sums_per_run
def sums_of(run: Any) -> dict[tuple[int, str], Sums]:
    """Return the sums of each unit of `crossed`, by its number and outcome."""
    return _Reader(run).sums()


class _Reader:
    """Reads shards twice: for the means of slots, and for what is left of them."""

    def __init__(self, run: Any) -> None:
        self.run, self.about = run, crossed(run)
        self.cells = {cell.index: cell for cell in run.plan.cells}
        self.styles = [
            [seating(self.cells[cell], unit.styles) for cell in unit.cells] for unit in self.about
        ]
        self.deals = [
            max(self._deals(shard)[1] for shard in run.shards if shard.cell in unit.cells)
            for unit in self.about
        ]

    def sums(self) -> dict[tuple[int, str], Sums]:
        """Return the sums of each unit by its number and outcome."""
        seen: dict[tuple[int, str], Seen] = {}
        for number, part in read_all(self.run, self.about, self._seen):
            for name, each in part.items():
                if (number, name) in seen:
                    seen[number, name].merge(each)
                else:
                    seen[number, name] = each
        self.slots = {key: each.slots() for key, each in seen.items()}
        found = {key: Gathered(self.deals[key[0]]) for key in seen}
        for number, (first, tables) in read_all(self.run, self.about, self._columns):
            for name, table in tables.items():
                found[number, name].add(first, table)
        return {key: Sums(self.slots[key], each.table, each.deals) for key, each in found.items()}

    def _seen(self, number: int, shards: list[Any]) -> dict[str, Seen]:
        found = {name: Seen(self.styles[number], self.deals[number]) for name in OUTCOMES}
        for name, place, games in self._games(number, shards):
            found[name].add(place, games)
        return found

    def _columns(self, number: int, shards: list[Any]) -> tuple[int, dict[str, np.ndarray]]:
        """Return the number of the first deal, and columns by outcome."""
        firsts, lasts = zip(*map(self._deals, shards), strict=True)
        starts, deals = starts_of(self.styles[number]), max(lasts) - min(firsts)
        found = {name: Columns(self.slots[number, name], starts, deals) for name in OUTCOMES}
        for name, place, games in self._games(number, shards):
            found[name].add(place, games)
        return min(firsts), {name: each.table() for name, each in found.items()}

    def _games(self, number: int, shards: list[Any]) -> Iterator[tuple[str, int, Games]]:
        """Yield games with what is split and the place of their cell, one shard at a time."""
        unit = self.about[number]
        for shard in shards:
            cell = self.cells[shard.cell]
            found = games_of(self.run, shard, cell, unit, list(OUTCOMES))
            for name, games in found.items():
                yield name, unit.cells.index(shard.cell), games

    def _deals(self, shard: Any) -> tuple[int, int]:
        """Return the number of a shard's first deal, and of the one after its last."""
        cell = self.cells[shard.cell]
        turns = cell.players if cell.rotate else 1
        return shard.first // turns, (shard.first + shard.count) // turns


class Gathered:
    """Columns by deal, one after the other; in blocks of deals where there are very many."""

    def __init__(self, deals: int) -> None:
        self.deals, self.clusters = deals, min(deals, MOST_CLUSTERS)
        self.table = np.zeros((0, self.clusters))

    def add(self, first: int, part: np.ndarray) -> None:
        """Add the columns of deals from `first` on, [column, deal]."""
        if not len(self.table):
            self.table = np.zeros((len(part), self.clusters))
        places = np.arange(first, first + part.shape[1]) * self.clusters // self.deals
        np.add.at(self.table.T, places, part.T)


def split(cells: Sequence[Games]) -> Sums:
    """Return the sums of games in memory, a cell each."""
    styles, deals = [games.styles for games in cells], max(games.deals for games in cells)
    seen = Seen(styles, deals)
    for place, games in enumerate(cells):
        seen.add(place, games)
    columns = Columns(seen.slots(), starts_of(styles), deals)
    for place, games in enumerate(cells):
        columns.add(place, games)
    return Sums(seen.slots(), columns.table(), deals)
