"""Street Art's tables `standings` and `acts`, counted again from a refereed game."""

from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay
from sim.games.street_art.rulebook import Played


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and logarithms."""
    points = [[player.hearts for player in state.players] for state in replay.states[:-1]]
    turns = replay.events[1:-1]
    asked = [(turn.number - 1, turn.seat, turn.options) for turn in turns if turn.options > 0]
    return standing_rows(points, asked)


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style; bands before a card count with it."""
    turns = replay.events[1:-1]
    acts = []
    for turn in turns:
        played = [act for act in turn.acts if isinstance(act, Played)]
        if played:
            acts.append((turn.number - 1, turn.seat, played[-1].card))
    players = len(replay.states[0].players)
    return act_rows(acts, len(turns), players, list(replay.events[0].rules.cards))
