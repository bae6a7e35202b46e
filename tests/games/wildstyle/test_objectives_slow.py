"""Objectives and what comes off at the end, on random maps: the compiled game and the long way.

A small part runs with the fast tests; the whole is marked slow.
"""

import random
from collections import Counter
from itertools import count, islice

import pytest

from sim.games.wildstyle import events

from . import brute
from .kernel_side import REMOVALS, WAYS, kernel_most

MAPS = [(players, radius) for players in range(2, 6) for radius in (3, 2)]
MOST_TAGS = 18
A_MAP = 25
"""Sets of tags tried on a map."""
OTHER_NUMBERS = {
    "triangles": ("side", (2, 3, 4)),
    "hexagons": ("radius", (1,)),
    "lines": ("length", (2, 3, 4, 6, 8)),
    "longest_line": ("least", (2, 3, 5, 8)),
    "matching": ("size", (1, 2, 4, 5)),
    "districts": ("tags", (1, 3, 7, 9)),
    "clusters": ("tags", (1, 2, 4, 6)),
    "railways": ("stations", (0, 2, 3)),
    "station_path": ("stations", (2, 3, 4)),
}


# Random maps and tags


def random_city(rng, players, radius):
    """Return a map with icons as on the boards, or with many stations, or any."""
    size = 1 + 3 * radius * (radius + 1)
    likely = rng.choice(
        [
            {"station": 1, "railway": 8, "police": 2, "park": 4, "downtown": 6, "shopping": 16},
            {"station": 6, "railway": 8, "police": 2, "park": 4, "downtown": 17},
            dict.fromkeys(events.ICONS, 1),
        ]
    )
    icons = rng.choices(list(likely), list(likely.values()), k=players * size)
    for board in range(players):
        icons[board * size + rng.randrange(size)] = "station"
    return brute.city(players, radius, icons)


def scattered(rng, city, number):
    return set(rng.sample(city.hexes, number))


def grown(rng, city, number, start=None):
    """Return tags of which each touches one before it."""
    tags = {start or rng.choice(city.hexes)}
    while len(tags) < number:
        tags.add(rng.choice(city.around(rng.choice(sorted(tags)))))
    return tags


def compact(rng, city, number):
    """Return the tags nearest to a hex: large figures."""
    middle = rng.choice(city.hexes)
    return set(sorted(city.hexes, key=lambda hex_: brute.distance(hex_, middle))[:number])


def in_lines(rng, city, number):
    """Return straight lines that cross and touch."""
    tags = set()
    while len(tags) < number:
        q, r = rng.choice(sorted(tags)) if tags and rng.random() < 0.7 else rng.choice(city.hexes)
        x, y = rng.choice([(1, 0), (0, 1), (1, -1)])
        line = ((q + x * step, r + y * step) for step in range(rng.randint(3, 10)))
        tags.update(hex_ for hex_ in line if hex_ in city.district_of)
    return tags


def along_stations(rng, city, number):
    """Return walks from station to station."""
    stations = [hex_ for hex_ in city.hexes if city.icon_of[hex_] == "station"]
    here = rng.choice(stations)
    tags = {here}
    while len(tags) < number:
        goal = rng.choice(stations)
        while here != goal:
            nearer = [hex_ for hex_ in city.around(here) if closer(hex_, here, goal)]
            here = rng.choice(nearer or city.around(here))
            tags.add(here)
        if rng.random() < 0.3:
            here = rng.choice(sorted(tags))
            tags.add(rng.choice(city.around(here)))
    return tags


def closer(hex_, here, goal):
    return brute.distance(hex_, goal) < brute.distance(here, goal)


def in_pieces(rng, city, number):
    """Return a few clusters, and tags taken from one at random."""
    tags = set()
    while len(tags) < number:
        tags |= grown(rng, city, rng.randint(1, 8))
        tags -= set(rng.sample(sorted(tags), len(tags) // 6))
    return tags


SHAPES = (scattered, grown, compact, in_lines, along_stations, in_pieces)


def random_tags(rng, city):
    number = rng.randint(0, MOST_TAGS)
    tags = rng.choice(SHAPES)(rng, city, number) if number else set()
    return set(rng.sample(sorted(tags), min(len(tags), MOST_TAGS)))


def other_side(rng, side):
    """Return a side of the same kind with other numbers."""
    name, numbers = OTHER_NUMBERS.get(side["kind"], ("points", (2, 3)))
    return side | {"points": rng.randint(1, 9)} | {name: rng.choice(numbers)}


def cases(players, radius, seed):
    """Yield (map, sides, station_snake, tags) without end."""
    rng = random.Random(f"{players} {radius} {seed}")
    for number in count():
        city = random_city(rng, players, radius)
        sides = brute.SIDES
        if number % 2:
            sides = {name: other_side(rng, side) for name, side in sides.items()}
        station_snake = rng.choice(["each_cluster", "best_cluster"])
        for _ in range(A_MAP):
            yield city, sides, station_snake, random_tags(rng, city)


# Objectives


def compare_points(players, radius, number, ways, seed=1):
    """Compare the ways on so many sets of tags; return how often each side scored."""
    scored = Counter()
    for city, sides, station_snake, tags in islice(cases(players, radius, seed), number):
        for name, side in sides.items():
            asked = (players, radius, city, side, tags, station_snake)
            found = {way: WAYS[way](*asked) for way in ways}
            assert len(set(found.values())) == 1, (found, name, asked)
            assert found["kernel"][0] <= kernel_most(players, radius, city, side), (name, asked)
            scored[name] += found["long way"][0] > 0
    return scored


@pytest.mark.parametrize(("players", "radius"), MAPS)
def test_points(players, radius):
    scored = compare_points(players, radius, 100, WAYS)
    assert len(scored) == len(brute.SIDES)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "radius"), MAPS)
def test_points_of_many(players, radius):
    scored = compare_points(players, radius, 20_000, ("kernel", "long way"), seed=2)
    assert min(scored[name] for name in brute.SIDES) >= 500


# Tags that come off


def compare_removals(players, radius, number, most_cars, seed=1):
    """Compare what comes off in so many cases."""
    rng = random.Random(seed)
    for city, sides, _, tags in islice(cases(players, radius, seed), number):
        dealt = rng.sample(sorted(sides), 3)
        cars = rng.randint(1, most_cars)
        ruling = rng.choice(["best", "best", "best", "cheapest"])
        asked = (players, radius, city, [sides[name] for name in dealt], tags, cars, ruling)
        found = {way: removal(*asked) for way, removal in REMOVALS.items()}
        assert found["kernel"] == found["referee"] == found["long way"], (found, dealt, asked)


@pytest.mark.parametrize(("players", "radius"), [(2, 2), (3, 3), (5, 3)])
def test_removals(players, radius):
    compare_removals(players, radius, 8, 3)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "radius"), MAPS)
def test_many_removals(players, radius):
    compare_removals(players, radius, 400, 2, seed=2)
    compare_removals(players, radius, 100, 6, seed=3)
