"""A search over values by playing: CMA-ES on common luck, single steps, more games for the best.

The covariance matrix adaptation evolution strategy (Hansen and Ostermeier 2001, *Evolutionary
Computation* 9, 159-195) through the package cma. It moves the logarithm of each value. Whole
numbers lie in steps that it passes over, so the last trials take one value a step up or down.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from sim.errors import SimError
from sim.tuning.trials import Trials
from sim.tuning.values import Numbers, Setting

STEP = 0.35
"""The first step of the search, in the logarithm of values: a factor of 1.4."""
BROAD = 0.6
"""So much of the trials goes to CMA-ES, what is left to single steps."""
MOST_ROUNDS = 500
KEPT = 4
"""Of the values that are left one in so many go on to more games."""
SETS = (1, 4, 12)
"""So many sets of games are played with all values, with the best of them, with the best of those.
"""

Values = dict[str, Numbers]
Objective = Callable[[Mapping[str, Numbers], int], float]
"""What values cost after so many sets of games: spread and change."""


def check() -> None:
    """Raise SimError if the package that searches is not there."""
    if find_spec("cma") is None:
        raise SimError("way: cma is not installed; pip install cma, or use --way analytic")


def searched(
    trials: Trials,
    start: Mapping[str, Numbers],
    count: int,
    played: Callable[[Sequence[Values], int], list[float]],
    say: Callable[[str], None],
) -> list[Values]:
    """Return what the search tried, the best first by one set of games each.

    `played(values, sets)` plays sets of games with each of some values and returns their cost.
    Values that the game refuses are passed over. The same seed goes the same way.
    """
    tried = _Tried(trials, count, played, say)
    strategy = _strategy(trials.setting, start, trials.seed)
    while tried.count < BROAD * count and not strategy.stop():
        points = strategy.ask()
        own = [_at(trials.setting, point) for point in points]
        tried.play(own)
        strategy.tell(points, [tried.cost(values) for values in own])
        if strategy.countiter > MOST_ROUNDS:
            break
    while tried.count < count:
        best = tried.ranked()[0] if tried.count else dict(start)
        tried.play(_neighbours(trials.setting, best))
        if tried.ranked()[0] == best:
            break
    return tried.ranked()


class _Tried:
    """What a search has tried, and what it cost."""

    def __init__(
        self,
        trials: Trials,
        most: int,
        played: Callable[[Sequence[Values], int], list[float]],
        say: Callable[[str], None],
    ) -> None:
        self.trials, self.most, self.played, self.say = trials, most, played, say
        self.costs: dict[str, tuple[float, Values]] = {}

    @property
    def count(self) -> int:
        """How many sets of values were played."""
        return len(self.costs)

    def play(self, several: Sequence[Values]) -> None:
        """Play those of some values that were not, as many as may be."""
        fresh = {str(values): values for values in several if str(values) not in self.costs}
        playable = [values for values in fresh.values() if _is_playable(self.trials, values)]
        playable = playable[: self.most - self.count]
        if not playable:
            return
        for values, cost in zip(playable, self.played(playable, SETS[0]), strict=True):
            self.costs[str(values)] = cost, values
        best = min(cost for cost, _ in self.costs.values())
        self.say(f"search, {self.count} of {self.most} sets of values, the best at {best:.2f}")

    def cost(self, values: Values) -> float:
        """Return what values cost; more than all others for those that cannot be played."""
        worst = max((cost for cost, _ in self.costs.values()), default=1.0)
        return self.costs[str(values)][0] if str(values) in self.costs else 2 * abs(worst) + 1

    def ranked(self) -> list[Values]:
        """Return what was played, the best first."""
        return [values for _, values in sorted(self.costs.values(), key=lambda pair: pair[0])]


def _neighbours(setting: Setting, values: Mapping[str, Numbers]) -> list[Values]:
    """Return the values with one of them a step down or up: 1 for a whole number."""
    return [
        {**values, value.key: near}
        for value in setting.values
        for near in value.beside(values[value.key])
    ]


def best_of(
    candidates: Sequence[Values], played: Callable[[Sequence[Values], int], list[float]]
) -> Values:
    """Return the best of some values, the best first, by more and more games (successive halving).

    The first `KEPT`th part goes on each time, three at the least.
    """
    left = list(candidates)
    for sets in SETS[1:]:
        if len(left) == 1:
            break
        left = left[: max(-(-len(left) // KEPT), min(len(left), 3))]
        costs = played(left, sets)
        left = [left[at] for at in np.argsort(costs, kind="stable")]
    return left[0]


def _strategy(setting: Setting, start: Mapping[str, Numbers], seed: int) -> Any:
    check()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import cma

    factors = [value.factor(start[value.key]) for value in setting.values]
    options = {"verbose": -9, "seed": seed % (2**31 - 2) + 1}
    # one value alone has no covariance: cma wants two
    point = np.log(np.maximum(factors, 1e-3))
    return cma.CMAEvolutionStrategy(np.resize(point, max(len(point), 2)), STEP, options)


def _at(setting: Setting, point: np.ndarray) -> Values:
    return {
        value.key: value.times(float(np.exp(np.clip(x, -5, 5))))
        for value, x in zip(setting.values, point, strict=False)
    }


def _is_playable(trials: Trials, values: Values) -> bool:
    try:
        for base in trials.bases:
            base.with_values(values)
    except SimError:
        return False
    return True
