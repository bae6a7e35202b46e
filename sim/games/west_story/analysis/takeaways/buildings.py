"""Sentences on building types and sets of five."""

from collections.abc import Iterator
from functools import partial

import polars as pl

from sim import words as say
from sim.games.west_story.analysis.naming import name_of
from sim.takeaways import series as by_series
from sim.takeaways.judging import beyond, bounded, ranged, verdict
from sim.takeaways.series import each_series, of_series, rows_of, told
from sim.takeaways.telling import Rows, Series, Takeaway, grouped
from sim.verdicts import BALANCED, LEVEL, UNBALANCED
from sim.words import Words

NAMED = 3
TOLERANCE = 2.0
"""VP a player: a type that moves scores by no more is about as good as any other."""
JUDGED = {
    BALANCED: f"No type moves scores by more than {TOLERANCE:g} VP, interval and all.",
    UNBALANCED: f"Some move scores by more than {TOLERANCE:g} VP, beyond chance.",
}
SHORT = {
    BALANCED: "No building type moves scores much.",
    UNBALANCED: "Building types move scores.",
}

_by_group = partial(by_series.by_group, name_of=name_of)


def buildings(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what building types do to scores, whether sets differ, and which are rich and poor."""
    every = bounded(rows_of(head, "building.score"))
    every = [row for row in every if row["group"].startswith("card ")]
    short = SHORT.get(verdict(every, TOLERANCE), "") if every else ""
    for series, rows in each_series(every):
        judged = verdict(rows, TOLERANCE)
        sure = _everywhere(rows)
        parts = [
            "Against an average type, a building type in play moves the score of a player "
            f"{_ups(sure, words) or 'at no table the same way, beyond chance'} (Holm over "
            f"{len(rows)}).",
            JUDGED.get(judged, ""),
            _spreads(head, words, series),
            _sets(head, words, series),
        ]
        yield Takeaway("building types", judged, told(words, series, *parts), short)
        short = ""


def _everywhere(rows: Rows) -> Rows:
    """Return the rows of types that differ from 0 one way at every table, beyond chance."""
    tables = len({(row["players"], row["variant"], row["lineup"]) for row in rows})
    return [
        row
        for own in grouped(beyond(rows), lambda row: row["group"]).values()
        if len(own) == tables and len({row["estimate"] > 0 for row in own}) == 1
        for row in own
    ]


def _ups(rows: Rows, words: Words) -> str:
    parts = []
    for sign, what in ((1, "up with"), (-1, "down with")):
        own = [row for row in rows if sign * row["estimate"] > 0]
        if own:
            parts.append(f"{what} {_by_group(own, words, say.signed, NAMED, sign)}")
    return "; ".join(parts)


def _spreads(head: pl.DataFrame, words: Words, series: Series | None) -> str:
    """Return the type that sets players apart most, if any does beyond chance."""
    rows = of_series(bounded(rows_of(head, "building.spread")), series)
    sure = beyond([row for row in rows if row["group"].startswith("card ")])
    if not sure:
        return "No type sets the scores of a table further apart, or closer together, for certain."
    best = max(sure, key=lambda row: abs(row["estimate"]))
    return (
        f"The spread of scores at a table changes most with {name_of(best['group'], words)}: "
        f"{say.signed(best['estimate'])} VP with {say.players(best['players'])}."
    )


def _sets(head: pl.DataFrame, words: Words, series: Series | None) -> str:
    """Return whether sets differ, which are certain to, and the ends of the fit."""
    tests = of_series(rows_of(head, "building_set.score.p"), series)
    spread = of_series(rows_of(head, "building_set.score.sd"), series)
    gaps = of_series(bounded(rows_of(head, "building_set.from_mean")), series)
    if not tests or not gaps:
        return ""
    many = len({row["group"] for row in gaps})
    differ = sum(row["estimate"] < LEVEL for row in tests)
    parts = [
        f"That the {many} sets are all alike is ruled out at {differ} of {len(tests)} tables; "
        f"beyond chance their mean scores spread by {ranged(spread, say.number)} VP (standard "
        "deviation).",
        _ends(head, words, series, many),
        f"{len({row['group'] for row in beyond(gaps)})} sets are off the mean at some table (Holm "
        f"over {len(gaps)}).",
    ]
    return " ".join(part for part in parts if part)


def _ends(head: pl.DataFrame, words: Words, series: Series | None, many: int) -> str:
    """Return the richest and the poorest set by the fit, with most players."""
    ends = []
    for part, what in (("most", "richest"), ("least", "poorest")):
        rows = of_series(rows_of(head, f"building.score.{part}"), series)
        if not rows:
            return ""
        row = rows[-1]
        name, value = name_of(row["group"], words), say.number(row["estimate"])
        ends.append(f"{what} {name} ({value} VP a player)")
    return (
        f"By the fit with {say.players(row['players'])}: {'; '.join(ends)}; picked out of {many}, "
        "both owe something to chance."
    )
