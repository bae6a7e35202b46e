"""Differences game by game: numbers by hand, what pairing saves, coverage."""

import numpy as np
import polars as pl
import pytest
from one_row import SEATS, made, row
from scipy import stats

from sim import inference, simulate
from sim.metrics import moments
from sim.metrics.clusters import Clusters
from sim.metrics.differences import SCHEMA, differences
from sim.metrics.paired import Gap, joint, pairs
from sim.study import from_dict


def shares(scores):
    won = scores == scores.max(axis=1, keepdims=True)
    return won / won.sum(axis=1, keepdims=True)


# Numbers by hand


def test_a_mean_is_that_of_the_differences_game_by_game(tmp_path):
    a, b = np.array([11, 13, 13, 19]), np.array([10, 12, 14, 16])
    run = made(
        tmp_path,
        {"old": {"scores": SEATS[:4], "turns": b}, "new": {"scores": SEATS[:4], "turns": a}},
    )
    found = row(differences(run, ["new"], "old"), "turns.mean")
    assert (found["own"], found["base"], found["estimate"]) == (14.0, 13.0, 1.0)
    error = stats.sem(a - b)
    low, high = stats.t.interval(0.95, 3, loc=1, scale=error)
    assert (found["low"], found["high"]) == pytest.approx((low, high))
    assert found["p"] == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert found["saved"] == pytest.approx((stats.sem(a) ** 2 + stats.sem(b) ** 2) / error**2)
    assert (found["variant"], found["against"], found["n"]) == ("new", "old", 4)


def test_a_share_counts_ties_and_adds_two_made_up_games(tmp_path):
    before, after = SEATS, SEATS[::-1]
    run = made(tmp_path, {"old": {"scores": before}, "new": {"scores": after}})
    rows = differences(run, ["new"], "old")
    gaps = shares(after) - shares(before)
    for seat in range(2):
        found = row(rows, "seat_share", f"seat {seat}")
        assert found["estimate"] == pytest.approx(gaps[:, seat].mean())
        with_two = np.append(gaps[:, seat], [1, -1])
        error = np.sqrt(with_two.var() / len(with_two))
        reach = stats.t.ppf(0.975, len(gaps) - 1) * error
        assert found["low"] == pytest.approx(max(with_two.mean() - reach, -1))
        assert found["high"] == pytest.approx(min(with_two.mean() + reach, 1))
    assert row(rows, "tie_rate")["estimate"] == 0


def test_scores_and_their_parts_by_seat_and_all(tmp_path):
    more = SEATS + np.array([2, 0])
    run = made(tmp_path, {"old": {"scores": SEATS}, "new": {"scores": more, "mined": SEATS}})
    rows = differences(run, ["new"], "old")
    assert row(rows, "score.mean", "seat 0")["estimate"] == pytest.approx(2)
    assert row(rows, "score.mean", "seat 1")["estimate"] == pytest.approx(0)
    assert row(rows, "score.mean")["estimate"] == pytest.approx(1)
    assert row(rows, "score_part.mined")["estimate"] == pytest.approx(SEATS.mean())
    assert row(rows, "score_part.fined")["own"] == pytest.approx(1)


