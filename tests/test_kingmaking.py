"""What is said of kingmaking: numbers by hand, intervals, words, pages, budgets, mistakes."""

import re
import tomllib
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from fakes import Spec, fake_run
from kings import with_rows

from sim import inference, kingmaking, metrics, plots, simulate
from sim.check import of
from sim.compare import compare
from sim.errors import SimError
from sim.games.kingmaking import Kingmaking
from sim.level import CONFIDENCE
from sim.metrics.totals import of_clusters
from sim.study import from_dict
from sim.takeaways import takeaways
from sim.tuning.studies import as_toml
from sim.words import words_of

CAN, LOST, KING = (True, None, False), (False, 0.05, False), (False, 0.3, True)
"""Who can win, who cannot and decides nothing, who cannot and decides."""


def value(frame, metric, group="all", **keys):
    rows = frame.filter(pl.col("metric") == metric, pl.col("group") == group, **keys)
    assert len(rows) == 1
    return rows.row(0, named=True)


@pytest.fixture
def one(tmp_path):
    """Four games of three; of 10, 4, 2 and 6 decisions 2, 4, 2 and 1 were looked at."""
    run = fake_run(tmp_path, [Spec(("a", "b", "b"), 4), Spec(("a", "a"), 3)], truncated=0)
    rows = [
        *((0, 0, 0, 1, 10, 2, *CAN), (0, 0, 2, 9, 10, 2, *KING)),
        *((0, 1, 0, 0, 4, 4, *CAN), (0, 1, 1, 1, 4, 4, *LOST)),
        *((0, 1, 2, 2, 4, 4, *LOST), (0, 1, 0, 3, 4, 4, *KING)),
        *((0, 2, 0, 0, 2, 2, *CAN), (0, 2, 1, 1, 2, 2, *CAN)),
        (0, 3, 1, 3, 6, 1, *LOST),
    ]
    return with_rows(run, rows)


def test_a_decision_stands_for_those_that_were_not_looked_at(one):
    found = metrics.kingmaking(one)
    # of 22 decisions the 5 that one stands for and 1 are kingmaking; 5 + 3 + 6 of who cannot win
    assert value(found, "kingmaking.share")["estimate"] == pytest.approx(6 / 22)
    assert value(found, "kingmaking.hopeless")["estimate"] == pytest.approx(14 / 22)
    swing = (5 * 0.3 + 2 * 0.05 + 0.3 + 6 * 0.05) / 14
    assert value(found, "kingmaking.swing")["estimate"] == pytest.approx(swing)
    assert [value(found, f"kingmaking.{name}")["n"] for name in ("share", "swing")] == [9, 5]
    assert set(found["players"]) == {3}, "no rows for a table of two"


def test_styles_and_quarters(one):
    found = metrics.kingmaking(one)
    # a: 5 of game 0, 2 of game 1, 1 of game 2; b: 5, 2, 1, 6
    assert value(found, "kingmaking.share", "style a")["estimate"] == pytest.approx(1 / 8)
    assert value(found, "kingmaking.share", "style b")["estimate"] == pytest.approx(5 / 14)
    # 9 of 10 and 3 of 4 lie in the last quarter, 1 of 2 and 3 of 6 in the third
    assert value(found, "kingmaking.share", "last quarter")["estimate"] == 1
    assert value(found, "kingmaking.hopeless", "third quarter")["estimate"] == pytest.approx(7 / 8)
    assert value(found, "kingmaking.share", "first quarter")["n"] == 3


def test_intervals_are_those_of_games(one):
    row = value(metrics.kingmaking(one), "kingmaking.share")
    y, m = np.array([5, 1, 0, 0.0]), np.array([10, 4, 2, 6.0])
    share = y.sum() / m.sum()
    variance = ((y - share * m) ** 2).sum() / m.sum() ** 2 * 4 / 3
    due = inference.share_interval(share, variance, 9, 4, False)
    assert (row["low"], row["high"]) == pytest.approx((float(due.low), float(due.high)))


