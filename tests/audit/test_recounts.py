"""Columns counted again: found by the names that games give them, compared as tables write them."""

import math

import pytest

from sim import games
from sim.audit.recounts import agree, tables_of, told
from sim.games.wildstyle.recount import About, AtLeast

BY_GAME = {
    "street_art": {"games", "seats"},
    "tag_city": {"games", "seats", "elements", "squares"},
    "wildstyle": {"games", "seats", "objectives", "rounds", "tags"},
    "west_story": {"games", "seats", "market", "villains", "towns", "purchases", "rounds"},
}
"""The tables of each game that have rows for every game, or for those of a sample."""


@pytest.mark.parametrize("name", BY_GAME)
def test_every_table_of_single_games_is_counted_again(name):
    game = games.get(name)
    tables = game.long_tables
    single = [table for table in tables if any(c.name == "game" for c in tables[table])]
    assert {"games", "seats", *single} >= BY_GAME[name]
    assert set(tables_of(game, ["games", "seats", *single])) >= BY_GAME[name]


def test_a_game_without_a_recount_has_none(rigged):
    assert tables_of(rigged, ["games", "seats", "handfuls"]) == {}


def test_a_plug_in_brings_its_own_or_that_of_the_game_it_inherits_from(importable):
    folder = importable(heir_of_art=HEIR)
    package = folder / "own_count"
    package.mkdir()
    (package / "__init__.py").write_text("class Game:\n    pass\n")
    (package / "recount.py").write_text("def thing_columns(replay):\n    return [{'a': 1}]\n")
    import heir_of_art
    import own_count

    assert set(tables_of(heir_of_art.GAME, ["games", "seats", "cards"])) == {"games", "seats"}
    found = tables_of(own_count.Game(), ["games", "things"])
    assert set(found) == {"things"}
    assert found["things"](None) == [{"a": 1}]


HEIR = """
from sim.games.street_art import StreetArt

class Heir(StreetArt):
    name = "heir"

GAME = Heir()
"""


@pytest.mark.parametrize(
    ("found", "due"),
    [
        (3, 3),
        (0.1 + 0.2, 0.3),
        (1 / 3, 0.33333334),
        (None, None),
        (math.nan, None),
        ("rain", "rain"),
        (False, 0),
        (3.2, About(3.0, 0.5)),
        (4, AtLeast(4)),
        (9, AtLeast(4)),
    ],
)
def test_what_agrees(found, due):
    assert agree(found, due)


@pytest.mark.parametrize(
    ("found", "due"),
    [
        (3, 4),
        (0.3, 0.301),
        (None, 0),
        (0, None),
        (math.nan, 1.0),
        ("rain", "Rain"),
        (True, False),
        (3.6, About(3.0, 0.5)),
        (None, About(3.0, 0.5)),
        (3, AtLeast(4)),
    ],
)
def test_what_does_not(found, due):
    assert not agree(found, due)


def test_what_is_due_in_words():
    assert told(3) == 3
    assert told(About(2.5, 1)) == "about 2.5"
    assert told(AtLeast(4)) == "at least 4"
