"""How skill and luck are told, drawn, listed, and judged by budgets."""

import numpy as np
import polars as pl
import pytest
from fakes import Spec, fake_run, let_forbid
from made_rows import study

from sim import check, metrics, plots, skill
from sim.errors import SimError
from sim.metrics.tidy import SCHEMA
from sim.takeaways import takeaways
from sim.takeaways.skill import luck
from sim.takeaways.skill import skill as climb
from sim.words import words_of

STRONG = {"lamb": -7, "plain": 0, "keen": 2}


def scores(rng, styles, game):
    """Style and chance, and the same deal for a game of equals and all turns of other tables."""
    strong = np.array([STRONG[style] for style in styles])
    number = game if len(set(styles)) == 1 else game // len(styles)
    deal = np.random.default_rng(number).integers(0, 5, len(styles))
    return strong + deal + rng.integers(0, 3, len(styles))


def made(folder, *variants):
    pairs = (("lamb", "plain"), ("plain", "keen"), ("lamb", "keen"))
    specs = [
        spec
        for variant in variants
        for spec in (
            *(Spec(pair, 200, rotate=True, variant=variant) for pair in pairs),
            *(Spec((style,) * 2, 100, variant=variant, lineup=f"all {style}") for style in STRONG),
        )
    ]
    return fake_run(folder, specs, scores=scores, truncated=0)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made(tmp_path_factory.mktemp("skill"), "base")


@pytest.fixture(scope="module")
def head(run):
    return metrics.headline(run, metrics.all_metrics(run))


def test_the_ladder_is_told(run, head):
    (found,) = climb(head, words_of(run))
    assert "2 clear steps of 2 from Lamb up to Keen with 2 players." in found.text
    assert "most Plain over Lamb with 2 players" in found.text
    assert "corrected (Holm over 2)" in found.text
    assert "circle" not in found.text


def test_the_split_is_told_by_size_with_what_is_nothing_beyond_chance(run, head):
    pool, others = luck(head, words_of(run))
    assert pool.text.startswith("round robin: Of what makes scores differ with 2 players: ")
    assert others.text.startswith("all other tables: Of what makes scores differ")
    first = others.text.split(". ")[0]
    assert "the deal " in first
    assert "the rest " in first
    assert "nothing beyond chance for the seat" in first
    assert "luck that the games of a deal do not share." in pool.text


def test_they_stand_among_the_findings(run):
    topics = [found.topic for found in takeaways(run)]
    assert topics.index("styles") < topics.index("skill") < topics.index("seats")
    assert topics.count("luck and skill") == 2


def row(metric, group, estimate, players=2, **more):
    about = {"cell": None, "players": players, "variant": "base", "lineup": "all"}
    about |= {"metric": metric, "group": group, "estimate": estimate, "n": 900, "method": "t"}
    return about | {"low": estimate, "high": estimate} | more


def test_circles_and_single_steps_are_told(run):
    rows = [
        row("ladder.step", "plain over keen", 0.6),
        row("ladder.clear_steps", "all", 1.0, method="count, Holm over 1"),
        *(
            row("ladder.cycle", f"{a} over {b} over {c} over {a}", 0.55)
            for a, b, c in (("lamb", "plain", "keen"), ("keen", "plain", "lamb")) * 2
        ),
    ]
    (found,) = climb(pl.DataFrame(rows, schema=SCHEMA), words_of(run))
    assert "A clear step from Keen up to Plain with 2 players." in found.text
    assert "in a circle: Lamb over Plain over Keen over Lamb with 2 players," in found.text
    assert found.text.endswith("and 2 others.")


def test_many_ladders_are_told_at_once(tmp_path):
    run = made(tmp_path, *"abcde")
    head = metrics.headline(run, metrics.all_metrics(run))
    (found,) = climb(head, words_of(run))
    assert found.text == "Over all tables: of 10 steps of 5 ladders, 10 are clear."
    (found,) = luck(head, words_of(run))
    assert found.text.startswith("Over all tables: Of what makes scores differ")


def test_restricted_twins_are_told_elsewhere(tmp_path):
    run = fake_run(tmp_path, [Spec(("free", "bound"), 100, rotate=True)])
    let_forbid(run, "free", "bound", ["hat"])
    head = metrics.headline(run, metrics.all_metrics(run))
    assert "ladder.step" in head["metric"].to_list()
    assert not list(climb(head, words_of(run)))
    assert not list(luck(head, words_of(run)))


