"""The referee of Wildstyle: replays an event log by the rulebook and stops at the first breach.

It keeps the clock and works out every consequence itself, and lets the log decide three things
only: how cards, boards and tiles were shuffled, what a seat decided, and, where acts take a random
time, when they land. Rows count from 0 as in the log, rounds from 1, seats from 0.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Never

from sim.games.game import Replay, RuleBroken
from sim.games.reading import UNUSED, Reader, Row
from sim.games.wildstyle import events
from sim.games.wildstyle.city import City, build_city, turned_face
from sim.games.wildstyle.events import END_REASONS, NEVER, STALEMATE, TIME_CAP
from sim.games.wildstyle.logbook import (
    Acted,
    Decided,
    Event,
    FinalPhase,
    Fumbled,
    GameOver,
    Removed,
    Result,
    RoundBegins,
    RoundOver,
    Scored,
    SetUp,
    Solo,
    TableState,
    deed,
    seconds,
    tell,
)
from sim.games.wildstyle.rulebook import (
    MICROSECONDS,
    Act,
    Cards,
    Rules,
    Table,
    conservation,
    districts_fault,
    do,
    empty_map,
    finish_seats,
    lay_out,
    legal_acts,
    obstacle,
    piles_fault,
    start_round,
    tiles_fault,
    trigger,
)
from sim.games.wildstyle.scoring_rules import (
    Tags,
    count_objective,
    objective_hexes,
    ranking,
    solo_tags,
    tags_to_remove,
)

__all__ = ["Replay", "Table", "TableState", "legal_acts", "objective_hexes", "replay"]

WIDEST = 8.0
"""How many standard deviations of its noise an act may take."""
IDLE = (events.WAIT, events.STOP)


def replay(
    log: Any,
    components: Mapping[str, Any],
    rulings: Mapping[str, Any],
    players: int,
    tempos: Sequence[float] | None = None,
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    `components` has the shape of components.toml, `rulings` a value for every ruling, `tempos`
    the tempo of each seat (1 where None). The events of the replay are those of
    `sim.games.wildstyle.logbook`; `states[i]` is the `TableState` after `events[i]`.
    """
    rules = Rules.read(components, rulings, players)
    return _Referee(log, rules, tempos or [1.0] * players).judge()


@dataclass(frozen=True, slots=True)
class _Busy:
    """A seat has decided at a time, and its act will land."""

    lands: int
    decided: int
    act: int
    target: int


@dataclass(frozen=True, slots=True)
class _Looks:
    """A seat will look at the table."""

    time: int


_WAITING = None
_Doing = _Busy | _Looks | None


