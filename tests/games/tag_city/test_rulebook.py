"""The plain rulebook: what is printed, drawings, values, ends, ranks, on tables laid by hand."""

from itertools import product

import pytest

from sim.games.tag_city.boards import Rules, drawings_left
from sim.games.tag_city.rulebook import (
    Check,
    Die,
    Drone,
    Paint,
    best_bubble,
    conditions,
    do,
    draft_order,
    elements_completed,
    end_of_the_game,
    fault,
    inconsistency,
    newly_met,
    ranking,
    score_draft,
    score_last_die,
    scores,
    set_up,
    spaces_of,
)

from .logs import BOTH, COMPONENTS, I4, L4, O4, P5, RULINGS, SMALL, at, with_city


def read(components=COMPONENTS, **rulings):
    return Rules.read(components, RULINGS | rulings)


def table(players=2, leader=0, components=COMPONENTS, **rulings):
    rules = read(components, **rulings)
    return set_up(rules, players, rules.side_a, leader)


def small(players=2, leader=0, **rulings):
    return table(players, leader, SMALL, city="C", **rulings)


# What is printed


def test_shapes_and_how_many_ways_they_can_lie():
    shapes = read().shapes
    assert {name: (shape.size, len(shape.copies)) for name, shape in shapes.items()} == {
        "i2": (2, 2),
        "i3": (3, 2),
        "v3": (3, 4),
        "o4": (4, 1),
        "i4": (4, 2),
        "t4": (4, 4),
        "l4": (4, 8),
        "s4": (4, 4),
        "p5": (5, 8),
        "u5": (5, 4),
        "v5": (5, 4),
        "l5": (5, 8),
        "n5": (5, 8),
        "w5": (5, 4),
    }


def test_the_shape_as_printed_is_one_of_its_copies():
    assert read().shapes["l4"].squares == at("1:1 2:1 3:1-2")
    assert all(shape.squares in shape.copies for shape in read().shapes.values())


def test_empty_lines_and_blanks_around_a_drawing_do_not_matter():
    components = with_city("\nAAB \nAAB\n\n")
    components["ring_shapes"]["tokens"]["o4"]["drawing"] = "\n..##\n  ##\n\n"
    rules = read(components, city="C")
    assert rules.city == ("AAB", "AAB")
    assert rules.shapes["o4"].squares == at("1:1-2 2:1-2")


def test_elements_of_side_a():
    elements = read().elements
    assert [element.number for element in elements] == list(range(25))
    assert [element.name for element in elements[:2]] == ["row_1", "row_2"]
    assert [len(element.squares) for element in elements] == [12] * 8 + [8] * 12 + [20] * 2 + [
        16,
        20,
        20,
    ]
    worth = [(element.large, element.small) for element in elements]
    assert worth == [(6, 3)] * 8 + [(4, 2)] * 12 + [(10, 5)] * 2 + [(8, 4)] + [(10, 5)] * 2
    assert elements[8].squares == {(row, 0) for row in range(8)}
    assert elements[22].title == "neighborhood C"
    assert elements[22].squares == at("3:5-8 4:5-8 5:5-8 6:5-8")


def test_elements_of_side_b_have_a_value_each():
    elements = read(city="B").elements
    assert [element.large for element in elements[:8]] == [4, 5, 7, 8, 8, 7, 5, 4]
    assert [element.small for element in elements[20:]] == [3, 4, 5, 5, 6]
    assert [len(element.squares) for element in elements[20:]] == [12, 16, 20, 22, 26]


def test_neighborhoods_are_those_in_the_drawing_by_letter():
    elements = read(with_city("ZZC\nCZZ"), city="C").elements
    assert [element.name for element in elements[5:]] == ["neighborhood_c", "neighborhood_z"]
    assert elements[5].squares == at("1:3 2:1")


# Drawings


@pytest.mark.parametrize(
    ("shape", "count"), [("i2", 7 * 12 + 8 * 11), ("o4", 77), ("i4", 132), ("p5", 4 * (66 + 70))]
)
def test_drawings_on_an_empty_board(shape, count):
    found = list(drawings_left(read(), shape, set()))
    assert len(found) == len(set(found)) == count


def test_drawings_left_lie_on_free_squares():
    rules = read(SMALL, city="C")
    assert list(drawings_left(rules, "o4", set(at("1:2")))) == [
        at("1:3-4 2:3-4"),
    ]
    assert set(drawings_left(rules, "i4", set(at("1:1")))) == {at("2:1-4")}
    assert len(list(drawings_left(rules, "p5", set()))) == 8
    assert list(drawings_left(rules, "v5", set())) == []


