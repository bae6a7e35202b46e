"""Acts of the compiled game worked by hand with the rulebook beside, heading by heading."""

from collections import Counter

import pytest

from sim.games.wildstyle import events

from ..running import uncompiled
from .table import Table, numbers, seat
from .words import of

ALL = "railway red, railway blue, station red"
"""A full hand."""


def kinds(acts):
    """Return the acts by their first word."""
    return {act.split()[0] for act in acts}


# Draw a Card


@uncompiled
def test_the_top_card_of_a_pile_is_drawn():
    table = Table(seat("park red"), seat(), draw=["police red, park blue", "station red"])
    (row,) = of(table.do(0, "draw 0"), "ACT")
    assert row.c == events.PARK * events.COLOURS + 3
    assert table.hands[0] == Counter(["park red", "park blue"])
    assert table.piles == [["police red"], ["station red"]]
    assert (table.drawn, table.to_draw) == ([1, 0], 2)


@uncompiled
@pytest.mark.parametrize("cards", range(4))
def test_a_hand_holds_three_cards(cards):
    hand = ", ".join(ALL.split(", ")[:cards])
    table = Table(seat(hand), seat())
    draws = [act for act in table.legal() if act.startswith("draw")]
    assert draws == (["draw 0", "draw 1"] if cards < 3 else [])


@uncompiled
@pytest.mark.parametrize("hand_size", [1, 2, 4, 5])
def test_another_hand_size(hand_size):
    components = numbers(hand_size=hand_size)
    full = Table(seat(f"{hand_size}*park red"), seat(), components=components)
    assert "draw" not in kinds(full.legal())
    short = Table(seat(f"{hand_size - 1}*park red"), seat(), components=components)
    assert "draw" in kinds(short.legal())


@uncompiled
def test_nothing_is_drawn_from_an_empty_pile():
    table = Table(seat(), seat(), draw=["", "park red"])
    assert [act for act in table.legal() if act.startswith("draw")] == ["draw 1"]
    assert not table.done(0, "draw 0")
    assert table.hands[0] == Counter()


@uncompiled
@pytest.mark.parametrize(("players", "share", "draw"), [(2, 4, 2), (3, 4, 2), (4, 3, 3), (5, 3, 3)])
def test_every_pile_may_be_used(players, share, draw):
    table = Table(*[seat("park red") for _ in range(players)], share=["park blue"] * share)
    acts = table.legal()
    assert [act for act in acts if act.startswith("draw")] == [f"draw {n}" for n in range(draw)]
    shares = [act for act in acts if act.startswith("share")]
    assert shares == [f"share park red {n}" for n in range(share)]
    assert len([act for act in acts if act.startswith("take")]) == share


# Share a Card


@uncompiled
@pytest.mark.parametrize(
    ("card", "top", "fits"),
    [
        ("park red", "", True),
        ("park red", "park blue", True),
        ("park red", "police red", True),
        ("park red", "park red", True),
        ("park red", "police blue", False),
        ("park red", "park blue, police blue", False),
        ("park red", "police blue, park blue", True),
    ],
)
def test_a_shared_card_matches_the_top_by_icon_or_colour(card, top, fits):
    others = ["station green"] * 3
    table = Table(seat(card), seat(), share=[top, *others])
    assert (f"share {card} 0" in table.legal()) == fits
    below = table.shares[0]
    assert table.done(0, f"share {card} 0") == fits
    assert table.shares == [below + [card] * fits, *[["station green"]] * 3]
    assert table.hands[0] == Counter([] if fits else [card])
    assert table.shared == [int(fits), 0]


@uncompiled
def test_every_empty_share_pile_is_listed():
    table = Table(seat("park red"), seat(), share=["police blue", "", "park blue", ""])
    shares = [act for act in table.legal() if act.startswith("share")]
    assert shares == ["share park red 1", "share park red 2", "share park red 3"]


@uncompiled
def test_a_card_held_twice_is_listed_once():
    table = Table(seat("2*park red, park blue"), seat())
    cards = ("park red", "park blue")
    shares = [f"share {card} {pile}" for card in cards for pile in range(4)]
    assert Counter(table.legal()) == Counter(["add park red 0", "add park blue 0", *shares, "wait"])


# Add to a Set


@uncompiled
def test_a_card_starts_a_set_and_others_join_it():
    table = Table(seat("park red, park blue, park red"), seat())
    table.do(0, "add park red 0")
    assert table.sets[0] == ("1*park", "")
    table.do(0, "add park blue 0")
    table.do(0, "add park red 0")
    assert table.sets[0] == ("3*park", "")
    assert table.hands[0] == Counter()


