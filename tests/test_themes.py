"""Sums of themes: labels of clusters, sets held against each other, fits with more columns."""

import numpy as np
import pytest
from statsmodels.stats.oneway import anova_oneway

from sim.metrics.sets import differences, from_mean
from sim.metrics.themes import Found, _same, together
from sim.metrics.tidy import Unit
from sim.metrics.totals import by_label, least_squares, squares

UNIT = Unit(0, 2, "base", "all a", (0,), ("a",), rotate=False, head=True)


def test_games_of_a_deal_have_one_label():
    assert together(np.array([3, 3, 5, 5]), 2).tolist() == [3, 5]
    with pytest.raises(ValueError, match="games of one deal"):
        together(np.array([3, 4]), 2)


def test_cells_of_a_pool_have_the_same_labels():
    labels = {}
    _same(labels, "sets", np.array([1, 2]))
    _same(labels, "sets", np.array([1, 2, 3]))
    _same(labels, "sets", np.array([1]))
    assert labels["sets"].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="cells of one pool"):
        _same(labels, "sets", np.array([2]))


def test_more_columns_change_no_fit():
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 30, 3)), rng.random((30, 3))
    sums = squares(x, y).sum(1)
    plain = least_squares(sums, 2)
    more = least_squares(np.append(sums, [5.0, 7.0]), 2)
    for one, other in zip(plain, more, strict=True):
        assert one.value == other.value
        assert [*one.slope, 0, 0] == other.slope.tolist()


@pytest.fixture(scope="module")
def groups():
    """Scores of the games with each of four sets, one of which was hardly played."""
    rng = np.random.default_rng(2)
    return [rng.normal(mean, 1, many) for mean, many in ((10, 40), (11, 30), (10, 50), (0, 3))]


def found_of(groups):
    """Return the sums of games with a score, by set."""
    scores = np.concatenate(groups)
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    totals = by_label(np.stack([scores, np.ones_like(scores)]), labels, len(groups))
    return Found(None, [UNIT], {0: {"sets": totals}})


COLUMNS = (0, 1, 1)


def test_sets_are_held_against_the_plain_mean_of_all(groups):
    rows = list(from_mean(found_of(groups), "sets", "gap", list("abcd"), COLUMNS))
    level = np.mean([group.mean() for group in groups])
    assert [row[2] for row in rows] == list("abcd")
    assert [row[3] for row in rows] == pytest.approx([group.mean() - level for group in groups])
    assert [row[6] for row in rows] == [len(group) for group in groups]
    assert all(low < gap < high for _, _, _, gap, low, high, *_ in rows)


def test_the_test_over_sets_is_welchs_over_those_played_enough(groups):
    p, spread = differences(found_of(groups), "sets", "score", COLUMNS)
    wanted = anova_oneway(groups[:3], use_var="unequal", welch_correction=True)
    assert p[1] == "score.p"
    assert p[3] == pytest.approx(wanted.pvalue)
    assert p[-1] == "Welch, 2 df"
    means = [group.mean() for group in groups[:3]]
    chance = np.mean([group.var(ddof=1) / len(group) for group in groups[:3]])
    assert spread[3] == pytest.approx(np.sqrt(np.var(means, ddof=1) - chance))


def test_sets_without_spread_have_no_test():
    alike = [np.full(9, 3.0), np.full(9, 4.0)]
    assert list(differences(found_of(alike), "sets", "score", COLUMNS)) == []
    assert list(from_mean(found_of([np.arange(9.0)]), "sets", "gap", ["a"], COLUMNS)) == []
