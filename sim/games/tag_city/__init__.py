"""Tag City: dice drafting and polyominoes for 2 to 4 players; tag the city first."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.games import data, searching
from sim.games.game import Analysis, Column, Fact, Replay, Ruling, Tables
from sim.games.tag_city import components as parts
from sim.games.tag_city import events, state, vocabulary
from sim.games.tag_city.components import Components, Rulings
from sim.games.tag_city.state import JUDGE, Setup
from sim.players import Style, forbidden_rows, weight_rows
from sim.sheets import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent


class TagCity:
    """The Game object of Tag City; see `sim.games.game.Game`."""

    name = "tag_city"
    title = "Tag City"
    version = "1"
    summary = (
        "Draft dice, paint shapes into your city, be first to fill rows, columns, neighborhoods."
    )
    score_name = "prestige"
    turn_name = "turn"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 2_000
    releases_gil = True
    features = vocabulary.FEATURES
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables: Mapping[str, tuple[Column, ...]] = MappingProxyType(
        {
            "elements": vocabulary.ELEMENT_COLUMNS,
            "shapes": vocabulary.SHAPE_COLUMNS,
            "squares": vocabulary.SQUARE_COLUMNS,
            **data.FLOW_TABLES,
        }
    )
    sampled_tables = ("squares", "standings", "acts")
    components_model = Components
    rulings_model = Rulings
    components_source = FOLDER / "components.toml"

    @property
    def actions(self) -> tuple[str, ...]:
        """What a style may forbid: kinds of action, and drawings of a shape."""
        return self.actions_of(self.default_components())

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return (*events.ACTIONS, *state.shape_names(Components(**components)))

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return data.read_toml(self.components_source)

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Refuse: Tag City reads no CSV components."""
        data.no_table(self.title)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(vocabulary.RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers, drawings and rulings in use with their grades."""
        facts = data.component_facts(components, self.default_components(), in_one_line)
        return facts + data.ruling_facts(rulings, vocabulary.RULINGS)

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(FOLDER / "styles.toml")

    def title_of(self, code: str) -> str:
        """Return how a report prints a shape, element, column, style or end reason."""
        if code.startswith(NEIGHBORHOOD) and code not in TITLES:
            return f"Neighborhood {code.removeprefix(NEIGHBORHOOD).upper()}"
        components = self.default_components()
        tokens = components["small_shapes"]["tokens"] | components["ring_shapes"]["tokens"]
        return data.title_of(code, tokens, TITLES)

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
        record = state.rules_record(model, ruled, players)
        s = record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        s["act_kinds"] = state.KINDS
        rows = weight_rows((*styles, vocabulary.JUDGE), vocabulary.FEATURE_NAMES)
        s["weights"][:players, : len(self.features)] = rows[:-1]
        s["weights"][JUDGE, : len(self.features)] = rows[-1]
        s["temperature"][:players] = [style.temperature for style in styles]
        names = self.actions_of(components)
        s["forbids"][:players, : len(names)] = forbidden_rows(styles, names)
        searching.prepare(record, styles)
        return Setup(
            record,
            state.shape_names(model),
            state.city_of(model, ruled).names,
            dict(components),
            dict(rulings),
            tuple(styles),
        )

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        shapes = (*setup.shapes, "none")
        return {
            "end_reason": self.end_reasons,
            **{f"ring_{space}": shapes for space in range(events.SPACES)},
            "element": setup.elements,
            "layer": events.LAYERS,
            "large_taker": (*(f"seat_{seat}" for seat in range(4)), "shared", "nobody"),
            "shape": shapes,
            "act": self.actions[: state.KINDS],
        }

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        s, players = setup.record[0], setup.players
        each = players if s["rotate"] else 1
        sampled = data.sampled_games(int(s["every"]), each, first, games)
        shapes = np.zeros(len(setup.shapes), data.dtype_of(vocabulary.SHAPE_COLUMNS))
        shapes["shape"] = np.arange(len(shapes))
        return {
            "games": np.zeros(games, data.games_dtype(vocabulary.GAME_COLUMNS)),
            "seats": np.zeros(games * players, data.seats_dtype(vocabulary.SEAT_COLUMNS)),
            "elements": np.zeros(
                games * len(setup.elements), data.dtype_of(vocabulary.ELEMENT_COLUMNS)
            ),
            "shapes": shapes,
            "squares": np.zeros(
                sampled * players * int(s["squares"]), data.dtype_of(vocabulary.SQUARE_COLUMNS)
            ),
            **data.flow_tables(setup.record, games, first),
        }

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
        from sim.games.tag_city.play import play_batch

        return int(
            play_batch(
                record,
                np.uint64(seed),
                np.int64(first),
                np.int64(count),
                tables["games"],
                tables["seats"],
                tables["elements"],
                tables["shapes"],
                tables["squares"],
                tables["standings"],
                tables["acts"],
                np.int64(at),
                log,
            )
        )

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether games can be played, or told, without compiling: the same code does both."""
        from sim.compiled import is_compiled
        from sim.games.tag_city.play import play_batch

        return is_compiled(play_batch)

    def replay(self, setup: Setup, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""
        from sim.games.tag_city import referee

        return referee.replay(log, setup.components, setup.rulings, setup.players)

    def narrate(self, setup: Setup, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game move by move; `styles` names the style at each seat."""
        from sim.games.tag_city import narrate

        return narrate.narrate(self.replay(setup, log), styles)

    def picture(
        self, setup: Setup, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the HQ and the cities after a round (the last one when None)."""
        from sim.games.tag_city import picture

        return picture.picture(self.replay(setup, log), styles, turn)

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.tag_city.analysis import ANALYSIS

        return ANALYSIS


def in_one_line(_key: str, value: Any) -> str:
    """Return a component's value in one line; a drawing's rows are parted by a stroke."""
    return " / ".join(str(value).strip("\n").splitlines())


NEIGHBORHOOD = "neighborhood_"
COLUMNS = (*vocabulary.GAME_COLUMNS, *vocabulary.SEAT_COLUMNS)
TITLES = {column.name: column.title for column in COLUMNS}
TITLES |= {"large_values": "All large values gone", "bubbles": "All bubbles gone"}
TITLES |= {"drones": "A remote used up", "round_cap": "Round cap reached", "none": "None"}

GAME = TagCity()
