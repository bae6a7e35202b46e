"""Sentences on shapes and random rings."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.games.tag_city.analysis.naming import name_of
from sim.games.tag_city.analysis.takeaways.telling import (
    by_group,
    each_series,
    of_series,
    ranked,
    rows_of,
    told,
)
from sim.takeaways.judging import beyond, bounded, ranged, verdict
from sim.takeaways.telling import Rows, Takeaway, grouped
from sim.verdicts import BALANCED, UNBALANCED
from sim.words import Words

NAMED = 3
RING_TOLERANCE = 2.0
"""Points a player: a shape that moves scores by no more is about as good as any other."""
JUDGED = {
    BALANCED: "No shape moves scores by more than 2 points, interval and all.",
    UNBALANCED: "Some move scores by more than 2 points, beyond chance.",
}


def shapes(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which shapes find no room, and which nobody drafts."""
    for series, rows in each_series(rows_of(head, "shape.no_room")):
        left = of_series(rows_of(head, "shape.left"), series)
        text = (
            "No room for a die on it, most often: "
            f"{by_group(rows, words, say.percent, NAMED)}; least: "
            f"{by_group(rows, words, say.percent, NAMED, -1)}. Left over as the last die, most "
            f"often: {by_group(left, words, say.percent, NAMED)}."
        )
        yield Takeaway("shapes", "", told(words, series, text))


def rings(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what shapes on a random ring do to scores and length, and which rings are hard."""
    for series, rows in each_series(bounded(rows_of(head, "ring.score"))):
        sure = beyond(rows)
        tables = len({(row["players"], row["variant"], row["lineup"]) for row in rows})
        always = [
            row
            for own in grouped(sure, lambda row: row["group"]).values()
            if len(own) == tables and len({row["estimate"] > 0 for row in own}) == 1
            for row in own
        ]
        judged = verdict(rows, RING_TOLERANCE)
        parts = [
            "Against an average shape, a shape on the ring moves the score of a player"
            + (f": {_ups(always, words)}" if always else " at no table the same way, beyond chance")
            + f" (Holm over {len(rows)}).",
            JUDGED.get(judged, ""),
        ]
        length = beyond(of_series(bounded(rows_of(head, "ring.rounds")), series))
        if length:
            top = max(length, key=lambda row: abs(row["estimate"]))
            parts.append(
                f"Length moves most with {name_of(top['group'], words)}: "
                f"{say.signed(top['estimate'])} rounds with {say.players(top['players'])}."
            )
        parts.append(_extremes(head, words, series))
        yield Takeaway("random rings", judged, told(words, series, *parts))


def _ups(rows: Rows, words: Words) -> str:
    parts = []
    for sign, what in ((1, "up with"), (-1, "down with")):
        own = [row for row in rows if sign * row["estimate"] > 0]
        if own:
            parts.append(f"{what} {by_group(own, words, say.signed, NAMED, sign)}")
    return "; ".join(parts)


def _extremes(head: pl.DataFrame, words: Words, series: tuple[str, str] | None) -> str:
    """Return the rings with the highest and lowest fitted score with most players."""
    found = []
    for part in ("most", "least"):
        rows = of_series(rows_of(head, f"ring.score.{part}"), series)
        if not rows:
            return ""
        best, own = ranked([row for row in rows if row["players"] == rows[-1]["players"]])[0]
        found.append(f"{name_of(best, words)} ({ranged(own, say.number)} points a player)")
    explained = of_series(rows_of(head, "ring.score.explained"), series)
    return (
        f"By the fit the richest ring with {say.players(rows[-1]['players'])} is {found[0]}, the "
        f"poorest {found[1]}; picked out of all rings, both owe something to chance. Shapes "
        f"explain {ranged(explained, say.percent)} of how scores differ between games."
    )
