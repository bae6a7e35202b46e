"""Intervals at another level: wider, found from the same sums, the usual ones untouched."""

import shutil

import pytest
from fakes import Spec, fake_run

from sim import inference, metrics
from sim.level import CONFIDENCE, at_level, level


def test_the_level_ends_with_its_block():
    assert level() == CONFIDENCE == 0.95
    with at_level(0.999):
        assert level() == 0.999
    with pytest.raises(ZeroDivisionError), at_level(0.99):
        _ = 1 / 0
    assert level() == 0.95


def test_intervals_follow_the_level_unless_told_another():
    with at_level(0.999):
        inside = inference.mean_interval(0.0, 1.0, 100)
        told = inference.mean_interval(0.0, 1.0, 100, confidence=0.95)
    assert inside == inference.mean_interval(0.0, 1.0, 100, confidence=0.999)
    assert told == inference.mean_interval(0.0, 1.0, 100)


def test_a_run_is_read_once_for_all_levels(tmp_path):
    run = fake_run(tmp_path, [Spec(("alpha", "beta"), 60, rotate=True)], cards=False)
    usual = metrics.all_metrics(run)
    shutil.rmtree(tmp_path)
    with at_level(0.9999):
        wide = metrics.all_metrics(run)
        assert metrics.seat_share(run) is metrics.seat_share(run)
    assert wide.drop("low", "high").equals(usual.drop("low", "high"))
    for metric in ("seat_share", "turns.mean"):
        narrow, wider = (metrics.pick(rows, metric) for rows in (usual, wide))
        assert (wider["low"] <= narrow["low"]).all()
        assert (wider["high"] >= narrow["high"]).all()
        assert (wider["high"] - wider["low"] > 1.5 * (narrow["high"] - narrow["low"])).all()
    assert metrics.all_metrics(run).equals(usual)
