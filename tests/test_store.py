import os
import platform
import shutil
import subprocess

import polars as pl
import pytest
from rigged_study import CELLS, MINE, unfinish
from runs import everything, hashes, manifest, shards

from sim import open_run, simulate, store, study
from sim.errors import SimError

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


def test_sampled_tables_keep_whole_deals_of_every_cell(play):
    run, _ = play({"sample": 0.05})
    kept = run.scan("handfuls").select("cell", "game").unique().join(run.cells.lazy(), on="cell")
    deal = pl.col("game") // pl.when("rotate").then(pl.col("players")).otherwise(1)
    found = kept.with_columns(deal.alias("deal")).collect()
    assert (found["deal"] % 20 == 0).all()
    for (_, players, rotate, games), part in found.group_by(["cell", "players", "rotate", "games"]):
        deals = -(-games // players) if rotate else games
        assert len(part) == -(-deals // 20) * (players if rotate else 1)
    assert (
        play({"sample": 0}, out=run.folder.parent / "none")[0].scan("handfuls").collect().is_empty()
    )


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
