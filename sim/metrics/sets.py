"""Sets of things, one in play in each game: how far each lies from the mean of all."""

from collections.abc import Iterator, Sequence

import numpy as np

from sim import inference
from sim.metrics.estimates import Row
from sim.metrics.themes import Found
from sim.metrics.tidy import Unit

LEAST = 5


def known_sets(
    found: Found, theme: str, columns: tuple[int, int, int], least: int = 2
) -> Iterator[tuple[tuple[int, Unit], np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield unit, sets seen in so many clusters, their means, variances and numbers of clusters.

    Columns are those of a ratio and of n.
    """
    y, m, _ = columns
    for unit, totals in found.of(theme):
        mean, variance = totals.ratio(y, m)
        clusters = totals.seen[:, m]
        seen = np.flatnonzero(clusters >= least)
        yield unit, seen, mean[seen], variance[seen], clusters[seen]


def from_mean(
    found: Found, theme: str, metric: str, names: Sequence[str], columns: tuple[int, int, int]
) -> Iterator[Row]:
    """Yield each set's mean less the plain mean of all.

    A cluster has one set, so the means of sets are independent.
    """
    for unit, seen, mean, variance, clusters in known_sets(found, theme, columns):
        if len(seen) < 2:
            continue
        gap = mean - mean.mean()
        own = variance * (1 - 2 / len(seen)) + variance.sum() / len(seen) ** 2
        interval = inference.mean_interval(gap, own, clusters, unit[1].rotate)
        counts = found.totals[unit[0]][theme].sums[seen, columns[2]]
        for at, code in enumerate(seen):
            bounds = (float(interval.low[at]), float(interval.high[at]))
            about = (round(counts[at]), str(interval.method[at]))
            yield (unit[0], metric, names[code], float(gap[at]), *bounds, *about)


def differences(
    found: Found, theme: str, metric: str, columns: tuple[int, int, int]
) -> Iterator[Row]:
    """Yield whether sets differ at all: METRIC.p, and METRIC.sd, how far they do.

    The test is Welch's of equal means under unequal variances (1951). The standard deviation is
    that between the sets' true means: the variance of their means less what chance adds to it.
    Sets with fewer than `LEAST` clusters say too little of their own variance to count.
    """
    for unit, _, mean, variance, clusters in known_sets(found, theme, columns, LEAST):
        if len(mean) < 2 or not (variance > 0).all():
            continue
        from statsmodels.stats.oneway import anova_generic

        test = anova_generic(mean, variance * clusters, clusters, use_var="unequal")
        spread = float(np.sqrt(max(0.0, mean.var(ddof=1) - variance.mean())))
        games = round(found.totals[unit[0]][theme].sums[:, columns[2]].sum())
        name = f"Welch, {len(mean) - 1} df"
        yield (unit[0], f"{metric}.p", "all", float(test.pvalue), None, None, games, name)
        yield (unit[0], f"{metric}.sd", "all", spread, None, None, games, "moments")
