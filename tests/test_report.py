"""The report of a real run: a page that stands alone, summaries, figures, the index."""

import base64
import gzip
import json
import os
import re
import sys
from html.parser import HTMLParser

import nbformat
import polars as pl
import psutil
import pytest
import rigged_analysis
from fakes import FakeGame
from runs import TESTS

from sim import games, metrics, report
from sim.errors import SimError
from sim.games.game import Analysis
from sim.simulate import run as play
from sim.study import from_dict

STUDY = {
    "title": "Small <study> & more",
    "game": "street_art",
    "players": [2, 3],
    "games": 60,
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "thief", "closer"]},
    "variants": {"few": {"rulings": {"hearts": 20}}, "many": {"rulings": {"hearts": 40}}},
    "budgets": {"seat_share": {"max": 0.9}, "tie_rate": {"max": 0.001}},
}
CUT_OFF = {
    "game": "street_art",
    "players": 2,
    "games": 8,
    "rulings": {"turn_cap": 3},
    "lineups": {"mirror": ["random"]},
}


class Heard:
    """Keeps what a report says while it is made."""

    def __init__(self):
        self.lines = []

    def say(self, text):
        self.lines.append(text)


class Page(HTMLParser):
    """Collects what a page loads, its images and its tags."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.images, self.tags = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.tags.append(tag)
        self.loads += [known[name] for name in ("src", "href", "srcset", "data") if name in known]
        if tag == "img":
            self.images.append(known)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return (run, page, what was said) of a study with a bit of everything."""
    folder = tmp_path_factory.mktemp("reports") / "street_art" / "small"
    run = play(from_dict(STUDY, name="small"), folder, jobs=1)
    heard = Heard()
    return run, report.write_report(run, heard), heard


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory):
    """Return the page of a study in which no game comes to an end."""
    folder = tmp_path_factory.mktemp("reports") / "cut"
    return report.write_report(play(from_dict(CUT_OFF, name="cut"), folder, jobs=1))


