"""Production by the rulebook's text: marks, combos, wild symbols, limits, bonuses, full rows."""

import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import events
from sim.games.west_story.logbook import ComboCow, Executed, Marked
from sim.games.west_story.rulebook import Gain

from .logs import B1, B2, B3, B4, B5, B6, T1, T2, T3, T4, T5, T6, V1
from .shipped import with_changes
from .table import Scene, deeds


def marks(event):
    return [(mark.spot, mark.why, mark.moved) for mark in deeds(event, Marked)]


def gained(event):
    return [
        (gain.what, gain.amount, gain.why)
        for executed in deeds(event, Executed | ComboCow)
        for gain in executed.outcome
        if isinstance(gain, Gain)
    ]


def refused(scene, yellow, green, match):
    with pytest.raises(RuleBroken, match=match):
        scene.produces(yellow, green)


# Marks


def test_dice_mark_an_action_in_each_row_and_both_are_executed():
    scene = Scene().marks(T1, B1)
    scene.executes(T1).gains(("hats", 2)).executes(B1).gains(("coins", 2))
    event = scene.produces(1, 1)
    assert marks(event) == [(T1, "yellow", False), (B1, "green", False)]
    assert scene.players[0].marks == {T1, B1}
    assert (scene.players[0].hats, scene.players[0].coins) == (2, 6)


def test_actions_are_executed_in_any_order():
    scene = Scene().marks(T1, B1)
    scene.executes(B1).gains(("coins", 2)).executes(T1).gains(("hats", 2)).produces(1, 1)


def test_a_marked_action_moves_the_marker_right_to_the_first_available():
    scene = Scene().seat(0, marks=[T1, T2]).marks(T3, B2)
    scene.executes(T3).gains(("cows", 1)).executes(B2).gains(("coins", 1), ("hats", 1))
    assert marks(scene.produces(1, 2))[0] == (T3, "yellow", True)


def test_and_around_from_action_6_to_1_and_further():
    scene = Scene().seat(0, marks=[T6, T1, T2]).marks(T3, B2)
    scene.executes(T3).gains(("cows", 1)).executes(B2).gains(("coins", 1), ("hats", 1))
    assert marks(scene.produces(6, 2))[0] == (T3, "yellow", True)


@pytest.mark.parametrize("spot", [T2, T4, T6, B1])
def test_no_other_spot_may_be_marked(spot):
    scene = Scene().seat(0, marks=[T2]).marks(spot, B2)
    refused(scene, 2, 2, "seat 0: marks .*, but expected: marks one of top 3")


def test_a_marked_action_is_executed_once():
    scene = Scene().marks(T1, B1).executes(T1).gains(("hats", 2)).executes(T1)
    refused(scene, 1, 1, "executes top 1, .* expected: executes one of bottom 1")


# Combos


def test_two_actions_with_the_same_symbol_give_a_combo():
    scene = Scene().marks(T1, B3, combo=T5)
    scene.executes(T1).gains(("hats", 2)).executes(B3).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus").executes(T5).gains(("coins", 2))
    assert marks(scene.produces(1, 3))[2] == (T5, "combo", False)


def test_the_combo_has_the_same_symbol():
    refused(Scene().marks(T1, B3, combo=T4), 1, 3, "expected: marks one of top 5 ")


def test_a_combo_is_used_if_a_spot_is_there():
    refused(Scene().marks(T1, B3).executes(T1), 1, 3, "expected: marks one of top 5 ")


def test_without_the_same_symbol_there_is_no_combo():
    scene = Scene().marks(T1, B1, combo=T5)
    refused(scene, 1, 1, "its marks make no combo and it has no wild token")


def test_unable_to_mark_an_additional_action_adds_a_cow():
    scene = Scene().seat(0, marks=[T5]).marks(T1, B3).combo_cow().gains(("cows", 1), why="combo")
    scene.executes(T1).gains(("hats", 2)).executes(B3).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus")
    event = scene.produces(1, 3)
    assert gained(event)[0] == ("cows", 1, "combo")
    assert scene.players[0].cows == 1


