"""Variants compared on the same luck: numbers by hand, what pairing saves, verdicts, sentences."""

import json
import re

import numpy as np
import polars as pl
import pytest
from fakes import FakeRun, Spec, fake_run
from luck import made
from scipy import stats

from sim import compare, inference, matters, sidebyside, simulate
from sim.errors import SimError
from sim.metrics import moments
from sim.metrics.clusters import Clusters
from sim.metrics.differences import SCHEMA, differences
from sim.metrics.paired import Gap, joint, pairs
from sim.plots.comparing import differences as figure
from sim.study import from_dict
from sim.takeaways.comparing import differences as sentences
from sim.words import words_of

SEATS = np.array([[3, 1], [1, 3], [2, 2], [5, 4], [0, 9], [1, 0], [4, 4], [7, 3]])


def row(rows, metric, group="all", **about):
    """Return the one row of a metric and group as a dict."""
    found = rows.filter(pl.col("metric") == metric, pl.col("group") == group)
    for name, value in about.items():
        found = found.filter(pl.col(name) == value)
    assert len(found) == 1
    return found.row(0, named=True)


@pytest.fixture
def printed(capsys):
    """Return what is printed of a comparison."""

    def tell(found):
        capsys.readouterr()
        sidebyside.tell(found)
        return capsys.readouterr().out

    return tell


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


# What has no partner


def test_games_that_only_one_variant_has_are_left_out(tmp_path):
    turns = np.arange(20)
    games = {"scores": np.tile(SEATS, (3, 1))[:20], "turns": turns}
    fewer = {"scores": games["scores"][:15], "turns": turns[:15] + 1}
    run = made(tmp_path, {"old": games, "new": fewer})
    found = row(differences(run, ["new"], "old"), "turns.mean")
    assert (found["estimate"], found["n"]) == (1, 15)
    assert found["base"] == pytest.approx(turns[:15].mean())
    notes = compare.compare(run, "new", "old").notes()
    assert any("the first 15 of 20 games" in note for note in notes)
    assert not any("until" in note for note in notes)
    run.study.until = "decided"
    assert "(until)" in compare.compare(run, "new", "old").notes()[-1]


def test_tables_that_one_variant_lacks_are_named(tmp_path):
    specs = [
        Spec(("a",) * n, 40, variant=v) for v, n in (("old", 2), ("old", 3), ("new", 2), ("new", 4))
    ]
    run = fake_run(tmp_path, specs)
    found = compare.compare(run, "new", "old")
    assert set(found.rows["players"]) == {2}
    notes = "\n".join(found.notes())
    assert "new, A | A | A | A, 4 players: left out, as no other variant has that table." in notes
    assert "old, A | A | A, 3 players: left out" in notes


def test_nothing_in_common_is_told(tmp_path, printed):
    specs = [Spec(("a", "a"), 40, variant="old"), Spec(("a",) * 3, 40, variant="new")]
    found = compare.compare(fake_run(tmp_path, specs), "new", "old")
    assert found.rows.is_empty()
    assert found.findings() == []
    assert len(found.notes()) == 2
    assert "left out" in printed(found)


def test_a_variant_against_itself_gives_zeros(tmp_path):
    run = fake_run(
        tmp_path, [Spec(("a", "b"), 60, variant="old"), Spec(("a", "b"), 60, variant="new")]
    )
    found = compare.compare(run, "old", "old")
    rows = found.rows
    assert len(rows) > 10
    for column in ("estimate", "low", "high"):
        assert set(rows[column]) == {0.0}
    assert rows["p"].null_count() == len(rows)
    assert set(rows["method"]) == {"same games"}
    assert set(rows["verdict"]) == {matters.SMALL}
    assert figure(rows.to_dicts(), found.words) is None
    heading, said = found.findings()[0]
    assert heading == "old against itself"
    assert said == ["2 players: the same rules and the same luck: nothing differs."]


def test_two_names_for_the_same_rules_give_zeros(rigged_run):
    run = rigged_run(variants={"one": {}, "other": {"rulings": {"rounds": 3}}}, games=20)
    assert set(compare.compare(run).rows["high"]) == {0.0}


# Choosing