def test_games_cut_short_count_for_the_variant_in_which_they_ended(tmp_path):
    """The difference of two ratios, linearised over games."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 9, (2, 40))
    cut = rng.random((2, 40)) < 0.3
    games = [
        {"scores": np.zeros((40, 2)), "lead_changes": y[v], "truncated": cut[v]} for v in (0, 1)
    ]
    run = made(tmp_path, dict(zip(("old", "new"), games, strict=True)))
    rows = differences(run, ["new"], "old")
    m = ~cut
    means = (y * m).sum(1) / m.sum(1)
    influence = (y - means[:, None]) * m / m.mean(1, keepdims=True)
    error = np.std(influence[1] - influence[0], ddof=1) / np.sqrt(40)
    found = row(rows, "lead_changes.mean")
    assert found["estimate"] == pytest.approx(means[1] - means[0])
    seen = m.any(0).sum()
    factor = np.sqrt(seen / (seen - 1) / (40 / 39))
    reach = stats.t.ppf(0.975, seen - 1) * error * factor
    assert found["high"] - found["estimate"] == pytest.approx(reach)
    assert row(rows, "truncated_share")["estimate"] == pytest.approx(cut[1].mean() - cut[0].mean())
    assert row(rows, "end_reason", "cap")["estimate"] == pytest.approx(
        -row(rows, "end_reason", "purse_full")["estimate"]
    )


def robin(rng, games=30):
    """Return cells of a round robin in two variants; games of a deal share its luck."""
    pairs_of = (("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"))
    luck = np.repeat(rng.integers(0, 6, (games // 2, 2)), 2, axis=0)
    found = {}
    for variant, bonus in (("old", 0), ("new", 2)):
        for styles in pairs_of:
            scores = luck + rng.integers(0, 3, (games, 2))
            # place 0 sits at seat 0 in even games
            scores[np.arange(games), np.arange(games) % 2] += bonus * (styles[0] == "alpha")
            found[variant, styles] = {"scores": scores, "turns": scores.sum(1)}
    return found


def test_a_round_robin_is_pooled_deal_by_deal(tmp_path):
    cells = robin(np.random.default_rng(5))
    run = made(tmp_path, cells, rotate=True)
    rows = differences(run, ["new"], "old")
    assert set(rows["lineup"]) == {"all"}
    assert rows["cell"].null_count() == len(rows)
    turns = {
        variant: sum(
            cells[variant, styles]["turns"].reshape(-1, 2).sum(1)
            for v, styles in cells
            if v == variant
        )
        for variant in ("old", "new")
    }
    found = row(rows, "turns.mean")
    gap = (turns["new"] - turns["old"]) / 6
    assert found["estimate"] == pytest.approx(gap.mean())
    low, high = stats.t.interval(0.95, len(gap) - 1, loc=gap.mean(), scale=stats.sem(gap))
    assert (found["low"], found["high"]) == pytest.approx((low, high))
    assert "by deal" in found["method"]
    assert row(rows, "style_share", "style alpha")["estimate"] > 0
    total = sum(
        row(rows, "style_share", f"style {s}")["estimate"] for s in ("alpha", "beta", "gamma")
    )
    assert total == pytest.approx(0)


def test_shards_do_not_change_the_numbers(tmp_path):
    cells = robin(np.random.default_rng(6), 60)
    few = differences(made(tmp_path / "1", cells, rotate=True, shard=1000), ["new"], "old")
    many = differences(made(tmp_path / "2", cells, rotate=True, shard=4), ["new"], "old")
    assert few.equals(many)


def test_a_shard_is_read_at_a_time(tmp_path, monkeypatch):
    """What is held does not grow with the games: no task takes two shards of a cell."""
    run = made(tmp_path, robin(np.random.default_rng(7), 120), rotate=True, shard=8)
    read = []
    together = moments.Reader.together

    def spy(self, number, shards):
        shards = list(shards)
        read.append([shard for shard, _ in shards])
        return together(self, number, shards)

    monkeypatch.setattr(moments.Reader, "together", spy)
    pairs(run, ["new"], "old")
    assert all(len({shard.cell for shard in shards}) == len(shards) for shards in read)
    assert all(len({shard.number for shard in shards}) == 1 for shards in read)
    assert sum(shard.count for shards in read for shard in shards) == 6 * 120


def test_several_variants_are_compared_with_one(tmp_path):
    turns = {"a": 10, "b": 12, "c": 17}
    run = made(
        tmp_path,
        {v: {"scores": SEATS, "turns": np.full(8, t) + np.arange(8)} for v, t in turns.items()},
    )
    rows = differences(run, ["b", "c"], "a")
    assert rows.columns == list(SCHEMA)
    assert row(rows, "turns.mean", variant="b")["estimate"] == 2
    assert row(rows, "turns.mean", variant="c")["estimate"] == 7
    tested = rows.filter(pl.col("p").is_not_null())
    assert tested["p_holm"].to_numpy() == pytest.approx(inference.adjusted(tested["p"].to_numpy()))
    assert set(tested["method"].str.extract(r"Holm over (\d+)")) == {str(len(tested))}
    backwards = differences(run, ["a"], "c")
    assert row(backwards, "turns.mean")["estimate"] == -7


# What pairing saves


def luck_and_noise(rng, games, noise):
    """Return turns of two variants that share their luck but for some noise."""
    luck = rng.integers(20, 60, games)
    return luck, luck + rng.integers(-noise, noise + 1, games) + 1


def test_pairing_saves_much_where_luck_is_shared(tmp_path):
    b, a = luck_and_noise(np.random.default_rng(1), 500, 1)
    scores = np.random.default_rng(2).integers(0, 9, (500, 2))
    run = made(
        tmp_path, {"old": {"scores": scores, "turns": b}, "new": {"scores": scores, "turns": a}}
    )
    found = row(differences(run, ["new"], "old"), "turns.mean")
    assert found["saved"] > 100
    assert found["low"] <= 1 <= found["high"]


def test_pairing_costs_nothing_where_luck_is_not_shared():
    """Without common luck the paired variance is the unpaired one, but for noise."""
    rng = np.random.default_rng(4)
    both = rng.integers(0, 30, (2, 1, 400, 300)).astype(float)
    a, b = (Clusters(values, np.ones((400, 1))) for values in both)
    found = joint(["turns"], [""] * 400, a, b).gap("turns")
    saved = found.unpaired / found.variance
    # of 400 studies of 300 games
    assert saved.mean() == pytest.approx(1, abs=0.02)
    assert 0.8 < saved.min() < saved.max() < 1.25


@pytest.mark.parametrize("shared", [0.2, 0.5, 0.9, 1.0])
def test_the_paired_interval_is_never_wider_where_luck_is_shared(shared):
    rng = np.random.default_rng(8)
    luck = rng.normal(size=(1, 200, 300))
    own = [np.sqrt(shared) * luck + np.sqrt(1 - shared) * rng.normal(size=luck.shape) for _ in "ab"]
    wins = [(each > 0.3).astype(float) for each in own]
    ended = [(rng.random(luck.shape[1:]) < 0.9).astype(float) for _ in "ab"]
    for values, weights in ((own, [np.ones((200, 1))] * 2), (wins, ended)):
        parts = [
            Clusters(v * (w if w.shape[1] > 1 else 1), w)
            for v, w in zip(values, weights, strict=True)
        ]
        found = joint(["x"], [""] * 200, *parts).gap("x")
        saved = found.unpaired / np.maximum(found.variance, 1e-30)
        assert saved.min() > 0.85
        assert np.median(saved) > 1


# Coverage


def covered(gap, truth, share):
    interval = inference.paired_interval(gap.difference, gap.variance, gap.clusters, share)
    return float(((interval.low <= truth) & (truth <= interval.high)).mean())


@pytest.mark.slow
@pytest.mark.parametrize(("games", "most"), [(50, 0.99), (200, 0.97), (800, 0.965)])
def test_paired_intervals_cover_differences_of_means_and_shares(games, most):
    """2,000 studies of a game of known chances: luck in common, ties, games cut short.

    Intervals of shares err to the wide side where few games go differently.
    """
    rng = np.random.default_rng(11)
    studies = 2000
    luck = rng.random((studies, games))
    own = [0.7 * luck + 0.3 * rng.random(luck.shape) for _ in "ab"]
    ended = [(luck + 0.3 * rng.random(luck.shape) < 1.2).astype(float) for _ in "ab"]
    one = np.ones((studies, 1))

    def gap_of(a, b, weights):
        parts = [Clusters((v * w)[None], w) for v, w in zip((a, b), weights, strict=True)]
        found = []
        for first in range(0, studies, 250):
            some = slice(first, first + 250)
            few = [Clusters(part.values[:, some], part.weights[some]) for part in parts]
            found.append(joint(["x"], [""] * 250, *few).gap("x"))
        return Gap(*(np.concatenate(column) for column in zip(*found, strict=True)))

    lengths = [np.ceil(30 * each) for each in own]
    assert 0.94 <= covered(gap_of(lengths[0], lengths[1] + 2, [one, one]), -2, False) <= 0.96
    wins = [np.select([each < 0.45, each < 0.55], [0.0, 0.5], 1.0) for each in own]
    assert 0.94 <= covered(gap_of(wins[0], wins[1], [one, one]), 0, True) <= most
    assert 0.94 <= covered(gap_of(lengths[0], lengths[1], ended), 0, False) <= 0.965


@pytest.mark.slow
def test_paired_intervals_cover_what_a_real_game_has(tmp_path):
    """2,000 studies of 200 games of Street Art; the truth is that of all 400,000 together."""
    studies, games = 2000, 200
    data = {
        "game": "street_art",
        "players": 3,
        "games": studies * games,
        "lineups": {"mirror": ["greedy"]},
        "variants": {"few": {"rulings": {"hearts": 36}}, "more": {"rulings": {"hearts": 38}}},
    }
    run = simulate.run(from_dict(data), tmp_path / "run")
    table = run.scan("games").select("cell", "turns", "lead_changes", "tied").collect()
    wins = run.scan("seats").filter(pl.col("seat") == 0).select("cell", "win_share").collect()
    table = table.with_columns(wins["win_share"])
    for column, share in (
        ("turns", False),
        ("lead_changes", False),
        ("tied", True),
        ("win_share", True),
    ):
        few, more = (
            table.filter(pl.col("cell") == cell)[column].cast(pl.Float64).to_numpy()
            for cell in (0, 1)
        )
        truth = (more - few).mean()
        found = []
        for first in range(0, studies, 250):
            some = slice(first * games, (first + 250) * games)
            parts = [
                Clusters(v[some].reshape(1, 250, games), np.ones((250, 1))) for v in (more, few)
            ]
            found.append(joint(["x"], [""] * 250, *parts).gap("x"))
        gap = Gap(*(np.concatenate(part) for part in zip(*found, strict=True)))
        held = covered(gap, truth, share)
        saved = np.median(gap.unpaired / gap.variance)
        print(f"{column}: {100 * held:.1f} % of 95 % intervals hold the truth, {saved:.1f}x saved")
        assert 0.94 <= held <= (0.97 if share else 0.96), column
        assert saved > 1.1
