"""How tests look at a run on disk and drive the command while it plays."""

import hashlib
import json
import time
from pathlib import Path

TESTS = Path(__file__).parent


SMALL_SHARDS = """
import sys
from sim.games.street_art import StreetArt
StreetArt.shard_games = int(sys.argv.pop(1))
from sim.cli import main
if __name__ == "__main__":
    main()
"""
"""The command with small shards of Street Art: `python THIS 500 run ...`."""


def hashes(folder):
    """Return the SHA-256 of every file of a run's tables, by path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / "data").rglob("*"))
        if path.is_file()
    }


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def journal(folder):
    """Return how many shards the journal of a run in progress lists."""
    path = folder / "data" / "journal.jsonl"
    return path.read_bytes().count(b'"cell"') if path.exists() else 0


def shards(folder, table="seats"):
    return sorted((folder / "data" / table).glob("[0-9]*.parquet"))


def wait_for(condition, process=None, seconds=120):
    """Wait until the condition holds or the process has ended."""
    end = time.monotonic() + seconds
    while not condition():
        if process is not None and process.poll() is not None:
            return
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


def everything(folder):
    """Return every file below a folder with its content: to see that nothing was written."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
