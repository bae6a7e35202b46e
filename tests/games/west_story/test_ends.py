"""The end of a round and of the game by the rulebook's text: gold pan, dice, scores, ties."""

import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import endgame, phases
from sim.games.west_story.logbook import AtTheLake, DicePassed, GameOver
from sim.games.west_story.rulebook import LakeCoin

from .logs import (
    ABILENE,
    B1,
    DODGE_CITY,
    FORT_WORTH,
    SANTA_FE,
    T1,
    T2,
    T3,
    T6,
    V1,
    V2,
    V3,
    V5,
    V8,
)
from .table import Scene


def quiet(scene, *first, lake=()):
    """Write a round in which all get 2 coins and 2 hats (or 1 VP and 2 coins), then 2 cows.

    `first` are those who take a VP to reach the lake, `lake` pairs of seat and pan coin.
    """
    order = scene.table.order()
    scene.by(order[0]).rolls(6 if first else 1, 1)
    for seat in order:
        spot = T6 if first else T1
        scene.by(seat).marks(spot, B1)
        if first:
            scene.executes(T6, int(seat in first))
            scene.gains(("vp", 1) if seat in first else ("coins", 2))
        else:
            scene.executes(T1).gains(("hats", 2))
        scene.executes(B1).gains(("coins", 2))
    for seat, from_pan in lake:
        scene.by(seat).lake(from_pan)
    for seat in order:
        scene.turn(seat).skips().skips()
    return scene


def refused(scene, match):
    with pytest.raises(RuleBroken, match=match):
        scene.ends_round()


def rich(*coins, first=0, pan=12, players=None, **rulings):
    """Seats with so many coins at the end of a quiet round."""
    scene = Scene(players or len(coins), **rulings)
    for seat, amount in enumerate(coins):
        scene.seat(seat, coins=amount - 2)
    scene.table.first, scene.table.pan = first, pan
    return quiet(scene)


# D. Pass the Dice


def test_the_richest_gets_the_dice_and_a_coin_of_the_pan():
    scene = rich(5, 9, 4)
    *_, passed = scene.richest(1).ends_round()
    assert passed == DicePassed(0, 1, tied=False)
    assert (scene.table.first, scene.table.pan, scene.players[1].coins) == (1, 11, 10)


@pytest.mark.parametrize(("seat", "coin"), [(0, 1), (2, 1), (1, 0)])
def test_nobody_else_does(seat, coin):
    refused(rich(5, 9, 4).richest(seat, coin), "but expected")


@pytest.mark.parametrize(
    ("coins", "first", "next_first"),
    [
        ((9, 9, 4, 4), 0, 1),
        ((9, 9, 4, 4), 1, 0),
        ((9, 9, 4, 4), 2, 0),
        ((9, 4, 9, 4), 0, 2),
        ((9, 4, 9, 4), 2, 0),
        ((9, 9, 9, 9), 3, 0),
        ((4, 9, 4, 9), 3, 1),
    ],
)
def test_tied_the_coin_is_discarded_and_the_closest_to_the_left_gets_the_dice(
    coins, first, next_first
):
    scene = rich(*coins, first=first)
    *_, passed = scene.richest(next_first, 0).ends_round()
    assert passed.tied
    assert [player.coins for player in scene.players] == list(coins)
    assert (scene.table.first, scene.table.pan) == (next_first, 11)
    refused(rich(*coins, first=first).richest(next_first, 1), "but expected: .* coin is discarded")


@pytest.mark.parametrize(("ruling", "seat"), [("coins", 1), ("coins_and_cows", 0)])
def test_cows_make_rich_by_ruling(ruling, seat):
    scene = Scene(2, richest=ruling).seat(0, coins=5, cows=2).seat(1, coins=6)
    assert phases.pass_the_dice(scene.table) == (seat, False)


# Game End


