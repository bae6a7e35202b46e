"""Changed games beside the study's own: the same numbers as `sim compare`, kept as they come."""

import json

import numpy as np
import polars as pl
import pytest

from sim import simulate
from sim.audit import tables
from sim.audit.journal import Journal
from sim.audit.play import known_as
from sim.errors import SimError
from sim.metrics.differences import differences
from sim.metrics.tidy import POOLED
from sim.study import from_dict

from .trying import STUDY, based, ruling, tables_of, tried

pytestmark = pytest.mark.usefixtures("rigged")
SAME = ["players", "lineup", "metric", "group", "own", "base", "estimate", "low", "high", "n",
        "saved", "p", "least"]  # fmt: skip


@pytest.mark.parametrize("lineup", ["all plain", POOLED])
def test_differences_are_those_of_compare(rigged, tmp_path, lineup):
    base = based()
    at = tables_of(base, 450, lineup)
    _, rows, _ = tried(base, [ruling("rounds", 5)], 450, tmp_path, lineup)
    for table in at:
        each = table.cells[0].games
        data = STUDY | {"games": each, "variants": {"base": {}, "more": {"rulings": {"rounds": 5}}}}
        run = simulate.run(from_dict(data), tmp_path / f"{lineup}{table.players}")
        known = differences(run, ["more"], "base").filter(players=table.players, lineup=lineup)
        found = rows.filter(players=table.players)
        known = known.join(found, on=["metric", "group"], how="semi", maintain_order="left")
        assert len(known) == len(found) >= 6
        assert known.select(SAME).equals(found.select(SAME))
        assert known.filter(pl.col("metric") == "turns.mean")["estimate"].item() > 0


def test_a_change_that_changes_nothing_makes_no_difference(rigged, tmp_path):
    ((effect,), rows, _) = tried(based(), [ruling("nap", 0.00001)], 200, tmp_path)
    assert set(rows["estimate"]) == {0.0}
    assert effect.verdict == "nothing seen"
    assert effect.size == 0


def test_what_was_played_is_not_played_again(rigged, tmp_path):
    changes = [ruling("rounds", 5), ruling("winner", "seat0")]
    base = based()
    first = tried(base, changes[:1], 120, tmp_path)
    assert first[2] == 120 * 2 + 200 + 2 * 300  # two mirrors, a pool of one cell, one of two
    both = tried(base, changes, 120, tmp_path)
    assert both[2] == first[2]
    again = tried(base, changes, 120, tmp_path)
    assert again[2] == 0
    assert again[1].equals(both[1])
    # another seed, another study, other numbers of games are other games
    assert tried(based(seed=4), changes[:1], 120, tmp_path)[2] > 0
    assert tried(based(rulings={"rounds": 4}), changes[:1], 120, tmp_path)[2] > 0
    assert tried(base, changes[:1], 130, tmp_path)[2] > 0


def test_a_torn_journal_goes_on_with_what_is_whole(rigged, tmp_path):
    base = based()
    changes = [ruling("rounds", 5), ruling("winner", "seat0")]
    whole = tried(base, changes, 60, tmp_path / "whole")
    tried(base, changes, 60, tmp_path / "torn")
    (path,) = (tmp_path / "torn" / "audit").iterdir()
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines)[: -len(lines[-2]) // 2])
    again = tried(base, changes, 60, tmp_path / "torn")
    assert 0 < again[2] < whole[2]
    assert again[1].equals(whole[1])
    assert all(json.loads(line) for line in path.read_text().splitlines() if line.endswith("}"))


@pytest.mark.parametrize("jobs", [1, 3])
def test_workers_change_nothing(rigged, tmp_path, jobs):
    changes = [ruling("rounds", 5), ruling("winner", "all_tie"), ruling("winner", "seat0")]
    found = tried(based(), changes, 250, tmp_path / str(jobs), jobs=jobs)
    alone = tried(based(), changes[:1], 250, tmp_path / "alone")
    kept = ["estimate", "low", "high", "own", "base"]
    name = changes[0].name
    assert found[1].filter(variant=name).select(kept).equals(alone[1].select(kept))


def test_processes_play_a_game_that_holds_the_lock(fresh_workers, rigged, tmp_path, monkeypatch):
    threads = tried(based(), [ruling("rounds", 5)], 120, tmp_path / "threads", jobs=2)
    monkeypatch.setattr(type(rigged), "releases_gil", False)
    loky = tried(based(), [ruling("rounds", 5)], 120, tmp_path / "loky", jobs=2)
    assert loky[1].equals(threads[1])
    assert loky[2] == threads[2]


def test_a_pair_comes_back_from_its_file_as_it_was(rigged, tmp_path):
    base = based()
    tried(base, [ruling("rounds", 5)], 60, tmp_path)
    name = known_as(base)
    kept = Journal(tmp_path, name)
    key = next(iter(kept.lines))
    pair = kept.pair(key, 1, 0)
    assert (pair.own, pair.base, pair.games) == (1, 0, 60)
    other = Journal(tmp_path / "other", name)
    other.add(key, pair)
    assert Journal(tmp_path / "other", name).lines[key] == kept.lines[key]
    assert isinstance(pair.parts["of_seats"].yy, np.ndarray)


# Tables


def study(**changes):
    return from_dict(STUDY | changes)


def test_the_first_table_of_one_style_and_the_first_of_several():
    lineups = {
        "mirror": ["plain", "pushy"],
        "fixed": [["plain", "pushy"]],
        "round_robin": ["plain", "pushy"],
    }
    chosen = tables.chosen(study(lineups=lineups), "base", None)
    assert [(table.players, table.lineup) for table in chosen] == [
        (2, "all plain"), (2, "plain | pushy"), (3, "all plain"), (3, POOLED),
    ]  # fmt: skip
    every = tables.chosen(study(lineups=lineups), "base", "*")
    assert len(every) == 4 + 3
    named = tables.chosen(study(lineups=lineups), "base", "pushy")
    assert {table.lineup for table in named} == {"all pushy"}


def test_cells_of_a_round_robin_share_the_games_but_have_enough_deals():
    (pool,) = tables.chosen(study(players=[3]), "base", POOLED)
    assert [cell.games for cell in tables.sized(pool, 9_000).cells] == [4_500, 4_500]
    assert [cell.games for cell in tables.sized(pool, 10).cells] == [300, 300]
    (alone,) = tables.chosen(study(players=[3]), "base", "plain")
    assert [cell.games for cell in tables.sized(alone, 10).cells] == [10]


def test_games_by_the_speed_of_the_game(rigged):
    from sim import games

    assert tables.default_play(games.get("street_art")) == 20_000
    assert tables.default_play(games.get("west_story")) == 2_000
    assert tables.default_play(rigged) == 2_000


def test_wrong_names_are_told():
    with pytest.raises(SimError, match=r'variant: found "bse"; in this study: base. Did you mean'):
        tables.variant_of(study(), "bse")
    with pytest.raises(SimError, match=r'lineup: found "al plain"; .* Did you mean "all plain"'):
        tables.chosen(study(), "base", "al plain")
