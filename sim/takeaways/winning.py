"""Sentences on who wins: seats and styles."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import polars as pl

from sim import verdicts
from sim import words as say
from sim.metrics.tidy import POOLED
from sim.takeaways.telling import (
    MOST_SERIES,
    Rows,
    Takeaway,
    grouped,
    in_series,
    known_rows,
    series_of,
    span,
)
from sim.verdicts import SeatVerdict, StyleVerdict
from sim.words import Words

MUCH_MORE = 30.0
"""Needing so many times the games played, an estimate of how many says little."""
MAX_GAMES = 10_000_000_000
"""More than a cell can hold: no number to name."""
FEW = 1_000
"""Fewer games than this place no estimate, so none can be said to lie close to a line."""
SHOWN = 0.0005
"""A smaller difference is 0 where it is told in tenths of a point."""
SHARP = verdicts.TOLERANCE / 4
"""With intervals no wider to either side, what is still undecided may well stay so."""


def seats(head: pl.DataFrame, words: Words, games: int) -> Iterator[Takeaway]:
    """Tell whether every seat is worth the same, with a verdict for each number of players.

    `games` are those that the study asks for in each cell.
    """
    judged = [v for v in verdicts.seat_verdicts(head) if v.verdict != verdicts.UNKNOWN]
    together = grouped(judged, lambda verdict: (verdict.variant, verdict.lineup))
    short = _seat_headline(judged, len(together))
    if len(together) > MOST_SERIES:
        yield Takeaway("seats", _worst(judged), _seats_over_all(judged, words), short)
        return
    for series, found in together.items():
        parts = []
        for verdict, sentence in (
            (verdicts.UNBALANCED, _unbalanced),
            (verdicts.BALANCED, _balanced),
            (verdicts.UNDECIDED, partial(_undecided, games=games)),
        ):
            those = [each for each in found if each.verdict == verdict]
            if those:
                parts.append(sentence(those))
        yield Takeaway("seats", _worst(found), in_series(words, series, " ".join(parts)), short)
        short = ""


def _worst(found: Iterable[SeatVerdict]) -> str:
    known = {each.verdict for each in found}
    order = (verdicts.UNBALANCED, verdicts.UNDECIDED, verdicts.BALANCED)
    return next((verdict for verdict in order if verdict in known), verdicts.UNKNOWN)


def _seat_headline(judged: Sequence[SeatVerdict], series: int) -> str:
    known = {}
    for verdict, phrase in (
        (verdicts.UNBALANCED, "Not fair by seat"),
        (verdicts.BALANCED, "Fair by seat"),
        (verdicts.UNDECIDED, "Seats undecided"),
    ):
        counts = [each.players for each in judged if each.verdict == verdict]
        if counts:
            known[phrase] = counts
    if series == 1:
        return " ".join(f"{phrase} with {say.players(each)}." for phrase, each in known.items())
    if len(known) == 1:
        return f"{next(iter(known))} in {_all_of(len(judged))} settings."
    parts = [f"{phrase} in {len(each)}" for phrase, each in known.items()]
    first, *others = parts or [""]
    lower = [part[0].lower() + part[1:] for part in others]
    return f"{first} of {len(judged)} settings, {say.listed(lower)}." if others else ""


def _all_of(number: int) -> str:
    return "both" if number == 2 else f"all {number}"


def _seat(each: SeatVerdict) -> str:
    return f"the {say.ordinal(each.seat + 1)} of {each.players}"


def _unbalanced(found: Sequence[SeatVerdict]) -> str:
    details = [
        f"{_seat(each)} wins {say.percent(each.share)} (fair: {say.exactly(each.fair)})"
        for each in found
    ]
    counts = say.players([each.players for each in found])
    furthest = "Furthest off" if len(found) == 1 else "Furthest off by number of players"
    return f"Not fair by seat with {counts}. {furthest}: {', '.join(details)}."


def _balanced(found: Sequence[SeatVerdict]) -> str:
    text = (
        f"Fair by seat with {say.players([each.players for each in found])}: every seat's win "
        f"share lies within {say.points(verdicts.TOLERANCE)} of an equal share, interval and all."
    )
    small = [each for each in found if each.certain]
    if small:
        furthest = max(small, key=lambda each: abs(each.gap))
        which = (
            ""
            if len(small) == len(found)
            else (f" with {say.players([each.players for each in small])}")
        )
        size = f"at most {say.points(furthest.gap)}"
        size = size if abs(furthest.gap) >= SHOWN else "less than 0.1 points"
        text += (
            f" There is a difference beyond doubt{which}, but it is small: {size}, for "
            f"{_seat(furthest)}."
        )
    return text


def _undecided(found: Sequence[SeatVerdict], games: int) -> str:
    """Tell what is undecided; `games` are those that the study asks for in each cell."""
    text = (
        f"Undecided with {say.players([each.players for each in found])}: the interval of some "
        f"seat reaches across the line of {say.points(verdicts.TOLERANCE)} from an equal share."
    )
    growth = [(each.needed / max(each.games, 1), each) for each in found if each.needed]
    if not growth:
        return text
    times, worst = max(growth, key=lambda pair: pair[0])
    sharp = (worst.half_width / SHARP) ** 2
    if times > MUCH_MORE and worst.games >= FEW and sharp <= 1:
        return f"{text} It lies so close to that line that more games would hardly decide it."
    # an estimate that happens to lie at the line says little of how many games it takes
    if times > MUCH_MORE and worst.games >= FEW:
        times = sharp
    if times * games > MAX_GAMES:
        return f"{text} It lies so close to that line that more games would hardly decide it."
    largest = ", the most that any number of players needs" if len(found) > 1 else ""
    return f"{text} It takes about games = {say.about(times * games)} in the study{largest}."


def _seats_over_all(judged: Sequence[SeatVerdict], words: Words) -> str:
    furthest = max(judged, key=lambda each: abs(each.gap))
    name = words.series(furthest.variant, furthest.lineup)
    return (
        f"{_seat_headline(judged, 2)} Furthest off is {_seat(furthest)} in {name}: it wins "
        f"{say.percent(furthest.share)} (fair: {say.exactly(furthest.fair)})."
    )


def styles(frame: pl.DataFrame, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which style wins most and by how much, and whether one always or never does."""
    shares = known_rows(head, "style_share", None)
    twins = of_twins(head)
    series = grouped((row for row in shares if row["variant"] not in twins), series_of)
    judged = [each for each in verdicts.style_verdicts(frame) if each.variant not in twins]
    if len(series) > MOST_SERIES:
        series = {}
    for (variant, lineup), rows in series.items():
        best = [_leaders(found) for found in grouped(rows, lambda row: row["players"]).values()]
        own = [v for v in judged if v.variant == variant] if lineup == POOLED else []
        text = " ".join([_winners(best, words), *_always_and_never(own, words)])
        dominant = [words.style(each.style) for each in own if each.dominant]
        yield Takeaway(
            topic="styles",
            verdict="dominant style" if dominant else "",
            text=in_series(words, (variant, lineup), text),
            short=_style_headline(best, dominant, words, len(series)),
        )
    if not series and judged:
        parts = [_winners_by_count(judged, words), *_in_variants(judged, words)]
        yield Takeaway("styles", "", " ".join(parts))