def test_the_game_ends_when_a_coin_cannot_be_taken():
    """The last coin is taken and the game goes on; a round later it ends."""
    events = rich(5, 9, pan=1).richest(1).ends_round()
    assert not any(isinstance(event, GameOver) for event in events)
    scene = rich(5, 9, pan=0)
    *_, over = scene.ends().scores((0, 2, 0), (0, 1, 0)).ends_round()
    assert (over.reason, over.rounds, over.truncated) == ("gold_pan", 1, False)
    refused(rich(5, 9, pan=0).richest(1), "gets the dice .*, but expected: the game is over")
    refused(rich(5, 9, pan=1).ends(), "the game is over .*, but expected: gets the dice")


def test_or_when_the_last_coin_is_taken_by_ruling():
    scene = rich(5, 9, pan=1, end_test="last_taken").richest(1)
    *_, over = scene.ends().scores((0, 2, 0), (0, 1, 0)).ends_round()
    assert over.reason == "gold_pan"
    events = rich(5, 9, pan=2, end_test="last_taken").richest(1).ends_round()
    assert not any(isinstance(event, GameOver) for event in events)


def test_a_coin_that_is_discarded_is_taken_too():
    scene = rich(9, 9, pan=1, end_test="last_taken").richest(1, 0)
    scene.ends().scores((0, 1, 0), (0, 1, 0)).ends_round()


def test_an_empty_pan_ends_it_under_both():
    for ruling in ("cannot_take", "last_taken"):
        scene = rich(5, 9, pan=0, end_test=ruling)
        scene.ends().scores((0, 2, 0), (0, 1, 0)).ends_round()


def test_a_game_cut_off_has_no_ranks():
    scene = rich(5, 9, round_cap=1).richest(1).ends("round_cap")
    *_, over = scene.scores((0, 0, 0), (0, 0, 0)).ends_round()
    assert over.truncated
    scene = rich(5, 9, pan=0, round_cap=1)
    *_, over = scene.ends().scores((0, 2, 0), (0, 1, 0)).ends_round()
    assert not over.truncated


# Gold Panning


def panning(pan, *at_lake, players=3, first=0):
    """Seats one VP before the lake, with marks that let dice 6 and 1 give them one."""
    scene = Scene(players)
    for seat in range(players):
        scene.seat(seat, vp=41 if seat in at_lake else 0, coins=2 + seat)
    scene.table.pan, scene.table.first = pan, first
    return scene


def coins_given(events):
    return [coin for event in events if isinstance(event, AtTheLake) for coin in event.coins]


def test_two_reach_the_lake_in_one_production_with_coins_enough():
    scene = panning(12, 0, 2)
    events = quiet(scene, 0, 2, lake=[(0, 1), (2, 1)]).richest(1, 0).ends_round()
    assert coins_given(events) == [LakeCoin(0, True), LakeCoin(2, True)]
    assert scene.table.pan == 9


def test_the_missing_coin_comes_from_the_bank():
    """Seat 2 is first player and gets the last coin of the pan."""
    scene = quiet(panning(1, 0, 2, first=2), 0, 2, lake=[(2, 1), (0, 0)])
    scene.ends().scores((42, 1, 0), (0, 3, 0), (42, 1, 0))
    scene.rows[-3][4], scene.rows[-1][4] = 2, 1
    events = scene.ends_round()
    assert coins_given(events) == [LakeCoin(2, True), LakeCoin(0, False)]
    wrong = quiet(panning(1, 0, 2, first=2), 0, 2, lake=[(0, 1), (2, 0)])
    refused(wrong, "seat 2: seat 0 gets a coin of the pan .*, but expected: gets a coin of the pan")


def test_both_coins_from_the_bank_if_the_pan_is_empty():
    scene = quiet(panning(0, 0, 1), 0, 1, lake=[(0, 0), (1, 0)])
    scene.ends().scores((42, 2, 0), (42, 1, 0), (0, 3, 0)).ends_round()


