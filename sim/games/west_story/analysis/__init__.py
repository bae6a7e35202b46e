"""What West Story finds out about its finished runs: the dice, snowballs, cards, certificates.

Every row is about a head unit: a cell outside the round robins, or the pool of those.
"""

from sim.games.game import Analysis
from sim.games.west_story.analysis import (
    buildings,
    first,
    licence,
    market,
    places,
    players,
    runaway,
    takeaways,
)

METRICS = (
    first.first_player,
    runaway.runaway,
    runaway.growth,
    licence.licence,
    market.market,
    buildings.buildings,
    places.villains,
    places.towns,
    places.spaces,
    players.players,
)
ANALYSIS = Analysis(METRICS, takeaways.tell, "west_story.ipynb")
