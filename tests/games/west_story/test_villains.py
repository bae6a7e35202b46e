"""Villains in a turn by the rulebook's text: fights, payments, the uncatchable, Dodge City."""

import pytest

from sim.games.west_story.logbook import Bribed, Fought
from sim.games.west_story.rulebook import Villain

from .logs import (
    ABILENE,
    AT_ABILENE,
    FAR_DODGE,
    NEAR_DODGE,
    T2,
    UNCATCHABLE,
    V1,
    V2,
    V3,
    V4,
    V5,
    V7,
    V8,
)
from .scenes import facing, idle, refused
from .table import Scene, deeds

# 1. Face a villain!


def test_a_villain_in_the_area_has_to_be_faced():
    refused(facing().skips(), "skips a purchase, .* expected: faces V1 on Abilene: fights or pays")


def test_even_before_trading():
    scene = facing().trades(ABILENE, 0, T2, hats=1, coins=1)
    refused(scene, "trades with Abilene .* expected: faces V1 on Abilene")


def test_not_where_there_is_none():
    scene = Scene().seat(0, vp=6, hats=3).turn(0).fights(AT_ABILENE, V1, hats=2, coins=1)
    refused(scene, "fights V1 on Abilene, but expected: purchase 1 of the turn")


def test_no_other_villain():
    refused(facing().fights(NEAR_DODGE, V2, hats=3), "expected: faces V1 on Abilene")
    refused(facing().bribes(AT_ABILENE, V2, coins=1), "expected: faces V1 on Abilene")


def test_fight_with_hats_and_coins_and_pick_up_the_coins_on_it():
    scene = facing(coins=4).fights(AT_ABILENE, V1, hats=2, coins=1).gains(("coins", 4), why="pot")
    (fought,) = deeds(idle(scene), Fought)
    assert fought.pot == (4, 0)
    player = scene.players[0]
    assert (player.coins, player.villains, player.vp) == (6, (V1,), 7)
    assert scene.table.villains[AT_ABILENE] == Villain(None)


@pytest.mark.parametrize(
    "paid",
    [
        {"cows": 3},
        {"hats": 2, "cows": 1},
        {"coins": 1, "cows": 2},
        {"hats": 1, "coins": 1, "cows": 1},
    ],
)
def test_cows_replace_missing_hats_or_coins(paid):
    scene = facing(owned={"cows": 3}).fights(AT_ABILENE, V1, **paid)
    scene.gains(("coins", 1), why="pot")
    scene.skips()
    if paid.get("cows") == 1:
        scene.gains(("coins", 1), why="herd_bonus")
    scene.skips()
    if paid.get("cows") == 2:
        scene.gains(("coins", 1), why="herd_bonus")
    scene.plays()


@pytest.mark.parametrize(
    "paid",
    [
        {"hats": 2},
        {"hats": 3},
        {"hats": 2, "coins": 2},
        {"hats": 1, "coins": 2},
        {"hats": 2, "cows": 2},
        {"hats": 3, "coins": 0, "cows": 0},
        {"hats": 2, "coins": 2, "cows": -1},
    ],
)
def test_a_fight_costs_what_the_token_says(paid):
    scene = facing(owned={"cows": 3}).fights(AT_ABILENE, V1, **paid)
    refused(scene, "the cost is 2 hats and 1 coins, cows for either|less than nothing")


def test_nobody_pays_what_it_does_not_have():
    refused(facing(owned={"hats": 1}).fights(0, V1, hats=2, coins=1), "but it has 1 hats")
    refused(facing(owned={"coins": 0}).fights(0, V1, hats=2, coins=1), "but it has 0 coins")
    refused(facing(owned={"hats": 1}).fights(0, V1, hats=1, coins=1, cows=1), "it has 0 cows")


def test_a_sheriff_fights_for_three():
    for paid in ({}, {"hats": 1}, {"coins": 1}, {"hats": 2, "coins": 1}):
        scene = facing(token=V3, owned={"fight": 4}).fights(AT_ABILENE, V3, **paid)
        idle(scene.gains(("coins", 1), why="pot"))
    scene = facing(token=V5, owned={"fight": 3}).fights(AT_ABILENE, V5, hats=1)
    refused(scene, "the cost is 4 hats and 1 coins, 3 of these free")


