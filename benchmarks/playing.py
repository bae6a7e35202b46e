"""How playing is measured: cells of a game, and games played in them."""

import time

import numpy as np


def setup_of(game, style, players, **rulings):
    """Return a cell in which a style plays every seat."""
    rulings = game.default_rulings() | rulings
    return game.setup(game.default_components(), rulings, [game.styles()[style]] * players, False)


def play(benchmark, game, setup, games):
    """Measure playing games, in extra info a second by processor time too; return their tables."""
    tables = game.tables_for(setup, games)
    game.play(setup, 1, 0, 1, tables, 0)
    begun = time.process_time()
    game.play(setup, 1, 0, games, tables, 0)
    benchmark.extra_info["games_per_cpu_second"] = round(games / (time.process_time() - begun))
    benchmark.extra_info["games"] = games
    benchmark(game.play, setup, 1, 0, games, tables, 0)
    assert np.all(tables["games"]["turns"] > 0)
    return tables
