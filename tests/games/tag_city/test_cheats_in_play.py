"""The referee stops cheating with dice, drawings, drones and bubbles, and names it in one line."""

import pytest

from sim.games.game import RuleBroken
from sim.games.tag_city import events

from .logs import I4, L4, O4, P5, SMALL, Cheats, Log, duel_in_draft

CHEATS = Cheats()
cheat = CHEATS.named

LEFT = "1:1-2 2:1-2"
"""Squares for an O4."""


def start(players=2, **rulings):
    """A round in which all dice lie on O4."""
    return Log(players, **rulings).round(0, *[(1, O4)] * (players + 1))


# Dice


@cheat(r"round 1, seat 0: puts a 1 on space 0, but expected: die 2 of 3 rolled, 1 to 6")
def rolls_a_die_too_few():
    log = Log(2)
    return log.round(0, (1, O4), (2, I4))


@cheat(r"round 1, seat 0: rolls 4 as die 3, but expected: a 1 put on space 0 or 1")
def rolls_a_die_too_many():
    return Log(2).round(0, (1, O4), (2, I4), (3, L4), (4, L4))


@cheat(r"round 1, seat 0: rolls 7 as die 2, but expected: die 2 of 3 rolled, 1 to 6")
def rolls_a_seven():
    return Log(2).round(0, (1, O4), (2, I4), (7, O4))


@cheat(r"round 1, seat 0: rolls 0 as die 0, but expected: die 0 of 3")
def rolls_a_zero():
    return Log(2).round(0, (0, O4), (2, I4), (6, O4))


@cheat(r"round 1, seat 0: rolls 2 as die 2, but expected: die 1 of 3")
def counts_its_dice_wrong():
    log = Log(2).round(0, (1, O4), (2, I4), (3, L4))
    log.rows[-5][3] = 2
    return log


@cheat(r"round 1, seat 0: seat 1 rolls 2 as die 1, but expected: die 1 of 3")
def another_rolls_for_the_leader():
    log = Log(2).round(0, (1, O4), (2, I4), (3, L4))
    log.rows[-5][2] = 1
    return log


@cheat(r"round 1, seat 0: puts a 1 on space 2, but expected: a 1 put on space 0 or 1")
def puts_a_die_two_spaces_away():
    return Log(2).round(0, (1, L4), (2, I4), (3, L4))


@cheat(r"round 1, seat 0: puts a 6 on space 4, but expected: a 6 put on space 5 or 0")
def puts_a_six_on_space_four():
    return Log(2).round(0, (1, O4), (2, I4), (6, 4))


@cheat(r"round 1, seat 0: puts a 2 on space 1, but expected: a 3 put on space 2 or 3")
def turns_a_die_over():
    return Log(2).round(0, (1, O4), (2, I4), (2, I4), roll=[1, 2, 3])


@cheat(r"round 1, seat 0: puts a 3 on space 2, but expected: a 2 put on space 1 or 2")
def puts_dice_down_in_a_wrong_order():
    log = Log(2).round(0, (1, O4), (2, I4), (3, L4))
    log.rows[-1], log.rows[-2] = log.rows[-2], log.rows[-1]
    return log


@cheat(r"round 1, seat 0: seat 1 puts a 1 on space 0, but expected: a 1 put on space 0 or 1")
def another_places_a_die():
    log = Log(2).round(0, (1, O4), (2, I4), (3, L4))
    log.rows[-3][2] = 1
    return log


# Drafting


@cheat(r"round 1, seat 1: seat 0 takes a 1 from space 0, but expected: takes one of the dice")
def the_leader_drafts_first():
    return start().takes(0, 1, O4)


@cheat(r"round 1, seat 2: seat 0 takes a 1 from space 0, but expected: takes one of the dice")
def a_seat_is_passed_over():
    return start(3).takes(1, 1, O4).checks(0, -1).takes(0, 1, O4)


@cheat(r"round 1, seat 0: seat 1 takes a 1 from space 0, but expected: takes one of the dice")
def drafts_twice():
    return start().takes(1, 1, O4).checks(0, -1).takes(1, 1, O4)


