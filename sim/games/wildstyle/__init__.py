"""Wildstyle: 2 to 5 players tag a shared city at the same time, without turns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.games import data, searching
from sim.games.game import Analysis, Column, Fact, Replay, RuleBroken, Ruling, Tables
from sim.games.wildstyle import components as parts
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.components import Components, Rulings
from sim.players import Style, forbidden_rows, weight_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sim.games.wildstyle.state import Setup

FOLDER = Path(__file__).parent
ACTS = events.ACTS[: events.WAIT]
"""What a style may forbid beside the sides of tiles, which it then ignores."""


class Wildstyle:
    """The Game object of Wildstyle; see `sim.games.game.Game`."""

    name = "wildstyle"
    title = "Wildstyle"
    version = "1"
    summary = (
        "All act at once: collect sets of location cards, tag a shared hex map, score objectives."
    )
    score_name = "points"
    turn_name = "act"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 1_000
    releases_gil = True
    features = vocabulary.FEATURES
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables: Mapping[str, tuple[Column, ...]] = MappingProxyType(
        {
            "rounds": vocabulary.ROUND_COLUMNS,
            "objectives": vocabulary.OBJECTIVE_COLUMNS,
            "tags": vocabulary.TAG_COLUMNS,
            **data.FLOW_TABLES,
        }
    )
    sampled_tables = ("tags", "standings", "acts")
    components_model = Components
    rulings_model = Rulings
    components_source = FOLDER / "components.toml"

    @property
    def actions(self) -> tuple[str, ...]:
        """The acts that a style may forbid, and the sides that it may ignore."""
        return self.actions_of(self.default_components())

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return (*ACTS, *components["objectives"]["sides"])

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return data.read_toml(self.components_source)

    def read_table(self, rows: list[dict[str, str]]) -> dict[str, Any]:
        """Return the boards or the deck in a CSV file as changes of components."""
        from sim.games.wildstyle.sheets import read_table

        return read_table(rows)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(vocabulary.RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""
        return [
            *data.component_facts(components, self.default_components(), parts.worded),
            *UNWRITTEN,
            *data.ruling_facts(rulings, vocabulary.RULINGS),
        ]

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(FOLDER / "styles.toml")

    def title_of(self, code: str) -> str:
        """Return how a report prints a side, icon, column, style or end reason."""
        return data.title_of(code, {}, TITLES)

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        parts.check(components, rulings, players)

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> "Setup":
        """Return a cell ready to be played: one style for each place of the line-up."""
        from sim.games.wildstyle import hexmap, state

        players = len(styles)
        self.check(components, rulings, players)
        model, ruled = Components(**components), Rulings(**rulings)
        sides = tuple(model.objectives.sides)
        record = state.rules_record(model, ruled, players)
        s = record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        s["act_kinds"] = events.WAIT
        state.fill_players(
            s,
            weight_rows(styles, vocabulary.FEATURE_NAMES),
            [style.temperature for style in styles],
            [style.tempo for style in styles],
            {
                "acts": forbidden_rows(styles, events.ACTS),
                "sides": forbidden_rows(styles, sides),
            },
            model.clock,
        )
        searching.prepare(record, styles)
        city = hexmap.city_map(players, ruled.board_radius)
        return state.Setup(
            record,
            sides,
            state.tile_sets(model, ruled),
            np.array(city.cells, np.int16),
            tuple(style.tempo for style in styles),
            dict(components),
            dict(rulings),
            tuple(styles),
        )

    def labels(self, setup: "Setup") -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {
            "end_reason": self.end_reasons,
            "end": (*self.end_reasons, "not_played"),
            "tile_set": tuple("+".join(sides) for sides in setup.sets),
            "side": setup.sides,
            "icon": (*events.ICONS, "none"),
            "fate": vocabulary.FATES,
            "act": events.ACTS[: events.WAIT],
        }

    def tables_for(self, setup: "Setup", games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games from the first one on."""
        players = setup.players
        s = setup.record[0]
        each = players if s["rotate"] else 1
        sampled = data.sampled_games(int(s["every"]), each, first, games)
        objectives = games * players * int(s["dealt"])
        return {
            "games": np.zeros(games, data.games_dtype(self.game_columns)),
            "seats": np.zeros(games * players, data.seats_dtype(self.seat_columns)),
            "rounds": np.zeros(games * setup.rounds, data.dtype_of(vocabulary.ROUND_COLUMNS)),
            "objectives": np.zeros(objectives, data.dtype_of(vocabulary.OBJECTIVE_COLUMNS)),
            "tags": np.zeros(sampled * players * setup.tags, data.dtype_of(vocabulary.TAG_COLUMNS)),
            **data.flow_tables(setup.record, games, first),
        }

    def play(
        self, setup: "Setup", seed: int, first: int, count: int, tables: Tables, at: int
    ) -> None:
        """Play games into the tables."""
        if searching.is_wanted(setup.record):
            self.scripted(setup).play(seed, first, count, tables, at)
        else:
            record, cells = setup.record.copy(), setup.cells
            _play(cells, record, seed, first, count, tables, at, searching.NO_LOG)

    def scripted(self, setup: "Setup") -> searching.Searching:
        """Return what plays games of a cell again, up to a decision and on from there."""
        return searching.Searching.of(setup, partial(_play, setup.cells), self.tables_for)

    def log(self, setup: "Setup", seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""
        tables, record = self.tables_for(setup, 1, game), setup.record
        if searching.is_wanted(record):
            record = self.scripted(setup).script(seed, game)
        return data.whole_log(
            lambda log: _play(setup.cells, record.copy(), seed, game, 1, tables, 0, log)
        )

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether `play` and `log`, which are one, are compiled or wait in the disk cache."""
        from sim.compiled import is_compiled
        from sim.games.wildstyle.play import play_batch

        return is_compiled(play_batch)

    def replay(self, setup: "Setup", log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""
        from sim.games.wildstyle import referee

        rows, tempos = self._seated(setup, log)
        return referee.replay(rows, setup.components, setup.rulings, setup.players, tempos)

    def _seated(self, setup: "Setup", log: np.ndarray) -> tuple[np.ndarray, list[float]]:
        """Return a log without its first rows, which say who sits where, and the seats' tempos."""
        players = setup.players
        seated, rest = log[:players], log[players:]
        start = int(seated[0, 3]) if len(seated) else 0
        turns = range(players) if setup.record[0]["rotate"] else (0,)
        rows = [[events.SEAT, seat, 0, (start + seat) % players, -1, -1] for seat in range(players)]
        if start not in turns or seated.tolist() != rows:
            raise RuleBroken(f"rows 0 to {players - 1}: do not seat the line-up, each style once")
        return rest, [setup.tempos[(start + seat) % players] for seat in range(players)]

    def narrate(self, setup: "Setup", log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game act by act; `styles` names the style at each seat."""
        from sim.games.wildstyle import narrate

        return narrate.narrate(self.replay(setup, log), styles)

    def picture(
        self, setup: "Setup", log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the table after an act (the last one when None)."""
        from sim.games.wildstyle import picture

        return picture.picture(self.replay(setup, log), styles, turn)

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.wildstyle.analysis import ANALYSIS

        return ANALYSIS


def _play(
    cells: np.ndarray,
    record: np.ndarray,
    seed: int,
    first: int,
    count: int,
    tables: Tables,
    at: int,
    log: np.ndarray,
) -> int:
    """Play games into the tables and the last one into the log; return its rows."""
    from sim.games.wildstyle.play import play_batch

    return play_batch(
        record,
        np.uint64(seed),
        np.int64(first),
        np.int64(count),
        cells,
        tables["games"],
        tables["seats"],
        tables["rounds"],
        tables["objectives"],
        tables["tags"],
        tables["standings"],
        tables["acts"],
        np.int64(at),
        log,
    )


TITLES = {
    column.name: column.title
    for columns in (
        vocabulary.GAME_COLUMNS,
        vocabulary.SEAT_COLUMNS,
        vocabulary.ROUND_COLUMNS,
        vocabulary.OBJECTIVE_COLUMNS,
        vocabulary.TAG_COLUMNS,
    )
    for column in columns
}
TITLES |= data.titles_in(data.read_toml(FOLDER / "components.toml"))
UNWRITTEN = (
    Fact(
        "components.boards.arrangement",
        "full edges together",
        "assumed",
        "how the districts lie: the rulebook's diagram is not at hand; a station is turned towards "
        "the mean of the districts' centres",
    ),
    Fact(
        "components.numbers.cop_cars_gone",
        "no rush",
        "assumed",
        "what happens when all cop cars are taken",
    ),
)
"""Facts that are no numbers of the component file."""

TITLES |= {
    "piles_empty": "Draw piles empty",
    "tags_out": "Tags run out",
    "stalemate": "Stalemate",
    "time_cap": "Time cap reached",
    "not_played": "Not played",
    "none": "None",
    "cop_car": "Given up for a cop car",
    "solo": "Lost as a solo tag",
}

GAME = Wildstyle()
