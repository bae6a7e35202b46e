"""Running out of tags, the end of a round and the next one, worked by hand in the compiled game."""

from collections import Counter

import pytest

from sim.games.wildstyle import events

from ..running import uncompiled
from .table import Table, prefers, seat
from .words import of

# Running Out of Tags


@uncompiled
def test_a_seat_without_tags_stops_at_once_and_its_cards_stay():
    eager = prefers(draw=1, complete=3, add=2)
    table = Table(
        seat("park red, station red", sets="3*police, park", mat=1, style=eager),
        seat("railway red", mat=2), seat(mat=3), draw=["3*park red", "3*park blue"],
    )  # fmt: skip
    rows = table.do(0, f"complete 0 {table.hexes('police')[0]}")
    assert table.mat == [0, 2, 3]
    assert not [row for row in of(rows, "DECIDE") if row.seat == 0]
    assert not of(rows, "TRIGGER")
    assert table.hands[0] == Counter(["park red", "station red"])
    assert table.sets[0] == ("", "1*park")
    assert table.s["doing"][0] == 0


@uncompiled
def test_a_seat_that_begins_a_round_without_a_tag_never_looks():
    """It cannot come from play, since each round brings tags."""
    table = Table(seat("park red", mat=0), seat(mat=2), seat(mat=2))
    table.let_look(0, 1, 2)
    assert [row.seat for row in of(table.run(), "DECIDE")] == [1, 2]


# End of the Round


@uncompiled
def test_empty_piles_trigger_the_final_phase():
    table = Table(seat(sets="park"), seat(sets="police"), draw=["park red", "park blue"])
    assert not of(table.do(0, "draw 1"), "TRIGGER")
    rows = table.do(1, "draw 0")
    (trigger,) = of(rows, "TRIGGER")
    assert (trigger.a, trigger.seat) == (events.PILES_EMPTY, -1)
    assert [row.event for row in rows[:2]] == ["ACT", "TRIGGER"]
    assert (table.final, table.reason) == (1, events.PILES_EMPTY)


@uncompiled
def test_one_player_with_tags_triggers_the_final_phase():
    table = Table(seat(sets="3*park", mat=1), seat(sets="3*park", mat=1), seat(sets="park"))
    first, second = table.hexes("park")[:2]
    assert not of(table.do(0, f"complete 0 {first}"), "TRIGGER")
    (trigger,) = of(table.do(1, f"complete 0 {second}"), "TRIGGER")
    assert trigger.a == events.TAGS_OUT
    assert table.mat == [0, 0, 6]
    assert "stop" in table.legal(2)


@uncompiled
def test_a_set_cleared_without_a_tag_triggers_nothing():
    table = Table(seat(sets="3*park", mat=1), seat(sets="park", mat=1))
    assert not of(table.do(0, "complete 0 none"), "TRIGGER")


@uncompiled
def test_the_last_card_comes_before_the_last_tag():
    """The final phase is triggered once: tags that run out in it change nothing."""
    table = Table(
        seat(sets="3*park, police", mat=1), seat(sets="police"), draw=["park red"], share=[]
    )
    assert of(table.do(1, "draw 0"), "TRIGGER")
    rows = table.do(0, f"complete 0 {table.hexes('park')[0]}")
    assert not of(rows, "TRIGGER")
    assert (table.reason, table.mat[0]) == (events.PILES_EMPTY, 0)
    assert of(rows, "ROUND_END")[0].a == events.PILES_EMPTY


@uncompiled
def test_nobody_starts_a_set_in_the_final_phase():
    table = Table(
        seat("park red, police red", sets="park"), seat(sets="park"),
        share=["police blue, park blue", "station blue"], final="piles_empty", draw=[],
    )  # fmt: skip
    assert set(table.legal()) - {f"rush 0 {cell}" for cell in table.hexes("park")} == {
        "add park red 0", "take park blue 0 0", "share park red 0", "share police red 2",
        "share police red 3", "share park red 2", "share park red 3", "rush 0 none", "stop", "wait",
    }  # fmt: skip
    assert not table.done(0, "add police red 1")
    assert not table.done(0, "take station blue 1 1")
    assert table.done(0, "add park red 0")


