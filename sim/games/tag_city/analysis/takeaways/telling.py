"""What sentences on Tag City are made with."""

from functools import partial

from sim.games.tag_city.analysis.naming import name_of
from sim.takeaways import series
from sim.takeaways.series import by_players, each_series, of_series, ranked, rows_of, told

__all__ = ["by_group", "by_players", "each_series", "of_series", "ranked", "rows_of", "told"]

by_group = partial(series.by_group, name_of=name_of)
