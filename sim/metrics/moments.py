"""Sums over games or deals of everything that is averaged, read shard by shard.

A mean and its interval need, for each group of a unit, the sums and sums of squares over
independent clusters: games, or deals in round-robin cells, whose games share their luck (game g
of a cell has deal g // players, and cells share deals too, so a pool adds its cells up deal by
deal first). One pass over the shards gives them all; no more than a few shards are in memory.
"""

import math
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sim.metrics.clusters import Clusters, Tally, tally
from sim.metrics.tidy import Unit, sums_per_run, units

LENGTHS = ("turns", "rounds", "decisions")
MOST_WORKERS = 4
"""Each holds a shard; reading one is parallel in itself."""
PARTS = ("of_all", "of_ended", "of_seats")
"""All games, those that ended by rule, and the seats of these: the fields of `Moments`."""


def share_scale(players: int) -> int:
    """Return a number that makes every win share 1/k of a game whole, so that sums are exact."""
    return math.lcm(*range(1, players + 1))


def own_columns(game: Any, coded: bool) -> list[str]:
    """Return what the game's own columns of `games` measure: coded ones, or the numbers."""
    own = [column for column in game.game_columns if not column.key]
    return [column.name for column in own if column.coded == coded]


def score_parts(game: Any) -> list[str]:
    """Return the columns of `seats` that add up to the score."""
    return [column.name for column in game.seat_columns if column.score_part]


@dataclass(frozen=True)
class Moments:
    """The sums of a unit: of all its games, of those that ended by rule, and of their seats.

    A coded column stands as one variable for each of its names, `column=name`.
    """

    of_all: Tally
    of_ended: Tally
    of_seats: Tally

    def merge(self, other: "Moments") -> None:
        """Add the sums of other games of the same unit."""
        self.of_all.merge(other.of_all)
        self.of_ended.merge(other.of_ended)
        self.of_seats.merge(other.of_seats)


@sums_per_run
def moments(run: Any) -> list[Moments]:
    """Return the sums of every unit, in the order of `units`."""
    reader = Reader(run)
    found: dict[int, Moments] = {}
    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, MOST_WORKERS)) as workers:
        for part in workers.map(reader.read, reader.tasks()):
            for number, result in part.items():
                if number in found:
                    found[number].merge(result)
                else:
                    found[number] = result
    return [found[number] for number in range(len(units(run)))]


