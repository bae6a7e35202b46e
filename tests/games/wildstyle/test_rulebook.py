"""What a seat may do at a moment, and what then changes, on the rulebook's plain table."""

import pytest

from sim.games.wildstyle import events
from sim.games.wildstyle.city import district_board, nearest_turns, turn, turned_face
from sim.games.wildstyle.events import ACTS, NO_HEX
from sim.games.wildstyle.logbook import deed, tell_deed
from sim.games.wildstyle.rulebook import (
    conservation,
    districts_fault,
    do,
    finish_seats,
    legal_acts,
    obstacle,
    piles_fault,
    start_round,
    tiles_fault,
    trigger,
)

from .logs import EXACT, Play, card, dealt, variant, words

ACES = [["railway red", "railway blue", "park red"], ["police red", "police blue", "station red"]]


def begun(hands=ACES, draws=(), **kept):
    """Return a table at the start of a round."""
    play = Play(**kept)
    start_round(play.table, *dealt(play.rules, hands, draws, play.luck))
    return play.table


def done(table, *said):
    """Do acts: (seat, words)."""
    for seat, what in said:
        act = words(table, seat, what)
        assert act in legal_acts(table, seat)
        assert obstacle(table, seat, *act) is None
        do(table, seat, *act)
        assert conservation(table) is None
    return table


def said(table, seat):
    """Return the legal acts of a seat in words, but for those with a hex."""
    found = [tell_deed(table.rules, act, target) for act, target in legal_acts(table, seat)]
    assert len(set(found)) == len(found)
    return {words for words in found if " on hex" not in words}


def hexes(table, seat, act):
    """Return the hexes that a seat may tag, None for the clearing without a tag."""
    return [deed(*found).hex for found in legal_acts(table, seat) if ACTS[found[0]] == act]


# Legal acts


def test_at_the_start_of_a_round_all_cards_go_on_the_first_set_or_the_first_share_pile():
    assert said(begun(), 0) == {
        "add Railway (red) to set 0",
        "add Railway (blue) to set 0",
        "add Park (red) to set 0",
        "share Railway (red) on pile 0",
        "share Railway (blue) on pile 0",
        "share Park (red) on pile 0",
        "wait",
    }


def test_the_same_card_twice_is_listed_once():
    table = begun([["railway red", "railway red", "railway red"]])
    assert said(table, 0) == {
        "add Railway (red) to set 0",
        "share Railway (red) on pile 0",
        "wait",
    }


def test_a_full_hand_draws_nothing_and_every_pile_is_open_to_a_smaller_one():
    table = begun()
    assert "draw" not in {ACTS[act] for act, _ in legal_acts(table, 0)}
    done(table, (0, "add park red 0"))
    assert {"draw from pile 0", "draw from pile 1"} <= said(table, 0)


def test_a_set_takes_its_icon_and_the_empty_space_takes_any():
    table = done(begun(), (0, "add railway red 0"))
    assert {words for words in said(table, 0) if "to set" in words} == {
        "add Railway (blue) to set 0",
        "add Railway (blue) to set 1",
        "add Park (red) to set 1",
    }


def test_of_two_like_sets_the_first_is_listed():
    hand = ["railway red", "railway blue", "railway green"]
    table = done(begun([hand]), (0, "add railway red 0"), (0, "add railway blue 1"))
    found = said(table, 0)
    assert "add Railway (green) to set 0" in found
    assert "add Railway (green) to set 1" not in found
    assert "rush set 0 on no hex" in found
    assert "rush set 1 on no hex" not in found
    table = done(table, (0, "add railway green 0"))
    assert {"rush set 0 on no hex", "rush set 1 on no hex"} <= said(table, 0)


def test_a_full_set_takes_no_more():
    hand = ["railway red", "railway blue", "railway green"]
    table = begun([hand, ["railway yellow"]])
    done(table, *((0, f"add {name} 0") for name in hand), (1, "share railway yellow 0"))
    assert {words for words in said(table, 0) if "take" in words} == {
        "take Railway (yellow) from share pile 0 onto set 1"
    }
    assert "complete set 0 on no hex" in said(table, 0)
    assert "rush set 0 on no hex" not in said(table, 0)


def test_share_piles_match_by_icon_or_colour():
    table = begun([["railway red", "park red", "park blue"], ["railway blue", "police green"]])
    done(table, (0, "share railway red 0"), (1, "share police green 1"))
    assert {words for words in said(table, 0) if "share " in words and "take" not in words} == {
        "share Park (red) on pile 0",
        "share Park (red) on pile 2",
        "share Park (blue) on pile 2",
    }
    assert "share Railway (blue) on pile 0" in said(table, 1)


def test_every_share_pile_with_cards_can_be_taken_from():
    table = begun([["railway red"], ["railway blue"]])
    done(table, (0, "share railway red 0"), (1, "share railway blue 1"))
    done(table, (0, "take 1 0"))
    assert {words for words in said(table, 0) if "take" in words} == {
        "take Railway (red) from share pile 0 onto set 0",
        "take Railway (red) from share pile 0 onto set 1",
    }


