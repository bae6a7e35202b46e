"""The city map of a game as the referee sees it: hexes with their icons, districts and figures.

Hex i of the district at position d has the number d * H + i, H hexes a district. Axial
coordinates (q, r): one step along q or along r goes to a neighbour, 60 degrees apart.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sim.games.wildstyle import events

Cell = tuple[int, int]

AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Steps to the six neighbours."""

ARRANGEMENTS = {
    2: ((0, 0), (1, 0)),
    3: ((0, 0), (1, 0), (0, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0, 1), (1, 1), (-1, 1)),
}
"""Lattice places of the districts by number of players."""


# Geometry


def steps_between(one: Cell, other: Cell) -> int:
    """Return the distance of two cells in steps."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


@cache
def district_board(radius: int) -> tuple[Cell, ...]:
    """Return the cells of a district around (0, 0), sorted by (r, q)."""
    span = range(-radius, radius + 1)
    cells = [(q, r) for r in span for q in span]
    return tuple(cell for cell in cells if steps_between(cell, (0, 0)) <= radius)


def turn(cell: Cell, turns: int) -> Cell:
    """Return where a cell of a district lies after so many turns of 60 degrees."""
    for _ in range(turns):
        cell = (-cell[1], cell[0] + cell[1])
    return cell


@cache
def centres(players: int, radius: int) -> tuple[Cell, ...]:
    """Return the middle cell of each district."""
    return tuple(
        (a * (2 * radius + 1) + b * radius, -a * radius + b * (radius + 1))
        for a, b in ARRANGEMENTS[players]
    )


def nearest_turns(players: int, radius: int, position: int, station: Cell) -> list[int]:
    """Return the turns of the board at a position that bring its station nearest to the middle.

    The middle of the map is the mean of the districts' centres. `station` is a cell of the
    board before it is turned.
    """
    places = centres(players, radius)
    middle = [sum(place[axis] for place in places) for axis in (0, 1)]

    def distance(turns: int) -> int:
        q, r = turn(station, turns)
        q = (places[position][0] + q) * players - middle[0]
        r = (places[position][1] + r) * players - middle[1]
        return q * q + q * r + r * r  # of the straight line, squared, times players squared

    least = min(map(distance, range(6)))
    return [turns for turns in range(6) if distance(turns) == least]


@dataclass(frozen=True, eq=False)
class Ground:
    """The bare map for a number of players: `borders` touch another district."""

    cells: tuple[Cell, ...]
    number: Mapping[Cell, int]
    district: tuple[int, ...]
    neighbours: tuple[frozenset[int], ...]
    borders: frozenset[int]
    figures: Callable[[str, int], Mapping[int, Sequence[frozenset[int]]]]
    """(kind, size) -> the figures that fit on the map, by the lowest hex in them."""


@cache
def ground(players: int, radius: int) -> Ground:
    """Lay out the empty districts."""
    board = district_board(radius)
    cells = tuple((q + x, r + y) for x, y in centres(players, radius) for q, r in board)
    number = {cell: hex_ for hex_, cell in enumerate(cells)}
    district = tuple(hex_ // len(board) for hex_ in range(len(cells)))
    neighbours = tuple(
        frozenset(number[q + x, r + y] for x, y in AROUND if (q + x, r + y) in number)
        for q, r in cells
    )
    borders = frozenset(
        hex_
        for hex_ in range(len(cells))
        if any(district[other] != district[hex_] for other in neighbours[hex_])
    )

    @cache
    def figures(kind: str, size: int) -> Mapping[int, Sequence[frozenset[int]]]:
        by_lowest: dict[int, list[frozenset[int]]] = {}
        for shape in SHAPES[kind](size):
            for q, r in cells:
                places = [(q + x, r + y) for x, y in shape]
                if all(place in number for place in places):
                    figure = frozenset(number[place] for place in places)
                    alike = by_lowest.setdefault(min(figure), [])
                    if figure not in alike:
                        alike.append(figure)
        return by_lowest

    return Ground(cells, number, district, neighbours, borders, figures)


# Shapes of figures: lists of cells from a first one


def triangle_shapes(side: int) -> list[list[Cell]]:
    """Return the triangle of `side` tags a side, and the one that points the other way."""
    triangle = [(q, r) for q in range(side) for r in range(side - q)]
    return [triangle, [(-q, -r) for q, r in triangle]]


def hexagon_shapes(radius: int) -> list[list[Cell]]:
    """Return the hexagon of so many rings around its middle tag."""
    return [list(district_board(radius))]


def line_shapes(length: int) -> list[list[Cell]]:
    """Return the straight lines in the three directions."""
    return [[(q * step, r * step) for step in range(length)] for q, r in AROUND[:3]]


SHAPES = {"triangles": triangle_shapes, "hexagons": hexagon_shapes, "lines": line_shapes}


# The map of a game


@dataclass(frozen=True, eq=False)
class City:
    """The city map: `icons` by hex, `points` by icon code, and hexes with an icon by its code."""

    ground: Ground
    icons: tuple[int, ...]
    points: tuple[int, ...]
    hexes: tuple[tuple[int, ...], ...]
    by_police: frozenset[int]
    """Hexes that touch a police station and are none."""

    def tag_points(self, tags: Iterable[int]) -> int:
        """Return the points of the hexes where a seat has a tag."""
        return sum([self.points[self.icons[hex_]] for hex_ in tags])


def build_city(ground: Ground, icons: Sequence[int], points: Sequence[int]) -> City:
    """Print icons on the empty map."""
    kinds = range(len(events.ICONS))
    hexes = tuple(tuple(h for h, icon in enumerate(icons) if icon == kind) for kind in kinds)
    police = frozenset(hexes[events.POLICE])
    by_police = frozenset(h for h in range(len(icons)) if ground.neighbours[h] & police) - police
    return City(ground, tuple(icons), tuple(points), hexes, by_police)


def turned_face(face: Sequence[int], radius: int, turns: int) -> list[int]:
    """Return the icons of a face by hex of the district after so many turns of 60 degrees."""
    board = district_board(radius)
    shown = {turn(cell, turns): icon for cell, icon in zip(board, face, strict=True)}
    return [shown[cell] for cell in board]
