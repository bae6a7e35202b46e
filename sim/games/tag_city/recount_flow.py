"""Tag City's tables `standings` and `acts`, counted again from a refereed game."""

from collections.abc import Sequence

from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay
from sim.games.tag_city.events import ACTIONS
from sim.games.tag_city.logbook import LastDie, Turn
from sim.games.tag_city.rulebook import Check, Drone, Use


def _moments(replay: Replay) -> list[Turn | LastDie]:
    return [event for event in replay.events if isinstance(event, Turn | LastDie)]


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and what there was to choose from."""
    rules = replay.events[0].rules
    looked = [
        state
        for event, state in zip(replay.events, replay.states, strict=True)
        if isinstance(event, Turn | LastDie)
    ]
    states = [replay.states[0], *looked]
    return standing_rows([[player.score(rules) for player in state.players] for state in states])


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style."""
    moments = _moments(replay)
    acts = []
    for number, event in enumerate(moments):
        uses: Sequence[Use] = [event.use] if isinstance(event, Turn) else event.uses
        acts += [(number, use.seat, _kind(use)) for use in uses]
    return act_rows(acts, len(moments), replay.events[0].players, ACTIONS)


def _kind(use: Use) -> str:
    if isinstance(use, Check):
        return "check"
    return "drone" if isinstance(use, Drone) else "paint"
