"""The hex map against plane geometry: what is near in the plane is near on the map."""

import itertools
import math
from collections import Counter

import networkx as nx
import numpy as np
import pytest

from sim.games.wildstyle import hexmap
from sim.games.wildstyle.hexmap import (
    DIRECTIONS,
    centres,
    city_map,
    district_cells,
    hexagons,
    lines,
    nearest_turns,
    triangles,
    turned,
    turned_face,
)

MAPS = [(players, radius) for players in range(2, 6) for radius in (2, 3)]
every_map = pytest.mark.parametrize(("players", "radius"), MAPS)


def point(cell):
    """Return where the middle of a hex lies in the plane, hexes one apart."""
    q, r = cell
    return complex(q + r / 2, r * math.sqrt(3) / 2)


def apart(one, other):
    return abs(point(one) - point(other))


def graph(city):
    near = itertools.combinations(range(len(city.cells)), 2)
    found = nx.Graph((a, b) for a, b in near if apart(city.cells[a], city.cells[b]) < 1.01)
    found.add_nodes_from(range(len(city.cells)))
    return found


# Districts


@pytest.mark.parametrize(("radius", "size"), [(1, 7), (2, 19), (3, 37)])
def test_a_district_is_what_lies_within_its_radius(radius, size):
    cells = district_cells(radius)
    assert len(cells) == hexmap.hexes_in(radius) == size
    assert cells == sorted(cells, key=lambda cell: (cell[1], cell[0]))
    steps = nx.single_source_shortest_path_length(graph(city_map(2, radius)), 0)
    middle = cells.index((0, 0))
    away = nx.single_source_shortest_path_length(graph(city_map(2, radius)), middle)
    assert max(away[hex_] for hex_ in range(size)) == radius
    assert max(steps[hex_] for hex_ in range(size)) == 2 * radius


def test_the_first_cells_are_the_top_row():
    assert district_cells(2)[:4] == [(0, -2), (1, -2), (2, -2), (-1, -1)]


def test_directions_are_the_neighbours_a_turn_apart():
    assert all(apart((0, 0), step) == pytest.approx(1) for step in DIRECTIONS)
    for step, following in itertools.pairwise((*DIRECTIONS, DIRECTIONS[0])):
        assert turned(step, 1) == following


@pytest.mark.parametrize("turns", range(-1, 8))
def test_turning_is_a_turn_of_the_plane(turns):
    for cell in district_cells(3):
        angle = complex(math.cos(turns * math.pi / 3), math.sin(turns * math.pi / 3))
        assert abs(point(turned(cell, turns)) - point(cell) * angle) < 1e-9


def test_a_turned_face_shows_each_icon_where_its_cell_goes():
    cells = district_cells(2)
    icons = list(range(19))
    for turns in range(6):
        shown = turned_face(icons, turns, 2)
        for cell, icon in zip(cells, icons, strict=True):
            assert shown[cells.index(turned(cell, turns))] == icon
    assert turned_face(icons, 6, 2) == icons
    assert turned_face(icons, 1, 2)[:3] == [7, 3, 0]  # the left upper edge, from the left


# The map


@every_map
def test_hexes_are_numbered_district_by_district(players, radius):
    city = city_map(players, radius)
    size = hexmap.hexes_in(radius)
    assert (city.players, city.radius, city.size) == (players, radius, size)
    assert len(set(city.cells)) == len(city.cells) == players * size
    assert city.district.tolist() == [d for d in range(players) for _ in range(size)]
    assert [city.index[cell] for cell in city.cells] == list(range(players * size))
    for d, (q0, r0) in enumerate(centres(players, radius)):
        for i, (q, r) in enumerate(district_cells(radius)):
            assert city.cells[d * size + i] == (q0 + q, r0 + r)


@every_map
def test_neighbours_are_the_hexes_one_apart(players, radius):
    city = city_map(players, radius)
    near = graph(city)
    for hex_, row in enumerate(city.neighbours.tolist()):
        assert sorted(other for other in row if other >= 0) == sorted(near[hex_])
        for (dq, dr), other in zip(DIRECTIONS, row, strict=True):
            q, r = city.cells[hex_]
            assert other == city.index.get((q + dq, r + dr), -1)
    border = [
        any(city.district[other] != city.district[hex_] for other in near[hex_])
        for hex_ in range(len(city.cells))
    ]
    assert city.border.tolist() == border


@every_map
def test_districts_lie_side_by_side_without_holes(players, radius):
    """Two districts that touch share an edge of 2r + 1 steps; no hex inside the map is missing."""
    city = city_map(players, radius)
    shared = Counter()
    for a, b in graph(city).edges:
        if city.district[a] != city.district[b]:
            shared[frozenset(city.district[[a, b]].tolist())] += 1
    assert set(shared.values()) == {2 * radius + 1}
    assert len(shared) == {2: 1, 3: 3, 4: 5, 5: 7}[players]
    outside = nx.Graph()
    span = range(-8 * radius, 8 * radius + 1)
    free = [(q, r) for q in span for r in span if (q, r) not in city.index]
    outside.add_nodes_from(free)
    for q, r in free:
        outside.add_edges_from(
            ((q, r), (q + dq, r + dr)) for dq, dr in DIRECTIONS if (q + dq, r + dr) in outside
        )
    assert nx.is_connected(outside)


