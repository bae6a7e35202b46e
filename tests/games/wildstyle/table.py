"""A table of the compiled game, laid out by names: play on it, read it back, look into choices.

Acts are words; times are microseconds.

    table = Table(seat("park red", sets="2*park"), seat())
    table.do(0, "add park red 0")
    assert table.sets[0] == ("3*park", "")

Nobody acts but who is told to: the others wait.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import streams
from sim.games.wildstyle import Wildstyle, events, state, vocabulary
from sim.games.wildstyle.events import ACTS, COLOURS, ICONS
from sim.games.wildstyle.rules import ACTING, LOOKING, WAITING
from sim.players import Style

from ..running import Running
from . import entries
from .words import Row, cards, code_of, rows_of, title, words_of


class RunningWildstyle(Running, Wildstyle):
    """Wildstyle, compiled or not."""


GAME = RunningWildstyle()
played, log_of, changed = GAME.played, GAME.log_of, GAME.changed
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
FEATURES = vocabulary.FEATURE_NAMES
SECOND = 1_000_000
RANDOM = Style(name="random")
WEIGHT_OF = {
    "draw": "draws", "add": "adds", "share": "shares", "take": "takes", "complete": "completes",
    "rush": "rushes", "stop": "stops",
}  # fmt: skip
ROWS = 1 << 14


# Cells and games


def setup(
    players: int,
    *,
    styles: Sequence[Style] = (RANDOM,),
    rotate: bool = False,
    sample: float = 0.0,
    components: Mapping[str, Any] = COMPONENTS,
    **rulings: Any,
) -> state.Setup:
    """Return a cell of Wildstyle; one style alone plays every seat."""
    options = {"rotate": rotate, "sample": sample, "components": components}
    return GAME.cell(players, *styles, **options, **rulings)


def named(record: Any, labels: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return a row by column name, with labels for codes."""
    row = dict(zip(record.dtype.names, record.tolist(), strict=True))
    return row | {name: labels[name][row[name]] for name in labels if name in row}


EXACT = changed("clock.sigma", 0.0)
"""Components whose clock has no noise."""


def numbers(components: Mapping[str, Any] = EXACT, **changes: Any) -> dict[str, Any]:
    """Return components with some of the numbers changed."""
    for name, value in changes.items():
        components = changed(f"numbers.{name}", value, components)
    return dict(components)


def prefers(tempo: float = 1.0, **weights: float) -> Style:
    """Return a style that does nothing but these acts, the most wanted first: prefers(draw=1)."""
    forbid = [act for act in ACTS[: events.WAIT] if act not in weights]
    worth = {WEIGHT_OF[act]: weight for act, weight in weights.items()}
    return Style(name="scripted", weights={"stops": -1.0, "no_tag": -50.0} | worth, forbid=forbid,
                 tempo=tempo)  # fmt: skip


IDLE = prefers()
"""Waits, whatever happens."""


# The table


@dataclass(frozen=True)
class Seat:
    """A player: cards by code, sets as (icon, cards)."""

    hand: list[int]
    sets: list[tuple[int, int]]
    mat: int
    cars: int
    tags: tuple[int, ...]
    style: Style


def seat(
    hand: str = "",
    *,
    sets: str = "",
    mat: int = 6,
    cars: int = 0,
    tags: Sequence[int] = (),
    style: Style = IDLE,
) -> Seat:
    """Describe a player: `sets` are two at most, such as `2*park, police`; `tags` are hexes."""
    made = []
    for word in filter(None, map(str.strip, sets.split(","))):
        count, _, icon = word.rpartition("*")
        made.append((ICONS.index(icon), int(count or 1)))
    return Seat(cards(hand), made, mat, cars, tuple(tags), style)


