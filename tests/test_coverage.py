"""How often intervals cover the truth in known games studied again and again."""

import numpy as np
import pytest
from scipy import stats

from sim import inference
from sim.inference import share_interval

pytestmark = pytest.mark.slow
STUDIES = 2000


def covered(interval, truth):
    """Return the share of intervals that cover the truth, its rounding forgiven."""
    return ((interval.low <= truth + 1e-12) & (truth - 1e-12 <= interval.high)).mean()


def moments(x):
    """Return the means of studies [study, game] and the variances of these means."""
    return x.mean(-1), x.var(-1, ddof=1) / x.shape[-1]


def win_shares(rng, games, chance, tie):
    """Return win shares of two with this mean; `tie` is the part of it that comes from ties."""
    luck = rng.random((STUDIES, games))
    return np.where(luck < chance * (1 - tie), 1.0, (luck < chance * (1 + tie)) * 0.5)


def on_average(cover, values):
    """Return coverage on average over truths, each studied afresh."""
    return np.mean([cover(value) for value in values])


@pytest.mark.parametrize("tie", [0.05, 0.5, 1.0])
@pytest.mark.parametrize(
    ("games", "chances", "most"),
    [
        (60, (0.2, 0.5), 0.96),
        (1000, (0.2, 0.5), 0.96),
        (1000, (0.005, 0.05), 0.96),
        # of events that most samples lack, few are seen too few times to be missed
        (100, (0.005, 0.05), 0.97),
        (30, (0.001, 0.02), 0.99),
    ],
)
def test_win_shares_with_ties(games, chances, most, tie):
    rng = np.random.default_rng(7)

    def cover(chance):
        mean, variance = moments(win_shares(rng, games, chance, tie))
        return covered(share_interval(mean, variance, games, games, False), chance)

    assert 0.94 <= on_average(cover, np.geomspace(*chances, 12)) <= most


def test_win_shares_of_a_game_that_nearly_always_ties():
    rng = np.random.default_rng(8)

    def cover(decisive):
        x = np.where(rng.random((STUDIES, 200)) < decisive, rng.random((STUDIES, 200)) < 0.6, 0.5)
        mean, variance = moments(x)
        return covered(share_interval(mean, variance, 200, 200, False), 0.5 + 0.1 * decisive)

    # the fewer games are decided, the more do the made-up outcomes that none of them showed
    assert 0.94 <= on_average(cover, np.linspace(0.05, 0.5, 8)) <= 0.96
    assert on_average(cover, [0.001, 0.01]) >= 0.94


def deals_of_four(rng, deals):
    """Return wins in four games of each deal, whose luck makes all of them likelier to be won."""
    return rng.binomial(4, rng.beta(2, 6, (STUDIES, deals)))


def test_shares_by_deal():
    wins = deals_of_four(np.random.default_rng(11), 400)
    mean, variance = moments(wins / 4)
    by_deal = share_interval(mean, variance, 1600, 400, False, True)
    careless = share_interval(mean, variance, 1600, 1600, True)
    assert 0.94 <= covered(by_deal, 0.25) <= 0.96
    assert covered(careless, 0.25) < 0.92


@pytest.mark.parametrize("games", [10, 30, 1000])
def test_means_of_a_die(games):
    x = np.random.default_rng(2).integers(1, 7, (4 * STUDIES, games))
    mean, variance = moments(x)
    assert 0.94 <= covered(inference.mean_interval(mean, variance, games), 3.5) <= 0.96


SCORES = {
    # points by luck alone: skewness 2
    "exponential": (lambda rng, shape: rng.exponential(size=shape), 1.0),
    "jackpots": (lambda rng, shape: rng.poisson(20, shape) + 20.0 * (rng.random(shape) < 0.1), 22),
}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("games", [60, 200, 1000])
def test_means_of_lopsided_scores(games, name):
    draw, truth = SCORES[name]
    x = draw(np.random.default_rng(3), (2 * STUDIES, games))
    mean, variance = moments(x)
    plain = inference.mean_interval(mean, variance, games)
    straight = inference.mean_interval(mean, variance, games, skewness=stats.skew(x, axis=1))
    assert 0.94 <= covered(straight, truth) <= 0.96
    # Student's interval needs more games
    assert covered(plain, truth) >= (0.94 if games == 1000 else 0.92)


@pytest.mark.parametrize("games", [100, 300, 2000])
def test_quantiles(games):
    """Ranks are whole, so an interval that covers 95 % has to cover a little more."""
    percents = np.array([5, 25, 50, 75, 95])
    x = np.sort(np.random.default_rng(13).exponential(size=(STUDIES, games)), axis=1)
    found = inference.quantiles_of_counts(
        x.ravel(),
        np.ones(x.size),
        np.repeat(np.arange(STUDIES), games),
        percents,
        np.full(STUDIES, games),
    )
    truth = stats.expon.ppf(percents / 100)
    each = ((found.low <= truth) & (truth <= found.high)).mean(0)
    assert (each >= 0.94).all()
    assert each.mean() <= {100: 0.98, 300: 0.97, 2000: 0.96}[games]