@uncompiled
@pytest.mark.parametrize(
    ("sets", "adds"),
    [
        ("", ["0"]),
        ("park", ["0", "1"]),
        ("2*park, police", ["0"]),
        ("police, 2*park", ["1"]),
        ("3*park", ["1"]),
        ("3*park, police", []),
        ("police, station", []),
        ("park, park", ["0"]),
        ("park, 2*park", ["0", "1"]),
        ("3*park, 3*park", []),
    ],
)
def test_where_a_card_can_be_added(sets, adds):
    """Set spaces that hold the same are one choice; a second set of an icon may be started."""
    table = Table(seat("park red", sets=sets), seat())
    found = [act for act in table.legal() if act.startswith("add")]
    assert found == [f"add park red {place}" for place in adds]


@uncompiled
def test_a_second_set_of_the_same_icon():
    table = Table(seat("park red", sets="2*park"), seat())
    table.do(0, "add park red 1")
    assert table.sets[0] == ("2*park", "1*park")


@uncompiled
def test_a_set_space_that_is_free_in_front_is_used():
    table = Table(seat("park red", sets="police, station"), seat())
    table.do(0, "rush 0 none")
    assert table.sets[0] == ("", "1*station")
    table.do(0, "add park red 0")
    assert table.sets[0] == ("1*park", "1*station")


@uncompiled
@pytest.mark.parametrize("set_size", [2, 4, 5])
def test_another_set_size(set_size):
    components = numbers(set_size=set_size)
    table = Table(seat("park red", sets=f"{set_size - 1}*park"), seat(), components=components)
    assert "rush" in kinds(table.legal())
    table.do(0, "add park red 0")
    assert table.sets[0] == (f"{set_size}*park", "")
    assert "rush" not in kinds(table.legal())
    table.do(0, "complete 0 none")
    assert table.sets[0] == ("", "")


# Playing Shared Cards


@uncompiled
def test_a_shared_card_goes_straight_onto_a_set_and_shows_the_one_below():
    table = Table(seat(ALL, sets="park"), seat(), share=["police blue, park red"])
    table.do(0, "take park red 0 0")
    assert table.sets[0] == ("2*park", "")
    assert table.shares[0] == ["police blue"]
    assert sum(table.hands[0].values()) == 3
    assert (table.took, table.shared, table.drawn) == ([1, 0], [0, 0], [0, 0])
    takes = [act for act in table.legal() if act.startswith("take")]
    assert takes == ["take police blue 0 1"]


@uncompiled
@pytest.mark.parametrize(
    ("sets", "places"),
    [("", [0]), ("park", [0, 1]), ("police", [1]), ("3*park", [1]), ("police, station", []),
     ("2*park, station", [0]), ("3*park, 3*park", [])],
)  # fmt: skip
def test_where_a_shared_card_can_go(sets, places):
    table = Table(seat("", sets=sets), seat(), share=["police blue, park red"])
    takes = [act for act in table.legal() if act.startswith("take")]
    assert takes == [f"take park red 0 {place}" for place in places]


@uncompiled
def test_an_own_shared_card_may_be_taken_back():
    table = Table(seat("park red"), seat())
    table.do(0, "share park red 0")
    table.do(0, "take park red 0 0")
    assert (table.sets[0], table.shares[0]) == (("1*park", ""), [])


# Complete a Set


@uncompiled
def test_a_complete_set_places_a_tag_and_is_cleared():
    table = Table(seat(sets="3*park, 2*police"), seat())
    park = table.hexes("park")[2]
    table.do(0, f"complete 0 {park}")
    assert table.tags_on_map == [[park], []]
    assert table.sets[0] == ("", "2*police")
    assert (table.mat, table.tags, table.cars) == ([5, 6], [1, 0], [0, 0])
    assert (table.cars_left, table.discarded) == (28, 3)


@uncompiled
def test_a_set_is_completed_anywhere_on_a_free_hex_of_its_icon():
    table = Table(seat(sets="3*park"), seat(sets="3*park"))
    parks = table.hexes("park")
    assert {"complete"} == kinds(table.legal()) & {"complete", "rush"}
    found = [act for act in table.legal() if act.startswith("complete")]
    assert found == [f"complete 0 {cell}" for cell in parks] + ["complete 0 none"]
    table.do(1, f"complete 0 {parks[0]}")
    found = [act for act in table.legal() if act.startswith("complete")]
    assert found == [f"complete 0 {cell}" for cell in parks[1:]] + ["complete 0 none"]
    assert not table.done(0, f"complete 0 {parks[0]}")
    assert table.sets[0] == ("3*park", "")


