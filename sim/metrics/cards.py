"""How cards are used and how they go with winning, from the long table `cards`."""

from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.metrics.moments import share_scale
from sim.metrics.rows import plain_rows
from sim.metrics.tidy import SCHEMA, finish, membership, per_run, units

TABLE = "cards"
COUNTED = ("games", "held", "played", "games_held", "games_played", "played_by_winners")
WINS = ("wins", "wins_held", "wins_played")
SQUARES = ("wins_held_sq", "wins_played_sq")


def has_cards(run: Any) -> bool:
    """Tell whether the game counts cards."""
    return TABLE in run.game.long_tables


@per_run
def cards(run: Any) -> pl.DataFrame:
    """Return for each card (group "card NAME"), over games that ended by rule:

    - `card.held_per_game`, `card.played_per_game`: copies in hands and copies played, all seats;
    - `card.win_held`, `card.win_played`: win share of players in games in which they held or
      played it;
    - `card.held_lift`: improvement when held, `win_held` minus the win share in games without it;
    - `card.played_by_winners`: share of the plays that were made by winners;
    - `card.<column>_per_play`: the game's own sums for each copy played, such as hearts;
    - `card.played_by_style` (group "style NAME, card NAME") where two styles meet: copies that
      one player of the style plays in a game.

    Counts over so many games have no interval to speak of and are given without.
    """
    if not has_cards(run):
        return pl.DataFrame(schema=SCHEMA)
    table = _by_unit(run)
    whole = table.group_by("unit", "card", maintain_order=True).agg(pl.exclude("style").sum())
    whole = _about(run, whole.with_columns(group=pl.lit("card ") + pl.col("card").cast(pl.String)))
    games = pl.col("games") / pl.col("players")
    parts = [
        _plain(whole, "card.held_per_game", pl.col("held") / games),
        _plain(whole, "card.played_per_game", pl.col("played") / games),
        *_win_rows(whole),
        _plain(whole, "card.played_by_winners", pl.col("played_by_winners") / pl.col("played")),
    ]
    parts += [
        _plain(whole, f"card.{name}_per_play", pl.col(name) / pl.col("played"))
        for name in _own_sums(run)
    ]
    return finish(run, [*parts, _by_style(run, table)])


def _own_sums(run: Any) -> list[str]:
    """Return the game's own columns of the table: sums over copies played."""
    known = {"seat", "style", "card", *COUNTED, *WINS, *SQUARES}
    return [column.name for column in run.game.long_tables[TABLE] if column.name not in known]


def _by_unit(run: Any) -> pl.DataFrame:
    """Return sums by unit, style and card; wins in whole parts of `share_scale`."""
    scales = run.cells.select("cell", "players").with_columns(
        scale=pl.col("players").map_elements(share_scale, return_dtype=pl.Int64)
    )
    own = _own_sums(run)
    # whole numbers: a sum of fractions would depend on the order in which threads add
    sums = [pl.col(name).cast(pl.Int64) for name in COUNTED]
    sums += [pl.col(name).cast(pl.Int64) for name in own]
    sums += [(pl.col(name) * pl.col("scale")).round().cast(pl.Int64) for name in WINS]
    sums += [(pl.col(name) * pl.col("scale") ** 2).round().cast(pl.Int64) for name in SQUARES]
    table = (
        run.scan(TABLE)
        .join(scales.lazy(), on="cell")
        .group_by("cell", "style", "card")
        .agg(column.sum() for column in sums)
        .collect(engine="streaming")
    )
    return (
        membership(run)
        .join(table, on="cell")
        .group_by("unit", "style", "card")
        .agg(pl.col(*COUNTED, *own, *WINS, *SQUARES).sum())
        .sort("unit", "style", "card")
    )


