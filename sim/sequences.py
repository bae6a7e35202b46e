"""Confidence sequences: intervals that hold all at once, however often one looks, from sums alone.

An interval of 95 % misses once in twenty looks. The intervals here are made so that, with
probability 0.95 or more, none of all those found while games are added ever misses: one may look
after every batch, stop when one likes, and play on. Each is made of evidence against a candidate
mean, a process that does not grow on average if the candidate is true; by Ville's inequality it
exceeds 20 at any time with probability 1/20 at most, and what is not yet refuted is the interval.

`planned` is the number of observations at which a sequence is tuned to be tightest, chosen
beforehand; a sequence holds at all others, a few per cent wider at a third or three times as many.
Which sequence to use is chosen beforehand, too.

Functions work on arrays of groups. Where nothing can be said the bounds are NaN and the method is
"none".
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from sim.inference import Interval, Sums, ratio
from sim.level import level

INSIDE, OUTSIDE, UNDECIDED = "inside", "outside", "undecided"
HALVINGS = 36
"""Halvings of [0, 1] to find a bound, which is then too wide by 1e-11 at most."""
SPREADS = (1.0, 0.1, 0.01)
"""Variances, as parts of the largest within bounds, that `ratios` is tuned to, all at a time."""
LEAST_SCALE = 1e-3
"""Floor of the largest step of a process, which may be overstated."""
SLACK = 1e-12
"""What floating point makes of one number against another."""

Evidence = Callable[[np.ndarray], np.ndarray]


def shares(
    total: ArrayLike,
    n: ArrayLike,
    planned: ArrayLike,
    confidence: float | None = None,
    together: int = 1,
) -> Interval:
    """Return bounds of a mean of observations in [0, 1], from their number and sum.

    Robbins' method of mixtures with a beta prior around each candidate mean (Howard, Ramdas,
    McAuliffe and Sekhon 2021, Annals of Statistics 49, 1055-1080, section 3.2). It is exact not
    only for wins and losses: a factor (p / p0)^x ((1 - p) / (1 - p0))^(1 - x) of the likelihood
    ratio is convex in x, so of all observations in [0, 1] with the mean p0 those of 0 and 1 make
    its mean largest, and that is 1 (compare Waudby-Smith and Ramdas 2023, JRSS B 86, 1-27). So
    ties that count 1/k and means over a deal are allowed; `ratios` is tighter for these.

    For weights m between 0 and M give sum(y) / M and sum(m) / M. `together` is the number of
    sequences that must hold at once (Bonferroni).
    """
    total, n = np.broadcast_arrays(np.asarray(total, float), np.asarray(n, float))
    alpha = _alpha(confidence, together)
    weight = share_weight(planned, alpha)

    def evidence(candidate: np.ndarray) -> np.ndarray:
        return share_evidence(candidate, total, n, weight)

    known = (n > 0) & np.isfinite(total)
    middle = np.where(known, total, 0.5) / np.where(known, n, 1)
    limit = -np.log(alpha)
    # one win, or less, never rules out a chance as small as one likes
    low = np.where(total <= 1, 0.0, _edge(evidence, middle, 0.0, limit))
    high = np.where(n - total <= 1, 1.0, _edge(evidence, middle, 1.0, limit))
    return _named(low, high, known, "beta-binomial sequence", together)


def share_weight(planned: ArrayLike, alpha: float) -> np.ndarray:
    """Return the weight of the prior that is tightest at so many observations."""
    return np.maximum(np.asarray(planned, float) / _tuning(alpha) - 1, 1.0)


def share_evidence(
    candidate: ArrayLike, total: ArrayLike, n: ArrayLike, weight: ArrayLike
) -> np.ndarray:
    """Return the logarithm of the evidence against candidate means of observations in [0, 1].

    The likelihood under a beta prior with the mean `candidate`, worth `weight` observations, over
    that under the candidate.
    """
    from scipy.special import betaln, xlog1py, xlogy

    p, wins, n, weight = (np.asarray(part, float) for part in (candidate, total, n, weight))
    losses = n - wins
    a, b = weight * p, weight * (1 - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        return betaln(a + wins, b + losses) - betaln(a, b) - xlogy(wins, p) - xlog1py(losses, -p)


def ratios(
    sums: Sums,
    planned: ArrayLike,
    confidence: float | None = None,
    together: int = 1,
    *,
    most: ArrayLike = 1.0,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Return bounds of sum(y) / sum(m) over independent clusters, as tight as they vary little.

    No cluster has a denominator above `most`, and y / m lies within `bounds` in each. `planned`
    counts clusters.

    Scaled to [0, 1], y - c m has the mean 0 for the true ratio c, and never lies below -c. So
    exp(g sum(y - c m) - h sum((y - c m)^2)) with h = -(log(1 - c g) + c g) / c^2 does not grow on
    average (Fan, Grama and Liu 2015, Electronic Journal of Probability 20, no. 1), and neither does
    its mixture over g, the gamma-exponential one (Howard et al. 2021, section 3.2); the same of
    c m - y, which never lies below c - 1, gives the other side. Exact, not asymptotic.
    """
    lowest, width = bounds[0], bounds[1] - bounds[0]
    scaled = _within_bounds(sums, np.asarray(most, float), bounds)
    y, m = scaled.y, scaled.m
    alpha = _alpha(confidence, together)

    def evidence(candidate: np.ndarray, side: float) -> np.ndarray:
        return _ratio_evidence(scaled, candidate, side, planned, alpha)

    known = (m > 0) & np.isfinite(y)
    middle = np.where(known, y, 0.5) / np.where(known, m, 1)
    limit = np.log(2 / alpha)
    low = _edge(lambda c: evidence(c, 1.0), middle, 0.0, limit)
    high = _edge(lambda c: evidence(c, -1.0), middle, 1.0, limit)
    low, high = lowest + width * low, lowest + width * high
    return _named(low, high, known, "gamma-exponential sequence", together)


