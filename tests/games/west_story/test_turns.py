"""A player's turn by the rulebook's text: villains, trades, certificates, purchases, resets."""

import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import events
from sim.games.west_story.logbook import Bought, Bribed, Fought, Reset
from sim.games.west_story.rulebook import Villain

from .logs import (
    ABILENE,
    AT_ABILENE,
    AT_SANTA_FE,
    B1,
    B3,
    B4,
    BUILDING,
    DODGE_CITY,
    FAR_DODGE,
    FORT_WORTH,
    NEAR_DODGE,
    PRODUCTION,
    QUADRUPLE_SPOT,
    SANTA_FE,
    SCORING,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    UNCATCHABLE,
    V1,
    V2,
    V3,
    V4,
    V5,
    V7,
    V8,
    WILD_SPOT,
)
from .table import Scene, deeds


def refused(scene, match, seat=0):
    with pytest.raises(RuleBroken, match=match):
        scene.plays(seat)


def idle(scene):
    """Skip both purchases and judge the turn."""
    return scene.skips().skips().plays()


# 1. Face a villain!


def facing(token=V1, coins=1, cows=0, owned=None, **rulings):
    """Seat 0 begins its turn at Abilene, where a token (V1: 2 hats + 1 coin) lies face up."""
    scene = Scene(**rulings).villain(AT_ABILENE, token, coins=coins, cows=cows)
    return scene.seat(0, vp=7, **({"coins": 3, "hats": 3, "cows": 0} | (owned or {}))).turn(0)


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


# 2. Trade with a town


def trading(vp=0, **seat):
    """Seat 0 of three at Fort Worth (1 hat + 1 coin; all symbols free)."""
    return Scene(3).seat(0, vp=vp, **({"hats": 2, "coins": 4} | seat)).turn(0)


def test_trade_puts_a_disc_and_executes_an_action_with_the_symbol():
    scene = trading().trades(FORT_WORTH, 1, T2, hats=1, coins=1).executes(T2).gains(("coins", 2))
    idle(scene)
    player = scene.players[0]
    assert (player.coins, player.discs, player.marks) == (5, 7, {T2})
    assert scene.table.discs[FORT_WORTH] == (None, 0, None, None, None, None)


def test_cows_pay_for_trades():
    scene = trading(hats=0, coins=0, cows=2).trades(FORT_WORTH, 1, T2, cows=2)
    idle(scene.executes(T2).gains(("coins", 2)))


@pytest.mark.parametrize("paid", [{"hats": 1}, {"coins": 1}, {"hats": 2}, {"hats": 1, "coins": 2}])
def test_a_trade_costs_what_the_town_says(paid):
    refused(trading().trades(FORT_WORTH, 1, T2, **paid), "the cost is 1 hats and 1 coins, cows")


def test_the_town_is_that_of_the_area():
    scene = trading().trades(ABILENE, 1, T4, hats=1, coins=1)
    refused(scene, "trades with Abilene .* its marker lies in Fort Worth \\(near side\\)")
    scene = trading(vp=42).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene, "its marker lies in Lake")
    scene = Scene(3).seat(0, vp=50, hats=2).villain(5, V1)
    scene.table.villains = (*scene.table.villains[:5], Villain(None))
    scene.table.left = (V1,)
    scene.turn(0).trades(FORT_WORTH, 1, T2, hats=1, coins=1).executes(T2).gains(("coins", 2))
    idle(scene)


def test_the_action_has_the_symbol():
    scene = trading().trades(FORT_WORTH, 1, T1, hats=1, coins=1)
    refused(scene, "marks top 1 \\(trade\\), but expected: marks one of top 2, top 6, bottom 4 ")


def test_either_symbol_of_a_building_will_do():
    for symbol in (0, 3):
        scene = trading(cards=[(T3, "ranch revolver wheel")])
        scene.trades(FORT_WORTH, symbol, T3, hats=1, coins=1).executes(T3).gains(("cows", 2))
        scene.skips().gains(("coins", 1), why="herd_bonus").skips().plays()


