"""Estimates with intervals as dots in rows, under the names of Wildstyle's groups."""

from functools import partial

from sim.games.wildstyle.analysis.naming import name_of
from sim.plots import dots
from sim.plots.dots import label_below

__all__ = ["alt_text", "label_below", "rows_figure"]

alt_text = partial(dots.alt_text, name_of=name_of)
rows_figure = partial(dots.rows_figure, name_of=name_of)
