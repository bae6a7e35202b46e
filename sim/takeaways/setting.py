"""Sentences on what was played: variants side by side, and what is assumed."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import verdicts
from sim import words as say
from sim.takeaways.telling import Takeaway, known_rows, span
from sim.words import Words

COMPARED = (
    ("turns.p50", "turns of a typical game", say.number),
    ("tie_rate", "shared wins", say.percent),
    ("lead_changes.mean", "lead changes", say.number),
)
FACTS_NAMED = 8


def variants(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how variants differ, over all numbers of players."""
    if len(words.variants) < 2:
        return
    details = []
    for metric, name, write in COMPARED:
        rows = known_rows(head, metric)
        spans = []
        for variant in words.variants:
            values = [row["estimate"] for row in rows if row["variant"] == variant]
            if values:
                spans.append(f"{words.variant(variant)} {span(values, write)}")
        if spans:
            details.append(f"{name}: {', '.join(spans)}")
    gaps = []
    for variant in words.variants:
        judged = [
            each
            for each in verdicts.seat_verdicts(head.filter(pl.col("variant") == variant))
            if each.verdict != verdicts.UNKNOWN
        ]
        if judged:
            gaps.append(
                f"{words.variant(variant)} {say.points(max(abs(each.gap) for each in judged))}"
            )
    if gaps:
        details.append(f"seat furthest from fair: {', '.join(gaps)}")
    if details:
        text = f"Variants side by side, over all tables: {'; '.join(details)}."
        yield Takeaway("variants", "", text)


def assumed(run: Any) -> Iterator[Takeaway]:
    """Tell how many numbers and rulings in use are assumed, and which."""
    facts = assumed_facts(run)
    if not facts:
        yield Takeaway("assumed", "", "No number or ruling in use is assumed.")
        return
    names = [f"{fact_name(key)} = {say.plain(value)}" for key, value in list(facts)[:FACTS_NAMED]]
    more = len(facts) - len(names)
    rest = f" and {more} more" if more > 0 else ""
    text = (
        f"{say.counted(len(facts), 'number or ruling', 'numbers and rulings')} in use "
        f"{'is' if len(facts) == 1 else 'are'} assumed, as no source for the game settles them: "
        f"{', '.join(names)}{rest}. What is said here may hang on them."
    )
    yield Takeaway("assumed", "", text)


def assumed_facts(run: Any) -> dict[tuple[str, str], str]:
    """Return (key, value) of every assumed fact in use in any variant, with its note."""
    return {
        (fact.key, fact.value): fact.note
        for variant in run.study.variants.values()
        for fact in run.game.facts(variant.components, variant.rulings)
        if fact.grade == "assumed"
    }


def fact_name(key: str) -> str:
    """Return a fact's dotted key in words: rulings.game_end is "game end"."""
    kind, _, name = key.partition(".")
    return say.plain(name) if kind == "rulings" else name
