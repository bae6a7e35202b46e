"""What West Story's own rows say, in plain words, with verdicts that are earned."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.west_story.analysis.takeaways.ahead import first_player, runaway
from sim.games.west_story.analysis.takeaways.buildings import buildings
from sim.games.west_story.analysis.takeaways.cards import certificates, market
from sim.games.west_story.analysis.takeaways.places import lake, towns, villains
from sim.takeaways.telling import Takeaway
from sim.words import Words

__all__ = [
    "buildings",
    "certificates",
    "first_player",
    "lake",
    "market",
    "runaway",
    "tell",
    "towns",
    "villains",
]


def tell(run: Any, head: pl.DataFrame, words: Words) -> Iterator[Takeaway]:
    """Yield what a report leads with; the rest stands in the sections on it.

    Of several variants only what they are likely to differ in; where all who meet are twins, one
    of whom does without something, nothing that hangs on what all may do.
    """
    twins = head.filter(pl.col("metric") == "without.win")
    if len(twins) and not any(map(words.is_of_equals, words.lineups)):
        return
    on_things = (certificates, market, buildings)
    on_play = (first_player, runaway, lake) if len(words.variants) == 1 else ()
    for about in (*on_play, *on_things):
        yield from about(head, words)
