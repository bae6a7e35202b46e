"""Cards, acts and log rows of Wildstyle in words, for the tests of play."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sim import games
from sim.games.wildstyle import events
from sim.games.wildstyle.events import ACTS, COLOURS, ICONS, NO_HEX

COLOUR_NAMES = games.get("wildstyle").default_components()["colours"]["names"]
EVENTS = (
    "TILE", "DISTRICT", "ROUND", "DEAL", "PILE", "DECIDE", "ACT", "FUMBLE", "TRIGGER",
    "ROUND_END", "REMOVE", "SOLO", "OBJECTIVE", "SCORE", "END", "SEAT",
)  # fmt: skip
EVENT_NAMES = {getattr(events, name): name for name in EVENTS}


def card(text: str) -> int:
    """Return the code of `park red`."""
    icon, colour = text.split()
    return ICONS.index(icon) * COLOURS + COLOUR_NAMES.index(colour)


def title(code: int) -> str:
    """Return `park red`."""
    return f"{ICONS[code // COLOURS]} {COLOUR_NAMES[code % COLOURS]}"


def cards(text: str) -> list[int]:
    """Return the codes of `park red, 2*park blue`, in this order."""
    found = []
    for word in filter(None, map(str.strip, text.split(","))):
        count, _, name = word.rpartition("*")
        found += [card(name)] * int(count or 1)
    return found


def code_of(words: str) -> tuple[int, int]:
    """Return (act, target) of words.

    `draw 0` (pile), `add park red 0` (set), `share park red 1` (pile), `take park red 1 0` (pile,
    set), `complete 0 17` (set, hex), `rush 0 none`, `wait`, `stop`.
    """
    kind, *rest = words.split()
    act = ACTS.index(kind)
    if kind in ("wait", "stop"):
        return act, -1
    if kind == "draw":
        return act, int(rest[0])
    if kind in ("add", "share"):
        return act, int(rest[2]) + events.Y * card(" ".join(rest[:2]))
    if kind == "take":
        return act, int(rest[2]) + events.Y * card(" ".join(rest[:2])) + events.Z * int(rest[3])
    return act, int(rest[0]) + events.Y * (NO_HEX if rest[1] == "none" else int(rest[1]))


def words_of(act: int, target: int) -> str:
    """Return an act in words."""
    kind = ACTS[act]
    x, y, z = target % events.Y, target // events.Y % events.Y, target // events.Z
    if kind in ("wait", "stop"):
        assert target == -1
        return kind
    if kind == "draw":
        return f"draw {x}"
    if kind in ("add", "share"):
        return f"{kind} {title(y)} {x}"
    if kind == "take":
        return f"take {title(y)} {x} {z}"
    return f"{kind} {x} {'none' if y == NO_HEX else y}"


class Row(NamedTuple):
    """A row of the event log; `event` by name, `what` in words where a seat does something."""

    event: str
    seat: int
    time: int
    a: int
    b: int
    c: int

    @property
    def what(self) -> str:
        return words_of(self.a, self.b)


def rows_of(log: np.ndarray) -> list[Row]:
    """Return a log with its events by name."""
    return [Row(EVENT_NAMES[event], *rest) for event, *rest in log.tolist()]


def of(rows: Iterable[Row], event: str) -> list[Row]:
    """Return the rows of one event."""
    return [row for row in rows if row.event == event]
