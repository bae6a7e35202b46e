"""The referee stops every kind of breach and names row, seat, time and what was expected."""

import pytest

from sim.games.game import RuleBroken
from sim.games.wildstyle import events
from sim.games.wildstyle.events import (
    ACT,
    DEAL,
    DECIDE,
    DISTRICT,
    DRAW,
    END,
    FUMBLE,
    OBJECTIVE,
    PILE,
    PILES_EMPTY,
    REMOVE,
    ROUND,
    ROUND_END,
    SCORE,
    SHARE,
    SOLO,
    STOP,
    TAGS_OUT,
    TILE,
    TIME_CAP,
    TRIGGER,
    WAIT,
)

from .logs import EXACT, Play, card, random_game, variant

ONE_ROUND = variant(numbers={"rounds": 1})
SHORT = variant(numbers={"rounds": 1, "tags_each_round": 1})
CHEATS = {}


def cheat(message):
    """Register the log that a function builds, and what the referee says of it."""

    def register(build):
        CHEATS[build.__name__] = (build, message)
        return build

    return register


def fair(components=ONE_ROUND, **kept):
    """Seat 0 takes the shared railway at 5.2 s and completes its set; seat 1 fumbles and rushes."""
    hands = [["railway red", "railway blue"], ["railway yellow", "park red", "park blue"]]
    play = Play(components=components, **kept)
    rush = f"rush 0 {play.hexes('park')[1]}"
    script = play.script(
        ["add railway red 0", "add railway blue 0", "take 0 0", "complete 0 none", "draw 0"],
        ["share railway yellow 0", "add park red 0", "take 0 1", rush, "draw 1", "draw 0"],
    )
    play.round(script, hands)
    return play.scored()


def triggered(*said, **kept):
    """Seat 0 places its only tag at 5.2 s and triggers the end; the other seat has a set."""
    play = Play(components=SHORT, **kept)
    rush = ["add park blue 0", f"rush 0 {play.hexes('park')[0]}"]
    said = ["add police red 0", "wait", *said]
    play.round(play.script(rush, said), [["park blue"], ["police red", "police blue"]])
    return play.scored()


def scored():
    """A whole game with objectives, removals and solo tags."""
    return random_game(3, 4, components=EXACT)


@pytest.mark.parametrize("build", [fair, triggered, scored])
def test_the_logs_are_fair_before_they_are_spoiled(build):
    play = build()
    play.replay()
    if build is scored:
        there = {row[0] for row in play.rows}
        assert {REMOVE, SOLO, OBJECTIVE, FUMBLE, TRIGGER} <= there


# Set-up


@cheat(r"row 0: bestagon, border_wars, urban_planner show, but bestagon is not on side A")
def a_tile_on_the_wrong_side():
    return fair().spoil(TILE, a=0, b=1)


@cheat("row 0: .* must be different")
def a_tile_twice():
    return fair().spoil(TILE, None, 1, b=0)


@cheat("names no side of a tile")
def a_side_that_there_is_not():
    return fair().spoil(TILE, b=99)


@cheat("row 2: .* after 2 of 3 rows")
def a_tile_too_few():
    return fair().drop(TILE, nth=2)


@cheat("row 1: .* must start")
def tiles_out_of_order():
    return fair().swap(1, 2)


@cheat("the sides must be bestagon, border_wars, zone_control")
def other_tiles_than_the_study_fixes():
    return fair(tiles_ruling=["bestagon", "border_wars", "zone_control"])


@cheat("row 3: the boards must be different")
def both_sides_of_a_board():
    return fair().spoil(DISTRICT, None, 1, b=1)


@cheat("row 3: there are 10 faces")
def a_face_that_there_is_not():
    return fair().spoil(DISTRICT, b=10)


@cheat(r"row 3: the station of district 1 is nearest .* turns, not 9")
def a_board_turned_away():
    return fair().spoil(DISTRICT, None, 1, c=9)


@cheat("row 5: .* expected: round 1 begins")
def no_round_row():
    return fair().drop(ROUND)


@cheat(r"row 6: \d x .* in round 1, not \d")
def a_card_from_nowhere():
    play = fair()
    held = play.rows[play.find(PILE)][4]
    return play.spoil(PILE, b=(held + 5) % 40)


@cheat(r"row 6: \d x .* in round 1, not \d")
def a_card_that_there_is_not():
    return fair().spoil(PILE, None, 3, b=77)


@cheat("after 5 cards dealt, 3 to a seat are due")
def a_card_too_few_in_a_hand():
    return fair().drop(DEAL, 1)


