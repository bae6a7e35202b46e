"""How compiled players choose: the best, evenly among equals, or in proportion; what they avoid."""

import numba
import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import chisquare

from sim import choice, streams

MOST_ACTIONS = 32
FEATURES = 5
STATE = np.dtype(
    [
        ("rng", "u8", (streams.PURPOSES, 4)),
        ("n_actions", "i8"),
        ("value", "f8", MOST_ACTIONS),
        ("feature", "f8", FEATURES),
        ("weights", "f8", (3, FEATURES)),
        ("temperature", "f8", 3),
        ("indifferent", "i8", 3),
    ],
    align=True,
)
AVOIDED = choice.AVOIDED
SLIGHT = 1e-4
"""Seeds are fixed: a test whose chance is smaller than this fails for a reason."""


@numba.njit
def choices(state, place, seed, out):
    s = state[0]
    streams.seed_stream(s, streams.CHOICES, seed, 0)
    for i in range(out.shape[0]):
        out[i] = choice.choose(s, place)


@numba.njit
def best_of_each_row(state, seed, values, out):
    s = state[0]
    streams.seed_stream(s, streams.CHOICES, seed, 0)
    s.n_actions = values.shape[1]
    for row in range(values.shape[0]):
        for i in range(values.shape[1]):
            s.value[i] = values[row, i]
        out[row] = choice.choose(s, 0)


@numba.njit
def worth(state, place):
    s = state[0]
    choice.find_indifferent(s)
    return choice.weights_times_features(s, place)


def state_of(values, temperature=0.0):
    state = np.zeros(1, STATE)
    state["n_actions"] = len(values)
    state["value"][0, : len(values)] = values
    state["temperature"] = temperature
    return state


def chosen(values, count, temperature=0.0, seed=1):
    """Return how often each action is taken in `count` choices."""
    out = np.zeros(count, np.int64)
    choices(state_of(values, temperature), 0, np.uint64(seed), out)
    return np.bincount(out, minlength=len(values))


# The best action


@pytest.mark.parametrize("actions", [2, 3, 8, 30])
def test_the_best_action_is_taken(actions):
    values = np.random.default_rng(1).normal(size=(5000, actions))
    out = np.zeros(len(values), np.int64)
    best_of_each_row(state_of([0.0]), np.uint64(1), values, out)
    np.testing.assert_array_equal(out, values.argmax(axis=1))


@pytest.mark.parametrize(
    "values", [[0, 0], [1, 1, 1], [2, 0, 2, 2, -1, 2], [0, -3, 0, 0, 0, 0, 0], [5, 1, 1, 5]]
)
def test_equals_are_taken_equally_often(values):
    counts = chosen(values, 100_000)
    best = np.array(values) == max(values)
    assert counts[~best].sum() == 0
    assert chisquare(counts[best]).pvalue > SLIGHT


def test_ties_in_random_places():
    values = np.random.default_rng(2).integers(0, 3, size=(60_000, 6)).astype(float)
    out = np.zeros(len(values), np.int64)
    best_of_each_row(state_of([0.0]), np.uint64(3), values, out)
    best = values == values.max(axis=1, keepdims=True)
    assert best[np.arange(len(out)), out].all()
    place_among_equals = best.cumsum(axis=1)[np.arange(len(out)), out] - 1
    for ties in range(2, 6):
        counts = np.bincount(place_among_equals[best.sum(axis=1) == ties], minlength=ties)
        assert chisquare(counts).pvalue > SLIGHT


# Softmax


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0, 50.0])
@pytest.mark.parametrize("values", [[0, 1], [3, 1, 2, 0.5, 2], [-2, -1, 0, 1, 2, 2, 1, 0]])
def test_softmax_draws_in_proportion(values, temperature):
    counts = chosen(values, 200_000, temperature)
    expected = softmax(np.array(values) / temperature) * counts.sum()
    rare = expected < 5
    assert counts[rare].sum() <= 20
    shares = expected[~rare] / expected[~rare].sum()
    assert chisquare(counts[~rare], shares * counts[~rare].sum()).pvalue > SLIGHT


def test_softmax_of_huge_values():
    counts = chosen([1e9, 1e9, -1e9, 1e9 - 1], 100_000, temperature=1.0)
    expected = softmax([0.0, 0.0, -1.0]) * counts.sum()
    assert counts[2] == 0
    assert chisquare(counts[[0, 1, 3]], expected).pvalue > SLIGHT


def test_softmax_near_zero_takes_the_best():
    assert chosen([1.0, 1.5, 1.4999], 1000, temperature=1e-9).tolist() == [0, 1000, 0]


def test_each_place_has_its_own_temperature():
    state = state_of([0.0, 1.0])
    state["temperature"] = [0.0, 5.0, 0.0]
    out = np.zeros(1000, np.int64)
    choices(state, 0, np.uint64(1), out)
    assert out.all()
    choices(state, 1, np.uint64(1), out)
    assert 300 < out.sum() < 800


# Avoided actions


@pytest.mark.parametrize("temperature", [0.0, 0.01, 1.0, 1e6])
@pytest.mark.parametrize(
    "values",
    [[AVOIDED, 0, AVOIDED], [AVOIDED, 1, 0, AVOIDED], [-1e9, AVOIDED], [0, 0, AVOIDED, 0]],
)
def test_avoided_actions_are_never_taken_while_there_are_others(values, temperature):
    counts = chosen(values, 20_000, temperature)
    assert counts[np.isinf(values)].sum() == 0


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("actions", [2, 5])
def test_all_avoided_are_equals(actions, temperature):
    assert chisquare(chosen([AVOIDED] * actions, 50_000, temperature)).pvalue > SLIGHT


# Chance is used where there is a choice, and only there


def words_used(values, temperature):
    state = state_of(values, temperature)
    choices(state, 0, np.uint64(1), np.zeros(0, np.int64))
    before = int(state["rng"][0, streams.CHOICES, 3])
    choices(state, 0, np.uint64(1), np.zeros(1, np.int64))
    return int(state["rng"][0, streams.CHOICES, 3]) - before


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_one_action_uses_no_randomness(temperature):
    assert words_used([3.0], temperature) == 0
    assert words_used([AVOIDED], temperature) == 0


def test_a_sole_best_action_uses_no_randomness():
    assert words_used([3.0, 1.0, 1.0], 0.0) == 0
    assert words_used([3.0, 3.0, 1.0], 0.0) == 1
    assert words_used([3.0, 1.0, 1.0], 1.0) == 1


def test_a_choice_touches_no_other_stream():
    state = state_of([1.0, 1.0])
    before = state["rng"].copy()
    choices(state, 0, np.uint64(1), np.zeros(100, np.int64))
    changed = (state["rng"] != before).any(axis=2)[0]
    assert changed.tolist() == [p == streams.CHOICES for p in range(streams.PURPOSES)]


# Weights


def test_weights_times_features():
    state = np.zeros(1, STATE)
    state["weights"][0] = [[1, 0, -2, 0, 0.5], [0] * 5, [0, 0, 0, 1e-300, 0]]
    state["feature"][0] = [3, 7, 4, -1, 2]
    assert [worth(state, place) for place in range(3)] == [-4, 0, -1e-300]
    assert state["indifferent"][0].tolist() == [0, 1, 0]
