"""Reads the code blocks of README and docs, and runs them in a scratch folder on small studies.

What a block needs is said in HTML comments above it, which no reader sees:

    <!-- not run: why -->            never; TOML is read all the same
    <!-- slow: why -->               by `make slow` alone
    <!-- file: configs/a/b.toml -->  TOML that is written into a file; <!-- add to: ... --> appends
    <!-- before: a command -->       runs first
    <!-- game: wildstyle -->         TOML that is a part of a study of that game
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sim import games
from sim.study import from_dict

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {"adding_a_game.md": "test_tutorials.py", "adding_a_style.md": "test_tutorials.py"}
"""Pages that have tests of their own."""
BLOCK = re.compile(r"((?:^<!-- .*? -->\n)*)^```(sh|toml|python)\b[^\n]*\n(.*?)^```", re.M | re.S)
MARK = re.compile(r"<!-- (not run|slow|file|add to|before|game): (.+?) -->")
GAMES = 60
SMALL = {
    ("audit",): ["--games", "10", "--play", "60", "--trajectories", "2"],
    ("tune", "style"): ["--rounds", "1", "--generations", "1", "--games", "60", "--confirm", "60"],
    ("tune", "objectives"): ["--trials", "8", "--play", "60"],
}
"""Options that make a command small; the last one counts."""
JUDGES = {"check": (0, 1, 3)}
"""Exit statuses that are no failure of a command."""


@dataclass(frozen=True)
class Block:
    """A code block: its language, its text, and what is said above it."""

    page: Path
    line: int
    language: str
    text: str
    marks: tuple[tuple[str, str], ...]

    def said(self, mark: str) -> list[str]:
        return [text for kind, text in self.marks if kind == mark]

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that have to run."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            text.count("\n", 0, found.start(2)) + 1,
            found[2],
            found[3],
            tuple(MARK.findall(found[1])),
        )
        for found in BLOCK.finditer(text)
    ]


def cut(folder: Path) -> None:
    """Let the studies below a folder have few games."""
    for path in folder.glob("configs/**/*.toml"):
        text = path.read_text(encoding="utf-8")
        small = re.sub(r"(?m)^games = .*", f"games = {GAMES}", text)
        if small != text:
            path.write_text(small, encoding="utf-8")


class Desk:
    """A designer's folder, a repository with the shipped studies, cut small."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "designer"
        shutil.copytree(ROOT / "configs", self.folder / "configs")
        tools = folder / "tools"
        tools.mkdir()
        tool = tools / "sim"
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
        tool.chmod(0o755)
        path = os.pathsep.join([str(tools), os.environ["PATH"]])
        self.environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "110"}
        cut(self.folder)
        (self.folder / ".gitignore").write_text("reports/\n")
        who = "-c user.name=designer -c user.email=designer@example.invalid"
        self.shell(
            f"git init -q -b main && git add . && git {who} commit -qm studies && "
            "git update-ref refs/remotes/origin/main HEAD"
        )

    def run(self, block: Block) -> None:
        """Run a block after what has to be done before."""
        for command in block.said("before"):
            self.shell(command)
        getattr(self, f"_{block.language}")(block)

    def shell(self, command: str) -> None:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"

    def _sh(self, block: Block) -> None:
        for line in block.text.replace("\\\n", " ").splitlines():
            if line.strip():
                self.shell(line)

    def _python(self, block: Block) -> None:
        cut(self.folder)
        (self.folder / "snippet.py").write_text(block.text, encoding="utf-8")
        self.shell(f'"{sys.executable}" snippet.py')

    def _toml(self, block: Block) -> None:
        for name in block.said("file"):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        for name in block.said("add to"):
            with (self.folder / name).open("a", encoding="utf-8") as file:
                file.write("\n" + block.text)
        if not block.said("file") and not block.said("add to"):
            is_valid(block)


def is_valid(block: Block) -> None:
    """Raise unless a block is a study, or a part of one."""
    data = tomllib.loads(block.text)
    if "game" not in data:
        (name,) = block.said("game") or [block.page.stem]
        name = name if name in games.names() else "street_art"
        styles = [style for style in games.get(name).styles() if style != "random"]
        rest = {"game": name, "games": GAMES, "lineups": {"round_robin": styles[:2]}}
        counts = list(games.get(name).player_counts)
        data = rest | {"players": [n for n in counts if n <= 4]} | data
    from_dict(data, block.place)


def small_command(words: list[str]) -> int:
    """Run the command `sim` on small studies; return 0 where it judges."""
    cut(Path.cwd())
    for start, options in SMALL.items():
        if tuple(words[: len(start)]) == start:
            words = [*words, *options]
    status = subprocess.run([sys.executable, "-m", "sim", *words], check=False).returncode
    return 0 if status in JUDGES.get(words[0], ()) else status


if __name__ == "__main__":
    sys.exit(small_command(sys.argv[1:]))
