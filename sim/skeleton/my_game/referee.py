"""The referee of My Game: the rules once more in plain Python, held against an event log.

The log decides which act a player chose and what the die showed; all else is worked out here.
Messages count turns from 1; seats count from 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Never

from my_game import events
from sim.games.game import Replay, RuleBroken

UNUSED = -1


@dataclass(frozen=True)
class Rules:
    """The numbers and rulings in use."""

    length: int
    walk: int
    sides: int
    game_end: str
    turn_cap: int

    @classmethod
    def read(cls, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        return cls(
            length=components["track"]["length"],
            walk=components["moves"]["walk"],
            sides=components["moves"]["sides"],
            game_end=rulings["game_end"],
            turn_cap=rulings["turn_cap"],
        )


@dataclass(frozen=True)
class SetUp:
    """The start of a game by these rules."""

    rules: Rules


@dataclass(frozen=True)
class Turn:
    """Turn `number` (from 1): what `seat` did; `die` is None for a walk."""

    number: int
    seat: int
    act: str
    die: int | None
    steps: int


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
"""How far each seat is."""


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    The events of the replay are one `SetUp`, a `Turn` each, one `GameOver`; `states[i]` says how
    far each seat is after `events[i]`.
    """
    rules = Rules.read(components, rulings)
    court = _Court(log)
    steps = [0] * players
    happened: list[Any] = [SetUp(rules)]
    states: list[State] = [tuple(steps)]
    while (reason := why_over(rules, steps, court.turn)) is None:
        turn = court.next_turn(rules, seat=court.turn % players)
        steps[turn.seat] += turn.steps
        happened.append(turn)
        states.append(tuple(steps))
    happened.append(court.game_over(reason, steps))
    return Replay(happened, [*states, states[-1]])


def why_over(rules: Rules, steps: list[int], turns: int) -> str | None:
    """Return why the game is over between two turns, None when it goes on."""
    round_complete = turns % len(steps) == 0
    if max(steps) >= rules.length and (rules.game_end == "immediate" or round_complete):
        return "track_end"
    return "turn_cap" if turns >= rules.turn_cap else None


def steps_of(rules: Rules, act: str, die: int | None) -> int:
    """Return how far an act goes."""
    if act == "walk" or die is None:
        return rules.walk
    return 0 if die == 1 else die


class _Court:
    """Reads a log row by row."""

    def __init__(self, log: Any) -> None:
        self.rows = [tuple(row) for row in log.tolist()]
        self.turn = 0

    def next_turn(self, rules: Rules, seat: int) -> Turn:
        """Return what a seat did, if it was allowed."""
        event, turn, who, act, die, steps = self.next_row()
        if (event, turn, who) != (events.MOVE, self.turn, seat):
            self.breach(f"seat {seat} must move, but the log has event {event} of seat {who}")
        if act not in range(len(events.ACTS)):
            self.breach(f"seat {seat} takes act {act}, which there is none of")
        name = events.ACTS[act]
        if die not in (range(1, rules.sides + 1) if name == "run" else (UNUSED,)):
            self.breach(f"seat {seat} rolls {die} for a {name}")
        rolled = die if name == "run" else None
        due = steps_of(rules, name, rolled)
        if steps != due:
            self.breach(f"seat {seat} goes {steps} steps, not {due}")
        self.turn += 1
        return Turn(self.turn, seat, name, rolled, steps)

    def game_over(self, reason: str, steps: list[int]) -> GameOver:
        """Compare the end of the log: the reason, steps and ranks, and nothing after."""
        cut = reason == "turn_cap"
        ranks = tuple(0 if cut else 1 + sum(other > own for other in steps) for own in steps)
        code = events.END_REASONS.index(reason)
        due = [(events.END, self.turn, UNUSED, code, UNUSED, UNUSED)]
        due += [
            (events.SCORE, self.turn, seat, own, rank, UNUSED)
            for seat, (own, rank) in enumerate(zip(steps, ranks, strict=True))
        ]
        for expected in due:
            if (found := self.next_row()) != expected:
                self.breach(f"the game is over ({reason}): the row {found} must read {expected}")
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
