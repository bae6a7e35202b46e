"""Wildstyle: 2 to 5 players tag a shared city at the same time, without turns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.games import data
from sim.games.frame import GameFrame
from sim.games.game import Analysis, Fact, Replay, RuleBroken, Tables
from sim.games.wildstyle import components as parts
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.components import Components, Rulings
from sim.players import Style
from sim.sheets import Row

if TYPE_CHECKING:
    from sim.games.wildstyle.state import Setup

ACTS = events.ACTS[: events.WAIT]
"""What a style may forbid beside the sides of tiles, which it then ignores."""
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


class Wildstyle(GameFrame):
    """The Game object of Wildstyle; see `sim.games.game.Game`."""

    package = __name__
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
    features = vocabulary.FEATURES
    rulings = vocabulary.RULINGS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables = MappingProxyType(
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
    components_source = Path(__file__).with_name("components.toml")
    unwritten = UNWRITTEN
    worded = staticmethod(parts.worded)

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return (*ACTS, *components["objectives"]["sides"])

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the boards or the deck in a CSV file as changes of components."""
        from sim.games.wildstyle.sheets import read_table

        return read_table(rows)

    def title_of(self, code: str) -> str:
        """Return how a report prints a side, icon, column, style or end reason."""
        return data.title_of(code, {}, TITLES)

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        parts.check(components, rulings, players)

    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> "Setup":
        """Return a cell with its map and tiles, and how its players act."""
        from sim.games.wildstyle import hexmap, state

        model, ruled, players = Components(**components), Rulings(**rulings), len(styles)
        sides = tuple(model.objectives.sides)
        record = state.rules_record(model, ruled, players)
        record[0]["act_kinds"] = events.WAIT
        state.fill_players(record[0], styles, sides, model.clock)
        cells = np.array(hexmap.city_map(players, ruled.board_radius).cells, np.int16)
        sets = state.tile_sets(model, ruled)
        return state.Setup(record, components, rulings, styles, sides, sets, cells)

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

    def rows_of(self, setup: "Setup", games: int, sampled: int) -> dict[str, int]:
        """Return how many rows the game's own long tables have."""
        return {
            "rounds": games * setup.rounds,
            "objectives": games * setup.players * int(setup.record[0]["dealt"]),
            "tags": sampled * setup.players * setup.tags,
        }

    def arrays(self, setup: "Setup", tables: Tables) -> list[np.ndarray]:
        """Return what `play_batch` takes: where the hexes are, and the tables."""
        return [setup.cells, *super().arrays(setup, tables)]

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
        return rest, [setup.styles[(start + seat) % players].tempo for seat in range(players)]

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.wildstyle.analysis import ANALYSIS

        return ANALYSIS


TITLES = data.column_titles(
    vocabulary.GAME_COLUMNS,
    vocabulary.SEAT_COLUMNS,
    vocabulary.ROUND_COLUMNS,
    vocabulary.OBJECTIVE_COLUMNS,
    vocabulary.TAG_COLUMNS,
)
TITLES |= data.titles_in(data.read_toml(Wildstyle.components_source))
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
