"""Boards and decks that come from the rows of a spreadsheet, and how mistakes are explained."""

import csv
import io
import random

import pytest

from sim.errors import SimError
from sim.explain import Place
from sim.games.wildstyle import boards, events
from sim.games.wildstyle.components import Components
from sim.games.wildstyle.sheets import (
    COLOURS,
    boards_from_rows,
    deck_from_rows,
    faces_to_rows,
    read_table,
)
from sim.overrides import apply

from .shipped import COMPONENTS, check

SMALL = COMPONENTS["boards"]["radius_2"]["faces"]
LARGE = COMPONENTS["boards"]["radius_3"]["faces"]


def sheet(text):
    """Return the rows of a CSV text, blanks after commas left out."""
    return list(csv.DictReader(io.StringIO(text), skipinitialspace=True))


def with_changes(changes):
    return apply(Components, COMPONENTS, changes, Place("study.toml", ("components",)))


def icons(faces, radius):
    return [boards.read_face(face, radius) for face in faces]


def said_of(rows):
    with pytest.raises(SimError) as caught:
        read_table(rows)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# Boards


@pytest.mark.parametrize(("faces", "radius"), [(SMALL, 2), (LARGE, 3)])
def test_faces_come_back_from_rows_as_they_were(faces, radius):
    rows = faces_to_rows(faces, radius)
    assert list(rows[0].items()) == [
        ("face", "0"), ("q", "0"), ("r", str(-radius)),
        ("icon", rows[0]["icon"]), ("radius", str(radius)),
    ]  # fmt: skip
    random.Random(1).shuffle(rows)
    assert read_table(rows) == boards_from_rows(rows)
    changes = boards_from_rows(rows)
    assert list(changes["boards"]) == [f"radius_{radius}"]
    assert icons(changes["boards"][f"radius_{radius}"]["faces"], radius) == icons(faces, radius)


def test_boards_of_both_sizes_in_one_sheet():
    changes = boards_from_rows(faces_to_rows(LARGE, 3) + faces_to_rows(SMALL[:4], 2))
    made = with_changes(changes)
    assert icons(made["boards"]["radius_3"]["faces"], 3) == icons(LARGE, 3)
    assert icons(made["boards"]["radius_2"]["faces"], 2) == icons(SMALL[:4], 2)
    assert made["boards"]["radius_2"]["note"] == COMPONENTS["boards"]["radius_2"]["note"]
    check(made, 2, board_radius=2)


@pytest.mark.parametrize(("faces", "radius"), [(SMALL, 2), (LARGE, 3)])
def test_the_hexes_tell_the_size_and_faces_may_be_counted_from_one(faces, radius):
    rows = [
        {"face": int(row["face"]) + 1, "q": int(row["q"]), "r": int(row["r"]), "icon": row["icon"]}
        for row in faces_to_rows(faces, radius)
    ]
    for order in (rows, rows[::-1]):
        found = boards_from_rows(order)["boards"]
        assert icons(found[f"radius_{radius}"]["faces"], radius) == icons(faces, radius)


def test_an_icon_goes_by_its_name_letter_or_title():
    rows = faces_to_rows(SMALL[:2], 2)
    names = {"station": "Train Station", "police": "police station", "park": "P", "railway": "r"}
    told = [{**row, "icon": names.get(row["icon"], f" {row['icon'].title()} ")} for row in rows]
    assert boards_from_rows(told) == boards_from_rows(rows)


def board_rows(change=None, faces=SMALL[:2], radius=2):
    """Return rows of faces, with `change` made to the row in row 5 of the spreadsheet."""
    rows = faces_to_rows(faces, radius)
    if change is not None:
        rows[3] = {**rows[3], **change}
    return rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"icon": "statoin"},
            'row 5, column "icon": unknown icon "statoin"; allowed: railway, station, residential, '
            'shopping, downtown, industrial, park, police. Did you mean "station"?',
        ),
        ({"icon": ""}, 'row 5, column "icon": nothing found; an entry is needed'),
        ({"q": None}, 'row 5, column "q": nothing found; an entry is needed'),
        ({"q": "1.5"}, 'row 5, column "q": found "1.5"; allowed: a whole number from -2 to 2'),
        ({"r": "3"}, 'row 5, column "r": found "3"; allowed: a whole number from -2 to 2'),
        ({"q": "-2"}, 'row 5, columns "q", "r": (-2, -1) is outside a hexagon of radius 2'),
        ({"q": "0"}, 'row 6, columns "q", "r": face 0 has the hex (0, -1) already'),
        ({"face": "one"}, 'row 5, column "face": found "one"; allowed: a whole number '),
        ({"radius": "4"}, 'row 5, column "radius": found "4"; allowed: a whole number '),
        ({"radius": "3"}, 'row 2, column "face": face 0 has 18 of the 19 hexes of radius 2; '),
    ],
)
def test_a_mistake_in_a_board_names_row_and_column(change, message):
    assert said_of(board_rows(change)).startswith(message)


def test_a_face_needs_all_hexes_and_one_station():
    rows = board_rows()
    missing = 'row 21, column "face": face 1 has 18 of the 19 hexes of radius 2; (0, 2) is missing'
    assert said_of([*rows[:-1]]) == missing
    assert said_of([*rows[:-1], *rows[-2:-1]]).startswith(
        'row 39, columns "q", "r": face 1 has the hex (-1, 2)'
    )
    none = [{**row, "icon": row["icon"].replace("station", "park")} for row in rows]
    assert said_of(none) == (
        'row 2, column "face": face 0 has no train station (T); exactly one is needed, '
        "since boards are turned by it"
    )


