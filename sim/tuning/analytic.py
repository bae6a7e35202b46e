"""Fair values worked out from the slope of wins per point, rounded with the least change.

What an element is worth is taken to grow in a straight line with its points. The values that this
gives are played, and worked out again from what was found: players adapt, and lines bend.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sim.errors import SimError
from sim.tuning.spread import Goal
from sim.tuning.table import POINTS, WIN
from sim.tuning.trials import PER_POINT, Measure
from sim.tuning.values import Numbers, Setting, Value

MOST_PASSES = 50
BETTER = 1e-9

Values = dict[str, Numbers]


@dataclass(frozen=True)
class Lines:
    """What elements are worth near some values: `worth` and its slopes, [table, element].

    `slopes` is by what an element gains when its points double.
    """

    goal: Goal
    at: Mapping[str, Numbers]
    worth: np.ndarray
    slopes: np.ndarray

    @property
    def setting(self) -> Setting:
        """What may move."""
        return self.goal.setting

    def worths(self, values: Mapping[str, Numbers]) -> np.ndarray:
        """Return what elements would be worth with other values, [table, element]."""
        before, after = self.setting.factors(self.at), self.setting.factors(values)
        grown = [
            after[e.name] / before[e.name] - 1 if before.get(e.name) else 0.0
            for e in self.setting.elements
        ]
        return self.worth + self.slopes * np.array(grown)

    def spread(self, values: Mapping[str, Numbers]) -> float:
        """Return the spread that values would have, all tables together."""
        gaps = self.goal.gaps(self.worths(values))
        return float(np.sqrt((gaps**2).sum(-1).mean() / self.goal.freedom))


def lines_of(goal: Goal, at: Mapping[str, Numbers], measures: Sequence[Measure]) -> Lines:
    """Return the lines through what was measured at some values.

    Raises SimError if no row says how points are worth wins.
    """
    points = np.array([measure.of[POINTS] for measure in measures]).mean(0)
    worth = goal.worth(measures).mean(0)
    slopes = points
    if goal.kind == WIN:
        per_point = np.array([measure.of[PER_POINT] for measure in measures]).mean(0)
        slopes = points * per_point
    if np.isnan(slopes).any():
        at_element = int(np.argwhere(np.isnan(slopes))[0][1])
        name = goal.setting.elements[at_element].name
        raise SimError(
            f"tune.worth: no row says how many points {name} brings, and what a point is worth; "
            "name points and per_point, or use --way search"
        )
    return Lines(goal, dict(at), worth, slopes)


def is_possible(setting: Setting) -> bool:
    """Tell whether the points of every value that moves grow with it."""
    return any(value.moves_points for value in setting.values)


def fair(lines: Lines, cost: Callable[[Mapping[str, Numbers]], float]) -> Values:
    """Return the values of the least spread and change, by what the lines say.

    `cost` is what changing values costs, in the unit of the spread. One value after the other takes
    the best of its choices, until none gets better; from what is and from the exact solution.
    """
    starts = [lines.setting.now, dict(lines.at), _exact(lines)]

    def objective(values: Mapping[str, Numbers]) -> float:
        return lines.spread(values) + cost(values)

    found = [_descended(lines.setting, start, objective) for start in starts]
    return min(found, key=objective)


def _exact(lines: Lines) -> Values:
    """Return the values that would make all worth the same at the mean of the tables."""
    gaps = lines.goal.gaps(lines.worth).mean(0)
    slopes = lines.slopes.mean(0)
    found = dict(lines.at)
    for element, gap, slope in zip(lines.setting.elements, gaps, slopes, strict=True):
        factor = max(1 - gap / slope, 0.05) if slope > 0 else 1.0
        for value in lines.setting.of(element.name):
            if value.moves_points:
                found[value.key] = value.times(value.factor(lines.at[value.key]) * factor)
    return found


def _descended(
    setting: Setting,
    start: Mapping[str, Numbers],
    objective: Callable[[Mapping[str, Numbers]], float],
) -> Values:
    best = dict(start)
    least = objective(best)
    for _ in range(MOST_PASSES):
        before = least
        for value in setting.values:
            if not value.moves_points:
                continue
            for other in _others(value, best):
                found = objective(other)
                if found < least - BETTER:
                    best, least = other, found
        if least >= before - BETTER:
            break
    return best


def _others(value: Value, best: Mapping[str, Numbers]) -> Iterator[Values]:
    for choice in value.choices:
        if choice != best[value.key]:
            yield {**best, value.key: choice}
