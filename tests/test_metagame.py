"""Equilibria, alpha-rank and cycles against small games whose answers are known."""

import numpy as np
import pytest

from sim.tuning.metagame import (
    MetaGame,
    alpha_rank,
    cyclic_share,
    equilibrium,
    from_matrix,
    profiles,
)

RPS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
NAMES = ("rock", "paper", "scissors")


def of_payoffs(matrix):
    """Turn an antisymmetric payoff matrix into win shares, largest payoff a sure win."""
    matrix = np.asarray(matrix, float)
    return 0.5 + matrix / (2 * np.abs(matrix).max())


def test_rock_paper_scissors_is_mixed_evenly():
    found = equilibrium(from_matrix(NAMES, RPS))
    assert found.mixture == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert found.regret == pytest.approx(0, abs=1e-8)
    assert found.payoffs == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize("weights", [(1, 1, 2), (3, 1, 1), (1, 2, 5)])
def test_weighted_rock_paper_scissors(weights):
    """Rock beats scissors by a, paper rock by b, scissors paper by c: play (c, a, b) / sum."""
    a, b, c = weights
    matrix = [[0, -b, a], [b, 0, -c], [-a, c, 0]]
    found = equilibrium(from_matrix(NAMES, of_payoffs(matrix)))
    assert found.mixture == pytest.approx(np.array([c, a, b]) / sum(weights), abs=1e-5)


def test_a_copy_changes_no_rating():
    """Nash averaging does not care for a style entered twice (Balduzzi et al. 2018, section 4)."""
    twice = np.array([[0.5, 0.0, 1.0, 1.0], [1.0, 0.5, 0.0, 0.0],
                      [0.0, 1.0, 0.5, 0.5], [0.0, 1.0, 0.5, 0.5]])  # fmt: skip
    found = equilibrium(from_matrix(("rock", "paper", "scissors", "twin"), twice))
    assert found.mixture == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)
    assert found.payoffs == pytest.approx([0] * 4, abs=1e-6)


def test_a_dominant_style_is_played_alone():
    matrix = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.55], [0.3, 0.45, 0.5]])
    found = equilibrium(from_matrix("abc", matrix))
    assert found.mixture == pytest.approx([1, 0, 0], abs=1e-6)
    assert found.support == [0]
    assert found.payoffs == pytest.approx([0, -0.1, -0.2], abs=1e-6)


def test_copies_of_a_dominant_style_share_evenly():
    matrix = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.55], [0.3, 0.45, 0.5]])
    of = [0, 1, 2, 0, 0]
    found = equilibrium(from_matrix("abcde", matrix[np.ix_(of, of)]))
    assert found.mixture == pytest.approx([1 / 3, 0, 0, 1 / 3, 1 / 3], abs=1e-6)


def test_of_many_equilibria_the_most_mixed_is_taken():
    """The first two tie; a third loses to them if the second is played twice as often at least."""
    matrix = np.array([[0, 0, -0.2], [0, 0, 0.1], [0.2, -0.1, 0]])
    found = equilibrium(from_matrix(NAMES, 0.5 + matrix))
    assert found.mixture == pytest.approx([1 / 3, 2 / 3, 0], abs=1e-6)
    assert found.regret == pytest.approx(0, abs=1e-8)


def test_styles_that_are_alike_share_evenly():
    found = equilibrium(from_matrix("abcd", np.full((4, 4), 0.5)))
    assert found.mixture == pytest.approx([0.25] * 4, abs=1e-6)


def three_players(payoff):
    shares = {}
    for profile in profiles(2, 3):
        own = np.array([payoff(at, profile) if profile[at] else 0.0 for at in range(2)])
        shares[profile] = own / (own @ profile)
    return MetaGame(("a", "b"), 3, shares)


def test_three_players_like_to_be_the_odd_one_out():
    """A minority wins more: both styles are played, half the time each."""
    game = three_players(lambda style, profile: 3.0 if profile[style] == 1 else 1.0)
    found = equilibrium(game)
    assert found.mixture == pytest.approx([0.5, 0.5], abs=1e-4)
    assert found.regret < 1e-6


