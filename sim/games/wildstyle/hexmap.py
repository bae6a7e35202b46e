"""The city map as hexes: districts, their arrangement and turning, neighbours and figures.

Axial coordinates (q, r): a step along q is a step to the right, a step along r is a step to the
lower right. The hexes of a district have a fixed order; hex i of the district at position d has
the number d * H + i on the map, H hexes a district.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

Cell = tuple[int, int]

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours of (0, 0); a turn of 60 degrees takes each to the next."""

POSITIONS = {
    2: ((0, 0), (1, 0)),
    3: ((0, 0), (1, 0), (0, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0, 1), (1, 1), (-1, 1)),
}
"""Where the districts lie for each number of players, in steps of the lattice of districts."""


def hexes_in(radius: int) -> int:
    """Return how many hexes a district of this radius has."""
    return 1 + 3 * radius * (radius + 1)


@cache
def district_cells(radius: int) -> list[Cell]:
    """Return the cells of a district around (0, 0), by (r, q): row by row from the top."""
    rows = range(-radius, radius + 1)
    return [
        (q, r) for r in rows for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    ]


def turned(cell: Cell, turns: int) -> Cell:
    """Return where a cell goes when the plane turns about (0, 0), 60 degrees at a time."""
    q, r = cell
    for _ in range(turns % 6):
        q, r = -r, q + r
    return q, r


def centres(players: int, radius: int) -> list[Cell]:
    """Return the middle cell of each district on the map (City Map Setup)."""
    return [
        (a * (2 * radius + 1) + b * radius, -a * radius + b * (radius + 1))
        for a, b in POSITIONS[players]
    ]


@dataclass(frozen=True, eq=False)
class CityMap:
    """The hexes of a map, N = players * size; its arrays are shared and cannot be written to."""

    players: int
    radius: int
    size: int
    """Hexes a district, H."""
    cells: list[Cell]
    """(q, r) of each hex."""
    district: np.ndarray
    """int16 [N]: position of the district that the hex belongs to."""
    neighbours: np.ndarray
    """int16 [N, 6]: the hex next to it in each of DIRECTIONS, -1 outside the map."""
    border: np.ndarray
    """bool [N]: shares an edge with a hex of another district."""
    index: dict[Cell, int]
    """The hex at (q, r)."""


@cache
def city_map(players: int, radius: int) -> CityMap:
    """Return the map for so many players, with a district of this radius for each."""
    cells = [
        (q0 + q, r0 + r) for q0, r0 in centres(players, radius) for q, r in district_cells(radius)
    ]
    size = hexes_in(radius)
    index = {cell: number for number, cell in enumerate(cells)}
    district = np.repeat(np.arange(players, dtype=np.int16), size)
    neighbours = np.array(
        [[index.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in cells], np.int16
    )
    abroad = district[neighbours] != district[:, None]
    border = (abroad & (neighbours >= 0)).any(axis=1)
    for array in (district, neighbours, border):
        array.setflags(write=False)
    return CityMap(players, radius, size, cells, district, neighbours, border, index)


def triangles(city: CityMap, side: int) -> np.ndarray:
    """Return every triangle with so many hexes a side, int16 [figures, side (side + 1) / 2]."""
    shape = [(i, j) for i in range(side) for j in range(side - i)]
    return _figures(city, [shape, [(-i, -j) for i, j in shape]])


def hexagons(city: CityMap, radius: int) -> np.ndarray:
    """Return every filled hexagon of this radius, int16 [figures, 1 + 3 radius (radius + 1)]."""
    return _figures(city, [district_cells(radius)])


def lines(city: CityMap, length: int) -> np.ndarray:
    """Return every run of so many hexes in one of three directions, int16 [figures, length]."""
    return _figures(city, [[(i * q, i * r) for i in range(length)] for q, r in DIRECTIONS[:3]])


def _figures(city: CityMap, shapes: Iterable[Sequence[Cell]]) -> np.ndarray:
    """Return the hexes of each shape at each place where it fits on the map.

    Each figure is sorted; the figures are in lexicographic order, none twice.
    """
    found = set()
    width = 0
    for shape in shapes:
        width = len(shape)
        for q0, r0 in city.cells:
            hexes = [city.index.get((q0 + q, r0 + r), -1) for q, r in shape]
            if min(hexes) >= 0:
                found.add(tuple(sorted(hexes)))
    return np.array(sorted(found), np.int16).reshape(len(found), width)


def nearest_turns(city: CityMap, position: int, station: Cell) -> tuple[int, ...]:
    """Return the turns of a board that bring its station nearest to the middle of the map.

    `station` is the cell in the district when the board is not turned; the middle is the mean of
    the districts' centres. In whole numbers, so that equal distances are equal.
    """
    middles = centres(city.players, city.radius)
    q0, r0 = middles[position]
    distances = []
    for turns in range(6):
        q, r = turned(station, turns)
        dq = city.players * (q0 + q) - sum(middle[0] for middle in middles)
        dr = city.players * (r0 + r) - sum(middle[1] for middle in middles)
        distances.append(dq * dq + dq * dr + dr * dr)
    return tuple(turns for turns in range(6) if distances[turns] == min(distances))


def turned_face(icons: Sequence[int], turns: int, radius: int) -> list[int]:
    """Return what a board shows in each cell, in the order of the cells, after turning it."""
    cells = district_cells(radius)
    shown = {turned(cell, turns): icon for cell, icon in zip(cells, icons, strict=True)}
    return [shown[cell] for cell in cells]
