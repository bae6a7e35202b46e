"""The referee's scoring: cases worked by hand on drawn maps, and agreement with the long way."""

import random

import pytest

from sim.games.wildstyle.city import build_city, ground
from sim.games.wildstyle.events import ICONS
from sim.games.wildstyle.scoring_rules import (
    NUMBER_OF,
    Side,
    count_objective,
    final_points,
    most_disjoint,
    objective_hexes,
    ranking,
    solo_tags,
    station_path,
    tag_clusters,
    tags_to_remove,
)

from . import brute, drawn

POINTS = tuple(brute.POINTS[icon] for icon in ICONS)


def ours(city, players, radius):
    """Return a map of the long way as the referee's."""
    icons = [ICONS.index(city.icon_of[hex_]) for hex_ in city.hexes]
    return build_city(ground(players, radius), icons, POINTS)


def side(name, best_cluster=False, **changes):
    """Return a side of the rulebook, with other numbers."""
    found = brute.SIDES[name] | changes
    number = found.get(NUMBER_OF.get(found["kind"]), 1)
    return Side(name, name, found["kind"], found["points"], number, best_cluster)


def on(drawing, players=2, radius=3):
    """Return (map, tags) of a drawing somewhere on a map."""
    tags, city = drawn.part(drawing, players, radius)
    return ours(city, players, radius), frozenset(city.number_of[tag] for tag in tags)


def scored(name, drawing, best_cluster=False, **changes):
    """Return (points, tags that count) of a drawing."""
    city, tags = on(drawing)
    counted = count_objective(city, side(name, best_cluster, **changes), tags)
    assert sum(map(len, counted.groups)) == len(counted.hexes)
    assert counted.hexes <= tags
    return counted.points, len(counted.hexes)


TRIANGLE = """
    # # #
     # #
      #
"""
TRIANGLE_UP = """
      #
     # #
    # # #
"""
FLOWER = """
     # #
    # # #
     # #
"""
ROW_OF_NINE = "# # # # # # # # #"


@pytest.mark.parametrize(
    ("name", "drawing", "expected"),
    [
        ("tricorners", TRIANGLE, (6, 6)),
        ("tricorners", TRIANGLE_UP, (6, 6)),
        ("tricorners", FLOWER, (0, 0)),
        ("bestagon", FLOWER, (9, 7)),
        ("bestagon", TRIANGLE, (0, 0)),
        ("straight_shooter", ROW_OF_NINE, (6, 5)),
        ("straight_shooter", "# # # # # # # # # #", (12, 10)),
        ("straight_shooter", "# # # #", (0, 0)),
        ("end_of_the_line", ROW_OF_NINE, (18, 9)),
        ("end_of_the_line", "# # . # # #", (6, 3)),
        ("end_of_the_line", TRIANGLE, (6, 3)),
        ("three_of_a_kind", "D D D D D", (4, 3)),
        ("three_of_a_kind", "D D W D G G G", (8, 6)),
        ("three_of_a_kind", "D D . D", (0, 0)),
        ("urban_planner", "D D . D G G", (6, 3)),
        ("zone_control", "# # # . # # # #", (10, 7)),
        ("zone_control", "# # . # #", (0, 0)),
        ("rail_supreme", "S W D W . W W", (6, 3)),
        ("rail_supreme", "S W S W . S", (10, 5)),
        ("rail_supreme", "W W W", (0, 0)),
        ("station_snake", "S # S", (6, 3)),
        ("station_snake", "S # # . S", (0, 0)),
        ("station_snake", "S S . S # S", (10, 5)),
        ("under_their_noses", "p # # P #", (3, 3)),
        ("under_their_noses", "P # .", (1, 1)),
        ("under_their_noses", "P P .", (0, 0)),
    ],
)
def test_objectives_by_hand(name, drawing, expected):
    assert scored(name, drawing) == expected


def test_two_triangles_that_share_a_tag_are_one():
    drawing = """
        # # # # #
         # # # #
          # . #
    """
    assert scored("tricorners", drawing) == (6, 6)
    assert scored("tricorners", drawing.replace("# # # # #", "# # # # # #")) == (6, 6)


def test_a_greedy_choice_of_triangles_would_lose_one():
    """Of sides of two: the middle one of a row of three overlaps both others."""
    drawing = """
        # # # #
         # . #
    """
    assert scored("tricorners", drawing, side=2) == (12, 6)


def test_a_line_goes_on_across_districts():
    city, players = ours(brute.city(2, 3, ["park"] * 74), 2, 3), 2
    cells = city.ground.cells
    row = frozenset(hex_ for hex_, (_, r) in enumerate(cells) if r == -1)
    assert {city.ground.district[hex_] for hex_ in row} == {0, 1}
    assert count_objective(city, side("end_of_the_line"), row).points == 2 * len(row)
    assert players == len(set(city.ground.district))


def test_borders_are_edges_between_districts_not_the_outside():
    city = ours(brute.city(2, 3, ["park"] * 74), 2, 3)
    everything = frozenset(range(74))
    assert objective_hexes(city, side("border_wars"), everything) == (8, city.ground.borders)
    inside = city.ground.number[0, 0]
    assert objective_hexes(city, side("border_wars"), {inside}) == (0, frozenset())


def test_district_division_needs_enough_tags_in_one_district():
    city = ours(brute.city(3, 3, ["park"] * 111), 3, 3)
    tags = frozenset([*range(5), *range(40, 44), *range(80, 90)])
    assert objective_hexes(city, side("district_division"), tags)[0] == 10
    assert objective_hexes(city, side("district_division", tags=4), tags)[0] == 15


