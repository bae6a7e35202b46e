"""Street Art in compiled Python and in C++: two programs, the same games to the last number."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.games import get
from sim.players import Style

sys.path.append(str(Path(__file__).parents[1]))
from benchmarks import peer

pytestmark = pytest.mark.skipif(peer.compiler() is None, reason="needs the C++ compiler g++")

GAME = get("street_art")
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
SEED = 20_240_229
FIRST = 4_294_960_000
GAMES = 2000

GREEDY = GAME.styles()["greedy"]
STYLES = {
    **GAME.styles(),
    "everything": Style(
        name="everything",
        weights={f.name: (-1) ** i * 0.37 * (i + 1) for i, f in enumerate(GAME.features)},
    ),
    "warm": Style(name="warm", weights=GREEDY.weights, temperature=0.8),
    "avoider": Style(name="avoider", weights=GREEDY.weights, forbid=["rain", "brass_band"]),
    "warm_avoider": Style(
        name="warm_avoider", temperature=2.0, forbid=["fireworks", "juggler", "beatboxer"]
    ),
}
CHANGES = {
    "hearts": (1, 48, 60, 150),
    "steal_shortfall": ("from_middle",),
    "brass_band": ("in_addition",),
    "reshuffle": ("keep_tops",),
    "game_end": ("finish_round",),
    "turn_cap": (1, 19),
}
ONE_CHANGE = [{name: value} for name, values in CHANGES.items() for value in values]


def random_changes(seed):
    chance = random.Random(seed)
    return {
        name: chance.choice(values) for name, values in CHANGES.items() if chance.random() < 0.6
    }


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return peer.build(tmp_path_factory.mktemp("peer"))


def assert_same_games(program, styles, rotate=False, components=None, **rulings):
    styles = [STYLES[name] for name in styles]
    setup = GAME.setup(components or COMPONENTS, RULINGS | rulings, styles, rotate)
    first = FIRST // len(styles) * len(styles)
    ours = GAME.tables_for(setup, GAMES)
    GAME.play(setup, SEED, first, GAMES, ours, 0)
    with peer.Peer(program, setup, SEED) as other:
        theirs = other.tables(first, GAMES)
    for table, rows in ours.items():
        for column in rows.dtype.names:
            np.testing.assert_array_equal(theirs[table][column], rows[column], f"{table}.{column}")


def mixed(players, shift=0):
    names = ["closer", "warm", "everything", "avoider", "rainmaker", "random"]
    return [names[(shift + seat) % len(names)] for seat in range(players)]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("style", STYLES)
def test_every_style(program, style, players):
    assert_same_games(program, [style] * players)


@pytest.mark.parametrize("players", range(2, 7))
def test_mixed_styles_through_every_seat(program, players):
    assert_same_games(program, mixed(players), rotate=True)


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("rulings", ONE_CHANGE, ids=str)
def test_every_ruling(program, rulings, players):
    assert_same_games(program, ["greedy"] * players, **rulings)
    assert_same_games(program, mixed(players, 2), rotate=True, **rulings)


@pytest.mark.parametrize("seed", range(12))
def test_rulings_together(program, seed):
    players = 2 + seed % 5
    assert_same_games(program, mixed(players, seed), seed % 2 == 0, **random_changes(seed))


def test_other_components(program):
    stars = {
        f"star_{i}": {"title": f"Star {i}", "copies": 1 + i % 4, "hearts": 1 + i % 6}
        for i in range(12)
    }
    big = COMPONENTS | {
        "stars": COMPONENTS["stars"] | {"cards": stars},
        "numbers": COMPONENTS["numbers"] | {"hand_size": 10, "fireworks_hearts": 3},
    }
    assert_same_games(program, ["everything"] * 3, components=big, brass_band="in_addition")
    copies = COMPONENTS["specials"]["copies"] | {"rain": 0, "beatboxer": 0, "brass_band": 1}
    small = COMPONENTS | {"specials": COMPONENTS["specials"] | {"copies": copies}}
    assert_same_games(program, ["greedy"] * 6, components=small, hearts=200, reshuffle="keep_tops")