@cheat(
    r"round 1, seat 1: takes a 2 from space 1, but expected: takes one of the dice on the HQ: "
    r"3 x 1 on space 0$"
)
def takes_a_die_that_is_not_there():
    return start().takes(1, 2, I4)


@cheat(r"takes a 1 from space 0, .* on the HQ: 2 on space 1, 3 on space 2$")
def takes_a_die_that_is_gone():
    log = Log(2).round(0, (1, O4), (2, I4), (3, L4))
    return log.takes(1, 1, O4).checks(0, -1).takes(0, 1, O4)


@cheat(r"takes a 2 from space 2, .* on the HQ: 1 on space 0, 2 on space 1, 3 on space 2$")
def takes_a_die_from_its_other_space():
    return Log(2).round(0, (1, O4), (2, I4), (3, L4)).takes(1, 2, L4)


@cheat(r"round 1, seat 1: paints O4, but expected: takes one of the dice")
def paints_without_a_die():
    return start().by(1).paints("o4", LEFT)


@cheat(r"seat 0 takes a 1 from space 0, but expected: paints, uses a drone or checks with its 1")
def takes_a_die_and_does_nothing():
    return start().takes(1, 1, O4).takes(0, 1, O4)


@cheat(r"seat 0 paints O4, but expected: paints, uses a drone or checks with its 1 on space 0")
def lets_another_use_its_die():
    return start().takes(1, 1, O4).by(0).paints("o4", LEFT)


@cheat(r"round 1, seat 0: seat 1 paints O4, but expected: takes one of the dice")
def uses_its_die_twice():
    return start().takes(1, 1, O4).checks(0, -1).paints("o4", LEFT)


# Painting


@cheat(r"round 1, seat 1: paints I4, but O4 lies on space 0, where the die is from")
def paints_another_shape():
    return start().takes(1, 1, O4).paints("i4", "1:1-4")


@cheat(r"seat 1: paints I2, but O4 lies on space 0")
def paints_a_small_shape_without_a_drone():
    return start().takes(1, 1, O4).paints("i2", "1:1-2")


@cheat(r"paints O4, but O4 is drawn completely: 4 squares, not 3")
def paints_a_part_of_a_shape():
    return start().takes(1, 1, O4).paints("o4", "1:1-2 2:1")


@cheat(r"paints O4, but O4 is drawn completely: 4 squares, not 5")
def paints_a_square_more():
    return start().takes(1, 1, O4).paints("o4", "1:1-2 2:1-3")


@cheat(r"paints O4, but O4 is drawn completely: 4 squares, not 0")
def paints_nothing():
    return start().takes(1, 1, O4).paints("o4", "")


@cheat(r"paints O4, but these squares are no O4, rotated or flipped")
def paints_squares_that_are_not_the_shape():
    return start().takes(1, 1, O4).paints("o4", "1:1-3 2:1")


@cheat(r"paints O4, but row 9, column 1 is outside the city")
def paints_over_the_lower_edge():
    return start().takes(1, 1, O4).paints("o4", [84, 85, 96, 97])


@cheat(r"paints O4, but row 0, column 11 is outside the city")
def paints_over_the_upper_edge():
    return start().takes(1, 1, O4).paints("o4", [-2, -1, 10, 11])


@cheat(r"paints O4, but these squares are no O4")
def paints_around_the_right_edge():
    return start().takes(1, 1, O4).paints("o4", [11, 12, 23, 24])


@cheat(r"paints O4, but row 2, column 2 is already painted")
def paints_over_its_own_drawing():
    log = start().takes(1, 1, O4).paints("o4", LEFT).takes(0, 1, O4).checks(0, -1).last(1, O4)
    return log.by(1).paints("o4", "2:2-3 3:2-3")


@cheat(r"covers square 0 \(row 1, column 1\) after square 0, but a drawing lists each of its")
def lists_a_square_twice():
    return start().takes(1, 1, O4).paints("o4", [0, 0, 1, 12, 13])


@cheat(r"covers square 1 \(row 1, column 2\) after square 12, but a drawing lists each of its")
def lists_squares_in_a_wrong_order():
    return start().takes(1, 1, O4).paints("o4", [0, 12, 1, 13])


