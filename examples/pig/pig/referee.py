"""The referee of Pig: the rules once more in plain Python, held against an event log.

The log decides whether a player rolls on or holds and what the die shows; all else is worked out
here.
Messages count turns from 1; seats count from 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Never

from pig import events
from sim.games.game import Replay, RuleBroken

UNUSED = -1


@dataclass(frozen=True)
class Rules:
    """The numbers and rulings in use."""

    goal: int
    sides: int
    game_end: str
    turn_cap: int

    @classmethod
    def read(cls, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        return cls(
            goal=components["goal"]["points"],
            sides=components["die"]["sides"],
            game_end=rulings["game_end"],
            turn_cap=rulings["turn_cap"],
        )


@dataclass(frozen=True)
class SetUp:
    """The start of a game by these rules."""

    rules: Rules


@dataclass(frozen=True)
class Turn:
    """Turn `number` (from 1): what `seat` rolled, and the points that it held, 0 after a 1."""

    number: int
    seat: int
    dice: tuple[int, ...]
    held: int

    @property
    def acts(self) -> list[str]:
        """What the seat chose after each roll but a 1."""
        return ["roll"] * (len(self.dice) - 1) + (["hold"] if self.held else [])


@dataclass(frozen=True)
class GameOver:
    """Why the game ended, and each seat's rank (0 when it was cut off)."""

    reason: str
    ranks: tuple[int, ...]

    @property
    def truncated(self) -> bool:
        """Tell whether the game was cut off by the turn cap."""
        return self.reason == "turn_cap"


State = tuple[int, ...]
"""The points of each seat."""


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    The events of the replay are one `SetUp`, a `Turn` each, one `GameOver`; `states[i]` has
    the points of each seat after `events[i]`.
    """
    rules = Rules.read(components, rulings)
    court = _Court(log)
    points = [0] * players
    happened: list[Any] = [SetUp(rules)]
    states: list[State] = [tuple(points)]
    while (reason := why_over(rules, points, court.turn)) is None:
        turn = court.next_turn(rules, points, seat=court.turn % players)
        points[turn.seat] += turn.held
        happened.append(turn)
        states.append(tuple(points))
    happened.append(court.game_over(reason, points))
    return Replay(happened, [*states, states[-1]])


def why_over(rules: Rules, points: list[int], turns: int) -> str | None:
    """Return why the game is over between two turns, None when it goes on."""
    round_complete = turns % len(points) == 0
    if max(points) >= rules.goal and (rules.game_end == "immediate" or round_complete):
        return "goal_reached"
    return "turn_cap" if turns >= rules.turn_cap else None


class _Court:
    """Reads a log row by row."""

    def __init__(self, log: Any) -> None:
        self.rows = [tuple(row) for row in log.tolist()]
        self.turn = 0

    def next_turn(self, rules: Rules, points: list[int], seat: int) -> Turn:
        """Return what a seat did, if it was allowed."""
        dice: list[int] = []
        held = 0
        while not held and (not dice or dice[-1] != 1):
            event, turn, who, a, *_ = row = self.next_row()
            if (turn, who) != (self.turn, seat):
                self.breach(f"it is the turn of seat {seat}, but the log has the row {row}")
            if event == events.ROLLED and a in range(1, rules.sides + 1):
                dice.append(a)
                self.compare(row, (event, turn, seat, a, 0 if a == 1 else sum(dice), UNUSED))
            elif event == events.HELD and dice:
                held = sum(dice)
                self.compare(row, (event, turn, seat, held, points[seat] + held, UNUSED))
            else:
                self.breach(f"seat {seat} can roll, or hold after a roll, not {row}")
        self.turn += 1
        return Turn(self.turn, seat, tuple(dice), held)

    def compare(self, found: tuple[int, ...], due: tuple[int, ...]) -> None:
        """Break off if a row is not the one that is due."""
        if found != due:
            self.breach(f"the row {found} must read {due}")

    def game_over(self, reason: str, points: list[int]) -> GameOver:
        """Compare the end of the log: the reason, points and ranks, and nothing after."""
        cut = reason == "turn_cap"
        ranks = tuple(0 if cut else 1 + sum(other > own for other in points) for own in points)
        code = events.END_REASONS.index(reason)
        due = [(events.END, self.turn, UNUSED, code, UNUSED, UNUSED)]
        due += [
            (events.SCORE, self.turn, seat, own, rank, UNUSED)
            for seat, (own, rank) in enumerate(zip(points, ranks, strict=True))
        ]
        for expected in due:
            self.compare(self.next_row(), expected)
        if self.rows:
            self.breach("the log goes on after the end")
        return GameOver(reason, ranks)

    def next_row(self) -> tuple[int, ...]:
        """Return the next row."""
        if not self.rows:
            self.breach("the log stops, but the game goes on")
        return self.rows.pop(0)

    def breach(self, message: str) -> Never:
        """Stop the game."""
        raise RuleBroken(f"turn {self.turn + 1}: {message}")