def study(*variants):
    data = {"game": "street_art", "players": 2, "lineups": {"mirror": ["greedy"]}}
    return from_dict(data | {"variants": {name: {} for name in variants}}, "mine.toml")


def test_every_variant_is_compared_with_the_first_by_default():
    assert compare.choose(study("a", "b", "c")) == (["b", "c"], "a")
    assert compare.choose(study("a", "b", "c"), ["c"]) == (["c"], "a")
    assert compare.choose(study("a", "b", "c"), ["a"], "c") == (["a"], "c")
    assert compare.choose(study("a", "b", "c"), [], "c") == (["a", "b"], "c")


@pytest.mark.parametrize(
    ("names", "variants", "says"),
    [
        (
            ["hearts6"],
            ("base", "hearts60"),
            'no variant "hearts6"; allowed: base, hearts60. Did you mean "hearts60"?',
        ),
        (["base", "bse"], ("base", "hearts60"), 'mine.toml: variants: there is no variant "bse"'),
        (["base"], ("base", "hearts60"), "name a second one to compare it with"),
        ([], (), 'mine.toml: there is one variant, "base", and nothing to compare it with'),
    ],
)
def test_names_that_make_no_sense_are_one_line(names, variants, says):
    with pytest.raises(SimError) as error:
        compare.choose(study(*variants), names[:1], names[1] if len(names) > 1 else None)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


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


# Verdicts


def test_differences_that_matter_those_that_do_not_and_the_undecided(tmp_path):
    rng = np.random.default_rng(9)
    games = 600
    base = rng.integers(30, 50, games)
    scores = rng.integers(0, 9, (games, 2))
    old = {"scores": scores, "turns": base, "rounds": base, "decisions": base}
    new = {
        "scores": scores,
        "turns": base + 5,
        "rounds": base + (base % 2),
        "decisions": 80 - base + 2,
    }
    run = made(tmp_path, {"old": old, "new": new})
    rows = differences(run, ["new"], "old")
    smallest = 0.05 * np.sqrt((base.astype(float) ** 2).mean())
    found = row(rows, "turns.mean")
    assert found["least"] == pytest.approx(smallest)
    assert (found["estimate"], found["low"], found["high"], found["verdict"]) == (
        5,
        5,
        5,
        "matters",
    )
    found = row(rows, "rounds.mean")
    assert 0 < found["low"] < found["high"] < smallest
    assert found["verdict"] == "small"
    assert found["p_holm"] < 0.001
    found = row(rows, "decisions.mean")
    assert found["low"] < smallest < found["high"]
    assert found["verdict"] == "undecided"
    run.study.matters = {"turns.mean": 6.0, "rounds.mean": 0.1}
    rows = differences(run, ["new"], "old")
    assert row(rows, "turns.mean")["verdict"] == "small"
    assert row(rows, "rounds.mean")["verdict"] == "matters"


def test_smallest_differences_of_each_kind(tmp_path):
    scores = SEATS + 4
    columns = {
        "scores": scores,
        "turns": np.full(8, 40),
        "lead_changes": np.full(8, 1),
        "storms": np.full(8, 20),
    }
    run = made(tmp_path, {"old": columns, "new": columns | {"turns": np.full(8, 41)}})
    run.study.variants["new"].rulings["fines"] = "other"
    rows = differences(run, ["new"], "old")
    size = np.sqrt((scores.astype(float) ** 2).mean(0)).mean()
    least = {
        metric: row(rows, metric)["least"]
        for metric in ("tie_rate", "truncated_share", "turns.mean")
    }
    assert least == {"tie_rate": 0.02, "truncated_share": 0.01, "turns.mean": 2.0}
    assert row(rows, "lead_changes.mean")["least"] == 0.1
    assert row(rows, "detail.storms")["least"] == 1.0
    for metric in ("score.mean", "score_part.mined", "margin.mean"):
        assert row(rows, metric)["least"] == pytest.approx(0.05 * size)


