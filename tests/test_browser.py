"""Every kind of page in a browser: no fault, no sideways scrolling, no figure without words.

The pages are those of small studies, written by the commands that a user gives.
"""

import browser
import pytest
from snippets import Desk

pytestmark = browser.needed

STUDY = """title = "A study with a bit of everything"
game = "street_art"
players = [2, 3]
games = 60
sample = 1.0

[lineups]
mirror = ["greedy"]
tournament = ["greedy", "thief", "closer"]

[variants.hearts36]

[variants.hearts48]
rulings.hearts = 48

[budgets]
seat_share = { within = 0.02 }
tie_rate = { max = 0.15 }
"""
HERE = "reports/street_art/page"
slow = pytest.mark.slow
KINDS = {
    "report": ("sim report page", f"{HERE}/report.html", 8),
    "index": ("sim report page", "reports/index.html", 0),
    "compare": ("sim compare page", f"{HERE}/compare.html", 1),
    "check": ("sim check page", f"{HERE}/check.html", 1),
    "tournament": ("sim tournament page", f"{HERE}/tournament.html", 1),
}
SLOW = {
    "forbid": ("sim tournament page greedy --forbid", f"{HERE}/forbid_greedy/forbid.html", 1),
    "audit": ("sim run page && sim audit page", f"{HERE}/audit.html", 1),
    "tune style": ("sim tune style page thief", f"{HERE}/tune_thief/tune_style.html", 1),
    "tune": (
        "sim tune objectives wildstyle/tuning --way analytic",
        "reports/wildstyle/tuning/tune_objectives/tune.html",
        1,
    ),
    "tag_city": ("sim report tag_city/leaders", "reports/tag_city/leaders/report.html", 8),
    "wildstyle": (
        "sim report wildstyle/objectives",
        "reports/wildstyle/objectives/report.html",
        8,
    ),
    "west_story": ("sim report west_story/licence", "reports/west_story/licence/report.html", 8),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    made = Desk(tmp_path_factory.mktemp("pages"))
    path = made.folder / "configs" / "street_art" / "page.toml"
    path.write_text(STUDY, encoding="utf-8")
    return made


@pytest.mark.parametrize("kind", [*KINDS, *(pytest.param(kind, marks=slow) for kind in SLOW)])
def test_a_page_is_sound(kind, desk, tmp_path):
    command, page, figures = (KINDS | SLOW)[kind]
    if not (desk.folder / page).exists():
        desk.shell(command)
    browser.look(desk.folder / page, tmp_path).check(figures)


BAD = {
    "wide": "<div style='width: 900px'>wide</div>",
    "unnamed": "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
    "fault": "<script>nothing.is()</script>",
    "lost": "<img alt='a figure' src='nowhere.png'>",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_page_is_seen(kind, tmp_path):
    """The test can fail."""
    page = tmp_path / "bad.html"
    words = "<p>" + "All is well. " * 9
    page.write_text(f"<html><head></head><body>{words}{BAD[kind]}</body></html>")
    seen = browser.look(page, tmp_path)
    with pytest.raises(AssertionError):
        seen.check()


def test_a_good_page_passes(tmp_path):
    page = tmp_path / "good.html"
    page.write_text(f"<html><head></head><body><p>{'All is well. ' * 9}</body></html>")
    browser.look(page, tmp_path).check()
