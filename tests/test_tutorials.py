"""The tutorials on games and styles: every snippet is a piece of a file, valid, or run."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from plugged import Plugged

from sim.errors import SimError
from sim.new_game import write_game
from sim.study import from_dict

DOCS = Path(__file__).parent.parent / "docs"
PIG = Path(__file__).parent.parent / "examples" / "pig"
BLOCK = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


def blocks(page, language=None):
    """Return the code blocks of a page as (language, title, text)."""
    found = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    return [block for block in found if language in (None, block[0])]


def commands(text):
    """Return the words of each command, without its comment."""
    return [shlex.split(line, comments=True) for line in text.splitlines()]


def run(plugged, words, cwd):
    """Run a command of a page; return what it printed."""
    if words[0] == "sim":
        return plugged.sim(*words[1:], cwd=cwd)
    assert words[:2] == ["python", "-m"], words
    return plugged.python(*words[1:], cwd=cwd)


@pytest.fixture(scope="module")
def pig(tmp_path_factory):
    return Plugged(PIG, tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize(
    ("title", "text"),
    [(title, text) for language, title, text in blocks("adding_a_game.md") if title],
)
def test_snippets_of_the_game_are_pieces_of_the_example(title, text):
    assert f"\n{text}" in "\n" + (PIG / title).read_text(encoding="utf-8")


def test_every_block_of_the_game_is_checked():
    """A piece of a file, commands, or what these print."""
    for language, title, text in blocks("adding_a_game.md"):
        assert title or language == "sh" or text in printed(), text


def printed():
    return [
        text for language, title, text in blocks("adding_a_game.md") if language in ("", "text")
    ]


def test_the_exact_figures_are_as_shown(pig):
    (shown,) = (text for language, _, text in blocks("adding_a_game.md", "text"))
    assert pig.python("-m", "pig.optimum") == shown
    readme = (PIG / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"(\d\d\.\d\d) against", shown)
    assert re.findall(r"\| (\d\d\.\d\d)(?= \|)", readme) == table


@pytest.mark.slow
def test_the_first_commands_work_on_what_is_written(tmp_path):
    """Installing is done by hand: it would need the network."""
    new, cd, install, tests, report = commands(blocks("adding_a_game.md", "sh")[0][2])
    assert new == ["sim", "new-game", "pig", "--into", "games"]
    assert cd == ["cd", "games/pig"]
    assert install == ["pip", "install", "-e", ".[test]"]
    assert tests == ["pytest"]
    plugged = Plugged(write_game("pig", tmp_path / "games"), tmp_path / "site")
    plugged.pytest()
    assert "Report:" in run(plugged, report, plugged.folder)


@pytest.mark.slow
def test_the_other_commands_work_on_the_example(pig, tmp_path):
    shutil.copytree(PIG / "configs", tmp_path / "configs")
    told = [
        run(pig, words, tmp_path)
        for _, _, text in blocks("adding_a_game.md", "sh")[1:]
        for words in commands(text)
    ]
    for text in printed():
        assert any(text in each for each in told), text


# Styles

STYLES = blocks("adding_a_style.md", "toml")
WHOLE = [text for _, title, text in STYLES if "game =" in text]
PARTS = [text for _, title, text in STYLES if "game =" not in text and not title]


@pytest.fixture
def studies(tmp_path):
    """A folder with the page's own file, and each of its studies."""
    for _, title, text in STYLES:
        if title:
            (tmp_path / title).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("text", WHOLE)
def test_studies_of_the_page_are_valid(text, studies):
    study = from_dict(tomllib.loads(text), folder=studies)
    assert study.styles


@pytest.mark.parametrize("text", PARTS)
def test_parts_of_the_page_go_with_its_first_study(text, studies):
    study = tomllib.loads(WHOLE[0])
    for key, value in tomllib.loads(text).items():
        study[key] = study.get(key, {}) | value
    if "styles" in tomllib.loads(text):
        study["lineups"] = {"round_robin": list(study["styles"])}
    assert from_dict(study, folder=studies)


def test_every_key_of_a_style_is_told():
    page = (DOCS / "adding_a_style.md").read_text(encoding="utf-8")
    from sim.stylebook import STYLE_KEYS

    told = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)))
    assert set(told) == set(STYLE_KEYS)


def test_a_feature_that_does_not_exist_is_one_line(studies):
    study = tomllib.loads(WHOLE[0])
    study["styles"]["cautious"]["weights"] = {"exposed": 1.0}
    with pytest.raises(SimError, match='Did you mean "exposure"') as caught:
        from_dict(study, folder=studies)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_commands_of_the_page_work(studies, pig):
    (studies / "mine.toml").write_text(WHOLE[-1], encoding="utf-8")
    for _, _, text in blocks("adding_a_style.md", "sh"):
        for words in commands(text):
            assert run(pig, words, studies)