@uncompiled
def test_sets_of_the_same_icon_and_size_are_one_choice():
    for sets, places in (("3*park, 3*park", {"0"}), ("3*park, 2*park", {"0", "1"}),
                         ("2*park, 2*park", {"0"})):  # fmt: skip
        table = Table(seat(sets=sets), seat())
        clearing = [act for act in table.legal() if act.startswith(("complete", "rush"))]
        assert {act.split()[1] for act in clearing} == places


@uncompiled
def test_clearing_without_placing():
    table = Table(seat(sets="3*park, police"), seat())
    table.do(0, "complete 0 none")
    assert (table.mat, table.tags, table.sets[0]) == ([6, 6], [0, 0], ("", "1*police"))
    table.do(0, "rush 1 none")
    assert (table.mat, table.tags, table.sets[0]) == ([6, 6], [0, 0], ("", ""))
    assert (table.cars, table.cars_left, table.discarded) == ([1, 0], 27, 4)


# Rush a Set


@uncompiled
@pytest.mark.parametrize("count", [1, 2])
def test_a_rush_costs_a_cop_car(count):
    table = Table(seat(sets=f"{count}*police"), seat())
    station = table.hexes("police")[0]
    table.do(0, f"rush 0 {station}")
    assert table.tags_on_map == [[station], []]
    assert (table.cars, table.cars_left, table.mat) == ([1, 0], 27, [5, 6])
    assert (table.sets[0], table.discarded) == (("", ""), count)


@uncompiled
def test_a_full_set_is_not_rushed_nor_an_empty_one():
    assert "rush" not in kinds(Table(seat(sets="3*park"), seat()).legal())
    assert "rush" not in kinds(Table(seat(), seat()).legal())
    assert "complete" not in kinds(Table(seat(sets="2*park, 2*police"), seat()).legal())


@uncompiled
def test_nobody_rushes_when_the_cop_cars_are_out():
    table = Table(seat(sets="2*park"), seat(sets="2*park"), cars_left=1)
    assert "rush" in kinds(table.legal(1))
    table.do(0, "rush 0 none")
    assert table.cars_left == 0
    assert "rush" not in kinds(table.legal(1))
    assert not table.done(1, "rush 0 none")
    assert (table.cars, table.sets[1]) == ([1, 0], ("2*park", ""))


@uncompiled
def test_a_game_without_cop_cars():
    table = Table(seat(sets="2*park, 3*police"), seat(), components=numbers(cop_cars=0))
    assert kinds(table.legal()) == {"draw", "complete", "wait"}


# Train Stations


@uncompiled
def test_a_station_holds_tags_of_several_players_but_one_of_each():
    table = Table(*[seat(sets="3*station, 3*station") for _ in range(3)])
    first, second, third = table.hexes("station")
    for player in (2, 0, 1):
        table.do(player, f"complete 0 {second}")
    assert table.tags_on_map == [[second]] * 3
    for player in range(3):
        found = [act for act in table.legal(player) if act.startswith("complete")]
        assert found == [f"complete 1 {cell}" for cell in (first, third)] + ["complete 1 none"]
    assert not table.done(0, f"complete 1 {second}")
    assert table.done(0, f"complete 1 {third}")
    assert table.tags_on_map == [[second, third], [second], [second]]
    assert table.s["taken"].sum() == 0


@uncompiled
@pytest.mark.parametrize("icon", ["station", "police"])
def test_an_icon_that_runs_out(icon):
    """Sets of it can only be cleared without a tag; the game goes on."""
    table = Table(seat("park red", sets=f"3*{icon}, 2*{icon}"), seat(sets=f"3*{icon}"))
    for cell in table.hexes(icon):
        table.tag(0, cell)
    table.s["mat"][0] = 6
    clearing = [act for act in table.legal() if act.startswith(("complete", "rush"))]
    assert clearing == ["complete 0 none", "rush 1 none"]
    rival = [act for act in table.legal(1) if act.startswith("complete")]
    free = table.hexes("station") if icon == "station" else []
    assert rival == [f"complete 0 {cell}" for cell in free] + ["complete 0 none"]
    assert table.s["full"].tolist() == [int(code == events.ICONS.index(icon)) for code in range(8)]
    table.do(0, "complete 0 none")
    assert (table.mat[0], table.sets[0]) == (6, ("", f"2*{icon}"))
    table.do(0, "add park red 0")
    assert table.sets[0] == ("1*park", f"2*{icon}")
