"""The whole state of one game of Tag City in one record, and the record a cell begins with."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from sim.errors import SimError
from sim.games import data, frame
from sim.games.tag_city import components as parts
from sim.games.tag_city.components import (
    MAX_CELLS,
    MAX_MARKS,
    MAX_PLAYERS,
    MAX_SQUARES,
    Components,
    Rulings,
)
from sim.games.tag_city.events import LAYERS, SPACES
from sim.games.tag_city.shapes import WORD, Placements, placements

MAX_SHAPES = parts.MAX_SMALL + parts.MAX_RING
MAX_WORDS = 320
"""20 shapes of six squares in 8 orientations, each fewer than 128 placements: 16 words a shape."""
MAX_PLACEMENTS = MAX_WORDS * WORD
MAX_PARTS = MAX_PLACEMENTS
MAX_ELEMENTS = 160
"""At most 129 rows and columns (1 x 128) and 26 neighborhoods."""
MAX_FEATURES = 24
MAX_DICE = MAX_PLAYERS + 1
MAX_CHOICES = 12
"""Different (value, space) of dice."""
MAX_DONE = 3 * MAX_CELLS
"""Elements that one drawing may complete."""
MAX_DRAWINGS = MAX_SQUARES
GAINS = MAX_CELLS + 1
"""Numbers of `gain` for an element: what 0, 1, 2 ... more squares are worth."""
KINDS = 3
JUDGE = MAX_PLAYERS
"""The row of `weights` that says what a shape is worth, whoever asks."""

STATE = np.dtype(
    [
        # the rules in use
        ("players", "i8"),
        ("rotate", "i8"),
        ("columns", "i8"),
        ("squares", "i8"),
        ("elements", "i8"),
        ("layer", "i8", MAX_ELEMENTS),
        ("element_squares", "i8", MAX_ELEMENTS),
        ("large", "i8", MAX_ELEMENTS),
        ("small", "i8", MAX_ELEMENTS),
        ("side_squares", "i2", (MAX_SQUARES, 4)),
        ("bubbles", "i8"),
        ("bubble_value", "i8", MAX_MARKS),
        ("slots", "i8"),
        ("slot_value", "i8", MAX_MARKS),
        ("share_large", "i8"),
        ("random_leader", "i8"),
        ("round_cap", "i8"),
        ("random_ring", "i8"),
        ("side_a", "i8", SPACES),
        # the shapes and where they can be drawn
        ("small_shapes", "i8"),
        ("shapes", "i8"),
        ("cells", "i8", MAX_SHAPES),
        ("most_cells", "i8"),
        ("inner_sides", "i8", MAX_SHAPES),
        ("first_word", "i8", MAX_SHAPES + 1),
        ("exists", "u8", MAX_WORDS),
        ("mask", "u8", (MAX_PLACEMENTS, 2)),
        ("covered", "u1", (MAX_PLACEMENTS, MAX_CELLS)),
        ("cover", "u8", (MAX_SQUARES, MAX_WORDS)),
        ("near", "u8", (MAX_SQUARES, 2)),
        ("part", "u2", (MAX_PLACEMENTS, 3)),
        ("parts", "i8"),
        ("part_layer", "u1", MAX_PARTS),
        ("part_element", "u1", (MAX_PARTS, MAX_CELLS)),
        ("part_count", "u1", (MAX_PARTS, MAX_CELLS)),
        ("part_pairs", "u1", MAX_PARTS),
        ("part_gains", "u2", (MAX_PARTS, MAX_CELLS)),
        ("part_shapes", "u4", MAX_PARTS),
        # the players; row JUDGE of the weights says what a shape is worth
        ("weights", "f8", (MAX_PLAYERS + 1, MAX_FEATURES)),
        ("temperature", "f8", MAX_PLAYERS + 1),
        ("indifferent", "i8", MAX_PLAYERS + 1),
        ("forbids", "i8", (MAX_PLAYERS, KINDS + MAX_SHAPES)),
        # the table
        ("rng", "u8", (4, 4)),
        ("rounds", "i8"),
        ("leader", "i8"),
        ("stock", "i8", parts.MAX_RING),
        ("ring", "i8", SPACES),
        ("in_play", "i8", MAX_SHAPES),
        ("n_in_play", "i8"),
        ("roll", "i8", MAX_DICE),
        ("dice", "i8", (7, 2)),
        ("dice_on", "i8", SPACES),
        ("n_dice", "i8"),
        ("large_free", "i8", MAX_ELEMENTS),
        ("large_left", "i8"),
        ("bubble_free", "i8", MAX_MARKS),
        ("bubbles_left", "i8"),
        ("met", "i8", 3),
        ("reason", "i8"),
        ("log_n", "i8"),
        # the cities
        ("alive", "u8", (MAX_PLAYERS, MAX_WORDS)),
        ("free", "u8", (MAX_PLAYERS, 2)),
        ("filled", "i8", (MAX_PLAYERS, MAX_ELEMENTS)),
        ("hole", "u8", (MAX_PLAYERS, 2)),
        ("holes_known", "i8", MAX_PLAYERS),
        ("worth", "f8", (MAX_PLAYERS, MAX_SHAPES)),
        ("worth_known", "i8", MAX_PLAYERS),
        ("score", "i8", MAX_PLAYERS),
        ("slots_used", "i8", MAX_PLAYERS),
        ("done", "i8", (MAX_PLAYERS, MAX_DONE)),
        ("n_done", "i8", MAX_PLAYERS),
        # the choice at hand
        ("n_actions", "i8"),
        ("n_choices", "i8"),
        ("choice_value", "i8", MAX_CHOICES),
        ("choice_space", "i8", MAX_CHOICES),
        ("die_worth", "f8", MAX_CHOICES),
        ("n_bubbles", "i8"),
        ("bubble", "i8", MAX_MARKS),
        ("check_worth", "f8", MAX_MARKS),
        ("gain", "f8", MAX_ELEMENTS * GAINS),
        ("live_parts", "i8", (3, MAX_CELLS + 1)),
        ("live_part", "u2", MAX_PARTS),
        ("part_gain", "f8", MAX_PARTS),
        ("bound", "f8", 3),
        ("side_gain", "f8", MAX_SQUARES),
        ("value", "f8", MAX_PLACEMENTS),
        ("best", "f8", (2, MAX_SHAPES)),
        ("ties", "i8", (2, MAX_SHAPES)),
        ("total", "f8", (2, MAX_SHAPES)),
        ("apart", "i8"),
        ("drone_extra", "f8"),
        ("after", "u8", MAX_WORDS),
        ("act_choice", "i8", MAX_PLAYERS),
        ("act_kind", "i8", MAX_PLAYERS),
        ("act_shape", "i8", MAX_PLAYERS),
        ("act_placement", "i8", MAX_PLAYERS),
        ("act_bubble", "i8", MAX_PLAYERS),
        # what is counted
        ("decisions", "i8"),
        ("shared_larges", "i8"),
        ("large_by", "i8", MAX_ELEMENTS),
        ("large_round", "i8", MAX_ELEMENTS),
        ("large_last", "i8", MAX_ELEMENTS),
        ("small_takers", "i8", MAX_ELEMENTS),
        ("points", "i8", (MAX_PLAYERS, 3, 2)),
        ("completed", "i8", (MAX_PLAYERS, 3)),
        ("larges", "i8", MAX_PLAYERS),
        ("drone_points", "i8", MAX_PLAYERS),
        ("bubble_points", "i8", MAX_PLAYERS),
        ("last_points", "i8", MAX_PLAYERS),
        ("circled", "i8", MAX_PLAYERS),
        ("checks", "i8", MAX_PLAYERS),
        ("turns_led", "i8", MAX_PLAYERS),
        ("drafted_first", "i8", MAX_PLAYERS),
        ("draft_places", "i8", MAX_PLAYERS),
        ("drawings", "i8", MAX_PLAYERS),
        ("drawing_of", "u1", (MAX_PLAYERS, MAX_SQUARES)),
        ("drawing_round", "u1", (MAX_PLAYERS, MAX_DRAWINGS + 1)),
        ("drawing_shape", "u1", (MAX_PLAYERS, MAX_DRAWINGS + 1)),
        ("dice_of", "i8", MAX_SHAPES),
        ("drafted_of", "i8", MAX_SHAPES),
        ("last_of", "i8", MAX_SHAPES),
        ("uses_of", "i8", MAX_SHAPES),
        ("no_room_of", "i8", MAX_SHAPES),
        ("painted_of", "i8", MAX_SHAPES),
        ("flown_of", "i8", MAX_SHAPES),
        ("points_of", "i8", MAX_SHAPES),
        *data.flow_fields(MAX_PLAYERS, KINDS),
        *data.script_fields(MAX_PLAYERS),
    ],
    align=True,
)
"""Rules, placements, players, table, cities, the choice at hand and counters of one game."""


@dataclass(frozen=True)
class Setup(frame.Setup):
    """A cell, ready to be played, and its names."""

    shapes: tuple[str, ...]
    elements: tuple[str, ...]


def shape_names(components: Components) -> tuple[str, ...]:
    """Return the names of the shapes by code: the small ones, then the ring stock."""
    return (*components.small_shapes.tokens, *components.ring_shapes.tokens)


def ring_of(components: Components, rulings: Rulings) -> list[str] | None:
    """Return the shapes on spaces 0 to 5, None if they are drawn at random."""
    if isinstance(rulings.hq, list):
        return rulings.hq
    return components.hq.side_a if rulings.hq == "A" else None


@dataclass(frozen=True)
class CityBoard:
    """A side of the city boards: its elements by layer, and where its squares belong."""

    rows: int
    columns: int
    letters: tuple[str, ...]
    element_of: tuple[tuple[int, ...], ...]
    """[layer][square]"""

    @property
    def squares(self) -> int:
        """How many squares."""
        return self.rows * self.columns

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many rows, columns and neighborhoods."""
        return self.rows, self.columns, len(self.letters)

    @property
    def names(self) -> tuple[str, ...]:
        """The elements by code."""
        return (
            *(f"row_{number + 1}" for number in range(self.rows)),
            *(f"column_{number + 1}" for number in range(self.columns)),
            *(f"neighborhood_{letter.lower()}" for letter in self.letters),
        )


