"""Games of a run that are worth a look: typical ones and the extremes, told move by move."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from sim import words as say
from sim.games.game import RuleBroken
from sim.plan import Cell
from sim.plots import Picture
from sim.simulate import changed_since
from sim.watch import Watched, command_of, watch
from sim.words import Words

MOST_LINES = 1500
EXTREMES = (
    ("The longest", "turns", "{:,} turns"),
    ("The most one-sided", "margin", "won by {:,}"),
    ("The most changes of lead", "lead_changes", "{:,} changes of lead"),
)


@dataclass(frozen=True)
class Told:
    """A game and how it went: lines as `sim watch` tells them, by the same command."""

    title: str
    command: str
    lines: list[str]
    played: Watched


def games(run: Any, words: Words) -> list[Told]:
    """Return a typical game of each number of players, and the extremes of the middle one.

    They are looked for in the first shard of the first line-up of each. A run whose rules are
    not those of today has none: they would be other games.
    """
    if changed_since(run, run.study):
        return []
    cells = {cell.players: cell for cell in reversed(run.plan.cells)}
    counts = sorted(cells)
    chosen: dict[tuple[int, int], str] = {}
    for players in counts:
        found = _of_cell(run, cells[players])
        kinds = [_typical(found)] if found.height else []
        if found.height and players == counts[len(counts) // 2]:
            kinds += _extremes(found)
        for title, game in kinds:
            chosen.setdefault((players, game), f"{title} with {say.players(players)}")
    return [_told(run, cells[key[0]], key[1], title, words) for key, title in chosen.items()]


def picture(told: Told) -> Picture:
    """Return the table as it lay at the end of a game."""
    seats = ", ".join(told.played.styles)
    alt = f"The table at the end of a game of {told.played.game.title}; seat by seat: {seats}"
    return Picture("table", f"{told.title}: the end", alt, told.played.picture())


def _of_cell(run: Any, cell: Cell) -> pl.DataFrame:
    """Return the first games of a cell that ended by rule."""
    columns = ("game", "turns", "margin", "lead_changes")
    first = next(shard for shard in run.shards if shard.cell == cell.index)
    found = run.scan("games").filter(
        pl.col("cell") == cell.index,
        pl.col("game") < first.first + first.count,
        ~pl.col("truncated"),
    )
    return found.select(*columns).collect()


def _typical(found: pl.DataFrame) -> tuple[str, int]:
    """Return the game nearest to the medians, in the measure of each column's spread."""
    off = pl.lit(0.0)
    for name in ("turns", "margin", "lead_changes"):
        values = found[name].cast(pl.Float64)
        spread = float(values.std() or 0.0) or 1.0
        off = off + (pl.col(name).cast(pl.Float64) - values.median()).abs() / spread
    return "A typical game", int(found.sort(off, "game")["game"][0])


def _extremes(found: pl.DataFrame) -> Iterator[tuple[str, int]]:
    for title, column, words in EXTREMES:
        best = found.sort(column, "game", descending=[True, False]).row(0, named=True)
        if best[column] > found[column].min():
            yield f"{title} ({words.format(best[column])})", int(best["game"])


def _told(run: Any, cell: Cell, game: int, title: str, words: Words) -> Told:
    played = watch(run.study, game, cell=cell.index)
    lines = []
    try:
        for line in played.lines():
            lines.append(line)
            if len(lines) == MOST_LINES:
                lines.append("The game goes on; the command above tells all of it.")
                break
    except RuleBroken as error:
        lines.append(f"The referee stops the game here: {error}.")
    name = words.series(cell.variant, cell.lineup)
    command = command_of(run.study.source, cell.index, game)
    return Told(f"{title}{f', {name}' if name else ''}", command, lines, played)
