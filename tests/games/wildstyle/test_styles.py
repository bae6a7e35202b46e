"""What the shipped styles win against each other."""

import numpy as np
import pytest

from .table import GAME, played, setup

STYLES = GAME.styles()
OTHERS = [name for name in STYLES if name != "strong"]
SURE = 3.0
"""Standard errors."""


def beyond(one, others, games):
    """Return how far one's share lies above a fair one, less or plus `SURE` standard errors."""
    players = len(others) + 1
    made = setup(players, styles=[one, *others], rotate=True)
    seats = played(made, games * players, 2026)["seats"]
    won = seats["win_share"][seats["style"] == 0].reshape(games, players).mean(axis=1)
    reach = SURE * won.std(ddof=1) / np.sqrt(games)
    return won.mean() - 1 / players - reach, won.mean() - 1 / players + reach


def test_strong_beats_the_style_that_looks_at_points():
    one, other = STYLES["strong"], STYLES["high_value"]
    assert beyond(one, [other], 60)[0] > 0
    assert beyond(other, [one], 60)[1] < 0


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("name", [name for name in STYLES if name != "random"])
def test_every_style_beats_random(name, players):
    assert beyond(STYLES[name], [STYLES["random"]] * (players - 1), 60)[0] > 0


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("name", OTHERS)
def test_the_strong_style_beats_every_other(name, players):
    assert beyond(STYLES["strong"], [STYLES[name]] * (players - 1), 1_500)[0] > 0
