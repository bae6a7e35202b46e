"""Who can no longer win and yet decides between the others, from the table `kingmaking`.

A decision that was looked at stands for as many as its game has over as many as were looked at.
Only games count that ended by rule; a study without the key has none of these metrics.
"""

from functools import reduce
from operator import add
from typing import Any

import numpy as np
import polars as pl

from sim.games.kingmaking import FEWEST_PLAYERS, TABLE
from sim.metrics import blocks
from sim.metrics.clusters import Clusters
from sim.metrics.deciding import QUARTERS
from sim.metrics.estimates import theme_rows
from sim.metrics.heads import by_cluster
from sim.metrics.themes import Found, Theme, gathered
from sim.metrics.tidy import Unit, finish, per_run, sums_per_run

PART = "of_decisions"
"""What variants are compared in, beside the parts of `sim.metrics.moments.Moments`."""
COLUMNS = ("decisions", "hopeless", "decides", "swing", "rows", "hopeless_rows")
"""Of a game: decisions, those of who cannot win, those that decide, the swings of who cannot win,
each by what it stands for; rows looked at, and those of who cannot win."""

VARIABLES = COLUMNS[1:3]
"""Those that are shares of decisions."""


class Block(blocks.Block):
    """The games of a shard; `names` are the styles by code."""

    def counted(self) -> np.ndarray:
        """Return `COLUMNS` of all, of each style and of each quarter, [group, column, game]."""
        read = self.read(TABLE)
        game = read["game"] - self.shard.first
        stands_for = read["decisions"] / np.maximum(read["looked_at"], 1)
        hopeless = 1.0 - read["can_win"]
        ones = np.ones(len(game))
        columns = (
            *(stands_for, stands_for * hopeless, stands_for * read["decides"]),
            *(stands_for * read["swing"] * hopeless, ones, hopeless),
        )
        quarter = len(QUARTERS) * read["decision"] // np.maximum(read["decisions"], 1)
        groups = [
            ones,
            *(read["style"] == code for code in range(len(self.names))),
            *(quarter == number for number in range(len(QUARTERS))),
        ]
        games = len(self.ended)
        found = [[np.bincount(game, column * own, games) for column in columns] for own in groups]
        return np.array(found) * self.ended


THEMES: dict[str, Theme] = {TABLE: Block.counted}


def is_known(run: Any, unit: Unit) -> bool:
    """Tell whether decisions of a unit were looked at."""
    return run.study.kingmaking is not None and unit.players >= FEWEST_PLAYERS


def clusters(run: Any, unit: Unit, shards: list[tuple[Any, int]]) -> Clusters:
    """Return `VARIABLES` by cluster of shards that meet the same deals.

    With each shard goes how many of its games count, from the first on.
    """
    found = []
    for shard, games in shards:
        block = Block(run, shard, run.plan.cells[shard.cell], unit, ())
        (columns,) = by_cluster(block.counted()[:1, :, :games], block.size)
        found.append(Clusters(columns[1:3, None], columns[:1]))
    return reduce(add, found)


@sums_per_run
def _sums(run: Any) -> Found:
    styles = blocks.categories(run, "seats", "style")
    return gathered(run, styles, Block, lambda block: THEMES)


@per_run
def kingmaking(run: Any) -> pl.DataFrame:
    """Return which share of decisions are kingmaking, and are made by who can no longer win.

    - `kingmaking.share`: of all decisions, those of a seat that can no longer win and that change
      by at least `SWING` which of the others does;
    - `kingmaking.hopeless`: of all decisions, those of a seat that can no longer win;
    - `kingmaking.swing`: of these, by how much they change a rival's chance, on average.

    Groups are `all`, styles where two meet, and quarters of a game's decisions. n is decisions
    looked at. There are no rows for tables of two.
    """
    if run.study.kingmaking is None:
        return finish(run, [])
    found = _sums(run)
    mixed = [number for number, unit in enumerate(found.units) if len(unit.styles) > 1]
    wanted = pl.col("unit").is_in(mixed) | ~pl.col("group").str.starts_with("style ")
    groups = ["all", *(f"style {style}" for style in found.names), *QUARTERS]
    ratios = {
        "share": ("decides", "decisions", "rows"),
        "hopeless": ("hopeless", "decisions", "rows"),
        "swing": ("swing", "hopeless", "hopeless_rows"),
    }
    rows = [
        theme_rows(
            *(found, TABLE, COLUMNS, f"{TABLE}.{name}", groups, ratio), share=name != "swing"
        )
        for name, ratio in ratios.items()
    ]
    return finish(run, [part.filter(wanted) for part in rows])
