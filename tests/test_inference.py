import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from sim import inference
from sim.inference import Sums, ratio, share_interval

Z = stats.norm.ppf(0.975)


def sums_of(y, m):
    """Return the sums over clusters of arrays [cluster, group]."""
    y, m = np.asarray(y, float), np.asarray(m, float)
    squares = ((y * y).sum(0), (y * m).sum(0), (m * m).sum(0))
    return Sums(y.sum(0), m.sum(0), *squares, (m > 0).sum(0))


def test_wilson_is_the_published_interval():
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3
    cases = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
    for wins, n, low, high in [*cases, (1, 29, 0.0061, 0.1718)]:
        found = inference.wilson(wins / n, n, Z)
        assert np.round(found, 4).tolist() == [low, high]


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_wilson_agrees_with_statsmodels(n, part):
    wins = round(part * n)
    expected = proportion_confint(wins, n, method="wilson")
    assert np.allclose(inference.wilson(wins / n, n, Z), expected, atol=1e-12)


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.sampled_from([0.0, 1.0, 1.0])), min_size=3),
)
def test_ratio_is_mean_and_variance_where_every_cluster_is_a_game(pairs):
    y = np.array([[value] for value, weight in pairs if weight])
    sums = sums_of([[v * w] for v, w in pairs], [[w] for _, w in pairs])
    if len(y) < 2:
        return
    mean, variance = ratio(sums)
    assert mean[0] == pytest.approx(y.mean(), abs=1e-9)
    scale = (y**2).mean() * 1e-9 + 1e-12
    assert variance[0] == pytest.approx(y.var(ddof=1) / len(y), rel=1e-6, abs=scale)


def test_ratio_of_uneven_clusters_by_hand():
    # deals with 2, 2 and 1 games; 1, 2 and 0 wins: 3/5, residuals -.2, .8, -.6
    mean, variance = ratio(sums_of([[1], [2], [0]], [[2], [2], [1]]))
    assert mean[0] == pytest.approx(0.6)
    assert variance[0] == pytest.approx((0.04 + 0.64 + 0.36) / 25 * 3 / 2)


def test_share_interval_names_its_method():
    found = share_interval(
        share=np.array([0.4, 0.4, 1 / 3, 0.0, np.nan, 1.0]),
        variance=np.array([0.0024, 0.001, 0.0, 0.0, np.nan, np.nan]),
        n=np.array([100, 100, 100, 100, 0, 1]),
        clusters=np.array([100, 100, 100, 50, 0, 1]),
        binary=np.array([True, False, False, False, False, True]),
        by_deal=np.array([False, False, False, True, True, False]),
    )
    assert found.method.tolist() == [
        "Wilson",
        "Wilson, effective n",
        "no variance",
        "Wilson, effective n, by deal",
        "none",
        "none",
    ]
    # a hundred games alike: what was not seen may still be a few per cent of games
    unseen = inference.wilson(0, 100, stats.t.ppf(0.975, 99))[1]
    assert found.low[2] == pytest.approx((1 - unseen) / 3)
    assert found.high[2] == pytest.approx((1 + 2 * unseen) / 3)
    assert found.low[3] == 0
    assert 0.05 < found.high[3] < 0.09
    assert np.isnan(found.low[4:]).all()
    assert np.isnan(found.high[4:]).all()
    assert found.high[1] - found.low[1] < found.high[0] - found.low[0]


def test_effective_n_is_close_to_t_for_many_games():
    share, variance, n = 0.31, 1.7e-7, 1_000_000
    found = share_interval(share, variance, n, n, False)
    t = inference.mean_interval(share, variance, n)
    assert found.low == pytest.approx(t.low, abs=1e-6)
    assert found.high == pytest.approx(t.high, abs=1e-6)


def test_mean_interval_is_students():
    x = np.array([3.0, 4.0, 8.0, 9.0])
    found = inference.mean_interval(x.mean(), x.var(ddof=1) / 4, 4)
    expected = stats.t.interval(0.95, 3, x.mean(), stats.sem(x))
    assert np.allclose([found.low, found.high], expected)
    assert found.method == "t"
    alone = inference.mean_interval([5.0, np.nan], [np.nan, np.nan], [1, 0])
    assert alone.method.tolist() == ["none", "none"]
    assert np.isnan(alone.low).all()


groups = st.lists(st.lists(st.integers(-5, 40), min_size=1, max_size=80), min_size=1, max_size=6)


