"""Tag City: dice drafting and polyominoes for 2 to 4 players; tag the city first."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from sim.games import data
from sim.games.frame import GameFrame
from sim.games.game import Analysis, Tables
from sim.games.tag_city import components as parts
from sim.games.tag_city import events, state, vocabulary
from sim.games.tag_city.components import Components, Rulings
from sim.games.tag_city.state import JUDGE, Setup
from sim.players import Style, forbidden_rows, weight_rows


class TagCity(GameFrame):
    """The Game object of Tag City; see `sim.games.game.Game`."""

    package = __name__
    name = "tag_city"
    title = "Tag City"
    version = "1"
    summary = (
        "Draft dice, paint shapes into your city, be first to fill rows, columns, neighborhoods."
    )
    score_name = "prestige"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 2_000
    features = vocabulary.FEATURES
    rulings = vocabulary.RULINGS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables = MappingProxyType(
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
    components_source = Path(__file__).with_name("components.toml")

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return (*events.ACTIONS, *state.shape_names(Components(**components)))

    @staticmethod
    def worded(key: str, value: Any) -> str:
        """Return a component's value in one line; a drawing's rows are parted by a stroke."""
        return " / ".join(str(value).strip("\n").splitlines())

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

    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> Setup:
        """Return a cell with its rings and cities, the judge, what styles avoid."""
        model, ruled, players = Components(**components), Rulings(**rulings), len(styles)
        record = state.rules_record(model, ruled, players)
        s = record[0]
        s["act_kinds"] = state.KINDS
        judge = weight_rows((vocabulary.JUDGE,), vocabulary.FEATURE_NAMES)
        s["weights"][JUDGE, : len(self.features)] = judge[0]
        names = self.actions_of(components)
        s["forbids"][:players, : len(names)] = forbidden_rows(styles, names)
        shapes, elements = state.shape_names(model), state.city_of(model, ruled).names
        return Setup(record, components, rulings, styles, shapes, elements)

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

    def rows_of(self, setup: Setup, games: int, sampled: int) -> dict[str, int]:
        """Return how many rows the game's own long tables have."""
        return {
            "elements": games * len(setup.elements),
            "shapes": len(setup.shapes),
            "squares": sampled * setup.players * int(setup.record[0]["squares"]),
        }

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        tables = super().tables_for(setup, games, first)
        tables["shapes"]["shape"] = np.arange(len(setup.shapes))
        return tables

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.tag_city.analysis import ANALYSIS

        return ANALYSIS


NEIGHBORHOOD = "neighborhood_"
TITLES = data.column_titles(vocabulary.GAME_COLUMNS, vocabulary.SEAT_COLUMNS)
TITLES |= {"large_values": "All large values gone", "bubbles": "All bubbles gone"}
TITLES |= {"drones": "A remote used up", "round_cap": "Round cap reached", "none": "None"}


GAME = TagCity()
