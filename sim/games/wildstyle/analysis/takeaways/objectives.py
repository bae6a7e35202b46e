"""Sentences on the objective tiles."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import polars as pl

from sim import words as say
from sim.games.wildstyle.analysis.naming import name_of, radii, table_name
from sim.games.wildstyle.analysis.takeaways.telling import (
    Write,
    agreement,
    beyond,
    bounded,
    leading,
    one_size,
    ranged,
    rows_of,
    told,
    verdict,
)
from sim.takeaways.telling import Rows, Takeaway, grouped, in_series, series_of
from sim.verdicts import BALANCED, UNBALANCED
from sim.words import Words

SIDE_TOLERANCE = 2.0
"""Points a player: so far from the mean of all, an objective is still worth about the same."""
SET_TOLERANCE = 3.0
"""Points a player: so far from the mean of all, a set of tiles is still worth about the same."""
NAMED = 2
HEADLINES = {
    UNBALANCED: "Objectives are not worth the same.",
    BALANCED: "Objectives are worth about the same.",
}


def worth(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which objectives bring most and least points, and whether they are level."""
    rows, gaps = rows_of(head, "objective.points"), bounded(rows_of(head, "objective.fair_change"))
    if not gaps:
        return
    best, worst = leading(rows), leading(rows, -1)
    far = grouped(beyond(gaps, SIDE_TOLERANCE), lambda row: row["group"])
    names = say.listed(name_of(side, words) for side in far)
    every = grouped(gaps, lambda row: row["group"])
    level = [side for side, own in every.items() if _inside(own, SIDE_TOLERANCE)]
    parts = [
        f"Worth most in points a player: {told(best, words, say.number)}.",
        agreement(run, words, best),
        f"Worth least: {told(worst, words, say.number)}.",
        agreement(run, words, worst),
        f"{len(level)} of {len(every)} objectives lie within {SIDE_TOLERANCE:g} points of the mean "
        "of all at every table, interval and all;",
        f"beyond chance further off at some table (Holm over {len(gaps)}): {names}."
        if far
        else f"none is further off beyond chance (Holm over {len(gaps)}).",
        one_size(run),
    ]
    judged = verdict(gaps, SIDE_TOLERANCE)
    text = in_series(words, next(iter(best)), _text(parts))
    yield Takeaway("objectives", judged, text, HEADLINES.get(judged, ""))


def _inside(rows: Rows, tolerance: float) -> bool:
    return all(row["low"] >= -tolerance and row["high"] <= tolerance for row in rows)


def _text(parts: list[str]) -> str:
    return " ".join(part.strip() for part in parts if part)


