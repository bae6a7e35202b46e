"""Whether whoever is ahead, or rich, stays so: chances to win by standing and wealth."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.west_story.analysis.blocks import BOUGHT, SOURCES
from sim.games.west_story.analysis.gather_rounds import BUYING, GROWTH, RANK, STANDING
from sim.games.west_story.analysis.rows import ratios, shares, win_shares
from sim.games.west_story.analysis.sums import sums
from sim.games.west_story.state import MAX_PLAYERS
from sim.metrics.estimates import Row, estimate_row, frame
from sim.metrics.tidy import finish, per_run
from sim.metrics.totals import least_squares


@per_run
def runaway(run: Any) -> pl.DataFrame:
    """Return how standing and wealth after a round go with winning (group "round 3"; n is games).

    Over the sampled games that got so far. Standing is what a seat would score as things stand;
    ties are split.

    - `runaway.leader`, `.richest`, `.first`: win share of who leads, who is richest, who was first
      player; fair is 1 / players;
    - `runaway.rank`, `runaway.wealth_rank` (group "round 3, rank 2"): win share by rank in
      standing and in wealth; n is seats;
    - `runaway.lead`: VP between leader and second;
    - `runaway.win_per_vp`, `.win_per_coin`: win share that goes with one VP, and one coin, more
      than the others have, by least squares within the game on both and on style;
    - `runaway.again`: share of games that go on in which the richest is richest again a round
      later; n is games that go on.
    """
    if not run.study.sample:
        return finish(run, [])
    names = _rounds(run)
    ranked = [f"{name}, rank {rank + 1}" for name in names for rank in range(MAX_PLAYERS)]
    games = ("games", "games")
    parts = win_shares(
        *(run, "standings", STANDING, names),
        {f"runaway.{name}": (name, *games) for name in ("leader", "richest", "first")},
    )
    for theme, metric in (("ranks", "rank"), ("wealth_ranks", "wealth_rank")):
        ratio = {f"runaway.{metric}": ("wins", "seats", "seats")}
        parts += win_shares(run, theme, RANK, ranked, ratio)
    parts += ratios(run, "standings", STANDING, names, {"runaway.lead": ("lead", *games)})
    parts += shares(run, "standings", STANDING, names, {"runaway.again": ("again", "on", "on")})
    return finish(run, [*parts, frame(_slopes(run))])


def _rounds(run: Any) -> list[str]:
    return [f"round {number + 1}" for number in range(sums(run).names.rounds)]


def _slopes(run: Any) -> Iterator[Row]:
    for unit, totals in sums(run).of("chances"):
        variables = 2 + len(unit[1].styles) - 1
        for at, name in enumerate(_rounds(run)):
            fitted = least_squares(totals.sums[at], variables)
            if fitted is None:
                continue
            about = int(totals.seen[at, -1]), round(totals.sums[at, -1]), "least squares"
            for metric, found in zip(("win_per_vp", "win_per_coin"), fitted, strict=False):
                yield estimate_row(
                    unit, f"runaway.{metric}", name, found, totals.products[at], *about
                )


@per_run
def growth(run: Any) -> pl.DataFrame:
    """Return what seats have after each round, over the sampled games (n is seats):

    - `growth.vp`, `growth.coins`, `growth.cows` (group "round 3"): VP as things stand, coins, cows;
    - `growth.source` (group "round 3, vp_towns"): VP by source; licence or certificate as one;
    - `buying.production`, `.scoring`, `.building`, `.nothing`: cards of each deck, and purchases
      skipped, of a seat in the round; `buying.covering`: share of the cards that went onto another;
      `buying.price`: coins, hats and cows for a card; n is cards.
    """
    if not run.study.sample:
        return finish(run, [])
    names = _rounds(run)
    kept = {f"growth.{name}": (name, "seats", "seats") for name in ("vp", "coins", "cows")}
    parts = ratios(run, "growth", GROWTH, names, kept)
    for source in SOURCES:
        groups = [f"{name}, {source}" for name in names]
        own = {"growth.source": (source, "seats", "seats")}
        parts += ratios(run, "growth", GROWTH, groups, own)
    bought = {f"buying.{name}": (name, "seats", "seats") for name in BOUGHT}
    parts += ratios(run, "buying", BUYING, names, bought)
    covering = {"buying.covering": ("covering", "cards", "cards")}
    parts += shares(run, "buying", BUYING, names, covering)
    parts += ratios(run, "buying", BUYING, names, {"buying.price": ("price", "cards", "cards")})
    return finish(run, parts)
