"""Licence and certificate: what holders score, and what the printed symbol would have paid."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sim.games.west_story.analysis.gather import HOLDER, MOST_FIRST
from sim.games.west_story.analysis.rows import ratios, shares
from sim.games.west_story.analysis.sums import sums
from sim.metrics.estimates import Row, estimate_row, fits, frame, held_rows
from sim.metrics.tidy import finish, per_run
from sim.metrics.totals import ratio_of

MEANS = ("round", "paid", "pairs", "vp", "instead")


@per_run
def licence(run: Any) -> pl.DataFrame:
    """Return what certificates bring (group `all`, a certificate, "bought in round 5"; n is seats).

    - `certificate.round`, `.paid`, `.pairs`, `.vp`: round in which it was bought, coins and cows
      for it, pairs and VP at the end; `.instead`: VP that the printed symbol would have paid for
      the same cards; `.gain`: VP minus that; `.net`: less the price, a coin as a VP;
      `.better`: share of holders whom it paid more than the printed symbol; `.even`: VP for each
      card with the printed symbol that would have paid all holders as much;
    - `certificate.win_share`, `.score`, `.seats` (groups "licence", "certificate"): of seats
      without and with one, and which share of all seats they are. Observed;
    - `certificate.win_per_certificate`, `.score_per_certificate` (`all`): win share and VP that
      holding one goes with, by least squares within the game on holding one and style; n is games.
      Observed: who is slow to the desert buys none.
    """
    found = sums(run)
    groups = [
        "all",
        *found.names.pairs,
        *(f"bought in round {number + 1}" for number in range(MOST_FIRST)),
    ]
    means = {f"certificate.{name}": (name, "seats", "seats") for name in MEANS}
    better = {"certificate.better": ("better", "seats", "seats")}
    parts = [
        *ratios(run, "holders", HOLDER, groups, means),
        *shares(run, "holders", HOLDER, groups, better),
        frame(_gains(run, groups)),
        *held_rows(found, "by_certificate", "certificate", ["licence", "certificate"]),
        frame(_fits(run)),
    ]
    return finish(run, parts)


def _gains(run: Any, groups: list[str]) -> Iterator[Row]:
    at = {name: number for number, name in enumerate(HOLDER)}
    for unit, totals in sums(run).of("holders"):
        for group in np.flatnonzero(totals.sums[:, 0] > 0):
            sums_of = totals.sums[group]
            mean = {name: ratio_of(sums_of, at[name], 0) for name in ("vp", "instead", "paid")}
            gain = mean["vp"] - mean["instead"]
            about = totals.products[group], int(totals.seen[group, 0]), round(sums_of[0])
            for metric, value in (
                ("gain", gain),
                ("net", gain - mean["paid"]),
                ("even", ratio_of(sums_of, at["vp"], at["cards"])),
            ):
                name = f"certificate.{metric}"
                yield estimate_row(unit, name, groups[group], value, *about, "difference")


def _fits(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "certificate_fit", lambda unit: len(unit.styles)):
        yield fit.row(f"certificate.{fit.outcome}_per_certificate", "all", fit.found[0])
