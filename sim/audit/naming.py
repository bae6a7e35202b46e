"""Rulings, numbers and their values as a person would name them."""

from collections.abc import Iterable
from typing import Any

from sim import words as say
from sim.audit.changes import DOWN, UP, Change
from sim.audit.effects import plain
from sim.audit.onegame import ACT, Fault
from sim.games.data import FLOW_TABLES, column_titles
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
    """Return the name of what a number is of, if that has a title, and the number's own."""
    kind, *tables, last = key.split(".")
    named = [at for at, table in enumerate(tables) if table in words.titles]
    if kind == "rulings" or not tables:
        return _capital(say.plain(last))
    if not named:
        around = ", ".join(say.plain(table) for table in tables if table not in PLAIN)
        name = words.titles.get(last) or _capital(say.plain(last))
        return f"{name} ({around})" if around else name
    title, *inside = (words.titles.get(table, say.plain(table)) for table in tables[named[-1] :])
    return f"{', '.join([title, *inside])}: {words.titles.get(last, say.plain(last))}"


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
    return title_in(fault.table, fault.column, words)


def title_in(table: str, column: str, words: Words) -> str:
    """Return the title of a column, with the name of a table that only this game has."""
    of_game = words.game.long_tables.get(table, ())
    titles = column_titles(FLOW_TABLES.get(table, of_game))
    title = titles.get(column) or words.title(column)
    return title if table in ("games", "seats") else f"{title} in {say.plain(table)}"