class Table:
    """A round in progress, at time 0 of the first round.

    Boards and tiles are dealt by the rules from `seed`. Draw and share piles list cards bottom
    first. Unless told, each draw pile has one railway card, the share piles are empty.
    """

    def __init__(
        self,
        *seats: Seat,
        draw: Sequence[str] | None = None,
        share: Sequence[str] = (),
        final: str = "",
        cars_left: int | None = None,
        seed: int = 1,
        components: Mapping[str, Any] = EXACT,
        **rulings: Any,
    ) -> None:
        styles = [player.style for player in seats]
        made = setup(len(seats), styles=styles, components=components, **rulings)
        self.sides = made.sides
        self.state = made.record.copy()
        self.log: list[Row] = []
        self.s: Any = self.state[0]
        self._call(entries.deal, np.uint64(seed), np.int64(0), np.int64(0))
        self._call(entries.begin, np.int64(streams.SETUP))
        for number, player in enumerate(seats):
            self._sit(number, player)
        self._stack(draw)
        self._lay(share)
        self.s["doing"][: len(seats)] = WAITING
        if cars_left is not None:
            self.s["cars_left"] = cars_left
        if final:
            self.s["final"], self.s["reason"] = 1, events.END_REASONS.index(final)
        self.log = []

    def _call(self, entry: Callable, *arguments: Any) -> list[Row]:
        """Call the rules; return the rows that they logged."""
        log = np.full((ROWS, 6), -1, np.int32)
        self.s["log_n"] = 0
        with np.errstate(over="ignore"):
            entry(self.state, log, *arguments)
        rows = rows_of(log[: self.s["log_n"]])
        self.log += rows
        return rows

    def _sit(self, number: int, player: Seat) -> None:
        s = self.s
        for cell in player.tags:
            self.tag(number, cell)
        s["hand_n"][number] = len(player.hand)
        s["hand"][number, : len(player.hand)] = player.hand
        s["set_n"][number], s["set_icon"][number] = 0, -1
        for place, (icon, count) in enumerate(player.sets):
            s["set_icon"][number, place], s["set_n"][number, place] = icon, count
            s["shown"][icon] += count
        s["mat"][number] = player.mat
        s["cars"][number] = player.cars

    def _stack(self, piles: Sequence[str] | None) -> None:
        s = self.s
        piles = ["railway red"] * int(s["draw_piles"]) if piles is None else piles
        at = 0
        for pile in range(int(s["draw_piles"])):
            there = cards(piles[pile]) if pile < len(piles) else []
            s["cards"][at : at + len(there)] = there
            s["bottom"][pile], s["top"][pile] = at, at + len(there)
            at += len(there)
        s["to_draw"] = s["drawable"] = at

    def _lay(self, piles: Sequence[str]) -> None:
        for pile, text in enumerate(piles):
            there = cards(text)
            self.s["share"][pile, : len(there)] = there
            self.s["share_n"][pile] = len(there)
            for code in there:
                self.s["shown"][code // COLOURS] += 1

    # Playing

    def tag(self, seat: int, cell: int) -> None:
        """Put a tag of a seat on a hex, as the rules do when a set is cleared."""
        with np.errstate(over="ignore"):
            entries.put_tag(self.state, np.int64(seat), np.int64(cell))

    def decides(self, seat: int, words: str, lands: int = 1, at: int = 0) -> None:
        """Let a seat have decided at a time what will land; legal or not by now."""
        s = self.s
        s["act"][seat], s["target"][seat] = code_of(words)
        s["doing"][seat], s["due"][seat], s["decided"][seat] = ACTING, lands, at

    def let_look(self, *seats: int) -> None:
        """Let seats look at the table now."""
        for number in seats:
            self.s["doing"][number] = LOOKING

    def run(self) -> list[Row]:
        """Go on to the end of the round; return the rows logged."""
        return self._call(entries.play)

    def do(self, seat: int, words: str) -> list[Row]:
        """Let a seat do a legal act, in a microsecond; return the rows logged."""
        assert words in self.legal(seat), f"{words} is none of {self.legal(seat)}"
        self.decides(seat, words, lands=self.now + 1, at=self.now)
        return self.run()

    def done(self, seat: int, words: str) -> bool:
        """Let a seat do an act that may have become impossible; tell whether it was done."""
        self.decides(seat, words, lands=self.now + 1, at=self.now)
        (row,) = [row for row in self.run() if row.event in ("ACT", "FUMBLE")]
        assert row.what == words
        return row.event == "ACT"

    def begin(self) -> list[Row]:
        """Begin the next round; return the rows logged."""
        return self._call(entries.begin, np.int64(streams.DRAWS))

    def score(self) -> list[Row]:
        """Score the game; return the rows logged."""
        return self._call(entries.score)

    # Looking into the choice at hand

    def legal(self, seat: int = 0) -> list[str]:
        """Return what a seat may decide, in words, in the order of the rules."""
        copy = self.state.copy()
        entries.list_acts(copy, np.int64(seat))
        return acts_in(copy[0])

    def values(self, weights: Mapping[str, float] | None = None, seat: int = 0) -> dict[str, float]:
        """Return every act's value to a seat, or to a player of these weights in its place."""
        copy = self.state.copy()
        if weights is not None:
            give_weights(copy, int(copy[0]["place"][seat]), weights)
        return weighed(copy, seat)

    def feature(self, name: str, seat: int = 0) -> dict[str, float]:
        """Return a feature of every act: its value to a player who weighs it alone."""
        return self.values({name: 1.0}, seat)

    def choices(self, count: int, seat: int = 0, seed: int = 1) -> Counter[str]:
        """Return how often a seat decides on each act, in so many looks at the same table."""
        copy = self.state.copy()
        acts, targets = np.zeros(count, np.int64), np.zeros(count, np.int64)
        with np.errstate(over="ignore"):
            entries.choose(copy, np.int64(seat), np.uint64(seed), acts, targets)
        return Counter(map(words_of, acts.tolist(), targets.tolist()))

    # Reading

    def __getattr__(self, name: str) -> Any:
        """Return a number of the state, or a list with a number for each seat."""
        if name.startswith("_") or name not in state.STATE.names:
            raise AttributeError(name)
        found = self.s[name]
        if np.ndim(found) == 1 and len(found) == state.MAX_PLAYERS:
            return found[: self.s["players"]].tolist()
        assert np.ndim(found) == 0, f"read {name} by a property of its own"
        return int(found)

    @property
    def hands(self) -> list[Counter[str]]:
        """The hand of each seat."""
        s = self.s
        return [
            Counter(title(code) for code in s["hand"][number, : s["hand_n"][number]].tolist())
            for number in range(s["players"])
        ]

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """The two set spaces of each mat: `2*park`, nothing where there is no set."""
        return [
            tuple(
                f"{n}*{ICONS[icon]}" if n else ""
                for icon, n in zip(icons.tolist(), counts.tolist(), strict=True)
            )
            for icons, counts in zip(
                self.s["set_icon"][: self.s["players"]],
                self.s["set_n"][: self.s["players"]],
                strict=True,
            )
        ]

    @property
    def piles(self) -> list[list[str]]:
        """The draw piles, the top of each last."""
        s = self.s
        return [
            [title(code) for code in s["cards"][s["bottom"][pile] : s["top"][pile]].tolist()]
            for pile in range(s["draw_piles"])
        ]

    @property
    def shares(self) -> list[list[str]]:
        """The share piles, the top of each last."""
        s = self.s
        return [
            [title(code) for code in s["share"][pile, : s["share_n"][pile]].tolist()]
            for pile in range(s["share_piles"])
        ]

    @property
    def icons(self) -> list[int]:
        """The code of the icon on each hex."""
        return self.s["icon"][: self.s["hexes"]].tolist()

    @property
    def tags_on_map(self) -> list[list[int]]:
        """The hexes that each seat has tagged, in the order of placing."""
        s = self.s
        return [s["tag_hex"][n, : s["tags"][n]].tolist() for n in range(s["players"])]

    @property
    def tiles(self) -> list[str]:
        """The sides of the tiles dealt."""
        return [self.sides[side] for side in self.s["tile"][: self.s["dealt"]].tolist()]

    def hexes(self, icon: str) -> list[int]:
        """Return the hexes with an icon."""
        return [cell for cell, code in enumerate(self.icons) if code == ICONS.index(icon)]

    def beside(self, cell: int) -> list[int]:
        """Return the hexes beside a hex."""
        return [there for there in self.s["neighbour"][cell].tolist() if there >= 0]


def acts_in(s: Any) -> list[str]:
    """Return the acts that are listed in a state, in words."""
    n = int(s["n_actions"])
    return [
        words_of(kind, aim)
        for kind, aim in zip(s["kind"][:n].tolist(), s["aim"][:n].tolist(), strict=True)
    ]


def weighed(copy: np.ndarray, seat: int) -> dict[str, float]:
    """Weigh the acts of a seat in a state of its own; return their values by words."""
    with np.errstate(over="ignore"):
        entries.weigh(copy, np.int64(seat))
    return dict(zip(acts_in(copy[0]), copy[0]["value"].tolist(), strict=False))


def forget_worths(copy: np.ndarray) -> None:
    """Let a state know nothing any more of what hexes are worth."""
    copy["stale"] = ~np.uint64(0)
    copy["best_known"] = 0


def give_weights(copy: np.ndarray, place: int, weights: Mapping[str, float]) -> None:
    """Give a place of the line-up in a state these weights; it heeds every tile still allowed."""
    s = copy[0]
    row = np.array([weights.get(name, 0.0) for name in FEATURES])
    s["weights"][place] = 0.0
    s["weights"][place, : len(row)] = row
    s["forbids"][place] = 0
    heeded = s["ignores"][place] == 0
    own = [row[FEATURES.index(f"gain_{kind}")] for kind in vocabulary.KINDS]
    kinds = s["side_kind"]
    s["gain_weight"][place] = heeded * (row[FEATURES.index("objective_gain")] + np.take(own, kinds))
    s["progress_weight"][place] = heeded * row[FEATURES.index("objective_progress")]
    forget_worths(copy)
