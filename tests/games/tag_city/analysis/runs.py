"""Small runs of Tag City."""

from sim import games, simulate, study
from sim.games.tag_city import TagCity

BASE = {
    "title": "Small",
    "game": "tag_city",
    "players": [2, 3],
    "games": 60,
    "seed": 7,
    "sample": 0.5,
    "rulings": {"hq": "B", "round_cap": 9},
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "checker"]},
}
"""Some games are cut off, cells are alone or pooled, rings differ, three shards a cell."""


def play(monkeypatch, folder, shard_games=24, **changes):
    """Return a finished run."""
    game = type("Sharded", (TagCity,), {"shard_games": shard_games})()
    monkeypatch.setattr(games, "get", lambda name: game)
    return simulate.run(study.from_dict(BASE | changes), folder, jobs=1, backend="threads")
