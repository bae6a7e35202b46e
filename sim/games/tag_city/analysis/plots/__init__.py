"""Figures of Tag City's own metrics, in the style of `sim.plots`.

Each function takes the rows that a report leads with and the study's `Words`, and returns a
`Picture`, or None where there is nothing to show; `painted` takes the run too.
"""

from sim.games.tag_city.analysis.plots.city import painted
from sim.games.tag_city.analysis.plots.dots import (
    checks,
    drones,
    fair_values,
    leading,
    led_against,
    pay,
    races,
    ring_rounds,
    ring_score,
    shapes,
)

__all__ = [
    "checks",
    "drones",
    "fair_values",
    "leading",
    "led_against",
    "painted",
    "pay",
    "races",
    "ring_rounds",
    "ring_score",
    "shapes",
]