def of_twins(head: pl.DataFrame) -> set[str]:
    """Return the variants in which a style meets but its restricted twin; told elsewhere."""
    free = {
        (row["variant"], row["group"].partition(" without ")[0])
        for row in known_rows(head, "without.win", None)
    }
    met = grouped(known_rows(head, "style_share", None), lambda row: row["variant"])
    return {variant for variant, _ in free if len({row["group"] for row in met[variant]}) == 2}


def _in_variants(judged: Sequence[StyleVerdict], words: Words) -> Iterator[str]:
    """Yield in how many variants each style is dominant, or never pays."""
    many = len({each.variant for each in judged})
    if many == 1:
        yield from _always_and_never(judged, words)
        return
    for style, own in grouped(judged, lambda each: each.style).items():
        dominant = sum(each.dominant for each in own)
        useless = sum(each.useless for each in own)
        if dominant:
            yield f"{words.style(style)} is dominant in {dominant} of {many} variants."
        if useless:
            yield f"{words.style(style)} never pays in {useless} of {many} variants."


def _leaders(rows: Rows) -> Rows:
    """Return the best style, then those whose intervals reach the best one's.

    Without intervals, of a single game, that is every style.
    """
    best = max(rows, key=lambda row: row["estimate"])
    near = [
        row
        for row in rows
        if row is not best and (best["low"] is None or row["high"] >= best["low"])
    ]
    return [best, *sorted(near, key=lambda row: -row["estimate"])]


