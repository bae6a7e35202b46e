"""The referee lets fair games pass: hand-made ones, worked by the rulebook's text, and random."""

from collections import Counter

import numpy as np
import pytest

from sim.games.game import RuleBroken
from sim.games.tag_city.logbook import GameOver, LastDie, RoundBegins, SetUp, Turn
from sim.games.tag_city.referee import replay
from sim.games.tag_city.rulebook import Check, Die, Drone, Paint

from .logs import (
    COMPONENTS,
    I4,
    L4,
    O4,
    P5,
    RULINGS,
    S4,
    SMALL,
    T4,
    Log,
    at,
    bubbles_gone,
    duel,
    duel_by_order,
    random_log,
    with_city,
)


def results(seen):
    return [(result.score, result.rank, result.bubbles) for result in seen.events[-1].results]


def circled(event):
    return [(p.seat, p.element.name, p.is_large, p.points) for p in event.circled]


def test_a_game_event_by_event():
    seen = duel().replay()
    assert [type(event) for event in seen.events] == [
        SetUp,
        RoundBegins,
        Turn,
        Turn,
        LastDie,
        GameOver,
    ]
    start, begins, first, second, last, over = seen.events
    assert start.ring == ("o4", "i4", "l4", "s4", "t4", "p5")
    assert begins.leader == 0
    assert begins.roll == (3, 6, 1)
    assert begins.dice == (Die(1, O4), Die(3, L4), Die(6, O4))
    assert (first.place, first.seat, first.die) == (1, 1, Die(1, O4))
    assert first.use == Paint(1, "o4", at("1:1-2 2:1-2"))
    assert (second.place, second.seat) == (2, 0)
    assert [use.seat for use in last.uses] == [1, 0]
    assert last.uses[0] == Drone(1, "o4", at("1:3-4 2:3-4"), slot=0, value=-1)
    assert (first.met, second.met, last.met) == ((), (), ("large_values",))
    assert (over.reason, over.rounds, over.truncated) == ("large_values", 1, False)


def test_states_follow_the_events():
    seen = duel().replay()
    assert len(seen.states) == len(seen.events)
    assert [len(state.dice) for state in seen.states] == [0, 3, 2, 1, 0, 0]
    assert [state.round for state in seen.states] == [0, 0, 0, 0, 1, 1]
    assert [state.leader for state in seen.states] == [0, 0, 0, 0, 1, 1]
    rules = seen.events[0].rules
    assert [[p.score(rules) for p in state.players] for state in seen.states] == [
        [0, 0],
        [0, 0],
        [0, 18],
        [18, 18],
        [38, 38],
        [38, 38],
    ]
    assert seen.states[2].checked_off == {2, 3, 6}
    assert [drawing.by_drone for drawing in seen.states[-1].players[0].drawings] == [False, True]
    assert seen.states[3].players[0].painted == at("1:3-4 2:3-4")


def test_large_value_to_the_first_and_small_ones_to_the_others():
    assert circled(duel().replay().events[2]) == [
        (1, "column_1", True, 4),
        (1, "column_2", True, 4),
        (1, "neighborhood_a", True, 10),
    ]
    later = [prize for prize in circled(duel().replay().events[4]) if not prize[2]]
    assert later == [
        (1, "column_3", False, 2),
        (1, "column_4", False, 2),
        (1, "neighborhood_b", False, 5),
        (0, "column_1", False, 2),
        (0, "column_2", False, 2),
        (0, "neighborhood_a", False, 5),
    ]


def test_several_who_complete_with_the_last_die_share_the_large_value():
    rows = [prize for prize in circled(duel().replay().events[4]) if "row" in prize[1]]
    assert rows == [(s, row, True, 6) for s in (1, 0) for row in ("row_1", "row_2")]
    assert results(duel().replay()) == [(38, 1, 0), (38, 1, 0)]


def test_or_the_first_from_the_leader_gets_it_by_ruling():
    rows = [prize for prize in circled(duel_by_order().replay().events[4]) if "row" in prize[1]]
    assert rows == [
        (0, "row_1", True, 6),
        (0, "row_2", True, 6),
        (1, "row_1", False, 3),
        (1, "row_2", False, 3),
    ]
    assert results(duel_by_order().replay()) == [(38, 1, 0), (32, 2, 0)]


def test_a_large_value_won_in_the_draft_is_not_shared_with_the_last_die():
    """The row is completed in the draft by one seat and with the last die by the other."""
    log = Log(2, components=with_city("AAAAB\nCCCCC"), city="C", round_cap=1)
    log.round(0, *[(1, I4)] * 3)
    log.takes(1, 1, I4).drones("i4", "1:1-4", 0, -1).circles(7, 10)
    log.takes(0, 1, I4).paints("i4", "1:1-4").circles(7, 5, large=False)
    log.last(1, I4).by(1).checks(0, -1).by(0).paints("i4", "2:1-4")
    for column in range(2, 6):
        log.by(0).circles(column, 4)
    log.ends("round_cap").scores((21, 0, 0), (8, 0, 1))
    assert results(log.replay()) == [(21, 0, 0), (8, 0, 1)]


