"""Helpers that every game's plain side shares: its files, titles, grades, table layouts, logs."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from sim.errors import SimError
from sim.games.game import Column, Fact, Ruling
from sim.players import Style

GAME_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("players", "Players", "how many seats", "u1"),
    Column("rounds", "Rounds", "rounds begun", "u2"),
    Column("turns", "Turns", "turns played", "u2"),
    Column("decisions", "Decisions", "turns with more than one legal action", "u4"),
    Column("end_reason", "End", "why the game ended", "u1", coded=True),
    Column("truncated", "Truncated", "stopped by a cap, not by rule", "?"),
    Column("tied", "Tied", "two or more seats share the win", "?"),
    Column(
        "lead_changes",
        "Lead changes",
        "times that another seat became sole leader after a turn",
        "u2",
    ),
    Column("margin", "Margin", "best score minus second best; 0 if tied", "i4"),
)
"""The columns of `games` that every game has; a game adds its own."""

SEAT_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0 in turn order", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("score", "Score", "score at the end", "i4"),
    Column("rank", "Rank", "1 is best, ties share it; 0 in a truncated game", "u1"),
    Column("win_share", "Win share", "1/k of a win shared by k; null in a truncated game", "f8"),
    Column("truncated", "Truncated", "the game was stopped by a cap", "?"),
)
"""The columns of `seats` that every game has; a game adds its own."""

PARTS = 20
"""Into how many equal parts of its turns the table `standings` divides a game."""

STANDING_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0 in turn order", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("part", "Part", f"time: so many of {PARTS} equal parts of the game are over", "u1"),
    Column("moment", "Moment", "turns (or acts) played until then", "u4"),
    Column("points", "Points", "what the seat would score if the game ended now", "i4"),
    Column("asked", "Decisions asked", "times so far that the seat had to decide", "u4"),
    Column("choices", "Choices", "those of them with more than one legal action", "u4"),
    Column("options", "Legal actions", "legal actions at these times, added up", "u4"),
    Column("log_options", "Log of legal actions", "their natural logarithms, added up", "f4"),
)
"""The columns of `standings`, a sampled table: who is ahead as a game goes on."""

ACT_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0 in turn order", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("act", "Act", "kind of act", "u1", coded=True),
    Column("early", "Early", "times in the first third of the game's turns", "u2"),
    Column("middle", "Middle", "times in the second third", "u2"),
    Column("late", "Late", "times in the last third", "u2"),
)
"""The columns of `acts`, a sampled table: what each seat did, by kind."""

FLOW_TABLES = {"standings": STANDING_COLUMNS, "acts": ACT_COLUMNS}
"""Two sampled tables that a game fills by `sim.games.standings`."""

MOST_DECISIONS = 4096
"""Decisions of a game that a script can hold; later ones are made without search."""
MOST_WATCHED = 512
"""Actions of a decision that a searching player looks at, the first ones listed."""

FIRST_LOG_ROWS = 4096
LEAST_SAMPLE = 1e-9
"""With any smaller share one deal in so many would be a number beyond int32."""


def dtype_of(columns: Sequence[Column]) -> np.dtype:
    """Return the record layout of a table's rows."""
    return np.dtype([(column.name, column.dtype) for column in columns], align=True)


def games_dtype(own: Sequence[Column]) -> np.dtype:
    """Return the record layout of `games` with a game's own columns."""
    return dtype_of((*GAME_COLUMNS, *own))


def seats_dtype(own: Sequence[Column]) -> np.dtype:
    """Return the record layout of `seats` with a game's own columns."""
    return dtype_of((*SEAT_COLUMNS, *own))


@cache
def _toml_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def read_toml(path: Path) -> dict[str, Any]:
    """Return a shipped TOML file as fresh plain data."""
    return tomllib.loads(_toml_text(path))


def shipped_styles(path: Path) -> dict[str, Style]:
    """Return the styles of a shipped file by name."""
    return {name: Style(name=name, **table) for name, table in read_toml(path).items()}


