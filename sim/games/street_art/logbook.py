"""The event log of Street Art as acts: what a row says, and which rows an act must leave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.games.reading import BEFORE_THE_GAME, UNUSED, Row, row
from sim.games.street_art import events
from sim.games.street_art.rulebook import (
    Act,
    Collected,
    Drew,
    Passed,
    Played,
    Returned,
    Rules,
    Stole,
    Took,
)


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `reason` is one of `events.END_REASONS`."""

    reason: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A seat's final hearts and rank (1 is best, 0 when the game was cut off)."""

    seat: int
    hearts: int
    rank: int


def heart_word(amount: int) -> str:
    """Return `1 heart`, `2 hearts`."""
    return f"{amount} heart" if amount == 1 else f"{amount} hearts"


class Codes:
    """The codes of the cards in a log."""

    def __init__(self, rules: Rules) -> None:
        self.names = tuple(rules.cards)
        self.rules = rules
        self._codes = {name: code for code, name in enumerate(self.names)}
        self._writers: dict[type, Callable[[Any, int], list[Row]]] = {
            Played: self._played,
            Took: lambda act, turn: _if_any(events.TAKE, turn, act.seat, act.amount),
            Stole: lambda act, turn: _if_any(events.STEAL, turn, act.seat, act.amount, act.victim),
            Returned: lambda act, turn: _if_any(events.RETURN, turn, act.seat, act.amount),
            Collected: self._collected,
            Drew: self._drew,
            Passed: lambda act, turn: [row(events.PASS, turn, act.seat)],
            Ended: lambda act, turn: [
                row(events.END, turn, UNUSED, events.END_REASONS.index(act.reason))
            ],
            Scored: lambda act, turn: [row(events.SCORE, turn, act.seat, act.hearts, act.rank)],
        }

    def card(self, code: int) -> str | None:
        """Return the card with a code, None when there is none."""
        return self.names[code] if 0 <= code < len(self.names) else None

    def title(self, code: int) -> str:
        """Return the printed name of the card with a code."""
        card = self.card(code)
        return f"card code {code} (there is none)" if card is None else self.rules.title(card)

    def rows(self, act: Act | Ended | Scored, turn: int) -> list[Row]:
        """Return the rows that an act leaves in the log; none for hearts that did not move."""
        return self._writers[type(act)](act, turn)

    def order_rows(self, draw_pile: list[str]) -> list[Row]:
        """Return the rows of the first shuffle, bottom first."""
        return [
            row(events.ORDER, BEFORE_THE_GAME, UNUSED, position, self._codes[card])
            for position, card in enumerate(draw_pile)
        ]

    def _played(self, act: Played, turn: int) -> list[Row]:
        victim = UNUSED if act.victim is None else act.victim
        return [row(events.PLAY, turn, act.seat, self._codes[act.card], act.count, victim)]

    def _drew(self, act: Drew, turn: int) -> list[Row]:
        return [(events.DRAW, turn, act.seat, self._codes[act.card], UNUSED, UNUSED)]

    def _collected(self, act: Collected, turn: int) -> list[Row]:
        return [
            (events.COLLECT, turn, act.seat, position, self._codes[card], int(act.by_rain))
            for position, card in enumerate(act.cards)
        ]

    def tell(self, found: Row) -> str:
        """Return what a row says, as the rest of a sentence about its seat."""
        event, _, _, a, b, c = found
        tellers: dict[int, Callable[[], str]] = {
            events.ORDER: lambda: f"puts {self.title(b)} at position {a} of the first draw pile",
            events.DRAW: lambda: f"draws {self.title(a)}",
            events.PLAY: lambda: f"plays {self._cards(a, b)}{_against(c)}",
            events.TAKE: lambda: f"takes {heart_word(a)} from the middle",
            events.STEAL: lambda: f"steals {heart_word(a)} from seat {b}",
            events.RETURN: lambda: f"returns {heart_word(a)} to the box",
            events.COLLECT: lambda: (
                f"puts {self.title(b)} at position {a} under the draw pile "
                f"({'Rain' if c == 1 else 'empty draw pile'})"
            ),
            events.PASS: lambda: "passes",
            events.END: lambda: f"ends the game ({_reason(a)})",
            events.SCORE: lambda: f"scores {heart_word(a)} with rank {b}",
        }
        return tellers[event]() if event in tellers else f"has the unknown event code {event}"

    def _cards(self, code: int, count: int) -> str:
        return self.title(code) if count == 1 else f"{count} x {self.title(code)}"


def _if_any(event: int, turn: int, seat: int, amount: int, b: int = UNUSED) -> list[Row]:
    return [row(event, turn, seat, amount, b)] if amount > 0 else []


def _against(victim: int) -> str:
    return "" if victim == UNUSED else f" against seat {victim}"


def _reason(code: int) -> str:
    named = 0 <= code < len(events.END_REASONS)
    return events.END_REASONS[code].replace("_", " ") if named else f"unknown reason {code}"
