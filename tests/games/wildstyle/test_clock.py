"""The clock of the compiled game: when acts land, who is first, what fails, who wakes when.

Times are microseconds. Handling: draw 1.0 s, add 1.0, share 1.2, take 1.4, complete 2.5, rush 3.0;
thinking 0.6 s, reaction 0.5 s.
"""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy import stats

from sim.games.wildstyle import events

from ..running import uncompiled
from .table import (
    EXACT,
    GAME,
    SECOND,
    Table,
    changed,
    log_of,
    numbers,
    prefers,
    seat,
    setup,
)
from .words import of, rows_of

HANDLING = {"draw": 1.0, "add": 1.0, "share": 1.2, "take": 1.4, "complete": 2.5, "rush": 3.0}
THINKING = 0.6
PLENTY = ["9*station red", "9*station blue"]


def story(rows):
    """Return (event, seat, time) of a round."""
    return [(row.event, row.seat, row.time) for row in rows]


def decided(rows, seat):
    """Return (time, words, landing) of a seat's decisions."""
    return [(row.time, row.what, row.c) for row in of(rows, "DECIDE") if row.seat == seat]


# Exact times


@uncompiled
@pytest.mark.parametrize("tempo", [1.0, 0.7, 1.5])
@pytest.mark.parametrize("kind", HANDLING)
def test_an_act_takes_thinking_and_handling(kind, tempo):
    sets = {"complete": "3*park", "rush": "2*park"}.get(kind, "")
    table = Table(
        seat("park red", sets=sets, style=prefers(tempo=tempo, **{kind: 1.0})), seat(),
        share=["police blue"],
    )  # fmt: skip
    table.let_look(0)
    rows = table.run()
    lasts = round((THINKING + HANDLING[kind]) * tempo * SECOND)
    time, words, lands = decided(rows, 0)[0]
    assert (time, words.split()[0], lands) == (0, kind, lasts)
    assert rows[1][:3] == ("ACT", 0, lasts)
    # at the instant of its act the seat looks again
    assert decided(rows, 0)[1][0] == lasts


@uncompiled
def test_the_clock_counts_in_whole_microseconds_and_at_least_one():
    components = changed("clock.handling.draw", 0.0000004, changed("clock.thinking", 0.0, EXACT))
    table = Table(seat(style=prefers(draw=1)), seat(), components=components, draw=PLENTY)
    table.let_look(0)
    assert [time for time, *_ in decided(table.run(), 0)] == [0, 1, 2, 3]
    components = changed("clock.handling.draw", 0.0000026, components)
    table = Table(seat(style=prefers(draw=1)), seat(), components=components, draw=PLENTY)
    table.let_look(0)
    assert [time for time, *_ in decided(table.run(), 0)] == [0, 3, 6, 9]


@uncompiled
def test_each_act_has_a_handling_time_of_its_own():
    components = EXACT
    for number, kind in enumerate(HANDLING):
        components = changed(f"clock.handling.{kind}", 10.0 + number, components)
    for number, kind in enumerate(HANDLING):
        sets = {"complete": "3*park", "rush": "2*park"}.get(kind, "")
        table = Table(
            seat("park red", sets=sets, style=prefers(**{kind: 1.0})), seat(),
            share=["police blue"], components=components,
        )  # fmt: skip
        table.let_look(0)
        assert decided(table.run(), 0)[0][2] == (10 + number) * SECOND + 600_000


@uncompiled
def test_everybody_looks_when_a_round_begins():
    rows = rows_of(log_of(setup(4, components=EXACT), 0))
    at = next(i for i, row in enumerate(rows) if row.event == "DECIDE")
    assert story(rows[at : at + 4]) == [("DECIDE", n, 0) for n in range(4)]


# Acts that land together


