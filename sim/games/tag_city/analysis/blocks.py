"""A shard of Tag City as arrays: games, seats, elements and the sampled squares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sim.games.tag_city.events import SPACES
from sim.metrics.moments import share_scale
from sim.metrics.tidy import Unit


@dataclass(frozen=True)
class Names:
    """What the codes of a run's columns stand for, and the most squares of a city."""

    elements: list[str]
    layers: list[str]
    shapes: list[str]
    styles: list[str]
    ends: list[str]
    squares: int


def names_of(run: Any) -> Names:
    """Return the names behind the codes of a run."""

    def categories(table: str, column: str) -> list[str]:
        return list(run.scan(table).collect_schema()[column].categories)

    return Names(
        categories("elements", "element"),
        categories("elements", "layer"),
        [name for name in categories("shapes", "shape") if name != "none"],
        categories("seats", "style"),
        categories("games", "end_reason"),
        max(squares_of(cell) for cell in run.plan.cells),
    )


def squares_of(cell: Any) -> int:
    """Return how many squares the city of a cell has."""
    return sum(len(line) for line in city_lines(cell.components, cell.rulings))


def city_lines(components: Any, rulings: Any) -> list[str]:
    """Return the lines of the drawing of the city in use."""
    from sim.games.tag_city.components import city_rows

    return city_rows(components["cities"][rulings["city"]]["drawing"])


@dataclass(frozen=True)
class Block:
    """The games of a shard; `size` of them in a row share their luck.

    Arrays are [game], [game, seat] or [game, element]; codes index `Names`.
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
        # numbers that can be negative, whole ones exact
        return {
            name: column.to_numpy().astype(float if column.dtype.is_float() else np.int64)
            for name, column in zip(columns, found.iter_columns(), strict=True)
        }

    @cached_property
    def games(self) -> dict[str, np.ndarray]:
        """Columns of `games`, [game]; `ring` [game, space]."""
        rings = [f"ring_{space}" for space in range(SPACES)]
        wanted = ("truncated", "tied", "margin", "rounds", "end_reason", "shared_larges")
        found = self.read("games", *wanted, *rings)
        return found | {"ring": np.stack([found.pop(name) for name in rings], axis=1)}

    @cached_property
    def ended(self) -> np.ndarray:
        """1.0 for each game that ended by rule, else 0.0; [game]."""
        return 1.0 - self.games["truncated"]

    @cached_property
    def seats(self) -> dict[str, np.ndarray]:
        """Columns of `seats`, [game, seat]."""
        wanted = ("style", "score", "win_share", *SEAT_POINTS, *SEAT_COUNTS)
        found = self.read("seats", "seat", *wanted)
        if not (found["seat"].reshape(-1, self.players) == np.arange(self.players)).all():
            raise ValueError(f"cell {self.shard.cell}: seats are not stored game by game")
        return {name: column.reshape(-1, self.players) for name, column in found.items()}

    @cached_property
    def elements(self) -> dict[str, np.ndarray]:
        """Columns of `elements`, [game, element]."""
        wanted = (
            *("element", "layer", "squares", "large", "small", "large_takers", "large_round"),
            *("large_last_die", "small_takers", "large_win_share"),
        )
        found = self.read("elements", *wanted)
        shape = (len(self.ended), -1)
        found = {name: column.reshape(shape) for name, column in found.items()}
        if not (found["element"] == found["element"][0]).all():
            raise ValueError(f"cell {self.shard.cell}: elements are not stored game by game")
        return found

    @cached_property
    def squares(self) -> dict[str, np.ndarray]:
        """Columns of the sampled `squares`; `round` [sampled game, seat, square], 0 if free.

        `at` [sampled game] counts the game from the shard's first.
        """
        found = self.read("squares", "game", "round")
        shape = (-1, self.players, squares_of(self.cell))
        game = found["game"].reshape(shape)[:, 0, 0]
        return {"round": found["round"].reshape(shape), "at": game - self.shard.first}

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares in whole parts of `share_scale`, [game, seat]."""
        return np.rint(self.seats["win_share"] * share_scale(self.players))


SEAT_POINTS = (
    *("row_large", "row_small", "column_large", "column_small"),
    *("neighborhood_large", "neighborhood_small", "drone_points", "bubble_points", "last_points"),
)
SEAT_COUNTS = (
    *("squares", "holes", "drawings", "drones", "bubbles", "checks"),
    *("turns_led", "draft_place"),
)
