"""Speeds of Tag City, by pytest-benchmark; games a second by processor time are in extra info."""

import pytest

from benchmarks.playing import play, setup_of
from sim.games import get
from sim.games.tag_city import state

GAME = get("tag_city")
GAMES = {"random": 4_000, "greedy": 400, "packer": 200, "spiteful_leader": 400}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", GAMES)
def test_playing(benchmark, style, players):
    play(benchmark, GAME, setup_of(GAME, style, players), GAMES[style])


def test_random_rings(benchmark):
    setup = setup_of(GAME, "greedy", 4, hq="B", city="B")
    play(benchmark, GAME, setup, 400)


def test_setting_up_a_cell(benchmark):
    setup = benchmark(setup_of, GAME, "greedy", 4)
    assert setup.record.nbytes == state.STATE.itemsize
