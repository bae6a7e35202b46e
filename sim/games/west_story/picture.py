"""Draws the table of West Story after a turn: main board, market, every player's board."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from sim.games.game import Replay
from sim.games.west_story.glyphs import (
    DARK_GOLD,
    DIE_COLORS,
    INK,
    NEW,
    PAPER,
    draw_symbol,
    rounded,
    write,
    write_lines,
)
from sim.games.west_story.mainboard import draw_market, draw_stores, draw_track, track_height
from sim.games.west_story.moment import Moment
from sim.games.west_story.panel import PANEL, draw_count, draw_seat
from sim.games.west_story.rulebook import QUADRUPLE, WILD

WIDTH, HEADING, GAP, LEGEND = 16.0, 1.12, 0.14, 0.32
"""Inches: the table is drawn in inches too, with the origin at its lower left."""
STORES, STORES_HEIGHT = 5.1, 0.98
MARKET = 1.3
SIDE = (WIDTH - 3 * GAP) / 2
"""Width of a player's board: two stand side by side."""


def picture(replay: Replay, style_names: Sequence[str], turn: int | None = None) -> Figure:
    """Draw the table after so many turns of all seats: 0 is the set-up, None the end of the game.

    A round's production is drawn with its first turn, the passing of the dice with its last one.
    `style_names` names the style at each seat. Raises SimError when there is no such turn.
    """
    view = Moment.of(replay, style_names, turn)
    players = view.rules.players
    beside = players % 2 == 1
    rows = -(-players // 2)
    track = track_height(players)
    height = HEADING + track + rows * (PANEL + GAP) + LEGEND + 2 * GAP
    height += 0 if beside else MARKET + GAP
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, height))
    axes.set_axis_off()
    _draw_heading(axes, view, height)
    top = height - HEADING - GAP
    draw_track(axes, view, GAP, top, WIDTH - 2 * GAP)
    top -= track + GAP
    if not beside:
        draw_market(axes, view, GAP, top, (WIDTH - 2 * GAP, MARKET), rows=1)
        top -= MARKET + GAP
    for seat in range(players):
        row, column = divmod(seat, 2)
        left = GAP + column * (SIDE + GAP)
        draw_seat(axes, view, seat, left, top - row * (PANEL + GAP), SIDE)
    if beside:
        place = (GAP + SIDE + GAP, top - (rows - 1) * (PANEL + GAP))
        draw_market(axes, view, *place, (SIDE, PANEL), rows=3)
    _draw_legend(axes, view)
    return figure


def _draw_heading(axes: Axes, view: Moment, height: float) -> None:
    """Draw what is shown, what was done, and beside it dice, gold pan and certificates."""
    top = height - GAP
    room = WIDTH - STORES - 3 * GAP
    write(axes, GAP, top - 0.14, f"West Story: {view.heading()}", 16, room, weight="bold")
    write_lines(axes, GAP, top - 0.34, view.story(), 9.5, (room, HEADING - 0.38))
    left = WIDTH - GAP - STORES
    draw_stores(axes, view, left, height - GAP / 2 - STORES_HEIGHT - 0.06, (STORES, STORES_HEIGHT))


def _draw_legend(axes: Axes, view: Moment) -> None:
    """Draw in a line at the bottom what symbols and signs mean."""
    names = view.rules.symbols
    y, x = GAP + LEGEND / 2, GAP + 0.05
    for name in (*names, WILD, QUADRUPLE):
        draw_symbol(axes, name, names, (x + 0.1, y), 0.2)
        text = {WILD: "wild (animal)", QUADRUPLE: "any of the four"}.get(name, name)
        x += 0.26 + write(axes, x + 0.24, y, text, 8.5, 1.4) + 0.16
    for color, text in zip(DIE_COLORS, ("yellow die", "green die"), strict=True):
        rounded(axes, x, y - 0.08, 0.16, 0.16, facecolor=color, edgecolor=INK, linewidth=0.6)
        x += 0.22 + write(axes, x + 0.21, y, text, 8.5) + 0.16
    axes.add_artist(Circle((x + 0.08, y), 0.075, facecolor=INK))
    x += 0.22 + write(axes, x + 0.21, y, "marker", 8.5) + 0.16
    draw_count(axes, 2, x + 0.1, y)
    x += 0.26 + write(axes, x + 0.26, y, "cards on a spot", 8.5) + 0.16
    axes.add_artist(
        Rectangle((x, y - 0.08), 0.2, 0.16, facecolor="none", edgecolor=NEW, linewidth=1.8)
    )
    x += 0.26 + write(axes, x + 0.26, y, "new in this turn", 8.5) + 0.16
    axes.plot([x + 0.05, x + 0.05], [y - 0.09, y + 0.09], color=DARK_GOLD, lw=2)
    x += 0.12 + write(axes, x + 0.12, y, "the lake: a coin of the gold pan", 8.5) + 0.16
    if view.rules.rulings.wild_tokens:
        axes.plot([x + 0.05, x + 0.05], [y - 0.09, y + 0.09], color=INK, ls=":", lw=2)
        write(axes, x + 0.12, y, "wild tokens", 8.5)