@pytest.mark.parametrize(
    ("games", "chances", "most"),
    [
        ((30, 60), (0.1, 0.9), 0.96),
        ((1000, 500), (0.1, 0.9), 0.96),
        ((1000, 1000), (0.005, 0.05), 0.96),
        ((100, 100), (0.005, 0.05), 0.985),
    ],
)
def test_differences_of_shares(games, chances, most):
    rng = np.random.default_rng(17)

    def cover(truth):
        shares = tuple(rng.binomial(n, p, STUDIES) / n for n, p in zip(games, truth, strict=True))
        known = tuple(
            share_interval(share, np.nan, n, n, True)
            for share, n in zip(shares, games, strict=True)
        )
        return covered(inference.difference_interval(shares, known), truth[0] - truth[1])

    assert 0.94 <= on_average(cover, rng.uniform(*chances, (20, 2))) <= most


def test_differences_of_shares_with_ties():
    rng = np.random.default_rng(19)

    def cover(truth):
        shares, known = [], []
        for chance in truth:
            mean, variance = moments(win_shares(rng, 200, chance, 0.5))
            shares.append(mean)
            known.append(share_interval(mean, variance, 200, 200, False))
        found = inference.difference_interval(tuple(shares), tuple(known))
        return covered(found, truth[0] - truth[1])

    assert 0.94 <= on_average(cover, rng.uniform(0.15, 0.5, (12, 2))) <= 0.96


def test_differences_of_means():
    rng = np.random.default_rng(23)
    few, many = rng.normal(5, 1, (4 * STUDIES, 12)), rng.normal(3, 6, (4 * STUDIES, 40))
    (a, v), (b, w) = moments(few), moments(many)
    found = inference.welch_interval((a, b), (v, w), (12, 40))
    assert 0.94 <= covered(found, 2.0) <= 0.96


@pytest.mark.parametrize(
    ("games", "apart", "most"), [(100, 0.3, 0.965), (1000, 0.3, 0.96), (1000, 0.01, 0.985)]
)
def test_paired_differences_of_shares(games, apart, most):
    """Of games with the same luck some go otherwise, mostly one way."""
    rng = np.random.default_rng(29)

    def cover(one_way):
        kinds = [apart * one_way, apart * (1 - one_way), 1 - apart]
        gained, lost, _ = rng.multinomial(games, kinds, STUDIES).T
        mean = (gained - lost) / games
        variance = ((gained + lost) / games - mean**2) / (games - 1)
        found = inference.paired_interval(mean, variance, games, True)
        return covered(found, apart * (2 * one_way - 1))

    assert 0.94 <= on_average(cover, np.linspace(0.5, 1, 9)) <= most


def test_paired_differences_by_deal():
    rng = np.random.default_rng(31)
    wins, others = deals_of_four(rng, 400), deals_of_four(rng, 400)
    mean, variance = moments((wins - others) / 4)
    assert 0.94 <= covered(inference.paired_interval(mean, variance, 400, True, True), 0) <= 0.965
    turns = rng.poisson(40, (STUDIES, 60, 1)) + rng.poisson(3, (STUDIES, 60, 2))
    mean, variance = moments(turns[..., 0] - turns[..., 1])
    assert 0.94 <= covered(inference.paired_interval(mean, variance, 60, False), 0) <= 0.96


def test_families_hold_together():
    """Four shares of one game, and of games apart: all intervals cover in 19 studies of 20."""
    rng = np.random.default_rng(37)
    one_game = rng.multinomial(1000, [0.25] * 4, 2 * STUDIES) / 1000
    apart = rng.binomial(1000, 0.25, (2 * STUDIES, 4)) / 1000
    for shares in (one_game, apart):
        each = inference.level_of_each(4)
        found = share_interval(shares, np.nan, 1000, 1000, True, False, each)
        all_cover = ((found.low <= 0.25) & (found.high >= 0.25)).all(-1).mean()
        assert 0.94 <= all_cover <= 0.965


def test_equal_means_rejects_a_fair_game_as_often_as_claimed():
    rng = np.random.default_rng(41)
    rejected = 0
    for _ in range(STUDIES):
        points = rng.integers(0, 5, (200, 3))
        best = points == points.max(1, keepdims=True)
        x = best / best.sum(1, keepdims=True)
        rejected += inference.equal_means_test(x.mean(0), np.cov(x.T) / 200, 200).p < 0.05
    assert 0.04 <= rejected / STUDIES <= 0.06
