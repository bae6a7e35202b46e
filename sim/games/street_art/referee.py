"""The referee of Street Art: replays an event log by the rulebook and stops at the first breach.

It works out every consequence itself (`sim.games.street_art.rulebook`) and lets the log decide
two things only: which action a player chose, and the order that a shuffle gave.
Messages count turns from 1, as the narration does; seats count from 0.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Never

from sim.games.game import Replay, RuleBroken
from sim.games.reading import BEFORE_THE_GAME, UNUSED, Reader, Row
from sim.games.street_art import events
from sim.games.street_art.logbook import Codes, Ended, Scored, heart_word
from sim.games.street_art.recount import CardCount, card_counts, check_rows
from sim.games.street_art.rulebook import (
    BRASS_BAND,
    FIREWORKS,
    TURN_CAP,
    Act,
    Action,
    Collected,
    Drew,
    Occasion,
    Passed,
    Played,
    Returned,
    Rules,
    Stole,
    Table,
    Took,
    beatboxers_visible,
    conservation,
    end_of_the_game,
    legal_actions,
    ranking,
    set_up,
    take_turn,
)

__all__ = [
    "CardCount",
    "GameOver",
    "PlayerState",
    "SetUp",
    "TableState",
    "Turn",
    "card_counts",
    "check_rows",
    "legal_actions",
    "replay",
    "set_up",
    "take_turn",
]


@dataclass(frozen=True, slots=True)
class SetUp:
    """The first shuffle (bottom first) and the deal, by these rules."""

    rules: Rules
    draw_pile: tuple[str, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn `number` (from 1): what `seat` did and what followed; `options` legal actions."""

    number: int
    seat: int
    options: int
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """Why the game ended, and each seat's hearts and rank (0 when it was cut off)."""

    reason: str
    scores: tuple[Scored, ...]

    @property
    def truncated(self) -> bool:
        """Tell whether the game was cut off by the turn cap."""
        return self.reason == TURN_CAP


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player at some moment; `pile` lists the discard pile, the last card visible."""

    hearts: int
    hand: tuple[str, ...]
    pile: tuple[str, ...]

    @property
    def visible(self) -> str | None:
        """The card on top of the discard pile."""
        return self.pile[-1] if self.pile else None


@dataclass(frozen=True, slots=True)
class TableState:
    """The table after `turns` turns: hearts by place, cards left to draw, every player."""

    turns: int
    middle: int
    box: int
    draw_pile: int
    players: tuple[PlayerState, ...]


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first act that breaks a rule.

    `components` has the shape of components.toml, `rulings` a value for every ruling. The events
    of the replay are one `SetUp`, a `Turn` each, one `GameOver`; `states[i]` is the `TableState`
    after `events[i]`, so after i turns.
    """
    rules = Rules.read(components, rulings)
    referee = _Referee(log, rules)
    table = set_up(rules, players, referee.shuffle, referee.witness)
    happened: list[SetUp | Turn | GameOver] = [SetUp(rules, referee.draw_pile, referee.take_acts())]
    states = [_state(table)]
    while (reason := end_of_the_game(table)) is None:
        seat, number = table.seat, table.turn + 1
        action, options = referee.chosen(table)
        take_turn(table, action)
        happened.append(Turn(number, seat, options, referee.take_acts()))
        states.append(_state(table))
        if wrong := conservation(table):
            raise RuleBroken(f"turn {number}, seat {seat}: {wrong}")
    happened.append(referee.game_over(table, reason))
    states.append(states[-1])
    return Replay(happened, states)


def _state(table: Table) -> TableState:
    return TableState(
        turns=table.turn,
        middle=table.middle,
        box=table.box,
        draw_pile=len(table.draw_pile),
        players=tuple(
            PlayerState(player.hearts, tuple(player.hand), tuple(player.pile))
            for player in table.players
        ),
    )


