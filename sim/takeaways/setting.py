"""Sentences on what was played: variants side by side, and what is assumed."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import polars as pl

from sim import verdicts
from sim import words as say
from sim.takeaways.telling import MOST_SERIES, Takeaway, grouped, known_rows, span
from sim.verdicts import SeatVerdict
from sim.words import Words

COMPARED = (
    ("turns.p50", "{turns} of a typical game", say.number),
    ("tie_rate", "shared wins", say.percent),
    ("lead_changes.mean", "lead changes", say.number),
)
FACTS_NAMED = 8
LONGER = 0.02
"""Games that are longer by less than this part are not worth a headline."""


def variants(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how variants differ, over all numbers of players."""
    if len(words.variants) < 2:
        return
    details = []
    for metric, name, write in COMPARED:
        found = _by_variant(head, metric, words)
        spans = {v: span(found[v], write) for v in _shown(found)}
        if spans:
            details.append(f"{name.format(turns=words.turns)}: {_each(spans, words)}")
    furthest = _furthest_seats(head, words)
    if furthest:
        gaps = {variant: [abs(each.gap)] for variant, each in furthest.items()}
        off = {v: say.points(furthest[v].gap) for v in _shown(gaps)}
        details.append(f"seat furthest from fair: {_each(off, words)}")
    if details:
        short = _variant_headline(head, furthest, words)
        extremes = "the lowest and the highest" if len(words.variants) > MOST_SERIES else ""
        where = ", ".join(part for part in ("over all tables", extremes) if part)
        text = f"Variants side by side, {where}: {'; '.join(details)}."
        yield Takeaway("variants", "", f"{text} {short}".rstrip(), short)


def _each(values: dict[str, str], words: Words) -> str:
    """Return what variants have, those that have the same together."""
    alike = grouped(values, lambda variant: values[variant])
    if len(values) > 1 and len(alike) == 1:
        return f"{next(iter(alike))} in all variants"
    return ", ".join(
        f"{say.listed(map(words.variant, names))} {value}" for value, names in alike.items()
    )


def _by_variant(head: pl.DataFrame, metric: str, words: Words) -> dict[str, list[float]]:
    rows = grouped(known_rows(head, metric), lambda row: row["variant"])
    return {v: [row["estimate"] for row in rows[v]] for v in words.variants if v in rows}


def _shown(found: dict[str, list[float]]) -> list[str]:
    """Return the variants to name: all, or of too many those with the lowest and highest mean."""
    if len(found) <= MOST_SERIES:
        return list(found)
    order = sorted(found, key=lambda variant: fmean(found[variant]))
    return [order[0], order[-1]]


def _variant_headline(head: pl.DataFrame, furthest: dict[str, SeatVerdict], words: Words) -> str:
    """Return which variants come nearest to fair by seat, and how much longer games last."""
    parts = []
    nearest = _nearest(furthest)
    if 0 < len(nearest) <= MOST_SERIES and len(nearest) < len(furthest):
        verb = "comes" if len(nearest) == 1 else "come"
        parts.append(f"{say.listed(map(words.variant, nearest))} {verb} nearest to fair by seat")
    elif len(furthest) > 1:
        parts.append("No variant is fairest by seat beyond chance")
    turns = _by_variant(head, "turns.p50", words)
    if len(turns) > 1:
        order = sorted(turns, key=lambda variant: fmean(turns[variant]))
        least, most = (span(turns[v], say.number) for v in (order[0], order[-1]))
        low, high = (fmean(turns[v]) for v in (order[0], order[-1]))
        if least != most and high - low >= LONGER * low:
            longest, shortest = words.variant(order[-1]), words.variant(order[0])
            most = say.amount(most, words.turns)
            games = "games" if parts else "Games"
            parts.append(f"{games} last {most} with {longest} against {least} with {shortest}")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _furthest_seats(head: pl.DataFrame, words: Words) -> dict[str, SeatVerdict]:
    """Return for each variant the seat furthest from fair at any table."""
    judged = [v for v in verdicts.seat_verdicts(head) if v.verdict != verdicts.UNKNOWN]
    found = grouped(judged, lambda verdict: verdict.variant)
    return {v: max(found[v], key=lambda each: abs(each.gap)) for v in words.variants if v in found}


def _nearest(furthest: dict[str, SeatVerdict]) -> list[str]:
    """Return the variant whose furthest seat is nearest to fair, and those as near by chance."""
    if not furthest:
        return []
    order = sorted(furthest, key=lambda variant: abs(furthest[variant].gap))
    reach = abs(furthest[order[0]].gap) + furthest[order[0]].half_width
    return [v for v in order if abs(furthest[v].gap) - furthest[v].half_width <= reach]


def assumed(run: Any) -> Iterator[Takeaway]:
    """Tell how many numbers and rulings are assumed in all variants, and what variants change."""
    values: dict[str, set[str]] = {}
    for variant in run.study.variants.values():
        for fact in run.game.facts(variant.components, variant.rulings):
            values.setdefault(fact.key, set()).add(fact.value)
    changed = [fact_name(key) for key, known in values.items() if len(known) > 1]
    facts = [fact for fact in assumed_facts(run) if len(values[fact[0]]) == 1]
    changes = f" The variants change {_and_more(changed)}." if changed else ""
    if not facts:
        shared = "that all variants share" if changed else "in use"
        yield Takeaway("assumed", "", f"No number or ruling {shared} is assumed.{changes}")
        return
    named, one = "", len(facts) == 1
    if len(facts) <= FACTS_NAMED:
        named = f": {', '.join(f'{fact_name(key)} = {say.plain(value)}' for key, value in facts)}"
    text = (
        f"{say.counted(len(facts), 'number or ruling', 'numbers and rulings')} in use "
        f"{'is' if one else 'are'} assumed, as no source for the game settles "
        f"{'it' if one else 'them'}"
        f"{named}. What is said here may hang on {'it' if one else 'them'}: `sim audit` tries "
        f"others.{changes}"
    )
    yield Takeaway("assumed", "", text)


def _and_more(names: list[str]) -> str:
    more = len(names) - FACTS_NAMED
    return ", ".join(names[:FACTS_NAMED]) + (f" and {more} more" if more > 0 else "")


def assumed_facts(run: Any) -> dict[tuple[str, str], str]:
    """Return (key, value) of every assumed fact in use in any variant, with its note."""
    return {
        (fact.key, fact.value): fact.note
        for variant in run.study.variants.values()
        for fact in run.game.facts(variant.components, variant.rulings)
        if fact.grade == "assumed"
    }


def fact_name(key: str) -> str:
    """Return a fact's key in words: rulings.game_end is "game end", seats.most "most players"."""
    kind, _, name = key.partition(".")
    if kind == "rulings":
        return say.plain(name)
    path = key.removeprefix("components.").replace("seats.", "players.").split(".")
    return say.plain(" ".join(reversed(path)))
