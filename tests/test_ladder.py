"""The skill ladder: known strengths, circles, styles beyond compare, and who is called stronger."""

import math
from itertools import combinations, pairwise

import numpy as np
import polars as pl
import pytest
from fakes import Spec, fake_run
from scipy import optimize

from sim import metrics
from sim.level import at_level
from sim.metrics.ladder import ladder
from sim.metrics.luce import ELO, strengths

STRONG = {"a": 0.0, "b": 0.5, "c": 1.5, "d": 1.8}
BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


def chances(log):
    """Return scores by which styles win as often as their strengths say."""

    def score(rng, styles, game):
        noise = rng.gumbel(size=len(styles)) + [log[style] for style in styles]
        return (1000 * noise).astype(int)

    return score


def round_robin(styles, players, games, **more):
    return [Spec(each, games, rotate=True, **more) for each in combinations(styles, players)]


def found(rows, metric, **about):
    """Return estimates, low and high of a metric by group."""
    for name, value in about.items():
        rows = rows.filter(pl.col(name) == value)
    rows = rows.filter(pl.col("metric") == metric)
    return {row["group"]: row for row in rows.iter_rows(named=True)}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    specs = [*round_robin("abcd", 2, 600), *round_robin("abcd", 3, 600)]
    return fake_run(tmp_path_factory.mktemp("ladder"), specs, scores=chances(STRONG))


def test_known_strengths_are_found(run):
    with at_level(0.9999):
        all_rows = ladder(run)
    for players in (2, 3):
        rows = found(all_rows, "ladder.strength", players=players)
        assert list(rows) == [f"style {name}" for name in "abcd"]
        mean = sum(STRONG.values()) / 4
        for name, log in STRONG.items():
            row = rows[f"style {name}"]
            assert row["low"] < ELO * (log - mean) < row["high"]
            assert row["high"] - row["low"] < 120
            assert row["method"] == "Plackett-Luce, t, by deal"
        assert sum(row["estimate"] for row in rows.values()) == pytest.approx(0, abs=1e-6)


def test_steps_lead_from_each_style_to_the_next(run):
    with at_level(0.9999):
        rows = found(ladder(run), "ladder.step", players=2)
    assert list(rows) == ["b over a", "c over b", "d over c"]
    for group, row in rows.items():
        upper, lower = group.split(" over ")
        truth = 1 / (1 + math.exp(STRONG[lower] - STRONG[upper]))
        assert row["low"] < truth < row["high"]
    counts = found(ladder(run), "ladder.clear_steps", players=2)["all"]
    assert (counts["estimate"], counts["low"], counts["high"]) == (3, 3, 3)
    assert counts["method"] == "count, Holm over 6"


def test_a_step_is_what_two_win_where_both_sit(run):
    """Seat for seat, over all line-ups with both; by plain loops."""
    cells = {cell.index: cell for cell in run.plan.cells if cell.players == 3}
    both = [index for index, cell in cells.items() if {"b", "c"} <= set(cell.styles)]
    seats = run.scan("seats").filter(pl.col("cell").is_in(both), ~pl.col("truncated"))
    wins = seats.group_by("style").agg(pl.col("win_share").sum()).collect()
    won = dict(wins.cast({"style": pl.String}).rows())
    row = found(ladder(run), "ladder.step", players=3)["c over b"]
    assert row["estimate"] == pytest.approx(won["c"] / (won["c"] + won["b"]))
    assert row["n"] == len(seats.select("cell", "game").unique().collect())
    by_deal = seats.with_columns(deal=pl.col("game") // 3).collect()
    own = by_deal.group_by("deal").agg(
        *(pl.col("win_share").filter(pl.col("style") == name).sum().alias(name) for name in "bc")
    )
    y, m = own["c"].to_numpy(), (own["b"] + own["c"]).to_numpy()
    rest = y - row["estimate"] * m
    error = np.sqrt((rest**2).sum() * len(own) / (len(own) - 1)) / m.sum()
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.97 * error, rel=0.02)


def test_p_values_agree_with_intervals_and_are_corrected(run):
    rows = ladder(run)
    for players in (2, 3):
        steps, p, holm = (
            found(rows, metric, players=players)
            for metric in ("ladder.step", "ladder.step_p", "ladder.step_p_holm")
        )
        for group, row in steps.items():
            assert (p[group]["estimate"] < 0.05) == (not row["low"] <= 0.5 <= row["high"])
            assert holm[group]["estimate"] >= p[group]["estimate"]
            assert holm[group]["method"].endswith("Holm over 6")


def test_a_style_that_sits_twice_counts_by_seat(tmp_path):
    """Of two equal styles each takes half, though one has more seats."""
    specs = [Spec(("a", "a", "b"), 900, rotate=True)]
    rows = ladder(fake_run(tmp_path, specs, scores=chances({"a": 0.0, "b": 0.0})))
    (row,) = found(rows, "ladder.step").values()
    assert row["low"] < 0.5 < row["high"]
    assert row["high"] - row["low"] < 0.12
    for each in found(rows, "ladder.strength").values():
        assert each["low"] < 0 < each["high"]


