"""Values are tuned to be worth the same: on games whose right values are known."""

import json
import os
import tomllib

import numpy as np
import pytest
from conftest import install
from runs import TESTS

from sim import games, study
from sim.errors import SimError
from sim.tuning import analytic, objectives, parts, studies, telling, tuned, tuned_pages
from sim.tuning.spread import Goal, Known, ratio_of, spread_of
from sim.tuning.table import default_values, numbers_of, shipped, stars
from sim.tuning.trials import Trials, function, seed_of

FRUIT = ("fig", "pear", "melon")
WORTH = [
    {"keys": [f"components.fruit.{name}.points"], "element": name, "parts": [name]}
    for name in FRUIT
]
VALUED = {
    "title": "fruit",
    "game": "valued",
    "players": [2, 3],
    "games": 100,
    "lineups": {"mirror": ["plain"]},
    "tune": {"values": ["components.fruit.*.points"], "worth": WORTH},
}


@pytest.fixture
def valued(monkeypatch, tmp_path_factory):
    """The game of fruit, registered like any plug-in."""
    folder = install(tmp_path_factory.mktemp("valued"), "valued", "valued_game:GAME")
    monkeypatch.syspath_prepend(folder)
    # for the notebook's kernel
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(TESTS)]))
    games.names.cache_clear()
    games.get.cache_clear()
    yield games.get("valued")
    games.names.cache_clear()
    games.get.cache_clear()


@pytest.fixture
def read(valued):
    """Return the study of fruit with other keys in [tune]."""

    def read(**changes):
        tune = {k: v for k, v in (VALUED["tune"] | changes).items() if v is not None}
        return study.from_dict(VALUED | {"tune": tune}, name="fruit")

    return read


@pytest.fixture
def tune(read, tmp_path, monkeypatch):
    """Tune the study of fruit with few sets of games; return the only group and the work."""
    for name, few in (("FRESH_SETS", 8), ("RESCORED_SETS", 4), ("REFINED_SETS", 4)):
        monkeypatch.setattr(objectives, name, few)
    monkeypatch.setattr(objectives, "REFINEMENTS", 2)

    def tune(changes=None, out="tuning", **how):
        how = {"jobs": 1, "play": 1000} | how
        work = objectives.tune(read(**(changes or {})), tmp_path / out, **how)
        return work.tuned[0], work

    return tune


def points(found):
    return [found.values[f"components.fruit.{name}.points"] for name in FRUIT]


# What is found


def test_values_that_are_known_are_worked_out(tune):
    found, _ = tune(way="analytic")
    fig, pear, melon = points(found)
    assert fig == 2 * pear == 4 * melon
    assert found.way == "analytic"
    goal = found.goal
    before, after = (spread_of(goal, goal.worth(part)) for part in (found.before, found.after))
    assert before.low > 0.12
    assert after.high < 0.005
    assert ratio_of(after, before).high < 0.04


def test_values_that_are_known_are_searched_for(tune):
    found, _ = tune(way="search", trials=40)
    fig, pear, melon = points(found)
    assert fig == 2 * pear == 4 * melon
    assert (found.way, found.steps) == ("search", [])
    assert 20 <= found.tried <= 40


def test_mean_points_may_be_wanted(tune):
    found, _ = tune({"target": "points", "least_change": 0.2}, way="analytic")
    assert points(found) == [8, 4, 2]
    # of six equal counts from 0 to 5 the mean is 2.5
    assert np.allclose(found.goal.worth(found.after).mean((0, 1)), 20, rtol=0.01)


def test_given_points_are_reached_and_others_left(tune):
    found, _ = tune({"target": {"fig": 25.0, "melon": 10.0}}, way="analytic")
    assert points(found) == [10, 4, 1]


def test_limits_hold(tune):
    found, _ = tune({"to": 6, "from": {"components.fruit.melon.*": 2}}, way="analytic")
    assert max(points(found)) <= 6
    assert points(found)[2] >= 2
    assert found.is_changed