@settings(max_examples=80, deadline=None)
@given(groups, st.lists(st.integers(1, 99), min_size=1, max_size=5))
def test_quantiles_of_counts_are_those_of_the_games(games, percents):
    counted = [np.unique(values, return_counts=True) for values in games]
    found = inference.quantiles_of_counts(
        np.concatenate([values for values, _ in counted]),
        np.concatenate([count for _, count in counted]),
        np.repeat(np.arange(len(games)), [len(values) for values, _ in counted]),
        percents,
        np.array([len(values) for values in games]),
    )
    for row, values in enumerate(games):
        ordered, n = np.sort(values), len(values)
        for column, percent in enumerate(percents):
            assert found.estimate[row, column] == ordered[-(-percent * n // 100) - 1]
            low, high = stats.binom.ppf([0.025, 0.975], n, percent / 100).astype(int)
            expected = ordered[low - 1] if low >= 1 else np.nan
            assert np.array_equal(found.low[row, column], expected, equal_nan=True)
            expected = ordered[high] if high < n else np.nan
            assert np.array_equal(found.high[row, column], expected, equal_nan=True)


def test_quantiles_of_counts_agree_with_numpy():
    values = np.random.default_rng(5).poisson(20, 9973)
    found, count = np.unique(values, return_counts=True)
    zeros = np.zeros(len(found), int)
    percents = [5, 25, 50, 75, 95]
    result = inference.quantiles_of_counts(found, count, zeros, percents, [len(values)])
    expected = np.quantile(values, np.array(percents) / 100, method="inverted_cdf")
    assert result.estimate[0].tolist() == expected.tolist()


def test_fewer_clusters_make_wider_quantile_intervals():
    values, count = np.arange(100), np.full(100, 60)
    one, few = (
        inference.quantiles_of_counts(values, count, np.zeros(100, int), [50], [clusters])
        for clusters in (6000, 1000)
    )
    assert few.low[0, 0] < one.low[0, 0] < one.high[0, 0] < few.high[0, 0]


def test_equal_shares_is_pearsons_test():
    found = inference.equal_shares_test([30, 20, 10])
    assert found == (pytest.approx(stats.chi2.sf(10, 2)), "chi-square, 2 df")
    assert inference.equal_shares_test([0, 0]).method == "none"


def test_equal_means_is_hotellings_test():
    rng = np.random.default_rng(2)
    x = rng.normal([0.3, 0.0], size=(40, 2))
    gap = x[:, 0] - x[:, 1]
    found = inference.equal_means_test(x.mean(0), np.cov(x.T) / 40, 40)
    # with two means it is the paired t test
    assert found.p == pytest.approx(stats.ttest_1samp(gap, 0).pvalue)
    assert found.method == "Hotelling, 1 df"


def test_equal_means_without_variance_decides_by_itself():
    zero = np.zeros((3, 3))
    third = np.full(3, 1 / 3)
    assert inference.equal_means_test(third, zero, 1000).p == 1
    assert inference.equal_means_test([0.5, 0.5, 0.0], zero, 1000).p == 0
    assert inference.equal_means_test(third, np.full((3, 3), np.nan), 1).method == "none"


def test_adjusted_leaves_unknown_values_out():
    found = inference.adjusted([0.01, np.nan, 0.04])
    assert found[[0, 2]].tolist() == pytest.approx([0.02, 0.04])
    assert np.isnan(found[1])
    assert inference.adjusted([0.01, 0.04, 0.03], "fdr_bh").tolist() == pytest.approx(
        [0.03, 0.04, 0.04]
    )
    assert np.isnan(inference.adjusted([np.nan])).all()


def shares_of(rng, games, runs, chances, tie):
    """Return the first seat's win shares [run, game]; with chance `tie` two draws share."""
    first = rng.choice(len(chances), (runs, games), p=chances) == 0
    second = rng.choice(len(chances), (runs, games), p=chances) == 0
    return np.where(rng.random((runs, games)) < tie, (first * 0.5 + second * 0.5), first * 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("chance", [0.5, 0.25, 0.02])
@pytest.mark.parametrize("tie", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("games", [60, 1000])
def test_shares_are_covered_as_often_as_claimed(chance, tie, games):
    x = shares_of(np.random.default_rng(7), games, 4000, [chance, 1 - chance], tie)
    mean = x.mean(1)
    binary = np.full(4000, tie == 0)
    found = share_interval(mean, x.var(1, ddof=1) / games, games, games, binary)
    covered = ((found.low <= chance) & (chance <= found.high)).mean()
    assert 0.93 <= covered <= 0.985


@pytest.mark.slow
def test_shares_by_deal_are_covered_as_often_as_claimed():
    rng = np.random.default_rng(11)
    runs, deals, seats = 3000, 400, 4
    # a deal's luck makes all its games likelier to be won
    luck = rng.beta(2, 6, (runs, deals, 1))
    wins = (rng.random((runs, deals, seats)) < luck).sum(-1)
    mean = wins.sum(-1) / (deals * seats)
    variance = wins.var(-1, ddof=1) / deals / seats**2
    by_deal = share_interval(mean, variance, deals * seats, deals, False, True)
    careless = share_interval(mean, variance, deals * seats, deals * seats, True)
    assert 0.935 < ((by_deal.low <= 0.25) & (by_deal.high >= 0.25)).mean() < 0.965
    assert ((careless.low <= 0.25) & (careless.high >= 0.25)).mean() < 0.92


@pytest.mark.slow
@pytest.mark.parametrize("percent", [5, 50, 95])
def test_quantiles_are_covered_as_often_as_claimed(percent):
    rng = np.random.default_rng(13)
    truth = stats.expon.ppf(percent / 100)
    inside = 0
    for _ in range(2000):
        x = np.sort(rng.exponential(size=300))
        found = inference.quantiles_of_counts(x, np.ones(300), np.zeros(300, int), [percent], [300])
        inside += found.low[0, 0] <= truth <= found.high[0, 0]
    assert 0.94 < inside / 2000 < 0.985


@pytest.mark.slow
def test_equal_means_rejects_a_fair_game_as_often_as_claimed():
    rng = np.random.default_rng(17)
    rejected = 0
    for _ in range(3000):
        points = rng.integers(0, 5, (200, 3))
        best = points == points.max(1, keepdims=True)
        x = best / best.sum(1, keepdims=True)
        rejected += inference.equal_means_test(x.mean(0), np.cov(x.T) / 200, 200).p < 0.05
    assert 0.035 < rejected / 3000 < 0.065
