"""Choices agree with a plain list of all actions, weighed one by one."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from sim.games.tag_city.vocabulary import FEATURE_NAMES
from tests.games.running import uncompiled
from tests.games.tag_city.ledger import Decision, replay
from tests.games.tag_city.plain import Weigher
from tests.games.tag_city.table import (
    GREEDY,
    RANDOM,
    STYLES,
    city,
    like,
    log_of,
    setup,
    style,
)

TOWN = city("AAABB\nAACBB\nDCCCB\nDDDCB\nDDDCB", rows=(3, 1), columns=(2, 1))
HAMLET = city("AAB\nABB")
SIDES = ("side_mine", "side_rivals", "side_dice")
BY_DIE = ("last_die_mine", "last_die_rivals", "denied")
OF_DEED = tuple(name for name in FEATURE_NAMES if name not in (*SIDES, *BY_DIE))
CLOSE = 1e-9


def decisions(cell, games, **options):
    """Return the decisions of some games."""
    return [d for game in games for d in replay(cell, log_of(cell, game, **options)).decisions]


def side_values(decision: Decision, weights) -> dict[int, float]:
    """Return the value of each space on which the leader could have put the die."""
    spaces = (decision.value - 1, decision.value % 6)
    found = {space: decision.position.side_features(space) for space in spaces}
    return {
        space: sum(weights.get(name, 0.0) * value for name, value in features.items())
        for space, features in found.items()
    }


def values(decision: Decision, weights) -> dict:
    """Return the value of every action."""
    drafting = decision.what == "draft"
    weigher = Weigher(decision.position, decision.seat, drafting, dict(weights))
    actions = decision.position.actions(decision.seat, drafting)
    return {action: weigher.value(action) for action in actions}


def check_best(cell, weights, games=range(2)) -> None:
    """Every decision took an action that no other is better than."""
    for decision in decisions(cell, games):
        if decision.what == "side":
            found = side_values(decision, weights)
            assert found[decision.space] >= max(found.values()) - CLOSE
        else:
            found = values(decision, weights)
            assert decision.action in found
            assert found[decision.action] >= max(found.values()) - CLOSE, decision


@uncompiled
@pytest.mark.parametrize("name", [name for name in STYLES if name != "random"])
@pytest.mark.parametrize("players", [2, 4])
def test_shipped_styles_take_the_best_action(name, players):
    cell = setup(players, STYLES[name], components=TOWN, city="X")
    check_best(cell, STYLES[name].weights, range(1))


@uncompiled
@pytest.mark.parametrize("feature", FEATURE_NAMES)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_feature_alone_decides(feature, sign):
    weights = {"row_progress": 0.01, feature: sign}
    cell = setup(3, style(**weights), components=TOWN, city="X", hq="B")
    check_best(cell, weights, range(1))


RULINGS = st.fixed_dictionaries(
    {
        "hq": st.sampled_from(["A", "B"]),
        "bubble_values": st.lists(st.integers(-3, 2), max_size=5),
        "drone_values": st.lists(st.integers(-3, 2), max_size=4),
        "last_die_tie": st.sampled_from(["share_large", "leader_first"]),
        "first_leader": st.sampled_from(["seat0", "random"]),
    }
)
WEIGHTS = st.dictionaries(
    st.sampled_from(FEATURE_NAMES), st.sampled_from([-2.0, -0.7, 0.3, 1.0, 3.0]), max_size=6
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(WEIGHTS, RULINGS, st.integers(2, 4), st.integers(0, 999))
def test_any_weights_and_rulings(weights, rulings, players, game):
    cell = setup(players, style(**weights), components=TOWN, city="X", round_cap=6, **rulings)
    check_best(cell, weights, [game])


def ranks(cell, temperature=None, weights=None, games=range(150)) -> list[float]:
    """Return where each chosen action lies in its distribution, as a uniform number.

    Without weights every action is as likely; with them the best are, or by softmax all.
    """
    luck = np.random.default_rng(5)
    found = []
    for decision in decisions(cell, games):
        if decision.what == "side":
            continue
        worth = values(decision, weights or {})
        actions = sorted(worth, key=lambda a: (a[:4], sorted(a.squares), a.bubble))
        worths = np.array([worth[action] for action in actions])
        if temperature is None:
            chances = (worths >= worths.max() - CLOSE).astype(float)
        else:
            chances = np.exp((worths - worths.max()) / temperature)
        chances /= chances.sum()
        at = actions.index(decision.action)
        found.append(chances[:at].sum() + luck.random() * chances[at])
    return found


@pytest.mark.parametrize(
    ("made", "weights", "temperature"),
    [
        (RANDOM, None, None),
        (style(temperature=0.7), None, None),
        (style(squares=1.0), {"squares": 1.0}, None),
        (style(row_progress=1.0, temperature=0.5), {"row_progress": 1.0}, 0.5),
        (style(drone=-1.0, check=0.5, temperature=1.0), {"drone": -1.0, "check": 0.5}, 1.0),
        (
            style(ends_ahead=1.0, holes=-0.5, large_points=0.3, temperature=0.8),
            {"ends_ahead": 1.0, "holes": -0.5, "large_points": 0.3},
            0.8,
        ),
    ],
)
def test_equal_actions_are_drawn_evenly_and_others_by_softmax(made, weights, temperature):
    cell = setup(2, made, components=HAMLET, city="X", drone_values=[-1, -1])
    found = ranks(cell, temperature, weights)
    assert len(found) > 500
    assert stats.kstest(found, "uniform").pvalue > 1e-4


def test_dice_of_the_same_value_on_the_same_space_are_one_choice():
    cell = setup(3, RANDOM, components=HAMLET, city="X")
    twins = 0
    for decision in decisions(cell, range(100)):
        if decision.what == "draft":
            listed = decision.position.actions(decision.seat, drafting=True)
            assert len(listed) == len(set(listed))
            twins += max(decision.position.dice.values()) > 1
    assert twins > 50


def test_the_order_in_which_dice_are_rolled_does_not_matter():
    cell = setup(4, GREEDY)
    rolls = {}
    for game in range(400):
        log = log_of(cell, game)[: 6 + 1 + 10].tolist()
        rolled = tuple(row[4] for row in log if row[0] == 2)
        placed = tuple(tuple(row[3:5]) for row in log if row[0] == 3)
        assert tuple(value for value, _ in placed) == tuple(sorted(rolled))
        rolls.setdefault(tuple(sorted(rolled)), {}).setdefault(rolled, set()).add(placed)
    mixed = [orders for orders in rolls.values() if len(orders) > 1]
    assert len(mixed) > 40
    for orders in mixed:
        assert len({places for found in orders.values() for places in found}) <= 4


@pytest.mark.parametrize(
    "forbid", [["drone"], ["check", "paint"], ["paint", "drone"], ["check", "i2", "o4"], ["check"]]
)
@pytest.mark.parametrize("base", ["random", "greedy", "packer"])
def test_what_a_style_avoids(forbid, base):
    avoiding = STYLES[base].model_copy(update={"forbid": forbid})
    cell = setup(3, avoiding, components=TOWN, city="X", round_cap=4)
    avoided = 0
    for decision in decisions(cell, range(4)):
        if decision.what != "side":
            listed = decision.position.actions(decision.seat, decision.what == "draft")
            allowed = [a for a in listed if a.kind not in forbid and a.shape not in forbid]
            assert decision.action in (allowed or listed)
            avoided += 0 < len(allowed) < len(listed)
    assert avoided > 10


def test_everything_forbidden_is_as_if_nothing_were():
    avoiding = GREEDY.model_copy(update={"forbid": ["paint", "drone", "check"]})
    cell = setup(2, avoiding, components=HAMLET, city="X")
    found = ranks(cell)
    assert stats.kstest(found, "uniform").pvalue > 1e-4


@uncompiled
def test_a_bubble_is_chosen_by_its_value_and_shown_once_for_each_value():
    lover = style(check=5.0, bubble_points=1.0)
    cell = setup(2, lover, bubble_values=[-2, 0, -2, 1, 0])
    told = replay(cell, log_of(cell, 0))
    taken = [d.action.bubble for d in told.decisions if d.what != "side"]
    assert taken[:4] == [3, 1, 4, 4]
    assert told.checks[0] + told.checks[1] == 4 + 2 * 2 * (len(told.leaders) - 1)


def test_worth_of_sides_is_asked_of_the_leaders_own_style():
    kind, mean = like("greedy", side_mine=5.0), like("greedy", side_mine=-5.0)
    for styles in ((kind, mean), (mean, kind)):
        cell = setup(2, *styles, components=TOWN, city="X")
        for decision in decisions(cell, range(2)):
            if decision.what == "side":
                found = side_values(decision, styles[decision.seat].weights)
                assert found[decision.space] >= max(found.values()) - CLOSE
