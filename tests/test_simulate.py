import os
import subprocess
import sys
import threading

import numpy as np
import polars as pl
import pytest
from runs import hashes, manifest

from sim import games, simulate, study
from sim.errors import SimError
from sim.games.street_art import GAME, StreetArt
from sim.plan import plan

STAR = {"title": "Sword Swallower", "copies": 3, "hearts": 4}
STUDY = {
    "title": "every kind of cell",
    "game": "street_art",
    "players": [2, 3],
    "games": 450,
    "seed": 11,
    "lineups": {
        "mirror": ["greedy", "calm"],
        "fixed": [["random", "thief", "greedy"]],
        "round_robin": ["greedy", "thief", "random"],
    },
    "styles": {"calm": {"base": "greedy", "temperature": 0.7, "forbid": ["rain"]}},
    "variants": {
        "base": {},
        "swords": {"components": {"stars": {"cards": {"sword_swallower": STAR}}}},
        "tight": {"rulings": {"hearts": 60, "turn_cap": 30}},
    },
}


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(StreetArt, "shard_games", 100)


def play(folder, data=STUDY, **how):
    return simulate.run(study.from_dict(data, name="kinds"), folder, **how)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The study played in one thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StreetArt, "shard_games", 100)
        return play(tmp_path_factory.mktemp("reference") / "run", jobs=1, backend="threads")


@pytest.mark.parametrize(
    ("backend", "jobs", "batch"),
    [
        ("threads", 1, 1),
        ("threads", 2, None),
        ("threads", 2, 7),
        ("threads", 2, 1000),
        ("threads", 9, 13),
        ("loky", 1, 7),
        ("loky", 2, None),
        ("loky", 2, 1),
        ("loky", 2, 1000),
        ("auto", None, None),
    ],
)
def test_same_study_same_bytes(reference, small_shards, tmp_path, backend, jobs, batch):
    play(tmp_path / "run", backend=backend, jobs=jobs, batch=batch)
    assert hashes(tmp_path / "run") == hashes(reference.folder)


def test_the_reference_holds_what_is_to_be_compared(reference):
    """More than one shard a cell, the last ones partial; rotated, fixed and mirrored cells."""
    cells = reference.plan.cells
    assert len(cells) == 3 * (2 + 3 + 2 + 1 + 1)
    assert {cell.rotate for cell in cells} == {True, False}
    counts = [shard.count for shard in reference.shards if shard.cell == 0]
    assert counts == [100, 100, 100, 100, 50]
    rotated = next(cell for cell in cells if cell.rotate and cell.players == 3)
    assert [s.count for s in reference.shards if s.cell == rotated.index] == [99, 99, 99, 99, 54]
    games_table = reference.scan("games").collect()
    assert games_table["truncated"].any()
    assert len(games_table) == reference.games_played == sum(cell.games for cell in cells)


def test_all_shards_share_one_schema(reference):
    for table in ("games", "seats", "cards"):
        schemas = {
            str(pl.read_parquet_schema(file))
            for file in (reference.folder / "data" / table).glob("*.parquet")
        }
        assert len(schemas) == 1
    cards = reference.scan("cards").group_by("cell", "card").agg(pl.col("held").sum()).collect()
    swords = cards.filter(pl.col("card") == "sword_swallower").join(reference.cells, on="cell")
    assert set(swords["variant"]) == {"swords"}
    assert (swords["held"] > 0).all()


def test_rows_are_numbered_without_gaps(reference):
    for cell in reference.plan.cells:
        found = reference.scan("games").filter(pl.col("cell") == cell.index).collect()
        assert found["game"].to_list() == list(range(cell.games))
        seats = reference.scan("seats").filter(pl.col("cell") == cell.index).collect()
        assert seats["game"].to_list() == list(np.repeat(np.arange(cell.games), cell.players))
        assert seats["seat"].to_list() == list(range(cell.players)) * cell.games


def test_styles_sit_where_the_plan_says(reference):
    for cell in reference.plan.cells:
        seats = reference.scan("seats").filter(pl.col("cell") == cell.index).collect()
        shift = seats["game"] % cell.players if cell.rotate else seats["game"] * 0
        places = (seats["seat"] + shift) % cell.players
        assert seats["style"].to_list() == [cell.styles[place] for place in places]


def test_variants_meet_the_same_luck(reference):
    """A variant that changes nothing but an unused number plays the same games."""
    data = STUDY | {"variants": {"base": {}, "same": {"rulings": {"turn_cap": 9999}}}}
    planned = plan(study.from_dict(data))
    half = len(planned.cells) // 2
    for one, other in zip(planned.cells[:half], planned.cells[half:], strict=True):
        assert played(planned.setup(one), 11, 0, 60) == played(planned.setup(other), 11, 0, 60)


def played(setup, seed, first, count, game=GAME):
    """Return the tables of some games as bytes."""
    tables = game.tables_for(setup, count)
    game.play(setup, seed, first, count, tables, 0)
    return {name: table.tobytes() for name, table in tables.items()}


def test_games_depend_on_their_number_alone():
    """Any split into batches, in any order, fills the tables with the same rows."""
    planned = plan(study.from_dict(STUDY))
    for cell in planned.cells:
        setup = planned.setup(cell)
        whole = GAME.tables_for(setup, 120)
        GAME.play(setup, 11, 40, 120, whole, 0)
        parts = GAME.tables_for(setup, 120)
        for first, count in ((100, 20), (0, 7), (60, 40), (7, 53)):
            GAME.play(setup, 11, 40 + first, count, parts, first)
        for name, table in whole.items():
            if name == "cards":  # sums of shares, whose order differs here
                for column in table.dtype.names:
                    np.testing.assert_allclose(table[column], parts[name][column], rtol=1e-12)
            else:
                assert table.tobytes() == parts[name].tobytes()


