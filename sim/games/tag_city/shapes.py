"""Where shapes can be drawn: every distinct placement of every shape in a city, as bit sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim.games.tag_city.components import MAX_CELLS, MAX_SQUARES, Cells

WORD = 64
LAYERS = 3


@dataclass(frozen=True)
class Placements:
    """All placements of some shapes; placement p is bit p % 64 of word p // 64.

    Each shape begins at a whole word, `words[shape]` .. `words[shape + 1]`; a bit that is no
    placement is never set in `real`. A part is what a placement covers of one layer (rows, columns
    or neighborhoods): elements with how many squares of each; placements share their parts. Parts
    are numbered by layer, then by how many elements they touch; padding has a part that touches
    none.
    """

    words: np.ndarray
    """int64 [shapes + 1]"""
    real: np.ndarray
    """uint64 [words]"""
    mask: np.ndarray
    """uint64 [placements, 2]: the squares covered"""
    squares: np.ndarray
    """uint8 [placements, MAX_CELLS], ascending"""
    cover: np.ndarray
    """uint64 [squares, words]: the placements that cover a square"""
    part: np.ndarray
    """uint16 [placements, 3]"""
    part_layer: np.ndarray
    """uint8 [parts]"""
    part_elements: np.ndarray
    """uint8 [parts, MAX_CELLS]: elements, ascending"""
    part_counts: np.ndarray
    """uint8 [parts, MAX_CELLS]: squares of each, 0 beyond the last"""
    part_shapes: np.ndarray
    """uint32 [parts]: bit set of the shapes with a placement of this part"""


def orientations(cells: Cells) -> list[Cells]:
    """Return the distinct rotations and reflections of a shape, moved to the top left corner."""
    found = set()
    for flipped in (cells, tuple((row, -column) for row, column in cells)):
        turned = flipped
        for _ in range(4):
            turned = tuple((column, -row) for row, column in turned)
            top = min(row for row, _ in turned)
            left = min(column for _, column in turned)
            found.add(tuple(sorted((row - top, column - left) for row, column in turned)))
    return sorted(found)


def placements_of(cells: Cells, rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return the squares of every distinct placement on an empty board, ascending."""
    found = []
    for turned in orientations(cells):
        height = 1 + max(row for row, _ in turned)
        width = 1 + max(column for _, column in turned)
        for top in range(rows - height + 1):
            found += [
                tuple((top + r) * columns + left + c for r, c in turned)
                for left in range(columns - width + 1)
            ]
    return found


@lru_cache(maxsize=32)
def placements(
    shapes: tuple[Cells | None, ...], rows: int, columns: int, elements: tuple[tuple[int, ...], ...]
) -> Placements:
    """Return all placements of the shapes; None stands for a shape that is not in play.

    `elements[layer][square]` is the element of a square in that layer.
    """
    words = [0]
    real: list[int] = []
    drawn: list[tuple[int, ...]] = []
    owners: list[int] = []
    for shape, cells in enumerate(shapes):
        own = placements_of(cells, rows, columns) if cells else []
        padding = -len(own) % WORD
        bits = (1 << len(own)) - 1
        real += [bits >> shift & (2**WORD - 1) for shift in range(0, len(own), WORD)]
        drawn += own + [()] * padding
        owners += [shape] * (len(own) + padding)
        words.append(len(real))
    parts = _parts(drawn, owners, elements)
    return Placements(
        np.array(words, np.int64),
        np.array(real, np.uint64),
        _masks(drawn),
        _padded(drawn),
        _cover(drawn, len(real)),
        *parts,
    )


def _masks(drawn: Sequence[tuple[int, ...]]) -> np.ndarray:
    masks = [sum(1 << square for square in squares) for squares in drawn]
    halves = [(mask & (2**WORD - 1), mask >> WORD) for mask in masks]
    return np.array(halves, np.uint64).reshape(-1, 2)


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    padded = [[*row, *[0] * (MAX_CELLS - len(row))] for row in rows]
    return np.array(padded, np.uint8).reshape(-1, MAX_CELLS)


def _cover(drawn: Sequence[tuple[int, ...]], words: int) -> np.ndarray:
    cover = np.zeros((MAX_SQUARES, words), np.uint64)
    for placement, squares in enumerate(drawn):
        for square in squares:
            cover[square, placement // WORD] |= np.uint64(1 << placement % WORD)
    return cover


def _parts(
    drawn: Sequence[tuple[int, ...]], owners: Sequence[int], elements: Sequence[Sequence[int]]
) -> tuple[np.ndarray, ...]:
    """Return part, part_layer, part_elements, part_counts, part_shapes of `Placements`."""
    numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    shapes: list[int] = []
    part = np.zeros((len(drawn), LAYERS), np.uint16)
    for layer in range(LAYERS):
        for placement, squares in enumerate(drawn):
            counts: dict[int, int] = {}
            for square in squares:
                element = elements[layer][square]
                counts[element] = counts.get(element, 0) + 1
            number = numbers.setdefault((layer, tuple(sorted(counts.items()))), len(numbers))
            if number == len(shapes):
                shapes.append(0)
            if squares:
                shapes[number] |= 1 << owners[placement]
            part[placement, layer] = number
    found = sorted(numbers, key=lambda known: (known[0], len(known[1]), known[1]))
    order = np.array([numbers[known] for known in found], np.int64)
    place = np.empty(len(order), np.uint16)
    place[order] = np.arange(len(order))
    return (
        place[part],
        np.array([layer for layer, _ in found], np.uint8),
        _padded([[element for element, _ in pairs] for _, pairs in found]),
        _padded([[count for _, count in pairs] for _, pairs in found]),
        np.array(shapes, np.uint32)[order],
    )
