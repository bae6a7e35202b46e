import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import sequences
from sim.inference import Interval, Sums, level_of_each, ratio, share_interval
from sim.level import at_level

TUNED = 2 * np.log(20) + np.log(1 + 2 * np.log(20))
"""A normal mixture at 95 % is tightest with so many times as much variance as its prior has."""


def sums_of(x, m=1.0):
    """Return running sums of observations [..., cluster] with denominators m."""
    x, m = np.broadcast_arrays(np.asarray(x, float), m)
    parts = (x, m, x * x, x * m, m * m, np.ones(x.shape))
    return Sums(*(part.cumsum(-1) for part in parts))


def at(sums, looks):
    return Sums(*(part[..., looks] for part in sums))


def test_share_evidence_is_that_of_the_reference_implementation():
    # the authors' library, ConfSeq: two-sided beta-binomial mixture of s = 10, v = 100, tuned to
    # v = 100, for a chance of 0.2: 625 games and 135 wins
    found = sequences.share_evidence(0.2, 135, 625, 625 / TUNED - 1)
    assert found == pytest.approx(-0.6941012, abs=1e-6)


def test_gamma_exponential_is_that_of_the_reference_implementation():
    # the same library, of s = 10 and of the bound at 95 %, with v = 100 tuned to 100, and c = 2
    prior = 100 / (2 * np.log(10) + np.log(1 + 2 * np.log(10)))
    found = sequences.gamma_exponential([10.0, 33.02017], 100.0, prior, 2.0)
    assert found == pytest.approx([-0.2490165, np.log(20)], abs=1e-5)


def test_means_are_a_normal_mixture_of_many():
    # the same library: 30.35209 for v = 100 tuned to 100
    n = 1e8
    found = sequences.means(5.0, 1 / n, n, planned=n)
    assert (found.high - found.low) / 2 * np.sqrt(n) == pytest.approx(3.035209, rel=1e-5)
    assert found.method == "t sequence"


def test_means_solve_the_t_mixture():
    x = np.array([3.0, 4.0, 8.0, 9.0, 2.0, 6.0, 5.0, 7.0, 4.0, 6.0])
    n, planned = len(x), 30
    found = sequences.means(x.mean(), x.var(ddof=1) / n, n, planned)
    prior = planned / TUNED
    for bound in (found.low, found.high):
        squares, gap = ((x - bound) ** 2).sum(), (x - bound).sum()
        rest = squares - gap**2 / (n + prior)
        evidence = np.log(squares / rest) * n / 2 - np.log((n + prior) / prior) / 2
        assert evidence == pytest.approx(np.log(20))


shares = st.tuples(st.integers(1, 5000), st.floats(0, 1), st.floats(1, 5000))


@settings(max_examples=60, deadline=None)
@given(shares)
def test_what_lies_beyond_the_bounds_of_shares_is_refuted(case):
    n, part, planned = case
    part = round(part, 9)
    total = n * part
    found = sequences.shares(total, n, planned)
    weight = max(planned / TUNED - 1, 1)
    assert found.low <= part <= found.high
    for bound, end in ((float(found.low), 0.0), (float(found.high), 1.0)):
        beyond = bound + (end - bound) * np.linspace(1e-6, 0.999, 50)
        if bound != end:
            assert (sequences.share_evidence(beyond, total, n, weight) > np.log(20) - 1e-4).all()
        inside = bound + (part - bound) * np.linspace(1e-3, 0.999, 50)
        if bound != part:
            assert (sequences.share_evidence(inside, total, n, weight) < np.log(20)).all()


observed = st.lists(st.floats(0, 1), min_size=2, max_size=6)


