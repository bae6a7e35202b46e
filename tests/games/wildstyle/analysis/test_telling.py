"""Findings, figures, tables and the report of made-up runs of many shapes."""

import re

import pytest

from sim import metrics, report, takeaways
from sim import words as say
from sim.games.wildstyle.analysis import METRICS, plots, tables
from sim.games.wildstyle.analysis import takeaways as own
from sim.games.wildstyle.analysis.takeaways.telling import beyond, verdict
from sim.metrics.tidy import SCHEMA
from sim.plots import Picture
from tests.games.wildstyle.analysis import made_up

SHAPES = {
    "mirror": {"games": 120},
    "robin": made_up.ROBIN | {"games": 60},
    "sizes": made_up.SIZES,
    "family": {"games": 30, "rulings": {"family_mode": True}},
    "always the same tiles": {
        "games": 30,
        "rulings": {"tiles": ["tricorners", "zone_control", "border_wars"]},
    },
    "no sample": {"games": 30, "sample": 0.0},
    "one game": {"games": 1, "players": [4]},
    "all cut off": {"games": 12},
}
TABLES = (
    *("points_of_sides", "of_sides", "by_style", "deciding", "worth", "side_gaps", "tile_sets"),
    *("pairs", "cop_cars", "cars_and_wins", "tempo", "rounds", "round_ends", "tags", "occupied"),
    "tags_on",
)


def look(run):
    """Return a run's rows that a report leads with, and its words."""
    import polars as pl

    rows = pl.concat([theme(run) for theme in METRICS])
    return metrics.headline(run, rows), say.words_of(run)


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    """Runs of all shapes by name, with their rows and words."""
    with pytest.MonkeyPatch.context() as patch:
        found = {}
        for name, changes in SHAPES.items():
            how = {"cut_off": 1.0} if name == "all cut off" else {}
            run = made_up.play(patch, tmp_path_factory.mktemp("run") / "run", changes, **how)
            found[name] = (run, *look(run))
        yield found


@pytest.fixture(params=SHAPES)
def shape(request, shapes):
    return shapes[request.param]


def test_rows_are_tidy(shape):
    _, head, _ = shape
    assert dict(head.schema) == SCHEMA
    for row in head.to_dicts():
        if row["low"] is not None and row["high"] is not None:
            assert row["low"] <= row["estimate"] + 1e-9 <= row["high"] + 2e-9, row
        assert row["method"]
        assert row["n"] >= 0


def test_sentences_are_whole(shape):
    run, head, words = shape
    for found in own.tell(run, head, words):
        assert found.text.endswith(".")
        assert not re.search(r"\bnan\b|None|  |\.\.| \.|;\.|\(\)|: \.", found.text), found.text
        assert "_" not in found.text


def test_figures(shape):
    run, head, words = shape
    for name in plots.__all__:
        draw = getattr(plots, name)
        drawn = draw(run, head, words) if name == "tagged" else [draw(head, words)]
        for picture in drawn:
            if picture is None:
                continue
            assert isinstance(picture, Picture)
            assert picture.alt.startswith(picture.title)
            assert picture.alt.endswith(".")
            assert "nan" not in picture.alt
            picture.figure.canvas.draw()
            texts = [
                text.get_text() for text in picture.figure.findobj() if hasattr(text, "get_text")
            ]
            assert "nan" not in " ".join(texts)


def test_tables(shape):
    run, head, words = shape
    for name in TABLES:
        table = getattr(tables, name)(head, words)
        assert not table.map(lambda cell: "nan" in str(cell).split()).to_numpy().any()
        assert table.empty or (table.iloc[:, 0] != "").all()
    assert (
        "Now" in tables.fair_values(run, head, words)
        or head.filter(head["metric"] == "objective.fair_unit").is_empty()
    )


def test_nothing_is_said_of_wins_when_no_game_ended(shapes):
    run, head, words = shapes["all cut off"]
    assert [found.topic for found in own.tell(run, head, words)] == ["rounds"]
    drawn = [
        name for name in plots.__all__ if name != "tagged" and getattr(plots, name)(head, words)
    ]
    assert drawn == ["round_ends", "round_lengths"]
    assert plots.tagged(run, head, words) == []


def test_without_a_sample_there_is_no_map(shapes):
    run, head, words = shapes["no sample"]
    assert plots.tagged(run, head, words) == []
    assert plots.occupied(head, words) is None


def test_a_single_set_of_tiles_is_compared_with_nothing(shapes):
    _, head, words = shapes["always the same tiles"]
    assert plots.tile_sets(head, words) is None
    assert tables.pairs(head, words).empty
    assert len(tables.points_of_sides(head, words)) == 3


def test_both_sizes_of_boards_have_a_map(shapes):
    drawn = plots.tagged(*shapes["sizes"])
    assert [picture.name for picture in drawn] == ["tagged_radius_3", "tagged_radius_2"]


def finding(run, topic):
    head, words = look(run)
    return next(found for found in own.tell(run, head, words) if found.topic == topic)


