"""What seats do in a game, and who reaches the lake."""

from typing import Any

import polars as pl

from sim.games.west_story.analysis.gather import COUNTED, PLAYER
from sim.games.west_story.analysis.sums import sums
from sim.metrics.estimates import held_rows, style_rows
from sim.metrics.tidy import finish, per_run


@per_run
def players(run: Any) -> pl.DataFrame:
    """Return what seats do (group `all`, "style X" where two meet; n is seats):

    - `player.COLUMN`: means of the columns of `seats` that count something;
    - `player.certificate`: share of seats with a certificate;
    - `lake.reached`: share that reach the lake; `lake.round`: mean round of that;
    - `lake.win_share`, `.score`, `.seats` (groups "lake", "no lake"): win share and score of seats
      that reached it or did not, and which share of all they are. Observed.
    """
    found = sums(run)
    means = {f"player.{name}": (name, "seats") for name in COUNTED}
    reached = {
        "player.certificate": ("certificate", "seats"),
        "lake.reached": ("lake", "seats"),
    }
    parts = [
        *style_rows(found, "players", PLAYER, means),
        *style_rows(found, "players", PLAYER, reached, share=True),
        *style_rows(found, "players", PLAYER, {"lake.round": ("lake_round", "lake")}),
        *held_rows(found, "by_lake", "lake", ["no lake", "lake"]),
    ]
    return finish(run, parts)