@lru_cache(maxsize=32)
def city_board(drawing: str) -> CityBoard:
    """Return the board of a city's drawing."""
    lines = parts.city_rows(drawing)
    rows, columns = len(lines), len(lines[0])
    letters = tuple(sorted(set("".join(lines))))
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    return CityBoard(
        rows,
        columns,
        letters,
        (
            tuple(row for row, _ in squares),
            tuple(rows + column for _, column in squares),
            tuple(rows + columns + letters.index(lines[row][column]) for row, column in squares),
        ),
    )


def city_of(components: Components, rulings: Rulings) -> CityBoard:
    """Return the board of the city in use."""
    return city_board(dict(components.cities.named())[rulings.city].drawing)


def values_of(layer: parts.Layer, count: int, key: str) -> tuple[list[int], list[int]]:
    """Return the large and small values of a layer's elements; SimError if a list is too long."""
    found = []
    for size in ("large", "small"):
        value = getattr(layer, size)
        values = value if isinstance(value, list) else [value] * count
        if len(values) != count:
            raise SimError(
                f"{key}.{size}: found {len(values)} values; allowed: a number for all, or "
                f"{count} of them"
            )
        found.append(values)
    return found[0], found[1]


def rules_record(components: Components, rulings: Rulings, players: int) -> np.ndarray:
    """Return a STATE array [1] with the rules filled in and the rest zero."""
    record = np.zeros(1, STATE)
    s = record[0]
    s["players"] = players
    for name, values in (("bubble", rulings.bubble_values), ("slot", rulings.drone_values)):
        s[f"{name}s"] = len(values)
        s[f"{name}_value"][: len(values)] = values
    s["share_large"] = rulings.last_die_tie == "share_large"
    s["random_leader"] = rulings.first_leader == "random"
    s["round_cap"] = rulings.round_cap
    _fill_city(s, components, rulings.city)
    _fill_shapes(s, components, rulings)
    return record


