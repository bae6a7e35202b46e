"""Sentences on how games go: endings, length, ties, lead changes, cards."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import words as say
from sim.takeaways.telling import (
    Rows,
    Takeaway,
    each_series,
    grouped,
    in_series,
    known_rows,
    seatings,
    series_of,
    span,
)
from sim.verdicts import LEVEL
from sim.words import Words

MANY_TRUNCATED = 0.01
"""With a larger share of games cut off, what is said about winning is in doubt."""
CARDS_NAMED = 3
SEEN_ENOUGH = 100
"""Players of a table who must have held a card, and as many who must not, to speak of it."""


def endings(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many games were cut off."""
    rows = known_rows(head, "truncated_share")
    games = sum(row["n"] for row in rows)
    cut = round(sum(row["n"] * row["estimate"] for row in rows))
    if not rows:
        return
    if cut == 0:
        every = "The only game" if games == 1 else f"All {games:,} games"
        yield Takeaway("endings", "", f"{every} ended by the rules.")
        return
    worst = max(rows, key=lambda row: row["estimate"])
    alike = len({say.percent(row["estimate"]) for row in rows}) == 1
    text = (
        f"{say.counted(cut, 'game')} of {games:,} ({say.percent(cut / games)}) came to no end and "
        f"{'was' if cut == 1 else 'were'} cut off{'' if alike else _most_often(worst, words)}. "
        f"{'It counts' if cut == 1 else 'They count'} in no win, score or margin."
    )
    serious = worst["estimate"] > MANY_TRUNCATED
    if cut == games:
        text += " So nothing can be said about winning."
    elif serious:
        there = "" if alike else "there "
        text += f" That is so many that what is said about winning {there}is in doubt."
    short = f"{say.percent(cut / games)} of games came to no end." if serious else ""
    yield Takeaway("endings", "many cut off" if serious else "", text, short)


def _most_often(worst: dict[str, Any], words: Words) -> str:
    """Return at which table the largest share of games was cut off."""
    series = words.series(*series_of(worst))
    where = f"with {say.players(worst['players'])}" + (f" ({series})" if series else "")
    return f", most often {where}: {say.percent(worst['estimate'])} there"


