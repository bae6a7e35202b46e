"""Intervals and tests of the metrics that decide when games stop: confidence sequences.

They hold however often one has looked, so a run may end when they say what one wants to know.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sim import inference, sequences, verdicts
from sim.level import CONFIDENCE
from sim.metrics.tidy import Unit, sums_per_run, units
from sim.until import HalfWidth, steering

PLANNED = 10_000
"""Games at which a sequence is tightest where nothing says how many it takes."""
FAIR = ("seat_share", "style_share")
RARE = 0.1
"""Chance times counter-chance that is planned with for what is neither."""
AT_PLANNED = 2.94
"""Half a sequence where it is tightest, in standard errors."""
BEYOND = 4.2
"""That and room for luck: half the width that a range has to have to be met in fair games."""


@sums_per_run
def steered(run: Any) -> set[str]:
    """Return the metrics of a run that decided when its games stopped."""
    return steering(run.study.until, run.study.budgets, run.game)


def planned_games(run: Any, metric: str, players: int, share: bool) -> float:
    """Return at how many games of a unit a metric's sequence is tightest.

    Of what the study asks alone, not of what was seen, nor of how many games it allows.
    """
    until = run.study.until
    spread = RARE
    if metric in FAIR:
        fair = 1 / max(players, 2)
        spread = fair * (1 - fair)
    if share and isinstance(until, HalfWidth):
        return (AT_PLANNED / until.half_width) ** 2 * spread
    if metric in FAIR:
        return (BEYOND / verdicts.TOLERANCE) ** 2 * spread
    return PLANNED


def share_interval(
    run: Any, metric: str, rows: pl.DataFrame, sums: inference.Sums
) -> inference.Interval:
    """Return sequences of shares for rows with unit and group; sums of 0 to 1 in each seat.

    One seat of one game a cluster: of wins and losses. Else by cluster, with ties and deals as
    they are.
    """
    found = [_about(run, metric, n, group, True) for n, group in _places(rows)]
    most, planned = (np.array(column, float) for column in zip(*found, strict=True))
    alone = sequences.shares(sums.y, sums.m, planned)
    whole = sequences.ratios(sums, planned, most=most)
    by_deal = np.where(rows["rotate"].to_numpy(), ", by deal", "")
    single = most == 1
    return inference.Interval(
        np.where(single, alone.low, whole.low),
        np.where(single, alone.high, whole.high),
        np.where(single, alone.method, _noted(whole.method, by_deal)),
    )


def mean_interval(
    run: Any, metric: str, rows: pl.DataFrame, sums: inference.Sums
) -> inference.Interval:
    """Return sequences of means for rows with unit and group."""
    found = [_about(run, metric, n, group, False) for n, group in _places(rows)]
    interval = sequences.means_of(sums, np.array([planned for _, planned in found], float))
    by_deal = np.where(rows["rotate"].to_numpy(), ", by deal", "")
    return interval._replace(method=_noted(interval.method, by_deal))


def _noted(method: np.ndarray, note: np.ndarray) -> np.ndarray:
    return np.where(method == "none", method, np.char.add(method.astype(str), note))


def _places(rows: pl.DataFrame) -> Iterator[tuple[int, str]]:
    return zip(rows["unit"].to_list(), rows["group"].to_list(), strict=True)


def _about(run: Any, metric: str, number: int, group: str, share: bool) -> tuple[float, float]:
    """Return the largest denominator of a cluster, and the clusters that are planned with."""
    unit = units(run)[number]
    games = planned_games(run, metric, unit.players, share)
    return _most(run, unit, group), max(games / unit.games_a_deal, 1)


def _most(run: Any, unit: Unit, group: str) -> int:
    """Return how many seats of a group a cluster has, a game counting as one for no group."""
    if group.startswith("style "):
        style = group.removeprefix("style ")
        seats = sum(run.plan.cells[cell].styles.count(style) for cell in unit.cells)
        return seats * (unit.players if unit.rotate else 1)
    return unit.games_a_deal * (unit.players if group == "all" else 1)


def seat_test(run: Any, number: int, sums: inference.Sums) -> inference.Test:
    """Return the p-value of "all seats win equally often" from the sums of each seat's share.

    1 over the mean evidence of the seats, which does not grow on average in a fair game: below
    0.05 at any look in at most one such game of twenty.
    """
    unit = units(run)[number]
    if not (sums.m > 0).all():
        return inference.Test(np.nan, "none")
    games = planned_games(run, "seat_share", unit.players, True)
    planned, alpha = max(games / unit.games_a_deal, 1), 1 - CONFIDENCE
    fair, most = np.full(unit.players, 1 / unit.players), unit.games_a_deal
    if most == 1:
        weight = sequences.share_weight(planned, alpha)
        evidence, name = sequences.share_evidence(fair, sums.y, sums.m, weight), "beta-binomial"
    else:
        evidence = sequences.ratio_evidence(fair, sums, planned, alpha, most=most)
        name = "gamma-exponential"
    if unit.players == 1:
        return inference.Test(1.0, "no variance")
    whole = float(np.logaddexp.reduce(evidence) - np.log(unit.players))
    return inference.Test(float(np.exp(-max(whole, 0.0))), f"{name} sequence")
