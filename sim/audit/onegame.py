"""What is wrong with the stored rows of one game: by the referee, played again, by themselves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim import store
from sim import words as say
from sim.audit import recounts
from sim.games.game import Game, Replay, RuleBroken
from sim.plan import Cell
from sim.watch import seated

REFEREE, AGAIN, RULES = "the referee", "played again", "the other columns"
LINEUP, FILE = "the line-up", "the manifest"
"""Who says otherwise than the run."""
ACT, ROWS, CONTENT = "act", "rows", "file"
"""In place of a column: a broken rule, a wrong number of rows, a file that was changed."""
KEYS = ("position", "element", "card", "place", "town", "square", "tag", "round", "purchase")
"""What may tell the rows of a game's table apart, beside seats."""

Row = Mapping[str, Any]
Rows = Sequence[Row]
Stored = Mapping[str, Rows]
"""The rows of a game by table; codes are names."""


@dataclass(frozen=True)
class Fault:
    """Something that a run says and that is not so; `game` is None for a whole file."""

    cell: int
    game: int | None
    table: str
    row: str
    column: str
    run: str
    due: str
    who: str


@dataclass(frozen=True)
class Setting:
    """A cell ready to be played, what is needed to compare its games, and what was compared."""

    game: Game
    cell: Cell
    setup: Any
    seed: int
    labels: store.Labels
    tables: tuple[str, ...]
    """Tables with rows for each game."""
    recounts: Mapping[str, Callable[[Replay], Rows]]
    counted: set[tuple[str, str]]
    """Columns that the referee's replay gave."""


def faults_of(setting: Setting, number: int, stored: Stored) -> list[Fault]:
    """Return what is wrong with a game, each column once: the referee's word goes first."""
    found: dict[tuple[str, str, str], Fault] = {}
    for look in (_refereed, _consistent, _again):
        for fault in look(setting, number, stored):
            found.setdefault((fault.table, fault.row, fault.column), fault)
    return list(found.values())


def _fault(
    setting: Setting, number: int, table: str, row: str, column: str, run: Any, due: Any, who: str
) -> Fault:
    said, wanted = (" ".join(str(_plain(value)).split()) for value in (run, due))
    return Fault(setting.cell.index, number, table, row, column, said, wanted, who)


def _plain(value: Any) -> Any:
    return "nothing" if value is None else value


# The referee


def _refereed(setting: Setting, number: int, stored: Stored) -> Iterator[Fault]:
    """Yield what the referee finds: an act against the rules, or columns that differ."""
    try:
        log = setting.game.log(setting.setup, setting.seed, number)
        replay = setting.game.replay(setting.setup, log)
    except RuleBroken as error:
        yield _fault(setting, number, "games", "", ACT, "as played", error, REFEREE)
        return
    except Exception as error:  # a log that makes no sense may break the referee anyhow
        yield _fault(setting, number, "games", "", ACT, "as played", _senseless(error), REFEREE)
        return
    for table, count in setting.recounts.items():
        if table not in stored or not (stored[table] or table in ("games", "seats")):
            continue  # a sampled table without this game
        try:
            due = count(replay)
        except Exception as error:
            yield _fault(setting, number, table, "", ROWS, "rows", _senseless(error), REFEREE)
            continue
        setting.counted.update((table, column) for row in due for column in row)
        yield from _compared(setting, number, table, stored[table], due, REFEREE)


def _senseless(error: Exception) -> str:
    return f"makes no sense of the game ({type(error).__name__}: {error})"


def _compared(
    setting: Setting, number: int, table: str, rows: Rows, due: Rows, who: str
) -> Iterator[Fault]:
    """Yield the columns that differ between stored rows and those that are due."""
    if len(rows) != len(due):
        yield _fault(setting, number, table, "", ROWS, len(rows), len(due), who)
        return
    for at, (row, expected) in enumerate(zip(rows, due, strict=True)):
        for column, value in expected.items():
            if column not in row:
                yield _fault(setting, number, table, "", column, "no such column", value, who)
            elif not recounts.agree(row[column], value):
                name = row_name(row, at) if len(rows) > 1 else ""
                wanted = recounts.told(value)
                yield _fault(setting, number, table, name, column, row[column], wanted, who)


