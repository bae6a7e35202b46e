"""Rounds and the map: how long, how they end, where tags go."""

from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.games.wildstyle.analysis.gather import GAME, HEX, ICON, ROUND
from sim.games.wildstyle.analysis.rows import ratio_rows
from sim.games.wildstyle.analysis.sums import sums
from sim.metrics.tidy import finish, membership, per_run, units

PERCENTS = (5, 50, 95)
STEPS = 10
"""Seconds are counted in tenths."""


@per_run
def rounds(run: Any) -> pl.DataFrame:
    """Return how rounds go (group `all` and "round 1" ...; n is rounds), games cut off as played:

    - `round.seconds`, `round.acts`, `round.rushed`: means; `round.seconds.p05`, `.p50`, `.p95`
      and `round.acts.p05` ...: quantiles;
    - `round.fumbled`: share of acts that failed, of all that landed;
    - `round.end` (group REASON, and "round 1, REASON"): share of rounds that ended so.
    """
    names = sums(run).names
    groups = ["all", *(f"round {number + 1}" for number in range(names.rounds))]
    count = ROUND.index("rounds")
    parts = [
        ratio_rows(run, "rounds", f"round.{name}", groups, (ROUND.index(name), count, count))
        for name in ("seconds", "acts", "rushed")
    ]
    parts += [_quantiles(run, "seconds", STEPS), _quantiles(run, "acts", 1)]
    landed = (ROUND.index("fumbles"), ROUND.index("landed"), count)
    parts.append(ratio_rows(run, "rounds", "round.fumbled", groups, landed, share=True))
    for code, end in enumerate(names.ends):
        named = [end, *(f"{group}, {end}" for group in groups[1:])]
        columns = (len(ROUND) + code, count, count)
        parts.append(ratio_rows(run, "rounds", "round.end", named, columns, share=True))
    # an end that no round of the study has is no news
    ever = parts[-len(names.ends) :]
    shown = [part for part in ever if part["estimate"].max() or 0]
    return finish(run, [*parts[: -len(names.ends)], *shown])


def _quantiles(run: Any, column: str, steps: int) -> pl.DataFrame:
    """Return quantiles of a column of `rounds`, counted in steps; a deal counts once."""
    value = (pl.col(column) * steps).round().cast(pl.Int64).alias("value")
    counted = (
        run.scan("rounds")
        .filter(pl.col("end").cast(pl.String) != "not_played")
        .group_by("cell", "round", value)
        .len("count")
        .collect(engine="streaming")
    )
    by_round = (
        membership(run)
        .filter("head")
        .join(counted, on="cell")
        .group_by("unit", pl.format("round {}", "round").alias("group"), "value")
        .agg(pl.col("count").sum())
    )
    whole = by_round.group_by("unit", "value").agg(pl.col("count").sum())
    whole = whole.select("unit", pl.lit("all").alias("group"), "value", "count")
    table = pl.concat([whole, by_round]).sort("unit", "group", "value")
    keys = table.select("unit", "group").unique(maintain_order=True)
    clusters = [_deals(run, unit) for unit in keys["unit"]]
    index = table.select(pl.struct("unit", "group").rle_id()).to_series().to_numpy()
    found = inference.quantiles_of_counts(
        *(table["value"].to_numpy(), table["count"].to_numpy(), index), PERCENTS, clusters
    )
    totals = np.bincount(index, weights=table["count"].to_numpy()).astype(np.int64)
    deals = [", by deal" * units(run)[unit].rotate for unit in keys["unit"]]
    return pl.concat(
        keys.with_columns(
            pl.lit(f"round.{column}.p{percent:02d}").alias("metric"),
            pl.Series("estimate", found.estimate[:, at] / steps),
            pl.Series("low", found.low[:, at] / steps),
            pl.Series("high", found.high[:, at] / steps),
            pl.Series("n", totals),
            pl.Series("method", [f"order statistics{deal}" for deal in deals], dtype=pl.String),
        )
        for at, percent in enumerate(PERCENTS)
    )


def _deals(run: Any, number: int) -> int:
    """Return how many deals a unit has: those whose first round was played."""
    return int(sums(run).totals[number]["rounds"].seen[1, 0])


@per_run
def city(run: Any) -> pl.DataFrame:
    """Return where tags go, over the sampled games but for the first:

    - `map.icons_full`: share of games in which some icon had no hex left for somebody, of all;
    - `map.occupied` (group ICON, `all`): share of hexes with a tag before any comes off;
    - `map.tags_on` (group ICON, and "round 1, ICON"): share of the tags placed that lie on it; n
      is these tags;
    - `map.tagged` (group "hex 12"): share of games in which the hex was tagged.
    """
    names = sums(run).names
    by_round = [
        f"round {number + 1}, {icon}" for number in range(names.rounds) for icon in names.icons
    ]
    whole = GAME.index("games")
    parts = [
        ratio_rows(
            *(run, "games", "map.icons_full", ["all"], (GAME.index("full"), whole, whole)),
            share=True,
        ),
        ratio_rows(
            *(run, "occupied", "map.occupied", [*names.icons[:-1], "all"], (1, 0, 2)),
            share=True,
        ),
        ratio_rows(
            *(run, "icons", "map.tags_on", [*names.icons, *by_round]),
            (ICON.index("those"), ICON.index("tags"), ICON.index("tags")),
            share=True,
        ).filter(~pl.col("group").str.contains("none")),
        ratio_rows(
            *(run, "hexes", "map.tagged", [f"hex {number}" for number in range(names.hexes)]),
            (HEX.index("tagged"), HEX.index("games"), HEX.index("games")),
            share=True,
        ),
    ]
    return finish(run, parts)
