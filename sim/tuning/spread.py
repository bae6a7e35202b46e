"""How far apart elements are in worth: the standard deviation between them, without the noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import inference
from sim.errors import SimError
from sim.tuning.table import POINTS, WIN
from sim.tuning.trials import Measure, metric_of
from sim.tuning.values import Setting


@dataclass(frozen=True)
class Goal:
    """What is wanted of a setting: which rows count, and how far each element is from it."""

    setting: Setting

    @property
    def kind(self) -> str:
        """Whether wins count or points."""
        return WIN if self.setting.tune.target == WIN else POINTS

    @property
    def given(self) -> np.ndarray | None:
        """The mean points that were asked for, [element]; None if all shall be equal."""
        target = self.setting.tune.target
        if isinstance(target, str):
            return None
        return np.array([target[element.name] for element in self.setting.elements])

    @property
    def freedom(self) -> int:
        """What the squares of gaps are divided by."""
        return len(self.setting.elements) - (self.given is None)

    def worth(self, measures: Sequence[Measure]) -> np.ndarray:
        """Return the worth in each of some measures, [measure, table, element].

        Raises SimError where no row says it.
        """
        found = np.array([measure.of[self.kind] for measure in measures])
        if np.isnan(found).any():
            at = int(np.argwhere(np.isnan(found))[0][2])
            element = self.setting.elements[at]
            metric = metric_of(element, self.kind)
            if not metric:
                raise SimError(
                    f"tune.target: nothing says how many wins {element.name} is worth; write "
                    f'target = "{POINTS}", or win in [[tune.worth]]'
                )
            raise SimError(
                f'tune.worth: these games have no row of "{metric}" for "{element.group}"; play '
                "more of each (--play), or name another metric or group"
            )
        return found

    def gaps(self, worth: np.ndarray) -> np.ndarray:
        """Return how far elements are from what they should be worth, [..., element].

        Points that shall be equal are told as parts of their mean: else all would be the more equal
        the less everything gives.
        """
        if self.given is not None:
            return worth - self.given
        mean = worth.mean(-1, keepdims=True)
        return worth / mean - 1 if self.is_relative else worth - mean

    @property
    def is_relative(self) -> bool:
        """Whether gaps are parts of the mean worth."""
        return self.setting.tune.target == POINTS

    def squared(self, measures: Sequence[Measure]) -> np.ndarray:
        """Return the squared spread at each table, the noise taken away (it may fall below 0)."""
        worth = self.worth(measures).mean(0)
        errors = np.array([measure.error[self.kind] for measure in measures])
        noise = np.nan_to_num((errors**2).sum(0) / len(measures) ** 2).mean(-1)
        if self.is_relative:
            noise = noise / worth.mean(-1) ** 2
        return (self.gaps(worth) ** 2).sum(-1) / self.freedom - noise

    def spread(self, measures: Sequence[Measure]) -> float:
        """Return the spread over all tables; with a minus where noise explains more than all."""
        return root(float(self.squared(measures).mean()))


def root(square: float) -> float:
    """Return the root of a square, of a negative one that of its size with a minus."""
    return float(np.sign(square) * np.sqrt(abs(square)))


@dataclass(frozen=True)
class Known:
    """An estimate with its interval."""

    estimate: float
    low: float
    high: float
    method: str

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return vars(self)


def spread_of(goal: Goal, worth: np.ndarray) -> Known:
    """Return the spread of repeated measures [repeat, table, element], all tables together.

    Squares of gaps less what chance adds to them; in the interval are the spreads that the estimate
    lies no further from than their own standard error allows (`inference.square_interval`).
    """
    repeats = len(worth)
    tables = worth.shape[1]
    gaps = goal.gaps(worth).reshape(repeats, -1)
    mean = gaps.mean(0)
    own = gaps - mean
    covariance = own.T @ own / (repeats - 1) / repeats
    trace = float(np.trace(covariance))
    raw = float(mean @ mean)
    interval = inference.square_interval(
        raw - trace,
        raw,
        4 * float(mean @ covariance @ mean),
        2 * _trace_of_square(covariance, trace, repeats),
        repeats,
    )
    scale = goal.freedom * tables
    low, high = (max(float(end), 0.0) / scale for end in (interval.low, interval.high))
    estimate = max(raw - trace, 0.0) / scale
    ends = (float(np.sqrt(square)) for square in (estimate, low, max(high, estimate)))
    return Known(next(ends), next(ends), next(ends), f"{interval.method}, {repeats} sets of games")


def _trace_of_square(covariance: np.ndarray, trace: float, repeats: int) -> float:
    """Return the trace of the square of a covariance, which few repeats make too large."""
    freedom = repeats - 1
    plain = float((covariance**2).sum())
    unbiased = (plain - trace**2 / freedom) * freedom**2 / max((freedom - 1) * (freedom + 2), 1)
    return max(unbiased, trace**2 / len(covariance))


def ratio_of(after: Known, before: Known) -> Known:
    """Return one spread over another, from both intervals (Donner and Zou 2012), on the squares."""
    a, al, au = (x**2 for x in (after.estimate, after.low, after.high))
    b, bl, bu = (x**2 for x in (before.estimate, before.low, before.high))
    if b <= 0 or bl <= 0:
        return Known(np.nan, np.nan, np.nan, "none")
    low = _end(a, b, al, bu, -1) if 2 * b > bu else al / bu
    high = _end(a, b, au, bl, +1)
    low, high = (float(np.sqrt(max(end, 0.0))) for end in (low, high))
    return Known(float(np.sqrt(a / b)), low, high, "from both intervals")


def _end(a: float, b: float, own: float, other: float, sign: int) -> float:
    inside = (a * b) ** 2 - own * other * (2 * a - own) * (2 * b - other)
    return (a * b + sign * float(np.sqrt(max(inside, 0.0)))) / (other * (2 * b - other))


def means_of(values: np.ndarray) -> list[Known]:
    """Return means over repeats with Student's intervals, [repeat, element]."""
    repeats = len(values)
    variance = values.var(0, ddof=1) / repeats
    interval = inference.mean_interval(values.mean(0), variance, repeats)
    return [
        Known(float(mean), float(low), float(high), f"{method}, {repeats} sets of games")
        for mean, low, high, method in zip(
            values.mean(0),
            np.atleast_1d(interval.low),
            np.atleast_1d(interval.high),
            np.broadcast_to(interval.method, len(variance)),
            strict=True,
        )
    ]
