"""The same study gives the same shards, byte for byte, however it is played."""

from tests.games.same_bytes import SameBytes

STUDY = {
    "title": "every kind of cell",
    "game": "west_story",
    "players": [2, 4],
    "games": 50,
    "seed": 11,
    "sample": 0.25,
    "lineups": {
        "mirror": ["greedy"],
        "fixed": [["random", "hot"]],
        "round_robin": ["greedy", "random", "hot"],
    },
    "styles": {"hot": {"base": "greedy", "temperature": 0.4, "forbid": ["trade", "hotel"]}},
    "variants": {
        "base": {},
        "tight": {
            "rulings": {
                "buildings": "random",
                "wild_tokens": True,
                "uncatchable_villain": True,
                "dodge_city": "together",
                "round_cap": 11,
            }
        },
    },
}
KILLED = {
    "game": "west_story",
    "players": [2, 3],
    "games": 80,
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "random"]},
    "variants": {"base": {}, "even": {"rulings": {"buildings": "even"}}},
}


class TestSameBytes(SameBytes):
    study, killed = STUDY, KILLED
