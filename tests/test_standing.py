"""How games go: standings, chances, decisions and acts against plain loops and known games."""

import math
from collections import Counter, defaultdict
from statistics import fmean

import numpy as np
import polars as pl
import pytest
from fakes import ACTS, Spec, fake_run

from sim.budgets import is_exact
from sim.games.data import PARTS
from sim.metrics.deciding import entropy
from sim.metrics.going import deciding, standing
from sim.metrics.standing import (
    _dead,
    _last_lead,
    _reaches,
    _runaway,
    slopes,
)

SPECS = (Spec(("a", "a"), 40), Spec(("a", "b", "c"), 45, rotate=True))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return fake_run(tmp_path_factory.mktemp("run"), SPECS, truncated=0.1)


def played(run, cell):
    """Yield (points [seat][part], win share [seat], rows) of each game that ended by rule."""
    seats = run.scan("seats").filter(pl.col("cell") == cell).collect()
    shares = defaultdict(dict)
    for row in seats.filter(~pl.col("truncated")).iter_rows(named=True):
        shares[row["game"]][row["seat"]] = row["win_share"]
    rows = defaultdict(lambda: defaultdict(list))
    for row in run.scan("standings").filter(pl.col("cell") == cell).collect().to_dicts():
        rows[row["game"]][row["seat"]].append(row)
    for game, own in shares.items():
        points = [[row["points"] for row in rows[game][seat]] for seat in sorted(own)]
        yield points, [own[seat] for seat in sorted(own)], rows[game]


def estimate(frame, metric, group="all", players=2):
    pooled = pl.col("cell").is_null() if players == 3 else pl.col("cell") == 0
    rows = frame.filter(pl.col("metric") == metric, pl.col("group") == group, pooled)
    assert len(rows) == 1
    return rows.row(0, named=True)


@pytest.mark.parametrize(("players", "cell"), [(2, 0), (3, 1)])
def test_leads_and_comebacks_are_those_of_plain_loops(run, players, cell):
    frame = standing(run)
    games = list(played(run, cell))
    for part in (0, 7, 10, PARTS):
        wins = []
        for points, shares, _ in games:
            now = [own[part] for own in points]
            ahead = [seat for seat in range(players) if now[seat] == max(now)]
            wins.append(fmean(shares[seat] for seat in ahead))
        found = estimate(frame, "lead.wins", f"at {5 * part} %", players)
        assert found["estimate"] == pytest.approx(fmean(wins))
        assert found["n"] == len(games)
    for rank in range(1, players + 1):
        won = [
            shares[seat]
            for points, shares, _ in games
            for seat in range(players)
            if 1 + sum(other[10] > points[seat][10] for other in points) == rank
        ]
        found = estimate(frame, "comeback", f"rank {rank} at 50 %", players)
        assert found["estimate"] == pytest.approx(fmean(won))
        assert found["n"] == len(won)
    behind = [
        max(
            max(own[part] for own in points)
            - sum(own[part] * (share > 0) for own, share in zip(points, shares, strict=True))
            / sum(share > 0 for share in shares)
            for part in range(PARTS + 1)
        )
        for points, shares, _ in games
    ]
    # winners who share a win are as far behind as they are on average
    assert estimate(frame, "comeback.points", players=players)["estimate"] == pytest.approx(
        fmean(behind)
    )


def test_chances_are_a_conditional_logit():
    """Games drawn from known slopes: the fit finds them again."""
    rng = np.random.default_rng(5)
    points = rng.normal(0, 2, (40_000, 3, 2))
    chance = np.exp(0.7 * points[:, :, 1])
    chance /= chance.sum(1, keepdims=True)
    winner = (rng.random((40_000, 1)) > chance.cumsum(1)).sum(1)
    won = np.eye(3)[winner]
    found = slopes(points, won)
    assert found[0] == pytest.approx(0, abs=0.02)
    assert found[1] == pytest.approx(0.7, abs=0.03)


def test_chances_without_games_or_spread():
    assert slopes(np.empty((0, 2, 3)), np.empty((0, 2))).tolist() == [0, 0, 0]
    assert slopes(np.zeros((5, 2, 1)), np.full((5, 2), 0.5)).tolist() == [0]


def test_a_lead_that_decides_is_as_steep_as_can_be():
    points = np.array([[[3.0], [1.0]], [[0.0], [4.0]]])
    won = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert slopes(points, won)[0] > 20 / points.std()


def test_what_is_dead_lies_after_the_last_doubt():
    sure, doubt = 0.99, 0.5
    best = np.full((4, PARTS + 1), doubt)
    best[0, 15:] = sure
    best[1, 5:10] = sure
    best[1, -1] = sure
    best[2] = sure
    assert _dead(best).tolist() == [1 - 15 / PARTS, 0.0, 1.0, 0.0]


