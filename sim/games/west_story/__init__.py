"""West Story: two dice drive a town engine; villains, trades and the gold pan; 2 to 4 players."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from sim.games import data
from sim.games.frame import GameFrame
from sim.games.game import Analysis, Tables
from sim.games.west_story import components as parts
from sim.games.west_story import events, packing, sheets, state, vocabulary
from sim.games.west_story.components import Components, Rulings
from sim.games.west_story.state import Setup
from sim.players import Style
from sim.sheets import Row


class WestStory(GameFrame):
    """The Game object of West Story; see `sim.games.game.Game`."""

    package = __name__
    name = "west_story"
    title = "West Story"
    version = "1"
    summary = "Roll for everybody's engine at once, face villains, trade with towns, buy cards."
    score_name = "VP"
    player_counts = range(2, state.MAX_PLAYERS + 1)
    shard_games = 1_000
    features = vocabulary.FEATURES
    rulings = vocabulary.RULINGS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables = MappingProxyType(
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
    components_source = Path(__file__).with_name("components.toml")
    worded = staticmethod(parts.worded)

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return state.actions_of(Components(**components))

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return sheets.shipped_components()

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the changes to the cards that the rows of a CSV file stand for."""
        return sheets.read_table(rows)

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

    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> Setup:
        """Return a cell with its cards, and what styles avoid and rather have."""
        model, players = Components(**components), len(styles)
        record = packing.rules_record(model, Rulings(**rulings), players)
        s = record[0]
        s["act_kinds"] = len(vocabulary.ACTS)
        s["cows_first"][:players] = [
            style.weights.get("coins", 0.0) > style.weights.get("cows", 0.0) for style in styles
        ]
        for place, style in enumerate(styles):
            for field, avoided in state.forbidden(style.forbid, model).items():
                s[field][place, : len(avoided)] = avoided
        return Setup(record, components, rulings, styles, parts.card_kinds(model))

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return state.labels(setup)

    def rows_of(self, setup: Setup, games: int, sampled: int) -> dict[str, int]:
        """Return how many rows the game's own long tables have."""
        s = setup.record[0]
        rounds = sampled * setup.players * int(s["most_rounds"])
        return {
            "market": games * int(s["cards"]),
            "villains": games * int(s["places"]),
            "towns": games * int(s["towns"]),
            "spaces": events.SPOTS,
            "purchases": 2 * rounds,
            "rounds": rounds,
        }

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        tables = super().tables_for(setup, games, first)
        tables["spaces"]["spot"] = np.arange(events.SPOTS)
        return tables

    def analysis(self) -> Analysis | None:
        """Return what this game finds out about its finished runs."""
        from sim.games.west_story.analysis import ANALYSIS

        return ANALYSIS


TITLES = data.column_titles(vocabulary.GAME_COLUMNS, vocabulary.SEAT_COLUMNS)
TITLES |= {"gold_pan": "Gold pan empty", "round_cap": "Round cap reached", "none": "None"}


GAME = WestStory()