@cheat(r"the row \(9, 0, 0, 13, -1, -1\) is none of a drawing of seat 1")
def lists_a_square_of_another_seat():
    log = start().takes(1, 1, O4).paints("o4", [0, 1, 12])
    return log.row(events.SQUARE, 0, 13)


@cheat(r"round 1, seat 1: paints shape code 14 \(there is none\)")
def paints_an_unknown_shape():
    return start().takes(1, 1, O4).row(events.PAINT, 1, 14)


@cheat(r"covers square 5 .*, but expected: paints, uses a drone or checks")
def squares_come_first():
    return start().takes(1, 1, O4).row(events.SQUARE, 1, 5)


# Drones


@cheat(r"draws W5 by drone \(slot 0, worth -1\), but W5 is not on the HQ")
def flies_a_shape_that_is_not_on_the_hq():
    return start().takes(1, 1, O4).drones("w5", "1:1 2:1-2 3:2-3", 0, -1)


@cheat(r"draws I2 by drone \(slot 1, worth -2\), but slot 0 of its remote, worth -1, is next")
def skips_a_slot():
    return start().takes(1, 1, O4).drones("i2", "1:1-2", 1, -2)


@cheat(r"draws I2 by drone \(slot 0, worth 0\), but slot 0 of its remote, worth -1, is next")
def flies_for_nothing():
    return start().takes(1, 1, O4).drones("i2", "1:1-2", 0, 0)


@cheat(r"draws I2 by drone \(slot 0, worth -1\), but slot 1 of its remote, worth -2, is next")
def uses_a_slot_twice():
    log = start().takes(1, 1, O4).drones("i2", "1:1-2", 0, -1).takes(0, 1, O4).checks(0, -1)
    return log.last(1, O4).by(1).drones("i2", "2:1-2", 0, -1)


@cheat(r"draws I2 by drone \(slot 1, worth -2\), but all 1 slots of its remote are circled")
def flies_without_a_slot():
    log = start(drone_values=[-1]).takes(1, 1, O4).drones("i2", "1:1-2", 0, -1).met("drones")
    log.takes(0, 1, O4).checks(0, -1).last(1, O4)
    return log.by(1).drones("i2", "2:1-2", 1, -2)


@cheat(r"draws I2 by drone .*, but all 0 slots of its remote are circled")
def flies_where_there_are_no_drones():
    return start(drone_values=[]).takes(1, 1, O4).drones("i2", "1:1-2", 0, -1)


@cheat(r"draws I2 by drone .*, but these squares are no I2, rotated or flipped")
def flies_anything():
    return start().takes(1, 1, O4).drones("i2", "1:1 2:2", 0, -1)


@cheat(r"draws P5 by drone .*, but row 9, column 1 is outside the city")
def flies_out_of_the_city():
    return start().takes(1, 1, O4).drones("p5", "8:1-2 9:1-2 10:1", 0, -1)


# Social networks


@cheat(r"checks with bubble 5 \(worth -1\), but it must circle bubble 0 \(worth -1\) or 1")
def circles_a_bubble_that_does_not_exist():
    log = start()
    return log.takes(1, 1, O4).checks(5, -1)


@cheat(r"checks with bubble 0 \(worth -1\), but it must circle bubble 1 \(worth -1\) or 2")
def circles_a_bubble_that_is_gone():
    return start().takes(1, 1, O4).checks(0, -1).takes(0, 1, O4).checks(0, -1)


@cheat(r"checks with bubble 0 \(worth 0\), but it must circle bubble 0 \(worth -1\) or 1")
def circles_a_bubble_for_nothing():
    return start().takes(1, 1, O4).checks(0, 0)


@cheat(r"checks without a bubble, but it must circle bubble 0 \(worth -1\) or 1")
def checks_without_a_bubble():
    return start().takes(1, 1, O4).checks()


@cheat(r"checks with bubble 0 \(worth -3\), but no bubble is left: a check is free")
def circles_a_bubble_when_all_are_gone():
    log = start(bubble_values=[-3]).takes(1, 1, O4).checks(0, -3).met("bubbles")
    return log.takes(0, 1, O4).checks(0, -3)


@cheat(r"checks with bubble 0 \(worth -3\), but it must circle bubble 1 \(worth -1\), which all")
def circles_not_the_best_bubble_with_the_last_die():
    log = start(bubble_values=[-3, -1, -1]).takes(1, 1, O4).paints("o4", LEFT)
    log.takes(0, 1, O4).paints("o4", LEFT).last(1, O4)
    return log.by(1).checks(0, -3)


