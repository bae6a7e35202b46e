"""How the referee of West Story reads a log: what must come, what may come, what is a breach."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Never

from sim.games.reading import UNUSED, Follower, Row, row
from sim.games.west_story import events, gains
from sim.games.west_story.effects import Term
from sim.games.west_story.endgame import inconsistency
from sim.games.west_story.logbook import Teller, outcome_row
from sim.games.west_story.rulebook import Gain, Outcome, Paid, Rules, Table


@dataclass(eq=False)
class _Due:
    """Something that must be gained; `idle` once it came to nothing."""

    what: Term | Outcome
    idle: bool = False

    @property
    def good(self) -> str | None:
        """The good of a term, None for anything else."""
        return self.what.what if isinstance(self.what, Term) else None


class Judge(Follower):
    """Follows a game with the table as it stands."""

    def __init__(self, log: Any, rules: Rules) -> None:
        self.teller = Teller(rules)
        super().__init__(log, self.teller.tell)
        self.rules = rules
        self.table: Table

    def back(self) -> Row:
        """Step back to the row just read, to speak of it."""
        self.reader.at -= 1
        return self.reader.all[self.reader.at]

    def refuse(self, why: str, seat: int = UNUSED) -> Never:
        """Stop the game at the row just read."""
        self.breach(f"{self.told(self.back(), seat)}, but {why}", seat)

    def check(self, seat: int = UNUSED) -> None:
        """See that nothing is lost or doubled on the table."""
        if wrong := inconsistency(self.table):
            self.breach(wrong, seat)

    def payment(self, seat: int, fault: Callable[[Paid], str | None]) -> Paid:
        """Read what a seat pays, and ask whether it may."""
        found = self.read(events.PAY, seat, 3, "what it pays")
        paid = Paid(*found[3:])
        if wrong := fault(paid):
            self.refuse(wrong, seat)
        return paid

    # Gaining

    def settle(
        self, seat: int, due: Iterable[Term | Outcome], source: str = "", why: str = "effect"
    ) -> tuple[Outcome, ...]:
        """Read all that a seat gains now, in any order, and all that follows from it at once.

        Terms of an effect are counted when their turn comes; those of one good come in their
        order. Returns the rows as outcomes.
        """
        dues = [_Due(what) for what in due]
        outcome: list[Outcome] = []
        while (match := self._match(seat, dues, why)) is not None:
            found, shown, gain = match
            self.reader.at += 1
            outcome.append(shown)
            dues = _without(dues, found)
            if gain is not None:
                following = gains.receive(self.table, seat, gain, source)
                dues += [_Due(what) for what in following if not _given(what, outcome, dues)]
        if open_dues := [one for one in dues if not one.idle]:
            names = [self._tell_due(seat, one.what, why) for one in open_dues]
            self.unexpected(" or ".join(dict.fromkeys(names)), seat)
        return tuple(outcome)

    def _match(
        self, seat: int, dues: Sequence[_Due], why: str
    ) -> tuple[_Due, Outcome, Gain | None] | None:
        """Find what the next row is about: the due, how it is written, the gain behind it."""
        found = self.reader.ahead()
        match = None
        waiting: set[str] = set()
        for due in sorted(dues, key=lambda due: due.good is not None):
            gain = self._gain(seat, due.what, why)
            shown = due.what if gain is None else gains.what_is_shown(self.table, seat, gain)
            if shown is None or isinstance(shown, Term):
                due.idle = True
                continue
            comes_later = due.good in waiting
            if due.good is not None and not due.idle:
                waiting.add(due.good)
            is_it = outcome_row(shown, self.round, seat) == found
            if match is None and is_it and not comes_later:
                match = due, shown, gain
        return match

    def _gain(self, seat: int, what: Term | Outcome, why: str) -> Gain | None:
        """Return how much a term or a gain is now, None for anything else."""
        if isinstance(what, Term):
            return Gain(what.what, gains.amount_of(self.table, seat, what), why)
        return what if isinstance(what, Gain) else None

    def _tell_due(self, seat: int, what: Term | Outcome, why: str) -> str:
        gain = self._gain(seat, what, why)
        shown = what if gain is None else gains.what_is_shown(self.table, seat, gain)
        if shown is None or isinstance(shown, Term):
            return "nothing"
        return self.teller.tell(outcome_row(shown, self.round, seat))

    def draws(self, drawn: Sequence[tuple[int, int, int]]) -> None:
        """Compare the cards that come to the market."""
        for deck, slot, kind in drawn:
            self.expect(row(events.DRAW, self.round, UNUSED, deck, slot, kind), "top of its deck")


def _without(dues: Sequence[_Due], found: _Due) -> list[_Due]:
    """Leave out what was read, and terms of the same good before it, which came to nothing."""
    place = dues.index(found)
    before = [due for due in dues[:place] if found.good is None or due.good != found.good]
    return [*before, *dues[place + 1 :]]


def _given(what: Outcome, outcome: Sequence[Outcome], dues: Sequence[_Due]) -> bool:
    """Tell whether the bonus for hats comes a second time in one execution."""
    is_bonus = isinstance(what, Gain) and what.why == "hat_bonus"
    return is_bonus and any(
        isinstance(one, Gain) and one.why == "hat_bonus"
        for one in (*outcome, *(due.what for due in dues))
    )
