"""Every registered game passes the conformance suite, and the suite notices what is wrong."""

import copy
import pickle

import numpy as np
import pytest

from sim import games
from sim.conformance import Conformance
from sim.errors import SimError
from sim.games.game import Column, RuleBroken, Ruling


class TestEveryGame(Conformance):
    @pytest.fixture(params=games.names())
    def game(self, request):
        return games.get(request.param)

    def test_it_is_found_by_its_name(self, game):
        assert games.get(game.name) is game


def test_an_unknown_game_is_one_clear_line():
    with pytest.raises(SimError, match='Did you mean "street_art"'):
        games.get("street_arts")


class Flawed:
    """A game with one thing wrong."""

    def __init__(self, game="street_art", **wrong):
        self.game = games.get(game)
        self.wrong = wrong

    def __getattr__(self, name):
        wrong = self.__dict__["wrong"]
        return wrong[name] if name in wrong else getattr(self.__dict__["game"], name)


def play_by_batch(setup, seed, first, count, tables, at):
    """Play with luck that depends on where a batch begins."""
    games.get("street_art").play(setup, seed + first, first, count, tables, at)


def play_one_more(setup, seed, first, count, tables, at):
    """Write a row too many."""
    games.get("street_art").play(setup, seed, first, count, tables, at)
    if count and at + count < len(tables["games"]):
        tables["games"]["turns"][at + count] = 1


def swap_a_score(setup, seed, first, count, tables, at):
    """Play, and give the first seat a heart too many."""
    games.get("street_art").play(setup, seed, first, count, tables, at)
    tables["seats"]["score"][0] += 1


def forget_to_rotate(components, rulings, styles, rotate, sample):
    return games.get("street_art").setup(components, rulings, styles, False, sample)


GAME = games.get("street_art")
FLAWS = {
    "test_its_names": {"summary": "two\nlines"},
    "test_its_columns_are_documented": {"game_columns": (Column("x", "X", "", "u1"),)},
    "test_tables_have_the_columns_they_promise": {
        "game_columns": (*GAME.game_columns, Column("x", "X", "more", "u1"))
    },
    "test_rulings_are_explained": {
        "rulings_help": lambda: [Ruling("hearts", ("36",), "36", "hearts", "rulebook")]
    },
    "test_every_fact_is_graded": {"facts": lambda components, rulings: []},
    "test_shipped_styles_are_valid": {
        "styles": lambda: {
            name: style.model_copy(update={"weights": {"luck": 1.0}} if name != "random" else {})
            for name, style in GAME.styles().items()
        }
    },
    "test_batches_do_not_matter": {"play": play_by_batch},
    "test_nothing_else_is_written": {"play": play_one_more},
    "test_score_parts_add_up": {"play": swap_a_score},
    "test_rotation_passes_the_styles_on": {"setup": forget_to_rotate},
    "test_impossible_numbers_of_players_are_one_clear_line": {"check": lambda *_: None},
    "test_its_titles": {"title_of": lambda code: code},
    "test_the_referee_notices_rows_that_are_gone": {"replay": lambda setup, log: None},
    "test_defaults_are_fresh_each_time": {
        "default_rulings": lambda shared=copy.deepcopy(GAME.default_rulings()): shared  # noqa: B008
    },
    "test_a_setup_can_be_pickled": {
        "setup": lambda *given: Unpicklable(GAME.setup(*given)),
        "play": lambda setup, *rest: GAME.play(setup.inner, *rest),
        "tables_for": lambda setup, *rest: GAME.tables_for(setup.inner, *rest),
        "log": lambda setup, *rest: GAME.log(setup.inner, *rest),
    },
    "test_codes_have_labels": {"labels": lambda setup: {"end_reason": ("middle_empty",)}},
    "test_logs_are_replayed_by_the_referee": {
        "log": lambda setup, seed, game: np.delete(GAME.log(setup, seed, game), -1, axis=0)
    },
}


MISSED = pytest.fail.Exception
"""What `pytest.raises` raises when nothing was raised."""
NOTICES = {
    "test_impossible_numbers_of_players_are_one_clear_line": MISSED,
    "test_the_referee_notices_rows_that_are_gone": MISSED,
    "test_a_setup_can_be_pickled": (AttributeError, pickle.PicklingError),
    "test_logs_are_replayed_by_the_referee": RuleBroken,
}


class Unpicklable:
    """A setup with something in it that cannot travel."""

    def __init__(self, inner):
        self.inner = inner
        self.function = lambda: None


@pytest.mark.parametrize("test", FLAWS)
def test_the_suite_notices(test):
    arguments = {"players": 0} if "impossible" in test else {}
    if test == "test_batches_do_not_matter":
        arguments = {"batch": 5, "rotate": False}
    with pytest.raises(NOTICES.get(test, AssertionError)):
        getattr(Conformance(), test)(Flawed(**FLAWS[test]), **arguments)


SAMPLING = {
    "test_its_columns_are_documented": {},
    "test_tables_have_the_columns_they_promise": {},
    "test_nothing_else_is_written": {},
    "test_batches_do_not_matter": {"batch": 5, "rotate": True},
    "test_sampled_tables_keep_whole_deals": {"rotate": True},
}


@pytest.mark.parametrize("test", SAMPLING)
def test_a_game_with_sampled_tables(rigged, test):
    assert rigged.sampled_tables
    getattr(Conformance(), test)(rigged, **SAMPLING[test])


def keep_all(components, rulings, styles, rotate, sample):
    return games.get("rigged").setup(components, rulings, styles, rotate, 1.0)


def sample_from_the_batch(setup, seed, first, count, tables, at):
    """Write the sampled rows as if every batch began the table."""
    own = {"games": tables["games"][at:], "seats": tables["seats"][at * setup.players :]}
    games.get("rigged").play(setup, seed, first, count, tables | own, 0)


@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        ("test_sampled_tables_keep_whole_deals", {"setup": keep_all}),
        ("test_batches_do_not_matter", {"play": sample_from_the_batch}),
        ("test_nothing_else_is_written", {"play": sample_from_the_batch}),
        ("test_its_columns_are_documented", {"sampled_tables": ("seats",)}),
    ],
)
def test_the_suite_notices_wrong_samples(rigged, test, wrong):
    with pytest.raises(AssertionError):
        getattr(Conformance(), test)(Flawed("rigged", **wrong), **SAMPLING[test])