@uncompiled
@pytest.mark.parametrize(
    ("decided_at", "first"), [((0, 0), 0), ((5, 5), 0), ((1, 0), 1), ((0, 1), 0), ((9, 8), 1)]
)
def test_the_earlier_decision_lands_first_then_the_lower_seat(decided_at, first):
    table = Table(seat(), seat(), draw=["police red, park blue", "station red"])
    for number, at in enumerate(decided_at):
        table.decides(number, "draw 0", lands=10, at=at)
    rows = table.run()
    assert story(rows)[:2] == [("ACT", first, 10), ("ACT", 1 - first, 10)]
    hands = [Counter(["park blue"]), Counter(["police red"])]
    assert table.hands == (hands if first == 0 else hands[::-1])


@uncompiled
def test_five_acts_at_an_instant_come_before_any_look():
    at = [3, 1, 2, 1, 0]
    table = Table(*[seat(style=prefers(draw=1)) for _ in at], draw=["9*park red"] * 3)
    for number, time in enumerate(at):
        table.decides(number, "draw 0", lands=7, at=time)
    rows = table.run()[:10]
    assert [(row.event, row.seat) for row in rows] == (
        [("ACT", number) for number in (4, 1, 3, 2, 0)] + [("DECIDE", n) for n in range(5)]
    )


@uncompiled
def test_who_looks_at_an_instant_sees_all_that_landed_then():
    """Seat 0 would take the card that seat 1 shares at the same instant, and does so next."""
    table = Table(seat(style=prefers(take=1, draw=0.5)), seat("park red"), draw=PLENTY)
    table.decides(0, "draw 1", lands=20, at=0)
    table.decides(1, "share park red 0", lands=20, at=19)
    rows = table.run()
    assert decided(rows, 0)[0][1] == "take park red 0 0"


@uncompiled
def test_the_last_of_a_pile_goes_to_who_decided_first():
    table = Table(*[seat(sets="park")] * 3, draw=["park blue", "station red"])
    for number, at in enumerate((2, 1, 3)):
        table.decides(number, "draw 0", lands=10, at=at)
    rows = table.run()
    assert [(row.event, row.seat) for row in rows[:3]] == [("ACT", 1), ("FUMBLE", 0), ("FUMBLE", 2)]
    assert (table.fumbles, table.acts) == ([1, 0, 1], [0, 1, 0])


# Fumbles: what was aimed at is gone


FUMBLES = {
    "the pile is empty": ("draw 0", "draw 0"),
    "the hex is taken": ("complete 0 PARK", "complete 0 PARK"),
    "the hex of a rush is taken": ("complete 0 PARK", "rush 1 PARK"),
    "the hex is taken by a rush": ("rush 1 PARK", "complete 0 PARK"),
    "the shared card is taken": ("take park green 0 1", "take park green 0 1"),
    "the shared card is covered": ("share police green 0", "take park green 0 1"),
    "the top that matched is covered": ("share police green 0", "share park red 0"),
    "the top that matched is taken": ("take park green 0 1", "share park red 0"),
    "the empty share pile is not empty": ("share police green 2", "share park red 2"),
}


@uncompiled
@pytest.mark.parametrize(("first", "second"), FUMBLES.values(), ids=FUMBLES)
def test_an_act_fails_when_its_aim_is_gone(first, second):
    def outcome(*acts):
        table = Table(
            seat("police green", sets="3*park, 2*park"),
            seat("park red", sets="3*park, 2*park"),
            draw=["park yellow", "station red"],
            share=["police blue, park green", "police yellow", "", "station blue"],
        )  # fmt: skip
        park = table.hexes("park")[0]
        for number, words in acts:
            table.decides(number, words.replace("PARK", str(park)), lands=10 + number)
        return [(row.event, row.seat) for row in table.run() if row.event in ("ACT", "FUMBLE")]

    assert outcome((1, second)) == [("ACT", 1)]
    assert outcome((0, first), (1, second)) == [("ACT", 0), ("FUMBLE", 1)]


