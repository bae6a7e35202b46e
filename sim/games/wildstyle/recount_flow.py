"""Wildstyle's tables `standings` and `acts`, counted again from a refereed game."""

from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay
from sim.games.wildstyle import events
from sim.games.wildstyle.logbook import Acted, Decided, SetUp
from sim.games.wildstyle.scoring_rules import standing

KINDS = events.ACTS[: events.WAIT]


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and logarithms."""
    start: SetUp = replay.events[0]
    tags: list[frozenset[int]] = [frozenset()] * start.rules.players
    stands = [0] * start.rules.players
    points, asked = [list(stands)], []
    for event in replay.events:
        if isinstance(event, Decided) and event.options > 0:
            asked.append((len(points) - 1, event.seat, event.options))
        elif isinstance(event, Acted):
            if event.deed.hex is not None:
                tags[event.seat] = tags[event.seat].union([event.deed.hex])
                stands[event.seat] = standing(start.city, start.sides, tags[event.seat])
            points.append(list(stands))
    return standing_rows(points, asked)


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style: what seats decided to do."""
    done, acts = 0, []
    for event in replay.events:
        if isinstance(event, Decided) and event.deed.act in KINDS:
            acts.append((done, event.seat, event.deed.act))
        done += isinstance(event, Acted)
    return act_rows(acts, done, replay.events[0].rules.players, KINDS)
