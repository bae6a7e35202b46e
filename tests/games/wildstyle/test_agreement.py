"""The compiled game and the referee agree: every act of every game, and every column of tables."""

from itertools import product

import numpy as np
import pytest
from joblib import Parallel, delayed

from sim.games.game import RuleBroken
from sim.games.wildstyle import GAME
from sim.games.wildstyle.recount import check_rows

PLAYER_COUNTS = list(GAME.player_counts)
SWITCHES = {
    "board_radius": (3, 2),
    "station_snake": ("each_cluster", "best_cluster"),
    "final_phase_rush": (True, False),
    "tag_removal": ("best", "cheapest"),
    "family_mode": (False, True),
    "deck": ("d1", "d2", "d3"),
}
RULINGS = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
TEMPOS = (1.0, 0.7, 1.5, 1.0, 0.9)
SEED = 20_240
CHUNKS = 10
"""Parts of the slow check, so that it can be stopped and gone on with (`-k chunk3`)."""


def line_up(kind, players):
    """Random players, or a different style at each seat, with tempos that differ."""
    styles = GAME.styles()
    names = ["random"] if kind == "random" else [name for name in styles if name != "random"]
    return [
        styles[names[(place + players) % len(names)]].model_copy(update={"tempo": tempo})
        for place, tempo in zip(range(players), TEMPOS, strict=False)
    ]


def mixed(players):
    """Every other seat random, the others of all styles in turn."""
    pairs = zip(line_up("random", players), line_up("styled", players), strict=True)
    return [pair[place % 2] for place, pair in enumerate(pairs)]


def cell(players, styles="styled", rotate=False, components=None, **rulings):
    return GAME.setup(
        components or GAME.default_components(),
        GAME.default_rulings() | rulings,
        mixed(players) if styles == "mixed" else line_up(styles, players),
        rotate,
        1.0,
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
    each = {name: len(table) // games for name, table in tables.items()}
    for index in range(games):
        replay = GAME.replay(setup, GAME.log(setup, seed, first + index))
        rows = {
            name: [named(row, labels) for row in table[index * each[name] :][: each[name]]]
            for name, table in tables.items()
        }
        assert all(row["game"] == first + index for some in rows.values() for row in some)
        (row,) = rows.pop("games")
        check_rows(replay, row, *(rows[name] for name in TABLES))
        check_styles(setup, rows, first + index)


TABLES = ("seats", "objectives", "rounds", "tags", "standings", "acts")


def check_styles(setup, rows, game):
    """A seat has the same style in all tables: the one whose turn it is there."""
    shift = game % setup.players if setup.record[0]["rotate"] else 0
    for name in ("seats", "objectives", "tags", "standings", "acts"):
        for row in rows[name]:
            assert row["style"] == (row["seat"] + shift) % setup.players


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("kind", ["random", "styled", "mixed"])
def test_agreement_by_default_rulings(players, kind):
    agree(cell(players, kind), games=6)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_when_line_ups_rotate(players):
    agree(cell(players, rotate=True), games=players + 1, first=3 * players + 1)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_under_every_ruling(players):
    """A quarter of all combinations for each player count, every value of each ruling in it."""
    part = RULINGS[PLAYER_COUNTS.index(players) :: len(PLAYER_COUNTS) + 1]
    for values in zip(*(rulings.values() for rulings in part), strict=True):
        assert len(set(values)) > 1
    for number, rulings in enumerate(part):
        agree(cell(players, ("random", "mixed")[number % 2], **rulings), games=1, first=number)


@pytest.mark.parametrize("round_cap_s", [1, 30, 70, 110])
def test_agreement_when_games_are_cut_off(round_cap_s):
    for players in PLAYER_COUNTS:
        agree(cell(players, "mixed", round_cap_s=round_cap_s), games=4)


def test_agreement_when_tiles_come_in_turn():
    agree(cell(2, tiles="even"), games=60)


def test_a_changed_log_or_table_is_noticed():
    setup = cell(3)
    log = GAME.log(setup, SEED, 0)
    log[-2, 3] += 1
    with pytest.raises(RuleBroken, match="seat 2"):
        GAME.replay(setup, log)
    replay = GAME.replay(setup, GAME.log(setup, SEED, 0))
    labels = GAME.labels(setup)
    tables = GAME.tables_for(setup, 1)
    GAME.play(setup, SEED, 0, 1, tables, 0)
    order = ("games", *TABLES)
    spoilt = {"games": "waits", "seats": "drawn", "objectives": "before", "rounds": "placed",
              "tags": "hex", "standings": "options", "acts": "late"}  # fmt: skip
    for table, column in spoilt.items():
        copies = {name: rows.copy() for name, rows in tables.items()}
        copies[table][column][-1] += 1
        rows = [[named(row, labels) for row in copies[name]] for name in order]
        with pytest.raises(RuleBroken, match=column):
            check_rows(replay, rows[0][0], *rows[1:])


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS), ids=lambda number: f"chunk{number}")
@pytest.mark.parametrize("kind", ["random", "styled"])
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_over_twenty_thousand_games(players, kind, chunk):
    """Half by the default rulings, half under each combination; some 80 minutes on two cores."""
    games = 20_000 // CHUNKS
    by_default = [(cell(players, kind), 50, 10_000 + chunk * games + 50 * i)
                  for i in range(games // 100)]  # fmt: skip
    each = -(-games // 2 // len(RULINGS))
    ruled = [
        (cell(players, ("mixed" if kind == "styled" else kind), rotate=number % 2 == 1, **rulings),
         each, 50_000 + chunk * each)
        for number, rulings in enumerate(RULINGS)
    ]  # fmt: skip
    Parallel(n_jobs=2)(delayed(agree)(*work) for work in by_default + ruled)


def test_the_slow_check_is_as_large_as_it_says():
    games = 20_000 // CHUNKS
    assert CHUNKS * (games // 100 * 50 + -(-games // 2 // len(RULINGS)) * len(RULINGS)) >= 20_000
    assert len(RULINGS) == np.prod([len(values) for values in SWITCHES.values()])
