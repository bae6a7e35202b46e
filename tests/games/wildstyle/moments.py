"""Games of Wildstyle look by look, so that a test can see what a player sees."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sim import streams
from sim.games.wildstyle import events, state
from sim.games.wildstyle.rules import FINISHED, LOOKING, REACTING

from . import entries

ROWS = 1 << 14


class Moment(NamedTuple):
    """A seat is about to look; `state` is the game's, to be copied before anything is tried."""

    state: np.ndarray
    seat: int
    look: int


def moments(
    made: state.Setup, game: int, seed: int = 1, log: list | None = None
) -> Iterator[Moment]:
    """Play a game of a cell and stop before each look; `log` takes the rows.

    The clock's loop again, so that one can look in between: whoever uses it compares the log.
    """
    here = made.record.copy()
    s = here[0]
    room = np.full((ROWS, 6), -1, np.int32)
    players = int(s["players"])
    deal, shift = (game // players, game % players) if s["rotate"] else (game, 0)
    looks = 0
    with np.errstate(over="ignore"):
        entries.deal(here, room, np.uint64(seed), np.int64(deal), np.int64(shift))
        while s["round"] < s["rounds"] and not s["cut"]:
            entries.begin(here, room, np.int64(streams.DRAWS if s["round"] else streams.SETUP))
            for number in range(players):
                if entries.is_out(here, np.int64(number)):
                    s["doing"][number] = FINISHED
            instant = 0
            while instant <= s["cap"]:
                s["now"] = instant
                entries.let_land(here, room)
                for number in range(players):
                    reacts = s["doing"][number] == REACTING and s["due"][number] == instant
                    if s["doing"][number] == LOOKING or reacts:
                        yield Moment(here, number, looks)
                        looks += 1
                        entries.let_look(here, room, np.int64(number))
                instant = int(entries.next_time(here))
            _close(s, room, instant)
        entries.score(here, room)
    if log is not None:
        log.append(room[: s["log_n"]].copy())


def _close(s: Any, room: np.ndarray, instant: int) -> None:
    """End a round as the clock does."""
    if instant < 2**62:
        s["now"], s["reason"], s["cut"] = s["cap"], events.TIME_CAP, 1
    room[s["log_n"]] = (events.ROUND_END, -1, s["now"], s["reason"], -1, -1)
    s["log_n"] += 1
