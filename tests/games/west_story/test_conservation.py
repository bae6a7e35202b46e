"""Nothing is lost and nothing is made: games of every kind that components and rulings allow.

The referee keeps the books of coins, cows, cards, discs, tokens and certificates after every act;
every column of every table is counted again from what it saw.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from sim.conformance import check_result
from sim.games.west_story.recount import check_rows, check_spaces

from ..running import uncompiled
from .any_cells import BUILDINGS, RULED, Cell, cells
from .cells import (
    COMPONENTS,
    GAME,
    RANDOM,
    RULINGS,
    STYLES,
    changed,
    log_of,
    setup,
    style,
)
from .test_agreement import TABLES, named

GAMES = 2
MARGIN = 2
"""Games before and after those to be played, whose rows must stay as they were."""
PATTERN = 0xA5
PARTS = [column.name for column in GAME.seat_columns if column.score_part]


def guarded(cell: Cell) -> dict[str, list[np.ndarray]]:
    """Play a cell's games into the middle of larger tables; return the rows game by game."""
    all_games = GAMES + 2 * MARGIN
    tables = GAME.tables_for(cell.setup, all_games, cell.first)
    for name in ("games", *TABLES):
        tables[name].view(np.uint8)[:] = PATTERN
    GAME.play(cell.setup, cell.seed, cell.first + MARGIN, GAMES, tables, MARGIN)
    found = {"spaces": [tables["spaces"]]}
    for name in ("games", *TABLES):
        parts = np.split(tables[name], all_games)
        for part in (*parts[:MARGIN], *parts[-MARGIN:]):
            assert (part.view(np.uint8) == PATTERN).all(), f"{name}: written outside"
        found[name] = parts[MARGIN:-MARGIN]
    return found


def check_cell(cell: Cell) -> None:
    """Play, referee and count again every game of a cell."""
    labels = GAME.labels(cell.setup)
    found = guarded(cell)
    replays = []
    for index in range(GAMES):
        game = cell.first + MARGIN + index
        log = log_of(cell.setup, game, cell.seed)
        assert np.array_equal(log, log_of(cell.setup, game, cell.seed))
        replay = GAME.replay(cell.setup, log)
        rows = {
            name: [named(row, labels) for row in parts[index]]
            for name, parts in found.items()
            if name != "spaces"
        }
        (row,) = rows["games"]
        check_rows(replay, row, *(rows[name] for name in TABLES))
        check_result(row, rows["seats"])
        for seat in rows["seats"]:
            assert seat["score"] == sum(seat[part] for part in PARTS)
        replays.append(replay)
    check_spaces(replays, [named(row, labels) for row in found["spaces"][0]])


@settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(cells())
def test_nothing_is_lost(cell):
    check_cell(cell)


