"""What every game must keep, as a class of tests that a game from elsewhere inherits too.

from sim.conformance import Conformance

class TestConformance(Conformance):
    @pytest.fixture
    def game(self):
        return GAME

It needs pytest. `pytest.register_assert_rewrite("sim.conformance")` in a `conftest.py` lets its
asserts explain themselves.
"""

import json
import pickle
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from sim.errors import SimError
from sim.games import data
from sim.games.game import GRADES, Game, Replay, RuleBroken, Tables
from sim.players import Style

GAMES = 24
SEED = 11
FIRST = 5
"""A first game that begins neither a deal nor a sample."""
SAMPLE = 0.25
MARGIN = 3
"""Rows before and after those to be filled, which must stay as they were."""
PATTERN = 0xA5


def line_up(game: Game, players: int) -> list[Style]:
    """Return shipped styles for every place, as different as there are."""
    styles = list(game.styles().values())
    return [styles[place % len(styles)] for place in range(players)]


def set_up(
    game: Game, players: int, rotate: bool = False, styles=None, sample=SAMPLE, **rulings: Any
) -> Any:
    """Return a setup with the shipped components."""
    rules = game.default_rulings() | rulings
    styles = styles or line_up(game, players)
    return game.setup(game.default_components(), rules, styles, rotate, sample)


def play(game: Game, setup: Any, count: int = GAMES, seed: int = SEED, first: int = 0) -> Tables:
    """Return the tables of some games."""
    tables = game.tables_for(setup, count, first)
    game.play(setup, seed, first, count, tables, 0)
    return tables


def same(one: Tables, other: Tables) -> bool:
    """Tell whether all tables are the same, column by column (fill bytes may differ)."""
    return one.keys() == other.keys() and all(
        np.array_equal(one[table][name], other[table][name], equal_nan=_is_float(one[table], name))
        for table in one
        for name in one[table].dtype.names or ()
    )


def _is_float(table: np.ndarray, name: str) -> bool:
    return table.dtype[name].kind == "f"


def is_name(text: str) -> bool:
    """Tell whether a text can be a key: lower case, underscores."""
    return text.isidentifier() and text == text.lower()


def is_line(text: str) -> bool:
    """Tell whether a text is one line that says something."""
    return bool(text.strip()) and "\n" not in text


