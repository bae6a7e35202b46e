"""Figures from tidy rows, fit to be pasted into a slide.

Each function takes rows (`metrics.headline(run, metrics.all_metrics(run))`; `style_matrix` takes
those of all cells) and the study's `Words`, and returns a `Picture`, or None where there is
nothing to show. Nothing of pyplot's global state is used.
"""

from sim.plots.accepting import budgets
from sim.plots.base import Picture, to_pandas
from sim.plots.dots import restricted
from sim.plots.going import acts, kingmaking, leads, uncertainty
from sim.plots.playing import (
    cards,
    cards_by_style,
    end_reasons,
    lead_changes,
    margins,
    rounds,
    score_parts,
    scores,
    style_parts,
    turns,
)
from sim.plots.skill import ladder, variance
from sim.plots.winning import seat_shares, style_matrix, style_shares, ties, variants

__all__ = [
    "Picture",
    "acts",
    "budgets",
    "cards",
    "cards_by_style",
    "end_reasons",
    "kingmaking",
    "ladder",
    "lead_changes",
    "leads",
    "margins",
    "restricted",
    "rounds",
    "score_parts",
    "scores",
    "seat_shares",
    "style_matrix",
    "style_parts",
    "style_shares",
    "ties",
    "to_pandas",
    "turns",
    "uncertainty",
    "variance",
    "variants",
]
