"""West Story's tables `standings` and `acts`, counted again from a refereed game."""

from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay
from sim.games.west_story import endgame
from sim.games.west_story.logbook import (
    AtTheLake,
    Bought,
    Bribed,
    Certified,
    ComboCow,
    Deed,
    Fought,
    Marked,
    Production,
    Reset,
    Skipped,
    Traded,
    Turn,
)
from sim.games.west_story.rulebook import Table
from sim.games.west_story.vocabulary import ACTS

KINDS: dict[type, str] = {
    Fought: "fight",
    Bribed: "bribe",
    Traded: "trade",
    Certified: "certificate",
    Reset: "reset",
    Bought: "buy",
    Skipped: "skip",
    ComboCow: "cow_for_combo",
}
THIRD = ("combo", "token")
"""Why a third spot is marked in a production."""


def looks(replay: Replay) -> list[Table]:
    """Return the table at the start, after each production of all and after each turn."""
    found = [replay.states[0]]
    producing = False
    for event, state in zip(replay.events, replay.states, strict=True):
        if isinstance(event, Turn):
            producing = False
            found.append(state)
        elif isinstance(event, Production | AtTheLake):
            # the last of a round's productions, and the coins at the lake after them, count once
            if producing:
                found.pop()
            producing = True
            found.append(state)
    return found


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and what there was to choose from."""
    seats = range(replay.events[0].players)
    return standing_rows([[_score(table, seat) for seat in seats] for table in looks(replay)])


def _score(table: Table, seat: int) -> int:
    return table.players[seat].vp + sum(endgame.final_parts(table, seat).values())


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style."""
    done, acts, producing = 0, [], 0
    players = replay.events[0].players
    for event in replay.events:
        if isinstance(event, Turn | Production):
            acts += [(done, event.seat, kind) for deed in event.deeds if (kind := _kind(deed))]
        producing = producing + 1 if isinstance(event, Production) else 0
        done += isinstance(event, Turn) or producing == players
    return act_rows(acts, done, players, ACTS)


def _kind(deed: Deed) -> str:
    if isinstance(deed, Marked):
        return "third_spot" if deed.why in THIRD else ""
    return KINDS.get(type(deed), "")
