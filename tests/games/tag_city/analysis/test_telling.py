"""Findings, figures, tables and the part of the report: of real runs, and of made-up rows."""

import re

import nbformat
import polars as pl
import pytest

from sim import metrics
from sim.games.tag_city import GAME
from sim.games.tag_city.analysis import ANALYSIS, plots, tables, takeaways
from sim.games.tag_city.analysis.naming import name_of
from sim.metrics.tidy import SCHEMA
from sim.report import execute, template
from sim.verdicts import BALANCED, UNBALANCED, UNDECIDED
from sim.words import Words, words_of
from tests.games.tag_city.analysis import runs
from tests.games.telling import asks_questions, is_drawn, is_listed, reads_well

WORDS = Words(GAME, ("base",), ("all greedy",), ("greedy",))
TABLES = [
    getattr(tables, name)
    for name in (
        *("leading", "seats", "led_against", "times_led", "places", "layers", "fair_values"),
        *("elements", "ends", "drones", "checks", "by_drones", "by_checks", "shapes", "rings"),
        *("ring_extremes", "city"),
    )
]
FIGURES = [getattr(plots, name) for name in plots.__all__ if name != "painted"]
FINDINGS = [getattr(takeaways, name) for name in takeaways.__all__ if name != "tell"]


@pytest.fixture(scope="module")
def told(run):
    """A run with the rows that a report leads with, and its words."""
    return run, metrics.headline(run, metrics.all_metrics(run)), words_of(run)


def made(*rows):
    """Return tidy rows of one series from (players, metric, group, estimate, low, high)."""
    return pl.DataFrame(
        [
            (0, players, "base", "all greedy", metric, group, estimate, low, high, 1000, "t")
            for players, metric, group, estimate, low, high in rows
        ],
        schema=SCHEMA,
        orient="row",
    )


def pay(row, column, neighborhood, half=0.01):
    values = {"row": row, "column": column, "neighborhood": neighborhood}
    found = [(2, "pay.from_mean", n, v, v - half, v + half) for n, v in values.items()]
    found += [(2, "pay.per_square", n, 0.2 * (1 + v), 0.1, 0.3) for n, v in values.items()]
    found += [(2, "pay.completed", n, 0.5, 0.4, 0.6) for n in values]
    for name, now in (("factor", 1.0), ("large", 6.0), ("small", 3.0)):
        found += [(2, f"fair.{name}", n, now / (1 + v), 0.1, 9.0) for n, v in values.items()]
    return made(*found)


@pytest.mark.parametrize(
    ("values", "half", "verdict", "short"),
    [
        ((-0.03, 0.04, -0.01), 0.01, BALANCED, "pay evenly"),
        ((-0.2, 0.25, -0.05), 0.01, UNBALANCED, "do not pay evenly"),
        ((-0.09, 0.1, -0.01), 0.05, UNDECIDED, ""),
    ],
)
def test_verdict_on_layers_is_earned(values, half, verdict, short):
    (found,) = takeaways.layers(pay(*values, half), WORDS)
    assert found.verdict == verdict
    assert short in found.short
    assert bool(found.short) == bool(short)


def test_fair_values_name_the_layers_that_are_off():
    (found,) = takeaways.fair_values(pay(-0.2, 0.25, -0.001), WORDS)
    assert "Rows 7.50 large and 3.75 small instead of 6 and 3" in found.text
    assert "Columns 4.80 large" in found.text
    assert "Neighborhoods" not in found.text
    assert "not played again" in found.text
    assert list(takeaways.fair_values(pay(-0.001, 0.001, 0.0), WORDS)) == []


@pytest.mark.parametrize(
    ("slopes", "half", "verdict", "short"),
    [
        ((0.001, -0.004), 0.01, BALANCED, "about as often"),
        ((0.1, 0.08), 0.01, UNBALANCED, "wins more often."),
        ((-0.1, 0.0), 0.01, UNBALANCED, "wins less often, at some tables."),
        ((-0.1, 0.1), 0.01, UNBALANCED, "depending on the table"),
        ((0.03, 0.0), 0.04, UNDECIDED, ""),
    ],
)
def test_verdict_on_leading_is_earned(slopes, half, verdict, short):
    rows = [
        (players, "lead.win_per_lead_alone", "all", value, value - half, value + half)
        for players, value in zip((2, 3), slopes, strict=True)
    ]
    rows += [(players, "lead.unequal", "all", 0.5, 0.4, 0.6) for players in (2, 3)]
    (found,) = takeaways.leading(made(*rows), WORDS)
    assert found.verdict == verdict
    assert found.short.endswith(short) or short in found.short
    assert bool(found.short) == bool(short)


def test_verdict_on_rings_is_earned():
    def rows(value):
        return made(
            *((3, "ring.score", f"shape {s}", v, v - 0.3, v + 0.3) for s, v in value.items())
        )

    (found,) = takeaways.rings(rows({"o4": 5.0, "i4": -5.0, "t4": 0.0}), WORDS)
    assert found.verdict == UNBALANCED
    assert "up with O4 (+5.0); down with I4" in found.text
    (found,) = takeaways.rings(rows({"o4": 0.1, "i4": -0.1}), WORDS)
    assert found.verdict == BALANCED
    assert "at no table the same way" in found.text


