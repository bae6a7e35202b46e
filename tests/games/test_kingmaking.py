"""Decisions of who can no longer win: where they decide, where they cannot, and in every game."""

import hashlib
import random

import numpy as np
import polars as pl
import pytest
from runs import hashes
from scripted_toy import toy

from sim import simulate
from sim.games import data, get, kingmaking
from sim.games.kingmaking import CLOSER, NOBODY, Kingmaking, _script, looked_at
from sim.players import Search
from sim.study import from_dict

SEED = 3
ALL = Kingmaking(sample=1.0, decisions=100)


def rows_of(games, how=ALL, numbers=range(20)):
    return np.concatenate([np.zeros(0, kingmaking.DTYPE), *looked_at(games, how, SEED, numbers)])


def same(one, other):
    """Tell whether rows are the same, whatever lies between their columns."""
    return all(
        np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f")
        for name in kingmaking.DTYPE.names
    )


def crown(made, luck):
    """The last to decide, who never wins, says which of the two others does."""
    return made[-1]


# Games whose answer is known


def test_who_never_wins_but_says_who_does_is_a_kingmaker():
    rows = rows_of(toy(crown))
    assert len(rows) == 60
    last = rows["decision"] == 2
    assert (rows["seat"][last] == 2).all()
    assert rows["decides"][last].all()
    assert not rows["can_win"][last].any()
    assert (rows["swing"][last] == 1).all()
    assert (rows["chance"][last] == 0).all()
    assert set(rows["rival"][last]) == {0}, "the first of two rivals who differ as much"
    assert (rows["tried"][last] == 2).all()
    # the two others win half of the games, whatever they do
    assert rows["can_win"][~last].all()
    assert not rows["decides"][~last].any()
    assert np.isnan(rows["swing"][~last]).all()
    assert (rows["rival"][~last] == NOBODY).all()


def test_whoever_can_win_is_no_kingmaker():
    rows = rows_of(toy(lambda made, luck: (made[-1], 2)[luck.random() < 0.3]))
    assert rows["can_win"].all()
    assert not rows["decides"].any()


def test_one_winning_move_is_enough_to_be_able_to_win():
    """It is liked least, so the style never makes it."""
    games = toy(lambda made, luck: 2 if made[-1] == 2 else 0, actions=3, values=[1.0, 1.0, 0.0])
    own = rows_of(games)[2::3]
    assert own["can_win"].all()
    assert (own["chance"] == 1).all()
    narrow = rows_of(games, ALL.model_copy(update={"width": 2}))[2::3]
    assert not narrow["can_win"].any(), "a third action is not looked at"
    forbidden = toy(lambda made, luck: 2 if made[-1] == 2 else 0, actions=3, values=[1, 1, -np.inf])
    assert not rows_of(forbidden)[2::3]["can_win"].any()


def test_a_chance_that_hangs_by_a_thread_is_none():
    rare = toy(lambda made, luck: 2 if luck.random() < 0.005 else made[-1])
    common = toy(lambda made, luck: 2 if luck.random() < 0.06 else made[-1])
    how = ALL.model_copy(update={"playouts": 128})
    assert rows_of(rare, how)[2::3]["decides"].all()
    own = rows_of(common, how)[2::3]
    assert own["can_win"].all()
    assert own["chance"].mean() == pytest.approx(0.06, abs=0.015)


def test_who_cannot_change_anything_decides_nothing():
    """Always the same winner; or luck alone, the same after each action."""
    for winner in (lambda made, luck: 0, lambda made, luck: luck.randrange(2)):
        own = rows_of(toy(winner))[2::3]
        assert not own["can_win"].any()
        assert (own["swing"] == 0).all()
        assert not own["decides"].any()


@pytest.mark.parametrize(
    "games", [pytest.param(400, marks=pytest.mark.slow), 40], ids=["many", "few"]
)
def test_moves_that_only_stir_luck_hardly_ever_seem_to_decide(games):
    """Five actions, each with luck of its own: the chances are the same, what happens is not."""

    def stirred(made, luck):
        return random.Random(f"{made[-1]} {luck.random()}").randrange(2)

    own = rows_of(toy(stirred, actions=5), ALL, range(games))[2::3]
    assert not own["can_win"].any()
    assert own["decides"].sum() <= 1 + 0.02 * games
    # measured with fresh luck: the largest of many differences is not flattered
    error = 0.5**0.5 / np.sqrt(CLOSER * ALL.playouts * len(own))
    assert own["swing"].mean() == pytest.approx(0, abs=4 * error)


