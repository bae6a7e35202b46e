"""Shapes: how hard they are to place, and what shapes on a random ring do to a game."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.tag_city.analysis.gather import RING
from sim.games.tag_city.analysis.sums import sums
from sim.metrics.drawn import drawn_rows
from sim.metrics.estimates import Row, frame
from sim.metrics.rows import plain_rows, summed
from sim.metrics.tidy import finish, per_run

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
    table = summed(run, "shapes", "shape", COUNTED).with_columns(
        pl.format("shape {}", pl.col("shape").cast(pl.String)).alias("group"),
        drawn=pl.col("painted") + pl.col("flown"),
    )
    ratios = RATIOS | {"shape.points": ("points", "drawn")}
    return finish(run, [_ratio(table, metric, y, m) for metric, (y, m) in ratios.items()])


def _ratio(table: pl.DataFrame, metric: str, y: str, m: str) -> pl.DataFrame:
    seen = table.filter(pl.col(m) > 0)
    # no die lies on the small shapes
    seen = seen.filter(pl.col("dice") > 0) if y == "dice" else seen
    return plain_rows(seen, metric, pl.col(y) / pl.col(m), pl.col("games"))


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
            yield from drawn_rows(unit, totals, at, f"ring.{outcome}", names, "shape")
