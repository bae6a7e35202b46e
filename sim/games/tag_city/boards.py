"""What is printed in Tag City in plain Python objects: shapes, city boards, values, rulings.

It shares no code with the compiled rules, as the rest of the rulebook.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

Square = tuple[int, int]
"""(row, column), both from 0, row 0 at the top."""
Squares = frozenset[Square]


@dataclass(frozen=True)
class Shape:
    """A graffiti shape as printed, and its distinct copies, rotated and flipped.

    Shape and copies are at the upper left corner.
    """

    name: str
    title: str
    squares: Squares
    copies: frozenset[Squares]

    @property
    def size(self) -> int:
        """How many squares it covers."""
        return len(self.squares)


@dataclass(frozen=True)
class Element:
    """A row, column or neighborhood with the prestige that completing it gives."""

    number: int
    layer: str
    name: str
    title: str
    squares: Squares
    large: int
    small: int


@dataclass(frozen=True)
class Rules:
    """Shapes by name (small ones first), the city, its elements in order, and every ruling."""

    shapes: Mapping[str, Shape]
    small: tuple[str, ...]
    stock: tuple[str, ...]
    side_a: tuple[str, ...]
    city: tuple[str, ...]
    elements: tuple[Element, ...]
    hq: str | tuple[str, ...]
    city_name: str
    bubble_values: tuple[int, ...]
    drone_values: tuple[int, ...]
    last_die_tie: str
    first_leader: str
    round_cap: int

    @classmethod
    def read(cls, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        small = components["small_shapes"]["tokens"]
        ring = components["ring_shapes"]["tokens"]
        city = tuple(_lines(components["cities"][rulings["city"]]["drawing"]))
        hq = rulings["hq"]
        return cls(
            shapes={name: _shape(name, token) for name, token in [*small.items(), *ring.items()]},
            small=tuple(small),
            stock=tuple(ring),
            side_a=tuple(components["hq"]["side_a"]),
            city=city,
            elements=tuple(_elements(city, components["values"][rulings["city"]])),
            hq=hq if isinstance(hq, str) else tuple(hq),
            city_name=rulings["city"],
            bubble_values=tuple(rulings["bubble_values"]),
            drone_values=tuple(rulings["drone_values"]),
            last_die_tie=rulings["last_die_tie"],
            first_leader=rulings["first_leader"],
            round_cap=rulings["round_cap"],
        )

    @property
    def rows(self) -> int:
        """Rows of a city board."""
        return len(self.city)

    @property
    def columns(self) -> int:
        """Columns of a city board."""
        return len(self.city[0])

    @property
    def squares(self) -> Iterator[Square]:
        """Every square of a city board, row by row."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    def title(self, shape: str) -> str:
        """Return the shape's name as it is printed."""
        return self.shapes[shape].title


def _lines(drawing: str) -> list[str]:
    return [line.rstrip() for line in drawing.strip("\n").splitlines()]


def _shape(name: str, token: Mapping[str, Any]) -> Shape:
    lines = _lines(token["drawing"])
    squares = frozenset(
        (row, column)
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter == "#"
    )
    return Shape(name, token["title"], at_corner(squares), frozenset(_copies(squares)))


def _copies(squares: Squares) -> Iterator[Squares]:
    """Yield a shape in its four rotations, and flipped in four more."""
    for _ in range(4):
        squares = frozenset((column, -row) for row, column in squares)
        yield at_corner(squares)
        yield at_corner(frozenset((row, -column) for row, column in squares))


def at_corner(squares: Squares) -> Squares:
    """Return squares moved to the upper left corner."""
    top = min(row for row, _ in squares)
    left = min(column for _, column in squares)
    return frozenset((row - top, column - left) for row, column in squares)


def _elements(city: Sequence[str], values: Mapping[str, Any]) -> Iterator[Element]:
    """Yield rows from the top, columns from the left, neighborhoods by letter."""
    height, width = len(city), len(city[0])
    places = [(row, column) for row in range(height) for column in range(width)]
    letters = sorted({letter for line in city for letter in line})
    layers = {
        "row": [(str(row + 1), [p for p in places if p[0] == row]) for row in range(height)],
        "column": [(str(col + 1), [p for p in places if p[1] == col]) for col in range(width)],
        "neighborhood": [
            (letter, [p for p in places if city[p[0]][p[1]] == letter]) for letter in letters
        ],
    }
    number = 0
    for layer, members in layers.items():
        worth = values[f"{layer}s"]
        for index, (name, squares) in enumerate(members):
            yield Element(
                number=number,
                layer=layer,
                name=f"{layer}_{name.lower()}",
                title=f"{layer} {name}",
                squares=frozenset(squares),
                large=_one_of(worth["large"], index),
                small=_one_of(worth["small"], index),
            )
            number += 1


def _one_of(value: int | Sequence[int], index: int) -> int:
    return value if isinstance(value, int) else value[index]


def name_of(square: Square) -> str:
    """Return `row 1, column 4`."""
    return f"row {square[0] + 1}, column {square[1] + 1}"


def drawings_left(rules: Rules, shape: str, painted: set[Square]) -> Iterator[Squares]:
    """Yield every distinct drawing of a shape on the free squares of a board."""
    everywhere = _everywhere(rules.shapes[shape].copies, rules.rows, rules.columns)
    return (squares for squares in everywhere if squares.isdisjoint(painted))


@cache
def _everywhere(copies: frozenset[Squares], rows: int, columns: int) -> tuple[Squares, ...]:
    """Return every drawing of a shape on an empty board, in the order of its squares."""
    found = []
    for copy in copies:
        tall = 1 + max(row for row, _ in copy)
        wide = 1 + max(column for _, column in copy)
        found += [
            frozenset((row + down, column + right) for row, column in copy)
            for down in range(rows - tall + 1)
            for right in range(columns - wide + 1)
        ]
    return tuple(sorted(found, key=sorted))
