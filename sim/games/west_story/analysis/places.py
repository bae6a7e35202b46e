"""Villains, towns and the spaces of the player board."""

from typing import Any

import polars as pl

from sim.games.west_story.analysis.gather import TOWN, VILLAIN
from sim.games.west_story.analysis.rows import ratios, shares, win_shares
from sim.games.west_story.analysis.sums import sums
from sim.metrics.rows import plain_rows, summed
from sim.metrics.tidy import finish, per_run

SPACES = ("seats", "by_die", "moved", "by_combo", "by_token", "by_trade", "as_space", "cards")
HOW = ("by_die", "moved", "by_combo", "by_token", "by_trade")


@per_run
def villains(run: Any) -> pl.DataFrame:
    """Return what villains do (group TOKEN, "at PLACE"; n is games with it in play):

    - `villain.turned`: share of games in which it turns up; `villain.round`: mean round of that;
    - `villain.fought`: share of those turned up that are removed by a fight; `villain.stayed`:
      rounds from turning up to the fight;
    - `villain.bribes`, `villain.paid`: times that one turned up is paid, and coins and cows paid;
    - `villain.pot`: coins and cows that its winner finds; `villain.vp`: VP that it brings somebody
      in a game with it;
    - `villain.win_share`: win share of those who removed it; n is fights. Observed.
    """
    names = sums(run).names
    groups = [*names.tokens, *(f"at {place}" for place in names.places)]
    parts = [
        *shares(
            *(run, "villains", VILLAIN, groups),
            {
                "villain.turned": ("turned", "games", "games"),
                "villain.fought": ("fought", "turned", "games"),
            },
        ),
        *ratios(
            *(run, "villains", VILLAIN, groups),
            {
                "villain.round": ("turned_round", "turned", "games"),
                "villain.stayed": ("stayed", "fought", "games"),
                "villain.bribes": ("bribes", "turned", "games"),
                "villain.paid": ("paid", "turned", "games"),
                "villain.pot": ("pot", "fought", "games"),
                "villain.vp": ("vp", "games", "games"),
            },
        ),
        *win_shares(
            run, "villains", VILLAIN, groups, {"villain.win_share": ("wins", "fought", "fought")}
        ),
    ]
    return finish(run, parts)


@per_run
def towns(run: Any) -> pl.DataFrame:
    """Return how towns are traded with (group TOWN; n is games):

    - `town.discs`, `town.vp`: discs and their VP in a game; `town.per_disc`: VP a disc;
    - `town.owners`, `town.full`: share of seats with a disc there, and with all that can score;
    - `town.quadruple`, `town.wild`: share of games in which the symbol was used;
    - `town.win_share`: win share of seats with a disc there; n is these seats. Observed.
    """
    groups = sums(run).names.towns
    parts = [
        *ratios(
            *(run, "towns", TOWN, groups),
            {
                "town.discs": ("discs", "games", "games"),
                "town.vp": ("vp", "games", "games"),
                "town.per_disc": ("vp", "discs", "games"),
            },
        ),
        *shares(
            *(run, "towns", TOWN, groups),
            {
                "town.owners": ("owners", "seats", "games"),
                "town.full": ("full", "seats", "games"),
                "town.quadruple": ("quadruples", "games", "games"),
                "town.wild": ("wilds", "games", "games"),
            },
        ),
        *win_shares(run, "towns", TOWN, groups, {"town.win_share": ("wins", "owners", "owners")}),
    ]
    return finish(run, parts)


@per_run
def spaces(run: Any) -> pl.DataFrame:
    """Return how spots of the player board are used (group SPOT; n is seats), no intervals:

    - `space.executed`: executions a seat; `space.by_die`, `.moved`, `.by_combo`, `.by_token`,
      `.by_trade`: by the die's own value, by a die whose spots were marked, by combos, wild tokens
      and trades;
    - `space.as_printed`: share of the executions while no card lay there; `space.cards`: cards that
      a seat puts there.
    """
    table = summed(run, "spaces", "spot", SPACES).with_columns(
        pl.col("spot").cast(pl.String).alias("group"), executed=pl.sum_horizontal(HOW)
    )
    table = table.filter(pl.col("seats") > 0)
    parts = [
        plain_rows(table, f"space.{name}", pl.col(name) / pl.col("seats"), pl.col("seats"))
        for name in ("executed", *HOW, "cards")
    ]
    used = table.filter(pl.col("executed") > 0)
    printed = pl.col("as_space") / pl.col("executed")
    parts.append(plain_rows(used, "space.as_printed", printed, pl.col("seats")))
    return finish(run, parts)
