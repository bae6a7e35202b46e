"""Figures of West Story's own metrics, in the style of `sim.plots`.

Each function takes the rows that a report leads with and the study's `Words`, and returns a
`Picture`, or None where there is nothing to show.
"""

from sim.games.west_story.analysis.plots.curves import growth, runaway, slopes
from sim.games.west_story.analysis.plots.dots import (
    buildings,
    certificates,
    first_player,
    market,
    seats,
    sets,
    towns,
    villains,
)
from sim.games.west_story.analysis.plots.spaces import spaces

__all__ = [
    "buildings",
    "certificates",
    "first_player",
    "growth",
    "market",
    "runaway",
    "seats",
    "sets",
    "slopes",
    "spaces",
    "towns",
    "villains",
]
