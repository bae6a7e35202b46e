"""Intervals, tests and corrections, closed-form over whole arrays of groups.

Every function takes and returns numpy arrays of one shape, copes with groups of no or one
observation (NaN bounds, method "none"), and gives the method's name for each group. Intervals are
of the level in use (`sim.level`) where no `confidence` is given.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.level import level

ROUNDING = 1e-11
"""A variance so small against its own terms is rounding: it is zero."""
RARE = (2, 3)
"""With so few wins, or losses, Wilson's bound towards 0, or 1, lies too far inside: in samples of
up to 50, and in larger ones."""
FEWEST = 100
"""From fewer games than this, that something never varied says little."""
LEAST_P = 1e-14
"""Below this, 1 minus a p-value is told from 1 by rounding alone."""


class Interval(NamedTuple):
    """Bounds and the method behind them, each an array of the same shape."""

    low: np.ndarray
    high: np.ndarray
    method: np.ndarray

    def noted(self, note: str) -> "Interval":
        """Return the same with a note added to the methods."""
        return self._replace(method=_joined(self.method, f", {note}"))


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
    confidence: ArrayLike | None = None,
) -> Interval:
    """Return intervals for shares of n games in independent clusters.

    `variance` is that of the share, `binary` tells that every game counted 0 or 1 and was a
    cluster of its own, `by_deal` that clusters are deals (for the method's name).

    - binary: Wilson's interval;
    - ties or deals: Wilson's interval with the effective sample size share (1 - share) / variance
      and Student's quantile (Franco, Little, Louis and Slud 2019; Kott 2017). A plain t interval
      covers far less than 95 % where wins are rare;
    - up to two or three wins, or losses: "modified", with the one-sided bound for a rate of rare
      events if that is wider (Brown, Cai and DasGupta 2001). Wilson's own covers 84 % at worst;
    - a share of 0 or 1 in deals: Wilson's interval with the number of deals;
    - no variance and a share inside (0, 1), as when every game is tied: clusters unlike those seen
      may be as frequent as Wilson's interval for none of them says, and all wins or all losses.
    """
    from scipy.special import ndtri, stdtrit

    share, variance, n, clusters, binary, by_deal, confidence = np.broadcast_arrays(
        *(np.asarray(a) for a in (share, variance, n, clusters, binary, by_deal)), _or(confidence)
    )
    share, variance = share.astype(float), variance.astype(float)
    enough = (clusters > 1) & np.isfinite(share)
    edge = (share <= 0) | (share >= 1)
    constant = enough & ~binary & ~edge & (variance == 0)
    tail = (1 + confidence) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(edge, clusters, share * (1 - share) / variance)
        size = np.where(binary, n, effective)
        student = stdtrit(np.maximum(clusters, 2) - 1.0, tail)
        low, high = wilson(share, size, np.where(binary, ndtri(tail), student))
        low_rare, high_rare = _rates(share, size, confidence)
    few, many = _few(share, size), _few(1 - share, size)
    low = np.where(few, np.minimum(low, low_rare), low)
    high = np.where(many, np.maximum(high, high_rare), high)
    unseen = wilson(0.0, clusters, student)[1]
    low = np.where(constant, share * (1 - unseen), low)
    high = np.where(constant, share + (1 - share) * unseen, high)
    name = np.select(
        [~enough, binary, constant, by_deal],
        ["none", "Wilson", "no variance", "Wilson, effective n, by deal"],
        "Wilson, effective n",
    )
    method = np.where(enough & ~constant & (few | many), _joined("modified ", name), name)
    return Interval(np.where(enough, low, np.nan), np.where(enough, high, np.nan), method)


def _few(share: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Tell where a share above 0 of a sample is no more than `RARE` events."""
    with np.errstate(invalid="ignore"):
        most = np.where(size <= 50, *RARE)
        return (share > 0) & (share * size <= most * (1 + ROUNDING))


def _rates(
    share: np.ndarray, size: np.ndarray, confidence: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower bound for a rate of wins, and 1 minus that for losses, one-sided."""
    from scipy.special import chdtri

    wins, losses = share * size, (1 - share) * size
    low, high = chdtri(2 * wins, confidence), chdtri(2 * losses, confidence)
    return low / (2 * size), 1 - high / (2 * size)


def _or(confidence: ArrayLike | None) -> np.ndarray:
    return np.asarray(level() if confidence is None else confidence, dtype=float)


def _joined(*parts: ArrayLike) -> np.ndarray:
    """Return names put together; "none" stays alone."""
    text = np.broadcast_arrays(*(np.asarray(part) for part in parts))
    none = np.any([part == "none" for part in text], axis=0)
    whole = np.array(["".join(each) for each in zip(*(part.flat for part in text), strict=True)])
    return np.where(none, "none", whole.reshape(none.shape))


def mean_interval(
    mean: ArrayLike,
    variance: ArrayLike,
    clusters: ArrayLike,
    by_deal: ArrayLike = False,
    confidence: ArrayLike | None = None,
    skewness: ArrayLike | None = None,
) -> Interval:
    """Return Student's t intervals for means; `variance` is that of the mean.

    With the `skewness` of the clusters (third central moment over the deviation cubed) the effect
    of that on t is taken out by Hall's cubic transformation (1992, JRSS B 54, 221-228), which few
    clusters of lopsided scores need.
    """
    from scipy.special import stdtrit

    mean, variance, clusters, by_deal, confidence = np.broadcast_arrays(
        *(np.asarray(a) for a in (mean, variance, clusters, by_deal)), _or(confidence)
    )
    enough = clusters > 1
    error = np.where(enough, np.sqrt(variance), np.nan)
    t = stdtrit(np.maximum(clusters, 2) - 1.0, (1 + confidence) / 2)
    below, above = (t, -t) if skewness is None else _unskewed(t, skewness, clusters)
    name = "t" if skewness is None else "t, skewness taken out"
    method = np.select([~enough, by_deal], ["none", f"{name}, by deal"], name)
    return Interval(mean - below * error, mean - above * error, method)


def _unskewed(
    t: np.ndarray, skewness: ArrayLike, clusters: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of t that Hall's transformation takes to plus and minus a quantile."""
    slant = np.asarray(skewness, dtype=float) / np.sqrt(np.maximum(clusters, 1))
    # next to nothing, and the transformation would divide by it
    straight = np.abs(slant) < 1e-6
    slant = np.where(straight, 1e-6, slant)
    upper, lower = (
        np.where(straight, z, 3 / slant * (np.cbrt(1 + slant * (z - slant / 6)) - 1))
        for z in (t, -t)
    )
    return upper, lower


def square_interval(
    estimate: ArrayLike,
    raw: ArrayLike,
    variance: ArrayLike,
    extra: ArrayLike,
    clusters: ArrayLike,
    by_deal: ArrayLike = False,
) -> Interval:
    """Return intervals for sums of squares of effects, less what chance adds to the `raw` sum.

    The variance of such a sum grows with it: from `extra` where there are no effects to that and
    `variance` at the raw sum. In the interval are the values that the estimate lies no further
    from than Student's quantile times their own standard error, as in Wilson's for shares.
    """
    from scipy.special import stdtrit

    estimate, raw, variance, extra, clusters, by_deal = np.broadcast_arrays(
        *(np.asarray(a) for a in (estimate, raw, variance, extra, clusters, by_deal))
    )
    enough = clusters > 1
    t = stdtrit(np.maximum(clusters, 2) - 1.0, (1 + level()) / 2)
    growth = np.where(raw > 0, variance / np.where(raw > 0, raw, 1.0), 0.0)
    shift = t**2 * growth / 2
    half = np.sqrt(np.maximum(shift**2 + t**2 * (growth * estimate + extra), 0))
    method = np.select([~enough, by_deal], ["none", "score test, by deal"], "score test")
    low, high = (np.where(enough, estimate + shift + side * half, np.nan) for side in (-1, 1))
    return Interval(low, high, method)


def welch_interval(
    means: tuple[ArrayLike, ArrayLike],
    variances: tuple[ArrayLike, ArrayLike],
    clusters: tuple[ArrayLike, ArrayLike],
    confidence: ArrayLike | None = None,
) -> Interval:
    """Return intervals for the first mean minus the second, of games without common luck.

    `variances` are those of the means. Welch's t (1947), with Satterthwaite's degrees of freedom.
    """
    from scipy.special import stdtrit

    (a, b), (v, w), (n, m) = (
        np.broadcast_arrays(*(np.asarray(part, float) for part in pair))
        for pair in (means, variances, clusters)
    )
    enough = (n > 1) & (m > 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (v + w) ** 2 / (v**2 / (n - 1) + w**2 / (m - 1))
    freedom = np.where(enough & (v + w > 0), freedom, 1.0)
    half = stdtrit(freedom, (1 + _or(confidence)) / 2) * np.sqrt(v + w)
    half = np.where(enough, half, np.nan)
    return Interval(a - b - half, a - b + half, np.where(enough, "Welch", "none"))


def difference_interval(
    estimates: tuple[ArrayLike, ArrayLike],
    intervals: tuple[Interval, Interval],
    correlation: ArrayLike = 0.0,
) -> Interval:
    """Return intervals for the first estimate minus the second, from the interval of each.

    Squares of the distances to the bounds are added, less what the `correlation` of the two
    estimates takes away (Zou and Donner 2008, Statistics in Medicine 27, 1693-1702). For shares
    of games without common luck and Wilson's intervals it is the score interval of Newcombe (1998,
    Statistics in Medicine 17, 873-890); it takes quantiles as well.
    """
    (a, b), (first, second) = (np.asarray(part, float) for part in estimates), intervals
    r = np.asarray(correlation, float)

    def distance(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(x**2 + y**2 - 2 * r * x * y, 0))

    low = a - b - distance(a - first.low, second.high - b)
    high = a - b + distance(first.high - a, b - second.low)
    same = np.asarray(first.method) == np.asarray(second.method)
    both = np.where(same, first.method, _joined(first.method, " and ", second.method))
    return Interval(low, high, _joined("squared and added: ", both))


def pairs_adjusted(
    difference: ArrayLike, variance: ArrayLike, clusters: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """Return a difference of two shares of the same clusters, adjusted, and its variance.

    Two made-up clusters are added, in each of which one of the two wins and the other does not
    (Bonett and Price 2012, Journal of Educational and Behavioral Statistics 37, 479-488). Without
    them, intervals are far too narrow where few clusters went differently, and have no width where
    none did. `variance` is that of the difference, over clusters; ties and deals are allowed.
    """
    d, variance, n = (np.asarray(part, float) for part in (difference, variance, clusters))
    squares = variance * n * (n - 1) + n * d**2
    shrunk = n * d / (n + 2)
    return shrunk, ((squares + 2) / (n + 2) - shrunk**2) / (n + 2)


def paired_interval(
    difference: ArrayLike,
    variance: ArrayLike,
    clusters: ArrayLike,
    share: ArrayLike,
    by_deal: ArrayLike = False,
    confidence: ArrayLike | None = None,
) -> Interval:
    """Return intervals for differences between two ways of playing the same clusters.

    `variance` is that of the difference over clusters, `share` tells that it is one of shares.
    Student's t, for shares on `pairs_adjusted`.
    """
    share, clusters = np.asarray(share, bool), np.asarray(clusters)
    centre, adjusted = pairs_adjusted(difference, variance, clusters)
    found = mean_interval(
        np.where(share, centre, difference),
        np.where(share, adjusted, variance),
        clusters,
        by_deal,
        confidence,
    )
    low, high = (np.where(share, np.clip(bound, -1, 1), bound) for bound in found[:2])
    name = np.where(share, "paired, Bonett-Price ", "paired ")
    return Interval(low, high, _joined(name, found.method))


def p_value(interval: Callable[[np.ndarray], Interval], null: ArrayLike = 0.0) -> np.ndarray:
    """Return p-values that agree with an interval: 1 minus the level at which it meets `null`.

    `interval` returns the intervals at confidences of one shape with them, or of shape (1,). A p
    below `LEAST_P` is given as that.
    """
    found = interval(np.full(1, 0.5))
    known = np.isfinite(found.low) & np.isfinite(found.high)
    least, most = np.full(found.low.shape, np.log(LEAST_P)), np.zeros(found.low.shape)
    for _ in range(60):
        middle = (least + most) / 2
        found = interval(-np.expm1(middle))
        out = (found.low > null) | (found.high < null)
        least, most = np.where(out, least, middle), np.where(out, middle, most)
    return np.where(known, np.exp(most), np.nan)


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


def level_of_each(size: int, method: str = "sidak", confidence: float | None = None) -> float:
    """Return the level at which each of `size` intervals must be for all to hold at once.

    "sidak" is exact for independent intervals and safe for any correlation of normal estimates
    (Sidak 1967, JASA 62, 626-633); "bonferroni" is safe for all intervals, sequences too.
    """
    whole = level() if confidence is None else confidence
    levels = {"sidak": whole ** (1 / size), "bonferroni": 1 - (1 - whole) / size}
    return levels[method]
