"""Sets of tiles: which give many points, which tell players apart, which tiles go together."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.games.wildstyle.analysis.gather import SET
from sim.games.wildstyle.analysis.rows import Row, frame, ratio_rows
from sim.games.wildstyle.analysis.sums import sums
from sim.metrics.tidy import finish, per_run, units


@per_run
def tile_sets(run: Any) -> pl.DataFrame:
    """Return for each set of tiles that was in play (group "A+A+B"; n is games):

    - `tileset.points`: mean points with tiles a seat; `tileset.from_mean`: that minus the plain
      mean of all sets;
    - `tileset.spread`: standard deviation of these points between the seats of a game;
    - `tileset.ties`: share of games with more than one winner; `tileset.margin`: mean margin;
    - `tileset.pair` (group "A+B"): points a seat that two tiles bring together beyond the sum of
      what each adds on its own, over all sets with both.
    """
    names = sums(run).names.sets
    parts = [
        ratio_rows(run, "sets", "tileset.points", names, _at("points", "seats")),
        frame(_from_mean(run)),
        _spread(ratio_rows(run, "sets", "tileset.spread", names, _at("spread", "games"))),
        ratio_rows(run, "sets", "tileset.ties", names, _at("tied", "games"), share=True),
        ratio_rows(run, "sets", "tileset.margin", names, _at("margin", "games")),
        frame(_pairs(run)),
    ]
    return finish(run, parts)


def _at(y: str, m: str) -> tuple[int, int, int]:
    return SET.index(y), SET.index(m), SET.index("games")


def _spread(variance: pl.DataFrame) -> pl.DataFrame:
    """Return standard deviations with the bounds of the variances."""
    bounds = pl.col("estimate", "low", "high").clip(lower_bound=0).sqrt()
    named = pl.when(pl.col("method") == "none").then(pl.col("method"))
    return variance.with_columns(bounds, named.otherwise("variance, " + pl.col("method")))


def _known(run: Any) -> Iterator[tuple[int, list[str], np.ndarray, np.ndarray, np.ndarray]]:
    """Yield unit, sets seen twice, their mean points, variances and numbers of clusters."""
    found = sums(run)
    for (number, _), totals in found.of("sets"):
        mean, variance = totals.ratio(SET.index("points"), SET.index("seats"))
        seen = np.flatnonzero(totals.seen[:, SET.index("seats")] > 1)
        names = [found.names.sets[at] for at in seen]
        yield number, names, mean[seen], variance[seen], totals.seen[seen, SET.index("seats")]


def _from_mean(run: Any) -> Iterator[Row]:
    for number, names, mean, variance, clusters in _known(run):
        if len(names) < 2:
            continue
        gap = mean - mean.mean()
        # a deal has one set, so the means of sets are independent
        own = variance * (1 - 2 / len(names)) + variance.sum() / len(names) ** 2
        rotate = units(run)[number].rotate
        interval = inference.mean_interval(gap, own, clusters, rotate)
        counts = _games(run, number)
        for at, name in enumerate(names):
            bounds = (float(interval.low[at]), float(interval.high[at]))
            method = str(interval.method[at])
            yield (
                *(number, "tileset.from_mean", name, float(gap[at]), *bounds),
                *(counts[name], method),
            )


def _games(run: Any, number: int) -> dict[str, int]:
    totals = sums(run).totals[number]["sets"]
    counts = np.rint(totals.sums[:, SET.index("games")]).astype(int)
    return dict(zip(sums(run).names.sets, counts.tolist(), strict=True))


def _pairs(run: Any) -> Iterator[Row]:
    """Yield what two tiles bring beyond the sum, pair by pair.

    Least squares of the sets' means, weighted by their deals, on what each side adds and on the
    pair. The variance is that of the means, which are independent.
    """
    for number, names, mean, variance, clusters in _known(run):
        members = [set(name.split("+")) for name in names]
        sides = sorted(set().union(*members))
        adds = np.array([[side in found for side in sides] for found in members], float)
        counts, rotate = _games(run, number), units(run)[number].rotate
        for pair in combinations(sides, 2):
            both = np.array([found >= set(pair) for found in members])
            parts = _beyond(adds, both, clusters)
            if parts is None:
                continue
            interval = inference.mean_interval(
                parts @ mean, parts**2 @ variance, (clusters - 1).sum() + 1, rotate
            )
            n = sum(counts[name] for name, there in zip(names, both, strict=True) if there)
            yield (
                *(number, "tileset.pair", "+".join(pair), float(parts @ mean)),
                *(
                    float(interval.low),
                    float(interval.high),
                    n,
                    f"least squares, {interval.method}",
                ),
            )


def _beyond(adds: np.ndarray, both: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
    """Return what each set's mean counts for in the coefficient of `both`, [set].

    None where the sets do not tell the pair from what each tile adds on its own.
    """
    root = np.sqrt(weights)
    own = root[:, None] * adds
    rest = root * both
    # what is left of the pair when all that the sides can tell is taken away
    rest = rest - own @ np.linalg.lstsq(own, rest, rcond=None)[0]
    size = rest @ rest
    return root * rest / size if size > 1e-9 * weights.sum() else None
