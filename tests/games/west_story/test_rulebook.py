"""The plain rulebook reads the components as they are printed, and words for rows of a log."""

import copy

import pytest

from sim.games.reading import row
from sim.games.west_story import events
from sim.games.west_story.effects import Term
from sim.games.west_story.logbook import Teller, spot_name
from sim.games.west_story.rulebook import cards_in_play

from .logs import HORSESHOE, REVOLVER, STAR, T6, WHEEL
from .table import BASE, Scene, kind_of, rules_for

RULES = rules_for(2, uncatchable_villain=True)


def test_cards_carry_their_symbols():
    named = {text: RULES.cards[kind_of(RULES, text)] for text in
             ("mustang", "posse wheel", "bank star wheel")}  # fmt: skip
    mustang, posse, bank = named.values()
    assert (mustang.wild, mustang.symbols) == (True, frozenset())
    assert (posse.wild, posse.symbols) == (False, {WHEEL})
    assert (bank.symbols, bank.coins, bank.hats, bank.vp) == ({STAR, WHEEL}, 6, 0, 4)
    assert mustang.end == Term("vp", 1, "animal", 1, 4)
    assert [card.kind for card in RULES.cards] == list(range(len(RULES.cards)))


def test_the_decks_have_the_cards_of_the_rulebook():
    assert [deck.total() for deck in cards_in_play(RULES, BASE)] == [32, 27, 30]


def test_the_player_board():
    symbols = [min(space.symbols) for space in RULES.spaces]
    assert symbols[:6] == [REVOLVER, HORSESHOE, STAR, WHEEL, REVOLVER, HORSESHOE]
    assert symbols[6:] == [STAR, WHEEL, REVOLVER, HORSESHOE, STAR, WHEEL]
    assert RULES.spaces[T6].alternatives == ((Term("coins", 2),), (Term("vp", 1),))
    assert not any(space.wild for space in RULES.spaces)


@pytest.mark.parametrize(
    ("vp", "slug"),
    [
        (0, "fort_worth_near"), (6, "fort_worth_near"), (7, "abilene"), (27, "desert"),
        (41, "dodge_city_far"), (42, "lake"), (50, "fort_worth_far"), (800, "fort_worth_far"),
    ],
)  # fmt: skip
def test_the_area_of_a_marker(vp, slug):
    assert RULES.areas[RULES.area(vp)].slug == slug


def test_the_uncatchable_villain_is_the_last_token_by_ruling():
    assert [token.catchable for token in RULES.tokens] == [True] * 8 + [False]
    assert len(rules_for(2).tokens) == 8


def test_a_picture_of_the_table_does_not_change():
    scene = Scene(3)
    picture = scene.table.snapshot()
    before = copy.deepcopy(picture)
    scene.seat(0, coins=9, marks=[1], cards=[(2, "mustang")], vp=8).discs(0, 1)
    scene.villain(0, 3)
    scene.table.round = 5
    assert picture == before


def test_nothing_is_taken_for_something():
    table = Scene(2).table
    table.villains = (table.villains[0]._replace(token=None), *table.villains[1:])
    table.market = ((None,) * 4, *table.market[1:])
    for ask in (lambda: table.token(0), lambda: table.offered(0, 2)):
        with pytest.raises(ValueError, match="there is no"):
            ask()


# Rows in words


@pytest.mark.parametrize("code", range(events.SCORE + 2))
def test_every_row_has_words_whatever_its_numbers(code):
    teller = Teller(RULES)
    for number in (-1000, -1, 0, 1, 5, 1000):
        told = teller.tell(row(code, 0, 0, number, number, number))
        assert told
        assert "\n" not in told


def test_words_of_some_rows():
    teller = Teller(RULES)
    bank = kind_of(RULES, "bank star wheel")
    assert teller.tell(row(events.BUY, 3, 1, 8, T6, bank)) == (
        "buys Bank (star + wheel) from slot 0 of the building row for top 6"
    )
    assert teller.tell(row(events.MARK, 3, 1, T6, events.COMBO, 0)) == "marks top 6 (combo)"
    assert teller.tell(row(events.GAIN, 3, 1, 2, 1, 5)) == "gains 1 cows (skip)"
    assert teller.tell(row(99, 0, 0)) == "there is the unknown event code 99"
    assert (spot_name(6), spot_name(12)) == ("bottom 1", "spot 12 (there is none)")
