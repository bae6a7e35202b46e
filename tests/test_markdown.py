"""Markdown shows what a designer wrote as it was written."""

import re

import pandas as pd
import pytest

from sim import checked, compare, markdown, metrics, report
from sim.check import check
from sim.simulate import run as play
from sim.study import from_dict
from sim.takeaways import takeaways

TITLE = "36 *or* 48 <b> | `chips` [a_b_c](d) & #1 \\ ~~x~~ #"


def shown(text):
    """Return what a reader of escaped Markdown sees; fail at what would be taken for markup."""
    assert not re.search(r"(?<!\\)[`*_~<>\[\]|#&]", re.sub(r"\\\\", "", text)), text
    return re.sub(r"\\(.)", r"\1", text)


@pytest.mark.parametrize("text", [TITLE, "plain: 5 % (4 to 6)", "\\*", "a_b"])
def test_a_title_reads_as_written(text):
    assert shown(markdown.escaped(text)) == text


def test_a_title_is_one_line():
    assert markdown.escaped("two\n# lines") == r"two \# lines"


def test_code_in_sentences_stays_code():
    assert markdown.prose("`sim audit` tries a_b.") == r"`sim audit` tries a\_b."
    assert markdown.prose("one ` alone") == r"one \` alone"


def test_a_table_keeps_its_columns():
    text = markdown.table(pd.DataFrame({"A | B": ["x | y", "`seat_share`"]}))
    assert text.splitlines() == [r"| A \| B |", "| --- |", r"| x \| y |", "| `seat_share` |"]


def test_of_a_long_table_the_first_rows():
    text = markdown.table(pd.DataFrame({"A": range(markdown.MOST_ROWS + 2)}))
    assert "2 more rows are in the report." in text
    assert text.count("|\n") == markdown.MOST_ROWS + 2  # with the head


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    study = {
        "title": TITLE,
        "game": "street_art",
        "players": [2],
        "games": 40,
        "lineups": {"mirror": ["greedy"]},
        "variants": {"a_b": {}, "c_d": {"rulings": {"hearts": 48}}},
        "budgets": {"tie_rate": {"max": 0.5}},
    }
    return play(from_dict(study, name="odd"), tmp_path_factory.mktemp("odd") / "run", jobs=1)


def test_pages_are_headed_by_the_title(run):
    frame = metrics.all_metrics(run)
    for text, end in (
        (report.short_summary(run, frame, takeaways(run, frame)), ""),
        (checked.markdown(check(run), run), ": budgets"),
        (compare.as_markdown(compare.compare(run)), ": variants compared"),
    ):
        first = text.splitlines()[0]
        assert first.startswith("# ")
        assert shown(first[2:]) == TITLE + end
    assert "## c d against a b" in text