class _Referee:
    """Follows a game along its log: reads choices and shuffles from it, compares the rest."""

    def __init__(self, log: Any, rules: Rules) -> None:
        self.rules = rules
        self.codes = Codes(rules)
        self.reader = Reader(log)
        self.turn = BEFORE_THE_GAME
        self.table: Table | None = None
        self.draw_pile: tuple[str, ...] = ()
        self.acts: list[Act] = []

    def take_acts(self) -> tuple[Act, ...]:
        """Return the acts since the last call."""
        acts, self.acts = tuple(self.acts), []
        return acts

    # Comparing

    def witness(self, act: Act) -> None:
        """Compare an act that the rulebook asks for with the log."""
        self.expect(act, act.seat)
        self.acts.append(act)

    def expect(self, act: Act | Ended | Scored, seat: int | None) -> None:
        """Read the rows of an act, or break off."""
        for expected in self.codes.rows(act, self.turn):
            found = self.reader.ahead()
            if found != expected:
                self.breach(self.difference(found, expected, act), seat)
            self.reader.at += 1

    def breach(self, message: str, seat: int | None) -> Never:
        """Stop the game."""
        place = "set-up" if self.turn == BEFORE_THE_GAME else f"turn {self.turn + 1}"
        if isinstance(self.table, Table) and self.turn == self.table.turn and self.over(self.table):
            place = "end of the game"
        raise RuleBroken(f"{place}{'' if seat is None else f', seat {seat}'}: {message}")

    def over(self, table: Table) -> bool:
        """Tell whether all turns are done."""
        return end_of_the_game(table) is not None and not self.acts

    def difference(self, found: Row | None, expected: Row, act: Act | Ended | Scored) -> str:
        """Explain why a row is not the one that the rulebook asks for."""
        why = _WHY[type(act)](self, act, found)
        if found is None:
            return f"the log stops, but {why}"
        told = self.told(found, expected[2])
        if found[0] == events.PLAY and found[1:3] == expected[1:3]:
            return f"{told}, a second card in the same turn"
        if (found[0], *found[2:]) == (expected[0], *expected[2:]):
            return f"{told} in a row of turn {found[1] + 1}, not of this turn"
        if (*found[:2], *found[3:]) == (*expected[:2], *expected[3:]):
            return f"{told}, but this is not for seat {found[2]}"
        if told == self.told(expected, expected[2]):
            return f"{told}, but the row {found} must read {expected}"
        return f"{told}, but {why}"

    def told(self, found: Row, seat: int | None) -> str:
        """Return what a row says, with its seat when that is not the expected one."""
        another = f"seat {found[2]} " if found[2] not in (seat, UNUSED) else ""
        return another + self.codes.tell(found)

    # Reading what the rules leave to luck

    def shuffle(self, cards: list[str], occasion: Occasion) -> list[str]:
        """Return the order that the log gives to the cards, which must be the same cards."""
        if occasion == "set-up":
            found = self.reader.run(events.ORDER)
            what, seat = "the first draw pile", None
        else:
            first = self.reader.at
            found = self.reader.run(events.COLLECT)
            self.reader.at = first  # they are compared once more as what the collecting must leave
            what, seat = "the collected piles", found[0][2] if found else self.at_turn()
        if not found:
            self.nothing_shuffled(len(cards), occasion, seat)
        self.same_cards([self.codes.title(row[4]) for row in found], cards, what, seat)
        order = [self.codes.names[row[4]] for row in found]
        if occasion == "set-up":
            self.first_order(found, order)
        return order

    def nothing_shuffled(self, cards: int, occasion: Occasion, seat: int | None) -> Never:
        """Stop at a shuffle that the log does not show."""
        found = self.reader.ahead()
        told = "the log stops" if found is None else self.told(found, seat)
        why = {
            "set-up": f"the {cards} cards must be shuffled first",
            "rain": f"after Rain the {cards} cards of all piles go under the draw pile",
            "refill": f"the draw pile is empty: {cards} cards of the piles must be shuffled",
        }
        self.breach(f"{told}, but {why[occasion]}", seat)

    def same_cards(
        self, found: list[str], cards: Iterable[str], what: str, seat: int | None
    ) -> None:
        """Check that cards are the ones that should be there, kind by kind."""
        there, due = Counter(found), Counter(self.rules.title(card) for card in cards)
        for title in sorted(there | due):
            if there[title] != due[title]:
                self.breach(f"{there[title]} x {title} in {what}, not {due[title]}", seat)

    def first_order(self, found: list[Row], order: list[str]) -> None:
        """Check the rows of the first draw pile, position by position."""
        for row, expected in zip(found, self.codes.order_rows(order), strict=True):
            if row != expected:
                self.breach(f"the row {row} of the first draw pile must read {expected}", None)
        self.draw_pile = tuple(order)

    def at_turn(self) -> int | None:
        """Return whose turn it is, None before the game."""
        return None if self.table is None else self.table.seat

    # Reading what a player chose

    def chosen(self, table: Table) -> tuple[Action | None, int]:
        """Return the action that the log shows for this turn, and how many were legal."""
        self.table, self.turn = table, table.turn
        seat = table.seat
        found = self.reader.ahead()
        if found is None:
            self.breach(f"the log stops, but {self.goes_on(table)}", seat)
        if found[0] == events.END:
            self.breach(f"{self.codes.tell(found)}, but {self.goes_on(table)}", seat)
        if found[0] not in (events.PLAY, events.PASS):
            self.breach(f"{self.told(found, seat)}, but it is time to play a card", seat)
        if found[2] != seat:
            self.breach(f"{self.told(found, seat)} out of turn", seat)
        legal = legal_actions(table, seat)
        if found[0] == events.PASS:
            if legal:
                self.breach(f"passes, but holds {self.hand(seat)}", seat)
            return None, 0
        action = self.action(found, seat)
        if action not in legal:
            self.breach(f"{self.codes.tell(found)}, but {self.why_illegal(action, legal)}", seat)
        return action, len(legal)

    def action(self, found: Row, seat: int) -> Action:
        """Return the action that starts with a row: it may be followed by its other card."""
        card = self.in_hand(found, seat)
        if card != BRASS_BAND:
            if found[4] != 1:
                self.breach(f"{self.codes.tell(found)}, but a turn has one such card", seat)
            return Action(card, 0, None if found[5] == UNUSED else found[5])
        after = self.companion()
        if after is None or self.rules.brass_band != "in_addition":
            return Action(card, found[4])
        other = self.in_hand(after, seat)
        if other == BRASS_BAND or after[4] != 1:
            self.breach(f"{self.codes.tell(after)} after Brass Bands in the same turn", seat)
        return Action(other, found[4], None if after[5] == UNUSED else after[5])

    def companion(self) -> Row | None:
        """Return the row of another card that is played after Brass Bands in the same turn."""
        after = self.reader.ahead(1)
        if after is not None and after[0] == events.TAKE:
            after = self.reader.ahead(2)
        same_turn = after is not None and after[:2] == (events.PLAY, self.turn)
        return after if same_turn else None

    def in_hand(self, found: Row, seat: int) -> str:
        """Return the card of a PLAY row, which the seat must hold often enough."""
        card, count = self.codes.card(found[3]), found[4]
        held = 0 if self.table is None else self.table.players[seat].hand.count(card or "")
        if card is None or held < max(count, 1):
            self.breach(f"{self.codes.tell(found)}, but holds {self.hand(seat)}", seat)
        return card

    def why_illegal(self, action: Action, legal: list[Action]) -> str:
        """Explain why a card in the hand may not be played like this."""
        if action.card == BRASS_BAND or action.brass < 0:
            return "at least one Brass Band is played"
        if action.card != FIREWORKS:
            return f"only Fireworks names a victim, {self.rules.title(action.card)} does not"
        victims = sorted({str(other.victim) for other in legal if other.card == FIREWORKS})
        if victims == ["None"]:
            return "no other player owns a heart"
        return f"it must name another player who owns a heart: seat {' or '.join(victims)}"

    def hand(self, seat: int) -> str:
        """Return a hand in words."""
        cards = [] if self.table is None else self.table.players[seat].hand
        return ", ".join(self.rules.title(card) for card in cards) or "no card"

    # The end

    def game_over(self, table: Table, reason: str) -> GameOver:
        """Compare the end of the log: the reason, hearts and ranks, and nothing after."""
        self.table, self.turn = table, table.turn
        self.expect(Ended(reason), None)
        ranks = [0] * len(table.players) if reason == TURN_CAP else ranking(table)
        scores = tuple(
            Scored(seat, player.hearts, rank)
            for seat, (player, rank) in enumerate(zip(table.players, ranks, strict=True))
        )
        for score in scores:
            self.expect(score, score.seat)
        if (found := self.reader.ahead()) is not None:
            self.breach(f"{self.codes.tell(found)}, but the game is over", found[2])
        return GameOver(reason, scores)

    def goes_on(self, table: Table) -> str:
        """Explain why the game is not over."""
        if table.middle > 0:
            return f"{heart_word(table.middle)} in the middle and no turn cap reached: it goes on"
        return "the round is not complete: every player gets the same number of turns"