def test_an_animal_is_no_replacement_for_a_symbol():
    scene = trading(cards=[(T2, "mustang")]).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene, "expected: marks one of top 6, bottom 4 ")
    scene = trading(cards=[(T2, "mustang")]).trades(FORT_WORTH, QUADRUPLE_SPOT, T2, hats=1, coins=1)
    refused(scene, "marks top 2 \\(trade\\), but expected: marks one of top 1, top 3, top 4")


@pytest.mark.parametrize("spot", [T1, T2, T3, T4])
def test_the_quadruple_symbol_is_any_of_the_four(spot):
    scene = trading().trades(FORT_WORTH, QUADRUPLE_SPOT, spot, hats=1, coins=1).executes(spot)
    good = {T1: ("hats", 2), T2: ("coins", 2), T3: ("cows", 1), T4: ("hats", 2)}[spot]
    scene.gains(good).skips().skips()
    if spot == T3:
        scene.gains(("coins", 1), why="herd_bonus")
    scene.plays()


def test_the_wild_symbol_executes_an_animal_and_gives_its_bonus():
    scene = trading(cards=[(B1, "coyote")]).trades(FORT_WORTH, WILD_SPOT, B1, hats=1, coins=1)
    scene.executes(B1).gains(("coins", 2)).gains(("coins", 1), why="wild_bonus")
    idle(scene)
    assert scene.players[0].coins == 4 - 1 + 2 + 1


def test_the_wild_symbol_needs_an_animal():
    scene = trading().trades(FORT_WORTH, WILD_SPOT, T1, hats=1, coins=1)
    refused(scene, "it has no unmarked spot to execute there")
    scene = trading(cards=[(B1, "coyote")], marks=[B1]).trades(FORT_WORTH, WILD_SPOT, B1)
    refused(scene, "it has no unmarked spot to execute there")
    scene = trading(cards=[(B1, "coyote")]).trades(FORT_WORTH, WILD_SPOT, T1, hats=1, coins=1)
    refused(scene, "marks top 1 \\(trade\\), but expected: marks one of bottom 1 ")


def test_the_bonus_is_given():
    scene = trading(cards=[(B1, "coyote")]).trades(FORT_WORTH, WILD_SPOT, B1, hats=1, coins=1)
    refused(scene.executes(B1).gains(("coins", 2)).skips(), "expected: gains 1 coins \\(wild bonus")
    scene = trading().trades(FORT_WORTH, 1, T2, hats=1, coins=1).executes(T2).gains(("coins", 2))
    refused(scene.gains(("coins", 1), why="wild_bonus"), "but expected: purchase 1")


def test_a_bonus_of_vp_moves_the_marker():
    scene = Scene(3).seat(0, vp=34, hats=2, coins=4, cards=[(B1, "coyote")])
    scene.table.villains = tuple(
        Villain(None) if place == AT_SANTA_FE else villain
        for place, villain in enumerate(scene.table.villains)
    )
    scene.table.left = (AT_SANTA_FE,)
    scene.turn(0).trades(SANTA_FE, WILD_SPOT, B1, hats=1, coins=2).executes(B1)
    scene.gains(("coins", 2)).gains(("vp", 2), why="wild_bonus").flips(FAR_DODGE, V5)
    scene.skips().skips().plays()
    assert scene.players[0].vp_sources["wild"] == 2


def test_a_free_trade_costs_nothing_and_is_used_up():
    scene = trading(free_trade=True, hats=0, coins=0).trades(FORT_WORTH, 1, T2)
    scene.executes(T2).gains(("coins", 2)).skips().skips().plays()
    scene = trading(free_trade=True).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene, "the cost is 0 hats and 0 coins")


def test_one_trade_a_turn():
    scene = trading().trades(FORT_WORTH, 1, T2, hats=1, coins=1).executes(T2).gains(("coins", 2))
    refused(scene.trades(FORT_WORTH, 2, T3, hats=1, coins=1), "it has traded in this turn")


def test_a_trade_comes_before_purchases():
    scene = trading().skips().trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene, "trades come before purchases")


