"""At which tables of a study changes are tried: a variant, line-ups, how many games of each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sim.budgets import matches, names
from sim.errors import SimError, suggest
from sim.games.game import Game
from sim.metrics.tidy import POOLED
from sim.plan import Cell, plan
from sim.study import MAX_GAMES, Study

PLAY = (2_000, 20_000)
"""Fewest and most games that are played of each change at a table, unless somebody says so."""
SECONDS = 2
"""So many full shards, each a second or less of play, if that is between the two."""
DEALS = 100
"""Every cell of a round robin has at least so many deals: its pool has no more clusters."""


@dataclass(frozen=True)
class Table:
    """A cell outside round robins, or the pool of those: what a row of a metric is about."""

    players: int
    lineup: str
    cells: tuple[Cell, ...]

    @property
    def is_mixed(self) -> bool:
        """Whether several styles meet."""
        return len({style for cell in self.cells for style in cell.styles}) > 1


def default_play(game: Game) -> int:
    """Return how many games of each change are played at a table."""
    return min(max(SECONDS * game.shard_games, PLAY[0]), PLAY[1])


def variant_of(study: Study, wanted: str | None) -> str:
    """Return the variant that is changed: the first, or the one that is named."""
    known = list(study.variants)
    if wanted is None:
        return known[0]
    if wanted not in known:
        raise SimError(
            f'variant: found "{wanted}"; in this study: {names(known)}.{suggest(wanted, known)}'
        )
    return wanted


def every_table(study: Study, variant: str) -> list[Table]:
    """Return the tables of a variant: by players, cells of equals, fixed ones, the pool last."""
    found: list[Table] = []
    cells = [cell for cell in plan(study).cells if cell.variant == variant]
    for players in study.players:
        own = [cell for cell in cells if cell.players == players]
        found += [Table(players, cell.lineup, (cell,)) for cell in own if not cell.rotate]
        pool = tuple(cell for cell in own if cell.rotate)
        found += [Table(players, POOLED, pool)] if pool else []
    return found


def chosen(study: Study, variant: str, lineup: str | None) -> list[Table]:
    """Return the tables at which changes are tried.

    Those of a line-up by its label, in which * stands for any characters; by default the first of
    one style and the first where several meet, for each number of players.
    """
    known = every_table(study, variant)
    if lineup is None:
        return [table for table in known if _is_first(table, known)]
    labels = list(dict.fromkeys(table.lineup for table in known))
    patterns = [lineup, f"all {lineup}"]
    found = [table for table in known if any(matches(each, table.lineup) for each in patterns)]
    if not found:
        raise SimError(
            f'lineup: found "{lineup}"; in this study: {names(labels)}.{suggest(lineup, labels)}'
        )
    return found


def _is_first(table: Table, known: Iterable[Table]) -> bool:
    alike = (
        each for each in known if each.players == table.players and each.is_mixed == table.is_mixed
    )
    return next(alike) is table


def sized(table: Table, play: int) -> Table:
    """Return the table with so many games of each change; cells of a pool share them."""
    games = play
    if table.lineup == POOLED:
        deals = max(-(-play // len(table.cells)) // table.players, DEALS)
        games = deals * table.players
    games = min(games, MAX_GAMES // table.players * table.players)
    cells = tuple(replace(cell, games=games) for cell in table.cells)
    return replace(table, cells=cells)