def test_the_cow_for_a_combo_may_be_one_too_many():
    scene = Scene().seat(0, marks=[T5], cows=6).marks(T1, B3).combo_cow()
    scene.gains(("vp", 1), why="too_many_cows")
    scene.executes(T1).gains(("hats", 2)).executes(B3).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus").produces(1, 3)


def pair_scene():
    """A Ranch of revolver and wheel on bottom 1 meets top 1 (revolver)."""
    return Scene().seat(0, cards=[(B1, "ranch revolver wheel")])


@pytest.mark.parametrize("spot", [T5, B3])
def test_a_building_makes_a_combo_with_the_symbol_that_matches(spot):
    scene = pair_scene().marks(T1, B1, combo=spot).executes(T1).gains(("hats", 2))
    scene.executes(B1).gains(("cows", 2)).executes(spot)
    if spot == T5:
        scene.gains(("coins", 2))
    else:
        scene.gains(("hats", 2)).gains(("coins", 1), why="hat_bonus")
    scene.produces(1, 1)


def test_its_other_symbol_does_not_count():
    refused(pair_scene().marks(T1, B1, combo=T4), 1, 1, "expected: marks one of top 5, bottom 3 ")


@pytest.mark.parametrize("spot", [T4, T5, B2, B3, B6])
def test_two_buildings_with_both_symbols_in_common_leave_the_choice(spot):
    scene = Scene().seat(
        0, cards=[(T1, "hotel revolver wheel"), (B1, "ranch revolver wheel")], cows=0
    )
    scene.marks(T1, B1, combo=spot).executes(T1).gains(("vp", 2))
    scene.executes(B1).gains(("cows", 2)).executes(spot)
    if spot == B2:
        scene.gains(("coins", 1), ("hats", 1))
    else:
        scene.gains(("coins", 2) if spot == T5 else ("hats", 2))
    scene.produces(1, 1)


def test_the_top_card_of_a_stack_counts_when_marking():
    cards = [(B1, "ranch revolver wheel"), (B1, "posse horseshoe")]
    scene = Scene().seat(0, cards=cards).marks(T1, B1)
    scene.executes(T1).gains(("hats", 2)).executes(B1).gains(("hats", 3))
    scene.gains(("coins", 1), why="hat_bonus").produces(1, 1)


# Wild symbols


def wild_scene(**rulings):
    """A Mustang (2 hats and a coin) on bottom 1."""
    return Scene(**rulings).seat(0, cards=[(B1, "mustang")])


@pytest.mark.parametrize("spot", [T5, B3])
def test_a_wild_card_matches_any_symbol_marked_in_the_other_row(spot):
    scene = wild_scene().marks(T1, B1, combo=spot).executes(T1).gains(("hats", 2))
    scene.executes(B1).gains(("coins", 1), ("hats", 2)).gains(("coins", 1), why="hat_bonus")
    scene.executes(spot).gains(("coins", 2) if spot == T5 else ("hats", 2)).produces(1, 1)


def test_the_third_has_the_symbol_of_the_other_row():
    refused(wild_scene().marks(T1, B1, combo=T2), 1, 1, "expected: marks one of top 5, bottom 3 ")


def test_a_wild_card_beside_a_building_offers_both_of_its_symbols():
    scene = wild_scene().seat(0, cards=[(T1, "ranch star wheel")])
    scene.marks(T1, B1, combo=T2)
    expected = "expected: marks one of top 3, top 4, bottom 2, bottom 5, bottom 6 "
    refused(scene, 1, 1, expected)


