"""Games that the referee accepts, and what it makes of them: times, order, ends, scores."""

import pytest

from sim.games.wildstyle import events
from sim.games.wildstyle.events import ACT, ADD, DECIDE, DRAW, FUMBLE, RUSH, SHARE, WAIT
from sim.games.wildstyle.logbook import (
    Acted,
    Decided,
    Deed,
    FinalPhase,
    Fumbled,
    GameOver,
    RoundOver,
    Scored,
    Solo,
)

from .logs import COMPONENTS, EXACT, Play, card, random_game, variant

SECOND = 1_000_000
ONE_ROUND = variant(numbers={"rounds": 1})
ONE_TAG = variant(numbers={"rounds": 1, "tags_each_round": 1})


def small_deck(**copies):
    """Return components for one round with few cards: copies by icon, lists by colour."""
    cards = dict.fromkeys(EXACT["decks"]["d1"]["cards"], 0) | copies
    deck = EXACT["decks"]["d1"] | {"cards": cards}
    return ONE_ROUND | {"decks": EXACT["decks"] | {"d1": deck}}


def of_kind(replay, kind):
    return [event for event in replay.events if isinstance(event, kind)]


def happenings(play, round_=1):
    """Return (event, seat, time in tenths of a second) of a round's rows after the deal."""
    first = play.find(events.ROUND, nth=round_ - 1)
    names = {DECIDE: "decides", ACT: "acts", FUMBLE: "fumbles", events.TRIGGER: "trigger"}
    found = []
    for event, seat, time, *_ in play.rows[first:]:
        if event == events.ROUND_END:
            break
        if event in names:
            found.append((names[event], seat, time / SECOND * 10))
    return found


# Times and order


def test_a_log_row_by_row():
    play = Play(components=ONE_ROUND)
    hands = [["railway red", "park red", "park blue"], ["police red", "police blue", "park green"]]
    hex_ = play.hexes("railway")[0]
    script = play.script(
        ["add railway red 0", f"rush 0 {hex_}"], ["wait", "share police red 0", "draw 0"]
    )
    assert play.round(script, hands, [["station red"]]) == "stalemate"
    add = 0 | card("railway red") << 8
    share = 0 | card("police red") << 8
    assert play.rows[play.find(DECIDE) :] == [
        [DECIDE, 0, 0, ADD, add, 1_600_000],
        [DECIDE, 1, 0, WAIT, -1, -1],
        [ACT, 0, 1_600_000, ADD, add, -1],
        [DECIDE, 0, 1_600_000, RUSH, hex_ << 8, 5_200_000],
        [DECIDE, 1, 2_100_000, SHARE, share, 3_900_000],
        [ACT, 1, 3_900_000, SHARE, share, -1],
        [DECIDE, 1, 3_900_000, DRAW, 0, 5_500_000],
        [ACT, 0, 5_200_000, RUSH, hex_ << 8, -1],
        [DECIDE, 0, 5_200_000, WAIT, -1, -1],
        [ACT, 1, 5_500_000, DRAW, 0, card("station red")],
        [DECIDE, 1, 5_500_000, WAIT, -1, -1],
        [DECIDE, 0, 6_000_000, WAIT, -1, -1],
        [events.ROUND_END, -1, 6_000_000, events.STALEMATE, -1, -1],
    ]
    replay = play.scored().replay()
    assert len(replay.events) == len(replay.states)
    rush = of_kind(replay, Acted)[2]
    assert rush == Acted(1, 5_200_000, 0, Deed("rush", space=0, hex=hex_), None)
    after = replay.states[replay.events.index(rush)]
    assert after.tags == ((hex_,), ())
    assert (after.cars, after.cars_left, after.tags_left) == ((1, 0), 27, (5, 6))
    assert after.mats[0] == ((), ())
    assert after.share_piles[0] == (card("police red"),)


def test_what_lands_at_once_goes_by_decision_then_seat():
    """Seat 2 decided first; of 0 and 1, who decided together, 0 is first. Then all look."""
    components = variant(
        ONE_ROUND, clock={"handling": EXACT["clock"]["handling"] | {"share": 1.0, "take": 1.0}}
    )
    hands = [["park red", "park blue"], ["park green", "park red"], ["railway red"]]
    play = Play(players=3, components=components, tempos=[1.0, 1.0, 2.0])
    script = play.script(
        ["add park red 0", "add park blue 0"],
        ["add park green 0", "add park red 0"],
        ["share railway red 0"],
    )
    play.round(script, hands)
    assert happenings(play)[3:12] == [
        ("acts", 0, 16.0),
        ("acts", 1, 16.0),
        ("decides", 0, 16.0),
        ("decides", 1, 16.0),
        ("acts", 2, 32.0),
        ("acts", 0, 32.0),
        ("acts", 1, 32.0),
        ("decides", 0, 32.0),
        ("decides", 1, 32.0),
    ]
    play.scored().replay()


