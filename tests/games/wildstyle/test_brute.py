"""The long way of counting agrees with ways that are longer still, and with the game's map."""

import random
from itertools import combinations

import numpy as np
import pytest

from sim.games.wildstyle import hexmap

from . import brute

MAPS = [(players, radius) for players in range(2, 6) for radius in (3, 2)]


@pytest.mark.parametrize(("players", "radius"), MAPS)
def test_the_map_of_the_game(players, radius):
    drawn = brute.city(players, radius, ["park"] * players * (1 + 3 * radius * (radius + 1)))
    compiled = hexmap.city_map(players, radius)
    assert [tuple(map(int, cell)) for cell in compiled.cells] == drawn.hexes
    assert compiled.district.tolist() == list(drawn.district_of.values())
    assert compiled.border.tolist() == [hex_ in drawn.borders for hex_ in drawn.hexes]
    for hex_, neighbours in zip(drawn.hexes, compiled.neighbours, strict=True):
        around = {drawn.number_of[other] for other in drawn.around(hex_)}
        assert set(neighbours[neighbours >= 0].tolist()) == around
        assert len(around) == np.count_nonzero(neighbours >= 0)


@pytest.mark.parametrize("radius", [3, 2])
def test_two_boards_touch_along_one_side_of_each(radius):
    bare = brute.districts(2, radius)
    borders = brute.City({}, bare).borders
    assert [sum(bare[hex_] == board for hex_ in borders) for board in (0, 1)] == [radius + 1] * 2


@pytest.mark.parametrize(("players", "radius"), MAPS)
def test_no_hole_in_the_map(players, radius):
    bare = brute.districts(players, radius)
    outside = {
        (q + i, r + j) for q, r in bare for i in (-1, 0, 1) for j in (-1, 0, 1)
    } - bare.keys()
    assert max(len(brute.City({}, bare).around(hex_)) for hex_ in outside) < 5
    assert len(bare) == players * (1 + 3 * radius * (radius + 1))


def blob(rng, size):
    """Return `size` hexes grown from the middle."""
    tags = {(0, 0)}
    while len(tags) < size:
        q, r = rng.choice(sorted(tags))
        tags.add((q + rng.choice((-1, 0, 1)), r + rng.choice((-1, 0, 1))))
    return frozenset(tags)


def largest_by_enumeration(figures):
    figures = sorted(set(figures), key=sorted)
    for count in range(len(figures), 0, -1):
        for chosen in combinations(figures, count):
            if len(frozenset.union(*chosen)) == sum(map(len, chosen)):
                return count
    return 0


@pytest.mark.parametrize(
    ("find", "size"), [(brute.triangles, 2), (brute.lines, 2), (brute.lines, 3)]
)
def test_the_packing_is_the_largest(find, size):
    rng = random.Random(size)
    sizes = set()
    for _ in range(150):
        found = set(find(blob(rng, rng.randint(3, 9)), size))
        if len(found) <= 16:
            assert brute.most_disjoint(found) == largest_by_enumeration(found)
            sizes.add(brute.most_disjoint(found))
    assert len(sizes) >= 3


def test_paths_by_programme_are_the_shortest():
    rng = random.Random(8)
    ways = set()
    for _ in range(400):
        cluster = max(brute.clusters(blob(rng, rng.randint(3, 11))), key=len)
        if not 3 <= len(cluster) <= 9:
            continue
        stations = frozenset(rng.sample(sorted(cluster), rng.randint(2, min(5, len(cluster)))))
        graph = brute.graph_of(cluster)
        shortest = brute.walked_path(graph, stations)
        assert brute.path_length(cluster, stations) == shortest
        assert brute.programmed_path(graph, stations) == shortest
        joined = brute.joined_shortest_paths(graph, stations)
        assert joined in (0, shortest)
        ways.add((len(stations), joined > 0))
    assert ways >= {(2, True), (3, True), (3, False), (4, True), (4, False), (5, False)}


def test_rings_apart_from_the_path_are_forbidden():
    """Two rings of three joined by one long way: rings alone would visit all stations cheaply."""
    triangle = [(0, 0), (1, 0), (0, 1)]
    far = [(q + 7, r) for q, r in triangle]
    cluster = frozenset([*triangle, *far, *((q, 0) for q in range(2, 7))])
    stations = frozenset(triangle + far)
    assert brute.programmed_path(brute.graph_of(cluster), stations) == len(cluster)


def test_solo_tags_come_off_in_one_step():
    assert brute.solo_removed({(0, 0), (1, 0), (3, 0)}) == {(0, 0), (1, 0)}
    assert brute.solo_removed({(0, 0), (2, 0)}) == set()
    assert brute.solo_removed(set()) == set()
