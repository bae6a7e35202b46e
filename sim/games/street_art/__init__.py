"""Street Art: a card game of turns for 2 to 6 players; gather the biggest audience."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from sim.errors import SimError
from sim.games import data
from sim.games.frame import GameFrame
from sim.games.game import Fact, Tables
from sim.games.street_art import components as parts
from sim.games.street_art import events, vocabulary
from sim.games.street_art.components import Components, Rulings, Setup
from sim.players import Style, forbidden_rows


class StreetArt(GameFrame):
    """The Game object of Street Art; see `sim.games.game.Game`."""

    package = __name__
    name = "street_art"
    title = "Street Art"
    version = "1"
    summary = (
        "Play one card a turn, gather hearts from the middle, steal from whoever shows a twin."
    )
    score_name = "hearts"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 50_000
    features = vocabulary.FEATURES
    rulings = vocabulary.RULINGS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables = MappingProxyType({"cards": vocabulary.CARD_COLUMNS, **data.FLOW_TABLES})
    components_model = Components
    rulings_model = Rulings
    components_source = Path(__file__).with_name("components.toml")

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return parts.kind_names(Components(**components))

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""
        grade = vocabulary.GRADE_OF_HEARTS.get(rulings["hearts"], "assumed")
        return [
            replace(fact, grade=grade) if fact.key == "rulings.hearts" else fact
            for fact in super().facts(components, rulings)
        ]

    def title_of(self, code: str) -> str:
        """Return how a report prints a card, column, style or end reason."""
        return data.title_of(code, self.default_components()["stars"]["cards"], TITLES)

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        model = Components(**components)
        for name in model.stars.cards:
            if name in events.SPECIALS:
                raise SimError(
                    f'components.stars.cards.{name}: "{name}" is a Special Card; '
                    "a Street Star needs another name"
                )
        seats = model.seats
        if not seats.fewest <= players <= seats.most:
            raise SimError(
                f"players: {players} is outside components.seats, "
                f"which allows {seats.fewest} to {seats.most}"
            )
        deck = int(parts.rules_record(model, Rulings(**rulings), players)[0]["copies"].sum())
        dealt = players * model.numbers.hand_size
        if deck <= dealt:
            raise SimError(
                f"components: {deck} cards are too few for {players} hands of "
                f"{model.numbers.hand_size}; more than {dealt} are needed"
            )
        if deck > parts.MAX_DECK:
            raise SimError(
                f"components: {deck} cards are too many; at most {parts.MAX_DECK} are allowed"
            )

    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> Setup:
        """Return a cell with its deck and the cards that styles avoid."""
        model, players = Components(**components), len(styles)
        kinds = parts.kind_names(model)
        record = parts.rules_record(model, Rulings(**rulings), players)
        record[0]["forbids"][:players, : len(kinds)] = forbidden_rows(styles, kinds)
        return Setup(record, components, rulings, styles, kinds)

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {
            "end_reason": self.end_reasons,
            "final_card": (*setup.kinds, "none"),
            "card": setup.kinds,
            "act": setup.kinds,
        }

    def rows_of(self, setup: Setup, games: int, sampled: int) -> dict[str, int]:
        """Return how many rows `cards` has: each card, by seat and place of the line-up."""
        places = setup.players if setup.record[0]["rotate"] else 1
        return {"cards": setup.players * places * len(setup.kinds)}

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        tables = super().tables_for(setup, games, first)
        cards, kinds = tables["cards"], len(setup.kinds)
        places = setup.players if setup.record[0]["rotate"] else 1
        block = np.arange(len(cards)) // kinds
        cards["seat"] = block // places
        cards["style"] = block % places if places > 1 else cards["seat"]
        cards["card"] = np.arange(len(cards)) % kinds
        return tables


TITLES = data.column_titles(vocabulary.GAME_COLUMNS, vocabulary.SEAT_COLUMNS)
TITLES |= {name: name.replace("_", " ").title() for name in events.SPECIALS}
TITLES |= {"middle_empty": "Middle empty", "turn_cap": "Turn cap reached", "none": "None"}


GAME = StreetArt()