def test_the_figure_draws_who_never_won_without_a_strength(run, head):
    picture = plots.ladder(head, words_of(run))
    texts = [text.get_text() for axis in picture.figure.axes for text in axis.texts]
    assert "never won" in texts
    assert "2 players, Keen over Plain: " in picture.alt
    assert picture.alt.count("clear") == 2
    picture.figure.draw_without_rendering()


def test_tables_have_a_row_for_each_step_and_each_split(run, head):
    words = words_of(run)
    steps = skill.steps(head, words)
    assert steps["Stronger"].tolist() == ["Keen", "Plain"]
    assert steps["Step"].tolist() == ["clear", "clear"]
    parts = skill.variance(head, words)
    assert parts["Of"].tolist() == ["scores", "scores", "wins", "wins"]
    assert parts["Who plays"].tolist() == ["round robin", "all other tables"] * 2
    assert set(parts.columns) >= {"Deal", "Style", "Seat", "Rest"}
    alone = fake_run(run.folder / "alone", [Spec(("keen", "keen"), 20, lineup="all keen")])
    rows = metrics.headline(alone, metrics.all_metrics(alone))
    assert skill.variance(rows, words_of(alone)).empty
    assert skill.steps(rows, words_of(alone)).empty


def judged(run, budgets):
    run.study.budgets = study(budgets).budgets
    try:
        return [(each.name, each.lineup, each.verdict) for each in check.check(run).rows]
    finally:
        run.study.budgets = []


def test_budgets_are_about_line_ups_together(rigged, run):
    found = judged(
        run,
        {
            "ladder": {"clear_steps": {"min": 2}, "cycles": {"max": 0}},
            "variance": {"deal": {"min": 0.05}, "seat": {"max": 0.2}},
            "win_variance": {"total": {"max": 0.1}},
        },
    )
    assert found == [
        ("ladder.clear_steps", "all", "passed"),
        ("ladder.cycles", "all", "passed"),
        ("variance.deal", "all", "passed"),
        ("variance.deal", "together", "passed"),
        ("variance.seat", "all", "passed"),
        ("variance.seat", "together", "passed"),
        ("win_variance.total", "all", "failed"),
        ("win_variance.total", "together", "failed"),
    ]


def test_a_budget_may_be_about_any_two_styles(rigged, run):
    def about(group, least):
        budget = {"min": least, "lineup": "all", "group": group}
        return judged(run, {"ladder": {"step": budget}})[0][2]

    assert about("keen over plain", 0.5) == "passed"
    assert about("keen over lamb", 0.9) == "passed"  # no neighbours
    assert about("lamb over keen", 0.1) == "failed"
    steps = judged(run, {"ladder": {"step": {"min": 0.5}}})
    assert [verdict for _, _, verdict in steps] == ["passed", "passed"]


def test_a_budget_may_name_the_others(rigged, run):
    with pytest.raises(SimError, match=r'lineup: found "together"; in this study: all plain'):
        study({"variance": {"deal": {"max": 0.5, "lineup": "together"}}})
    both = {"mirror": ["plain", "pushy"], "round_robin": ["plain", "pushy"]}
    known = study({"variance": {"deal": {"max": 0.5, "lineup": "together"}}}, lineups=both)
    assert known.budgets[0].lineup == "together"
    with pytest.raises(SimError, match=r'"variance\.deel" in this study'):
        judged(run, {"variance": {"deel": {"max": 0.5}}})


def steps(*found):
    """Return a ladder's rows of its steps: (players, group, estimate)."""
    counts = {players for players, _, _ in found}
    rows = [row("ladder.step", group, estimate, players) for players, group, estimate in found]
    rows += [row("ladder.clear_steps", "all", 0.0, p, method="t, Holm over 2") for p in counts]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def test_styles_that_win_alike_have_no_ladder(run):
    (found,) = climb(steps((2, "keen over plain", 0.5)), words_of(run))
    assert found.text.endswith(
        "No style wins more than the next, so there is no ladder: Keen and Plain with 2 players."
    )
    flat = (2, "keen over plain", 0.5)
    (found,) = climb(steps(flat, (3, "keen over plain", 0.6)), words_of(run))
    assert "no ladder: Keen and Plain with 2 players. No clear step from Plain" in found.text
    assert "the upper one takes 60.0 %;" in found.text


def test_no_step_is_the_most_where_several_are_level(run):
    both = steps((2, "plain over lamb", 0.6), (2, "keen over plain", 0.6))
    (found,) = climb(both, words_of(run))
    assert "the upper one takes 60.0 %;" in found.text