def test_tags_go_on_free_hexes_of_the_icon_or_nowhere():
    table = done(begun(), (0, "add park red 0"))
    parks = table.city.hexes[events.PARK]
    assert hexes(table, 0, "rush") == [*parks, None]
    done(table, (0, f"rush 0 {parks[2]}"), (1, "add police red 0"))
    assert table.cars == [1, 0]
    done(table, (0, "add railway red 0"))
    assert hexes(table, 0, "rush") == [*table.city.hexes[events.RAILWAY], None]
    table.mats[1] = ((card("park blue"),), ())
    assert hexes(table, 1, "rush") == [hex_ for hex_ in parks if hex_ != parks[2]] + [None]


def test_a_station_takes_a_tag_of_each_seat():
    table = begun([["station red", "station blue"], ["station green"]])
    one, other = table.city.hexes[events.STATION]
    done(table, (0, "add station red 0"), (0, f"rush 0 {one}"))
    done(table, (1, "add station green 0"), (0, "add station blue 0"))
    assert hexes(table, 1, "rush") == [one, other, None]
    assert hexes(table, 0, "rush") == [other, None]


def test_an_icon_without_a_free_hex_is_cleared_without_a_tag():
    table = done(begun(), (0, "add park red 0"))
    table.occupied.update(table.city.hexes[events.PARK])
    assert hexes(table, 0, "rush") == [None]
    done(table, (0, "rush 0 none"))
    assert table.mats[0] == ((), ())
    assert (table.tags_left[0], table.cars[0]) == (6, 1)


def test_without_a_cop_car_nobody_rushes():
    table = done(begun(components=variant(numbers={"cop_cars": 1})), (0, "add park red 0"))
    done(table, (1, "add police red 0"), (1, "rush 0 none"))
    assert hexes(table, 0, "rush") == []


@pytest.mark.parametrize("allowed", [True, False])
def test_in_the_final_phase_no_set_is_started(allowed):
    table = begun(final_phase_rush=allowed)
    done(table, (0, "add railway red 0"), (1, "share police red 0"))
    table.final_phase = events.PILES_EMPTY
    found = said(table, 0)
    assert {words for words in found if "add" in words or "take" in words} == {
        "add Railway (blue) to set 0"
    }
    assert ("rush set 0 on no hex" in found) == allowed
    assert {"wait", "stop", "draw from pile 0", "share Park (red) on pile 0"} <= found


# Acts that can no longer be done


def test_obstacles():
    table = begun([["railway red", "park blue"], ["railway blue", "park green"]])
    table.set_aside += tuple(table.draw_piles[1])
    table.draw_piles[1].clear()
    assert obstacle(table, 0, *words(table, 0, "draw 1")) == "draw pile 1 is empty"
    assert obstacle(table, 0, *words(table, 0, "draw 0")) is None
    done(table, (1, "share railway blue 0"))
    take = words(table, 0, "take 0 0")
    done(table, (1, "share park green 1"))
    assert obstacle(table, 0, *words(table, 0, "share park blue 0")) is None
    assert obstacle(table, 0, *words(table, 0, "share railway red 1")) is not None
    assert obstacle(table, 0, *take) is None
    done(table, (1, "take 0 0"))
    assert obstacle(table, 0, *take) == "the card is not on top of share pile 0"
    add = words(table, 0, "add park blue 0")
    table.final_phase = events.TAGS_OUT
    assert obstacle(table, 0, *add) == "set 0 cannot take the card"


def test_obstacles_to_a_tag():
    table = begun([["park red"], ["park blue"]], final_phase_rush=False)
    hex_ = table.city.hexes[events.PARK][0]
    done(table, (0, "add park red 0"), (1, "add park blue 0"))
    rush = words(table, 1, f"rush 0 {hex_}")
    done(table, (0, f"rush 0 {hex_}"))
    assert obstacle(table, 1, *rush) == f"hex {hex_} is taken"
    nowhere = words(table, 1, "rush 0 none")
    assert nowhere[1] >> 8 == NO_HEX
    assert obstacle(table, 1, *nowhere) is None
    table.final_phase = events.TAGS_OUT
    assert obstacle(table, 1, *nowhere) == "nothing is rushed in the final phase"
    table.final_phase, table.cars_left = None, 0
    assert obstacle(table, 1, *nowhere) == "no cop car is left"


# The end of a round


def test_triggers():
    table = begun()
    assert trigger(table) is None
    table.tags_left[0] = 0
    assert trigger(table) == events.TAGS_OUT
    for pile in table.draw_piles:
        pile.clear()
    assert trigger(table) == events.PILES_EMPTY
    table.final_phase = events.TAGS_OUT
    assert trigger(table) is None


