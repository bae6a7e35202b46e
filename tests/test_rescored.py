"""Games scored again, worked out by hand."""

import numpy as np

from sim.games.wildstyle.analysis.blocks import TIE_BREAK
from sim.metrics.rescored import deciding, shares_with, winners


def standing(scores, cars):
    return np.array(scores) * TIE_BREAK - np.array(cars)


def test_the_fewest_cop_cars_break_a_tie():
    table = standing([[30, 30, 20], [30, 30, 30]], [[2, 1, 0], [1, 1, 3]])
    assert winners(table).tolist() == [[False, True, False], [True, True, False]]


def test_a_tile_decides_if_others_would_win_without_it():
    # 31 to 30 becomes 25 to 28; 40 to 30 becomes 34 to 28; a tie at the same cop cars is broken
    table = standing([[31, 30], [40, 30], [30, 30]], [[0, 0], [0, 0], [1, 1]])
    points = TIE_BREAK * np.array([[6, 2], [6, 2], [0, 6]])
    assert deciding(table, points).tolist() == [True, False, True]


def test_what_a_seat_would_win_with_other_points():
    table = standing([[30, 31, 29]], [[0, 0, 0]])
    bonus = TIE_BREAK * np.array([[[0, 1, 2], [0, -1, -2], [0, 2, 3]]])
    shares = shares_with(table, bonus) / 6  # of three seats, whole in sixths
    assert shares.tolist() == [[[0, 0.5, 1], [1, 0.5, 0], [0, 0.5, 1]]]


def test_cop_cars_count_when_points_make_a_tie():
    table = standing([[30, 31]], [[1, 0]])
    level = shares_with(table, TIE_BREAK * np.array([[[1, 2], [0, -1]]])) / 2
    assert level.tolist() == [[[0, 1], [1, 1]]]
