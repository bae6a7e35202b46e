"""Seats of a game held against each other: by group, and by least squares within the game."""

from collections.abc import Iterable, Sequence

import numpy as np

from sim.metrics.blocks import Block
from sim.metrics.moments import share_scale
from sim.metrics.totals import squares

HELD = ("seats", "wins", "score", "of")
"""Of the seats of a group; `of` are all seats."""
OUTCOMES = ("win", "score")
"""What regressions explain."""


def held(block: Block, group: np.ndarray, groups: int) -> np.ndarray:
    """Return `HELD` of each group, [group, column, game].

    `group` is [game, seat]; outside 0 .. groups-1 it is nobody's.
    """
    those = group[None] == np.arange(groups)[:, None, None]
    count = those.sum(-1)
    columns = (
        count,
        (those * block.wins).sum(-1),
        (those * block.seats["score"]).sum(-1),
        np.full_like(count, block.players),
    )
    return np.stack(columns, axis=1) * block.ended


def of_styles(block: Block, values: np.ndarray, styles: int) -> np.ndarray:
    """Return columns added up over all seats, then over those of each style.

    `values` is [column, game, seat], the result [1 + style, column, game].
    """
    style = block.seats["style"]
    parts = (values, *(values * (style == code) for code in range(styles)))
    return np.stack([part.sum(-1) for part in parts]) * block.ended


def seats_but_first(block: Block) -> list[np.ndarray]:
    """Return a variable for each seat but the first: 1 there; [game, seat] each."""
    shape = (len(block.ended), block.players)
    return [np.broadcast_to(seat == np.arange(shape[1]), shape) for seat in range(1, shape[1])]


def styles_but_first(block: Block, styles: Sequence[str]) -> list[np.ndarray]:
    """Return a variable for each style of the unit but the first; `styles` lists their codes."""
    style = block.seats["style"]
    return [style == styles.index(name) for name in block.unit.styles[1:]]


def regressed(block: Block, x: Iterable[np.ndarray]) -> np.ndarray:
    """Return what regressions of win share and score within the game need (`squares`, then 1).

    The result is [outcome, column, game]. Variables are [game, seat]; they and the outcomes are
    centred within the game.
    """
    won = block.wins / share_scale(block.players)
    inner = np.stack([centred(part) for part in x])
    found = np.stack([squares(inner, centred(y)) for y in (won, block.seats["score"])])
    return with_ones(found) * block.ended


def with_ones(sums: np.ndarray) -> np.ndarray:
    """Add a column that counts games to [..., column, game]."""
    return np.concatenate([sums, np.ones((*sums.shape[:-2], 1, sums.shape[-1]))], axis=-2)


def centred(values: np.ndarray) -> np.ndarray:
    """Return values less their mean over the seats of the game, [..., game, seat]."""
    values = values.astype(float)
    return values - values.mean(-1, keepdims=True)
