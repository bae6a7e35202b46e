import pytest

from sim import bench
from sim.games.data import read_toml
from sim.games.street_art import GAME


def test_speeds_of_a_game(rigged):
    """Fewest, middle and most players; styles by name; one thread and several."""
    found = list(bench.speeds(rigged, 0.01, 2))
    assert found == []
    rigged_styles = {"random": rigged.styles()["plain"], "greedy": rigged.styles()["pushy"]}
    rigged.styles = lambda: rigged_styles
    try:
        found = list(bench.speeds(rigged, 0.01, 2))
    finally:
        del rigged.styles
    assert [(s.players, s.style, s.threads) for s in found] == [
        (players, style, threads)
        for players in (2, 4, 5)
        for style in ("random", "greedy")
        for threads in (1, 2)
    ]
    for speed in found:
        assert speed.game == "rigged"
        assert speed.games_per_second > 0
        per_game = speed.decisions_per_second / speed.games_per_second
        assert per_game == pytest.approx(3 * speed.players)
        assert speed.reference is None
        assert speed.ratio is None


def test_street_art_against_its_reference():
    speed = bench.measure(GAME, 4, "greedy", 0.05, 1)
    assert speed.reference == read_toml(bench.REFERENCE)["street_art"]["greedy_4"]
    assert speed.ratio == speed.games_per_second / speed.reference
    assert 0.001 < speed.ratio < 1000
    assert bench.measure(GAME, 4, "greedy", 0.05, 2).ratio is None


def test_a_reference_for_every_line_of_street_art():
    known = read_toml(bench.REFERENCE)["street_art"]
    counts = GAME.player_counts
    for players in (counts[0], counts[len(counts) // 2], counts[-1]):
        for style in ("random", "greedy"):
            assert known[f"{style}_{players}"] > 0
    assert "one thread" in bench.reference_note()


def test_memory_does_not_grow_with_the_seconds(rigged, monkeypatch):
    """A long measurement plays into the same tables again and again."""
    sizes, numbers = [], []
    tables_for, play = rigged.tables_for, rigged.play

    def watched_tables(setup, games):
        sizes.append(games)
        return tables_for(setup, games)

    def watched_play(setup, seed, first, count, tables, at):
        numbers.extend(range(first, first + count))
        assert at == 0
        play(setup, seed, first, count, tables, at)

    monkeypatch.setattr(rigged, "tables_for", watched_tables, raising=False)
    monkeypatch.setattr(rigged, "play", watched_play, raising=False)
    setup = rigged.setup(
        rigged.default_components(), rigged.default_rulings(), [rigged.styles()["plain"]] * 2, False
    )
    _, decisions = bench._timed_play(rigged, setup, 50, 1030)
    assert sizes == [rigged.shard_games]
    assert numbers == list(range(50, 1080))
    assert decisions == 1030 * 6
