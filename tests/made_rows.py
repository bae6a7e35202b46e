"""Hand-made tidy rows as `sim.check.judge` takes them."""

import polars as pl

from sim import metrics
from sim.check import judge
from sim.study import from_dict

SCHEMA = metrics.SCHEMA | {"head": pl.Boolean, "seen": pl.Boolean, "games": pl.Float64}


def row(metric, group="all", estimate=0.5, low=None, high=None, **more):
    """Return a tidy row with what a check adds; bounds that are not given are missing."""
    found = {
        "cell": 0,
        "players": 2,
        "variant": "base",
        "lineup": "all plain",
        "metric": metric,
        "group": group,
        "estimate": estimate,
        "low": low,
        "high": high,
        "n": 1000,
        "method": "t",
        "head": True,
        "seen": True,
        "games": 1000.0,
    }
    return found | more


def frame(*rows):
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def study(budgets, **more):
    """Return a study of the rigged game; needs the fixture `rigged`."""
    data = {
        "game": "rigged",
        "players": [2, 3],
        "games": 50,
        "lineups": {"mirror": ["plain"], "round_robin": ["plain", "pushy"]},
        "budgets": budgets,
    }
    return from_dict(data | more, "mine.toml", "mine")


def check(budgets, *rows, asked=None, **how):
    """Judge rows, the same at every level; `asked` collects the levels asked for."""

    def at(confidence, names):
        if asked is not None:
            asked.append((confidence, names))
        return frame(*rows)

    return judge(study(budgets).budgets, at, "mine.toml", **how)


def verdicts(budgets, *rows):
    return [each.verdict for each in check(budgets, *rows).rows]
