"""Games with players who look a step ahead; the rules' side is `sim.games.scripting`.

A game is played again and again: up to each decision of a searching seat as it went, from there on
in many ways. So no rules need to stop in the middle, and what a searcher does depends on the
study's seed and the game's number alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.games.data import MOST_DECISIONS
from sim.games.game import Tables
from sim.players import Style

Run = Callable[[np.ndarray, int, int, int, Tables, int, np.ndarray], int]
"""Plays from a game's record: (record, seed, first, count, tables, at, log), as `play` does."""
NO_LOG = np.empty((0, 6), np.int32)
SURE = 2.0
"""Standard errors by which an action must win more than the style's own choice to be taken."""


def prepare(record: np.ndarray, styles: Sequence[Style]) -> None:
    """Enter into a game's record which places of the line-up search."""
    s = record[0]
    s["fork_at"] = -1
    s["watch_from"] = -1
    s["searches"][: len(styles)] = [style.search is not None for style in styles]


def is_wanted(record: np.ndarray) -> bool:
    """Tell whether any place of the line-up searches."""
    return bool(record[0]["searches"].any())


@dataclass(frozen=True)
class Searching:
    """A cell with searching players: its record, the styles of its places, how it is played.

    `tables_for` returns tables for so many games, of which nothing is sampled.
    """

    record: np.ndarray
    styles: Sequence[Style]
    run: Run
    tables_for: Callable[[int], Tables]

    @classmethod
    def of(cls, setup: Any, run: Run, tables_for: Callable[[Any, int], Tables]) -> "Searching":
        """Return the games of a setup, a dataclass with `record` and `styles`."""
        unsampled = replace(setup, record=setup.record.copy())
        unsampled.record[0]["every"] = 0
        return cls(setup.record, setup.styles, run, lambda games: tables_for(unsampled, games))

    def play(self, seed: int, first: int, count: int, tables: Tables, at: int) -> None:
        """Play games as `Game.play` does."""
        for index in range(count):
            self.run(
                self.script(seed, first + index), seed, first + index, 1, tables, at + index, NO_LOG
            )

    def script(self, seed: int, game: int) -> np.ndarray:
        """Return a record that plays one game as its searching players decide."""
        own = self.record.copy()
        s = own[0]
        s["scripted"] = 1
        every, s["every"] = int(s["every"]), 0
        one, following = self.tables_for(1), 0
        while following < MOST_DECISIONS:
            s["watch_from"], s["fork_at"] = following, -1
            self.run(own, seed, game, 1, one, 0, NO_LOG)
            here = int(s["watched_at"])
            s["script_n"] = min(int(s["decision"]), MOST_DECISIONS)
            s["script"][:] = s["made"]
            if not 0 <= here < MOST_DECISIONS:
                break
            s["script"][here] = self._best(own, seed, game)
            s["script_n"] = following = here + 1
        s["watch_from"], s["fork_at"], s["every"] = -1, -1, every
        return own

    def _best(self, record: np.ndarray, seed: int, game: int) -> int:
        """Return the action of the watched decision that wins most playouts, if that is sure."""
        s = record[0]
        search = self.styles[_place(s, game)].search
        here, seat, n = int(s["watched_at"]), int(s["watched_seat"]), int(s["watched_n"])
        codes, values = s["watched_code"][:n].copy(), s["watched_value"][:n].copy()
        # a game may list one of several actions that are alike, and not the one that was drawn
        own = int(s["made"][here])
        order = np.argsort(-values, kind="stable")
        others = (int(codes[at]) for at in order if values[at] > -np.inf)
        tried = list(dict.fromkeys((own, *others)))[: search.width if search else 1]
        if search is None or len(tried) < 2:
            return own
        players, playouts = int(s["players"]), search.playouts
        tables = self.tables_for(playouts)
        s["fork_at"], s["fork_game"], s["watch_from"] = here, game, -1
        s["script_n"] = here + 1
        won = np.empty((len(tried), playouts))
        for number, code in enumerate(tried):
            s["script"][here] = code
            self.run(record, seed, 0, playouts, tables, 0, NO_LOG)
            won[number] = tables["seats"]["win_share"].reshape(playouts, players)[:, seat]
        s["fork_at"] = -1
        return tried[_winner(np.nan_to_num(won))]


def _winner(won: np.ndarray) -> int:
    """Return the row of win shares, one an action, that is taken; row 0 is the style's choice.

    The best of some noisy means is often not the best: changing for less than is sure plays worse
    than the style does. Playouts are paired, as the same forks are played of each action.
    """
    best = int(won.mean(axis=1).argmax())
    more = won[best] - won[0]
    return best if more.mean() > SURE * more.std() / np.sqrt(len(more)) else 0


def _place(s: Any, game: int) -> int:
    """Return the place of the line-up that plays at the watched seat."""
    shift = game % int(s["players"]) if s["rotate"] else 0
    return (int(s["watched_seat"]) + shift) % int(s["players"])
