"""Speeds of the parts, by pytest-benchmark: `make bench`. Compare within one run only."""

import statistics

import numba
import numpy as np
import pytest

from benchmarks import peer
from benchmarks.playing import play, setup_of
from sim import metrics, streams
from sim.games import get
from sim.simulate import run
from sim.study import from_dict

GAMES = 20_000
GAME = get("street_art")
WILDSTYLE_GAMES = 1_000


@numba.njit(nogil=True)
def shuffle_decks(state, times):
    s = state[0]
    for game in range(times):
        streams.seed_stream(s, streams.SETUP, 1, game)
        streams.shuffle(s, streams.SETUP, s.deck, 60)


def test_seeding_and_shuffling_60_cards(benchmark):
    state = setup_of(GAME, "random", 4).record.copy()
    state["deck"] = np.arange(state["deck"].size)
    shuffle_decks(state, 1)
    benchmark.extra_info["decks"] = GAMES
    benchmark(shuffle_decks, state, GAMES)
    assert sorted(state["deck"][0, :60]) == [*range(60)]


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("style", ["random", "greedy", "closer"])
def test_playing(benchmark, style, players):
    play(benchmark, GAME, setup_of(GAME, style, players), GAMES)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("style", ["random", "greedy", "denier"])
def test_playing_wildstyle(benchmark, style, players):
    """Games a round are in the extra info, and decisions: looks with more than one legal act."""
    game = get("wildstyle")
    tables = play(benchmark, game, setup_of(game, style, players), WILDSTYLE_GAMES)
    benchmark.extra_info["decisions"] = int(tables["games"]["decisions"].sum())


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_choosing_by_temperature(benchmark, temperature):
    style = GAME.styles()["greedy"].model_copy(update={"temperature": temperature})
    setup = GAME.setup(GAME.default_components(), GAME.default_rulings(), [style] * 4, False)
    play(benchmark, GAME, setup, GAMES)


@pytest.mark.skipif(peer.compiler() is None, reason="needs the C++ compiler g++")
@pytest.mark.parametrize("style", ["random", "greedy"])
def test_against_cpp(benchmark, style, tmp_path):
    """The speed of the kernel as a ratio to the C++ program's is in the extra info."""
    styles = [GAME.styles()[style]] * 4
    program = peer.build(tmp_path)
    pairs = benchmark.pedantic(peer.speed_ratios, (program, styles, 5000, 21))
    ratio = statistics.median(ours / theirs for theirs, ours in pairs)
    benchmark.extra_info["kernel_to_cpp"] = round(ratio, 3)
    assert ratio > 0


def test_telling_and_refereeing(benchmark):
    setup = setup_of(GAME, "greedy", 4)
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
