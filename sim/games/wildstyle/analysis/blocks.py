"""A shard of Wildstyle as arrays: games, seats, tiles, rounds and the sampled tags."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sim.games.wildstyle.analysis.rescored import shares_with
from sim.metrics.moments import share_scale
from sim.metrics.tidy import Unit

TIE_BREAK = 1024
"""More cop cars than anybody takes: a point outweighs them all in `Block.standing`."""


@dataclass(frozen=True)
class Names:
    """What the codes of a run's columns stand for, and the largest of what is counted."""

    sides: list[str]
    styles: list[str]
    sets: list[str]
    icons: list[str]
    ends: list[str]
    fates: list[str]
    rounds: int
    hexes: int


def names_of(run: Any) -> Names:
    """Return the names behind the codes of a run."""
    from sim.games.wildstyle.hexmap import hexes_in

    def categories(table: str, column: str) -> list[str]:
        return list(run.scan(table).collect_schema()[column].categories)

    return Names(
        categories("objectives", "side"),
        categories("seats", "style"),
        categories("games", "tile_set"),
        categories("tags", "icon"),
        categories("rounds", "end"),
        categories("tags", "fate"),
        max(cell.components["numbers"]["rounds"] for cell in run.plan.cells),
        max(cell.players * hexes_in(cell.rulings["board_radius"]) for cell in run.plan.cells),
    )


@dataclass(frozen=True)
class Block:
    """The games of a shard; `size` of them in a row share their luck.

    Arrays are [game], [game, seat], [game, seat, tile] or [game, round]; codes index `Names`.
    """

    run: Any
    shard: Any
    cell: Any
    unit: Unit
    names: Names

    @property
    def players(self) -> int:
        """How many seats."""
        return int(self.cell.players)

    @property
    def size(self) -> int:
        """How many games a cluster has."""
        return self.players if self.cell.rotate else 1

    def read(self, table: str, *columns: str) -> dict[str, np.ndarray]:
        """Return columns of a table, names as codes, nothing as 0."""
        from sim.store import table_file

        path = table_file(self.run.folder, table, self.shard.cell, self.shard.number)
        scan = pl.scan_parquet(path, glob=False)
        kinds = scan.collect_schema()
        wanted = [
            pl.col(name).to_physical() if isinstance(kinds[name], pl.Enum) else pl.col(name)
            for name in columns
        ]
        found = scan.select(wanted).fill_null(0).collect()
        return {name: found[name].to_numpy() for name in columns}

    @cached_property
    def games(self) -> dict[str, np.ndarray]:
        """Columns of `games`, [game]."""
        return self.read("games", "game", "truncated", "tied", "margin", "tile_set", "icons_full")

    @cached_property
    def ended(self) -> np.ndarray:
        """1.0 for each game that ended by rule, else 0.0; [game]."""
        return 1.0 - self.games["truncated"]

    @cached_property
    def seats(self) -> dict[str, np.ndarray]:
        """Columns of `seats` as numbers that can be negative, [game, seat]."""
        counted = ("placed", "lost_to_cars", "lost_solo", "cop_cars", "acts", "fumbles", "waits")
        found = self.read("seats", "seat", "style", "score", "win_share", *counted)
        if not (found["seat"].reshape(-1, self.players) == np.arange(self.players)).all():
            raise ValueError(f"cell {self.shard.cell}: seats are not stored game by game")
        return {
            name: (column if name == "win_share" else column.astype(np.int64)).reshape(
                -1, self.players
            )
            for name, column in found.items()
        }

    @cached_property
    def tiles(self) -> dict[str, np.ndarray]:
        """Columns of `objectives`, [game, seat, tile]."""
        wanted = ("side", "points", "completed", "tags", "before", "possible")
        found = self.read("objectives", "seat", *wanted)
        shape = (len(self.ended), self.players, -1)
        seats = found["seat"].reshape(shape)
        if not (seats == np.arange(self.players)[:, None]).all():
            raise ValueError(f"cell {self.shard.cell}: objectives are not stored seat by seat")
        return {name: found[name].astype(np.int64).reshape(shape) for name in wanted}

    @cached_property
    def rounds(self) -> dict[str, np.ndarray]:
        """Columns of `rounds`, [game, round]."""
        wanted = ("end", "seconds", "acts", "fumbles", "rushed")
        found = self.read("rounds", *wanted)
        return {name: found[name].reshape(len(self.ended), -1) for name in wanted}

    @cached_property
    def tags(self) -> dict[str, np.ndarray]:
        """Columns of the sampled `tags`, [sampled game, seat, tag]; `at` [sampled game] counts
        the game from the shard's first."""
        wanted = ("hex", "icon", "round", "fate")
        found = self.read("tags", "game", *wanted)
        each = self.players * self.cell.components["numbers"]["rounds"]
        each *= self.cell.components["numbers"]["tags_each_round"]
        shape = (len(found["game"]) // each, self.players, each // self.players)
        known = {name: found[name].astype(np.int64).reshape(shape) for name in wanted}
        at = found["game"].reshape(shape)[:, 0, 0].astype(np.int64) - self.shard.first
        return known | {"at": at}

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares in whole parts of `share_scale`, [game, seat]."""
        return np.rint(self.seats["win_share"] * share_scale(self.players))

    @cached_property
    def standing(self) -> np.ndarray:
        """Score and tie-break in one number, the highest of a game wins; [game, seat]."""
        return self.seats["score"] * TIE_BREAK - self.seats["cop_cars"]

    @cached_property
    def steeper(self) -> np.ndarray:
        """By how much seats win more with one point more than with one less, summed; [game]."""
        bonus = np.array([TIE_BREAK, -TIE_BREAK])
        both = shares_with(self.standing, np.broadcast_to(bonus, (*self.standing.shape, 2)))
        return (both[:, :, 0] - both[:, :, 1]).sum(1)
