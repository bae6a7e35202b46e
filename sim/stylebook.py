"""The styles of a study: the game's own, the study's, and changes to either, resolved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import SimError, listing, suggest
from sim.explain import BARE_KEY, Place, show, validate
from sim.files import read_toml
from sim.games.game import Game
from sim.lineups import ALL
from sim.overrides import expand, merge
from sim.players import Style

STYLE_KEYS = ("base", *(name for name in Style.model_fields if name != "name"))
PLAYED = {"weights", "temperature", "tempo", "forbid", "search"}
"""The fields of a style that decide how it plays; the rest tells people about it."""


@dataclass(frozen=True)
class Entry:
    """A style's table as written, and where it stands."""

    table: Mapping[str, Any]
    place: Place


Entries = dict[str, Entry]


def gather(tables: Mapping[str, Any], files: list[str], folder: Path, study: Place) -> Entries:
    """Return the tables of `styles_from` files, with the study's own merged over them."""
    entries: Entries = {}
    for index, name in enumerate(files):
        path = folder / name
        try:
            content = expand(read_toml(path), Place(str(path)))
        except SimError as error:
            raise study.at("styles_from", index).error(str(error)) from None
        for style, table in content.items():
            here = Place(str(path), (style,))
            if style in entries:
                raise here.error(f"this style is already in {entries[style].place.source}.")
            if not isinstance(table, Mapping):
                raise here.error(f"found {show(table)}; allowed: a table for each style.")
            entries[style] = Entry(table, here)
    return change(entries, tables, study.at("styles"))


def change(entries: Entries, tables: Mapping[str, Any], place: Place) -> Entries:
    """Return the entries with tables merged over them; mistakes are now looked for at `place`."""
    changed = dict(entries)
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            raise place.at(name).error(f"found {show(table)}; allowed: a table for each style.")
        old = entries[name].table if name in entries else {}
        changed[name] = Entry(merge(old, table), place.at(name))
    return changed


def resolve(game: Game, entries: Entries, actions: Sequence[str]) -> dict[str, Style]:
    """Return every style by name: the game's in its order, then the study's.

    `actions` are those that a style may forbid.
    """
    resolver = _Resolver(game, game.styles(), entries, actions, {})
    return {name: resolver.style(name) for name in dict.fromkeys([*game.styles(), *entries])}


@dataclass(frozen=True)
class _Resolver:
    game: Game
    shipped: Mapping[str, Style]
    entries: Entries
    actions: Sequence[str]
    done: dict[str, Style]

    def style(self, name: str, waiting: tuple[str, ...] = ()) -> Style:
        if name not in self.done:
            if name in self.entries:
                self.done[name] = self._own(name, self.entries[name], waiting)
            else:
                self.done[name] = self.shipped[name]
        return self.done[name]

    def _own(self, name: str, entry: Entry, waiting: tuple[str, ...]) -> Style:
        self._check_table(name, entry)
        base = self._base(name, entry, waiting)
        changes = {key: value for key, value in entry.table.items() if key != "base"}
        start = base.model_dump(include=PLAYED) if base else {}
        if base and name in self.shipped and base.name == name:
            start = base.model_dump()
        elif base:
            start["description"] = f"{base.name} with {_summary(changes)}"
        style = validate(Style, merge({**start, "name": name}, changes), entry.place, strict=True)
        self._check_names(style, entry.place)
        return style

    def _base(self, name: str, entry: Entry, waiting: tuple[str, ...]) -> Style | None:
        base = entry.table.get("base", name)
        place = entry.place.at("base")
        if not isinstance(base, str):
            raise place.error(f"found {show(base)}; allowed: the name of a style in quotes.")
        if base == name and "base" not in entry.table:
            return self.shipped.get(name)
        if base == name and name in self.shipped:
            return self.shipped[name]
        if base not in self.shipped and base not in self.entries:
            others = [s for s in dict.fromkeys([*self.shipped, *self.entries]) if s != name]
            raise place.unknown("style", base, others)
        circle = (*waiting, name, base)
        if base in circle[:-1]:
            raise place.error(
                f"found {show(base)}, which goes round in a circle: {' -> '.join(circle)}; "
                "allowed: a style that does not build on this one."
            )
        return self.style(base, (*waiting, name))

    def _check_table(self, name: str, entry: Entry) -> None:
        if not BARE_KEY.fullmatch(name) or name == ALL:
            raise entry.place.error(
                f"found the style name {show(name)}; allowed: letters, digits, _ and -"
                f', and not "{ALL}".'
            )
        entry.place.check_keys(entry.table, STYLE_KEYS)
        if name not in self.shipped and not {"base", "weights"} & set(entry.table):
            raise entry.place.error(
                f"a new style needs base or weights.{suggest(name, self.shipped)}"
            )

    def _check_names(self, style: Style, place: Place) -> None:
        features = [feature.name for feature in self.game.features]
        for name in style.weights:
            if name not in features:
                raise place.at("weights", name).unknown("feature", name, features)
        for index, name in enumerate(style.forbid):
            if name not in self.actions:
                raise place.at("forbid", index).unknown("action", name, self.actions)


def _summary(changes: Mapping[str, Any]) -> str:
    """Describe the changes to a base: `exposure -0.2, temperature 0.5`."""
    weights = changes.get("weights")
    parts = [f"{k} {v}" for k, v in weights.items()] if isinstance(weights, Mapping) else []
    parts += [f"{key} {changes[key]}" for key in ("temperature", "tempo") if key in changes]
    if isinstance(changes.get("forbid"), list):
        parts.append(f"no {listing(changes['forbid'])}")
    return listing(parts) or "no change"
