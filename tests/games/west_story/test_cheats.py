"""No row of a log can be left out, doubled or changed without the referee's notice."""

import numpy as np
import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import events
from sim.games.west_story.referee import replay

from .logs import COMPONENTS, RULINGS
from .random_play import RandomGame
from .shipped import with_changes

KINDS = [name for name, code in vars(events).items() if name.isupper() and isinstance(code, int)]
KINDS = KINDS[KINDS.index("SET") : KINDS.index("SCORE") + 1]
USED = {
    "SET": 2, "BOARD": 1, "CERTIFICATE_AT": 3, "TOKEN_AT": 3, "ORDER": 3, "DRAW": 3, "ROLL": 2,
    "MARK": 3, "COMBO_COW": 1, "EXECUTE": 2, "GAIN": 3, "FLIP": 2, "PAN_COIN": 1, "WILD_TOKEN": 1,
    "CLEAR": 1, "TURN": 0, "FIGHT": 2, "BRIBE": 2, "LEAVE": 2, "TRADE": 2, "CERTIFICATE": 3,
    "RESET": 2, "RETURN": 3, "UNDER": 3, "BUY": 3, "SKIP": 0, "PAY": 3, "RICHEST": 1, "END": 1,
    "FINAL": 2, "SCORE": 3,
}  # fmt: skip
"""Fields a, b, c that each kind of row uses."""

NARROW = [2, 5, 8, 11, 999]
CROWDED = {
    "areas": {
        f"area_{number}": {
            "source": "assumed",
            "title": f"Area {number}",
            "first": NARROW[number - 1] + 1 if number else 0,
            "last": last,
            "town": ("fort_worth", "", "abilene", "dodge_city", "dodge_city")[number],
            "villain": number > 0,
            "desert": number == 1,
        }
        for number, last in enumerate(NARROW)
    }
}
"""A short track on which much happens in a few rounds."""


def crowded():
    components = with_changes(
        {
            "start.coins": 9, "start.cows": 3, "pan.bonus_at": 9, "wild_tokens.at": [2, 5],
            "uncatchable.leaves_at": 2, "villain_tokens.coins": 1,
        }
    )  # fmt: skip
    tokens = components["villain_tokens"] | {"places": 4}
    return components | CROWDED | {"villain_tokens": tokens}


RULED = {
    "villain_vp": "at_once",
    "wild_tokens": True,
    "uncatchable_villain": True,
    "wild_third": True,
    "round_cap": 4,
}
SHORT = crowded()


LOG = RandomGame(3, 4, SHORT, **RULED).play()
FAIR = replay(LOG, SHORT, RULINGS | RULED, 3)
SAMPLE = 2
"""Rows of a kind that are changed, spread over the game."""


def judge(log):
    return replay(log, SHORT, RULINGS | RULED, 3)


def rows_of(kind, most=SAMPLE):
    """Return the numbers of some rows of a kind."""
    found = np.flatnonzero(LOG[:, 0] == KINDS.index(kind)).tolist()
    return found[:: -(-len(found) // most)]


def refused(log):
    with pytest.raises(RuleBroken) as caught:
        judge(log)
    assert "\n" not in str(caught.value)


def with_field(row, field, value):
    log = LOG.copy()
    log[row, field] = value
    return log


def test_the_game_has_every_kind_of_row():
    assert {KINDS[code] for code in LOG[:, 0]} == set(KINDS) == set(USED)


@pytest.mark.parametrize("kind", KINDS)
def test_no_row_may_be_missing(kind):
    for row in rows_of(kind):
        refused(np.delete(LOG, row, axis=0))


@pytest.mark.parametrize("kind", KINDS)
def test_no_row_may_come_twice(kind):
    for row in rows_of(kind):
        refused(np.insert(LOG, row, LOG[row], axis=0))


@pytest.mark.parametrize("kind", KINDS)
def test_no_row_may_belong_to_another_round_or_seat(kind):
    for row in rows_of(kind):
        _, number, seat, *_ = LOG[row].tolist()
        for other in (number - 1, number + 1):
            refused(with_field(row, 1, other))
        for other in {-1, 0, 1, 2, 3} - {seat}:
            refused(with_field(row, 2, other))


@pytest.mark.parametrize("kind", KINDS)
def test_no_row_may_be_of_another_kind(kind):
    for row in rows_of(kind):
        for other in {-1, *range(0, len(KINDS), 8), len(KINDS)} - {KINDS.index(kind)}:
            refused(with_field(row, 0, other))


@pytest.mark.parametrize("kind", KINDS)
def test_unused_fields_hold_minus_one(kind):
    for row in rows_of(kind, most=2):
        for field in range(3 + USED[kind], 6):
            refused(with_field(row, field, 0))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if USED[kind]])