class _Referee:
    """Follows a game along its log: reads choices and luck from it, compares the rest."""

    def __init__(self, log: Any, rules: Rules, tempos: Sequence[float]) -> None:
        self.reader = Reader(log)
        self.rules = rules
        self.tempos = tempos
        self.seats = range(rules.players)
        self.now = 0
        self.doing: list[_Doing] = []
        self.happened: list[Event] = []
        self.states: list[TableState] = []
        self.lies: tuple[Any, ...] = ()
        self.table: Table

    def judge(self) -> Replay:
        """Follow the whole game."""
        self.set_up()
        reason = STALEMATE
        for number in range(1, self.rules.rounds + 1):
            self.begin_round(number)
            reason = self.play_round()
            if reason == TIME_CAP:
                break
        results = self.cut_off() if reason == TIME_CAP else self.game_end()
        self.game_over(reason, results)
        return Replay(self.happened, self.states)

    # Reading and comparing

    def breach(self, message: str, seat: int | None = None, row: int | None = None) -> Never:
        """Stop the game at a row, the next one unless said otherwise."""
        place = f"row {self.reader.at if row is None else row}"
        if hasattr(self, "table") and self.table.round:
            place += f", round {self.table.round}, {seconds(self.now)}"
        raise RuleBroken(f"{place}{'' if seat is None else f', seat {seat}'}: {message}")

    def told(self, seat: int | None = None) -> str:
        """Return what the next row says, with its seat when that is not the one expected."""
        row = self.reader.ahead()
        if row is None:
            return "the log stops"
        other = f"seat {row[1]} " if row[1] not in (seat, UNUSED) else ""
        return other + tell(self.rules, row)

    def expect(
        self, event: int, seat: int, a: int, b: int = -1, c: int = -1, *, why: str = ""
    ) -> None:
        """Read the row that must come now."""
        expected = (event, seat, self.now, a, b, c)
        found = self.reader.ahead()
        if found != expected:
            due = tell(self.rules, expected)
            if self.told(seat) == due:
                due = f"the row must be {expected}, not {found}"
            named = None if seat == UNUSED else seat
            self.breach(f"{self.told(named)}, but expected: {due}{why and f' ({why})'}", named)
        self.reader.at += 1

    def note(self, event: Event) -> None:
        """Keep an event and the table after it."""
        if not isinstance(event, Decided) or event.lands is None:
            self.lies = self.what_lies()
        self.happened.append(event)
        self.states.append(TableState(self.table.round, self.now, *self.lies))

    def what_lies(self) -> tuple[Any, ...]:
        """Return the table as it lies, but for the time; a decision does not change it."""
        table = self.table
        return (
            None if table.final_phase is None else END_REASONS[table.final_phase],
            tuple(map(len, table.draw_piles)),
            tuple(table.share_piles),
            tuple(table.hands),
            tuple(table.mats),
            tuple(table.tags_left),
            tuple(table.supply),
            tuple(table.tags),
            tuple(table.cars),
            table.cars_left,
            tuple(table.finished),
        )

    # Setup

    def set_up(self) -> None:
        """City Map Setup: the tiles and the boards."""
        rules, first = self.rules, self.reader.at
        tiles = self.numbered(events.TILE, len(rules.show))
        names = list(rules.sides)
        for row in tiles:
            if not (0 <= row[4] < len(names) and row[5] == UNUSED):
                self.breach(f"{row} names no side of a tile", row=first)
        shown = [names[row[4]] for row in tiles]
        if fault := tiles_fault(rules, shown):
            self.breach(f"{', '.join(shown)} show, but {fault}", row=first)
        first = self.reader.at
        boards = [(row[4], row[5]) for row in self.numbered(events.DISTRICT, rules.players)]
        if fault := districts_fault(rules, [face for face, _ in boards], [k for _, k in boards]):
            self.breach(fault, row=first)
        sides = [rules.sides[name] for name in shown]
        city = self.city(boards)
        self.table = lay_out(rules, city, sides)
        self.note(SetUp(rules, city, self.table.sides, tuple(boards)))

    def city(self, boards: Sequence[tuple[int, int]]) -> City:
        """Put the boards together."""
        rules = self.rules
        icons: list[int] = []
        for face, turns in boards:
            icons += turned_face(rules.faces[face], rules.radius, turns)
        return build_city(empty_map(rules), icons, rules.icon_points)

    def numbered(self, event: int, count: int) -> list[Row]:
        """Read rows of the set-up that are numbered from 0."""
        first = self.reader.at
        rows = self.reader.run(event)
        for number, row in enumerate(rows):
            if row[:4] != (event, UNUSED, 0, number):
                self.breach(f"{row} must start {(event, UNUSED, 0, number)}", row=first + number)
        if len(rows) != count:
            self.breach(f"{self.told()}, after {len(rows)} of {count} rows of event {event}")
        return rows

    # Starting a Round

    def begin_round(self, number: int) -> None:
        """Read the deal and the piles, all from the whole deck."""
        self.now = 0
        self.expect(events.ROUND, UNUSED, number)
        first = self.reader.at
        hands = self.hands()
        piles, set_aside = self.piles()
        there = Counter(set_aside)
        for cards in (*hands, *piles):
            there.update(cards)
        for card in sorted(there | Counter(self.rules.deck)):
            if there[card] != self.rules.deck.get(card, 0):
                due = self.rules.deck.get(card, 0)
                title = self.rules.card_title(card)
                self.breach(f"{there[card]} x {title} in round {number}, not {due}", row=first)
        if fault := piles_fault(self.rules, piles, set_aside):
            self.breach(fault, row=first)
        start_round(self.table, hands, piles, set_aside)
        self.note(RoundBegins(number, hands, piles, set_aside))

    def hands(self) -> tuple[Cards, ...]:
        """Read the hands, dealt seat by seat."""
        size, first = self.rules.hand_size, self.reader.at
        rows = self.reader.run(events.DEAL)
        for number, row in enumerate(rows):
            if row[1:3] != (number // size, 0) or row[4:] != (UNUSED, UNUSED):
                self.breach(f"{row} is not the deal to seat {number // size}", row=first + number)
        if len(rows) != size * self.rules.players:
            self.breach(f"{self.told()}, after {len(rows)} cards dealt, {size} to a seat are due")
        cards = tuple(row[3] for row in rows)
        return tuple(cards[seat * size : (seat + 1) * size] for seat in self.seats)

    def piles(self) -> tuple[tuple[Cards, ...], Cards]:
        """Read the draw piles, bottom first and pile by pile, then the cards set aside."""
        first = self.reader.at
        piles: list[list[int]] = [[] for _ in range(self.rules.draw_piles)]
        set_aside: list[int] = []
        before = 0
        for number, row in enumerate(self.reader.run(events.PILE)):
            pile = len(piles) if row[3] == events.SET_ASIDE else row[3]
            if not before <= pile <= len(piles) or (row[1], row[2], row[5]) != (UNUSED, 0, UNUSED):
                self.breach(f"{row} is not the next card of a pile", row=first + number)
            before = pile
            (set_aside if pile == len(piles) else piles[pile]).append(row[4])
        return tuple(map(tuple, piles)), tuple(set_aside)

    # The clock

    def play_round(self) -> int:
        """Follow a round instant by instant; return the code of why it ended."""
        table = self.table
        self.doing = [_WAITING if table.finished[seat] else _Looks(0) for seat in self.seats]
        while True:
            instants = [
                doing.lands if isinstance(doing, _Busy) else doing.time
                for doing in self.doing
                if doing is not None
            ]
            if not instants:
                reason = STALEMATE if table.final_phase is None else table.final_phase
                why = "nobody has an act or a look to come"
                break
            if min(instants) > self.rules.round_cap:
                self.now, reason, why = self.rules.round_cap, TIME_CAP, "what comes is too late"
                break
            self.now = min(instants)
            self.land_acts()
            self.let_seats_look()
        self.expect(events.ROUND_END, UNUSED, reason, why=why)
        if fault := conservation(table):
            self.breach(fault)
        self.note(RoundOver(table.round, self.now, END_REASONS[reason]))
        return reason

    def land_acts(self) -> None:
        """Let the acts of this instant happen: earlier decisions first, then lower seats."""
        landing = [
            (doing.decided, seat, doing)
            for seat, doing in enumerate(self.doing)
            if isinstance(doing, _Busy) and doing.lands == self.now
        ]
        for _, seat, busy in sorted(landing, key=lambda entry: entry[:2]):
            if not self.table.finished[seat]:
                self.doing[seat] = _Looks(self.now)
                self.land(seat, busy.act, busy.target)

    def land(self, seat: int, act: int, target: int) -> None:
        """Let one act succeed or fail."""
        table, what = self.table, deed(act, target)
        if why := obstacle(table, seat, act, target):
            self.expect(events.FUMBLE, seat, act, target, why=why)
            self.note(Fumbled(table.round, self.now, seat, what, why))
            return
        drawn = table.draw_piles[what.pile or 0][-1] if act == events.DRAW else UNUSED
        self.expect(events.ACT, seat, act, target, drawn)
        do(table, seat, act, target)
        finish_seats(table)
        self.note(Acted(table.round, self.now, seat, what, None if drawn == UNUSED else drawn))
        self.check_trigger(seat)
        self.after_an_act(seat)

    def check_trigger(self, seat: int) -> None:
        """End of the Round: see whether the act of a seat triggers it."""
        table = self.table
        reason = trigger(table)
        if reason is None:
            return
        self.expect(events.TRIGGER, UNUSED, reason)
        table.final_phase = reason
        finish_seats(table)
        self.note(FinalPhase(table.round, self.now, seat, END_REASONS[reason]))

    def after_an_act(self, actor: int) -> None:
        """Drop what finished seats had decided, and let the others who wait react."""
        for seat, finished in enumerate(self.table.finished):
            if finished:
                self.doing[seat] = None
            elif self.doing[seat] is _WAITING and seat != actor:
                reaction = self.rules.clock.reaction * self.tempos[seat] * MICROSECONDS
                self.doing[seat] = _Looks(self.now + max(0, round(reaction)))

    def let_seats_look(self) -> None:
        """Read the decisions of the seats that look at this instant, in seat order."""
        for seat, doing in enumerate(self.doing):
            if isinstance(doing, _Looks) and doing.time == self.now:
                self.look(seat)

    def look(self, seat: int) -> None:
        """Read what a seat decides."""
        table, row = self.table, self.reader.ahead()
        if row is None or row[:3] != (events.DECIDE, seat, self.now):
            self.breach(f"{self.told(seat)}, but seat {seat} looks now and must decide", seat)
        act, target, lands = row[3:]
        legal = legal_acts(table, seat)
        if (act, target) not in legal:
            self.breach(f"{self.told(seat)}, which is not legal", seat)
        if act in IDLE:
            if lands != UNUSED:
                self.breach(f"{self.told(seat)}, but this never lands", seat)
            self.doing[seat] = _WAITING
            table.finished[seat] = act == events.STOP
        else:
            self.check_landing((act, target), lands, seat)
            self.doing[seat] = _Busy(lands, self.now, act, target)
        self.reader.at += 1
        when = None if act in IDLE else lands
        what = deed(act, target)
        self.note(Decided(table.round, self.now, seat, what, when, len(legal) - 1))

    def check_landing(self, decided: Act, lands: int, seat: int) -> None:
        """Check when an act lands: exact without noise, else within reason."""
        clock = self.rules.clock
        due = (clock.thinking + clock.handling[decided[0]]) * self.tempos[seat] * MICROSECONDS
        spread = math.exp(WIDEST * clock.sigma)
        least = self.now + max(1.0, due / spread - 0.5) - 1e-3
        most = self.now + max(1.0, due * spread + 0.5) + 1e-3
        late = lands == NEVER and most > self.rules.round_cap
        if not late and not least <= lands <= most:
            span = seconds(self.now + max(1, round(due)))
            if clock.sigma > 0:
                span = f"{seconds(math.ceil(least))} to {seconds(int(most))}"
            self.breach(f"{self.told(seat)}, but it lands at {span}", seat)

    # Game End

    def game_end(self) -> list[Result]:
        """Remove tags, score objectives and tags, rank the seats."""
        table = self.table
        placed = [frozenset(tags) for tags in table.tags]
        gone = [
            tags_to_remove(
                table.city, table.sides, placed[seat], table.cars[seat], self.rules.tag_removal
            )
            for seat in self.seats
        ]
        self.end_rows_time()
        self.take_off(events.REMOVE, gone)
        left = [tags.difference(off) for tags, off in zip(placed, gone, strict=True)]
        solo = [sorted(solo_tags(table.city, tags)) for tags in left]
        self.take_off(events.SOLO, solo)
        left = [tags.difference(off) for tags, off in zip(left, solo, strict=True)]
        objectives = [self.score_objectives(seat, tags) for seat, tags in enumerate(left)]
        hexes = [table.city.tag_points(tags) for tags in left]
        scores = [points + more for points, more in zip(objectives, hexes, strict=True)]
        ranks = ranking(scores, table.cars)
        return [
            Result(seat, scores[seat], ranks[seat], table.cars[seat], objectives[seat], hexes[seat])
            for seat in self.seats
        ]

    def cut_off(self) -> list[Result]:
        """Score nothing: the game was cut off."""
        self.end_rows_time()
        return [Result(seat, 0, 0, self.table.cars[seat], 0, 0) for seat in self.seats]

    def end_rows_time(self) -> None:
        """Take the time of the rows after the last round: its end, or 0."""
        row = self.reader.ahead()
        if row is not None and row[2] == 0:
            self.now = 0

    def take_off(self, event: int, gone: Sequence[Sequence[int]]) -> None:
        """Read the tags that come off the map, of seat after seat."""
        first = self.reader.at
        found = self.reader.run(event)
        due = [(event, seat, self.now, hex_, -1, -1) for seat in self.seats for hex_ in gone[seat]]
        if sorted(found) != sorted(due) or [row[1] for row in found] != [row[1] for row in due]:
            what = "for cop cars" if event == events.REMOVE else "as solo tags"
            self.breach(
                f"hexes by seat come off {what}: {_by_seat(found, self.seats)}, "
                f"but expected {_by_seat(due, self.seats)}",
                next((row[1] for row in found if row not in due), None),
                row=first,
            )
        for seat in self.seats:
            if gone[seat]:
                kept = tuple(hex_ for hex_ in self.table.tags[seat] if hex_ not in gone[seat])
                self.table.tags[seat] = kept
                kind = Removed if event == events.REMOVE else Solo
                self.note(kind(seat, tuple(gone[seat])))

    def score_objectives(self, seat: int, tags: Tags) -> int:
        """Compare what a seat scores with each tile; return the sum."""
        total = 0
        for position, side in enumerate(self.table.sides):
            points, groups = count_objective(self.table.city, side, tags)
            scored = Scored(seat, position, side, points, tuple(groups))
            self.expect(
                events.OBJECTIVE, seat, position, points, scored.tags, why=f"for {side.title}"
            )
            self.note(scored)
            total += points
        return total

    def game_over(self, reason: int, results: Sequence[Result]) -> None:
        """Compare the scores and see that nothing follows."""
        for result in results:
            self.expect(events.SCORE, result.seat, result.score, result.rank, result.cars)
        truncated = reason == TIME_CAP
        self.expect(events.END, UNUSED, int(truncated))
        if self.reader.ahead() is not None:
            self.breach(f"{self.told()}, but the game is over")
        self.note(GameOver(END_REASONS[reason], truncated, tuple(results)))


def _by_seat(rows: Sequence[Row], seats: Sequence[int]) -> list[list[int]]:
    return [[row[3] for row in rows if row[1] == seat] for seat in seats]