def test_a_family_of_true_zeros_raises_few_alarms():
    """Of 300 comparisons of 20 metrics that do not differ, at most about one in 20 names one."""
    rng = np.random.default_rng(10)
    alarms = 0
    for _ in range(300):
        a, b = (Clusters(rng.normal(size=(1, 20, 200)), np.ones((20, 1))) for _ in "ab")
        gap = joint(["x"], [""] * 20, a, b).gap("x")
        p = 2 * stats.t.sf(np.abs(gap.difference) / np.sqrt(gap.variance), 199)
        alarms += p.min() * len(p) < 0.05  # Holm's first step
    assert alarms <= stats.binom.ppf(0.999, 300, 0.05)


def test_a_study_says_which_differences_matter():
    data = {"game": "street_art", "players": 2, "lineups": {"mirror": ["greedy"]}}
    found = from_dict(data | {"matters": {"turns.mean": 3, "detail": {"rains": 0.5}}})
    assert found.matters == {"turns.mean": 3.0, "detail.rains": 0.5}
    assert found.identity() == from_dict(data).identity()
    for table, says in (
        ({"turns.men": 3}, 'no metric "turns.men"'),
        ({"turns.men": 3}, 'Did you mean "turns.mean"?'),
        ({"seat_share": 0}, "matters.seat_share: found 0; allowed: a number above 0."),
        ({"seat_share": True}, "found true; allowed: a number above 0."),
        ({"seat_share": {}}, "found a table; allowed: a number above 0."),
        ({"turns.mean": float("nan")}, "found nan"),
        ({"card.win_held": 1}, "there is no metric"),
    ):
        with pytest.raises(SimError) as error:
            from_dict(data | {"matters": table})
        assert says in str(error.value)


# Edge cases


def test_one_game(tmp_path):
    run = made(tmp_path, {"old": {"scores": SEATS[:1]}, "new": {"scores": SEATS[1:2]}})
    found = compare.compare(run)
    assert row(found.rows, "seat_share", "seat 0")["estimate"] == -1
    assert set(found.rows["verdict"]) == {"unknown"}
    assert set(found.rows["method"]) == {"none"}
    assert found.findings() == [("new against old", ["2 players: too few games to tell."])]
    assert figure(found.rows.to_dicts(), found.words) is not None


def test_all_ties(tmp_path):
    tied = np.full((50, 3), 4)
    run = made(tmp_path, {"old": {"scores": tied}, "new": {"scores": tied + 1}}, players=3)
    rows = differences(run, ["new"], "old")
    found = row(rows, "seat_share", "seat 1")
    assert found["estimate"] == pytest.approx(0)
    # nothing seen to differ is not proof: as with a share of nothing
    assert 0.02 < found["high"] < 0.1
    assert found["verdict"] == "undecided"
    assert row(rows, "tie_rate")["p"] == 1
    assert row(rows, "score.mean")["estimate"] == 1


def test_every_game_cut_short(tmp_path, printed):
    cut = np.ones(30, bool)
    scores = np.random.default_rng(1).integers(0, 5, (30, 2))
    ended = {"scores": scores, "turns": np.full(30, 20)}
    run = made(
        tmp_path, {"old": ended, "new": ended | {"truncated": cut, "turns": np.full(30, 30)}}
    )
    found = compare.compare(run)
    assert row(found.rows, "truncated_share")["estimate"] == 1
    wins = row(found.rows, "seat_share", "seat 0")
    assert (wins["own"], wins["estimate"], wins["p"], wins["verdict"]) == (
        None,
        None,
        None,
        "unknown",
    )
    assert wins["base"] is not None
    text = found.findings()[0][1][0]
    assert text.startswith("2 players: games cut off 100 points more often; 10 turns longer; ")
    assert "no game of one of them ended by the rules" in text
    assert "cut off" in printed(found)
    both = made(tmp_path / "both", {name: ended | {"truncated": cut} for name in ("old", "new")})
    both.study.variants["new"].rulings["fines"] = "other"
    rows = differences(both, ["new"], "old")
    assert rows["estimate"].null_count() > 5


def test_one_seat_always_wins(tmp_path):
    first, second = np.tile([5, 1], (40, 1)), np.tile([1, 5], (40, 1))
    found = compare.compare(made(tmp_path, {"old": {"scores": first}, "new": {"scores": second}}))
    share = row(found.rows, "seat_share", "seat 0")
    assert share["estimate"] == -1
    assert share["low"] == -1
    assert -1 < share["high"] < -0.8
    assert share["verdict"] == "matters"
    assert "1st seat 100 points worse off" in found.findings()[0][1][0]