@pytest.mark.parametrize(
    ("squares", "why"),
    [
        ("1:1-2 2:1-2", None),
        ("8:11-12 7:11-12", None),
        ("1:1-2 2:1", "O4 is drawn completely: 4 squares, not 3"),
        ("1:1-2 2:1-3", "O4 is drawn completely: 4 squares, not 5"),
        ("1:12-13 2:12-13", "row 1, column 13 is outside the city"),
        ("8:1-2 9:1-2", "row 9, column 1 is outside the city"),
        ("3:5-6 4:5-6", "row 3, column 6 is already painted"),
        ("1:1-4", "these squares are no O4, rotated or flipped"),
        ("1:1-2 3:1-2", "these squares are no O4, rotated or flipped"),
    ],
)
def test_where_a_shape_may_be_drawn(squares, why):
    laid = table()
    do(laid, Paint(0, "i4", at("3:6-9")))
    assert fault(laid, Die(1, O4), Paint(0, "o4", at(squares))) == why


def test_boards_are_private():
    laid = table()
    do(laid, Paint(0, "o4", at("1:1-2 2:1-2")))
    assert fault(laid, Die(1, O4), Paint(1, "o4", at("1:1-2 2:1-2"))) is None


@pytest.mark.parametrize(
    "squares", ["1:1-2 2:1-2 3:1", "1:1-3 2:2-3", "4:1-2 5:1-2 3:2", "1:2-3 2:1-3"]
)
def test_a_shape_may_be_rotated_and_flipped(squares):
    assert fault(table(), Die(6, P5), Paint(0, "p5", at(squares))) is None


def test_a_die_gives_the_shape_of_its_space():
    why = fault(table(), Die(2, L4), Paint(0, "i4", at("1:1-4")))
    assert why == "L4 lies on space 2, where the die is from"
    assert fault(table(), Die(2, I4), Paint(0, "i4", at("1:1-4"))) is None


# Drones


def test_a_drone_draws_any_shape_of_the_hq():
    rules = read()
    for shape in rules.shapes:
        squares = next(drawings_left(rules, shape, set()))
        why = fault(table(), Die(1, O4), Drone(0, shape, squares, 0, -1))
        on_the_hq = shape in ("i2", "i3", "v3", "o4", "i4", "l4", "s4", "t4", "p5")
        assert (why is None) == on_the_hq
    assert why == "W5 is not on the HQ"


def test_slots_are_circled_in_order_until_none_is_left():
    laid = table(drone_values=[-1, 7])
    for slot, value in enumerate([-1, 7]):
        for other in (
            Drone(0, "i2", at("1:1-2"), 1 - slot, 6 - value),
            Drone(0, "i2", at("1:1-2"), slot, 0),
        ):
            assert "is next" in fault(laid, Die(1, O4), other)
        drone = Drone(0, "i2", at(f"{slot + 1}:1-2"), slot, value)
        assert fault(laid, Die(1, O4), drone) is None
        do(laid, drone)
    last = Drone(0, "i2", at("8:1-2"), 2, 0)
    assert fault(laid, Die(1, O4), last) == "all 2 slots of its remote are circled"
    assert scores(laid) == [6, 0]


def test_a_drone_must_draw():
    why = fault(table(), Die(1, O4), Drone(0, "i2", at("1:12-13"), 0, -1))
    assert why == "row 1, column 13 is outside the city"


# Social networks


def test_bubbles_are_shared_by_the_table():
    laid = table(bubble_values=[0, -1])
    do(laid, Check(0, 1, -1))
    assert fault(laid, Die(1, O4), Check(1, 0, 0)) is None
    assert fault(laid, Die(1, O4), Check(1, 1, -1)) == "it must circle bubble 0 (worth 0)"
    assert "must circle" in fault(laid, Die(1, O4), Check(1, None, 0))
    assert "must circle" in fault(laid, Die(1, O4), Check(1, 0, -1))
    do(laid, Check(1, 0, 0))
    assert fault(laid, Die(1, O4), Check(1, None, 0)) is None
    assert "no bubble is left" in fault(laid, Die(1, O4), Check(1, 0, 0))
    assert "no bubble is left" in fault(laid, Die(1, O4), Check(1, None, -1))
    assert scores(laid) == [-1, 0]


def test_the_best_bubble_is_the_first_of_equals():
    laid = table(bubble_values=[-2, -1, -1, -3])
    assert best_bubble(laid) == 1
    assert fault(laid, Die(1, O4), Check(0, 2, -1), last_die=False) is None
    assert "bubble 1 (worth -1), which all" in fault(laid, Die(1, O4), Check(0, 2, -1), True)
    for bubble in (1, 2, 0, 3):
        assert best_bubble(laid) == bubble
        do(laid, Check(0, bubble, laid.rules.bubble_values[bubble]))
    assert best_bubble(laid) is None


# Turn sequence


def test_values_lie_between_two_adjacent_spaces():
    assert [spaces_of(value) for value in range(1, 7)] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 0),
    ]


def test_the_leader_drafts_last():
    assert draft_order(2, 0) == [1, 0]
    assert draft_order(4, 2) == [3, 0, 1, 2]


# Scoring