def test_the_round_is_finished_after_bubbles_run_out():
    seen = bubbles_gone().replay()
    turns = [event for event in seen.events if isinstance(event, Turn) and event.round == 1]
    assert [turn.met for turn in turns] == [(), ("bubbles",), ()]
    assert turns[2].use == Check(1, None, 0)
    assert seen.events[-2].uses == tuple(Check(seat, None, 0) for seat in (2, 0, 1))
    assert results(seen) == [(-6, 3, 3), (-1, 1, 2), (-2, 2, 2)]


def test_all_who_check_with_the_last_die_circle_the_best_bubble_left():
    last = bubbles_gone().replay().events[5]
    assert last.uses == tuple(Check(seat, 2, -1) for seat in (1, 2, 0))
    state = bubbles_gone().replay().states[5]
    assert state.bubbles == {0, 1, 2, 4}
    assert [player.bubbles for player in state.players] == [(4, 2), (0, 2), (1, 2)]


def test_a_used_up_remote_ends_the_game():
    log = Log(2, drone_values=[-1, 2])
    log.round(0, (1, O4), (2, I4), (3, S4))
    log.takes(1, 2, I4).drones("v3", "8:1 8:2 7:1", 0, -1)
    log.takes(0, 1, O4).checks(4, -1)
    log.last(3, S4).by(1).drones("p5", "1:1-2 2:1-2 3:2", 1, 2).by(0).paints("s4", "1:2-3 2:1-2")
    log.met("drones").ends("drones").scores((-1, 2, 1), (1, 1, 0))
    assert results(log.replay()) == [(-1, 2, 1), (1, 1, 0)]


def test_two_conditions_at_once_end_it_by_the_first_of_the_list():
    log = Log(2, bubble_values=[3], drone_values=[0])
    log.round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).paints("o4", "1:1-2 2:1-2").takes(0, 1, O4).paints("o4", "1:1-2 2:1-2")
    log.last(1, O4).by(1).checks(0, 3).by(0).drones("i2", "8:1-2", 0, 0)
    log.met("bubbles").met("drones").ends("bubbles").scores((0, 2, 0), (3, 1, 1))
    assert log.replay().events[-1].reason == "bubbles"


def test_a_condition_met_later_in_the_round_does_not_change_the_reason():
    log = Log(2, bubble_values=[0], drone_values=[0])
    log.round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).drones("i2", "8:1-2", 0, 0).met("drones")
    log.takes(0, 1, O4).checks(0, 0).met("bubbles")
    log.last(1, O4).by(1).checks().by(0).checks()
    log.ends("drones").scores((0, 1, 1), (0, 2, 0))
    assert log.replay().events[-1].reason == "drones"


def test_bubbles_break_ties():
    log = Log(2, bubble_values=[0], drone_values=[0, 0])
    log.round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).checks(0, 0).met("bubbles")
    log.takes(0, 1, O4).checks()
    log.last(1, O4).by(1).checks().by(0).checks().ends("bubbles").scores((0, 2, 0), (0, 1, 1))
    assert results(log.replay()) == [(0, 2, 0), (0, 1, 1)]


def test_a_condition_met_in_the_last_round_allowed_ends_the_game_by_rule():
    log = duel()
    log.rulings["round_cap"] = 1
    assert not log.replay().events[-1].truncated


def test_a_game_cut_off_has_no_ranks():
    log = Log(2).passed_round([2, 1, 0]).cut_off((-2, 2), (-2, 2))
    seen = log.replay()
    assert seen.events[-1].truncated
    assert results(seen) == [(-2, 0, 2), (-2, 0, 2)]


def test_nothing_to_fill_ends_no_game():
    log = Log(2, bubble_values=[], drone_values=[]).passed_round().passed_round()
    assert results(log.cut_off((0, 0), (0, 0)).replay()) == [(0, 0, 0), (0, 0, 0)]


def test_the_leader_token_goes_round_and_the_leader_chooses_last():
    log = Log(3, bubble_values=[]).passed_round().passed_round().passed_round().passed_round()
    seen = log.cut_off(*[(0, 0)] * 3).replay()
    leaders = [event.leader for event in seen.events if isinstance(event, RoundBegins)]
    assert leaders == [0, 1, 2, 0]
    order = [event.seat for event in seen.events if isinstance(event, Turn)]
    assert order == [1, 2, 0, 2, 0, 1, 0, 1, 2, 1, 2, 0]


