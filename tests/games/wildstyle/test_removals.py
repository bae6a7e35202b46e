"""What comes off for cop cars and as solo tags, on drawn maps, worked by hand."""

import pytest

from . import brute, drawn
from .kernel_side import REMOVALS

NOTHING = brute.SIDES["bestagon"]
"""Worth nothing on these maps."""
ZONES = brute.SIDES["zone_control"]
LINES = brute.SIDES["straight_shooter"]
SNAKE = brute.SIDES["station_snake"]

BEST = [
    # a solo tag comes off anyway
    pytest.param(1, NOTHING, "D D D . P", "D D D . .", id="solo tag"),
    pytest.param(2, NOTHING, "D D D . P . P", "D D D . . . .", id="two solo tags"),
    # 2 points go with either, since the other is left alone; equals: the lower number
    pytest.param(1, NOTHING, "W W . P P P", ". W . P P P", id="one of a pair"),
    pytest.param(2, NOTHING, "W W . P P P", ". . . P P P", id="a pair"),
    # one at a time: 2 and 2 points; both at once: 3
    pytest.param(2, NOTHING, "W D . D D D D", ". . . D D D D", id="two at once"),
    pytest.param(3, NOTHING, "W D . D D D D", ". . . . D D D", id="two at once, then one"),
    # 5 for the cluster + 6 + 4 = 15 points; 10 + 6 without the police station
    pytest.param(1, ZONES, "W W W P W W W", "W W W . W W W", id="part a cluster"),
    # 5 + 4 + 4 = 13 with two railways less in one cluster; 5 + 5 without the middle and an end
    pytest.param(2, ZONES, "W W W P W W W", ". . W P W W W", id="leave it whole"),
    # 5 + 9 + 6 = 20 points; 15 + 9 without both parks, 10 + 7 + 6 without two railways
    pytest.param(2, ZONES, "W W W G W W W G W W W", "W W W . W W W . W W W", id="part it twice"),
    # 6 for the line is more than 3 for a park; equals: the lower number
    pytest.param(
        1,
        LINES,
        """
        W W W W W
         G G
        """,
        """
        W W W W W
         . G
        """,
        id="keep the line",
    ),
    pytest.param(1, LINES, "W W W W W W", ". W W W W W", id="keep five of six"),
    # 6 + 5 points; the path is longer without its middle: 8 + 4
    pytest.param(
        1,
        SNAKE,
        """
         W W
        S W S
        """,
        """
         W W
        S . S
        """,
        id="lengthen the path",
    ),
    pytest.param(3, NOTHING, "D G", ". .", id="more cars than tags"),
    pytest.param(0, NOTHING, "D G", "D G", id="no cars"),
]  # fmt: skip
CHEAPEST = [
    pytest.param(1, ZONES, "D D D . P", ". D D . P", id="whatever it costs"),
    pytest.param(2, NOTHING, "D W G W P", "D . G . P", id="the lowest points"),
    pytest.param(3, NOTHING, "D W G D W", ". . G D .", id="equals by number"),
    pytest.param(4, NOTHING, "D W G", ". . .", id="more cars than tags"),
]


def left_over(way, drawing, side, cars, ruling):
    tags, city = drawn.part(drawing, 2, 3)
    removed = REMOVALS[way](2, 3, city, [side], tags, cars, ruling)
    assert len(set(removed)) == len(removed) == min(cars, len(tags))
    return tags.difference(removed)


@pytest.mark.parametrize("way", REMOVALS)
@pytest.mark.parametrize(("cars", "side", "drawing", "left"), BEST)
def test_best(way, cars, side, drawing, left):
    assert left_over(way, drawing, side, cars, "best") == drawn.part(left, 2, 3)[0]


@pytest.mark.parametrize("way", REMOVALS)
@pytest.mark.parametrize(("cars", "side", "drawing", "left"), CHEAPEST)
def test_cheapest(way, cars, side, drawing, left):
    assert left_over(way, drawing, side, cars, "cheapest") == drawn.part(left, 2, 3)[0]