def test_least_change_may_weigh_more_than_fairness(tune):
    found, _ = tune({"least_change": 100.0}, way="both", trials=6)
    assert points(found) == [4, 4, 4]
    assert (found.way, found.is_changed) == ("", False)


def test_players_who_adapt_are_played_again(valued, tmp_path, read):
    data = VALUED | {"rulings": {"greed": 1}}
    loaded = study.from_dict(data, name="greedy")
    work = objectives.tune(loaded, tmp_path / "greedy", jobs=1, play=1000, way="analytic")
    what = tuned.found(work)
    rows = {(r["metric"], r["lineup"]): r["estimate"] for r in what.rows.to_dicts()}
    # with the least left alone no values are worth the same, whatever re-scoring says
    assert rows["tune.spread_after", "together"] > 0.05
    assert work.tuned[0].rescored


# What it is made of


def test_worth_of_parts_is_exact(valued, rigged_run, tmp_path):
    """Two seats: worked out game by game from the stored rows."""
    from sim import simulate

    loaded = study.from_dict(VALUED | {"players": [2], "games": 400, "tune": None}, name="x")
    run = simulate.run(loaded, tmp_path / "x", jobs=1)
    rows = parts.part_rows(run, {name: (name,) for name in FRUIT}).to_dicts()
    found = {(row["metric"], row["group"]): row["estimate"] for row in rows}
    seats = run.scan("seats").collect()
    score = seats["score"].to_numpy().reshape(-1, 2)

    def share(own, other):
        return np.where(own > other, 1.0, np.where(own == other, 0.5, 0.0))

    for name in FRUIT:
        part = seats[name].to_numpy().reshape(-1, 2)
        worth = [
            share(score[:, s], score[:, 1 - s]) - share(score[:, s] - part[:, s], score[:, 1 - s])
            for s in (0, 1)
        ]
        assert found["part.win_worth", name] == pytest.approx(np.mean(worth))
        assert found["part.points", name] == pytest.approx(part.mean())
    doubled = parts.part_rows(run, {"fig": ("fig",)}, {"fig": 2.0}).to_dicts()
    mean = next(row["estimate"] for row in doubled if row["metric"] == "part.points")
    assert mean == pytest.approx(2 * found["part.points", "fig"])


def test_rescoring_is_replaying_where_nobody_adapts(tune):
    found, _ = tune(way="analytic")
    goal = found.goal
    first = found.after[: len(found.rescored)]
    assert np.allclose(goal.worth(found.rescored), goal.worth(first))


def test_curves_go_through_what_was_measured(tune, read, tmp_path):
    found, _ = tune(way="analytic")
    curves = analytic.curves_of(found.goal, found.setting.now, found.before)
    assert np.allclose(curves.times(np.ones(3)), curves.worth)
    assert np.allclose(curves.alone(np.full(3, 1e-9)), 0, atol=1e-6)
    step = 1e-5
    slope = (curves.alone(np.full(3, 1 + step)) - curves.worth) / step
    assert (slope <= curves.slopes * 1.001).all()
    most = curves.alone(np.full(3, 1e9))
    assert np.allclose(curves.times(np.full(3, 2.0)), curves.worth)
    assert (most <= curves.caps[:, None] + 1e-12).all()


def test_spread_leaves_the_noise_out():
    """Of elements with known worth, measured with noise: intervals hold the truth."""
    rng = np.random.default_rng(4)
    setting = type("Setting", (), {"elements": range(8), "tune": type("T", (), {"target": "win"})})
    for size in (0.0, 0.02):
        truth = np.linspace(-1, 1, 8) * size
        real = truth.std(ddof=1)
        covers, means = 0, []
        for _ in range(400):
            worth = truth + rng.normal(0, 0.02, (20, 2, 8))
            found = spread_of(Goal(setting), worth)
            covers += found.low <= real <= found.high
            means.append(found.estimate**2)
        assert covers >= 0.93 * 400
        if size:
            assert np.mean(means) == pytest.approx(real**2, rel=0.1)


