import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import metrics, verdicts
from sim.verdicts import BALANCED, UNBALANCED, UNDECIDED, UNKNOWN


def seat_rows(shares, half, p=0.5, n=1000):
    """Return tidy rows of one table: seats with intervals of +- half, and the test over them."""
    rows = [
        (None, len(shares), "base", "all", "seat_share", f"seat {seat}", share)
        + ((None, None, 0, "none") if share is None else (share - half, share + half, n, "t"))
        for seat, share in enumerate(shares)
    ]
    test = (None, len(shares), "base", "all", "seat_test.p_holm", "all", p, None, None, n, "x")
    return pl.DataFrame([*rows, test], schema=metrics.SCHEMA, orient="row")


def judge(*args, **kwargs):
    (found,) = verdicts.seat_verdicts(seat_rows(*args, **kwargs))
    return found


@pytest.mark.parametrize(
    ("shares", "half", "p", "verdict"),
    [
        ([0.5, 0.5], 0.01, 0.9, BALANCED),
        ([0.515, 0.485], 0.004, 1e-9, BALANCED),
        ([0.515, 0.485], 0.006, 1e-9, UNDECIDED),
        ([0.55, 0.45], 0.01, 1e-9, UNBALANCED),
        ([0.525, 0.475], 0.01, 1e-9, UNDECIDED),
        # an interval outside by luck among many tables
        ([0.55, 0.45], 0.01, 0.2, UNDECIDED),
        ([0.5, 0.5], 0.2, 0.9, UNDECIDED),
        ([1 / 3] * 3, 0.0, 1.0, BALANCED),
        ([None, None], 0.0, None, UNKNOWN),
    ],
)
def test_verdicts_are_earned(shares, half, p, verdict):
    assert judge(shares, half, p).verdict == verdict


def test_a_certain_but_small_difference_is_known_as_such():
    found = judge([0.51, 0.49], 0.002, 1e-6)
    assert (found.verdict, found.certain, found.seat) == (BALANCED, True, 0)
    assert not judge([0.501, 0.499], 0.002, 0.3).certain


def test_the_furthest_seat_is_named():
    assert judge([0.3, 0.36, 0.34], 0.001, 0).seat == 0
    # both are as far; the one that wins more is named
    assert judge([0.45, 0.55], 0.001, 0).seat == 1


def test_undecided_says_how_many_games_it_takes():
    found = judge([0.51, 0.49], 0.02, 0.5, n=9000)
    # the interval must shrink from 0.02 to 0.01: four times the games
    assert found.needed == pytest.approx(36_000)


@pytest.mark.parametrize(("shares", "half", "n"), [([0.9, 0.1], 0.39, 10), ([0.5, 0.5], 0.3, 10)])
def test_few_games_do_not_promise_that_few_more_decide(shares, half, n):
    # a half width of one point about one half takes 0.25 * (1.96 / 0.01)^2 games
    assert judge(shares, half, 0.5, n).needed >= 9604


@given(st.integers(2, 6), st.floats(0, 0.5), st.floats(0, 0.2), st.floats(0, 1))
def test_no_verdict_without_the_whole_interval(players, gap, half, p):
    fair = 1 / players
    gap = min(gap, fair)
    found = judge([fair + gap, *[fair - gap / (players - 1)] * (players - 1)], half, p)
    if found.verdict == BALANCED:
        assert gap + half <= verdicts.TOLERANCE + 1e-9
    if found.verdict == UNBALANCED:
        assert gap - half > verdicts.TOLERANCE - 1e-9
        assert p < verdicts.LEVEL


def style_rows(cells):
    """Return tidy rows from (cell, players, {style: (low, high)})."""
    rows = [
        (cell, players, "base", f"cell {cell}", "style_share", f"style {style}", *interval)
        for cell, players, styles in cells
        for style, (low, high) in styles.items()
        for interval in [((low + high) / 2, low, high, 100, "t")]
    ]
    return pl.DataFrame(rows, schema=metrics.SCHEMA, orient="row")


def test_dominant_and_useless_styles():
    found = verdicts.style_verdicts(
        style_rows(
            [
                (0, 2, {"a": (0.52, 0.6), "b": (0.4, 0.48)}),
                (1, 2, {"a": (0.51, 0.6), "c": (0.4, 0.49)}),
                (2, 3, {"a": (0.34, 0.4), "b": (0.2, 0.3), "c": (0.3, 0.4)}),
            ]
        )
    )
    known = {each.style: each for each in found}
    assert known["a"].dominant
    assert known["b"].useless
    assert not known["c"].dominant
    assert not known["c"].useless
    assert known["c"].lineups == 2


def test_one_line_up_makes_no_dominant_style():
    (a, b) = verdicts.style_verdicts(style_rows([(0, 2, {"a": (0.6, 0.7), "b": (0.3, 0.4)})]))
    assert not a.dominant
    assert not b.useless
