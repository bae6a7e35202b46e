"""What Tag City's own rows say, in plain words, with verdicts that are earned."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.tag_city.analysis.takeaways.layers import fair_values, layers, races, sizes
from sim.games.tag_city.analysis.takeaways.leading import leading
from sim.games.tag_city.analysis.takeaways.play import checks, city, drones, ends
from sim.games.tag_city.analysis.takeaways.shapes import rings, shapes
from sim.takeaways.telling import Takeaway
from sim.words import Words

__all__ = [
    "checks",
    "city",
    "drones",
    "ends",
    "fair_values",
    "layers",
    "leading",
    "races",
    "rings",
    "shapes",
    "sizes",
    "tell",
]


def tell(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Yield what a report leads with; the rest stands in the sections on it."""
    for about in (leading, layers, fair_values, ends, drones, rings):
        yield from about(head, words)
