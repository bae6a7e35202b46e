"""`sim new-game` writes a game that works as it is; names that cannot be are one clear line."""

import ast
import re
import tomllib

import pytest
from plugged import Plugged

from sim.errors import SimError
from sim.new_game import SKELETON, check_name, renamed, title_of, write_game

NAME = "river_race"
FILES = sorted(path.relative_to(SKELETON) for path in SKELETON.rglob("*.*") if path.is_file())


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A new game, registered for the processes that it starts."""
    folder = write_game(NAME, tmp_path_factory.mktemp("written"))
    return Plugged(folder, tmp_path_factory.mktemp("site"))


def test_the_skeleton_has_the_files_that_every_game_has():
    names = {path.name for path in FILES if path.parts[0] == "my_game"}
    shipped = {path.name for path in (SKELETON.parent / "games" / "street_art").iterdir()}
    assert names <= shipped | {"__pycache__"}
    assert {"__init__.py", "components.toml", "styles.toml", "rules.py", "referee.py"} <= names


def test_every_file_is_written_under_the_new_name(tmp_path):
    folder = write_game("zebra", tmp_path / "deep" / "er")
    assert folder == tmp_path / "deep" / "er" / "zebra"
    found = sorted(path.relative_to(folder) for path in folder.rglob("*.*") if path.is_file())
    due = [path for path in FILES if "__pycache__" not in path.parts]
    assert found == sorted(type(path)(str(path).replace("my_game", "zebra")) for path in due)
    for path in found:
        text = (folder / path).read_text(encoding="utf-8")
        assert not re.search(r"my.?game", text, re.IGNORECASE), path
        if path.suffix == ".py":
            ast.parse(text)
        if path.suffix == ".toml":
            tomllib.loads(text)
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["sim.games"] == {"zebra": "zebra:GAME"}


def test_titles_and_classes_come_from_the_name():
    assert title_of("river_race2") == "River Race2"
    assert renamed("class MyGame: 'My Game' is my_game.", NAME) == (
        "class RiverRace: 'River Race' is river_race."
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("River Race", 'found "River Race"; allowed: .* Did you mean "river_race"'),
        ("RiverRace", 'Did you mean "river_race"'),
        ("2fast", r"at most 40\.$"),
        ("", r"at most 40\.$"),
        ("a__b", 'Did you mean "a_b"'),
        ("Café", 'Did you mean "cafe"'),
        ("../up", 'Did you mean "up"'),
        ("x" * 41, r"at most 40\.$"),
        ("class", '"class" is a word of Python; choose another, like class_game'),
        ("street_art", 'there is a game "street_art" already'),
        ("numpy", '"numpy" is a Python module already'),
        ("random", '"random" is a Python module already'),
        ("sim", '"sim" is a Python module already'),
    ],
)
def test_a_name_that_cannot_be_is_one_clear_line(name, told):
    with pytest.raises(SimError, match=told) as caught:
        check_name(name)
    assert "\n" not in str(caught.value)


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "zebra").mkdir()
    with pytest.raises(SimError, match="zebra: there is one already"):
        write_game("zebra", tmp_path)
    assert not any((tmp_path / "zebra").iterdir())
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SimError, match="file: there is one already"):
        write_game("zebra", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("sim.new_game.renamed", lambda text, name: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_game("zebra", tmp_path)
    assert not any(tmp_path.iterdir())


def test_the_command(main, tmp_path):
    done = main("new-game", "zebra", "--into", "games")
    assert done.returncode == 0
    assert "pip install -e" in done.stdout
    assert (tmp_path / "games" / "zebra" / "zebra" / "rules.py").exists()
    done = main("new-game", "zebra", "--into", "games")
    assert done.returncode == 2
    assert done.stderr.startswith("sim: games/zebra: there is one already")
    assert main("new-game", "Zebra").stderr.count("\n") == 1


def test_its_own_tests_pass(written):
    """The conformance suite among them."""
    assert re.search(r"\d\d passed", written.pytest())


def test_sim_knows_it(written):
    assert "River Race" in written.sim("games")
    assert "mean_steps" in written.sim("styles", NAME)
    assert "turn_cap" in written.sim("rulings", NAME)


@pytest.mark.slow
def test_it_is_reported_on_told_and_audited(written, tmp_path):
    text = (written.folder / "configs" / NAME / "first.toml").read_text(encoding="utf-8")
    (tmp_path / "first.toml").write_text(text.replace("20_000", "500"), encoding="utf-8")
    assert "Report:" in written.sim("report", "first.toml", cwd=tmp_path)
    page = (tmp_path / "reports" / NAME / "first" / "report.html").read_text(encoding="utf-8")
    assert "River Race" in page
    assert "Traceback" not in page
    told = written.sim("watch", "first.toml", "--game", "3", cwd=tmp_path)
    assert "Turn 1, seat 0 (racer)" in told
    written.sim("watch", "first.toml", "--picture", "table.png", cwd=tmp_path)
    assert (tmp_path / "table.png").stat().st_size > 1000
    audit = written.sim("audit", "first.toml", "--only", "referee", cwd=tmp_path)
    assert "no fault" in audit.lower()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_told_beside_the_others(code, why, tmp_path):
    folder = write_game("zebra", tmp_path)
    (folder / "zebra" / "__init__.py").write_text(f"{code}\n")
    plugged = Plugged(folder, tmp_path / "site")
    told = plugged.sim("games")
    assert "Street Art" in told
    one_line = f"zebra: this game cannot be loaded: {why} ({folder}"
    assert one_line in told.replace("\n", " ")
    with pytest.raises(AssertionError, match="sim: zebra: this game cannot be loaded") as error:
        plugged.sim("styles", "zebra")
    assert "Traceback" not in str(error.value)