def test_ratio_of_spreads():
    found = ratio_of(Known(1, 0.8, 1.2, ""), Known(4, 3.9, 4.1, ""))
    assert found.estimate == 0.25
    assert 0.19 < found.low < 0.21
    assert 0.29 < found.high < 0.31
    assert np.isnan(ratio_of(Known(1, 0.8, 1.2, ""), Known(0, 0, 1, "")).estimate)


def test_stars():
    assert stars("a.*.c", "a.b.c") == ("b",)
    assert stars("a.*.c", "a.b.d.c") is None
    assert stars("a.*", "a.b.d.c") == ("b.d.c",)
    assert stars("*", "a.b") == ("a.b",)


# Luck, stopping and going on


def test_fresh_games_have_luck_of_their_own():
    seeds = {seed_of(1, family, n) for family in ("search", "fresh") for n in range(50)}
    assert len(seeds) == 100


def test_a_tuning_that_was_stopped_goes_on(tune, monkeypatch):
    whole, _ = tune(way="both", trials=8, out="whole")
    played = []
    real = Trials._played

    def stopping(self, wanted, *rest):
        played.append(len(wanted))
        if len(played) == 4:
            raise KeyboardInterrupt
        return real(self, wanted, *rest)

    monkeypatch.setattr(Trials, "_played", stopping)
    with pytest.raises(KeyboardInterrupt):
        tune(way="both", trials=8, out="stopped")
    monkeypatch.setattr(Trials, "_played", real)
    again, work = tune(way="both", trials=8, out="stopped")
    assert again.values == whole.values
    assert [m.plain() for m in again.after] == [m.plain() for m in whole.after]
    monkeypatch.setattr(Trials, "_played", lambda *_: pytest.fail("all is known"))
    tune(way="both", trials=8, out="stopped")
    assert sorted(path.name for path in (work.folder / "trials").iterdir()) == ["trials.jsonl"]


def test_a_torn_line_is_played_again(tune):
    first, work = tune(way="analytic")
    path = work.folder / "trials" / "trials.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    again, _ = tune(way="analytic")
    assert points(again) == points(first)


def test_fresh_sets_an_earlier_tuning_aside(tune, tmp_path):
    tune(way="analytic")
    tune(way="analytic", fresh=True)
    assert (tmp_path / "tuning" / "tune_objectives.old1" / "trials" / "trials.jsonl").exists()


# What is written


def test_pages_and_a_study_that_compare_takes(tune, valued):
    found, work = tune(way="analytic")
    what, page = tuned_pages.write_tuning(work)
    text = page.read_text(encoding="utf-8")
    assert "What the values should be" in text
    assert text.count("data:image/png") == 1
    assert (work.folder / "figures" / "tune" / "worth_1.png").exists()
    kept = tuned.read(work.folder)
    assert kept.rows["metric"].to_list() == what.rows["metric"].to_list()
    assert kept.rows["estimate"].to_list() == pytest.approx(what.rows["estimate"].to_list())
    content = json.loads((work.folder / "tune.json").read_text())
    assert content["sentences"][0].startswith("With the new values the spread in the wins")
    assert "| Fig | 4 |" in (work.folder / "tune.md").read_text()
    both = study.load(work.folder / "tuned.toml")
    assert list(both.variants) == ["original", "tuned"]
    fruit = both.variants["tuned"].components["fruit"]
    assert [fruit[name]["points"] for name in FRUIT] == points(found)
    assert both.variants["original"].components == work.study.variants["base"].components


