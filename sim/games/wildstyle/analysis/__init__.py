"""What Wildstyle finds out about its finished runs: tiles, cop cars, tempo, rounds, the map.

Every row is about a head unit: a cell outside the round robins, or the pool of those.
"""

from sim.games.game import Analysis
from sim.games.wildstyle.analysis import city, objectives, players, takeaways, tilesets

METRICS = (
    objectives.objectives,
    objectives.wins,
    objectives.fair_values,
    tilesets.tile_sets,
    players.cop_cars,
    players.players,
    players.tempo,
    city.rounds,
    city.city,
)
ANALYSIS = Analysis(METRICS, takeaways.tell, "objectives.ipynb")