def test_the_lead_changes_last_when_another_is_alone_ahead():
    points = np.zeros((3, 2, PARTS + 1))
    points[0, 0, 3:] = 1  # first to lead: no change
    points[1, 0, 3:] = 1
    points[1, 1, 8:] = 1  # level: no change
    points[1, 1, 12:] = 2  # another alone ahead
    assert _last_lead(points).tolist() == [0, 12 / PARTS, 0]
    alone = np.ones((1, 1, PARTS + 1))
    assert _last_lead(alone).tolist() == [0]


def test_a_curve_reaches_its_height_between_two_parts():
    assert _reaches(np.array([0.5, 0.7, 0.9])) == pytest.approx(1.5 / PARTS)
    assert _reaches(np.array([0.9, 0.7])) == 0
    assert _reaches(np.array([0.5, 0.7])) is None


def test_a_bound_that_is_never_reached_is_the_end():
    curve = np.linspace(0.5, 0.82, PARTS + 1)
    leads = pl.DataFrame(
        {"unit": 0, "estimate": curve, "low": curve - 0.1, "high": curve + 0.1, "n": 50}
    )
    row = _runaway(leads).row(0, named=True)
    assert 0.6 < row["low"] < row["estimate"] < row["high"] == 1
    bare = leads.with_columns(
        pl.lit(None, pl.Float64).alias("low"), pl.lit(None, pl.Float64).alias("high")
    )
    row = _runaway(bare).row(0, named=True)
    assert row["low"] is None
    assert row["high"] is None
    assert row["method"] == "none"
    assert not is_exact(row)


def test_a_leader_from_the_start_who_always_wins(tmp_path):
    """All is over before it begins: known answers to every question."""
    run = fake_run(tmp_path, [Spec(("a", "a"), 40)], truncated=0.0, cards=False,
                   scores=lambda rng, styles, game: np.array([200, 0]))  # fmt: skip
    frame = standing(run)
    assert estimate(frame, "lead.wins", "at 50 %")["estimate"] == 1
    assert estimate(frame, "runaway")["estimate"] < 0.1
    assert estimate(frame, "drama")["estimate"] == pytest.approx(0, abs=1e-6)
    assert estimate(frame, "dead_time")["estimate"] == pytest.approx(0.95)
    assert estimate(frame, "lead.last")["estimate"] == 0
    assert estimate(frame, "comeback.points")["estimate"] == 0
    assert estimate(frame, "uncertainty", "at 0 %")["estimate"] == 1
    assert estimate(frame, "uncertainty", "at 50 %")["estimate"] == pytest.approx(0, abs=1e-6)
    assert estimate(frame, "uncertainty.mean")["estimate"] == pytest.approx(0.5 / PARTS)
    # a seat of the two has no chance at 20 of 21 moments
    assert estimate(frame, "hopeless")["estimate"] == pytest.approx(PARTS / (PARTS + 1) / 2)


def test_a_game_of_chance_at_the_end_stays_open(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "a"), 400)], truncated=0.0, cards=False)
    standings = (
        run.scan("standings")
        .collect()
        .with_columns(
            pl.when(pl.col("part") < PARTS).then(0).otherwise(pl.col("points")).alias("points")
        )
    )
    for shard in run.shards:
        own = pl.col("game").is_between(shard.first, shard.first + shard.count - 1)
        path = run.folder / "data" / "standings"
        (file,) = [f for f in path.iterdir() if pl.read_parquet(f)["game"][0] == shard.first]
        standings.filter(own).write_parquet(file)
    frame = standing(run)
    assert estimate(frame, "lead.wins", "at 95 %")["estimate"] == 0.5
    assert estimate(frame, "uncertainty", "at 95 %")["estimate"] == pytest.approx(1)
    assert estimate(frame, "dead_time")["estimate"] == 0
    assert estimate(frame, "drama")["estimate"] < 0.01


@pytest.mark.parametrize(("players", "cell"), [(2, 0), (3, 1)])
def test_decisions_are_those_of_plain_loops(run, players, cell):
    frame = deciding(run)
    ends = [row[-1] for *_, rows in played(run, cell) for row in rows.values()]
    asked = sum(row["asked"] for row in ends)
    found = estimate(frame, "choice.options", players=players)
    assert found["estimate"] == pytest.approx(sum(row["options"] for row in ends) / asked)
    found = estimate(frame, "choice.branching", players=players)
    logs = sum(row["log_options"] for row in ends) / asked
    assert found["estimate"] == pytest.approx(math.exp(logs), rel=1e-5)
    assert found["low"] < found["estimate"] < found["high"]
    assert estimate(frame, "choice.free", players=players)["estimate"] == 1
    second = [
        (row[10]["options"] - row[5]["options"], row[10]["asked"] - row[5]["asked"])
        for *_, rows in played(run, cell)
        for row in rows.values()
    ]
    options, times = (sum(part) for part in zip(*second, strict=True))
    found = estimate(frame, "choice.options", "second quarter", players)
    assert found["estimate"] == pytest.approx(options / times)