def test_a_swing_is_measured_as_it_is():
    """One action gives a rival 40 % more than another does."""

    def uneven(made, luck):
        return int(luck.random() < (0.3, 0.5, 0.7)[made[-1]])

    own = rows_of(toy(uneven, actions=3))[2::3]
    assert own["decides"].all()
    assert own["swing"].mean() == pytest.approx(0.4, abs=0.03)


def test_playouts_that_are_cut_off_are_won_by_nobody():
    own = rows_of(toy(lambda made, luck: -1))
    assert not own["can_win"].any()
    assert (own["swing"] == 0).all()


def test_two_players_have_no_kingmaker():
    assert len(rows_of(toy(lambda made, luck: made[-1] % 2, players=2))) == 0


# Which decisions are looked at


def test_a_sample_of_deals_and_of_decisions():
    games = toy(crown, rounds=4, rotate=True)
    how = Kingmaking(sample=0.25, decisions=5)
    rows = rows_of(games, how, range(48))
    kept = [game for game in range(48) if data.is_sampled(4, game // 3)]
    assert rows["game"].tolist() == [game for game in kept for _ in range(5)]
    assert (rows["decisions"] == 12).all()
    assert (rows["looked_at"] == 5).all()
    drawn = rows["decision"].reshape(-1, 5)
    assert (np.diff(drawn.astype(int)) > 0).all(), "in order, none twice"
    assert len({tuple(own) for own in drawn}) > 5
    assert (rows["style"] == (rows["seat"] + rows["game"]) % 3).all()


def test_every_decision_is_drawn_as_often():
    games = toy(lambda made, luck: luck.randrange(3), rounds=3)
    how = Kingmaking(sample=1.0, decisions=3)
    times = np.bincount(rows_of(games, how, range(300))["decision"], minlength=9)
    assert times.sum() == 900
    assert abs(times - 100).max() < 4 * np.sqrt(100 * 2 / 3)


def test_a_game_is_looked_at_alike_alone_and_among_others():
    games = toy(lambda made, luck: luck.randrange(3) if made[0] else made[-1], rounds=2)
    how = Kingmaking(sample=1.0, decisions=4)
    together = rows_of(games, how, range(6))
    alone = [rows_of(games, how, [game]) for game in range(6)]
    assert same(together, np.concatenate(alone))


def test_games_of_who_looks_ahead_go_as_they_decide():
    """With a search the last seat, who can win, does what wins."""

    def winner(made, luck):
        return 2 if made[-1] == 1 else 0

    games = toy(winner, search=Search(playouts=4, width=2))
    scripts = [_script(games, SEED, number)[0] for number in range(8)]
    assert all(s["script"][2] == 1 for s in scripts)
    assert all(s["script_n"] == 3 for s in scripts)


# The games that come with the toolkit

GAMES = {"street_art": 3, "tag_city": 3, "wildstyle": 3, "west_story": 3}
QUICK = Kingmaking(sample=1.0, decisions=2, playouts=32, width=2)


@pytest.fixture(params=GAMES)
def game(request):
    return get(request.param)


def setup_of(game, *styles, rotate=False, **changes):
    shipped = game.styles()
    line_up = [shipped[name].model_copy(update=changes) for name in styles]
    rules = game.default_components(), game.default_rulings()
    return game.setup(*rules, line_up, rotate, 0.0)


@pytest.mark.parametrize("rotate", [False, True])
def test_a_script_plays_the_game_as_it_went(game, rotate):
    setup = setup_of(game, "greedy", "random", "greedy", rotate=rotate)
    plain = game.tables_for(setup, 2, 4)
    game.play(setup, SEED, 4, 2, plain, 0)
    scripted = game.scripted(setup)
    for number in (4, 5):
        own = _script(scripted, SEED, number)
        assert own[0]["script_n"] > 3
        tables = game.tables_for(setup, 1, number)
        scripted.run(own, SEED, number, 1, tables, 0, np.empty((0, 6), np.int32))
        seats = plain["seats"][3 * (number - 4) :][:3]
        assert tables["seats"].tobytes() == seats.tobytes()


def test_rows_of_a_game(game):
    setup = setup_of(game, "greedy", "random", "greedy", rotate=True)
    before = setup.record.tobytes()
    rows = rows_of(game.scripted(setup), QUICK, range(2))
    assert setup.record.tobytes() == before
    assert rows["game"].tolist() == [0, 0, 1, 1]
    assert (rows["decision"] < rows["decisions"]).all()
    assert (rows["style"] == (rows["seat"] + rows["game"]) % 3).all()
    assert ((rows["chance"] >= 0) & (rows["chance"] <= 1)).all()
    assert (np.isnan(rows["swing"]) == rows["can_win"]).all()
    assert ((rows["rival"] == NOBODY) == rows["can_win"]).all()
    assert (rows["rival"] != rows["seat"]).all()
    again = rows_of(game.scripted(setup), QUICK, range(1, 2))
    assert same(again, rows[2:])


def test_a_game_with_a_searching_seat():
    game = get("street_art")
    search = Search(playouts=8, width=3)
    setup = setup_of(game, "greedy", "greedy", "greedy", search=search)
    rows = rows_of(game.scripted(setup), QUICK, range(2))
    assert len(rows) == 4
    assert same(rows_of(game.scripted(setup), QUICK, range(2)), rows)


# Runs

STUDY = {
    "game": "street_art",
    "players": [2, 3],
    "games": 60,
    "sample": 0.1,
    "kingmaking": {"sample": 0.1, "decisions": 4, "playouts": 32},
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "random"]},
}


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(type(get("street_art")), "shard_games", 24)