def title_of(code: str, titled: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """Return a code's title: of the titled components, of `titles`, else the words of the code."""
    if code in titled:
        return str(titled[code]["title"])
    return titles.get(code) or code.replace("_", " ").capitalize()


def titles_in(tree: Any) -> dict[str, str]:
    """Return the titles of all named tables in components that have one."""
    found: dict[str, str] = {}
    for name, table in tree.items() if isinstance(tree, Mapping) else ():
        if isinstance(table, Mapping):
            found |= titles_in(table)
            if isinstance(table.get("title"), str):
                found[name] = table["title"]
    return found


def column_titles(*tables: Sequence[Column]) -> dict[str, str]:
    """Return the titles of the columns of some tables, by name."""
    return {column.name: column.title for columns in tables for column in columns}


def no_table(title: str) -> NoReturn:
    """Refuse a CSV file on behalf of a game that reads none."""
    raise SimError(f"{title} reads no CSV components.")


def component_facts(
    components: Mapping[str, Any],
    shipped: Mapping[str, Any],
    show: Callable[[str, Any], str] = lambda key, value: str(value),
) -> list[Fact]:
    """Return every number of the components with the grade of the table that it stands in.

    A table without a `source` has that of the table around it. A number that differs from the
    shipped one, or that has no shipped one, is `assumed`. `show` words a value by its dotted key.
    """
    facts = []
    known = dict(_leaves(shipped, "components"))
    for key, value, grade, note in _graded_leaves(components, "components", "assumed", ""):
        fact = Fact(key, show(key, value), grade, note)
        if known.get(key) != value:
            before = show(key, known[key]) if key in known else "nothing"
            fact = replace(fact, grade="assumed", note=f"changed from {before}")
        facts.append(fact)
    return facts


def ruling_facts(rulings: Mapping[str, Any], known: Sequence[Ruling]) -> list[Fact]:
    """Return every ruling in use with its grade; a ruling off its default is `assumed`."""
    facts = []
    for ruling in known:
        value = str(rulings[ruling.name])
        grade = ruling.grade if value == ruling.default else "assumed"
        facts.append(Fact(f"rulings.{ruling.name}", value, grade, ruling.doc))
    return facts


def _leaves(tree: Any, key: str) -> list[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        return [leaf for name, sub in tree.items() for leaf in _leaves(sub, f"{key}.{name}")]
    return [(key, tree)]


def sample_every(sample: float) -> int:
    """Return which deals a sampled table keeps, one in so many; 0 if it keeps none."""
    return round(1 / max(sample, LEAST_SAMPLE)) if sample > 0 else 0


def is_sampled(every: int, deal: int) -> bool:
    """Tell whether a sampled table keeps the games of a deal (`deal` is the game if not rotated).

    Plain arithmetic on integers: `sim.games.sampling` compiles it.
    """
    return every > 0 and deal % every == 0


def samples_before(every: int, each: int, game: int) -> int:
    """Return how many games numbered below `game` a sampled table keeps.

    `each` is how many games a deal has: the players if the cell is rotated, else 1. In a table
    that begins with game `first`, game `game` is the sampled game number
    `samples_before(every, each, game) - samples_before(every, each, first)`.
    """
    if every <= 0:
        return 0
    deal = game // each
    whole = -(-deal // every) * each
    return whole + (game - deal * each if deal % every == 0 else 0)


def sampled_games(every: int, each: int, first: int, games: int) -> int:
    """Return how many of the games first .. first+games-1 a sampled table keeps."""
    return samples_before(every, each, first + games) - samples_before(every, each, first)


def sampled_in(record: np.ndarray, games: int, first: int) -> int:
    """Return how many of a cell's games from the first one on a sampled table keeps."""
    s = record[0]
    each = int(s["players"]) if s["rotate"] else 1
    return sampled_games(int(s["every"]), each, first, games)


def flow_fields(seats: int, acts: int) -> list[tuple[Any, ...]]:
    """Return the fields that `sim.games.standings` needs in a game's record.

    At most so many seats, and kinds of act.
    """
    parts = PARTS + 1
    return [
        ("every", "i8"),
        ("act_kinds", "i8"),
        ("keeping", "i8"),
        ("moment", "i8"),
        ("moments", "i8"),
        ("next_part", "i8"),
        ("ahead", "i8"),
        ("lead_changes", "i8"),
        ("asked", "i8", seats),
        ("choices", "i8", seats),
        ("options", "i8", seats),
        ("log_options", "f8", seats),
        ("acts_by", "i8", (3, seats, acts)),
        ("kept_moment", "i8", parts),
        ("kept_points", "i8", (parts, seats)),
        ("kept_asked", "i8", (parts, seats)),
        ("kept_choices", "i8", (parts, seats)),
        ("kept_options", "i8", (parts, seats)),
        ("kept_log_options", "f8", (parts, seats)),
    ]


def script_fields(places: int) -> list[tuple[Any, ...]]:
    """Return the fields that `sim.games.scripting` needs in a game's record."""
    return [
        ("scripted", "i8"),
        ("seed", "u8"),
        ("deal", "i8"),
        ("decision", "i8"),
        ("script_n", "i8"),
        ("script", "i8", MOST_DECISIONS),
        ("made", "i8", MOST_DECISIONS),
        ("fork_at", "i8"),
        ("fork", "i8"),
        ("fork_game", "i8"),
        ("searches", "i8", places),
        ("watch_from", "i8"),
        ("watched_at", "i8"),
        ("watched_seat", "i8"),
        ("watched_n", "i8"),
        ("watched_code", "i8", MOST_WATCHED),
        ("watched_value", "f8", MOST_WATCHED),
    ]


def flow_tables(record: np.ndarray, games: int, first: int) -> dict[str, np.ndarray]:
    """Return empty tables `standings` and `acts` for a cell's games from the first one on."""
    s = record[0]
    seats = sampled_in(record, games, first) * int(s["players"])
    return {
        "standings": np.zeros(seats * (PARTS + 1), dtype_of(STANDING_COLUMNS)),
        "acts": np.zeros(seats * int(s["act_kinds"]), dtype_of(ACT_COLUMNS)),
    }


def _graded_leaves(
    tree: Any, key: str, grade: str, note: str
) -> Iterator[tuple[str, Any, str, str]]:
    """Yield (key, value, grade, note) of each number, graded by the innermost table that says."""
    if not isinstance(tree, Mapping):
        yield key, tree, grade, note
        return
    if isinstance(tree.get("source"), str):
        grade, note = tree["source"], str(tree.get("note", ""))
    for name, sub in tree.items():
        if name not in ("source", "note", "title") or isinstance(sub, Mapping):
            yield from _graded_leaves(sub, f"{key}.{name}", grade, note)


def whole_log(play: Callable[[np.ndarray], int]) -> np.ndarray:
    """Return the log that `play` writes, played again with room for all rows if need be."""
    log = np.full((FIRST_LOG_ROWS, 6), -1, np.int32)
    rows = play(log)
    if rows > len(log):
        log = np.full((rows, 6), -1, np.int32)
        play(log)
    return log[:rows]