# Why the rulebook asks for an act: (referee, act, the row found instead) -> the rest of a sentence


def _why_took(referee: _Referee, act: Took, found: Row | None) -> str:
    title = referee.rules.title(act.card)
    table = referee.table
    short = f", of which {act.amount} remain" if act.amount < act.due else ""
    due = f"{heart_word(act.due)} from the middle{short}"
    if act.card == BRASS_BAND:
        return f"the Brass Bands played give {due}"
    if not referee.rules.cards[act.card].is_star:
        count = 0 if table is None else beatboxers_visible(table)
        return f"Beatboxers visible: {count}, which gives {due}"
    if any(isinstance(earlier, Stole) for earlier in referee.acts):
        return f"what the victim lacks comes from the middle: {title} still gives {due}"
    return f"no other player shows {title}, so it gives {due}"


def _why_stole(referee: _Referee, act: Stole, found: Row | None) -> str:
    title, table = referee.rules.title(act.card), referee.table
    short = f", who owns only {act.amount}" if act.amount < act.due else ""
    rule = f"{title} steals {heart_word(act.due)} from seat {act.victim}{short}"
    if act.card == FIREWORKS or table is None:
        return rule
    if found is not None and found[0] == events.STEAL and found[4] != act.victim:
        shown = 0 <= found[4] < len(table.players) and found[4] != act.seat
        if shown and table.players[found[4]].visible == act.card:
            return f"seat {act.victim} played {title} more recently"
        return f"it is seat {act.victim} who shows {title}"
    return rule


