"""The game that is played by choosing a style: payoffs, equilibria, alpha-rank, cycles.

The payoff of a style is its win share in a line-up, less a fair one. Seats are averaged over
(line-ups are rotated), so the game is symmetric: what counts is how many play each style, the
heuristic payoff table of Walsh, Das, Tesauro and Kephart (2002).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.special import logit, logsumexp, softmax

POPULATION = 50
"""Individuals in the population of alpha-rank, as in its authors' examples."""
ALPHAS = tuple(float(alpha) for alpha in np.geomspace(0.1, 1000, 41))
SUPPORT = 0.001
"""A style with less of an equilibrium is not played in it."""
ALIKE = 1e-6
"""Mixtures, and what they win, that differ by less are the same."""
EDGE = 1e-4
"""Win shares of two are kept so far from 0 and 1 where logarithms of odds are taken."""
TEMPERATURES = tuple(float(heat) for heat in np.geomspace(1.0, 1e-4, 60))
ROUNDS = 200

Counts = tuple[int, ...]
"""How many seats play each style, in the styles' order."""


def profiles(styles: int, seats: int) -> Iterator[Counts]:
    """Yield every way in which so many seats can play styles."""
    for chosen in combinations_with_replacement(range(styles), seats):
        yield tuple(chosen.count(style) for style in range(styles))


@dataclass(frozen=True)
class MetaGame:
    """A symmetric game of `players` who choose among styles.

    `shares` holds for each profile in which two styles meet the win share of one seat of each style
    that is in it (0 for the others), [style].
    """

    styles: tuple[str, ...]
    players: int
    shares: Mapping[Counts, np.ndarray]

    @cached_property
    def opponents(self) -> list[Counts]:
        """Every way in which the others can play."""
        return list(profiles(len(self.styles), self.players - 1))

    @cached_property
    def table(self) -> np.ndarray:
        """Payoff of each style against each way that the others play, [style, opponents]."""
        found = np.zeros((len(self.styles), len(self.opponents)))
        for column, others in enumerate(self.opponents):
            for style in range(len(self.styles)):
                both = tuple(n + (at == style) for at, n in enumerate(others))
                # all play alike: each wins a fair share
                alone = len(self.styles) == both.count(0) + 1
                if not alone:
                    found[style, column] = self.shares[both][style] - 1 / self.players
        return found

    @cached_property
    def ways(self) -> np.ndarray:
        """In how many orders the others can play so, [opponents]."""
        seats = factorial(self.players - 1)
        return np.array([seats / prod(map(factorial, others)) for others in self.opponents])

    @cached_property
    def _powers(self) -> np.ndarray:
        return np.array(self.opponents)

    def payoffs(self, mixture: np.ndarray) -> np.ndarray:
        """Return what each style wins more than a fair share among others who mix so, [style]."""
        chance = self.ways * np.prod(mixture[None] ** self._powers, axis=1)
        return self.table @ chance

    def regret(self, mixture: np.ndarray) -> float:
        """Return how much more the best style would win than the mixture does: 0 at equilibrium."""
        found = self.payoffs(mixture)
        return float(found.max() - mixture @ found)

    @cached_property
    def pairs(self) -> np.ndarray:
        """Win share of the first of two styles, seat for seat, where one meets all others alike.

        [style, style]; one seat plays the first, all others the second. Two players: the matrix of
        match-ups.
        """
        count = len(self.styles)
        found = np.full((count, count), 0.5)
        for one in range(count):
            for other in range(count):
                if one != other:
                    alone = tuple(
                        (at == one) + (self.players - 1) * (at == other) for at in range(count)
                    )
                    own, theirs = self.shares[alone][one], self.shares[alone][other]
                    found[one, other] = own / (own + theirs) if own + theirs > 0 else 0.5
        return found


@dataclass(frozen=True)
class Equilibrium:
    """A mixture of styles to which no style is a better answer, but for `regret`."""

    mixture: np.ndarray
    regret: float
    payoffs: np.ndarray
    """What each style wins above a fair share against the mixture: its Nash average."""
    method: str

    @property
    def support(self) -> list[int]:
        """The styles that are played."""
        return [int(at) for at in np.flatnonzero(self.mixture > SUPPORT)]


def equilibrium(game: MetaGame) -> Equilibrium:
    """Return a symmetric equilibrium.

    Two players: the one of largest entropy (Balduzzi et al. 2018), from a convex programme. More:
    the limit of logit equilibria as players grow sure (McKelvey and Palfrey 1995).
    """
    if game.players == 2:
        mixture, method = _most_mixed(game), "maximum-entropy Nash"
    else:
        mixture, method = _logit_limit(game), "limit of logit equilibria"
    return Equilibrium(mixture, game.regret(mixture), game.payoffs(mixture), method)


def _zero_sum(game: MetaGame) -> np.ndarray:
    """Return the payoff of the row's style against the column's, antisymmetric."""
    matrix = game.table[
        :, [game.opponents.index(_alone(game, at)) for at in range(len(game.styles))]
    ]
    return (matrix - matrix.T) / 2


def _alone(game: MetaGame, style: int) -> Counts:
    return tuple((game.players - 1) * (at == style) for at in range(len(game.styles)))


