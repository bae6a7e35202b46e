"""Shapes: how hard they are to place, and what shapes on a random ring do to a game."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sim.games.tag_city.analysis.gather import RING
from sim.games.tag_city.analysis.rows import coefficient_row
from sim.games.tag_city.analysis.sums import sums
from sim.games.tag_city.events import SPACES
from sim.metrics.estimates import Row, frame
from sim.metrics.tidy import Unit, finish, membership, per_run
from sim.metrics.totals import Estimate, Totals, least_squares, mean_of

COUNTED = ("games", "dice", "drafted", "last", "uses", "no_room", "painted", "flown", "points")
RATIOS = {
    "shape.no_room": ("no_room", "uses"),
    "shape.painted": ("painted", "uses"),
    "shape.dice": ("dice", "games"),
    "shape.left": ("last", "dice"),
    "shape.flown": ("flown", "games"),
}


@per_run
def shapes(run: Any) -> pl.DataFrame:
    """Return how shapes are used (group "shape NAME"; n is games with the shape), no intervals:

    - `shape.no_room`: share of the dice on it that their seat could not paint with, for want of
      room; `shape.painted`: share of them that were painted with;
    - `shape.dice`: dice that leaders put on it in a game; `shape.left`: share of them that nobody
      drafted, so that all shared them as the last die;
    - `shape.flown`: drawings by drone in a game; `shape.points`: points for each drawing of it.
    """
    counted = (
        run.scan("shapes")
        .group_by("cell", pl.col("shape").cast(pl.String))
        .agg(pl.col(COUNTED).cast(pl.Int64).sum())
        .collect(engine="streaming")
    )
    known = {name: at for at, name in enumerate(sums(run).names.shapes)}
    table = (
        membership(run)
        .filter("head")
        .join(counted, on="cell")
        .group_by("unit", "shape")
        .agg(pl.col(COUNTED).sum())
        .sort("unit", pl.col("shape").replace_strict(known))
        .with_columns(drawn=pl.col("painted") + pl.col("flown"))
    )
    ratios = RATIOS | {"shape.points": ("points", "drawn")}
    return finish(run, [_counts(table, metric, y, m) for metric, (y, m) in ratios.items()])


def _counts(table: pl.DataFrame, metric: str, y: str, m: str) -> pl.DataFrame:
    """Return ratios of counts; counts over so many games have no interval to speak of."""
    nothing = pl.lit(None, pl.Float64)
    seen = table.filter(pl.col(m) > 0)
    # no die lies on the small shapes
    seen = seen.filter(pl.col("dice") > 0) if y == "dice" else seen
    return seen.select(
        "unit",
        pl.lit(metric).alias("metric"),
        pl.format("shape {}", "shape").alias("group"),
        (pl.col(y) / pl.col(m)).alias("estimate"),
        nothing.alias("low"),
        nothing.alias("high"),
        pl.col("games").alias("n"),
        pl.lit("count").alias("method"),
    )


@per_run
def rings(run: Any) -> pl.DataFrame:
    """Return what the shapes on a ring that is drawn anew do to a game (n is games):

    - `ring.score`, `ring.rounds`, `ring.squares`, `ring.holes` (group "shape NAME"): by how much a
      game differs with the shape on the ring instead of an average one of the stock: mean score
      of its seats, rounds, squares painted and holes a seat; least squares on the shapes in play;
    - `ring.NAME.mean` (`all`): the mean over games;
    - `ring.NAME.explained` (`all`): share of the variance between games that the shapes explain;
    - `ring.NAME.most`, `.least` (group "o4+i4+..."): the six shapes with the highest and lowest
      fitted value, and that value.
    """
    return finish(run, [frame(_rings(run))])


def _rings(run: Any) -> Iterator[Row]:
    names = sums(run).names.shapes
    for unit, totals in sums(run).of("rings"):
        for at, outcome in enumerate(RING):
            yield from _ring(unit, totals, at, outcome, names)


def _ring(
    unit: tuple[int, Unit], totals: Totals, at: int, outcome: str, names: list[str]
) -> Iterator[Row]:
    wide, row = len(names), totals.sums[at]
    inner = row[: wide**2].reshape(wide, wide)
    seen = np.flatnonzero(np.diag(inner) > 0)
    games, clusters = round(row[-1]), int(totals.seen[at, -1])
    if len(seen) <= SPACES or games <= len(seen):
        return
    fitted = _of_seen(row, seen, wide)
    if fitted is None:
        return
    about = (totals, at), (clusters, games)
    level = mean_of(fitted)
    for code, own in zip(seen, fitted, strict=True):
        of_shape = round(inner[code, code])
        where = (totals, at), (clusters, of_shape)
        yield coefficient_row(unit, f"ring.{outcome}", f"shape {names[code]}", own - level, *where)
    mean = row[-3] / row[-1]
    slope = np.zeros(len(row))
    slope[[-3, -1]] = 1 / row[-1], -mean / row[-1]
    yield coefficient_row(
        unit, f"ring.{outcome}.mean", "all", Estimate(mean, slope), *about, "mean"
    )
    inside = row[wide**2 : wide**2 + wide][seen] @ [own.value for own in fitted]
    spread = row[-2] - mean * row[-3]
    if spread > 0:
        explained = float((inside - mean * row[-3]) / spread)
        method = "R squared"
        yield (unit[0], f"ring.{outcome}.explained", "all", explained, None, None, games, method)
    order = sorted(zip(seen, fitted, strict=True), key=lambda pair: pair[1].value)
    for name, chosen in (("least", order[:SPACES]), ("most", order[-SPACES:])):
        group = "+".join(names[code] for code in sorted(code for code, _ in chosen))
        total = mean_of([own for _, own in chosen]).times(SPACES)
        yield coefficient_row(unit, f"ring.{outcome}.{name}", group, total, *about)


def _of_seen(row: np.ndarray, seen: np.ndarray, wide: int) -> list[Estimate] | None:
    """Return the coefficients of the shapes seen, with slopes along all sums."""
    columns = [code * wide + other for code in seen for other in seen]
    columns += [wide**2 + code for code in seen]
    fitted = least_squares(row[columns], len(seen))
    if fitted is None:
        return None
    found = []
    for own in fitted:
        slope = np.zeros(len(row))
        slope[columns] = own.slope
        found.append(Estimate(own.value, slope))
    return found