def test_groups_have_names():
    names = {
        "row": "Rows",
        "row_3": "Row 3",
        "neighborhood_c": "Neighborhood C",
        "shape p5": "P5",
        "o4+i4": "O4 I4",
        "led 3": "3",
        "led 40": "40 or more",
        "12 used": "12 or more",
        "place -0.2": "0.2 earlier",
        "place 1.5": "1.5 or more later",
        "place 0": "in the middle",
        "seat 0": "1st seat",
        "style greedy": "Greedy",
        "bubbles": "All bubbles gone",
    }
    assert {group: name_of(group, WORDS) for group in names} == names


@pytest.mark.parametrize("find", FINDINGS, ids=lambda f: f.__name__)
def test_findings_read_well(told, find):
    _, head, words = told
    found = list(find(head, words))
    # fair values need a layer that is off for certain
    assert found or find is takeaways.fair_values
    reads_well(found)


def test_a_report_leads_with_some_of_them(told):
    topics = {each.topic for each in ANALYSIS.takeaways(*told)}
    assert {"leading", "layers", "end conditions", "drones", "random rings"} <= topics


@pytest.mark.parametrize("draw", FIGURES, ids=lambda f: f.__name__)
def test_figures(told, draw):
    _, head, words = told
    found = draw(head, words)
    if found is None:
        # this small run is too vague, or too few of its seats did the same
        assert draw in (plots.leading, plots.drones, plots.checks)
        return
    is_drawn(found)


def test_what_is_too_vague_is_not_drawn():
    clear = (2, "lead.win_per_lead_alone", "all", 0.05, 0.01, 0.09)
    vague = (2, "lead.win_per_lead", "all", 0.3, -0.4, 1.0)
    found = plots.leading(made(clear, vague), WORDS)
    assert "One round more led, as it comes: +5.0 points" in found.alt
    assert "at the same seat" not in found.alt
    assert plots.leading(made(vague), WORDS) is None


@pytest.mark.parametrize("kind", ["drones", "checks"])
def test_win_shares_by_use(kind):
    rows = [(2, f"{kind}.win_share", f"{n} used", 0.5 - n / 10, 0.2, 0.6) for n in range(3)]
    found = getattr(plots, kind)(made(*rows), WORDS)
    assert found.name == kind
    (axis,) = found.figure.axes
    assert axis.get_xlim() == (-0.5, 2.5)
    assert getattr(plots, kind)(made(*rows[:1]), WORDS) is None


def test_heat_map(told):
    (found,) = plots.painted(*told)
    assert found.name == "painted_side_a"
    # a row for each number of players, a column for each moment, and the bar
    assert len([axis for axis in found.figure.axes if axis.images]) == 2 * 4
    found.figure.draw_without_rendering()


@pytest.mark.parametrize("table", TABLES, ids=lambda f: f.__name__)
def test_tables(told, table):
    _, head, words = told
    is_listed(table(head, words))


def test_nothing_to_tell_where_nothing_ended(monkeypatch, tmp_path):
    changes = {"rulings": {"round_cap": 1}, "games": 12, "players": [2]}
    run = runs.play(monkeypatch, tmp_path / "run", **changes)
    head, words = metrics.headline(run, metrics.all_metrics(run)), words_of(run)
    for draw in FIGURES:
        assert draw(head, words) is None
    assert plots.painted(run, head, words) == []
    for each in ANALYSIS.takeaways(run, head, words):
        assert not re.search("nan|None", each.text)


def test_the_notebook_runs_alone_and_takes_games_cut_off(monkeypatch, tmp_path):
    changes = {"rulings": {"round_cap": 1}, "games": 6, "players": [2], "sample": 0.0}
    runs.play(monkeypatch, tmp_path / "run", **changes)
    done = execute(nbformat.read(template(ANALYSIS.notebook), as_version=4), tmp_path / "run")
    texts = str([output for cell in done.cells for output in cell.get("outputs", [])])
    assert "No game ended by the rules, so there is nothing to count." in texts
    assert "The study keeps no sample of squares" in texts


def test_adjusted_effects_are_told_where_they_are_clear():
    def text(*rows):
        unequal = [(players, "lead.unequal", "all", 0.5, 0.4, 0.6) for players in (2, 3)]
        (found,) = takeaways.leading(made(*unequal, *rows), WORDS)
        return found.text

    vague = (2, "lead.win_per_lead", "all", 0.3, -0.4, 1.0)
    clear = (3, "lead.win_per_lead", "all", 0.03, 0.02, 0.04)
    assert "it is +3.0 with 3 players, beyond chance. Elsewhere" in text(vague, clear)
    assert "30" not in text(vague)
    assert "Here rounds led" in text(vague)
    assert "tell them apart" not in text(clear)


def test_the_part_of_the_report():
    asks_questions(ANALYSIS.notebook, GAME)
