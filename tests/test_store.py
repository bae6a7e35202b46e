import ctypes
import errno
import json
import os
import platform
import shutil
import subprocess
import threading
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from runs import everything, hashes, journal, manifest, shards, wait_for

from sim import open_run, simulate, store, study
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


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "out" / "run"


@pytest.fixture
def play(rigged, folder):
    """Play the study, changed by `changes`; return the run and what was said."""

    def play(changes=None, out=folder, **how):
        said = Said()
        data = STUDY | (changes or {})
        how = {"jobs": 2, "backend": "threads", "progress": said} | how
        return simulate.run(study.from_dict(data, name="stones"), out, **how), said

    return play


def refused(play, folder, changes=None, **how):
    """Play; return the message of the refusal. Nothing may be written."""
    before = everything(folder)
    with pytest.raises(SimError) as error:
        play(changes, **how)
    assert everything(folder) == before
    assert "\n" not in str(error.value)
    return str(error.value)


# What a finished run holds


def test_manifest(play, folder):
    run, _ = play()
    found = manifest(folder)
    assert found == run.manifest
    assert found["format"] == store.FORMAT
    assert found["complete"] is True
    assert found["study"]["seed"] == 3
    assert found["study"]["variants"]["long"]["rulings"]["rounds"] == 5
    assert found["study"]["styles"]["pushy"]["weights"] == {"push": 1.0}
    assert found["identity"] == run.study.identity()
    assert found["rules"]["game"] == "rigged"
    assert found["rules"]["version"] == "1"
    assert found["versions"]["python"] == platform.python_version()
    assert {"tabletop-balance", "numpy", "numba", "polars", "joblib"} <= set(found["versions"])
    assert found["machine"]["cores"] == os.cpu_count()
    assert found["timings"]["jobs"] == 2
    assert found["timings"]["backend"] == "threads"
    assert found["timings"]["started"] <= found["timings"]["finished"]
    assert found["timings"]["playing_seconds"] > 0


def test_manifest_lists_every_shard(play, folder):
    run, _ = play()
    listed = manifest(folder)["shards"]
    assert [(s["cell"], s["number"]) for s in listed] == [
        (cell, number) for cell in range(CELLS) for number in range(3)
    ]
    files = {}
    for shard in listed:
        for table, known in shard["files"].items():
            path = store.table_file(folder, table, shard["cell"], shard["number"])
            assert path.stat().st_size == known["bytes"]
            assert pl.read_parquet(path).height == known["rows"]
            files[path.relative_to(folder).as_posix()] = known["sha256"]
    assert files == hashes(folder)
    assert sum(s["files"]["games"]["rows"] for s in listed) == run.games_played
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "data"}


