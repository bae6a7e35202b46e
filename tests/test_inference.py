import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

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


def interval_of(wins, n):
    low, high = inference.wilson(wins / n, n, Z)
    return inference.Interval(low, high, np.asarray("Wilson"))


def test_few_wins_have_the_published_bound():
    # Brown, Cai and DasGupta 2001: minus log(0.95) / n for one win, Wilson's from the fourth on
    wins = np.array([0, 1, 2, 3, 4, 97, 99, 100])
    found = share_interval(wins / 100, np.nan, 100, 100, True)
    plain = inference.wilson(wins / 100, 100, Z)
    assert found.low[1] == pytest.approx(-np.log(0.95) / 100)
    assert found.low[1:4] == pytest.approx(stats.chi2.ppf(0.05, [2, 4, 6]) / 200)
    assert found.high[6] == pytest.approx(1 + np.log(0.95) / 100)
    assert found.low[[0, 4, 5, 6, 7]].tolist() == plain[0][[0, 4, 5, 6, 7]].tolist()
    assert found.high[[0, 1, 2, 3, 4, 7]].tolist() == plain[1][[0, 1, 2, 3, 4, 7]].tolist()
    rare = ["modified Wilson"]
    assert found.method.tolist() == ["Wilson", *rare * 3, "Wilson", *rare * 2, "Wilson"]
    small = share_interval(np.array([2, 3]) / 50, np.nan, 50, 50, True)
    assert small.method.tolist() == ["modified Wilson", "Wilson"]


def coverage(n, chances):
    """Return how often the share interval covers each chance, without error."""
    wins = np.arange(n + 1)
    found = share_interval(wins / n, np.nan, n, n, True)
    inside = (found.low <= chances[:, None]) & (chances[:, None] <= found.high)
    return (stats.binom.pmf(wins, n, chances[:, None]) * inside).sum(1)


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200, 1000, 3000])
def test_coins_are_covered_exactly_as_claimed(n):
    covered = coverage(n, np.linspace(0.001, 0.999, 999))
    assert 0.945 <= covered.mean() <= 0.961
    assert covered.min() > 0.915


@pytest.mark.parametrize(
    ("n", "most"), [(10, 0.99), (50, 0.975), (100, 0.97), (500, 0.96), (1000, 0.96), (3000, 0.96)]
)
def test_rare_events_are_covered_exactly_as_claimed(n, most):
    """Where nine samples in ten have no event at all, an interval for none covers all of them."""
    covered = coverage(n, np.linspace(0.001, 0.02, 400))
    assert 0.945 <= covered.mean() <= most
    assert covered.min() > 0.915
    # around a few events in a sample, whatever its size
    covered = coverage(n, np.linspace(0.05, min(n / 2, 10), 400) / n)
    assert 0.945 <= covered.mean() <= 0.962
    assert covered.min() > 0.915


def test_a_game_that_always_goes_one_way_leaves_room_for_another():
    wins, losses = (
        share_interval(share, 0.0, 60, 60, False) for share in (np.ones(1), np.zeros(1))
    )
    ties = share_interval(np.array([0.5]), 0.0, 60, 60, False)
    assert wins.high == 1
    assert losses.low == 0
    assert ties.high - ties.low == pytest.approx(losses.high)
    assert wins.low == pytest.approx(1 - losses.high)


def test_hall_takes_out_what_skewness_does():
    mean, variance, n = 10.0, 0.09, 30
    plain = inference.mean_interval(mean, variance, n)
    even = inference.mean_interval(mean, variance, n, skewness=0.0)
    assert (even.low, even.high) == (plain.low, plain.high)
    assert even.method == "t, skewness taken out"
    found = inference.mean_interval(mean, variance, n, skewness=1.5)
    # both bounds solve Hall's cubic for Student's quantile
    a = 1.5 / np.sqrt(n)
    for bound, t in ((found.low, 1), (found.high, -1)):
        x = (mean - bound) / 0.3
        cubic = x + a * x**2 / 3 + a**2 * x**3 / 27 + a / 6
        assert cubic == pytest.approx(t * stats.t.ppf(0.975, 29))
    assert found.low > plain.low
    assert found.high > plain.high
    mirrored = inference.mean_interval(-mean, variance, n, skewness=-1.5)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((found.low, found.high))