def lengths(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how long games last in turns and rounds."""
    ends = {
        (name, row["players"], *series_of(row)): row["estimate"]
        for name in ("turns.p05", "turns.p95", "rounds.p50")
        for row in known_rows(head, name)
    }
    for series, rows in each_series(known_rows(head, "turns.p50")).items():
        if series is None:
            values = say.amount(span([row["estimate"] for row in rows], say.number), words.turns)
            text = f"A typical game lasts {values}, depending on players and table."
            yield Takeaway("length", "", text)
            continue
        turns: list[str] = []
        rounds: list[str] = []
        for row in rows:
            low, high = (ends[f"turns.{p}", row["players"], *series] for p in ("p05", "p95"))
            typical = f"{row['estimate']:.0f}"
            typical = typical if turns else say.amount(typical, words.turns)
            turns.append(f"{typical} with {row['players']} ({low:.0f} to {high:.0f})")
            rounds.append(f"{ends['rounds.p50', row['players'], *series]:.0f}")
        people = " players" if rows[-1]["players"] > 1 else " player"
        last = turns[-1].replace(" (", f"{people} (", 1)
        text = (
            f"A typical game lasts {say.listed([*turns[:-1], last])}; nine games in ten lie within "
            "the brackets."
        )
        if len(set(rounds)) == 1:
            text += f" It has {say.amount(rounds[0], 'rounds')}."
        else:
            text += f" In rounds: {say.listed(rounds)}."
        yield Takeaway("length", "", in_series(words, series, text))


def ties(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often the win is shared, and how close games are."""
    margins = each_series(known_rows(head, "margin.p50"))
    for series, rows in each_series(known_rows(head, "tie_rate")).items():
        shares = [row["estimate"] for row in rows]
        text = f"The win is shared in {span(shares, say.percent)} of games {seatings(rows)}."
        if max(shares) == 0:
            text = f"No game was tied {seatings(rows)}."
        gaps = [row["estimate"] for row in margins.get(series, [])]
        if gaps:
            margin = say.amount(span(gaps, say.number), words.game.score_name)
            text += f" The typical margin is {margin}."
        yield Takeaway("ties", "", in_series(words, series, text) if series else text)


def lead_changes(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often the lead passes to another player."""
    for series, rows in each_series(known_rows(head, "lead_changes.mean")).items():
        times = span([row["estimate"] for row in rows], say.number)
        text = f"The lead passes to another player {say.amount(times, 'times')} in an average game"
        text = f"{text} {seatings(rows)}."
        yield Takeaway("lead changes", "", in_series(words, series, text) if series else text)


def cards(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which cards go with winning and losing at every table, and why that is no proof."""
    rows = [row for row in known_rows(head, "card.held_lift", None) if row["low"] is not None]
    if not rows:
        return
    seats = {
        _table(row): row["n"] * row["players"]
        for row in known_rows(head, "card.held_per_game", None)
    }
    enough = {
        card: found
        for card, found in grouped(rows, lambda row: row["group"]).items()
        if all(_seen_enough(row, seats[_table(row)]) for row in found)
    }
    if not enough:
        yield Takeaway("cards", "", "Too few games to tell which cards go with winning.")
        return
    certain = _beyond_chance(enough)
    up = [card for card in certain if enough[card][0]["estimate"] > 0]
    down = [card for card in certain if enough[card][0]["estimate"] < 0]
    parts = [
        f"with {verb}{where}: {_named(names, enough, words)}"
        for names, verb, where in (
            (up, "winning", " at every table"),
            (down, "losing", " at every table" * (not up)),
        )
        if names
    ]
    if not parts:
        yield Takeaway("cards", "", "No card goes with winning or losing at every table.")
        return
    ranges = _ranged_over(rows)
    text = f"Cards that go {'; '.join(parts)}{f' ({ranges})' if ranges else ''}."
    text += (
        " Points: the win share of players who had the card in hand minus that of those who never"
        " did. That is no proof of cause: whoever sees more cards, or plays well, holds more."
    )
    yield Takeaway("cards", "", text)


def _table(row: dict[str, Any]) -> tuple:
    return row["group"], row["variant"], row["lineup"], row["players"]


def _seen_enough(row: dict[str, Any], seats: int) -> bool:
    """Tell whether a card was held, and not held, often enough to speak of it."""
    return min(row["n"], seats - row["n"]) >= SEEN_ENOUGH


def _beyond_chance(found: dict[str, Rows]) -> list[str]:
    """Return the cards that differ from 0 one way at every table, the most certain first.

    A card's p-value is its worst at any table; Holm's method corrects for the number of cards.
    """
    from scipy.stats import norm

    from sim.inference import adjusted

    worst = []
    for rows in found.values():
        same_way = len({row["estimate"] > 0 for row in rows}) == 1
        scores = [_score(row) for row in rows]
        worst.append(2 * float(norm.sf(min(scores))) if same_way else 1.0)
    corrected = adjusted(worst)
    sure = [card for card, p in zip(found, corrected, strict=True) if p < LEVEL]
    return sorted(sure, key=lambda card: -min(abs(row["estimate"]) for row in found[card]))


def _score(row: dict[str, Any]) -> float:
    """Return by how many standard errors an estimate differs from 0, from its 95 % interval."""
    half = (row["high"] - row["low"]) / 2
    return 1.96 * abs(row["estimate"]) / half if half > 0 else 0.0


def _named(names: list[str], found: dict[str, Rows], words: Words) -> str:
    told = []
    for card in names[:CARDS_NAMED]:
        values = [100 * row["estimate"] for row in found[card]]
        told.append(f"{words.group(card)} ({span(values, say.signed)} points)")
    more = len(names) - len(told)
    return ", ".join(told) + (f" and {say.counted(more, 'other')}" if more else "")


def _ranged_over(rows: Rows) -> str:
    """Return what tables differ in, which the ranges of points go over."""
    columns = {"players": "number of players", "variant": "variant", "lineup": "line-up"}
    differ = [name for column, name in columns.items() if len({row[column] for row in rows}) > 1]
    return f"from lowest to highest by {say.listed(differ)}" if differ else ""