def _tops(leaders: Rows) -> tuple[str, ...]:
    """Return the group that wins most, or those that win most equally often."""
    return tuple(sorted(row["group"] for row in leaders if verdicts.is_level(leaders[0], row)))


def _winners(best: list[Rows], words: Words) -> str:
    sentences = []
    for tops, found in grouped(best, _tops).items():
        rows = [leaders[0] for leaders in found]
        times = [row["estimate"] * row["players"] for row in rows]
        verb, each = ("wins", "") if len(tops) == 1 else ("win", " each")
        text = (
            f"{say.listed(map(words.group, tops))} {verb} most with "
            f"{say.players([row['players'] for row in rows])}: "
            f"{say.listed(say.percent(row['estimate']) for row in rows)} of games{each}, "
            f"{span(times, lambda x: f'{x:.1f}')} times a fair share."
        )
        rivals = grouped(
            (leaders for leaders in found if len(leaders) > len(tops)),
            lambda leaders: tuple(
                row["group"] for row in leaders if not verdicts.is_level(leaders[0], row)
            ),
        )
        for names, where in rivals.items():
            counts = say.players([leaders[0]["players"] for leaders in where])
            text += f" With {counts} {say.listed(map(words.group, names))} may be as good."
        sentences.append(text)
    return " ".join(sentences)


def _winners_by_count(judged: Sequence[StyleVerdict], words: Words) -> str:
    """Tell which style beats a fair share in most line-ups, over all variants."""
    counts = {
        style: (sum(each.above for each in own), sum(each.lineups for each in own))
        for style, own in grouped(judged, lambda each: each.style).items()
    }
    best = max(counts, key=lambda style: counts[style][0] / max(counts[style][1], 1))
    above, lineups = counts[best]
    if not above:
        return "No style beats a fair share in any line-up, interval and all."
    return (
        f"{words.style(best)} does best: it beats a fair share in {above} of {lineups} line-ups, "
        "interval and all."
    )


def _always_and_never(judged: Sequence[StyleVerdict], words: Words) -> Iterator[str]:
    for each in judged:
        name = words.style(each.style)
        if each.dominant:
            yield (
                f"{name} is dominant: it beats a fair share in all {each.lineups} line-ups it sits "
                "in, interval and all."
            )
        elif each.useless:
            yield (
                f"{name} never pays: it stays under a fair share in all {each.lineups} line-ups."
            )
    # with a single line-up, a style that beats a fair share there is not called dominant
    if judged and not any(each.above == each.lineups for each in judged):
        yield "No style is dominant: none beats a fair share in every line-up, interval and all."


def _style_headline(best: list[Rows], dominant: list[str], words: Words, series: int) -> str:
    if series > 1:
        return ""
    if dominant:
        return f"{say.listed(dominant)} is a dominant style."
    clear = [leaders[0] for leaders in best if len(leaders) == 1]
    if not clear:
        return "No style wins most beyond chance."
    tops = list(dict.fromkeys(words.group(row["group"]) for row in clear))
    if len(tops) == 1:
        everywhere = len(clear) == len(best)
        where = "" if everywhere else f" with {say.players([row['players'] for row in clear])}"
        return f"{tops[0]} wins most{where}."
    return f"{say.listed(tops)} win most, depending on the number of players."
