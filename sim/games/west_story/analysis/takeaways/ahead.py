"""Sentences on the first player, and on whether whoever is ahead or rich stays so."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.games.west_story.analysis.naming import round_of
from sim.takeaways.judging import beyond, bounded, ranged, verdict
from sim.takeaways.series import by_players, each_series, of_equals, of_series, rows_of, told
from sim.takeaways.telling import Rows, Series, Takeaway, grouped, seatings, series_of, span
from sim.verdicts import BALANCED, TOLERANCE, UNBALANCED
from sim.words import Words

SEEN_ENOUGH = 100
"""Games that must get to a round to speak of it."""
DECIDED = 0.8
"""From the round on after which the leader wins so often, a game is as good as decided."""
JUDGED = {
    BALANCED: f"less than {say.points(TOLERANCE)} either way, interval and all",
    UNBALANCED: f"more than {say.points(TOLERANCE)} at some table, beyond chance",
}


def first_player(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what a round as first player goes with, what the dice alone do, and what the seat."""
    every = bounded(rows_of(head, "first.win_at_ties"))
    adjusted = of_equals(bounded(rows_of(head, "first.win_per_round")), words)
    for series, rows in each_series(adjusted):
        ties = of_series(every, series)
        judged = verdict(ties, TOLERANCE) if ties else ""
        parts = [
            "At the same seat, a round more as first player goes with "
            f"{ranged(rows, _points)} points of win share {seatings(rows)}; but the dice go to "
            "the richest, with a coin of the pan."
        ]
        if ties:
            parts.append(
                "Where the richest tie, nobody takes a coin and only the dice pass. By how much "
                "whoever gets them then wins more often than the others of the tie: "
                f"{by_players(ties, _points)}; "
                f"{JUDGED.get(judged) or _unjudged(ties)}."
            )
        yield Takeaway("first player", judged, told(words, series, *parts, _seats(head, series)))


def _unjudged(ties: Rows) -> str:
    sure = len(beyond(ties))
    return (
        f"beyond chance in {sure} of {say.counted(len(ties), 'case')}, and undecided whether by "
        f"more than {say.points(TOLERANCE)}"
    )


def _seats(head: pl.DataFrame, series: Series | None) -> str:
    """Return what is left to the seat that is furthest off."""
    rows = of_series(bounded(rows_of(head, "first.win_by_seat")), series)
    sure = beyond(rows)
    if not sure:
        return "What is left to the seat, at as many rounds earned, is within chance."
    most = max(sure, key=lambda row: abs(row["estimate"]))
    same = [row for row in rows if row["group"] == most["group"]]
    return (
        "What is left to the seat, at as many rounds earned, is most for the "
        f"{say.ordinal(round_of(most['group']) + 1)}: {by_players(same, _points)} (beyond chance "
        f"in {sum(row in sure for row in same)} of {len(same)} cases)."
    )


def _points(value: float) -> str:
    return say.signed(100 * value)


def runaway(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often who leads and who is richest halfway wins, and what a coin is worth then."""
    leads = [row for row in rows_of(head, "runaway.leader") if row["n"] >= SEEN_ENOUGH]
    for series, rows in each_series(of_equals(leads, words)):
        tables = grouped(rows, lambda row: (*series_of(row), row["players"]))
        halfway = {table: _middle(own) for table, own in tables.items()}
        leader, richest, coin = (
            _at(rows_of(head, f"runaway.{name}"), halfway)
            for name in ("leader", "richest", "win_per_coin")
        )
        again = [row for row in rows_of(head, "runaway.again") if row["n"] >= SEEN_ENOUGH]
        fair = say.listed(say.exactly(1 / n) for n in sorted({row["players"] for row in rows}))
        text = (
            f"Halfway through, the leader in VP as things stand wins {by_players(leader, _whole)} "
            f"(fair: {fair}){_decided(tables)}. The richest wins {by_players(richest, _whole)}; a "
            "coin more than the others at equal VP goes with "
            f"{by_players(coin, _points)} points of win share. The richest is so again a round "
            f"later in {ranged(of_series(again, series), _whole)} of games."
        )
        yield Takeaway("snowball", "", told(words, series, text))


def _middle(rows: Rows) -> str:
    """Return the group of the round in the middle of the longest games of a table."""
    return f"round {round(max(round_of(row['group']) for row in rows) / 2)}"


def _at(rows: Rows, rounds: dict[tuple, str]) -> Rows:
    """Return the rows of each table that are about its round."""
    return [row for row in rows if rounds.get((*series_of(row), row["players"])) == row["group"]]


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def _decided(tables: dict[tuple, Rows]) -> str:
    """Return from which round on the leader wins four games in five."""
    found = []
    for own in tables.values():
        sure = {round_of(row["group"]): row["estimate"] >= DECIDED for row in own}
        later = [number for number in sure if all(sure[n] for n in sure if n >= number)]
        if later:
            found.append(min(later))
    if not found:
        return ""
    return f", and four games in five from round {span(found, lambda n: f'{n:.0f}')} on"
