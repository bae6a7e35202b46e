"""The shipped styles do what they are for."""

import numpy as np
import pytest

from tests.games.tag_city.table import GREEDY, RANDOM, STYLES, played, setup

NAMES = [name for name in STYLES if name != "random"]


def share(one, others, players, games, **rulings) -> float:
    """Return the win share of one player among others, times the number of players."""
    cell = setup(players, one, *[others] * (players - 1), rotate=True, **rulings)
    seats = played(cell, games * players)["seats"]
    return float(seats["win_share"][seats["style"] == 0].mean() * players)


def mean(column, *styles, players=3, games=150, of=0, **rulings) -> float:
    cell = setup(players, *styles, rotate=len(styles) == players, **rulings)
    seats = played(cell, games)["seats"]
    return float(seats[column][seats["style"] == of].mean())


def test_there_are_nine():
    assert list(STYLES) == [
        "random", "greedy", "racer", "district_builder", "packer", "droner", "checker",
        "spiteful_leader", "strong",
    ]  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", ["A", "B"])
def test_every_style_beats_random(name, players, side):
    assert share(STYLES[name], RANDOM, players, 60, hq=side, city=side) > 1.5


@pytest.mark.parametrize("name", NAMES)
def test_every_style_beats_random_where_nobody_can_end_the_game_by_drones(name):
    assert share(STYLES[name], RANDOM, 3, 60, drone_values=[]) > 1.5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("packer", 1.5, 4.0), ("spiteful_leader", 1.0, 1.4), ("droner", 0.5, 0.9)],
)
def test_styles_against_greedy(name, low, high, players):
    assert low < share(STYLES[name], GREEDY, players, 2000) < high


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", [name for name in STYLES if name != "strong"])
def test_the_strong_style_beats_every_other(name, players):
    other, strong = STYLES[name], STYLES["strong"]
    assert share(strong, other, players, 60) > 1.4
    assert share(other, strong, players, 60) < 0.7


def test_racers_complete_rows_and_columns_builders_neighborhoods():
    racer, builder = STYLES["racer"], STYLES["district_builder"]
    for column in ("rows", "columns"):
        assert mean(column, racer) > mean(column, builder)
    assert mean("neighborhoods", racer) < mean("neighborhoods", builder)


def test_packers_leave_fewer_holes():
    assert mean("holes", STYLES["packer"]) < 0.5 * mean("holes", GREEDY)


def test_droners_fly_more_and_checkers_check_more():
    assert mean("drones", STYLES["droner"]) > mean("drones", GREEDY)
    assert mean("checks", STYLES["checker"]) > mean("checks", GREEDY)


def test_spiteful_leaders_leave_rivals_less():
    line_up = [STYLES["spiteful_leader"], GREEDY, GREEDY]
    cell = setup(3, *line_up, rotate=True)
    beside = played(cell, 600)["seats"]
    alone = played(setup(3, GREEDY), 600)["seats"]
    assert beside["score"][beside["style"] != 0].mean() < alone["score"].mean()


def test_temperature_makes_play_worse():
    hot = GREEDY.model_copy(update={"temperature": 3.0})
    assert share(GREEDY, hot, 2, 100) > 1.3


def test_games_are_as_long_as_a_board_game():
    rounds = played(setup(4, GREEDY), 200)["games"]["rounds"]
    assert 6 < np.mean(rounds) < 14