def deciding(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which objectives decide most and fewest games."""
    rows = rows_of(head, "objective.decides")
    if len({row["group"] for row in rows}) < 2:
        return
    most, least = leading(rows), leading(rows, -1)
    parts = [
        "An objective decides a game if others would win it had nobody scored it. Most often, as "
        f"a share of the games with it: {told(most, words, say.percent)}.",
        agreement(run, words, most),
        f"Least often: {told(least, words, say.percent)}.",
        agreement(run, words, least),
    ]
    yield Takeaway("what decides games", "", in_series(words, next(iter(most)), _text(parts)))


def fair_values(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell the points that would bring the objectives furthest off to the others."""
    changes = bounded(rows_of(head, "objective.fair_change"))
    if not changes:
        return
    first = series_of(changes[0])
    changes = [row for row in changes if series_of(row) == first]
    units = grouped(rows_of(head, "objective.fair_unit"), lambda row: row["group"])
    by_wins = grouped(rows_of(head, "objective.fair_unit_by_wins"), lambda row: row["group"])
    sides = run.study.variants[first[0]].components["objectives"]["sides"]
    sure = grouped(beyond(changes), lambda row: row["group"])
    means = {side: fmean(row["estimate"] for row in own) for side, own in sure.items()}
    order = sorted(means, key=lambda side: means[side])
    named = [side for side in order[:NAMED] if means[side] < 0]
    named += [side for side in reversed(order[-NAMED:]) if means[side] > 0]
    if not named:
        return
    two = lambda value: say.number(value, 2)  # noqa: E731
    parts = []
    for side in named:
        own = [row for row in units[side] if series_of(row) == first]
        wins = [row for row in by_wins.get(side, []) if series_of(row) == first]
        also = f", by wins {ranged(wins, two)}" if wins else ""
        now = say.number(sides[side]["points"])
        parts.append(f"{name_of(side, words)} {ranged(own, two)} instead of {now}{also}")
    text = (
        "To bring as much as the mean of all, each figure, tag or set would have to score: "
        f"{'; '.join(parts)} (from lowest to highest by number of players). These games are "
        "scored again, not played again: players would adapt, so try it as a variant."
    )
    yield Takeaway("fair values", "", in_series(words, first, text))


def side_gaps(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell on which tiles one side brings more than the other at every table."""
    rows = bounded(rows_of(head, "sides.gap"))
    if not rows:
        return
    sure = beyond(rows)
    counts = grouped(rows, lambda row: row["group"])
    always = {
        tile: own
        for tile, own in grouped(sure, lambda row: row["group"]).items()
        if len(own) == len(counts[tile]) and len({row["estimate"] > 0 for row in own}) == 1
    }
    parts = []
    for tile, own in sorted(always.items(), key=lambda item: -_size(item[1])):
        a, b = tile.split(" against ")
        more, less = (a, b) if own[0]["estimate"] > 0 else (b, a)
        gap = ranged([row | {"estimate": abs(row["estimate"])} for row in own], say.number)
        parts.append(f"{name_of(more, words)} over {name_of(less, words)} by {gap}")
    text = (
        f"On {len(always)} of {len(counts)} tiles one side brings more points a player than the "
        f"other at every table, beyond chance (Holm over {len(rows)})"
    )
    yield Takeaway("sides of a tile", "", f"{text}: {'; '.join(parts)}." if parts else f"{text}.")


def _size(rows: Rows) -> float:
    return fmean(abs(row["estimate"]) for row in rows)


def tile_sets(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell the best and worst set, the lopsided and the flat one, and tiles that go together."""
    gaps, spreads = bounded(rows_of(head, "tileset.from_mean")), rows_of(head, "tileset.spread")
    if not gaps:
        return
    sets = {row["group"] for row in gaps}
    far = {row["group"] for row in beyond(gaps, SET_TOLERANCE)}
    parts = [
        f"Of {len(sets)} sets of tiles the best on average over all tables is "
        f"{_extreme(run, gaps, words, 1, say.signed)} in points a player from the mean of all; the "
        f"worst is {_extreme(run, gaps, words, -1, say.signed)}.",
        f"{len(far)} {'is' if len(far) == 1 else 'are'} further than {SET_TOLERANCE:g} points from "
        f"the mean at some table, beyond chance (Holm over {len(gaps)}).",
    ]
    if spreads:
        parts.append(
            "Most lopsided, by the standard deviation of these points between the players of a "
            f"game: {_extreme(run, spreads, words, 1, say.number)}; flattest: "
            f"{_extreme(run, spreads, words, -1, say.number)}."
        )
    parts.append(f"Of {len(sets)} the first and the last owe something to chance.")
    yield Takeaway("sets of tiles", verdict(gaps, SET_TOLERANCE), _text(parts))
    yield from _pairs(head, words)


def _extreme(run: Any, rows: Rows, words: Words, sign: int, write: Write) -> str:
    """Return the set with the highest mean (lowest for -1), and its range by series."""
    every = grouped(rows, lambda row: row["group"])
    tables = max(len(own) for own in every.values())
    means = {
        group: sign * fmean(row["estimate"] for row in own)
        for group, own in every.items()
        if len(own) == tables
    }
    best = max(means, key=lambda group: means[group])
    ranges = [
        f"{ranged(own, write)} in {table_name(*series, words, radii(run))}"
        if words.series(*series)
        else ranged(own, write)
        for series, own in grouped(every[best], series_of).items()
    ]
    more = f" and otherwise in {len(ranges) - 2} more" if len(ranges) > 2 else ""
    return f"{name_of(best, words)} ({'; '.join(ranges[:2])}{more})"


def _pairs(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    rows = bounded(rows_of(head, "tileset.pair"))
    if not rows:
        return
    sure = beyond(rows, method="fdr_bh")
    tables = len({(*series_of(row), row["players"]) for row in rows})
    always = {
        pair: own
        for pair, own in grouped(sure, lambda row: row["group"]).items()
        if len(own) == tables and len({row["estimate"] > 0 for row in own}) == 1
    }
    order = sorted(always, key=lambda pair: fmean(row["estimate"] for row in always[pair]))
    parts = []
    for names, what in (
        ([pair for pair in reversed(order) if always[pair][0]["estimate"] > 0], "more"),
        ([pair for pair in order if always[pair][0]["estimate"] < 0], "less"),
    ):
        told_of = [
            f"{name_of(pair, words)} ({ranged(always[pair], say.signed)})" for pair in names[:NAMED]
        ]
        if told_of:
            parts.append(f"{what} than the sum: {', '.join(told_of)}")
    text = (
        f"{len(always)} pairs of tiles bring more or less points a player together than the sum of "
        "what each adds, at every table, beyond chance (Benjamini-Hochberg over "
        f"{len(rows)})"
    )
    yield Takeaway(
        "tiles together", "", f"{text}. Most {'; '.join(parts)}." if parts else f"{text}."
    )