def test_cows_on_a_token_join_the_herd():
    scene = facing(cows=3, owned={"cows": 4}).fights(AT_ABILENE, V1, hats=2, coins=1)
    scene.gains(("coins", 1), ("cows", 2), why="pot").gains(("coins", 1), why="herd_bonus")
    scene.gains(("vp", 1), why="too_many_cows")
    scene.skips(cows=0).gains(("vp", 1), why="too_many_cows")
    scene.skips(cows=0).gains(("vp", 1), why="too_many_cows").plays()
    assert scene.players[0].cows == 6


def test_pay_puts_coins_on_the_token():
    scene = facing(token=V4).bribes(AT_ABILENE, V4, coins=2)
    (bribed,) = deeds(idle(scene), Bribed)
    assert not bribed.leaves
    assert scene.table.villains[AT_ABILENE] == Villain(V4, True, 3, 0)
    assert scene.players[0].hats == 0


@pytest.mark.parametrize(("ruling", "on_token"), [("stay_cows", (2, 1)), ("become_coins", (3, 0))])
def test_pay_with_cows(ruling, on_token):
    scene = facing(token=V4, owned={"cows": 1}, paid_cows=ruling)
    idle(scene.bribes(AT_ABILENE, V4, coins=1, cows=1))
    assert scene.table.villains[AT_ABILENE] == Villain(V4, True, *on_token)


@pytest.mark.parametrize(
    "paid", [{}, {"coins": 1}, {"coins": 3}, {"hats": 2}, {"hats": 1, "coins": 1}]
)
def test_pay_what_is_asked(paid):
    refused(facing(token=V4).bribes(AT_ABILENE, V4, **paid), "the cost is 0 hats and 2 coins")


def test_who_can_neither_fight_nor_pay_in_full_pays_all_it_can():
    poor = {"coins": 1, "cows": 1, "hats": 0}
    scene = facing(token=V8, owned=poor).bribes(AT_ABILENE, V8, coins=1, cows=1)
    idle(scene)
    assert scene.table.villains[AT_ABILENE] == Villain(V8, True, 2, 1)
    for paid in ({"coins": 1}, {"cows": 1}, {}):
        scene = facing(token=V8, owned=poor).bribes(AT_ABILENE, V8, **paid)
        refused(scene, "it pays all it has, 1 coins and 1 cows, of 3")


def test_who_has_nothing_pays_nothing():
    idle(facing(token=V8, owned={"coins": 0, "hats": 0}).bribes(AT_ABILENE, V8))


def test_who_can_fight_but_not_pay_in_full_fights():
    """V7 costs 5 hats and a coin and asks for 2."""
    rich = {"coins": 1, "hats": 5}
    scene = facing(token=V7, owned=rich).bribes(AT_ABILENE, V7, coins=1)
    refused(scene, "who cannot pay in full and can fight has to fight")
    idle(
        facing(token=V7, owned=rich)
        .fights(AT_ABILENE, V7, hats=5, coins=1)
        .gains(("coins", 1), why="pot")
    )


def test_villains_count_at_once_by_ruling():
    scene = facing(villain_vp="at_once").fights(AT_ABILENE, V1, hats=2, coins=1)
    idle(scene.gains(("coins", 1), why="pot").gains(("vp", 2), why="villain"))
    assert (scene.players[0].vp, scene.players[0].vp_sources["villains"]) == (9, 2)
    scene = facing().fights(AT_ABILENE, V1, hats=2, coins=1).gains(("coins", 1), why="pot")
    refused(scene.gains(("vp", 2), why="villain"), "gains 2 vp \\(villain\\), but expected: purch")


