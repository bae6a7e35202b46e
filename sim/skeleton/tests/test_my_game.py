"""My Game passes the conformance suite, plays by its rules, and runs its first study."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import sim
from my_game import GAME, events, referee
from sim.audit.referee import referee as refereed
from sim.conformance import Conformance, play, set_up
from sim.games import get
from sim.games.game import RuleBroken
from sim.players import Style
from sim.study import from_dict

STUDY = Path(__file__).parent.parent / "configs" / "my_game" / "first.toml"
WALK = Style(name="walk", forbid=["run"])
RUN = Style(name="run", forbid=["walk"])


class TestConformance(Conformance):
    @pytest.fixture
    def game(self):
        return GAME


def test_sim_finds_it_by_its_name():
    assert get("my_game") is GAME


def test_walkers_need_ten_turns():
    """30 steps, 3 a turn: seat 0 is there first, in its tenth turn."""
    tables = play(GAME, set_up(GAME, 2, styles=[WALK, WALK]), 5)
    assert set(tables["games"]["turns"]) == {19}
    assert tables["seats"]["score"].tolist() == [30, 27] * 5
    assert tables["seats"]["win_share"].tolist() == [1, 0] * 5


def test_in_a_finished_round_they_tie():
    tables = play(GAME, set_up(GAME, 2, styles=[WALK, WALK], game_end="finish_round"), 5)
    assert set(tables["games"]["turns"]) == {20}
    assert tables["games"]["tied"].all()


def test_runs_go_as_far_as_the_die_and_nowhere_on_a_one():
    setup = set_up(GAME, 2, styles=[RUN, WALK])
    log = np.concatenate([GAME.log(setup, 1, game) for game in range(200)])
    runs = log[(log[:, 0] == events.MOVE) & (log[:, 3] == events.RUN)]
    assert set(runs[:, 4]) == set(range(1, 7))
    assert (runs[:, 5] == np.where(runs[:, 4] == 1, 0, runs[:, 4])).all()


def test_a_capped_game_has_no_winner():
    tables = play(GAME, set_up(GAME, 3, turn_cap=7), 5)
    assert set(tables["games"]["turns"]) == {7}
    assert set(tables["seats"]["rank"]) == {0}


@pytest.mark.parametrize(
    ("column", "value"),
    [(1, 5), (2, 1), (3, 9), (4, 9), (5, 9)],
    ids=["turn", "seat", "act", "die", "steps"],
)
def test_the_referee_stops_a_cheat(column, value):
    setup = set_up(GAME, 2, styles=[RUN, RUN])
    log = GAME.log(setup, 1, 0)
    log[0, column] = value
    with pytest.raises(RuleBroken, match="turn 1"):
        referee.replay(log, setup.components, setup.rulings, setup.players)


def test_its_study_runs_and_the_referee_finds_no_fault(tmp_path):
    study = tomllib.loads(STUDY.read_text(encoding="utf-8")) | {"games": 300, "sample": 0.2}
    run = sim.run(from_dict(study, name="first"), tmp_path / "run")
    found = refereed(run, games=200, seed=1)
    assert found.games == 200
    assert not found.faults
    assert run.seats().height > 0
