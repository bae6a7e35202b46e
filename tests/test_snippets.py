"""Every command and snippet that README and docs show is run; see `snippets` for how."""

import re
import tomllib

import pytest
import snippets
from snippets import ELSEWHERE, PAGES, Desk, blocks

HERE = [page for page in PAGES if page.name not in ELSEWHERE and blocks(page)]


def wanted(page, slow):
    """Return the blocks of a page that run; the slow test runs all, as they build on each other."""
    run = [block for block in blocks(page) if not block.said("not run")]
    return [block for block in run if slow or not block.said("slow")]


def run(page, folder, slow=False):
    desk = Desk(folder)
    for block in wanted(page, slow):
        try:
            desk.run(block)
        except Exception as error:
            raise AssertionError(f"{block.place}: {error}") from error


@pytest.mark.parametrize("page", [p for p in HERE if wanted(p, False)], ids=lambda p: p.stem)
def test_snippets_run(page, tmp_path):
    run(page, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [p for p in HERE if wanted(p, True) != wanted(p, False)], ids=lambda p: p.stem
)
def test_slow_snippets_run(page, tmp_path):
    run(page, tmp_path, slow=True)


@pytest.mark.parametrize("page", HERE, ids=lambda p: p.stem)
def test_what_does_not_run_is_valid_all_the_same(page):
    for block in blocks(page):
        if block.said("not run") and block.language == "toml":
            tomllib.loads(block.text)
        if block.said("not run") and block.language == "python":
            compile(block.text, block.place, "exec")


def test_every_block_and_mark_is_read():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        opened = len(re.findall(r"(?m)^```(?:sh|toml|python|bash|console|py)\b", text))
        assert opened == len(blocks(page)), page.name
        marks = sum(len(block.marks) for block in blocks(page))
        comments = re.findall(r"<!-- .*? -->", text)
        assert marks == len(comments) or page.name in ELSEWHERE, page.name


def test_pages_that_are_tested_elsewhere_are():
    for page, test in ELSEWHERE.items():
        if (snippets.ROOT / "docs" / page).exists():
            found = (snippets.ROOT / "tests" / test).read_text(encoding="utf-8")
            assert page in found, page
