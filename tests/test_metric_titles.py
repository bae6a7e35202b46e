"""Metrics are named in words wherever a page speaks of them."""

import re

import pytest
from runs import TESTS

from sim import games
from sim.metric_titles import metric_title
from sim.words import Words


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("seat_share", "Win share by seat"),
        ("turns.p95", "Turns (95th percentile)"),
        ("turns.p95[1]", "Turns (95th percentile, 2nd range)"),
        ("score.p50", "Score (median)"),
        ("winning_score.mean", "Winning score (mean)"),
        ("spread.objective.points", "Objective points (spread)"),
        ("round.seconds.p05", "Round seconds (5th percentile)"),
        ("seat_test.p_holm", "Test of equal seats (p-value, Holm)"),
        ("kingmaking.share", "Kingmaking"),
        ("detail.box_hearts", "Hearts in the box"),
        ("style_share[0]", "Win share by style (1st range)"),
    ],
)
def test_titles(name, title):
    words = Words(game=games.get("street_art"), variants=(), lineups=(), styles=())
    assert metric_title(name, words) == title


def test_no_metric_shows_its_code():
    listed = (TESTS.parent / "docs" / "metric_names.md").read_text(encoding="utf-8")
    names = re.findall(r"`([a-z_]+(?:\.[a-z_0-9]+)+)`", listed)
    assert len(names) > 200
    for name in names:
        assert not re.search(r"[_.\[]", metric_title(name)), name
