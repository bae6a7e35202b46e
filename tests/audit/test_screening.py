"""Morris' screening: numbers whose effect is known come out with it; points that are refused."""

import numpy as np
import pytest

from sim.audit import screening
from sim.audit.changes import DOWN, NUMBER, UP, Change
from sim.audit.journal import Journal
from sim.audit.play import known_as, play
from sim.audit.screening import CHANCE, MU_STAR, SIGMA, Factor, design, factors_of, screened
from sim.errors import SimError
from sim.progress import silent

from .trying import based, tables_of

pytestmark = [pytest.mark.usefixtures("rigged"), pytest.mark.slow]
ROUNDS = Factor("rulings.rounds", 5, 4, 10)
HANDFUL = Factor("components.bag.largest_handful", 9, 6, 12)
NAP = Factor("rulings.nap", 0.0, 0.0, 1e-7)


def screen(factors, folder, trajectories=6, each=400, **study):
    base = based(**study)
    at = tables_of(base, each, "all plain")
    plan = design(base, factors, trajectories, seed=1)
    journal = Journal(folder, known_as(base))
    play(base, plan.known, at, journal, 1, silent())
    return plan, screened(base, plan, at, journal, seed=1)


def values(rows, key, metric, group="all", players=2):
    found = rows.filter(key=key, metric=metric, group=group, players=players)
    return {row["what"]: row for row in found.to_dicts()}


def test_a_number_that_counts_comes_out_with_what_it_moves(tmp_path):
    plan, rows = screen([ROUNDS, HANDFUL, NAP], tmp_path)
    assert plan.trajectories == 6
    for players in (2, 3):
        turns = values(rows, ROUNDS.key, "turns.mean", players=players)
        # four rounds to ten, as many turns a player: the same wherever the others are
        assert turns[MU_STAR]["estimate"] == pytest.approx(6 * players)
        assert turns[SIGMA]["estimate"] == pytest.approx(0, abs=1e-9)
        assert turns[MU_STAR]["low"] == pytest.approx(turns[MU_STAR]["high"])
        assert turns[CHANCE]["estimate"] == pytest.approx(0, abs=1e-9)
        assert values(rows, HANDFUL.key, "turns.mean", players=players)[MU_STAR]["estimate"] == 0
        for each in rows["metric"].unique():
            groups = rows.filter(key=NAP.key, metric=each, players=players, what=MU_STAR)
            assert set(groups["estimate"]) == {0.0}


def test_numbers_that_act_together_show_it(tmp_path):
    """A score is rounds times half a handful: what one moves hangs on the other."""
    _, rows = screen([ROUNDS, HANDFUL], tmp_path, trajectories=12)
    for factor in (ROUNDS, HANDFUL):
        score = values(rows, factor.key, "score.mean")
        assert score[MU_STAR]["estimate"] > score[CHANCE]["estimate"]
        assert score[SIGMA]["estimate"] > 1
        assert score[MU_STAR]["low"] < score[MU_STAR]["estimate"] < score[MU_STAR]["high"]
    # six rounds more of 5 stones each; seven rounds of 3 stones more each
    score = values(rows, ROUNDS.key, "score.mean")[MU_STAR]
    assert 6 * 3.5 < score["estimate"] < 6 * 6.5


def test_what_is_asked_of_seats(tmp_path):
    _, rows = screen([ROUNDS, HANDFUL], tmp_path)
    groups = set(rows.filter(metric="seat_share", players=3)["group"])
    assert groups == {"seat 0", screening.FURTHEST}
    assert set(rows["least"].is_null()) == {False}
    assert set(rows["method"]) == {"Morris, 6 trajectories, SALib"}
    assert set(rows["n"]) == {6}


def test_the_design_is_the_same_anywhere_and_hangs_on_the_seed():
    one, again, other = (design(based(), [ROUNDS, HANDFUL], 5, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.points, again.points)
    assert one.variants == again.variants
    assert not np.array_equal(one.points, other.points)
    assert len(one.points) == 5 * 3


def test_trajectories_with_a_point_that_the_game_refuses_are_left_out(monkeypatch):
    right = type(based().game).check

    def check(self, components, rulings, players):
        right(self, components, rulings, players)
        if rulings["rounds"] == 10 and components["bag"]["largest_handful"] == 12:
            raise SimError("too much")

    monkeypatch.setattr(type(based().game), "check", check)
    plan = design(based(), [ROUNDS, HANDFUL], 8, seed=1)
    assert plan.refused > 0
    assert plan.trajectories == 8
    names = {(v.rulings["rounds"], v.components["bag"]["largest_handful"])
             for v in plan.known.values()}  # fmt: skip
    assert (10, 12) not in names
    base = based()
    monkeypatch.setattr(type(base.game), "check", lambda *_: refuse())
    with pytest.raises(SimError, match="cannot be moved together"):
        design(base, [ROUNDS, HANDFUL], 8, seed=1)


def refuse():
    raise SimError("never")


def test_numbers_that_do_nothing_stay_within_chance():
    """Of 400 screenings of 20 numbers and 6 outputs, no more than one in twenty names one."""
    rng = np.random.default_rng(3)
    trajectories, tests, delta = 4, 20 * 6, screening.STEP
    bound = screening._unlikely(trajectories, tests)
    effects = (rng.normal(size=(400, tests, trajectories)) -
               rng.normal(size=(400, tests, trajectories))) / delta  # fmt: skip
    alarms = (np.abs(effects).mean(-1) > bound).any(-1).mean()
    assert alarms <= 0.05
    # and the bound is not far off: half of it is passed in most
    assert (np.abs(effects).mean(-1) > bound / 2).any(-1).mean() > 0.9


def test_one_number_is_not_screened():
    with pytest.raises(SimError, match="two numbers or more"):
        design(based(), [ROUNDS], 8, seed=1)


def test_factors_reach_as_far_as_their_changes():
    changes = [
        Change(NUMBER, "a", "assumed", 5, 4, DOWN),
        Change(NUMBER, "a", "assumed", 5, 7, UP),
        Change(NUMBER, "b", "assumed", 0.0, 0.5, UP),
    ]
    assert factors_of(changes) == (Factor("a", 5, 4, 7), Factor("b", 0.0, 0.0, 0.5))
    assert [Factor("a", 5, 4, 7).at(part) for part in (0, 1 / 3, 1)] == [4, 5, 7]
