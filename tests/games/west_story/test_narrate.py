"""The narration: games told so that the words alone say all that happened."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from sim.games.game import Replay
from sim.games.west_story import GAME, events
from sim.games.west_story.logbook import Turn
from sim.games.west_story.narrate import narrate, tell_turn
from sim.games.west_story.referee import replay
from sim.games.west_story.wording import Wording

from .listening import Listener, unwrapped
from .logs import COMPONENTS, RULINGS
from .random_play import RandomGame

STYLES = ("greedy", "High Roller", "random", "rancher")
OTHER_WAY = {
    "end_test": "last_taken",
    "hat_bonus": "each_execution",
    "richest": "coins_and_cows",
    "licence_vp": 1,
    "villain_vp": "at_once",
    "double_wild": "cow",
    "wild_third": True,
    "skip_cow_overflow": "nothing",
    "paid_cows": "become_coins",
    "dodge_city": "together",
    "wild_tokens": True,
    "uncatchable_villain": True,
}
"""Every ruling that has another value than its default."""


@cache
def game(players, seed, **rulings):
    made = RandomGame(players, seed, **rulings)
    log = made.play()
    return log, replay(log, COMPONENTS, RULINGS | rulings, players)


def test_the_set_up_is_told():
    _, seen = game(2, 1, wild_tokens=True)
    lines = unwrapped(narrate(seen, STYLES))
    start = seen.events[0]
    assert lines[0] == (
        "West Story with 2 players: 4 coins, 1 cow and 8 town discs each, 12 coins in the gold pan."
    )
    assert lines[1].startswith("Rulings: end_test cannot_take, hat_bonus on_reaching_four, ")
    assert "wild_tokens true, uncatchable_villain false, buildings base, " in lines[1]
    printed = [start.rules.symbols[symbol] for symbol in start.deal.printed]
    assert lines[2:4] == [
        f"Seat 0 plays greedy; printed symbol {printed[0]}.",
        f"Seat 1 plays High Roller; printed symbol {printed[1]}.",
    ]
    for line in (
        "  6  horseshoe: 2 coins or 1 VP    wheel: 2 hats or 1 VP",
        "  Villains lie face down, 1 coin on each. The lake begins at 42 VP. Wild tokens lie at 12 "
        "and 22 VP.",
        "Towns: cost of a trade, VP by number of discs, symbols (covered ones in brackets)",
        "  Abilene: 1 hat + 1 coin; 2/4/7 VP; (horseshoe), wheel, revolver, star, quadruple, "
        "wild + 1 cow",
        "  Trading Post   1 hat + 2 coins   1   2 coins + 2 hats",
        "  Bear           1 hat + 3 coins   1   3 hats; end: 1 VP per 2 discs max 4",
    ):
        assert line in lines
    assert "Saloon" not in " ".join(lines)
    stacks = [line for line in lines if line.startswith("  stack ")]
    say = Wording(start.rules, STYLES)
    assert stacks == [
        f"  stack {number}: {say.certificate(top)} on {say.certificate(bottom)}"
        for number, (top, bottom) in enumerate(start.deal.certificates, start=1)
    ]


def test_a_list_of_buildings_is_told():
    names = ["saloon", "church", "hotel", "ranch", "bank"]
    log = RandomGame(2, 1, in_play=names, buildings=names).play()
    seen = replay(log, COMPONENTS, RULINGS | {"buildings": names}, 2)
    lines = unwrapped(narrate(seen, STYLES))
    assert ", buildings saloon + church + hotel + ranch + bank, " in lines[1]
    assert "  Saloon         5 hats            4   1 coin + 3 hats" in lines


def test_a_game_cut_off():
    _, seen = game(2, 3, round_cap=2)
    lines = list(narrate(seen, STYLES))
    assert "The round cap ends the game after 2 rounds." in lines
    assert lines[-1] == "The game is cut off by the round cap: nobody wins."
    assert not any(line.startswith("  1. ") for line in lines)


def test_a_turn_alone():
    _, seen = game(3, 5)
    turns = [at for at, event in enumerate(seen.events) if isinstance(event, Turn)]
    lines = unwrapped(narrate(seen, STYLES))
    for number, at in enumerate(turns, start=1):
        first = next(i for i, line in enumerate(lines) if line.startswith(f"  Turn {number}: "))
        told = tell_turn(seen, at, STYLES)
        assert [line.strip() for line in lines[first + 1 : first + 1 + len(told)]] == told


def test_the_end_is_told():
    _, seen = game(3, 2)
    lines = unwrapped(narrate(seen, STYLES))
    first = next(at for at, line in enumerate(lines) if line.startswith("The gold pan is empty"))
    over, table = seen.events[-1], seen.states[-1]
    assert lines[first] == f"The gold pan is empty: the game is over after {over.rounds} rounds."
    assert lines[first + 1] == "  VP by source              seat 0  seat 1  seat 2"
    for seat, player in enumerate(table.players):
        (line,) = [line for line in lines[first:] if line.startswith(f"  Seat {seat}: ")]
        cards, ends = len(player.cards), sum(map(int, re.findall(r"\((\d+) VP\)", line)))
        assert f"; {cards} cards, " in line
        parts = over.results[seat].parts
        assert ends == parts["villains"] + parts["towns"] + parts["cards"]
        if player.certificate is None:
            number = parts["licence"] // 2
            assert f" cards, {number} with {table.rules.symbols[player.printed]}" in line
        else:
            pairs = parts["certificate"] // 3
            name = Wording(table.rules, STYLES).certificate(player.certificate)
            assert f" cards, {pairs} pair{'' if pairs == 1 else 's'} of {name}" in line


def test_equal_scores_are_told_with_what_breaks_the_tie():
    _, seen = game(2, 1)
    table, over = seen.states[-1], seen.events[-1]
    made = [replace(result, score=50, rank=1 + seat) for seat, result in enumerate(over.results)]
    tied = Replay([*seen.events[:-1], replace(over, results=tuple(made))], seen.states)
    wealth = [player.coins + player.cows for player in table.players]
    lines = unwrapped(narrate(tied, STYLES))
    assert lines[-3:-1] == [
        f"  {seat + 1}. seat {seat} ({STYLES[seat]}): 50 VP, {made[seat].villain_vp} VP of "
        f"villains, {wealth[seat]} coins and cows"
        for seat in range(2)
    ]


SLIPS = re.compile(
    r"None|\b1 (coins|hats|cows|cards|discs|rounds|pairs)\b|\.\.|_|\( |frozenset|:\.|  +[a-z]"
)


def check(log, seen):
    """Follow the words alone, and compare with the referee's table after every turn."""
    lines = list(narrate(seen, STYLES))
    assert max(map(len, lines)) <= 96
    assert all(line == line.rstrip() for line in lines)
    whole = unwrapped(lines)
    first = next(at for at, line in enumerate(whole) if line.startswith("Round 1."))
    last = next(at for at, line in enumerate(whole) if line.startswith("  VP by source"))
    slips = [line for line in whole[first:last] if SLIPS.search(line.strip())]
    assert not slips
    heard = Listener(lines, COMPONENTS)
    check_turns(seen, heard)
    check_rows(log, heard)
    check_end(log, seen, heard)


