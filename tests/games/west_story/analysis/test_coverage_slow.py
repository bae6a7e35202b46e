"""Intervals hold the truth as often as they say, in many small studies."""

from collections import defaultdict

import polars as pl
import pytest

from sim.games.west_story.analysis import METRICS
from sim.metrics import restricted
from tests.games.west_story.analysis import made_up

pytestmark = pytest.mark.slow
STUDIES = 200
GAMES = 240
TRUTH = 18_000
CHECKED = {
    "first.score_per_round": "all",
    "first.win_per_round": "all",
    "first.score_by_seat": "seat 0",
    "first.score_at_ties": "all",
    "runaway.leader": "round 4",
    "runaway.richest": "round 4",
    "runaway.again": "round 4",
    "runaway.win_per_vp": "round 4",
    "growth.vp": "round 4",
    "certificate.gain": "all",
    "certificate.even": "all",
    "certificate.win_per_certificate": "all",
    "market.lift": "card mustang",
    "market.taken": "card mustang",
    "building.score": "card hotel",
    "villain.pot": "v7",
    "town.per_disc": "fort_worth",
    "lake.win_share": "lake",
    "without.win": "greedy without ranch",
    "without.score": "greedy without ranch",
}
"""Metrics with a group each."""


def gains(rng, table):
    """Games of a deal share the luck of seats; the dice, a hotel and a style matter."""
    hotel = list(dict.fromkeys(table["cards"])).index("hotel") in table["set"]
    own = rng.integers(0, 5, len(table["places"])) + table["luck"] + hotel
    own[table["first"]] += 1
    return own + [place == 0 for place in table["places"]]


def study(monkeypatch, folder, games, seed):
    changes = {
        "games": games,
        "players": [3],
        "sample": 1.0,
        "seed": seed,
        "lineups": {"round_robin": ["greedy", "shy"]},
    }
    run = made_up.play(monkeypatch, folder, changes, draw=gains, shard_games=3000)
    frames = pl.concat([theme(run) for theme in (*METRICS, restricted)])
    return {
        row["metric"]: row
        for row in frames.filter(pl.col("cell").is_null()).to_dicts()
        if CHECKED.get(row["metric"]) == row["group"]
    }


def test_intervals_cover(monkeypatch, tmp_path):
    truth = study(monkeypatch, tmp_path / "truth", TRUTH, 1)
    assert set(truth) == set(CHECKED)
    held = defaultdict(int)
    for seed in range(2, 2 + STUDIES):
        found = study(monkeypatch, tmp_path / str(seed), GAMES, seed)
        for metric, row in found.items():
            held[metric] += row["low"] <= truth[metric]["estimate"] <= row["high"]
    shares = {metric: held[metric] / STUDIES for metric in CHECKED}
    print(shares)
    # four standard errors around 95 %
    for metric, share in shares.items():
        assert 0.885 < share <= 1, (metric, share)
    assert 0.94 < sum(shares.values()) / len(shares) < 0.965
