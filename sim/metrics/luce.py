"""Strengths of players by Luce's choice axiom: who wins a game, of those that sit in it.

The chance of a seat to win is its strength over the sum of the strengths at the table (Luce 1959;
Plackett 1975; with two seats Bradley and Terry 1952). Fitted as a Poisson regression with a level
for each line-up, which has the same likelihood (Baker 1994, The Statistician 43, 495-504).
"""

import warnings
from dataclasses import dataclass

import numpy as np

ELO = 400 / np.log(10)
"""Elo points for each unit of log strength: ten times as strong are 400 points."""


@dataclass(frozen=True)
class Strengths:
    """Strengths in Elo points from their mean, and variances by cluster; [style] each.

    A style that never won against those with a strength has -inf, one that never lost to them
    inf: the games say no more. If no two have won against each other, all are NaN. `order` has
    the styles from the weakest to the strongest.
    """

    elo: np.ndarray
    variance: np.ndarray
    order: list[int]


def strengths(
    wins: np.ndarray, seats: np.ndarray, rate: np.ndarray, cross: np.ndarray, clusters: int
) -> Strengths:
    """Return strengths from wins and seats of each style in each line-up, [line-up, style].

    Wins shared by k count 1/k. `rate` [style] is what a seat of the style wins; `cross` [2 styles,
    2 styles] are the sums over clusters of the products of each style's wins, then of the seats
    that it had in games that count.
    """
    styles = wins.shape[1]
    elo, variance = np.full((2, styles), np.nan)
    groups = _comparable(wins, seats)
    main = max(groups, key=len)
    if len(main) > 1:
        for at, group in enumerate(groups):
            elo[group] = np.inf if at > groups.index(main) else -np.inf
        log = _fitted(wins[:, main], seats[:, main])
        known = [*main, *(style + styles for style in main)]
        about = wins[:, main], seats[:, main], rate[main], cross[np.ix_(known, known)]
        elo[main] = ELO * log
        if clusters > 1:
            spread = np.diag(_covariance(log, *about))
            variance[main] = ELO**2 * np.maximum(spread, 0) * clusters / (clusters - 1)
    order = [style for group in groups for style in sorted(group, key=lambda each: elo[each])]
    return Strengths(elo, variance, order)


def _comparable(wins: np.ndarray, seats: np.ndarray) -> list[list[int]]:
    """Return groups of styles that beat each other, in turn or by others, the weakest first.

    Only within such a group is there a largest likelihood (Ford 1957, American Mathematical
    Monthly 64, 28-33).
    """
    from scipy.sparse.csgraph import connected_components, shortest_path

    beats = (wins.T @ (seats > 0)) > 0
    number, group = connected_components(beats, directed=True, connection="strong")
    found = [np.flatnonzero(group == each).tolist() for each in range(number)]
    reach = np.isfinite(shortest_path(beats, unweighted=True)).sum(1)
    return sorted(found, key=lambda own: (reach[own[0]], own))


def _fitted(wins: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return log strengths with mean 0."""
    import statsmodels.api as sm
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    styles = seats.shape[1]
    told = (wins.sum(1) > 0) & ((seats > 0).sum(1) > 1)
    table, style = np.nonzero(seats[told])
    x = np.zeros((len(table), told.sum() + styles - 1))
    x[np.arange(len(table)), table] = 1
    later = style > 0
    x[later, told.sum() + style[later] - 1] = 1
    model = sm.GLM(
        wins[told][table, style],
        x,
        family=sm.families.Poisson(),
        offset=np.log(seats[told][table, style]),
    )
    # line-ups of two styles are fitted exactly: nothing is left over, which statsmodels warns of
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        log = model.fit(tol=1e-10, tol_criterion="params").params[told.sum() :]
    found = np.concatenate([[0.0], log])
    return np.asarray(found - found.mean())


def _covariance(
    log: np.ndarray, wins: np.ndarray, seats: np.ndarray, rate: np.ndarray, cross: np.ndarray
) -> np.ndarray:
    """Return the covariance of log strengths that is robust to clusters (a sandwich)."""
    games, chance = wins.sum(1), seats * np.exp(log)
    chance = chance / np.maximum(chance.sum(1, keepdims=True), np.finfo(float).tiny)
    bread = np.diag(games @ chance) - chance.T @ (chance * games[:, None])
    # what a cluster adds to a style's wins: those won, less its rate for each seat it had
    own = np.hstack([np.eye(len(log)), -np.diag(rate)])
    inverse = np.linalg.pinv(bread, hermitian=True)
    return np.asarray(inverse @ own @ cross @ own.T @ inverse)
