"""The same study gives the same shards, byte for byte, however it is played: a class of tests.

class TestSameBytes(SameBytes):
    study = STUDY  # with rotated and fixed cells, a sample, some games that are cut off
    killed = KILLED  # a small one, which is killed while it is played
"""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from runs import hashes, journal, wait_for

from sim import games, simulate, study
from sim.plan import plan

GAMES = 12
FIRST = 6
"""A first game that begins neither a deal nor a sample."""
WITH_SMALL_SHARDS = """
import sys
from sim import games
game, size = sys.argv.pop(1), sys.argv.pop(1)
type(games.get(game)).shard_games = int(size)
from sim.cli import main
if __name__ == "__main__":
    main()
"""
"""The command with small shards of a game: `python THIS west_story 8 run ...`."""


class SameBytes:
    """Tests that a game passes to be compared run by run."""

    study: ClassVar[dict[str, Any]]
    killed: ClassVar[dict[str, Any]]
    shard = 12
    killed_shard = 8

    @property
    def game(self):
        return games.get(self.study["game"])

    @classmethod
    def play(cls, folder, **how):
        """Play the study in small shards."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(games.get(cls.study["game"])), "shard_games", cls.shard)
            return simulate.run(study.from_dict(cls.study, name="kinds"), folder, **how)

    def setups(self) -> Iterator[Any]:
        """Yield the setup of each cell."""
        planned = plan(study.from_dict(self.study))
        return (planned.setup(cell) for cell in planned.cells)

    def tables(self, setup, first, count, batch):
        """Return the tables of some games, played so many at a time."""
        tables = self.game.tables_for(setup, count, first)
        for at in range(0, count, batch):
            self.game.play(setup, 11, first + at, min(batch, count - at), tables, at)
        return tables

    @pytest.fixture(scope="class")
    @classmethod
    def reference(cls, tmp_path_factory):
        """The study played in one thread."""
        return cls.play(tmp_path_factory.mktemp("reference") / "run", jobs=1, backend="threads")

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
    def test_same_study_same_bytes(self, reference, tmp_path, backend, jobs, batch):
        self.play(tmp_path / "run", backend=backend, jobs=jobs, batch=batch)
        assert hashes(tmp_path / "run") == hashes(reference.folder)

    def test_the_reference_holds_what_is_to_be_compared(self, reference):
        """Several shards a cell, all tables, whole games of a sample, games that were cut off."""
        assert {cell.rotate for cell in reference.plan.cells} == {True, False}
        for name in ("games", "seats", *self.game.long_tables):
            shards = list((reference.folder / "data" / name).glob("*.parquet"))
            assert len(shards) > len(reference.plan.cells), name
        found = reference.scan("games").collect()
        assert found["truncated"].any()
        assert not found["truncated"].all()
        for name in self.game.sampled_tables:
            kept = reference.scan(name).select("cell", "game").unique().collect()
            assert 0 < len(kept) < len(found)

    @pytest.mark.parametrize("batch", [1, 7])
    def test_games_do_not_depend_on_how_they_are_batched(self, batch):
        for setup in self.setups():
            whole, parts = (self.tables(setup, FIRST, 40, n) for n in (40, batch))
            for name, table in whole.items():
                assert table.tobytes() == parts[name].tobytes(), name

    def test_a_setup_is_left_as_it_was(self):
        for setup in self.setups():
            before = setup.record.tobytes()
            self.tables(setup, 0, 5, 5)
            self.game.log(setup, 3, 4)
            assert setup.record.tobytes() == before

    def test_a_game_does_not_depend_on_the_one_played_before(self):
        """The state of a game is set up anew: also after one that was cut off."""
        for setup in self.setups():
            whole = self.tables(setup, 0, GAMES, GAMES)
            for game in (1, 5, GAMES - 1):
                alone = self.tables(setup, game, 1, 1)
                for name, table in whole.items():
                    if "game" in table.dtype.names:
                        rows = table[table["game"] == game]
                        for column in table.dtype.names:
                            np.testing.assert_array_equal(rows[column], alone[name][column])

    def test_killed_and_finished_is_as_never_killed(self, environment, tmp_path, monkeypatch):
        driver, mine = tmp_path / "driver.py", tmp_path / "mine.toml"
        driver.write_text(WITH_SMALL_SHARDS)
        mine.write_text(as_toml(self.killed))
        dice = random.Random(3)
        folder = tmp_path / "run"
        small = [self.game.name, str(self.killed_shard)]
        for backend, jobs in (("threads", 2), ("loky", 2)):
            before = journal(folder)
            process = subprocess.Popen(
                [sys.executable, driver, *small, "run", mine, "--out", folder, "--batch", "3",
                 "--backend", backend, "--jobs", str(jobs)],
                env=environment, cwd=tmp_path,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            least = before + dice.randint(1, 6)
            try:
                wait_for(lambda least=least: journal(folder) >= least, process)
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
        assert journal(folder) > 0
        monkeypatch.setattr(type(self.game), "shard_games", self.killed_shard)
        loaded = study.load(mine)
        run = simulate.run(loaded, folder, jobs=2)
        never_killed = simulate.run(loaded, tmp_path / "other", jobs=1)
        assert hashes(run.folder) == hashes(never_killed.folder)
        assert run.manifest["complete"]


def as_toml(data: dict[str, Any]) -> str:
    """Return a study of plain values, lists and tables as a file."""
    return "\n".join(f"{key} = {_inline(value)}" for key, value in data.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_inline(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)