@cheat("is not the deal to seat 0")
def hands_out_of_order():
    play = fair()
    return play.swap(play.find(DEAL, 0), play.find(DEAL, 1))


@cheat("is not the next card of a pile")
def a_pile_that_there_is_not():
    return fair().spoil(PILE, a=3)


@cheat("is not the next card of a pile")
def piles_out_of_order():
    play = fair()
    return play.swap(play.find(PILE), play.find(PILE, nth=40))


@cheat("are not 109 cards in 4 piles of about the same size")
def piles_of_different_sizes():
    play = fair()
    first = play.find(PILE, nth=28)
    for place in (first, first + 1):
        play.rows[place][3] = 0
    return play


# Deciding


@cheat(r"row \d+, round 1, 0.000000 s, seat 0: .*, but seat 0 looks now and must decide")
def a_seat_does_not_decide():
    return fair().drop(DECIDE, 0)


@cheat(r"0.000000 s, seat 0: seat 1 decides .* but seat 0 looks now")
def decisions_out_of_order():
    play = fair()
    first = play.find(DECIDE)
    return play.swap(first, first + 1)


@cheat(r"0.000000 s, seat 0: decides at 0.000000 s to draw from pile 0.* which is not legal")
def a_draw_with_a_full_hand():
    return fair().spoil(DECIDE, 0, a=DRAW, b=0)


@cheat(r"to add Police Station \(red\) to set 0.* which is not legal")
def a_card_that_is_not_in_the_hand():
    return fair().spoil(DECIDE, 0, b=card("police red") << 8)


@cheat(r"to add .* to set 1.* which is not legal")
def the_second_of_two_like_spaces():
    play = fair()
    first = play.rows[play.find(DECIDE, 0)]
    return play.spoil(DECIDE, 0, b=first[4] + 1)


@cheat("to complete set 0 on no hex.* which is not legal")
def a_set_that_is_not_full():
    return fair().spoil(DECIDE, 0, 1, a=events.COMPLETE, b=255 << 8)


@cheat("to complete set 0 on hex 77.* which is not legal")
def a_hex_outside_the_map():
    return fair().spoil(DECIDE, 0, 3, b=77 << 8)


@cheat("to complete set 0 on hex .* which is not legal")
def a_hex_with_another_icon():
    play = fair()
    return play.spoil(DECIDE, 0, 3, b=play.hexes("park")[0] << 8)


@cheat("to stop.* which is not legal")
def a_stop_before_the_final_phase():
    return fair().spoil(DECIDE, 0, a=STOP, b=-1, c=-1)


@cheat("do act 11 .* which is not legal")
def an_act_that_there_is_not():
    return fair().spoil(DECIDE, 0, a=11)


@cheat("to wait, landing at .*but this never lands")
def a_wait_that_lands():
    return fair().spoil(DECIDE, 0, a=WAIT, b=-1, c=900)


# Times


@cheat(r"landing at 1.600001 s, but it lands at 1.600000 s")
def an_act_that_lands_a_microsecond_late():
    return fair().spoil(DECIDE, 0, c=1_600_001)


@cheat(r"landing at 1.599999 s, but it lands at 1.600000 s")
def an_act_that_lands_a_microsecond_early():
    return fair().spoil(DECIDE, 0, c=1_599_999)


@cheat(r"but it lands at 1.600000 s")
def an_act_that_never_lands():
    return fair().spoil(DECIDE, 0, c=events.NEVER)


@cheat(r"but it lands at 2.400000 s")
def a_tempo_that_is_not_kept():
    play = fair()
    play.tempos = [1.5, 1.0]
    return play


@cheat(r"landing at 16.000000 s, but it lands at .* to 11.8")
def an_act_that_takes_longer_than_noise_explains():
    play = fair()
    play.components = variant(ONE_ROUND, clock={"sigma": 0.25})
    return play.spoil(DECIDE, 0, c=16_000_000)


@cheat(r"round 1, 1.600000 s, seat 0: succeeds at 1.700000 s to add .* expected: succeeds at 1.6")
def an_act_at_another_time():
    return fair().spoil(ACT, 0, time=1_700_000)


@cheat(r"round 1, 1.600000 s, seat 0: seat 1 succeeds .* but expected: succeeds at 1.6")
def landings_out_of_order():
    play = fair()
    return play.swap(play.find(ACT, 0), play.find(ACT, 1))


@cheat(r"5.200000 s, seat 0: decides .* but seat 0 looks now")
def a_look_at_another_time():
    return fair().spoil(DECIDE, 0, 3, time=5_300_000)