def setups(game: Game, rotate: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield the player counts with a setup each."""
    for players in game.player_counts:
        yield players, set_up(game, players, rotate)


def kept_games(first: int, count: int, each: int = 1) -> list[int]:
    """Return the games that sampled tables keep; `each` is how many games a deal has."""
    return [game for game in range(first, first + count) if game // each % round(1 / SAMPLE) == 0]


def choices(game: Game) -> Iterator[tuple[str, Any]]:
    """Yield every ruling with each of its listed values; a value in words stands for a range."""
    defaults = game.default_rulings()
    for ruling in game.rulings_help():
        for text in ruling.values:
            if " " not in text or text.startswith("["):
                yield ruling.name, _value(text, defaults[ruling.name])


def _value(text: str, like: Any) -> Any:
    if isinstance(like, bool):
        return text == "true"
    if isinstance(like, list):
        return json.loads(text)
    return type(like)(text)


class Conformance:
    """Tests of a game; a subclass gives the fixture `game`."""

    @pytest.fixture
    def game(self) -> Game:
        pytest.fail("give the game to be tested: a subclass has a fixture `game`")

    # What it says of itself

    def test_it_is_a_game(self, game):
        assert isinstance(game, Game)

    def test_its_names(self, game):
        assert is_name(game.name)
        for text in (game.title, game.version, game.summary, game.score_name):
            assert is_line(text)
        assert game.summary.endswith(".")

    def test_its_numbers(self, game):
        assert isinstance(game.player_counts, range)
        assert min(game.player_counts) >= 1
        assert game.shard_games >= 1
        assert isinstance(game.releases_gil, bool)

    def test_its_vocabulary(self, game):
        for names in ([f.name for f in game.features], game.actions, game.end_reasons):
            assert len(set(names)) == len(names)
            assert all(is_name(name) for name in names)
        assert game.features
        assert game.end_reasons
        assert all(is_line(feature.doc) for feature in game.features)

    def test_its_columns_are_documented(self, game):
        own = [game.game_columns, game.seat_columns, *game.long_tables.values()]
        for columns in (*own, data.GAME_COLUMNS, data.SEAT_COLUMNS):
            names = [column.name for column in columns]
            assert len(set(names)) == len(names)
            for column in columns:
                assert is_name(column.name)
                assert is_line(column.title)
                assert is_line(column.doc)
                assert np.dtype(column.dtype).kind in "biuf"
        assert set(game.sampled_tables) <= game.long_tables.keys()
        assert all(game.long_tables[name][0].name == "game" for name in game.sampled_tables)
        assert not {c.name for c in game.game_columns} & {c.name for c in data.GAME_COLUMNS}
        assert not {c.name for c in game.seat_columns} & {c.name for c in data.SEAT_COLUMNS}

    def test_its_titles(self, game):
        setup = set_up(game, min(game.player_counts))
        codes = [*game.actions, *game.end_reasons, *game.styles()]
        for names in game.labels(setup).values():
            codes += names
        for columns in (game.game_columns, game.seat_columns, *game.long_tables.values()):
            codes += [column.name for column in columns]
        for code in codes:
            title = game.title_of(code)
            assert is_line(title)
            assert "_" not in title
            assert title[0] == title[0].upper()

    # Components, rulings, styles

    def test_shipped_components_are_valid_plain_data(self, game):
        components = game.default_components()
        game.components_model(**components)
        assert json.loads(json.dumps(components)) == components
        file = tomllib.loads(game.components_source.read_text(encoding="utf-8"))
        # a game may keep its cards in tables beside that file
        assert file.items() <= components.items()

    def test_defaults_are_fresh_each_time(self, game):
        spoilt = game.default_components()
        spoilt.clear()
        game.default_rulings().clear()
        assert game.default_components()
        assert game.default_rulings().keys() == game.rulings_model.model_fields.keys()

    def test_unknown_keys_are_refused(self, game):
        with pytest.raises(ValidationError):
            game.components_model(**game.default_components(), surprise=1)
        with pytest.raises(ValidationError):
            game.rulings_model(**game.default_rulings(), surprise=1)

    def test_rulings_are_explained(self, game):
        defaults = game.default_rulings()
        assert [ruling.name for ruling in game.rulings_help()] == list(defaults)
        for ruling in game.rulings_help():
            assert ruling.grade in GRADES
            assert is_line(ruling.doc)
            assert _value(ruling.default, defaults[ruling.name]) == defaults[ruling.name]
            assert ruling.default in ruling.values
            assert len(set(ruling.values)) == len(ruling.values)

    def test_every_value_of_every_ruling_can_be_played(self, game):
        for name, value in choices(game):
            rules = game.rulings_model(**game.default_rulings() | {name: value})
            assert getattr(rules, name) == value
            for players in {min(game.player_counts), max(game.player_counts)}:
                setup = set_up(game, players, **{name: value})
                play(game, setup, 4)
                game.replay(setup, game.log(setup, SEED, 0))

    def test_every_fact_is_graded(self, game):
        facts = game.facts(game.default_components(), game.default_rulings())
        keys = [fact.key for fact in facts]
        assert len(set(keys)) == len(keys)
        assert {f"rulings.{name}" for name in game.default_rulings()} <= set(keys)
        for fact in facts:
            assert fact.key.startswith(("components.", "rulings."))
            assert fact.grade in GRADES
            assert isinstance(fact.value, str)
            assert is_line(fact.note)

    def test_a_changed_ruling_is_a_fact(self, game):
        for name, value in choices(game):
            rulings = game.default_rulings() | {name: value}
            facts = {fact.key: fact for fact in game.facts(game.default_components(), rulings)}
            assert facts[f"rulings.{name}"].value.lower() == str(value).lower()

    def test_shipped_styles_are_valid(self, game):
        styles = game.styles()
        features = {feature.name for feature in game.features}
        assert not styles["random"].weights
        for name, style in styles.items():
            assert is_name(name)
            assert style.name == name
            assert is_line(style.description)
            assert is_line(style.origin)
            assert style.weights.keys() <= features
            assert set(style.forbid) <= set(game.actions)

    # Checks at the edge

    @pytest.mark.parametrize("players", [0, 1_000])
    def test_impossible_numbers_of_players_are_one_clear_line(self, game, players):
        with pytest.raises(SimError) as caught:
            game.check(game.default_components(), game.default_rulings(), players)
        assert is_line(str(caught.value))

    def test_possible_numbers_of_players_pass(self, game):
        for players in game.player_counts:
            game.check(game.default_components(), game.default_rulings(), players)

    # Tables

    def test_tables_have_the_columns_they_promise(self, game):
        for players, setup in setups(game):
            tables = game.tables_for(setup, 5)
            assert tables.keys() == {"games", "seats", *game.long_tables}
            assert tables["games"].dtype == data.games_dtype(game.game_columns)
            assert tables["seats"].dtype == data.seats_dtype(game.seat_columns)
            assert (len(tables["games"]), len(tables["seats"])) == (5, 5 * players)
            for name, columns in game.long_tables.items():
                assert tables[name].dtype == data.dtype_of(columns)

    def test_codes_have_labels(self, game):
        common = {
            "games": (*data.GAME_COLUMNS, *game.game_columns),
            "seats": (*data.SEAT_COLUMNS, *game.seat_columns),
        }
        for players, setup in setups(game):
            labels = game.labels(setup)
            tables = play(game, setup)
            for table, columns in (common | dict(game.long_tables)).items():
                for column in (c for c in columns if c.coded):
                    names = labels.get(column.name, ["a style"] * players)
                    assert (column.name == "style") == (column.name not in labels)
                    assert len(set(names)) == len(names) or column.name == "style"
                    assert tables[table][column.name].max(initial=0) < len(names)

    def test_games_and_seats_are_in_order(self, game):
        for players, setup in setups(game):
            tables = play(game, setup, 10, first=5)
            assert tables["games"]["game"].tolist() == list(range(5, 15))
            assert set(tables["games"]["players"].tolist()) == {players}
            assert tables["seats"]["game"].tolist() == sorted([*range(5, 15)] * players)
            assert tables["seats"]["seat"].tolist() == [*range(players)] * 10

    def test_results_hang_together(self, game):
        for players, setup in setups(game):
            tables = play(game, setup, 200)
            for row, seats in games_of(tables, players):
                check_result(row, seats)

    def test_score_parts_add_up(self, game):
        parts = [column.name for column in game.seat_columns if column.score_part]
        for _, setup in setups(game):
            seats = play(game, setup, 200)["seats"]
            if parts:
                assert np.array_equal(seats["score"], sum(seats[part] for part in parts))

    def test_nothing_else_is_written(self, game):
        for players, setup in setups(game):
            tables = game.tables_for(setup, 10 + 2 * MARGIN, SEED)
            for name in ("games", "seats", *game.sampled_tables):
                tables[name].view(np.uint8)[:] = PATTERN
            game.play(setup, SEED, SEED + MARGIN, 10, tables, MARGIN)
            for name, each in (("games", 1), ("seats", players)):
                for part in (tables[name][: MARGIN * each], tables[name][-MARGIN * each :]):
                    assert (part.view(np.uint8) == PATTERN).all()
            kept = np.array(kept_games(SEED, 10 + 2 * MARGIN))
            for name in game.sampled_tables:
                number = np.repeat(kept, len(tables[name]) // len(kept))
                before, after = number < SEED + MARGIN, number >= SEED + MARGIN + 10
                assert before.any()
                assert after.any()
                raw = tables[name].view(np.uint8).reshape(len(number), -1)
                assert (raw[before | after] == PATTERN).all()

    # Luck

    def test_a_game_depends_on_its_number_and_the_seed_alone(self, game):
        for _, setup in setups(game):
            whole = play(game, setup)
            assert same(whole, play(game, setup))
            assert not np.array_equal(
                whole["seats"]["score"], play(game, setup, seed=SEED + 1)["seats"]["score"]
            )

    @pytest.mark.parametrize("rotate", [False, True])
    @pytest.mark.parametrize("batch", [1, 5, 7])
    def test_batches_do_not_matter(self, game, batch, rotate):
        for _, setup in setups(game, rotate):
            parts = game.tables_for(setup, GAMES, FIRST)
            for at in range(0, GAMES, batch):
                game.play(setup, SEED, FIRST + at, min(batch, GAMES - at), parts, at)
            assert same(play(game, setup, first=FIRST), parts)

    @pytest.mark.parametrize("rotate", [False, True])
    def test_sampled_tables_keep_whole_deals(self, game, rotate):
        for players, setup in setups(game, rotate):
            some = play(game, setup, first=FIRST)
            whole, none = (
                play(game, set_up(game, players, rotate, sample=sample), first=FIRST)
                for sample in (1.0, 0.0)
            )
            kept = kept_games(FIRST, GAMES, players if rotate else 1)
            for name in game.sampled_tables:
                number = whole[name]["game"]
                assert [*dict.fromkeys(number.tolist())] == [*range(FIRST, FIRST + GAMES)]
                assert same({name: some[name]}, {name: whole[name][np.isin(number, kept)]})
                assert len(none[name]) == 0
            for name in some.keys() - set(game.sampled_tables):
                for other in (whole, none):
                    assert same({name: some[name]}, {name: other[name]})

    def test_no_games_change_nothing(self, game):
        setup = set_up(game, min(game.player_counts))
        tables = play(game, setup)
        before = {name: table.copy() for name, table in tables.items()}
        game.play(setup, SEED, 0, 0, tables, 0)
        assert same(before, tables)

    def test_several_threads_may_play_from_one_setup(self, game):
        setup = set_up(game, max(game.player_counts))
        due = [play(game, setup, first=first) for first in range(0, 6 * GAMES, GAMES)]
        with ThreadPoolExecutor(3) as pool:
            found = pool.map(
                lambda first: play(game, setup, first=first), range(0, 6 * GAMES, GAMES)
            )
            assert all(same(one, other) for one, other in zip(due, found, strict=True))

    def test_a_setup_can_be_pickled(self, game):
        for _, setup in setups(game, rotate=True):
            copy = pickle.loads(pickle.dumps(setup))
            assert same(play(game, setup), play(game, copy))
            assert np.array_equal(game.log(setup, SEED, 3), game.log(copy, SEED, 3))

    def test_it_is_compiled_once_played(self, game):
        play(game, set_up(game, min(game.player_counts)), 0)
        assert game.compiled() is True

    # Line-ups

    def test_rotation_passes_the_styles_on(self, game):
        for players, setup in setups(game, rotate=True):
            seats = play(game, setup, 3 * players)["seats"]
            due = (seats["seat"] + seats["game"] % players) % players
            assert np.array_equal(seats["style"], due)
        for _, setup in setups(game):
            seats = play(game, setup)["seats"]
            assert np.array_equal(seats["style"], seats["seat"])

    def test_rotations_share_the_luck_of_a_deal(self, game):
        for players in game.player_counts:
            one = [line_up(game, 1)[0]] * players
            fixed = play(game, set_up(game, players, styles=one), 6)["seats"]
            turning = set_up(game, players, rotate=True, styles=one)
            turned = play(game, turning, 6 * players)["seats"]
            names = [column.name for column in game.seat_columns] + ["score", "rank"]
            for deal in range(6):
                for turn in range(players):
                    at = (deal * players + turn) * players
                    for name in names:
                        assert np.array_equal(
                            fixed[name][deal * players : (deal + 1) * players],
                            turned[name][at : at + players],
                        )

    # Logs, referee, narration, picture

    def test_logs_are_replayed_by_the_referee(self, game):
        for players, setup in setups(game):
            for number in range(5):
                log = game.log(setup, SEED, number)
                assert log.dtype == np.int32
                assert log.ndim == 2
                assert np.array_equal(log, game.log(setup, SEED, number))
                replay = game.replay(setup, log)
                assert isinstance(replay, Replay)
                assert len(replay.events) == len(replay.states) > players

    def test_the_referee_notices_rows_that_are_gone(self, game):
        setup = set_up(game, min(game.player_counts))
        log = game.log(setup, SEED, 0)
        for number in np.linspace(0, len(log) - 1, 12).astype(int):
            with pytest.raises(RuleBroken) as caught:
                game.replay(setup, np.delete(log, number, axis=0))
            assert is_line(str(caught.value))
        with pytest.raises(RuleBroken):
            game.replay(setup, log[:0])

    def test_games_are_told_in_words(self, game):
        for players, setup in setups(game):
            styles = [style.name for style in line_up(game, players)]
            lines = list(game.narrate(setup, game.log(setup, SEED, 1), styles))
            assert len(lines) > players
            assert all(isinstance(line, str) for line in lines)
            assert any(line.strip() for line in lines)

    def test_tables_are_drawn(self, game):
        from matplotlib import pyplot
        from matplotlib.figure import Figure

        for players, setup in setups(game):
            styles = [style.name for style in line_up(game, players)]
            log = game.log(setup, SEED, 1)
            for turn in (None, 0, 1):
                figure = game.picture(setup, log, styles, turn)
                assert isinstance(figure, Figure)
                assert figure.get_axes()
                pyplot.close(figure)


def games_of(tables: Tables, players: int) -> Iterator[tuple[Mapping[str, Any], list]]:
    """Yield a game's row and its seats' rows, by column name."""
    for number, row in enumerate(tables["games"]):
        seats = tables["seats"][number * players : (number + 1) * players]
        yield _named(row), [_named(seat) for seat in seats]


def _named(record: Any) -> dict[str, Any]:
    return dict(zip(record.dtype.names, record.tolist(), strict=True))


def check_result(row: Mapping[str, Any], seats: list[Mapping[str, Any]]) -> None:
    """Check who won, ties and margin in a game's rows."""
    scores = sorted((seat["score"] for seat in seats), reverse=True)
    winners = [seat for seat in seats if seat["rank"] == 1]
    assert {seat["truncated"] for seat in seats} == {row["truncated"]}
    assert 0 < row["rounds"] <= max(row["turns"], row["rounds"])
    assert row["decisions"] >= 0
    if row["truncated"]:
        assert {seat["rank"] for seat in seats} == {0}
        assert all(np.isnan(seat["win_share"]) for seat in seats)
        assert not row["tied"]
        return
    assert winners
    assert all(1 <= seat["rank"] <= len(seats) for seat in seats)
    assert row["tied"] == (len(winners) > 1)
    for seat in seats:
        assert seat["win_share"] == (1 / len(winners) if seat["rank"] == 1 else 0)
    assert row["margin"] == (0 if row["tied"] or len(seats) == 1 else scores[0] - scores[1])