class Reader:
    """Reads shards into the sums of the units that they belong to.

    Columns of names are left out unless `coded`, but for end reasons.
    """

    def __init__(self, run: Any, coded: bool = True) -> None:
        self.run = run
        self.units = units(run)
        self.single = {unit.cell: number for number, unit in enumerate(self.units)}
        self.pools = {
            cell: number
            for number, unit in enumerate(self.units)
            if unit.cell is None
            for cell in unit.cells
        }
        names = run.scan("games").collect_schema()
        self.styles = list(run.scan("seats").collect_schema()["style"].categories)
        end = [("end_reason", name) for name in names["end_reason"].categories]
        columns = own_columns(run.game, True) if coded else []
        of_names = [(column, name) for column in columns for name in names[column].categories]
        self.of_all = self._columns([*LENGTHS, "truncated"], end)
        self.of_ended = self._columns(
            ["tied", "margin", "lead_changes", *own_columns(run.game, False)], of_names
        )
        self.of_seats = ["win_share", "score", *score_parts(run.game)]

    @staticmethod
    def _columns(plain: list[str], coded: list[tuple[str, str]]) -> dict[str, pl.Expr]:
        """Return columns of numbers by variable."""
        found = {name: pl.col(name) for name in plain}
        found |= {f"{column}={name}": pl.col(column) == name for column, name in coded}
        return {name: column.cast(pl.Float64).alias(name) for name, column in found.items()}

    def tasks(self) -> Iterator[list[Any]]:
        """Yield the shards to be read together: a pool's shards of one number, else each alone."""
        together: dict[tuple[int, int], list[Any]] = {}
        for shard in self.run.shards:
            if shard.cell in self.pools:
                together.setdefault((self.pools[shard.cell], shard.number), []).append(shard)
            else:
                yield [shard]
        yield from together.values()

    def read(self, shards: list[Any]) -> dict[int, Moments]:
        """Return the sums of some shards by unit."""
        found: dict[int, Moments] = {}
        pool = self.pools.get(shards[0].cell)
        pooled: list[Clusters] = []
        for shard in shards:
            number = self.single[shard.cell]
            parts = self._clusters(shard, self.units[number])
            found[number] = self._moments(self.units[number], parts)
            if pool is not None:
                parts[2] = _spread(parts[2], self.units[number], self.units[pool])
                pooled = [a + b for a, b in zip(pooled, parts, strict=True)] if pooled else parts
        if pool is not None:
            found[pool] = self._moments(self.units[pool], pooled)
        return found

    def together(self, number: int, shards: Iterable[tuple[Any, int]]) -> list[Clusters]:
        """Return the parts of a unit's games in shards that meet the same deals.

        With each shard goes how many of its games count, from the first on.
        """
        unit = self.units[number]
        total: list[Clusters] = []
        for shard, games in shards:
            cell = self.units[self.single[shard.cell]]
            parts = self._clusters(shard, cell, games)
            if unit.cell is None:
                parts[2] = _spread(parts[2], cell, unit)
            total = [a + b for a, b in zip(total, parts, strict=True)] if total else parts
        return total

    def names(self, unit: Unit) -> list[tuple[list[str], list[str]]]:
        """Return the variables and groups of each part of a unit's games."""
        return [
            (list(self.of_all), [""]),
            (list(self.of_ended), [""]),
            (self.of_seats, groups_of(unit)),
        ]

    def _moments(self, unit: Unit, parts: list[Clusters]) -> Moments:
        names = self.names(unit)
        return Moments(*(tally(*named, part) for named, part in zip(names, parts, strict=True)))

    def _clusters(self, shard: Any, unit: Unit, most: int | None = None) -> list[Clusters]:
        """Return all games, the ended ones, and their seats, added up for a cell's groups.

        `most` is how many games are read.
        """
        columns = [*self.of_all.values(), *self.of_ended.values()]
        most = shard.count if most is None else most
        games = self.scan("games", shard).select(columns).head(most).collect()
        size = unit.players if unit.rotate else 1
        ended = 1 - games["truncated"].to_numpy()
        ended = np.ones(1) if ended.all() else ended
        return [
            _by_cluster(games.select(list(self.of_all)), np.ones(1), size),
            _by_cluster(games.select(list(self.of_ended)), ended, size),
            self._seats(shard, unit, ended, size, most),
        ]

    def _seats(self, shard: Any, unit: Unit, ended: np.ndarray, size: int, most: int) -> Clusters:
        """Return the groups of each cluster; rows are stored game by game, seat by seat."""
        wide = size * unit.players
        columns = [pl.col("seat"), pl.col("style").to_physical()]
        columns += [pl.col(name).fill_null(0).cast(pl.Float64) for name in self.of_seats]
        rows = most * unit.players
        seats = self.scan("seats", shard).select(columns).head(rows).collect()
        places = self._places(seats, unit, wide)
        weights = np.repeat(ended, unit.players) if len(ended) > 1 else np.ones(wide)
        values = np.empty((len(self.of_seats), len(places), len(seats) // wide))
        for number, name in enumerate(self.of_seats):
            column = seats[name].to_numpy()
            if name == "win_share":
                column = np.rint(column * share_scale(unit.players))
            if len(ended) > 1:
                column = column * weights
            _add_up(column, places, wide, values[number])
        totals = np.empty((len(places), len(weights) // wide))
        _add_up(weights, places, wide, totals)
        return Clusters(values, totals)

    def _places(self, seats: pl.DataFrame, unit: Unit, wide: int) -> list[list[int]]:
        """Return which rows of a cluster belong to each group."""
        codes = seats["style"].to_numpy().reshape(-1, wide)
        order = seats["seat"].to_numpy().reshape(-1, unit.players)
        if not (codes == codes[0]).all() or not (order == np.arange(unit.players)).all():
            raise ValueError(f"cell {unit.cell}: seats are not stored game by game, seat by seat")
        places: dict[str, list[int]] = {group: [] for group in groups_of(unit)}
        for row, code in enumerate(codes[0]):
            for group in (f"seat {row % unit.players}", f"style {self.styles[code]}", "all"):
                if group in places:
                    places[group].append(row)
        return list(places.values())

    def scan(self, table: str, shard: Any) -> pl.LazyFrame:
        """Return a table of a shard."""
        from sim.store import table_file

        return pl.scan_parquet(
            table_file(self.run.folder, table, shard.cell, shard.number), glob=False
        )


def groups_of(unit: Unit) -> list[str]:
    """Return the groups of seats: each seat, each style if there are two, all seats."""
    styles = [f"style {style}" for style in unit.styles] if len(unit.styles) > 1 else []
    return [*(f"seat {seat}" for seat in range(unit.players)), *styles, "all"]


def _by_cluster(games: pl.DataFrame, weights: np.ndarray, size: int) -> Clusters:
    """Add up columns over each `size` games; weights [game], or [1] if every game counts."""
    values = games.to_numpy().T
    if len(weights) > 1:
        values = values * weights
        weights = weights.reshape(-1, size).sum(-1)
    else:
        weights = weights * size
    if size > 1:
        values = np.stack([values[:, start::size] for start in range(size)]).sum(0)
    return Clusters(values[:, None, :], weights[None, :])


def _add_up(column: np.ndarray, places: list[list[int]], wide: int, out: np.ndarray) -> None:
    """Sum the rows of each group in every cluster of `wide` rows; out is [group, cluster].

    Not a matrix product: its threads would compete with those that read shards.
    """
    rows = np.ascontiguousarray(column.reshape(-1, wide).T)
    for total, place in zip(out, places, strict=True):
        np.sum(rows[place], axis=0, out=total)


def _spread(parts: Clusters, cell: Unit, pool: Unit) -> Clusters:
    """Return a cell's groups among those of its pool, empty where the cell lacks a style."""
    there = [groups_of(pool).index(group) for group in groups_of(cell)]
    values = np.zeros((len(parts.values), len(groups_of(pool)), parts.count))
    values[:, there] = parts.values
    weights = np.zeros((len(groups_of(pool)), parts.weights.shape[-1]))
    weights[there] = parts.weights
    return Clusters(values, weights)