def one_side_up(side, more):
    """Let one side score so often, all others once a seat on average."""

    def draw(rng, sides, style):
        return [
            rng.binomial(2, 0.5) * 6 / made_up.POINTS[each] + more * (each == side)
            for each in sides
        ]

    return draw


PLENTY = {"games": 1200, "players": [2], "rulings": {"tiles": "even"}, "sample": 0.0}


def test_the_side_that_is_worth_more_is_found(monkeypatch, tmp_path):
    """Zone Control (side 9, 5 points) brings 5 more than all others."""
    draw = one_side_up(9, 1)
    run = made_up.play(monkeypatch, tmp_path / "run", PLENTY, draw=draw, shard_games=1200)
    found = finding(run, "objectives")
    assert found.verdict == "unbalanced"
    assert found.short == "Objectives are not worth the same."
    assert found.text.startswith("Worth most in points a player: Zone Control with 2 players (1")
    assert "beyond chance further off at some table (Holm over 12): Zone Control." in found.text
    assert "All boards here have radius 3" in found.text
    assert "Zone Control 2." in finding(run, "fair values").text


def test_sides_that_are_level_are_balanced(monkeypatch, tmp_path):
    draw = one_side_up(0, 0)
    run = made_up.play(monkeypatch, tmp_path / "run", PLENTY, draw=draw, shard_games=1200)
    found = finding(run, "objectives")
    assert found.verdict == "balanced"
    assert "12 of 12 objectives lie within 2 points" in found.text


def test_findings_that_hang_on_the_boards_say_so(monkeypatch, tmp_path):
    """The best side is another one where boards are small."""

    def draw(rng, sides, style):
        small = draw.radius == 2
        return [1 + 3 * (side == (0 if small else 1)) for side in sides]

    class Sized(made_up.MadeUp):
        def play(self, setup, *rest):
            draw.radius = setup.rulings["board_radius"]
            super().play(setup, *rest)

    monkeypatch.setattr(made_up, "MadeUp", Sized)
    changes = made_up.SIZES | {"players": [2], "games": 120, "sample": 0.0}
    run = made_up.play(monkeypatch, tmp_path / "run", changes, draw=draw)
    text = finding(run, "objectives").text
    assert text.startswith("large: Worth most in points a player: Bestagon with 2 players (36).")
    assert "in small (boards of radius 2) it is Tricorners with 2 players." in text
    assert "It hangs on the size of the boards." in text


def row(estimate, half):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half}


def test_verdicts_are_earned():
    assert verdict([row(0, 1), row(1.5, 0.4)], 2) == "balanced"
    assert verdict([row(0, 1), row(1.5, 0.6)], 2) == "undecided"
    assert verdict([row(0, 1), row(4, 0.6)], 2) == "unbalanced"
    # one of many that lies a little outside is no proof
    assert verdict([row(0, 1)] * 39 + [row(2.6, 0.55)], 2) == "undecided"
    assert verdict([], 2) == "undecided"


def test_what_lies_beyond_chance_is_corrected_for_the_number_looked_at():
    assert beyond([row(1, 0.9)]) == [row(1, 0.9)]
    assert beyond([row(1, 0.9)] + [row(0, 0.9)] * 9) == []
    assert beyond([row(1, 0.9)] * 10, method="fdr_bh") == [row(1, 0.9)] * 10
    assert beyond([row(3, 0.9)], tolerance=2.5) == []


@pytest.mark.slow
def test_the_report_of_a_study_has_the_part(monkeypatch, tmp_path):
    from sim import games

    real = games.get("wildstyle")
    made_up.play(monkeypatch, tmp_path / "run", made_up.ROBIN | {"games": 30})
    notebook = report.execute(report.compose(real), tmp_path / "run")
    texts = " ".join(
        str(output.get("data", {}).get("text/html", ""))
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )
    assert "What is it worth to be quicker?" in texts
    assert "What do cop cars cost?" in texts
    names = {
        output.metadata.get("image/png", {}).get("name")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "metadata" in output
    }
    assert {"objective_points", "tile_sets", "tempo", "round_ends", "tagged_radius_3"} <= names


def test_the_notebook_runs_alone_and_takes_games_cut_off(monkeypatch, tmp_path):
    import nbformat

    made_up.play(monkeypatch, tmp_path / "run", {"games": 8}, cut_off=1.0)
    alone = nbformat.read(report.template("objectives.ipynb"), as_version=4)
    done = report.execute(alone, tmp_path / "run")
    texts = str([output for cell in done.cells for output in cell.get("outputs", [])])
    assert "No game ended by the rules, so no objective scored." in texts


def test_a_report_leads_with_the_findings(shapes, monkeypatch):
    run, *_ = shapes["mirror"]
    monkeypatch.setattr("sim.games.get", lambda name: made_up.MadeUp())
    topics = [found.topic for found in takeaways.takeaways(run)]
    assert {"objectives", "what decides games", "sets of tiles", "rounds", "tags"} <= set(topics)
