"""The referee lets fair games pass, whatever legal choices are made, and keeps the books."""

from collections import Counter

import numpy as np
import pytest

from sim.games.game import RuleBroken
from sim.games.west_story import endgame
from sim.games.west_story.logbook import (
    AtTheLake,
    DicePassed,
    GameOver,
    Production,
    RoundBegins,
    SetUp,
    Turn,
)
from sim.games.west_story.referee import replay
from sim.games.west_story.rulebook import NEUTRAL, LakeCoin, Rules

from .logs import COMPONENTS, RULINGS
from .random_play import RandomGame
from .shipped import with_changes

SWITCHES = {
    "end_test": ("cannot_take", "last_taken"),
    "hat_bonus": ("on_reaching_four", "each_execution"),
    "richest": ("coins", "coins_and_cows"),
    "licence_vp": (2, 1),
    "villain_vp": ("end", "at_once"),
    "double_wild": ("free_choice", "cow"),
    "wild_third": (False, True),
    "skip_cow_overflow": ("vp", "nothing"),
    "paid_cows": ("stay_cows", "become_coins"),
    "dodge_city": ("per_side", "together"),
    "wild_tokens": (False, True),
    "uncatchable_villain": (False, True),
}


def ruled(number):
    """Return a combination of rulings: bit i says which value switch i has."""
    return {name: values[number >> i & 1] for i, (name, values) in enumerate(SWITCHES.items())}


def game(players, seed, components=COMPONENTS, **rulings):
    """Play a random game; return its log and its replay."""
    log = RandomGame(players, seed, components, **rulings).play()
    return log, replay(log, components, RULINGS | rulings, players)


@pytest.fixture(scope="module")
def seen():
    return game(3, 1)[1]


def test_events_follow_the_rulebook(seen):
    kinds = [type(event) for event in seen.events if not isinstance(event, AtTheLake)]
    one_round = [RoundBegins, *[Production] * 3, *[Turn] * 3, DicePassed]
    rounds = seen.events[-1].rounds
    assert kinds == [SetUp, *(one_round * rounds)[:-1], GameOver]


def test_seats_play_clockwise_from_the_first_player(seen):
    for number in range(seen.events[-1].rounds):
        own = [e for e in seen.events[1:-1] if e.round == number]
        first = own[0].first
        order = [(first + place) % 3 for place in range(3)]
        assert [e.seat for e in own if isinstance(e, Production)] == order
        assert [e.seat for e in own if isinstance(e, Turn)] == order


def test_states_are_pictures_of_their_moment(seen):
    assert len(seen.states) == len(seen.events)
    assert seen.states[0].players[0].cards == ()
    assert seen.states[0].round == 0
    assert seen.states[0].pan == 12
    assert seen.states[-1].pan == 0
    assert seen.states[-1].round == seen.events[-1].rounds
    for event, state in zip(seen.events, seen.states, strict=True):
        if isinstance(event, Turn):
            assert state.players[event.seat].hats == 0
        if isinstance(event, RoundBegins | Production):
            assert state.dice is not None
            assert (
                state.first
                == [e for e in seen.events if isinstance(e, RoundBegins)][state.round].first
            )


def test_the_set_up():
    for players in (2, 3, 4):
        start, *_ = game(players, 2, round_cap=1)[1].states
        rules = start.rules
        assert [(p.coins, p.cows, p.hats, p.vp, p.discs) for p in start.players] == [
            (4, 1, 0, 0, 8)
        ] * players
        assert len({player.printed for player in start.players}) == players
        assert list(map(len, start.decks)) == [28, 23, 26]
        assert all(None not in row for row in start.market)
        assert list(map(len, start.certificates)) == [2, 2]
        assert all(v.coins == 1 and not v.face_up for v in start.villains)
        assert len({v.token for v in start.villains}) == 6
        covers = NEUTRAL if players == 2 else None
        assert start.discs == ((covers, *[None] * 5),) * 4
        assert [len(stack) for stack in rules.stacks] == [0, 1, 1, 1, 1, 1, 0, 1]
        assert start.coins_out == 12 + 6 + 4 * players


def test_the_two_segments_of_dodge_city_share_a_stack_by_ruling():
    rules = Rules.read(COMPONENTS, RULINGS | {"dodge_city": "together"}, 2)
    assert rules.stacks == ((), (0,), (1, 4), (2,), (3,), (1, 4), (), (5,))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_pass_under_all_rulings(players):
    """Each pair of values of two switches meets in these combinations."""
    numbers = [0, 2 ** len(SWITCHES) - 1, 0x555, 0xAAA, 0x333, 0xCCC, 0x0F0, 0xF0F, 0x6C9, 0x936]
    for number in numbers:
        game(players, number, **ruled(number))


def lake_coins(events):
    """Count the coins given at the lake in productions and turns."""
    there = [coin for event in events if isinstance(event, AtTheLake) for coin in event.coins]
    turns = [deed for event in events if isinstance(event, Turn) for deed in event.deeds]
    there += [one for deed in turns for one in getattr(deed, "outcome", ())]
    return sum(isinstance(one, LakeCoin) and one.from_pan for one in there)