@uncompiled
def test_a_share_pile_that_does_not_match_any_more():
    table = Table(seat("police green"), seat("park red"), share=["park green"])
    table.decides(0, "share police green 0", lands=10)
    table.decides(1, "share park red 0", lands=11)
    rows = [row for row in table.run() if row.event in ("ACT", "FUMBLE")]
    assert [row.event for row in rows] == ["ACT", "FUMBLE"]
    assert table.shares[0] == ["park green", "police green"]
    assert (table.hands[1], table.shared) == (Counter(["park red"]), [1, 0])


@uncompiled
def test_the_same_card_on_top_again_may_be_taken():
    """A card is its icon and colour: another copy of it on top is as good."""
    table = Table(seat(sets="park"), seat(sets="park"), share=["park red, park red"])
    table.decides(0, "take park red 0 0", lands=10)
    table.decides(1, "take park red 0 0", lands=11)
    assert len(of(table.run(), "ACT")) == 2
    assert (table.shares[0], table.sets) == ([], [("2*park", "")] * 2)


@uncompiled
def test_a_fumble_changes_nothing_but_the_time():
    table = Table(
        seat("park red", sets="2*police, station", style=prefers(share=1)), seat(),
        draw=["", "park blue"],
    )  # fmt: skip
    before = (table.hands, table.sets, table.shares, table.piles, table.cars_left, table.mat)
    table.decides(0, "draw 0", lands=7)
    rows = table.run()
    assert rows[0][:3] == ("FUMBLE", 0, 7)
    (time, words, _), *_ = decided(rows, 0)
    assert (time, words[:-2]) == (7, "share park red")
    table = Table(seat("park red", sets="2*police, station"), seat(), draw=["", "park blue"])
    table.decides(0, "draw 0", lands=7)
    table.run()
    after = (table.hands, table.sets, table.shares, table.piles, table.cars_left, table.mat)
    assert before == after
    assert (table.fumbles, table.acts) == ([1, 0], [0, 0])


# Waiting


@uncompiled
@pytest.mark.parametrize("tempo", [1.0, 0.7, 1.5])
def test_a_waiting_seat_looks_a_reaction_after_anothers_act(tempo):
    table = Table(seat("park red"), seat(style=prefers(take=1, tempo=tempo)), seat())
    rows = table.do(0, "share park red 0")
    looks = decided(rows, 1)
    assert looks[0][:2] == (1 + round(0.5 * tempo * SECOND), "take park red 0 0")


@uncompiled
def test_what_happens_during_the_reaction_does_not_delay_it():
    table = Table(seat("park red, park blue"), seat(), seat("park green"))
    table.decides(0, "share park red 0", lands=10)
    table.decides(2, "share park green 0", lands=400_000)
    rows = table.run()
    # seat 1 reacts to the first act; it then waits for nothing more
    assert [time for time, *_ in decided(rows, 1)] == [500_010]
    # seat 0 looks after its own act and again after that of seat 2
    assert [time for time, *_ in decided(rows, 0)] == [10, 900_000]


@uncompiled
def test_a_fumble_wakes_nobody():
    table = Table(seat(), seat(style=prefers(draw=1)), draw=["", "park red"])
    table.decides(0, "draw 0", lands=10)
    rows = table.run()
    assert story(rows) == [("FUMBLE", 0, 10), ("DECIDE", 0, 10), ("ROUND_END", -1, 10)]


@uncompiled
def test_an_act_wakes_all_who_wait_but_not_who_is_busy_or_finished():
    table = Table(
        seat("park red"),
        seat(sets="park"),
        seat(mat=0),
        seat("police red, station blue", sets="park"),
    )
    table.decides(0, "share park red 0", lands=10)
    table.decides(3, "add police red 1", lands=800_000)
    rows = table.run()
    assert [time for time, *_ in decided(rows, 1)] == [500_010, 1_300_000]
    assert [time for time, *_ in decided(rows, 2)] == []
    assert [time for time, *_ in decided(rows, 3)] == [800_000]


