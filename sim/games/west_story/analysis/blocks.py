"""A shard of West Story as arrays: games, seats, market, villains, towns, sampled rounds."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sim.games.west_story.events import DECKS
from sim.metrics import blocks
from sim.metrics.blocks import categories

SET_PLACES = 5
SET_COLUMNS = tuple(f"building_{place}" for place in range(SET_PLACES))
MOST_CARDS = 64
"""No game has more: five cards make one number."""
SOURCES = (
    *("vp_spaces", "vp_effects", "vp_limits", "vp_printed", "vp_wild", "vp_villains"),
    *("vp_towns", "vp_licence", "vp_end"),
)
"""Of VP in the table of rounds."""
BOUGHT = ("production", "scoring", "building", "nothing")


@dataclass(frozen=True)
class Names:
    """What the codes of a run's columns stand for, and the most rounds of a game.

    Of certificates, cards and what cards cover one is `NO_CARD`.
    """

    styles: list[str]
    pairs: list[str]
    cards: list[str]
    covers: list[str]
    tokens: list[str]
    places: list[str]
    towns: list[str]
    spots: list[str]
    sets: list[tuple[int, ...]]
    """Building types in play, by card code; ascending."""
    rounds: int


def names_of(run: Any) -> Names:
    """Return the names behind the codes of a run."""
    rounds = run.scan("rounds").select(pl.col("round").max()).collect().item()
    return Names(
        categories(run, "seats", "style"),
        categories(run, "seats", "certificate"),
        categories(run, "market", "card"),
        categories(run, "purchases", "covers"),
        categories(run, "villains", "token"),
        categories(run, "villains", "place"),
        categories(run, "towns", "town"),
        categories(run, "spaces", "spot"),
        _sets(run),
        rounds or 0,
    )


def _sets(run: Any) -> list[tuple[int, ...]]:
    columns = [pl.col(name).to_physical().cast(pl.Int64) for name in SET_COLUMNS]
    return sorted(run.scan("games").select(columns).unique().collect().rows())


def _number(sets: np.ndarray) -> np.ndarray:
    """Return one number for each five cards, [..., place]; they keep their order."""
    return sets @ MOST_CARDS ** np.arange(SET_PLACES)[::-1]


@dataclass(frozen=True)
class Block(blocks.Block):
    """The games of a shard.

    Arrays are [game], [game, seat], [game, card], [game, place], [game, town], and for the sampled
    games [game, round, seat].
    """

    names: Names

    @cached_property
    def building_set(self) -> np.ndarray:
        """The number of each game's building set in `Names.sets`."""
        own = np.stack([self.games[name] for name in SET_COLUMNS], axis=-1)
        return np.searchsorted(_number(np.array(self.names.sets)), _number(own))

    @cached_property
    def decks(self) -> np.ndarray:
        """The deck of each card by code, -1 for no card."""
        known = self.cell.components["cards"]
        return np.array(
            [DECKS.index(known[name]["deck"]) if name in known else -1 for name in self.names.cards]
        )

    def _by_game(self, table: str) -> dict[str, np.ndarray]:
        """Return a table with as many rows for each game, [game, row]."""
        return {
            name: column.reshape(len(self.ended), -1) for name, column in self.read(table).items()
        }

    @cached_property
    def market(self) -> dict[str, np.ndarray]:
        """Columns of `market`, [game, card]."""
        return self._by_game("market")

    @cached_property
    def villains(self) -> dict[str, np.ndarray]:
        """Columns of `villains`, [game, place]."""
        return self._by_game("villains")

    @cached_property
    def towns(self) -> dict[str, np.ndarray]:
        """Columns of `towns`, [game, town]."""
        return self._by_game("towns")

    @cached_property
    def sampled(self) -> np.ndarray:
        """Which games the sampled tables keep, counted from the shard's first."""
        game = self.rounds["game"]
        return game[:, 0, 0] - self.shard.first

    @cached_property
    def rounds(self) -> dict[str, np.ndarray]:
        """Columns of the sampled `rounds`, [sampled game, round, seat]."""
        found = self.read("rounds")
        shape = (-1, self._rounds(found), self.players)
        return {name: column.reshape(shape) for name, column in found.items()}

    @cached_property
    def purchases(self) -> dict[str, np.ndarray]:
        """Columns of the sampled `purchases`, [sampled game, round, seat, purchase]."""
        found = self.read("purchases")
        shape = (-1, self._rounds(found), self.players, 2)
        return {name: column.reshape(shape) for name, column in found.items()}

    def _rounds(self, found: dict[str, np.ndarray]) -> int:
        """Return for how many rounds a game has rows."""
        return int(found["round"].max()) if len(found["round"]) else 1

    @cached_property
    def standing(self) -> np.ndarray:
        """What each seat would score as things stand, [sampled game, round, seat]."""
        return np.sum([self.rounds[name] for name in SOURCES], axis=0)

    @cached_property
    def wealth(self) -> np.ndarray:
        """What is counted to find the richest, [sampled game, round, seat]."""
        cows = self.cell.rulings["richest"] == "coins_and_cows"
        return self.rounds["coins"] + (self.rounds["cows"] if cows else 0)
