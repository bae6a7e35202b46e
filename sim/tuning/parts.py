"""What parts of a score are worth, for any game: points, and the wins that seats owe to them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from sim.metrics import themes
from sim.metrics.blocks import Block
from sim.metrics.estimates import ratio_rows, wins_scale
from sim.metrics.rescored import shares_with
from sim.metrics.tidy import finish

PART = ("games", "seats", "points", "worth", "steeper")
"""Of a part: its `points`, the win shares that seats owe to them, and the win shares between one
point less and one more for a seat; the last two in parts of `share_scale`."""


def part_rows(
    run: Any, parts: Mapping[str, tuple[str, ...]], factors: Mapping[str, float] | None = None
) -> pl.DataFrame:
    """Return for each name in `parts`, which lists columns of `seats` (group NAME; n is games):

    - `part.points`: mean points a seat;
    - `part.win_worth`: win share that a seat owes to them: its share, minus its share had it alone
      not scored them;
    - `part.win_per_point`: half of what a seat wins more with one point more than with one less.

    With `factors` games are scored again, the points of these parts multiplied. Ties of scores are
    shared, whatever the game does about them. Games that were cut off are left out.
    """

    def theme(block: Block) -> np.ndarray:
        return _values(block, parts, factors or {})

    found = themes.gathered(run, tuple(parts), Block, lambda block: {"parts": theme})
    at = {name: number for number, name in enumerate(PART)}
    frames = [
        ratio_rows(
            *(found.of("parts"), f"part.{metric}", tuple(parts)),
            (at[column], at["seats"], at["games"]),
            scale=scale,
        )
        for metric, column, scale in (
            ("points", "points", lambda unit: 1.0),
            ("win_worth", "worth", wins_scale),
            ("win_per_point", "steeper", lambda unit: 2 * wins_scale(unit)),
        )
    ]
    return finish(run, frames)


def _values(
    block: Block, parts: Mapping[str, tuple[str, ...]], factors: Mapping[str, float]
) -> np.ndarray:
    seats = block.seats
    own: dict[str, np.ndarray] = {
        name: np.sum([seats[column] for column in columns], axis=0)
        for name, columns in parts.items()
    }
    score = seats["score"].astype(float)
    for name, factor in factors.items():
        points = np.rint(factor * own[name])
        score = score + points - own[name]
        own[name] = points
    bonus = np.stack([np.zeros_like(score), np.ones_like(score), -np.ones_like(score)], axis=2)
    now, more, less = np.moveaxis(shares_with(score, bonus), 2, 0)
    steeper = (more - less).sum(1)
    count = np.ones(len(score))
    columns = []
    for points in own.values():
        without = shares_with(score, -np.asarray(points, float)[:, :, None])[:, :, 0]
        worth = (now - without).sum(1)
        columns.append(np.stack([count, count * block.players, points.sum(1), worth, steeper]))
    return np.stack(columns) * block.ended
