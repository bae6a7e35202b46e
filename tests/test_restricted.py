"""Restricted play: a style against its twin that does without something."""

from dataclasses import replace
from statistics import fmean

import fakes
import polars as pl
import pytest
from fakes import Spec

from sim import metrics, plots, tables
from sim.metrics.restricted import Twins, restricted, twins_of
from sim.players import Style
from sim.takeaways.restricted import restricted as told
from sim.words import words_of

FREE = Style(name="free", weights={"coins": 1.0})
TWIN = FREE.model_copy(update={"name": "twin", "forbid": ["hat", "cow"]})


def table(*styles, rotate=True):
    return Spec(styles, 12, rotate=rotate)


def known(**changes):
    return {"free": FREE, "twin": TWIN.model_copy(update=changes)}


def test_twins_are_told_by_how_they_play():
    cell = table("free", "free", "twin")
    assert twins_of(cell, known()) == Twins("free", "twin", ("hat", "cow"))
    assert twins_of(table("twin", "free"), known()) == Twins("free", "twin", ("hat", "cow"))
    assert twins_of(cell, known(description="shy")).group == "free without hat+cow"


@pytest.mark.parametrize(
    "changes",
    [{"weights": {"coins": 2.0}}, {"temperature": 0.1}, {"tempo": 0.9}, {"forbid": []}],
    ids=lambda changes: next(iter(changes)),
)
def test_who_plays_otherwise_is_no_twin(changes):
    assert twins_of(table("free", "twin"), known(**changes)) is None


def test_a_twin_forbids_all_that_its_style_does():
    free = FREE.model_copy(update={"forbid": ["boat"]})
    cell = table("free", "twin")
    assert twins_of(cell, {"free": free, "twin": TWIN}) is None
    both = TWIN.model_copy(update={"forbid": ["boat", "hat"]})
    assert twins_of(cell, {"free": free, "twin": both}).forbidden == ("hat",)


def test_twins_meet_in_round_robins_of_two_styles():
    assert twins_of(table("free", "twin", rotate=False), known()) is None
    assert twins_of(table("free", "free"), known()) is None
    assert twins_of(table("free", "twin", "other"), known() | {"other": FREE}) is None


def scores(rng, styles, game):
    """One who does without scores a stone less than the others, on average."""
    return [rng.integers(0, 6) - (style == "twin") for style in styles]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Twins at tables of three: one, and two, who do without."""
    specs = [
        Spec(("free", "free", "twin"), 300, rotate=True),
        Spec(("free", "twin", "twin"), 300, rotate=True),
        Spec(("free",) * 3, 300),
    ]
    found = fakes.fake_run(tmp_path_factory.mktemp("twins"), specs, scores=scores)
    fakes.let_forbid(found, "free", "twin", ["hat", "cow"])
    return found


def rows_of(run, cell):
    seats = run.scan("seats").filter(pl.col("cell") == cell, ~pl.col("truncated"))
    return seats.cast({pl.Enum: pl.String}).collect().to_dicts()


@pytest.mark.parametrize(("cell", "name"), [(0, ""), (1, "_of_2")])
def test_win_share_and_score_are_those_of_a_recount(run, cell, name):
    rows = rows_of(run, cell)
    bound, free = (
        [row for row in rows if (row["style"] == "twin") == twin] for twin in (True, False)
    )
    frame = restricted(run)
    (won,) = frame.filter(pl.col("metric") == f"without.win{name}").to_dicts()
    assert won["group"] == "free without hat+cow"
    assert won["cell"] is None
    assert won["n"] == len(bound)
    assert won["estimate"] == pytest.approx(fmean(row["win_share"] for row in bound) - 1 / 3)
    assert won["low"] < won["estimate"] < won["high"] < 0
    assert won["method"].endswith("by deal")
    (scored,) = frame.filter(pl.col("metric") == f"without.score{name}").to_dicts()
    gap = fmean(row["score"] for row in bound) - fmean(row["score"] for row in free)
    assert scored["estimate"] == pytest.approx(gap)
    assert scored["low"] < -1 < scored["high"]


def test_a_study_without_twins_has_no_rows(tmp_path):
    run = fakes.fake_run(tmp_path, [Spec(("free", "twin"), 20, rotate=True)])
    assert restricted(run).is_empty()


def test_it_is_told_drawn_and_listed(run):
    head = metrics.headline(run, metrics.all_metrics(run))
    words = words_of(run)
    (found,) = told(head, words)
    assert "Hat and Cow (\N{MINUS SIGN}" in found.text
    picture = plots.restricted(head, words)
    assert "Hat and Cow" in picture.alt
    picture.figure.draw_without_rendering()
    listed = tables.restricted(head, words)
    assert listed["Without"].tolist() == ["Hat and Cow"]
    assert "3 players, win share" in listed.columns
    styles = [each for each in metrics_told(run) if each.topic == "styles"]
    assert styles == []


def metrics_told(run):
    from sim.takeaways import takeaways

    return takeaways(run)


def without(variant, group, estimate, half=0.005):
    base = (None, 2, variant, "all", "without.win", group)
    return (*base, estimate, estimate - half, estimate + half, 1000, "t")


def made(*rows):
    from sim.metrics.tidy import SCHEMA

    return pl.DataFrame([without(*row) for row in rows], schema=SCHEMA, orient="row")


def test_what_costs_most_what_costs_nothing_and_what_is_better_left_alone(run):
    words = replace(words_of(run), variants=("a", "b", "c"))
    frame = made(
        ("a", "free without hat", -0.08),
        ("b", "free without cow", 0.001),
        ("c", "free without boat", 0.05),
    )
    (found,) = told(frame, words)
    assert "Hat (\N{MINUS SIGN}8.0) (Holm over 3)." in found.text
    assert "Better left alone: Boat (+5.0)." in found.text
    assert "interval and all: Cow." in found.text
    assert found.short == "Doing without Hat costs most."


def test_names_tell_variants_and_styles_apart_where_there_are_several(run):
    words = replace(words_of(run), variants=("a", "b"), styles=("free", "other"))
    frame = made(("a", "free without hat", -0.08), ("b", "free without hat", -0.06))
    assert tables.restricted(frame, words)["Without"].tolist() == ["Hat, a", "Hat, b"]
    frame = made(("a", "free without hat", -0.08), ("a", "other without hat", -0.06))
    names = tables.restricted(frame, words)["Without"].tolist()
    assert names == ["Free without Hat", "Other without Hat"]