def test_one_alone_gets_nothing_from_an_empty_pan():
    scene = quiet(panning(0, 1), 1)
    scene.ends().scores((0, 3, 0), (42, 1, 0), (0, 2, 0)).ends_round()
    refused(quiet(panning(0, 1), 1, lake=[(1, 0)]), "gets a coin of the bank .* expected: begins")
    refused(quiet(panning(0, 1), 1, lake=[(1, 1)]), "gets a coin of the pan .* expected: begins")


def test_the_coin_is_taken():
    refused(quiet(panning(5, 1), 1), "begins its turn, but expected: gets a coin of the pan")


# What counts at the end


def parts(scene, seat=0):
    return {part: vp for part, vp in endgame.final_parts(scene.table, seat).items() if vp}


def owns(*cards, **seat):
    """Seat 0 (printed: revolver) with cards on the spots in turn."""
    return Scene(3).seat(
        0, cards=[(number % 12, card) for number, card in enumerate(cards)], **seat
    )


@pytest.mark.parametrize(("others", "vp"), [(0, 1), (2, 3), (3, 4), (4, 4)])
def test_mustang_counts_animals_itself_included(others, vp):
    scene = owns("mustang", *["bear", "bear", "bear", "mustang"][:others], "posse star")
    assert endgame.card_vp(scene.table, 0)[0] == vp


@pytest.mark.parametrize(("posses", "vp"), [(0, 0), (1, 0), (3, 1), (8, 4), (12, 4)])
def test_eagle_counts_the_most_frequent_symbol(posses, vp):
    names = ("stagecoach", "posse", "cattle_drive", "prospector", "trading_post", "wagon_train")
    names += ("newspaper", "rodeo", "longhorn", "beaver", "rattlesnake")
    wheels = [*(f"{name} wheel" for name in names), "bank star wheel"][:posses]
    scene = owns("eagle", "mustang", *wheels)
    assert endgame.card_vp(scene.table, 0)[0] == vp


@pytest.mark.parametrize(("buildings", "vp"), [(0, 0), (1, 1), (5, 5), (6, 5)])
def test_bison_counts_buildings(buildings, vp):
    towns = [f"{name} star wheel" for name in ("workshop", "trappers_hut", "ranch", "hotel")]
    scene = owns("bison", *[*towns, "bank star wheel", "bank horseshoe star"][:buildings])
    assert endgame.card_vp(scene.table, 0) == [vp]


@pytest.mark.parametrize(("villains", "vp"), [((), 0), ((V1,), 2), ((V1, V2, V3, V5), 6)])
def test_coyote_counts_villains(villains, vp):
    assert endgame.card_vp(owns("coyote", villains=villains).table, 0) == [vp]


