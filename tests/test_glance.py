"""A study at a glance, from hand-made rows and of studies of every shape."""

import polars as pl
import pytest
from made_rows import frame, row
from studies import shapes

from sim import glance, metrics
from sim import words as say
from sim.words import words_of


class Said:
    """Words of a study with one variant and one line-up, in which seats play for turns."""

    turns = "turns"

    def __init__(self, *lineups):
        self.variants, self.lineups = ["base"], list(lineups or ["all plain"])

    def lineup(self, label):
        return label

    def group(self, group):
        return group.removeprefix("style ").capitalize()


def seats(*shares, width=0.005, **more):
    rows = [
        row("seat_share", f"seat {seat}", share, share - width, share + width, **more)
        for seat, share in enumerate(shares)
    ]
    return [*rows, row("seat_test.p_holm", estimate=0.0001, **more)]


def only(*rows, words=None):
    (found,) = glance.glance(frame(*rows), words or Said()).to_dict("records")
    return found


def test_the_furthest_seat_is_told_in_round_numbers():
    found = only(*seats(0.541, 0.459))
    assert found["Seats"] == "not fair"
    assert found["Furthest seat"] == "1st: about 4 points more"
    found = only(*seats(0.313, 0.34, 0.347, players=3))
    assert found["Furthest seat"] == "1st: about 2 points less"
    assert only(*seats(0.503, 0.497))["Furthest seat"] == "all about level"
    assert only(*seats(0.503, 0.497))["Seats"] == "fair"
    assert only(*seats(0.53, 0.47, width=0.02))["Seats"] == "undecided"


def test_length_ties_and_leaders():
    found = only(
        row("turns.p50", estimate=24),
        row("turns.p05", estimate=17),
        row("turns.p95", estimate=1031),
        row("tie_rate", estimate=0.0234),
        row("lead.wins", "at 25 %", 0.9),
        row("lead.wins", "at 50 %", 0.7649),
        row("truncated_share", estimate=0.001),
    )
    assert found == {
        "Players": "2",
        "Length in turns": "24 (17 to 1,031)",
        "Shared wins": "2.5 %",
        "Leader halfway wins": "76 %",
        "Cut off": "hardly any",
    }


def test_games_that_all_end_have_no_column_of_those_cut_off():
    assert "Cut off" not in only(row("truncated_share", estimate=0.0), row("tie_rate", estimate=0))
    assert only(row("tie_rate", estimate=0.0))["Shared wins"] == "none"


def test_the_style_that_wins_most():
    styles = [
        row("style_share", f"style {name}", share) for name, share in (("a", 0.4), ("b", 0.6))
    ]
    assert only(*styles)["Wins most"] == "B, 1.2 times a fair share"


def test_styles_that_win_alike_are_level():
    styles = [
        row("style_share", f"style {name}", share) for name, share in (("a", 0.502), ("b", 0.498))
    ]
    assert only(*styles)["Wins most"] == "all about level"


def test_columns_keep_their_order_where_the_first_table_lacks_some():
    rows = [
        row("truncated_share", estimate=1.0, players=2),
        row("truncated_share", estimate=0.0, players=3),
        row("tie_rate", estimate=0.1, players=3),
    ]
    found = glance.glance(frame(*rows), Said())
    assert list(found) == ["Players", "Shared wins", "Cut off"]


def test_a_row_for_each_table_in_the_order_of_the_study():
    words = Said("all plain", "all pushy")
    rows = [
        row("tie_rate", estimate=0.1, players=players, lineup=lineup)
        for players, lineup in ((3, "all pushy"), (3, "all plain"), (2, "all pushy"))
    ]
    found = glance.glance(frame(*rows), words)
    assert found[["Players", "Who plays"]].to_numpy().tolist() == [
        ["3", "all plain"],
        ["2", "all pushy"],
        ["3", "all pushy"],
    ]


def test_studies_of_every_shape(tmp_path):
    for name, run in shapes(tmp_path):
        rows = metrics.all_metrics(run)
        head, words = metrics.headline(run, rows), words_of(run)
        found = glance.glance(head, words)
        keys = (
            head.filter(pl.col("metric") == "seat_share")
            .select("variant", "players", "lineup")
            .unique()
        )
        assert len(found) == keys.height, name
        assert all(isinstance(text, str) and text != "nan" for text in found.to_numpy().ravel())


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (0.2, "0"), (0.3, "0.5"), (2.4, "2.5"), (2.9, "3"), (3.4, "3"), (1234.5, "1,234")],
)
def test_roughly(value, said):
    assert say.roughly(value) == said
