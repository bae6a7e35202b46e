"""Which games are refereed: as many of each cell, the same anywhere."""

from collections import Counter

import pytest

from sim.audit.sample import drawn
from sim.plan import Cell


def cells(*sizes):
    return [Cell(n, 2, "base", "all a", ("a", "a"), False, size, {}, {})
            for n, size in enumerate(sizes)]  # fmt: skip


@pytest.mark.parametrize("wanted", [1, 3, 4, 10, 11, 100])
def test_every_cell_has_as_many_as_any_other_or_one_more(wanted):
    found = drawn(cells(50, 50, 50, 50), wanted, seed=1)
    counts = [len(found.get(number, ())) for number in range(4)]
    assert sum(counts) == wanted
    assert max(counts) - min(counts) <= 1


def test_a_small_cell_gives_all_it_has_and_the_others_the_rest():
    found = drawn(cells(3, 100, 100), 63, seed=1)
    assert found[0] == [0, 1, 2]
    assert (len(found[1]), len(found[2])) == (30, 30)
    assert drawn(cells(3, 2), 100, seed=1) == {0: [0, 1, 2], 1: [0, 1]}


def test_games_are_drawn_once_each_in_order_and_by_the_seed_alone():
    one, other = drawn(cells(10_000, 80), 60, 7), drawn(cells(10_000, 80), 60, 7)
    assert one == other
    assert one != drawn(cells(10_000, 80), 60, 8)
    for games in one.values():
        assert games == sorted(set(games))
    # pinned: the same on any machine
    assert drawn(cells(1_000_000), 3, 1) == {0: [242_971, 637_654, 815_230]}
    # a cell's own games do not hang on what other cells there are
    assert drawn(cells(10_000, 80), 60, 7)[0] == drawn(cells(10_000, 90), 60, 7)[0]


def test_games_of_a_cell_are_drawn_evenly():
    found = Counter(game for seed in range(2000) for game in drawn(cells(10), 3, seed)[0])
    assert sum(found.values()) == 6000
    assert all(520 < found[game] < 680 for game in range(10))  # 600 and four deviations
