"""What an audit changes in a study's own game, one thing at a time: rulings switched."""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sim.errors import SimError
from sim.explain import Place, show
from sim.games.game import GRADES, Game, Ruling
from sim.overrides import apply
from sim.study import Study, Variant

RULING, NUMBER = "ruling", "number"
DOWN, UP = "down", "up"
NAMES_IN = re.compile(r"\bany \w+ in components\.([\w.]+)")
SUCH_AS = re.compile(r"\bsuch as (.+)$")
ANY_NUMBER = re.compile(r"^any (whole )?number\b")
FACTS = ("source", "note")
"""Keys of a table of components that are no names in it."""


@dataclass(frozen=True)
class Change:
    """One thing that is not as the study has it: `key` is dotted, `side` that of a number."""

    part: str
    key: str
    grade: str
    now: Any
    value: Any
    side: str = ""

    @property
    def name(self) -> str:
        """What tells it from all others; the name of its variant."""
        return f"{self.key} = {self.value!r}"


@dataclass(frozen=True)
class Untried:
    """A value or side that could not be tried, and why."""

    part: str
    key: str
    what: str
    why: str


@dataclass(frozen=True)
class Base:
    """The variant of a study that everything is changed in."""

    game: Game
    study: Study
    name: str
    players: tuple[int, ...]

    @property
    def variant(self) -> Variant:
        """Its rulings, components and styles."""
        return self.study.variants[self.name]

    def with_values(self, values: Mapping[str, Any]) -> Variant:
        """Return the variant with other values, by dotted key.

        Raises SimError if the schema or the game refuses them, with one of the numbers of players.
        """
        own = self.variant
        changes: dict[str, dict[str, Any]] = {"rulings": {}, "components": {}}
        for key, value in values.items():
            kind, _, rest = key.partition(".")
            _put(changes[kind], path_in(getattr(own, kind), rest), value)
        rulings, components = (
            apply(model, getattr(own, kind), changes[kind], Place("", (kind,)))
            for kind, model in (
                ("rulings", self.game.rulings_model),
                ("components", self.game.components_model),
            )
        )
        changed = Variant(
            overrides=dict(values), rulings=rulings, components=components, styles=own.styles
        )
        for players in self.players:
            try:
                self.game.check(changed.components, changed.rulings, players)
            except SimError as error:
                raise SimError(f"with {players} players: {error}") from None
        return changed

    def refusal(self, key: str, value: Any) -> str:
        """Return why a value cannot be played; "" if it can."""
        try:
            self.with_values({key: value})
        except SimError as error:
            return str(error).removeprefix(": ").rstrip(".")
        return ""

    def value_of(self, key: str) -> Any:
        """Return what the study has at a dotted key; KeyError if that is no value of its own."""
        kind, _, rest = key.partition(".")
        tree: Any = getattr(self.variant, kind)
        for name in path_in(tree, rest):
            tree = tree[name]
        return tree


def path_in(tree: Any, dotted: str) -> tuple[str, ...]:
    """Return a dotted key as the names of a tree's tables, which may hold dots themselves."""
    if isinstance(tree, Mapping):
        if dotted in tree:
            return (dotted,)
        for name, below in tree.items():
            if dotted.startswith(f"{name}."):
                return (name, *path_in(below, dotted.removeprefix(f"{name}.")))
    raise KeyError(dotted)


def _put(tree: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = value


def same(a: Any, b: Any) -> bool:
    """Tell whether two values are one: 1 is not true."""
    return type(a) is type(b) and bool(a == b)


def switched(base: Base) -> tuple[list[Change], list[Untried]]:
    """Return every other value of every ruling that the game names, and what cannot be tried."""
    found: list[Change] = []
    untried: list[Untried] = []
    for ruling in base.game.rulings_help():
        changes, others = _of_ruling(base, ruling)
        found += changes
        untried += others
    return found, untried


def _of_ruling(base: Base, ruling: Ruling) -> tuple[list[Change], list[Untried]]:
    key = f"rulings.{ruling.name}"
    now = base.variant.rulings[ruling.name]
    grade = ruling.grade if str(now) == ruling.default else GRADES[-1]
    tried: list[Any] = [now]
    untried = []
    for text in ruling.values:
        found, why = _playable(base, key, text)
        tried += [value for value in found if not any(same(value, known) for known in tried)]
        if not found:
            untried.append(Untried(RULING, key, text, _reason(text, why)))
    changes = [Change(RULING, key, grade, now, value) for value in tried[1:]]
    return changes, untried


def _playable(base: Base, key: str, text: str) -> tuple[list[Any], str]:
    """Return the values that a ruling's text stands for and that can be played, or why none can."""
    found, first = [], ""
    for value in _values(base, text):
        why = base.refusal(key, value)
        first = first or why
        if not why:
            found.append(value)
            if not _is_open(text):
                break
    return found, first


def _is_open(text: str) -> bool:
    """Tell whether a ruling's text stands for many values."""
    return bool(NAMES_IN.search(text))


def _values(base: Base, text: str) -> Iterator[Any]:
    """Yield what a ruling's text may stand for: itself, an example in it, names it points to."""
    if found := NAMES_IN.search(text):
        tree: Any = base.variant.components
        for name in found[1].split("."):
            tree = tree.get(name, {}) if isinstance(tree, Mapping) else {}
        yield from (name for name in tree if name not in FACTS)
        return
    if found := SUCH_AS.search(text):
        text = found[1]
    with suppress(ValueError, SyntaxError):
        yield ast.literal_eval({"true": "True", "false": "False"}.get(text, text))
    yield text


def _reason(text: str, why: str) -> str:
    """Return why a text could not be tried, in words: it names no value, or was refused."""
    if ANY_NUMBER.search(text):
        return "any number: there is no list of values to try"
    return why if " " not in text else f"no value is named ({show(text)})"
