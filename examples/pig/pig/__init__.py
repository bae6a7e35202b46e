"""Pig: a dice game for 2 to 4 players; roll on or hold, first to 100 points."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pig import components as parts
from pig import events, vocabulary
from pig.components import Components, Rulings
from sim.errors import SimError
from sim.games import data
from sim.games.frame import GameFrame, Setup
from sim.players import Style, forbidden_rows


class Pig(GameFrame):
    """The Game object of Pig; see `sim.games.game.Game`."""

    package = __name__
    name = "pig"
    title = "Pig"
    version = "1"
    summary = "Roll and roll again, or hold before a 1 takes the points of the turn; first to 100."
    score_name = "points"
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
        model = Components(**components)
        record = parts.rules_record(model, Rulings(**rulings), len(styles))
        s = record[0]
        if any(style.weights.get("optimal") for style in styles):
            enter_optimum(s, model)
        s["forbids"][: len(styles)] = forbidden_rows(styles, events.ACTS)
        return Setup(record, components, rulings, styles)

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {"end_reason": self.end_reasons, "act": events.ACTS}


def enter_optimum(s: np.void, components: Components) -> None:
    """Enter optimal play into a game's record, worked out once for a goal and a die.

    Raises SimError for a goal that is too high.
    """
    from pig.optimum import packed

    goal = components.goal.points
    if goal > parts.MAX_SOLVED:
        raise SimError(
            f"components.goal.points: found {goal}; a style that weighs `optimal` needs a goal of "
            f"at most {parts.MAX_SOLVED}"
        )
    policy = packed(goal, components.die.sides)
    s["rolls_on"][:goal, :goal, : policy.shape[2]] = policy


GAME = Pig()