def test_many_threads_may_play_one_setup_at_once():
    """Each call works on its own copy of the state, and that copy outlives the call's games."""
    planned = plan(study.from_dict(STUDY))
    setups = [planned.setup(cell) for cell in planned.cells]
    before = [setup.record.tobytes() for setup in setups]
    count, rounds, threads = 40, 30, 8
    expected = [played(setup, 11, 5, count) for setup in setups]
    logs = [GAME.log(setup, 11, 5).tobytes() for setup in setups]
    size = setups[0].record.nbytes
    start = threading.Barrier(threads)
    wrong = []

    def work(me):
        junk = []
        start.wait()
        for turn in range(rounds):
            # half of the threads stay on one setup, the others go through all of them
            which = 0 if me % 2 else (me + turn) % len(setups)
            if played(setups[which], 11, 5, count) != expected[which]:
                wrong.append((me, turn, which))
            # freed states are written over at once, so that a use after free shows
            junk = [np.full(size, 0xAB, np.uint8) for _ in range(1 + (me + turn) % 5)]
            if GAME.log(setups[which], 11, 5).tobytes() != logs[which]:
                wrong.append((me, turn, which, "log"))
        del junk

    crew = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert not wrong
    assert [setup.record.tobytes() for setup in setups] == before


def test_runs_in_threads_are_the_same_every_time(monkeypatch, tmp_path):
    monkeypatch.setattr(StreetArt, "shard_games", 20)
    data = STUDY | {"games": 60, "players": [3]}
    runs = [hashes(play(tmp_path / str(i), data, jobs=2, batch=3).folder) for i in range(12)]
    assert all(found == runs[0] for found in runs)


def test_the_whole_run_of_a_setup_leaves_it_as_it_was(reference):
    for cell in reference.plan.cells:
        setup = reference.plan.setup(cell)
        before = setup.record.tobytes()
        played(setup, 3, 0, 10)
        GAME.log(setup, 3, 4)
        assert setup.record.tobytes() == before


def test_batches_follow_the_clock(monkeypatch):
    assert simulate._next_batch(128, 0.0) == 128 * simulate.LARGEST_GROWTH
    assert simulate._next_batch(128, 0.4) == 128
    assert simulate._next_batch(128, 0.2) == 256
    assert simulate._next_batch(1000, 40.0) == 10
    assert simulate._next_batch(1, 1e9) == 1


def test_no_more_workers_than_shards(rigged_run, fresh_workers, tmp_path):
    """A slip such as --jobs 100000 starts no hundred thousand threads."""
    run = rigged_run(games=150, jobs=100_000)
    assert run.manifest["timings"]["jobs"] == 2
    again = rigged_run(games=150, jobs=100_000, backend="loky", out=tmp_path / "loky")
    assert hashes(run.folder) == hashes(again.folder)


@pytest.mark.parametrize("how", [{"jobs": 0}, {"jobs": -3}, {"batch": 0}, {"backend": "dask"}])
def test_bad_ways_to_play(rigged_run, tmp_path, how):
    ((key, value),) = how.items()
    with pytest.raises(SimError, match=f"^{key}: found .?{value}.?; allowed: "):
        rigged_run(**how)
    assert not list(tmp_path.iterdir())


def test_a_fault_in_a_game_ends_the_run_and_keeps_what_was_played(rigged_run, rigged, monkeypatch):
    """The error arrives as it is; no thread plays on; the run can go on."""
    playing = type(rigged).play
    calls = []
    threads = threading.active_count()  # of tests that came before

    def play(self, setup, seed, first, count, tables, at):
        calls.append(first)
        if first >= 500:
            raise ZeroDivisionError("a fault in the rules")
        playing(self, setup, seed, first, count, tables, at)

    with monkeypatch.context() as patch:
        patch.setattr(type(rigged), "play", play)
        with pytest.raises(ZeroDivisionError, match="a fault in the rules"):
            rigged_run({"nap": 0.001}, games=2000, jobs=2, batch=10)
        before = len(calls)
    assert before < 70
    assert threading.active_count() < threads + 8
    run = rigged_run({"nap": 0.0001}, games=1000, jobs=2, fresh=True)
    assert run.games_played == 1000


def test_a_killed_worker_is_told_in_a_line(rigged_run, fresh_workers, tmp_path):
    """A worker that the system kills (no memory left) is no traceback, and the run goes on."""
    stop = threading.Event()

    def kill_one():
        import psutil

        while not stop.wait(0.2):
            for child in psutil.Process().children(recursive=True):
                if "popen_loky" in " ".join(child.cmdline()):
                    child.kill()
                    return

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        with pytest.raises(SimError, match=r"a worker process was killed.*finished are kept"):
            rigged_run({"nap": 0.01}, games=3000, jobs=2, backend="loky")
    finally:
        stop.set()
        killer.join()
    assert manifest(tmp_path / "run")["complete"] is False


MEMORY = """
import resource, sys
from sim import simulate, study
games = int(float(sys.argv[1]))
data = {"game": "street_art", "players": [4], "games": games, "lineups": {"mirror": ["greedy"]}}
simulate.run(study.from_dict(data), sys.argv[2], jobs=2, backend="threads")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs the resource module")
def test_memory_stays_flat(tmp_path):
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-c", MEMORY, games, tmp_path / games],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for games in ("2e5", "2e6")
    ]
    assert peaks[1] < peaks[0] + 100, f"MB at 0.2 and 2 million games: {peaks}"


def test_every_registered_game_can_be_played_by_name():
    assert games.get("street_art") is GAME