@cheat(r"12.7.* seat 0: the round ends .* but seat 0 looks now and must decide")
def a_reaction_left_out():
    play = fair()
    last = play.find(DECIDE, nth=-1)
    del play.rows[last]
    return play


# What lands


@cheat(r"seat 0: decides at 1.600000 s .* but expected: succeeds at 1.600000 s to add")
def an_act_left_out():
    return fair().drop(ACT, 0)


@cheat(r"seat 0: fails at 1.600000 s to add .* expected: succeeds")
def a_fumble_of_what_can_be_done():
    return fair().spoil(ACT, 0, event=FUMBLE)


@cheat(r"5.400000 s, seat 1: succeeds .* expected: fails .* \(the card is not on top of share pile")
def an_act_that_cannot_be_done():
    return fair().spoil(FUMBLE, 1, event=ACT)


@cheat(r"5.400000 s, seat 1: .* expected: fails")
def a_fumble_left_out():
    return fair().drop(FUMBLE)


@cheat(r"seat 0: succeeds at 1.6.* to share .* expected: succeeds at 1.6.* to add")
def another_act_than_decided():
    return fair().spoil(ACT, 0, a=SHARE)


@cheat(r"to draw from pile 0 and draws (?P<one>.*), but expected: .* and draws (?!(?P=one)$)")
def another_card_than_the_top():
    play = fair()
    place = next(p for p, row in enumerate(play.rows) if row[0] == ACT and row[3] == DRAW)
    play.rows[place][5] = (play.rows[place][5] + 1) % 40
    return play


@cheat("and draws .*expected: succeeds at 1.600000 s to add .* to set 0$")
def a_card_drawn_by_an_act_that_draws_none():
    return fair().spoil(ACT, 0, c=3)


# The end of a round


@cheat(r"5.200000 s: .* but expected: the final phase begins at 5.200000 s \(tags out\)")
def a_trigger_left_out():
    return triggered().drop(TRIGGER)


@cheat(r"the final phase begins at 5.200000 s \(piles empty\), but expected: .*\(tags out\)")
def a_trigger_for_another_reason():
    return triggered().spoil(TRIGGER, a=PILES_EMPTY)


@cheat(r"1.600000 s, seat 1: the final phase begins .* but expected: succeeds")
def a_trigger_too_early():
    play = triggered()
    return play.insert(play.find(ACT, 0) + 1, TRIGGER, -1, 1_600_000, TAGS_OUT)


@cheat(r"5.700000 s, seat 1: the final phase begins .* but seat 1 looks now")
def a_second_trigger():
    play = triggered()
    return play.insert(play.find(TRIGGER) + 1, TRIGGER, -1, 5_200_000, TAGS_OUT)


@cheat(r"seat 1: .* but seat 1 looks now and must decide")
def a_round_that_ends_too_early():
    play = triggered("stop")
    del play.rows[play.find(DECIDE, 1, nth=-1)]
    return play.spoil(ROUND_END, time=5_200_000)


@cheat(r"5.700000 s, seat 1: seat 0 decides at 5.2.* but seat 1 looks now")
def a_seat_without_tags_goes_on():
    play = triggered()
    return play.insert(play.find(TRIGGER) + 1, DECIDE, 0, 5_200_000, WAIT, -1, -1)


@cheat(r"the round ends at 5.700000 s \(stalemate\), but expected: .* \(tags out\)")
def a_round_that_ends_for_another_reason():
    return triggered().spoil(ROUND_END, a=events.STALEMATE)


@cheat(r"the round ends at 5.800000 s \(tags out\), but expected: the round ends at 5.700000 s")
def a_round_that_ends_at_another_time():
    return triggered().spoil(ROUND_END, time=5_800_000)


@cheat(r"4.000000 s: .* but expected: the round ends at 4.000000 s \(time cap\)")
def a_cap_that_is_not_kept():
    play = fair()
    play.rulings["round_cap_s"] = 4
    return play


@cheat(r"\(time cap\), but expected: the round ends at .* \(stalemate\)")
def a_cap_that_is_not_reached():
    return fair().spoil(ROUND_END, a=TIME_CAP)


@cheat(r"expected: round 2 begins")
def a_round_left_out():
    play = scored()
    first, last = play.find(ROUND, nth=1), play.find(ROUND, nth=2)
    del play.rows[first:last]
    return play


# The end of the game