def play(folder, changes=None, **how):
    how = {"jobs": 1, "backend": "threads"} | how
    return simulate.run(from_dict(STUDY | (changes or {}), name="kings"), folder, **how)


def test_the_same_bytes_however_it_is_played(small_shards, tmp_path):
    run = play(tmp_path / "one")
    found = run.scan("kingmaking").collect()
    assert set(found.join(run.cells, on="cell")["players"]) == {3}
    assert set(found["style"]) == {"greedy", "random"}
    for number, how in enumerate(
        [{"jobs": 2}, {"batch": 7}, {"jobs": 2, "backend": "loky"}], start=1
    ):
        other = play(tmp_path / str(number), **how)
        assert hashes(other.folder) == hashes(run.folder), how


def test_a_study_that_grows_keeps_what_it_has(small_shards, tmp_path):
    play(tmp_path / "grown", {"games": 24})
    grown = play(tmp_path / "grown")
    assert hashes(grown.folder) == hashes(play(tmp_path / "whole").folder)


def test_until_it_is_decided(small_shards, tmp_path):
    changes = {"until": {"metric": "turns.mean", "half_width": 1.5}, "games": 600}
    run = play(tmp_path / "run", changes)
    assert run.games_played < 600 * len(run.plan.cells)
    kept = run.scan("kingmaking").collect()
    whole = play(tmp_path / "whole", {"games": 600}).scan("kingmaking").collect()
    keys = ["cell", "game", "decision"]
    assert kept.equals(whole.join(kept.select(keys), on=keys, how="semi"))


def test_nothing_else_changes(small_shards, tmp_path):
    """The same games with and without the key, byte for byte; another identity with it."""
    with_it, without = play(tmp_path / "with"), play(tmp_path / "without", {"kingmaking": None})
    kept = {name: own for name, own in hashes(with_it.folder).items() if "kingmaking" not in name}
    assert kept == hashes(without.folder)
    assert with_it.study.identity() != without.study.identity()
    assert "kingmaking" not in without.study.resolved()
    assert "kingmaking" not in without.shards[0].files


def test_a_damaged_table_is_made_again(small_shards, tmp_path):
    run = play(tmp_path / "run")
    before = hashes(run.folder)
    path = sorted((run.folder / "data" / "kingmaking").glob("*.parquet"))[-1]
    path.write_bytes(b"gone")
    assert hashlib.sha256(path.read_bytes()).hexdigest() not in before.values()
    assert hashes(play(tmp_path / "run").folder) == before


def test_a_referee_passes_the_table_by(small_shards, tmp_path):
    from sim.audit.referee import referee

    run = play(tmp_path / "run")
    assert not referee(run, 12, 1).has_fault
    table = pl.read_parquet(sorted((run.folder / "data" / "kingmaking").glob("*.parquet"))[-1])
    assert table.columns == ["cell", *(column.name for column in kingmaking.COLUMNS)]