def test_three_players_with_a_better_style():
    game = three_players(lambda style, profile: 2.0 if style == 0 else 1.0)
    found = equilibrium(game)
    assert found.mixture == pytest.approx([1, 0], abs=1e-4)


def test_payoffs_are_those_of_all_ways_to_sit_down():
    rng = np.random.default_rng(1)
    shares = {}
    for profile in profiles(3, 4):
        own = rng.random(3) * (np.array(profile) > 0)
        shares[profile] = own / (own @ profile)
    game = MetaGame(("a", "b", "c"), 4, shares)
    mixture = np.array([0.2, 0.5, 0.3])
    expected = np.zeros(3)
    for others in np.ndindex(3, 3, 3):
        chance = np.prod(mixture[list(others)])
        for style in range(3):
            profile = tuple((*others, style).count(at) for at in range(3))
            expected[style] += chance * (shares[profile][style] - 0.25)
    assert game.payoffs(mixture) == pytest.approx(expected)
    # a population of one mixture wins a fair share
    assert mixture @ game.payoffs(mixture) == pytest.approx(0)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 100.0])
def test_alpha_rank_of_rock_paper_scissors_is_even(alpha):
    """Omidshafiei et al. 2019, section 4: a cycle is played evenly whatever the intensity."""
    assert alpha_rank(from_matrix(NAMES, RPS), alpha) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_of_biased_rock_paper_scissors():
    """Omidshafiei et al. 2019, Figure 5: the bias does not matter once selection is strong."""
    matrix = of_payoffs([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])
    game = from_matrix(NAMES, matrix)
    weak, strong = alpha_rank(game, 0.1), alpha_rank(game, 1e4)
    assert strong == pytest.approx([1 / 3] * 3, abs=0.01)
    assert np.abs(weak - 1 / 3).max() > 0.02


def test_alpha_rank_follows_the_winner():
    matrix = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.55], [0.3, 0.45, 0.5]])
    game = from_matrix("abc", matrix)
    assert alpha_rank(game, 1e-9) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(game, 1000)[0] == pytest.approx(1)
    order = alpha_rank(game, 1.0)
    assert order[0] > order[1] > order[2] > 0


def test_alpha_rank_is_the_chain_it_says():
    """The stationary distribution, by plain linear algebra."""
    rng = np.random.default_rng(3)
    matrix = np.full((4, 4), 0.5)
    for i in range(4):
        for j in range(i):
            matrix[i, j] = rng.uniform(0.3, 0.7)
            matrix[j, i] = 1 - matrix[i, j]
    alpha, size = 2.0, 10
    moves = np.zeros((4, 4))
    for old in range(4):
        for new in range(4):
            if new != old:
                gain = alpha * (matrix[new, old] - matrix[old, new])
                moves[old, new] = (1 - np.exp(-gain)) / (1 - np.exp(-size * gain)) / 3
    np.fill_diagonal(moves, 1 - moves.sum(1))
    values, vectors = np.linalg.eig(moves.T)
    expected = np.real(vectors[:, np.argmax(np.real(values))])
    expected /= expected.sum()
    assert alpha_rank(from_matrix("abcd", matrix), alpha, size) == pytest.approx(expected)


def test_cycles_are_what_ratings_leave():
    ratings = np.array([0.0, 0.4, 1.1])
    rated = 1 / (1 + np.exp(ratings[None] - ratings[:, None]))
    assert cyclic_share(rated) == pytest.approx(0, abs=1e-12)
    assert cyclic_share(np.clip(RPS, 0.2, 0.8)) == pytest.approx(1)
    assert cyclic_share(np.full((3, 3), 0.5)) == 0
    mixed = np.clip(rated + 0.1 * (RPS - 0.5), 0, 1)
    assert 0 < cyclic_share(mixed) < 1
