"""The compiled game and the referee agree: every act of every game, and every column of tables."""

from itertools import product

import pytest
from joblib import Parallel, delayed

from sim.games.game import RuleBroken
from sim.games.west_story import GAME
from sim.games.west_story.recount import check_rows, check_spaces

from .shipped import with_changes
from .test_cheats import SHORT

PLAYER_COUNTS = list(GAME.player_counts)
SWITCHES = {
    "end_test": ("cannot_take", "last_taken"),
    "hat_bonus": ("on_reaching_four", "each_execution"),
    "richest": ("coins", "coins_and_cows"),
    "villain_vp": ("end", "at_once"),
    "double_wild": ("free_choice", "cow"),
    "wild_third": (False, True),
    "skip_cow_overflow": ("vp", "nothing"),
    "paid_cows": ("stay_cows", "become_coins"),
    "dodge_city": ("per_side", "together"),
    "wild_tokens": (False, True),
    "uncatchable_villain": (False, True),
}
RULINGS = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
LICENCES = (2, 1, 0, 5)
BUILDINGS = ("base", "random", "even",
             ["saloon", "church", "gold_mine", "telegraph_office", "sheriff_office"])  # fmt: skip
SEED = 20_260
CHUNKS = 10
"""Parts of the slow check, so that it can be stopped and gone on with (`-k chunk3`)."""