@pytest.mark.parametrize("spot", [T2, T3, T4, B2, B6])
def test_two_wild_cards_choose_any_symbol(spot):
    scene = wild_scene().seat(0, cards=[(T1, "coyote")]).marks(T1, B1, combo=spot)
    scene.executes(T1).gains(("coins", 2)).executes(B1).gains(("coins", 1), ("hats", 2))
    scene.executes(spot)
    if spot == T4:
        scene.gains(("hats", 2)).gains(("coins", 1), why="hat_bonus")
    elif spot == B6:
        scene.rows[-1][4] = 1
        scene.gains(("vp", 1))
    elif spot == B2:
        scene.gains(("coins", 1), ("hats", 1))
    else:
        scene.gains(("coins", 2) if spot == T2 else ("cows", 1))
    scene.produces(1, 1)


def test_or_get_a_cow_by_ruling():
    for ruling, is_right in (("cow", True), ("free_choice", False)):
        scene = wild_scene(double_wild=ruling).seat(0, cards=[(T1, "coyote")])
        scene.marks(T1, B1).combo_cow().gains(("cows", 1), why="combo")
        scene.executes(T1).gains(("coins", 2)).executes(B1).gains(("coins", 1), ("hats", 2))
        if is_right:
            scene.produces(1, 1)
        else:
            refused(scene, 1, 1, "finds nothing to mark for a combo, but expected: marks one of")


def test_a_wild_card_may_be_third_by_ruling():
    for ruling in (True, False):
        scene = Scene(wild_third=ruling).seat(0, cards=[(T4, "coyote")])
        scene.marks(T1, B3, combo=T4).executes(T1).gains(("hats", 2))
        scene.executes(B3).gains(("hats", 2)).gains(("coins", 1), why="hat_bonus")
        scene.executes(T4).gains(("coins", 2))
        if ruling:
            scene.produces(1, 3)
        else:
            refused(scene, 1, 3, "expected: marks one of top 5 ")


def test_one_combo_only():
    """A wild third matches again, but makes no further combo."""
    scene = Scene(wild_third=True).seat(0, cards=[(T4, "coyote")])
    scene.marks(T1, B3, combo=T4).own(events.MARK, T5, events.COMBO, 0)
    refused(scene, 1, 3, "marks top 5 .* expected: executes one of top 1, bottom 3, top 4")


# Hats


def test_hats_beyond_six_are_vp():
    scene = Scene().seat(0, cards=[(T1, "posse wheel")], hats=4).marks(T1, B1)
    scene.executes(T1).gains(("hats", 2)).gains(("vp", 1), why="too_many_hats")
    scene.executes(B1).gains(("coins", 2)).produces(1, 1)
    assert (scene.players[0].hats, scene.players[0].vp) == (6, 1)
    assert scene.players[0].vp_sources["limits"] == 1


def test_all_hats_are_vp_if_there_is_no_room():
    scene = Scene().seat(0, hats=6).marks(T1, B1).executes(T1)
    scene.gains(("vp", 2), why="too_many_hats").executes(B1).gains(("coins", 2)).produces(1, 1)


def test_a_bonus_coin_when_the_hat_marker_reaches_four():
    scene = Scene().seat(0, hats=2).marks(T1, B1).executes(T1).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus").executes(B1).gains(("coins", 2)).produces(1, 1)


def test_no_bonus_below_four():
    scene = Scene().seat(0, hats=1).marks(T1, B1).executes(T1).gains(("hats", 2))
    refused(scene.gains(("coins", 1), why="hat_bonus"), 1, 1, "expected: executes one of bottom 1")


@pytest.mark.parametrize("ruling", ["on_reaching_four", "each_execution"])
def test_the_bonus_comes_once_or_with_each_execution_by_ruling(ruling):
    scene = Scene(hat_bonus=ruling).marks(T1, B3, combo=T5)
    scene.executes(T1).gains(("hats", 2)).executes(B3).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus").executes(T5).gains(("coins", 2)).produces(1, 3)
    again = Scene(hat_bonus=ruling).seat(0, hats=4).marks(T1, B1).executes(T1).gains(("hats", 2))
    if ruling == "each_execution":
        again.gains(("coins", 1), why="hat_bonus")
    again.executes(B1).gains(("coins", 2)).produces(1, 1)


