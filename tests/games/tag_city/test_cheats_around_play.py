"""The referee stops cheating with set-up, values, end conditions and scores, and names it."""

import pytest

from sim.games.game import RuleBroken
from sim.games.tag_city import events

from .logs import (
    BOTH,
    O4,
    SMALL,
    Cheats,
    Log,
    bubbles_gone,
    duel,
    duel_by_order,
    duel_drones,
    duel_in_draft,
)

CHEATS = Cheats()
cheat = CHEATS.named

A = ("o4", "i4", "l4", "s4", "t4", "p5")
B = ("w5", "o4", "n5", "l5", "v5", "u5")


def start(players=2, **rulings):
    return Log(players, **rulings).round(0, *[(1, O4)] * (players + 1))


def painted_left(**rulings):
    """Seat 1 has painted the left half of the small city; nothing is circled yet."""
    log = Log(2, components=SMALL, city="C", **rulings).round(0, *[(1, O4)] * 3)
    return log.takes(1, 1, O4).paints("o4", BOTH[0])


def without(log, event, nth=0):
    """Drop the nth row of an event."""
    found = [at for at, row in enumerate(log.rows) if row[0] == event]
    del log.rows[found[nth]]
    return log


# Set-up


@cheat(r"set-up: I4, O4, L4, S4, T4, P5 lie on the HQ, but spaces 0 to 5 are for O4, I4, L4,")
def swaps_shapes_of_side_a():
    return Log(2, ring=("i4", "o4", "l4", "s4", "t4", "p5"))


@cheat(r"set-up: O4, .*, W5 lie on the HQ, but spaces 0 to 5 are for O4, I4, L4, S4, T4, P5")
def puts_another_shape_on_side_a():
    return Log(2, ring=(*A[:5], "w5"))


@cheat(r"set-up: O4, .* lie on the HQ, but spaces 0 to 5 are for W5, O4, N5, L5, V5, U5")
def puts_side_a_where_a_list_is_ruled():
    return Log(2, ring=A, hq=list(B))


@cheat(r"set-up: W5, .*, W5 lie on the HQ, but side B takes six different shapes")
def puts_a_shape_on_side_b_twice():
    return Log(2, ring=(*B[:5], "w5"), hq="B")


@cheat(r"set-up: puts I2 on space 5, but expected: a shape of the ring stock on space 5")
def puts_a_small_shape_on_the_ring():
    return Log(2, ring=(*B[:5], "i2"), hq="B")


@cheat(r"set-up: puts shape code 14 \(there is none\) on space 5, but expected: a shape")
def puts_an_unknown_shape_on_the_ring():
    log = Log(2)
    log.rows[-1][4] = 14
    return log


@cheat(r"set-up: puts L4 on space 3, but expected: a shape of the ring stock on space 2")
def skips_a_space():
    log = Log(2)
    log.rows[2][3] = 3
    return log


@cheat(r"set-up: leads the round.* but expected: a shape of the ring stock on space 5")
def leaves_a_space_empty():
    log = Log(2)
    log.rows.pop()
    log.round(0, (1, O4))
    log.rows[-3][2] = -1
    return log


@cheat(r"set-up: puts O4 on space 0, but expected: the first leader")
def puts_down_a_seventh_shape():
    return Log(2).row(events.RING, -1, 0, 3)


@cheat(r"set-up: seat 1 leads the round, but seat 0 leads the first round")
def another_seat_leads_first():
    return Log(2).round(1, (1, O4))


@cheat(r"set-up: seat 2 leads the round, but there are seats 0 to 1")
def nobody_leads_first():
    return Log(2, first_leader="random").round(2, (1, O4))


@cheat(r"set-up: the log stops, but expected: the first leader")
def stops_after_the_set_up():
    return Log(2)


@cheat(r"round 1, seat 0: leads the round in a row of round 2, but expected: leads the round")
def begins_with_the_second_round():
    log = Log(2)
    log.now = 0
    return log.round(0, (1, O4))


@cheat(r"round 2, seat 1: seat 0 leads the round, but expected: leads the round \(the leader token")
def leads_twice():
    log = Log(2, bubble_values=[]).passed_round()
    return log.round(0, *[(1, O4)] * 3)


@cheat(r"round 2, seat 1: seat 2 leads the round, but expected: leads the round \(the leader token")
def the_token_goes_the_other_way():
    log = Log(3, bubble_values=[]).passed_round()
    return log.round(2, *[(1, O4)] * 4)


@cheat(r"round 1, seat 0: leads the round, but expected: the row \(1, 0, 0, -1, -1, -1\), not")
def leads_with_a_number():
    log = start()
    log.rows[6][3] = 0
    return log


# Values


@cheat(r"seat 1: seat 0 takes .* expected: circles 4 as the large value of column 1 \(it comp")
def forgets_to_circle():
    return painted_left().takes(0, 1, O4)


@cheat(r"seat 1: circles 4 as the large value of column 2, but expected: .* of column 1 \(it")
def forgets_the_first_of_several():
    return painted_left().circles(3, 4)


