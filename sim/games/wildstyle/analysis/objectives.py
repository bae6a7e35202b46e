"""What the sides of the objective tiles are worth: points, wins, fair values, A against B."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import polars as pl

from sim.games.wildstyle.analysis.gather import GAME, JOINT, SIDE, STYLE_SIDE
from sim.games.wildstyle.analysis.rows import Row, estimate_row, frame, ratio_rows
from sim.games.wildstyle.analysis.sums import sums
from sim.metrics.estimates import wins_scale
from sim.metrics.tidy import Unit, finish, per_run, units
from sim.metrics.totals import (
    Estimate,
    Totals,
    least_squares,
    mean_of,
    ratio_of,
)

RESCORED = "scored again, not played again"
LEAST_SEATS = 100
"""So many seats must have completed a side, and as many not, to set them against each other."""


@per_run
def objectives(run: Any) -> pl.DataFrame:
    """Return for each side that was in play (group SIDE; n is games with it):

    - `objective.points`, `.tags_used`: means a seat; `.completed`: share of seats that scored it;
    - `objective.lost`: points a seat that went with tags taken off at the end;
    - `objective.share_of_score`: its points as a share of all points;
    - `objective.of_possible`: its points as a share of the most that the map allows.

    Where two styles meet, `.points` and `.completed` also by style ("style X, objective SIDE";
    n is seats).
    """
    shares = ("completed", "share_of_score", "of_possible")
    columns = (
        ("points", "points", "seats"),
        ("completed", "completed", "seats"),
        ("tags_used", "tags", "seats"),
        ("lost", "lost", "seats"),
        ("share_of_score", "points", "score"),
        ("of_possible", "points", "possible"),
    )
    sides = sums(run).names.sides
    parts = [
        ratio_rows(
            *(run, "sides", f"objective.{metric}", sides, _at(y, m, "games")),
            share=metric in shares,
        )
        for metric, y, m in columns
    ]
    styles = sums(run).names.styles
    both = [f"style {style}, objective {side}" for style, side in product(styles, sides)]
    mixed = [number for number, unit in enumerate(units(run)) if len(unit.styles) > 1]
    for name in ("points", "completed"):
        at = (STYLE_SIDE.index(name), 0, 0)
        rows = ratio_rows(
            *(run, "style_sides", f"objective.{name}", both, at), share=name == "completed"
        )
        parts.append(rows.filter(pl.col("unit").is_in(mixed)))
    return finish(run, parts)


@per_run
def wins(run: Any) -> pl.DataFrame:
    """Return how far each side decides who wins (group SIDE; n is games with it):

    - `objective.win_gain_raw`: win share of seats that completed it minus that of the others;
    - `objective.win_gain`: the same within a game, at equal points with the other tiles; both
      where at least `LEAST_SEATS` completed it and as many did not;
    - `objective.win_worth`: win share that a seat owes to its points with it: scored again with
      these points taken from that seat alone;
    - `objective.decides`: share of games that others would win if nobody had these points;
    - `objective.win_per_point`: by how much a seat wins more with one point more, other things
      equal (half the gap between one more and one less); group `all` for all games.
    """
    sides = sums(run).names.sides
    parts = [
        frame(_gains(run)),
        ratio_rows(
            *(run, "sides", "objective.win_worth", sides, _at("worth", "seats", "games")),
            scale=wins_scale,
        ),
        ratio_rows(
            *(run, "sides", "objective.decides", sides, _at("decides", "games", "games")),
            share=True,
        ),
        ratio_rows(
            *(run, "sides", "objective.win_per_point", sides, _at("steeper", "seats", "games")),
            share=True,
            scale=lambda unit: 2 * wins_scale(unit),
        ),
        ratio_rows(
            *(run, "games", "objective.win_per_point", ["all"]),
            (GAME.index("steeper"), GAME.index("seats"), GAME.index("games")),
            share=True,
            scale=lambda unit: 2 * wins_scale(unit),
        ),
    ]
    return finish(run, parts)


def _at(y: str, m: str, n: str) -> tuple[int, int, int]:
    return SIDE.index(y), SIDE.index(m), SIDE.index(n)


def _gains(run: Any) -> Iterator[Row]:
    """Yield what completing a side goes with, raw and adjusted."""
    found = sums(run)
    for (unit, totals), (_, of_sides) in zip(found.of("gains"), found.of("sides"), strict=True):
        for at, side in enumerate(found.names.sides):
            n, clusters = int(of_sides.sums[at, 0]), int(of_sides.seen[at, 0])
            did = of_sides.sums[at, SIDE.index("completed")]
            if min(did, of_sides.sums[at, SIDE.index("seats")] - did) < LEAST_SEATS:
                continue
            for metric, part, wanted in (
                ("objective.win_gain_raw", slice(0, 6), 1),
                ("objective.win_gain", slice(6, 12), 0),
            ):
                fitted = least_squares(totals.sums[at, part], 2)
                if fitted is None:
                    continue
                products = totals.products[at, part, part]
                yield estimate_row(
                    *(unit, metric, side, fitted[wanted], products, clusters, n),
                    "least squares",
                )


@per_run
def fair_values(run: Any) -> pl.DataFrame:
    """Return what would make all sides worth the same (group SIDE; n is games with it):

    - `objective.fair_change`: points a seat that bring its mean to the mean of all sides;
      `objective.fair_unit`: the points for each figure, tag or set that do so;
    - `objective.fair_change_by_wins`: points a seat that bring its `win_worth` to the mean of all
      sides, from the slope `win_per_point`; `objective.fair_unit_by_wins` likewise;
    - `sides.gap`, `sides.gap_by_wins` (group "A against B"): mean points, and win share owed, of
      the A side minus the B side of a tile.

    Games are scored again, not played again: players would adapt.
    """
    return finish(run, [frame(_fair(run))])


def _fair(run: Any) -> Iterator[Row]:
    found = sums(run)
    sides = found.names.sides
    for unit, totals in found.of("joint"):
        seen = [side for at, side in enumerate(sides) if totals.sums[0, at] > 0]
        values = {side: _Worth(totals, sides.index(side), len(sides), unit[1]) for side in seen}
        yield from _fair_rows(unit, totals, values, run)
        yield from _gap_rows(unit, totals, values, run)


class _Worth:
    """What a side is worth in a unit, as functions of the joint sums."""

    def __init__(self, totals: Totals, at: int, sides: int, unit: Unit) -> None:
        row = totals.sums[0]
        columns = {name: number * sides + at for number, name in enumerate(JOINT)}
        seats = columns["seats"]
        self.points = ratio_of(row, columns["points"], seats)
        self.worth = ratio_of(row, columns["worth"], seats).times(1 / wins_scale(unit))
        self.slope = ratio_of(row, columns["steeper"], seats).times(0.5 / wins_scale(unit))
        self.games = round(row[seats] / unit.players)
        self.clusters = int(totals.seen[0, seats])


def _fair_rows(
    unit: tuple[int, Unit], totals: Totals, values: dict[str, _Worth], run: Any
) -> Iterator[Row]:
    if len(values) < 2:
        return
    sides = run.study.variants[unit[1].variant].components["objectives"]["sides"]
    points = mean_of([value.points for value in values.values()])
    worth = mean_of([value.worth for value in values.values()])
    for side, value in values.items():
        each = sides[side]["points"]
        change = points - value.points
        by_wins = (worth - value.worth) / value.slope
        for metric, found in (
            ("objective.fair_change", change),
            ("objective.fair_unit", (points / value.points).times(each)),
            ("objective.fair_change_by_wins", by_wins),
            ("objective.fair_unit_by_wins", ((value.points + by_wins) / value.points).times(each)),
        ):
            yield _joint_row(unit, metric, side, found, totals, value.clusters, value.games)


def _gap_rows(
    unit: tuple[int, Unit], totals: Totals, values: dict[str, _Worth], run: Any
) -> Iterator[Row]:
    for a, b in run.study.variants[unit[1].variant].components["objectives"]["tiles"]:
        if a in values and b in values:
            first, second = values[a], values[b]
            clusters = min(first.clusters, second.clusters)
            n = first.games + second.games
            group = f"{a} against {b}"
            gap = first.points - second.points
            yield _joint_row(unit, "sides.gap", group, gap, totals, clusters, n)
            gap = first.worth - second.worth
            yield _joint_row(unit, "sides.gap_by_wins", group, gap, totals, clusters, n)


def _joint_row(
    unit: tuple[int, Unit],
    metric: str,
    group: str,
    found: Estimate,
    totals: Totals,
    clusters: int,
    n: int,
) -> Row:
    method = "difference" if metric.startswith("sides.") else RESCORED
    return estimate_row(unit, metric, group, found, totals.products[0], clusters, n, method)