def test_the_bonus_with_each_execution_even_if_all_hats_are_too_many():
    scene = Scene(hat_bonus="each_execution").seat(0, hats=6).marks(T1, B1).executes(T1)
    scene.gains(("vp", 2), why="too_many_hats").gains(("coins", 1), why="hat_bonus")
    scene.executes(B1).gains(("coins", 2)).produces(1, 1)


def test_one_bonus_for_one_execution():
    parts = with_changes({"board.top_1.effect": "1 hat + 2 hats + 1 coin"})
    scene = Scene(components=parts, hat_bonus="each_execution").seat(0, hats=3).marks(T1, B1)
    scene.executes(T1).gains(("hats", 1)).gains(("coins", 1), why="hat_bonus")
    scene.gains(("hats", 2), ("coins", 1)).executes(B1).gains(("coins", 2)).produces(1, 1)


# Cows


def test_some_cows_give_coins():
    """The third and the fifth place do; a herd of two grows by two, then by two more."""
    scene = Scene().seat(0, cards=[(T1, "cattle_drive wheel"), (B1, "ranch star horseshoe")])
    scene.seat(0, cows=1).marks(T1, B1)
    scene.executes(T1).gains(("cows", 2)).gains(("coins", 1), why="herd_bonus")
    scene.executes(B1).gains(("cows", 2)).gains(("coins", 1), why="herd_bonus").produces(1, 1)
    assert (scene.players[0].cows, scene.players[0].coins) == (5, 6)


def test_no_coin_for_the_second_and_the_fourth():
    scene = Scene().seat(0, cows=3).marks(T3, B2).executes(T3).gains(("cows", 1))
    refused(scene.gains(("coins", 1), why="herd_bonus"), 3, 2, "expected: executes one of")


def test_cows_beyond_six_are_vp():
    scene = Scene().seat(0, cows=5, cards=[(T1, "cattle_drive wheel")]).marks(T1, B1)
    scene.executes(T1).gains(("cows", 1)).gains(("vp", 1), why="too_many_cows")
    scene.executes(B1).gains(("coins", 2)).produces(1, 1)
    assert (scene.players[0].cows, scene.players[0].vp) == (6, 1)


def test_the_fifth_place_gives_its_coin_before_the_herd_is_full():
    scene = Scene().seat(0, cows=4, cards=[(T1, "cattle_drive wheel")]).marks(T1, B1)
    scene.executes(T1).gains(("cows", 2)).gains(("coins", 1), why="herd_bonus")
    scene.executes(B1).gains(("coins", 2)).produces(1, 1)


# Effects


@pytest.mark.parametrize(("chosen", "good"), [(0, ("coins", 2)), (1, ("vp", 1))])
def test_a_space_with_a_choice(chosen, good):
    scene = Scene().marks(T6, B1).executes(T6, chosen).gains(good)
    scene.executes(B1).gains(("coins", 2)).produces(6, 1)
    assert scene.players[0].vp_sources["spaces"] == scene.players[0].vp


def test_the_alternatives_are_not_added():
    scene = Scene().marks(T6, B1).executes(T6).gains(("coins", 2), ("vp", 1))
    refused(scene, 6, 1, "gains 1 vp .* expected: executes one of bottom 1")


def test_there_is_no_third_alternative():
    refused(Scene().marks(T6, B1).executes(T6, 2), 6, 1, "top space 6 has 2 alternatives")


def test_the_gains_of_an_action_come_in_any_order():
    for goods in ([("coins", 1), ("hats", 1)], [("hats", 1), ("coins", 1)]):
        scene = Scene().marks(T1, B2).executes(B2).gains(*goods)
        scene.executes(T1).gains(("hats", 2)).produces(1, 2)


@pytest.mark.parametrize("goods", [[("coins", 1)], [("coins", 1), ("hats", 2)], [("coins", 2)]])
def test_what_an_action_gives_is_what_is_printed(goods):
    scene = Scene().marks(T1, B2).executes(B2).gains(*goods).executes(T1)
    refused(scene, 1, 2, "but expected: gains 1")