def test_games_that_were_cut_off_are_left_out(tmp_path):
    run = fake_run(tmp_path, [Spec(("a",) * 3, 40)], seed=2, truncated=0.5)
    cut = run.scan("games").collect()["truncated"]
    rows = [(0, game, 0, 0, 5, 1, *(KING if cut[game] else CAN)) for game in range(40)]
    row = value(metrics.kingmaking(with_rows(run, rows)), "kingmaking.share")
    assert row["estimate"] == 0
    assert row["n"] == 40 - cut.sum()


def test_none_of_many_has_a_bound_by_deal(tmp_path):
    """Three games of a deal are one cluster: 0 of 20 deals, not of 60 games."""
    run = fake_run(tmp_path, [Spec(("a", "b", "b"), 60, rotate=True)], truncated=0)
    run = with_rows(run, [(0, game, 1, 2, 5, 1, *CAN) for game in range(60)])
    row = value(metrics.headline(run, metrics.kingmaking(run)), "kingmaking.share")
    assert (row["estimate"], row["low"]) == (0, 0)
    assert "by deal" in row["method"]
    due = inference.share_interval(0.0, 0.0, 60, 20, False, True)
    assert row["high"] == pytest.approx(float(due.high))


def test_a_study_without_the_key_says_nothing(tmp_path):
    run = fake_run(tmp_path, [Spec(("a",) * 3, 10)])
    assert metrics.kingmaking(run).is_empty()
    words = words_of(run)
    assert kingmaking.decisions(metrics.kingmaking(run), words).empty
    assert plots.kingmaking(metrics.kingmaking(run), words) is None
    assert "kingmaking" not in {found.topic for found in takeaways(run)}


@pytest.mark.slow
@pytest.mark.parametrize("often", [0.0, 0.002, 0.02, 0.3])
def test_intervals_cover(often):
    """Games of unlike length and unlike chance, of which 8 decisions each are looked at."""
    rng = np.random.default_rng(8)
    studies, games = 2000, 100
    decisions = rng.integers(8, 60, (studies, games))
    chance = often * rng.gamma(1.0, 1.0, (studies, games)).clip(max=3)
    kings = rng.binomial(8, chance.clip(max=1)) * decisions / 8
    pairs = np.stack([kings, decisions], axis=1)
    found = [of_clusters(pair[None]).ratio(0, 1) for pair in pairs]
    share, variance = (np.array([each[at][0] for each in found]) for at in (0, 1))
    interval = inference.share_interval(share, variance, 8 * games, games, False)
    truth = often * (1 - np.exp(-3.0))
    covered = ((interval.low <= truth) & (truth <= interval.high)).mean()
    assert covered >= CONFIDENCE - 0.015


# Words and pages


def told(run):
    return [found.text for found in takeaways(run) if found.topic == "kingmaking"]


def test_it_is_told_in_a_sentence(one):
    (text,) = told(one)
    assert re.fullmatch(
        r"A player who can no longer win decides between the others in 27\.3 % "
        r"\(\d+\.\d to \d+\.\d\) of decisions with 3 players\. "
        r"Of all decisions, 63\.6 % are of one who cannot win\.",
        text.removeprefix("A | B | B: "),
    )


def test_several_counts_share_a_sentence(tmp_path):
    run = fake_run(tmp_path, [Spec(("a",) * n, 12, lineup="all a") for n in (3, 4)], truncated=0)
    rows = [(c, game, 1, 2, 5, 1, *(KING, CAN)[c]) for c in (0, 1) for game in range(12)]
    (text,) = told(with_rows(run, rows))
    assert "in 100 % (" in text
    assert ") of decisions with 3 players and 0 % (" in text
    assert ") with 4. Of all decisions, 0 to 100 % are" in text


def test_the_report_shows_a_table_and_a_figure(one):
    frame, words = metrics.headline(one, metrics.kingmaking(one)), words_of(one)
    table = kingmaking.decisions(frame, words)
    assert table["Who and when"].tolist()[:3] == ["All", "A", "B"]
    assert table["Kingmaking"][0].startswith("27.3 % (")
    picture = plots.kingmaking(frame, words)
    assert picture.name == "kingmaking"
    assert "Last Quarter: 100 %" in picture.alt


