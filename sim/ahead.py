"""Compiles games in a process of its own, while games that are compiled already are played."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

FEWEST_CORES = 2


@dataclass
class Ahead:
    """A process that compiles some games one after another and names each that is done."""

    process: subprocess.Popen[str]
    missing: list[str]

    def wait_for(self, game: str) -> None:
        """Wait until a game is compiled, if it is being compiled or will be."""
        while game in self.missing:
            line = self.process.stdout.readline() if self.process.stdout else ""
            # a process that ended early: whoever needs the game compiles it
            self.missing = [name for name in self.missing if line and name != line.strip()]


@contextmanager
def compiling(wanted: Iterable[str]) -> Iterator[Ahead | None]:
    """Compile games ahead, but for the first, which is needed at once; None if that is no help."""
    from sim import games

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    names = [name for name in list(dict.fromkeys(wanted))[1:] if not games.get(name).compiled()]
    if not names or (cores or 1) < FEWEST_CORES:
        yield None
        return
    command = [sys.executable, "-m", "sim.ahead", *names]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield Ahead(process, names)
        finally:
            process.terminate()


def main(names: Iterable[str]) -> None:
    """Compile games and print the name of each when it is done."""
    from sim import games
    from sim.progress import silent
    from sim.simulate import make_ready

    for name in names:
        make_ready(games.get(name), silent())
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
