"""Speeds of West Story, by pytest-benchmark; games a second by processor time are in extra info."""

import time

import numpy as np
import pytest

from sim.games import get
from sim.games.west_story import state

GAME = get("west_story")
GAMES = {"random": 4_000, "greedy": 1_000, "banker": 1_000}


def setup_of(style, players, **rulings):
    return GAME.setup(
        GAME.default_components(),
        GAME.default_rulings() | rulings,
        [GAME.styles()[style]] * players,
        False,
    )


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", GAMES)
def test_playing(benchmark, style, players):
    setup, games = setup_of(style, players), GAMES[style]
    tables = GAME.tables_for(setup, games)
    GAME.play(setup, 1, 0, 1, tables, 0)
    begun = time.process_time()
    GAME.play(setup, 1, 0, games, tables, 0)
    benchmark.extra_info["games_per_cpu_second"] = round(games / (time.process_time() - begun))
    benchmark.extra_info["games"] = games
    benchmark(GAME.play, setup, 1, 0, games, tables, 0)
    assert np.all(tables["games"]["turns"] > 0)


def test_every_building_set(benchmark):
    setup = setup_of("greedy", 4, buildings="even", wild_tokens=True, uncatchable_villain=True)
    tables = GAME.tables_for(setup, 1_000)
    benchmark.extra_info["games"] = 1_000
    benchmark(GAME.play, setup, 1, 0, 1_000, tables, 0)
    assert np.all(tables["games"]["turns"] > 0)


def test_setting_up_a_cell(benchmark):
    setup = benchmark(setup_of, "greedy", 4)
    assert setup.record.nbytes == state.STATE.itemsize
