"""A shard of Tag City as arrays: games, seats, elements and the sampled squares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim.games.tag_city.events import SPACES
from sim.metrics import blocks
from sim.metrics.blocks import categories


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

    return Names(
        categories(run, "elements", "element"),
        categories(run, "elements", "layer"),
        [name for name in categories(run, "shapes", "shape") if name != "none"],
        categories(run, "seats", "style"),
        categories(run, "games", "end_reason"),
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
class Block(blocks.Block):
    """The games of a shard; arrays are [game], [game, seat] or [game, element]."""

    names: Names

    @property
    def ring(self) -> np.ndarray:
        """Shapes on the ring, [game, space]."""
        return np.stack([self.games[f"ring_{space}"] for space in range(SPACES)], axis=1)

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