@pytest.mark.parametrize("leader", [0, 1, 2])
def test_any_first_leader_by_ruling(leader):
    log = Log(3, first_leader="random", bubble_values=[])
    log.leader = leader - 1
    log.now = 0
    log.passed_round()
    for row in log.rows:
        row[1] = 0 if row[1] == 1 else row[1]
    log.now = 0
    assert log.cut_off(*[(0, 0)] * 3).replay().events[1].leader == leader


def test_a_value_lies_on_either_of_its_two_spaces():
    dice = [(v, space) for v in range(1, 7) for space in (v - 1, v % 6)]
    for first, second in zip(dice, dice[1:] + dice[:1], strict=True):
        log = Log(2, bubble_values=[]).round(0, first, second, (4, T4))
        log.takes(1, *first).checks().takes(0, *second).checks()
        log.last(4, T4).by(1).checks().by(0).checks()
        seen = log.cut_off((0, 0), (0, 0)).replay()
        assert seen.events[1].dice == tuple(sorted([Die(*first), Die(*second), Die(4, T4)]))


def test_equal_values_may_be_put_down_in_any_order():
    for spaces in ((O4, P5), (P5, O4)):
        log = Log(2, bubble_values=[]).round(0, (1, I4), (6, O4), (6, P5))
        for row, space in zip(log.rows[-2:], spaces, strict=True):
            row[4] = space
        log.takes(1, 6, O4).checks().takes(0, 6, P5).checks()
        log.last(1, I4).by(1).checks().by(0).checks()
        log.cut_off((0, 0), (0, 0)).replay()


def test_any_bubble_may_be_circled_in_the_draft():
    log = Log(2, bubble_values=[-1, -1, 4]).passed_round([1, 0, 2]).met("bubbles")
    log.ends("bubbles").scores((3, 1, 2), (3, 1, 2))
    assert results(log.replay()) == [(3, 1, 2), (3, 1, 2)]


def test_the_ring_of_side_b_is_any_six_of_the_stock():
    ring = ("w5", "o4", "n5", "l5", "v5", "u5")
    log = Log(2, ring=ring, hq="B", bubble_values=[]).passed_round()
    assert log.cut_off((0, 0), (0, 0)).replay().events[0].ring == ring
    log = Log(2, ring=ring, hq=list(ring), bubble_values=[]).passed_round()
    assert log.cut_off((0, 0), (0, 0)).replay().events[0].ring == ring


VARIANTS = [
    {},
    {"hq": "B", "city": "B"},
    {"last_die_tie": "leader_first", "first_leader": "random"},
    {"bubble_values": [0, -1, -1, -2, -3], "drone_values": [3, 0]},
    {"bubble_values": [], "drone_values": [], "round_cap": 9},
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_pass(players, variant):
    for seed in range(3):
        log, table = random_log(players, seed, **variant)
        seen = replay(log, COMPONENTS, RULINGS | variant, players)
        assert [result.score for result in seen.events[-1].results] == [
            sum(prize.points for prize in player.circled)
            + sum((RULINGS | variant)["drone_values"][: player.slots])
            + sum((RULINGS | variant)["bubble_values"][bubble] for bubble in player.bubbles)
            for player in table.players
        ]


def test_random_games_of_a_small_city_reach_every_end():
    ends = Counter()
    for seed in range(60):
        rulings = RULINGS | {"city": "C", "round_cap": 2, "drone_values": [-1, 0]}
        log, _ = random_log(2, seed, SMALL, **rulings)
        ends[replay(log, SMALL, rulings, 2).events[-1].reason] += 1
    assert set(ends) == {"large_values", "bubbles", "drones", "round_cap"}


@pytest.mark.parametrize("players", [2, 4])
def test_no_row_can_be_dropped_or_doubled(players):
    log, _ = random_log(players, seed=5, round_cap=4)
    rulings = RULINGS | {"round_cap": 4}
    replay(log, COMPONENTS, rulings, players)
    for at_row in range(len(log)):
        for spoilt in (np.delete(log, at_row, axis=0), np.insert(log, at_row, log[at_row], axis=0)):
            with pytest.raises(RuleBroken) as caught:
                replay(spoilt, COMPONENTS, rulings, players)
            assert "\n" not in str(caught.value)
    with pytest.raises(RuleBroken, match="set-up: the log stops"):
        replay(log[:0], COMPONENTS, rulings, players)


@pytest.mark.parametrize("change", [1, -1, 7])
def test_no_number_can_be_changed_without_consequences(change):
    """A changed field is stopped, or it is a fair game that differs: another choice or roll."""
    log, _ = random_log(2, seed=8, round_cap=3)
    rulings = RULINGS | {"round_cap": 3}
    fair = replay(log, COMPONENTS, rulings, 2)
    for at_row in range(len(log)):
        for field in range(6):
            spoilt = log.copy()
            spoilt[at_row, field] += change
            try:
                seen = replay(spoilt, COMPONENTS, rulings, 2)
            except RuleBroken:
                continue
            assert seen.events != fair.events
