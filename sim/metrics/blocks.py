"""A shard of a run as arrays, game by game: what a game's own sums are made from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sim.metrics.moments import share_scale
from sim.metrics.tidy import Unit


def categories(run: Any, table: str, column: str) -> list[str]:
    """Return the names behind the codes of a column."""
    return list(run.scan(table).collect_schema()[column].categories)


@dataclass(frozen=True)
class Block:
    """The games of a shard; `size` of them in a row share their luck.

    Arrays are [game] or [game, seat]; codes index what `names` lists.
    """

    run: Any
    shard: Any
    cell: Any
    unit: Unit
    names: Any

    @property
    def players(self) -> int:
        """How many seats."""
        return int(self.cell.players)

    @property
    def size(self) -> int:
        """How many games a cluster has."""
        return self.players if self.cell.rotate else 1

    def read(self, table: str, *columns: str) -> dict[str, np.ndarray]:
        """Return columns of a table (all but `cell` if none is named), names as codes.

        Numbers are int64 or float64, nothing is 0.
        """
        from sim.store import table_file

        path = table_file(self.run.folder, table, self.shard.cell, self.shard.number)
        scan = pl.scan_parquet(path, glob=False)
        kinds = scan.collect_schema()
        names = columns or [name for name in kinds if name != "cell"]
        wanted = [
            pl.col(name).to_physical() if isinstance(kinds[name], pl.Enum) else pl.col(name)
            for name in names
        ]
        found = scan.select(wanted).fill_null(0).collect()
        return {
            name: column.to_numpy().astype(float if column.dtype.is_float() else np.int64)
            for name, column in zip(names, found.iter_columns(), strict=True)
        }

    @cached_property
    def games(self) -> dict[str, np.ndarray]:
        """Columns of `games`, [game]."""
        return self.read("games")

    @cached_property
    def seats(self) -> dict[str, np.ndarray]:
        """Columns of `seats`, [game, seat]."""
        found = {
            name: column.reshape(-1, self.players) for name, column in self.read("seats").items()
        }
        if not (found["seat"] == np.arange(self.players)).all():
            raise ValueError(f"cell {self.shard.cell}: seats are not stored game by game")
        return found

    @cached_property
    def ended(self) -> np.ndarray:
        """1.0 for each game that ended by rule, else 0.0; [game]."""
        return 1.0 - self.games["truncated"]

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares in whole parts of `share_scale`, [game, seat]."""
        return self.in_whole_wins(self.seats["win_share"])

    def in_whole_wins(self, shares: np.ndarray) -> np.ndarray:
        """Return win shares in whole parts of `share_scale`."""
        return np.rint(shares * share_scale(self.players))