def rulings(number):
    """Return a combination of all switches, with a licence and building types beside."""
    others = {"licence_vp": LICENCES[number % 4], "buildings": BUILDINGS[number // 3 % 4]}
    return RULINGS[number % len(RULINGS)] | others


def line_up(kind, players, turn=0):
    """Random players, a different style at each seat, or both in turn."""
    styles = GAME.styles()
    names = [name for name in styles if name != "random"]
    chosen = [names[(2 * place + turn) % len(names)] for place in range(players)]
    if kind == "random":
        chosen = ["random"] * players
    elif kind == "mixed":
        chosen[turn % 2 :: 2] = ["random"] * len(chosen[turn % 2 :: 2])
    return [styles[name] for name in chosen]


def cell(players, kind="styled", turn=0, rotate=False, components=None, **ruled):
    return GAME.setup(
        components or GAME.default_components(),
        GAME.default_rulings() | ruled,
        line_up(kind, players, turn),
        rotate,
        sample=1.0,
    )


def named(row, labels):
    """Return a record as a dict with names for codes."""
    values = dict(zip(row.dtype.names, row.tolist(), strict=True))
    return values | {name: labels[name][values[name]] for name in labels if name in values}


def agree(setup, games, first=0, seed=SEED):
    """Play games, referee each, and count all columns of all tables again."""
    labels = GAME.labels(setup)
    tables = GAME.tables_for(setup, games, first)
    GAME.play(setup, seed, first, games, tables, 0)
    spaces = [named(row, labels) for row in tables.pop("spaces")]
    each = {name: len(table) // games for name, table in tables.items()}
    replays = []
    for index in range(games):
        replay = GAME.replay(setup, GAME.log(setup, seed, first + index))
        rows = {
            name: [named(row, labels) for row in table[index * each[name] :][: each[name]]]
            for name, table in tables.items()
        }
        assert all(row["game"] == first + index for some in rows.values() for row in some)
        check_styles(setup, rows, first + index)
        (row,) = rows.pop("games")
        check_rows(replay, row, *(rows[name] for name in TABLES))
        replays.append(replay)
    check_spaces(replays, spaces)
    return replays


TABLES = (
    *("seats", "market", "villains", "towns", "purchases", "rounds"),
    *("standings", "acts"),
)


def check_styles(setup, rows, game):
    """A seat has the same style in all tables: the one whose turn it is there."""
    shift = game % setup.players if setup.record[0]["rotate"] else 0
    for name in ("seats", "purchases", "rounds", "standings", "acts"):
        for row in rows[name]:
            assert row["style"] == (row["seat"] + shift) % setup.players


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("kind", ["random", "styled", "mixed"])
def test_agreement_by_default_rulings(players, kind):
    for turn in range(5):
        agree(cell(players, kind, turn), games=2, first=2 * turn)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_when_line_ups_rotate(players):
    agree(cell(players, rotate=True), games=players + 1, first=3 * players + 1)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_under_rulings(players):
    """Some combinations, every value of each ruling among them."""
    numbers = range(players, len(RULINGS), 111)
    for values in zip(*(rulings(number).values() for number in numbers), strict=True):
        assert len(set(map(str, values))) > 1
    for number in numbers:
        agree(cell(players, ("random", "mixed")[number % 2], number, **rulings(number)), 1, number)


@pytest.mark.parametrize("round_cap", [1, 3, 8])
def test_agreement_when_games_are_cut_off(round_cap):
    for players in PLAYER_COUNTS:
        replays = agree(cell(players, "mixed", round_cap=round_cap), games=2)
        assert all(replay.events[-1].truncated for replay in replays)


CHANGES = {
    "a poor land": {"start.coins": 0, "start.cows": 0, "villain_tokens.coins": 0},
    "a rich land": {"start.coins": 20, "start.cows": 6, "pan.bonus_at": 5, "hat_bonus.coins": 3,
                    "herd_bonus.first": [2, 1, 2, 1, 2, 1], "villain_tokens.coins": 3},
    "small limits": {"limits.hats": 2, "limits.cows": 1, "herd_bonus.first": [1],
                     "hat_bonus.at": 2},
    "a small pan": {"pan.coins": 1, "pan.bonus_at": 1, "wild_tokens.at": [1, 2]},
    "few discs and much in towns": {"start.discs": 2, "towns.fort_worth.disc_vp": [1],
                                    "towns.abilene.wild_bonus": "3 hats + 2 cows + 1 vp"},
    "effects with counts": {
        "board.top_1.effect": "1 cow + 1 coin per cow or 1 vp per 2 cards max 3 or 1 hat + 2 hats",
        "board.bottom_2.effect": "1 hat per disc + 1 hat per villain + 1 cow per building",
        "board.top_4.effect": "discount 1 + fight 2 + free trade + 1 vp per symbol set",
        "board.bottom_3.effect": "2 hats per animal + 1 vp per most frequent symbol max 5",
        "board.bottom_6.effect": "1 vp per production card + 1 coin per scoring card",
    },
    "small decks": {"cards.stagecoach.copies": 0, "cards.posse.copies": 0,
                    "cards.cattle_drive.copies": 0, "cards.prospector.copies": 0,
                    "cards.trading_post.copies": 0, "cards.wagon_train.copies": 0,
                    "cards.mustang.copies": 30},
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_agreement_with_other_components(name):
    for players, number in zip(PLAYER_COUNTS, (0, 2047, 1365), strict=True):
        ruled = rulings(number) | {"buildings": "random"}
        agree(cell(players, "mixed", components=with_changes(CHANGES[name]), **ruled), 2)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_on_a_short_track(players):
    """Villains, desert and lake within a few VP."""
    for number in (0, 2047, 682):
        agree(cell(players, "mixed", number, components=SHORT, **rulings(number)), 2)


def test_a_changed_log_or_table_is_noticed():
    setup = cell(3)
    log = GAME.log(setup, SEED, 0)
    log[-1, 3] += 1
    with pytest.raises(RuleBroken, match="end of the game, seat 2"):
        GAME.replay(setup, log)
    replay, labels = GAME.replay(setup, GAME.log(setup, SEED, 0)), GAME.labels(setup)
    tables = GAME.tables_for(setup, 1)
    GAME.play(setup, SEED, 0, 1, tables, 0)
    spoilt = {"games": "combos", "seats": "executed", "market": "seen", "villains": "paid",
              "towns": "vp", "purchases": "coins", "rounds": "cows"}  # fmt: skip
    for table, column in spoilt.items():
        copies = {name: rows.copy() for name, rows in tables.items()}
        copies[table][column][-1] += 1
        rows = [[named(row, labels) for row in copies[name]] for name in ("games", *TABLES)]
        with pytest.raises(RuleBroken, match=f"{table}.*: {column} is"):
            check_rows(replay, rows[0][0], *rows[1:])
    tables["spaces"]["moved"][3] += 1
    with pytest.raises(RuleBroken, match="spaces, row 3: moved is"):
        check_spaces([replay], [named(row, labels) for row in tables["spaces"]])


def work(players, kind, chunk):
    """Return the cells of a chunk with how many games and the first of them."""
    games = 20_000 // CHUNKS // 2
    plain = [
        (cell(players, kind, turn, rotate=turn % 2 == 1), 50, 10_000 + chunk * games + 50 * turn)
        for turn in range(games // 100)
    ]
    ruled = [
        (cell(players, "mixed" if kind == "styled" else kind, n, n % 2 == 1, **rulings(n)), each, n)
        for n, each in combinations(chunk, games // 2)
    ]
    return plain + ruled


def combinations(chunk, games):
    """Return the combinations of rulings in a chunk with the number of games of each."""
    part = range(chunk, len(RULINGS), CHUNKS)
    return [(number, -(-games // len(part))) for number in part]


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS), ids=lambda number: f"chunk{number}")
@pytest.mark.parametrize("kind", ["random", "styled"])
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_over_twenty_thousand_games(players, kind, chunk):
    """20,000 at each player count: half by the default rulings, half under all combinations."""
    Parallel(n_jobs=2)(delayed(agree)(*some) for some in work(players, kind, chunk))


def test_the_slow_check_is_as_large_as_it_says():
    games, numbers = 0, set()
    for chunk in range(CHUNKS):
        some = combinations(chunk, 20_000 // CHUNKS // 4)
        numbers.update(number for number, _ in some)
        games += sum(each for _, each in some) + 50 * (20_000 // CHUNKS // 2 // 100)
    assert 2 * games >= 20_000
    assert numbers == set(range(len(RULINGS)))
