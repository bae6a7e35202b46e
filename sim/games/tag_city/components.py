"""Tag City's components and rulings: their schema, and what is said about a bad drawing."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from sim.errors import listing, suggest
from sim.games.tag_city.events import ACTIONS, SPACES

MAX_PLAYERS = 4
MAX_SMALL = 4
MAX_RING = 16
MAX_CELLS = 6
"""Squares of a shape."""
MAX_SQUARES = 128
MAX_MARKS = 12
"""Bubbles, and slots of a remote."""
MAX_VALUE = 1000

Cells = tuple[tuple[int, int], ...]
Grade = Literal["rulebook", "published", "inferred", "assumed"]


def lines_of(drawing: str) -> list[str]:
    """Return the lines of a drawing without the empty ones around it."""
    return [line.rstrip() for line in drawing.strip("\n").splitlines()]


def in_one_piece(cells: Cells) -> bool:
    """Tell whether squares (row, column) hang together by their sides."""
    left = set(cells)
    reached = [left.pop()]
    while reached:
        row, column = reached.pop()
        for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if cell in left:
                left.remove(cell)
                reached.append(cell)
    return not left


def shape_cells(drawing: str) -> Cells:
    """Return the squares (row, column) of a shape's drawing; ValueError says what is wrong."""
    cells = []
    for row, line in enumerate(lines_of(drawing)):
        for column, letter in enumerate(line):
            if letter not in "#. ":
                raise ValueError(
                    f"row {row + 1}, column {column + 1} has {letter!r}; allowed: # for a square "
                    "of the shape, . for none"
                )
            if letter == "#":
                cells.append((row, column))
    if not 1 <= len(cells) <= MAX_CELLS:
        raise ValueError(f"the shape has {len(cells)} squares (#); allowed: 1 to {MAX_CELLS}")
    if not in_one_piece(tuple(cells)):
        raise ValueError(
            "the shape is in several pieces; allowed: squares that hang together by their sides, "
            "corners do not count"
        )
    return tuple(cells)


def city_rows(drawing: str) -> list[str]:
    """Return the rows of a city's drawing; ValueError says what is wrong."""
    rows = lines_of(drawing)
    width = len(rows[0]) if rows else 0
    for number, line in enumerate(rows, 1):
        for column, letter in enumerate(line, 1):
            if not "A" <= letter <= "Z":
                raise ValueError(
                    f"row {number}, column {column} has {letter!r}; allowed: a capital letter A "
                    "to Z, the name of the square's neighborhood"
                )
        if len(line) != width:
            raise ValueError(
                f"row {number} has {len(line)} letters, row 1 has {width}; allowed: rows of "
                "equal length"
            )
    if not 1 <= len(rows) * width <= MAX_SQUARES:
        raise ValueError(
            f"{len(rows)} rows of {width} letters are {len(rows) * width} squares; allowed: 1 to "
            f"{MAX_SQUARES}"
        )
    return rows


