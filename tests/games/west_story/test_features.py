"""What players see in an act: the act taken is one of the best by weights . features, of all legal.

Legal acts, payments and features are read in plain Python off the referee's table (`legal`,
`plain`, `mind`), at the choices found in the log (`moments`).
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from sim.games.west_story.vocabulary import FEATURE_NAMES

from ..running import uncompiled
from .any_cells import Luck, cells
from .cells import COMPONENTS, GAME, GREEDY, OPEN, STYLES, changed, log_of, setup, style
from .legal import Paid, bribe, payment
from .moments import Moment, moments, watched
from .plain import executions

SWITCHED = {
    "end_test": "last_taken", "hat_bonus": "each_execution", "richest": "coins_and_cows",
    "licence_vp": 1, "villain_vp": "at_once", "double_wild": "cow", "wild_third": True,
    "skip_cow_overflow": "nothing", "paid_cows": "become_coins", "dodge_city": "together",
    "wild_tokens": True, "uncatchable_villain": True, "buildings": "random",
}  # fmt: skip


def check_best(cell, styles, games, seed=1) -> list[Moment]:
    """Every choice is legal, paid by the rule, and one that no other is better than."""
    found = [moment for game in games for moment in moments(cell, styles, game, seed)]
    for moment in found:
        assert moment.taken in moment.acts
        assert moment.chances[moment.taken] > 0, (moment.stage, moment.taken, moment.values)
        assert moment.paid in (None, moment.mind.paid(moment.taken))
    return found


def test_each_feature_is_explained_and_named_once():
    assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES)
    assert all(feature.doc for feature in GAME.features)


@pytest.mark.parametrize("name", [name for name in STYLES if name != "random"])
@pytest.mark.parametrize("rulings", [{}, SWITCHED], ids=["defaults", "switched"])
def test_shipped_styles_take_the_best_act(name, rulings):
    players = 2 + list(STYLES).index(name) % 3
    check_best(setup(players, STYLES[name], **rulings), [STYLES[name]] * players, [0])


@uncompiled
def test_a_greedy_player_takes_the_best_act():
    check_best(setup(2, GREEDY, round_cap=5), [GREEDY] * 2, [0])


ABILITIES = ["workshop", "sheriff_office", "telegraph_office", "gold_mine", "general_store"]
BESIDE = {"reset_gain": {"vp": 1.0}}
"""Weights without which a feature is always 0."""


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("name", FEATURE_NAMES)
def test_a_feature_alone_decides(name, sign):
    """With a near lake and building types that give abilities."""
    made = style(**BESIDE.get(name, {}), **{name: sign})
    rulings = SWITCHED if sign > 0 else {"wild_tokens": True}
    near = changed("pan.bonus_at", 12)
    cell = setup(2, made, components=near, **rulings | {"buildings": ABILITIES})
    found = check_best(cell, [made] * 2, [3, 4])
    kinds = {"reset"} if name in BESIDE else {act.kind for m in found for act in m.acts}
    assert any(len(values_of(moment, kinds)) > 1 for moment in found)


def values_of(moment, kinds):
    """Return the values of acts of some kinds."""
    return {value for act, value in moment.values.items() if act.kind in kinds}


def odd_weights(luck):
    """Return weights of any size for some of the features."""
    share = luck.choice([0.15, 0.5, 1.0])
    sizes = luck.normal(size=len(FEATURE_NAMES)) * luck.choice([0.1, 1.0, 3.0], len(FEATURE_NAMES))
    names = zip(FEATURE_NAMES, sizes.tolist(), strict=True)
    return {name: size for name, size in names if luck.random() < share}


CROWDED = changed("pan.coins", 8, changed("pan.bonus_at", 25, OPEN))
"""Components with which certificates, the lake and an empty pan are often at hand."""


def odd_cell(number):
    """Return a cell of made styles under some of the switched rulings, and the styles.

    The components are those of the game, crowded, or any that a file may hold.
    """
    luck, kind = np.random.default_rng(number), number % 3
    components = (COMPONENTS, CROWDED, Luck(number).components() if kind == 2 else None)[kind]
    names = GAME.actions_of(components)
    styles = [
        style(forbid=luck.choice(names, luck.integers(0, 4)).tolist(), **odd_weights(luck))
        for _ in range(2 + number // 3 % 3)
    ]
    rulings = {name: value for name, value in SWITCHED.items() if luck.random() < 0.5}
    return setup(len(styles), *styles, components=components, **rulings), styles


@pytest.mark.parametrize("number", range(18))
def test_any_weights_and_components(number):
    check_best(*odd_cell(number), [number, number + 1])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(18, 200))
def test_many_more_weights_and_components(number):
    check_best(*odd_cell(number), range(number, number + 3))


@pytest.mark.slow
@settings(max_examples=600, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(cells(temperatures=[0.0]))
def test_whatever_the_cell(cell):
    check_best(cell.setup, cell.styles, [cell.first], cell.seed)


COUNTING = {
    name: space | {"effect": "1 cow + 1 vp per 2 cows or 1 vp per disc or 1 vp"}
    for name, space in COMPONENTS["board"].items()
    if isinstance(space, dict)
}
LONELY = changed("start.coins", 20, changed("uncatchable.leaves_at", 2)) | {
    "areas": {
        name: area | {"villain": name == "desert"} for name, area in COMPONENTS["areas"].items()
    },
    "villain_tokens": COMPONENTS["villain_tokens"]
    | {"places": 1, "tokens": {"v1": COMPONENTS["villain_tokens"]["tokens"]["v1"]}},
}
"""Components with one villain, in the desert, who is as like as not the uncatchable one."""
CLOSE_CALLS = {
    # a certificate is worth more, or less, the longer the game lasts
    "certificates": (CROWDED, {"certificate_vp": 1.0, "certificate": -5.0, "vp": 0.3}),
    # one that leaves with the first payment is not met again
    "the uncatchable": (LONELY, {"meets_villain": -0.4, "certificate": 0.1, "vp": 1.0}),
    # what an effect counts is counted before the act
    "counts": (
        changed("board", COMPONENTS["board"] | COUNTING),
        {"vp": 1.0, "cows": -0.4, "trade": 1.0},
    ),
}


@pytest.mark.parametrize("name", CLOSE_CALLS)
def test_close_calls(name):
    components, weights = CLOSE_CALLS[name]
    made = style(**weights)
    cell = setup(3, made, components=components, uncatchable_villain=True)
    found = check_best(cell, [made] * 3, range(6))
    assert {moment.stage for moment in found} >= {"villain", "trade", "purchase"}


# The plain reading, by hand


@uncompiled
@pytest.mark.parametrize(
    ("owned", "cost", "cows_first", "paid"),
    [
        ((3, 4, 1), (2, 1, 0), False, (2, 1, 0)),
        # a cow in place of a hat, whatever the style prefers
        ((1, 4, 1), (2, 1, 0), False, (1, 1, 1)),
        # coins as far as they go, or cows first
        ((0, 2, 3), (0, 4, 0), False, (0, 2, 2)),
        ((0, 2, 3), (0, 4, 0), True, (0, 1, 3)),
        ((0, 9, 2), (1, 4, 0), True, (0, 3, 2)),
        # what is free: hats that are lacking, then coins, then other hats
        ((2, 4, 0), (4, 3, 2), False, (2, 3, 0)),
        ((2, 4, 0), (4, 3, 3), False, (2, 2, 0)),
        ((2, 4, 0), (2, 3, 4), False, (1, 0, 0)),
        ((2, 4, 0), (2, 3, 9), False, (0, 0, 0)),
        ((1, 1, 1), (2, 2, 0), False, None),
        ((1, 1, 1), (2, 2, 1), False, (1, 1, 1)),
    ],
)
def test_how_a_player_pays(owned, cost, cows_first, paid):
    player = fresh_table().players[0]
    player.hats, player.coins, player.cows = owned
    assert payment(player, *cost, cows_first) == (Paid(*paid) if paid else None)


def fresh_table():
    """Return the table before the first production of a game."""
    cell = setup(2, round_cap=1)
    tables = watched(cell, log_of(cell, 0))
    return tables[min(tables)]


@uncompiled
def test_how_a_villain_is_paid():
    player = fresh_table().players[0]
    player.coins, player.cows = 2, 2
    assert [bribe(player, asked, False) for asked in (1, 3, 9)] == [(0, 1, 0), (0, 2, 1), (0, 2, 2)]
    assert [bribe(player, asked, True) for asked in (1, 3, 9)] == [(0, 0, 1), (0, 1, 2), (0, 2, 2)]


@uncompiled
def test_executions_to_be_expected():
    assert executions(frozenset(), 3, 0.6) == pytest.approx(0.1)
    # one marker to come on an empty row: a sixth; six: once; twelve: twice
    assert [executions(frozenset(), 3, n) for n in (1, 6, 12)] == pytest.approx([1 / 6, 1, 2])
    # spots 1 and 2 are marked: half of all dice fall on the spot after them
    marks = frozenset([0, 1, 7, 8])
    assert executions(marks, 2, 1) == pytest.approx(3 / 6)
    assert executions(marks, 2, 2.5) == pytest.approx(1 / 2 + 1 / 2 * 1.5 / 3)
    assert executions(marks, 3, 4) == pytest.approx(1)
    # a row is left with five marks: the next marker falls there
    assert executions(frozenset(range(6, 11)), 11, 1) == pytest.approx(1)
    assert executions(frozenset([5]), 0, 1) == pytest.approx(2 / 6)


@uncompiled
def test_values_are_weights_times_features():
    made = style(vp=2.0, card=0.5, coins=1.0, hats_lost=-0.25)
    cell = setup(2, made, round_cap=3)
    for moment in moments(cell, [made] * 2, 1):
        if moment.stage == "purchase":
            mind = moment.mind
            for act, value in moment.values.items():
                if act.kind == "buy":
                    card, paid = mind.card(act.a), mind.paid(act)
                    left = (mind.player.hats - paid.hats) * mind.last
                    assert value == 2.0 * card.vp + 0.5 - paid.coins - 0.25 * left
