"""Which values of rulings are tried, and where numbers move."""

import pytest
from toy_game import ToyGame

from sim import games
from sim.audit.changes import DOWN, UP, Base, path_in, switched
from sim.audit.numbers import NO_NUMBER, between, moved, step, steps
from sim.errors import SimError
from sim.games import data
from sim.study import from_dict


def base(game, players=(2, 3), **changes):
    """Return what is changed in a study of a game."""
    style = next(iter(games.get(game).styles()))
    study = from_dict(
        {"game": game, "players": list(players), "lineups": {"mirror": [style]}} | changes
    )
    return Base(games.get(game), study, next(iter(study.variants)), tuple(players))


def values(changes):
    """Return the values tried of each key."""
    found = {}
    for change in changes:
        found.setdefault(change.key, []).append(change.value)
    return found


# Rulings


def test_every_other_value_that_a_game_names_is_tried():
    found, untried = switched(base("street_art"))
    assert values(found) == {
        "rulings.hearts": [48, 60],
        "rulings.steal_shortfall": ["from_middle"],
        "rulings.brass_band": ["in_addition"],
        "rulings.reshuffle": ["keep_tops"],
        "rulings.game_end": ["finish_round"],
    }
    assert {(each.key, each.why) for each in untried} == {
        ("rulings.hearts", "any number: there is no list of values to try"),
        ("rulings.turn_cap", "any number: there is no list of values to try"),
    }


def test_the_studys_own_value_is_the_one_to_compare_with():
    found, _ = switched(base("street_art", rulings={"hearts": 48, "game_end": "finish_round"}))
    known = {change.key: change for change in found}
    assert values(found)["rulings.hearts"] == [36, 60]
    assert values(found)["rulings.game_end"] == ["immediate"]
    assert known["rulings.game_end"].now == "finish_round"
    assert known["rulings.game_end"].grade == "assumed"


def test_lists_examples_switches_and_names_of_tables_are_tried():
    city = values(switched(base("tag_city"))[0])
    assert city["rulings.bubble_values"] == [[0, -1, -1, -2, -3], [0, 0, 0, 0, 0]]
    assert city["rulings.hq"] == ["B", ["o4", "i4", "l4", "s4", "t4", "p5"]]
    assert city["rulings.city"] == ["B"]
    wild = values(switched(base("wildstyle"))[0])
    assert wild["rulings.deck"] == ["d2", "d3"]
    assert wild["rulings.final_phase_rush"] == [False]
    assert wild["rulings.board_radius"] == [2]
    west, left = switched(base("west_story"))
    assert values(west)["rulings.wild_tokens"] == [True]
    assert values(west)["rulings.buildings"] == ["random", "even"]
    assert ("rulings.buildings", "a list of five building types") in {
        (each.key, each.what) for each in left
    }


def test_decks_of_a_study_are_tried_as_well():
    deck = games.get("wildstyle").default_components()["decks"]["d1"]
    found, _ = switched(base("wildstyle", components={"decks": {"mine": deck}}))
    assert values(found)["rulings.deck"] == ["d2", "d3", "mine"]


def test_a_value_that_the_game_refuses_is_named_with_its_reason(rigged):
    found, untried = switched(base("rigged", rulings={"winner": "seat1"}))
    assert values(found)["rulings.winner"] == ["fair", "all_tie", "seat0"]
    narrow = base("rigged", rulings={"winner": "seat1"})
    assert "there is no seat2 with 2 players" in narrow.refusal("rulings.winner", "seat2")
    assert [each.key for each in untried] == ["rulings.rounds"]


# Numbers


def test_numbers_of_a_grade_move_down_and_up():
    found, untried = moved(base("street_art"), "assumed", 0.2)
    assert values(found) == {"components.seats.most": [5], "rulings.turn_cap": [400, 600]}
    left = {(each.key, each.what): each.why for each in untried}
    assert "allowed: a number of at least 2" in left["components.seats.fewest", DOWN]
    assert "with 2 players: players: 2 is outside" in left["components.seats.fewest", UP]
    assert left["rulings.game_end", "immediate"] == NO_NUMBER
    wider, _ = moved(base("street_art"), "rulebook", 0.2)
    assert values(wider)["components.numbers.hand_size"] == [4, 6]
    assert values(wider)["rulings.hearts"] == [29, 43]
    smaller, _ = moved(base("street_art"), "rulebook", 0.1)
    assert values(smaller)["rulings.hearts"] == [32, 40]
    assert values(smaller)["components.numbers.hand_size"] == [4, 6]


