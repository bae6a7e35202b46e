"""A table of the compiled game, laid out by names: play on it, read it back, look into choices.

The only place of the tests that knows how the compiled rules are called and hold their state.

    table = Table(seat(hearts=3, pile="juggler"), seat("juggler rain"), turn=1)
    table.play("juggler")
    assert table.hearts == [1, 2]
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np

from sim import choice, compiled, streams
from sim.games.street_art import StreetArt, events
from sim.games.street_art import components as parts
from sim.games.street_art.features import weigh_actions
from sim.games.street_art.play import take_turn
from sim.games.street_art.rules import legal_actions, set_up
from sim.players import Style
from tests.games.running import Running


class RunningStreetArt(Running, StreetArt):
    """Street Art, compiled or not."""


GAME = RunningStreetArt()
played, log_of, changed = GAME.played, GAME.log_of, GAME.changed
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
RANDOM = Style(name="random")
MAX_SEEDS = 100_000
PLAYERS = ("weights", "temperature", "forbids")
EVENT_NAMES = (
    "ORDER", "DRAW", "PLAY", "TAKE", "STEAL", "RETURN", "COLLECT", "PASS", "END", "SCORE"
)  # fmt: skip


def _entry(function):
    """Compile a test's entry into the rules, kept beside those rules' own compiled code."""
    folder = compiled.cache_folder("sim.games.street_art.play")
    if folder is None:
        return numba.njit(function)
    with compiled._cache_dir(folder):
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@_entry
def _deal(state, log, seed, game):
    s = state[0]
    for purpose in range(streams.TIMING):
        streams.seed_stream(s, purpose, seed, game)
    set_up(s, log)


@_entry
def _turn(state, log, seed, game):
    s = state[0]
    streams.seed_stream(s, streams.CHOICES, seed, game)
    take_turn(s, log, 0)


@_entry
def _list(state):
    s = state[0]
    legal_actions(s, s.seat)


@_entry
def _weigh(state):
    s = state[0]
    legal_actions(s, s.seat)
    weigh_actions(s, s.seat, s.seat)


@_entry
def _choose(state, seed, chosen):
    s = state[0]
    streams.seed_stream(s, streams.CHOICES, seed, 0)
    legal_actions(s, s.seat)
    for i in range(chosen.shape[0]):
        weigh_actions(s, s.seat, s.seat)
        chosen[i] = choice.choose(s, s.seat)


def setup(
    players: int,
    *,
    styles: Sequence[Style] = (RANDOM,),
    rotate: bool = False,
    components: Mapping[str, Any] = COMPONENTS,
    **rulings: Any,
) -> parts.Setup:
    """Return a cell of Street Art; one style alone plays every seat."""
    return GAME.cell(players, *styles, rotate=rotate, components=components, **rulings)


def deck(hand_size: int = 5, hearts: Mapping[str, int] | None = None, **copies: int) -> dict:
    """Return components with only these cards, and stars of other values if wished."""
    stars = {
        name: star | {"copies": copies.pop(name, 0)}
        for name, star in COMPONENTS["stars"]["cards"].items()
    }
    for name, value in (hearts or {}).items():
        stars[name]["hearts"] = value
    specials = {name: copies.pop(name, 0) for name in events.SPECIALS}
    assert not copies, f"no such cards: {copies}"
    made = changed("stars.cards", stars)
    made = changed("specials.copies", specials, made)
    return changed("numbers.hand_size", hand_size, made)


class Action(NamedTuple):
    """A legal action: the card, the Brass Bands with or before it, the victim of Fireworks."""

    card: str
    brass: int = 0
    victim: int | None = None


@dataclass(frozen=True)
class Row:
    """A row of the event log; `event` by name, cards by name."""

    event: str
    turn: int
    seat: int
    a: int
    b: int
    c: int


@dataclass(frozen=True)
class Seat:
    """A player before the move: cards by name, the last of the pile is visible."""

    hearts: int
    hand: list[str]
    pile: list[str]
    since: int | None


def seat(hand: str = "", *, hearts: int = 0, pile: str = "", since: int | None = None) -> Seat:
    """Describe a player; `hand` and `pile` are names with blanks between, `3*rain` for three.

    `since` is the turn in which the visible card was played, his last turn unless told.
    """
    return Seat(hearts, _cards(hand), _cards(pile), since)


def _cards(text: str) -> list[str]:
    cards = []
    for word in text.split():
        count, _, name = word.rpartition("*")
        cards += [name] * int(count or 1)
    return cards


class Table:
    """A game in progress. The draw pile's last card is its top.

    Unless told, the turn is one of the third round, of seat `mover`; the draw pile holds what is
    not in a hand or on a pile; the middle holds what nobody owns.
    """

    def __init__(
        self,
        *seats: Seat,
        mover: int = 0,
        turn: int | None = None,
        middle: int | None = None,
        draw_pile: str | None = None,
        style: Style = RANDOM,
        components: Mapping[str, Any] = COMPONENTS,
        **rulings: Any,
    ) -> None:
        made = setup(len(seats), styles=[style], components=components, **rulings)
        self.kinds = list(made.kinds)
        self.state = made.record.copy()
        self.log: list[Row] = []
        self.s: Any = self.state[0]
        self.s["turn"] = 2 * len(seats) + mover if turn is None else turn
        self.s["seat"] = self.s["turn"] % len(seats)
        self.s["ahead"] = -1
        self.s["final_kind"] = len(self.kinds)
        for number, player in enumerate(seats):
            self._sit(number, player)
        owned = sum(player.hearts for player in seats)
        self.s["middle"] = self.s["hearts_at_start"] - owned if middle is None else middle
        self._stack(self._rest(seats) if draw_pile is None else _cards(draw_pile))
        with np.errstate(over="ignore"):
            for purpose in range(streams.TIMING):
                _seed(self.state, purpose)

    def _code(self, card: str) -> int:
        return self.kinds.index(card)

    def _sit(self, number: int, player: Seat) -> None:
        s, players = self.s, int(self.s["players"])
        s["hearts"][number] = player.hearts
        for card in player.hand:
            s["hand"][number, self._code(card)] += 1
            s["held"][number, self._code(card)] += 1
        s["hand_n"][number] = len(player.hand)
        for card in player.pile:
            s["piles"][self._code(card)] += 1
        s["top"][number] = self._code(player.pile[-1]) if player.pile else parts.NO_KIND
        last = int(s["turn"]) - 1 - (int(s["turn"]) - 1 - number) % players
        s["played_at"][number] = last if player.since is None else player.since
        if not player.pile:
            s["played_at"][number] = -1

    def _rest(self, seats: Iterable[Seat]) -> list[str]:
        there = Counter(dict(zip(self.kinds, self.s["copies"].tolist(), strict=False)))
        for player in seats:
            there.subtract(Counter(player.hand + player.pile))
        assert min(there.values()) >= 0, f"more cards wished for than there are: {there}"
        return list(there.elements())

    def _stack(self, cards: list[str]) -> None:
        self.s["deck"][: len(cards)] = [self._code(card) for card in cards]
        self.s["deck_n"] = len(cards)

    # Playing

    def play(self, card: str, brass: int = 0, victim: int | None = None) -> list[Row]:
        """Play the turn of the seat at move with this action; return the rows it logs."""
        wanted = Action(card, brass, victim)
        assert wanted in self.actions(), f"{wanted} is none of {self.actions()}"
        for seed in range(MAX_SEEDS):
            state, rows = self._attempt(seed, at_random=True)
            if self._action_of(rows) == wanted:
                return self._keep(state, rows)
        raise AssertionError(f"{wanted} is legal but never chosen")

    def move(self) -> list[Row]:
        """Play the turn of the seat at move with whatever its style chooses."""
        return self._keep(*self._attempt(0, at_random=False))

    def _attempt(self, seed: int, at_random: bool) -> tuple[np.ndarray, list[Row]]:
        state = self.state.copy()
        if at_random:
            for name in PLAYERS:
                state[0][name] = 0
        log = np.full((1024, 6), -1, np.int32)
        state[0]["log_n"] = 0
        with np.errstate(over="ignore"):
            _turn(state, log, np.uint64(seed), np.int64(0))
        return state, [self._row(row) for row in log[: state[0]["log_n"]].tolist()]

    def _keep(self, state: np.ndarray, rows: list[Row]) -> list[Row]:
        for name in PLAYERS:
            state[0][name] = self.s[name]
        self.state, self.s = state, state[0]
        self.log += rows
        return rows

    def _row(self, row: list[int]) -> Row:
        names = {getattr(events, name): name for name in EVENT_NAMES}
        event = names[row[0]]
        a, b = row[3], row[4]
        if event in ("DRAW", "PLAY"):
            a = self.kinds[a]
        if event in ("ORDER", "COLLECT"):
            b = self.kinds[b]
        return Row(event, row[1], row[2], a, b, row[5])

    def _action_of(self, rows: list[Row]) -> Action:
        plays = of(rows, "PLAY")
        last = plays[-1]
        brass = sum(row.b for row in plays if row.a == "brass_band")
        return Action(str(last.a), brass, None if last.c == -1 else last.c)

    # Looking into the choice at hand

    def actions(self) -> list[Action]:
        """Return the legal actions of the seat at move, in the order of the rules."""
        state = self.state.copy()
        _list(state)
        return self._actions(state[0])

    def _actions(self, s: Any) -> list[Action]:
        victims = s["victim"].tolist()
        return [
            Action(
                self.kinds[s["kind"][i]],
                int(s["brass"][i]),
                None if victims[i] == -1 else victims[i],
            )
            for i in range(s["n_actions"])
        ]

    def values(self, weights: Mapping[str, float] | None = None) -> dict[Action, float]:
        """Return every legal action's value to the style at move, or to one of these weights."""
        state = self.state.copy()
        if weights is not None:
            names = [feature.name for feature in GAME.features]
            state[0]["weights"] = 0.0
            state[0]["forbids"] = 0
            for name, weight in weights.items():
                state[0]["weights"][:, names.index(name)] = weight
        _weigh(state)
        return dict(zip(self._actions(state[0]), state[0]["value"].tolist(), strict=False))

    def feature(self, name: str) -> dict[Action, float]:
        """Return a feature of every legal action: its value to a player who weighs it alone."""
        return self.values({name: 1.0})

    def features(self, card: str, brass: int = 0, victim: int | None = None) -> dict[str, float]:
        """Return every feature of one legal action."""
        action = Action(card, brass, victim)
        return {feature.name: self.feature(feature.name)[action] for feature in GAME.features}

    def choices(self, count: int, seed: int = 0) -> Counter[Action]:
        """Return how often the style at move picks each action."""
        state = self.state.copy()
        chosen = np.zeros(count, np.int64)
        with np.errstate(over="ignore"):
            _choose(state, np.uint64(seed), chosen)
        actions = self._actions(state[0])
        counts = Counter(dict.fromkeys(actions, 0))
        for index, times in Counter(chosen.tolist()).items():
            counts[actions[index]] += times
        return counts

    # Reading

    def __getattr__(self, name: str) -> Any:
        """Return a number of the state, or a list with a number for each seat."""
        if name.startswith("_") or name not in parts.STATE.names:
            raise AttributeError(name)
        found = self.s[name]
        if np.ndim(found) == 1 and len(found) == parts.MAX_PLAYERS:
            return found[: self.s["players"]].tolist()
        assert np.ndim(found) == 0, f"read {name} by a property of its own"
        return int(found)

    @property
    def tops(self) -> list[str | None]:
        """The visible card of each seat."""
        return [None if kind < 0 else self.kinds[kind] for kind in self.top]

    @property
    def hands(self) -> list[Counter[str]]:
        """The hand of each seat."""
        return [self._counted(row) for row in self.s["hand"][: self.s["players"]]]

    @property
    def draw_pile(self) -> list[str]:
        """The draw pile, its top last."""
        return [self.kinds[kind] for kind in self.s["deck"][: self.s["deck_n"]]]

    @property
    def on_piles(self) -> Counter[str]:
        """The cards on all discard piles together."""
        return self._counted(self.s["piles"])

    def counted(self, name: str, number: int) -> Counter[str]:
        """Return a count by card of a seat: held, played or gained."""
        return self._counted(self.s[name][number])

    def _counted(self, counts: Any) -> Counter[str]:
        return Counter(
            {card: count for card, count in zip(self.kinds, counts.tolist(), strict=False) if count}
        )


@_entry
def _seed(state, purpose):
    streams.seed_stream(state[0], purpose, np.uint64(1), 0)


def dealt(players: int, game: int = 0, seed: int = 1, **options: Any) -> Table:
    """Return a table after the set-up, dealt by the rules; `log` holds the rows of it."""
    table = Table(*[seat()] * players, turn=0, draw_pile="", **options)
    log = np.full((2048, 6), -1, np.int32)
    with np.errstate(over="ignore"):
        _deal(table.state, log, np.uint64(seed), np.int64(game))
    table.log = [table._row(row) for row in log[: table.s["log_n"]].tolist()]
    return table


def of(rows: Iterable[Row], event: str) -> list[Row]:
    """Return the rows of one event."""
    return [row for row in rows if row.event == event]