@uncompiled
def test_cards_are_still_drawn_when_the_tags_are_out():
    table = Table(seat(sets="park"), seat(mat=0), final="tags_out")
    assert {"draw 0", "draw 1", "stop", "wait"} <= set(table.legal())
    table.do(0, "draw 0")
    assert table.hands[0] == Counter(["railway red"])


@uncompiled
def test_a_seat_that_clears_its_last_set_in_the_final_phase_is_finished():
    always = prefers(draw=1)
    table = Table(seat(sets="3*park, 3*police", style=always), seat(sets="park"), final="tags_out")
    rows = table.do(0, f"complete 0 {table.hexes('park')[0]}")
    assert next(row.what for row in of(rows, "DECIDE") if row.seat == 0).startswith("draw")
    table.s["drawn"] = 0
    rows = table.do(0, "complete 1 none")
    assert not [row for row in of(rows, "DECIDE") if row.seat == 0]
    assert table.drawn[0] == 0


@uncompiled
def test_seats_without_a_set_are_finished_by_the_trigger():
    """What they had decided is dropped without a word, their own draw that triggers it too."""
    table = Table(
        seat("park red", style=prefers(share=1)), seat("police red"), seat(sets="2*park"),
        draw=["park blue"],
    )  # fmt: skip
    table.decides(0, "draw 0", lands=1)
    table.decides(1, "share police red 0", lands=2)
    table.decides(2, "rush 0 none", lands=3)
    rows = table.run()
    assert [(row.event, row.seat) for row in rows] == [
        ("ACT", 0), ("TRIGGER", -1), ("ACT", 2), ("ROUND_END", -1),
    ]  # fmt: skip
    assert table.hands[1] == Counter(["police red"])


@uncompiled
@pytest.mark.parametrize("allowed", [True, False])
def test_rushing_in_the_final_phase(allowed):
    table = Table(
        seat(sets="2*park"), seat(sets="park"), final="tags_out", final_phase_rush=allowed
    )
    assert ("rush 0 none" in table.legal()) == allowed
    assert table.done(0, "rush 0 none") == allowed
    assert table.cars == [int(allowed), 0]


@uncompiled
def test_a_rush_decided_before_the_final_phase_fails_in_it_if_so_ruled():
    table = Table(seat(sets="2*park"), seat(sets="park"), draw=["park red"], final_phase_rush=False)
    table.decides(1, "draw 0", lands=5)
    table.decides(0, "rush 0 none", lands=6)
    rows = table.run()
    assert [row.event for row in rows if row.event != "DECIDE"] == [
        "ACT", "TRIGGER", "FUMBLE", "ROUND_END",
    ]  # fmt: skip


@uncompiled
def test_a_seat_may_stop():
    table = Table(
        seat("park red", sets="2*park", style=prefers(stop=5)), seat(sets="2*park"),
        draw=["park blue"],
    )  # fmt: skip
    assert "stop" not in table.legal()
    rows = table.do(1, "draw 0")
    (stop,) = [row for row in of(rows, "DECIDE") if row.seat == 0]
    assert (stop.what, stop.c) == ("stop", -1)
    assert table.s["doing"][0] == 0
    assert table.sets[0] == ("2*park", "")


# Starting a New Round


@uncompiled
def test_the_next_round_gathers_all_cards_and_adds_tags():
    table = Table(
        seat("park red", sets="2*park, police", mat=2, tags=[3, 4]), seat(mat=0, cars=2),
        share=["park red", "park blue"], cars_left=26,
    )  # fmt: skip
    table.s["discarded"] = 7
    rows = table.begin()
    assert (table.round, table.mat, table.cars, table.cars_left) == (2, [8, 6], [0, 2], 26)
    assert table.tags_on_map == [[3, 4], []]
    assert table.sets == [("", "")] * 2
    assert table.shares == [[]] * 4
    assert (table.discarded, table.final, table.now) == (0, 0, 0)
    dealt = Counter(row.a for row in of(rows, "DEAL")) + Counter(row.b for row in of(rows, "PILE"))
    assert dealt == Counter({card: int(n) for card, n in enumerate(table.s["copies"].ravel()) if n})
    assert sum(dealt.values()) == 115
    assert table.s["shown"].sum() == 0