def test_tags_out_needs_all_but_one():
    table = begun(players=3)
    table.tags_left[0] = 0
    assert trigger(table) is None
    table.tags_left[2] = 0
    assert trigger(table) == events.TAGS_OUT


def test_seats_without_tags_or_in_the_final_phase_without_a_set_are_finished():
    table = done(begun(players=3), (1, "add police red 0"))
    table.tags_left[2] = 0
    finish_seats(table)
    assert table.finished == [False, False, True]
    table.final_phase = events.TAGS_OUT
    finish_seats(table)
    assert table.finished == [True, False, True]


def test_tags_left_stay_on_the_mat():
    table = begun()
    table.tags_left[0] = 2
    table.tags[0] = (1, 2, 3, 4)
    start_round(table, *dealt(table.rules))
    assert (table.tags_left, table.supply) == ([8, 12], [6, 6])
    assert conservation(table) is None


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda table: table.draw_piles[0].pop(), " x "),
        (lambda table: table.cars.__setitem__(0, 1), "29 cop cars"),
        (lambda table: table.tags_left.__setitem__(1, 7), "seat 1 has 19 tags"),
    ],
)
def test_nothing_gets_lost(spoil, message):
    table = begun()
    assert conservation(table) is None
    spoil(table)
    assert message in conservation(table)


# Set-up


def test_the_deck():
    rules = Play().rules
    assert sum(rules.deck.values()) == 115
    assert rules.deck[card("railway red")] == 5
    assert rules.deck[card("park blue")] == 2
    by_colour = variant(EXACT, decks={"mine": {"cards": {"park": [1, 2, 3, 0, 4]}}})
    rest = dict.fromkeys(EXACT["decks"]["d1"]["cards"], 5)
    by_colour["decks"]["mine"]["cards"] = rest | by_colour["decks"]["mine"]["cards"]
    deck = Play(components=by_colour, deck="mine").rules.deck
    assert (deck[card("park yellow")], deck.get(card("park blue"))) == (2, None)


def test_pile_sizes():
    rules = Play().rules  # two draw piles, two unused
    assert piles_fault(rules, [(0,) * 28, (0,) * 27], (0,) * 54) is None
    assert piles_fault(rules, [(0,) * 27, (0,) * 27], (0,) * 55) is None
    assert piles_fault(rules, [(0,) * 28, (0,) * 28], (0,) * 53) is not None
    assert piles_fault(rules, [(0,) * 29, (0,) * 27], (0,) * 53) is not None
    assert piles_fault(rules, [(0,) * 26, (0,) * 27], (0,) * 56) is not None


def test_tiles():
    rules = Play().rules
    assert tiles_fault(rules, ["tricorners", "rail_supreme", "zone_control"]) is None
    assert "different" in tiles_fault(rules, ["tricorners", "rail_supreme", "bestagon"])
    assert "side A" in tiles_fault(rules, ["bestagon", "rail_supreme", "zone_control"])
    assert "side B" in tiles_fault(rules, ["tricorners", "rail_supreme", "border_wars"])


def test_tiles_of_family_mode():
    rules = Play(tiles=["tricorners"], family_mode=True).rules
    assert tiles_fault(rules, ["border_wars"]) is None
    assert "side A" in tiles_fault(rules, ["rail_supreme"])
    assert "side A" in tiles_fault(rules, ["bestagon"])


def test_tiles_that_a_study_fixes():
    chosen = ["bestagon", "zone_control", "station_snake"]
    rules = Play(tiles=chosen, tiles_ruling=chosen).rules
    assert tiles_fault(rules, chosen) is None
    assert tiles_fault(rules, [*chosen[:2], "rail_supreme"]) is not None


def test_districts():
    play = Play()
    turns = [row[5] for row in play.rows if row[0] == events.DISTRICT]
    assert districts_fault(play.rules, [0, 2], turns) is None
    assert "different" in districts_fault(play.rules, [0, 1], turns)
    assert "10 faces" in districts_fault(play.rules, [0, 10], turns)
    assert "nearest" in districts_fault(play.rules, [0, 2], [turns[0] + 3, turns[1]])


def test_turning():
    board = district_board(2)
    assert (len(board), board[0], board[9], board[18]) == (19, (0, -2), (0, 0), (0, 2))
    assert [turn((1, 0), turns) for turns in range(4)] == [(1, 0), (0, 1), (-1, 1), (-1, 0)]
    face = list(range(19))
    assert turned_face(face, 2, 3) == face[::-1]
    assert turned_face(face, 2, 1)[board.index((0, 2))] == board.index((2, 0))


def test_the_station_comes_near_the_middle():
    """Of two districts the middle lies beyond the right edge of the first."""
    for station in ((2, 0), (0, 2), (-2, 2), (-2, 0), (0, -2), (2, -2)):
        (turns,) = nearest_turns(2, 2, 0, station)
        assert turn(station, turns) == (2, 0) or turn(station, turns) == (2, -2)
    assert nearest_turns(2, 2, 0, (0, 0)) == list(range(6))