# Studies

STUDY = {
    "game": "street_art",
    "players": [2, 3],
    "games": 300,
    "kingmaking": {"sample": 0.5, "decisions": 4, "playouts": 32},
    "lineups": {"mirror": ["random"]},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two variants of Street Art, with a budget."""
    accepted = {"kingmaking": {"share": {"max": 0.5, "group": "all"}}}
    variants = {"base": {}, "more": {"rulings": {"hearts": 60}}}
    study = STUDY | {"budgets": accepted, "variants": variants}
    return simulate.run(from_dict(study, name="kings"), tmp_path_factory.mktemp("kings") / "run")


def test_a_budget_may_be_about_it(run):
    judged = [row for row in of(run).rows if row.metric == "kingmaking.share"]
    assert [(row.players, row.verdict) for row in judged] == [(3, "passed")] * 2


def test_variants_are_compared_in_it(run):
    rows = compare(run).rows.filter(pl.col("metric") == "kingmaking.share")
    (row,) = rows.to_dicts()
    shares = metrics.kingmaking(run).filter(metric="kingmaking.share", group="all")
    base, more = (shares.filter(variant=name)["estimate"][0] for name in ("base", "more"))
    assert (row["base"], row["own"]) == pytest.approx((base, more))
    assert row["estimate"] == pytest.approx(more - base)
    assert row["players"] == 3
    assert row["low"] < row["estimate"] < row["high"]


@pytest.mark.parametrize(
    ("value", "key", "said"),
    [
        (True, "kingmaking", "found true; allowed: a table such as { sample = 0.01 }"),
        ({"sampel": 0.1}, "kingmaking.sampel", "unknown key; allowed: sample, decisions, playouts"),
        ({"sample": 0}, "kingmaking.sample", "found 0; allowed: a number above 0"),
        ({"sample": 1.5}, "kingmaking.sample", "found 1.5; allowed: a number of at most 1"),
        ({"decisions": 0}, "kingmaking.decisions", "found 0; allowed: a number of at least 1"),
        ({"playouts": 8}, "kingmaking.playouts", "found 8; allowed: a number of at least 32"),
        ({"width": 1}, "kingmaking.width", "found 1; allowed: a number of at least 2"),
        ({"width": "8"}, "kingmaking.width", 'found "8"; allowed: a whole number'),
    ],
)
def test_a_mistake_is_one_line(value, key, said):
    with pytest.raises(SimError) as error:
        from_dict(STUDY | {"kingmaking": value})
    assert str(error.value).startswith(f"<dict>: {key}: {said}")
    assert "\n" not in str(error.value)


def test_two_players_are_too_few():
    with pytest.raises(SimError, match=r"kingmaking: found at most 2 players; needed: 3, one who"):
        from_dict(STUDY | {"players": 2})


def test_a_key_below_a_table_is_told_where_it_belongs():
    lineups = {"mirror": ["random"], "kingmaking": {}}
    with pytest.raises(SimError, match=r"lineups\.kingmaking: .* write kingmaking above the first"):
        from_dict({"game": "street_art", "lineups": lineups})


def test_a_game_that_follows_no_script_cannot_have_it(rigged):
    study = {"game": "rigged", "players": 3, "lineups": {"mirror": ["plain"]}, "kingmaking": {}}
    with pytest.raises(SimError, match=r"kingmaking: Rigged Stones cannot be played on from a dec"):
        from_dict(study)


def test_a_study_of_tuned_values_keeps_it():
    study = from_dict(STUDY)
    text = as_toml(SimpleNamespace(study=study, tuned=[]))
    assert from_dict(tomllib.loads(text)).kingmaking == study.kingmaking


def test_what_the_key_means_by_default():
    study = from_dict(STUDY | {"kingmaking": {}})
    assert study.kingmaking == Kingmaking(sample=0.001, decisions=8, playouts=64, width=8)
    assert from_dict(STUDY | {"kingmaking": None}).kingmaking is None
