"""Street Art in C++ (`street_art.cpp`): built, fed with a cell, its games read or timed.

`python -m benchmarks.peer` prints the kernel's speed as a ratio to the C++ program's, in
alternating short runs on one core. With `--two` it prints how two threads of the kernel scale
beside how two processes of the C++ program do: what the second lose, the machine takes.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from sim.games import get
from sim.games.game import Tables
from sim.games.street_art.components import Setup
from sim.players import Style

SOURCE = Path(__file__).with_name("street_art.cpp")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=off")
NUMBERS = ("players", "rotate", "kinds")
"""Read first: they say how many values the others have."""
BY_KIND = ("copies", "hearts_of", "is_best_star")
SWITCHES = (
    "hand_size",
    "hearts_at_start",
    "shortfall_from_middle",
    "brass_in_addition",
    "keep_tops",
    "finish_round",
    "turn_cap",
)


def compiler() -> str | None:
    """Return the path of g++, or None where there is none."""
    return shutil.which("g++")


def build(folder: Path) -> Path:
    """Compile the program into a folder and return its path."""
    program = folder / "street_art"
    subprocess.run([compiler() or "g++", *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    return program


def cell_text(setup: Setup, seed: int) -> str:
    """Return a cell as the program's input: a name and its numbers a line."""
    s = setup.record[0]
    players, kinds = int(s["players"]), int(s["kinds"])
    values: dict[str, Any] = {name: s[name] for name in NUMBERS}
    values |= {name: s[name][:kinds] for name in BY_KIND}
    values |= {name: s[name] for name in SWITCHES}
    values |= {
        "weights": s["weights"][:players],
        "temperature": s["temperature"][:players],
        "forbids": s["forbids"][:players, :kinds],
    }
    lines = [f"seed {seed}"]
    for name, value in values.items():
        lines.append(" ".join([name, *(repr(float(x)) for x in np.ravel(value))]))
    return "\n".join(lines) + "\n"


class Peer:
    """The C++ program with one cell loaded; close it when done."""

    def __init__(self, program: Path, setup: Setup, seed: int) -> None:
        self.setup = setup
        self.process = subprocess.Popen(
            [str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._send(cell_text(setup, seed))

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def _send(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()

    def seconds(self, first: int, count: int, *, tables: bool = True) -> float:
        """Return the seconds of processor time it took; without tables it only keeps scores."""
        self._send(f"{'time' if tables else 'lean'} {first} {count}\n")
        return float(self._line().split()[0])

    def tables(self, first: int, count: int) -> Tables:
        """Return the tables of the games first .. first+count-1."""
        self._send(f"print {first} {count}\n")
        tables = get("street_art").tables_for(self.setup, count)
        assert self.process.stdout
        for table in filter(len, tables.values()):  # nothing is sampled
            lines = islice(self.process.stdout, len(table))
            columns = np.loadtxt(lines, ndmin=2, unpack=True)
            for name, column in zip(table.dtype.names or (), columns, strict=True):
                table[name] = column
        return tables


def kernel_seconds(setup: Setup, seed: int, first: int, tables: Tables) -> float:
    """Return the seconds of processor time that compiled Python takes to fill the tables."""
    game = get("street_art")
    start = time.thread_time()
    game.play(setup, seed, first, len(tables["games"]), tables, 0)
    return time.thread_time() - start


def speed_ratios(
    program: Path, styles: Sequence[Style], games: int, runs: int, *, tables: bool = True
) -> list[tuple[float, float]]:
    """Return (C++ games/s, kernel games/s) of short runs that take turns on one core."""
    game = get("street_art")
    setup = game.setup(game.default_components(), game.default_rulings(), styles, False)
    room = game.tables_for(setup, games)
    kernel_seconds(setup, 1, 0, room)
    found = []
    with Peer(program, setup, 1) as peer:
        for run in range(runs):
            first = run * games
            theirs = peer.seconds(first, games, tables=tables)
            ours = kernel_seconds(setup, 1, first, room)
            found.append((games / theirs, games / ours))
    return found


def two_at_once(program: Path, style: Style, games: int, runs: int) -> list[tuple[float, float]]:
    """Return (C++, kernel): the speed of two at once over that of one, by processor time."""
    game = get("street_art")
    setup = game.setup(game.default_components(), game.default_rulings(), [style] * 4, False)
    rooms = [game.tables_for(setup, games) for _ in range(2)]
    kernel_seconds(setup, 1, 0, rooms[0])
    with Peer(program, setup, 1) as one, Peer(program, setup, 1) as two:
        cpp = [partial(peer.seconds, 0, games) for peer in (one, two)]
        kernel = [partial(kernel_seconds, setup, 1, 0, room) for room in rooms]
        return [(_scaling(cpp), _scaling(kernel)) for _ in range(runs)]


def _scaling(pair: Sequence[Callable[[], float]]) -> float:
    alone = [work() for work in pair]
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(lambda work: work(), pair))
    return 2 * sum(alone) / sum(together)


def print_ratios(program: Path, options: argparse.Namespace) -> None:
    """Print the kernel's speed against the C++ program's."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    shipped = get("street_art").styles()
    print("style         players   C++ games/s   kernel games/s   ratio (median; quartiles)")
    for style, players in product(options.styles, options.players):
        line_up = [shipped[style]] * players
        pairs = speed_ratios(program, line_up, options.games, options.runs, tables=not options.lean)
        theirs, ours = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = _spread([ours / theirs for theirs, ours in pairs])
        print(f"{style:13} {players:7} {theirs:13,.0f} {ours:16,.0f}   {ratio}")


def print_scaling(program: Path, options: argparse.Namespace) -> None:
    """Print how two threads of the kernel and two processes of the C++ program scale."""
    style = get("street_art").styles()[options.styles[0]]
    pairs = two_at_once(program, style, options.games, options.runs)
    theirs, ours = zip(*pairs, strict=True)
    print("two against one, by processor time (median; quartiles)")
    print(f"C++ processes    {_spread(theirs)}")
    print(f"kernel threads   {_spread(ours)}")


def _spread(ratios: Sequence[float]) -> str:
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description="The kernel against the same game in C++.")
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--styles", nargs="+", default=["greedy", "random"])
    parser.add_argument("--games", type=int, default=10_000, help="games in a run")
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--lean", action="store_true", help="C++ that only keeps scores")
    parser.add_argument("--two", action="store_true", help="two threads against one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (print_scaling if options.two else print_ratios)(build(Path(folder)), options)


if __name__ == "__main__":
    main()