@settings(max_examples=60, deadline=None)
@given(observed, st.integers(0, 200), st.floats(0, 1), st.floats(1, 300))
def test_evidence_against_the_truth_never_grows_on_average(x, n, part, weight):
    """One more observation of any kind within [0, 1]: what makes a sequence hold at all times."""
    x = np.array(x)
    truth = x.mean()
    if not 1e-6 < truth < 1 - 1e-6:
        return
    before = sequences.share_evidence(truth, n * part, n, weight)
    after = sequences.share_evidence(truth, n * part + x, n + 1, weight)
    assert np.exp(after - before).mean() <= 1 + 1e-9
    s, v = 1 + n * part, n * part**2 + 0.1
    step = truth
    before = sequences.gamma_exponential(s, v, weight / 10, step)
    after = sequences.gamma_exponential(s + x - truth, v + (x - truth) ** 2, weight / 10, step)
    assert np.exp(after - before).mean() <= 1 + 1e-9


def test_little_is_known_of_few_games():
    found = sequences.shares([0, 0, 1, 0.5], [0, 1, 1, 1], 1000)
    assert found.method.tolist() == ["none", *["beta-binomial sequence"] * 3]
    assert np.isnan(found.low[0])
    assert found.low[1:].tolist() == [0, 0, 0]
    assert (found.high[1:] > 0.9).all()
    few = sequences.ratios(sums_of([[np.nan, 1.0]]), 1000)
    assert few.method.tolist() == [["none", "none"]]
    none = Sums(*(np.zeros(1),) * 6)
    assert sequences.ratios(none, 1000).method == "none"
    assert sequences.means_of(none, 1000).method == "none"
    alone = sequences.means([3.0, 3.0], [np.nan, 1.0], [1, 20], 10_000)
    assert alone.method.tolist() == ["none", "none"]
    assert np.isnan(alone.high).all()


def test_a_seat_that_always_wins_and_one_that_never_does():
    n = np.array([10, 100, 10_000])
    always, never = sequences.shares(n, n, 1000), sequences.shares(n * 0, n, 1000)
    assert always.high.tolist() == [1, 1, 1]
    assert never.low.tolist() == [0, 0, 0]
    assert always.low == pytest.approx(1 - never.high)
    assert (np.diff(always.low) > 0).all()
    # not much wider than an interval for one look
    once = share_interval(0.0, np.nan, 1000, 1000, True)
    assert sequences.shares(0, 1000, 1000).high < 1.5 * once.high
    sums = sums_of(np.ones(1000))
    found = sequences.ratios(at(sums, [99, 999]), 1000)
    assert found.high.tolist() == [1, 1]
    assert 0.99 < found.low[1] < 1


def test_games_that_all_tie():
    sums = at(sums_of(np.full(1000, 0.5)), [9, 99, 999])
    found, wide = sequences.ratios(sums, 1000), sequences.shares(sums.y, sums.m, 1000)
    assert (found.low < 0.5).all()
    assert (found.high > 0.5).all()
    assert found.high[2] - found.low[2] < (wide.high[2] - wide.low[2]) / 3


def test_little_variance_makes_ratios_tight():
    rng = np.random.default_rng(5)
    x = rng.binomial(4, rng.beta(40, 120, 5000)) / 4
    sums = at(sums_of(x), [4999])
    exact = sequences.ratios(sums, 5000)
    wins = sequences.shares(sums.y, sums.m, 5000)
    any_mean = sequences.means_of(sums, 5000)
    widths = [float((found.high - found.low)[0]) for found in (any_mean, exact, wins)]
    assert widths[0] < widths[1] < 1.1 * widths[0] < 0.6 * widths[2]


def test_ratios_take_deals_of_unequal_size_and_scores():
    rng = np.random.default_rng(6)
    played = rng.integers(0, 5, 400)
    points = rng.integers(20, 81, 400) * played
    sums = at(sums_of(points, played), [399])
    found = sequences.ratios(sums, 400, most=4, bounds=(20, 80))
    # the same as fractions of the range
    same = sequences.ratios(at(sums_of((points - 20 * played) / 60, played), [399]), 400, most=4)
    assert found.low == pytest.approx(20 + 60 * same.low)
    assert found.high == pytest.approx(20 + 60 * same.high)
    assert found.low < ratio(sums)[0] < found.high
    with pytest.raises(ValueError, match="outside"):
        sequences.ratios(sums, 400, most=4, bounds=(60, 80))
    with pytest.raises(ValueError, match="larger than 1"):
        sequences.ratios(sums, 400, bounds=(20, 80))


