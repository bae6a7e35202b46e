"""How a player of the compiled game picks among legal acts: evenly, by softmax, what it avoids."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim.games.west_story import events
from sim.games.west_story.components import Components
from sim.games.west_story.state import actions_of

from ..running import uncompiled
from .cells import COMPONENTS, GREEDY, OPEN, RANDOM, changed, log_of, played, setup, style
from .legal import PASS
from .moments import Moment, Window, moments, watched

SURE = 1e-6
"""Chance that a check of luck fails although the luck is fair."""
BINS = 8
STAGES = (
    "combo",
    "token",
    "alternative",
    "villain",
    "trade",
    "window",
    "reset",
    "purchase",
    "last",
)
EVERYTHING = actions_of(Components(**COMPONENTS))
RULINGS = {"wild_tokens": True, "uncatchable_villain": True, "wild_third": True}


def seen(made, games, players=3, **options) -> list[Moment]:
    """Return the choices of some games among players of one style."""
    cell = setup(players, made, **options)
    return [moment for game in games for moment in moments(cell, [made] * players, game)]


def check_luck(found: list[Moment], least=25) -> Counter:
    """See that acts are taken as often as their chances say; return how many choices there were.

    Each act is turned into a number between 0 and 1, where it lies in its distribution, and each
    kind of act is counted.
    """
    luck = np.random.default_rng(5)
    places, kinds, due, spread = {}, Counter(), Counter(), Counter()
    for moment in found:
        acts = sorted(moment.chances)
        shares = np.array([moment.chances[act] for act in acts])
        at = acts.index(moment.taken)
        places.setdefault(moment.stage, []).append(shares[:at].sum() + luck.random() * shares[at])
        for kind in {act.kind for act in acts}:
            chance = sum(moment.chances[act] for act in acts if act.kind == kind)
            kinds[moment.stage, kind] += moment.taken.kind == kind
            due[moment.stage, kind] += chance
            spread[moment.stage, kind] += chance * (1 - chance)
    for stage, numbers in places.items():
        if len(numbers) >= least:
            counts = np.histogram(numbers, bins=BINS, range=(0, 1))[0]
            assert stats.chisquare(counts).pvalue > SURE, stage
    for key, n in kinds.items():
        if spread[key] > 5:
            assert abs(n - due[key]) < 5.5 * np.sqrt(spread[key]), key
    return Counter({stage: len(numbers) for stage, numbers in places.items()})


@pytest.fixture(scope="module")
def at_random():
    """Choices of random players, everywhere that a choice can be."""
    return [
        *seen(RANDOM, range(30), **RULINGS),
        *seen(RANDOM, range(20), players=4, components=OPEN, buildings="random", **RULINGS),
        *seen(RANDOM, range(10), players=2),
    ]


def test_a_random_player_takes_every_legal_act_evenly(at_random):
    counts = check_luck(at_random)
    assert set(counts) == set(STAGES)
    assert min(counts.values()) >= 25


def test_every_kind_of_act_is_legal_and_taken_at_every_stage(at_random):
    taken = {(moment.stage, moment.taken.kind) for moment in at_random}
    assert taken == {
        ("combo", "spot"), ("combo", "cow"), ("token", "spot"), ("token", "pass"),
        ("alternative", "alternative"), ("villain", "fight"), ("villain", "bribe"),
        ("villain", "certificate"), ("trade", "trade"), ("trade", "pass"), ("window", "pass"),
        ("window", "certificate"), ("window", "trade"), ("reset", "reset"), ("reset", "pass"),
        ("purchase", "buy"),
        ("purchase", "skip"), ("purchase", "certificate"), ("last", "pass"),
        ("last", "certificate"),
    } | (taken & {("token", "cow")})  # fmt: skip


def test_cards_and_spots_are_chosen_alike_wherever_they_lie(at_random):
    """Counts by deck and slot, and by spot, against the sum of their chances."""
    for what, size in ((lambda act: act.a, 12), (lambda act: act.b, events.SPOTS)):
        counts, due = np.zeros(size), np.zeros(size)
        for moment in at_random:
            if moment.taken.kind == "buy":
                share = 1 / sum(act.kind == "buy" for act in moment.acts)
                counts[what(moment.taken)] += 1
                for act in moment.acts:
                    if act.kind == "buy":
                        due[what(act)] += share
        assert stats.chisquare(counts, due).pvalue > SURE


def test_payments_are_made_by_the_rule(at_random):
    """Coins before cows, or cows first where a style prefers coins; abilities are used up."""
    prefers = {
        "cows": [*at_random, *seen(style(cows=1.0, coins=0.5, card=9.0, fight=9.0), range(4))],
        "coins": seen(style(coins=1.0, cows=0.5, card=9.0, fight=9.0, town_vp=9.0), range(12)),
    }
    mixed = Counter()
    for kept, found in prefers.items():
        for moment in found:
            if moment.paid is not None:
                assert moment.paid == moment.mind.paid(moment.taken)
                player, paid = moment.mind.player, moment.paid
                assert moment.taken.kind in {
                    "fight", "bribe", "trade", "certificate", "reset", "buy",
                }  # fmt: skip
                mixed[kept, moment.taken.kind, paid.cows > 0] += 1
                if paid.cows and kept == "cows":
                    assert paid.coins == player.coins or paid.hats == player.hats
                if paid.coins and kept == "coins":
                    assert paid.cows == player.cows
    for kept, kinds in (("cows", 6), ("coins", 4)):
        assert len({kind for key, kind, cows in mixed if key == kept and cows}) >= kinds


@uncompiled
def test_short_games_of_random_players_are_legal():
    for moment in seen(RANDOM, range(2), players=2, round_cap=4, wild_tokens=True):
        assert moment.taken in moment.acts


@pytest.mark.parametrize("temperature", [0.6, 3.0])
def test_softmax_draws_in_proportion(temperature):
    made = style(
        temperature, coins=0.5, cows=0.4, vp=0.3, card=0.6, trade=0.4, certificate=0.5, fight=0.3,
        reset=-0.7, hats_lost=-0.2, combos=0.3, token=-0.2, clears_row=0.5,
    )  # fmt: skip
    found = seen(made, range(8), components=OPEN, **RULINGS)
    counts = check_luck(found)
    assert sum(counts.values()) > 1000
    unlike = [moment for moment in found if len(set(moment.chances.values())) > 1]
    assert len(unlike) > 0.6 * len(found)


def test_equally_good_acts_are_equally_likely():
    made = style(card=1.0, fight=1.0, trade=1.0, certificate=-1.0)
    found = seen(made, range(8), **RULINGS)
    assert sum(check_luck(found).values()) > 500
    best = [[act for act, chance in moment.chances.items() if chance] for moment in found]
    assert sum(1 < len(acts) < len(m.acts) for acts, m in zip(best, found, strict=True)) > 300


def test_everything_forbidden_is_as_if_nothing_were():
    """But for a trade, a reset, a token and a last certificate, which can be passed over."""
    made = GREEDY.model_copy(update={"forbid": list(EVERYTHING), "temperature": 0.7})
    found = seen(made, range(10), components=OPEN, **RULINGS)
    check_luck(found)
    for moment in found:
        if PASS in moment.acts and moment.stage != "window":
            assert moment.taken == PASS
    assert {"buy", "skip", "certificate"} <= {moment.taken.kind for moment in found}


@pytest.mark.parametrize(
    "forbid",
    [
        ["skip"], ["fight"], ["trade"], ["certificate"], ["reset"], ["token"],
        ["hotel", "mustang", "stagecoach"], ["abilene", "dodge_city"], ["v1", "v2", "v3", "v4"],
        ["skip", "posse", "eagle", "santa_fe", "v8"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("base", [RANDOM, GREEDY, GREEDY.model_copy(update={"temperature": 2.0})])
def test_a_style_avoids_what_it_forbids_while_it_has_another(base, forbid):
    made = base.model_copy(update={"forbid": forbid})
    avoided = 0
    for moment in seen(made, range(3), components=OPEN, wild_tokens=True):
        allowed = [act for act in moment.acts if not moment.mind.avoids(act)]
        assert moment.taken in (allowed or moment.acts)
        avoided += 0 < len(allowed) < len(moment.acts)
    assert avoided > 2


def test_what_is_forbidden_is_not_in_the_tables():
    forbid = ["hotel", "abilene", "certificate", "reset"]
    for base in (RANDOM, GREEDY):
        made = base.model_copy(update={"forbid": forbid})
        tables = played(setup(3, made), 200)
        market, towns = tables["market"], tables["towns"]
        hotel = list(COMPONENTS["cards"]).index("hotel")
        assert not market[market["card"] == hotel]["bought"].any()
        assert not towns[towns["town"] == list(COMPONENTS["towns"]).index("abilene")]["discs"].any()
        for column in ("certificates", "resets"):
            assert not tables["games"][column].any()
        free = played(setup(3, base), 200)
        assert free["games"]["certificates"].any()
        assert free["market"][free["market"]["card"] == hotel]["bought"].any()


def test_who_can_only_fight_fights_a_villain_that_it_forbids():
    """Villains that ask for more than anybody has, and are fought for nothing."""
    tokens = {
        name: token | {"hats": 0, "coins": 0, "pay": 20}
        for name, token in COMPONENTS["villain_tokens"]["tokens"].items()
    }
    free = changed("villain_tokens.tokens", tokens)
    found = seen(style(forbid=["fight"]), range(6), components=free)
    faced = [moment for moment in found if moment.stage == "villain"]
    alone = [moment for moment in faced if len(moment.acts) == 1]
    assert len(alone) > 10
    assert all(moment.taken.kind == "fight" for moment in alone)


# What is no choice


def hats_of(table, seat, spot):
    """Return the hats of a spot that leaves no choice, -1 of one that does."""
    action = table.action(seat, spot)
    if len(action.alternatives) > 1:
        return -1
    return sum(term.amount for term in action.alternatives[0] if term.what == "hats")


@uncompiled
def test_marked_spots_are_executed_most_hats_first_and_choices_last():
    cell = setup(3, RANDOM, round_cap=6)
    orders = 0
    for game in range(2):
        log = log_of(cell, game)
        tables, rows = watched(cell, log), log.tolist()
        marked, due = [], None
        for at, row in enumerate(rows):
            if row[0] == events.MARK and row[4] != events.TRADED:
                marked = [*marked, row[3]] if row[4] != events.YELLOW else [row[3]]
                due = None
            elif row[0] == events.EXECUTE and marked:
                if due is None:
                    hats = {spot: hats_of(tables[at], row[2], spot) for spot in marked}
                    due = sorted(marked, key=lambda spot: -hats[spot])
                    orders += due != marked
                assert row[3] == due.pop(0)
                marked = marked if due else []
    assert orders > 5


def test_decisions_are_choices_with_another_legal_act():
    cell, compared = setup(3, RANDOM, **RULINGS), 0
    for game in range(30):
        found = moments(cell, [RANDOM] * 3, game)
        windows = [moment for moment in found if isinstance(moment, Window)]
        if all(window.taken == PASS for window in windows):
            # after no trade in the desert the reset was a choice too
            asked = sum(len(window.resets.acts) > 1 for window in windows)
            due = sum(len(moment.acts) > 1 for moment in found) + asked
            assert played(cell, 1, first=game)["games"]["decisions"][0] == due
            compared += 1
    assert compared > 5
