"""Placements: as many as an independent count finds, and every table of them agrees."""

import numpy as np
import pytest

from sim.games.tag_city import shapes
from sim.games.tag_city.components import shape_cells
from sim.games.tag_city.state import city_board
from tests.games.tag_city.plain import Rules, _placements
from tests.games.tag_city.table import COMPONENTS, RULINGS, city, setup

pytestmark = pytest.mark.uncompiled
RULES = Rules(COMPONENTS, RULINGS, 4)
KNOWN = {
    "i2": 8 * 11 + 7 * 12,
    "i3": 8 * 10 + 6 * 12,
    "v3": 4 * 7 * 11,
    "o4": 7 * 11,
    "i4": 8 * 9 + 5 * 12,
    "t4": 2 * 7 * 10 + 2 * 6 * 11,
    "l4": 4 * 7 * 10 + 4 * 6 * 11,
    "s4": 2 * 7 * 10 + 2 * 6 * 11,
    "p5": 4 * 7 * 10 + 4 * 6 * 11,
    "u5": 2 * 7 * 10 + 2 * 6 * 11,
    "v5": 4 * 6 * 10,
    "l5": 4 * 7 * 9 + 4 * 5 * 11,
    "n5": 4 * 7 * 9 + 4 * 5 * 11,
    "w5": 4 * 6 * 10,
}
"""Placements on 8 x 12 squares: orientations times shifts, by hand."""


@pytest.mark.parametrize("shape", RULES.shapes)
def test_the_number_of_placements_on_an_empty_board(shape):
    found = shapes.placements_of(shape_cells(RULES.figure(shape)), 8, 12)
    assert len(found) == len(set(found)) == KNOWN[shape] == len(RULES.placements(shape))
    assert {frozenset(squares) for squares in found} == set(RULES.placements(shape))
    assert all(list(squares) == sorted(squares) for squares in found)


@pytest.mark.parametrize("size", [(1, 128), (128, 1), (8, 16), (3, 4), (2, 2), (1, 1)])
@pytest.mark.parametrize("shape", ["i2", "l4", "n5", "w5"])
def test_other_sizes_of_cities(shape, size):
    found = shapes.placements_of(shape_cells(RULES.figure(shape)), *size)
    assert {frozenset(squares) for squares in found} == set(_placements(RULES.figure(shape), *size))


@pytest.mark.parametrize(
    "cell",
    [
        setup(2),
        setup(2, hq="B", city="B"),
        setup(2, hq="B", city="X", components=city("AB" * 8 + "\n" + "BA" * 8, connected=False)),
    ],
    ids=["A", "B", "ragged"],
)
def test_the_tables_of_placements_agree(cell):
    s = cell.record[0]
    squares = int(s["squares"])
    board = city_board(cell.components["cities"][cell.rulings["city"]]["drawing"])
    for shape in range(s["shapes"]):
        first, end = 64 * s["first_word"][shape], 64 * s["first_word"][shape + 1]
        for placement in range(first, end):
            word, bit = divmod(placement, 64)
            real = int(s["exists"][word]) >> bit & 1
            mask = int(s["mask"][placement][0]) | int(s["mask"][placement][1]) << 64
            covered = [square for square in range(squares) if mask >> square & 1]
            assert bool(covered) == bool(real)
            if not real:
                continue
            assert s["covered"][placement][: len(covered)].tolist() == covered
            assert len(covered) == s["cells"][shape]
            hits = s["cover"][:squares, word] >> np.uint64(bit) & np.uint64(1)
            assert np.flatnonzero(hits).tolist() == covered
            for layer in range(3):
                part = s["part"][placement, layer]
                counts = dict(zip(s["part_element"][part], s["part_count"][part], strict=True))
                due: dict[int, int] = {}
                for square in covered:
                    element = board.element_of[layer][square]
                    due[element] = due.get(element, 0) + 1
                assert {e: n for e, n in counts.items() if n} | due == due
                assert s["part_pairs"][part] == len(due)
                assert s["part_layer"][part] == layer
                assert s["part_shapes"][part] >> shape & 1


def test_shapes_that_are_not_in_play_have_no_placements():
    s = setup(2).record[0]
    sizes = np.diff(s["first_word"][: s["shapes"] + 1])
    in_play = {*range(s["small_shapes"]), *s["side_a"].tolist()}
    assert {shape for shape in range(s["shapes"]) if sizes[shape]} == in_play


def test_elements_are_numbered_rows_columns_neighborhoods():
    board = city_board("ABB\nAAB")
    assert board.names == (
        "row_1", "row_2", "column_1", "column_2", "column_3", "neighborhood_a", "neighborhood_b"
    )  # fmt: skip
    assert board.element_of == ((0, 0, 0, 1, 1, 1), (2, 3, 4, 2, 3, 4), (5, 6, 6, 5, 5, 6))