def test_lists_move_as_one():
    found, _ = moved(base("tag_city"), "assumed", 0.2)
    assert values(found)["components.values.A.neighborhoods.large"] == [
        [8, 8, 6, 8, 8],
        [12, 12, 10, 12, 12],
    ]
    assert values(found)["rulings.drone_values"] == [[-2, -3, -4, -5, -6], [0, -1, -2, -3, -4]]


def test_what_is_refused_is_tried_nearer_and_then_further_off():
    known = values(moved(base("wildstyle"), "assumed", 0.2)[0])
    # multiples of 5
    assert known["components.decks.d1.cards.station"] == [10, 20]
    assert known["components.decks.d1.cards.park"] == [5, 15]
    assert known["components.clock.thinking"] == pytest.approx([0.48, 0.72])
    # nearer: 40 of 50 rounds are refused, 59 and 60 are not
    near = base("west_story", rulings={"round_cap": 58})
    assert values(moved(near, "assumed", 0.2)[0])["rulings.round_cap"] == [46, 59]


def test_toys_numbers_stand_anywhere():
    class Toy(ToyGame):
        def facts(self, components, rulings):
            return data.component_facts(components, {})

    study = from_dict({"game": "street_art", "players": 2, "lineups": {"mirror": ["greedy"]}})
    variant = study.variants["base"].model_copy(
        update={"components": ToyGame().default_components(), "rulings": {"wrap": False,
                "rounds": 9, "start": "oldest"}}
    )  # fmt: skip
    toy = Base(Toy(), study.model_copy(update={"variants": {"base": variant}}), "base", (2, 3))
    found, untried = moved(toy, "assumed", 0.2)
    assert values(found) == {
        "components.board.size": [4, 6],
        "components.board.bag.red": [2, 4],
        "components.board.bag.blue": [3, 5],
    }
    assert {(each.key, each.why) for each in untried} == {("components.board.tiles", NO_NUMBER)}
    assert values(switched(toy)[0]) == {"rulings.wrap": [True]}


@pytest.mark.parametrize(
    ("now", "by", "down", "up"),
    [
        (10, 0.2, 8, 12),
        (3, 0.2, 2, 4),
        (0, 0.2, -1, 1),
        (-5, 0.2, -6, -4),
        (2.0, 0.25, 1.5, 2.5),
        (0.0, 0.2, -0.2, 0.2),
        ([10, 0, -1], 0.2, [8, 0, -2], [12, 0, 0]),
        ([0, 0], 0.2, [-1, -1], [1, 1]),
        ([[4, 2], [0, 1]], 0.5, [[2, 1], [0, 0]], [[6, 3], [0, 2]]),
    ],
)
def test_steps(now, by, down, up):
    assert step(now, -1, by) == down
    assert step(now, 1, by) == up


def test_steps_go_nearer_then_further():
    assert list(steps(40, UP, 0.2))[:4] == [48, 44, 42, 41]
    assert list(steps(10, DOWN, 0.2)) == [8, 9, 7, 6, 5, 4]
    assert list(steps(1.0, UP, 0.2)) == pytest.approx([1.2, 1.1, 1.05, 1.025])


def test_between():
    assert [between(1, 5, part) for part in (0, 0.5, 1)] == [1, 3, 5]
    assert between(1.0, 2.0, 0.25) == 1.25
    assert between([1, 10], [3, 20], 0.5) == [2, 15]
    assert isinstance(between(1, 4, 1 / 3), int)


# Paths


def test_names_with_dots_are_found():
    tree = {"a.b": {"c": 1}, "a": {"b": 2}}
    assert path_in(tree, "a.b.c") == ("a.b", "c")
    assert path_in({"a": {"b": {"c": 1}}}, "a.b.c") == ("a", "b", "c")
    with pytest.raises(KeyError):
        path_in(tree, "a.c")


def test_several_values_at_once():
    art = base("street_art")
    found = art.with_values({"rulings.hearts": 40, "components.numbers.hand_size": 4})
    assert found.rulings["hearts"] == 40
    assert found.components["numbers"]["hand_size"] == 4
    assert art.variant.rulings["hearts"] == 36
    few = {
        f"components.stars.cards.{name}.copies": 0 for name in found.components["stars"]["cards"]
    }
    with pytest.raises(SimError, match="too few for 3 hands of 10"):
        art.with_values(few | {"components.numbers.hand_size": 10})
