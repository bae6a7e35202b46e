"""What a study plays: its cells, and the shards that each cell's games are stored in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim import games
from sim.games.game import Game
from sim.lineups import LineUp, line_ups
from sim.players import Style
from sim.study import MAX_GAMES, Study


@dataclass(frozen=True)
class Cell:
    """One combination of variant, player count and line-up; the unit of every comparison.

    `styles` are the places of the line-up: seats, or with `rotate` what is turned through them.
    `components` and `rulings` are complete; cells of one variant share them.
    """

    index: int
    players: int
    variant: str
    lineup: str
    styles: tuple[str, ...]
    rotate: bool
    games: int
    components: dict[str, Any]
    rulings: dict[str, Any]


@dataclass(frozen=True)
class Shard:
    """Games `first` .. `first + count - 1` of a cell, stored in one file."""

    cell_index: int
    number: int
    first: int
    count: int


@dataclass(frozen=True)
class Plan:
    """The cells of a study, in order."""

    game: Game
    study: Study
    cells: list[Cell]

    @property
    def total_games(self) -> int:
        """How many games all cells have together."""
        return sum(cell.games for cell in self.cells)

    def shards(self) -> Iterator[Shard]:
        """Yield the shards of every cell, cell by cell, by game number."""
        for cell in self.cells:
            yield from self.shards_of(cell)

    def shard_size(self, cell: Cell) -> int:
        """Return how many games of a cell a full shard holds; whole deals of a rotated cell."""
        size = self.game.shard_games
        return max(size // cell.players, 1) * cell.players if cell.rotate else size

    def with_games(self, games: Mapping[int, int]) -> "Plan":
        """Return the plan with fewer games in some cells, by their number."""
        cells = [
            replace(cell, games=min(games.get(cell.index, cell.games), cell.games))
            for cell in self.cells
        ]
        return replace(self, cells=cells)

    def shards_of(self, cell: Cell) -> Iterator[Shard]:
        """Yield the shards of a cell; all but the last are full.

        The size depends on the game and the players alone, so a plan with more games begins with
        the same full shards.
        """
        size = self.shard_size(cell)
        for number, first in enumerate(range(0, cell.games, size)):
            yield Shard(cell.index, number, first, min(size, cell.games - first))

    def styles_of(self, cell: Cell) -> list[Style]:
        """Return the styles of a cell by place, as its variant has them."""
        known = self.study.variants[cell.variant].styles
        return [known[name] for name in cell.styles]

    def setup(self, cell: Cell) -> Any:
        """Return the game's record of a cell, ready to be played."""
        sample = self.study.sample or 0.0
        styles = self.styles_of(cell)
        return self.game.setup(cell.components, cell.rulings, styles, cell.rotate, sample)

    def summary(self) -> str:
        """Return the size of the plan in a line."""
        study = self.study
        lineups = {cell.lineup for cell in self.cells}
        most = "at most " if study.until else ""
        return (
            f"{most}{self.total_games:,} games in {_counted(len(self.cells), 'cell')}: "
            f"{_counted(len(study.variants), 'variant')}, "
            f"{_counted(len(study.players), 'player count')}, "
            f"{_counted(len(lineups), 'line-up')}"
        )


def plan(study: Study) -> Plan:
    """Return what the study plays.

    Cells are numbered by variant, then players, then line-up (mirrored, fixed, round robin), each
    in the study's order: a report reads a variant like a chapter, from few players to many.
    """
    cells: list[Cell] = []
    for name, variant in study.variants.items():
        for players in study.players:
            for line_up in line_ups(study.lineups, players):
                cells.append(
                    Cell(
                        index=len(cells),
                        players=players,
                        variant=name,
                        lineup=line_up.label,
                        styles=line_up.styles,
                        rotate=line_up.rotate,
                        games=_games(study.games, line_up, players),
                        components=variant.components,
                        rulings=variant.rulings,
                    )
                )
    return Plan(games.get(study.game), study, cells)


def _games(games: int, line_up: LineUp, players: int) -> int:
    """Return the games of a cell; rotated, a whole number of turns through the seats."""
    if not line_up.rotate:
        return games
    rounded_up = -(-games // players) * players
    return rounded_up if rounded_up <= MAX_GAMES else MAX_GAMES // players * players


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