def test_elements_are_completed_by_their_last_square():
    laid = small()
    do(laid, Paint(0, "i3", at("1:1-3")))
    assert score_draft(laid, 0) == []
    do(laid, Paint(0, "v3", at("1:4 2:3-4")))
    assert [e.name for e in elements_completed(laid, 0)] == [
        "row_1",
        "column_3",
        "column_4",
        "neighborhood_b",
    ]
    assert sum(prize.points for prize in score_draft(laid, 0)) == 6 + 4 + 4 + 10
    assert elements_completed(laid, 0) == []
    assert inconsistency(laid) is None


@pytest.mark.parametrize(
    ("tie", "leader", "points"),
    [
        ("share_large", 1, [18, 18, 18]),
        ("leader_first", 1, [9, 18, 9]),
        ("leader_first", 2, [9, 9, 18]),
    ],
)
def test_ties_with_the_last_die(tie, leader, points):
    laid = small(3, leader, last_die_tie=tie)
    for seat in range(3):
        do(laid, Paint(seat, "o4", at(BOTH[0])))
    assert sum(p.points for p in score_last_die(laid) if p.seat == leader) == 18
    assert scores(laid) == points


@pytest.mark.parametrize("tie", ["share_large", "leader_first"])
def test_a_large_value_that_is_gone_stays_gone(tie):
    laid = small(2, last_die_tie=tie)
    do(laid, Paint(0, "o4", at(BOTH[0])))
    score_draft(laid, 0)
    do(laid, Paint(1, "o4", at(BOTH[0])))
    assert [(p.seat, p.is_large, p.points) for p in score_last_die(laid)] == [
        (1, False, 2),
        (1, False, 2),
        (1, False, 5),
    ]


def test_small_values_may_be_nothing_and_are_circled_all_the_same():
    components = with_city("AB", rows=(1, 0), columns=(1, 0), neighborhoods=([3, 4], [0, 9]))
    laid = table(components=components, city="C")
    for seat in range(2):
        do(laid, Paint(seat, "i2", at("1:1-2")))
        prizes = score_draft(laid, seat)
        assert len(prizes) == 5
        assert [p.points for p in prizes] == ([1, 1, 1, 3, 4] if seat == 0 else [0, 0, 0, 0, 9])


def test_points_are_all_that_is_circled():
    laid = small(bubble_values=[-2, 5])
    do(laid, Drone(1, "o4", at(BOTH[1]), 0, -1))
    score_draft(laid, 1)
    do(laid, Check(1, 0, -2))
    do(laid, Check(0, 1, 5))
    assert scores(laid) == [5, 4 + 4 + 10 - 1 - 2]


# The end


def test_conditions_are_announced_once_in_their_order():
    laid = small(bubble_values=[0], drone_values=[0])
    assert newly_met(laid) == []
    do(laid, Check(0, 0, 0))
    do(laid, Drone(0, "i2", at("1:1-2"), 0, 0))
    assert newly_met(laid) == ["bubbles", "drones"]
    assert newly_met(laid) == []
    laid.checked_off = set(range(8))
    assert conditions(laid) == ["large_values", "bubbles", "drones"]
    assert newly_met(laid) == ["large_values"]
    assert end_of_the_game(laid) == "bubbles"


def test_large_values_may_be_circled_by_different_seats():
    laid = small()
    for seat, squares in product(range(2), BOTH):
        do(laid, Paint(seat, "o4", at(squares)))
        score_draft(laid, seat)
        assert conditions(laid) == (["large_values"] if seat or squares == BOTH[1] else [])


def test_one_remote_used_up_is_enough():
    laid = table(3, drone_values=[0, 0])
    laid.players[0].slots = laid.players[1].slots = 1
    assert conditions(laid) == []
    laid.players[2].slots = 2
    assert conditions(laid) == ["drones"]


def test_the_cap_counts_rounds():
    laid = table(round_cap=3)
    laid.round = 2
    assert end_of_the_game(laid) is None
    laid.round = 3
    assert end_of_the_game(laid) == "round_cap"


def test_ranks_by_points_then_bubbles():
    laid = table(4, bubble_values=[0, 0, 0, 7])
    laid.players[0].bubbles = (0,)
    laid.players[2].bubbles = (1, 2)
    laid.players[3].bubbles = (3,)
    assert scores(laid) == [0, 0, 0, 7]
    assert ranking(laid) == [3, 4, 2, 1]
    laid.players[1].bubbles = (0,)
    assert ranking(laid) == [3, 3, 2, 1]


# What never changes


def test_boards_that_cannot_be_are_noticed():
    laid = small()
    do(laid, Paint(0, "o4", at(BOTH[0])))
    assert inconsistency(laid) == "what seat 0 circled is not what its drawings complete"
    score_draft(laid, 0)
    assert inconsistency(laid) is None
    laid.players[0].painted.add((1, 3))
    assert "overlap" in inconsistency(laid)
