"""Town trades and railroad certificates by the rulebook's text."""

import pytest

from sim.games.west_story import events
from sim.games.west_story.rulebook import Villain

from .logs import (
    ABILENE,
    AT_ABILENE,
    AT_SANTA_FE,
    B1,
    B3,
    B4,
    DODGE_CITY,
    FAR_DODGE,
    FORT_WORTH,
    NEAR_DODGE,
    QUADRUPLE_SPOT,
    SANTA_FE,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    V1,
    V2,
    V5,
    WILD_SPOT,
)
from .scenes import facing, idle, in_desert, refused, trading
from .table import Scene

# 2. Trade with a town


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
