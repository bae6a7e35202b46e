"""Any game of a study, played again from its number alone and told, drawn or refereed."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.errors import SimError, listing, suggest
from sim.games.game import Game
from sim.plan import Cell, Plan, plan
from sim.progress import Progress
from sim.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEATS = "Seats are counted from 0 in told games: seat 0 is the 1st seat of reports."


@dataclass(frozen=True)
class Watched:
    """One game of a cell: `styles` names the style at each seat."""

    game: Game
    cell: Cell
    number: int
    styles: tuple[str, ...]
    setup: Any
    log: np.ndarray

    def title(self) -> str:
        """Return which game this is."""
        return (
            f"{self.game.title}, game {self.number} of cell {self.cell.index}: "
            f"{self.cell.players} players, {self.cell.lineup}, variant {self.cell.variant}"
        )

    def lines(self) -> Iterator[str]:
        """Tell the game move by move; the referee checks every act on the way."""
        return self.game.narrate(self.setup, self.log, self.styles)

    def picture(self, turn: int | None = None) -> "Figure":
        """Draw the table after a turn (the last one when None)."""
        return self.game.picture(self.setup, self.log, self.styles, turn)


def watch(
    study: Study,
    number: int = 0,
    *,
    cell: int | None = None,
    players: int | None = None,
    variant: str | None = None,
    lineup: str | None = None,
    progress: Progress | None = None,
) -> Watched:
    """Return game `number` of the first cell that fits; raise SimError when there is none."""
    planned = plan(study)
    chosen = choose_cell(planned, cell, players, variant, lineup)
    if not 0 <= number < chosen.games:
        raise SimError(
            f"game: found {number}; allowed: 0 to {chosen.games - 1} in cell {chosen.index}"
        )
    setup = planned.setup(chosen)
    if progress and not planned.game.compiled(logging=True):
        progress.say(
            f"Compiling {planned.game.title} for telling games, once; about 15 seconds ..."
        )
    log = planned.game.log(setup, study.seed, number)
    return Watched(planned.game, chosen, number, seated(chosen, number), setup, log)


def command_of(source: str, cell: int, game: int) -> str:
    """Return the command that tells a game; `source` is the study as it was named, or its file."""
    return f"sim watch {shlex.quote(source)} --cell {cell} --game {game}"


def seated(cell: Cell, number: int) -> tuple[str, ...]:
    """Return the style at each seat in a game of a cell."""
    shift = number % cell.players if cell.rotate else 0
    return (*cell.styles[shift:], *cell.styles[:shift])


def choose_cell(
    planned: Plan,
    cell: int | None,
    players: int | None,
    variant: str | None,
    lineup: str | None,
) -> Cell:
    """Return the first cell that fits what is asked for."""
    if cell is not None and not 0 <= cell < len(planned.cells):
        raise SimError(f"cell: found {cell}; allowed: 0 to {len(planned.cells) - 1}")
    fitting = planned.cells if cell is None else [planned.cells[cell]]
    for key, wanted in (("players", players), ("variant", variant), ("lineup", lineup)):
        if wanted is None:
            continue
        there = list(dict.fromkeys(str(getattr(c, key)) for c in fitting))
        fitting = [c for c in fitting if getattr(c, key) == wanted]
        if not fitting:
            more = f" and {len(there) - 12} more" if len(there) > 12 else ""
            raise SimError(
                f'{key}: found "{wanted}"; in this study: {listing(there[:12])}{more}.'
                f"{suggest(str(wanted), there)}"
            )
    return fitting[0]


def draw(told: Watched, path: Path, turn: int | None = None) -> None:
    """Write a picture of the table after a turn; the file's ending says its kind."""
    allowed = (".png", ".svg", ".pdf")
    if path.suffix.lower() not in allowed:
        raise SimError(f'picture: found "{path}"; allowed: a file ending in {listing(allowed)}')
    figure = told.picture(turn)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise SimError(f"{path}: cannot be written: {error.strerror}") from None
