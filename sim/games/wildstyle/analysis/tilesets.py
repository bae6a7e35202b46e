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
from sim.metrics.sets import from_mean, known_sets
from sim.metrics.tidy import finish, per_run


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
        frame(from_mean(sums(run), "sets", "tileset.from_mean", names, _at("points", "seats"))),
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


def _pairs(run: Any) -> Iterator[Row]:
    """Yield what two tiles bring beyond the sum, pair by pair.

    Least squares of the sets' means, weighted by their deals, on what each side adds and on the
    pair. The variance is that of the means, which are independent.
    """
    found, every = sums(run), sums(run).names.sets
    for unit, seen, mean, variance, clusters in known_sets(found, "sets", _at("points", "seats")):
        number, rotate = unit[0], unit[1].rotate
        members = [set(every[code].split("+")) for code in seen]
        sides = sorted(set().union(*members))
        adds = np.array([[side in own for side in sides] for own in members], float)
        counts = found.totals[number]["sets"].sums[seen, SET.index("games")]
        for pair in combinations(sides, 2):
            both = np.array([own >= set(pair) for own in members])
            parts = _beyond(adds, both, clusters)
            if parts is None:
                continue
            interval = inference.mean_interval(
                parts @ mean, parts**2 @ variance, (clusters - 1).sum() + 1, rotate
            )
            n = round(counts[both].sum())
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
