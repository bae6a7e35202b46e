"""The rows and sentences of a tournament."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sim import words as say
from sim.metrics.tidy import POOLED, SCHEMA
from sim.tuning.metagame import ALPHAS
from sim.tuning.tournament import Table, tables
from sim.words import Words, words_of

BOOTSTRAP = "bootstrap over deals"
CYCLIC = 0.1
"""Below this share it is said that strength alone decides who beats whom."""


@dataclass(frozen=True)
class Tournament:
    """The tournaments of a run, one for each variant and number of players."""

    run: Any
    tables: list[Table]

    @cached_property
    def words(self) -> Words:
        """The names of the run's things."""
        return words_of(self.run)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """All findings in the tidy shape; the line-up is `all`.

        - `tournament.pair` ("greedy against thief"): of what one seat of the first and the mean
          seat of the second win where all others play the second, the part of the first;
        - `tournament.equilibrium`, `tournament.rating` ("style X"): how often it is played in
          equilibrium, and what it wins above a fair share against it;
        - `tournament.alpha_rank` ("style X at alpha 1"): how much of the time it is played;
        - `tournament.cyclic` (`all`): share of who beats whom that no ratings explain;
        - `tournament.regret`, `tournament.viable` (`all`): by how much a style would beat the
          mixture given as equilibrium; how many styles are played in it.
        """
        found = [row for table in self.tables for row in _rows(table)]
        return pl.DataFrame(found, schema=SCHEMA, orient="row")

    def findings(self) -> list[str]:
        """Return what a designer should know, most important first."""
        return [text for table in self.by_variant() for text in _told(table, self.words)]

    def by_variant(self) -> list[list[Table]]:
        """Return the tables of each variant, by players."""
        together: dict[str, list[Table]] = {}
        for table in self.tables:
            together.setdefault(table.variant, []).append(table)
        return list(together.values())


def tournament(run: Any) -> Tournament:
    """Return what the tournaments of a run say; SimError if its study has none."""
    return Tournament(run, tables(run))


Tidy = tuple[Any, ...]


def _rows(table: Table) -> Iterator[Tidy]:
    keys = (None, table.players, table.variant, POOLED)
    share, low, high = table.pairs
    for one, name in enumerate(table.styles):
        for other, against in enumerate(table.styles):
            if one != other:
                bounds = _number(low[one, other]), _number(high[one, other])
                about = ("tournament.pair", f"{name} against {against}", float(share[one, other]))
                yield (*keys, *about, *bounds, table.games, BOOTSTRAP)
    found = table.equilibrium
    rated = table.interval(lambda game: game.payoffs(found.mixture))
    for metric, values, around in (
        ("tournament.equilibrium", found.mixture, table.mixtures),
        ("tournament.rating", found.payoffs, rated),
    ):
        for at, name in enumerate(table.styles):
            interval = _number(around[0][at]), _number(around[1][at])
            about = metric, f"style {name}", float(values[at])
            yield (*keys, *about, *interval, table.games, f"{found.method}, {BOOTSTRAP}")
    for alpha, ranks in zip(ALPHAS, table.alpha_ranks, strict=True):
        for name, rank in zip(table.styles, ranks, strict=True):
            about = ("tournament.alpha_rank", f"style {name} at alpha {alpha:g}", float(rank))
            yield (*keys, *about, None, None, table.games, "alpha-rank")
    cyclic, least, most = table.cyclic
    ends = _number(least), _number(most)
    yield (*keys, "tournament.cyclic", "all", cyclic, *ends, table.games, BOOTSTRAP)
    yield (*keys, "tournament.regret", "all", found.regret, None, None, table.games, found.method)
    count = float(len(table.viable))
    yield (*keys, "tournament.viable", "all", count, None, None, table.games, "count")


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _told(several: list[Table], words: Words) -> Iterator[str]:
    """Yield the sentences on one variant."""
    variant = several[0].variant
    start = f"{words.variant(variant).capitalize()}: " if len(words.variants) > 1 else ""
    for text in (*_dominance(several, words), *_mixture(several, words), *_circles(several, words)):
        yield start + text


def _dominance(several: list[Table], words: Words) -> Iterator[str]:
    styles = several[0].styles
    dominant = {table.players: table.dominant for table in several}
    for style, name in enumerate(styles):
        where = [players for players, one in dominant.items() if one == style]
        if where:
            yield (
                f"{words.style(name)} is dominant with {say.players(where)}: it wins more than any "
                "other style wherever both sit at a table, beyond chance."
            )
    none = [players for players, one in dominant.items() if one is None]
    if none:
        yield f"No style is dominant with {say.players(none)}."
    for style, name in enumerate(styles):
        where = [table.players for table in several if table.beaten_by[style]]
        if where and all(one != style for one in dominant.values()):
            by = {styles[at] for table in several for at in table.beaten_by[style]}
            beaten = say.listed(words.style(each) for each in styles if each in by)
            yield (
                f"{words.style(name)} is dominated with {say.players(where)}: a style wins more "
                f"than it wherever both sit at a table ({beaten})."
            )


def _mixture(several: list[Table], words: Words) -> Iterator[str]:
    parts = []
    for table in several:
        played = sorted(table.viable, key=lambda at: -table.equilibrium.mixture[at])
        shares = [
            f"{words.style(table.styles[at])} {_percent(table.equilibrium.mixture[at])}"
            for at in played
        ]
        parts.append(f"{say.listed(shares)} with {say.players(table.players)}")
    count = {len(table.viable) for table in several}
    lead = "Where everybody plays as well as the others allow, one style is left: "
    if count != {1}:
        lead = "Where everybody plays as well as the others allow, these are played: "
    yield lead + "; ".join(parts) + "."
    unsure = [
        f"{say.listed(words.style(table.styles[at]) for at in table.unsure)} "
        f"with {say.players(table.players)}"
        for table in several
        if table.unsure
    ]
    if unsure:
        yield f"More games would have to decide who of these is played: {'; '.join(unsure)}."


def _circles(several: list[Table], words: Words) -> Iterator[str]:
    shares = [table.cyclic[0] for table in several]
    if all(table.cyclic[2] < CYCLIC for table in several):
        yield f"Who beats whom follows from how strong styles are, but for {_span(shares)} of it."
        return
    left = f"how strong they are leaves {_span(shares)} of who beats whom unexplained"
    told = [
        f"{say.players(table.players)} ({_ring(table, words)})" for table in several if table.circle
    ]
    if told:
        yield f"Styles beat each other in circles with {say.listed(told)}: {left}."
    else:
        yield f"No styles beat each other in a circle beyond chance; {left}."


def _ring(table: Table, words: Words) -> str:
    ring = table.circle or ()
    return " beats ".join(words.style(table.styles[at]) for at in (*ring, *ring[:1]))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _span(shares: Iterable[float]) -> str:
    low, high = min(shares), max(shares)
    same = _percent(low) == _percent(high)
    return _percent(low) if same else f"{100 * low:.0f} to {_percent(high)}"