def test_a_stray_hex_without_a_radius_makes_a_larger_face():
    rows = [{k: v for k, v in row.items() if k != "radius"} for row in board_rows({"q": "3"})]
    assert said_of(rows).startswith('row 2, column "face": face 0 has 19 of the 37 hexes of ')


def test_faces_make_whole_boards_and_are_numbered_without_a_gap():
    assert said_of(faces_to_rows(SMALL[:3], 2)).startswith(
        'column "face", radius 2: 3 faces; an even number is needed'
    )
    rows = faces_to_rows(SMALL[:4], 2)
    gap = (
        'column "face": there is no face 1 of radius 2; '
        "faces are numbered from 0 or 1 without a gap"
    )
    assert said_of([row for row in rows if row["face"] != "1"]) == gap
    assert said_of([row for row in rows if row["face"] in "23"]) == gap.replace(
        "face 1 ", "face 0 "
    )


# Decks

DECK = """
icon,     colour, copies
railway,  red,    3
Railway,  Blue,   2
T,        purple, 1
park,     yellow, 40
"""


def test_a_deck_comes_from_rows():
    changes = deck_from_rows(sheet(DECK.strip()))
    assert read_table(sheet(DECK.strip())) == changes
    cards = dict.fromkeys(events.ICONS, [0] * 5) | {
        "railway": [3, 0, 0, 2, 0],
        "station": [0, 0, 0, 0, 1],
        "park": [0, 40, 0, 0, 0],
    }
    assert list(changes) == ["decks"]
    assert list(changes["decks"]) == ["csv"]
    assert changes["decks"]["csv"]["cards"] == cards
    assert changes["decks"]["csv"]["source"] == "assumed"
    made = with_changes(changes)
    assert Components(**made).decks["csv"].copies().sum() == 46
    check(made, 4, deck="csv")
    assert made["decks"]["d1"] == COMPONENTS["decks"]["d1"]


def test_the_colours_are_the_shipped_ones():
    assert COMPONENTS["colours"]["names"] == list(COLOURS)


def test_decks_by_name_replace_and_add():
    rows = [
        {"deck": name, "icon": "park", "colour": "red", "copies": copies}
        for name, copies in (("d1", 30), ("mine", 20), ("", 25))
    ]
    made = Components(**with_changes(deck_from_rows(rows)))
    totals = {name: int(deck.copies().sum()) for name, deck in made.decks.items()}
    assert totals == {"d1": 30, "d2": 115, "d3": 115, "mine": 20, "csv": 25}
    assert made.decks["d1"].source == "assumed"


def test_five_other_colours_become_the_names():
    colours = ["red", "black", "white", "pink", "teal"]
    rows = [{"icon": "park", "colour": colour, "copies": 9} for colour in colours]
    made = with_changes(deck_from_rows(rows))
    assert made["colours"]["names"] == colours
    assert made["decks"]["csv"]["cards"]["park"] == [9] * 5


def test_rows_without_entries_are_left_out_but_counted():
    rows = sheet("icon,colour,copies\npark,red,20\n,,\npark,blue,x\n")
    assert said_of(rows).startswith('row 4, column "copies":')
    assert deck_from_rows(rows[:2])["decks"]["csv"]["cards"]["park"] == [20, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "yellow",
            "yelow",
            'row 5, column "colour": unknown colour "yelow"; allowed: red, yellow, green, blue, '
            'purple, or five other colours. Did you mean "yellow"?',
        ),
        ("40", "-1", 'row 5, column "copies": found "-1"; allowed: a whole number from 0 to 160'),
        ("40", "161", 'row 5, column "copies": found "161"; allowed: a whole number from 0 '),
        ("Blue", "RED", 'row 3, columns "icon", "colour": row 2 has this card already'),
        ("park", "prak", 'row 5, column "icon": unknown icon "prak"; allowed: railway, station,'),
        ("40", "40, 7", "row 5: more entries than columns"),
        (
            "colour",
            "color",
            'columns: unknown column "color"; allowed: icon, colour, copies, deck. '
            'Did you mean "colour"?',
        ),
    ],
)
def test_a_mistake_in_a_deck_names_row_and_column(old, new, message):
    assert old in DECK
    assert said_of(sheet(DECK.strip().replace(old, new, 1))).startswith(message)


def test_rows_that_know_their_numbers_are_named_by_them():
    class Row(dict):
        number = 77

    row = Row({"icon": "prak", "colour": "red", "copies": "1"})
    assert said_of([row]).startswith('row 77, column "icon":')


def test_a_table_is_known_by_its_columns():
    assert said_of([{"name": "x", "value": 1}]) == (
        "columns: found name, value; allowed: face, q, r, icon (and radius) for boards, "
        "or icon, colour, copies (and deck) for decks"
    )
    assert said_of([]).startswith("columns: found none; allowed: face,")
    assert said_of([{"face": 0, "q": 0, "icon": "park"}]) == (
        "columns: r missing; found face, q, icon; needed: face, q, r, icon"
    )
    assert said_of([{"icon": "park", "copies": 1}]) == (
        "columns: colour missing; found icon, copies; needed: icon, colour, copies"
    )
    assert "decks" in read_table([{" Icon": "park", "COLOUR": "red", "copies ": 1}])
