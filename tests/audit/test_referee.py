"""The referee over a sample: no false alarm, and no fault that it does not see."""

import hashlib
import json
import os
import subprocess

import polars as pl
import pytest
from conftest import SIM, install
from runs import TESTS
from scipy import stats

from sim import games, simulate, store
from sim.audit.onegame import ACT, CONTENT, FILE, LINEUP, ROWS, RULES
from sim.audit.referee import MOST_FAULTS, bounds, referee
from sim.store import open_run
from sim.study import from_dict

# No fault


def test_a_sound_run_has_no_fault(small_run):
    found = referee(small_run, 120, seed=1)
    assert not found.has_fault
    assert found.games == 120
    assert set(found.cells.values()) == {6}
    assert set(found.cells) == {cell.index for cell in small_run.plan.cells}
    assert found.summed == ["cards"]
    # all but logarithms are counted again
    assert found.again == [("standings", "log_options")]
    assert found.counted > 20
    assert found.least == 0


SMALL = {
    "tag_city": {"games": 20, "sample": 0.5},
    "wildstyle": {"games": 12, "sample": 0.5},
    "west_story": {"games": 20, "sample": 0.5},
}


@pytest.mark.parametrize("name", SMALL)
def test_no_false_alarm_in_any_game(name, tmp_path):
    styles = [style for style in games.get(name).styles() if style != "random"][:2]
    data = {"game": name, "players": [2, 3], "lineups": {"round_robin": styles}, **SMALL[name]}
    run = simulate.run(from_dict(data), tmp_path / "run")
    found = referee(run, 10, seed=3)
    assert found.faults == []
    assert (found.games, found.damaged) == (10, 0)
    # sampled tables, too, were counted again
    assert found.counted > 50


def test_games_that_are_cut_off_count_too(rigged_run, tmp_path):
    found = referee(rigged_run({"truncate_every": 2}, games=60), 40, seed=1)
    assert not found.has_fault
    assert 10 < found.truncated < 30
    data = {"game": "street_art", "players": 3, "games": 30, "lineups": {"mirror": ["greedy"]}}
    cut = simulate.run(from_dict(data | {"rulings": {"turn_cap": 9}}), tmp_path / "cut")
    found = referee(cut, 30, seed=1)
    assert (found.truncated, found.faults) == (30, [])


# Faults in a kernel


@pytest.fixture
def faulty(tmp_path):
    """Play a faulty Street Art, uncompiled, and audit it; return the finished commands."""
    plugins = install(tmp_path / "plugins", "faulty_art", "faulty_art:GAME")
    (tmp_path / "m.toml").write_text(
        'game = "faulty_art"\nplayers = 3\ngames = 12\n[lineups]\nmirror = ["greedy"]\n'
    )
    path = os.pathsep.join(map(str, (plugins, TESTS / "audit", TESTS)))

    def run(fault, *commands):
        env = os.environ | {
            "PYTHONPATH": path, "FAULTY_ART": fault, "NUMBA_DISABLE_JIT": "1",
            "PYTHONWARNINGS": "ignore", "NO_COLOR": "1",
        }  # fmt: skip
        return [
            subprocess.run(
                [SIM, *command.split()], cwd=tmp_path, env=env, capture_output=True, text=True,
                check=False,
            )
            for command in commands
        ]  # fmt: skip

    return run


AUDIT = "audit m.toml --only referee --games 8"


def test_a_wrong_steal_in_the_kernel_is_found(faulty):
    played, audited, watched = faulty(
        "steal", "run m.toml", AUDIT, "watch m.toml --cell 0 --game 0"
    )
    assert played.returncode == 0, played.stderr
    assert audited.returncode == 1, audited.stderr
    assert "have a fault" in audited.stdout
    assert "an act against the rules" in audited.stdout
    assert "steals" in audited.stdout
    assert "sim watch m.toml --cell 0 --game" in audited.stdout
    assert "Traceback" not in audited.stderr
    assert watched.returncode == 1
    assert "The referee stops the game" in watched.stdout
    assert "Traceback" not in watched.stderr


