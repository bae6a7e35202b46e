"""Drawings of faces: the shipped ones keep to the rules for them, bad ones are explained."""

import itertools
from collections import Counter

import networkx as nx
import pytest

from sim.games.wildstyle import boards, events, hexmap
from sim.games.wildstyle.components import Components

from .shipped import COMPONENTS

COUNTS = {
    3: {"T": 1, "R": 8, "H": 6, "S": 6, "D": 6, "I": 4, "P": 4, "C": 2},
    2: {"T": 1, "R": 4, "H": 3, "S": 3, "D": 3, "I": 2, "P": 2, "C": 1},
}
FACES = [
    pytest.param(radius, face, id=f"radius_{radius}-{face}")
    for radius in (3, 2)
    for face in range(10)
]
SMALL = """
  S R H
 D P T D
H S R C I
 D I R S
  R H P
"""


def drawing(radius, face):
    return COMPONENTS["boards"][f"radius_{radius}"]["faces"][face]


def icon_at(radius, face):
    """Return {(q, r): letter}, read here by the look of the drawing."""
    rows = [line.split() for line in drawing(radius, face).splitlines() if line.strip()]
    return {
        (max(-radius, -radius - r) + column, r): letter
        for r, row in enumerate(rows, -radius)
        for column, letter in enumerate(row)
    }


def board(icons):
    """Return the graph of a face."""
    found = nx.Graph()
    found.add_nodes_from(icons)
    for q, r in icons:
        near = [(q + dq, r + dr) for dq, dr in hexmap.DIRECTIONS]
        found.add_edges_from(((q, r), cell) for cell in near if cell in icons)
    return found


def only(icons, letters):
    return board({cell: letter for cell, letter in icons.items() if letter in letters})


# The shipped faces


def test_five_boards_of_either_size_are_shipped():
    assert [len(COMPONENTS["boards"][f"radius_{radius}"]["faces"]) for radius in (3, 2)] == [10, 10]


@pytest.mark.parametrize(("radius", "face"), FACES)
def test_a_face_has_the_icons_of_its_size(radius, face):
    assert Counter(icon_at(radius, face).values()) == COUNTS[radius]
    assert sum(COUNTS[radius].values()) == hexmap.hexes_in(radius)


@pytest.mark.parametrize(("radius", "face"), FACES)
def test_the_station_is_near_a_corner_one_ring_in(radius, face):
    icons = icon_at(radius, face)
    station = next(cell for cell, letter in icons.items() if letter == "T")
    corners = [(q * (radius - 1), r * (radius - 1)) for q, r in hexmap.DIRECTIONS]
    assert station in corners


@pytest.mark.parametrize(("radius", "face"), FACES)
def test_rails_are_a_path_through_the_station_from_edge_to_edge(radius, face):
    icons = icon_at(radius, face)
    rails = only(icons, "RT")
    assert nx.is_connected(rails)
    assert sorted(degree for _, degree in rails.degree) == [1, 1] + [2] * (len(rails) - 2)
    station = next(cell for cell, letter in icons.items() if letter == "T")
    assert rails.degree[station] == 2
    ends = [cell for cell, degree in rails.degree if degree == 1]
    assert all(board(icons).degree[cell] < 6 for cell in ends)


@pytest.mark.parametrize(("radius", "face"), FACES)
def test_police_stations_stand_apart(radius, face):
    icons = icon_at(radius, face)
    for cell, letter in icons.items():
        if letter == "C":
            assert not {icons[near] for near in board(icons)[cell]} & {"C", "T"}


@pytest.mark.parametrize(("radius", "face"), FACES)
@pytest.mark.parametrize("letter", "HSDIP")
def test_at_most_two_of_an_icon_touch(radius, face, letter):
    groups = nx.connected_components(only(icon_at(radius, face), letter))
    assert max(map(len, groups)) <= 2