def test_a_taken_symbol_is_not_available():
    for owners in ((0,), (1,)):
        scene = trading().discs(FORT_WORTH, *owners).trades(FORT_WORTH, 0, T1, hats=1, coins=1)
        refused(scene, "a disc lies on that symbol")


def test_up_to_three_times_with_one_town():
    scene = trading().discs(FORT_WORTH, 0, 0).trades(FORT_WORTH, 2, T3, hats=1, coins=1)
    scene.executes(T3).gains(("cows", 1)).skips().skips().gains(("coins", 1), why="herd_bonus")
    scene.plays()
    scene = trading().discs(FORT_WORTH, 0, 0, 0).trades(FORT_WORTH, 3, T4, hats=1, coins=1)
    refused(scene, "it has traded 3 times with Fort Worth")
    scene = trading().discs(FORT_WORTH, 1, 0, 0).trades(FORT_WORTH, 3, T4, hats=1, coins=1)
    idle(scene.executes(T4).gains(("hats", 2)))


def test_as_long_as_there_are_discs():
    scene = trading().discs(ABILENE, 0, 0, 0).discs(DODGE_CITY, 0, 0, 0).discs(SANTA_FE, 0, 0)
    refused(scene.trades(FORT_WORTH, 1, T2, hats=1, coins=1), "it has no disc left")


def test_two_players_find_the_first_symbol_covered():
    scene = Scene(2).seat(0, hats=2).turn(0).trades(FORT_WORTH, 0, T1, hats=1, coins=1)
    refused(scene, "a disc lies on that symbol")
    for players in (3, 4):
        scene = Scene(players).seat(0, hats=2).turn(0)
        scene.trades(FORT_WORTH, 0, T1, hats=1, coins=1).executes(T1).gains(("hats", 2))
        scene.skips().skips().plays()


def test_no_trade_without_an_action_to_mark():
    scene = trading(marks=[T2, T6, B4]).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene, "it has no unmarked spot to execute there")


def test_a_trade_makes_no_combo():
    """A marked revolver and a traded one."""
    scene = trading(marks=[B3]).trades(FORT_WORTH, 0, T1, hats=1, coins=1)
    refused(scene.own(events.MARK, T5, events.COMBO, 0), "expected: executes one of top 1")


def test_a_trade_that_fills_a_row_clears_it():
    scene = trading(marks=[T1, T3, T4, T5, T6]).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    idle(scene.executes(T2).gains(("coins", 2)).clears(0))
    assert not scene.players[0].marks
    scene = trading(marks=[T1, T3, T4, T5, T6]).trades(FORT_WORTH, 1, T2, hats=1, coins=1)
    refused(scene.executes(T2).gains(("coins", 2)).skips(), "expected: clears the top row")


def test_a_trade_works_with_the_villain_there():
    """Who has paid it may trade."""
    scene = facing().bribes(AT_ABILENE, V1, coins=1).trades(ABILENE, 2, T1, hats=1, coins=1)
    idle(scene.executes(T1).gains(("hats", 2)).gains(("coins", 1), why="hat_bonus"))


# Railroad certificates


def in_desert(**seat):
    """The stacks are certificates 0 on 1 and 2 on 3; seat 0 is in the desert without a villain."""
    scene = Scene().seat(0, vp=21, **({"coins": 8} | seat))
    scene.table.villains = (*scene.table.villains[:2], Villain(None), *scene.table.villains[3:])
    scene.table.left = (2,)
    return scene.turn(0)


@pytest.mark.parametrize(
    ("stack", "end", "certificate", "cost"),
    [(0, 0, 0, 4), (0, 1, 1, 6), (1, 0, 2, 4), (1, 1, 3, 6)],
)
def test_four_coins_from_the_top_six_from_the_bottom(stack, end, certificate, cost):
    scene = in_desert().certifies(stack, end, certificate, coins=cost)
    idle(scene)
    assert (scene.players[0].certificate, scene.players[0].coins) == (certificate, 8 - cost)
    assert len(scene.table.certificates[stack]) == 1
    wrong = in_desert().certifies(stack, end, certificate, coins=10 - cost)
    refused(wrong, f"the cost is 0 hats and {cost} coins")


