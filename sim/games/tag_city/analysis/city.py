"""Where and when squares are painted."""

from typing import Any

import polars as pl

from sim.games.tag_city.analysis.gather import BY_ROUNDS, SQUARE
from sim.games.tag_city.analysis.rows import ratio_rows
from sim.games.tag_city.analysis.sums import sums
from sim.metrics.tidy import finish, per_run


@per_run
def city(run: Any) -> pl.DataFrame:
    """Return where squares are painted, over the sampled games (n is seats):

    - `map.painted` (group "square 17"): share of cities in which the square was painted in the
      end, and after some rounds (group "round 3, square 17"; a game that was over by then counts
      as it stood);
    - `map.round` (group "square 17"): mean round in which it was painted, of those that were.
    """
    squares = [f"square {number}" for number in range(sums(run).names.squares)]
    by_round = [f"round {number}, {square}" for number in BY_ROUNDS for square in squares]
    groups = [*squares, *by_round]
    painted = ("painted", "seats", "seats")
    parts = [
        ratio_rows(run, "map", SQUARE, "map.painted", groups, painted, share=True),
        ratio_rows(run, "map", SQUARE, "map.round", groups, ("round", "painted", "painted")).filter(
            ~pl.col("group").str.starts_with("round")
        ),
    ]
    return finish(run, parts)