@pytest.mark.parametrize("radius", [3, 2])
def test_no_two_faces_are_alike_however_turned(radius):
    faces = [boards.read_face(drawing(radius, face), radius) for face in range(10)]
    for one, other in itertools.combinations(faces, 2):
        assert all(hexmap.turned_face(one, turns, radius) != other for turns in range(6))


# Reading and drawing


def test_icons_are_read_row_by_row_in_the_order_of_the_cells():
    icons = boards.read_face(SMALL, 2)
    assert [events.ICONS[icon] for icon in icons[:7]] == [
        "shopping",
        "railway",
        "residential",
        "downtown",
        "park",
        "station",
        "downtown",
    ]
    cells = hexmap.district_cells(2)
    assert cells[icons.index(events.STATION)] == (1, -1)
    assert cells[icons.index(events.POLICE)] == (1, 0)


@pytest.mark.parametrize("radius", [3, 2])
def test_a_face_drawn_reads_the_same(radius):
    for face in range(10):
        icons = boards.read_face(drawing(radius, face), radius)
        drawn = boards.draw_face(icons, radius)
        assert boards.read_face(drawn, radius) == icons
        assert drawn.split() == drawing(radius, face).split()


def test_a_drawing_has_the_shape_of_the_board():
    assert boards.draw_face(boards.read_face(SMALL, 2), 2) == SMALL[1:]


def test_blanks_and_case_do_not_count():
    assert boards.read_face("srh\ndptd\nhsrci\n\ndirs\n rhp", 2) == boards.read_face(SMALL, 2)


def test_described():
    assert boards.described(COMPONENTS["boards"]["radius_3"]["faces"]) == "10 faces of 37 hexes"
    assert boards.described([SMALL] * 4) == "4 faces of 19 hexes"
    assert boards.described([]) == "0 faces of 0 hexes"


# Mistakes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  S R H\n", "", "4 rows; 5 are needed, with 3, 4, 5, 4, 3 letters"),
        ("  S R H\n", "S R H\nS R H\n", "6 rows; 5 are needed, with 3, 4, 5, 4, 3 letters"),
        (
            "D P T D",
            "D P T D S",
            "row 2 has 5 letters; 4 are needed (19 hexes in rows of 3, 4, 5, 4, 3)",
        ),
        ("  R H P", "R", "row 5 has 1 letter; 3 are needed (19 hexes in rows of 3, 4, 5, 4, 3)"),
        (
            "D I R S",
            "D X R S",
            'row 4: unknown letter "X"; allowed: R (railway), T (station), H (residential), '
            "S (shopping), D (downtown), I (industrial), P (park), C (police)",
        ),
        (
            "T",
            "R",
            "no train station (T); exactly one is needed, since boards are turned by it",
        ),
        (
            "C",
            "T",
            "2 train stations (T); exactly one is needed, since boards are turned by it",
        ),
    ],
)
def test_a_bad_drawing_is_explained(old, new, message):
    assert old in SMALL
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        boards.read_face(SMALL.replace(old, new, 1), 2)
    assert str(caught.value) == message


def test_a_drawing_of_the_other_size_is_told_apart():
    with pytest.raises(ValueError, match=r"^a hexagon of radius 2; one of radius 3 is needed$"):
        boards.read_face(SMALL, 3)


@pytest.mark.parametrize("count", [0, 1, 7, 34])
def test_faces_that_are_no_whole_boards_are_refused(count):
    with pytest.raises(ValueError, match=rf"^{count} faces; "):
        boards.check_count(count)


def test_whole_boards_are_accepted():
    for count in (2, 10, boards.MAX_FACES):
        boards.check_count(count)


def test_icons_of_a_designers_faces_are_free():
    rails = "R R R\nR R R R\nR R T R R\nR R R R\nR R R"
    changed = {**COMPONENTS["boards"], "radius_2": data_of(rails)}
    assert Components(**{**COMPONENTS, "boards": changed}).boards.faces(2)[1].count("railway") == 18


def data_of(face):
    return {"source": "assumed", "faces": [face] * 4}
