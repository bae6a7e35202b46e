"""The same study gives the same shards, byte for byte, however it is played."""

from tests.games.same_bytes import SameBytes

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
KILLED = {
    "game": "wildstyle",
    "players": [2, 3],
    "games": 80,
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "random"]},
    "variants": {"base": {}, "small": {"rulings": {"board_radius": 2}}},
}


class TestSameBytes(SameBytes):
    study, killed = STUDY, KILLED
