"""Sentences on how games go: endings, length, ties, lead changes, cards."""

from collections.abc import Iterator

import polars as pl

from sim import words as say
from sim.takeaways.telling import (
    MOST_SERIES,
    Rows,
    Series,
    Takeaway,
    grouped,
    in_series,
    known_rows,
    seatings,
    series_of,
    span,
)
from sim.words import Words

MANY_TRUNCATED = 0.01
"""With a larger share of games cut off, what is said about winning is in doubt."""
CARDS_NAMED = 3


def endings(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many games were cut off."""
    rows = known_rows(head, "truncated_share")
    games = sum(row["n"] for row in rows)
    cut = round(sum(row["n"] * row["estimate"] for row in rows))
    if not rows:
        return
    if cut == 0:
        yield Takeaway("endings", "", f"All {games:,} games ended by the rules.")
        return
    worst = max(rows, key=lambda row: row["estimate"])
    series = words.series(*series_of(worst))
    where = f"with {say.players(worst['players'])}" + (f" ({series})" if series else "")
    text = (
        f"{say.counted(cut, 'game')} of {games:,} ({say.percent(cut / games)}) came to no end and "
        f"{'was' if cut == 1 else 'were'} cut off, most of them {where}: "
        f"{say.percent(worst['estimate'])} there. They count in no win, score or margin."
    )
    serious = worst["estimate"] > MANY_TRUNCATED
    if serious:
        text += " That is so many that what is said about winning there is in doubt."
    short = f"{say.percent(cut / games)} of games came to no end." if serious else ""
    yield Takeaway("endings", "many cut off" if serious else "", text, short)


def lengths(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how long games last in turns and rounds."""
    ends = {
        (name, row["players"], *series_of(row)): row["estimate"]
        for name in ("turns.p05", "turns.p95", "rounds.p50")
        for row in known_rows(head, name)
    }
    for series, rows in _each_series(known_rows(head, "turns.p50")).items():
        if series is None:
            values = span([row["estimate"] for row in rows], say.number)
            text = f"A typical game lasts {values} turns, depending on players and table."
            yield Takeaway("length", "", text)
            continue
        turns: list[str] = []
        rounds: list[str] = []
        for row in rows:
            low, high = (ends[f"turns.{p}", row["players"], *series] for p in ("p05", "p95"))
            unit = " turns" * (not turns)
            turns.append(
                f"{row['estimate']:.0f}{unit} with {row['players']} ({low:.0f} to {high:.0f})"
            )
            rounds.append(f"{ends['rounds.p50', row['players'], *series]:.0f}")
        people = " players" if rows[-1]["players"] > 1 else " player"
        last = turns[-1].replace(" (", f"{people} (", 1)
        text = (
            f"A typical game lasts {say.listed([*turns[:-1], last])}; nine games in ten lie within "
            f"the brackets. In rounds: {say.listed(rounds)}."
        )
        yield Takeaway("length", "", in_series(words, series, text))


def ties(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how often the win is shared, and how close games are."""
    margins = _each_series(known_rows(head, "margin.p50"))
    for series, rows in _each_series(known_rows(head, "tie_rate")).items():
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
    for series, rows in _each_series(known_rows(head, "lead_changes.mean")).items():
        times = span([row["estimate"] for row in rows], say.number)
        text = f"The lead passes to another player {times} times in an average game"
        text = f"{text} {seatings(rows)}."
        yield Takeaway("lead changes", "", in_series(words, series, text) if series else text)


def _each_series(rows: Rows) -> dict[Series | None, Rows]:
    """Return rows by series, or all under None if there are too many series to tell apart."""
    found: dict[Series | None, Rows] = {**grouped(rows, series_of)}
    return found if len(found) <= MOST_SERIES else {None: rows}


def cards(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which cards go with winning and losing at every table, and why that is no proof."""
    rows = [row for row in known_rows(head, "card.held_lift", None) if row["low"] is not None]
    found = grouped(rows, lambda row: row["group"])
    if not found:
        return
    lift = {c: sum(row["estimate"] for row in of) / len(of) for c, of in found.items()}
    up = [c for c, of in found.items() if all(row["low"] > 0 for row in of)]
    down = [c for c, of in found.items() if all(row["high"] < 0 for row in of)]
    parts = []
    for names, verb in (
        (sorted(up, key=lambda c: -lift[c]), "winning"),
        (sorted(down, key=lambda c: lift[c]), "losing"),
    ):
        told = [
            f"{words.group(c)} ({say.signed(100 * lift[c])} points)" for c in names[:CARDS_NAMED]
        ]
        if told:
            more = len(names) - len(told)
            rest = f" and {say.counted(more, 'other')}" if more else ""
            parts.append(f"with {verb} {', '.join(told)}{rest}")
    if parts:
        text = f"Cards that go, at every table, {'; '.join(parts)}."
    else:
        text = "No card goes with winning or losing at every table."
    text += (
        " Points: the win share of players who had the card in hand minus that of those who never"
        " did. That is no proof of cause: whoever sees more cards, or plays well, holds more."
    )
    yield Takeaway("cards", "", text)
