"""Sentences on ends, drones, checks and the city."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.games.tag_city.analysis.takeaways.telling import (
    by_players,
    each_series,
    of_series,
    rows_of,
    told,
)
from sim.takeaways.judging import beyond, bounded, ranged
from sim.takeaways.telling import Rows, Takeaway, grouped, seatings
from sim.words import Words

SEEN_ENOUGH = 100
"""Seats that must have used so many to speak of them."""
RARE = 0.005


def ends(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which condition ends games, and after how many rounds."""
    reasons = rows_of(head, "end_reason")
    for series, rows in each_series(reasons):
        rounds = of_series(rows_of(head, "rounds.mean", "all"), series)
        parts = [
            f"{words.title(reason)}: {by_players(own, say.percent)}"
            for reason, own in grouped(rows, lambda row: row["group"]).items()
            if max(row["estimate"] for row in own) >= RARE
        ]
        text = f"What ends games: {'; '.join(parts)}."
        if rounds:
            text += f" Rounds: {by_players(rounds, say.number)}."
        yield Takeaway("end conditions", "", told(words, series, text))


def drones(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many drones fly, what they cost, and how that goes with winning."""
    yield from _used(head, words, "drones", "drones", "drone")


def checks(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often networks are checked, what it costs, and how that goes with winning."""
    yield from _used(head, words, "checks", "checks", "check")


def _used(head: pl.DataFrame, words: Words, kind: str, plural: str, one: str) -> Iterator[Takeaway]:
    uses = "drones.used" if kind == "drones" else "checks.made"
    for series, rows in each_series(rows_of(head, uses, "all")):
        cost = of_series(rows_of(head, f"{kind}.points", "all"), series)
        slope = of_series(bounded(rows_of(head, f"{kind}.win_per_use")), series)
        parts = [
            f"A player {'flies' if kind == 'drones' else 'makes'} {ranged(rows, _two)} {plural} a "
            f"game {seatings(rows)}; they are worth {ranged(cost, _two)} points."
        ]
        won = [
            row
            for row in of_series(rows_of(head, f"{kind}.win_share"), series)
            if row["n"] >= SEEN_ENOUGH
        ]
        if len({row["group"] for row in won}) > 1:
            parts.append(f"Win share above an equal share, in points: {_by_count(won)}.")
        if slope:
            sure = len(beyond(slope))
            parts.append(
                f"Within a game, one {one} more goes with {ranged(slope, _points)} points of win "
                f"share (beyond chance at {sure} of {len(slope)} tables)."
            )
        if won or slope:
            parts.append(
                "That is observed: who is ahead may end the game so, and who is stuck has "
                f"little else to do, so it is no price of a {one}."
            )
        broken = of_series(rows_of(head, "ties.broken"), series) if kind == "checks" else []
        if broken and max(row["estimate"] for row in broken) > 0:
            parts.append(f"Bubbles decide a tie in {ranged(broken, say.percent)} of games.")
        yield Takeaway("drones" if kind == "drones" else "bubbles", "", told(words, series, *parts))


def _by_count(won: Rows) -> str:
    parts = []
    for group, own in grouped(
        sorted(won, key=lambda row: int(row["group"].split()[0])), lambda row: row["group"]
    ).items():
        gaps = [row | {"estimate": row["estimate"] - 1 / row["players"]} for row in own]
        parts.append(f"{group.split()[0]}: {ranged(gaps, _points)}")
    return "; ".join(parts)


def _two(value: float) -> str:
    return say.number(value, 2)


def _points(value: float) -> str:
    return say.signed(100 * value)


def city(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how full cities are in the end, and how many free squares are holes."""
    for series, rows in each_series(rows_of(head, "city.painted", "all")):
        holes, share, last = (
            of_series(rows_of(head, f"city.{name}", "all"), series)
            for name in ("holes", "holes_of_free", "last_points")
        )
        text = (
            f"Squares that a player paints: {by_players(rows, say.number)}. "
            f"{ranged(holes, say.number)} squares a city are holes in the end"
        )
        text += f", {ranged(share, say.percent)} of the free ones." if share else "."
        text += f" What last dice complete brings {ranged(last, say.number)} points a player."
        yield Takeaway("the city", "", told(words, series, text))