def test_styles_are_told_apart_where_two_meet(run):
    frame = deciding(run)
    styles = frame.filter(pl.col("group").str.starts_with("style "))
    assert styles["cell"].is_null().all()
    assert set(styles["group"]) == {"style a", "style b", "style c"}


def test_acts_are_those_of_plain_loops(run):
    frame = deciding(run)
    cut = run.scan("games").filter("truncated", pl.col("cell") == 0).collect()["game"].to_list()
    shares = {
        (row["game"], row["seat"]): row["win_share"]
        for row in run.scan("seats").filter(pl.col("cell") == 0).collect().to_dicts()
    }
    whole, by_part, winners = Counter(), defaultdict(Counter), Counter()
    for row in run.scan("acts").filter(pl.col("cell") == 0).collect().to_dicts():
        if row["game"] in cut:
            continue
        for part in ("early", "middle", "late"):
            whole[row["act"]] += row[part]
            by_part[part][row["act"]] += row[part]
            winners[row["act"]] += row[part] * (shares[row["game"], row["seat"]] > 0)
    total = whole.total()
    for act in ACTS:
        found = estimate(frame, "act.share", f"act {act}")
        assert found["estimate"] == pytest.approx(whole[act] / total)
    assert estimate(frame, "act.share", "act sing")["estimate"] == 0
    for group, counted in {"all": whole, "early": by_part["early"], "winners": winners}.items():
        shares_ = [count / counted.total() for count in counted.values() if count]
        bits = -sum(share * math.log2(share) for share in shares_)
        assert estimate(frame, "act.entropy", group)["estimate"] == pytest.approx(bits)


def test_entropy_and_its_slope():
    counts = np.array([3.0, 5.0, 0.0, 2.0, 99.0])
    found = entropy(counts)
    step = 1e-6
    for at in (0, 1, 3):
        more = counts.copy()
        more[at] += step
        slope = (entropy(more).value - found.value) / step
        assert found.slope[at] == pytest.approx(slope, rel=1e-4)
    assert found.slope[-1] == 0
    assert entropy(np.array([4.0, 4.0, 1.0])).value == pytest.approx(1)
    assert entropy(np.array([4.0, 0.0, 1.0])).value == 0


def test_a_study_that_keeps_nothing_has_no_such_metrics(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "a"), 10)])
    run.study.sample = 0.0
    assert standing(run).is_empty()
    assert deciding(run).is_empty()


@pytest.mark.parametrize("truncated", [0.0, 1.0])
def test_one_game_and_games_that_never_end(tmp_path, truncated):
    run = fake_run(tmp_path, [Spec(("a", "b"), 1)], truncated=truncated)
    for frame in (standing(run), deciding(run)):
        assert frame.is_empty() == (truncated == 1.0)
        assert frame["estimate"].is_between(0, 1000).all()


@pytest.mark.slow
def test_intervals_hold_the_truth(tmp_path_factory):
    """The same made-up game studied many times: 95 % intervals cover the long-run value."""
    truth_run = fake_run(tmp_path_factory.mktemp("truth"), [Spec(("a", "b"), 20_000)], seed=99)
    wanted = [("lead.wins", "at 50 %"), ("comeback.points", "all"), ("lead.last", "all"),
              ("comeback", "rank 2 at 50 %"), ("choice.options", "all"),
              ("act.entropy", "all"), ("act.share", "act dig")]  # fmt: skip
    truth = {}
    both = pl.concat([standing(truth_run), deciding(truth_run)])
    for metric, group in wanted:
        truth[metric, group] = estimate(both, metric, group)["estimate"]
    inside = Counter()
    studies = 400
    for seed in range(studies):
        run = fake_run(tmp_path_factory.mktemp("one"), [Spec(("a", "b"), 120)], seed=seed)
        frame = pl.concat([standing(run), deciding(run)])
        for metric, group in wanted:
            row = estimate(frame, metric, group)
            inside[metric, group] += row["low"] <= truth[metric, group] <= row["high"]
    for key, count in inside.items():
        # four standard errors of 400 studies about 95 %
        assert 0.906 < count / studies < 0.994, (key, count / studies)