def test_git_revision_of_the_study(play, folder, tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", tmp_path]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    revision = subprocess.check_output([*git, "rev-parse", "HEAD"], text=True)
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    simulate.run(study.load(file), folder)
    assert manifest(folder)["git"] == {"revision": revision.strip(), "changed": False}


def test_no_git_is_no_fault(play, folder, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    play()
    assert manifest(folder)["git"] is None


def test_tables(play):
    run, _ = play()
    games, seats = run.scan("games"), run.scan("seats")
    schema = games.collect_schema()
    assert schema.names()[:2] == ["cell", "game"]
    assert schema["cell"] == pl.UInt16
    assert schema["end_reason"] == pl.Enum(["rounds_played", "cut_short"])
    assert schema["weather"] == pl.Enum(["sun", "rain"])
    assert seats.collect_schema()["style"] == pl.Enum(["plain", "pushy"])
    cells = run.cells
    assert cells.schema == {
        "cell": pl.UInt16,
        "players": pl.UInt8,
        "variant": pl.String,
        "lineup": pl.String,
        "rotate": pl.Boolean,
        "games": pl.Int64,
    }
    counted = games.group_by("cell").len().join(cells.lazy(), on="cell").collect()
    assert (counted["len"] == counted["games"]).all()
    assert len(counted) == CELLS
    parts = seats.select(
        (pl.col("luck") + pl.col("pushed") + pl.col("rigged")).alias("sum"), "score"
    )
    assert (parts.collect()["sum"] == parts.collect()["score"]).all()


def test_unfinished_numbers_are_null(rigged_run):
    run = rigged_run({"truncate_every": 2}, games=10)
    seats = run.scan("seats").collect()
    cut = seats.filter("truncated")
    assert cut.height == 15
    assert cut["win_share"].is_null().all()
    assert seats.filter(~pl.col("truncated"))["win_share"].is_not_null().all()
    assert not seats["win_share"].is_nan().any()


def test_a_run_says_what_it_is_and_opens_again(play, folder):
    run, _ = play()
    assert repr(run) == f"<Run 'stones': {run.games_played:,} games in {folder}>"
    again = open_run(str(folder))
    assert again.cells.equals(run.cells)
    assert again.study == run.study
    assert again.scan("seats").collect().equals(run.scan("seats").collect())
    assert again.game is run.game
    with pytest.raises(SimError, match='has no table "cards"'):
        again.scan("cards")


def test_a_run_can_be_moved(play, folder, tmp_path):
    run, _ = play()
    rows = run.scan("games").collect()
    moved = shutil.move(folder, tmp_path / "elsewhere [1] *")
    assert open_run(moved).scan("games").collect().equals(rows)


def test_open_what_is_not_there(tmp_path):
    with pytest.raises(SimError, match=r"there is no run here \(manifest.json is missing\)"):
        open_run(tmp_path / "nowhere")


# Going on


def test_a_finished_run_is_not_played_again(play, folder):
    play()
    before = everything(folder)
    _, said = play()
    assert everything(folder) == before
    assert said.lines == []
    assert said.played == 0


def damage(kind, path):
    content = path.read_bytes()
    if kind == "cut short":
        path.write_bytes(content[: len(content) // 2])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "a byte changed":
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    else:
        path.unlink()


@pytest.mark.parametrize("kind", ["cut short", "empty", "a byte changed", "deleted"])
@pytest.mark.parametrize("table", ["games", "seats"])
def test_a_damaged_shard_is_played_again(play, folder, kind, table):
    play()
    before, listed = hashes(folder), manifest(folder)["shards"]
    damage(kind, shards(folder, table)[4])
    _, said = play()
    assert said.lines[0] == f"{folder}: 1 damaged or missing shard(s) will be played again."
    assert said.lines[1] == f"Going on: {3 * CELLS - 1} of {3 * CELLS} shards are there already."
    assert said.played == 100
    assert hashes(folder) == before
    assert manifest(folder)["shards"] == listed
    assert manifest(folder)["complete"]


def test_all_data_lost(play, folder):
    play()
    before = hashes(folder)
    shutil.rmtree(folder / "data")
    _, said = play()
    assert said.lines[0].startswith(f"{folder}: {3 * CELLS} damaged or missing shard(s) ")
    assert hashes(folder) == before


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


def test_the_journal_of_a_killed_run(play, folder):
    play()
    before, listed = hashes(folder), manifest(folder)["shards"]
    path = unfinish(folder, 11)
    with pytest.raises(SimError, match="this run is not finished; `sim run` on its study goes on"):
        open_run(folder)
    _, said = play()
    assert said.lines[0] == f"Going on: 11 of {3 * CELLS} shards are there already."
    assert hashes(folder) == before
    assert manifest(folder)["shards"] == listed
    assert not path.exists()


def torn(text):
    """Return ways in which a kill or a lost disk cache may leave the journal."""
    last = text.rstrip().rfind("\n")
    return {
        "last line cut": text[: last + 40].encode(),
        "cut in a number": text[:-4].encode(),
        "nothing": b"",
        "zeros at the end": text[: last + 40].encode() + bytes(300),
        "not text": text[:last].encode() + b"\xff\xfe\xff\n",
        "other JSON": text[:last].encode() + b'\n7\n"x"\n[1]\n{"cell": 1}\nnull\n',
        "first line cut": text[30:].encode(),
        "cut, then went on": (text[: last + 40] + text[last:]).encode(),
    }


@pytest.mark.parametrize("kind", torn("\n"))
def test_a_torn_journal_loses_the_torn_line_only(play, folder, kind):
    play()
    before = hashes(folder)
    path = unfinish(folder, 5)
    path.write_bytes(torn(path.read_text())[kind])
    _, said = play()
    assert hashes(folder) == before
    if kind != "nothing":
        there = int(said.lines[0].removeprefix("Going on: ").split(" ")[0])
        assert there in (4, 5)


def test_files_that_a_kill_cut_short_are_swept_away(play, folder):
    play()
    before = hashes(folder)
    unfinish(folder, 5)
    halves = [
        folder / ".manifest.json.123",
        folder / "data" / "seats" / ".00000-00004.parquet.123",
    ]
    for half in halves:
        half.write_bytes(b"half")
    play()
    assert hashes(folder) == before
    assert not any(half.exists() for half in halves)


def test_killed_while_the_first_manifest_was_written(play, folder):
    folder.mkdir(parents=True)
    (folder / ".manifest.json.99").write_bytes(b'{"form')
    run, _ = play()
    assert run.games_played
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "data"}


def test_more_games_keep_the_full_shards(play, folder, tmp_path):
    play()
    full = [s for s in manifest(folder)["shards"] if s["count"] >= 99]
    run, said = play({"games": 420})
    assert said.lines[0] == f"Going on: {2 * CELLS} of {5 * CELLS} shards are there already."
    kept = {(s["cell"], s["number"]): s for s in manifest(folder)["shards"]}
    assert all(kept[s["cell"], s["number"]] == s for s in full)
    other, _ = play({"games": 420}, out=tmp_path / "other")
    assert hashes(folder) == hashes(other.folder)
    assert run.games_played == other.games_played == said.played + sum(s["count"] for s in full)


def test_more_games_stopped_halfway_is_unfinished(play, folder, monkeypatch):
    play()
    append = store.append_to_journal

    def interrupted(*arguments):
        append(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "append_to_journal", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play({"games": 420})
    with pytest.raises(SimError, match="not finished"):
        open_run(folder)
    run, _ = play({"games": 420})
    assert set(run.cells["games"]) == {420}


def test_a_title_or_a_text_may_change(play, folder):
    play()
    before = hashes(folder)
    styles = {"pushy": {"description": "other words", "origin": "a book"}}
    run, said = play({"title": "better title", "styles": styles})
    assert said.played == 0
    assert run.study.title == "better title"
    assert open_run(folder).study.styles["pushy"].description == "other words"
    assert hashes(folder) == before


# Refusing to mix


CHANGED = {
    "seed": ({"seed": 4}, "seed: 3 -> 4"),
    "players": ({"players": [2]}, "players: [2, 3] -> [2]"),
    "ruling": ({"rulings": {"rounds": 4}}, "rulings.rounds: 3 -> 4"),
    "component": (
        {"components": {"bag": {"largest_handful": 7}}},
        "components.bag.largest_handful: 9 -> 7",
    ),
    "weight": (
        {"styles": {"pushy": {"weights": {"push": 2.0}}}},
        "styles.pushy.weights.push: 1.0 -> 2.0",
    ),
    "variant's ruling": (
        {"variants": {"base": {}, "long": {"rulings": {"rounds": 6}}}},
        "variants.long.rulings.rounds: 5 -> 6",
    ),
    "variants": ({"variants": {"base": {}}}, "variants.long"),
    "line-ups": ({"lineups": {"mirror": ["pushy"]}}, "lineups.mirror"),
    "fewer games": ({"games": 249}, "games: 250 -> 249"),
    "another game": ({"game": "street_art"}, 'game: "rigged" -> "street_art"'),
}


@pytest.mark.parametrize("kind", CHANGED)
def test_a_changed_study_is_refused(play, folder, kind):
    play()
    changes, told = CHANGED[kind]
    if kind == "another game":
        changes = changes | {"lineups": {"mirror": ["greedy"]}, "variants": {}}
    message = refused(play, folder, changes)
    assert message.startswith(f"{folder}: holds a run of something else: ")
    assert told in message
    assert message.endswith("Use --fresh to set that run aside, or --out for another folder.")


def test_changed_rules_are_refused(play, folder, monkeypatch):
    play()
    before = manifest(folder)["rules"]["source"]
    monkeypatch.setattr("sim.compiled.source_fingerprint", lambda module: "0123456789abcdef")
    message = refused(play, folder)
    assert f"rules source: {before} -> 0123456789abcdef" in message


def test_a_changed_version_is_refused(play, folder, rigged, monkeypatch):
    play()
    monkeypatch.setattr(type(rigged), "version", "2")
    assert "rules version: 1 -> 2" in refused(play, folder)


def test_an_unfinished_run_is_not_mixed_either(play, folder):
    play()
    unfinish(folder, 5)
    assert "seed: 3 -> 4" in refused(play, folder, {"seed": 4})


def test_fresh_sets_the_old_run_aside(play, folder):
    play()
    first = everything(folder)
    _, said = play({"seed": 4}, fresh=True)
    assert said.lines[0] == f"The earlier run is kept in {folder}.old1."
    assert manifest(folder)["study"]["seed"] == 4
    play({"seed": 5}, fresh=True)
    aside = Path(f"{folder}.old1")
    assert {path.relative_to(aside): c for path, c in everything(aside).items()} == {
        path.relative_to(folder): c for path, c in first.items()
    }
    assert open_run(f"{folder}.old2").study.seed == 4
    assert open_run(folder).study.seed == 5


def test_fresh_in_the_working_folder(play, folder, monkeypatch):
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    play(out=Path())
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "data"}
    play({"seed": 4}, out=Path("."), fresh=True)
    assert open_run(folder.with_name("run.old1")).study.seed == 3


def test_fresh_without_an_earlier_run(play):
    _, said = play(fresh=True)
    assert not any("earlier run" in line for line in said.lines)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_with_other_things_in_it_is_left_alone(play, folder, fresh):
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("ten years of work")
    message = refused(play, folder.parent, fresh=fresh)
    assert message == f"{folder}: this folder is not empty and holds no run; choose another"


def test_an_empty_folder_will_do(play, folder):
    folder.mkdir(parents=True)
    play()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "cannot be read"),
        (b'{"format": 1, "compl', "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[1]", "not a manifest of this version of sim"),
        (b"{}", "not a manifest of this version of sim"),
        (b'{"format": 2}', "not a manifest of this version of sim"),
        (b'{"format": 1}', "not a manifest of this version of sim"),
    ],
)
def test_a_manifest_that_cannot_be_read(play, folder, content, told):
    play()
    (folder / "manifest.json").write_bytes(content)
    assert told in refused(play, folder)
    with pytest.raises(SimError, match=f"{told}.*move the folder aside"):
        open_run(folder)
    play(fresh=True)


@pytest.mark.parametrize("change", ["study", "shards", "style"])
def test_a_manifest_of_another_time(play, folder, change):
    """Written by a version of sim whose studies or shards look different."""
    play()
    found = manifest(folder)
    if change == "study":
        found["study"] |= {"until": "decided"}
    elif change == "style":
        del found["study"]["styles"]["plain"]["name"]
    else:
        found["shards"][0] = {"cell": 0}
    (folder / "manifest.json").write_text(json.dumps(found))
    assert "not a manifest of this version of sim; move the folder aside" in refused(play, folder)


# A place that cannot be written


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


MINE = 'game = "rigged"\ngames = 20\n[lineups]\nmirror = ["plain"]\n'


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

    def second_manifest(path):
        times[path.name.startswith(".manifest")] += 1
        return path.name.startswith(".manifest") and times[True] > 1

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk(second_manifest))
        with pytest.raises(SimError, match="No space left on device"):
            play()
    assert manifest(folder)["complete"] is False
    run, said = play()
    assert said.played == 0
    assert run.manifest["complete"]


# Two at once


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