def test_the_last_one_of_a_stack_is_on_top():
    for end in (0, 1):
        scene = in_desert()
        scene.table.certificates = ((1,), (2, 3))
        scene.table.players[1].certificate = 0
        idle(scene.certifies(0, end, 1, coins=4))


def test_cows_pay_for_certificates_hats_do_not():
    scene = in_desert(cows=3, coins=1).certifies(0, 0, 0, coins=1, cows=3)
    scene.skips().skips().plays()
    scene = in_desert(hats=2).certifies(0, 0, 0, hats=2, coins=2)
    refused(scene, "the cost is 0 hats and 4 coins")


def test_only_in_the_desert():
    scene = Scene().seat(0, vp=20, coins=8).villain(NEAR_DODGE, V2).turn(0)
    refused(scene.certifies(0, 0, 0, coins=4), "its marker lies in Dodge City \\(near side\\)")


def test_one_certificate_a_player():
    scene = in_desert().certifies(0, 0, 0, coins=4).certifies(0, 0, 1, coins=4)
    refused(scene, "it has a certificate")


def test_what_is_bought_lies_there():
    for stack, end, certificate in ((0, 0, 1), (0, 0, 5), (2, 0, 0), (0, 2, 0)):
        scene = in_desert().certifies(stack, end, certificate, coins=4)
        refused(scene, "but the stacks are")


def test_at_any_moment_of_the_turn():
    """Before facing the villain, between the purchases and after them."""
    scene = Scene().seat(0, vp=21, coins=8).villain(2, V1).turn(0)
    scene.certifies(0, 0, 0, coins=4).bribes(2, V1, coins=1)
    idle(scene)
    in_desert().skips().certifies(0, 0, 0, coins=4).skips().plays()
    in_desert().skips().skips().certifies(0, 0, 0, coins=4).plays()


# 3. Purchase cards


def shopping(**seat):
    """Seat 0 can buy a Posse (2 coins), a Rodeo (3 hats) and a Bank (6 coins) on first slots."""
    scene = Scene().seat(0, **({"coins": 8, "hats": 4, "cows": 0} | seat))
    scene.posse = scene.offer(PRODUCTION, 0, "posse wheel")
    scene.rodeo = scene.offer(PRODUCTION, 1, "rodeo star")
    scene.bank = scene.offer(BUILDING, 0, "bank star wheel")
    scene.newspaper = scene.offer(PRODUCTION, 2, "newspaper star")
    return scene.turn(0)


def test_purchase_of_none_adds_two_cows():
    scene = shopping()
    scene.skips().skips().plays()
    assert (scene.players[0].cows, scene.players[0].hats) == (2, 0)