@pytest.mark.slow
def test_a_wrong_count_in_the_kernel_is_found_and_nothing_else_named(faulty):
    played, audited = faulty("count", "run m.toml", AUDIT)
    assert played.returncode == 0, played.stderr
    assert audited.returncode == 1, audited.stderr
    assert "Wrong: Stolen (" in audited.stdout
    assert "the referee: " in audited.stdout
    assert "Score" not in audited.stdout


@pytest.mark.slow
def test_the_same_game_without_a_fault_passes(faulty):
    audited = faulty("", "run m.toml", AUDIT)[1]
    assert audited.returncode == 0, audited.stderr
    assert "no fault" in audited.stdout


# Faults in what is written


def spoilt(rigged, monkeypatch, change, table="seats"):
    """Let the rigged game write something else than it plays."""
    right = type(rigged).play

    def play(self, setup, seed, first, count, tables, at):
        right(self, setup, seed, first, count, tables, at)
        change(tables[table], at, count)

    monkeypatch.setattr(type(rigged), "play", play)


def add(column, more):
    def change(rows, at, count):
        rows[column] += more

    return change


def told(found):
    return {(fault.table, fault.column, fault.who) for fault in found.faults}


def test_a_column_that_is_written_wrong_is_found_by_playing_again(rigged, rigged_run, monkeypatch):
    with monkeypatch.context() as patch:
        spoilt(rigged, patch, turned, "games")
        run = rigged_run(games=30)
    found = referee(run, 20, seed=1)
    assert told(found) == {("games", "weather", "played again")}
    assert len(found.faults) == 20
    assert {(fault.run, fault.due) for fault in found.faults} == {
        ("sun", "rain"),
        ("rain", "sun"),
    }


def turned(rows, at, count):
    """Swap two names."""
    own = rows["weather"][at : at + count]
    own[:] = 1 - own


def test_columns_that_contradict_each_other_are_found_without_a_recount(
    rigged, rigged_run, monkeypatch
):
    """The same fault is in what is played again; the score is not the sum of its parts."""
    spoilt(rigged, monkeypatch, add("score", 1))
    found = referee(rigged_run(games=30), 20, seed=1)
    assert told(found) == {("seats", "score", "the other columns")}
    assert sum(found.faulty.values()) == 20


@pytest.mark.parametrize(
    ("column", "value", "who"),
    [
        ("rank", 2, RULES),
        ("win_share", 0.5, RULES),
        ("truncated", True, RULES),
        ("style", 1, LINEUP),
    ],
)
def test_shares_ranks_and_cuts_that_cannot_be_are_found(
    rigged, rigged_run, monkeypatch, column, value, who
):
    def change(rows, at, count):
        rows[column][at * 3 : (at + count) * 3] = value

    spoilt(rigged, monkeypatch, change)
    run = rigged_run(games=10, lineups={"fixed": [["plain", "pushy", "plain"]]})
    found = referee(run, 5, seed=1)
    assert ("seats", column, who) in told(found)


@pytest.mark.parametrize(("column", "value"), [("tied", True), ("margin", 77), ("players", 4)])
def test_games_that_cannot_be_are_found(rigged, rigged_run, monkeypatch, column, value):
    def change(rows, at, count):
        rows[column][at : at + count] = value

    spoilt(rigged, monkeypatch, change, "games")
    found = referee(rigged_run(games=10), 5, seed=1)
    assert ("games", column, "the other columns") in told(found)


def test_a_referee_that_breaks_is_a_fault_too(rigged, rigged_run, monkeypatch):
    run = rigged_run(games=10)
    monkeypatch.setattr(type(rigged), "replay", lambda *_: {}["nothing"])
    found = referee(run, 5, seed=1)
    assert {fault.column for fault in found.faults} == {ACT}
    assert "makes no sense of the game (KeyError" in found.faults[0].due


# Faults in files


