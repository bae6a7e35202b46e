"""Cards that come from the rows of a spreadsheet, and how mistakes in them are explained."""

import tomllib

import pytest

from sim.errors import SimError
from sim.games.west_story.schema import Card
from sim.games.west_story.sheets import (
    COLUMNS,
    FILES,
    FOLDER,
    WHOLE,
    read_table,
    shipped_components,
)
from sim.sheets import rows_of

from .shipped import COMPONENTS, changed, with_changes

pytestmark = pytest.mark.uncompiled


def read(text):
    return read_table(rows_of(text))


def said_of(text):
    with pytest.raises(SimError) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# The shipped files


def test_columns_are_the_cards_fields():
    assert set(COLUMNS) == {"name", *Card.model_fields}
    assert set(WHOLE) == {name for name, field in Card.model_fields.items() if field.is_required()}


@pytest.mark.parametrize("file", FILES)
def test_shipped_files_have_all_columns_and_one_deck_in_the_models_words(file):
    rows = rows_of((FOLDER / file).read_text(encoding="utf-8"))
    assert {tuple(row) for row in rows} == {COLUMNS}
    assert len({row["deck"] for row in rows}) == 1
    for row in rows:
        card = COMPONENTS["cards"][row["name"]]
        texts = {key: row[key] for key in ("title", "symbols", "effect", "end", "source", "note")}
        assert texts == {key: card[key] for key in texts}
        assert row["name"] == card["title"].lower().replace(" ", "_")


def test_shipped_components_are_the_files_together():
    text = (FOLDER / "components.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    assert COMPONENTS.keys() - tables.keys() == {"cards"}
    assert COMPONENTS["towns"] == tables["towns"]
    assert COMPONENTS["pan"] == tables["pan"]
    names = [row["name"] for file in FILES for row in rows_of((FOLDER / file).read_text("utf-8"))]
    assert list(COMPONENTS["cards"]) == names


def test_shipped_components_are_fresh_at_each_call():
    spoilt = shipped_components()
    spoilt["cards"].clear()
    spoilt["towns"]["abilene"]["disc_vp"].append(99)
    spoilt["areas"]["lake"]["first"] = 1
    assert shipped_components() == COMPONENTS


# Cards of a designer


def test_a_row_changes_what_stands_in_it():
    changes = read("name,vp,copies,effect\nmustang,3,,\nbank,,0,\nhotel,,,3 VP\n")
    assert changes == {
        "cards": {"mustang": {"vp": 3}, "bank": {"copies": 0}, "hotel": {"effect": "3 vp"}}
    }
    made = with_changes(changes)
    assert made["cards"]["mustang"] == COMPONENTS["cards"]["mustang"] | {"vp": 3}
    assert made["cards"]["eagle"] == COMPONENTS["cards"]["eagle"]
    assert list(made["cards"]) == list(COMPONENTS["cards"])


WHOLE_CARDS = """deck;name;title;symbols;copies;coins;hats;vp;effect;end;base
scoring;mustang;Mustang;wild;3;3;0;1;1 coin;;
building;school;School;pairs;1;4;1;2;;1 vp per card;false
building;bank;Bank;pairs;1;6;0;4;1 vp;;
"""


def test_empty_cells_of_a_whole_card_are_nothing():
    made = changed(read(WHOLE_CARDS))
    mustang, school = made.cards["mustang"], made.cards["school"]
    assert (mustang.effect, mustang.end, mustang.note) == (
        "1 coin",
        "",
        COMPONENTS["cards"]["mustang"]["note"],
    )
    assert (school.effect, school.end, school.base) == ("", "1 vp per card", False)
    assert school.source == "assumed"
    assert not made.cards["bank"].base
    assert list(made.cards)[-1] == "school"


def test_a_column_that_is_not_there_changes_nothing_in_a_whole_card():
    text = "name,deck,title,symbols,copies,coins,hats,vp\neagle,scoring,Eagle,wild,3,0,3,2\n"
    made = with_changes(read(text))
    assert made["cards"]["eagle"] == COMPONENTS["cards"]["eagle"] | {"vp": 2}


@pytest.mark.parametrize("file", FILES)
def test_a_copy_of_a_shipped_file_changes_nothing(file):
    assert with_changes(read((FOLDER / file).read_text("utf-8"))) == COMPONENTS


def test_symbols_and_flags_as_a_spreadsheet_has_them():
    card = read("name,symbols,base\nbank,Star+Wheel,TRUE\n")["cards"]["bank"]
    assert card == {"symbols": "star + wheel", "base": True}


ALLOWED = "deck, name, title, symbols, copies, coins, hats, vp, effect, end, base, source, note"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,vp\nbank,x", 'row 2, column "vp": found "x"; allowed: a whole number.'),
        ("name,vp\nbank,101", 'row 2, column "vp": found "101"; allowed: a number of at most 100.'),
        ("name,copies\n,\nbank,-1", 'row 3, column "copies": found "-1"; allowed: a number of at '),
        (
            "name,effect\nbank,2 hast",
            'row 2, column "effect": in "2 hast": found "hast"; allowed: ',
        ),
        ("name,end\nbank,1 hat", 'row 2, column "end": in "1 hat": found hats; allowed: vp alone'),
        ("name,base\nbank,maybe", 'row 2, column "base": found "maybe"; allowed: true or false.'),
        (
            "name,deck\nbank,buildings",
            'row 2, column "deck": found "buildings"; allowed: "production", "scoring" or '
            '"building". Did you mean "building"?',
        ),
        ("name,source\nbank,me", 'row 2, column "source": found "me"; allowed: "rulebook", '),
        (
            "name,vp\nTrappers Hut,3",
            'row 2, column "name": found "Trappers Hut"; allowed: lower-case letters, digits and '
            'underscores, a letter first. Did you mean "trappers_hut"?',
        ),
        ("name,vp\n9,3", 'row 2, column "name": found "9"; allowed: lower-case letters, digits '),
        (
            "name,vp\n,3",
            'row 2, column "name": there is nothing in it; a value is needed.',
        ),
        ("name,vp\nbank,3\nbank,4", 'row 3, column "name": row 2 has "bank" already'),
        (
            "name,copis\nbank,3",
            f'row 1, column "copis": unknown column; allowed: {ALLOWED}. Did you mean "copies"?',
        ),
        ("vp,coins\n3,4", f'row 1: no column "name"; found: vp, coins; allowed: {ALLOWED}'),
        ("name,vp\n", f'row 1: no column "name"; found: none; allowed: {ALLOWED}'),
    ],
)
def test_a_mistake_names_row_and_column(text, message):
    assert said_of(text).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,symbols\nbank,stir", 'components.cards.bank.symbols: there is no symbol "stir"; '),
        ("name,base\nbear,true", "components.cards.bear.base: found true; allowed: for buildings"),
        ("name,vp\nbanc,3", "components.cards.banc: there is no such entry, and a new one also "),
    ],
)
def test_what_only_all_components_can_tell_names_the_card(text, message):
    with pytest.raises(SimError) as caught:
        with_changes(read(text))
    assert str(caught.value).startswith(f"study.toml: {message}")