def check_turns(seen, heard):
    say = Wording(seen.events[0].rules, STYLES)
    turns = [at for at, event in enumerate(seen.events) if isinstance(event, Turn)]
    assert len(heard.after_turns) == len(turns)
    for at, (seats, market, pan, pot) in zip(turns, heard.after_turns, strict=True):
        table = seen.states[at]
        assert pan == table.pan
        assert market == [
            Counter(say.card(kind) for kind in row if kind is not None) for row in table.market
        ]
        for seat, (me, player) in enumerate(zip(seats, table.players, strict=True)):
            for name in ("coins", "cows", "hats", "vp", "wild_tokens", "marks"):
                assert getattr(me, name) == getattr(player, name), name
            stacks = {s: list(map(say.card, pile)) for s, pile in enumerate(player.stacks) if pile}
            assert me.stacks == stacks
            assert me.villains == [say.rules.tokens[token].title for token in player.villains]
            pair = "" if player.certificate is None else say.certificate(player.certificate)
            assert me.certificate == pair
            put = [
                (town.title, town.spots[symbol])
                for number, town in enumerate(say.rules.towns)
                for symbol, owner in enumerate(table.discs[number])
                if owner == seat
            ]
            assert sorted(me.symbols) == sorted(put)
        if pot is not None:
            place = next(d.place for d in seen.events[at].deeds if hasattr(d, "leaves"))
            villain = table.villains[place]
            assert (pot["coins"], pot["cows"]) == (villain.coins, villain.cows)


def check_rows(log, heard):
    """What the log's rows say of rolls, turns, moved marks and coins at the lake."""
    rows = [tuple(row) for row in log.tolist()]
    rolls = [(number + 1, seat, a, b) for e, number, seat, a, b, _ in rows if e == events.ROLL]
    assert heard.rolls == rolls
    seats = [seat for event, _, seat, *_ in rows if event == events.TURN]
    assert [(number, seat) for number, seat, _ in heard.turns] == list(enumerate(seats, start=1))
    dice, moved = {}, 0
    for event, _, _, a, b, _ in rows:
        if event == events.ROLL:
            dice = {events.YELLOW: a, events.GREEN: b}
        elif event == events.MARK and b in dice:
            moved += a % 6 != dice[b] - 1
    assert heard.moved == moved


def check_end(log, seen, heard):
    results = seen.events[-1].results
    scores = [(a, b) for event, _, _, a, b, _ in log.tolist() if event == events.SCORE]
    assert heard.scores == [score for score, _ in scores]
    assert [sum(column) for column in zip(*heard.by_source, strict=True)] == heard.scores
    if not seen.events[-1].truncated:
        assert [heard.ranks[seat] for seat in range(len(results))] == [rank for _, rank in scores]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rulings", [{}, OTHER_WAY, {"wild_tokens": True, "round_cap": 5}])
def test_the_words_say_it_all(players, rulings):
    check(*game(players, players, **rulings))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_the_compiled_rules(players):
    """The same for players who weigh what they do, all rulings at their other value."""
    styles = list(GAME.styles().values())
    line_up = [styles[place % len(styles)] for place in range(players)]
    setup = GAME.setup(COMPONENTS, RULINGS | OTHER_WAY, line_up, rotate=False)
    log = GAME.log(setup, 3, players)
    check(log, GAME.replay(setup, log))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("ruling", [None, *OTHER_WAY])
def test_many_games_under_every_ruling(players, ruling):
    rulings = {} if ruling is None else {ruling: OTHER_WAY[ruling]}
    for seed in range(8):
        check(*game.__wrapped__(players, 100 + seed, **rulings))