def ratio_evidence(
    candidate: ArrayLike,
    sums: Sums,
    planned: ArrayLike,
    alpha: float,
    *,
    most: ArrayLike = 1.0,
) -> np.ndarray:
    """Return the logarithm of the evidence, to either side, against candidates for `ratios`."""
    scaled = _within_bounds(sums, np.asarray(most, float), (0.0, 1.0))
    c = np.asarray(candidate, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _mean_of_exponentials(
            _ratio_evidence(scaled, c, side, planned, alpha) for side in (1.0, -1.0)
        )


def _within_bounds(sums: Sums, most: np.ndarray, bounds: tuple[float, float]) -> Sums:
    """Return sums of observations scaled to [0, 1], of clusters no larger than 1."""
    lowest, width = bounds[0], bounds[1] - bounds[0]
    y, m, yy, ym, mm = (np.asarray(part, float) for part in sums[:5])
    scaled = Sums(
        y=(y - lowest * m) / (width * most),
        m=m / most,
        yy=(yy - 2 * lowest * ym + lowest**2 * mm) / (width * most) ** 2,
        ym=(ym - lowest * mm) / (width * most**2),
        mm=mm / most**2,
        clusters=np.asarray(sums.clusters),
    )
    wrong = np.maximum(scaled.yy - scaled.y, np.maximum(-scaled.y, scaled.y - scaled.m))
    if (wrong > 1e-9 * (1 + scaled.m)).any():
        raise ValueError(f"observations outside {bounds}, or clusters larger than {most}")
    return scaled


def _ratio_evidence(
    sums: Sums, candidate: np.ndarray, side: float, planned: ArrayLike, alpha: float
) -> np.ndarray:
    """Return the logarithm of the evidence that a ratio lies above (1) or below (-1) candidates."""
    squares = np.maximum(sums.yy - 2 * candidate * sums.ym + candidate**2 * sums.mm, 0)
    most_squares = np.maximum(np.asarray(planned, float) * candidate * (1 - candidate), 1)
    step = np.maximum(candidate if side > 0 else 1 - candidate, LEAST_SCALE)
    return _mean_of_exponentials(
        gamma_exponential(
            side * (sums.y - candidate * sums.m),
            squares,
            part * most_squares / _tuning(alpha),
            step,
        )
        for part in SPREADS
    )


def _mean_of_exponentials(logarithms: Iterable[np.ndarray]) -> np.ndarray:
    """Return the logarithm of the mean of what is given by its logarithms."""
    parts = list(logarithms)
    return np.logaddexp.reduce(parts, axis=0) - np.log(len(parts))


def gamma_exponential(s: ArrayLike, v: ArrayLike, tuned: ArrayLike, step: ArrayLike) -> np.ndarray:
    """Return the logarithm of the gamma-exponential mixture, in a form free of cancellation.

    The evidence of a sum `s` of steps that should be 0 on average and are never below -`step`,
    with the sum of squares `v`; tightest where that is about ten times `tuned`.
    """
    from scipy.special import gammainc

    s, v, tuned, step = (np.asarray(part, float) for part in (s, v, tuned, step))
    before, after = tuned / step**2, (v + tuned) / step**2
    x = np.maximum(s, 0) / step
    gained = x - after * np.log1p(x / after) + (np.log(before) - np.log(after)) / 2
    rest = _stirling(after) - _stirling(before)
    return gained + rest + np.log(gammainc(after, after + x) / gammainc(before, before))


def _stirling(a: np.ndarray) -> np.ndarray:
    """Return what Stirling's formula lacks of the logarithm of the gamma function."""
    from scipy.special import gammaln

    whole = gammaln(a) - ((a - 0.5) * np.log(a) - a + np.log(2 * np.pi) / 2)
    return np.where(a > 1e3, 1 / (12 * a), whole)


def means(
    mean: ArrayLike,
    variance: ArrayLike,
    clusters: ArrayLike,
    planned: ArrayLike,
    confidence: float | None = None,
    together: int = 1,
) -> Interval:
    """Return bounds of means of any observations; `variance` is that of the mean.

    The anytime-valid t interval: exact if clusters are normal (Lai 1976, Annals of Statistics 4,
    265-280; Wang and Ramdas 2025, Sequential Analysis 44, 56-110). With many clusters it is the
    normal mixture with the variance found, which holds for all with a variance, asymptotically
    (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, Annals of Statistics 52, 2613-2640).
    None before about sqrt(planned) clusters. Differences of pairs are means, too.
    """
    mean, variance, clusters = np.broadcast_arrays(
        *(np.asarray(part, float) for part in (mean, variance, clusters))
    )
    alpha = _alpha(confidence, together)
    prior = np.asarray(planned, float) / _tuning(alpha)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        limit = -np.log(alpha) + np.log1p(clusters / prior) / 2
        excess = np.expm1(2 * limit / clusters)
        room = clusters - excess * prior
        squares = variance * (clusters - 1) * (clusters + prior)
        half = np.sqrt(np.where(room > 0, excess * squares / room, np.nan))
    known = (clusters > 1) & np.isfinite(half)
    return _named(mean - half, mean + half, known, "t sequence", together)


def means_of(
    sums: Sums, planned: ArrayLike, confidence: float | None = None, together: int = 1
) -> Interval:
    """Return `means` for the ratio of sums over clusters."""
    return means(*ratio(sums), sums.clusters, planned, confidence, together)


def _alpha(confidence: float | None, together: int) -> float:
    return (1 - (level() if confidence is None else confidence)) / together


def _tuning(alpha: float) -> float:
    """Return how much larger than a normal mixture's prior the sample is at which it is tightest.

    Howard et al. 2021, with the usual closed form instead of Lambert's function.
    """
    return float(-2 * np.log(alpha) + np.log1p(-2 * np.log(alpha)))


def _edge(evidence: Evidence, inside: np.ndarray, end: float, limit: float) -> np.ndarray:
    """Return where evidence, growing from `inside` to `end`, reaches its limit; `end` if never."""
    known, refuted = inside, np.full_like(inside, end)
    for _ in range(HALVINGS):
        middle = (known + refuted) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            beyond = evidence(middle) >= limit
        known, refuted = np.where(beyond, known, middle), np.where(beyond, middle, refuted)
    return refuted


def _named(
    low: np.ndarray, high: np.ndarray, known: np.ndarray, method: str, together: int
) -> Interval:
    method = method if together == 1 else f"{method}, Bonferroni over {together}"
    return Interval(
        np.where(known, low, np.nan),
        np.where(known, high, np.nan),
        np.where(known, method, "none"),
    )


def narrowed(before: Interval, now: Interval) -> Interval:
    """Return what two looks at one sequence leave: as all hold at once, so does what they share.

    Looks that share nothing (a sequence that has failed) leave the earlier one.
    """
    low, high = np.fmax(before.low, now.low), np.fmin(before.high, now.high)
    failed = low > high
    return Interval(
        np.where(failed, before.low, low),
        np.where(failed, before.high, high),
        np.where(now.method == "none", before.method, now.method),
    )


def decided(low: ArrayLike, high: ArrayLike, lowest: ArrayLike, highest: ArrayLike) -> np.ndarray:
    """Return for each interval whether it lies inside the accepted range, outside, or neither.

    Words "inside", "outside" and "undecided"; an unknown bound is undecided.
    """
    low, high = np.asarray(low, float), np.asarray(high, float)
    lowest, highest = np.asarray(lowest, float) - SLACK, np.asarray(highest, float) + SLACK
    inside = (low >= lowest) & (high <= highest)
    outside = (low > highest) | (high < lowest)
    return np.select([inside, outside], [INSIDE, OUTSIDE], UNDECIDED)


def decided_together(decisions: ArrayLike) -> np.ndarray:
    """Return what decisions say over the last axis: outside if any is, inside if all are."""
    decisions = np.asarray(decisions)
    return np.select(
        [(decisions == OUTSIDE).any(-1), (decisions == INSIDE).all(-1)],
        [OUTSIDE, INSIDE],
        UNDECIDED,
    )
