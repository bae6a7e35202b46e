"""Sentences on what was played: variants side by side, and what is assumed."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import verdicts
from sim import words as say
from sim.takeaways.telling import Takeaway, grouped, known_rows, span
from sim.verdicts import SeatVerdict
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
    furthest = _furthest_seats(head, words)
    if furthest:
        gaps = [f"{words.variant(v)} {say.points(each.gap)}" for v, each in furthest.items()]
        details.append(f"seat furthest from fair: {', '.join(gaps)}")
    if details:
        fairest = _fairest(furthest)
        short = f"{words.variant(fairest)} comes nearest to fair seats." if fairest else ""
        text = f"Variants side by side, over all tables: {'; '.join(details)}."
        yield Takeaway("variants", "", f"{text} {short}".rstrip(), short)


def _furthest_seats(head: pl.DataFrame, words: Words) -> dict[str, SeatVerdict]:
    """Return for each variant the seat furthest from fair at any table."""
    judged = [v for v in verdicts.seat_verdicts(head) if v.verdict != verdicts.UNKNOWN]
    found = grouped(judged, lambda verdict: verdict.variant)
    return {v: max(found[v], key=lambda each: abs(each.gap)) for v in words.variants if v in found}


def _fairest(furthest: dict[str, SeatVerdict]) -> str:
    """Return the variant whose furthest seat is nearest to fair, if that is beyond chance."""
    order = sorted(furthest, key=lambda variant: abs(furthest[variant].gap))
    if len(order) < 2:
        return ""
    best, second = furthest[order[0]], furthest[order[1]]
    sure = abs(best.gap) + best.half_width < abs(second.gap) - second.half_width
    return order[0] if sure else ""


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
