"""The documentation as a site: whole, and readable without a network."""

import importlib.util
import re
import subprocess
import sys

import browser
import pytest
from test_docs import ROOT


def script(name):
    """Return a script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of the site, built so that a warning would be an error."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_on_the_site_and_in_its_navigation(site):
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    pages |= {name.removesuffix(".md") for name in script("site").OUTSIDE}
    front = (site / "index.html").read_text(encoding="utf-8")
    for page in pages:
        assert (site / f"{page}.html").is_file(), page
        assert f'href="{page}.html"' in front, page
    assert not list(site.rglob("*.py"))


def test_the_site_loads_nothing_from_a_network(site):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        loads = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?([^\"' >]+)", text)
        loads += re.findall(r"<link[^>]*rel=\"?(?:stylesheet|preconnect)[^>]*", text)
        assert loads
        assert not [each for each in loads if "//" in each], page.name


def test_links_between_pages_lead_somewhere(site):
    """Those that the build does not follow: of pages from outside docs/."""
    for page in script("site").OUTSIDE:
        name = page.removesuffix(".md")
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        for target in re.findall(r'href="([\w/.-]+\.html)', text):
            assert (site / target).is_file(), f"{name}: {target}"
        assert ".md)" not in text


def test_names_of_metrics_are_made_from_the_code():
    """Of the first game, whose part comes first; see the slow test for all."""
    written = (ROOT / "docs" / "metric_names.md").read_text(encoding="utf-8")
    again = script("make_metrics").page(["street_art"])
    assert written.startswith(again.rstrip("\n")), "run: python docs/make_metrics.py"


@pytest.mark.slow
def test_names_of_metrics_of_all_games_are_made_from_the_code():
    written = (ROOT / "docs" / "metric_names.md").read_text(encoding="utf-8")
    assert written == script("make_metrics").page(), "run: python docs/make_metrics.py"


@browser.needed
@pytest.mark.parametrize("page", ["index", "metrics", "first_study", "metric_names"])
def test_pages_of_the_site_are_sound(site, page, tmp_path):
    browser.look(site / f"{page}.html", tmp_path).check()


@browser.needed
def test_search_works_from_a_folder(site, tmp_path):
    dom, _ = browser.dump(f"{(site / 'index.html').as_uri()}?q=bonferroni", tmp_path)
    assert re.search(r"md-search-result__meta[^>]*>\s*\d+ matching document", dom)
    assert "Reading the statistics" in dom.split("md-search-result__list", 1)[1]