def _why_returned(referee: _Referee, act: Returned, found: Row | None) -> str:
    shown = "nothing" if act.card is None else referee.rules.title(act.card)
    short = f", but it owns only {act.amount}" if act.amount < act.due else ""
    return f"Rain costs seat {act.seat} {heart_word(act.due)} for showing {shown}{short}"


def _why_collected(referee: _Referee, act: Collected, found: Row | None) -> str:
    cause = "Rain" if act.by_rain else "the empty draw pile"
    return f"the piles are collected from the bottom up by seat {act.seat} because of {cause}"


def _why_drew(referee: _Referee, act: Drew, found: Row | None) -> str:
    top = f"the top card of the draw pile is {referee.rules.title(act.card)}"
    if found is not None and found[0] == events.DRAW:
        return top
    return f"the hand must be drawn up to {referee.rules.hand_size} cards: {top}"


def _why_itself(referee: _Referee, act: Played | Passed, found: Row | None) -> str:
    return "this is what the turn begins with"


def _why_ended(referee: _Referee, act: Ended, found: Row | None) -> str:
    if act.reason == TURN_CAP:
        return f"the turn cap of {referee.rules.turn_cap} is reached: the game is cut off"
    return "no heart is left in the middle: the game is over (middle empty)"


def _why_scored(referee: _Referee, act: Scored, found: Row | None) -> str:
    rank = f"ranks {act.rank}" if act.rank else "has rank 0: a game cut off has no ranks"
    return f"seat {act.seat} owns {heart_word(act.hearts)} and {rank}"


_WHY: dict[type, Callable[[_Referee, Any, Row | None], str]] = {
    Played: _why_itself,
    Passed: _why_itself,
    Took: _why_took,
    Stole: _why_stole,
    Returned: _why_returned,
    Collected: _why_collected,
    Drew: _why_drew,
    Ended: _why_ended,
    Scored: _why_scored,
}
