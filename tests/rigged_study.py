"""A study of the rigged game, and what tests of its run on disk share."""

import ctypes
import json
import os
import subprocess

import pytest
from runs import everything, manifest

from sim import store
from sim.errors import SimError
from sim.progress import Lines

STUDY = {
    "title": "stones",
    "game": "rigged",
    "players": [2, 3],
    "games": 250,
    "seed": 3,
    "lineups": {"mirror": ["plain"], "round_robin": ["plain", "pushy"]},
    "variants": {"base": {}, "long": {"rulings": {"rounds": 5}}},
}
CELLS = 2 * (1 + 1 + 1 + 2)


class Said(Lines):
    """Keeps what is said, and counts what is played."""

    def __init__(self):
        super().__init__()
        self.lines = []
        self.played = 0

    def say(self, text):
        assert "\n" not in text
        self.lines.append(text)

    def advance(self, played):
        self.played += played


def refused(play, folder, changes=None, **how):
    """Play; return the message of the refusal. Nothing may be written."""
    before = everything(folder)
    with pytest.raises(SimError) as error:
        play(changes, **how)
    assert everything(folder) == before
    assert "\n" not in str(error.value)
    return str(error.value)


def unfinish(folder, kept):
    """Put a finished run back to where a kill after so many shards would have left it."""
    found = manifest(folder)
    lines = found["shards"]
    path = folder / "data" / "journal.jsonl"
    path.write_text("".join(f"\n{json.dumps(line)}\n" for line in lines[:kept]))
    for line in lines[kept:]:
        for table in line["files"]:
            store.table_file(folder, table, line["cell"], line["number"]).unlink()
    found |= {"complete": False, "shards": []}
    (folder / "manifest.json").write_text(json.dumps(found))
    return path


GOOD = 'game = "rigged"\nplayers = [2, 3]\ngames = 50\n[lineups]\nmirror = ["plain"]\n'
"""A study as a file, in two cells."""
MINE = 'game = "rigged"\ngames = 20\n[lineups]\nmirror = ["plain"]\n'
"""A study as a file."""


def as_anybody():
    """Let permissions hold in a child process even for root: drop the right to override them."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


def permissions_hold(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    done = subprocess.run(
        ["touch", closed / "x"], preexec_fn=as_anybody, capture_output=True, check=False
    )
    return done.returncode != 0
