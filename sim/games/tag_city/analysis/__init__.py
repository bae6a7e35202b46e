"""What Tag City finds out about its finished runs: leading, layers, drones, shapes, the city.

Every row is about a head unit: a cell outside the round robins, or the pool of those.
"""

from sim.games.game import Analysis
from sim.games.tag_city.analysis import city, layers, leading, shapes, takeaways, using

METRICS = (
    leading.leading,
    layers.layers,
    layers.elements,
    using.using,
    using.ends,
    shapes.shapes,
    shapes.rings,
    city.city,
)
ANALYSIS = Analysis(METRICS, takeaways.tell, "tag_city.ipynb")
