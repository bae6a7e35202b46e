"""The page of a check and its figure: what was judged, seen and told in words."""

import math
import re
from dataclasses import replace

import pytest

from sim import check, check_page, checked, games
from sim.check import CHANGE, FAILED, PASSED, RANGE, SKIPPED, UNDECIDED, Judged
from sim.plots.accepting import MOST_PANELS, MOST_ROWS, budgets
from sim.simulate import run as play
from sim.study import from_dict
from sim.words import Words

STUDY = {
    "title": "Accepted & not",
    "game": "street_art",
    "players": [2, 3],
    "games": 400,
    "lineups": {"mirror": ["greedy"]},
    "budgets": {
        "seat_share": {"within": 0.4},
        "tie_rate": {"max": 0.001},
        "turns.p95": {"min": 1},
        "truncated_share": {"max": 0.0001},
    },
}
ROW = Judged(
    *(None, RANGE, "tie_rate", 2, "base", "all greedy", "all"),
    *(0.1, 0.05, 0.2, 500, "wilson", -math.inf, 0.15, UNDECIDED),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return play(
        from_dict(STUDY, name="accepted"), tmp_path_factory.mktemp("checks") / "run", jobs=1
    )


@pytest.fixture(scope="module")
def page(run):
    return check_page.write_page(check.of(run), run)


def test_the_page_leads_with_the_verdict(page):
    text = page.read_text(encoding="utf-8")
    assert page.name == "check.html"
    assert "<h1>Accepted &amp; not: budgets</h1>" in text
    head = text[text.index("class='headline'") :][:200]
    assert "badge bad" in head
    assert "Failed: of 11 rows" in head


def test_the_page_has_each_verdict_as_a_badge(page):
    text = page.read_text(encoding="utf-8")
    rows = re.findall("<tr>(.*?)</tr>", text, re.DOTALL)
    failed = [row for row in rows if "<code>tie_rate</code>" in row]
    assert len(failed) == 2
    assert all("badge bad'>failed" in row for row in failed)
    open_ = [row for row in rows if "<code>truncated_share</code>" in row]
    assert open_
    assert all(re.search(r"undecided</span> <br>(?:over )?[\d,]+ games", row) for row in open_)


def test_the_page_stands_alone(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:|@import|<script[^>]* src", text)
    assert text.count("<img") == 1


def figure_of(*rows):
    found = check.Checked([*rows], intervals=len(rows), each=0.99, games=500)
    return budgets(found, Words(games.get("street_art"), (), (), ()))


def test_a_panel_for_each_budget_the_worst_first():
    rows = [
        replace(ROW, metric="a", verdict=PASSED),
        replace(ROW, metric="b", verdict=FAILED, estimate=0.4, low=0.3, high=0.5),
        replace(ROW, metric="c"),
    ]
    panels = [axis.get_title(loc="left") for axis in figure_of(*rows).figure.axes]
    assert panels == ["B", "C", "A"]


def test_many_rows_and_panels_are_cut():
    rows = [
        replace(ROW, metric=f"metric {panel}", group=f"seat {seat}")
        for panel in range(MOST_PANELS + 2)
        for seat in range(MOST_ROWS + 3)
    ]
    figure = figure_of(*rows).figure
    shown = [axis for axis in figure.axes if axis.get_visible()]
    assert len(shown) == MOST_PANELS
    assert all(len(axis.get_yticks()) == MOST_ROWS for axis in shown)
    assert f"the {MOST_PANELS} worst of {MOST_PANELS + 2} budgets" in " ".join(
        text.get_text() for text in figure.texts
    )


def test_long_names_keep_what_tells_rows_apart():
    rows = [
        replace(ROW, players=players, variant="a_variant_of_a_name_that_goes_on_" * 3, group=seat)
        for players in (2, 3)
        for seat in ("seat 0", "seat 1")
    ]
    labels = [label.get_text() for label in figure_of(*rows).figure.axes[0].get_yticklabels()]
    assert len(set(labels)) == len(rows)


def test_rows_left_out_are_owned_up_to():
    def notes(count):
        rows = [replace(ROW, group=f"seat {seat}") for seat in range(count)]
        return " ".join(text.get_text() for text in figure_of(*rows).figure.texts)

    assert f"the {MOST_ROWS} worst rows of each" in notes(MOST_ROWS + 1)
    assert "worst rows" not in notes(MOST_ROWS)


def test_the_accepted_range_is_in_sight():
    low = replace(ROW, estimate=0.001, low=0.0, high=0.002, most=0.5)
    (axis,) = figure_of(low).figure.axes
    left, right = axis.get_xlim()
    assert left < 0.001
    assert right > 0.5


def test_words_say_what_the_figure_shows():
    alt = figure_of(ROW, replace(ROW, players=3, verdict=FAILED)).alt
    assert "Shared wins, 2 players: " in alt
    assert checked.estimate(ROW) in alt
    assert "3 players" in alt
    assert alt.count("undecided") == 1


def test_a_change_has_a_panel_of_its_own():
    change = replace(ROW, kind=CHANGE, least=-0.1, most=0.1, estimate=0.02, low=0.0, high=0.05)
    titles = [axis.get_title(loc="left") for axis in figure_of(ROW, change).figure.axes]
    assert sorted(titles) == ["Shared wins", "Shared wins, change"]


def test_no_figure_where_nothing_was_judged():
    assert figure_of() is None
    assert figure_of(replace(ROW, verdict=SKIPPED)) is None
    assert figure_of(replace(ROW, estimate=None)) is None


def test_budgets_of_a_study_whose_games_all_are_cut_off(tmp_path):
    """Metrics have no rows there; the report is written, and no budget passes or stops it."""
    study = STUDY | {
        "rulings": {"turn_cap": 3},
        "games": 40,
        "budgets": {
            "comeback": {"max": 0.99},
            "runaway": {"max": 0.99},
            "truncated_share": {"min": 0.01},
        },
    }
    run = play(from_dict(study, name="cut"), tmp_path / "run", jobs=1)
    found = check.of(run)
    verdicts = {(row.metric, row.verdict) for row in found.rows}
    assert verdicts == {
        ("comeback", UNDECIDED),
        ("runaway", UNDECIDED),
        ("truncated_share", PASSED),
    }
    assert "undecided" in check_page.write_page(found, run).read_text(encoding="utf-8")


def test_the_verdict_comes_first_then_the_title_with_the_key(page):
    text = page.read_text(encoding="utf-8")
    heads = re.findall(r"<th>([^<]*)</th>", text[: text.index("How this was made")])
    assert heads == ["Verdict", "Budget", "Where", "Accepted", "Estimate (interval)"]
    assert "<td>Win share by seat<code>seat_share</code></td>" in text
    assert "<td>seat_share</td>" not in text


def test_the_figure_is_named_as_it_is_headed():
    found = figure_of(ROW)
    assert found.title == "What is accepted, and what came out"
    assert found.alt.startswith(found.title)


def test_a_panel_of_shares_ends_where_shares_do():
    none = replace(ROW, estimate=0.0, low=0.0, high=0.0, most=0.0)
    (axis,) = figure_of(none).figure.axes
    assert axis.get_xlim() == (0, 0.05)
    every = replace(ROW, estimate=1.0, low=0.9, high=1.0, least=0.8, most=math.inf)
    (axis,) = figure_of(every).figure.axes
    assert axis.get_xlim()[1] == 1


def test_a_range_is_not_broken_over_lines(page):
    text = page.read_text(encoding="utf-8")
    assert re.search("<td>0.10*\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}0.90", text)