@cheat(r"hexes by seat come off for cop cars: .* but expected \[\[")
def a_tag_kept_in_spite_of_a_cop_car():
    return scored().drop(REMOVE)


@cheat(r"hexes by seat come off for cop cars: .* but expected \[\[")
def a_worse_choice_of_a_tag_to_give_up():
    play = scored()
    seat, given = play.rows[play.find(REMOVE)][1], {row[3] for row in play.rows if row[0] == REMOVE}
    kept = [hex_ for hex_ in play.table.tags[seat] if hex_ not in given]
    return play.spoil(REMOVE, a=kept[0])


@cheat(r"hexes by seat come off as solo tags: .* but expected \[\[")
def a_solo_tag_that_stays():
    return scored().drop(SOLO)


@cheat(r"hexes by seat come off as solo tags: .* but expected \[\[")
def a_tag_that_is_not_solo():
    play = scored()
    row = play.rows[play.find(SOLO)]
    gone = {row[3] for row in play.rows if row[0] in (REMOVE, SOLO)}
    kept = next(hex_ for hex_ in play.table.tags[row[1]] if hex_ not in gone)
    return play.insert(play.find(SOLO), SOLO, row[1], row[2], kept)


@cheat(r"seat 0: scores 99 points with tile 0 .* expected: scores \d+ points with tile 0 .*\(for ")
def an_objective_with_too_many_points():
    return scored().spoil(OBJECTIVE, 0, b=99)


@cheat(r"for 17 tags, but expected: scores .* points with tile 1")
def an_objective_with_other_tags():
    return scored().spoil(OBJECTIVE, 0, 1, c=17)


@cheat(r"seat 2: scores .* with tile 1 .* expected: scores .* with tile 0")
def an_objective_left_out():
    return scored().drop(OBJECTIVE, 2)


@cheat(r"seat 1: scores 7 points with rank .* expected: scores")
def a_wrong_score():
    return scored().spoil(SCORE, 1, a=7)


@cheat(r"with rank 4 and .* expected: scores .* with rank [123]")
def a_wrong_rank():
    return scored().spoil(SCORE, 1, b=4)


@cheat(r"with rank 1 and 1 cop cars, but expected: .* with rank 2 and 1 cop cars")
def a_tie_that_cop_cars_break():
    return triggered("stop").spoil(SCORE, 0, b=1)


@cheat(r"and 20 cop cars, but expected: .* and \d cop cars")
def cop_cars_that_nobody_took():
    return scored().spoil(SCORE, 2, c=20)


@cheat(r"the game is over \(cut off\), but expected: the game is over")
def a_game_that_was_not_cut_off():
    return scored().spoil(END, a=1)


@cheat(r"the log stops, but expected: the game is over")
def no_end():
    return scored().drop(END)


@cheat(r"but the game is over")
def more_after_the_end():
    play = scored()
    return play.insert(len(play.rows), END, -1, play.rows[-1][2], 0)


@cheat(r"seat 0: scores 3 points with rank 1 .* expected: scores 0 points with rank 0")
def a_score_in_a_game_cut_off():
    play = Play(components=ONE_ROUND, round_cap_s=1)
    play.round(play.script(["add park red 0"]), [["park red"]])
    return play.cut_off().spoil(SCORE, 0, a=3, b=1)


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_noticed(name):
    build, message = CHEATS[name]
    with pytest.raises(RuleBroken, match=message) as stopped:
        build().replay()
    said = str(stopped.value)
    assert said.startswith("row ")
    assert "\n" not in said


def test_any_row_dropped_is_noticed():
    """Every row is needed."""
    play = triggered("stop")
    rows = play.rows
    for place in range(len(rows)):
        play.rows = rows[:place] + rows[place + 1 :]
        with pytest.raises(RuleBroken):
            play.replay()


def test_any_row_written_twice_is_noticed():
    play = triggered("stop")
    rows = play.rows
    for place in range(len(rows)):
        play.rows = rows[: place + 1] + rows[place:]
        with pytest.raises(RuleBroken):
            play.replay()


@pytest.mark.parametrize("field", range(6))
def test_any_field_changed_is_noticed(field):
    """With an exact clock nothing can be changed but what decides among equals.

    A card or turn of the set-up may be changed for another that is legal too, and with the last
    card set aside nothing follows; so only rows of the round and of the end are looked at.
    """
    play = fair()
    first = play.find(DECIDE)
    for place in range(first, len(play.rows)):
        kept = list(play.rows[place])
        play.rows[place][field] += 1
        with pytest.raises(RuleBroken):
            play.replay()
        play.rows[place] = kept
