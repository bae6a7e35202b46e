"""Confirms a style that was found: on fresh luck, against its start and every style of a field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.games.game import Game
from sim.metrics.tidy import POOLED, SCHEMA
from sim.players import Style
from sim.progress import Progress
from sim.study import Variant
from sim.tuning.seats import WIN, Deals, Player, Task, play, seed_of, tables_of

WINS, RIVAL, GAIN = "tuned.win", "tuned.rival", "tuned.gain"
Row = tuple[Any, ...]


class Confirmation:
    """A style on luck that no search has met, one number of players at a time.

    Rows in the tidy shape, of a variant, line-up `all`:

    - `tuned.win` ("style X"): win share of one tuned player among players of X, less a fair share;
    - `tuned.rival` ("style X"): win share of one player of X among tuned ones, less a fair share;
    - `tuned.gain` (`all`): what the tuned style wins more than its start, in the same seats, among
      the same styles of the field, on the same deals.

    n counts games.
    """

    def __init__(
        self,
        game: Game,
        variant: tuple[str, Variant],
        start: Style,
        tuned: Style,
        field: Mapping[str, Style],
        games: int,
        seed: int,
    ) -> None:
        self.game, self.variant_name = game, variant[0]
        self.player = Player(game, variant[1])
        self.start, self.tuned, self.field = start, tuned, field
        self.games, self.seed = games, seed

    @property
    def rivals(self) -> dict[str, Style]:
        """The start and the styles of the field."""
        return {self.start.name: self.start, **self.field}

    def tasks(self, players: int) -> list[Task]:
        """Return all that is played with so many players."""
        deals = max(self.games // players, 2)
        tasks = []
        for name, rival in self.rivals.items():
            for kind, who, rest in ((WINS, self.tuned, rival), (RIVAL, rival, self.tuned)):
                if kind == RIVAL and players == 2:
                    continue  # what one wins the other does not
                seed = seed_of(self.seed, "confirm", players, name, kind)
                alike = [rest] * (players - 1)
                tasks.append(self.player.task((kind, name), who, alike, seed, deals))
        tables = tables_of(list(self.field), [players])
        each = max(self.games // (len(tables) * players), 2)
        for at, table in enumerate(tables):
            others = [self.field[name] for name in table.others]
            seed = seed_of(self.seed, "gain", players, at)
            for side, who in (("own", self.tuned), ("base", self.start)):
                tasks.append(self.player.task((GAIN, side, at), who, others, seed, each))
        return tasks

    def play(self, players: int, jobs: int | None, progress: Progress) -> list[Row]:
        """Return the rows of a number of players."""
        tasks = self.tasks(players)
        title = f"Confirming {self.tuned.name}, {players} players"
        with progress.playing(title, sum(task.games for task in tasks)):
            found = play(self.game, tasks, jobs, progress.advance)
        return list(self._rows(players, found))

    def _rows(self, players: int, found: Mapping[Any, Deals]) -> Iterator[Row]:
        keys = (None, players, self.variant_name, POOLED)
        for name in self.rivals:
            for kind in (WINS, RIVAL):
                if (kind, name) in found:
                    wins = found[kind, name][:, WIN]
                    yield (*keys, kind, f"style {name}", *above_fair(wins, players))
        tables = sorted(key[2] for key in found if key[:2] == (GAIN, "own"))
        gaps = [found[GAIN, "own", at][:, WIN] - found[GAIN, "base", at][:, WIN] for at in tables]
        yield (*keys, GAIN, "all", *mean_of_tables(gaps, players))


def above_fair(
    wins: np.ndarray, players: int
) -> tuple[float, float | None, float | None, int, str]:
    """Return a win share less a fair one: estimate, bounds, games, method; by deal."""
    wins = wins[np.isfinite(wins)]
    if not len(wins):
        return 0.0, None, None, 0, "none"
    n, share = len(wins), float(wins.mean())
    variance = float(wins.var(ddof=1)) / n if n > 1 else np.nan
    found = inference.share_interval(share, variance, n * players, n, False, True)
    bounds = (number(float(bound) - 1 / players) for bound in (found.low, found.high))
    low, high = bounds
    return share - 1 / players, low, high, n * players, str(found.method)


def mean_of_tables(
    gaps: Sequence[np.ndarray], players: int
) -> tuple[float, float | None, float | None, int, str]:
    """Return the mean over tables of differences by deal, tables counting alike."""
    known = [gap[np.isfinite(gap)] for gap in gaps]
    known = [gap for gap in known if len(gap) > 1]
    if not known:
        return 0.0, None, None, 0, "none"
    mean = float(np.mean([gap.mean() for gap in known]))
    variance = float(sum(gap.var(ddof=1) / len(gap) for gap in known)) / len(known) ** 2
    deals = sum(map(len, known))
    found = inference.mean_interval(mean, variance, deals - len(known) + 1, True)
    low, high = number(float(found.low)), number(float(found.high))
    return mean, low, high, deals * players, f"paired {found.method}"


def number(value: float) -> float | None:
    """Return a number, or None for one that is not known."""
    return None if np.isnan(value) else value


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    """Return rows in the tidy shape."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")