def test_no_number_may_be_changed(kind):
    """What is left is a fair game that differs: other luck that makes no difference later."""
    for row in rows_of(kind):
        for field in range(3, 3 + USED[kind]):
            for change in (-1000, -1, 1, 1000):
                log = with_field(row, field, LOG[row, field] + change)
                try:
                    seen = judge(log)
                except RuleBroken:
                    continue
                assert abs(change) == 1
                assert kind in FREE
                assert seen.events != FAIR.events


FREE = (
    "BOARD",
    "CERTIFICATE_AT",
    "TOKEN_AT",
    "UNDER",
    "ORDER",
    "ROLL",
    "TRADE",
    "CERTIFICATE",
    "BUY",
)
"""Rows that other luck, or a choice without consequences in the rows to come, may change."""


def test_rows_cannot_change_places():
    """Neighbours that may: two of a set whose order the rulebook leaves free."""
    free = ("EXECUTE", "GAIN", "FLIP", "CLEAR", "WILD_TOKEN", "PAN_COIN")
    for row in range(0, len(LOG) - 1, 5):
        log = LOG.copy()
        log[[row, row + 1]] = LOG[[row + 1, row]]
        if (log[row] == log[row + 1]).all():
            continue
        try:
            judge(log)
        except RuleBroken:
            continue
        kinds = {KINDS[LOG[row, 0]], KINDS[LOG[row + 1, 0]]}
        assert kinds <= set(free), kinds


# Cheats in the set-up


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("SET", {4: 10**6}, "card 1000000 of the file .* expected: building type"),
        ("SET", {4: 0}, "but they must be buildings"),
        ("SET", {3: 3}, "is building type 3, but expected: building type 0"),
        ("BOARD", {3: 4}, "every player takes another of the four boards"),
        ("CERTIFICATE_AT", {5: 6}, "every certificate is there once"),
        ("CERTIFICATE_AT", {4: 1}, "expected: the certificate at place 0 of stack 0"),
        ("TOKEN_AT", {5: 9}, "every villain token is there once"),
        ("TOKEN_AT", {4: 1}, "expected: the villain token of Area 1"),
        ("ORDER", {5: 500}, "0 x .* in the production deck, not 1"),
        ("ORDER", {3: 1}, "expected: card 0 of the production deck"),
        ("DRAW", {5: 0}, "but expected: .* comes to slot 0 of the production row"),
    ],
)
def test_the_set_up_is_that_of_the_rulebook(kind, changes, message):
    log = LOG.copy()
    row = np.flatnonzero(LOG[:, 0] == KINDS.index(kind))[0]
    for field, value in changes.items():
        log[row, field] = value
    with pytest.raises(RuleBroken, match=message):
        judge(log)


def building_log(ruling, *names):
    """Start a log with these types of buildings in play."""
    cards = list(COMPONENTS["cards"])
    log = np.array([[0, -1, -1, place, cards.index(name), -1] for place, name in enumerate(names)])
    with pytest.raises(RuleBroken) as caught:
        replay(log, COMPONENTS, RULINGS | {"buildings": ruling}, 2)
    return str(caught.value)


BASE = ("workshop", "trappers_hut", "ranch", "hotel", "bank")
OTHER = ("workshop", "trappers_hut", "ranch", "hotel", "saloon")


@pytest.mark.parametrize(
    ("ruling", "names", "message"),
    [
        ("base", OTHER, "the five of the base game are in play"),
        (list(BASE), OTHER, "workshop, trappers_hut, ranch, hotel, bank are in play"),
        ("random", (*OTHER[:4], "workshop"), "5 different types are in play"),
        ("random", ("workshop", "hotel", "bank", "gold_mine", "ranch"), "two others 4 hats or mo"),
        ("even", ("trappers_hut", "ranch", "saloon", "sheriff_office", "bank"), "two must cost 4"),
    ],
)
def test_the_building_types_follow_the_set_up_rule(ruling, names, message):
    assert message in building_log(ruling, *names)
    assert "a player board" in building_log(ruling if ruling != "base" else "even", *BASE)


@pytest.mark.slow
def test_no_row_of_any_game_may_be_missing_or_twice():
    for seed in range(20):
        log = RandomGame(2 + seed % 3, seed, SHORT, **RULED).play()
        for row in range(len(log)):
            for spoilt in (np.delete(log, row, axis=0), np.insert(log, row, log[row], axis=0)):
                with pytest.raises(RuleBroken):
                    replay(spoilt, SHORT, RULINGS | RULED, 2 + seed % 3)
