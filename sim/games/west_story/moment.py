"""What a picture of West Story shows: a game after one of its turns, and what was new in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sim.errors import SimError
from sim.games.game import Replay
from sim.games.west_story.logbook import (
    Bought,
    DicePassed,
    GameOver,
    Marked,
    Production,
    Reset,
    RoundBegins,
    Traded,
    Turn,
)
from sim.games.west_story.rulebook import Rules, Table
from sim.games.west_story.wording import Wording, capital, counted


@dataclass(frozen=True)
class Moment:
    """A game after event `at`; `turns` of all seats were played until then."""

    replay: Replay
    styles: tuple[str, ...]
    at: int
    turns: int

    @classmethod
    def of(cls, replay: Replay, style_names: Sequence[str], turn: int | None) -> "Moment":
        """Return the moment after a turn, by its number from 1; 0 is the set-up, None the end.

        Production belongs to the turn after it, the passing of the dice to the one before.
        """
        events = replay.events
        turns = [at for at, event in enumerate(events) if isinstance(event, Turn)]
        if turn is not None and not 0 <= turn <= len(turns):
            raise SimError(
                f"turn: {turn} is outside this game, which has turns 0 (the set-up) to {len(turns)}"
            )
        at = len(events) - 1 if turn is None else turns[turn - 1] if turn else 0
        if isinstance(events[min(at + 1, len(events) - 1)], DicePassed):
            at += 1
        return cls(replay, tuple(style_names), at, len(turns) if turn is None else turn)

    @property
    def rules(self) -> Rules:
        """The rules in use."""
        return self.replay.events[0].rules

    @property
    def table(self) -> Table:
        """The table as it is shown."""
        return self.replay.states[self.at]

    @property
    def over(self) -> GameOver | None:
        """How the game ended, when its end is shown."""
        event = self.replay.events[self.at]
        return event if isinstance(event, GameOver) else None

    @cached_property
    def say(self) -> Wording:
        """How things are said in this game."""
        return Wording(self.rules, self.styles)

    @cached_property
    def since(self) -> list[Any]:
        """The events of the turn, with the production before it; none at the end."""
        if self.over:
            return []
        events = self.replay.events[1 : self.at + 1]
        turns = [at for at, event in enumerate(events) if isinstance(event, Turn)]
        return list(events[turns[-2] + 1 :] if len(turns) > 1 else events)

    @property
    def turn(self) -> Turn | None:
        """The turn that is shown."""
        return next((event for event in self.since if isinstance(event, Turn)), None)

    @property
    def roll(self) -> RoundBegins | None:
        """The last roll of the dice."""
        rolls = [e for e in self.replay.events[: self.at + 1] if isinstance(e, RoundBegins)]
        return rolls[-1] if rolls else None

    # What is new

    def _deeds(self) -> Iterator[tuple[int, Any]]:
        for event in self.since:
            if isinstance(event, Production | Turn):
                yield from ((event.seat, deed) for deed in event.deeds)

    @cached_property
    def new_marks(self) -> set[tuple[int, int]]:
        """Seats and the spots that they marked."""
        return {(seat, deed.spot) for seat, deed in self._deeds() if isinstance(deed, Marked)}

    @cached_property
    def new_cards(self) -> set[tuple[int, int]]:
        """Seats and the spots onto which they bought a card."""
        return {(seat, deed.spot) for seat, deed in self._deeds() if isinstance(deed, Bought)}

    @cached_property
    def new_discs(self) -> set[tuple[int, int]]:
        """Towns and the symbols on which a disc was put."""
        return {(deed.town, deed.symbol) for _, deed in self._deeds() if isinstance(deed, Traded)}

    @cached_property
    def new_in_market(self) -> set[tuple[int, int]]:
        """Decks and slots to which a card came."""
        resets = [deed.drawn for _, deed in self._deeds() if isinstance(deed, Reset)]
        refills = [self.turn.drawn] if self.turn else []
        return {(deck, slot) for drawn in resets + refills for deck, slot, _ in drawn}

    # In words

    def heading(self) -> str:
        """Return what is shown."""
        last = sum(isinstance(event, Turn) for event in self.replay.events)
        if self.over:
            return f"the end after {counted(self.over.rounds, 'round')} and {counted(last, 'turn')}"
        if self.turn is None:
            return "the set-up"
        return f"round {self.turn.round + 1}, after turn {self.turns} of {last}"

    def story(self) -> str:
        """Return what was done in the turn, or who won."""
        states = self.replay.states
        if self.over:
            return self.say.verdict(self.over, self.table)
        if self.turn is None:
            return f"All is laid out. {capital(self.say.who(self.table.first))} begins."
        at = max(at for at in (self.at, self.at - 1) if self.replay.events[at] is self.turn)
        deeds = self.say.deeds(self.turn, states[at - 1], states[at])
        told = [f"{capital(self.say.who(self.turn.seat))}:", *deeds]
        passed = self.replay.events[self.at]
        if isinstance(passed, DicePassed):
            told.append(self.say.dice_passed(passed, states[at], self.table))
        return " ".join(told)

    def status(self, seat: int) -> str:
        """Return what is special about a seat."""
        if self.over:
            results = self.over.results
            if self.over.truncated:
                return "cut off"
            if results[seat].rank > 1:
                return f"rank {results[seat].rank}"
            return "wins" if sum(r.rank == 1 for r in results) == 1 else "shares the win"
        return "has the dice" if seat == self.table.first else ""