def test_a_study_of_new_values_is_complete():
    """Styles, rulings, variants and files are all in it."""
    data = {
        "game": "wildstyle",
        "players": [2],
        "lineups": {"mirror": ["slow"], "fixed": [["greedy", "slow"]]},
        "rulings": {"tiles": "even"},
        "styles": {
            "slow": {"base": "greedy", "tempo": 2.0, "description": 'a "slow" one'},
            "greedy": {"weights": {"solo": -9.0}},
        },
        "variants": {"small": {"rulings": {"board_radius": 2}}, "large": {}},
    }
    loaded = study.from_dict(data, name="two")
    base = objectives._setting(loaded, ["small"], "two")[1]
    key = "components.objectives.sides.tricorners.points"
    work = objectives.Work(loaded, "two", None, {})
    values = base.now | {key: 9}
    parts = [objectives.Tuned((n,), base, values, [], [], []) for n in ("small", "large")]
    text = studies.as_toml(objectives.replace(work, tuned=parts))
    again = study.from_dict(tomllib.loads(text), name="two")
    assert list(again.variants) == ["small", "small_tuned", "large", "large_tuned"]
    for name in ("small", "large"):
        before, same = loaded.variants[name], again.variants[name]
        assert (same.rulings, same.components) == (before.rulings, before.components)
        assert same.styles == before.styles
        new = again.variants[f"{name}_tuned"].components["objectives"]["sides"]
        assert new["tricorners"]["points"] == 9
        assert new["bestagon"] == before.components["objectives"]["sides"]["bestagon"]


# Mistakes


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"value": []}, 'tune.value: unknown key; allowed: values, target, from, to.*"values"'),
        ({"target": "wins"}, 'tune.target: found "wins"; allowed: "win", "points".*"win"'),
        ({"target": {"plum": 3.0}}, "there is no element plum; allowed: fig, pear, melon"),
        (
            {"values": ["components.fruits.*.points"]},
            r"\[0\]: there is no number .* Did you mean "
            r'"components.fruit.\*.points"',
        ),
        ({"from": {"components.frut.*.points": 1}}, "tune.from: there is no number"),
        ({"from": 900}, "tune.from: found 900 for .*, which is .*; allowed: limits that hold what"),
        ({"to": 0.5}, "tune.to: found 0.5 for .*, which is .*; allowed: limits that hold what"),
        ({"from": "low"}, r'tune.from.*: found "low"; allowed: a number'),
        ({"least_change": -1.0}, "tune.least_change: found -1.0; allowed: a number of at least 0"),
        ({"worth": None}, r"values\[0\]: nothing says what .* write \[\[tune.worth\]\]"),
        ({"values": None, "worth": None}, "tune.values: missing; needed: which values may move"),
        ({"values": ["components.fruit.fig.points"], "worth": WORTH[:1]}, "all belong to fig"),
        ({"worth": [{"keys": ["a"], "element": "a"}]}, r"worth\[0\]: needed: parts"),
    ],
)
def test_mistakes_are_one_line(read, tmp_path, changes, text):
    with pytest.raises(SimError, match=text) as error:
        objectives.tune(read(**changes), tmp_path / "t", jobs=1, play=10)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "t" / "tune_objectives").exists()


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"way": "analytical"}, 'way: found "analytical"; allowed: .* Did you mean "analytic"'),
        ({"trials": 0}, "trials: found 0; allowed: 1 to"),
        ({"play": 1}, "play: found 1; allowed: 2 to"),
        ({"seed": -1}, "seed: found -1"),
        ({"jobs": 0}, "jobs: found 0"),
    ],
)
def test_mistakes_in_arguments(read, tmp_path, how, text):
    with pytest.raises(SimError, match=text):
        objectives.tune(read(), tmp_path / "t", **how)


def test_a_metric_that_no_row_has(read, tmp_path):
    wrong = [w | {"parts": [], "points": "score_part.kiwi", "group": "all"} for w in WORTH]
    with pytest.raises(SimError, match=r'no row of "score_part\.kiwi" for "all"'):
        objectives.tune(read(worth=wrong, target="points"), tmp_path / "t", jobs=1, play=50)


def test_metrics_of_any_game_may_say_it(tune):
    own = [
        {"keys": WORTH[i]["keys"], "element": n, "points": f"score_part.{n}", "group": "all"}
        for i, n in enumerate(FRUIT)
    ]
    rows = ["sim.metrics.scores:scores"]
    own = [each | {"proportional": each["keys"], "rows": rows} for each in own]
    changes = {"worth": own, "target": "points", "least_change": 0.2}
    found, work = tune(changes, play=500, way="analytic")
    assert points(found) == [8, 4, 2]
    assert not work.tuned[0].rescored
    assert "cannot be scored again" in " ".join(
        text for _, texts in telling.findings(tuned.found(work)) for text in texts
    )


