"""What Game objects do alike: a base class for them, and the setup that they play from.

A game need not inherit it: `sim.games.game.Game` says what is asked of one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel

from sim.errors import SimError
from sim.games import data, searching
from sim.games.game import Analysis, Column, Fact, Feature, Replay, Ruling, Tables
from sim.players import Style, weight_rows
from sim.sheets import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Setup:
    """A cell, ready to be played: the state before the first game, and what it was made from."""

    record: np.ndarray
    components: dict[str, Any]
    rulings: dict[str, Any]
    styles: tuple[Style, ...]

    @property
    def players(self) -> int:
        """How many seats."""
        return int(self.record[0]["players"])


class GameFrame(ABC):
    """A Game object but for what is a game's own: its facts, `actions_of`, `cell_of`, `labels`.

    A game's record has `players`, `rotate`, `weights`, `temperature` and the fields of
    `data.flow_fields` and `data.script_fields`. Beside its components lies `styles.toml`. Its
    `package` has these modules, imported when they are needed:

    * `play`: `play_batch(state, seed, first, count, *arrays, at)` plays games into `arrays`, and
      `log_game(state, seed, game, log)` plays one into a log and returns how many rows it has.
      Without `log_game`, `play_batch` takes a log after `at`, into which the last game goes if it
      has rows, and returns how many it needs.
    * `referee`: `replay(log, components, rulings, players)`.
    * `narrate`: `narrate(replay, styles)`; `picture`: `picture(replay, styles, turn)`.
    """

    package: str
    title: str
    turn_name = "turn"
    player_counts: range
    releases_gil = True
    features: tuple[Feature, ...]
    rulings: tuple[Ruling, ...]
    """The rulings with their values, defaults and meaning."""
    unwritten: tuple[Fact, ...] = ()
    """Facts that are no numbers of the component file."""
    end_reasons: tuple[str, ...]
    game_columns: tuple[Column, ...]
    seat_columns: tuple[Column, ...]
    long_tables: Mapping[str, tuple[Column, ...]] = data.FLOW_TABLES
    sampled_tables: tuple[str, ...] = tuple(data.FLOW_TABLES)
    components_model: type[BaseModel]
    rulings_model: type[BaseModel]
    components_source: Path

    @abstractmethod
    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""

    @abstractmethod
    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> Any:
        """Return a Setup: a new record with the rules, and what of the styles is the game's own.

        Weights, temperatures, rotation and sample are entered by `setup`.
        """

    def rows_of(self, setup: Any, games: int, sampled: int) -> dict[str, int]:
        """Return how many rows the game's own long tables have for games, some of them sampled."""
        return {}

    def arrays(self, setup: Any, tables: Tables) -> list[np.ndarray]:
        """Return what `play_batch` plays into, in the order in which it takes it."""
        return [tables[name] for name in ("games", "seats", *self.long_tables)]

    @staticmethod
    def worded(key: str, value: Any) -> str:
        """Return how a component's value is worded in its fact."""
        return str(value)

    @property
    def actions(self) -> tuple[str, ...]:
        """What a style may forbid."""
        return self.actions_of(self.default_components())

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return data.read_toml(self.components_source)

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Refuse: no CSV components are read."""
        data.no_table(self.title)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return self.rulings_model().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(self.rulings)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""
        return [
            *data.component_facts(components, self.default_components(), self.worded),
            *self.unwritten,
            *data.ruling_facts(rulings, self.rulings),
        ]

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(self.components_source.with_name("styles.toml"))

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
    ) -> Any:
        """Return a cell ready to be played: one style for each place of the line-up."""
        players = len(styles)
        self.check(components, rulings, players)
        setup = self.cell_of(dict(components), dict(rulings), tuple(styles))
        s = setup.record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        names = [feature.name for feature in self.features]
        s["weights"][:players, : len(names)] = weight_rows(styles, names)
        s["temperature"][:players] = [style.temperature for style in styles]
        searching.prepare(setup.record, styles)
        return setup

    def tables_for(self, setup: Any, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        tables = {
            "games": np.zeros(games, data.games_dtype(self.game_columns)),
            "seats": np.zeros(games * setup.players, data.seats_dtype(self.seat_columns)),
        }
        sampled = data.sampled_in(setup.record, games, first)
        for name, rows in self.rows_of(setup, games, sampled).items():
            tables[name] = np.zeros(rows, data.dtype_of(self.long_tables[name]))
        return tables | data.flow_tables(setup.record, games, first)

    def play(self, setup: Any, seed: int, first: int, count: int, tables: Tables, at: int) -> None:
        """Play games into the tables."""
        if searching.is_wanted(setup.record):
            self.scripted(setup).play(seed, first, count, tables, at)
        else:
            self._play(setup, setup.record.copy(), seed, first, count, tables, at, searching.NO_LOG)

    def scripted(self, setup: Any) -> searching.Searching:
        """Return what plays games of a cell again, up to a decision and on from there."""
        return searching.Searching.of(setup, partial(self._play, setup), self.tables_for)

    def log(self, setup: Any, seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""
        record = setup.record
        if searching.is_wanted(record):
            record = self.scripted(setup).script(seed, game)
        return data.whole_log(lambda log: self._tell(setup, record.copy(), seed, game, log))

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether `play` (or `log`) is compiled already or waits in the disk cache."""
        from sim.compiled import is_compiled

        play = self._module("play")
        apart = logging and hasattr(play, "log_game")
        return is_compiled(play.log_game if apart else play.play_batch)

    def replay(self, setup: Any, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""
        replay: Replay = self._module("referee").replay(
            log, setup.components, setup.rulings, setup.players
        )
        return replay

    def narrate(self, setup: Any, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game move by move; `styles` names the style at each seat."""
        told: Iterator[str] = self._module("narrate").narrate(self.replay(setup, log), styles)
        return told

    def picture(
        self, setup: Any, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the table after a turn (the last one when None)."""
        figure: Figure = self._module("picture").picture(self.replay(setup, log), styles, turn)
        return figure

    def analysis(self) -> Analysis | None:
        """Return None: what holds for every game says it all."""
        return None

    def _module(self, name: str) -> Any:
        """Return a module of the game's package."""
        return import_module(f"{self.package}.{name}")

    def _play(
        self,
        setup: Any,
        record: np.ndarray,
        seed: int,
        first: int,
        count: int,
        tables: Tables,
        at: int,
        log: np.ndarray,
    ) -> int:
        """Play games from a record, which takes the last one's decisions; return its log's rows."""
        play = self._module("play")
        numbers = np.uint64(seed), np.int64(first), np.int64(count)
        last = () if hasattr(play, "log_game") else (log,)
        rows = play.play_batch(record, *numbers, *self.arrays(setup, tables), np.int64(at), *last)
        return rows or 0

    def _tell(self, setup: Any, record: np.ndarray, seed: int, game: int, log: np.ndarray) -> int:
        """Play one game from a record into a log; return how many rows it has."""
        play = self._module("play")
        if hasattr(play, "log_game"):
            return int(play.log_game(record, np.uint64(seed), np.int64(game), log))
        return self._play(setup, record, seed, game, 1, self.tables_for(setup, 1, game), 0, log)
