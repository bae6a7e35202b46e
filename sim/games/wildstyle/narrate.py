"""Tells a refereed game of Wildstyle as a timeline, with the map in text after each round.

Seats and piles count from 0, acts and rounds from 1; seconds count from the start of the round.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from sim.games.game import Replay
from sim.games.wildstyle.logbook import (
    Acted,
    Decided,
    Event,
    FinalPhase,
    Fumbled,
    GameOver,
    Removed,
    RoundBegins,
    RoundOver,
    Scored,
    SetUp,
    Solo,
    TableState,
)
from sim.games.wildstyle.rulebook import LETTERS, MICROSECONDS
from sim.games.wildstyle.scoring_rules import standing
from sim.games.wildstyle.textmap import row_names, shared_hexes, text_map
from sim.games.wildstyle.wording import (
    ROUND_ENDS,
    Wording,
    at_second,
    capital,
    counted,
    several,
    side_words,
)

WIDTH = 96


def narrate(replay: Replay, style_names: Sequence[str]) -> Iterator[str]:
    """Yield a game line by line; `style_names` names the style at each seat."""
    yield from _Teller(replay, style_names).tell()


class _Teller:
    """Follows the events; keeps what is needed to tell the next one."""

    def __init__(self, replay: Replay, style_names: Sequence[str]) -> None:
        self.replay = replay
        self.say = Wording(replay, style_names)
        self.rules, self.city = self.say.rules, self.say.city
        self.seats = range(self.rules.players)
        self.acts = 0
        self.acts_before_round = 0
        self.fumbles = 0
        self.doing: dict[int, Decided] = {}
        """What a seat has begun, or that it waits, by seat."""

    def tell(self) -> Iterator[str]:
        """Tell the whole game."""
        before = self.replay.states[0]
        at_end = False
        for event, state in zip(self.replay.events, self.replay.states, strict=True):
            if isinstance(event, Removed | Solo | Scored | GameOver):
                if not at_end:
                    yield from self.end()
                    at_end = True
                continue
            yield from self.event(event, before, state)
            before = state

    def event(self, event: Event, before: TableState, state: TableState) -> Iterator[str]:
        """Tell an event up to the end of the last round."""
        if isinstance(event, SetUp):
            yield from self.set_up(event)
        elif isinstance(event, RoundBegins):
            yield from self.round_begins(event, state)
        elif isinstance(event, Decided):
            yield from self.decided(event, state)
        elif isinstance(event, Acted):
            self.acts += 1
            self.doing.pop(event.seat, None)
            what = self.say.act(event, before, state)
            yield self.line(event.time, f"seat {event.seat} {what}", f"{self.acts}")
            if state.finished[event.seat]:
                yield self.line(event.time, self.say.finished(event.seat, state))
        elif isinstance(event, Fumbled):
            self.fumbles += 1
            lost = event.time - self.doing.pop(event.seat).time
            what = self.say.fumble(event, state, lost)
            yield self.line(event.time, f"seat {event.seat} {what}", "-")
        elif isinstance(event, FinalPhase):
            yield from self.final_phase(event, before, state)
        elif isinstance(event, RoundOver):
            yield from self.round_over(event, state)

    @staticmethod
    def line(time: int, what: str, number: str = "") -> str:
        """Return a line of the timeline: number of the act, second, what happens."""
        return f"{number:>4} {time / MICROSECONDS:5.1f} s  {what}"

    # Set-up

    def set_up(self, start: SetUp) -> Iterator[str]:
        """Tell who plays, the tiles, the boards, and how to read the rest."""
        rules = self.rules
        best = any(side.best_cluster for side in rules.sides.values())
        yield (
            f"Wildstyle with {rules.players} players: {counted(rules.rounds, 'round')}, "
            f"{rules.tags_each_round} tags a round, {sum(rules.deck.values())} cards, "
            f"{rules.cop_cars} cop cars."
        )
        yield (
            f"Rulings: board_radius {rules.radius}, station_snake "
            f"{'best_cluster' if best else 'each_cluster'}, "
            f"final_phase_rush {str(rules.final_phase_rush).lower()},"
        )
        cap = rules.round_cap // MICROSECONDS
        yield f"  tag_removal {rules.tag_removal}, round_cap_s {cap}."
        for seat in self.seats:
            yield f"Seat {seat} plays {self.say.styles[seat]}."
        yield "Objectives:"
        for side in start.sides:
            yield f"  {side.title}: {side_words(side)}."
        yield "District boards:"
        for position, (face, turns) in enumerate(start.districts):
            yield f"  {self.board(position, face, turns)}"
        yield "Icons and the points of a tag on them:"
        icons = [
            f"{letter} {title} {points}"
            for letter, title, points in zip(
                LETTERS, rules.icon_titles, rules.icon_points, strict=True
            )
        ]
        yield f"  {', '.join(icons[:4])},"
        yield f"  {', '.join(icons[4:])}."
        yield "The city: p is a free Park, P2 one with a tag of seat 2, T* a Train Station with"
        yield "  several tags; | and - are borders of districts. G7 is the 7th hex of row G."
        yield ""
        yield from text_map(self.city, [()])

    def board(self, position: int, face: int, turns: int) -> str:
        """Return which board lies where."""
        ground = self.city.ground
        rows = [
            ground.cells[hex_][1]
            for hex_, district in enumerate(ground.district)
            if district == position
        ]
        letters = row_names(ground.cells)
        turned = f", turned by {turns * 60} degrees" if turns else ""
        board, side = face // 2 + 1, "AB"[face % 2]
        return (
            f"board {board}, side {side}: rows {letters[min(rows)]} to {letters[max(rows)]}{turned}"
        )

    # Rounds

    def round_begins(self, event: RoundBegins, state: TableState) -> Iterator[str]:
        """Tell the deal."""
        self.doing.clear()
        self.acts_before_round, self.fumbles = self.acts, 0
        yield ""
        yield f"Round {event.round}"
        piles = several(str(count) for count in state.draw_piles)
        aside = f", {len(event.set_aside)} set aside" if event.set_aside else ""
        yield (
            f"  Draw piles of {piles} cards{aside}; "
            f"{counted(len(state.share_piles), 'empty share pile')}."
        )
        for seat in self.seats:
            tags = counted(state.tags_left[seat], "tag")
            yield f"  Seat {seat}, {tags}: {self.say.cards(event.hands[seat])}."
        yield " act    time"

    def decided(self, event: Decided, state: TableState) -> Iterator[str]:
        """Tell that a seat begins to wait, or stops; an act is told when it lands."""
        last = self.doing.get(event.seat)
        self.doing[event.seat] = event
        if event.deed.act == "stop":
            left = counted(state.tags_left[event.seat], "tag")
            yield self.line(event.time, f"seat {event.seat} stops with {left} on its mat")
        elif event.deed.act == "wait" and (last is None or last.deed.act != "wait"):
            why = "" if event.options else ": it can do nothing"
            yield self.line(event.time, f"seat {event.seat} waits{why}")

    def final_phase(
        self, event: FinalPhase, before: TableState, state: TableState
    ) -> Iterator[str]:
        """Tell the trigger, and who is finished at once."""
        yield self.line(event.time, f"FINAL PHASE: {ROUND_ENDS[event.reason]}")
        ended = [s for s in self.seats if state.finished[s] and not before.finished[s]]
        playing = [s for s in self.seats if not state.finished[s]]
        for seat in ended:
            begun = self.doing.get(seat)
            drop = ""
            if begun is not None and begun.lands is not None:
                drop = f" ({self.say.aim(begun.deed)} is dropped)"
            yield self.line(event.time, f"{self.say.finished(seat, state)}{drop}")
        if playing:
            last = "its sets" if len(playing) == 1 else "their sets"
            who = self.say.everyone(playing)
            yield self.line(event.time, f"{who} may still finish {last}")

    def round_over(self, event: RoundOver, state: TableState) -> Iterator[str]:
        """Tell how the round ended, and show the map and the standing."""
        acts = self.acts - self.acts_before_round
        yield self.line(event.time, f"THE ROUND IS OVER: {ROUND_ENDS[event.reason]}")
        yield (
            f"  Round {event.round} took {at_second(event.time)}: {counted(acts, 'act')} "
            f"and {counted(self.fumbles, 'fumble')}."
        )
        yield from self.map(state)
        yield from self.standings(state)

    def map(self, state: TableState) -> Iterator[str]:
        """Return the map as the tags lie."""
        yield ""
        yield from text_map(self.city, state.tags)
        if shared := shared_hexes(self.city, state.tags):
            yield from _wrapped(f"  Seats on {shared}")
        yield ""

    def standings(self, state: TableState) -> Iterator[str]:
        """Return what each seat has, and its points as the tags lie."""
        yield "  placed  left  cop cars  points as the tags lie"
        for seat in self.seats:
            tags = state.tags[seat]
            points = standing(self.city, self.replay.events[0].sides, frozenset(tags))
            yield (
                f"  {len(tags):6}  {state.tags_left[seat]:4}  {state.cars[seat]:8}  {points:6}  "
                f"{self.say.who(seat)}"
            )

    # Game End

    def end(self) -> Iterator[str]:
        """Tell the end of the game."""
        events, state = self.replay.events, self.replay.states[-1]
        over = events[-1]
        yield ""
        yield "Game end"
        if over.truncated:
            yield f"  {self.say.verdict(over)}"
            return
        yield from self.tags_off(state)
        yield from self.map(state)
        yield from self.points(over)
        yield ""
        yield from self.ranking(over)

    def tags_off(self, state: TableState) -> Iterator[str]:
        """Tell which tags come off the map."""
        removed = {e.seat: e.hexes for e in self.replay.events if isinstance(e, Removed)}
        for seat, cars in enumerate(state.cars):
            took = f"  Seat {seat} took {counted(cars, 'cop car')}"
            if gone := removed.get(seat):
                yield from _wrapped(f"{took} and gives up {self.hexes(gone)}.")
            elif cars:
                yield f"{took} but has no tag to give up."
        if not any(state.cars):
            yield "  Nobody took a cop car."
        solo = [event for event in self.replay.events if isinstance(event, Solo)]
        for event in solo:
            yield from _wrapped(f"  Seat {event.seat} loses {self.hexes(event.hexes)} as solo.")
        if not solo:
            yield "  No tag is solo."

    def hexes(self, hexes: Iterable[int]) -> str:
        """Return tags by their hexes."""
        named = [self.say.hex(hex_) for hex_ in hexes]
        return f"{counted(len(named), 'tag')} ({', '.join(named)})"

    def points(self, over: GameOver) -> Iterator[str]:
        """Return a table of everyone's points; in brackets how many tags count."""
        yield "  " + "  ".join(f"{f'seat {seat}':>8}" for seat in self.seats)
        scored = [event for event in self.replay.events if isinstance(event, Scored)]
        for position, side in enumerate(self.replay.events[0].sides):
            cells = [
                f"{event.points:4} ({event.tags})" if event.tags else f"{event.points:4}    "
                for event in scored
                if event.position == position
            ]
            yield self.row(cells, f"{side.title} (tags that count)")
        yield self.row([f"{r.tag_points:4}    " for r in over.results], "tags by their icons")
        yield self.row([f"{r.score:4}    " for r in over.results], "total")

    @staticmethod
    def row(cells: Sequence[str], title: str) -> str:
        """Return a row of the table of points."""
        return "  " + "  ".join(f"{cell:8}" for cell in cells) + f"  {title}"

    def ranking(self, over: GameOver) -> Iterator[str]:
        """Tell the ranks, the tie-break and who won."""
        for rank, results in self.say.ranks(over).items():
            names = several(self.say.who(result.seat) for result in results)
            cars = counted(results[0].cars, "cop car")
            each = " each" if len(results) > 1 else ""
            points = counted(results[0].score, "point")
            yield f"  {rank}. {names}: {points}{each}, {cars}{each}"
        yield f"  {capital(self.say.verdict(over))}"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