def test_a_villain_met_in_the_middle_of_a_turn_is_not_faced_in_it():
    scene = Scene(villain_vp="at_once").villain(AT_ABILENE, V8).seat(0, vp=13, hats=4)
    scene.turn(0).fights(AT_ABILENE, V8, hats=4, coins=3).gains(("coins", 1), why="pot")
    scene.gains(("vp", 6), why="villain").flips(NEAR_DODGE, V2)
    idle(scene)
    assert scene.table.villains[NEAR_DODGE] == Villain(V2, True, 1, 0)


def uncatchable(coins=1, **owned):
    return facing(token=UNCATCHABLE, coins=coins, owned=owned, uncatchable_villain=True)


def test_an_uncatchable_villain_is_always_paid_one():
    idle(uncatchable().bribes(AT_ABILENE, UNCATCHABLE, coins=1))
    idle(uncatchable(cows=1).bribes(AT_ABILENE, UNCATCHABLE, cows=1))
    refused(uncatchable().bribes(AT_ABILENE, UNCATCHABLE, coins=2), "cost is 0 hats and 1 coins")
    refused(uncatchable().fights(AT_ABILENE, UNCATCHABLE), "this villain cannot be fought")


def test_it_leaves_with_four():
    scene = uncatchable(coins=3).bribes(AT_ABILENE, UNCATCHABLE, coins=1)
    (bribed,) = deeds(idle(scene.leaves(AT_ABILENE, UNCATCHABLE)), Bribed)
    assert bribed.leaves
    assert scene.table.villains[AT_ABILENE] == Villain(None)
    assert scene.table.left == (UNCATCHABLE,)
    assert scene.players[0].coins == 2
    scene = uncatchable(coins=3).bribes(AT_ABILENE, UNCATCHABLE, coins=1).skips()
    refused(scene, "skips a purchase, but expected: Uncatchable leaves Abilene")
    scene = uncatchable(coins=2).bribes(AT_ABILENE, UNCATCHABLE, coins=1)
    refused(scene.leaves(AT_ABILENE, UNCATCHABLE), "Uncatchable leaves Abilene, but expected: pur")


def test_cows_count_for_leaving():
    scene = facing(token=UNCATCHABLE, coins=1, cows=2, uncatchable_villain=True)
    idle(scene.bribes(AT_ABILENE, UNCATCHABLE, coins=1).leaves(AT_ABILENE, UNCATCHABLE))


def in_dodge(vp, face_up=True, **rulings):
    """V2 near Dodge City, V5 on its far side."""
    scene = Scene(**rulings).villain(NEAR_DODGE, V2, face_up).villain(FAR_DODGE, V5, face_up=False)
    return scene.seat(0, vp=vp, hats=4, coins=4)


def test_dodge_city_has_a_villain_on_each_side():
    scene = in_dodge(35).turn(0).fights(FAR_DODGE, V5, hats=4, coins=1)
    idle(scene.gains(("coins", 1), why="pot"))
    assert scene.table.villains[NEAR_DODGE].token == V2


def test_or_both_lie_on_one_stack_by_ruling():
    for vp in (14, 35):
        scene = in_dodge(vp, dodge_city="together").turn(0)
        refused(scene.fights(FAR_DODGE, V5, hats=4, coins=1), "faces V2 on Dodge City \\(near")
        scene = in_dodge(vp, dodge_city="together").turn(0).fights(NEAR_DODGE, V2, hats=3)
        idle(scene.flips(FAR_DODGE, V5).gains(("coins", 1), why="pot"))
        assert scene.table.villains[FAR_DODGE] == Villain(V5, True, 1, 0)
    scene = in_dodge(14, dodge_city="together").turn(0).fights(NEAR_DODGE, V2, hats=3)
    refused(scene.gains(("coins", 1), why="pot").skips(), "expected: turns up V5")


def test_the_second_of_the_stack_is_faced_on_either_side():
    scene = in_dodge(14, dodge_city="together").villain(NEAR_DODGE, V2)
    scene.villain(FAR_DODGE, V5)
    scene.table.villains = tuple(
        Villain(None) if place == NEAR_DODGE else villain
        for place, villain in enumerate(scene.table.villains)
    )
    scene.table.left = (V2,)
    idle(scene.turn(0).bribes(FAR_DODGE, V5, coins=2))