def _fill_city(s: Any, components: Components, name: str) -> None:
    board = city_board(dict(components.cities.named())[name].drawing)
    s["columns"], s["squares"] = board.columns, board.squares
    s["elements"] = len(board.names)
    values = dict(components.values.named())[name]
    first = 0
    for code, (layer, count) in enumerate(zip(LAYERS, board.counts, strict=True)):
        own = slice(first, first + count)
        large, small = values_of(
            getattr(values, f"{layer}s"), count, f"components.values.{name}.{layer}s"
        )
        s["layer"][own], s["large"][own], s["small"][own] = code, large, small
        first += count
    for elements in board.element_of:
        for element in elements:
            s["element_squares"][element] += 1
    s["side_squares"] = -1
    for square in range(board.squares):
        row, column = divmod(square, board.columns)
        around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        for side, (r, c) in enumerate(around):
            if 0 <= r < board.rows and 0 <= c < board.columns:
                s["side_squares"][square, side] = r * board.columns + c


def _fill_shapes(s: Any, components: Components, rulings: Rulings) -> None:
    names = shape_names(components)
    small = components.small_shapes.tokens
    drawn = {
        name: parts.shape_cells(token.drawing)
        for name, token in (*small.items(), *components.ring_shapes.tokens.items())
    }
    ring = ring_of(components, rulings)
    used = names if ring is None else (*small, *ring)
    board = city_board(dict(components.cities.named())[rulings.city].drawing)
    found = placements(
        tuple(drawn[name] if name in used else None for name in names),
        board.rows,
        board.columns,
        board.element_of,
    )
    s["small_shapes"], s["shapes"] = len(small), len(names)
    s["random_ring"] = ring is None
    s["side_a"] = [names.index(name) for name in ring or names[len(small) :][:SPACES]]
    for shape, cells in enumerate(drawn.values()):
        s["cells"][shape] = len(cells)
        s["inner_sides"][shape] = sum(
            (row + down, column + 1 - down) in cells for row, column in cells for down in (0, 1)
        )
    s["most_cells"] = max(s["cells"])
    _fill_placements(s, found)