def rock_paper_scissors(rng, styles, game):
    """Score 1 for each other at the table that a style beats, and half of that by luck."""
    beaten = [sum((own, other) in BEATS for other in styles) for own in styles]
    return 2 * np.array(beaten) + rng.integers(0, 4, len(styles))


def test_a_circle_is_named(tmp_path):
    specs = round_robin(("rock", "paper", "scissors", "lamb"), 2, 300)

    def scores(rng, styles, game):
        return rock_paper_scissors(rng, styles, game) - 3 * (np.array(styles) == "lamb")

    rows = ladder(fake_run(tmp_path, specs, scores=scores))
    counts = found(rows, "ladder.cycles")["all"]
    assert (counts["estimate"], counts["low"], counts["high"]) == (1, 1, 1)
    ((group, row),) = found(rows, "ladder.cycle").items()
    names = group.split(" over ")
    assert names[0] == names[-1]
    assert set(pairwise(names)) == BEATS
    assert 0.5 < row["low"] < row["estimate"] < row["high"]
    assert "Holm over 6" in row["method"]


def test_styles_with_an_order_have_no_circle(run):
    rows = ladder(run)
    for players in (2, 3):
        counts = found(rows, "ladder.cycles", players=players)["all"]
        assert counts["estimate"] == counts["low"] == 0
    assert not found(rows, "ladder.cycle")


@pytest.mark.parametrize("players", [2, 3])
def test_who_never_wins_has_no_strength_and_stands_below(tmp_path, players):
    strong = {"a": 0.3, "b": 0.0, "c": 0.6, "lamb": -1e6}
    specs = round_robin(strong, players, 120)
    run = fake_run(tmp_path, specs, scores=chances(strong), truncated=0)
    rows = ladder(run)
    elo = found(rows, "ladder.strength")
    assert next(iter(elo)) == "style lamb"
    assert elo["style lamb"]["estimate"] is None
    assert elo["style lamb"]["method"] == "none, never won"
    assert sum(elo[f"style {name}"]["estimate"] for name in "abc") == pytest.approx(0, abs=1e-6)
    step = next(iter(found(rows, "ladder.step").values()))
    assert step["group"].endswith(" over lamb")
    assert step["estimate"] == 1
    assert 0.85 < step["low"] < 1


def test_who_never_loses_has_no_strength_and_stands_above(tmp_path):
    strong = {"a": 0.3, "b": 0.0, "giant": 1e6}
    run = fake_run(tmp_path, round_robin(strong, 2, 120), scores=chances(strong), truncated=0)
    elo = found(ladder(run), "ladder.strength")
    assert list(elo)[-1] == "style giant"
    assert elo["style giant"]["estimate"] is None
    assert elo["style giant"]["method"] == "none, never lost"


def test_where_all_is_settled_there_are_steps_and_no_strengths(tmp_path):
    strong = {"a": 0.0, "b": 1e5, "c": 1e6}
    run = fake_run(tmp_path, round_robin(strong, 2, 120), scores=chances(strong), truncated=0)
    rows = ladder(run)
    assert all(row["estimate"] is None for row in found(rows, "ladder.strength").values())
    assert list(found(rows, "ladder.step")) == ["b over a", "c over b"]
    assert found(rows, "ladder.clear_steps")["all"]["estimate"] == 2


def test_few_games_leave_everything_open(tmp_path):
    run = fake_run(tmp_path / "few", round_robin("abc", 2, 2), truncated=0)
    rows = ladder(run)
    for row in found(rows, "ladder.step").values():
        assert row["low"] is None
        assert row["method"] == "none"
    counts = found(rows, "ladder.clear_steps")["all"]
    assert counts["estimate"] is None
    cut = fake_run(tmp_path / "cut", round_robin("abc", 2, 20), truncated=1)
    for row in ladder(cut).iter_rows(named=True):
        assert row["estimate"] is None
        assert row["n"] == 0


def test_only_round_robins_have_a_ladder(tmp_path):
    specs = [Spec(("a", "b"), 40), Spec(("b", "a"), 40), Spec(("a", "a"), 40, lineup="all a")]
    run = fake_run(tmp_path, specs)
    assert ladder(run).is_empty()


def test_levels_move_bounds_and_not_estimates(run):
    usual = found(ladder(run), "ladder.step", players=2)
    with at_level(0.999):
        sure = found(ladder(run), "ladder.step", players=2)
    for group, row in usual.items():
        assert sure[group]["estimate"] == row["estimate"]
        assert sure[group]["low"] < row["low"]


def test_strength_of_two_is_the_log_odds(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "b"), 300, rotate=True)], scores=chances(STRONG))
    rows = ladder(run)
    share = found(rows, "ladder.step")["b over a"]
    elo = found(rows, "ladder.strength")["style b"]
    odds = math.log(share["estimate"] / (1 - share["estimate"]))
    assert elo["estimate"] == pytest.approx(ELO * odds / 2)