@pytest.mark.parametrize(("deviation", "wider"), [(0.4, 1.1), (0.2, 1.1), (0.1, 1.15), (0.05, 1.3)])
def test_ratios_are_tight_at_any_variance(deviation, wider):
    sums = at(sums_of(0.5 + deviation * np.tile([1.0, -1.0, 1.0, -1.0, 0.0], 2000)), [9999])
    found, least = sequences.ratios(sums, 10_000), sequences.means_of(sums, 10_000)
    assert least.high - least.low < found.high - found.low < wider * (least.high - least.low)


def test_a_sequence_is_tightest_where_it_is_planned():
    planned = np.array([1e3, 1e4, 1e5])
    for function, arguments in (
        (sequences.shares, (3e3, 1e4)),
        (sequences.means, (0.3, 0.21e-4, 1e4)),
    ):
        found = [function(*arguments, planned=each) for each in planned]
        widths = [float(each.high - each.low) for each in found]
        assert widths[1] == min(widths)
        assert max(widths) < 1.35 * widths[1]


def test_several_together_are_of_a_higher_level():
    each = level_of_each(4, "bonferroni")
    for function, arguments in (
        (sequences.shares, (30, 100)),
        (sequences.means, (0.3, 0.0021, 100)),
        (sequences.ratios, (Sums(*np.array([30, 100, 30, 30, 100, 100.0])),)),
    ):
        four = function(*arguments, planned=100, together=4)
        alone = function(*arguments, planned=100, confidence=each)
        assert (four.low, four.high) == (pytest.approx(alone.low), pytest.approx(alone.high))
        assert four.method == f"{alone.method}, Bonferroni over 4"
        with at_level(each):
            assert function(*arguments, planned=100).low == alone.low


def interval(low, high, method="x"):
    return Interval(np.array(low), np.array(high), np.array(method))


def test_looks_are_narrowed():
    before = interval([0.1, 0.2, np.nan, 0.1], [0.5, 0.6, np.nan, 0.2], ["x", "x", "none", "x"])
    now = interval([0.2, np.nan, 0.3, 0.3], [0.7, np.nan, 0.4, 0.4], ["x", "none", "x", "x"])
    found = sequences.narrowed(before, now)
    # the last two have nothing in common: the sequence failed, and what was said stands
    assert found.low.tolist() == [0.2, 0.2, 0.3, 0.1]
    assert found.high.tolist() == [0.5, 0.6, 0.4, 0.2]
    assert found.method.tolist() == ["x", "x", "x", "x"]


def test_decisions():
    low, high = [0.24, 0.23, 0.26, 0.1, 0.1, np.nan], [0.26, 0.25, 0.3, 0.2, 0.9, np.nan]
    found = sequences.decided(low, high, 0.24, 0.26)
    assert found.tolist() == [
        "inside",
        "undecided",
        "undecided",
        "outside",
        "undecided",
        "undecided",
    ]
    third = 1 / 3
    assert sequences.decided(third, third, third, third) == "inside"
    assert sequences.decided([0.3], [0.4], [-np.inf], [0.5]).tolist() == ["inside"]


def test_decisions_of_all_seats():
    found = sequences.decided_together(
        [["inside", "inside"], ["inside", "undecided"], ["outside", "undecided"]]
    )
    assert found.tolist() == ["inside", "undecided", "outside"]


STUDIES, LOOKS = 2000, 100


def looked_at(x):
    """Return the sums of studies [study, cluster] at a hundred looks."""
    every = x.shape[1] // LOOKS
    looks = np.arange(every, every * LOOKS + 1, every) - 1
    return at(sums_of(x), looks)


def alarms(found, truth):
    """Return in which share of studies a look ever missed the truth."""
    return ((found.low > truth + 1e-9) | (found.high < truth - 1e-9)).any(-1).mean()


