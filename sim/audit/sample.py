"""Which games of a run are refereed: drawn at random, spread over all cells."""

import random
from collections.abc import Sequence

from sim.plan import Cell


def drawn(cells: Sequence[Cell], games: int, seed: int) -> dict[int, list[int]]:
    """Return which games of each cell are refereed, by the cell's number, ascending.

    Every cell has as many as any other, or one more; a cell with too few games has all of them
    and the others the rest. Of the seed and the sizes of cells alone, so the same anywhere.
    """
    shares = _shares([cell.games for cell in cells], games, random.Random(f"{seed}: cells"))
    return {
        cell.index: sorted(random.Random(f"{seed}: {cell.index}").sample(range(cell.games), share))
        for cell, share in zip(cells, shares, strict=True)
        if share
    }


def _shares(sizes: list[int], wanted: int, rng: random.Random) -> list[int]:
    """Return how many games each cell gives."""
    shares = [0] * len(sizes)
    left = min(wanted, sum(sizes))
    while left:
        open_cells = [number for number, size in enumerate(sizes) if shares[number] < size]
        each = left // len(open_cells)
        if each == 0:
            open_cells, each = rng.sample(open_cells, left), 1
        for number in open_cells:
            more = min(each, sizes[number] - shares[number])
            shares[number] += more
            left -= more
    return shares
