"""What Wildstyle finds out about its finished runs: tiles, cop cars, tempo, rounds, the map.

Every row is about a head unit: a cell outside the round robins, or the pool of those.
"""

from sim.games.game import Analysis
from sim.games.wildstyle.analysis.city import city, rounds
from sim.games.wildstyle.analysis.objectives import fair_values, objectives, wins
from sim.games.wildstyle.analysis.players import cop_cars, players, tempo
from sim.games.wildstyle.analysis.takeaways import tell
from sim.games.wildstyle.analysis.tilesets import tile_sets

METRICS = (objectives, wins, fair_values, tile_sets, cop_cars, players, tempo, rounds, city)
ANALYSIS = Analysis(METRICS, tell, "objectives.ipynb")
