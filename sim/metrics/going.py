"""How games go, from the tables `standings` and `acts`; docs/metrics.md lists the metrics.

None of them where a game or a study keeps no such tables.
"""

from typing import Any

import polars as pl

from sim.metrics import deciding as choices
from sim.metrics import standing as leads
from sim.metrics.themes import Found, gathered
from sim.metrics.tidy import finish, per_run, sums_per_run


@sums_per_run
def _sums(run: Any) -> Found:
    """Return all sums: the tables are read once for both."""
    themes = leads.THEMES | choices.THEMES
    return gathered(run, leads.names_of(run), leads.Block, lambda block: themes)


@per_run
def standing(run: Any) -> pl.DataFrame:
    """Return who is ahead when, and what that is worth."""
    return finish(run, leads.standing_rows(_sums(run)) if leads.has_standings(run) else [])


@per_run
def deciding(run: Any) -> pl.DataFrame:
    """Return what players choose from and what they do."""
    return finish(run, choices.deciding_rows(_sums(run)) if leads.has_standings(run) else [])
