"""Tag City in plain sets, for the tests: what can be done at a table, and what each feature is.

Written from the rulebook and the features' descriptions; shares no code with the compiled game.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sim.games.tag_city.vocabulary import FEATURE_NAMES

LAYERS = ("row", "column", "neighborhood")


@lru_cache(maxsize=256)
def forms(drawing: str) -> tuple[frozenset[tuple[int, int]], ...]:
    """Return the distinct ways to turn and flip a shape, by numpy's rotations of a picture."""
    lines = [line for line in drawing.strip("\n").split("\n") if line.strip()]
    width = max(map(len, lines))
    picture = np.array([[letter == "#" for letter in line.ljust(width)] for line in lines])
    picture = picture[picture.any(axis=1)][:, picture.any(axis=0)]
    found = set()
    for flipped in (picture, np.fliplr(picture)):
        for turns in range(4):
            cells = np.argwhere(np.rot90(flipped, turns))
            found.add(frozenset(map(tuple, cells.tolist())))
    return tuple(found)


class Element(NamedTuple):
    """A row, column or neighborhood: its squares and values."""

    layer: str
    squares: frozenset[int]
    large: int
    small: int


@dataclass(frozen=True)
class Rules:
    """A cell's rules as the components and rulings say them."""

    components: dict
    rulings: dict
    players: int

    @property
    def drawing(self) -> list[str]:
        return self.components["cities"][self.rulings["city"]]["drawing"].split()

    @property
    def size(self) -> tuple[int, int]:
        return len(self.drawing), len(self.drawing[0])

    @property
    def shapes(self) -> list[str]:
        """Names by code."""
        parts = self.components
        return [*parts["small_shapes"]["tokens"], *parts["ring_shapes"]["tokens"]]

    @property
    def small(self) -> list[str]:
        return list(self.components["small_shapes"]["tokens"])

    def figure(self, shape: str) -> str:
        parts = self.components
        return (parts["small_shapes"]["tokens"] | parts["ring_shapes"]["tokens"])[shape]["drawing"]

    @property
    def elements(self) -> list[Element]:
        return _elements(self.key)

    @property
    def key(self) -> tuple:
        values = self.components["values"][self.rulings["city"]]
        numbers = tuple(
            (layer, size, str(values[f"{layer}s"][size]))
            for layer in LAYERS
            for size in ("large", "small")
        )
        return tuple(self.drawing), numbers

    def placements(self, shape: str) -> tuple[frozenset[int], ...]:
        return _placements(self.figure(shape), *self.size)


@lru_cache(maxsize=64)
def _elements(key: tuple) -> list[Element]:
    drawing, numbers = key
    rows, columns = len(drawing), len(drawing[0])
    letters = sorted(set("".join(drawing)))
    groups = {
        "row": [[r * columns + c for c in range(columns)] for r in range(rows)],
        "column": [[r * columns + c for r in range(rows)] for c in range(columns)],
        "neighborhood": [
            [i for i, letter in enumerate("".join(drawing)) if letter == wanted]
            for wanted in letters
        ],
    }
    values = {(layer, size): eval(text) for layer, size, text in numbers}
    found = []
    for layer in LAYERS:
        for number, squares in enumerate(groups[layer]):
            both = [values[layer, size] for size in ("large", "small")]
            large, small = (v[number] if isinstance(v, list) else v for v in both)
            found.append(Element(layer, frozenset(squares), large, small))
    return found


@lru_cache(maxsize=1024)
def _placements(drawing: str, rows: int, columns: int) -> tuple[frozenset[int], ...]:
    found = set()
    for form in forms(drawing):
        for top in range(rows):
            for left in range(columns):
                cells = [(top + r, left + c) for r, c in form]
                if all(r < rows and c < columns for r, c in cells):
                    found.add(frozenset(r * columns + c for r, c in cells))
    return tuple(sorted(found, key=sorted))


class Action(NamedTuple):
    """What a seat does with a die (value, space)."""

    value: int
    space: int
    kind: str
    shape: str | None = None
    squares: frozenset[int] = frozenset()
    bubble: int = -1


