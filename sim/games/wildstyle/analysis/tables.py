"""Tables of Wildstyle's own metrics for people: human names, rounded numbers, intervals."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import polars as pl

from sim import tables
from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of
from sim.tables import interval, points, rows_of, series_columns, share
from sim.words import Words

Row = dict[str, Any]
Write = Callable[[Row], str]
MOST_PAIRS = 20

by_players = partial(tables.by_players, name_of=name_of)
_wide = partial(tables.wide, name_of=name_of)


def points_of_sides(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the mean points a player of each objective."""
    return by_players(head, words, "objective.points", "Objective", interval)


def of_sides(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return all that is known of each objective at each table."""
    one = interval
    columns: list[tuple[str, str, Write]] = [
        ("objective.points", "Points", one),
        ("objective.completed", "Completed", share),
        ("objective.tags_used", "Tags used", one),
        ("objective.lost", "Points lost to removals", lambda row: interval(row, 2)),
        ("objective.share_of_score", "Of the score", share),
        ("objective.of_possible", "Of the possible", share),
        ("objective.win_gain_raw", "Completed against not, win share", points),
        ("objective.win_gain", "The same, adjusted", points),
        ("objective.win_worth", "Win share owed to it", share),
        ("objective.win_per_point", "Win share a point", points),
        ("objective.decides", "Decides", share),
    ]
    alone = lambda group: group != "all" and not group.startswith("style ")  # noqa: E731
    return _wide(head, words, columns, "Objective", alone)


def by_style(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the mean points of each objective by style, where two styles meet."""
    rows = head.filter(pl.col("group").str.starts_with("style "))
    columns: list[tuple[str, str, Write]] = [
        ("objective.points", "Points", interval),
        ("objective.completed", "Completed", share),
    ]
    return _wide(rows, words, columns, "Style and objective")


def deciding(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how often each objective decides who wins."""
    return by_players(head, words, "objective.decides", "Objective", share)


def worth(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the win share that a player owes to each objective."""
    return by_players(head, words, "objective.win_worth", "Objective", share)


def fair_values(run: Any, head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the points for each figure, tag or set that would make objectives worth the same."""
    columns: list[tuple[str, str, Write]] = [
        ("objective.fair_unit", "Fair by points", lambda row: interval(row, 2)),
        (
            "objective.fair_change",
            "Change a player",
            lambda row: interval(row, 1, signed=True),
        ),
        ("objective.fair_unit_by_wins", "Fair by wins", lambda row: interval(row, 2)),
        (
            "objective.fair_change_by_wins",
            "Change a player by wins",
            lambda row: interval(row, 1, signed=True),
        ),
    ]

    def now(row: Row) -> str:
        sides = run.study.variants[row["variant"]].components["objectives"]["sides"]
        return str(sides[row["group"]]["points"])

    return _wide(head, words, [("objective.fair_unit", "Now", now), *columns], "Objective")


def side_gaps(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return A sides against the B sides on their backs."""
    return by_players(head, words, "sides.gap", "Tile", lambda row: interval(row, 1, signed=True))


def tile_sets(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what each set of tiles brings, and how far it tells players apart."""
    columns: list[tuple[str, str, Write]] = [
        ("tileset.points", "Points with tiles", interval),
        ("tileset.from_mean", "From the mean", lambda row: interval(row, 1, signed=True)),
        ("tileset.spread", "Spread between players", interval),
        ("tileset.margin", "Margin", interval),
        ("tileset.ties", "Shared wins", share),
    ]
    return _wide(head, words, columns, "Tiles")


def pairs(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the pairs of tiles that bring most beyond, or most below, the sum of both."""
    table = by_players(
        head, words, "tileset.pair", "Tiles", lambda row: interval(row, 1, signed=True)
    )
    half = MOST_PAIRS // 2
    return table if len(table) <= MOST_PAIRS else pd.concat([table[:half], table[-half:]])


def cop_cars(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return cop cars taken, tags given up for them and what these took along."""
    columns: list[tuple[str, str, Write]] = [
        ("player.cop_cars", "Cop cars a player", lambda row: interval(row, 2)),
        ("player.lost_to_cars", "Tags given up", lambda row: interval(row, 2)),
        ("cars.price", "Points gone with such a tag", interval),
    ]
    return _wide(head, words, columns, wanted=lambda group: group == "all")


def cars_and_wins(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by cop cars taken."""
    columns: list[tuple[str, str, Write]] = [
        ("cars.seats", "Players who took so many", share),
        ("cars.win_share", "Win share", share),
    ]
    return _wide(head, words, columns, "Cop cars")


def tempo(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by tempo."""
    alone = by_players(head, words, "tempo.alone", "Tempo", share)
    return pd.concat([alone, by_players(head, words, "tempo.win_share", "Tempo", share)]).fillna("")


def rounds(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how long rounds last and how they go."""
    whole = lambda row: say.number(row["estimate"], 0)  # noqa: E731
    columns: list[tuple[str, str, Write]] = [
        ("round.seconds.p50", "Seconds, median", whole),
        ("round.seconds.p05", "5 %", whole),
        ("round.seconds.p95", "95 %", whole),
        ("round.seconds", "Seconds, mean", interval),
        ("round.acts", "Acts", interval),
        ("round.fumbled", "Acts that failed", share),
        ("round.rushed", "Sets rushed", lambda row: interval(row, 2)),
    ]
    return _wide(head, words, columns, "Round")


def round_ends(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how rounds end, by number of the round too."""
    found: dict[Any, dict[str, str]] = {}
    for row in rows_of(head, "round.end"):
        number, _, reason = row["group"].rpartition(", ")
        about = {"Players": str(row["players"])} | series_columns(row, words)
        about["Round"] = number.removeprefix("round ") or "all"
        found.setdefault(tuple(about.values()), about)[name_of(reason, words)] = share(row)
    return pd.DataFrame([found[key] for key in sorted(found)]).fillna("")


def tags(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return tags placed and lost, and how players spend their time."""
    two = lambda row: interval(row, 2)  # noqa: E731
    columns: list[tuple[str, str, Write]] = [
        ("player.placed", "Tags placed", interval),
        ("player.lost_solo", "Lost as solo tags", two),
        ("player.lost_to_cars", "Given up for cop cars", two),
        ("player.acts", "Acts", interval),
        ("player.fumbled", "Acts that failed", share),
        ("player.waits", "Waits", interval),
    ]
    return _wide(head, words, columns, "Who")


def occupied(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return which share of each icon's hexes is tagged."""
    return by_players(head, words, "map.occupied", "Icon", share)


def tags_on(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return on which icons tags lie, by round."""
    return by_players(head, words, "map.tags_on", "Icon", share)