def _about(run: Any, table: pl.DataFrame) -> pl.DataFrame:
    """Add each unit's players, and what turns its sums of wins into shares."""
    about = pl.DataFrame(
        {
            "unit": pl.Series(range(len(units(run))), dtype=pl.UInt32),
            "players": [unit.players for unit in units(run)],
            "scale": [share_scale(unit.players) for unit in units(run)],
            "together": [unit.games_a_deal for unit in units(run)],
        }
    )
    return table.join(about, on="unit", how="left", maintain_order="left")


def _plain(table: pl.DataFrame, metric: str, estimate: pl.Expr) -> pl.DataFrame:
    """Return rows without an interval; n is games."""
    known = table.filter(pl.col("played") > 0) if "_per_play" in metric else table
    return plain_rows(known, metric, estimate, pl.col("games") // pl.col("players"))


def _win_rows(table: pl.DataFrame) -> list[pl.DataFrame]:
    """Return win shares when held and played, and the difference that holding goes with."""
    held = _mean(table, "wins_held", "wins_held_sq", "games_held")
    played = _mean(table, "wins_played", "wins_played_sq", "games_played")
    without = table["games"].to_numpy() - table["games_held"].to_numpy()
    rest = _divide((table["wins"] - table["wins_held"]).to_numpy() / table["scale"], without)
    # the squares without the card are not stored: a share's variance is at most that of a count
    rest_variance = _divide(rest * (1 - rest) * table["together"].to_numpy(), without)
    lift = held[0] - rest
    clusters = _deals(table, "games_held"), _deals(table, "games_played")
    by_deal = table["together"].to_numpy() > 1
    shares = [
        inference.share_interval(*mean, n, n, False, by_deal)
        for mean, n in zip((held, played), clusters, strict=True)
    ]
    gap = inference.mean_interval(lift, held[1] + rest_variance, clusters[0], by_deal)
    return [
        _interval_rows(table, "card.win_held", held[0], shares[0], "games_held"),
        _interval_rows(table, "card.win_played", played[0], shares[1], "games_played"),
        _interval_rows(table, "card.held_lift", lift, gap, "games_held"),
    ]


def _deals(table: pl.DataFrame, games: str) -> np.ndarray:
    """Return how many independent seats stand behind a count of seats."""
    return table[games].to_numpy() // table["together"].to_numpy()


def _mean(
    table: pl.DataFrame, wins: str, squares: str, games: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return a mean win share over seats and its variance.

    Seats at one table win at each other's cost, so taking them as independent errs to the wide
    side; the games of one deal may go alike, so a deal counts once.
    """
    scale, n = table["scale"].to_numpy(), table[games].to_numpy()
    mean = _divide(table[wins].to_numpy() / scale, n)
    spread = _divide(table[squares].to_numpy() / scale**2, n) - mean**2
    return mean, _divide(np.maximum(spread, 0) * table["together"].to_numpy(), n - 1)


def _divide(a: Any, b: Any) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(b) > 0, np.asarray(a) / b, np.nan)


def _interval_rows(
    table: pl.DataFrame, metric: str, mean: np.ndarray, interval: inference.Interval, n: str
) -> pl.DataFrame:
    return table.select(
        "unit",
        pl.lit(metric).alias("metric"),
        "group",
        pl.Series("estimate", mean),
        pl.Series("low", interval.low),
        pl.Series("high", interval.high),
        pl.col(n).alias("n"),
        pl.Series("method", interval.method.tolist(), dtype=pl.String),
    )


def _by_style(run: Any, table: pl.DataFrame) -> pl.DataFrame:
    """Return copies played by one player of a style; cells inside a pool are left to the pool."""
    mixed = [n for n, unit in enumerate(units(run)) if unit.head and len(unit.styles) > 1]
    style, card = pl.col("style").cast(pl.String), pl.col("card").cast(pl.String)
    rows = table.filter(pl.col("unit").is_in(mixed)).with_columns(
        group=pl.format("style {}, card {}", style, card), players=pl.lit(1)
    )
    return _plain(rows, "card.played_by_style", pl.col("played") / pl.col("games"))
