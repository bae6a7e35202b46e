"""How long games last, in turns, rounds and decisions."""

from typing import Any

import polars as pl

from sim.metrics.moments import LENGTHS
from sim.metrics.rows import WHOLE_GAME, mean_rows, pmf_rows, quantile_rows
from sim.metrics.tidy import finish, per_run


@per_run
def length(run: Any) -> pl.DataFrame:
    """Return `turns`, `rounds` and `decisions`: mean, quantiles, largest; pmf of turns and rounds.

    Truncated games count with the length at which they were stopped.
    """
    parts = []
    for name in LENGTHS:
        parts.append(mean_rows(run, "of_all", name, f"{name}.mean", WHOLE_GAME))
        parts.append(quantile_rows(run, name, name))
    parts += [pmf_rows(run, name, name) for name in ("turns", "rounds")]
    return finish(run, parts)