@pytest.mark.slow
@settings(max_examples=3000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(cells())
def test_nothing_is_lost_in_many_more(cell):
    check_cell(cell)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_as_shipped(players):
    """Every shipped style sits at the table once."""
    names = list(STYLES)
    for first in range(0, len(names), players):
        line_up = [STYLES[names[(first + place) % len(names)]] for place in range(players)]
        check_cell(Cell(setup(players, *line_up, sample=1.0), line_up, seed=7, first=0))


def only(changes, base=COMPONENTS):
    """Return components with some values changed, by dotted name."""
    for path, value in changes.items():
        base = changed(path, value, base)
    return base


def played_at_random(players, components, **rulings):
    cell = setup(players, RANDOM, sample=1.0, components=components, **rulings)
    check_cell(Cell(cell, [RANDOM] * players, seed=3, first=0))
    return cell


ALL = {"source": "assumed", "title": "All", "town": "fort_worth", "desert": True}
TWO_AREAS = {
    "start": ALL | {"first": 0, "last": 0, "villain": False},
    "all": ALL | {"first": 1, "last": 999, "villain": True},
}


@uncompiled
@pytest.mark.parametrize("players", [2, 4])
def test_the_smallest_games(players):
    """One coin in the pan, one area after the start, one of everything else."""
    token = COMPONENTS["villain_tokens"]["tokens"]["v1"]
    played_at_random(
        players,
        only(
            {
                "pan.coins": 1, "pan.bonus_at": 1, "areas": TWO_AREAS, "limits.hats": 1,
                "limits.cows": 1, "herd_bonus.first": [1], "hat_bonus.at": 1,
                "start.coins": 0, "start.cows": 0, "start.discs": 1, "certificates.stacks": 1,
                "certificates.per_stack": 1, "wild_tokens.at": [1, 2],
                "villain_tokens.places": 1, "villain_tokens.tokens": {"v1": token},
                "towns": {"fort_worth": COMPONENTS["towns"]["fort_worth"] | {"disc_vp": [1]}},
            }
        ),
        wild_tokens=True,
    )  # fmt: skip


def many(table, count, title):
    """Return so many tables alike."""
    return {f"{title}_{number}": table | {"title": f"{title} {number}"} for number in range(count)}


def test_the_largest_games():
    """As many rounds, cards, towns, areas, tokens, hats, cows, discs and terms as are allowed."""
    effect = "20 coins + 20 hats + 20 cows + 20 vp or 20 vp or free trade"
    space = {"symbol": "star", "effect": effect}
    card = COMPONENTS["cards"]["stagecoach"] | {"coins": 20, "hats": 20, "vp": 100}
    towns = many(COMPONENTS["towns"]["abilene"] | {"disc_vp": [100] * 8}, 8, "town")
    token = {"source": "assumed", "hats": 20, "coins": 20, "vp": 100, "pay": 20}
    areas = {
        f"area_{number}": {
            "source": "assumed", "title": f"Area {number}", "first": 10 * number,
            "last": 10 * number + 9 if number < 15 else 999, "town": f"town_{number // 2}",
            "villain": 1 <= number <= 8, "desert": number % 2 == 1,
        }
        for number in range(16)
    }  # fmt: skip
    kinds = many(card | {"symbols": "pairs", "copies": 1}, 16, "card")
    kinds = {name: one | {"effect": "20 coins per card max 100"} for name, one in kinds.items()}
    scoring = many(
        COMPONENTS["cards"]["mustang"] | {"copies": 6, "vp": 100, "end": "20 vp per card max 100"},
        20, "scoring",
    )  # fmt: skip
    buildings = {name: COMPONENTS["cards"][name] for name in BUILDINGS}
    components = only(
        {
            "pan.coins": 60, "pan.bonus_at": 500, "limits.hats": 20, "limits.cows": 12,
            "herd_bonus.first": [20] * 12, "hat_bonus.coins": 20, "start.coins": 20,
            "start.cows": 12, "start.discs": 30, "villain_tokens.coins": 20,
            "villain_tokens.places": 8, "villain_tokens.tokens": many(token, 16, "villain"),
            "towns": towns, "areas": areas, "cards": kinds | scoring | buildings,
            "board": COMPONENTS["board"] | {
                f"{row}_{n}": space for row in ("top", "bottom") for n in range(1, 7)
            },
        }
    )  # fmt: skip
    cell = played_at_random(
        4, components, round_cap=60, uncatchable_villain=True, hat_bonus="each_execution"
    )
    assert cell.record[0]["most_rounds"] == 60
    # a coin for each round but for those at the lake, which everybody reaches
    assert log_of(cell, MARGIN, 3)[-1, 1] == 60 - 4


@pytest.mark.parametrize("cost", [0, 20])
def test_one_card_bought_executed_and_replaced_all_the_time(cost):
    """Counts of a card in the market table at their largest."""
    cards = {name: COMPONENTS["cards"][name] for name in (*BUILDINGS, "mustang")}
    for name, card in cards.items():
        cards[name] = card | {"coins": 20, "hats": 20, "copies": 4 if name == "mustang" else 1}
    cards["stagecoach"] = COMPONENTS["cards"]["stagecoach"] | {
        "coins": cost, "hats": 0, "copies": 30, "vp": 0, "effect": "20 coins + 6 hats",
    }  # fmt: skip
    components = only({"pan.coins": 60, "pan.bonus_at": 500, "cards": cards})
    made = style(card=1.0, reset=0.5, production_card=1.0, engine_coins=0.1, cows=-1.0)
    cell = setup(4, made, sample=1.0, components=components, round_cap=60)
    check_cell(Cell(cell, [made] * 4, seed=3, first=0))


def test_every_ruling_is_drawn():
    assert set(RULINGS) == set(RULED)
