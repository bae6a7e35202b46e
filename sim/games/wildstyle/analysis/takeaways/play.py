"""Sentences on tempo, cop cars, rounds and the map."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of
from sim.games.wildstyle.analysis.takeaways.telling import bounded, ranged, rows_of
from sim.takeaways.telling import (
    MOST_SERIES,
    Rows,
    Takeaway,
    grouped,
    in_series,
    known_rows,
    seatings,
    series_of,
)
from sim.words import Words

SEEN_ENOUGH = 100
"""Seats that must have taken so many cop cars to speak of them."""


def tempo(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what a player gains who is quicker than all others."""
    alone = [row for row in bounded(rows_of(head, "tempo.alone")) if _others(row) == 1]
    known = {_table(row) for row in alone}
    mixed = [row for row in bounded(rows_of(head, "tempo.win_share")) if _table(row) not in known]
    for rows, who, apart in (
        # one among equals is one question, whatever the line-ups that ask it
        (alone, "one player at another tempo than all others", _variant_alone),
        (mixed, "players at a table where all tempos of the study meet", series_of),
    ):
        for series, own in grouped(rows, apart).items():
            text = (
                f"Win share above an equal share, in points, of {who}: {_by_pace(own)}. The clock "
                "is assumed, so take the direction from it rather than the size."
            )
            if series[1]:
                text = in_series(words, series, text)
            elif len(words.variants) > 1:
                text = f"{words.variant(series[0])}: {text}"
            yield Takeaway("tempo", "", text)


def _by_pace(rows: Rows) -> str:
    parts = []
    for pace, found in sorted(grouped(rows, _own).items(), reverse=True):
        gains = say.listed(_gain(row) for row in found)
        counts = say.players([row["players"] for row in found])
        what = f"{abs(round(100 * (1 - pace)))} % {'quicker' if pace < 1 else 'slower'}"
        parts.append(f"{what if pace != 1 else 'tempo 1'}: {gains} with {counts}")
    return "; ".join(parts)


def _variant_alone(row: dict[str, Any]) -> tuple[str, str]:
    return row["variant"], ""


def _table(row: dict[str, Any]) -> tuple:
    return (*series_of(row), row["players"])


def _own(row: dict[str, Any]) -> float:
    return float(row["group"].split(" ")[0])


def _others(row: dict[str, Any]) -> float:
    return float(row["group"].split(" ")[-1])


def _gain(row: dict[str, Any]) -> str:
    fair = 1 / row["players"]
    low, high = (say.signed(100 * (row[end] - fair)) for end in ("low", "high"))
    return f"{say.signed(100 * (row['estimate'] - fair))} ({low} to {high})"


def cop_cars(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many cop cars are taken, what they cost, and how that goes with winning."""
    for series, own in _told_apart(known_rows(head, "player.cop_cars")).items():
        prices = _of(known_rows(head, "cars.price"), series)
        text = f"A player takes {ranged(own, _two)} cop cars a game {seatings(own)}."
        if prices:
            text += (
                f" A tag given up for one takes {ranged(prices, say.number)} points with it, hex "
                "and objectives together; some tags would have come off alone anyway."
            )
        wins = [
            row for row in _of(rows_of(head, "cars.win_share"), series) if row["n"] >= SEEN_ENOUGH
        ]
        gaps = {
            cars: ranged(
                [row | {"estimate": row["estimate"] - 1 / row["players"]} for row in found],
                lambda gap: say.signed(100 * gap),
            )
            for cars, found in grouped(wins, lambda row: row["group"]).items()
        }
        if gaps:
            listed = "; ".join(f"{cars}: {gap}" for cars, gap in gaps.items())
            text += (
                f" Win share above an equal share, in points: {listed}. That is observed: who "
                "rushes more may be behind already, so it is no price of a cop car."
            )
        yield Takeaway("cop cars", "", in_series(words, series, text) if series else text)


def rounds(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how long rounds last and how they end."""
    ends = known_rows(head, "round.end", None)
    for series, own in _told_apart(known_rows(head, "round.seconds.p50")).items():
        parts = []
        for row in own:
            low, high = (
                next(
                    found["estimate"]
                    for found in known_rows(head, f"round.seconds.{part}")
                    if _table(found) == _table(row)
                )
                for part in ("p05", "p95")
            )
            parts.append(
                f"{row['estimate']:.0f} seconds with {row['players']} ({low:.0f} to {high:.0f})"
            )
        if series is None:
            parts = [f"{ranged(own, lambda value: say.number(value, 0))} seconds by table"]
        reasons = grouped(
            [row for row in _of(ends, series) if "," not in row["group"]],
            lambda row: row["group"],
        )
        shares = [
            f"{name_of(reason, words).lower()} {ranged(found, say.percent)}"
            for reason, found in reasons.items()
        ]
        brackets = "; nine rounds in ten lie within the brackets" if series else ""
        text = (
            f"A typical round lasts {say.listed(parts)}{brackets}. Why rounds end: "
            f"{', '.join(shares)} {seatings(own)}. Seconds come from an assumed clock."
        )
        yield Takeaway("rounds", "", in_series(words, series, text) if series else text)


def city(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many tags come onto the map and off it, and how full it gets."""
    for series, own in _told_apart(known_rows(head, "player.placed")).items():
        found = {
            metric: _of(known_rows(head, metric), series)
            for metric in (
                "player.lost_solo",
                "player.lost_to_cars",
                "map.occupied",
                "map.icons_full",
            )
        }
        text = (
            f"A player places {ranged(own, say.number)} tags {seatings(own)}, and loses "
            f"{ranged(found['player.lost_solo'], _two)} as solo tags and "
            f"{ranged(found['player.lost_to_cars'], _two)} to cop cars."
        )
        if found["map.occupied"]:
            text += f" {ranged(found['map.occupied'], say.percent)} of the hexes get a tag;"
            text += (
                f" some icon runs out in {ranged(found['map.icons_full'], say.percent)} of games."
            )
        yield Takeaway("tags", "", in_series(words, series, text) if series else text)


def _two(value: float) -> str:
    return say.number(value, 2)


def _told_apart(rows: Rows) -> dict[Any, Rows]:
    """Return rows by series, or all under None if there are too many series to tell apart."""
    found = grouped(rows, series_of)
    return dict(found) if len(found) <= MOST_SERIES else {None: rows}


def _of(rows: Rows, series: Any) -> Rows:
    return [row for row in rows if series is None or series_of(row) == series]