@cheat(r"circles 4 as the large value of column 2, but expected: .* large value of column 1")
def circles_in_a_wrong_order():
    return painted_left().circles(3, 4).circles(2, 4).circles(6, 10)


@cheat(r"circles 2 as the small value of column 1, but expected: circles 4 as the large value")
def circles_a_small_value_first():
    return painted_left().circles(2, 2, large=False)


@cheat(r"circles 2 as the large value of column 1, but expected: circles 4 as the large value")
def miscounts_a_large_value():
    return painted_left().circles(2, 2)


@cheat(r"circles 4 as the small value of column 1, but expected: circles 4 as the large value")
def names_a_large_value_small():
    return painted_left().circles(2, 4, large=False)


@cheat(
    r"seat 0: circles 4 as the large value .* expected: circles 2 as the small value of column 1"
)
def circles_a_large_value_that_is_gone():
    log = painted_left().circles(2, 4).circles(3, 4).circles(6, 10)
    return log.takes(0, 1, O4).paints("o4", BOTH[0]).circles(2, 4)


@cheat(r"seat 1: circles 6 as the large value of row 1, but 2 of its 4 squares are free")
def circles_what_is_not_complete():
    return painted_left().circles(2, 4).circles(3, 4).circles(6, 10).circles(0, 6)


@cheat(r"seat 1: circles 10 as the large value of neighborhood A, but it circles that element once")
def circles_twice():
    return painted_left().circles(2, 4).circles(3, 4).circles(6, 10).circles(6, 10)


@cheat(r"seat 0: circles 4 as the large value of column 1, but 2 of its 2 squares are free")
def circles_what_another_completes():
    return painted_left().circles(2, 4).circles(3, 4).circles(6, 10).by(0).circles(2, 4)


@cheat(r"seat 1: circles 4 as the large value of element 8 \(there is none\), but there is no such")
def circles_an_unknown_element():
    return painted_left().circles(2, 4).circles(3, 4).circles(6, 10).circles(8, 4)


@cheat(r"seat 7: circles 4 .*, but there is no such element or seat")
def an_unknown_seat_circles():
    return painted_left().circles(2, 4).circles(3, 4).circles(6, 10).by(7).circles(2, 4)


@cheat(r"seat 1: seat 0 circles 6 as the large value of row 1, but expected: circles 6 as the")
def the_leader_comes_first_without_the_ruling():
    return duel_drones().by(0).circles(0, 6)


@cheat(r"seat 0: seat 1 circles 6 as the large value of row 1, but expected: circles 6 as the")
def the_draft_comes_first_against_the_ruling():
    return duel_drones(last_die_tie="leader_first").by(1).circles(0, 6)


@cheat(r"seat 0: circles 3 as the small value of row 1, but expected: circles 6 as the large value")
def does_not_share_a_large_value():
    log = duel_drones().by(1).circles(0, 6).circles(1, 6)
    log.circles(4, 2, large=False).circles(5, 2, large=False).circles(7, 5, large=False)
    return log.by(0).circles(0, 3, large=False)


@cheat(r"seat 1: circles 6 as the large value of row 1, but expected: circles 3 as the small value")
def shares_a_large_value_against_the_ruling():
    log = duel_drones(last_die_tie="leader_first").by(0).circles(0, 6).circles(1, 6)
    log.circles(2, 2, large=False).circles(3, 2, large=False).circles(6, 5, large=False)
    return log.by(1).circles(0, 6)


# End conditions


@cheat(r"round 1: .*, but expected: the end condition large values is met \(it is met now\)")
def does_not_announce_the_last_large_value():
    return without(duel(), events.MET)


@cheat(r"round 2: seat 1 takes .*, but expected: the end condition bubbles is met")
def does_not_announce_the_last_bubble():
    return without(bubbles_gone(), events.MET)


@cheat(r"round 1: the end condition drones is met, but it is not met")
def announces_what_is_not_met():
    return start().takes(1, 1, O4).checks(0, -1).met("drones")


@cheat(r"round 1: the end condition bubbles is met, but it is already met")
def announces_twice():
    log = start(bubble_values=[0]).takes(1, 1, O4).checks(0, 0).met("bubbles")
    return log.takes(0, 1, O4).checks().met("bubbles")


@cheat(r"round 1: the end condition bubbles is met, but it is not met")
def announces_bubbles_where_there_are_none():
    return start(bubble_values=[]).takes(1, 1, O4).checks().met("bubbles")


@cheat(r"the end condition unknown reason 9 is met, but it is not met")
def announces_an_unknown_condition():
    return start().takes(1, 1, O4).checks(0, -1).row(events.MET, -1, 9)


@cheat(r"the game is over \(bubbles\), but expected: takes one of the dice on the HQ")
def stops_before_the_round_is_finished():
    log = start(bubble_values=[0]).takes(1, 1, O4).checks(0, 0).met("bubbles")
    return log.ends("bubbles")


