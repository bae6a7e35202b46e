"""What README and docs show is true: snippets run, references are made from the code."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sim import games
from sim.study import from_dict, load

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    """Return the README's code block of a language that contains some text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(text for text in blocks if containing in text)


def test_readme_begins_with_the_two_commands():
    first = block("sh", "make")
    assert README.index("make report") < README.index("make test")
    assert first.splitlines()[0].startswith("make report")


def test_make_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make (\w+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_ci_runs_the_readmes_test_command():
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1] == "make test"


def test_readme_study_is_valid():
    study = from_dict(tomllib.loads(block("toml", "[lineups]")), "README.md")
    assert list(study.variants) == ["hearts36", "hearts60"]
    assert study.variants["hearts60"].rulings["hearts"] == 60


def test_budgets_of_readme_and_docs_are_valid():
    study = tomllib.loads(block("toml", "[lineups]")) | {"players": [2, 3, 4]}
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    for text in (block("toml", "[budgets]"), shown):
        found = from_dict(study | tomllib.loads(text), "a page").budgets
        assert {"seat_share", "turns.p95", "spread.score.mean"} <= {each.metric for each in found}


def test_readme_python_runs_in_ten_lines(tmp_path):
    code = block("python", "sim.run")
    lines = [line for line in code.splitlines() if line]
    assert len(lines) <= 10
    config = tmp_path / "configs" / "street_art" / "seats.toml"
    config.parent.mkdir(parents=True)
    text = (ROOT / "configs" / "street_art" / "seats.toml").read_text(encoding="utf-8")
    config.write_text(re.sub(r"(?m)^games = .*", "games = 500", text), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "seat 0" in done.stdout
    assert (tmp_path / "reports" / "street_art" / "seats" / "manifest.json").exists()


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("**/*.toml")), ids=lambda p: p.stem)
def test_shipped_studies_load(path):
    assert load(path).game in games.names()


def test_table_reference_is_made_from_the_code():
    spec = importlib.util.spec_from_file_location("make_tables", ROOT / "docs" / "make_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    assert written == module.page(), "run: python docs/make_tables.py"


def test_links_of_readme_and_docs_lead_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_project_names_no_registry():
    for name in ("constraints.txt", "pyproject.toml", "Makefile", ".ci/run"):
        assert "://" not in (ROOT / name).read_text(encoding="utf-8"), name
