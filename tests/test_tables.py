import re

import polars as pl
import pytest
from studies import shapes

from sim import metrics, tables
from sim.words import Words, words_of

OF_HEAD = ("seats", "styles", "lengths", "scores", "games", "endings", "cards")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return every table of every study, by study and table."""
    found = {}
    for name, run in shapes(tmp_path_factory.mktemp("shapes")):
        rows = metrics.all_metrics(run)
        head, words = metrics.headline(run, rows), words_of(run)
        for table in OF_HEAD:
            found[name, table] = getattr(tables, table)(head, words)
        found[name, "lineup_winners"] = tables.lineup_winners(rows, words)
        found[name, "cells"] = tables.cells(run, words)
        found[name, "who_is_who"] = tables.who_is_who(run, words)
        found[name, "changes"] = tables.changes(run, words)
        found[name, "facts"] = tables.facts(run)
        found[name, "assumed"] = tables.assumed(run)
        found[name, "provenance"] = tables.provenance(run)
        for title, table in tables.details(head, words):
            found[name, title] = table
    return found


def test_tables_have_human_names_and_rounded_numbers(made):
    for key, table in made.items():
        texts = [*table.columns, *table.to_numpy().ravel().tolist()]
        for text in texts:
            assert isinstance(text, str), (key, text)
            assert not re.search(r"[a-z]_[a-z]|\bnan\b|\bNone\b|\d\.\d{3}", text), (key, text)


def test_seats_of_an_always_tied_game(made):
    table = made["all tied", "seats"]
    assert table.to_dict("records") == [
        {
            "Players": "3",
            "1st seat": "33.3 % (32.7 to 34.6)",
            "2nd seat": "33.3 % (32.7 to 34.6)",
            "3rd seat": "33.3 % (32.7 to 34.6)",
            "Verdict": "fair",
            "Games": "200",
        }
    ]


def test_facts_join_what_variants_use(made):
    table = made["mirrors in variants", "facts"]
    row = table[table["Number or ruling"] == "rulings.fines"].iloc[0]
    assert row["Value"] == "mild / harsh"
    assert row["Grade"] == "assumed"
    assert len(made["mirrors in variants", "assumed"]) == 1
    assert len(made["mirrors in variants", "changes"]) == 2


def test_every_line_up_has_its_winner(made):
    table = made["round robin", "lineup_winners"]
    assert list(table["Who plays"]) == [
        "Alpha + Beta boy",
        "Beta boy + Gamma",
        "Alpha + Gamma",
        "Alpha + Beta boy + Gamma",
    ]


def test_a_study_without_wins_has_empty_tables(made):
    for table in ("seats", "styles", "scores", "cards", "lineup_winners"):
        assert made["all truncated", table].empty
    assert len(made["all truncated", "lengths"]) == 3


def test_all_that_win_most_of_a_line_up_are_named():
    words = Words(game=None, variants=("base",), lineups=("a + b",), styles=("a", "b", "c"))
    frame = pl.DataFrame(
        {
            "cell": [0, 0, 1, 1],
            "players": 2,
            "variant": "base",
            "lineup": ["a + b", "a + b", "a + c", "a + c"],
            "metric": "style_share",
            "group": ["style a", "style b", "style a", "style c"],
            "estimate": [0.1 + 0.2, 0.3, 0.4, 0.6],
            "low": None,
            "high": None,
        }
    )
    table = tables.lineup_winners(frame, words)
    assert list(table["Wins most"]) == ["A and B", "C"]
    assert list(table["Win share"]) == ["30.0 %", "60.0 %"]
