"""Components and rulings: the shipped ones hold together, mistakes are told in one line."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from sim.errors import SimError
from sim.explain import Place, first_mistake
from sim.games.tag_city.components import (
    Components,
    Rulings,
    city_rows,
    in_one_piece,
    neighborhood_cells,
    shape_cells,
)
from sim.study import from_dict
from tests.games.tag_city.table import COMPONENTS, GAME, RULINGS, changed, city, played, setup

pytestmark = pytest.mark.uncompiled
MODEL = Components(**COMPONENTS)
SIZES = {"A": [20, 20, 16, 20, 20], "B": [12, 16, 20, 22, 26]}


@pytest.mark.parametrize("side", ["A", "B"])
def test_shipped_cities(side):
    rows = city_rows(dict(MODEL.cities.named())[side].drawing)
    assert [len(row) for row in rows] == [12] * 8
    found = neighborhood_cells(rows)
    assert [len(cells) for cells in found.values()] == SIZES[side]
    assert all(in_one_piece(cells) for cells in found.values())


def test_side_a_gives_each_layer_about_the_same():
    values = COMPONENTS["values"]["A"]
    assert (values["rows"]["large"] * 8, values["columns"]["large"] * 12) == (48, 48)
    assert sum(values["neighborhoods"]["large"]) == 48


def test_side_b_halves_large_values_rounded_down():
    for layer in COMPONENTS["values"]["B"].values():
        assert layer["small"] == [value // 2 for value in layer["large"]]
    assert COMPONENTS["values"]["B"]["neighborhoods"]["large"] == [s // 2 for s in SIZES["B"]]


def test_shapes_are_as_large_as_their_names_say():
    for tokens in (MODEL.small_shapes.tokens, MODEL.ring_shapes.tokens):
        for name, token in tokens.items():
            assert len(shape_cells(token.drawing)) == int(name[-1])
    assert (len(MODEL.small_shapes.tokens), len(MODEL.ring_shapes.tokens)) == (3, 11)


def mistake(components) -> str:
    """Return what is said about components with one mistake, with its place."""
    with pytest.raises(ValidationError) as caught:
        Components(**components)
    place, text = first_mistake(caught.value, Components)
    return str(Place("f").at(*place).error(text))


@pytest.mark.parametrize(
    ("drawing", "said"),
    [
        ("AAB\nAB", "row 2 has 2 letters, row 1 has 3"),
        ("AAB\nAaB", "row 2, column 2 has 'a'"),
        ("AAB\nA.B", "row 2, column 2 has '.'"),
        ("AAB\n\nABB", "row 2 has 0 letters"),
        ("", "are 0 squares; allowed: 1 to 128"),
        ("A" * 129, "1 rows of 129 letters are 129 squares; allowed: 1 to 128"),
        ("AAB\nBBA", "neighborhood A is in several pieces"),
        ("AB\nBA", "hang together by their sides, or connected = false"),
    ],
)
def test_bad_drawings_of_cities(drawing, said):
    text = mistake(changed("cities.A.drawing", drawing))
    assert said in text
    assert "cities.A" in text
    assert "\n" not in text


def test_a_city_may_allow_neighborhoods_in_several_pieces():
    Components(**city("AB\nBA", connected=False))


@pytest.mark.parametrize(
    ("drawing", "said"),
    [
        ("#x", "row 1, column 2 has 'x'"),
        (". .", "has 0 squares"),
        ("#######", "has 7 squares (#); allowed: 1 to 6"),
        ("#.\n.#", "in several pieces"),
    ],
)
def test_bad_drawings_of_shapes(drawing, said):
    text = mistake(changed("ring_shapes.tokens.o4.drawing", drawing))
    assert said in text
    assert "ring_shapes.tokens.o4.drawing" in text


def test_names_of_shapes_on_the_hq():
    ring = ["o4", "i4", "l4", "s4", "t4"]
    assert 'no ring shape "p6"' in mistake(changed("hq.side_a", [*ring, "p6"]))
    assert "6 different shapes" in mistake(changed("hq.side_a", [*ring, "o4"]))
    twin = changed("small_shapes.tokens.o4", {"title": "O4", "drawing": "##"})
    assert '"o4" is a small shape and a ring shape' in mistake(twin)
    taken = changed("small_shapes.tokens.drone", {"title": "Drone", "drawing": "##"})
    assert '"drone" cannot be the name of a shape' in mistake(taken)


@pytest.mark.parametrize("value", [-1, 1001, 1.5, "6", [6, -1], True])
def test_values_are_whole_numbers(value):
    assert "a whole number from 0 to 1000" in mistake(changed("values.A.rows.large", value))


@pytest.mark.parametrize("hq", ["C", "a", 1, ["o4"], ["o4"] * 6, None])
def test_bad_hq(hq):
    with pytest.raises(ValidationError, match="six different ring shapes"):
        Rulings(hq=hq)


def check(components=COMPONENTS, players=4, **rulings) -> str:
    with pytest.raises(SimError) as caught:
        GAME.check(components, RULINGS | rulings, players)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_checks_name_the_key_and_the_nearest_name():
    assert 'rulings.city: there is no "C"' in check(city="C")
    ring = ["o4", "i4", "l4", "s4", "t4", "p6"]
    assert "rulings.hq" in check(hq=ring)
    assert "o4, i4" in check(hq=ring)
    lists = changed("values.A.columns.small", [1, 2, 3])
    assert "components.values.A.columns.small: found 3 values" in check(lists)
    assert "12 of them" in check(lists)
    assert "components.seats" in check(players=5)
    lone = changed("cities.C", COMPONENTS["cities"]["A"])
    assert 'no "C" in components.values' in check(lone, city="C")


def test_a_study_can_draw_a_city_of_its_own():
    text = {
        "title": "Mine",
        "game": "tag_city",
        "players": [2],
        "games": 10,
        "seed": 1,
        "lineups": {"mirror": ["greedy"]},
        "rulings": {"city": "mine", "hq": ["o4", "i4", "l4", "s4", "w5", "n5"]},
        "components": {
            "cities": {"mine": {"title": "Mine", "drawing": "AAAB\nAABB\nABBB\n"}},
            "values": {
                "mine": {
                    "rows": {"large": 4, "small": 2},
                    "columns": {"large": [1, 2, 3, 4], "small": 1},
                    "neighborhoods": {"large": 5, "small": 0},
                }
            },
        },
    }
    study = from_dict(text, "mine.toml")
    text["components"]["values"]["mine"]["rows"]["large"] = -4
    with pytest.raises(SimError, match="a whole number from 0 to 1000"):
        from_dict(text, "mine.toml")
    (variant,) = study.variants.values()
    cell = GAME.setup(variant.components, variant.rulings, [GAME.styles()["greedy"]] * 2, False)
    assert played(cell, 5)["seats"]["squares"].max() <= 12


def test_the_drawing_in_the_docs_can_be_played():
    page = (Path(__file__).parents[3] / "docs" / "tag_city.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    head = 'game = "tag_city"\ngames = 10\nlineups.mirror = ["greedy"]\n'
    (variant,) = from_dict(tomllib.loads(head + block), "docs").variants.values()
    GAME.check(variant.components, variant.rulings, 4)


def test_facts_show_drawings_in_one_line():
    facts = {f.key: f for f in GAME.facts(COMPONENTS, RULINGS)}
    assert facts["components.ring_shapes.tokens.l4.drawing"].value == "#. / #. / ##"
    assert all("\n" not in fact.value for fact in facts.values())


def test_titles():
    assert GAME.title_of("o4") == "O4"
    assert GAME.title_of("neighborhood_a") == "Neighborhood A"
    assert GAME.title_of("ring_0") == "Shape on space 0"


def test_a_setup_names_shapes_and_elements():
    cell = setup(2)
    assert cell.shapes[:4] == ("i2", "i3", "v3", "o4")
    assert len(cell.elements) == 25
