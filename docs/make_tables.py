"""Writes docs/tables.md from the columns that the code declares."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sim import games
from sim.games.data import FLOW_TABLES, GAME_COLUMNS, PARTS, SEAT_COLUMNS
from sim.games.game import Column, Game
from sim.games.kingmaking import COLUMNS as KINGMAKING_COLUMNS

HERE = Path(__file__).parent
TYPES = {
    "u1": "u8",
    "u2": "u16",
    "u4": "u32",
    "i1": "i8",
    "i2": "i16",
    "i4": "i32",
    "u8": "u64",
    "i8": "i64",
    "f4": "f32",
    "f8": "f64",
    "?": "bool",
}
HEAD = """# Tables of a run

Made from the code by `python docs/make_tables.py`.

A run is a folder, `reports/GAME/STUDY` unless you choose another:

| file | what it is |
|---|---|
| `manifest.json` | the study as resolved, rules, versions, machine, git revision, and every shard |
| `data/TABLE/CELL-SHARD.parquet` | the games: a shard holds a fixed range of one cell's games |
| `data/journal.jsonl` | while a run is being played: the shards finished so far |
| `report.html`, `summary.json`, `summary.md`, `figures/` | what `sim report` writes |
| `compare.html`, `compare.json`, `compare.md`, `figures/compare/` | what `sim compare` writes |

Of each shard the manifest knows its games and, for each table, rows, bytes and SHA-256.

A cell is one combination of variant, player count and line-up. `sim.open_run(folder).cells` lists
them; `run.scan("games")` gives a polars LazyFrame over all shards of a table, to be joined with
`run.cells` on `cell`. Seats, turns and games are counted from 0. In a rotated line-up of n styles,
games d n .. d n + n - 1 share deal d, and seat p of game g is played by place (p + g) mod n.

Every table begins with `cell` (u16). An "enum" holds names, the same set in every shard. A "key"
says which thing a row is about: there is no mean of it.
"""

FLOW = f"""
## `standings` and `acts`: how games go, of a sample of the games

Every game that comes with the toolkit keeps these two tables for the share of games that a study's
`sample` says. `standings` has a row for each game, seat and each of {PARTS + 1} moments, from the
start (part 0) to the end (part {PARTS}): after turn number part x turns / {PARTS}, rounded down.
`acts` has a row for each game, seat and kind of act.
"""

KINGMAKING = """
## `kingmaking`: whether losers decide who wins, of a sample of decisions

In a study with the key `kingmaking`, of games with three players or more: a row for each decision
that was looked at ([metrics](metrics.md#kingmaking)).
"""


def rows(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the lines of a table of columns."""
    yield "| column | type | meaning |"
    yield "|---|---|---|"
    for column in columns:
        kind = "enum" if column.coded else TYPES[column.dtype]
        kind += ", key" * column.key
        yield f"| `{column.name}` | {kind} | {column.doc} |"


def kept(game: Game, table: str) -> str:
    """Return which games a long table tells of."""
    if table in game.sampled_tables:
        return "of a sample of the games (the study's `sample`)"
    if any(column.name == "game" for column in game.long_tables[table]):
        return "of every game"
    return "summed over the games of a shard"


def page() -> str:
    """Return the text of docs/tables.md."""
    parts = [HEAD, "## `games`: a row a game\n", *rows(GAME_COLUMNS)]
    parts += ["\n## `seats`: a row for each game and seat\n", *rows(SEAT_COLUMNS)]
    parts += [FLOW, "`standings`:\n", *rows(FLOW_TABLES["standings"])]
    parts += ["\n`acts`:\n", *rows(FLOW_TABLES["acts"])]
    parts += [KINGMAKING, *rows(KINGMAKING_COLUMNS)]
    for name in games.names():
        game = games.get(name)
        if not type(game).__module__.startswith("sim.games."):
            continue
        parts += [f"\n## {game.title}\n", "Added to `games`:\n", *rows(game.game_columns)]
        parts += ["\nAdded to `seats`:\n", *rows(game.seat_columns)]
        scored = [f"`{column.name}`" for column in game.seat_columns if column.score_part]
        if scored:
            parts.append(f"\n`score` is the sum of {', '.join(scored)}.")
        for table, columns in game.long_tables.items():
            if table in FLOW_TABLES:
                continue
            parts += [f"\n`{table}`, {kept(game, table)}:\n", *rows(columns)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    (HERE / "tables.md").write_text(page(), encoding="utf-8")
