"""Cells of the compiled game: setups, games, tables and logs of West Story for the tests."""

from collections.abc import Sequence

from sim.games.west_story import WestStory
from sim.players import Style

from ..running import Running


class RunningWestStory(Running, WestStory):
    """West Story, compiled or not."""


GAME = RunningWestStory()
setup, played, log_of, changed = GAME.cell, GAME.played, GAME.log_of, GAME.changed
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
STYLES = GAME.styles()
RANDOM = STYLES["random"]
GREEDY = STYLES["greedy"]


def style(temperature: float = 0.0, forbid: Sequence[str] = (), **weights: float) -> Style:
    """Return a style with these weights."""
    return Style(name="made", temperature=temperature, forbid=list(forbid), weights=weights)


DESERTS = {name: area | {"desert": True} for name, area in COMPONENTS["areas"].items()}
OPEN = changed("areas", DESERTS, changed("certificates.cost_bottom", 5))
"""Components that sell certificates everywhere, in towns and before villains too."""
