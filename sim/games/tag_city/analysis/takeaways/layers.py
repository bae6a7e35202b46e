"""Sentences on rows, columns and neighborhoods."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.games.tag_city.analysis.naming import LAYERS, name_of, percent_off
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

PAY_TOLERANCE = 0.1
"""So far from the mean of the layers, a layer still pays about as much a square."""
NAMED = 3
JUDGED = {
    BALANCED: "All lie within 10 % of their mean, interval and all.",
    UNBALANCED: "Some lie further than 10 % from their mean, beyond chance.",
}
HEADLINES = {
    UNBALANCED: "Rows, columns and neighborhoods do not pay evenly.",
    BALANCED: "Rows, columns and neighborhoods pay evenly.",
}


def layers(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell what the layers pay a square, and whether they pay evenly."""
    every = bounded(rows_of(head, "pay.from_mean"))
    short = HEADLINES.get(verdict(every, PAY_TOLERANCE), "") if every else ""
    for series, gaps in each_series(every):
        pay = of_series(rows_of(head, "pay.per_square"), series)
        done = of_series(rows_of(head, "pay.completed"), series)
        judged = verdict(gaps, PAY_TOLERANCE)
        yield Takeaway(
            "layers",
            judged,
            told(
                words,
                series,
                "Points a player for each square of the city: "
                f"{by_group(pay, words, lambda value: say.number(value, 3))}; against the mean of "
                f"the three: {by_group(gaps, words, percent_off)}.",
                JUDGED.get(judged, "Whether they pay evenly is undecided."),
                f"Completed by a player: {by_group(done, words, say.percent)}.",
                _variants(gaps, words) if series is None else "",
            ),
            short,
        )
        short = ""


def _variants(gaps: Rows, words: Words) -> str:
    """Return the variants in which the layers pay most and least evenly."""
    furthest = {
        variant: max(abs(row["estimate"]) for row in own)
        for variant, own in grouped(gaps, lambda row: row["variant"]).items()
    }
    if len(furthest) < 2:
        return ""
    order = sorted(furthest, key=lambda variant: furthest[variant])
    most, least = (
        f"{words.variant(variant)}, where layers lie at most {100 * furthest[variant]:.0f} % off"
        for variant in (order[0], order[-1])
    )
    return f"Most even of the variants is {most} the mean; least even {least}."


def fair_values(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell the values that would let the layers pay evenly."""
    for series, gaps in each_series(bounded(rows_of(head, "pay.from_mean"))):
        sure = {row["group"] for row in beyond(gaps)}
        large = of_series(rows_of(head, "fair.large"), series)
        small = of_series(rows_of(head, "fair.small"), series)
        factor = of_series(rows_of(head, "fair.factor"), series)
        if not sure or series is None:
            continue
        parts = []
        for layer in (name for name in LAYERS if name in sure):
            both = [
                ranged([row for row in rows if row["group"] == layer], _two)
                for rows in (large, small)
            ]
            now = [_now(rows, factor, layer) for rows in (large, small)]
            parts.append(
                f"{name_of(layer, words)} {both[0]} large and {both[1]} small instead of "
                f"{now[0]} and {now[1]}"
            )
        yield Takeaway(
            "fair values",
            "",
            told(
                words,
                series,
                f"To pay as much a square, on average: {'; '.join(parts)} (from lowest to highest "
                "by number of players).",
                "These games are scored again, not played again: players would adapt, so try it "
                "as a variant.",
            ),
        )


def _two(value: float) -> str:
    return say.number(value, 2)


def _now(rows: Rows, factor: Rows, layer: str) -> str:
    """Return the mean value in use, from the fair one and its factor."""
    value = next(row for row in rows if row["group"] == layer)
    times = next(
        row["estimate"]
        for row in factor
        if row["group"] == layer and row["players"] == value["players"]
    )
    return say.number(value["estimate"] / times, 1)


def sizes(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how points divide between large and small values."""
    for series, rows in each_series(rows_of(head, "pay.large_points")):
        shares = of_series(rows_of(head, "pay.large_share"), series)
        text = (
            f"Large values bring {by_group(rows, words, say.percent)} of what a layer pays; of "
            f"the elements that are completed, {by_group(shares, words, say.percent)} bring the "
            "large one."
        )
        yield Takeaway("large and small values", "", told(words, series, text))


def races(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which elements are won early and late, and which two or more complete."""
    for series, rows in each_series(bounded(rows_of(head, "element.round"))):
        met = of_series(rows_of(head, "element.contested"), series)
        tables = max(len(own) for own in grouped(rows, lambda row: row["group"]).values())
        always = [row for _, own in ranked(rows) if len(own) == tables for row in own]
        text = (
            "The large value goes first, by mean round, of "
            f"{by_group(always, words, say.number, NAMED, -1)}; last of "
            f"{by_group(always, words, say.number, NAMED)}. Most raced for, by the share of games "
            f"in which two or more complete it: {by_group(met, words, say.percent, NAMED)}; least: "
            f"{by_group(met, words, say.percent, NAMED, -1)}."
        )
        yield Takeaway("races", "", told(words, series, text))
