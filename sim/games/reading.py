"""How referees read an event log: the rows, and following a game along them round by round."""

from collections.abc import Callable
from typing import Any, Never

from sim.games.game import RuleBroken

Row = tuple[int, ...]
"""Six fields of a log, in the order that a game's `events` says."""
UNUSED = -1
"""What an unused field holds."""
BEFORE_THE_GAME = -1
"""The round, or turn, of the set-up."""


def row(event: int, number: int, seat: int, a: int = -1, b: int = -1, c: int = -1) -> Row:
    """Return a row of a round or turn, -1 where a field is unused."""
    return (event, number, seat, a, b, c)


class Reader:
    """A log, int32 [rows, 6], read row by row; `at` is the next one."""

    def __init__(self, log: Any) -> None:
        self.all: list[Row] = [tuple(found) for found in log.tolist()]
        self.at = 0

    def ahead(self, offset: int = 0) -> Row | None:
        """Return the row so far ahead, None past the end."""
        position = self.at + offset
        return self.all[position] if position < len(self.all) else None

    def is_next(self, *events: int) -> bool:
        """Tell whether the next row is of one of these events."""
        return self.at < len(self.all) and self.all[self.at][0] in events

    def run(self, event: int) -> list[Row]:
        """Read the rows ahead while they are of one event."""
        first = self.at
        while self.is_next(event):
            self.at += 1
        return self.all[first : self.at]


class Follower:
    """Follows a log of rows (event, round, seat, a, b, c), as `row` makes them.

    `tell` says what a row tells, without its seat. `round` and `place` are where the game is,
    `place` in words.
    """

    def __init__(self, log: Any, tell: Callable[[Row], str]) -> None:
        self.reader = Reader(log)
        self.tell = tell
        self.round = BEFORE_THE_GAME
        self.place = "set-up"

    def breach(self, message: str, seat: int = UNUSED) -> Never:
        """Stop the game."""
        raise RuleBroken(f"{self.place}{'' if seat == UNUSED else f', seat {seat}'}: {message}")

    def told(self, found: Row | None, seat: int = UNUSED) -> str:
        """Return what a row says, with its seat and round when they are not the ones expected."""
        if found is None:
            return "the log stops"
        another = f"seat {found[2]} " if found[2] not in (seat, UNUSED) else ""
        when = "" if found[1] == self.round else f" in a row of round {found[1] + 1}"
        return f"{another}{self.tell(found)}{when}"

    def unexpected(self, due: str, seat: int = UNUSED) -> Never:
        """Stop the game since the next row is not what is due."""
        self.breach(f"{self.told(self.reader.ahead(), seat)}, but expected: {due}", seat)

    def expect(self, due: Row, why: str) -> None:
        """Read the one row that may come now."""
        found, seat = self.reader.ahead(), due[2]
        if found != due:
            expected = self.tell(due)
            if self.told(found, seat) == expected:
                expected = f"the row {due}, not {found}"
            self.unexpected(f"{expected} ({why})", seat)
        self.reader.at += 1

    def read(self, event: int | tuple[int, ...], seat: int, used: int, due: str) -> Row:
        """Read a row of an event, or one of several, for a seat.

        The first `used` of its fields a, b, c are in use.
        """
        found = self.reader.ahead()
        wanted = (event,) if isinstance(event, int) else event
        if found is None or found[0] not in wanted or found[1:3] != (self.round, seat):
            self.unexpected(due, seat)
        if any(field != UNUSED for field in found[3 + used :]):
            self.breach(f"the row {found} must have -1 in its unused fields", seat)
        self.reader.at += 1
        return found
