"""CSV files of components, and TOML files beside them: read, merged, and refused in one line."""

import json

import pytest
from toy_game import ToyGame

from sim import simulate, store
from sim.errors import SimError
from sim.sheets import rows_of
from sim.study import Study, from_dict, load

TOY = {"game": "toy", "lineups": {"mirror": ["eager"]}}
STUDY = 'components_from = [{}]\ngame = "street_art"\n[lineups]\nmirror = ["greedy"]\n'


@pytest.fixture
def toy(monkeypatch):
    game = ToyGame()
    monkeypatch.setattr("sim.games.get", lambda name: game)
    return game


@pytest.fixture
def study(toy, tmp_path):
    """Return the toy study with files of components."""

    def make(changes=None, **files):
        names = []
        for name, content in files.items():
            names.append(name.replace("_", "."))
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / names[-1]).write_bytes(data)
        given = TOY | {"components_from": names} | (changes or {})
        return from_dict(given, "mine.toml", folder=tmp_path)

    return make


def board(study):
    return study.variants["base"].components["board"]


def test_files_change_the_components_in_turn_before_the_study_does(study):
    found = study(
        {"components": {"board": {"size": 9}}},
        one_toml='[board]\nsize = 7\nspare = 1\n"bag.red" = 5\n',
        tiles_csv="name,points\ncup,3\ndome,\n",
        two_toml="board.spare = 2\n",
    )
    assert board(found) == {
        "size": 9,
        "tiles": [{"name": "cup", "points": 3.0}, {"name": "dome", "points": 1.0}],
        "bag": {"red": 5, "blue": 4},
        "spare": 2,
    }
    written = {"components": {"board": board(found)}}
    assert found.identity() == from_dict(TOY | written).identity()


def test_the_study_keeps_what_the_files_said(study, tmp_path):
    found = study(tiles_csv="name,points\ncup,3\n")
    (tmp_path / "tiles.csv").unlink()
    again = Study.model_validate_json(json.dumps(found.model_dump(mode="json")))
    assert again.identity() == found.identity()
    assert again.components == {"board": {"tiles": [{"name": "cup", "points": 3.0}]}}


def test_a_run_needs_its_files_no_more(rigged, tmp_path):
    (tmp_path / "bag.toml").write_text("bag.largest_handful = 2\n")
    data = {"game": "rigged", "games": 20, "players": 2, "lineups": {"mirror": ["plain"]}}
    given = data | {"components_from": ["bag.toml"]}
    simulate.run(from_dict(given, folder=tmp_path), tmp_path / "run", jobs=1)
    (tmp_path / "bag.toml").unlink()
    run = store.open_run(tmp_path / "run")
    assert run.plan.cells[0].components["bag"]["largest_handful"] == 2
    assert run.scan("seats").collect()["luck"].max() == 6


@pytest.mark.parametrize(
    "text",
    [
        "name,points\ncup,3\n\narch,2",
        "\ufeffname;points\r\ncup;3\r\n;\r\narch;2\r\n",
        'name\tpoints\t\n"cup"\t 3 \n\t\t\narch\t2\t\t\n',
    ],
)
def test_what_spreadsheets_write_can_be_read(study, text):
    tiles = board(study(tiles_csv=text))["tiles"]
    assert tiles == [{"name": "cup", "points": 3.0}, {"name": "arch", "points": 2.0}]


def test_rows_are_numbered_as_in_a_spreadsheet():
    rows = rows_of('name,text\ncup,"two\nlines"\n,\nbow,x\n')
    assert [row.number for row in rows] == [2, 4]
    assert rows[0] == {"name": "cup", "text": "two\nlines"}
    assert str(rows[1].error("text", "no")) == 'row 4, column "text": no'


MISTAKES = {
    "not a number": (
        "name,points\ncup,3\nbow,x\n",
        'row 3, column "points": found "x"; allowed: a',
    ),
    "an empty cell": ("name,points\n,3\n", 'row 2, column "name": there is nothing in it'),
    "a column gone": ("points\n3\n", 'row 2, column "name": there is nothing in it'),
    "a misspelt column": (
        "name,point\ncup,3\n",
        'row 2, column "point": unknown key; allowed: name, points. Did you mean "points"?',
    ),
    "too many cells": ("name,points\ncup,3,4\n", "row 2: found 3 cells; allowed: 2"),
    "no header": ("", "there is no header"),
    "an empty header": (",,\n1,2,3\n", "there is no header"),
    "a nameless column": ("name,,points\n", "row 1: column 2 has no name"),
    "a column twice": ("name,name\n", 'row 1, column "name": found twice'),
    "an open quote": ('name,points\n"cup,3\n', "row 2: not valid CSV"),
    "not UTF-8": (b"name,points\ncaf\xe9,3\n", "byte 15 is not UTF-8"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_a_csv_file_name_file_row_and_column(study, tmp_path, name):
    text, message = MISTAKES[name]
    with pytest.raises(SimError) as error:
        study(tiles_csv=text)
    assert f"{tmp_path / 'tiles.csv'}: {message}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"one_toml": "board.size = 'x'\n"}, '/one.toml: board.size: found "x"; allowed: a whole'),
        ({"one_toml": "bord.size = 3\n"}, "/one.toml: bord: unknown key; allowed: board. Did you"),
        ({"one_toml": "size 3\n"}, "mine.toml: components_from[0]: "),
        ({"tiles_xlsx": "x"}, 'mine.toml: components_from[0]: found "tiles.xlsx"; allowed: a file'),
    ],
)
def test_mistakes_in_other_files(study, files, message):
    with pytest.raises(SimError) as error:
        study(**files)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_not_there_and_games_that_read_none(tmp_path):
    (tmp_path / "cards.csv").write_text("name\nrain\n")
    path = tmp_path / "mine.toml"
    for name, message in (
        (
            "card.csv",
            f"components_from[0]: {tmp_path}/card.csv: there is no such file. Did you mean ",
        ),
        ("cards.csv", f"{tmp_path}/cards.csv: Street Art reads no CSV components."),
    ):
        path.write_text(STUDY.format(f'"{name}"'))
        with pytest.raises(SimError) as error:
            load(path)
        assert message in str(error.value)
    path.write_text(
        STUDY.format("").replace("components_from = []\n", "") + 'components_from = ["a"]\n'
    )
    with pytest.raises(SimError, match=r"write components_from above the first \[table\]"):
        load(path)