def wins_of(rng, chance, games):
    """Return the wins of studies [study, look], and the games played by then."""
    every = games // LOOKS
    return rng.binomial(every, chance, (STUDIES, LOOKS)).cumsum(1), np.arange(1, LOOKS + 1) * every


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chance", "games"), [(0.5, 10_000), (0.25, 100_000), (0.02, 10_000), (0.001, 2000)]
)
def test_fair_coins_raise_few_false_alarms(chance, games):
    wins, n = wins_of(np.random.default_rng(1), chance, games)
    found = sequences.shares(wins, n, games)
    assert alarms(found, chance) <= 0.05
    if chance == 0.5:
        once = share_interval(wins / n, np.nan, n, n, True)
        assert alarms(once, chance) > 0.3


@pytest.mark.slow
def test_four_fair_seats_are_seldom_called_unfair():
    rng = np.random.default_rng(2)
    wins = rng.multinomial(200, [0.25] * 4, (STUDIES, LOOKS)).cumsum(1)
    n = np.arange(200, 20_001, 200)[:, None]
    found = sequences.shares(wins, n, 20_000, together=4)
    unfair = sequences.decided(found.low, found.high, 0.25, 0.25)
    assert (sequences.decided_together(unfair) == "outside").any(-1).mean() <= 0.05
    within = sequences.decided(found.low, found.high, 0.23, 0.27)
    verdicts = sequences.decided_together(within)
    assert (verdicts == "outside").any(-1).mean() == 0
    # fair is found fair, to two points, by games in ten thousands
    assert (verdicts == "inside").any(-1).mean() > 0.99


@pytest.mark.slow
@pytest.mark.parametrize(("chance", "fair"), [(0.52, 0.5), (0.27, 0.25)])
def test_a_seat_two_points_better_is_found(chance, fair):
    """In 20,000 games nearly always, in 8,500 more often than not."""
    wins, n = wins_of(np.random.default_rng(3), chance, 20_000)
    found = sequences.shares(wins, n, 20_000, together=4)
    unfair = sequences.decided(found.low, found.high, fair, fair) == "outside"
    assert unfair.any(-1).mean() > 0.97
    assert unfair[:, n <= 8500].any(-1).mean() > 0.5


@pytest.mark.slow
def test_ties_and_deals_raise_few_false_alarms():
    rng = np.random.default_rng(4)
    ties = np.where(rng.random((STUDIES, 2000)) < 0.6, 0.5, rng.random((STUDIES, 2000)) < 0.5)
    deals = rng.binomial(4, rng.beta(2, 6, (STUDIES, 2000))) / 4
    for x, truth in ((ties, 0.5), (deals, 0.25)):
        sums = looked_at(x)
        assert alarms(sequences.shares(sums.y, sums.m, 2000), truth) <= 0.05
        assert alarms(sequences.ratios(sums, 2000), truth) <= 0.05
        assert alarms(sequences.means_of(sums, 2000), truth) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["die", "normal", "exponential", "turns"])
def test_scores_raise_few_false_alarms(name):
    rng, shape = np.random.default_rng(5), (STUDIES, 2000)
    draw, truth = {
        "die": (lambda: rng.integers(1, 7, shape), 3.5),
        "normal": (lambda: rng.normal(50, 10, shape), 50),
        "exponential": (lambda: rng.exponential(size=shape), 1),
        "turns": (lambda: rng.poisson(20, shape) + 20.0 * (rng.random(shape) < 0.1), 22),
    }[name]
    sums = looked_at(draw())
    assert alarms(sequences.means_of(sums, 2000), truth) <= 0.05


@pytest.mark.slow
def test_deals_find_a_better_seat_in_fewer_games():
    """Both seatings of a deal: what its luck gives to one seat it gives to the other, too."""
    rng, shape = np.random.default_rng(6), (400, 4000)
    luck = rng.beta(0.5, 0.5, shape)
    one, other = rng.random(shape) < luck + 0.02, rng.random(shape) < 1.02 - luck
    sums = looked_at((one * 1.0 + other) / 2)
    powers = []
    for found in (sequences.ratios(sums, 4000), sequences.shares(sums.y, sums.m, 4000)):
        unfair = sequences.decided(found.low, found.high, 0.5, 0.5) == "outside"
        powers.append(unfair.any(-1).mean())
    assert powers[0] > 0.9
    # as if each deal were a single game
    assert powers[1] < 0.5
