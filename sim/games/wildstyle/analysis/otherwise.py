"""What tiles would be worth in finished games if their points were others, and nobody knew."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl

from sim.games.wildstyle.analysis import gather
from sim.games.wildstyle.analysis.blocks import TIE_BREAK, Block, names_of
from sim.metrics import themes
from sim.metrics.estimates import ratio_rows, wins_scale
from sim.metrics.rescored import shares_with
from sim.metrics.tidy import finish


@dataclass(frozen=True)
class _Otherwise(Block):
    """Games whose tiles gave so many times their points."""

    factors: ClassVar[np.ndarray]
    """By what the points of each side are multiplied, [side]."""

    @cached_property
    def tiles(self) -> dict[str, np.ndarray]:
        """Columns of `objectives`, [game, seat, tile]; `played` are the points as they were."""
        found = dict(super().tiles)
        points = np.rint(found["points"] * self.factors[found["side"]])
        return found | {"points": points, "played": found["points"]}

    @cached_property
    def standing(self) -> np.ndarray:
        """Score and tie-break with other points; [game, seat]."""
        change = (self.tiles["points"] - self.tiles["played"]).sum(2)
        return super().standing + TIE_BREAK * change

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares with other points in whole parts of `share_scale`, [game, seat]."""
        return shares_with(self.standing, np.zeros((*self.standing.shape, 1)))[:, :, 0]


def otherwise(run: Any, factors: Mapping[str, float]) -> pl.DataFrame:
    """Return `objective.points` and `objective.win_worth` had sides given so many times the points.

    `factors` is by side. Games are scored again, not played again.
    """
    names = names_of(run)
    by_side = np.array([factors.get(side, 1.0) for side in names.sides])

    class Otherwise(_Otherwise):
        factors = by_side

    found = themes.gathered(run, names, Otherwise, lambda block: {"sides": gather.sides})
    at = {name: number for number, name in enumerate(gather.SIDE)}
    frames = [
        ratio_rows(
            *(found.of("sides"), f"objective.{metric}", names.sides),
            (at[column], at["seats"], at["games"]),
            scale=scale,
        )
        for metric, column, scale in (
            ("points", "points", lambda unit: 1.0),
            ("win_worth", "worth", wins_scale),
        )
    ]
    return finish(run, frames)