@pytest.mark.parametrize(("discs", "vp"), [(1, 0), (2, 1), (5, 2), (8, 4)])
def test_bear_counts_pairs_of_discs(discs, vp):
    scene = owns("bear")
    for number in range(discs):
        scene.discs(number // 2, 0)
    assert endgame.card_vp(scene.table, 0) == [vp]


@pytest.mark.parametrize(("cows", "vp"), [(1, 0), (2, 1), (5, 2), (6, 3)])
def test_longhorn_counts_pairs_of_cows(cows, vp):
    assert endgame.card_vp(owns("longhorn star", cows=cows).table, 0) == [vp]


@pytest.mark.parametrize(("cards", "vp"), [(2, 0), (3, 1), (6, 2)])
def test_beaver_counts_production_cards(cards, vp):
    names = ("stagecoach", "posse", "cattle_drive", "prospector", "trading_post", "wagon_train")
    scene = owns("beaver star", *[f"{name} star" for name in names][:cards], "bank star wheel")
    assert endgame.card_vp(scene.table, 0)[0] == vp


@pytest.mark.parametrize(
    ("cards", "vp"),
    [
        ((), 0),
        (("posse horseshoe", "posse star"), 0),
        (("posse horseshoe", "bank star wheel"), 2),
        (("bank revolver horseshoe", "hotel star wheel", "ranch horseshoe wheel"), 2),
        (("bank revolver horseshoe", "hotel star wheel", "ranch horseshoe wheel", "posse star"), 4),
    ],
)
def test_rattlesnake_counts_sets_of_all_symbols(cards, vp):
    scene = owns("rattlesnake revolver", "mustang", *cards)
    assert endgame.card_vp(scene.table, 0)[0] == vp


def test_rattlesnake_has_a_limit():
    names = ("posse", "rodeo", "newspaper")
    symbols = ("revolver", "horseshoe", "star", "wheel")
    cards = [f"{name} {symbol}" for name in names for symbol in symbols]
    scene = owns("rattlesnake revolver", *cards)
    assert endgame.card_vp(scene.table, 0)[0] == 4


def test_two_points_for_each_card_with_the_printed_symbol():
    """Covered cards count, buildings count by either symbol, animals do not count."""
    cards = [
        (T1, "posse revolver"),
        (T1, "mustang"),
        (T2, "bank revolver star"),
        (T3, "posse star"),
    ]
    scene = Scene(3).seat(0, cards=cards)
    assert parts(scene)["licence"] == 4
    scene = Scene(3, licence_vp=1).seat(0, cards=cards)
    assert parts(scene)["licence"] == 2


def test_a_certificate_counts_pairs_instead():
    """Certificate 0 is revolver + horseshoe."""
    cards = ("posse revolver", "bank revolver horseshoe", "posse horseshoe", "rodeo horseshoe")
    assert parts(owns(*cards, certificate=0)) == {"certificate": 6}
    assert parts(owns(*cards)) == {"licence": 4}
    assert parts(owns("posse revolver", "mustang", certificate=0)) == {"cards": 2 - 1}


def test_discs_score_by_their_number_in_a_town():
    scene = Scene(3).discs(FORT_WORTH, 0, 0, 0, 1).discs(ABILENE, 1, 1).discs(DODGE_CITY, 0)
    assert parts(scene, 0) == {"towns": 6 + 2}
    assert parts(scene, 1) == {"towns": 1 + 4}
    assert parts(scene.discs(SANTA_FE, 0, 0), 0) == {"towns": 6 + 2 + 5}


def test_villains_score_at_the_end_unless_they_did_at_once():
    for ruling, due in (("end", {"villains": 8}), ("at_once", {})):
        scene = Scene(2, villain_vp=ruling).seat(0, villains=(V1, V8))
        assert parts(scene) == due
        assert endgame.villain_vp(scene.table, 0) == 8


def test_all_is_added_to_the_marker():
    scene = owns("posse revolver", "mustang", vp=20, villains=(V1,)).discs(FORT_WORTH, 0)
    assert endgame.score_of(scene.table, 0) == 20 + 2 + 2 + 1 + 1


# Who wins


@pytest.mark.parametrize(
    ("seats", "ranks"),
    [
        ([{"vp": 10}, {"vp": 12}, {"vp": 11}], [3, 1, 2]),
        ([{"vp": 10}, {"vp": 8, "villains": (V1,)}, {"vp": 9}], [2, 1, 3]),
        ([{"vp": 10}, {"vp": 10, "cows": 1}, {"vp": 10, "coins": 5}], [3, 1, 1]),
        ([{"vp": 10}, {"vp": 10, "coins": 3, "cows": 1}, {"vp": 9}], [1, 1, 3]),
        ([{"vp": 10, "coins": 9}, {"vp": 8, "villains": (V2,), "coins": 0}, {"vp": 1}], [2, 1, 3]),
        ([{"vp": 5}, {"vp": 5}, {"vp": 5}], [1, 1, 1]),
    ],
)
def test_ties_are_broken_by_villains_then_by_coins_and_cows(seats, ranks):
    scene = Scene(3)
    for seat, has in enumerate(seats):
        scene.seat(seat, **has)
    assert endgame.ranking(scene.table) == ranks
