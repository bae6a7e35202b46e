"""A game of decisions alone that follows scripts: who wins is a function that a test gives.

Seats decide in turn, `rounds` times each, between `actions` actions; what they like is drawn by
the game's luck, or that of a fork.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from sim.games import data
from sim.games.searching import Searching
from sim.players import Style

Winner = Callable[[list[int], random.Random], int]
"""What was decided, and luck: the seat that wins, -1 where the game is cut off."""
SEATS = np.dtype([("win_share", "f8")])


def toy(
    winner: Winner,
    players: int = 3,
    rounds: int = 1,
    actions: int = 2,
    rotate: bool = False,
    values: Any = None,
    search: Any = None,
) -> Searching:
    """Return the toy's games; `values` is what all styles think of the actions."""
    dtype = [("players", "i8"), ("rotate", "?"), ("every", "i8"), *data.script_fields(players)]
    record = np.zeros(1, dtype)
    record[0]["players"], record[0]["rotate"] = players, rotate
    record[0]["fork_at"] = record[0]["watch_from"] = -1
    record[0]["searches"] = search is not None
    worth = np.zeros(actions) if values is None else np.array(values, float)

    best = [action for action in range(actions) if worth[action] == worth.max()]

    def run(record, seed, first, count, tables, at, log) -> int:
        for number in range(first, first + count):
            won = _play(record[0], seed, number, winner, rounds * players, worth, best)
            share = tables["seats"]["win_share"][(at + number - first) * players :]
            share[:players] = np.nan if won < 0 else 0.0
            if won >= 0:
                share[won] = 1.0
        return 0

    styles = [Style(name=f"style{place}", search=search) for place in range(players)]
    return Searching(record, styles, run, lambda games: {"seats": np.zeros(games * players, SEATS)})


def _play(
    s: Any,
    seed: int,
    number: int,
    winner: Winner,
    decisions: int,
    worth: np.ndarray,
    best: list[int],
) -> int:
    """Play one game; return who wins."""
    fork, watch, known = int(s["fork_at"]), int(s["watch_from"]), int(s["script_n"])
    game = int(s["fork_game"]) if fork >= 0 else number
    luck = random.Random(f"{seed} {game}")
    made = s["script"][:known].tolist()
    s["watched_at"] = -1
    for here in range(decisions):
        seat = here % int(s["players"])
        if 0 <= watch <= here and s["searches"][seat]:
            watch = s["watch_from"] = -1
            s["watched_at"], s["watched_seat"], s["watched_n"] = here, seat, len(worth)
            s["watched_code"][: len(worth)] = range(len(worth))
            s["watched_value"][: len(worth)] = worth
        if here >= known:
            made.append(luck.choice(best))
        if here == fork:
            luck = random.Random(f"{seed} {game} {here} {number}")
    s["decision"] = decisions
    s["made"][:decisions] = made
    return winner(made, luck)
