"""Street Art in C++ (`street_art.cpp`): built, fed with a cell, its games read or timed.

`python -m benchmarks.peer` prints the kernel's speed as a ratio to the C++ program's, in
alternating short runs on one core.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
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
        for table in tables.values():
            lines = islice(self.process.stdout, len(table))
            columns = np.loadtxt(lines, ndmin=2, unpack=True)
            for name, column in zip(table.dtype.names or (), columns, strict=True):
                table[name] = column
        return tables


def kernel_seconds(setup: Setup, seed: int, first: int, tables: Tables) -> float:
    """Return the seconds of processor time that compiled Python takes to fill the tables."""
    game = get("street_art")
    start = time.process_time()
    game.play(setup, seed, first, len(tables["games"]), tables, 0)
    return time.process_time() - start


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


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description="The kernel against the same game in C++.")
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--styles", nargs="+", default=["greedy", "random"])
    parser.add_argument("--games", type=int, default=10_000, help="games in a run")
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--lean", action="store_true", help="C++ that only keeps scores")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    shipped = get("street_art").styles()
    print("style         players   C++ games/s   kernel games/s   ratio (median; quartiles)")
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for style in options.styles:
            for players in options.players:
                pairs = speed_ratios(
                    program,
                    [shipped[style]] * players,
                    options.games,
                    options.runs,
                    tables=not options.lean,
                )
                ratios = [ours / theirs for theirs, ours in pairs]
                theirs, ours = (statistics.median(side) for side in zip(*pairs, strict=True))
                low, middle, high = statistics.quantiles(ratios, n=4)
                print(
                    f"{style:13} {players:7} {theirs:13,.0f} {ours:16,.0f}"
                    f"   {middle:.3f} ({low:.3f} to {high:.3f})"
                )


if __name__ == "__main__":
    main()