def test_no_kernel_is_left_behind(made, cut_off):
    running = [" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True)]
    assert not any("ipykernel" in command for command in running)


def test_the_page_stands_alone(made, cut_off):
    for page in (made[1], cut_off):
        text = page.read_text(encoding="utf-8")
        found = Page(text)
        assert all(each.startswith(("data:image/png;base64,", "#")) for each in found.loads)
        assert not re.search(r"https?:|url\(|@import", text)
        assert not {"link", "iframe", "object"} & set(found.tags)
        assert not re.search(r"<script[^>]* src", text)
        assert len(text) < 5_000_000


def test_every_finding_leads_to_its_numbers(made):
    text = made[1].read_text(encoding="utf-8")
    said = text[text.index("class='said'") if "class='said'" in text else text.index('"said"') :]
    topics = re.findall(r"<li><b>([^<]+)</b>(.*?)<div>", said[: said.index("</ul>")], re.DOTALL)
    assert len(topics) > 8
    for topic, link in topics:
        place = re.search(r"href=['\"]#([^'\"]+)", link)
        assert place, topic
        assert re.search(rf"id=['\"]{place[1]}['\"]", text), topic


def test_a_link_to_nothing_is_left_out():
    place = "<a class='place' id='about-seats'></a>"
    there = "<a class='to' href='#about-seats'>numbers</a>"
    content = f"<b>Luck</b> <a class='to' href='#about-luck'>numbers</a>: {there} {place}"
    text = report.page("A page", content)
    assert "about-luck" not in text
    assert "<b>Luck</b>:" in text
    assert there in text


def test_the_page_carries_all_numbers(made):
    run, page = made[0], made[1].read_text(encoding="utf-8")
    packed = re.search(r"type=['\"]application/gzip['\"][^>]*>([^<]+)<", page)
    rows = pl.read_csv(gzip.decompress(base64.b64decode(packed[1])), infer_schema_length=None)
    assert rows.height == metrics.all_metrics(run).height
    assert rows.columns == metrics.all_metrics(run).columns


def test_the_page_tells_games(made):
    text = made[1].read_text(encoding="utf-8")
    assert "A typical game with 2 players" in text
    assert re.search(r"sim watch .* --cell \d+ --game \d+", text)
    assert "Rulings: " in text


def test_the_page_shows_no_code(made):
    text = made[1].read_text(encoding="utf-8")
    text = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    for code in ("run_folder", "import sim", "show.picture", "plots.", "In [", "Out["):
        assert code not in text


def test_the_page_has_all_parts_in_order(made):
    text = made[1].read_text(encoding="utf-8")
    parts = [
        "Small &lt;study&gt; &amp; more",
        'class="headline"',
        "Variants",
        "Is it within what is accepted?",
        "at most 0.9",
        "Is every seat worth the same?",
        "Which way of playing wins?",
        "How much is skill, how much luck?",
        "How long does it last?",
        "What do players score?",
        "How close is it?",
        "What are the cards worth?",
        "How do games end?",
        "How this was made",
        "How to read this.",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert text.count("<h1>") == 1


def test_without_line_ups_nothing_is_said_of_skill_and_luck(cut_off):
    text = cut_off.read_text(encoding="utf-8")
    assert "How much is skill" not in text
    assert "Luck and skill" not in text


def test_without_budgets_nothing_is_said_of_them(cut_off):
    assert "accepted" not in cut_off.read_text(encoding="utf-8")


def test_figures_have_words_and_files(made):
    run, path, _ = made
    found = Page(path.read_text(encoding="utf-8"))
    assert len(found.images) >= 12
    for image in found.images:
        assert len(image["alt"]) > 40
    files = sorted(file.name for file in (run.folder / "figures").iterdir())
    assert len(files) == len(found.images)
    assert {"seats.png", "styles.png", "turns.png", "variants.png", "cards.png"} <= set(files)


def test_a_study_without_endings_is_reported_in_sentences(cut_off):
    text = cut_off.read_text(encoding="utf-8")
    assert "8 games of 8 (100" in text
    assert "No game ended by the rules, so no seat won." in text
    assert "Every seat was played in the same style" in text
    names = sorted(file.stem for file in (cut_off.parent / "figures").iterdir())
    assert names == ["turns"]


def test_the_summary_for_programs_holds_all_rows(made):
    run, path, _ = made
    known = json.loads((path.parent / "summary.json").read_text(encoding="utf-8"))
    assert known["study"]["games"] == run.games_played
    assert known["headline"]
    assert {each["topic"] for each in known["takeaways"]} >= {"seats", "styles", "assumed"}
    rows = pl.DataFrame(known["rows"], schema=metrics.SCHEMA, orient="row")
    frame = metrics.all_metrics(run)
    assert rows.columns == known["columns"] == frame.columns
    keys = ["cell", "players", "variant", "lineup", "metric", "group", "n", "method"]
    assert rows.select(keys).equals(frame.select(keys))
    gaps = (rows["estimate"] - frame["estimate"]).abs()
    assert gaps.max() < 1e-7


def test_the_same_data_gives_the_same_summary(made, tmp_path):
    run, path, _ = made
    again = play(from_dict(STUDY, name="small"), tmp_path / "again", jobs=2, batch=7)
    again.manifest["git"] = run.manifest["git"]  # somebody may commit in between
    frame = metrics.all_metrics(again)
    text = report.summary(again, frame, report.findings.takeaways(again, frame))
    assert text == (path.parent / "summary.json").read_text(encoding="utf-8")
    assert "seconds" not in text
    assert "timings" not in text


def test_the_summary_for_people_is_short_markdown(made):
    text = (made[1].parent / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("# Small \\<study\\> \\& more\n\n**")
    assert "| Players | Variant |" in text
    assert "## Win shares by style" in text
    assert len(text) < 30_000


def test_progress_is_told_of_the_report(made):
    assert made[2].lines[0] == "Writing the report ..."


def test_a_new_report_removes_the_figures_of_an_old_one(tmp_path):
    (tmp_path / "of_yesterday.png").write_bytes(b"old")
    (tmp_path / "notes.txt").write_bytes(b"mine")
    image = {"image/png": "bmV3"}
    output = nbformat.v4.new_output(
        "display_data", image, metadata={"image/png": {"name": "of_today", "alt": "new"}}
    )
    cell = nbformat.v4.new_code_cell(outputs=[output])
    report.write_figures(nbformat.v4.new_notebook(cells=[cell]), tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["notes.txt", "of_today.png"]


def test_the_kernel_is_this_interpreter():
    assert report._kernel_manager().kernel_spec.argv[0] == sys.executable


def test_a_failing_notebook_says_so(tmp_path):
    with pytest.raises(RuntimeError, match="there is no run here"):
        report.execute(report.compose(), tmp_path)


OWN = [game.analysis().notebook for game in map(games.get, games.names()) if game.analysis()]
OWN = [name for name in [*OWN, rigged_analysis.ANALYSIS.notebook] if name]


@pytest.mark.parametrize("name", [report.TEMPLATE, *OWN])
def test_notebooks_are_stored_clean(name):
    notebook = nbformat.read(report.template(name), as_version=4)
    nbformat.validate(notebook)
    tags = [tag for cell in notebook.cells for tag in cell.metadata.get("tags", [])]
    assert tags == ["parameters", "game" if name == report.TEMPLATE else "setup"]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    (parameters,) = [cell for cell in code if "parameters" in cell.metadata.get("tags", [])]
    assert parameters.source.splitlines()[-1].startswith("run_folder = ")
    assert all(len(cell.source.splitlines()) <= 12 for cell in code)


@pytest.fixture
def kernel_path(plugins, monkeypatch):
    """Let the notebook's kernel know the rigged game."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(plugins), str(TESTS)]))


def test_a_game_has_a_part_of_its_own(rigged_run, kernel_path):
    run = rigged_run(players=[2, 3], games=20, out=None)
    page = report.write_report(run)
    text = page.read_text(encoding="utf-8")
    parts = ["How close is it?", "How large is a handful?", "5 seats drew stones."]
    places = [text.find(part) for part in [*parts, "How do games end?", "How this was made"]]
    assert -1 not in places
    assert places == sorted(places)
    assert text.count("How large is a handful?") == 1
    known = json.loads((page.parent / "summary.json").read_text(encoding="utf-8"))
    topics = [each["topic"] for each in known["takeaways"]]
    assert topics.index("handfuls") == topics.index("assumed") - 1
    rows = pl.DataFrame(known["rows"], schema=metrics.SCHEMA, orient="row")
    own = metrics.pick(rows, "handful.mean")
    assert own["group"].to_list() == ["seat 0", "seat 1", "seat 0", "seat 1", "seat 2"]
    assert set(own["n"]) == {2}, "a sample of a tenth"
    assert "A handful holds" in (page.parent / "summary.md").read_text(encoding="utf-8")


def test_a_games_part_runs_alone(rigged_run, kernel_path):
    notebook = nbformat.read(rigged_analysis.ANALYSIS.notebook, as_version=4)
    report.execute(notebook, rigged_run(games=20).folder)
    (output,) = notebook.cells[-1].outputs
    assert "3 seats drew stones." in output["data"]["text/html"]


def test_a_part_takes_the_place_of_the_marked_cell():
    game = FakeGame()
    general = report.compose(game)
    assert general.cells == report.compose().cells
    game.own_analysis = Analysis()
    assert report.compose(game).cells == general.cells, "metrics alone"
    game.own_analysis = rigged_analysis.ANALYSIS
    composed = report.compose(game)
    nbformat.validate(composed)
    assert len({cell["id"] for cell in composed.cells}) == len(composed.cells)
    before = [cell["id"] for cell in composed.cells].index("restricted") + 1
    assert [cell.source for cell in composed.cells[before : before + 2]] == [
        cell.source for cell in nbformat.read(game.own_analysis.notebook, as_version=4).cells[2:]
    ]
    del composed.cells[before : before + 2]
    assert composed.cells == general.cells
    game.own_analysis = Analysis(notebook="nowhere.ipynb")
    with pytest.raises(SimError, match=r"^nowhere\.ipynb: this notebook of the report is missing"):
        report.compose(game)


def test_only_long_cells_of_a_table_are_broken_over_lines(made):
    text = made[1].read_text(encoding="utf-8")
    cells = re.findall('<td( class="long")?>(.*?)</td>', text, re.DOTALL)
    assert {bool(long) for long, _ in cells} == {True, False}
    shares = [(long, cell) for long, cell in cells if re.fullmatch(r"[\d.]+.% \(.*\)", cell)]
    assert shares
    assert not any(long for long, _ in shares)
    assert "td { white-space: nowrap; }" in text
    assert "td.long { white-space: normal;" in text


def test_a_table_that_goes_on_to_the_right_has_an_edge(made):
    text = made[1].read_text(encoding="utf-8")
    boxes = re.findall('<div class="scroll"><table', text)
    assert len(boxes) == text.count("<table")
    assert "var(--shade), transparent) right" in text
