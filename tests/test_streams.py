"""Random streams: numpy's SFC64 word by word, exact bounded draws, even shuffles, no echoes."""

from itertools import combinations, islice, permutations

import numba
import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from sim import streams

STATE = np.dtype([("rng", "u8", (streams.PURPOSES, 4)), ("cards", "i8", 8)], align=True)
TOP = 2**64 - 1
WORDS = [0, 1, 2, 17, 2**32 - 1, 2**32, 2**63, 0x9E3779B97F4A7C15, TOP - 1, TOP]
PURPOSES = [streams.SETUP, streams.DRAWS, streams.CHOICES, streams.TIMING]
SLIGHT = 1e-4
"""Seeds are fixed: a test whose chance is smaller than this fails for a reason."""


@numba.njit
def next_words(state, purpose, seed, game, out):
    s = state[0]
    streams.seed_stream(s, purpose, seed, game)
    for i in range(out.shape[0]):
        out[i] = streams.next_u64(s, purpose)


@numba.njit
def draws_below(state, purpose, seed, game, bound, out):
    s = state[0]
    streams.seed_stream(s, purpose, seed, game)
    for i in range(out.shape[0]):
        out[i] = streams.below(s, purpose, bound)


@numba.njit
def first_draws(state, purpose, seed, seed_step, game, game_step, bound, out):
    s = state[0]
    for i in range(out.shape[0]):
        step = np.uint64(i)
        streams.seed_stream(s, purpose, seed + step * seed_step, game + step * game_step)
        out[i] = streams.below(s, purpose, bound)


@numba.njit
def floats(state, purpose, seed, game, out):
    s = state[0]
    streams.seed_stream(s, purpose, seed, game)
    for i in range(out.shape[0]):
        out[i] = streams.unit(s, purpose)


@numba.njit
def shuffles(state, purpose, seed, out):
    s = state[0]
    cards = out.shape[1]
    streams.seed_stream(s, purpose, seed, 0)
    for row in range(out.shape[0]):
        for i in range(cards):
            s.cards[i] = i
        streams.shuffle(s, purpose, s.cards, cards)
        for i in range(cards):
            out[row, i] = s.cards[i]


def fresh():
    return np.zeros(1, STATE)


def words(purpose, seed, game, count):
    out = np.zeros(count, np.uint64)
    next_words(fresh(), purpose, np.uint64(seed), np.uint64(game), out)
    return out


def below(bound, count, seed=1, game=0, purpose=streams.DRAWS):
    out = np.zeros(count, np.int64)
    draws_below(fresh(), purpose, np.uint64(seed), np.uint64(game), np.int64(bound), out)
    return out


def firsts(count, bound, purpose=streams.SETUP, seed=1, game=0, seed_step=0, game_step=0):
    out = np.zeros(count, np.int64)
    numbers = [np.uint64(x) for x in (seed, seed_step, game, game_step)]
    first_draws(fresh(), purpose, *numbers, np.int64(bound), out)
    return out


def numpy_sfc64(seed, game, purpose):
    bits = np.random.SFC64()
    state = bits.state
    state["state"]["state"] = np.array([seed, game, purpose, 1], np.uint64)
    bits.state = state
    bits.random_raw(streams.WARM_UP)
    return bits


def lemire(words, bound):
    """Yield draws below `bound` by Lemire's method in exact integers (2019, algorithm 5)."""
    for word in words:
        number, low = divmod((int(word) >> 32) * bound, 2**32)
        if low >= 2**32 % bound:
            yield number


# The generator


@pytest.mark.parametrize("seed", WORDS)
@pytest.mark.parametrize("game", WORDS)
def test_words_are_those_of_numpy(seed, game):
    for purpose in PURPOSES:
        expected = numpy_sfc64(seed, game, purpose).random_raw(64)
        np.testing.assert_array_equal(words(purpose, seed, game, 64), expected)


def test_many_words_are_those_of_numpy():
    expected = numpy_sfc64(2024, 7, streams.CHOICES).random_raw(200_000)
    np.testing.assert_array_equal(words(streams.CHOICES, 2024, 7, 200_000), expected)


def test_purposes_have_streams_of_their_own():
    state = fresh()
    out = np.zeros(1, np.uint64)
    next_words(state, streams.SETUP, np.uint64(5), np.uint64(5), out)
    before = state["rng"].copy()
    next_words(state, streams.CHOICES, np.uint64(5), np.uint64(5), np.zeros(9, np.uint64))
    changed = (state["rng"] != before).any(axis=2)[0]
    assert changed.tolist() == [purpose == streams.CHOICES for purpose in PURPOSES]