@pytest.mark.parametrize("end_test", ["cannot_take", "last_taken"])
def test_a_game_lasts_as_long_as_the_pan(end_test):
    """12 coins, one a round and one for each seat at the lake."""
    for seed in range(6):
        events = game(3, seed, end_test=end_test)[1].events
        passed = sum(isinstance(event, DicePassed) for event in events)
        assert passed + lake_coins(events) == 12
        at_dice = isinstance(events[-2], DicePassed)
        assert not (at_dice and end_test == "cannot_take")
        assert events[-1].rounds == passed + (not at_dice)


def test_the_books_balance_in_every_state(seen):
    for state in seen.states:
        assert endgame.inconsistency(state) is None


def test_the_books_notice_what_is_lost(seen):
    spoil = {
        "coins lie on the table": lambda t: setattr(t.players[0], "coins", t.players[0].coins + 1),
        "cows are on the table": lambda t: setattr(t, "cows_out", t.cows_out + 1),
        "88 cards, not the 89": lambda t: setattr(t, "decks", (t.decks[0][1:], *t.decks[1:])),
        "discs and": lambda t: setattr(t.players[1], "discs", t.players[1].discs - 1),
        "villain tokens": lambda t: setattr(t, "left", (*t.left, 0)),
        "certificates": lambda t: setattr(t, "certificates", ((0, 0), *t.certificates)),
        "wild tokens": lambda t: setattr(t.players[2], "wild_tokens", 1),
        "VP, but got": lambda t: setattr(t.players[2], "vp", t.players[2].vp + 1),
        "7 hats": lambda t: setattr(t.players[1], "hats", 7),
        "less than nothing of": lambda t: setattr(t.players[1], "discount", -1),
        "discs of nobody": lambda t: setattr(
            t, "discs", ((NEUTRAL, *t.discs[0][1:]), *t.discs[1:])
        ),
    }
    for message, change in spoil.items():
        table = seen.states[0].snapshot()
        change(table)
        assert message in endgame.inconsistency(table)


def test_all_that_can_happen_happens_in_random_games():
    found = Counter()
    for seed in range(18):
        number = (0xFFF, 0x7BF, 0xC00)[seed % 3]
        for event in game(2 + seed % 3, seed, **ruled(number))[1].events:
            for deed in getattr(event, "deeds", ()):
                found[type(deed).__name__] += 1
                found[getattr(deed, "why", "")] += 1
                for outcome in getattr(deed, "outcome", ()):
                    found[getattr(outcome, "why", type(outcome).__name__)] += 1
    named = "ComboCow Cleared Fought Bribed Traded WildBonus Certified Reset Bought Skipped combo "
    named += "token trade hat_bonus herd_bonus too_many_hats too_many_cows skip pot villain card "
    named += "wild_bonus Flip LakeCoin TokenPicked"
    assert [name for name in named.split() if not found[name]] == []


CHANGES = {
    "narrow areas, each a villain": {
        "areas": {
            f"area_{n}": {"source": "assumed", "title": f"{n}", "first": 3 * n,
                          "last": 3 * n + 2 if n < 8 else 999, "town": ("fort_worth", "abilene",
                          "dodge_city", "")[n % 4], "villain": n > 0, "desert": n % 4 == 3}
            for n in range(9)
        },
        "villain_tokens.places": 8,
    },
    "a rich land": {
        "start.coins": 20, "start.cows": 6, "pan.bonus_at": 5, "hat_bonus.coins": 3,
        "herd_bonus.first": [2, 2, 2, 2, 2, 2], "villain_tokens.coins": 3,
    },
    "small limits": {"limits.hats": 2, "limits.cows": 1, "herd_bonus.first": [1],
                     "hat_bonus.at": 2},
    "effects with counts": {
        "board.top_1.effect": "1 cow + 1 coin per cow or 1 vp per 2 cards max 3 or 1 hat + 2 hats",
        "board.bottom_2.effect": "1 hat per disc + 1 hat per villain + 1 cow per building",
        "board.top_4.effect": "discount 1 + fight 2 + free trade + 1 vp per symbol set",
        "towns.abilene.wild_bonus": "3 hats + 2 cows + 1 vp",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_random_games_pass_with_other_components(name):
    changes = dict(CHANGES[name])
    areas = changes.pop("areas", None)
    components = with_changes(changes) if areas is None else COMPONENTS | {"areas": areas}
    if areas is not None:
        tokens = components["villain_tokens"] | {"places": 8}
        components = components | {"villain_tokens": tokens}
    for seed, number in enumerate((0, 0xFFF, 0x555, 0xAAA)):
        game(2 + seed % 3, seed, components, **ruled(number))


@pytest.mark.parametrize("event", ["first", "last"])
def test_an_empty_or_short_log_is_refused(event):
    log, _ = game(2, 3, round_cap=2)
    rulings = RULINGS | {"round_cap": 2}
    cut = log[:0] if event == "first" else log[:-1]
    with pytest.raises(RuleBroken, match="the log stops"):
        replay(cut, COMPONENTS, rulings, 2)
    with pytest.raises(RuleBroken, match="but the game is over"):
        replay(np.vstack([log, log[-1:]]), COMPONENTS, rulings, 2)
