"""What README and docs say is there; what they show runs in `test_snippets`."""

import importlib.util
import re
from pathlib import Path

import pytest

from sim import games
from sim.study import load

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


def test_the_list_of_slow_tests_names_tests_that_exist():
    for line in (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        path, *_, name = line.partition("[")[0].split("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        inherited = "TestSameBytes" in line or "TestEveryGame" in line
        assert inherited or re.search(rf"^ *def {name}", text, re.MULTILINE), line
