"""Cells of the compiled game: setups, games, tables and logs of West Story for the tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sim.games.west_story import WestStory
from sim.games.west_story.state import Setup
from sim.players import Style

from ..running import running


class Running(WestStory):
    """West Story, compiled or not."""

    def setup(self, *args: Any, **options: Any) -> Setup:
        made = super().setup(*args, **options)
        return replace(made, record=running(made.record))

    def tables_for(self, *args: Any) -> dict[str, np.ndarray]:
        return {name: running(table) for name, table in super().tables_for(*args).items()}

    def _play(self, *args: Any) -> int:
        with np.errstate(over="ignore"):  # 64-bit random words wrap around on purpose
            return super()._play(*args)


GAME = Running()
COMPONENTS = GAME.default_components()
RULINGS = GAME.default_rulings()
STYLES = GAME.styles()
RANDOM = STYLES["random"]
GREEDY = STYLES["greedy"]


def style(temperature: float = 0.0, forbid: Sequence[str] = (), **weights: float) -> Style:
    """Return a style with these weights."""
    return Style(name="made", temperature=temperature, forbid=list(forbid), weights=weights)


def setup(
    players: int,
    *styles: Style,
    rotate: bool = False,
    sample: float = 0.0,
    components: Mapping[str, Any] = COMPONENTS,
    **rulings: Any,
) -> Setup:
    """Return a cell of West Story; one style alone plays every seat."""
    line_up = [*styles] if len(styles) == players else [*(styles or (RANDOM,))] * players
    assert len(line_up) == players
    return GAME.setup(components, RULINGS | rulings, line_up, rotate, sample)


def played(cell: Setup, count: int, seed: int = 1, first: int = 0) -> dict[str, np.ndarray]:
    """Play games and return their tables."""
    tables = GAME.tables_for(cell, count, first)
    GAME.play(cell, seed, first, count, tables, 0)
    return tables


def log_of(cell: Setup, game: int, seed: int = 1) -> np.ndarray:
    """Return the log of a game."""
    return GAME.log(cell, seed, game)


def changed(path: str, value: Any, components: Mapping[str, Any] = COMPONENTS) -> dict[str, Any]:
    """Return components with one value changed or added, by dotted name."""
    first, _, rest = path.partition(".")
    new = changed(rest, value, components[first]) if rest else value
    return {**components, first: new}


DESERTS = {name: area | {"desert": True} for name, area in COMPONENTS["areas"].items()}
OPEN = changed("areas", DESERTS, changed("certificates.cost_bottom", 5))
"""Components that sell certificates everywhere, in towns and before villains too."""