@dataclass
class Position:
    """A table at a decision."""

    rules: Rules
    ring: list[str]
    leader: int = 0
    painted: list[set[int]] = field(default_factory=list)
    large_free: set[int] = field(default_factory=set)
    bubbles_free: list[int] = field(default_factory=list)
    slots_used: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    circled: list[int] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    dice: Counter = field(default_factory=Counter)

    @classmethod
    def start(cls, rules: Rules, ring: list[str]) -> "Position":
        n = rules.players
        return cls(
            rules,
            ring,
            painted=[set() for _ in range(n)],
            large_free=set(range(len(rules.elements))),
            bubbles_free=list(range(len(rules.rulings["bubble_values"]))),
            slots_used=[0] * n,
            scores=[0] * n,
            circled=[0] * n,
        )

    def copy(self) -> "Position":
        return replace(
            self,
            painted=[set(squares) for squares in self.painted],
            large_free=set(self.large_free),
            bubbles_free=list(self.bubbles_free),
            slots_used=list(self.slots_used),
            scores=list(self.scores),
            circled=list(self.circled),
            met=list(self.met),
            dice=Counter(self.dice),
        )

    # What is legal

    def room(self, seat: int, shape: str) -> list[frozenset[int]]:
        return [p for p in self.rules.placements(shape) if not p & self.painted[seat]]

    def bubbles(self, drafting: bool) -> list[int]:
        values = self.rules.rulings["bubble_values"]
        if not self.bubbles_free:
            return [-1]
        if drafting:
            first: dict[int, int] = {}
            for bubble in self.bubbles_free:
                first.setdefault(values[bubble], bubble)
            return list(first.values())
        best = max(values[bubble] for bubble in self.bubbles_free)
        return [next(b for b in self.bubbles_free if values[b] == best)]

    def actions(self, seat: int, drafting: bool) -> list[Action]:
        found = []
        flown = self.slots_used[seat] < len(self.rules.rulings["drone_values"])
        for value, space in sorted(die for die, n in self.dice.items() if n):
            shape = self.ring[space]
            found += [Action(value, space, "paint", shape, p) for p in self.room(seat, shape)]
            for other in [*self.rules.small, *self.ring] if flown else []:
                found += [Action(value, space, "drone", other, p) for p in self.room(seat, other)]
            found += [
                Action(value, space, "check", bubble=bubble) for bubble in self.bubbles(drafting)
            ]
        return found

    # What it is worth

    def value_of(self, element: int) -> int:
        large, small = self.rules.elements[element][2:]
        return large if element in self.large_free else small

    def done(self, seat: int, squares: frozenset[int]) -> list[int]:
        after = self.painted[seat] | squares
        return [
            number
            for number, element in enumerate(self.rules.elements)
            if element.squares <= after and not element.squares <= self.painted[seat]
        ]

    def progress(self, seat: int, squares: frozenset[int], layer: str) -> float:
        total = 0.0
        for number, element in enumerate(self.rules.elements):
            if element.layer == layer and element.squares & squares:
                size = len(element.squares)
                before = len(element.squares & self.painted[seat]) / size
                after = before + len(element.squares & squares) / size
                total += self.value_of(number) * (after**2 - before**2)
        return total

    def worth(self, seat: int, shape: str) -> float:
        """What a shape is worth to a seat."""
        return _worth(self, seat, shape)

    def holes(self, painted: set[int]) -> set[int]:
        rows, columns = self.rules.size
        covered: set[int] = set()
        for shape in self.ring:
            for placement in self.rules.placements(shape):
                if not placement & painted:
                    covered |= placement
        return set(range(rows * columns)) - painted - covered

    def perimeter(self, painted: set[int]) -> int:
        rows, columns = self.rules.size
        free = {divmod(i, columns) for i in range(rows * columns) if i not in painted}
        sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
        return sum((r + a, c + b) not in free for r, c in free for a, b in sides)

    def races(self, seat: int, painted: set[int]) -> int:
        total = 0
        rivals = [other for other in range(self.rules.players) if other != seat]
        for number in self.large_free:
            element = self.rules.elements[number]
            most = max(len(element.squares & self.painted[other]) for other in rivals)
            if len(element.squares & painted) > most:
                total += element.large - element.small
        return total

    def features(self, seat: int, action: Action, drafting: bool, wanted: set[str]) -> dict:
        """Return the wanted features of an action; others are left out."""
        found = dict.fromkeys(wanted, 0.0)
        found |= {
            name: value() for name, value in self._ways(seat, action).items() if name in wanted
        }
        if drafting:
            left = self.dice - Counter([(action.value, action.space)])
            shapes = [self.ring[space] for _, space in left.elements()]
            rivals = [other for other in range(self.rules.players) if other != seat]
            later = self.order()[self.order().index(seat) + 1 :]
            if "last_die_mine" in wanted:
                found["last_die_mine"] = np.mean([self.worth(seat, shape) for shape in shapes])
            if "last_die_rivals" in wanted:
                found["last_die_rivals"] = np.mean(
                    [self.worth(other, shape) for shape in shapes for other in rivals]
                )
            if "denied" in wanted and later:
                taken = self.ring[action.space]
                found["denied"] = np.mean(
                    [
                        max(
                            0.0,
                            self.worth(other, taken)
                            - max(self.worth(other, shape) for shape in shapes),
                        )
                        for other in later
                    ]
                )
        return found

    def order(self) -> list[int]:
        """Seats in the order of the draft."""
        n = self.rules.players
        return [(self.leader + 1 + i) % n for i in range(n)]

    def _ways(self, seat: int, action: Action) -> dict:
        squares = action.squares
        before, after = self.painted[seat], self.painted[seat] | squares
        rulings = self.rules.rulings
        done = self.done(seat, squares) if squares else []
        large = sum(self.value_of(e) for e in done if e in self.large_free)
        small = sum(self.value_of(e) for e in done if e not in self.large_free)
        drone = action.kind == "drone"
        cost = rulings["drone_values"][self.slots_used[seat]] if drone else 0
        bubble = rulings["bubble_values"][action.bubble] if action.bubble >= 0 else 0
        met = not self.met and (
            (drone and self.slots_used[seat] + 1 == len(rulings["drone_values"]))
            or (action.bubble >= 0 and len(self.bubbles_free) == 1)
            or (bool(self.large_free) and self.large_free <= set(done))
        )
        score = self.scores[seat] + large + small + cost + bubble
        beaten = any(s > score for i, s in enumerate(self.scores) if i != seat)
        return {
            "large_points": lambda: large,
            "small_points": lambda: small,
            "row_progress": lambda: self.progress(seat, squares, "row"),
            "column_progress": lambda: self.progress(seat, squares, "column"),
            "neighborhood_progress": lambda: self.progress(seat, squares, "neighborhood"),
            "races_led": lambda: self.races(seat, after) - self.races(seat, before),
            "squares": lambda: len(squares),
            "holes": lambda: len(self.holes(after)) - len(self.holes(before)) if squares else 0,
            "perimeter": lambda: self.perimeter(after) - self.perimeter(before),
            "drone": lambda: drone,
            "drone_points": lambda: cost,
            "check": lambda: action.kind == "check",
            "bubble_points": lambda: bubble,
            "ends_game": lambda: met,
            "ends_ahead": lambda: (-1 if beaten else 1) if met else 0,
        }

    def side_features(self, space: int) -> dict[str, float]:
        """Return the features of the leader's putting a die on a space."""
        shape = self.ring[space]
        rivals = [other for other in range(self.rules.players) if other != self.leader]
        return {
            "side_mine": self.worth(self.leader, shape),
            "side_rivals": float(np.mean([self.worth(other, shape) for other in rivals])),
            "side_dice": sum(n for (_, there), n in self.dice.items() if there == space),
        }


