"""Intervals hold the truth as often as they say, in many small studies."""

from collections import defaultdict

import pytest

from sim.games.wildstyle.analysis import objectives, tilesets
from tests.games.wildstyle.analysis import made_up

pytestmark = pytest.mark.slow
STUDIES = 250
GAMES = 240
TRUTH = 40_000
CHECKED = (
    "objective.points",
    "objective.win_worth",
    "objective.decides",
    "objective.win_per_point",
    "objective.fair_change",
    "objective.fair_unit",
    "objective.fair_change_by_wins",
    "sides.gap",
    "tileset.points",
    "tileset.pair",
)


def study(monkeypatch, folder, games, seed):
    """Return the rows of a study of two players in which all games of a deal share some luck."""

    def draw(rng, sides, style):
        return [rng.poisson(1 + 0.1 * side) for side in sides]

    changes = {
        "games": games,
        "players": [2],
        "sample": 0.0,
        "seed": seed,
        "styles": {"other": {"base": "greedy", "tempo": 0.9}},
        "lineups": {"round_robin": ["greedy", "other"]},
    }
    run = made_up.play(monkeypatch, folder, changes, draw=draw, shard_games=4000)
    themes = (objectives.objectives, objectives.wins, objectives.fair_values, tilesets.tile_sets)
    rows = [row for theme in themes for row in theme(run).to_dicts()]
    return {
        (row["metric"], row["group"]): row
        for row in rows
        if row["metric"] in CHECKED and row["estimate"] is not None and row["low"] is not None
    }


def test_intervals_cover(monkeypatch, tmp_path):
    truth = study(monkeypatch, tmp_path / "truth", TRUTH, 1)
    held, seen = defaultdict(int), defaultdict(int)
    for seed in range(2, 2 + STUDIES):
        for key, row in study(monkeypatch, tmp_path / str(seed), GAMES, seed).items():
            if key in truth:
                seen[key[0]] += 1
                held[key[0]] += row["low"] <= truth[key]["estimate"] <= row["high"]
    shares = {metric: held[metric] / seen[metric] for metric in CHECKED}
    print(shares)
    for metric, share in shares.items():
        assert 0.915 < share <= 0.985, (metric, share)