def neighborhood_cells(rows: list[str]) -> dict[str, Cells]:
    """Return the squares (row, column) of each neighborhood, by letter."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            found.setdefault(letter, []).append((row, column))
    return {letter: tuple(found[letter]) for letter in sorted(found)}


def _checked_shape(drawing: str) -> str:
    shape_cells(drawing)
    return drawing


def _checked_city(drawing: str) -> str:
    city_rows(drawing)
    return drawing


def _checked_value(value: Any) -> Any:
    for number in value if isinstance(value, list) else [value]:
        if type(number) is not int or not 0 <= number <= MAX_VALUE:
            raise ValueError(
                f"found {number!r}; allowed: a whole number from 0 to {MAX_VALUE} for all, or a "
                "list with one for each"
            )
    return value


def _checked_hq(hq: Any) -> Any:
    if isinstance(hq, list):
        texts = all(isinstance(name, str) for name in hq)
        if texts and len(hq) == SPACES and len(set(hq)) == SPACES:
            return hq
    elif hq in ("A", "B"):
        return hq
    raise ValueError(f'found {hq!r}; allowed: "A", "B" or a list of six different ring shapes')


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Shape(_Table):
    """A graffiti token: its title and its drawing."""

    title: str
    drawing: Annotated[str, AfterValidator(_checked_shape)]


TAKEN_NAMES = (*ACTIONS, "none")
"""What a style may forbid beside shapes, and the label of a free square."""
Tokens = dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Shape]


class SmallShapes(_Table):
    """The shapes in the centre of the HQ."""

    source: Grade
    note: str = ""
    tokens: Annotated[Tokens, Field(min_length=1, max_length=MAX_SMALL)]


class RingShapes(_Table):
    """The shapes that can lie on the ring of the HQ."""

    source: Grade
    note: str = ""
    tokens: Annotated[Tokens, Field(min_length=SPACES, max_length=MAX_RING)]


class Hq(_Table):
    """Side A of the HQ: the shapes on spaces 0 to 5."""

    source: Grade
    note: str = ""
    side_a: Annotated[list[str], Field(min_length=SPACES, max_length=SPACES)]


class City(_Table):
    """A side of the city boards; `connected` asks every neighborhood to be in one piece."""

    title: str
    connected: bool = True
    drawing: Annotated[str, AfterValidator(_checked_city)]

    @model_validator(mode="after")
    def _pieces(self) -> "City":
        for letter, cells in neighborhood_cells(city_rows(self.drawing)).items():
            if self.connected and not in_one_piece(cells):
                raise ValueError(
                    f"neighborhood {letter} is in several pieces; allowed: squares that hang "
                    "together by their sides, or connected = false"
                )
        return self


class Layer(_Table):
    """Large and small values of the rows, columns or neighborhoods of a city."""

    large: Annotated[Any, AfterValidator(_checked_value)]
    small: Annotated[Any, AfterValidator(_checked_value)]


class Values(_Table):
    """Values of a city's elements."""

    rows: Layer
    columns: Layer
    neighborhoods: Layer


class Seats(_Table):
    """How many can play."""

    source: Grade
    note: str = ""
    fewest: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]
    most: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]


class _Graded(BaseModel):
    """A table with a grade whose other keys are names that a designer chooses."""

    model_config = ConfigDict(frozen=True)

    source: Grade
    note: str = ""

    def named(self) -> Iterator[tuple[str, Any]]:
        """Yield the named tables."""
        yield from (self.__pydantic_extra__ or {}).items()


class Cities(_Graded):
    """The sides of the city boards by name."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, City]


class CityValues(_Graded):
    """The values of each city's elements."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Values]


class Components(_Table):
    """Everything in the component file."""

    seats: Seats
    small_shapes: SmallShapes
    ring_shapes: RingShapes
    hq: Hq
    cities: Cities
    values: CityValues

    @model_validator(mode="after")
    def _names(self) -> "Components":
        for name in self.small_shapes.tokens:
            if name in self.ring_shapes.tokens:
                raise ValueError(f'"{name}" is a small shape and a ring shape; names must differ')
        for name in (*self.small_shapes.tokens, *self.ring_shapes.tokens):
            if name in TAKEN_NAMES:
                raise ValueError(
                    f'"{name}" cannot be the name of a shape; {listing(TAKEN_NAMES)} mean '
                    "something else"
                )
        check_ring(self, self.hq.side_a, "hq.side_a")
        return self


def check_ring(components: Components, names: list[str], key: str) -> None:
    """Raise ValueError unless these are six different shapes of the ring stock."""
    allowed = list(components.ring_shapes.tokens)
    for name in names:
        if name not in allowed:
            raise ValueError(
                f'{key}: there is no ring shape "{name}"; allowed: {listing(allowed)}.'
                f"{suggest(name, allowed)}"
            )
    if len(set(names)) != SPACES:
        raise ValueError(f"{key}: found {listing(names)}; allowed: {SPACES} different shapes")


Marks = Annotated[
    list[Annotated[int, Field(ge=-MAX_VALUE, le=MAX_VALUE, strict=True)]],
    Field(max_length=MAX_MARKS),
]


class Rulings(_Table):
    """What the rulebook leaves open."""

    hq: Annotated[Any, AfterValidator(_checked_hq)] = "A"
    city: str = "A"
    bubble_values: Marks = [-1, -1, -1, -1, -1]
    drone_values: Marks = [-1, -2, -3, -4, -5]
    last_die_tie: Literal["share_large", "leader_first"] = "share_large"
    first_leader: Literal["seat0", "random"] = "seat0"
    round_cap: Annotated[int, Field(ge=1, le=250, strict=True)] = 60