def rewrite(run, table, change, cell=0, number=0, honest=False):
    """Change a table of a shard; with `honest` false, let the manifest agree with it."""
    path = store.table_file(run.folder, table, cell, number)
    change(pl.read_parquet(path)).write_parquet(path)
    if not honest:
        place = run.folder / "manifest.json"
        known = json.loads(place.read_text())
        said = next(s for s in known["shards"] if (s["cell"], s["number"]) == (cell, number))
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        said["files"][table] |= {"bytes": len(content), "sha256": digest}
        place.write_text(json.dumps(known))
    return open_run(run.folder)


def test_a_tampered_file_is_found_whatever_games_are_drawn(rigged_run):
    run = rigged_run(games=90)
    run = rewrite(run, "seats", lambda t: t.with_columns(pl.col("luck") + 1), honest=True)
    found = referee(run, 1, seed=1)
    assert found.damaged == 1
    (fault,) = [fault for fault in found.faults if fault.column == CONTENT]
    assert (fault.who, fault.game, fault.row) == (FILE, None, "data/seats/00000-00000.parquet")


def test_a_tampered_file_with_a_tampered_manifest_is_found_in_its_games(rigged_run):
    wins = pl.when(pl.col("seat") == 0).then(1.0).otherwise(0.0).alias("win_share")
    run = rewrite(rigged_run(games=90), "seats", lambda t: t.with_columns(wins))
    found = referee(run, 20, seed=1)
    assert found.damaged == 0
    assert sum(found.faulty.values()) > 8
    assert {fault.column for fault in found.faults} == {"win_share"}


@pytest.mark.parametrize("honest", [True, False])
def test_rows_that_are_missing_are_found(rigged_run, honest):
    run = rewrite(rigged_run(games=90), "seats", lambda t: t.filter(pl.col("seat") > 0),
                  honest=honest)  # fmt: skip
    found = referee(run, 5, seed=1)
    assert {fault.column for fault in found.faults} >= {ROWS}
    assert found.damaged == honest


def test_a_file_that_cannot_be_read_or_is_gone_is_told_once(rigged_run):
    run = rigged_run(games=90)
    store.table_file(run.folder, "seats", 0, 0).write_bytes(b"not a table")
    store.table_file(run.folder, "handfuls", 0, 0).unlink()
    found = referee(run, 5, seed=1)
    assert found.damaged == 2
    assert [fault.column for fault in found.faults] == [CONTENT, CONTENT]
    assert found.games == 5


def test_faults_beyond_a_limit_are_counted(rigged, rigged_run, monkeypatch):
    spoilt(rigged, monkeypatch, add("score", 1))
    monkeypatch.setattr("sim.audit.referee.MOST_FAULTS", 10)
    found = referee(rigged_run(games=30), 20, seed=1)
    assert (len(found.faults), found.beyond) == (10, 50)
    assert MOST_FAULTS == 1000


# What a sample can say


def test_the_bound_is_that_of_clopper_and_pearson():
    assert bounds(0, 200)[1] == pytest.approx(1 - 0.05 ** (1 / 200))
    assert bounds(0, 200) == (0.0, pytest.approx(0.014867, abs=1e-6))
    least, most = bounds(3, 50)
    assert stats.binom.sf(2, 50, least) == pytest.approx(0.05)
    assert stats.binom.cdf(3, 50, most) == pytest.approx(0.05)
    assert bounds(0, 0) == (0.0, 1.0)
    assert bounds(5, 5)[1] == 1


def test_the_bound_holds_as_often_as_it_says(rigged, rigged_run, monkeypatch):
    """Of 2,000 samples of a run with 4 % of faulty games, 95 % or more have a bound above that."""
    from sim.audit.sample import drawn

    run = rigged_run(games=500, players=(2, 3))
    bad = set(range(0, 500, 25))
    most = [bounds(faulty, 60)[1] for faulty in range(20)]
    held = 0
    for seed in range(2000):
        seen = drawn(run.plan.cells, 60, seed)
        faulty = sum(game in bad for games_of in seen.values() for game in games_of)
        held += most[faulty] >= 0.04
    assert held >= stats.binom.ppf(0.001, 2000, 0.95)