def test_a_card_taken_by_another_is_a_fumble():
    hands = [["railway red", "railway blue"], ["railway yellow", "park red", "park blue"]]
    play = Play(components=ONE_ROUND)
    script = play.script(
        ["add railway red 0", "add railway blue 0", "take 0 0"],
        ["share railway yellow 0", "add park red 0", "take 0 1"],
    )
    play.round(script, hands)
    replay = play.scored().replay()
    (fumble,) = of_kind(replay, Fumbled)
    assert (fumble.seat, fumble.time, fumble.deed.act) == (1, 5_400_000, "take")
    at = replay.events.index(fumble)
    assert replay.states[at].mats == replay.states[at - 1].mats
    assert replay.events[at + 1].deed.act == "wait"


def test_a_wait_ends_with_an_act_of_another_and_not_with_a_fumble_or_its_own():
    hands = [["railway red", "railway blue"], ["railway yellow"], ["park red", "park green"]]
    play = Play(players=3, components=ONE_ROUND)
    script = play.script([], ["share railway yellow 0", "take 0 0"], ["wait", "take 0 0"])
    play.round(script, hands)
    looks = {seat: [] for seat in range(3)}
    for what, seat, when in happenings(play):
        if what == "decides":
            looks[seat].append(when)
    assert ("fumbles", 2, 43.0) in happenings(play)
    assert looks == {0: [0, 23, 43], 1: [0, 18, 38], 2: [0, 23, 43]}
    play.scored().replay()


def test_who_reacts_at_once_looks_after_all_that_lands():
    components = variant(ONE_ROUND, clock={"reaction": 0.0})
    hands = [["park red"], ["park blue"], ["police red"]]
    play = Play(players=3, components=components)
    script = play.script([], ["add park blue 0"], ["add police red 0"])
    play.round(script, hands)
    assert happenings(play)[3:8] == [
        ("acts", 1, 16.0),
        ("acts", 2, 16.0),
        ("decides", 0, 16.0),
        ("decides", 1, 16.0),
        ("decides", 2, 16.0),
    ]
    play.scored().replay()


def test_tempo_slows_acts_and_reactions():
    play = Play(components=ONE_ROUND, tempos=[1.5, 0.7])
    play.round(play.script(["add park red 0"], ["wait", "wait"]), [["park red"]])
    assert happenings(play) == [
        ("decides", 0, 0),
        ("decides", 1, 0),
        ("acts", 0, 24.0),
        ("decides", 0, 24.0),
        ("decides", 1, 27.5),
    ]
    play.scored().replay()


# The end of a round


def ends_by_tags(*said, hands=(["park blue"], ["police red", "police blue"]), **kept):
    """Seat 0 places its only tag at 5.2 s; the other says what it does. Return the play."""
    play = Play(components=ONE_TAG, **kept)
    rush = ["add park blue 0", f"rush 0 {play.hexes('park')[0]}"]
    assert play.round(play.script(rush, said), hands) == "tags_out"
    return play


def end_of(play):
    """Return (reason, seconds) of the last round as the referee saw it."""
    over = of_kind(play.scored().replay(), RoundOver)[-1]
    return over.reason, over.time / SECOND


def test_tags_out_and_nobody_has_a_set():
    play = ends_by_tags()
    assert end_of(play) == ("tags_out", 5.2)
    replay = play.replay()
    assert of_kind(replay, FinalPhase) == [FinalPhase(1, 5_200_000, 0, "tags_out")]


@pytest.mark.parametrize("last", ["draw 0", "share station red 1"])
def test_what_a_finished_seat_had_decided_is_dropped(last):
    """The draw would land at the instant of the trigger, decided later; the share after it."""
    hands = (["park blue"], ["police red", "police blue", "station red"])
    play = ends_by_tags("share police red 0", "share police blue 0", last, hands=hands)
    lands = [row[5] / SECOND for row in play.rows if row[0] == DECIDE and row[1] == 1]
    assert lands[-1] == (5.2 if last == "draw 0" else 5.4)
    assert happenings(play)[-2:] == [("acts", 0, 52.0), ("trigger", -1, 52.0)]
    assert end_of(play) == ("tags_out", 5.2)


def test_the_last_seat_finishes_its_set():
    hex_ = Play().hexes("police")[0]
    play = ends_by_tags("add police red 0", "wait", f"rush 0 {hex_}")
    assert end_of(play) == ("tags_out", 9.3)
    assert play.replay().states[-2].tags_left == (0, 0)


def test_the_last_seat_stops():
    assert end_of(ends_by_tags("add police red 0", "wait", "stop")) == ("tags_out", 5.7)


def test_the_last_seat_waits_and_all_is_over():
    assert end_of(ends_by_tags("add police red 0", "wait", "wait")) == ("tags_out", 5.7)


def test_the_last_seat_clears_its_last_set_and_is_finished():
    play = ends_by_tags("add police red 0", "wait", "rush 0 none")
    assert end_of(play) == ("tags_out", 9.3)
    assert play.replay().states[-2].tags_left == (0, 1)


def test_a_set_that_would_start_in_the_final_phase_is_a_fumble():
    hands = (["park blue"], ["police red", "station red"])
    script = ("add police red 0", "add station red 1", "stop")
    play = ends_by_tags(*script, hands=hands, tempos=[1.0, 2.0])
    assert ("fumbles", 1, 64.0) in happenings(play)
    assert end_of(play) == ("tags_out", 6.4)


