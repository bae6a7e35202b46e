"""The same study gives the same shards, byte for byte, however it is played."""

import random
import signal
import subprocess
import sys

import numpy as np
import pytest
from runs import hashes, journal, wait_for

from sim import simulate, study
from sim.games.wildstyle import GAME, Wildstyle
from sim.plan import plan

STUDY = {
    "title": "every kind of cell",
    "game": "wildstyle",
    "players": [2, 4],
    "games": 50,
    "seed": 11,
    "sample": 0.25,
    "lineups": {
        "mirror": ["greedy"],
        "fixed": [["random", "quick"]],
        "round_robin": ["greedy", "random", "quick"],
    },
    "styles": {"quick": {"base": "greedy", "tempo": 0.7, "temperature": 0.4}},
    "variants": {
        "base": {},
        "tight": {"rulings": {"board_radius": 2, "tiles": "even", "round_cap_s": 110}},
    },
}
SHARD = 12
KILLED = """
import sys
from sim.games.wildstyle import Wildstyle
Wildstyle.shard_games = 8
from sim.cli import main
if __name__ == "__main__":
    main()
"""
TOML = """
game = "wildstyle"
players = [2, 3]
games = 80
[lineups]
mirror = ["greedy"]
round_robin = ["greedy", "random"]
[variants.base]
[variants.small]
rulings.board_radius = 2
"""


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(Wildstyle, "shard_games", SHARD)


def play(folder, **how):
    return simulate.run(study.from_dict(STUDY, name="kinds"), folder, **how)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The study played in one thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wildstyle, "shard_games", SHARD)
        return play(tmp_path_factory.mktemp("reference") / "run", jobs=1, backend="threads")


@pytest.mark.parametrize(
    ("backend", "jobs", "batch"),
    [
        ("threads", 1, 1),
        ("threads", 2, None),
        ("threads", 2, 7),
        ("threads", 2, 1000),
        ("loky", 2, 7),
        ("loky", 2, None),
        ("auto", None, None),
    ],
)
def test_same_study_same_bytes(reference, small_shards, tmp_path, backend, jobs, batch):
    play(tmp_path / "run", backend=backend, jobs=jobs, batch=batch)
    assert hashes(tmp_path / "run") == hashes(reference.folder)


def test_the_reference_holds_what_is_to_be_compared(reference):
    """Several shards a cell, all tables, sampled tags, games that were cut off."""
    assert {cell.rotate for cell in reference.plan.cells} == {True, False}
    for name in ("games", "seats", "rounds", "objectives", "tags"):
        assert len(list((reference.folder / "data" / name).glob("*.parquet"))) > 4
    found = reference.scan("games").collect()
    assert found["truncated"].any()
    assert not found["truncated"].all()
    tags = reference.scan("tags").collect()
    assert 0 < tags["game"].n_unique() < found["game"].n_unique()


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_games_do_not_depend_on_how_they_are_batched(batch):
    planned = plan(study.from_dict(STUDY))
    for cell in planned.cells:
        setup = planned.setup(cell)
        whole = GAME.tables_for(setup, 40, 6)
        GAME.play(setup, 11, 6, 40, whole, 0)
        parts = GAME.tables_for(setup, 40, 6)
        for at in range(0, 40, batch):
            GAME.play(setup, 11, 6 + at, min(batch, 40 - at), parts, at)
        for name, table in whole.items():
            assert table.tobytes() == parts[name].tobytes(), name


def test_a_setup_is_left_as_it_was():
    planned = plan(study.from_dict(STUDY))
    for cell in planned.cells:
        setup = planned.setup(cell)
        before = setup.record.tobytes()
        GAME.play(setup, 3, 0, 5, GAME.tables_for(setup, 5), 0)
        GAME.log(setup, 3, 4)
        assert setup.record.tobytes() == before


def test_a_game_does_not_depend_on_the_one_played_before():
    """The state of a game is set up anew: also after one that was cut off."""
    planned = plan(study.from_dict(STUDY))
    for cell in planned.cells:
        setup = planned.setup(cell)
        tables = GAME.tables_for(setup, 12)
        GAME.play(setup, 11, 0, 12, tables, 0)
        for game in (1, 5, 11):
            alone = GAME.tables_for(setup, 1, game)
            GAME.play(setup, 11, game, 1, alone, 0)
            for name in ("games", "seats", "rounds", "objectives"):
                each = len(tables[name]) // 12
                rows = tables[name][game * each : (game + 1) * each]
                for column in rows.dtype.names:
                    np.testing.assert_array_equal(rows[column], alone[name][column])


def test_killed_and_finished_is_as_never_killed(environment, tmp_path, monkeypatch):
    driver, mine = tmp_path / "driver.py", tmp_path / "mine.toml"
    driver.write_text(KILLED)
    mine.write_text(TOML)
    dice = random.Random(3)
    folder = tmp_path / "run"
    for backend, jobs in (("threads", 2), ("loky", 2), ("threads", 1)):
        before = journal(folder)
        process = subprocess.Popen(
            [sys.executable, driver, "run", mine, "--out", folder, "--batch", "3",
             "--backend", backend, "--jobs", str(jobs)],
            env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        least = before + dice.randint(1, 6)
        try:
            wait_for(lambda least=least: journal(folder) >= least, process)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert journal(folder) > 0
    monkeypatch.setattr(Wildstyle, "shard_games", 8)
    loaded = study.load(mine)
    run = simulate.run(loaded, folder, jobs=2)
    never_killed = simulate.run(loaded, tmp_path / "other", jobs=1)
    assert hashes(run.folder) == hashes(never_killed.folder)
    assert run.manifest["complete"]
