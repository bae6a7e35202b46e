"""A search over values by playing: CMA-ES on common luck, more games for the best.

The covariance matrix adaptation evolution strategy (Hansen and Ostermeier 2001, *Evolutionary
Computation* 9, 159-195) through the package cma. It moves the logarithm of each value.
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
    strategy = _strategy(trials.setting, start, trials.seed)
    costs: dict[str, tuple[float, Values]] = {}
    while len(costs) < count and not strategy.stop():
        points = strategy.ask()
        own = [_at(trials.setting, point) for point in points]
        fresh = {str(values): values for values in own if str(values) not in costs}
        playable = [values for values in fresh.values() if _is_playable(trials, values)]
        playable = playable[: count - len(costs)]
        for values, cost in zip(playable, played(playable, SETS[0]), strict=True):
            costs[str(values)] = cost, values
        worst = max((cost for cost, _ in costs.values()), default=1.0)
        strategy.tell(
            points,
            [costs[str(v)][0] if str(v) in costs else 2 * abs(worst) + 1 for v in own],
        )
        if playable:
            best = min(cost for cost, _ in costs.values())
            say(f"Search: {len(costs)} of {count} sets of values, best {best:.2f}.")
        elif len(fresh) == 0 and _is_narrow(strategy):
            break
    return [values for _, values in sorted(costs.values(), key=lambda pair: pair[0])]


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


def _is_narrow(strategy: Any) -> bool:
    """Tell whether all that the strategy asks for has been played already, over and over."""
    return bool(strategy.sigma < STEP / 20)