def _worth(position: Position, seat: int, shape: str) -> float:
    best = 0.0
    for squares in position.room(seat, shape):
        points = sum(position.value_of(e) for e in position.done(seat, squares))
        progress = sum(position.progress(seat, squares, layer) for layer in LAYERS)
        best = max(best, points + progress)
    return best


class Weigher:
    """The values of actions to a style; drawings are weighed once, whatever the die."""

    def __init__(self, position: Position, seat: int, drafting: bool, weights: dict) -> None:
        self.position, self.seat, self.drafting, self.weights = position, seat, drafting, weights
        self.known: dict = {}
        assert set(weights) <= set(FEATURE_NAMES)

    def _sum(self, action: Action, drafting: bool, wanted: set[str]) -> float:
        found = self.position.features(self.seat, action, drafting, wanted)
        return sum(self.weights[name] * value for name, value in found.items())

    def value(self, action: Action) -> float:
        """Return weights . features of an action."""
        by_die = {"last_die_mine", "last_die_rivals", "denied"} & set(self.weights)
        own = set(self.weights) - by_die - {"side_mine", "side_rivals", "side_dice"}
        deed, die = action[2:], action[:2]
        if deed not in self.known:
            self.known[deed] = self._sum(action, False, own)
        if die not in self.known:
            self.known[die] = self._sum(Action(*die, "check"), self.drafting, by_die)
        return self.known[deed] + self.known[die]
