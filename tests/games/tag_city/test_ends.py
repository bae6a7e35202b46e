"""The three ends: each is reached, named, and the round is finished with all dice."""

import pytest

from tests.games.running import uncompiled
from tests.games.tag_city.ledger import replay
from tests.games.tag_city.table import (
    GREEDY,
    RANDOM,
    STYLES,
    city,
    log_of,
    played,
    setup,
    style,
)

ENDS = {
    "large_values": {"styles": [STYLES["packer"]], "drone_values": []},
    "bubbles": {"styles": [style(check=5.0)]},
    "drones": {"styles": [STYLES["droner"]]},
    "round_cap": {"styles": [GREEDY], "drone_values": [], "bubble_values": [], "round_cap": 4},
}


def tales(players, styles, games=12, **rulings):
    cell = setup(players, *styles, **rulings)
    for game in range(games):
        yield replay(cell, log_of(cell, game))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reason", ENDS)
def test_each_end_is_reached(reason, players):
    assert reason in {tale.reason for tale in tales(players, **ENDS[reason])}


@pytest.mark.parametrize("reason", ["large_values", "bubbles", "drones"])
def test_the_round_is_finished(reason):
    mid_round = 0
    for tale in tales(3, **ENDS[reason]):
        last = len(tale.leaders) - 1
        assert len(tale.decisions) == (last + 1) * (4 + 3 + 3)
        before = tale.decisions[-4]
        mid_round += bool(before.position.met)
    assert mid_round > 0


@uncompiled
def test_all_large_values_taken_leaves_small_ones():
    town = city("AAB\nABB", rows=(3, 1), columns=(2, 1), neighborhoods=(5, 0))
    seen = 0
    for tale in tales(4, [GREEDY], 40, components=town, city="X", drone_values=[-1] * 8):
        if "large_values" in tale.position.met:
            large = {c.element for c in tale.circled if c.large}
            assert large == set(range(len(tale.rules.elements)))
            seen += any(not c.large for c in tale.circled)
    assert seen > 5


def test_two_ends_in_one_round_are_named_by_the_first():
    town = city("AAB\nABB")
    both = [
        tale
        for tale in tales(4, [RANDOM], 200, components=town, city="X", drone_values=[-1])
        if len(tale.position.met) > 1
    ]
    assert both
    assert all(tale.reason == tale.position.met[0] for tale in both)


@uncompiled
def test_bubbles_break_a_tie():
    broken = 0
    town = city("AABB\nAABB")
    cell = setup(2, RANDOM, bubble_values=[0] * 5, drone_values=[], components=town, city="X")
    for game in range(60):
        tale = replay(cell, log_of(cell, game))
        (one, _, first), (other, _, second) = tale.scores
        if one == other and first != second:
            broken += 1
            ranks = [rank for _, rank, _ in tale.scores]
            assert ranks[0 if first > second else 1] == 1
            assert sorted(ranks) == [1, 2]
            row = played(cell, 1, first=game)["games"][0]
            assert (row["tied"], row["margin"]) == (False, 0)
    assert broken > 3


@uncompiled
@pytest.mark.parametrize("style_name", ["random", "packer", "spiteful_leader"])
def test_a_city_of_one_square_has_no_room_and_ends_by_checking(style_name):
    cell = {"components": city("A"), "city": "X"}
    tale = next(tales(2, [STYLES[style_name]], 1, **cell))
    assert tale.reason == "bubbles"
    assert not tale.drawings


@uncompiled
def test_a_city_that_is_full_still_ends_by_checking():
    tale = next(tales(2, [GREEDY], 1, components=city("AB\nAB"), city="X", drone_values=[]))
    assert tale.reason in ("bubbles", "large_values")
