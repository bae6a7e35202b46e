"""Sentences on certificates and cards."""

from collections.abc import Iterator
from functools import partial

import polars as pl

from sim import words as say
from sim.games.west_story.analysis.naming import name_of
from sim.takeaways import series as by_series
from sim.takeaways.judging import beyond, bounded, ranged
from sim.takeaways.series import each_series, of_equals, of_series, rows_of, told
from sim.takeaways.telling import Rows, Series, Takeaway, grouped, seatings
from sim.words import Words

NAMED = 3
SEEN_ENOUGH = 100
"""Seats that must own a card, and as many that must not, to speak of how owners win."""
FEW = 30
"""Certificates that must be bought to speak of them."""

_by_group = partial(by_series.by_group, name_of=name_of)


def certificates(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell how many certificates are bought, what they bring and what they cost."""
    every = of_equals(rows_of(head, "player.certificate", "all"), words)
    for series, rows in each_series(every):
        gains = _all(head, "gain", series)
        if not gains:
            if max(row["estimate"] for row in rows) > 0:
                continue
            text = f"Nobody buys a certificate {seatings(rows)}."
            yield Takeaway("certificates", "", told(words, series, text))
            continue
        paid, net, even = (_all(head, name, series) for name in ("paid", "net", "even"))
        slope = of_series(bounded(rows_of(head, "certificate.win_per_certificate")), series)
        parts = [
            f"{ranged(rows, say.percent)} of players {seatings(rows)} buy one. It brings them "
            f"{ranged(gains, say.signed)} VP over the printed symbol for "
            f"{ranged(paid, say.number)} coins and cows: {ranged(net, say.signed)} if a coin is "
            f"worth a VP. With {ranged(even, _two)} VP for each card with the printed symbol "
            "nothing would be gained."
        ]
        if slope:
            parts.append(
                f"Holders win {ranged(slope, _points)} points more often than others of their "
                "table; observed: who comes by the desert late, or not at all, differs in more."
            )
        yield Takeaway("certificates", "", told(words, series, *parts))


def _all(head: pl.DataFrame, name: str, series: Series | None) -> Rows:
    rows = of_series(rows_of(head, f"certificate.{name}", "all"), series)
    return [row for row in rows if row["n"] >= FEW]


def _two(value: float) -> str:
    return say.number(value, 2)


def _points(value: float) -> str:
    return say.signed(100 * value)


def market(head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Tell which cards are bought seldom and often, and whose owners win more."""
    for series, rows in each_series(of_equals(rows_of(head, "market.taken"), words)):
        owners = of_series(of_equals(rows_of(head, "market.owners"), words), series)
        parts = [
            f"Bought least, of those that come to the market: {_cards(rows, words, -1)}; most: "
            f"{_cards(rows, words, 1)}. Most players own {_cards(owners, words, 1)}.",
            _lifts(head, words, series),
        ]
        yield Takeaway("cards", "", told(words, series, *parts))


def _cards(rows: Rows, words: Words, sign: int) -> str:
    return _by_group(rows, words, say.percent, NAMED, sign)


def _lifts(head: pl.DataFrame, words: Words, series: Series | None) -> str:
    """Return the cards whose owners win more, or less, at every table beyond chance."""
    seats = {_key(row): row["n"] * row["players"] for row in rows_of(head, "market.owners")}
    lifts = [
        row
        for row in of_series(of_equals(bounded(rows_of(head, "market.lift")), words), series)
        if min(row["n"], seats[_key(row)] - row["n"]) >= SEEN_ENOUGH
    ]
    tables = len({_key(row)[1:] for row in lifts})
    sure = grouped(beyond(lifts), lambda row: row["group"])
    always = [
        row
        for own in sure.values()
        if len(own) == tables and len({row["estimate"] > 0 for row in own}) == 1
        for row in own
    ]
    parts = []
    for sign, what in ((1, "more"), (-1, "less")):
        own = [row for row in always if sign * row["estimate"] > 0]
        if own:
            parts.append(f"{what} with {_by_group(own, words, _points, NAMED, sign)}")
    if not parts:
        return "At no card do owners win more, or less, at every table beyond chance."
    return (
        f"Owners win {'; '.join(parts)}, in points of win share against players without it (Holm "
        f"over {len(lifts)}). That is observed: who can pay for much buys more of all."
    )


def _key(row: dict) -> tuple:
    return row["group"], row["variant"], row["lineup"], row["players"]