def test_floats_have_53_bits_and_stay_below_one():
    out = np.zeros(10_000)
    floats(fresh(), streams.CHOICES, np.uint64(3), np.uint64(4), out)
    expected = words(streams.CHOICES, 3, 4, 10_000) >> np.uint64(11)
    np.testing.assert_array_equal(out * 2.0**53, expected)
    assert out.min() >= 0
    assert out.max() < 1


# Draws below a bound

BOUNDS = [1, 2, 3, 5, 6, 7, 60, 1000, 2**16 + 1, 2**31, 3 * 2**30, 2**32 - 2, 2**32 - 1]


@pytest.mark.parametrize("bound", BOUNDS)
def test_draws_are_exactly_those_of_lemire(bound):
    expected = islice(lemire(words(streams.DRAWS, 11, 12, 5000), bound), 2000)
    assert below(bound, 2000, seed=11, game=12).tolist() == list(expected)


def test_a_bound_of_one_gives_zero():
    assert not below(1, 100).any()


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 13, 60])
def test_small_draws_are_even(bound):
    assert chisquare(np.bincount(below(bound, 300_000), minlength=bound)).pvalue > SLIGHT


@pytest.mark.parametrize("bound", [1000, 3 * 2**30, 2**32 - 5, 2**32 - 1])
def test_large_draws_are_even(bound):
    """Without rejection a bound of 3 * 2**30 would give one third of its numbers twice as often."""
    draws = below(bound, 600_000)
    assert draws.max() < bound
    remainders = np.bincount(draws % 30, minlength=30)
    shares = np.array([len(range(r, bound, 30)) for r in range(30)]) / bound
    assert chisquare(remainders, shares * len(draws)).pvalue > SLIGHT
    cells = np.bincount(draws * 40 // bound, minlength=40)
    assert chisquare(cells).pvalue > SLIGHT


# Shuffles


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
def test_every_order_is_equally_likely(cards):
    out = np.zeros((240_000, cards), np.int64)
    shuffles(fresh(), streams.SETUP, np.uint64(9), out)
    orders = dict.fromkeys(permutations(range(cards)), 0)
    found, counts = np.unique(out, axis=0, return_counts=True)
    orders |= dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True))
    assert chisquare(list(orders.values())).pvalue > SLIGHT


# One stream tells nothing of another


def unrelated(one, other, bound):
    """Tell the chance of pairs at least so uneven, were all of them equally likely."""
    return chisquare(np.bincount(one * bound + other, minlength=bound * bound)).pvalue


@pytest.mark.parametrize("start", [0, 2**32 - 50_000, 2**63, TOP - 400_000])
def test_first_draws_of_one_game_and_the_next(start):
    draws = firsts(200_000, 16, game=start, game_step=1)
    assert chisquare(np.bincount(draws, minlength=16)).pvalue > SLIGHT
    assert unrelated(draws[:-1:2], draws[1::2], 16) > SLIGHT


@pytest.mark.parametrize("start", [0, 2**32 - 50_000, TOP - 400_000])
def test_first_draws_of_one_seed_and_the_next(start):
    draws = firsts(200_000, 16, seed=start, seed_step=1)
    assert unrelated(draws[:-1:2], draws[1::2], 16) > SLIGHT


@pytest.mark.parametrize(("one", "other"), list(combinations(PURPOSES, 2)))
def test_first_draws_of_two_purposes(one, other):
    draws = [firsts(200_000, 16, purpose, game_step=1) for purpose in (one, other)]
    assert unrelated(*draws, 16) > SLIGHT


def test_seed_and_game_number_do_not_stand_in_for_each_other():
    assert (
        unrelated(
            firsts(200_000, 16, seed=0, game=1, seed_step=1),
            firsts(200_000, 16, seed=1, game=0, game_step=1),
            16,
        )
        > SLIGHT
    )


@pytest.mark.slow
@pytest.mark.parametrize("gap", [1, 2, 3, 4, 5, 6, 10, 100, 1024])
def test_first_draws_of_games_apart(gap):
    draws = firsts(4_000_000, 64, game_step=1)
    assert unrelated(draws[:-gap], draws[gap:], 64) > SLIGHT


@pytest.mark.slow
def test_every_seed_shuffles_evenly():
    """The orders of 3 cards by 64 consecutive seeds."""
    tables = []
    for seed in range(64):
        out = np.zeros((60_000, 3), np.int64)
        shuffles(fresh(), streams.SETUP, np.uint64(seed), out)
        tables.append(np.unique(out, axis=0, return_counts=True)[1])
    assert chi2_contingency(np.array(tables)).pvalue > SLIGHT
    assert chisquare(np.sum(tables, axis=0)).pvalue > SLIGHT