def test_a_rush_that_the_final_phase_forbids_is_a_fumble():
    play = ends_by_tags(
        "add police red 0", "rush 0 none", "stop", tempos=[1.0, 1.5], final_phase_rush=False
    )
    assert ("fumbles", 1, 78.0) in happenings(play)
    assert end_of(play) == ("tags_out", 7.8)


def test_empty_draw_piles():
    play = Play(components=small_deck(residential=10))
    add = ["add residential red 0", "add residential red 0"]
    hands = [["residential red", "residential red"], ["residential blue", "residential blue"]]
    script = play.script([*add, "draw 0", "draw 1", "stop"], ["add residential blue 0"])
    assert play.round(script, hands) == "piles_empty"
    assert happenings(play)[-4:] == [
        ("acts", 0, 64.0),
        ("trigger", -1, 64.0),
        ("decides", 0, 64.0),
        ("decides", 1, 69.0),
    ]
    assert end_of(play) == ("piles_empty", 6.9)


def test_a_round_without_an_act_ends_at_once():
    play = Play(components=ONE_ROUND)
    play.round(play.script())
    assert end_of(play) == ("stalemate", 0)


@pytest.mark.parametrize(("handling", "acts"), [(1.4, 1), (1.41, 0)])
def test_the_cap_on_a_round(handling, acts):
    """What lands at the cap still happens, what comes later does not."""
    clock = {"handling": EXACT["clock"]["handling"] | {"add": handling}, "reaction": 5.0}
    play = Play(components=variant(clock=clock), round_cap_s=2)
    script = play.script(["add park red 0", "add park blue 0"])
    assert play.round(script, [["park red", "park blue"]]) == "time_cap"
    replay = play.cut_off().replay()
    assert len(of_kind(replay, Acted)) == acts
    over = replay.events[-1]
    assert isinstance(over, GameOver)
    assert (over.truncated, over.reason) == (True, "time_cap")
    assert [(result.score, result.rank) for result in over.results] == [(0, 0), (0, 0)]


# The end of the game


def test_fewer_cop_cars_break_a_tie():
    play = ends_by_tags()
    over = play.scored().replay().events[-1]
    assert [(result.score, result.rank, result.cars) for result in over.results] == [
        (0, 2, 1),
        (0, 1, 0),
    ]


def test_tags_that_touch_score():
    """Two railways that touch: a point each, two with Urban Planner for each; one tag alone."""
    play = Play(components=ONE_ROUND, tiles=("tricorners", "straight_shooter", "urban_planner"))
    near, railways = play.city.ground.neighbours, play.hexes("railway")
    one, other = next((a, b) for a in railways for b in railways if b in near[a])
    railway = [f"railway {colour}" for colour in ("red", "blue", "green")]
    more = ["railway red", "railway blue", "railway green"]
    adds = [f"add {name} 0" for name in railway]
    draws = ["draw 0"] * 3
    script = play.script(
        [*adds, f"complete 0 {one}", *draws, *adds, f"complete 0 {other}"],
        ["add park red 0", f"rush 0 {play.hexes('park')[0]}"],
    )
    play.round(script, [railway, ["park red"]], [more])
    replay = play.scored().replay()
    assert [(event.seat, event.points, event.tags) for event in of_kind(replay, Scored)] == [
        (0, 0, 0),
        (0, 0, 0),
        (0, 4, 2),
        (1, 0, 0),
        (1, 0, 0),
        (1, 0, 0),
    ]
    assert of_kind(replay, Scored)[2].groups == ((min(one, other), max(one, other)),)
    assert [result.score for result in replay.events[-1].results] == [6, 0]
    assert of_kind(replay, Solo) == []  # the tag alone came off for the cop car
    assert replay.states[-1].tags == ((one, other), ())


# Whole games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("way", ["eager", "random"])
def test_random_games_are_legal(players, way):
    for seed in range(3):
        play = random_game(players, seed, way)
        replay = play.replay()
        assert len(of_kind(replay, RoundOver)) == 3
        looks = of_kind(replay, Decided)
        assert {look.seat for look in looks} == set(range(players))
        assert sum(row[0] == DECIDE for row in play.rows) == len(looks)


@pytest.mark.parametrize(
    "rulings",
    [
        {"board_radius": 2},
        {"deck": "d2"},
        {"deck": "d3", "station_snake": "best_cluster"},
        {"final_phase_rush": False},
        {"tag_removal": "cheapest"},
        {"family_mode": True},
        {"round_cap_s": 20},
    ],
    ids=lambda rulings: next(iter(rulings)),
)
def test_random_games_with_other_rulings_are_legal(rulings):
    for seed in range(3):
        over = random_game(3, seed, **rulings).replay().events[-1]
        assert over.truncated == ("round_cap_s" in rulings)


def test_exact_clocks_and_wide_ones():
    for sigma in (0.0, 1.0):
        random_game(4, 5, components=variant(COMPONENTS, clock={"sigma": sigma})).replay()
