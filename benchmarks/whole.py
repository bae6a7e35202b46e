"""What a whole study costs beside its playing: threads, writing, aggregating, memory.

`python -m benchmarks.whole` plays Street Art with four greedy players and prints ratios;
`--games 10000000 --only memory` is the long one.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

import sim
from sim.games import get
from sim.study import Study, from_dict

PLAYERS = 4
STYLE = "greedy"


def seconds(work: Callable[[], Any]) -> float:
    """Return the wall time of a piece of work."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def play(first: int, count: int) -> None:
    """Play games into tables that are thrown away."""
    game = get("street_art")
    setup = game.setup(
        game.default_components(), game.default_rulings(), [game.styles()[STYLE]] * PLAYERS, False
    )
    for start in range(first, first + count, game.shard_games):
        games = min(game.shard_games, first + count - start)
        game.play(setup, 1, start, games, game.tables_for(setup, games), 0)


def two_threads(count: int) -> tuple[float, float]:
    """Return how many times as fast two threads play as one, each with `count` games.

    By the clock, and by the processor time that each thread needs for its games: the second is
    what the clock would show if nothing else ran on the machine.
    """

    def used(first: int) -> float:
        start = time.thread_time()
        play(first, count)
        return time.thread_time() - start

    alone: list[float] = []
    one = seconds(lambda: alone.append(used(0)))
    shared: list[float] = []
    with ThreadPoolExecutor(2) as pool:
        both = seconds(lambda: shared.extend(pool.map(used, (0, count))))
    return 2 * one / both, 2 * alone[0] / statistics.mean(shared)


def study(games: int) -> Study:
    """Return a study of one cell."""
    return from_dict(
        {
            "game": "street_art",
            "players": PLAYERS,
            "games": games,
            "lineups": {"mirror": [STYLE]},
        }
    )


def store_and_aggregate(games: int) -> tuple[float, float]:
    """Return writing and then aggregating, on one core, as shares of the playing alone."""
    from sim import metrics

    alone = seconds(lambda: play(0, games))
    with tempfile.TemporaryDirectory() as folder:
        runs: list[Any] = []
        stored = seconds(lambda: runs.append(sim.run(study(games), Path(folder) / "run", jobs=1)))
        aggregated = seconds(lambda: metrics.all_metrics(runs[0]))
    return stored / alone - 1, aggregated / alone


def peak_memory(games: int) -> tuple[float, float]:
    """Return the peak resident MB after a run on two cores, and after its metrics."""
    from sim import metrics

    process = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        run = sim.run(study(games), Path(folder) / "run", jobs=2)
        played = _peak(process)
        metrics.all_metrics(run)
        return played, _peak(process)


def _peak(process: psutil.Process) -> float:
    import resource

    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(kilobytes / 1024, process.memory_info().rss / 2**20)


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("threads", "store", "memory"))
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    play(0, 1000)
    if asked.only in (None, "threads"):
        ratios = [two_threads(asked.games // 4) for _ in range(asked.repeats)]
        clock, processor = zip(*ratios, strict=True)
        print(f"two threads against one: by the clock {statistics.median(clock):.2f}", end=" ")
        print(f"(best {max(clock):.2f}), by processor time {statistics.median(processor):.2f}")
    if asked.only in (None, "store"):
        parts = [store_and_aggregate(asked.games) for _ in range(asked.repeats)]
        store, aggregate = (statistics.median(column) for column in zip(*parts, strict=True))
        print(f"{asked.games:,} games; playing alone 1, writing +{store:.2f}, ", end="")
        print(f"all metrics +{aggregate:.2f}: together {1 + store + aggregate:.2f}")
    if asked.only in (None, "memory"):
        played, aggregated = peak_memory(asked.games)
        print(f"{asked.games:,} games: peak {played:,.0f} MB playing, {aggregated:,.0f} MB in all")


if __name__ == "__main__":
    main()