def test_a_map_is_made_once_and_cannot_be_written_to():
    city = city_map(4, 3)
    assert city_map(4, 3) is city
    for array in (city.district, city.neighbours, city.border):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


# Figures


@every_map
def test_smallest_figures_are_parts_of_the_graph(players, radius):
    city = city_map(players, radius)
    near = graph(city)
    edges = {frozenset(edge) for edge in near.edges}
    assert {frozenset(line) for line in lines(city, 2).tolist()} == edges
    cliques = {frozenset(c) for c in nx.enumerate_all_cliques(near) if len(c) == 3}
    assert {frozenset(three) for three in triangles(city, 2).tolist()} == cliques
    balls = {frozenset([hex_, *near[hex_]]) for hex_ in near if len(near[hex_]) == 6}
    assert {frozenset(seven) for seven in hexagons(city, 1).tolist()} == balls


@every_map
@pytest.mark.parametrize("length", [3, 5, 10])
def test_lines_are_straight_and_all_there(players, radius, length):
    city = city_map(players, radius)
    found = {tuple(line) for line in lines(city, length).tolist()}
    wanted = set()
    for a, b in itertools.combinations(range(len(city.cells)), 2):
        step = (point(city.cells[b]) - point(city.cells[a])) / (length - 1)
        if abs(abs(step) - 1) > 1e-9:
            continue
        between = [
            min(city.cells, key=lambda cell: abs(point(cell) - at))
            for at in (point(city.cells[a]) + i * step for i in range(length))
        ]
        straight = all(
            abs(point(cell) - point(city.cells[a]) - i * step) < 1e-6
            for i, cell in enumerate(between)
        )
        if straight:
            wanted.add(tuple(sorted(city.index[cell] for cell in between)))
    assert found == wanted


@every_map
@pytest.mark.parametrize("side", [3, 4])
def test_triangles_are_what_lies_between_three_corners(players, radius, side):
    city = city_map(players, radius)
    points = np.array([point(cell) for cell in city.cells])
    spread = side - 1
    wanted = set()
    far = nx.Graph()
    for a, b in itertools.combinations(range(len(points)), 2):
        q, r = np.subtract(city.cells[a], city.cells[b])
        along = 0 in (q, r, q + r)
        if along and abs(abs(points[a] - points[b]) - spread) < 1e-9:
            far.add_edge(a, b)
    for corners in (c for c in nx.enumerate_all_cliques(far) if len(c) == 3):
        middle = points[corners].mean()
        inside = np.ones(len(points), bool)
        for a, b in itertools.permutations(corners, 2):
            normal = (points[b] - points[a]) * 1j
            if ((middle - points[a]) * normal.conjugate()).real < 0:
                continue
            inside &= ((points - points[a]) * normal.conjugate()).real > -1e-9
        hexes = np.flatnonzero(inside)
        if len(hexes) == side * (side + 1) // 2:
            wanted.add(tuple(hexes.tolist()))
    assert {tuple(found) for found in triangles(city, side).tolist()} == wanted


@every_map
def test_figures_are_sorted_and_none_comes_twice(players, radius):
    city = city_map(players, radius)
    for figures, width in (
        (triangles(city, 3), 6),
        (hexagons(city, 1), 7),
        (lines(city, 5), 5),
        (hexagons(city, radius), city.size),
    ):
        assert figures.dtype == np.int16
        assert figures.shape[1] == width
        rows = figures.tolist()
        assert rows == [list(row) for row in sorted({tuple(sorted(row)) for row in rows})]
    whole = [list(range(d * city.size, (d + 1) * city.size)) for d in range(players)]
    assert all(district in hexagons(city, radius).tolist() for district in whole)


def test_figures_that_do_not_fit_are_none():
    city = city_map(2, 2)
    assert lines(city, 20).shape == (0, 20)
    assert triangles(city, 9).shape == (0, 45)
    assert hexagons(city, 4).shape == (0, 61)


# Turning the boards


@every_map
def test_stations_come_as_near_to_the_middle_as_they_can(players, radius):
    city = city_map(players, radius)
    middles = centres(players, radius)
    middle = sum(map(point, middles)) / players
    for station in district_cells(radius):
        for position, centre in enumerate(middles):
            away = [
                abs(point(centre) + point(turned(station, turns)) - middle) for turns in range(6)
            ]
            nearest = [turns for turns in range(6) if away[turns] < min(away) + 1e-9]
            assert nearest_turns(city, position, station) == tuple(nearest)


def test_a_station_in_the_middle_of_its_board_can_turn_any_way():
    assert nearest_turns(city_map(4, 3), 0, (0, 0)) == (0, 1, 2, 3, 4, 5)


def test_two_stations_face_each_other():
    city = city_map(2, 3)
    assert nearest_turns(city, 0, (2, 0)) == (0,)
    assert nearest_turns(city, 1, (2, 0)) == (3,)
    assert nearest_turns(city, 0, (0, 2)) == (5,)


@every_map
def test_any_other_station_has_one_turn_that_is_nearest(players, radius):
    """The lattice of districts is askew to the hexes, so that no two turns come equally near."""
    city = city_map(players, radius)
    for position in range(players):
        for station in set(district_cells(radius)) - {(0, 0)}:
            assert len(nearest_turns(city, position, station)) == 1
