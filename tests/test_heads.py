"""Sums of head units: clusters added up, pools deal by deal."""

from types import SimpleNamespace

import numpy as np

from sim.metrics.heads import by_cluster, plus, tasks, totals_of_heads
from sim.metrics.tidy import units
from sim.metrics.totals import of_clusters


def test_games_of_a_cluster_are_added_up():
    values = np.arange(12.0).reshape(2, 1, 6)
    assert by_cluster(values, 3).tolist() == [[[3.0, 12.0]], [[21.0, 30.0]]]
    assert by_cluster(values[..., :0], 3).shape == (2, 1, 0)


def test_a_cell_with_fewer_games_has_none_in_the_last_clusters():
    assert plus(np.array([[1.0, 2.0, 3.0]]), np.array([[10.0]])).tolist() == [[11.0, 2.0, 3.0]]


def test_heads_are_read_once_and_pools_deal_by_deal(small_run):
    read = list(tasks(small_run))
    cells = [shard.cell for _, shards in read for shard in shards]
    assert len(cells) == len(small_run.shards)
    for number, shards in read:
        unit = units(small_run)[number]
        assert unit.head
        assert {shard.cell for shard in shards} <= set(unit.cells)
        assert len({shard.number for shard in shards}) == 1
        if unit.cell is None:
            assert len(shards) == len(unit.cells)


def test_totals_of_a_units_shards_are_merged():
    shards = [SimpleNamespace(cell=0, number=n, count=n + 1) for n in range(3)]
    cell = SimpleNamespace(index=0, players=2, variant="a", lineup="x", rotate=False, styles=["s"])

    class Run:
        plan = SimpleNamespace(cells=[cell])
        study = SimpleNamespace(styles={"s": None})

    run = Run()
    run.shards = shards

    def read(number, shards):
        assert number == 0
        return {"games": of_clusters(np.ones((1, 1, shards[0].count)))}

    found = totals_of_heads(run, read)
    assert found[0]["games"].sums.tolist() == [[6.0]]
    assert found[0]["games"].seen.tolist() == [[6]]
