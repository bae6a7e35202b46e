"""A game's own package, known to the processes of a test as if it were installed."""

import os
import subprocess
import sys
from pathlib import Path

import sim

ROOT = Path(sim.__file__).parent.parent


def install(folder, name, target):
    """Make a folder, once it is on the path, offer a game in the entry-point group."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[sim.games]\n{name} = {target}\n")
    return folder


class Plugged:
    """Runs commands in which the game in `folder` is registered; `site` gets the entry point."""

    def __init__(self, folder, site):
        self.folder = folder
        install(site, folder.name, f"{folder.name}:GAME")
        self.path = os.pathsep.join(map(str, (ROOT, site, folder)))

    def python(self, *words, cwd=None):
        """Run Python in a folder, the game's own if none is given; return what it printed."""
        done = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=cwd or self.folder,
            env=os.environ | {"PYTHONPATH": self.path, "COLUMNS": "100", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sim(self, *words, cwd=None):
        """Run `sim`; return what it printed."""
        return self.python("-m", "sim", *words, cwd=cwd)

    def pytest(self, *words):
        """Run the game's own tests; return what was printed."""
        return self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