@pytest.mark.parametrize("skip_first", [True, False])
def test_purchase_of_one_adds_a_cow_before_or_after(skip_first):
    scene = shopping()
    if skip_first:
        scene.skips()
    scene.buys(PRODUCTION, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    if not skip_first:
        scene.skips()
    event = scene.plays()
    assert (scene.players[0].coins, scene.players[0].cows) == (6, 1)
    assert event.hats_lost == 4


def test_purchase_of_two():
    scene = shopping()
    scene.buys(PRODUCTION, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    scene.buys(PRODUCTION, 1, scene.rodeo, B1, hats=3).gains(("vp", 1), why="card")
    event = scene.plays()
    player = scene.players[0]
    assert (player.coins, player.hats, player.cows, player.vp) == (6, 0, 0, 2)
    assert (player.stacks[T3], player.stacks[B1]) == ((scene.posse,), (scene.rodeo,))
    assert [slot for _, slot, _ in event.drawn] == [0, 1]
    assert event.hats_lost == 1


def test_a_cow_bought_first_may_pay():
    scene = shopping(coins=1)
    scene.skips().buys(PRODUCTION, 0, scene.posse, T3, coins=1, cows=1)
    scene.gains(("vp", 1), why="card").plays()


def test_a_third_purchase_or_one_too_few():
    refused(shopping().skips(), "the log stops, but expected: purchase 2 of the turn")
    refused(shopping(), "the log stops, but expected: purchase 1 of the turn")
    refused(shopping().skips().skips().skips(), "but a turn has 2 purchases")
    scene = shopping().skips().skips()
    refused(scene.buys(0, 0, scene.posse, T3, coins=2), "but a turn has 2 purchases")
    refused(shopping().skips().skips().resets(0, [(0, 0)], hats=1), "but a turn has 2 purchases")


@pytest.mark.parametrize(
    "paid", [{}, {"coins": 1}, {"coins": 3}, {"hats": 2}, {"coins": 1, "hats": 1}]
)
def test_a_card_costs_what_is_printed(paid):
    scene = shopping()
    refused(scene.buys(0, 0, scene.posse, T3, **paid), "the cost is 0 hats and 2 coins")


def test_cows_are_coins_or_hats():
    for paid in ({"cows": 2}, {"coins": 1, "cows": 1}, {"coins": 2}):
        scene = shopping(cows=2)
        scene.buys(0, 0, scene.posse, T3, **paid).gains(("vp", 1), why="card").skips()
        if paid == {"coins": 2}:
            scene.gains(("coins", 1), why="herd_bonus")
        scene.plays()
    scene = shopping(cows=2)
    scene.buys(0, 1, scene.rodeo, T3, hats=1, cows=2).gains(("vp", 1), why="card").skips().plays()


def test_covering_a_card():
    scene = shopping(cards=[(T3, "mustang")])
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card").skips()
    (bought,) = deeds(scene.plays(), Bought)
    mustang = scene.kind("mustang")
    assert bought.covers == mustang
    assert scene.players[0].stacks[T3] == (mustang, scene.posse)
    assert not scene.table.action(0, T3).wild


def test_nothing_is_put_on_a_marker():
    scene = shopping(marks=[T3])
    refused(scene.buys(0, 0, scene.posse, T3, coins=2), "buys Posse .* a marker lies there")


def test_nor_beside_the_board():
    for spot in (-1, 12):
        scene = shopping()
        refused(scene.buys(0, 0, scene.posse, spot, coins=2), "there are spots 0 to 11")


def test_only_what_lies_in_the_market():
    for deck, slot in ((0, 1), (1, 0), (2, 3), (3, 0)):
        scene = shopping()
        refused(scene.buys(deck, slot, scene.posse, T3, coins=2), "that card does not lie there")
    scene = shopping()
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    refused(scene.buys(0, 0, scene.posse, T4, coins=2), "that card does not lie there")
    scene = shopping()
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    refused(scene.buys(0, 0, -1, T4, coins=2), "that card does not lie there")


def test_printed_vp_move_the_marker():
    scene = shopping(vp=6, coins=9)
    scene.buys(BUILDING, 0, scene.bank, T3, coins=6).gains(("vp", 4), why="card").flips(0, V1)
    scene.skips().plays()
    assert (scene.players[0].vp, scene.players[0].vp_sources["printed"]) == (10, 4)
    scene = shopping()
    scene.buys(BUILDING, 0, scene.bank, T3, coins=6).gains(("vp", 3), why="card")
    refused(scene, "gains 3 vp \\(card\\), but expected: gains 4 vp \\(card\\)")


def test_a_discount_is_for_both_cards_together():
    for first, second in ((2, 0), (1, 1), (0, 2), (0, 0)):
        scene = shopping(discount=2)
        scene.buys(0, 0, scene.posse, T3, coins=2 - first).gains(("vp", 1), why="card")
        scene.buys(0, 2, scene.newspaper, T4, coins=3 - second).gains(("vp", 1), why="card")
        scene.plays()
        assert scene.players[0].discount == 0
    scene = shopping(discount=2)
    scene.buys(0, 0, scene.posse, T3).gains(("vp", 1), why="card")
    refused(scene.buys(0, 2, scene.newspaper, T4, coins=2), "the cost is 0 hats and 3 coins, cows")


def test_a_discount_is_for_hats_too():
    scene = shopping(discount=2)
    scene.buys(0, 1, scene.rodeo, T3, hats=1).gains(("vp", 1), why="card").skips().plays()


def test_a_discount_is_for_cards_only():
    scene = in_desert(discount=2).certifies(0, 0, 0, coins=2)
    refused(scene, "the cost is 0 hats and 4 coins")
    scene = trading(discount=2).trades(FORT_WORTH, 1, T2)
    refused(scene, "the cost is 1 hats and 1 coins")


@pytest.mark.parametrize("ruling", ["vp", "nothing"])
def test_a_skip_with_a_full_herd(ruling):
    scene = Scene(skip_cow_overflow=ruling).seat(0, cows=6).turn(0)
    for _ in range(2):
        scene.skips(cows=0)
        if ruling == "vp":
            scene.gains(("vp", 1), why="too_many_cows")
    scene.plays()
    assert scene.players[0].vp == (2 if ruling == "vp" else 0)
    other = "nothing" if ruling == "vp" else "vp"
    scene = Scene(skip_cow_overflow=other).seat(0, cows=6).turn(0)
    for _ in range(2):
        scene.skips(cows=0)
        if ruling == "vp":
            scene.gains(("vp", 1), why="too_many_cows")
    refused(scene, "expected")


def test_a_skip_gives_a_cow():
    refused(shopping().skips(cows=0).skips(), "expected: gains 1 cows \\(skip\\)")
    refused(shopping().own(events.SKIP).gains(("cows", 2), why="skip"), "expected: gains 1 cows")


def test_the_market_is_refilled_when_done_purchasing():
    scene = shopping()
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card").skips()
    top = scene.table.decks[0][0]
    scene.draws(0, 0, top).plays(draws=True)
    assert scene.table.market[0][0] == top
    scene = shopping()
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    scene.draws(0, 0, scene.table.decks[0][0]).skips()
    with pytest.raises(RuleBroken, match=r"comes to slot 0 .*, but expected: purchase 2"):
        scene.plays(draws=True)


def test_an_empty_deck_leaves_its_row_short():
    scene = shopping()
    scene.table.players[1].stacks = (scene.table.decks[0], *scene.table.players[1].stacks[1:])
    scene.table.decks = ((), *scene.table.decks[1:])
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card").skips()
    assert scene.plays(draws=True).drawn == ()
    assert scene.table.market[0][0] is None


# Market reset


def row_of(scene, deck):
    return list(enumerate(scene.table.market[deck]))


@pytest.mark.parametrize("slots", [[0], [3, 1], [2, 0, 1, 3]])
def test_one_to_four_cards_of_a_row_go_under_their_deck_in_random_order(slots):
    scene = Scene().seat(0, hats=1, cows=0).turn(0)
    cards = [row_of(scene, SCORING)[slot] for slot in slots]
    scene.resets(SCORING, cards, hats=1)
    deck = scene.table.decks[SCORING]
    for slot, kind in zip(sorted(slots), deck, strict=False):
        scene.draws(SCORING, slot, kind)
    (reset,) = deeds(scene.skips().skips().plays(draws=True), Reset)
    assert reset.cards == tuple(sorted(cards))
    assert scene.table.decks[SCORING] == (*deck[len(slots) :], *(kind for _, kind in cards))
    assert scene.players[0].hats == 0


def test_a_reset_costs_a_hat_or_a_cow():
    for seat, paid in (({"hats": 1}, {"hats": 1}), ({"cows": 1}, {"cows": 1})):
        scene = Scene().seat(0, **({"cows": 0} | seat)).turn(0)
        scene.resets(SCORING, row_of(scene, SCORING)[:1], **paid).skips().skips().plays()
    for paid in ({}, {"coins": 1}, {"hats": 2}):
        scene = Scene().seat(0, hats=3).turn(0)
        scene.resets(SCORING, row_of(scene, SCORING)[:1], **paid)
        refused(scene, "the cost is 1 hats and 0 coins")


def test_one_reset_a_turn():
    scene = Scene().seat(0, hats=3, cows=0).turn(0)
    scene.resets(SCORING, row_of(scene, SCORING)[:1], hats=1)
    refused(scene.resets(BUILDING, row_of(scene, BUILDING)[:1], hats=1), "it has reset a row")


def test_a_reset_between_purchases_fills_its_whole_row():
    scene = shopping()
    scene.buys(0, 0, scene.posse, T3, coins=2).gains(("vp", 1), why="card")
    deck = scene.table.decks[0]
    scene.resets(0, [(1, scene.rodeo)], hats=1).draws(0, 0, deck[0]).draws(0, 1, deck[1])
    scene.skips().plays(draws=True)


def test_a_trade_comes_before_a_reset():
    scene = trading()
    scene.resets(SCORING, row_of(scene, SCORING)[:1], hats=1)
    refused(scene.trades(FORT_WORTH, 1, T2, hats=1, coins=1), "trades come before purchases")


def test_what_is_returned_is_what_lay_there():
    scene = Scene().seat(0, hats=1).turn(0)
    refused(scene.resets(SCORING, [(0, 0)], hats=1), "the cards of that row, slot by slot")
    scene = Scene().seat(0, hats=1).turn(0)
    card = row_of(scene, SCORING)[0]
    refused(scene.resets(SCORING, [card, card], hats=1), "the cards of that row, slot by slot")
    scene = Scene().seat(0, hats=1).turn(0)
    refused(scene.resets(SCORING, [], hats=1), "1 to 4 cards of one row")
    scene = Scene().seat(0, hats=1).turn(0)
    scene.resets(SCORING, row_of(scene, SCORING)[:2], hats=1)
    scene.rows[-1][5] = scene.rows[-2][5] + 1
    refused(scene, "goes under the scoring deck as number 1, but expected: card 1 goes under")


# 4. Reset your hat track


def test_hats_and_abilities_are_gone_after_the_turn():
    scene = Scene().seat(0, hats=5, cows=0, discount=2, fight=3, free_trade=True).turn(0)
    assert idle(scene).hats_lost == 5
    player = scene.players[0]
    assert (player.hats, player.discount, player.fight, player.free_trade) == (0, 0, 0, False)


# Gold Panning in a turn, wild tokens


def test_reaching_the_lake_takes_a_coin_of_the_pan():
    scene = shopping(vp=40)
    scene.villain(FAR_DODGE, V1, coins=1)
    scene.bribes(FAR_DODGE, V1, coins=1)
    scene.buys(BUILDING, 0, scene.bank, T3, coins=6).gains(("vp", 4), why="card").lake()
    scene.skips().plays()
    assert (scene.table.pan, scene.players[0].coins) == (11, 2)


def test_not_again_and_not_from_an_empty_pan():
    for vp, pan in ((43, 12), (41, 0)):
        scene = shopping(vp=vp)
        scene.table.pan = pan
        scene.villain(FAR_DODGE, V1, coins=1)
        if vp < 42:
            scene.bribes(FAR_DODGE, V1, coins=1)
        scene.buys(BUILDING, 0, scene.bank, T3, coins=6).gains(("vp", 4), why="card")
        refused(scene.lake(), "gets a coin of the pan at the lake, but expected: purchase 2")


def test_wild_tokens_at_12_and_22():
    scene = Scene(wild_tokens=True).seat(0, vp=11, coins=9, cows=0).villain(AT_ABILENE, V1)
    scene.offer(BUILDING, 0, "bank star wheel")
    bank = scene.table.market[BUILDING][0]
    scene.turn(0).bribes(AT_ABILENE, V1, coins=1)
    scene.buys(BUILDING, 0, bank, T3, coins=6).gains(("vp", 4), why="card")
    scene.picks_token(12).flips(NEAR_DODGE, V2).skips().plays()
    assert scene.players[0].wild_tokens == 1
