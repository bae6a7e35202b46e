"""Figures of Wildstyle's own metrics, in the style of `sim.plots`.

Each function takes the rows that a report leads with and the study's `Words`, and returns a
`Picture`, or None where there is nothing to show; `tagged` takes the run too.
"""

from sim.games.wildstyle.analysis.plots.objectives import (
    deciding,
    fair_values,
    points,
    points_and_wins,
    side_gaps,
    tile_sets,
)
from sim.games.wildstyle.analysis.plots.play import (
    cop_cars,
    occupied,
    round_ends,
    round_lengths,
    tagged,
    tempo,
)

__all__ = [
    "cop_cars",
    "deciding",
    "fair_values",
    "occupied",
    "points",
    "points_and_wins",
    "round_ends",
    "round_lengths",
    "side_gaps",
    "tagged",
    "tempo",
    "tile_sets",
]
