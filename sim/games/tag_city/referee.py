"""The referee of Tag City: replays an event log by the rulebook and stops at the first breach.

It works out every consequence itself (`sim.games.tag_city.rulebook`) and lets the log decide two
things only: luck (shapes on the HQ, the first leader, dice) and what the players chose.
Messages count rounds, rows and columns from 1, as the narration does; seats and spaces from 0.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sim.games.game import Replay
from sim.games.reading import UNUSED, Follower, Row, row
from sim.games.tag_city import events
from sim.games.tag_city.boards import Rules
from sim.games.tag_city.events import END_REASONS, ROUND_CAP, SPACES
from sim.games.tag_city.logbook import (
    Codes,
    Event,
    GameOver,
    LastDie,
    PlayerState,
    Result,
    RoundBegins,
    SetUp,
    TableState,
    Turn,
)
from sim.games.tag_city.rulebook import (
    Check,
    Circled,
    Die,
    Drone,
    Paint,
    Table,
    Use,
    begin_round,
    do,
    draft_order,
    end_of_the_game,
    end_round,
    fault,
    inconsistency,
    leader_fault,
    newly_met,
    ranking,
    ring_fault,
    score_draft,
    score_last_die,
    scores,
    set_up,
    spaces_of,
    take,
)

__all__ = ["GameOver", "LastDie", "Replay", "RoundBegins", "SetUp", "TableState", "Turn", "replay"]


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    `components` has the shape of components.toml, `rulings` a value for every ruling. The events
    of the replay are one `SetUp`, for each round a `RoundBegins`, the `Turn`s of the draft and a
    `LastDie`, and one `GameOver`; `states[i]` is the `TableState` after `events[i]`.
    """
    return _Referee(log, Rules.read(components, rulings), players).judge()