def test_welch_agrees_with_scipy():
    x, y = [3.0, 4.0, 8.0, 9.0], [1.0, 2.0, 2.0, 5.0, 7.0]
    means, variances = (np.mean(x), np.mean(y)), (stats.sem(x) ** 2, stats.sem(y) ** 2)
    expected = stats.ttest_ind(x, y, equal_var=False)
    found = inference.welch_interval(means, variances, (4, 5))
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()))
    p = inference.p_value(lambda c: inference.welch_interval(means, variances, (4, 5), c))
    assert p == pytest.approx(expected.pvalue)
    few = inference.welch_interval(([1.0, 1.0], 0.0), ([0.0, np.nan], 0.0), ([5, 1], 5))
    assert (few.low[0], few.high[0]) == (1, 1)
    assert np.isnan(few.low[1])
    assert few.method.tolist() == ["Welch", "none"]


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, 873-890, table II, method 10
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_difference_of_shares_is_the_published_interval(counts, low, high):
    a, n, b, m = counts
    found = inference.difference_interval((a / n, b / m), (interval_of(a, n), interval_of(b, m)))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    expected = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.method == "squared and added: Wilson"


def test_correlation_narrows_a_difference():
    known = (interval_of(50, 100), interval_of(45, 100))
    alone, paired, same = (
        inference.difference_interval((0.5, 0.45), known, r) for r in (0.0, 0.8, 1.0)
    )
    assert same.high - same.low < paired.high - paired.low < alone.high - alone.low
    none = inference.difference_interval((0.5, 0.5), (known[0], share_interval(0.5, 0, 1, 1, True)))
    assert none.method == "none"
    assert np.isnan([none.low, none.high]).all()


def test_paired_shares_are_the_published_interval():
    # Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33: 1 and 7 of 21 pairs differ
    difference, squares = -6 / 21, 8 / 21
    variance = (squares - difference**2) / 20
    centre, adjusted = inference.pairs_adjusted(difference, variance, 21)
    bounds = centre - Z * np.sqrt(adjusted), centre + Z * np.sqrt(adjusted)
    assert np.round(bounds, 3).tolist() == [-0.508, -0.013]
    found = inference.paired_interval(difference, variance, 21, True)
    t = stats.t.ppf(0.975, 20)
    assert found.low == pytest.approx(centre - t * np.sqrt(adjusted))
    assert found.method == "paired, Bonett-Price t"


def test_paired_intervals_name_their_method_and_cope_with_little():
    found = inference.paired_interval(
        [0.0, 0.0, 3.0, 0.0],
        [0.0, 0.0, 0.25, np.nan],
        [50, 50, 10, 1],
        [True, False, False, True],
        [False, False, True, True],
    )
    assert found.method.tolist() == [
        "paired, Bonett-Price t",
        "paired t",
        "paired t, by deal",
        "none",
    ]
    # all fifty games went the same way twice: that is no proof that all would
    assert found.high[0] == pytest.approx(stats.t.ppf(0.975, 49) * np.sqrt(2) / 52)
    assert (found.low[1], found.high[1]) == (0, 0)
    assert found.high[2] == pytest.approx(3 + stats.t.ppf(0.975, 9) / 2)


def test_p_value_is_where_the_interval_meets_the_null():
    wins, n = np.array([50, 60, 75, 100]), 100
    p = inference.p_value(lambda c: share_interval(wins / n, np.nan, n, n, True, False, c), 0.5)
    # inverting Wilson's interval is the score test
    score = 2 * stats.norm.sf(np.abs(wins / n - 0.5) * 2 * np.sqrt(n))
    assert p[:3] == pytest.approx(score[:3], rel=1e-6)
    assert p[3] == pytest.approx(inference.LEAST_P)
    unknown = inference.p_value(lambda c: inference.mean_interval([1.0], [np.nan], [1], False, c))
    assert np.isnan(unknown).all()


@given(st.integers(1, 400), st.integers(0, 400))
def test_intervals_grow_with_confidence(n, wins):
    confidence = np.array([0.5, 0.8, 0.95, 0.99, 0.9999])
    share = min(wins, n) / n
    for binary in (True, False):
        found = share_interval(share, 0.3 / n, n, n, binary, False, confidence)
        if n > 1:
            assert (np.diff(found.low) <= 1e-12).all()
            assert (np.diff(found.high) >= -1e-12).all()
            assert (found.low <= share).all()
            assert (share <= found.high).all()


def test_levels_of_families():
    assert inference.level_of_each(1) == 0.95
    assert inference.level_of_each(10) == pytest.approx(0.95**0.1)
    assert inference.level_of_each(10, "bonferroni") == pytest.approx(0.995)
    assert inference.level_of_each(4, confidence=0.9) == pytest.approx(0.9**0.25)
    found = inference.mean_interval([0.0, 1.0], 1.0, [9, 1], confidence=inference.level_of_each(2))
    noted = found.noted("Sidak over 2")
    assert noted.method.tolist() == ["t, Sidak over 2", "none"]
    assert (
        noted.low.tolist()[0] == found.low[0] == pytest.approx(stats.t.ppf(0.5 - 0.95**0.5 / 2, 8))
    )
