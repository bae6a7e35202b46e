"""A shard of Wildstyle as arrays: games, seats, tiles, rounds and the sampled tags."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim.metrics import blocks
from sim.metrics.blocks import categories
from sim.metrics.rescored import shares_with

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

    return Names(
        categories(run, "objectives", "side"),
        categories(run, "seats", "style"),
        categories(run, "games", "tile_set"),
        categories(run, "tags", "icon"),
        categories(run, "rounds", "end"),
        categories(run, "tags", "fate"),
        max(cell.components["numbers"]["rounds"] for cell in run.plan.cells),
        max(cell.players * hexes_in(cell.rulings["board_radius"]) for cell in run.plan.cells),
    )


@dataclass(frozen=True)
class Block(blocks.Block):
    """The games of a shard.

    Arrays are [game], [game, seat], [game, seat, tile] or [game, round].
    """

    names: Names

    @cached_property
    def tiles(self) -> dict[str, np.ndarray]:
        """Columns of `objectives`, [game, seat, tile]."""
        wanted = ("side", "points", "completed", "tags", "before", "possible")
        found = self.read("objectives", "seat", *wanted)
        shape = (len(self.ended), self.players, -1)
        seats = found["seat"].reshape(shape)
        if not (seats == np.arange(self.players)[:, None]).all():
            raise ValueError(f"cell {self.shard.cell}: objectives are not stored seat by seat")
        return {name: found[name].reshape(shape) for name in wanted}

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
        known = {name: found[name].reshape(shape) for name in wanted}
        at = found["game"].reshape(shape)[:, 0, 0] - self.shard.first
        return known | {"at": at}

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