def tables(rng, deals, log):
    """Return who won in each line-up of two and deal, twice: wins of the first of 2 games."""
    pairs = list(combinations(range(len(log)), 2))
    skill = rng.normal(0, 0.7, (deals, len(log))) + log
    gap = np.stack([skill[:, a] - skill[:, b] for a, b in pairs], axis=1)
    return pairs, rng.binomial(2, 1 / (1 + np.exp(-gap)))


def summed(pairs, won, styles):
    """Return wins, seats, rates and sums over clusters as `strengths` takes them."""
    deals = len(won)
    wins, seats = np.zeros((2, len(pairs), styles))
    by_deal, there = np.zeros((2, deals, styles))
    for at, pair in enumerate(pairs):
        for style, own in zip(pair, (won[:, at], 2 - won[:, at]), strict=True):
            wins[at, style], seats[at, style] = own.sum(), 1
            by_deal[:, style] += own
            there[:, style] += 2
    both = np.hstack([by_deal, there])
    return wins, seats, wins.sum(0) / there.sum(0), both.T @ both, deals


def test_two_seats_agree_with_statsmodels_by_deal():
    """Bradley and Terry's model as a logistic regression, robust to clusters."""
    import statsmodels.api as sm

    styles, deals = 4, 80
    pairs, won = tables(np.random.default_rng(1), deals, np.linspace(0, 1.5, styles))
    x, y, deal = [], [], []
    for at, (a, b) in enumerate(pairs):
        row = np.zeros(styles)
        row[a], row[b] = 1, -1
        x += [row[1:]] * deals
        y += (won[:, at] / 2).tolist()
        deal += range(deals)
    # each row twice instead of weights, which statsmodels does not take with clusters
    x, y, deal = x * 2, y * 2, deal * 2
    model = sm.GLM(y, np.array(x), family=sm.families.Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": deal, "use_correction": False})
    found = strengths(*summed(pairs, won, styles))
    log = np.concatenate([[0], fit.params])
    assert found.elo == pytest.approx(ELO * (log - log.mean()), abs=1e-4)
    centre = np.vstack([np.zeros(styles - 1), np.eye(styles - 1)]) - 1 / styles
    spread = np.diag(centre @ fit.cov_params() @ centre.T) * deals / (deals - 1)
    assert found.variance == pytest.approx(ELO**2 * spread, rel=1e-5)


def test_many_seats_have_the_largest_likelihood():
    rng = np.random.default_rng(2)
    seats = np.array([[1, 1, 1, 0], [2, 0, 1, 1], [0, 1, 1, 2], [1, 2, 1, 0]], float)
    wins = np.where(seats > 0, rng.integers(5, 40, seats.shape), 0).astype(float)
    found = strengths(wins, seats, np.ones(4), np.eye(8), 100)

    def loss(log):
        chance = seats * np.exp(np.append(0, log))
        with np.errstate(divide="ignore"):
            return -(wins * np.log(np.where(seats, chance / chance.sum(1, keepdims=True), 1))).sum()

    best = np.append(0, optimize.minimize(loss, np.zeros(3), tol=1e-10).x)
    assert found.elo == pytest.approx(ELO * (best - best.mean()), abs=0.05)


@pytest.mark.slow
def test_strengths_and_steps_cover_the_truth():
    """Of 2,000 studies whose deals favour some styles, 94 to 96 % hold the truth."""
    styles, deals, studies = 3, 150, 2000
    rng, log = np.random.default_rng(3), np.array([0.0, 0.3, 0.9])
    pairs, won = tables(rng, 400_000, log)
    truth = strengths(*summed(pairs, won, styles)).elo
    held = []
    for _ in range(studies):
        found = strengths(*summed(*tables(rng, deals, log), styles))
        held.append(np.abs(found.elo - truth) <= 1.976 * np.sqrt(found.variance))
    cover = np.mean(held, axis=0)
    print("covers", (100 * cover).round(1))
    assert (cover >= 0.94).all()
    assert (cover <= 0.96).all()
    assert metrics.POOLED == "all"


@pytest.mark.slow
def test_equal_styles_have_no_clear_step(tmp_path):
    """At most one study of equal styles in twenty has one, or a circle."""
    alarms = []
    for seed in range(200):
        specs = round_robin("abcd", 2, 40)
        run = fake_run(tmp_path / str(seed), specs, seed, scores=chances(dict.fromkeys("abcd", 0)))
        rows = ladder(run)
        counts = [found(rows, f"ladder.{name}")["all"] for name in ("clear_steps", "cycles")]
        alarms.append([row["estimate"] > 0 for row in counts])
    print("alarms", np.mean(alarms, axis=0))
    assert (np.mean(alarms, axis=0) <= 0.05).all()
