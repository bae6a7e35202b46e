"""What came of each seating of a deal: arrays of a shard by deal, turn of the line-up, and seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.metrics.blocks import Block
from sim.metrics.tidy import Unit


@dataclass(frozen=True)
class Games:
    """Games of a cell, deal by deal: every turn of a rotated line-up, else one game.

    `values` [deal, turn, seat] is an outcome in whole numbers, `ended` [deal, turn] tells which
    games ended by rule, `styles` [turn, seat] who sat where, `first` is the number of the first
    deal. What did not end counts for nothing.
    """

    values: np.ndarray
    ended: np.ndarray
    styles: np.ndarray
    first: int = 0

    @property
    def deals(self) -> int:
        """How many deals."""
        return len(self.values)


def seating(cell: Any, styles: Sequence[str]) -> np.ndarray:
    """Return which of the styles sits where, [turn, seat]."""
    turns = np.arange(cell.players if cell.rotate else 1)
    places = (np.arange(cell.players) + turns[:, None]) % cell.players
    codes = np.array([styles.index(name) for name in cell.styles])
    return codes[places]


def games_of(
    run: Any, shard: Any, cell: Any, unit: Unit, outcomes: Sequence[str]
) -> dict[str, Games]:
    """Return the games of a shard for some outcomes: "score", and "win" in whole win shares.

    Styles are codes among those of the unit; a win counts `moments.share_scale`.
    """
    block = Block(run, shard, cell, unit, None)
    columns = {"score": "score", "win": "win_share"}
    found = block.read("seats", "truncated", *(columns[name] for name in outcomes))
    shape = (-1, block.size, block.players)
    ended = found["truncated"].reshape(shape)[..., 0] == 0
    who, first = seating(cell, unit.styles), shard.first // block.size
    if "win_share" in found:
        found["win_share"] = block.in_whole_wins(found["win_share"])
    return {
        name: Games(found[columns[name]].reshape(shape) * ended[..., None], ended, who, first)
        for name in outcomes
    }
