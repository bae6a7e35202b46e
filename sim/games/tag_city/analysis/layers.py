"""What rows, columns and neighborhoods pay for the squares that they take, and fair values."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sim.games.tag_city.analysis.gather import ELEMENT, LAYER
from sim.games.tag_city.analysis.rows import ratio_rows
from sim.games.tag_city.analysis.sums import sums
from sim.metrics.estimates import Row, estimate_row, frame, wins_scale
from sim.metrics.tidy import finish, per_run
from sim.metrics.totals import Estimate, mean_of, ratio_of

RESCORED = "scored again, not played again"


@per_run
def layers(run: Any) -> pl.DataFrame:
    """Return what each layer pays (group "row", "column", "neighborhood"; n is seats):

    - `pay.points`: points a seat;
    - `pay.per_square`: points a seat for each square of the city, all of which belong to one
      element of the layer; `pay.from_mean`: that over the mean of the layers, minus 1;
    - `pay.per_square_done`: points for each square of elements that were completed;
    - `pay.completed`: share of elements that a seat completes;
    - `pay.large_share`: share of those whose large value it gets; `pay.large_points`: share of the
      points that large values bring;
    - `fair.factor`, `fair.large`, `fair.small`: by what values would have to be multiplied, and
      the mean large and small value then, for all layers to pay as much a square while the points
      of all together stay. Games are scored again, not played again: players would adapt.
    """
    names = sums(run).names.layers

    def rows(metric: str, y: str, m: str, share: bool = False) -> pl.DataFrame:
        return ratio_rows(run, "layers", LAYER, metric, names, (y, m, "seats"), share=share)

    parts = [
        rows("pay.points", "points", "seats"),
        rows("pay.per_square", "points", "squares"),
        rows("pay.per_square_done", "points", "done_squares"),
        rows("pay.completed", "done", "of", share=True),
        rows("pay.large_share", "larges", "done", share=True),
        rows("pay.large_points", "large_points", "points", share=True),
        frame(_fair(run)),
    ]
    return finish(run, parts)


def _fair(run: Any) -> Iterator[Row]:
    values = mean_values(run)
    names = sums(run).names.layers
    for unit, totals in sums(run).of("joint"):
        row = totals.sums[0]
        columns = [code * len(LAYER) for code in range(len(names))]
        points, squares = LAYER.index("points"), LAYER.index("squares")
        if min(row[at + points] for at in columns) <= 0:
            continue
        pay = [ratio_of(row, at + points, at + squares) for at in columns]
        level = mean_of(pay)
        about = totals.products[0], int(totals.seen[0, 0]), round(row[0])
        for name, own in zip(names, pay, strict=True):
            off = own / level
            off = Estimate(off.value - 1, off.slope)
            yield estimate_row(unit, "pay.from_mean", name, off, *about, "ratio")
            large, small = values[unit[0]][name]
            for metric, now in (("factor", 1.0), ("large", large), ("small", small)):
                fair = (level / own).times(now)
                yield estimate_row(unit, f"fair.{metric}", name, fair, *about, RESCORED)


def mean_values(run: Any) -> dict[int, dict[str, tuple[float, float]]]:
    """Return the mean large and small value of each layer's elements, by head unit."""
    found: dict[int, dict[str, tuple[float, float]]] = {}
    for (number, _), totals in sums(run).of("elements"):
        games, large, small = (
            totals.sums[:, ELEMENT.index(name)] for name in ("games", "large", "small")
        )
        own = found.setdefault(number, {})
        for layer in sums(run).names.layers:
            of_layer = [name.startswith(f"{layer}_") for name in sums(run).names.elements]
            seen = np.array(of_layer) & (games > 0)
            if seen.any():
                both = ((part[seen] / games[seen]).mean() for part in (large, small))
                own[layer] = (float(next(both)), float(next(both)))
    return found


@per_run
def elements(run: Any) -> pl.DataFrame:
    """Return what each element pays and how it is raced for (group "row_1" ...; n is games):

    - `element.per_square`: points a seat for each of its squares; `element.completed`: share of
      seats that complete it;
    - `element.taken`: share of games in which somebody circled its large value;
      `element.round`: mean round in which that was; `element.last_die`: share of those that came
      with the last die; `element.shared`: share of those that several got at once;
    - `element.contested`: share of games in which at least two seats completed it;
    - `element.large_win_share`: win share of the seats that took its large value; n is those.
      Observed: who takes it plays well elsewhere too.
    """
    names = sums(run).names.elements

    def rows(metric: str, y: str, m: str, n: str = "games", share: bool = False) -> pl.DataFrame:
        return ratio_rows(
            run, "elements", ELEMENT, f"element.{metric}", names, (y, m, n), share=share
        )

    parts = [
        rows("per_square", "points", "squares"),
        rows("completed", "done", "seats", share=True),
        rows("taken", "taken", "games", share=True),
        rows("round", "round", "taken", "taken"),
        rows("last_die", "last_die", "taken", "taken", share=True),
        rows("shared", "shared", "taken", "taken", share=True),
        rows("contested", "contested", "games", share=True),
        ratio_rows(
            *(run, "elements", ELEMENT, "element.large_win_share", names),
            ("large_wins", "larges", "larges"),
            share=True,
            scale=wins_scale,
        ),
    ]
    return finish(run, parts)
