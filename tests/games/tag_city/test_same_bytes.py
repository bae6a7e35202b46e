"""The same study gives the same shards, byte for byte, however it is played."""

from tests.games.same_bytes import SameBytes

STUDY = {
    "title": "every kind of cell",
    "game": "tag_city",
    "players": [2, 4],
    "games": 50,
    "seed": 11,
    "sample": 0.25,
    "lineups": {
        "mirror": ["greedy"],
        "fixed": [["random", "hot"]],
        "round_robin": ["greedy", "random", "hot"],
    },
    "styles": {"hot": {"base": "greedy", "temperature": 0.4}},
    "variants": {
        "base": {},
        "tight": {"rulings": {"hq": "B", "first_leader": "random", "round_cap": 9}},
    },
}
KILLED = {
    "game": "tag_city",
    "players": [2, 3],
    "games": 80,
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "random"]},
    "variants": {"base": {}, "b": {"rulings": {"city": "B"}}},
}


class TestSameBytes(SameBytes):
    study, killed = STUDY, KILLED
