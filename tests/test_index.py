"""The index of studies: by game, with what they found and all of their pages."""

import json
import re

import pytest

from sim import report
from sim.index import refresh, write_index

SUMMARY = {
    "study": {"title": "Hearts & <more>", "game_title": "Street Art", "games": 12_345},
    "headline": "Not fair by seat with 2 players.",
    "takeaways": [
        {"topic": "seats", "verdict": "unbalanced", "text": "."},
        {"topic": "skill", "verdict": "", "text": "."},
        {"topic": "budgets", "verdict": "failed", "text": "."},
        {"topic": "layers", "verdict": "unbalanced", "text": "."},
    ],
}


def put(folder, name, finished="2026-01-02T03:04:05", source="<dict>", **summary):
    """Write a study with a report; return its folder."""
    place = folder / name
    place.mkdir(parents=True)
    (place / "summary.json").write_text(json.dumps(SUMMARY | summary), encoding="utf-8")
    manifest = {"timings": {"finished": finished}, "study": {"source": source}}
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    report.write(place / "report.html", report.page("A report", "<h1>A report</h1>"))
    return place


def read(folder):
    return write_index(folder).read_text(encoding="utf-8")


def links(text):
    return re.findall(r"<a href='([^']+)'", text)


def test_a_study_with_headline_verdicts_games_and_day(tmp_path):
    put(tmp_path, "street_art/hearts")
    text = read(tmp_path)
    assert "<h2>Street Art</h2>" in text
    assert "Hearts &amp; &lt;more&gt;</a>" in text
    assert SUMMARY["headline"] in text
    assert "12,345 games, 2026-01-02" in text
    assert re.findall(r"class='badge \w+'>(\w+)<", text) == ["unbalanced", "failed"]
    assert set(links(text)) == {"street_art/hearts/report.html"}


def test_all_pages_of_a_study_are_named(tmp_path):
    place = put(tmp_path, "street_art/hearts")
    for name in ("compare.html", "check.html", "tune_thief/tune_style.html", "other.html"):
        report.write(place / name, report.page("A page", ""))
    text = read(tmp_path)
    named = re.findall(r"<a href='([^']+)'>([^<]+)</a>", text)[1:]
    assert [(link.removeprefix("street_art/hearts/"), name) for link, name in named] == [
        ("report.html", "report"),
        ("compare.html", "variants compared"),
        ("check.html", "budgets"),
        ("tune_thief/tune_style.html", "style tuned: thief"),
    ]


def test_a_study_that_has_only_other_pages(tmp_path):
    report.write(
        tmp_path / "wildstyle" / "tuning" / "tune_objectives" / "tune.html",
        report.page("Tiles & more: tuning", ""),
    )
    text = read(tmp_path)
    assert "<h2>Wildstyle</h2>" in text
    assert ">Tiles &amp; more: tuning</a></h3>" in text
    assert "values tuned</a>" in text


def test_the_latest_study_of_a_game_comes_first(tmp_path):
    put(tmp_path, "street_art/old", finished="2026-01-01")
    put(tmp_path, "street_art/new", finished="2026-02-01")
    assert links(read(tmp_path))[0] == "street_art/new/report.html"


def test_what_is_set_aside_or_broken_is_left_out(tmp_path):
    put(tmp_path, "street_art/hearts.old1")
    put(tmp_path, "street_art/odd", study={"title": "no games"})
    (put(tmp_path, "street_art/half") / "summary.json").write_text("{", encoding="utf-8")
    assert "No study has a report yet." in read(tmp_path)


def test_links_are_percent_encoded(tmp_path):
    put(tmp_path, "street_art/st\u00fcdy #1 %20")
    assert links(read(tmp_path))[0] == "street_art/st%C3%BCdy%20%231%20%2520/report.html"


def test_an_index_of_nothing_says_so(tmp_path):
    assert "No study has a report yet." in read(tmp_path)


def test_a_new_page_is_listed_where_there_is_an_index(tmp_path):
    place = put(tmp_path, "street_art/hearts")
    refresh(place / "report.html")
    assert not (tmp_path / "index.html").exists()
    write_index(tmp_path)
    report.write_page(place / "compare.html", "Compared", "")
    assert "variants compared" in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["<h1>My site</h1>", ""])
def test_an_index_of_somebody_else_stays(tmp_path, text):
    place = put(tmp_path, "street_art/hearts")
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    report.write_page(place / "compare.html", "Compared", "")
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == text


GONE = "Its study file is gone"


def test_a_study_whose_file_was_deleted_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reports, file = tmp_path / "reports", tmp_path / "configs" / "street_art" / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")
    put(reports, "street_art/mine", source="configs/street_art/mine.toml")
    assert GONE not in read(reports)
    file.unlink()
    text = read(reports)
    assert f"{GONE}: <code>configs/street_art/mine.toml</code>" in text
    assert "the folder <code>street_art/mine</code>" in text
    assert set(links(text)) == {"street_art/mine/report.html"}, "its pages are still there"
    file.parent.rmdir()
    assert GONE in read(reports), "with its folder"


def test_from_elsewhere_a_study_is_looked_for_beside_the_reports(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    reports = tmp_path / "reports"
    put(reports, "street_art/mine", source="mine.toml")
    assert GONE in read(reports)
    (tmp_path / "mine.toml").write_text("", encoding="utf-8")
    assert GONE not in read(reports)


@pytest.mark.parametrize(
    "source", ["<dict>", "nowhere/to/be/seen.toml", "/old/street_art/hearts.toml"]
)
def test_of_no_file_no_folder_and_a_shipped_study_nothing_is_said(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "reports", "street_art/any", source=source)
    assert GONE not in read(tmp_path / "reports")
