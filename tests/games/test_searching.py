"""Players who look a step ahead, in every game: refereed, repeatable, not peeking, and better."""

from importlib import import_module

import numpy as np
import pytest

from sim import SimError
from sim.games import get
from sim.games.searching import _winner
from sim.players import Search
from sim.study import from_dict

GAMES = {"street_art": (8, 6), "tag_city": (2, 3), "wildstyle": (1, 2), "west_story": (2, 3)}
"""Playouts and width that keep a game's tests short."""
SEED = 5


def setup_of(game, players, rotate=True, seats=1, style="greedy", **search):
    styles = game.styles()
    playouts, width = GAMES[game.name]
    found = Search(**({"playouts": playouts, "width": width} | search))
    seer = styles[style].model_copy(update={"name": "seer", "search": found})
    line_up = [seer] * seats + [styles[style]] * (players - seats)
    return game.setup(
        game.default_components(), game.default_rulings(), line_up, rotate, sample=1.0
    )


def played(game, setup, first, count):
    tables = game.tables_for(setup, count, first)
    game.play(setup, SEED, first, count, tables, 0)
    return tables


LONG = ("wildstyle", "west_story")
"""Their games take a second each with so few playouts."""


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in GAMES]
)
def game(request):
    return get(request.param)


def test_the_referee_finds_the_same_game(game):
    players = game.player_counts[0]
    setup = setup_of(game, players)
    tables = played(game, setup, 0, 1)
    replay = game.replay(setup, game.log(setup, SEED, 0))
    recount = import_module(f"sim.games.{game.name}.recount")
    labels = game.labels(setup)
    row = tables["games"][0]
    for column, due in recount.game_columns(replay).items():
        found = labels[column][row[column]] if column in labels else row[column]
        near = getattr(due, "within", 0)
        assert abs(found - due.value) < near if near else found == due, column
    points = [part["points"] for part in recount.standing_columns(replay)]
    assert tables["standings"]["points"].tolist() == points


def test_a_game_hangs_on_seed_and_number_alone(game):
    setup = setup_of(game, game.player_counts[0])
    together = played(game, setup, 3, 2)
    for number in (3, 4):
        alone = played(game, setup, number, 1)
        for name in ("games", "seats"):
            each = len(alone[name])
            own = together[name][(number - 3) * each :][:each]
            assert own.tobytes() == alone[name].tobytes()


def test_a_searching_seat_changes_what_is_done(game):
    players = game.player_counts[0]
    plain = setup_of(game, players, seats=0)
    assert not plain.record[0]["searches"].any()
    searching = setup_of(game, players)
    differ = [
        played(game, plain, number, 1)["seats"]["score"].tolist()
        != played(game, searching, number, 1)["seats"]["score"].tolist()
        for number in range(2)
    ]
    assert any(differ)


def forked(game, setup, number, fork, at):
    """Play a game that forks at a decision; return its record at the end."""
    record = setup.record.copy()
    s = record[0]
    s["scripted"], s["every"], s["watch_from"], s["fork_at"] = 1, 0, -1, -1
    bare = setup_of(game, int(s["players"]), seats=0)
    bare.record[0]["every"] = 0
    tables = game.tables_for(bare, 1)
    run = game._searching(setup).run
    run(record, SEED, number, 1, tables, 0, np.empty((0, 6), np.int32))
    s["script"][:] = s["made"]
    s["script_n"], s["fork_at"], s["fork_game"] = at + 1, at, number
    run(record, SEED, fork, 1, tables, 0, np.empty((0, 6), np.int32))
    return record, tables


def test_forks_have_luck_of_their_own_and_repeat(game):
    setup = setup_of(game, game.player_counts[0])
    ends = [forked(game, setup, 1, fork, 2)[1]["seats"]["score"].tolist() for fork in range(4)]
    again = [forked(game, setup, 1, fork, 2)[1]["seats"]["score"].tolist() for fork in range(4)]
    assert ends == again
    assert len({tuple(scores) for scores in ends}) > 1


def test_cards_of_a_forked_game_are_all_there():
    """Street Art: hands, draw pile and piles together are the deck, whatever is dealt anew."""
    game = get("street_art")
    setup = setup_of(game, 3)
    for fork in range(20):
        record, _ = forked(game, setup, fork, fork, 4)
        s = record[0]
        kinds = int(s["kinds"])
        deck = np.bincount(s["deck"][: s["deck_n"]].astype(int), minlength=kinds)
        total = s["hand"][:3, :kinds].sum(0) + s["piles"][:kinds] + deck
        tops = [int(top) for top in s["top"][:3] if top < kinds]
        whole = np.array(s["copies"][:kinds])
        assert (total <= whole).all()
        assert int((whole - total).sum()) <= len(tops) + 1


@pytest.mark.parametrize(
    ("won", "taken"),
    [
        ([[1, 0, 1, 0], [1, 0, 1, 0]], 0),  # no difference
        ([[0, 0, 0, 0], [0, 1, 0, 0]], 0),  # 0.25 more, standard error 0.22
        ([[0, 0, 0, 0], [0, 1, 1, 1]], 1),  # 0.75 more, standard error 0.22
        ([[1, 1, 1, 1], [0, 1, 1, 1]], 0),
        ([[0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], 2),
        ([[0], [1]], 1),
    ],
)
def test_another_action_is_taken_where_it_wins_more_for_sure(won, taken):
    assert _winner(np.array(won, float)) == taken


@pytest.mark.parametrize("style", ["greedy", pytest.param("strong", marks=pytest.mark.slow)])
def test_looking_ahead_wins_more(style):
    game = get("street_art")
    for players in (2, 4):
        setup = setup_of(game, players, style=style, playouts=32, width=8)
        games = 120 if style == "greedy" else 2_000
        seats = played(game, setup, 0, games * players)["seats"]
        own = seats["win_share"][seats["style"] == 0]
        error = own.std(ddof=1) / np.sqrt(len(own))
        assert own.mean() > 1 / players + 2 * error


def study(**search):
    return {
        "game": "street_art",
        "games": 10,
        "lineups": {"mirror": ["seer"]},
        "styles": {"seer": {"base": "greedy", "search": search}},
    }


def test_a_study_may_let_a_style_search():
    found = from_dict(study(playouts=64))
    assert found.variants["base"].styles["seer"].search == Search(playouts=64)
    other = from_dict(study(playouts=32))
    assert found.identity() != other.identity()


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"playouts": 0}, "playouts"),
        ({"playout": 5}, "playout"),
        ({"playouts": 5, "width": 1}, "width"),
    ],
)
def test_a_mistaken_search_is_one_line(search, said):
    with pytest.raises(SimError, match=said) as error:
        from_dict(study(**search))
    assert "styles.seer.search" in str(error.value)
    assert "\n" not in str(error.value)
