"""Places that cannot be written, or that another run has."""

import errno
import os
import subprocess
import threading
from collections import Counter
from pathlib import Path

import pytest
from rigged_study import CELLS, MINE, as_anybody, permissions_hold, refused
from runs import hashes, journal, manifest, wait_for

from sim import open_run, store
from sim.errors import SimError


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("inside", [True, False])
def test_a_read_only_place_is_one_line(command, tmp_path, inside):
    if not permissions_hold(tmp_path):
        pytest.skip("this user may write anywhere")
    (tmp_path / "mine.toml").write_text(MINE)
    place = tmp_path / "place"
    out = place / "run"
    (out if inside else place).mkdir(parents=True)
    (out if inside else place).chmod(0o555)
    done = command("run", "mine.toml", "--out", out, preexec_fn=as_anybody)
    (out if inside else place).chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"sim: {place}")
    assert "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_a_folder_in_a_place_that_cannot_be_written(command, tmp_path):
    """As a container's volume: the run fits in, and can be gone on with."""
    (tmp_path / "mine.toml").write_text(MINE)
    out = tmp_path / "place" / "volume"
    out.mkdir(parents=True)
    out.parent.chmod(0o555)
    try:
        for _ in range(2):
            done = command("run", "mine.toml", "--out", out, preexec_fn=as_anybody)
            assert done.returncode == 0, done.stderr
        fresh = command("run", "mine.toml", "--out", out, "--fresh", preexec_fn=as_anybody)
    finally:
        out.parent.chmod(0o755)
    assert manifest(out)["complete"]
    if permissions_hold(tmp_path):
        assert fresh.returncode == 2
        assert fresh.stderr.splitlines()[-1].startswith(f"sim: {out}: Permission denied")


@pytest.mark.parametrize("below", ["", "deeper", "much/deeper"])
def test_a_file_where_the_folder_should_be(play, tmp_path, below):
    file = tmp_path / "taken"
    file.write_text("mine")
    message = refused(play, tmp_path, out=file / below)
    assert message.startswith(str(file))


def full_disk(when):
    """Return a write that fails as on a full disk, when asked to."""
    write = Path.write_bytes

    def write_bytes(path, content):
        if when(path):
            write(path, content[:10])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return write(path, content)

    return write_bytes


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_one_line_and_loses_nothing(play, folder, monkeypatch, jobs):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk(lambda path: "seats/.00004" in str(path)))
        with pytest.raises(SimError) as error:
            play(jobs=jobs)
    assert "No space left on device" in str(error.value)
    assert "\n" not in str(error.value)
    assert "shards that were finished are kept" in str(error.value)
    kept = journal(folder)
    assert kept >= 9
    assert not list(folder.rglob(".*")), "half a file"
    _, said = play()
    assert f"Going on: {kept} of {3 * CELLS} shards are there already." in said.lines
    other, _ = play(out=folder.with_name("other"))
    assert hashes(folder) == hashes(other.folder)


def test_a_full_disk_at_the_first_file(play, folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk(lambda path: "manifest" in path.name))
        with pytest.raises(SimError, match="No space left on device"):
            play()
    play()


def test_a_full_disk_at_the_last_file(play, folder, monkeypatch):
    times = Counter()

    def last_manifest(path):
        times[path.name.startswith(".manifest")] += 1
        return path.name.startswith(".manifest") and times[True] > 2

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk(last_manifest))
        with pytest.raises(SimError, match="No space left on device"):
            play()
    assert manifest(folder)["complete"] is False
    run, said = play()
    assert said.played == 0
    assert run.manifest["complete"]


def test_two_runs_at_once(play, folder, monkeypatch):
    """The second says so in a line; the first is not disturbed."""
    inside, leave = threading.Event(), threading.Event()
    append = store.append_to_journal

    def waiting(*arguments):
        append(*arguments)
        inside.set()
        assert leave.wait(60)

    monkeypatch.setattr(store, "append_to_journal", waiting)
    first = threading.Thread(target=play)
    first.start()
    try:
        assert inside.wait(60)
        with pytest.raises(SimError) as error:
            play()
        with pytest.raises(SimError):
            play(fresh=True)
    finally:
        leave.set()
        first.join()
    assert str(error.value) == f"{folder}: another sim is writing this run; wait for it to end"
    assert open_run(folder).games_played


def test_two_commands_at_once(command, environment, tmp_path):
    from conftest import SIM

    text = MINE.replace("games = 20", "games = 2000") + "[rulings]\nnap = 0.001\n"
    (tmp_path / "mine.toml").write_text(text)
    words = ["run", "mine.toml", "--out", "run"]
    first = subprocess.Popen(
        [SIM, *words],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: journal(tmp_path / "run") >= 1, first)
    second = command(*words)
    first.communicate(timeout=120)
    assert second.returncode == 2
    assert second.stderr.splitlines()[-1] == (
        "sim: run: another sim is writing this run; wait for it to end"
    )
    assert manifest(tmp_path / "run")["complete"]
    assert "Traceback" not in second.stderr
