"""West Story: two dice drive a town engine; villains, trades and the gold pan; 2 to 4 players."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.games import data, searching
from sim.games.game import Analysis, Column, Fact, Replay, Ruling, Tables
from sim.games.west_story import components as parts
from sim.games.west_story import events, packing, sheets, state, vocabulary
from sim.games.west_story.components import Components, Rulings
from sim.games.west_story.state import Setup
from sim.players import Style, weight_rows
from sim.sheets import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent


class WestStory:
    """The Game object of West Story; see `sim.games.game.Game`."""

    name = "west_story"
    title = "West Story"
    version = "1"
    summary = "Roll for everybody's engine at once, face villains, trade with towns, buy cards."
    score_name = "VP"
    turn_name = "turn"
    player_counts = range(2, state.MAX_PLAYERS + 1)
    shard_games = 1_000
    releases_gil = True
    features = vocabulary.FEATURES
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables: Mapping[str, tuple[Column, ...]] = MappingProxyType(
        {
            "market": vocabulary.MARKET_COLUMNS,
            "villains": vocabulary.VILLAIN_COLUMNS,
            "towns": vocabulary.TOWN_COLUMNS,
            "spaces": vocabulary.SPACE_COLUMNS,
            "purchases": vocabulary.PURCHASE_COLUMNS,
            "rounds": vocabulary.ROUND_COLUMNS,
            **data.FLOW_TABLES,
        }
    )
    sampled_tables = ("purchases", "rounds", "standings", "acts")
    components_model = Components
    rulings_model = Rulings
    components_source = FOLDER / "components.toml"

    @property
    def actions(self) -> tuple[str, ...]:
        """What a style may forbid: kinds of action, cards, towns, villains."""
        return self.actions_of(self.default_components())

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return state.actions_of(Components(**components))

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return sheets.shipped_components()

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the changes to the cards that the rows of a CSV file stand for."""
        return sheets.read_table(rows)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(vocabulary.RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers, cards and rulings in use with their grades."""
        facts = data.component_facts(components, self.default_components(), parts.worded)
        return facts + data.ruling_facts(rulings, vocabulary.RULINGS)

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(FOLDER / "styles.toml")

    def title_of(self, code: str) -> str:
        """Return how a report prints a card, town, villain, column, style or end reason."""
        if code in TITLES:
            return TITLES[code]
        return data.title_of(code, {}, data.titles_in(self.default_components()))

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        state.check(components, rulings, players)

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
        model, ruled = Components(**components), Rulings(**rulings)
        record = packing.rules_record(model, ruled, players)
        s = record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        s["act_kinds"] = len(vocabulary.ACTS)
        rows = weight_rows(styles, vocabulary.FEATURE_NAMES)
        s["weights"][:players] = rows
        coins, cows = (vocabulary.FEATURE_NAMES.index(name) for name in ("coins", "cows"))
        s["cows_first"][:players] = rows[:, coins] > rows[:, cows]
        s["temperature"][:players] = [style.temperature for style in styles]
        for place, style in enumerate(styles):
            for field, avoided in state.forbidden(style.forbid, model).items():
                s[field][place, : len(avoided)] = avoided
        kinds = parts.card_kinds(model)
        searching.prepare(record, styles)
        return Setup(record, kinds, dict(components), dict(rulings), tuple(styles))

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return state.labels(setup)

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        s, players = setup.record[0], setup.players
        each = players if s["rotate"] else 1
        sampled = data.sampled_games(int(s["every"]), each, first, games)
        rounds = sampled * players * int(s["most_rounds"])
        rows = {
            "market": games * int(s["cards"]),
            "villains": games * int(s["places"]),
            "towns": games * int(s["towns"]),
            "spaces": events.SPOTS,
            "purchases": 2 * rounds,
            "rounds": rounds,
        }
        tables = {
            "games": np.zeros(games, data.games_dtype(vocabulary.GAME_COLUMNS)),
            "seats": np.zeros(games * players, data.seats_dtype(vocabulary.SEAT_COLUMNS)),
        }
        for name, many in rows.items():
            tables[name] = np.zeros(many, data.dtype_of(self.long_tables[name]))
        tables["spaces"]["spot"] = np.arange(events.SPOTS)
        return tables | data.flow_tables(setup.record, games, first)

    def play(
        self, setup: Setup, seed: int, first: int, count: int, tables: Tables, at: int
    ) -> None:
        """Play games into the tables."""
        if searching.is_wanted(setup.record):
            self.scripted(setup).play(seed, first, count, tables, at)
        else:
            self._play(setup.record.copy(), seed, first, count, tables, at, searching.NO_LOG)

    def scripted(self, setup: Setup) -> searching.Searching:
        """Return what plays games of a cell again, up to a decision and on from there."""
        return searching.Searching.of(setup, self._play, self.tables_for)

    def log(self, setup: Setup, seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""
        tables, record = self.tables_for(setup, 1, game), setup.record
        if searching.is_wanted(record):
            record = self.scripted(setup).script(seed, game)
        return data.whole_log(lambda log: self._play(record.copy(), seed, game, 1, tables, 0, log))

    def _play(
        self,
        record: np.ndarray,
        seed: int,
        first: int,
        count: int,
        tables: Tables,
        at: int,
        log: np.ndarray,
    ) -> int:
        """Play games into the tables and, if it has rows, the last one into the log."""
        from sim.games.west_story.play import play_batch

        numbers = np.uint64(seed), np.int64(first), np.int64(count)
        rows = (tables[name] for name in ("games", "seats", *self.long_tables))
        return int(play_batch(record, *numbers, *rows, np.int64(at), log))

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether games can be played, or told, without compiling: the same code does both."""
        from sim.compiled import is_compiled
        from sim.games.west_story.play import play_batch

        return is_compiled(play_batch)

    def replay(self, setup: Setup, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""
        from sim.games.west_story import referee

        return referee.replay(log, setup.components, setup.rulings, setup.players)

    def narrate(self, setup: Setup, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game round by round; `styles` names the style at each seat."""
        from sim.games.west_story import narrate

        return narrate.narrate(self.replay(setup, log), styles)

    def picture(
        self, setup: Setup, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw boards, track and market after a turn (the last one when None)."""
        from sim.games.west_story import picture

        return picture.picture(self.replay(setup, log), styles, turn)

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.west_story.analysis import ANALYSIS

        return ANALYSIS


TITLES = {
    column.name: column.title for column in (*vocabulary.GAME_COLUMNS, *vocabulary.SEAT_COLUMNS)
}
TITLES |= {"gold_pan": "Gold pan empty", "round_cap": "Round cap reached", "none": "None"}

GAME = WestStory()