def test_other_commands_ignore_what_may_move(read, valued):
    plain = study.from_dict(VALUED | {"tune": None}, name="fruit")
    assert read().resolved() == plain.resolved()
    assert read().identity() == plain.identity()


# The games that come with it


@pytest.mark.parametrize("game", ["wildstyle", "tag_city", "west_story"])
def test_what_is_shipped_names_what_there_is(game):
    known = games.get(game)
    tree = {"components": known.default_components(), "rulings": known.default_rulings()}
    numbers = [key for key, _ in numbers_of(tree)]
    parts_of_score = {column.name for column in known.seat_columns if column.score_part}
    assert shipped(game)
    for worth in shipped(game):
        for pattern in (*worth.keys, *worth.proportional):
            assert any(stars(pattern, key) for key in numbers) or pattern in numbers, pattern
        assert set(worth.parts) <= parts_of_score
        for name in (*worth.rows, *([worth.rescored] if worth.rescored else [])):
            assert callable(function(name))
    for pattern in default_values(game):
        assert any(stars(pattern, key) is not None for key in numbers)


def test_other_games_say_what_to_write(tmp_path):
    data = {"game": "west_story", "players": [2], "lineups": {"mirror": ["greedy"]}}
    with pytest.raises(SimError, match=r"tune.values: missing; .*rulings\.licence_vp"):
        objectives.tune(study.from_dict(data), tmp_path, play=10)
    data = {"game": "street_art", "players": [2], "lineups": {"mirror": ["greedy"]}}
    with pytest.raises(SimError, match=r"tune.values: missing; .* \[\[tune.worth\]\]"):
        objectives.tune(study.from_dict(data), tmp_path, play=10)


@pytest.mark.parametrize(
    ("game", "style", "tune"),
    [
        (
            "tag_city",
            "packer",
            {"values": ["components.values.A.rows.*", "components.values.A.neighborhoods.*"]},
        ),
        (
            "west_story",
            "greedy",
            {
                "values": ["rulings.licence_vp", "components.towns.*.disc_vp"],
                "target": {"licence": 8.0, "towns": 8.0},
            },
        ),
    ],
)
def test_values_of_other_games_move(monkeypatch, tmp_path, game, style, tune):
    for name, few in (("FRESH_SETS", 3), ("RESCORED_SETS", 2), ("REFINED_SETS", 1)):
        monkeypatch.setattr(objectives, name, few)
    for name in ("BASE_SETS", "STEPS", "REFINEMENTS"):
        monkeypatch.setattr(objectives, name, 1)
    data = {"game": game, "players": [2], "lineups": {"mirror": [style]}, "tune": tune}
    loaded = study.from_dict(data)
    work = objectives.tune(loaded, tmp_path, jobs=1, play=60, way="analytic")
    (found,) = work.tuned
    assert found.goal.worth(found.after).shape == (3, 1, len(found.setting.elements))
    what = tuned.found(work)
    lists = [value["new"] for value in what.content["groups"][0]["values"]]
    assert any(isinstance(value, list) for value in lists)
    assert telling.sentences(what)
    again = study.from_dict(tomllib.loads(studies.as_toml(work)))
    assert list(again.variants) == ["original", "tuned"]


@pytest.mark.slow
def test_wildstyles_tiles_come_much_nearer(tmp_path):
    """On fresh games, with 3 and 4 players, on both sizes of district boards."""
    work = objectives.tune("wildstyle/tuning", tmp_path, way="analytic")
    rows = tuned.found(work).rows.to_dicts()
    ratios = [row for row in rows if row["metric"] == "tune.ratio" and row["players"]]
    assert {(row["variant"], row["players"]) for row in ratios} == {
        (variant, players) for variant in ("radius3", "radius2") for players in (3, 4)
    }
    assert max(row["high"] for row in ratios) < 0.5
