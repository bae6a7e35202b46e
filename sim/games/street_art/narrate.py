"""Tells a refereed game of Street Art in words, to be followed with the rulebook in hand.

Seats count from 0, as everywhere; turns and rounds count from 1.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sim.games.game import Replay
from sim.games.street_art.logbook import Scored, heart_word
from sim.games.street_art.referee import GameOver, SetUp, TableState, Turn
from sim.games.street_art.rulebook import (
    BEATBOXER,
    BRASS_BAND,
    FIREWORKS,
    RAIN,
    Act,
    Collected,
    Drew,
    Passed,
    Played,
    Returned,
    Rules,
    Stole,
    Took,
)


def narrate(replay: Replay, style_names: Sequence[str], hands: bool = True) -> Iterator[str]:
    """Yield a game line by line; `style_names` names the style at each seat.

    With `hands` every turn begins with the player's hand and ends with what everyone shows;
    without, a turn is one line.
    """
    start, *turns, over = replay.events
    ended_at = 0 if over.truncated else len(turns)
    teller = _Teller(start.rules, style_names, ended_at)
    yield from teller.set_up(start, replay.states[0])
    for before, turn, after in zip(replay.states, turns, replay.states[1:], strict=False):
        yield from (
            teller.turn(turn, before, after) if hands else teller.short_turn(turn, before, after)
        )
    yield from teller.end(over, replay.states[-1])


def tell_turn(replay: Replay, number: int) -> str:
    """Return what happened in a turn (from 1), without its draws, as a sentence without subject."""
    turn, before = replay.events[number], replay.states[number - 1]
    return _Teller(replay.events[0].rules, ()).deeds(turn, before)


def tell_end(replay: Replay, style_names: Sequence[str]) -> str:
    """Return in a sentence who won, or that nobody did."""
    teller = _Teller(replay.events[0].rules, style_names)
    over, state = replay.events[-1], replay.states[-1]
    return list(teller.end(over, state))[1 if over.truncated else -1]


def counted_cards(rules: Rules, names: Iterable[str]) -> list[str]:
    """Return cards in the order of the rules, twins counted: `2 x Juggler`."""
    counted = Counter(names)
    return [
        card.title if counted[name] == 1 else f"{counted[name]} x {card.title}"
        for name, card in rules.cards.items()
        if name in counted
    ]


def several(things: Iterable[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    *most, end = things
    return f"{', '.join(most)} and {end}" if most else end


class _Teller:
    """Turns events into sentences. After turn `ended_at` nothing is drawn any more."""

    def __init__(self, rules: Rules, style_names: Sequence[str], ended_at: int = 0) -> None:
        self.rules = rules
        self.styles = tuple(style_names)
        self.ended_at = ended_at

    def who(self, seat: int) -> str:
        return f"seat {seat} ({self.styles[seat]})"

    def cards(self, names: Iterable[str]) -> str:
        """Return cards in a line: `2 x Juggler, Rain`."""
        return ", ".join(counted_cards(self.rules, names)) or "no card"

    # Set-up

    def set_up(self, start: SetUp, dealt: TableState) -> Iterator[str]:
        rules, players = self.rules, len(dealt.players)
        yield (
            f"Street Art with {players} players: {heart_word(rules.hearts)} in the middle, "
            f"{_cards(len(start.draw_pile))}, hands of {rules.hand_size}."
        )
        yield (
            f"Rulings: steal_shortfall {rules.steal_shortfall}, brass_band {rules.brass_band}, "
            f"reshuffle {rules.reshuffle}, game_end {rules.game_end}, turn_cap {rules.turn_cap}."
        )
        for seat, player in enumerate(dealt.players):
            yield f"{capital(self.who(seat))} is dealt {self.cards(player.hand)}."
        stay = f"{_cards(dealt.draw_pile)} {'stays' if dealt.draw_pile == 1 else 'stay'}"
        yield f"{stay} in the draw pile. Seat 0 starts."

    # Turns

    def short_turn(self, turn: Turn, before: TableState, after: TableState) -> Iterator[str]:
        drawn = self.draws(turn, after)
        line = f"{self.heading(turn, after)}: {self.deeds(turn, before)}. {hearts_line(after)}"
        yield f"{line}; {drawn}." if drawn else f"{line}."

    def turn(self, turn: Turn, before: TableState, after: TableState) -> Iterator[str]:
        hand = self.cards(before.players[turn.seat].hand)
        yield ""
        yield f"{self.heading(turn, after)} holds {hand}."
        yield f"  {_sentence(self.deeds(turn, before))}"
        if drawn := self.draws(turn, after):
            yield f"  {_sentence(drawn)}"
        yield f"  {hearts_line(after)}."
        yield f"  Visible: {self.visible(after)}."

    def heading(self, turn: Turn, after: TableState) -> str:
        number = 1 + (turn.number - 1) // len(after.players)
        return f"Turn {turn.number} (round {number}), {self.who(turn.seat)}"

    def visible(self, state: TableState) -> str:
        shown = [
            f"{seat} {self.title(player.visible)}" for seat, player in enumerate(state.players)
        ]
        return ", ".join(shown)

    def title(self, card: str | None) -> str:
        return "nothing" if card is None else self.rules.title(card)

    def deeds(self, turn: Turn, before: TableState) -> str:
        """Return what was played and what came of it, up to the draws."""
        if isinstance(turn.acts[0], Passed):
            return "has no card and passes"
        plays: list[list[Act]] = []
        for act in turn.acts:
            if isinstance(act, Played):
                plays.append([])
            plays[-1].append(act)
        return ", then ".join(self.play(acts, before) for acts in plays)

    def play(self, acts: list[Act], before: TableState) -> str:
        """Return one card played, or some Brass Bands, and what came of it."""
        played, *follow = acts
        assert isinstance(played, Played)
        hearts = [act for act in follow if isinstance(act, Took | Stole)]
        if played.card == RAIN:
            return f"plays Rain: {self.rain(follow)}"
        if played.card == BRASS_BAND:
            bands = "1 Brass Band" if played.count == 1 else f"{played.count} Brass Bands"
            return f"plays {bands}{self.takes(hearts)}"
        title = self.title(played.card)
        if played.card == FIREWORKS and not hearts:
            return f"plays {title}, but nobody else has a heart to steal"
        if played.card == BEATBOXER:
            return f"plays {title} ({_visible_count(hearts)}){self.takes(hearts)}"
        return f"plays {title}{self.takes(hearts, before, played)}"

    def takes(
        self,
        acts: Sequence[Took | Stole],
        before: TableState | None = None,
        played: Played | None = None,
    ) -> str:
        """Return the hearts gained, as the end of a sentence."""
        told = ""
        for act in acts:
            if isinstance(act, Stole) and before is not None and played is not None:
                told += self.steals(act, before)
            elif told:
                told += f", and {_missing(act)}"
            elif act.amount == act.due:
                told += f" and takes {heart_word(act.amount)} from the middle"
            elif act.amount == 0:
                told += ", but the middle is empty"
            else:
                last = "heart" if act.amount == 1 else f"{act.amount} hearts"
                told += f" and takes the last {last} from the middle ({act.due} due)"
        return told

    def steals(self, act: Stole, before: TableState) -> str:
        """Return a theft and why it hits this victim."""
        victim = f"seat {act.victim}"
        if act.card != FIREWORKS:
            shown = [
                seat
                for seat, player in enumerate(before.players)
                if player.visible == act.card and seat != act.seat
            ]
            victim += ", who shows it too" if len(shown) == 1 else ", who played it last"
        if act.amount == 0:
            return f" and would steal from {victim} but has no heart"
        if act.amount == act.due:
            return f" and steals {heart_word(act.amount)} from {victim}"
        link = ", who" if act.card == FIREWORKS else " and"
        return f" and steals {heart_word(act.amount)} from {victim}{link} owns no more"

    def rain(self, acts: Sequence[Act]) -> str:
        """Return who returns what and why, and where the cards go."""
        visible = sum(isinstance(act, Returned) and act.card == BEATBOXER for act in acts)
        parts = [self.returns(act, visible) for act in acts if isinstance(act, Returned)]
        for act in acts:
            if isinstance(act, Collected) and act.by_rain:
                word = "goes" if len(act.cards) == 1 else "are shuffled and go"
                parts.append(f"{_cards(len(act.cards))} from all piles {word} under the draw pile")
        return "; ".join(parts)

    def returns(self, act: Returned, beatboxers: int) -> str:
        """Return what Rain costs one player."""
        shown = self.title(act.card)
        if act.card == BEATBOXER:
            shown += f" ({beatboxers} visible)"
        if act.due == 0:
            return f"seat {act.seat} shows {shown} and keeps its hearts"
        if act.amount == 0:
            return f"seat {act.seat} shows {shown} but has no heart to return"
        short = f", all it has ({act.due} due)" if act.amount < act.due else ""
        return f"seat {act.seat} shows {shown} and returns {heart_word(act.amount)}{short}"

    def draws(self, turn: Turn, after: TableState) -> str:
        """Return the cards drawn, and a new draw pile in between; nothing when none are due."""
        told, cards = [], []
        for act in turn.acts:
            if isinstance(act, Drew):
                cards.append(act.card)
            elif isinstance(act, Collected) and not act.by_rain:
                if cards:
                    told.append(f"draws {self.cards(cards)}")
                cards = []
                stay = " (visible cards stay)" if self.rules.reshuffle == "keep_tops" else ""
                become = "becomes" if len(act.cards) == 1 else "are shuffled into"
                told.append(
                    f"the draw pile is empty, so {_cards(len(act.cards))} from the discard piles "
                    f"{become} a new one{stay}"
                )
        if cards:
            told.append(f"draws {self.cards(cards)}")
        short = len(after.players[turn.seat].hand) < self.rules.hand_size
        if short and turn.number != self.ended_at:
            told.append("finds no more card to draw")
        return "; ".join(told)

    # The end

    def end(self, over: GameOver, state: TableState) -> Iterator[str]:
        rounds = -(-state.turns // len(state.players))
        length = f"{_counted(state.turns, 'turn')} ({_counted(rounds, 'round')})"
        yield ""
        if over.truncated:
            yield f"The game is cut off by the turn cap after {length}: nobody wins."
            for score in over.scores:
                yield f"  {self.who(score.seat)}: {heart_word(score.hearts)}"
            return
        yield f"The middle is empty: the game is over after {length}."
        ranks: dict[int, list[Scored]] = {}
        for score in sorted(over.scores, key=lambda score: (score.rank, score.seat)):
            ranks.setdefault(score.rank, []).append(score)
        for rank, scores in ranks.items():
            names = several(self.who(score.seat) for score in scores)
            each = " each" if len(scores) > 1 else ""
            yield f"  {rank}. {names}: {heart_word(scores[0].hearts)}{each}"
        yield self.verdict(ranks)

    def verdict(self, ranks: dict[int, list[Scored]]) -> str:
        """Return who won and by how much."""
        best, *others = ranks.values()
        names = several(self.who(score.seat) for score in best)
        if len(best) > 1:
            return f"{capital(names)} share the win."
        return f"{capital(names)} wins by {heart_word(best[0].hearts - others[0][0].hearts)}."


def hearts_line(state: TableState) -> str:
    """Return all hearts in one line: `Hearts: 0:5 1:0 2:7; middle 11; box 13`."""
    owned = " ".join(f"{seat}:{player.hearts}" for seat, player in enumerate(state.players))
    box = f"; box {state.box}" if state.box else ""
    return f"Hearts: {owned}; middle {state.middle}{box}"


def _missing(act: Took | Stole) -> str:
    if act.amount == act.due:
        return f"takes the missing {heart_word(act.amount)} from the middle"
    if act.amount == 0:
        return f"the middle is empty, so {heart_word(act.due)} stay missing"
    return f"takes {heart_word(act.amount)} of the missing {act.due} from the middle, the last"


def _visible_count(acts: Sequence[Took | Stole]) -> str:
    return "the only one visible" if acts[0].due == 1 else f"{acts[0].due} visible"


def _cards(count: int) -> str:
    return _counted(count, "card")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def capital(words: str) -> str:
    """Return words with a capital first letter, the rest as they are."""
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    return f"{capital(words)}."
