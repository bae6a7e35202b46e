"""Fair values worked out from the slope of wins per point, rounded with the least change.

Mean points grow in a straight line with an element's points. Wins owed to them do not, as nobody
owes more than all it wins: with every part more that an element gives, who lacks it loses the same
part of the chances left, so the curve starts at 0, goes through what was measured, and nears a fair
share; flatter only where the slope of wins per point says so. (That slope is one of a seat alone; a
value raises the points of all.) The values that this gives are played, and worked out again from
what was found: players adapt.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sim.errors import SimError
from sim.tuning.spread import Goal
from sim.tuning.table import POINTS, WIN
from sim.tuning.trials import PER_POINT, Measure
from sim.tuning.values import Numbers, Setting, Value

MOST_PASSES = 50
LEVELS = 5
SCALES = 0.8, 1.0, 1.2, 1.5, 2.0
NEAR = 0.2
LEAST = 1e-6
POWERS = 0.2, 1.0
FACTORS = 0.1, 10.0
BETTER = 1e-9

Values = dict[str, Numbers]


@dataclass(frozen=True)
class Curves:
    """What elements are worth near some values: `worth`, and `slopes`, each [table, element].

    A slope is what an element would gain on a straight line if its points doubled; `points` are
    those that it brings; `caps` [table] are what nothing is worth more than. Mean points have
    neither caps nor bends.
    """

    goal: Goal
    at: Mapping[str, Numbers]
    worth: np.ndarray
    slopes: np.ndarray
    points: np.ndarray
    caps: np.ndarray | None

    @property
    def setting(self) -> Setting:
        """What may move."""
        return self.goal.setting

    def times(self, factors: np.ndarray) -> np.ndarray:
        """Return what elements would be worth with so many times their points, [table, element].

        Wins go to who has more than others: beside others with twice their points an element with
        twice its own is worth what it was.
        """
        if self.caps is None:
            return self.alone(factors)
        weight = np.maximum(self.points, LEAST)
        others = (weight * factors).sum(-1, keepdims=True) - weight * factors
        before = weight.sum(-1, keepdims=True) - weight
        return self.alone(factors * before / others)

    def alone(self, factors: np.ndarray) -> np.ndarray:
        """Return what each element would be worth if the others stayed, [table, element]."""
        straight = self.worth + self.slopes * (factors - 1)
        if self.caps is None:
            return straight
        caps = np.broadcast_to(self.caps[:, None], self.worth.shape)
        bends = (self.worth > LEAST) & (self.worth < caps * (1 - LEAST))
        left = np.where(bends, 1 - self.worth / caps, 0.5)
        power = np.clip(self.slopes / (caps * -left * np.log(left)), *POWERS)
        return np.where(bends, caps * (1 - left ** (factors**power)), straight)

    def worths(self, values: Mapping[str, Numbers]) -> np.ndarray:
        """Return what elements would be worth with other values, [table, element]."""
        before, after = self.setting.factors(self.at), self.setting.factors(values)
        grown = [
            after[e.name] / before[e.name] if before.get(e.name) else 1.0
            for e in self.setting.elements
        ]
        return self.times(np.array(grown))

    def spread(self, values: Mapping[str, Numbers]) -> float:
        """Return the spread that values would have, all tables together."""
        gaps = self.goal.gaps(self.worths(values))
        return float(np.sqrt((gaps**2).sum(-1).mean() / self.goal.freedom))

    def reaching(self, level: np.ndarray, scale: float = 1.0) -> Values:
        """Return values that bring the mean worth over the tables to a level, [element].

        All are multiplied by `scale`, as large whole numbers come nearer than small ones.
        """
        factors = np.geomspace(*FACTORS, 200)
        means = np.array([self.alone(np.full(len(level), factor)).mean(0) for factor in factors])
        found = dict(self.at)
        for number, element in enumerate(self.setting.elements):
            best = scale * float(factors[np.argmin(np.abs(means[:, number] - level[number]))])
            for value in self.setting.of(element.name):
                if value.moves_points:
                    found[value.key] = value.times(value.factor(self.at[value.key]) * best)
        return found


def curves_of(goal: Goal, at: Mapping[str, Numbers], measures: Sequence[Measure]) -> Curves:
    """Return the curves through what was measured at some values.

    Raises SimError if no row says how points are worth wins.
    """
    points = np.array([measure.of[POINTS] for measure in measures]).mean(0)
    worth = goal.worth(measures).mean(0)
    slopes, caps = points, None
    if goal.kind == WIN:
        caps = np.array([1 / table.players for table in measures[0].tables])
        per_point = np.array([measure.of[PER_POINT] for measure in measures]).mean(0)
        slopes = points * per_point
    if np.isnan(slopes).any():
        at_element = int(np.argwhere(np.isnan(slopes))[0][1])
        name = goal.setting.elements[at_element].name
        raise SimError(
            f"tune.worth: no row says how many points {name} brings, and what a point is worth; "
            "name points and per_point, or use --way search"
        )
    return Curves(goal, dict(at), worth, slopes, points, caps)


def is_possible(setting: Setting) -> bool:
    """Tell whether the points of every value that moves grow with it."""
    return any(value.moves_points for value in setting.values)


def fair(curves: Curves, cost: Callable[[Mapping[str, Numbers]], float]) -> Values:
    """Return the values of the least spread and change, by what the curves say.

    `cost` is what changing values costs, in the unit of the spread. One value after the other takes
    the best of its choices, until none gets better; from what is, and from the exact solutions for
    several levels of worth.
    """
    starts = [curves.setting.now, dict(curves.at)]
    scales = (1.0,) if curves.caps is None else SCALES
    starts += [curves.reaching(level, scale) for level in _levels(curves) for scale in scales]

    def objective(values: Mapping[str, Numbers]) -> float:
        return curves.spread(values) + cost(values)

    found = [_descended(curves.setting, start, objective) for start in starts]
    return min(found, key=objective)


def near(
    curves: Curves, cost: Callable[[Mapping[str, Numbers]], float], seen: Collection[str]
) -> Values | None:
    """Return the best values by the curves that lie a small step from theirs and were not `seen`.

    Each value moves by 1 or by `NEAR` of its size at the most. None if all were seen.
    """

    def objective(values: Mapping[str, Numbers]) -> float:
        return curves.spread(values) + cost(values)

    def is_near(value: Value, choice: Numbers) -> bool:
        before, after = value.factor(curves.at[value.key]), value.factor(choice)
        unit = 1 / value.now if value.is_whole and not isinstance(value.now, list) else 0.0
        return abs(after - before) <= max(unit, NEAR * before) * 1.001

    best = _descended(curves.setting, curves.at, objective, is_near)
    around = [
        {**best, value.key: choice}
        for value in curves.setting.values
        if value.moves_points
        for choice in value.beside(best[value.key])
        if is_near(value, choice)
    ]
    unseen = [values for values in (best, *around) if str(values) not in seen]
    return min(unseen, key=objective) if unseen else None


def _levels(curves: Curves) -> list[np.ndarray]:
    """Return what elements may all be worth: what was asked for, or from the least to the most."""
    if curves.goal.given is not None:
        return [curves.goal.given]
    mean = curves.worth.mean(0)
    return [np.full(len(mean), level) for level in np.linspace(mean.min(), mean.max(), LEVELS)]


def _descended(
    setting: Setting,
    start: Mapping[str, Numbers],
    objective: Callable[[Mapping[str, Numbers]], float],
    is_allowed: Callable[[Value, Numbers], bool] = lambda value, choice: True,
) -> Values:
    best = dict(start)
    least = objective(best)
    for _ in range(MOST_PASSES):
        before = least
        for value in setting.values:
            if not value.moves_points:
                continue
            for other in _others(value, best, is_allowed):
                found = objective(other)
                if found < least - BETTER:
                    best, least = other, found
        if least >= before - BETTER:
            break
    return best


def _others(
    value: Value, best: Mapping[str, Numbers], is_allowed: Callable[[Value, Numbers], bool]
) -> Iterator[Values]:
    for choice in value.choices:
        if choice != best[value.key] and is_allowed(value, choice):
            yield {**best, value.key: choice}
