"""Objectives on parts of maps, drawn, the points worked by hand with the rulebook beside."""

from dataclasses import dataclass

import pytest

from . import brute


@dataclass(frozen=True)
class Case:
    name: str
    objective: str
    worth: int
    counting: int
    drawing: str
    other: dict

    def table(self):
        return brute.SIDES[self.objective] | self.other


def case(name, objective, worth, counting, drawing, **other):
    """Return a case: its points, the tags that count, what the component file says otherwise."""
    return pytest.param(
        Case(name, objective, worth, counting, drawing, other), id=f"{objective}-{name}"
    )


PARTS = [
    # Tricorners: 6 points per 6 tags in a triangle
    case("no tags", "tricorners", 0, 0, ". . ."),
    case("one", "tricorners", 6, 6, """
        # # #
         # #
          #
        """),
    case("corner missing", "tricorners", 0, 0, """
        # # #
         # #
          .
        """),
    case("ten tags, one triangle", "tricorners", 6, 6, """
        # # # #
         # # #
          # #
           #
        """),
    case("one each way up", "tricorners", 12, 12, """
        # # # #
         # # # #
          # # # #
        """),
    case("a shared corner", "tricorners", 6, 6, """
        # # # # #
         # # # #
          # . #
        """),
    case("twelve tags, any two share one", "tricorners", 6, 6, """
        # # # # #
         # # # #
          # # #
        """),
    case("the outer two, not the middle one", "tricorners", 12, 12, """
        # # # # # # #
         # # # # # #
          # . # . #
        """),
    case("eighteen tags, two", "tricorners", 12, 12, """
        # # # # # #
         # # # # # #
          # # # # # #
        """),
    case("eighteen tags, three: the most", "tricorners", 18, 18, """
        # # # # # # #
         # # # # # #
          # # # # #
        """),
    case("two tags a side", "tricorners", 4, 6, """
        # # . #
         # . # #
        """, side=2, points=2),
    case("four tags a side", "tricorners", 7, 10, """
        # # # #
         # # #
          # #
           #
        """, side=4, points=7),
    # Bestagon: 9 points per 7 tags in a hexagon
    case("one", "bestagon", 9, 7, """
         # #
        # # #
         # #
        """),
    case("hollow", "bestagon", 0, 0, """
         # #
        # . #
         # #
        """),
    case("ten tags, one", "bestagon", 9, 7, """
         # # #
        # # # #
         # # #
        """),
    case("side by side", "bestagon", 18, 14, """
              # #
         # # # # #
        # # # # #
         # #
        """),
    case("a shared tag", "bestagon", 9, 7, """
         # # # #
        # # # # #
         # # # #
        """),
    case("the outer two, not the middle one", "bestagon", 18, 14, """
         # #
        # # # #
         # # # # #
            # # # #
               # #
        """),
    case("eighteen tags, two: the most", "bestagon", 18, 14, """
              # # #
         # # # # #
        # # # # #
         # # # # #
        """),
    # Straight Shooter: 6 points per 5 tags in a straight line
    case("four", "straight_shooter", 0, 0, "# # # #"),
    case("five", "straight_shooter", 6, 5, "# # # # #"),
    case("a gap", "straight_shooter", 0, 0, "# # # . # # # #"),
    case("nine", "straight_shooter", 6, 5, "# # # # # # # # #"),
    case("ten", "straight_shooter", 12, 10, "# # # # # # # # # #"),
    case("crossing in the middle", "straight_shooter", 6, 5, """
            #
             #
        # # # # #
               #
                #
        """),
    case("crossing in the middle of six", "straight_shooter", 6, 5, """
            #
             #
        # # # # # #
               #
                #
        """),
    case("meeting at the end of six", "straight_shooter", 12, 10, """
        # # # # # #
         #
          #
           #
            #
        """),
    case("three through one tag", "straight_shooter", 6, 5, """
          # . #
           # #
        # # # # #
           # #
          # . #
        """),
    case("three in parallel: the most", "straight_shooter", 18, 15, """
        # # # # #
         # # # # #
          # # # # #
        """),
    case("four in a line", "straight_shooter", 10, 8, "# # # # . # # # #", length=4, points=5),
    # End of the Line: 2 points per tag in the longest unbroken straight line
    case("no tags", "end_of_the_line", 0, 0, ". ."),
    case("one tag", "end_of_the_line", 2, 1, "# ."),
    case("broken", "end_of_the_line", 8, 4, "# # # # . # # #"),
    case("one of two as long", "end_of_the_line", 6, 3, """
        # # #
         . .
        # # #
        """),
    case("bent", "end_of_the_line", 6, 3, """
        # # #
             #
            #
        """),
    case("zigzag", "end_of_the_line", 4, 2, """
        #
         #
        #
         #
        #
        """),
    case("ten", "end_of_the_line", 20, 10, "# # # # # # # # # #"),
    case("too short", "end_of_the_line", 0, 0, "# # # #", least=5),
    case("just long enough", "end_of_the_line", 10, 5, "# # # # #", least=5),
    # Under Their Noses: 1 point per tag that touches a police station
    case("beside", "under_their_noses", 1, 1, "# p"),
    case("two away", "under_their_noses", 0, 0, "# . p"),
    case("a rival's or one's own tag there", "under_their_noses", 1, 1, "# P"),
    case("on a station", "under_their_noses", 0, 0, "P ."),
    case("on a station beside a station", "under_their_noses", 0, 0, "P P"),
    case("between two", "under_their_noses", 1, 1, "p # p"),
    case("on a train station", "under_their_noses", 1, 1, "S p"),
    case("all round", "under_their_noses", 6, 6, """
         # #
        # p #
         # #
        """),
    case("all round and on it", "under_their_noses", 6, 6, """
         # #
        # P # #
         # #
        """),
    case("two stations that share a tag", "under_their_noses", 6, 6, """
         # #
        p # P #
         # # .
        """),
    # 3 of a Kind: 4 points per 3 matching icons in a cluster
    case("three", "three_of_a_kind", 4, 3, "D D D"),
    case("two", "three_of_a_kind", 0, 0, "D D G"),
    case("three, not touching", "three_of_a_kind", 4, 3, "D G D G D"),
    case("three in two clusters", "three_of_a_kind", 0, 0, "D D . D"),
    case("five", "three_of_a_kind", 4, 3, "D D D D D"),
    case("six", "three_of_a_kind", 8, 6, "D D D D D D"),
    case("two icons", "three_of_a_kind", 8, 6, "D G D G D G"),
    case("two and four", "three_of_a_kind", 4, 3, "D D . D D D D"),
    case("two and four joined", "three_of_a_kind", 8, 6, "D D G D D D D"),
    case("three in each of two clusters", "three_of_a_kind", 8, 6, "D D D . D D D"),
    case("eighteen tags, six: the most", "three_of_a_kind", 24, 18, """
        D D D D D D
         G G G G G G
          I I I W W W
        """),
    case("pairs", "three_of_a_kind", 6, 4, "D D D D D", size=2, points=3),
    # Urban Planner: 2 points per icon of the type tagged most
    case("no tags", "urban_planner", 0, 0, ". ."),
    case("across clusters", "urban_planner", 6, 3, "D D . D G G"),
    case("two types as often", "urban_planner", 4, 2, "D D G G"),
    case("bare hexes do not count", "urban_planner", 4, 2, "D d d d G G"),
    case("train stations too", "urban_planner", 6, 3, "S S . S W W"),
    case("eighteen of a kind", "urban_planner", 36, 18, """
        D D D D D D
         D D D D D D
          D D D D D D
        """),
    # Zone Control: 5 points per cluster of at least 3 tags
    case("two", "zone_control", 0, 0, "# # . # #"),
    case("three", "zone_control", 5, 3, "# # #"),
    case("a bend", "zone_control", 5, 3, """
        # #
           #
        """),
    case("two clusters", "zone_control", 10, 7, "# # # . # # # #"),
    case("touching at one place", "zone_control", 5, 6, """
        # # # .
         . . # # #
        """),
    case("one that is too small", "zone_control", 5, 4, "# # # # . # #"),
    case("joined by one tag", "zone_control", 5, 7, """
        # # #
         . . #
          . . # # #
        """),
    case("six: the most", "zone_control", 30, 18, """
        # # . # # . # #
         # . . # . . #
          . . . . . . .
         # # . # # . # #
          # . . # . . #
        """),
    case("four tags", "zone_control", 8, 4, "# # # . # # # #", tags=4, points=8),
    # Rail Supreme: 2 points per station and railway in clusters with a station
    case("no station", "rail_supreme", 0, 0, "W W W"),
    case("a station", "rail_supreme", 6, 3, "S W W"),
    case("two stations, each hex once", "rail_supreme", 8, 4, "W S W S"),
    case("others do not count", "rail_supreme", 6, 3, "S D W G W P"),
    case("a cluster without", "rail_supreme", 4, 2, "S W . W W"),
    case("a bare station", "rail_supreme", 0, 0, "s W W"),
    case("two clusters", "rail_supreme", 10, 5, "S W . W W S"),
    case("all of eighteen", "rail_supreme", 36, 18, """
        W W W W W W
         W W S W W W
          W W W W S W
        """),
    case("two stations needed", "rail_supreme", 8, 4, "S W . W S W S", stations=2),
    # Station Snake: 2 points per tag on the shortest path through the tagged stations
    case("one station", "station_snake", 0, 0, "S W W"),
    case("one in each of two clusters", "station_snake", 0, 0, "S W . W S"),
    case("straight", "station_snake", 6, 3, "S # S"),
    case("a bare station", "station_snake", 0, 0, "S # s"),
    case("side by side", "station_snake", 4, 2, "S S"),
    case("tags off the path", "station_snake", 6, 3, "# S # S # #"),
    case("round a gap", "station_snake", 8, 4, """
        S . S
         # #
        """),
    case("the shorter way round", "station_snake", 8, 4, """
         # # #
        # . . #
         S . S
          # #
        """),
    case("three in a line", "station_snake", 10, 5, "S # S # S"),
    case("three in a triangle", "station_snake", 6, 3, """
        S S
         S
        """),
    case("star: the two nearest", "station_snake", 8, 4, """
        S
         #
          #
           # S
          #
         S
        """),
    case("star of four: the most, then the shortest", "station_snake", 8, 4, """
        S
         #
          # S
         S
        S
        """),
    case("most stations before fewest tags", "station_snake", 12, 6, "S S # # # S"),
    case("no tag twice", "station_snake", 14, 7, """
           S #
        S # . #
           S #
        """),
    case("a short cut", "station_snake", 10, 5, """
           S #
        S # # #
           S #
        """),
    case("two clusters", "station_snake", 10, 5, "S # S . S S"),
    case("three needed", "station_snake", 6, 3, "S # S . S S S", stations=3),
    case("three needed, two on the path", "station_snake", 8, 4, """
        S
         #
          #
           # S
          #
         S
        """, stations=3),
]  # fmt: skip
