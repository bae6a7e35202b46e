"""What happened in a game of Tag City, event by event, and what the rows of a log say."""

from collections.abc import Callable
from dataclasses import dataclass

from sim.games.reading import UNUSED, Row, row
from sim.games.tag_city import events
from sim.games.tag_city.boards import Rules, Square, name_of
from sim.games.tag_city.events import END_REASONS, ROUND_CAP
from sim.games.tag_city.rulebook import (
    Check,
    Circled,
    Die,
    Drawing,
    Drone,
    Use,
    score_of,
)

# Events of a replay


@dataclass(frozen=True, slots=True)
class SetUp:
    """The shapes on spaces 0 to 5, by these rules."""

    rules: Rules
    players: int
    ring: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundBegins:
    """Round `round` (from 0): what the leader rolled, in order, and where it put the dice."""

    round: int
    leader: int
    roll: tuple[int, ...]
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat takes a die in the draft and uses it; `place` is 1 for the first to choose."""

    round: int
    place: int
    die: Die
    use: Use
    circled: tuple[Circled, ...]
    met: tuple[str, ...]

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.use.seat


@dataclass(frozen=True, slots=True)
class LastDie:
    """All use the die that is left, in the order of the draft; then all is scored."""

    round: int
    die: Die
    uses: tuple[Use, ...]
    circled: tuple[Circled, ...]
    met: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A seat's points, rank (1 is best, 0 when the game was cut off) and bubbles circled."""

    seat: int
    score: int
    rank: int
    bubbles: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """Why the game ended after so many rounds, and the results by seat."""

    reason: str
    rounds: int
    results: tuple[Result, ...]

    @property
    def truncated(self) -> bool:
        """Tell whether the game was cut off by the round cap."""
        return self.reason == END_REASONS[ROUND_CAP]


Event = SetUp | RoundBegins | Turn | LastDie | GameOver


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A board at some moment: drawings and circled values in order, slots used, bubbles."""

    drawings: tuple[Drawing, ...]
    circled: tuple[Circled, ...]
    slots: int
    bubbles: tuple[int, ...]

    @property
    def painted(self) -> set[Square]:
        """The squares painted."""
        return {square for drawing in self.drawings for square in drawing.squares}

    def score(self, rules: Rules) -> int:
        """Return the points circled so far."""
        return score_of(rules, self.circled, self.slots, self.bubbles)


@dataclass(frozen=True, slots=True)
class TableState:
    """The table after an event.

    `round` counts rounds completed, `dice` lie on the HQ, `leader` holds the token; `checked_off`
    are numbers of elements whose large value is gone, `bubbles` those circled, `met` the end
    conditions met.
    """

    round: int
    leader: int
    dice: tuple[Die, ...]
    checked_off: frozenset[int]
    bubbles: frozenset[int]
    met: tuple[str, ...]
    players: tuple[PlayerState, ...]


# Rows


class Codes:
    """The codes of shapes and squares in a log."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.names = tuple(rules.shapes)
        self._codes = {name: code for code, name in enumerate(self.names)}

    def shape(self, code: int) -> str | None:
        """Return the shape with a code, None when there is none."""
        return self.names[code] if 0 <= code < len(self.names) else None

    def code(self, shape: str) -> int:
        """Return the code of a shape."""
        return self._codes[shape]

    def square(self, number: int) -> Square:
        """Return the square with a number; one that is not in the city is outside of it."""
        return divmod(number, self.rules.columns)

    def number(self, square: Square) -> int:
        """Return the number of a square."""
        return square[0] * self.rules.columns + square[1]

    # Writing

    def use_rows(self, use: Use, number: int) -> list[Row]:
        """Return the rows that using a die leaves in the log of round `number`."""
        if isinstance(use, Check):
            bubble = UNUSED if use.bubble is None else use.bubble
            return [row(events.CHECK, number, use.seat, bubble, use.value)]
        code = self._codes[use.shape]
        if isinstance(use, Drone):
            first = row(events.DRONE, number, use.seat, code, use.slot, use.value)
        else:
            first = row(events.PAINT, number, use.seat, code)
        squares = sorted(map(self.number, use.squares))
        return [first, *(row(events.SQUARE, number, use.seat, square) for square in squares)]

    @staticmethod
    def circle_row(prize: Circled, number: int) -> Row:
        """Return the row of a circled value."""
        large = int(prize.is_large)
        return row(events.CIRCLE, number, prize.seat, prize.element.number, large, prize.points)

    @staticmethod
    def reason_row(event: int, reason: str, number: int) -> Row:
        """Return the row of a met condition or of the end."""
        return row(event, number, UNUSED, END_REASONS.index(reason))

    @staticmethod
    def result_row(result: Result, number: int) -> Row:
        """Return the row of a final score."""
        return (events.SCORE, number, result.seat, result.score, result.rank, result.bubbles)

    # Telling

    def tell(self, found: Row) -> str:
        """Return what a row says, as the rest of a sentence about its seat."""
        event, _, _, a, b, c = found
        tellers: dict[int, Callable[[], str]] = {
            events.RING: lambda: f"puts {self._title(b)} on space {a}",
            events.LEADER: lambda: "leads the round",
            events.ROLL: lambda: f"rolls {b} as die {a}",
            events.PLACE: lambda: f"puts a {a} on space {b}",
            events.TAKE: lambda: f"takes a {a} from space {b}",
            events.LAST: lambda: f"the last die is a {a} on space {b}",
            events.PAINT: lambda: f"paints {self._title(a)}",
            events.DRONE: lambda: f"draws {self._title(a)} by drone (slot {b}, worth {c})",
            events.CHECK: lambda: _check(a, b),
            events.SQUARE: lambda: f"covers square {a} ({name_of(self.square(a))})",
            events.CIRCLE: lambda: f"circles {c} as the {_size(b)} value of {self._element(a)}",
            events.MET: lambda: f"the end condition {_reason(a)} is met",
            events.END: lambda: f"the game is over ({_reason(a)})",
            events.SCORE: lambda: f"scores {a} with rank {b} and {c} bubbles",
        }
        return tellers[event]() if event in tellers else f"there is the unknown event code {event}"

    def _title(self, code: int) -> str:
        shape = self.shape(code)
        return f"shape code {code} (there is none)" if shape is None else self.rules.title(shape)

    def _element(self, number: int) -> str:
        there = 0 <= number < len(self.rules.elements)
        return self.rules.elements[number].title if there else f"element {number} (there is none)"


def _check(bubble: int, value: int) -> str:
    if bubble == UNUSED and value == 0:
        return "checks without a bubble"
    return f"checks with bubble {bubble} (worth {value})"


def _size(code: int) -> str:
    return {0: "small", 1: "large"}.get(code, f"(code {code})")


def _reason(code: int) -> str:
    named = 0 <= code < len(END_REASONS)
    return END_REASONS[code].replace("_", " ") if named else f"unknown reason {code}"
