"""Says once what is found of several variants or line-ups in the same words."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from sim import words as say
from sim.takeaways.telling import Series, Takeaway, grouped
from sim.words import Words


def merged(found: Iterable[Takeaway], words: Words) -> list[Takeaway]:
    """Return findings, those that read alike but for their series as one, where the first stood."""
    names = {
        words.series(*series): series
        for series in product(words.variants, words.lineups)
        if words.series(*series)
    }
    parted = [(each, *_parted(each.text, names)) for each in found]
    together = grouped(
        parted, lambda part: (part[0].topic, part[0].verdict, bool(part[1]), part[2])
    )
    told = []
    for (_, _, of_series, text), own in together.items():
        first = own[0][0]
        if not of_series or len(own) == 1:
            told += [each for each, _, _ in own]
            continue
        short = next((each.short for each, _, _ in own if each.short), "")
        about = _named([names[name] for _, name, _ in own], words)
        told.append(replace(first, text=f"{about}: {text}", short=short))
    return told


def _parted(text: str, names: dict[str, Series]) -> tuple[str, str]:
    """Return the name of the series that a text begins with, "" for none, and the rest of it."""
    name, colon, rest = text.partition(": ")
    return (name, rest) if colon and name in names else ("", text)


def _named(series: list[Series], words: Words) -> str:
    """Return the names of series: what they share once, if they share one of the two."""
    variants, lineups = (list(dict.fromkeys(part)) for part in zip(*series, strict=True))
    if len(lineups) > 1 and len(variants) > 1:
        return "; ".join(words.series(*each) for each in series)
    parts = []
    if len(words.variants) > 1:
        parts.append(say.listed(map(words.variant, variants)))
    if len(words.lineups) > 1:
        parts.append(say.listed(map(words.lineup, lineups)))
    return ", ".join(parts)