@cheat(
    r"seat 0: checks with bubble 2 \(worth -1\), but it must circle bubble 1 \(worth -1\), which"
)
def circles_another_bubble_than_the_others():
    log = start(bubble_values=[-3, -1, -1]).takes(1, 1, O4).paints("o4", LEFT)
    log.takes(0, 1, O4).paints("o4", LEFT).last(1, O4)
    return log.by(1).checks(1, -1).by(0).checks(2, -1)


# The last die


@cheat(r"round 1: the last die is a 1 on space 1, but expected: the last die is a 1 on space 0")
def moves_the_last_die():
    log = Log(2).round(0, (1, O4), (1, I4), (1, O4))
    return log.takes(1, 1, O4).checks(0, -1).takes(0, 1, I4).checks(1, -1).last(1, I4)


@cheat(r"round 1: seat 1 paints O4, but expected: the last die is a 1 on space 0")
def does_not_show_the_last_die():
    log = start().takes(1, 1, O4).checks(0, -1).takes(0, 1, O4).checks(1, -1)
    return log.by(1).paints("o4", LEFT)


@cheat(r"round 1: seat 1 takes a 1 from space 0, but expected: the last die is a 1 on space 0")
def takes_the_last_die():
    log = start().takes(1, 1, O4).checks(0, -1).takes(0, 1, O4).checks(1, -1)
    return log.takes(1, 1, O4)


@cheat(r"round 1, seat 1: seat 0 paints O4, but expected: paints, uses a drone or checks with")
def the_leader_uses_the_last_die_first():
    log = start().takes(1, 1, O4).checks(0, -1).takes(0, 1, O4).checks(1, -1).last(1, O4)
    return log.by(0).paints("o4", LEFT)


@cheat(r"seat 0: seat 1 leads the round in a row of round 2, but expected: paints, uses a drone")
def a_seat_does_not_use_the_last_die():
    log = start().takes(1, 1, O4).checks(0, -1).takes(0, 1, O4).checks(1, -1).last(1, O4)
    log.by(1).paints("o4", LEFT)
    return log.round(1, (1, O4), (1, O4), (1, O4))


@cheat(r"round 1, seat 0: seat 1 circles 6 as the large value of row 1, but expected: paints")
def scores_the_last_die_seat_by_seat():
    log = duel_in_draft().by(1).drones("o4", "1:3-4 2:3-4", 0, -1)
    return log.circles(0, 6).circles(1, 6)


@cheat(r"in a row of round 2, but expected: takes one of the dice")
def counts_rounds_wrong():
    log = start()
    log.now = 1
    return log.takes(1, 1, O4)


@cheat(r"the row \(4, 0, 1, 1, 0, 0\) must have -1 in its unused fields")
def fills_an_unused_field():
    return start().row(events.TAKE, 1, 1, O4, 0)


@cheat(r"the row \(6, 0, 1, 3, 2, -1\) must have -1 in its unused fields")
def fills_an_unused_field_of_a_drawing():
    return start().takes(1, 1, O4).row(events.PAINT, 1, 3, 2)


@cheat(r"round 1, seat 1: there is the unknown event code 99, but expected: takes one of the dice")
def writes_an_unknown_event():
    return start().row(99, 1, 0, 0)


@cheat(r"round 1, seat 0: the log stops, but expected: takes one of the dice")
def stops_in_the_draft():
    return start().takes(1, 1, O4).checks(0, -1)


@cheat(r"paints P5, but P5 is drawn completely: 5 squares, not 4")
def leaves_out_a_square_where_it_does_not_fit():
    log = Log(2, components=SMALL, city="C").round(0, (6, P5), (6, P5), (6, P5))
    return log.takes(1, 6, P5).paints("p5", "1:1-2 2:1-2")


@pytest.mark.parametrize("name", list(CHEATS))
def test_cheats_are_stopped(name):
    build, message = CHEATS[name]
    with pytest.raises(RuleBroken, match=message) as caught:
        build().replay()
    assert "\n" not in str(caught.value)
