"""Pig passes the conformance suite, plays by its rules, and runs its first study."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import sim
from pig import GAME, events, referee
from sim.audit.referee import referee as refereed
from sim.conformance import Conformance, play, set_up
from sim.errors import SimError
from sim.games import get
from sim.games.game import RuleBroken
from sim.players import Style
from sim.study import from_dict

STUDY = Path(__file__).parent.parent / "configs" / "pig" / "first.toml"
STYLES = GAME.styles()
HOLD = Style(name="hold", forbid=["roll"])
"""Holds after the first roll."""
ROLL = Style(name="roll", forbid=["hold"])


class TestConformance(Conformance):
    @pytest.fixture
    def game(self):
        return GAME


def logs(styles, games=100, **rulings):
    """Return the logs of some games."""
    setup = set_up(GAME, len(styles), styles=styles, **rulings)
    return [GAME.log(setup, 1, game) for game in range(games)]


def rows(log, event, seat=None):
    """Return the rows of an event, of one seat if it is given."""
    return log[(log[:, 0] == event) & ((log[:, 2] == seat) | (seat is None))]


def test_sim_finds_it_by_its_name():
    assert get("pig") is GAME


def test_a_one_takes_the_points_of_the_turn_and_ends_it():
    for log in logs([STYLES["hold_at_20"]] * 2):
        rolled = rows(log, events.ROLLED)
        assert set(rolled[:, 3]) <= set(range(1, 7))
        assert (rolled[rolled[:, 3] == 1, 4] == 0).all()
        for turn in np.unique(rolled[:, 1]):
            own = log[log[:, 1] == turn]
            dice = rows(own, events.ROLLED)[:, 3]
            assert (dice[:-1] > 1).all()
            held = rows(own, events.HELD)[:, 3].tolist()
            assert held == ([] if dice[-1] == 1 else [dice.sum()])


def test_who_always_holds_rolls_once():
    for log in logs([HOLD, HOLD]):
        assert np.unique(rows(log, events.ROLLED)[:, 1], return_counts=True)[1].max() == 1


def test_who_never_holds_never_wins():
    setup = set_up(GAME, 2, styles=[ROLL, ROLL], turn_cap=30)
    tables = play(GAME, setup, 5)
    assert tables["games"]["truncated"].all()
    assert tables["games"]["busts"].tolist() == [30] * 5
    assert not tables["seats"]["score"].any()


@pytest.mark.parametrize("limit", [20, 25])
def test_who_holds_at_a_number_holds_there_or_at_the_goal(limit):
    for log in logs([STYLES[f"hold_at_{limit}"]] * 2):
        held = rows(log, events.HELD)
        assert ((held[:, 3] >= limit) | (held[:, 4] >= 100)).all()
        rolled = rows(log, events.ROLLED)
        before = rolled[:, 4] - rolled[:, 3]
        assert (before[rolled[:, 3] > 1] < limit).all()


def test_keep_pace_plays_its_rule():
    """Hold at 21 and an eighth of what one is behind, rounded; from 71 on roll for the goal."""
    for log in logs([STYLES["keep_pace"], STYLES["hold_at_25"]]):
        points = [0, 0]
        for _, _, seat, total, after, _ in rows(log, events.HELD):
            mine, theirs = points[seat], points[1 - seat]
            if seat == 0 and after < 100:
                assert max(mine, theirs) < 71
                assert total >= 21 + np.floor((theirs - mine) / 8 + 0.5)
            points[seat] = after


def test_in_a_finished_round_all_have_as_many_turns():
    setup = set_up(GAME, 3, styles=[STYLES["keep_pace"]] * 3, game_end="finish_round")
    turns = play(GAME, setup, 50)["seats"]["own_turns"].reshape(50, 3)
    assert (turns == turns[:, :1]).all()


def test_optimal_play_needs_a_goal_it_is_solved_for():
    components = GAME.default_components()
    components["goal"]["points"] = 200
    styles = [STYLES["optimal"]] * 2
    with pytest.raises(SimError, match=r"components\.goal\.points: found 200; .* at most 100"):
        GAME.setup(components, GAME.default_rulings(), styles, rotate=False)
    GAME.setup(components, GAME.default_rulings(), [STYLES["hold_at_20"]] * 2, rotate=False)


@pytest.mark.parametrize(
    ("column", "value"),
    [(0, 2), (1, 5), (2, 1), (3, 9), (4, 99)],
    ids=["event", "turn", "seat", "die", "points"],
)
def test_the_referee_stops_a_cheat(column, value):
    setup = set_up(GAME, 2, styles=[STYLES["hold_at_20"]] * 2)
    log = GAME.log(setup, 1, 0)
    log[0, column] = value
    with pytest.raises(RuleBroken, match="turn 1"):
        referee.replay(log, setup.components, setup.rulings, setup.players)


def test_its_study_runs_and_the_referee_finds_no_fault(tmp_path):
    study = tomllib.loads(STUDY.read_text(encoding="utf-8")) | {"games": 300, "sample": 0.2}
    run = sim.run(from_dict(study, name="first"), tmp_path / "run")
    found = refereed(run, games=100, seed=1)
    assert found.games == 100
    assert not found.faults
    assert run.seats().height > 0