def test_a_trappers_hut_counts_the_animals_on_the_whole_board():
    cards = [(T1, "trappers_hut horseshoe star"), (B4, "mustang"), (B4, "posse wheel")]
    scene = Scene().seat(0, cards=[*cards, (B6, "bear")]).marks(T1, B2).executes(T1)
    scene.gains(("vp", 2)).executes(B2).gains(("coins", 1), ("hats", 1)).produces(1, 2)
    assert scene.players[0].vp_sources["effects"] == 2


def test_it_gives_nothing_without_animals():
    scene = Scene().seat(0, cards=[(T1, "trappers_hut horseshoe star")]).marks(T1, B2)
    scene.executes(T1).executes(B2).gains(("coins", 1), ("hats", 1)).produces(1, 2)


def test_a_bank_looks_at_the_printed_symbol():
    """Seat 0 has the revolver: the Bank itself and a Posse, but no Mustang, carry it."""
    cards = [(T1, "bank revolver star"), (B4, "mustang"), (B4, "posse revolver")]
    scene = Scene().seat(0, cards=cards).marks(T1, B2).executes(T1).gains(("coins", 2))
    scene.executes(B2).gains(("coins", 1), ("hats", 1)).produces(1, 2)


def test_a_count_is_made_when_its_turn_comes():
    parts = with_changes({"board.top_1.effect": "1 cow + 1 coin per cow"})
    for goods in ([("cows", 1), ("coins", 1)], [("cows", 1)]):
        scene = Scene(components=parts).seat(0, cows=0).marks(T1, B1).executes(T1)
        scene.gains(*goods).executes(B1).gains(("coins", 2)).produces(1, 1)
    scene = Scene(components=parts).seat(0, cows=0).marks(T1, B1).executes(T1)
    refused(scene.gains(("coins", 1), ("cows", 1)), 1, 1, "expected: gains 1 cows")


def many_cows(*goods):
    """A space whose three terms of cows are counted one after the other; one cow has room."""
    effect = "3 cows per cow max 4 + 1 vp + 4 cows + 2 cows"
    parts = with_changes({"board.top_1.effect": effect, "limits.cows": 1, "herd_bonus.first": [0]})
    scene = Scene(components=parts).marks(T1, B1).executes(T1)
    for what, amount, why in goods:
        scene.gains((what, amount), why=why)
    return scene.executes(B1).gains(("coins", 2))


def test_terms_of_one_good_come_in_their_order():
    first, rest = ("cows", 1, "effect"), ("vp", 3, "too_many_cows")
    more, point = ("vp", 2, "too_many_cows"), ("vp", 1, "effect")
    for goods in (
        (first, rest, more, point),
        (point, first, rest, more),
        (first, point, more, rest),
    ):
        many_cows(*goods).produces(1, 1)
    refused(many_cows(first, rest, rest, point), 1, 1, "expected: gains 2 vp .too many cows")
    refused(many_cows(first, more, point), 1, 1, "expected: gains 3 vp .too many cows")


HOURGLASSES = ("workshop", "ranch", "gold_mine", "sheriff_office", "telegraph_office")


@pytest.mark.parametrize(
    ("card", "good", "field"),
    [
        ("workshop", ("discount", 2), "discount"),
        ("sheriff_office", ("fight", 3), "fight"),
        ("telegraph_office", ("free_trade", 1), "free_trade"),
    ],
)
def test_an_hourglass_is_kept_for_the_upcoming_turn(card, good, field):
    scene = Scene(buildings=HOURGLASSES).seat(0, cards=[(T1, f"{card} horseshoe star")])
    scene.marks(T1, B2).executes(T1).gains(good)
    scene.executes(B2).gains(("coins", 1), ("hats", 1)).produces(1, 2)
    assert getattr(scene.players[0], field) == good[1]


# Full rows


def test_markers_come_off_a_full_row():
    scene = Scene().seat(0, marks=[T1, T2, T3, T4, T5]).marks(T6, B1)
    scene.executes(T6).gains(("coins", 2)).executes(B1).gains(("coins", 2)).clears(0)
    scene.produces(3, 1)
    assert scene.players[0].marks == {B1}


