"""Speeds of the parts, by pytest-benchmark: `make bench`. Compare within one run only."""

import numpy as np
import pytest

from sim import metrics
from sim.games import get
from sim.simulate import run
from sim.study import from_dict

GAMES = 20_000
GAME = get("street_art")


def setup_of(style, players):
    return GAME.setup(
        GAME.default_components(), GAME.default_rulings(), [GAME.styles()[style]] * players, False
    )


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("style", ["random", "greedy"])
def test_playing(benchmark, style, players):
    setup = setup_of(style, players)
    tables = GAME.tables_for(setup, GAMES)
    GAME.play(setup, 1, 0, 1, tables, 0)
    benchmark.extra_info["games"] = GAMES
    benchmark(GAME.play, setup, 1, 0, GAMES, tables, 0)
    assert np.all(tables["games"]["turns"] > 0)


def test_telling_and_refereeing(benchmark):
    setup = setup_of("greedy", 4)
    log = GAME.log(setup, 1, 0)
    assert benchmark(GAME.replay, setup, log).events


@pytest.fixture(scope="module")
def study():
    return from_dict(
        {"game": "street_art", "players": 4, "games": 100_000, "lineups": {"mirror": ["greedy"]}}
    )


def test_playing_and_writing(benchmark, study, tmp_path):
    folders = iter(range(1_000_000))
    played = benchmark.pedantic(
        lambda: run(study, tmp_path / str(next(folders)), jobs=1), rounds=5, warmup_rounds=1
    )
    assert played.games_played == 100_000


def test_aggregating(benchmark, study, tmp_path):
    run(study, tmp_path / "run", jobs=1)
    frame = benchmark.pedantic(
        lambda: metrics.all_metrics(run(study, tmp_path / "run")), rounds=5, warmup_rounds=1
    )
    assert frame.height > 0