def _fill_placements(s: Any, found: Placements) -> None:
    words, count = len(found.real), len(found.mask)
    s["first_word"][: len(found.words)] = found.words
    s["exists"][:words] = found.real
    s["mask"][:count], s["covered"][:count] = found.mask, found.squares
    s["cover"][:, :words] = found.cover
    s["part"][:count] = found.part
    s["parts"] = len(found.part_layer)
    for name in ("part_layer", "part_shapes"):
        s[name][: s["parts"]] = getattr(found, name)
    s["part_element"][: s["parts"]] = found.part_elements
    s["part_count"][: s["parts"]] = found.part_counts
    s["part_pairs"][: s["parts"]] = (found.part_counts > 0).sum(axis=1)
    s["part_gains"][: s["parts"]] = found.part_elements.astype(int) * GAINS + found.part_counts
    reach = s["most_cells"] - 1
    for square in range(s["squares"]):
        row, column = divmod(square, s["columns"])
        near = [
            other
            for other in range(s["squares"])
            if abs(other // s["columns"] - row) + abs(other % s["columns"] - column) <= reach
        ]
        bits = sum(1 << other for other in near)
        s["near"][square] = [bits & (2**WORD - 1), bits >> WORD]


def check(components: Mapping[str, Any], rulings: Mapping[str, Any], players: int) -> None:
    """Raise SimError when these components cannot be played by so many players."""
    model, ruled = Components(**components), Rulings(**rulings)
    if not model.seats.fewest <= players <= model.seats.most:
        raise SimError(
            f"players: {players} is outside components.seats, "
            f"which allows {model.seats.fewest} to {model.seats.most}"
        )
    check_city(model, ruled.city)
    if isinstance(ruled.hq, list):
        try:
            parts.check_ring(model, ruled.hq, "rulings.hq")
        except ValueError as error:
            raise SimError(str(error)) from None


def check_city(components: Components, name: str) -> None:
    """Raise SimError unless a city of this name has a drawing and values that fit."""
    values = dict(components.values.named())
    for key, there in (("cities", dict(components.cities.named())), ("values", values)):
        if name not in there:
            raise SimError(
                f'rulings.city: there is no "{name}" in components.{key}; '
                f"allowed: {parts.listing(list(there))}.{parts.suggest(name, list(there))}"
            )
    board = city_board(dict(components.cities.named())[name].drawing)
    for layer, count in zip(LAYERS, board.counts, strict=True):
        values_of(getattr(values[name], f"{layer}s"), count, f"components.values.{name}.{layer}s")
