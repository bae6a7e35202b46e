"""My Game: a race for 2 to 4 players; be first at the end of the track."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from my_game import components as parts
from my_game import events, vocabulary
from my_game.components import Components, Rulings, Setup
from sim.errors import SimError
from sim.games import data, searching
from sim.games.game import Analysis, Fact, Replay, Ruling, Tables
from sim.players import Style, forbidden_rows, weight_rows
from sim.sheets import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent


class MyGame:
    """The Game object of My Game; see `sim.games.game.Game`."""

    name = "my_game"
    title = "My Game"
    version = "1"
    summary = "Walk, or run and risk a fall; first at the end of the track."
    score_name = "steps"
    turn_name = "turn"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 50_000
    releases_gil = True
    features = vocabulary.FEATURES
    actions = events.ACTS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables = data.FLOW_TABLES
    sampled_tables = ("standings", "acts")
    components_model = Components
    rulings_model = Rulings
    components_source = FOLDER / "components.toml"

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return self.actions

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return data.read_toml(self.components_source)

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Refuse: My Game reads no CSV components."""
        data.no_table(self.title)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(vocabulary.RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""
        facts = data.component_facts(components, self.default_components())
        return facts + data.ruling_facts(rulings, vocabulary.RULINGS)

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(FOLDER / "styles.toml")

    def title_of(self, code: str) -> str:
        """Return how a report prints an act, column, style or end reason."""
        return data.title_of(code, {}, vocabulary.TITLES)

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        if players not in self.player_counts:
            allowed = f"{self.player_counts[0]} to {self.player_counts[-1]}"
            raise SimError(f"players: found {players}; allowed: {allowed}")

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> Setup:
        """Return a cell ready to be played: one style for each place of the line-up."""
        players = len(styles)
        self.check(components, rulings, players)
        record = parts.rules_record(Components(**components), Rulings(**rulings), players)
        s = record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        s["weights"][:players] = weight_rows(styles, vocabulary.FEATURE_NAMES)
        s["temperature"][:players] = [style.temperature for style in styles]
        s["forbids"][:players] = forbidden_rows(styles, self.actions)
        searching.prepare(record, styles)
        return Setup(record, dict(components), dict(rulings), tuple(styles))

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {"end_reason": self.end_reasons, "act": self.actions}

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        return {
            "games": np.zeros(games, data.games_dtype(self.game_columns)),
            "seats": np.zeros(games * setup.players, data.seats_dtype(self.seat_columns)),
            **data.flow_tables(setup.record, games, first),
        }

    def play(
        self, setup: Setup, seed: int, first: int, count: int, tables: Tables, at: int
    ) -> None:
        """Play games into the tables."""
        if searching.is_wanted(setup.record):
            self._searching(setup).play(seed, first, count, tables, at)
        else:
            _play(setup.record.copy(), seed, first, count, tables, at)

    def _searching(self, setup: Setup) -> searching.Searching:
        return searching.Searching.of(setup, _play, self.tables_for)

    def log(self, setup: Setup, seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""
        from my_game.play import log_game

        record = setup.record
        if searching.is_wanted(record):
            record = self._searching(setup).script(seed, game)
        return data.whole_log(
            lambda log: log_game(record.copy(), np.uint64(seed), np.int64(game), log)
        )

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether `play` (or `log`) is compiled already or waits in the disk cache."""
        from my_game.play import log_game, play_batch
        from sim.compiled import is_compiled

        return is_compiled(log_game if logging else play_batch)

    def replay(self, setup: Setup, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rules do not allow."""
        from my_game import referee

        return referee.replay(log, setup.components, setup.rulings, setup.players)

    def narrate(self, setup: Setup, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game move by move; `styles` names the style at each seat."""
        from my_game import narrate

        return narrate.narrate(self.replay(setup, log), styles)

    def picture(
        self, setup: Setup, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the table after a turn (the last one when None)."""
        from my_game import picture

        return picture.picture(self.replay(setup, log), styles, turn)

    def analysis(self) -> Analysis | None:
        """Return None: what holds for every game says it all."""
        return None


def _play(
    record: np.ndarray,
    seed: int,
    first: int,
    count: int,
    tables: Tables,
    at: int,
    log: np.ndarray = searching.NO_LOG,
) -> int:
    """Play games from a record, which takes the last one's decisions; tell nothing."""
    from my_game.play import play_batch

    play_batch(
        record,
        np.uint64(seed),
        np.int64(first),
        np.int64(count),
        tables["games"],
        tables["seats"],
        tables["standings"],
        tables["acts"],
        np.int64(at),
    )
    return 0


GAME = MyGame()
