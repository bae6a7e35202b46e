"""Sentences on skill and luck: the ladder of styles, and what makes scores and wins differ."""

from collections.abc import Iterator
from itertools import chain
from statistics import fmean
from typing import Any

import polars as pl

from sim import verdicts
from sim import words as say
from sim.inference import FEWEST
from sim.metrics.ladder import OVER
from sim.metrics.variance import OUTCOMES
from sim.takeaways.judging import beyond, bounded, ranged
from sim.takeaways.series import each_series, rows_of, told
from sim.takeaways.telling import Rows, Takeaway, grouped, seatings, span
from sim.takeaways.winning import of_twins
from sim.words import Words

SOURCES = {
    "deal": "the deal",
    "style": "the style",
    "seat": "the seat",
    "seating": "who sits where",
    "company": "who else sits there",
    "deal_x_style": "deals that suit a style",
    "seat_x_style": "seats that suit a style",
}
"""What the variance is split into, in words."""
ALWAYS = ("deal", "style", "seat", "seating")
"""These are told however small they are."""
LITTLE = 0.01
"""Others are told from here on."""
EVENLY = {"estimate": 0.5}
NAMED = 2
"""How many circles are named."""
Place = tuple[int, str, str]


def skill(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many clear steps the ladder of styles has, and where it has no order."""
    head = _without_twins(head)
    every = head.filter(pl.col("metric") == "ladder.step").to_dicts()
    for series, rows in each_series(rows_of(head, "ladder.clear_steps")):
        steps = _of(every, rows)
        circles = _of(rows_of(head, "ladder.cycle"), rows)
        parts = [*_level(steps, words), _heights(rows, steps, words), _widths(rows, steps, words)]
        parts = parts if series else [_over_all(rows, steps)]
        yield Takeaway("skill", "", told(words, series, *parts, _circles(circles, words)))


def luck(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how much of what makes scores and wins differ is the deal, the seat and the style."""
    head = _without_twins(head)
    for series, rows in each_series(rows_of(head, f"{OUTCOMES['score']}.deal")):
        places = {_place(row) for row in rows}
        parts = [_split(head, outcome, places) for outcome in OUTCOMES]
        told_rest = "The rest is play, and luck that the games of a deal do not share."
        yield Takeaway("luck and skill", "", told(words, series, *parts, told_rest))


def _without_twins(head: pl.DataFrame) -> pl.DataFrame:
    """Leave out variants in which a style meets but its restricted twin; told elsewhere."""
    return head.filter(~pl.col("variant").is_in(list(of_twins(head))))


def _place(row: dict[str, Any]) -> Place:
    return row["players"], row["variant"], row["lineup"]


def _of(rows: Rows, others: Rows) -> Rows:
    """Return the rows of the tables that others are about."""
    wanted = {_place(row) for row in others}
    return [row for row in rows if _place(row) in wanted]


def _is_level(steps: Rows) -> bool:
    """Tell whether no style of a ladder wins more than the one below it."""
    return all(step["estimate"] is not None and verdicts.is_level(step, EVENLY) for step in steps)


def _level(steps: Rows, words: Words) -> Iterator[str]:
    """Tell of ladders without any height that they have no order."""
    flat = [own for own in grouped(steps, _place).values() if _is_level(own)]
    for styles, ladders in grouped(flat, _styles).items():
        names = say.listed(map(words.style, styles))
        where = seatings([own[0] for own in ladders])
        yield f"No style wins more than the next, so there is no ladder: {names} {where}."


def _styles(steps: Rows) -> tuple[str, ...]:
    return tuple(sorted({name for step in steps for name in step["group"].split(OVER)}))


def _heights(rows: Rows, steps: Rows, words: Words) -> str:
    """Tell how many steps are clear, and who stands at the ends."""
    ladders = {place: own for place, own in grouped(steps, _place).items() if not _is_level(own)}
    rows = [row for row in rows if _place(row) in ladders]
    if not rows:
        return ""

    def ends(row: dict[str, Any]) -> tuple[int, int, str, str]:
        own = [step["group"].split(OVER) for step in ladders[_place(row)]]
        return round(row["estimate"]), len(own), own[0][1], own[-1][0]

    parts = [
        f"{_clear(clear, count)} from {words.style(weakest)} up to {words.style(strongest)} "
        f"{seatings(own)}"
        for (clear, count, weakest, strongest), own in grouped(rows, ends).items()
    ]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _clear(clear: int, count: int) -> str:
    if count == 1:
        return "a clear step" if clear else "no clear step"
    steps = say.counted(clear, "clear step") if clear else "no clear step"
    return f"{steps} of {count}"


def _widths(rows: Rows, steps: Rows, words: Words) -> str:
    """Tell how much the upper of two neighbours wins."""
    uneven = [own for own in grouped(steps, _place).values() if not _is_level(own)]
    known = [step for own in uneven for step in own if step["estimate"] is not None]
    if not known:
        return ""
    best = max(known, key=lambda row: row["estimate"])
    alone = not any(verdicts.is_level(best, step) for step in known if step is not best)
    clearly = f", most {words.group(best['group'])} {seatings([best])}"
    most = clearly if len(known) > 1 and alone else ""
    family = rows[0]["method"].partition(", ")[2]
    return (
        "Of what two neighbours win where both sit, the upper one takes "
        f"{span([row['estimate'] for row in known], say.percent)}{most}; a step is clear if its "
        f"whole interval lies above one half, corrected ({family})."
    )


def _over_all(rows: Rows, steps: Rows) -> str:
    clear = sum(round(row["estimate"]) for row in rows)
    return f"of {len(steps)} steps of {len(rows)} ladders, {clear} {_are(clear)} clear."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _circles(rows: Rows, words: Words) -> str:
    """Name styles of which each beats the next and the last the first, clearly."""
    if not rows:
        return ""
    named = [f"{words.group(row['group'])} {seatings([row])}" for row in rows[:NAMED]]
    more = len(rows) - NAMED
    others = f" and {say.counted(more, 'other')}" if more > 0 else ""
    return (
        f"There is no order where styles beat each other in a circle: {', '.join(named)}{others}."
    )


def _split(head: pl.DataFrame, outcome: str, places: set[Place]) -> str:
    """Tell the shares of the variance of an outcome, the largest first.

    Those of `ALWAYS` that are nothing beyond chance, corrected for all (Holm), are named as such.
    """
    found = {}
    for source in (*SOURCES, "rest"):
        rows = rows_of(head, f"{OUTCOMES[outcome]}.{source}")
        found[source] = [row for row in rows if _place(row) in places]
    rest = found.pop("rest")
    if not rest:
        return ""
    if max(row["n"] for row in rest) < FEWEST:
        return f"Too few games to tell what makes {outcome}s differ."
    means = {
        source: fmean(row["estimate"] for row in rows) for source, rows in found.items() if rows
    }
    known = bounded(chain(*found.values()))
    # where every deal says the same an interval has no width, and no chance is left
    certain = {row["metric"] for row in (*beyond(known), *filter(_is_exact, known))}
    sure, open_ = [], []
    for source in sorted(means, key=lambda each: -means[each]):
        own = found[source]
        if own[0]["metric"] in certain and (source in ALWAYS or means[source] >= LITTLE):
            where = "" if len(own) == len(rest) else f" {seatings(own)}"
            sure.append(f"{SOURCES[source]} {_shares(own)}{where}")
        elif source in ALWAYS and found[source][0]["metric"] not in certain:
            open_.append(SOURCES[source])
    chance = f"nothing beyond chance for {say.listed(open_)}" if open_ else ""
    parts = ", ".join(part for part in (*sure, chance, f"the rest {_shares(rest)}") if part)
    return f"Of what makes {outcome}s differ {seatings(rest)}: {parts}."


def _is_exact(row: dict[str, Any]) -> bool:
    """Tell whether a share of more than nothing has an interval without width."""
    return bool(row["low"] == row["high"] and row["estimate"] > 0)


def _shares(rows: Rows) -> str:
    return ranged(rows, _share)


def _share(value: float) -> str:
    """Return an estimated share, that of chance alone too: 31 %, 2.4 %, under 0.1 %."""
    if value < 0.0005:
        return "under 0.1 %"
    return f"{100 * value:.0f} %" if value >= 0.0995 else f"{100 * value:.1f} %"