@uncompiled
def test_the_own_act_wakes_nobody_but_others():
    table = Table(seat("park red"), seat())
    assert [row.time for row in of(table.do(0, "share park red 0"), "DECIDE") if row.seat == 0] == [
        1
    ]


@uncompiled
def test_no_reaction_at_all():
    table = Table(seat("park red"), seat(), components=changed("clock.reaction", 0.0, EXACT))
    rows = table.do(0, "share park red 0")
    assert story(rows) == [
        ("ACT", 0, 1), ("DECIDE", 0, 1), ("DECIDE", 1, 1), ("ROUND_END", -1, 1),
    ]  # fmt: skip


@uncompiled
def test_waits_are_counted():
    table = Table(seat("park red"), seat(), seat())
    table.do(0, "share park red 0")
    assert table.waits == [1, 1, 1]
    assert table.looks == 3


# Tempo


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("tempo", [0.5, 2.0])
def test_tempo_of_all_multiplies_every_time(players, tempo):
    """With powers of two every time scales exactly, and games are the same act by act."""
    greedy = GAME.styles()["greedy"]
    components = EXACT
    for kind, seconds in HANDLING.items():
        components = changed(f"clock.handling.{kind}", seconds, components)
    one = setup(players, styles=[greedy], components=components)
    other = setup(
        players, styles=[greedy.model_copy(update={"tempo": tempo})], components=components,
        round_cap_s=2000,
    )  # fmt: skip
    for game in range(10):
        a, b = log_of(one, game).astype(np.int64), log_of(other, game).astype(np.int64)
        assert np.array_equal(a[:, [0, 1, 3, 4]], b[:, [0, 1, 3, 4]])
        assert np.array_equal(a[:, 2] * tempo, b[:, 2])


# Noise


def noise_of(row, tempo=1.0):
    """Return by how much an act took longer or shorter than it should."""
    base = (THINKING + HANDLING[row.what.split()[0]]) * tempo
    return (row.c - row.time) / SECOND / base


def durations(made, games, seed=1):
    """Return the time that acts took, by seat and kind, in seconds; landings that were logged."""
    found = defaultdict(list)
    for game in range(games):
        for row in of(rows_of(log_of(made, game, seed)), "DECIDE"):
            if 0 <= row.c < events.NEVER:
                found[row.seat, row.what.split()[0]].append((row.c - row.time) / SECOND)
    return found


def test_without_noise_each_act_takes_its_time():
    found = durations(setup(3, components=EXACT, styles=[GAME.styles()["greedy"]]), 20)
    assert {kind for _, kind in found} >= {"draw", "add", "share", "take", "complete"}
    for (_, kind), times in found.items():
        assert times == [pytest.approx(THINKING + HANDLING[kind], abs=1e-6)] * len(times)


def logs_of_noise(made, games, tempos):
    """Return log(noise) of every act."""
    return np.concatenate(
        [
            np.log(np.array(times) / ((THINKING + HANDLING[kind]) * tempos[seat]))
            for (seat, kind), times in durations(made, games).items()
        ]
    )


def check_noise(sigma, games, tempos=(1.0, 0.7, 1.5)):
    styles = [GAME.styles()["random"].model_copy(update={"tempo": tempo}) for tempo in tempos]
    made = setup(3, styles=styles, components=changed("clock.sigma", sigma))
    found = logs_of_noise(made, games, tempos)
    n = len(found)
    assert abs(found.mean()) < 5 * sigma / math.sqrt(n)
    assert abs(found.std() / sigma - 1) < 5 / math.sqrt(2 * n)
    return found


def test_noise_is_lognormal_with_median_one():
    assert len(check_noise(0.25, 40)) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.05, 0.25, 1.0])
