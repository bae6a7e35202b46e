"""The twelve objectives on drawn maps, the points worked by hand with the rulebook beside.

Each case is counted three times: by the compiled game, by the referee and the long way.
"""

from itertools import product

import pytest

from . import brute, drawn
from .cases import PARTS, case
from .kernel_side import WAYS, kernel_most

MAPS = [(2, 3), (3, 3), (5, 3), (2, 2), (4, 2)]
"""(players, radius of the boards): where drawings of a part of a map are laid down."""

WHOLE = [
    # Border Wars: 1 point per tag that touches a border of two district boards
    (2, 2, case("inside and at outside edges", "border_wars", 0, 0, """
                  # . .
                 . . . .
          # . .|. . . . #
         . . # .|. . . .
        # . . . .|. . .
         . . . .
          # . .
        """)),
    (2, 2, case("some", "border_wars", 3, 3, """
                  . . .
                 . . . .
          . . #|# . . . .
         . . . .|. # . .
        . . . . #|. . #
         . . . .
          . . .
        """)),
    (3, 2, case("two borders each", "border_wars", 3, 3, """
                  . . .
                 . . . .
          . . .|. . . . .
         . . . .|. . . .
        . . . . #|# . .
         . . . .|# . .
          . . .|. . . .
               . . . . .
                . . . .
                 . . .
        """)),
    (3, 2, case("all", "border_wars", 15, 15, """
                  . . .
                 . . . .
          . . #|# . . . .
         . . . #|# . . .
        . . . . #|# # #
         . . . #|# # #
          . . #|# . . .
               # . . . .
                . . . .
                 . . .
        """)),
    # District Division: 5 points per district board with at least 5 tags
    (2, 2, case("four each", "district_division", 0, 0, """
                  # # .
                 # # . .
          # # .|. . . . .
         # . . .|. . . .
        . . # . .|. . .
         . . . .
          . . .
        """)),
    (2, 2, case("five here and four there", "district_division", 5, 5, """
                  # # .
                 # # . .
          # # .|. . . . .
         # . . .|. . . .
        . . # . .|. . .
         . . . .
          # . .
        """)),
    (2, 2, case("ten on one board", "district_division", 5, 10, """
                  . . .
                 . . . .
          # # #|# . . . .
         # # # #|. . . .
        # # # . .|. . .
         . . . .
          . . .
        """)),
    (2, 2, case("two boards: the most", "district_division", 10, 18, """
                  . . .
                 # # . .
          # # #|# # # # .
         # # # #|# . . .
        # # # # .|. . .
         . . . .
          . . .
        """)),
    (3, 2, case("three boards: the most", "district_division", 15, 18, """
                  # # #
                 # # . .
          # # #|# . . . .
         . . # #|. . . .
        . . . . #|. . .
         . . . .|# # .
          . . .|# # . .
               . # # . .
                . . . .
                 . . .
        """)),
    (4, 2, case("four boards: the most", "district_division", 15, 15, """
                  # # #
                 # # . .
          # # #|. . . . .
         # # . .|. . . .|# # .
        . . . . .|. . .|# . . .
         . . . .|# # .|. . . . .
          . . .|# # . .|. . . .
               # . . . .|. . .
                . . . .
                 . . .
        """)),
    (2, 2, case("four needed", "district_division", 6, 8, """
                  # # .
                 # # . .
          # # .|. . . . .
         # . . .|. . . .
        . . # . .|. . .
         . . . .
          . . .
        """, tags=4, points=3)),
    # Lines, clusters and neighbours know no borders
    (2, 2, case("over two boards", "end_of_the_line", 16, 8, """
                  . . .
                 . . . .
          # # .|# . . . .
         # # # #|# # # #
        . . . . .|. . .
         . . . .
          . . .
        """)),
    (3, 2, case("over two boards", "straight_shooter", 6, 5, """
                  . . .
                 . . . .
          . . .|# . . . .
         . . . .|# . . .
        . . . . .|# . .
         . . . .|. # .
          . . .|. . # .
               . . . . .
                . . . .
                 . . .
        """)),
    (3, 2, case("over three boards", "tricorners", 6, 6, """
                  . . .
                 . . . .
          . . .|. . . . .
         . . . .|. . . .
        . . . # #|# . .
         . . . #|# . .
          . . .|# . . .
               . . . . .
                . . . .
                 . . .
        """)),
    (3, 2, case("over three boards", "bestagon", 9, 7, """
                  . . .
                 . . . .
          . . .|. . . . .
         . . . #|# . . .
        . . . # #|# . .
         . . . #|# . .
          . . .|. . . .
               . . . . .
                . . . .
                 . . .
        """)),
    (2, 2, case("over a border", "under_their_noses", 1, 1, """
                  . . .
                 . . . .
          . # #|p . . . .
         . . . .|. . . .
        . . . . .|. . .
         . . . .
          . . .
        """)),
    (2, 2, case("over a border", "zone_control", 5, 3, """
                  . . .
                 . . . .
          . . .|. . . . .
         . . # #|# . . .
        . . . . .|. . .
         . . . .
          . . .
        """)),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", PARTS)
def test_anywhere(way, case):
    """A part of a map: laid down turned and mirrored on several maps, wherever it fits."""
    laid = 0
    for players, radius in MAPS:
        for turn, mirrored in product(range(6), (False, True)):
            found = drawn.part(case.drawing, players, radius, turn, mirrored)
            if found:
                laid += 1
                tags, city = found
                counted = WAYS[way](players, radius, city, case.table(), tags)
                assert counted == (case.worth, case.counting)
    assert laid >= 12


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("players", "radius", "case"),
    [pytest.param(*place, *case.values, id=case.id) for *place, case in WHOLE],
)
def test_on_a_whole_map(way, players, radius, case):
    tags, city = drawn.whole(case.drawing, players, radius)
    counted = WAYS[way](players, radius, city, case.table(), tags)
    assert counted == (case.worth, case.counting)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("station_snake", "counting"), [("each_cluster", 5), ("best_cluster", 3)])
def test_paths_in_two_clusters(way, station_snake, counting):
    tags, city = drawn.part("S # S . S S", 2, 3)
    side = brute.SIDES["station_snake"]
    assert WAYS[way](2, 3, city, side, tags, station_snake) == (2 * counting, counting)


@pytest.mark.parametrize("name", brute.SIDES)
def test_no_tags_no_points(name):
    city = brute.city(2, 2, ["station"] * 38)
    for count in WAYS.values():
        assert count(2, 2, city, brute.SIDES[name], set()) == (0, 0)


@pytest.mark.parametrize(
    ("objective", "players", "most"),
    [
        ("tricorners", 2, 18),
        ("bestagon", 2, 18),
        ("straight_shooter", 2, 18),
        ("three_of_a_kind", 2, 24),
        ("zone_control", 2, 30),
        ("urban_planner", 2, 36),
        ("rail_supreme", 2, 36),
        ("district_division", 2, 10),
        ("district_division", 3, 15),
        ("district_division", 5, 15),
    ],
)
def test_the_most_that_can_be_made(objective, players, most):
    """By arithmetic with 18 tags; drawings above that are called the most reach it."""
    city = brute.city(players, 3, ["railway"] * 37 * players)
    assert kernel_most(players, 3, city, brute.SIDES[objective]) == most
