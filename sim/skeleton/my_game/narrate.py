"""Tells a refereed game of My Game in words.

Seats count from 0, as everywhere; turns count from 1.
"""

from collections.abc import Iterator, Sequence

from my_game.referee import GameOver, State, Turn
from sim.games.game import Replay


def narrate(replay: Replay, styles: Sequence[str]) -> Iterator[str]:
    """Yield a game line by line; `styles` names the style at each seat."""
    start, *turns, over = replay.events
    yield f"My Game with {len(styles)} players: {start.rules.length} steps to the end."
    for turn, steps in zip(turns, replay.states[1:], strict=False):
        who = f"seat {turn.seat} ({styles[turn.seat]})"
        yield f"Turn {turn.number}, {who} {tell_turn(turn)}. {tell_state(steps)}."
    yield tell_end(over, styles)


def tell_turn(turn: Turn) -> str:
    """Return what happened in a turn, as a sentence without its subject."""
    if turn.act == "walk":
        return f"walks {turn.steps} steps"
    return "runs and falls" if turn.die == 1 else f"runs {turn.steps} steps"


def tell_state(steps: State) -> str:
    """Return how far everyone is: `Steps: 0:5 1:3`."""
    return "Steps: " + " ".join(f"{seat}:{gone}" for seat, gone in enumerate(steps))


def tell_end(over: GameOver, styles: Sequence[str]) -> str:
    """Return in a sentence who won, or that nobody did."""
    if over.truncated:
        return "The game is cut off by the turn cap: nobody wins."
    names = [f"seat {seat} ({styles[seat]})" for seat, rank in enumerate(over.ranks) if rank == 1]
    told = " and ".join(names) + (" wins." if len(names) == 1 else " share the win.")
    return told[0].upper() + told[1:]
