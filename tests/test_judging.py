"""Verdicts on families of estimates: beyond chance only after correction."""

import pytest

from sim.takeaways.judging import beyond, bounded, ranged, verdict
from sim.verdicts import BALANCED, UNBALANCED, UNDECIDED


def row(estimate, half):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half}


@pytest.mark.parametrize(
    ("rows", "judged"),
    [
        ([row(0.0, 0.5), row(0.4, 0.5)], BALANCED),
        ([row(3.0, 0.5), row(0.0, 0.5)], UNBALANCED),
        ([row(0.9, 0.5)], UNDECIDED),
        ([], UNDECIDED),
    ],
)
def test_verdict(rows, judged):
    assert verdict(rows, 1.0) == judged


def test_one_odd_row_among_many_is_within_chance():
    odd = row(2.1, 1.96)
    assert beyond([odd]) == [odd]
    assert beyond([odd, *(row(0.0, 1.96) for _ in range(20))]) == []


def test_rows_without_bounds_are_left_out_and_ranges_are_told():
    plain = row(1.0, 0.1) | {"low": None, "high": None}
    assert bounded([plain, row(2.0, 0.1)]) == [row(2.0, 0.1)]
    assert ranged([plain, row(2.0, 0.1)], "{:.0f}".format) == "1 to 2"


@pytest.mark.parametrize(("games", "certain"), [(100, True), (99, False), (None, False)])
def test_what_never_varied_is_certain_of_many_games_alone(games, certain):
    same = row(0.3, 0.0) | {"n": games}
    assert beyond([same, row(0.0, 1.0)]) == [same] * certain
    assert beyond([same], tolerance=0.3) == [], "no further than the tolerance"
    assert beyond([row(0.0, 0.0) | {"n": games}]) == []
