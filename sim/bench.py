"""How fast a game is played here, against the recorded reference."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.games.data import read_toml
from sim.games.game import Game

REFERENCE = Path(__file__).parent / "reference.toml"
FIRST_GAMES = 200


@dataclass(frozen=True)
class Speed:
    """Games and decisions a second of one game, with every seat on one style."""

    game: str
    players: int
    style: str
    threads: int
    games_per_second: float
    decisions_per_second: float
    reference: float | None

    @property
    def ratio(self) -> float | None:
        """This machine against the reference; None where none is recorded."""
        return self.games_per_second / self.reference if self.reference else None


def speeds(game: Game, seconds: float, threads: int) -> Iterator[Speed]:
    """Yield speeds for random and greedy players at the fewest, middle and most players."""
    counts = game.player_counts
    styles = [name for name in ("random", "greedy") if name in game.styles()]
    for players in sorted({counts[0], counts[len(counts) // 2], counts[-1]}):
        for style in styles:
            for used in sorted({1, threads}):
                yield measure(game, players, style, seconds, used)


def measure(game: Game, players: int, style: str, seconds: float, threads: int) -> Speed:
    """Play for about so many seconds in each thread and return the speed."""
    setup = game.setup(
        game.default_components(),
        game.default_rulings(),
        [game.styles()[style]] * players,
        False,
    )
    count = _games_for(game, setup, seconds)
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        decisions = sum(
            pool.map(lambda i: _timed_play(game, setup, i * count, count)[1], range(threads))
        )
    spent = time.perf_counter() - start
    reference = read_toml(REFERENCE).get(game.name, {}).get(f"{style}_{players}")
    return Speed(
        game.name,
        players,
        style,
        threads,
        threads * count / spent,
        decisions / spent,
        reference if threads == 1 else None,
    )


def _games_for(game: Game, setup: Any, seconds: float) -> int:
    """Return how many games take about so many seconds."""
    count = FIRST_GAMES
    while True:
        spent = _timed_play(game, setup, 0, count)[0]
        if spent > seconds / 10:
            return max(1, int(count * seconds / spent))
        count *= 4


def _timed_play(game: Game, setup: Any, first: int, count: int) -> tuple[float, int]:
    """Return the seconds that so many games take, and how many decisions they have."""
    size = min(count, game.shard_games)
    tables = game.tables_for(setup, size)
    decisions = 0
    start = time.perf_counter()
    for done in range(0, count, size):
        played = min(size, count - done)
        game.play(setup, 1, first + done, played, tables, 0)
        decisions += int(tables["games"]["decisions"][:played].sum())
    return time.perf_counter() - start, decisions


def reference_note() -> str:
    """Return where and when the reference was measured."""
    return str(read_toml(REFERENCE)["note"])
