"""Rulings, numbers and their values as a person would name them."""

from collections.abc import Iterable
from typing import Any

from sim import words as say
from sim.audit.changes import DOWN, UP, Change
from sim.audit.effects import plain
from sim.audit.onegame import ACT, Fault
from sim.words import Words

PLAIN = ("numbers", "components", "copies")
"""Tables whose name says nothing beside that of the number in them."""
LONGEST = 34
SIDES = {DOWN: "less", UP: "more"}


def names_of(keys: Iterable[str], words: Words) -> dict[str, str]:
    """Return a name for each dotted key, no two alike."""
    keys = list(dict.fromkeys(keys))
    short = {key: _short(key, words) for key in keys}
    alike = list(short.values())
    return {
        key: name if alike.count(name) == 1 else f"{name} ({_path(key)})"
        for key, name in short.items()
    }


def _short(key: str, words: Words) -> str:
    kind, *tables, last = key.split(".")
    if kind == "rulings" or not tables:
        return _capital(say.plain(last))
    titled = [words.titles[name] for name in (*tables, last) if name in words.titles]
    if last in words.titles or not titled:
        around = ", ".join(say.plain(name) for name in tables if name not in PLAIN)
        name = words.titles.get(last) or _capital(say.plain(last))
        return f"{name} ({around})" if around else name
    return f"{titled[-1]}: {say.plain(last)}"


def _path(key: str) -> str:
    return ", ".join(say.plain(name) for name in key.split(".")[1:-1])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def value_text(value: Any) -> str:
    """Return a value in words, cut if it is a long list."""
    text = say.plain(plain(value)).replace("-", say.MINUS) if _is_number(value) else _words(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3].rstrip(', ')}..."


def _words(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else say.plain(plain(value))


def _is_number(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def instead(change: Change, names: dict[str, str]) -> str:
    """Return a change in words: "Hearts: 60 (now 36)"."""
    return f"{names[change.key]}: {value_text(change.value)} (now {value_text(change.now)})"


def column_name(fault: Fault, words: Words) -> str:
    """Return what is wrong: the title of a column, or an act against the rules."""
    if fault.column == ACT:
        return "an act against the rules"
    column = words.title(fault.column)
    whole = fault.table in ("games", "seats")
    return column if whole else f"{column} in {say.plain(fault.table)}"