class _Referee(Follower):
    """Reads luck and choices from the log, compares the rest."""

    def __init__(self, log: Any, rules: Rules, players: int) -> None:
        self.codes = Codes(rules)
        super().__init__(log, self.codes.tell)
        self.rules = rules
        self.players = players
        self.events: list[Event] = []
        self.states: list[TableState] = []
        self.table: Table

    def judge(self) -> Replay:
        """Follow the whole game."""
        self.set_up()
        while (reason := end_of_the_game(self.table)) is None:
            self.play_round()
        self.game_over(reason)
        return Replay(self.events, self.states)

    def note(self, event: Event) -> None:
        """Keep an event and the table after it."""
        table = self.table
        self.events.append(event)
        self.states.append(
            TableState(
                round=table.round,
                leader=table.leader,
                dice=tuple(table.dice),
                checked_off=frozenset(table.checked_off),
                bubbles=frozenset(table.bubbles),
                met=tuple(table.met),
                players=tuple(
                    PlayerState(p.drawings, p.circled, p.slots, p.bubbles) for p in table.players
                ),
            )
        )

    # Setup

    def set_up(self) -> None:
        """Read the shapes on the HQ and who leads first."""
        ring = [self.ring_shape(space) for space in range(SPACES)]
        if wrong := ring_fault(self.rules, ring):
            self.breach(f"{', '.join(map(self.rules.title, ring))} lie on the HQ, but {wrong}")
        self.table = set_up(self.rules, self.players, ring, self.first_leader())
        self.note(SetUp(self.rules, self.players, tuple(ring)))

    def ring_shape(self, space: int) -> str:
        """Read which shape lies on a space."""
        due = f"a shape of the ring stock on space {space}"
        found = self.read(events.RING, UNUSED, 2, due)
        shape = self.codes.shape(found[4])
        if found[3] != space or shape not in self.rules.stock:
            self.breach(f"{self.told(found)}, but expected: {due}")
        return shape

    def first_leader(self) -> int:
        """Return the seat that the log names as the first leader."""
        found = self.reader.ahead()
        if found is None or found[0] != events.LEADER:
            self.breach(f"{self.told(found)}, but expected: the first leader")
        if wrong := leader_fault(self.rules, self.players, found[2]):
            self.breach(f"seat {found[2]} leads the round, but {wrong}")
        return found[2]

    # Turn Sequence

    def play_round(self) -> None:
        """Follow a round: dice, draft, last die."""
        table, leader = self.table, self.table.leader
        self.round, self.place = table.round, f"round {table.round + 1}"
        why = "the leader token goes round clockwise"
        self.expect(row(events.LEADER, self.round, leader), why)
        roll = self.roll(leader)
        begin_round(table, self.placed(leader, roll))
        self.note(RoundBegins(self.round, leader, roll, tuple(table.dice)))
        order = draft_order(self.players, leader)
        for place, seat in enumerate(order, start=1):
            self.draft(seat, place)
        self.last_die(order)
        if wrong := inconsistency(table):
            self.breach(wrong)

    def roll(self, leader: int) -> tuple[int, ...]:
        """Read the roll: a die for each player and one more."""
        values = []
        for position in range(self.players + 1):
            due = f"die {position} of {self.players + 1} rolled, 1 to 6"
            found = self.read(events.ROLL, leader, 2, due)
            if found[3] != position or not 1 <= found[4] <= 6:
                self.breach(f"{self.told(found, leader)}, but expected: {due}", leader)
            values.append(found[4])
        return tuple(values)

    def placed(self, leader: int, roll: Sequence[int]) -> list[Die]:
        """Read where the leader puts the dice, by ascending value."""
        dice = []
        for value in sorted(roll):
            low, high = spaces_of(value)
            due = f"a {value} put on space {low} or {high}"
            found = self.read(events.PLACE, leader, 2, due)
            if found[3] != value or found[4] not in (low, high):
                self.breach(f"{self.told(found, leader)}, but expected: {due}", leader)
            dice.append(Die(value, found[4]))
        return dice

    def draft(self, seat: int, place: int) -> None:
        """Follow a seat's turn: it takes a die and uses it, then all that follows from it."""
        table = self.table
        offered = f"takes one of the dice on the HQ: {tell_dice(table.dice)}"
        found = self.read(events.TAKE, seat, 2, offered)
        die = Die(found[3], found[4])
        if die not in table.dice:
            self.breach(f"{self.told(found, seat)}, but expected: {offered}", seat)
        take(table, die)
        use = self.use(seat, die)
        do(table, use)
        circled = score_draft(table, seat)
        self.circles(circled)
        self.note(Turn(self.round, place, die, use, tuple(circled), self.conditions()))

    def last_die(self, order: Sequence[int]) -> None:
        """Follow the last die: all choose, then all is done and scored at once."""
        table, (die,) = self.table, self.table.dice
        self.expect(row(events.LAST, self.round, UNUSED, *die), "this die is left on the HQ")
        uses = [self.use(seat, die, last_die=True) for seat in order]
        for use in uses:
            do(table, use)
        circled = score_last_die(table)
        self.circles(circled)
        met = self.conditions()
        end_round(table)
        self.note(LastDie(self.round, die, tuple(uses), tuple(circled), met))

    # Uses of a die

    def use(self, seat: int, die: Die, last_die: bool = False) -> Use:
        """Read how a seat uses a die, and check that it may."""
        kinds = (events.PAINT, events.DRONE, events.CHECK)
        due = f"paints, uses a drone or checks with its {die.value} on space {die.space}"
        found = self.reader.ahead()
        used = {events.PAINT: 1, events.CHECK: 2}.get(-1 if found is None else found[0], 3)
        found = self.read(kinds, seat, used, due)
        if found[0] == events.CHECK:
            use: Use = Check(seat, None if found[3] == UNUSED else found[3], found[4])
        else:
            use = self.drawing(found, seat)
        if wrong := fault(self.table, die, use, last_die):
            self.breach(f"{self.told(found, seat)}, but {wrong}", seat)
        return use

    def drawing(self, found: Row, seat: int) -> Use:
        """Read the squares of a drawing."""
        shape = self.codes.shape(found[3])
        if shape is None:
            self.breach(self.told(found, seat), seat)
        numbers: list[int] = []
        for covered in self.reader.run(events.SQUARE):
            if covered[1:3] != (self.round, seat) or covered[4:] != (UNUSED, UNUSED):
                self.breach(f"the row {covered} is none of a drawing of seat {seat}", seat)
            if numbers and covered[3] <= numbers[-1]:
                self.breach(
                    f"{self.codes.tell(covered)} after square {numbers[-1]}, but a drawing lists "
                    "each of its squares once, ascending",
                    seat,
                )
            numbers.append(covered[3])
        squares = frozenset(map(self.codes.square, numbers))
        if found[0] == events.PAINT:
            return Paint(seat, shape, squares)
        return Drone(seat, shape, squares, found[4], found[5])

    # What follows

    def circles(self, due: Sequence[Circled]) -> None:
        """Compare the values circled with those that the drawings win, in their order."""
        for prize in due:
            self.expect(self.codes.circle_row(prize, self.round), self.why_circled(prize))
        found = self.reader.ahead()
        if found is not None and found[0] == events.CIRCLE:
            self.breach(f"{self.told(found, found[2])}, but {self.why_not(found)}", found[2])

    def why_circled(self, prize: Circled) -> str:
        """Explain why a seat circles a value."""
        size = "first" if prize.is_large else "not the first"
        return f"it completes {prize.element.title} and is {size} to do so"

    def why_not(self, found: Row) -> str:
        """Explain why a value may not be circled."""
        there = 0 <= found[3] < len(self.rules.elements) and 0 <= found[2] < self.players
        if not there:
            return "there is no such element or seat"
        element, player = self.rules.elements[found[3]], self.table.players[found[2]]
        missing = len(element.squares - player.painted)
        if missing:
            return f"{missing} of its {len(element.squares)} squares are free"
        return "it circles that element once, when it completes it"

    def conditions(self) -> tuple[str, ...]:
        """Compare the end conditions announced with those that are met now."""
        met = newly_met(self.table)
        for reason in met:
            self.expect(self.codes.reason_row(events.MET, reason, self.round), "it is met now")
        found = self.reader.ahead()
        if found is not None and found[0] == events.MET:
            again = "already" if found[3] in map(END_REASONS.index, self.table.met) else "not"
            self.breach(f"{self.told(found)}, but it is {again} met")
        return tuple(met)

    # End of the Competition

    def game_over(self, reason: str) -> None:
        """Compare the end of the log: the reason, points, ranks and bubbles, and nothing after."""
        table, self.place = self.table, "end of the game"
        is_cut_off = reason == END_REASONS[ROUND_CAP]
        why = f"the round cap is {table.round}" if is_cut_off else "met first; the round is done"
        self.expect(self.codes.reason_row(events.END, reason, self.round), why)
        ranks = [0] * self.players if is_cut_off else ranking(table)
        results = tuple(
            Result(seat, points, rank, len(player.bubbles))
            for seat, (points, rank, player) in enumerate(
                zip(scores(table), ranks, table.players, strict=True)
            )
        )
        for result in results:
            why = "a game cut off has no ranks" if is_cut_off else "what its board says"
            self.expect(self.codes.result_row(result, self.round), why)
        if (found := self.reader.ahead()) is not None:
            self.breach(f"{self.told(found)}, but the game is over")
        self.note(GameOver(reason, table.round, results))


def tell_dice(dice: Iterable[Die]) -> str:
    """Return `1 on space 0, 2 x 5 on space 4`."""
    counted = Counter(dice)
    return ", ".join(
        f"{'' if count == 1 else f'{count} x '}{die.value} on space {die.space}"
        for die, count in sorted(counted.items())
    )