def row_name(row: Row, at: int) -> str:
    """Return which row of a game's table this is: "2nd seat, round 3"."""
    keys = [f"{key} {row[key]}" for key in KEYS if key in row]
    seat = [f"{say.ordinal(row['seat'] + 1)} seat"] if "seat" in row else []
    return ", ".join([*seat, *keys[:2]]) or f"row {at + 1}"


# What holds for every game


def _consistent(setting: Setting, number: int, stored: Stored) -> Iterator[Fault]:
    """Yield where rows of games and seats contradict each other, or any rows the line-up.

    Of columns that no replay gives: it would know which of two is wrong.
    """
    styles = seated(setting.cell, number)
    for table, rows in stored.items():
        if rows and "seat" in rows[0] and "style" in rows[0]:
            setting.counted.add((table, "style"))
            wanted = [{"style": _style(styles, row["seat"])} for row in rows]
            yield from _compared(setting, number, table, rows, wanted, LINEUP)
    games, seats = stored.get("games", ()), stored.get("seats", ())
    players = setting.cell.players
    for table, count in (("games", 1), ("seats", players)):
        if table in stored and len(stored[table]) != count:
            yield _fault(setting, number, table, "", ROWS, len(stored[table]), count, RULES)
    if len(games) != 1 or len(seats) != players:
        return
    due_game, due_seats = _due(setting, number, games[0], seats)
    for table, rows, due in (("games", games, [due_game]), ("seats", seats, due_seats)):
        left = [
            {column: row[column] for column in row if (table, column) not in setting.counted}
            for row in due
        ]
        yield from _compared(setting, number, table, rows, left, RULES)


def _style(styles: Sequence[str], seat: int) -> str:
    """Return the style at a seat; a table that names another seat is told of by its number."""
    return styles[seat] if seat < len(styles) else "no such seat"


def _due(setting: Setting, number: int, game: Row, seats: Rows) -> tuple[Row, Rows]:
    """Return what a game's rows must hold, given its scores, ranks and whether it was cut off."""
    cut = game["truncated"]
    parts = [column.name for column in setting.game.seat_columns if column.score_part]
    winners = [seat for seat in seats if seat["rank"] == 1]
    scores = sorted((seat["score"] for seat in seats), reverse=True)
    tied = len(winners) > 1 and not cut
    due_game = {"players": len(seats), "tied": tied}
    if not cut:
        due_game["margin"] = 0 if tied or len(seats) == 1 else scores[0] - scores[1]
    due_seats = []
    for place, seat in enumerate(seats):
        due: dict[str, Any] = {"seat": place, "truncated": cut}
        if parts:
            due["score"] = sum(seat[part] for part in parts)
        better = {other["rank"] for other in seats if other["score"] < seat["score"]}
        if cut:
            due |= {"rank": 0, "win_share": None}
        elif not winners or seat["rank"] not in range(1, len(seats) + 1):
            due["rank"] = "a rank from 1"
        elif better and min(better) < seat["rank"]:
            due["rank"] = f"{min(better)} or better: a lower score has that"
        else:
            due["win_share"] = 1 / len(winners) if seat["rank"] == 1 else 0.0
        due_seats.append(due)
    return due_game, due_seats


# Played again


def _again(setting: Setting, number: int, stored: Stored) -> Iterator[Fault]:
    """Yield every column of every table that is not what playing the game again writes."""
    game, cell = setting.game, setting.cell
    try:
        tables = game.tables_for(setting.setup, 1, number)
        game.play(setting.setup, setting.seed, number, 1, tables, 0)
        names = {"style": cell.styles, **game.labels(setting.setup)}
        frames = {
            table: store.frame(tables[table], cell.index, setting.labels, names)
            for table in setting.tables
            if table in stored and table in tables
        }
    except Exception as error:
        yield _fault(setting, number, "games", "", ACT, "as played", _senseless(error), AGAIN)
        return
    for table, frame in frames.items():
        yield from _compared(setting, number, table, stored[table], frame.to_dicts(), AGAIN)
