"""Building types and sets of five against each other, where games differ in them."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.west_story.analysis.gather import BUILDING, SET
from sim.games.west_story.analysis.rows import ratios, shares
from sim.games.west_story.analysis.sums import sums
from sim.metrics.drawn import drawn_rows
from sim.metrics.estimates import Row, frame
from sim.metrics.sets import differences, from_mean
from sim.metrics.tidy import finish, per_run

MEANS = ("score", "rounds", "margin", "spread")


@per_run
def buildings(run: Any) -> pl.DataFrame:
    """Return what building types do to a game, where these differ in them (n is games):

    - `building.score`, `.rounds`, `.margin`, `.spread` (group "card NAME"): by how much a game
      differs with the type in play instead of an average one: mean score of its seats, rounds,
      margin, standard deviation between the scores of its seats; least squares on the types in
      play; and `.mean`, `.explained`, `.least`, `.most` of each (`sim.metrics.drawn`), the last
      two over the sets played;
    - `building_set.score`, `.rounds`, `.margin`, `.spread`, `.ties` (group "a+b+c+d+e"): the same
      as means over the games with these five, and share of games with more than one winner;
      `building_set.from_mean`: mean score minus the plain mean of all sets;
    - `building_set.NAME.p`, `.sd` (`all`; score, rounds, margin, spread): p-value of "all sets are
      alike", and the standard deviation between sets that chance does not explain.
    """
    found = sums(run)
    cards = found.names.cards
    names = ["+".join(cards[code] for code in own) for own in found.names.sets]
    means = {f"building_set.{name}": (name, "games", "games") for name in MEANS}
    means["building_set.score"] = ("score", "seats", "games")
    score = (SET.index("score"), SET.index("seats"), SET.index("games"))
    parts = [
        frame(_types(run)),
        *ratios(run, "sets", SET, names, means),
        *shares(run, "sets", SET, names, {"building_set.ties": ("tied", "games", "games")}),
        frame(from_mean(found, "sets", "building_set.from_mean", names, score)),
    ]
    for name in MEANS:
        columns = score if name == "score" else (SET.index(name), 0, 0)
        parts.append(frame(differences(found, "sets", f"building_set.{name}", columns)))
    return finish(run, parts)


def _types(run: Any) -> Iterator[Row]:
    found = sums(run)
    names, sets = found.names.cards, found.names.sets
    for unit, totals in found.of("buildings"):
        for at, outcome in enumerate(BUILDING):
            yield from drawn_rows(unit, totals, at, f"building.{outcome}", names, "card", sets)
