"""Cards: seen, bought, executed, and how owning them goes with winning."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from sim.games.west_story.analysis.gather import MARKET
from sim.games.west_story.analysis.rows import ratios, shares, win_shares
from sim.games.west_story.analysis.sums import sums
from sim.metrics.estimates import Row, estimate_row, frame, wins_scale
from sim.metrics.tidy import finish, per_run
from sim.metrics.totals import ratio_of


@per_run
def market(run: Any) -> pl.DataFrame:
    """Return how cards are used (group "card NAME"; n is games with the card in play):

    - `market.seen`, `market.bought`: copies that come to the market and copies bought in a game;
      `market.taken`: copies bought for each time that one comes to the market;
    - `market.owners`: share of seats that buy it;
    - `market.executed`: executions of each copy; `market.round`: mean round of purchase;
      `market.coins`, `.hats`, `.cows`, `.price`: paid for a copy, and all three together; n is
      copies;
    - `market.win_share`: win share of seats that bought it; n is these seats;
    - `market.lift`: that minus the win share of the other seats in games with the card in play.
      Observed: who has much to spend buys more of all cards.
    """
    names = [f"card {name}" for name in sums(run).names.cards]
    copies = ("bought", "bought")
    parts = [
        *ratios(
            *(run, "market", MARKET, names),
            {
                "market.seen": ("seen", "games", "games"),
                "market.bought": ("bought", "games", "games"),
                "market.taken": ("bought", "seen", "games"),
                "market.executed": ("executed", *copies),
                "market.round": ("rounds", *copies),
                "market.coins": ("coins", *copies),
                "market.hats": ("hats", *copies),
                "market.cows": ("cows", *copies),
                "market.price": ("price", *copies),
            },
        ),
        *shares(run, "market", MARKET, names, {"market.owners": ("owners", "seats", "games")}),
        *win_shares(
            run, "market", MARKET, names, {"market.win_share": ("wins", "owners", "owners")}
        ),
        frame(_lifts(run, names)),
    ]
    return finish(run, parts)


def _lifts(run: Any, names: list[str]) -> Iterator[Row]:
    wins, owners, other_wins, others = (
        MARKET.index(name) for name in ("wins", "owners", "other_wins", "others")
    )
    for unit, totals in sums(run).of("market"):
        for at in np.flatnonzero((totals.sums[:, [owners, others]] > 0).all(1)):
            row = totals.sums[at]
            gap = ratio_of(row, wins, owners) - ratio_of(row, other_wins, others)
            about = totals.products[at], int(totals.seen[at, owners]), round(row[owners])
            gap = gap.times(1 / wins_scale(unit[1]))
            yield estimate_row(unit, "market.lift", names[at], gap, *about, "difference")
