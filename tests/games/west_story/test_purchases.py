"""Purchases, market resets and what a turn ends with, by the rulebook's text."""

import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import events
from sim.games.west_story.logbook import Bought, Reset

from .logs import (
    AT_ABILENE,
    B1,
    BUILDING,
    FAR_DODGE,
    FORT_WORTH,
    NEAR_DODGE,
    PRODUCTION,
    SCORING,
    T2,
    T3,
    T4,
    V1,
    V2,
)
from .scenes import idle, in_desert, refused, row_of, shopping, trading
from .table import Scene, deeds

# 3. Purchase cards


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
