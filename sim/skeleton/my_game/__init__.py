"""My Game: a race for 2 to 4 players; be first at the end of the track."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from my_game import components as parts
from my_game import events, vocabulary
from my_game.components import Components, Rulings
from sim.games import data
from sim.games.frame import GameFrame, Setup
from sim.players import Style, forbidden_rows


class MyGame(GameFrame):
    """The Game object of My Game; see `sim.games.game.Game`."""

    package = __name__
    name = "my_game"
    title = "My Game"
    version = "1"
    summary = "Walk, or run and risk a fall; first at the end of the track."
    score_name = "steps"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 50_000
    features = vocabulary.FEATURES
    rulings = vocabulary.RULINGS
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    components_model = Components
    rulings_model = Rulings
    components_source = Path(__file__).with_name("components.toml")

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return events.ACTS

    def title_of(self, code: str) -> str:
        """Return how a report prints an act, column, style or end reason."""
        return data.title_of(code, {}, vocabulary.TITLES)

    def cell_of(
        self, components: dict[str, Any], rulings: dict[str, Any], styles: tuple[Style, ...]
    ) -> Setup:
        """Return a cell with its rules and the acts that styles avoid."""
        record = parts.rules_record(Components(**components), Rulings(**rulings), len(styles))
        record[0]["forbids"][: len(styles)] = forbidden_rows(styles, events.ACTS)
        return Setup(record, components, rulings, styles)

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {"end_reason": self.end_reasons, "act": events.ACTS}


GAME = MyGame()