def _most_mixed(game: MetaGame) -> np.ndarray:
    matrix = _zero_sum(game)
    matrix = matrix / (np.abs(matrix).max() or 1.0)
    count = len(matrix)

    def best_for(cost: np.ndarray) -> np.ndarray:
        # p' A >= 0: no style does better against p; one such p exists, as the game is symmetric
        return linprog(
            cost, -matrix.T, np.zeros(count), np.ones((1, count)), [1.0], bounds=(0, 1)
        ).x

    # the least and the most of costs that nothing is level with: alike if there is but one
    cost = np.random.default_rng(count).random(count)
    least, most = best_for(cost), best_for(-cost)
    if np.abs(least - most).max() < ALIKE:
        return np.clip(least, 0, 1) / np.clip(least, 0, 1).sum()
    ends = np.array([least, most, *(best_for(cost) for cost in -np.eye(count))])
    played = ends.max(0) > ALIKE
    found = np.zeros(count)
    found[played] = _most_even(matrix[played])
    return found if game.regret(found) <= ALIKE else np.clip(ends, 0, 1).mean(0)


def _most_even(matrix: np.ndarray) -> np.ndarray:
    """Return the p > 0 of largest entropy with p' A >= 0, from the dual problem: weights on A."""

    def partition(weights: np.ndarray) -> tuple[float, np.ndarray]:
        powers = matrix @ weights
        return float(logsumexp(powers)), matrix.T @ softmax(powers)

    found = minimize(
        partition,
        np.zeros(matrix.shape[1]),
        jac=True,
        bounds=[(0, None)] * matrix.shape[1],
        method="L-BFGS-B",
        options={"maxiter": 10_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-10},
    )
    return softmax(matrix @ found.x)


def _logit_limit(game: MetaGame) -> np.ndarray:
    mixture = np.full(len(game.styles), 1 / len(game.styles))
    for heat in TEMPERATURES:
        step = 1.0
        for _ in range(ROUNDS):
            answer = softmax(game.payoffs(mixture) / heat)
            gap = np.abs(answer - mixture).max()
            if gap < 1e-10:
                break
            mixture = mixture + step * (answer - mixture)
            step = max(step * 0.97, 0.01)
    mixture = np.where(mixture < SUPPORT / 10, 0, mixture)
    return mixture / mixture.sum()


def alpha_rank(game: MetaGame, alpha: float, population: int = POPULATION) -> np.ndarray:
    """Return how much of the time a population plays each style, [style] (Omidshafiei et al. 2019).

    All play one style until a single one tries another; it takes over with the probability of
    Fermi's rule. Its payoff is that in a line-up where all others still play the old style.
    """
    count = len(game.styles)
    moves = np.zeros((count, count))
    for old in range(count):
        for new in range(count):
            if new != old:
                profile = tuple(
                    (at == new) + (game.players - 1) * (at == old) for at in range(count)
                )
                shares = game.shares[profile]
                gain = alpha * float(shares[new] - shares[old])
                moves[old, new] = _fixation(gain, population) / (count - 1)
    np.fill_diagonal(moves, 1 - moves.sum(1))
    return _stationary(moves)


def _fixation(gain: float, population: int) -> float:
    """Return with what probability one of a population takes over."""
    if abs(gain) < 1e-12:
        return 1 / population
    if gain * population > 700:
        return float(-np.expm1(-gain))
    if gain * population < -700:
        return float(np.exp((population - 1) * gain)) if (population - 1) * gain > -700 else 0.0
    return float(np.expm1(-gain) / np.expm1(-population * gain))


def _stationary(moves: np.ndarray) -> np.ndarray:
    """Return the stationary distribution of a chain, by the method of Grassmann, Taksar, Heyman.

    It subtracts nothing, so chances of 1e-200 keep their digits.
    """
    chain = np.maximum(moves.copy(), 1e-300)
    count = len(chain)
    for at in range(count - 1, 0, -1):
        leaves = chain[at, :at].sum()
        chain[:at, at] /= leaves
        chain[:at, :at] += np.outer(chain[:at, at], chain[at, :at])
    found = np.zeros(count)
    found[0] = 1
    for at in range(1, count):
        found[at] = found[:at] @ chain[:at, at]
    return found / found.sum()


def cyclic_share(matrix: np.ndarray) -> float:
    """Return which share of the log-odds between styles no ratings explain (Balduzzi et al. 2018).

    `matrix` holds win shares of the row's style against the column's; 0 if ratings say it all.
    """
    odds = logit(np.clip(matrix, EDGE, 1 - EDGE))
    odds = (odds - odds.T) / 2
    ratings = odds.mean(1)
    explained = ratings[:, None] - ratings[None]
    whole = float((odds**2).sum())
    return float(((odds - explained) ** 2).sum()) / whole if whole > 0 else 0.0


def from_matrix(styles: Sequence[str], matrix: np.ndarray) -> MetaGame:
    """Return the game of two players with these win shares of the row against the column."""
    shares = {}
    for profile in profiles(len(styles), 2):
        there = [at for at, n in enumerate(profile) if n]
        own = np.zeros(len(styles))
        if len(there) == 1:
            own[there[0]] = 0.5
        else:
            one, other = there
            own[one], own[other] = matrix[one, other], matrix[other, one]
        shares[profile] = own
    return MetaGame(tuple(styles), 2, shares)
