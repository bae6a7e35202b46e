"""Draws the table of My Game after a turn: how far everyone is on the track."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from my_game.narrate import tell_end, tell_turn
from sim.errors import SimError
from sim.games.game import Replay

SEAT_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
"""Okabe and Ito (2008): told apart with any colour vision."""


def picture(replay: Replay, styles: Sequence[str], turn: int | None = None) -> Figure:
    """Draw the table after so many turns: 0 is the start, None the end of the game.

    `styles` names the style at each seat. Raises SimError when there is no such turn.
    """
    start, *turns, over = replay.events
    shown = len(turns) if turn is None else turn
    if not 0 <= shown <= len(turns):
        raise SimError(f"turn: {shown} is outside this game, which has turns 0 to {len(turns)}")
    steps = replay.states[shown]
    figure = Figure(figsize=(8, 1.2 + 0.5 * len(steps)), layout="constrained")
    axes = figure.add_subplot()
    seats = range(len(steps))
    bars = axes.barh(seats, steps, color=[SEAT_COLORS[seat] for seat in seats], height=0.6)
    axes.bar_label(bars, padding=3)
    axes.axvline(start.rules.length, color="#222222", linestyle="--")
    axes.set_yticks(seats, [f"{seat} ({styles[seat]})" for seat in seats])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.1 * max(start.rules.length, *steps))
    axes.set_xlabel("Steps; the dashed line is the end of the track")
    axes.set_title(_title(turns, shown, over, styles), loc="left")
    return figure


def _title(turns: list, shown: int, over: object, styles: Sequence[str]) -> str:
    if shown == 0:
        return "My Game: the start"
    last = turns[shown - 1]
    told = f"My Game, turn {shown}: seat {last.seat} {tell_turn(last)}"
    return f"{told}\n{tell_end(over, styles)}" if shown == len(turns) else told