@cheat(r"the game is over \(bubbles\), but expected: the last die is a 1 on space 0")
def leaves_out_the_last_die():
    log = start(bubble_values=[0]).takes(1, 1, O4).checks(0, 0).met("bubbles")
    return log.takes(0, 1, O4).checks().ends("bubbles")


@cheat(r"end of the game: seat 1 leads the round in a row of round 2, but expected: the game is")
def plays_on_after_a_condition_is_met():
    log = start(bubble_values=[0]).takes(1, 1, O4).checks(0, 0).met("bubbles")
    log.takes(0, 1, O4).checks().last(1, O4).by(1).checks().by(0).checks()
    return log.round(1, *[(1, O4)] * 3)


@cheat(r"round 2, seat 1: the game is over \(round cap\).*, but expected: leads the round")
def stops_too_early():
    log = Log(2, bubble_values=[]).passed_round()
    return log.ends("round_cap").scores((0, 0, 0), (0, 0, 0))


@cheat(r"end of the game: .* round 2, but expected: the game is over \(round cap\) \(the round cap")
def plays_on_after_the_cap():
    log = Log(2, bubble_values=[], round_cap=1).passed_round()
    return log.round(1, *[(1, O4)] * 3)


# Scores


def end_of_duel(**rulings):
    log = duel()
    log.rows = log.rows[:-3]
    return log


@cheat(r"end of the game: the game is over \(drones\), but expected: the game is over \(large val")
def gives_a_wrong_reason():
    return end_of_duel().ends("drones")


@cheat(r"end of the game: .* \(round cap\), but expected: the game is over \(large values\)")
def says_that_it_was_cut_off():
    return end_of_duel().ends("round_cap")


@cheat(r"end of the game, seat 0: the log stops, but expected: scores 38 with rank 1 and 0 bubbles")
def stops_before_the_scores():
    return end_of_duel().ends("large_values")


@cheat(r"end of the game, seat 0: scores 39 with rank 1 .* expected: scores 38 with rank 1")
def adds_up_wrong():
    return end_of_duel().ends("large_values").scores((39, 1, 0), (38, 2, 0))


@cheat(r"end of the game, seat 1: scores 38 with rank 2 .* expected: scores 38 with rank 1")
def does_not_share_the_win():
    return end_of_duel().ends("large_values").scores((38, 1, 0), (38, 2, 0))


@cheat(r"end of the game, seat 0: seat 1 scores 38 .* expected: scores 38")
def scores_in_a_wrong_order():
    log = end_of_duel().ends("large_values")
    return log.row(events.SCORE, 1, 38, 1, 0)


@cheat(r"seat 1: the log stops, but expected: scores 32 with rank 2 and 0 bubbles \(what its board")
def leaves_out_a_seat():
    log = duel_by_order()
    log.rows.pop()
    return log


@cheat(r"end of the game, seat 0: scores -6 with rank 3 and 2 bubbles, but expected: .* 3 bubbles")
def miscounts_bubbles():
    log = bubbles_gone()
    log.rows[-3][5] = 2
    return log


@cheat(r"end of the game, seat 0: scores 0 with rank 1 and 0 bubbles, but expected: .* rank 2")
def ignores_the_tie_break():
    log = Log(2, bubble_values=[0], drone_values=[0, 0]).round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).checks(0, 0).met("bubbles").takes(0, 1, O4).checks()
    log.last(1, O4).by(1).checks().by(0).checks()
    return log.ends("bubbles").scores((0, 1, 0), (0, 1, 1))


@cheat(r"seat 0: scores 0 with rank 1 .* expected: scores 0 with rank 0 .* \(a game cut off has no")
def ranks_a_game_cut_off():
    log = Log(2, bubble_values=[], round_cap=1).passed_round()
    return log.ends("round_cap").scores((0, 1, 0), (0, 1, 0))


@cheat(r"end of the game: seat 0 scores 38 with rank 1 and 0 bubbles, but the game is over")
def goes_on_after_the_scores():
    return duel().row(events.SCORE, 0, 38, 1, 0)


@cheat(r"end of the game: .* in a row of round 2, but expected: the game is over \(large values\)")
def counts_the_end_as_a_round():
    log = end_of_duel()
    log.now = 1
    return log.ends("large_values")


@cheat(r"round 1: the game is over .* expected: the end condition large values is met")
def large_values_unannounced_at_the_end():
    log = duel_in_draft().by(1).drones("o4", BOTH[1], 0, -1).by(0).checks(0, -1)
    log.by(1).circles(0, 6).circles(1, 6)
    log.circles(4, 2, large=False).circles(5, 2, large=False).circles(7, 5, large=False)
    return log.ends("large_values")


@pytest.mark.parametrize("name", list(CHEATS))
def test_cheats_are_stopped(name):
    build, message = CHEATS[name]
    with pytest.raises(RuleBroken, match=message) as caught:
        build().replay()
    assert "\n" not in str(caught.value)
