"""Speeds of West Story, by pytest-benchmark; games a second by processor time are in extra info."""

import pytest

from benchmarks.playing import play, setup_of
from sim.games import get
from sim.games.west_story import state

GAME = get("west_story")
GAMES = {"random": 4_000, "greedy": 1_000, "banker": 1_000}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", GAMES)
def test_playing(benchmark, style, players):
    play(benchmark, GAME, setup_of(GAME, style, players), GAMES[style])


def test_every_building_set(benchmark):
    setup = setup_of(
        GAME, "greedy", 4, buildings="even", wild_tokens=True, uncatchable_villain=True
    )
    play(benchmark, GAME, setup, 1_000)


def test_setting_up_a_cell(benchmark):
    setup = benchmark(setup_of, GAME, "greedy", 4)
    assert setup.record.nbytes == state.STATE.itemsize
