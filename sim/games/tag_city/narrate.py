"""Tells a refereed game of Tag City in words, to be followed with the rulebook in hand.

Seats and spaces of the HQ count from 0, rounds, rows and columns from 1.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from sim.games.game import Replay
from sim.games.tag_city.boards import Rules, Squares
from sim.games.tag_city.events import SPACES
from sim.games.tag_city.logbook import (
    GameOver,
    LastDie,
    PlayerState,
    Result,
    RoundBegins,
    SetUp,
    TableState,
    Turn,
)
from sim.games.tag_city.rulebook import Check, Circled, Die, Drone, Use

WIDTH = 100
"""Characters of a line with boards."""
LARGE, SMALL = "*", "+"

_ENDS = {
    "large_values": "all large values are gone",
    "bubbles": "all bubbles are circled",
    "drones": "a remote is used up",
}


def narrate(replay: Replay, style_names: Sequence[str], boards: bool = True) -> Iterator[str]:
    """Yield a game line by line; `style_names` names the style at each seat.

    With `boards` the shapes are drawn first and all city boards after each round.
    """
    teller = _Teller(replay, style_names, boards)
    for event, state in zip(replay.events, replay.states, strict=True):
        yield from teller.event(event, state)


def tell_round(replay: Replay, number: int) -> list[str]:
    """Return what happened in a round (from 1) once the dice lay on the HQ, in sentences."""
    teller = _Teller(replay, (), boards=False)
    told = []
    for event in replay.events:
        if isinstance(event, Turn) and event.round == number - 1:
            told.append(f"Seat {event.seat} {teller.turn_deed(event)}.")
        elif isinstance(event, LastDie) and event.round == number - 1:
            told.append(f"The last die is a {event.die.value} on {teller.space(event.die)}.")
            told += [f"Seat {use.seat} {teller.last_deed(event, use)}." for use in event.uses]
    return told


def tell_end(replay: Replay, style_names: Sequence[str]) -> str:
    """Return in a sentence who won, or that nobody did."""
    return _Teller(replay, style_names, boards=False).verdict(replay.events[-1])


def several(things: Iterable[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    *most, end = things
    return f"{', '.join(most)} and {end}" if most else end


def points(amount: int) -> str:
    """Return `1 point`, `-2 points`."""
    return f"{amount} point" if abs(amount) == 1 else f"{amount} points"


def values_on(space: int) -> tuple[int, int]:
    """Return the two values of dice that may lie on a space."""
    return space or SPACES, space + 1


class _Teller:
    """Turns events into sentences."""

    def __init__(self, replay: Replay, style_names: Sequence[str], boards: bool) -> None:
        start: SetUp = replay.events[0]
        self.rules: Rules = start.rules
        self.ring = start.ring
        self.styles = tuple(style_names)
        self.boards = boards

    def who(self, seat: int) -> str:
        return f"seat {seat} ({self.styles[seat]})"

    def event(
        self, event: SetUp | RoundBegins | Turn | LastDie | GameOver, after: TableState
    ) -> Iterator[str]:
        if isinstance(event, SetUp):
            return self.set_up(event)
        if isinstance(event, RoundBegins):
            return self.round_begins(event)
        if isinstance(event, Turn):
            return self.turn(event)
        if isinstance(event, LastDie):
            return self.last_die(event, after)
        return self.end(event)

    # Set-up

    def set_up(self, start: SetUp) -> Iterator[str]:
        rules = self.rules
        yield (
            f"Tag City with {start.players} players: a city of {rules.rows} x {rules.columns} "
            f"squares, {len(rules.elements)} rows, columns and neighborhoods, "
            f"{start.players + 1} dice."
        )
        hq = rules.hq if isinstance(rules.hq, str) else "fixed"
        yield (
            f"Rulings: hq {hq}, city {rules.city_name}, "
            f"bubble_values {_listed(rules.bubble_values)}, "
            f"drone_values {_listed(rules.drone_values)}, last_die_tie {rules.last_die_tie}, "
            f"first_leader {rules.first_leader}, round_cap {rules.round_cap}."
        )
        for space, shape in enumerate(self.ring):
            low, high = sorted(values_on(space))
            yield f"Space {space} of the HQ, for dice of {low} or {high}: {rules.title(shape)}."
        yield f"In its centre: {several(map(rules.title, rules.small))}."
        if self.boards:
            yield from self.legend()

    def legend(self) -> Iterator[str]:
        yield ""
        shapes = [*self.ring, *self.rules.small]
        yield from side_by_side([shape_lines(self.rules, shape) for shape in shapes])
        yield ""
        yield (
            "On the boards a number is a drawing of the seat, in their order; a letter is a free "
            "square"
        )
        yield (
            f"of that neighborhood; {LARGE} and {SMALL} mark what is circled: "
            f"{LARGE} its large value, {SMALL} its small one."
        )

    # Rounds

    def round_begins(self, event: RoundBegins) -> Iterator[str]:
        rolled = ", ".join(map(str, event.roll))
        yield ""
        yield f"Round {event.round + 1}: {self.who(event.leader)} leads and rolls {rolled}."
        placed = several(f"a {die.value} on {self.space(die)}" for die in event.dice)
        yield f"  It puts {placed}."

    def space(self, die: Die) -> str:
        return f"{self.rules.title(self.ring[die.space])} (space {die.space})"

    def turn(self, turn: Turn) -> Iterator[str]:
        yield f"  {_capital(self.who(turn.seat))} {self.turn_deed(turn)}."
        yield from self.announced(turn.met)

    def last_die(self, event: LastDie, after: TableState) -> Iterator[str]:
        yield f"  The last die, for all at once, is a {event.die.value} on {self.space(event.die)}."
        for use in event.uses:
            yield f"  {_capital(self.who(use.seat))} {self.last_deed(event, use)}."
        yield from self.announced(event.met)
        if self.boards:
            yield ""
            yield from self.city_boards(after)
        else:
            told = (f"{seat}:{p.score(self.rules)}" for seat, p in enumerate(after.players))
            yield f"  Points: {' '.join(told)}."

    def announced(self, met: Sequence[str]) -> Iterator[str]:
        for reason in met:
            yield f"  An end condition is met: {_ENDS[reason]}. The round is finished."

    def turn_deed(self, turn: Turn) -> str:
        """Return what a seat did with its die in the draft, without subject."""
        die = f"takes the {turn.die.value} from {self.space(turn.die)}"
        return f"{die} and {self.deed(turn.use)}{self.gains(turn.circled)}"

    def last_deed(self, event: LastDie, use: Use) -> str:
        """Return what a seat did with the last die, without subject."""
        own = [prize for prize in event.circled if prize.seat == use.seat]
        rivals = {
            prize.element.number
            for prize in event.circled
            if prize.seat != use.seat and prize.is_large
        }
        return f"{self.deed(use)}{self.gains(own, rivals)}"

    def deed(self, use: Use) -> str:
        """Return how a seat uses a die."""
        if isinstance(use, Check):
            if use.bubble is None:
                return "checks its networks; no bubble is left"
            return f"checks its networks, circling bubble {use.bubble} for {points(use.value)}"
        where = f"{self.rules.title(use.shape)} in {_where(use.squares)}"
        if isinstance(use, Drone):
            return f"draws {where} by drone for {points(use.value)}"
        return f"paints {where}"

    def gains(self, circled: Sequence[Circled], rivals: Collection[int] = ()) -> str:
        """Return the elements completed, as the end of a sentence."""
        if not circled:
            return ""
        told = []
        for prize in circled:
            size = "large" if prize.is_large else "small"
            shared = ", shared" if prize.is_large and prize.element.number in rivals else ""
            told.append(f"{prize.element.title} ({size} value, {prize.points}{shared})")
        return f": completes {several(told)}"

    # Boards

    def city_boards(self, state: TableState) -> Iterator[str]:
        blocks = [self.board(seat, player) for seat, player in enumerate(state.players)]
        yield from ("  " + line if line else "" for line in side_by_side(blocks, WIDTH - 2))

    def board(self, seat: int, player: PlayerState) -> list[str]:
        """Return a city board in lines."""
        rules = self.rules
        wide = max(3, 1 + len(str(len(player.drawings))))
        numbers = {
            square: str(number)
            for number, drawing in enumerate(player.drawings, start=1)
            for square in drawing.squares
        }
        marks = {p.element.number: LARGE if p.is_large else SMALL for p in player.circled}
        lines = [f"Seat {seat} ({self.styles[seat]}): {points(player.score(rules))}"]
        for row, letters in enumerate(rules.city):
            squares = (
                f"{numbers.get((row, column), letter.lower()):>{wide}}"
                for column, letter in enumerate(letters)
            )
            lines.append(f"{''.join(squares)} {marks.get(row, '')}".rstrip())
        columns = (marks.get(rules.rows + column, "") for column in range(rules.columns))
        lines.append("".join(f"{mark:>{wide}}" for mark in columns).rstrip())
        lines.append(self.others(player, marks))
        return lines

    def others(self, player: PlayerState, marks: dict[int, str]) -> str:
        """Return neighborhoods circled, drones and bubbles in a line."""
        rules = self.rules
        named = [
            f"{marks[element.number]}{element.name[-1].upper()}"
            for element in rules.elements[rules.rows + rules.columns :]
            if element.number in marks
        ]
        told = [f"drones {player.slots} of {len(rules.drone_values)}"]
        told.append(f"bubbles {len(player.bubbles)}")
        return ", ".join([" ".join(named), *told] if named else told)

    # The end

    def end(self, over: GameOver) -> Iterator[str]:
        length = "1 round" if over.rounds == 1 else f"{over.rounds} rounds"
        yield ""
        if over.truncated:
            yield f"The game is cut off by the round cap after {length}."
            for result in over.results:
                yield f"  {self.who(result.seat)}: {points(result.score)}"
        else:
            yield f"The game is over after {length}: {_ENDS[over.reason]}."
            for results in _by_rank(over).values():
                names = several(self.who(result.seat) for result in results)
                each = " each" if len(results) > 1 else ""
                yield f"  {results[0].rank}. {names}: {points(results[0].score)}{each}"
        yield self.verdict(over)

    def verdict(self, over: GameOver) -> str:
        """Return who won and by what."""
        if over.truncated:
            return "Nobody wins."
        best, *others = _by_rank(over).values()
        names = _capital(several(self.who(result.seat) for result in best))
        if len(best) > 1:
            return f"{names} share the win."
        lead = best[0].score - others[0][0].score
        if lead == 0:
            more = f"{best[0].bubbles} to {others[0][0].bubbles} bubbles"
            return f"{names} wins the tie by checking its networks more often ({more})."
        return f"{names} wins by {points(lead)}."


def _by_rank(over: GameOver) -> dict[int, list[Result]]:
    """Return the results, best rank first."""
    ranks: dict[int, list[Result]] = {}
    for result in sorted(over.results, key=lambda result: (result.rank, result.seat)):
        ranks.setdefault(result.rank, []).append(result)
    return ranks


def shape_lines(rules: Rules, shape: str) -> list[str]:
    """Return a shape in lines, its title first."""
    squares = rules.shapes[shape].squares
    tall, wide = (1 + max(place) for place in zip(*squares, strict=True))
    return [rules.title(shape)] + [
        "".join("#" if (row, column) in squares else " " for column in range(wide)).rstrip()
        for row in range(tall)
    ]


def side_by_side(blocks: Sequence[Sequence[str]], width: int = WIDTH, gap: int = 3) -> list[str]:
    """Return blocks of lines next to each other, as many as fit in a line, then below."""
    lines: list[str] = []
    row: list[Sequence[str]] = []
    used = 0
    for block in [*blocks, None]:
        wide = 0 if block is None else max(map(len, block))
        if row and (block is None or used + gap + wide > width):
            lines += ([""] if lines else []) + _joined(row, gap)
            row, used = [], 0
        if block is not None:
            used += wide + (gap if row else 0)
            row.append(block)
    return lines


def _joined(blocks: Sequence[Sequence[str]], gap: int) -> list[str]:
    widths = [max(map(len, block)) for block in blocks]
    tall = max(map(len, blocks))
    padded = [[*block, *[""] * (tall - len(block))] for block in blocks]
    return [
        (" " * gap).join(f"{text:<{wide}}" for text, wide in zip(row, widths, strict=True)).rstrip()
        for row in zip(*padded, strict=True)
    ]


def _where(squares: Squares) -> str:
    """Return `rows 1-2, columns 4-6`."""
    rows, columns = zip(*squares, strict=True)
    return f"{_range('row', rows)}, {_range('column', columns)}"


def _range(name: str, numbers: Sequence[int]) -> str:
    first, last = min(numbers) + 1, max(numbers) + 1
    return f"{name} {first}" if first == last else f"{name}s {first}-{last}"


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values)) or "none"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
