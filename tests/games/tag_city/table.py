"""Setups, games and logs of Tag City for the tests."""

from collections.abc import Sequence

from sim.games.tag_city import TagCity
from sim.players import Style
from tests.games.running import Running


class RunningTagCity(Running, TagCity):
    """Tag City, compiled or not."""


GAME = RunningTagCity()
setup, played, log_of, changed = GAME.cell, GAME.played, GAME.log_of, GAME.changed
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
STYLES = GAME.styles()
RANDOM = STYLES["random"]
GREEDY = STYLES["greedy"]


def style(temperature: float = 0.0, forbid: Sequence[str] = (), **weights: float) -> Style:
    """Return a style with these weights."""
    return Style(name="made", temperature=temperature, forbid=list(forbid), weights=weights)


def like(name: str, **changes: float) -> Style:
    """Return a shipped style with some weights changed."""
    known = STYLES[name]
    return known.model_copy(update={"weights": known.weights | changes})


def city(drawing: str, rows=(3, 1), columns=(2, 1), neighborhoods=(5, 2), connected=True) -> dict:
    """Return components with a city "X": a drawing, and (large, small) values by layer."""
    board = {"title": "X", "drawing": drawing, "connected": connected}
    values = {
        name: {"large": large, "small": small}
        for name, (large, small) in (
            ("rows", rows),
            ("columns", columns),
            ("neighborhoods", neighborhoods),
        )
    }
    return changed("values.X", values, changed("cities.X", board))