def test_one_seat_always_wins_in_both(tmp_path):
    first = np.tile([5, 1], (400, 1))
    rows = differences(
        made(tmp_path, {"old": {"scores": first}, "new": {"scores": first + 2}}), ["new"], "old"
    )
    share = row(rows, "seat_share", "seat 0")
    assert share["own"] == share["base"] == 1
    assert share["verdict"] == "small"


# Sentences and tables


def rigged(rigged_run, **how):
    variants = {"short": {"rulings": {"rounds": 3}}, "long": {"rulings": {"rounds": 8}}}
    return rigged_run(variants=variants, **({"players": (2, 3)} | how))


def test_a_known_difference_is_found_and_told(rigged_run):
    """A round is a turn for each seat: 5 rounds more are 10 or 15 turns."""
    found = compare.compare(rigged(rigged_run))
    for players in (2, 3):
        turns = row(found.rows, "turns.mean", players=players)
        assert turns["low"] == turns["estimate"] == turns["high"] == 5 * players
        assert turns["verdict"] == "matters"
    heading, said = found.findings()[0]
    assert heading == "long against short"
    assert said[0].startswith("2 and 3 players: 10 to 15 turns longer; ")
    backwards = compare.compare(found.run, "short", "long")
    assert backwards.findings()[0][1][0].startswith("2 and 3 players: 10 to 15 turns shorter; ")


def told(rows):
    """Return the sentences of made-up rows: (players, metric, group, estimate, verdict)."""
    run_words = words_of_fake()
    full = [
        {
            "variant": "new",
            "against": "old",
            "lineup": "a | a",
            "players": players,
            "metric": metric,
            "group": group,
            "estimate": estimate,
            "own": 1.0,
            "base": 1.0,
            "verdict": verdict,
            "method": "t",
        }
        for players, metric, group, estimate, verdict in rows
    ]
    return [f"{each.who}: {each.text}" for each in sentences(full, run_words)]


def words_of_fake():

    specs = [Spec(("a", "a"), 1, variant=v) for v in ("old", "new")]
    return words_of(FakeRun("nowhere", specs))


SMALL = [(2, "seat_share", "seat 0", 0.0, "small"), (3, "seat_share", "seat 0", 0.0, "small")]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], ["2 and 3 players: nothing changed enough to matter."]),
        (
            [
                (2, "turns.mean", "all", 14.2, "matters"),
                (2, "seat_share", "seat 1", 0.021, "matters"),
            ],
            [
                "2 players: 14 turns longer; 2nd seat 2.1 points better off; nothing else changed "
                "enough to matter.",
                "3 players: nothing changed enough to matter.",
            ],
        ),
        (
            [(p, "turns.mean", "all", -1.0, "matters") for p in (2, 3)],
            ["2 and 3 players: 1 turn shorter; nothing else changed enough to matter."],
        ),
        (
            [(2, "score.mean", "all", 1.0, "matters"), (2, "score.mean", "seat 0", 1, "matters")],
            [
                "2 players: scores 1 coin higher; nothing else changed enough to matter.",
                "3 players: nothing changed enough to matter.",
            ],
        ),
        (
            [(p, "score.mean", "seat 0", 1.0, "matters") for p in (2, 3)],
            [
                "2 and 3 players: points pass from some seats or styles to others; nothing else "
                "changed enough to matter."
            ],
        ),
        (
            [
                (2, "detail.storms", "all", 1.0, "matters"),
                (3, "detail.storms", "all", 1.0, "matters"),
            ],
            ["2 and 3 players: changed: Storms; nothing else changed enough to matter."],
        ),
        (
            [(3, "tie_rate", "all", 0.1, "undecided")],
            ["2 and 3 players: nothing for certain; undecided: Shared wins (3 players)."],
        ),
        (
            [(p, "decisions.mean", "all", 1.0, "matters") for p in (2, 3)],
            ["2 and 3 players: 1 more decision; nothing else changed enough to matter."],
        ),
        (
            [(p, "lead_changes.mean", "all", 0.31 * p, "matters") for p in (2, 3)],
            [
                "2 and 3 players: 0.62 to 0.93 more lead changes; nothing else changed enough to "
                "matter."
            ],
        ),
    ],
)
def test_sentences(rows, says):
    assert told([*SMALL, *rows]) == says


