"""Intervals, tests and corrections, closed-form over whole arrays of groups.

Every function takes and returns numpy arrays of one shape, copes with groups of no or one
observation (NaN bounds, method "none"), and gives the method's name for each group. Intervals are
of the level in use (`sim.level`) where no `confidence` is given.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.level import level

ROUNDING = 1e-11
"""A variance so small against its own terms is rounding: it is zero."""


class Interval(NamedTuple):
    """Bounds and the method behind them, each an array of the same shape."""

    low: np.ndarray
    high: np.ndarray
    method: np.ndarray


class Test(NamedTuple):
    """A test's p-value and its name."""

    p: float
    method: str


class Sums(NamedTuple):
    """Sums over clusters of a ratio's numerator y and denominator m, for each group.

    A cluster is what luck is independent between: a game, or a deal played once for each seating.
    """

    y: np.ndarray
    m: np.ndarray
    yy: np.ndarray
    ym: np.ndarray
    mm: np.ndarray
    clusters: np.ndarray


def ratio(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Return sum(y) / sum(m) and its variance, linearised over clusters.

    The textbook ratio estimator (Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6); with
    m = 1 in every cluster it is the mean and its usual variance. NaN where nothing was seen, and
    for the variance of a single cluster.
    """
    y, m, yy, ym, mm, clusters = (np.asarray(part, dtype=float) for part in sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = y / m
        terms = yy + share**2 * mm
        squares = yy - 2 * share * ym + share**2 * mm
        squares = np.where(squares <= ROUNDING * terms, 0.0, squares)
        variance = squares / m**2 * clusters / (clusters - 1)
    return share, np.where(clusters > 1, variance, np.nan)


def wilson(share: ArrayLike, n: ArrayLike, quantile: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the score interval of Wilson (1927) for a share of n trials, n not always whole."""
    share, n, q = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (share, n, quantile)))
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = 1 + q**2 / n
        middle = (share + q**2 / (2 * n)) / shrink
        half = q / shrink * np.sqrt(share * (1 - share) / n + (q / (2 * n)) ** 2)
    low = np.where(share <= 0, 0.0, np.maximum(middle - half, 0))
    high = np.where(share >= 1, 1.0, np.minimum(middle + half, 1))
    empty = ~(n > 0)
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def share_interval(
    share: ArrayLike,
    variance: ArrayLike,
    n: ArrayLike,
    clusters: ArrayLike,
    binary: ArrayLike,
    by_deal: ArrayLike = False,
    confidence: float | None = None,
) -> Interval:
    """Return intervals for shares of n games in independent clusters.

    `variance` is that of the share, `binary` tells that every game counted 0 or 1 and was a
    cluster of its own, `by_deal` that clusters are deals (for the method's name).

    - binary: Wilson's interval;
    - ties or deals: Wilson's interval with the effective sample size share (1 - share) / variance
      and Student's quantile (Franco, Little, Louis and Slud 2019; Kott 2017). A plain t interval
      covers far less than 95 % where wins are rare;
    - no variance and a share inside (0, 1), as when every game is tied: the share itself;
    - a share of 0 or 1 in deals: Wilson's interval with the number of deals.
    """
    from scipy.special import ndtri, stdtrit

    tail = (1 + (confidence or level())) / 2
    share, variance, n, clusters, binary, by_deal = np.broadcast_arrays(
        *(np.asarray(a) for a in (share, variance, n, clusters, binary, by_deal))
    )
    share, variance = share.astype(float), variance.astype(float)
    enough = (clusters > 1) & np.isfinite(share)
    edge = (share <= 0) | (share >= 1)
    constant = enough & ~binary & ~edge & (variance == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(edge, clusters, share * (1 - share) / variance)
        student = stdtrit(np.maximum(clusters, 2) - 1.0, tail)
        low, high = wilson(
            share, np.where(binary, n, effective), np.where(binary, ndtri(tail), student)
        )
    low, high = np.where(constant, share, low), np.where(constant, share, high)
    method = np.select(
        [~enough, binary, constant, by_deal],
        ["none", "Wilson", "no variance", "Wilson, effective n, by deal"],
        "Wilson, effective n",
    )
    return Interval(np.where(enough, low, np.nan), np.where(enough, high, np.nan), method)


def mean_interval(
    mean: ArrayLike,
    variance: ArrayLike,
    clusters: ArrayLike,
    by_deal: ArrayLike = False,
    confidence: float | None = None,
) -> Interval:
    """Return Student's t intervals for means; `variance` is that of the mean."""
    from scipy.special import stdtrit

    tail = (1 + (confidence or level())) / 2
    mean, variance, clusters, by_deal = np.broadcast_arrays(
        *(np.asarray(a) for a in (mean, variance, clusters, by_deal))
    )
    enough = clusters > 1
    half = stdtrit(np.maximum(clusters, 2) - 1.0, tail) * np.sqrt(variance)
    half = np.where(enough, half, np.nan)
    method = np.select([~enough, by_deal], ["none", "t, by deal"], "t")
    return Interval(mean - half, mean + half, method)


class Quantiles(NamedTuple):
    """Quantiles and their intervals, arrays of shape [group, percent]."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


def quantiles_of_counts(
    values: ArrayLike,
    counts: ArrayLike,
    groups: ArrayLike,
    percents: ArrayLike,
    clusters: ArrayLike,
    confidence: float | None = None,
) -> Quantiles:
    """Return quantiles of counted values, with intervals from order statistics.

    `groups` numbers each value's group 0, 1, ... in ascending order without gaps; within a group
    the values ascend. `clusters` [group] is how many independent clusters a group has: the number
    of its observations, or the number of deals, which is the careful end for any correlation
    inside a deal. The estimate is the smallest value that at least `percent` % of the
    observations do not exceed (numpy's "inverted_cdf"). The bounds are the order statistics whose
    binomial ranks enclose the quantile (David and Nagaraja, Order Statistics, 3rd ed. 2003,
    chapter 7); NaN on a side where the sample is too small for a bound.
    """
    from scipy.stats import binom

    values, counts, groups = np.asarray(values), np.asarray(counts, np.int64), np.asarray(groups)
    percents = np.asarray(percents, np.int64)
    clusters = np.asarray(clusters, np.int64)[:, None]
    totals = np.bincount(groups, weights=counts, minlength=len(clusters)).astype(np.int64)[:, None]
    before = np.cumsum(totals, axis=0) - totals
    running = np.cumsum(counts)

    def value_at(rank: np.ndarray) -> np.ndarray:
        inside = np.clip(rank, 1, totals)
        return values[np.searchsorted(running, before + inside)].astype(float)

    def scaled(rank: np.ndarray) -> np.ndarray:
        # a rank among the clusters as a rank among the observations, rounded up
        return -(-rank * totals // clusters)

    rank = -(-percents * totals // 100)
    tail = (1 - (confidence or level())) / 2
    lower = binom.ppf(tail, clusters, percents / 100).astype(np.int64)
    upper = binom.ppf(1 - tail, clusters, percents / 100).astype(np.int64) + 1
    low = np.where(lower >= 1, value_at(scaled(lower)), np.nan)
    high = np.where(upper <= clusters, value_at(scaled(upper)), np.nan)
    return Quantiles(value_at(rank), low, high)


def equal_shares_test(wins: ArrayLike) -> Test:
    """Return Pearson's chi-square test that all seats win equally often; `wins` are whole."""
    from scipy.stats import chisquare

    wins = np.asarray(wins, dtype=float)
    if wins.sum() < 1 or len(wins) < 2:
        return Test(np.nan, "none")
    return Test(float(chisquare(wins).pvalue), f"chi-square, {len(wins) - 1} df")


def equal_means_test(mean: ArrayLike, covariance: ArrayLike, clusters: int) -> Test:
    """Return Hotelling's test that all means are equal; for shares with ties or by deal.

    `covariance` is that of the mean vector. The test is on the contrasts with the last mean
    (Hotelling 1931); contrasts without any variance decide by themselves.
    """
    from scipy.stats import f

    mean, covariance = np.asarray(mean, dtype=float), np.asarray(covariance, dtype=float)
    contrast = np.hstack([np.eye(len(mean) - 1), -np.ones((len(mean) - 1, 1))])
    gap, spread = contrast @ mean, contrast @ covariance @ contrast.T * clusters
    if len(gap) == 0 or not np.isfinite(spread).all():
        return Test(np.nan, "none")
    size = int(np.linalg.matrix_rank(spread, tol=ROUNDING, hermitian=True))
    if clusters - size < 1:
        return Test(np.nan, "none")
    inverse = np.linalg.pinv(spread, rcond=ROUNDING, hermitian=True)
    unexplained = gap - spread @ inverse @ gap
    if np.abs(unexplained).max(initial=0) > 1e-9:
        return Test(0.0, "no variance")
    if size == 0:
        return Test(1.0, "no variance")
    statistic = clusters * gap @ inverse @ gap * (clusters - size) / (size * (clusters - 1))
    return Test(float(f.sf(statistic, size, clusters - size)), f"Hotelling, {size} df")


def adjusted(p: ArrayLike, method: str = "holm") -> np.ndarray:
    """Return p-values corrected for a family: "holm" or "fdr_bh"; NaN stays out of it."""
    from statsmodels.stats.multitest import multipletests

    p = np.asarray(p, dtype=float)
    known = np.isfinite(p)
    result = np.full(p.shape, np.nan)
    if known.any():
        result[known] = multipletests(p[known], method=method)[1]
    return result
