"""The shipped components are the rulebook's; cards as printed; sets of building types."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from sim.games import data
from sim.games.game import GRADES
from sim.games.west_story import components as parts
from sim.games.west_story import events, vocabulary
from sim.games.west_story.components import Kind, Rulings, building_sets, card_kinds, sets_in_play
from sim.games.west_story.effects import parse_effect, parse_end

from .shipped import COMPONENTS, MODEL, RULINGS, changed, check, with_changes

pytestmark = pytest.mark.uncompiled
BASE = ("workshop", "trappers_hut", "ranch", "hotel", "bank")
SYMBOLS = ("revolver", "horseshoe", "star", "wheel")


# The shipped files


def test_numbers_are_the_rulebooks():
    numbers = {
        "limits": {"hats": 6, "cows": 6},
        "hat_bonus": {"at": 4, "coins": 1},
        "pan": {"coins": 12, "bonus_at": 42},
        "start": {"coins": 4, "cows": 1, "discs": 8},
        "wild_tokens": {"at": [12, 22]},
        "uncatchable": {"pay": 1, "leaves_at": 4},
    }
    for name, table in numbers.items():
        assert COMPONENTS[name].items() >= table.items()
        assert COMPONENTS[name]["source"] == "rulebook"
    certificates = MODEL.certificates
    assert (certificates.vp_per_pair, certificates.cost_top, certificates.cost_bottom) == (3, 4, 6)
    assert (certificates.stacks, certificates.per_stack) == (2, 2)
    assert (MODEL.villain_tokens.places, MODEL.villain_tokens.coins) == (6, 1)
    assert len(MODEL.villain_tokens.tokens) == 8
    assert MODEL.herd_bonus.first == [0, 0, 1, 0, 1, 0]


def test_certificates_are_the_pairs_of_the_symbols():
    pairs = {frozenset(pair) for pair in MODEL.certificates.pairs}
    assert pairs == set(map(frozenset, combinations(SYMBOLS, 2)))
    assert tuple(MODEL.symbols.names) == SYMBOLS


def test_the_board_has_each_symbol_three_times():
    spaces = MODEL.board.spaces()
    assert len(spaces) == events.SPOTS
    assert Counter(space.symbol for space in spaces) == dict.fromkeys(SYMBOLS, 3)
    assert list(MODEL.board.named())[:: events.ROW_SPOTS] == ["top_1", "bottom_1"]
    assert MODEL.board.spaces()[5] == MODEL.board.top_6
    assert MODEL.board.spaces()[6] == MODEL.board.bottom_1


def test_towns():
    assert list(MODEL.towns) == ["fort_worth", "abilene", "dodge_city", "santa_fe"]
    assert MODEL.towns["fort_worth"].disc_vp == [1, 3, 6]
    for town in MODEL.towns.values():
        assert sorted(town.spots) == sorted((*SYMBOLS, "quadruple", "wild"))
        assert town.spots[0] in SYMBOLS
        assert len(town.disc_vp) == 3


def test_the_track():
    areas = MODEL.areas
    assert MODEL.villain_areas() == [
        "abilene", "dodge_city_near", "desert", "santa_fe", "dodge_city_far", "fort_worth_far",
    ]  # fmt: skip
    assert [area.first for area in areas.values()] == [0, 7, 14, 21, 28, 35, 42, 50]
    assert [name for name, area in areas.items() if area.desert] == ["desert"]
    assert areas["desert"].town == ""
    assert areas["lake"].first == MODEL.pan.bonus_at
    assert {area.town for area in areas.values()} == {"", *MODEL.towns}
    assert not areas["fort_worth_near"].villain
    assert [area.villain for area in areas.values() if area.town == "dodge_city"] == [True, True]


def test_decks_are_as_large_as_the_rulebook_says():
    assert Counter(card.deck for card in MODEL.cards.values()) == {
        "production": 8,
        "scoring": 8,
        "building": 11,
    }
    sizes = Counter()
    for kind in card_kinds(MODEL):
        sizes[events.DECKS[kind.deck], kind.card in BASE] += kind.copies
    assert sizes == {
        ("production", False): 32,
        ("scoring", False): 27,
        ("building", True): 30,
        ("building", False): 36,
    }


def test_cards_are_in_the_order_of_the_decks_with_the_base_buildings_first():
    decks = [events.DECKS.index(card.deck) for card in MODEL.cards.values()]
    assert decks == sorted(decks)
    assert [name for name, card in MODEL.cards.items() if card.base] == list(BASE)
    assert tuple(parts.building_types(MODEL)[:5]) == BASE
    assert [name for name, card in MODEL.cards.items() if card.animal] == [
        "mustang", "eagle", "bison", "coyote", "bear",
    ]  # fmt: skip


def test_every_count_and_gain_can_be_written_on_a_card():
    cards = MODEL.cards.values()
    ends = [end for card in cards if (end := parse_end(card.end))]
    assert len(ends) == 8
    assert {end.count for end in ends} == {
        "animal", "most frequent symbol", "building", "villain", "disc", "cow", "production card",
        "symbol set",
    }  # fmt: skip
    effects = [parse_effect(card.effect) for card in cards]
    gained = {term.what for effect in effects for terms in effect.alternatives for term in terms}
    assert gained == set(events.GAINS)


def test_the_files_are_as_the_model_has_them():
    assert MODEL.model_dump(mode="json", by_alias=True) == COMPONENTS
    assert with_changes({}) == COMPONENTS


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("buildings", ["base", "random", "even", list(BASE)])
def test_the_shipped_components_can_be_played(players, buildings):
    for uncatchable in (False, True):
        check(players=players, buildings=buildings, uncatchable_villain=uncatchable)


def test_rulings_are_those_that_are_explained():
    assert list(RULINGS) == [ruling.name for ruling in vocabulary.RULINGS]
    assert {name: str(value) for name, value in RULINGS.items()} == {
        ruling.name: ruling.default for ruling in vocabulary.RULINGS
    }


# Facts


def facts_of(components):
    found = data.component_facts(components, COMPONENTS, parts.worded)
    facts = {fact.key.removeprefix("components."): fact for fact in found}
    assert len(facts) == len(found)
    return facts


def test_every_number_has_a_grade_and_a_note():
    facts = facts_of(COMPONENTS)
    grades = {
        "symbols.names": "inferred",
        "limits.cows": "rulebook",
        "herd_bonus.first": "assumed",
        "pan.bonus_at": "rulebook",
        "certificates.pairs": "inferred",
        "villain_tokens.places": "rulebook",
        "villain_tokens.tokens.v8.pay": "assumed",
        "board.top_1.effect": "assumed",
        "towns.abilene.hats": "assumed",
        "areas.desert.villain": "assumed",
        "cards.eagle.end": "assumed",
        "uncatchable.leaves_at": "rulebook",
    }
    assert {key: facts[key].grade for key in grades} == grades
    for fact in facts.values():
        assert fact.grade in GRADES
        assert fact.note.strip()
        assert fact.value.strip()
        assert "\n" not in fact.value + fact.note
    assert facts["cards.eagle.end"].value == "1 vp per 2 most frequent symbol max 4"
    assert facts["areas.lake.town"].value == "none"
    assert facts["certificates.pairs"].value.startswith("revolver + horseshoe, star + wheel,")


def test_what_a_designer_changes_is_assumed():
    facts = facts_of(with_changes({"cards.mustang.vp": 2, "limits.hats": 8}))
    assert (facts["cards.mustang.vp"].value, facts["cards.mustang.vp"].note) == (
        "2",
        "changed from 1",
    )
    assert (facts["limits.hats"].grade, facts["limits.cows"].grade) == ("assumed", "rulebook")


def test_titles_are_of_one_thing_each():
    titles = data.titles_in(COMPONENTS)
    for table in (COMPONENTS["cards"], COMPONENTS["towns"], COMPONENTS["villain_tokens"]["tokens"]):
        for name, entry in table.items():
            assert titles[name] == entry["title"]


# Cards as printed


def kinds_of(card, changes=None):
    return [kind for kind in card_kinds(changed(changes or {})) if kind.card == card]


def test_kinds_of_the_shipped_cards():
    kinds = card_kinds(MODEL)
    assert len(kinds) == 8 * 4 + 5 + 3 * 4 + 11 * 6
    assert list(dict.fromkeys(kind.card for kind in kinds)) == list(MODEL.cards)
    assert kinds_of("posse") == [Kind("posse", 0, 1 << code, False, 1) for code in range(4)]
    assert kinds_of("bear") == [Kind("bear", 1, 0, True, 3)]
    pairs = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)]
    assert kinds_of("bank") == [Kind("bank", 2, 1 << a | 1 << b, False, 1) for a, b in pairs]


@pytest.mark.parametrize(
    ("symbols", "masks"),
    [
        ("wheel", [8]),
        ("revolver + star", [5]),
        ("star+ Revolver", [5]),
        ("Each", [1, 2, 4, 8]),
        ("PAIRS", [3, 12, 5, 10, 9, 6]),
        (" wild ", [0]),
    ],
)
def test_symbols_of_a_card(symbols, masks):
    kinds = kinds_of("bison", {"cards.bison.symbols": symbols, "cards.bison.copies": 2})
    assert [kind.symbols for kind in kinds] == masks
    assert {(kind.wild, kind.copies) for kind in kinds} == {(masks == [0], 2)}


def test_kinds_follow_the_order_of_symbols_and_pairs():
    names = ["star", "wheel", "revolver", "horseshoe"]
    pairs = MODEL.certificates.pairs[::-1]
    changes = {"symbols.names": names, "certificates.pairs": pairs}
    masks = [sum(1 << names.index(symbol) for symbol in pair) for pair in pairs]
    assert [kind.symbols for kind in kinds_of("bank", changes)] == masks


def test_a_card_without_copies_is_taken_out():
    kinds = card_kinds(changed({"cards.posse.copies": 0}))
    assert [kind for kind in card_kinds(MODEL) if kind.card != "posse"] == list(kinds)
    types = parts.building_types(changed({"cards.hotel.copies": 0}))
    assert types == [name for name in parts.building_types(MODEL) if name != "hotel"]


def test_a_study_adds_a_card():
    card = {"title": "Sheep", "deck": "scoring", "symbols": "wild", "copies": 2}
    model = changed({"cards.sheep": card | {"coins": 1, "hats": 1, "vp": 2, "effect": "1 cow"}})
    assert card_kinds(model)[-1] == Kind("sheep", 1, 0, True, 2)
    assert (model.cards["sheep"].source, model.cards["sheep"].end) == ("assumed", "")


def test_an_area_that_a_study_adds_comes_to_its_place():
    gulch = {"source": "assumed", "title": "Gulch", "first": 25, "last": 27, "villain": False}
    model = changed({"areas.desert.last": 24, "areas.gulch": gulch})
    names = list(MODEL.areas)
    at = names.index("desert") + 1
    assert list(model.areas) == [*names[:at], "gulch", *names[at:]]
    assert list(with_changes({"areas.desert.last": 24, "areas.gulch": gulch})["areas"]) == list(
        model.areas
    )


def test_overrides_reach_every_part():
    changes = {
        "towns.santa_fe.disc_vp": [2, 5, 8],
        "board.top_1.effect": "3 HATS",
        "villain_tokens.tokens.v1.pay": 2,
        "limits.cows": 7,
        "herd_bonus.first": [0, 1, 0, 1, 0, 1, 0],
    }
    model = changed(changes)
    assert model.towns["santa_fe"].disc_vp == [2, 5, 8]
    assert model.board.top_1.effect == "3 hats"
    assert model.villain_tokens.tokens["v1"].pay == 2
    assert len(model.herd_bonus.first) == model.limits.cows == 7


# Building types


def legal(costs):
    """Tell whether two types cost four coins and two others four hats, by trying all."""
    return any(
        min(costs[a][0], costs[b][0], costs[c][1], costs[d][1]) >= 4
        for a, b, c, d in permutations(range(5), 4)
    )


def costs_of(model, names):
    return [(model.cards[name].coins, model.cards[name].hats) for name in names]


def test_building_sets_are_the_legal_ones_in_order():
    types = parts.building_types(MODEL)
    expected = [s for s in combinations(types, 5) if legal(costs_of(MODEL, s))]
    assert building_sets(MODEL) == expected
    assert len(expected) == 350
    assert BASE in expected


def test_a_type_that_costs_both_counts_once():
    both = {"cards.church.hats": 4, "cards.telegraph_office.coins": 5}
    model = changed(both | {"cards.gold_mine.coins": 3, "cards.saloon.hats": 3})
    found = building_sets(model)
    types = parts.building_types(model)
    assert found == [s for s in combinations(types, 5) if legal(costs_of(model, s))]
    assert ("workshop", "ranch", "saloon", "church", "gold_mine") not in found
    assert ("workshop", "ranch", "saloon", "church", "telegraph_office") in found


def test_sets_in_play():
    def sets(ruling, model=MODEL):
        return sets_in_play(model, Rulings(buildings=ruling))

    assert sets("base") == [BASE]
    assert sets("random") == sets("even") == building_sets(MODEL)
    chosen = ["gold_mine", "church", "saloon", "ranch", "workshop"]
    assert sets(chosen) == [("workshop", "ranch", "saloon", "church", "gold_mine")]
    other = changed({"cards.hotel.base": False, "cards.church.base": True})
    assert sets("base", other) == [("workshop", "trappers_hut", "ranch", "bank", "church")]