def test_the_best_cluster_alone():
    drawing = "S S . S # S"
    assert scored("station_snake", drawing, best_cluster=True) == (6, 3)


def test_a_path_that_cannot_visit_all_stations_visits_the_most():
    """Three arms from a middle: a path has only two ends."""
    drawing = """
        S . . . S
         # . . #
          # . #
           # #
            #
            S
    """
    city, tags = on(drawing.replace("            S\n", "           S\n"))
    path = station_path(city, tag_clusters(city, tags)[0])
    stations = [hex_ for hex_ in path if ICONS[city.icons[hex_]] == "station"]
    assert len(stations) == 2
    assert len(path) == 6


def test_shortest_paths_one_after_the_other_may_cross():
    """The way round is longer than two shortest ways that would use a tag twice."""
    drawing = """
        S # #
         # . #
        S # S
    """
    city, tags = on(drawing)
    assert len(station_path(city, tag_clusters(city, tags)[0])) == 5


def test_solo_tags_come_off_in_one_step():
    city, tags = on("# # . # . # #")
    assert len(solo_tags(city, tags)) == 1
    assert solo_tags(city, tags - solo_tags(city, tags)) == frozenset()


def test_tags_that_would_be_solo_are_given_up_first():
    city, tags = on("D D . G")
    (off,) = tags_to_remove(city, [], tags, 1, "best")
    assert ICONS[city.icons[off]] == "park"
    (off,) = tags_to_remove(city, [], tags, 1, "cheapest")
    assert ICONS[city.icons[off]] == "shopping" or city.points[city.icons[off]] == 2
    assert off == min(tags)


def test_two_removals_are_chosen_together():
    """One at a time a tag of each pair would come off and leave nothing."""
    city, tags = on("P P . D D . G G G")
    off = tags_to_remove(city, [], tags, 2, "best")
    assert {ICONS[city.icons[hex_]] for hex_ in off} == {"downtown"}
    assert final_points(city, [], tags.difference(off)) == 17


def test_no_more_tags_come_off_than_there_are():
    city, tags = on("# #")
    assert sorted(tags_to_remove(city, [], tags, 5, "best")) == sorted(tags)
    assert sorted(tags_to_remove(city, [], tags, 5, "cheapest")) == sorted(tags)


def test_ranks():
    assert ranking([30, 40, 40, 20], [0, 2, 1, 0]) == [3, 2, 1, 4]
    assert ranking([40, 40, 10], [1, 1, 0]) == [1, 1, 3]


def test_disjoint_figures_need_search():
    chain = [frozenset(group) for group in ((1, 2), (2, 3), (3, 4), (4, 5), (5, 6))]
    assert len(most_disjoint(chain)) == 3
    star = [frozenset(group) for group in ((0, 5), (1, 5), (2, 5))]
    assert len(most_disjoint(star)) == 1
    assert most_disjoint([]) == []


# The long way


def random_tags(city, luck, count):
    """Return tags in a few clusters, as players place them."""
    tags = {luck.choice(city.hexes)}
    while len(tags) < count:
        near = [hex_ for tag in sorted(tags) for hex_ in city.around(tag) if hex_ not in tags]
        tags.add(luck.choice(near if near and luck.random() < 0.9 else city.hexes))
    return tags


def random_city(luck, players, radius):
    size = 1 + 3 * radius * (radius + 1)
    weights = [8, luck.choice([1, 6]), 6, 6, 6, 4, 4, 2]
    return brute.city(players, radius, luck.choices(ICONS, weights, k=size * players))


@pytest.mark.parametrize("radius", [3, 2])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_objectives_agree_with_the_long_way(players, radius):
    luck = random.Random(10 * players + radius)
    seen = {}
    for _ in range(60):
        theirs = random_city(luck, players, radius)
        city = ours(theirs, players, radius)
        tags = random_tags(theirs, luck, luck.randint(6, 18))
        numbers = frozenset(theirs.number_of[tag] for tag in tags)
        for name, data in brute.SIDES.items():
            counted = count_objective(city, side(name), numbers)
            assert (counted.points, len(counted.hexes)) == brute.score(data, tags, theirs), name
            seen.setdefault(name, set()).add(counted.points)
    rare = {"bestagon", "tricorners"}
    assert all(len(seen[name]) > 1 for name in seen.keys() - rare)


@pytest.mark.parametrize("cars", [1, 2, 4])
@pytest.mark.parametrize("choice", ["best", "cheapest"])
def test_removal_agrees_with_the_long_way(cars, choice):
    luck = random.Random(cars)
    for _ in range(3):
        theirs = random_city(luck, 3, 2)
        city = ours(theirs, 3, 2)
        tags = random_tags(theirs, luck, 9)
        names = luck.sample(sorted(set(brute.SIDES) - {"tricorners", "bestagon"}), 3)
        data = [brute.SIDES[name] for name in names]
        due = (
            brute.best_removal(tags, cars, data, theirs)
            if choice == "best"
            else brute.cheapest_removal(tags, cars, theirs)
        )
        numbers = frozenset(theirs.number_of[tag] for tag in tags)
        off = tags_to_remove(city, [side(name) for name in names], numbers, cars, choice)
        assert sorted(off) == sorted(theirs.number_of[tag] for tag in due)
