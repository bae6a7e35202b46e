"""Runs that are killed or stopped go on where they were, and end as if nothing had happened."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import SIM
from runs import SMALL_SHARDS, hashes, journal, manifest, wait_for

from sim import simulate, store, study
from sim.errors import SimError
from sim.games.street_art import StreetArt

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")

SLOW_STONES = """
title = "slow stones"
game = "rigged"
players = [2, 3]
games = 3000
[rulings]
nap = 0.0008
[lineups]
mirror = ["plain"]
round_robin = ["plain", "pushy"]
"""
STREET_ART = """
game = "street_art"
players = [2, 3]
games = 4000
[lineups]
mirror = ["greedy"]
round_robin = ["greedy", "thief", "random"]
[variants.base]
[variants.hearts48]
rulings.hearts = 48
"""


@pytest.fixture
def start(environment, tmp_path):
    """Start `sim run` in a process group of its own; what is left of it is killed at the end."""
    started = []

    def begin(program, text, *arguments, word="run", **how):
        file = tmp_path / "mine.toml"
        file.write_text(text)
        process = subprocess.Popen(
            [*program, word, file, "--out", tmp_path / "run", *map(str, arguments)],
            stdout=how.pop("stdout", subprocess.PIPE),
            stderr=how.pop("stderr", subprocess.PIPE),
            text=True,
            env=environment,
            cwd=tmp_path,
            start_new_session=True,
            **how,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def kill_after(process, folder, shards, seconds):
    """Kill a process outright, some time after more shards are finished."""
    before = journal(folder)
    wait_for(lambda: journal(folder) >= before + shards, process)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def group_is_empty(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_killed_five_times_and_finished_is_as_never_killed(start, tmp_path, monkeypatch):
    driver = tmp_path / "driver.py"
    driver.write_text(SMALL_SHARDS)
    program = [sys.executable, driver, "200"]
    dice = random.Random(7)
    legs = [("threads", 2), ("loky", 2), ("threads", 1), ("loky", 2), ("threads", 2)]
    for backend, jobs in legs:
        process = start(program, STREET_ART, "--backend", backend, "--jobs", jobs, "--batch", 5)
        kill_after(process, tmp_path / "run", dice.randint(1, 12), dice.random() / 4)
        assert process.returncode == -signal.SIGKILL
        with pytest.raises(SimError, match="this run is not finished"):
            store.open_run(tmp_path / "run")
        # worker processes notice that nobody waits for them
        wait_for(lambda pid=process.pid: group_is_empty(pid))
    assert journal(tmp_path / "run") >= 5
    monkeypatch.setattr(StreetArt, "shard_games", 200)
    mine = study.load(tmp_path / "mine.toml")
    run = simulate.run(mine, tmp_path / "run", jobs=2)
    never_killed = simulate.run(mine, tmp_path / "other", jobs=1)
    assert hashes(run.folder) == hashes(never_killed.folder)
    assert run.manifest["shards"] == never_killed.manifest["shards"]
    assert run.manifest["complete"]
    left = [path for path in run.folder.rglob("*") if path.name.startswith(".")]
    assert not left, "files that a kill cut short"


def send_to_group(process):
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize(
    ("backend", "jobs"), [("threads", 1), ("threads", 2), ("loky", 2), ("loky", 1)]
)
def test_ctrl_c_stops_cleanly_and_the_run_goes_on(start, rigged, tmp_path, backend, jobs):
    folder = tmp_path / "run"
    arguments = ["--backend", backend, "--jobs", jobs]
    process = start([SIM], SLOW_STONES, *arguments)
    wait_for(lambda: journal(folder) >= 3, process)
    send_to_group(process)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert_stopped(said, folder)
    wait_for(lambda: group_is_empty(process.pid))
    kept = journal(folder)
    assert kept >= 3

    quick = study.load(tmp_path / "mine.toml")
    run = simulate.run(quick, folder, jobs=8, backend="threads")
    assert run.games_played == run.plan.total_games
    assert sum(s.count for s in run.shards) == run.games_played


def assert_stopped(said, folder):
    """One line says that the run stopped and how to go on; nothing else but progress."""
    assert "Traceback" not in said
    assert "Warning" not in said
    lines = [line for line in said.splitlines() if line]
    assert lines[-1] == (
        f"Stopped. What was finished is kept in {folder}; the same command goes on from there."
    )
    assert sum("Stopped" in line for line in lines) == 1
    told = re.compile("slow stones: |  [0-9,]+ of ")
    assert all(told.match(line) for line in lines[:-1]), said


def test_ctrl_c_when_it_comes_with_fresh(start, tmp_path):
    """Going on with --fresh would start anew, so the line says to leave it out."""
    folder = tmp_path / "run"
    process = start([SIM], SLOW_STONES, "--fresh", "--jobs", 2)
    wait_for(lambda: journal(folder) >= 1, process)
    send_to_group(process)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.rstrip().endswith("goes on from there, without --fresh.")


def test_ctrl_c_again_and_again(start, tmp_path):
    """A user who presses it many times gets the same one line."""
    folder = tmp_path / "run"
    process = start([SIM], SLOW_STONES, "--jobs", 2)
    wait_for(lambda: journal(folder) >= 1, process)
    for _ in range(5):
        send_to_group(process)
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
        break
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert_stopped(said, folder)


@pytest.mark.parametrize("backend", ["threads", "loky"])
def test_ctrl_c_in_a_terminal(start, tmp_path, backend):
    """The key itself, pressed in a terminal: it reaches every process there is."""
    import fcntl
    import pty
    import termios

    folder = tmp_path / "run"
    master, slave = pty.openpty()
    process = start(
        [SIM],
        SLOW_STONES,
        "--backend",
        backend,
        "--jobs",
        2,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    wait_for(lambda: journal(folder) >= 3, process)
    os.write(master, b"\x03")
    shown = read_all(master)
    process.wait(60)
    assert process.returncode == 130
    assert "Traceback" not in shown
    assert "games/s" in shown
    plain = " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).split())
    assert plain.endswith("the same command goes on from there.")
    assert plain.count("Stopped.") == 1
    assert "\x1b[?25h" in shown or "\x1b[?25l" not in shown, "the cursor stays hidden"
    wait_for(lambda: group_is_empty(process.pid))


def read_all(master):
    """Read a terminal until nobody holds its other end."""
    shown = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # Linux says EIO at the end
            part = b""
        if not part:
            os.close(master)
            return shown.decode(errors="replace")
        shown += part


@pytest.mark.parametrize(
    ("backend", "later"), [("threads", 0), ("loky", 0), ("loky", 0.15), ("loky", 0.4)]
)
def test_ctrl_c_before_anything_is_played(start, tmp_path, backend, later):
    """While it compiles or worker processes start: no traceback, the run can begin later."""
    process = start([SIM], SLOW_STONES, "--jobs", 2, "--backend", backend)
    wait_for((tmp_path / "run" / "manifest.json").exists, process)
    time.sleep(later)
    send_to_group(process)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.count("Stopped.") == 1
    assert manifest(tmp_path / "run")["complete"] is False


@pytest.mark.slow
@pytest.mark.parametrize("later", [0.5, 2, 4])
def test_ctrl_c_while_the_report_is_written(start, tmp_path, later):
    """No traceback of the notebook's machinery; all games are kept; no kernel is left."""
    process = start([SIM], SLOW_STONES.replace("0.0008", "0.0"), word="report")
    wait_for((tmp_path / "run" / "manifest.json").exists, process)
    wait_for(lambda: manifest(tmp_path / "run")["complete"], process)
    try:
        process.wait(later)
    except subprocess.TimeoutExpired:
        send_to_group(process)
    _, said = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the report was quicker")
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1] == (
        f"Stopped. All games are kept in {tmp_path / 'run'}; the same command writes the report."
    )
    wait_for(lambda: group_is_empty(process.pid))
    assert store.open_run(tmp_path / "run").games_played


def test_threads_have_ended_when_the_folder_is_given_back(rigged_run, rigged, monkeypatch):
    """After a Ctrl-C in Python no thread still writes into the folder."""
    playing = type(rigged).play
    busy = []

    def play(self, setup, seed, first, count, tables, at):
        busy.append(first)
        playing(self, setup, seed, first, count, tables, at)
        busy.remove(first)

    append = store.append_to_journal

    def interrupted(folder, stored):
        append(folder, stored)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(rigged), "play", play)
    monkeypatch.setattr(store, "append_to_journal", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rigged_run({"nap": 0.002}, games=3000, jobs=4, batch=30)
    assert not busy