def test_noise_is_lognormal(sigma):
    found = check_noise(sigma, 800) / sigma
    assert stats.kstest(found, "norm").pvalue > 1e-6
    assert abs(stats.skew(found)) < 0.03
    assert abs(stats.kurtosis(found)) < 0.06


@pytest.mark.slow
def test_the_noise_of_an_act_tells_nothing_about_the_next():
    made = setup(2)
    for seat_number in range(2):
        noises = []
        for game in range(300):
            rows = of(rows_of(log_of(made, game)), "DECIDE")
            noises.append(
                [
                    math.log(
                        (row.c - row.time) / SECOND / (THINKING + HANDLING[row.what.split()[0]])
                    )
                    for row in rows
                    if row.seat == seat_number and 0 <= row.c < events.NEVER
                ]
            )
        for lag in (1, 2):
            pairs = np.array([p for run in noises for p in zip(run, run[lag:], strict=False)])
            assert abs(np.corrcoef(pairs.T)[0, 1]) < 5 / math.sqrt(len(pairs))
        firsts = np.array([run[0] for run in noises])
        assert abs(firsts.mean()) < 5 * 0.25 / math.sqrt(len(firsts))


def test_seats_have_noise_of_their_own():
    rows = of(rows_of(log_of(setup(5), 0)), "DECIDE")[:5]
    assert len({round(noise_of(row), 4) for row in rows}) == 5


def test_timing_belongs_to_the_seat_and_choices_do_not_move_it():
    """The k-th act of a seat meets the same noise whatever is played."""

    def noises(style):
        made = setup(2, styles=[style])
        found = [[], []]
        for row in of(rows_of(log_of(made, 3)), "DECIDE"):
            if 0 <= row.c < events.NEVER:
                found[row.seat].append(noise_of(row))
        return found

    one, other = noises(GAME.styles()["random"]), noises(GAME.styles()["greedy"])
    for mine, theirs in zip(one, other, strict=True):
        common = min(len(mine), len(theirs))
        assert common > 50
        assert mine[:common] == pytest.approx(theirs[:common], abs=1e-5)


# The time cap


@uncompiled
@pytest.mark.parametrize(("lands", "reached"), [(SECOND, True), (SECOND + 1, False)])
def test_what_lands_at_the_cap_counts_and_after_it_does_not(lands, reached):
    table = Table(seat("park red"), seat(), round_cap_s=1)
    table.decides(0, "share park red 0", lands=lands)
    rows = table.run()
    assert bool(of(rows, "ACT")) == reached
    assert rows[-1].event == "ROUND_END"
    assert (rows[-1].time, rows[-1].a) == (SECOND, events.TIME_CAP)
    assert (table.cut, table.reason) == (1, events.TIME_CAP)


@uncompiled
def test_a_landing_after_the_cap_is_logged_as_never():
    table = Table(seat(style=prefers(draw=1)), seat(), round_cap_s=1)
    table.let_look(0)
    rows = table.run()
    assert [lands for *_, lands in decided(rows, 0)] == [events.NEVER]
    table = Table(seat(style=prefers(draw=1)), seat(), round_cap_s=2)
    table.let_look(0)
    assert [lands for *_, lands in decided(table.run(), 0)] == [1_600_000, events.NEVER]


@uncompiled
def test_a_round_that_ends_at_the_cap_is_not_cut_off():
    table = Table(seat("park red"), seat(), components=changed("clock.reaction", 0.0, EXACT),
                  round_cap_s=1)  # fmt: skip
    table.decides(0, "share park red 0", lands=SECOND)
    rows = table.run()
    assert (rows[-1].time, rows[-1].a, table.cut) == (SECOND, events.STALEMATE, 0)


@uncompiled
def test_a_game_of_one_round_and_one_tag():
    made = setup(2, components=numbers(rounds=1, tags_each_round=1), round_cap_s=1)
    rows = rows_of(log_of(made, 0))
    assert [row.a for row in of(rows, "ROUND_END")] == [events.TIME_CAP]
