"""What Wildstyle's own rows say, in plain words, with verdicts that are earned."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.wildstyle.analysis.takeaways.objectives import (
    deciding,
    fair_values,
    side_gaps,
    tile_sets,
    worth,
)
from sim.games.wildstyle.analysis.takeaways.play import city, cop_cars, rounds, tempo
from sim.takeaways import Takeaway
from sim.words import Words

__all__ = [
    "city",
    "cop_cars",
    "deciding",
    "fair_values",
    "rounds",
    "side_gaps",
    "tell",
    "tempo",
    "tile_sets",
    "worth",
]


def tell(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Yield the findings of a run, tiles first."""
    for about_tiles in (worth, deciding, fair_values, side_gaps, tile_sets):
        yield from about_tiles(run, head, words)
    for about_play in (tempo, cop_cars, rounds, city):
        yield from about_play(head, words)