def test_the_table_shows_what_matters_and_fits(rigged_run, printed):
    found = compare.compare(rigged(rigged_run, players=(2, 3, 4, 5)))
    _, rows = found.tables()[0]
    table = sidebyside.matrix(sidebyside.told(rows), found.words)
    assert list(table.columns) == [
        "Difference in",
        *(f"{n} players" for n in (2, 3, 4, 5)),
        "Pairing",
    ]
    turns = table[table["Difference in"] == "Turns"].to_numpy().tolist()
    assert turns == [["Turns", "+10.00 *", "+15.00 *", "+20.00 *", "+25.00 *", ""]]
    text = printed(found)
    assert max(map(len, text.splitlines())) <= 110
    assert "long against short" in text
    assert "_" not in text.replace("compare.html", "")
    full = sidebyside.full(rows, found.words)
    assert {
        "Players",
        "What",
        "short",
        "long",
        "Difference",
        "Matters from",
        "Verdict",
        "Pairing",
        "p",
    } == set(full.columns)
    assert not full.isna().any(axis=None)


def test_one_number_of_players_gets_both_estimates(rigged_run, printed):
    lines = printed(compare.compare(rigged(rigged_run, players=(2,)))).splitlines()
    heads = next(line for line in lines if line.startswith("What"))
    assert heads.split() == ["What", "short", "long", "Difference", "Pairing", "p"]
    turns = next(line for line in lines if line.startswith("Turns"))
    assert turns.split() == ["Turns", "6.00", "16.00", "+10.00", "*", "<", "0.001"]


def test_the_figure_shows_every_row_that_matters(rigged_run):
    found = compare.compare(rigged(rigged_run))
    picture = figure(found.rows.to_dicts(), found.words)
    labels = [label.get_text() for label in picture.figure.axes[0].get_yticklabels()]
    assert labels[:2] == ["1st seat wins", "2nd seat wins"]
    assert "Turns" in labels
    assert len(picture.figure.axes) == 2
    assert "long, 2 players, Turns: +10.0" in picture.alt
    width, height = picture.figure.get_size_inches() * picture.figure.dpi
    assert width == 1800
    assert height >= 1012


# The command


STUDY = """
game = "rigged"
players = [2, 3]
games = 120
[lineups]
mirror = ["plain"]
round_robin = ["plain", "pushy"]
[variants.short]
[variants.long]
rulings.rounds = 8
"""


def test_a_comparison_is_a_page_json_and_markdown(main, mine, environment, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])  # the notebook's kernel needs it
    mine(STUDY)
    done = main("compare", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "long against short, all Plain" in done.stdout
    assert "2 and 3 players: 10 to 15 turns longer" in done.stdout
    folder = tmp_path / "reports" / "rigged" / "mine"
    page = (folder / "compare.html").read_text(encoding="utf-8")
    assert "10 to 15 turns longer" in page
    assert page.count("data:image/png") == 1
    assert not re.search(r"(src|href)=.?https?:", page)
    known = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
    assert (known["variants"], known["against"]) == (["long"], "short")
    assert known["columns"] == list(SCHEMA)
    p_values = [cells[known["columns"].index("p")] for cells in known["rows"]]
    assert known["correction"] == {"method": "Holm", "tests": len(p_values) - p_values.count(None)}
    short = (folder / "compare.md").read_text(encoding="utf-8")
    assert short.startswith("# Rigged Stones: mine: variants compared")
    assert "| Turns |" in short
    assert (folder / "figures" / "compare" / "differences.png").stat().st_size > 10_000


def test_a_wrong_name_is_one_line_before_anything_is_played(main, mine, tmp_path):
    mine(STUDY)
    done = main("compare", "mine.toml", "lnog", "short")
    assert done.returncode == 2
    assert done.stderr == (
        'sim: mine.toml: variants: there is no variant "lnog"; allowed: short, long. '
        'Did you mean "long"?\n'
    )
    assert not (tmp_path / "reports").exists()


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