def test_both_rows_may_be_full():
    marked = [T1, T2, T3, T4, T5, B1, B2, B3, B4, B5]
    scene = Scene().seat(0, marks=marked).marks(T6, B6)
    scene.executes(T6).gains(("coins", 2)).executes(B6).gains(("hats", 2)).clears(1).clears(0)
    scene.produces(1, 1)
    assert not scene.players[0].marks


def test_a_combo_may_fill_a_row():
    scene = Scene().seat(0, marks=[B1, B2, B4, B5]).marks(T4, B6, combo=None)
    scene.combo_cow().gains(("cows", 1), why="combo")
    scene.executes(T4).gains(("hats", 2)).executes(B6).gains(("hats", 2))
    scene.gains(("coins", 1), why="hat_bonus").produces(4, 6)
    scene = Scene().seat(0, marks=[B1, B3, B4, B5]).marks(T4, B6, combo=B2)
    scene.executes(T4).gains(("hats", 2)).executes(B6, 1).gains(("vp", 1))
    scene.executes(B2).gains(("coins", 1), ("hats", 1)).clears(1).produces(4, 6)
    assert scene.players[0].marks == {T4}


def test_a_full_row_is_cleared():
    scene = Scene().seat(0, marks=[T1, T2, T3, T4, T5]).marks(T6, B1)
    scene.executes(T6).gains(("coins", 2)).executes(B1).gains(("coins", 2))
    refused(scene, 3, 1, "the log stops, but expected: clears the top row")


def test_a_row_that_is_not_full_is_not_cleared():
    scene = Scene().seat(0, marks=[T2, T3, T4, T5]).marks(T6, B1)
    scene.executes(T6).gains(("coins", 2)).executes(B1).gains(("coins", 2)).clears(0)
    refused(scene, 6, 1, "clears the top row, but that row is not full")


def test_markers_come_off_after_all_is_executed():
    scene = Scene().seat(0, marks=[T1, T2, T3, T4, T5]).marks(T6, B1).clears(0)
    refused(scene, 3, 1, "expected: executes one of top 6, bottom 1")


# The score track


def test_entering_an_area_flips_its_villain():
    scene = Scene().seat(0, vp=6).marks(T6, B1).executes(T6, 1).gains(("vp", 1)).flips(0, V1)
    scene.executes(B1).gains(("coins", 2)).produces(6, 1)
    assert scene.table.villains[0].face_up


def test_at_once():
    scene = Scene().seat(0, vp=6).marks(T6, B1).executes(T6, 1).gains(("vp", 1))
    scene.executes(B1).gains(("coins", 2)).flips(0, V1)
    refused(scene, 6, 1, "executes bottom 1, .* but expected: turns up V1 on Abilene")


def test_a_villain_that_lies_face_up_stays():
    scene = Scene().seat(0, vp=7).villain(0, V1).marks(T6, B1).executes(T6, 1).gains(("vp", 1))
    refused(scene.flips(0, V1), 6, 1, "turns up V1 on Abilene, but expected: executes one of")


def test_no_villain_turns_up_where_there_is_none():
    scene = Scene().seat(0, vp=5).marks(T6, B1).executes(T6, 1).gains(("vp", 1))
    refused(scene.flips(0, V1), 6, 1, "turns up V1 on Abilene, but expected: executes one of")


def test_passing_over_an_area_is_not_entering():
    cards = [(T1, "trappers_hut horseshoe star"), *[(B4, name) for name in ANIMALS]]
    scene = Scene().seat(0, vp=6, cards=cards).marks(T1, B2).executes(T1).gains(("vp", 8))
    scene.flips(1, 1).executes(B2).gains(("coins", 1), ("hats", 1)).produces(1, 2)
    assert not scene.table.villains[0].face_up


ANIMALS = [name for name in ("mustang", "eagle", "bison") for _ in range(2)] + ["bear"] * 2
