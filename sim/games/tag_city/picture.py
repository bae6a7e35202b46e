"""Draws the table of Tag City after a round: the HQ with its dice, what was done, every city."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from sim.errors import SimError
from sim.games.game import Replay
from sim.games.tag_city.boards import Element, Rules, Square, Squares
from sim.games.tag_city.logbook import LastDie, PlayerState, RoundBegins, TableState, Turn
from sim.games.tag_city.narrate import points, tell_end, tell_round

HEIGHT, HEADING, GAP = 10.2, 0.6, 0.25
"""Inches: the table is drawn in inches too, with the origin at its lower left."""
HQ_WIDTH, HQ_HEIGHT = 5.2, 4.1
PANEL_WIDTH, PANEL_HEIGHT = 5.2, 4.55
MARGIN = 0.62
"""Room for the values of elements beside a city."""

SEAT_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
"""Okabe and Ito (2008): told apart with any colour vision."""
SEAT_INKS = ("#FFFFFF", "#222222", "#222222", "#222222")
"""Letters on these colours."""
TINTS = ("#CFE4F5", "#FCE5BD", "#CBEBDD", "#F3D9E8", "#F8F4BE", "#E2E2E2", "#DCD7F2", "#F7D3C4")
INK, FAINT, PAPER, LINE, NEW = "#222222", "#767676", "#FFFFFF", "#FFFFFF", "#D55E00"
DARKER = 0.72
MINUS = "\N{MINUS SIGN}"


def picture(replay: Replay, style_names: Sequence[str], turn: int | None = None) -> Figure:
    """Draw the table after so many rounds: 0 is the set-up, None the end of the game.

    `style_names` names the style at each seat. Raises SimError when there is no such round.
    """
    rounds = replay.events[-1].rounds
    shown = rounds if turn is None else turn
    if not 0 <= shown <= rounds:
        raise SimError(
            f"turn: {shown} is outside this game, which has rounds 0 (the set-up) to {rounds}"
        )
    view = _View(replay, tuple(style_names), shown)
    columns = 1 if view.players == 2 else 2
    width = GAP + HQ_WIDTH + columns * (PANEL_WIDTH + GAP) + GAP
    figure = Figure(figsize=(width, HEIGHT), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, HEIGHT))
    axes.set_axis_off()
    axes.text(GAP, HEIGHT - 0.36, view.heading(), fontsize=17, weight="bold", color=INK)
    top = HEIGHT - HEADING
    _draw_hq(axes, view, GAP, top - HQ_HEIGHT)
    _draw_story(axes, view, GAP, GAP, top - HQ_HEIGHT - 2 * GAP)
    for seat in range(view.players):
        row, column = divmod(seat, columns)
        left = 2 * GAP + HQ_WIDTH + column * (PANEL_WIDTH + GAP)
        _draw_seat(axes, view, seat, left, top - (row + 1) * PANEL_HEIGHT - row * GAP)
    return figure


@dataclass(frozen=True)
class _View:
    """What is shown: a game after some rounds."""

    replay: Replay
    styles: tuple[str, ...]
    rounds: int

    @property
    def rules(self) -> Rules:
        return self.replay.events[0].rules

    @property
    def ring(self) -> tuple[str, ...]:
        return self.replay.events[0].ring

    @property
    def players(self) -> int:
        return self.replay.events[0].players

    @property
    def is_end(self) -> bool:
        return self.rounds == self.replay.events[-1].rounds

    @property
    def state(self) -> TableState:
        """The table after the round."""
        pairs = zip(self.replay.events, self.replay.states, strict=True)
        ends = [state for event, state in pairs if isinstance(event, LastDie)]
        return ends[self.rounds - 1] if self.rounds else self.replay.states[0]

    def of_round(self, kind: type) -> list[Any]:
        """Return the events of one kind in the round."""
        events = self.replay.events
        of_kind: list[Any] = [event for event in events if isinstance(event, kind)]
        return [event for event in of_kind if event.round == self.rounds - 1]

    def heading(self) -> str:
        rounds = self.replay.events[-1].rounds
        moment = f"after round {self.rounds} of {rounds}" if self.rounds else "the set-up"
        return f"Tag City: {moment}"

    def status(self, seat: int) -> str:
        """Return what is special about a seat at this moment."""
        results = self.replay.events[-1].results
        if self.is_end:
            rank = results[seat].rank
            winners = sum(result.rank == 1 for result in results)
            won = "shares the win" if winners > 1 else "wins"
            return {0: "cut off", 1: won}.get(rank, f"rank {rank}")
        return "leads the next round" if seat == self.state.leader else ""

    def tint(self, square: Square) -> str:
        """Return the colour of a square's neighborhood."""
        letters = sorted({letter for line in self.rules.city for letter in line})
        letter = self.rules.city[square[0]][square[1]]
        return TINTS[letters.index(letter) % len(TINTS)]


def _box(axes: Axes, left: float, bottom: float, width: float, height: float, **style: Any) -> None:
    """Draw a box with rounded corners, `width` by `height` outside."""
    corner = min(0.08, width / 4)
    axes.add_patch(
        FancyBboxPatch(
            (left + corner, bottom + corner),
            width - 2 * corner,
            height - 2 * corner,
            boxstyle=f"round,pad={corner}",
            **style,
        )
    )


def _edges(squares: Squares) -> list[tuple[Square, Square]]:
    """Return the sides of squares towards others, as corners (row, column)."""
    sides = []
    for row, column in sorted(squares):
        for beside, start, end in (
            ((row - 1, column), (row, column), (row, column + 1)),
            ((row + 1, column), (row + 1, column), (row + 1, column + 1)),
            ((row, column - 1), (row, column), (row + 1, column)),
            ((row, column + 1), (row, column + 1), (row + 1, column + 1)),
        ):
            if beside not in squares:
                sides.append((start, end))
    return sides


# The HQ


def _draw_hq(axes: Axes, view: _View, left: float, bottom: float) -> None:
    """Draw six spaces clockwise around the small shapes, and where the leader put the dice."""
    _box(axes, left, bottom, HQ_WIDTH, HQ_HEIGHT, facecolor="#F4F4F1", edgecolor="none")
    begun = view.of_round(RoundBegins)
    title = f"HQ: dice of seat {begun[0].leader}, the leader" if begun else "HQ: no dice yet"
    axes.text(left + 0.15, bottom + HQ_HEIGHT - 0.26, title, fontsize=11, weight="bold", color=INK)
    wide, tall, between = 1.42, 1.3, 0.3
    start = left + (HQ_WIDTH - 3 * wide - 2 * between) / 2
    rows = (bottom + HQ_HEIGHT - 0.42 - tall, bottom + 0.12)
    for space, shape in enumerate(view.ring):
        is_above = space < 3
        column = space if is_above else 5 - space
        x, y = start + column * (wide + between), rows[not is_above]
        _draw_space(axes, view, space, shape, (x, y, wide, tall))
        if column < 2:
            value = space + 1 if is_above else space
            _draw_value(axes, value, x + wide + between / 2, y + tall / 2)
    middle = (rows[0] + rows[1] + tall) / 2
    for value, x in ((3, start + 2 * (wide + between) + wide / 2), (6, start + wide / 2)):
        _draw_value(axes, value, x, middle)
    _draw_small(axes, view, start + wide, start + 2 * wide + 2 * between, middle)


def _draw_value(axes: Axes, value: int, x: float, y: float) -> None:
    """Print a value between the two spaces that a die of it may take."""
    axes.text(x, y, str(value), fontsize=11, color=FAINT, weight="bold", ha="center", va="center")


def _draw_space(
    axes: Axes, view: _View, space: int, shape: str, box: tuple[float, float, float, float]
) -> None:
    """Draw a space, its shape, and under each die who took it."""
    x, y, wide, tall = box
    _box(axes, x, y, wide, tall, facecolor=PAPER, edgecolor=FAINT, linewidth=1)
    title = view.rules.title(shape)
    size = min(9.5, 9.5 * 12 / len(title))
    axes.text(x + 0.1, y + tall - 0.14, title, fontsize=size, weight="bold", color=INK, va="center")
    _draw_shape(axes, view.rules, shape, x + wide / 2, y + 0.83, 0.52)
    takers = _takers(view, space)
    for index, (value, taker) in enumerate(takers):
        step = min(0.26, (wide - 0.1) / len(takers))
        die = x + wide / 2 + (index - (len(takers) - 1) / 2) * step
        color = FAINT if taker is None else SEAT_COLORS[taker]
        _box(axes, die - 0.1, y + 0.27, 0.2, 0.2, facecolor=PAPER, edgecolor=color, linewidth=1.8)
        style: dict[str, Any] = {"ha": "center", "va": "center", "color": INK}
        axes.text(die, y + 0.365, str(value), fontsize=9, weight="bold", **style)
        label = "all" if taker is None else str(taker)
        axes.text(die, y + 0.15, label, fontsize=7.5, **style)


def _takers(view: _View, space: int) -> list[tuple[int, int | None]]:
    """Return the dice of a space as (value, seat that took it); None for the last die."""
    taken = [(t.die.value, t.seat) for t in view.of_round(Turn) if t.die.space == space]
    last = [(e.die.value, None) for e in view.of_round(LastDie) if e.die.space == space]
    return [*sorted(taken), *last]


def _draw_shape(axes: Axes, rules: Rules, shape: str, x: float, y: float, room: float) -> None:
    """Draw a shape as printed around a point."""
    squares = rules.shapes[shape].squares
    tall, wide = (1 + max(place) for place in zip(*squares, strict=True))
    side = min(0.2, room / tall, 1.1 / wide)
    for row, column in squares:
        corner = (x + (column - wide / 2) * side, y + (tall / 2 - row - 1) * side)
        axes.add_patch(
            Rectangle(corner, side, side, facecolor="#8C8C8C", edgecolor=PAPER, linewidth=0.8)
        )


def _draw_small(axes: Axes, view: _View, left: float, right: float, y: float) -> None:
    """Draw the small shapes in the centre, for drones alone."""
    shapes = view.rules.small
    for index, shape in enumerate(shapes):
        x = left + (right - left) * (index + 0.5) / len(shapes)
        _draw_shape(axes, view.rules, shape, x, y + 0.07, 0.3)
        title = view.rules.title(shape)
        axes.text(x, y - 0.2, title, fontsize=7.5, color=INK, ha="center", va="center")


# The story


def _draw_story(axes: Axes, view: _View, left: float, bottom: float, top: float) -> None:
    """Tell the round in words, and under it how to read the boards."""
    told = tell_round(view.replay, view.rounds) if view.rounds else ["Every city is empty."]
    if view.is_end:
        told.append(tell_end(view.replay, view.styles))
    told = [text.replace(" -", f" {MINUS}") for text in told]
    legend = (
        "Under a die: the seat that took it; all: the last die. On a city: drawings in their "
        "order, this round's in thick red, drones' dotted. Beside it: values circled (large ones "
        "filled) and the values that the seat can still win."
    )
    foot = textwrap.wrap(legend, 84)
    axes.text(
        left + 0.05,
        bottom,
        "\n".join(foot),
        fontsize=8.5,
        color=FAINT,
        va="bottom",
        linespacing=1.25,
    )
    room = top - bottom - 0.17 * len(foot) - 0.2
    for size in (10.5, 9.0, 8.0, 7.0, 6.0):
        wide = int(690 / size)
        lines = [
            line for text in told for line in textwrap.wrap(text, wide, subsequent_indent="    ")
        ]
        if len(lines) * size * 1.35 / 72 <= room:
            break
    axes.text(
        left + 0.05, top, "\n".join(lines), fontsize=size, color=INK, va="top", linespacing=1.2
    )


# A seat


def _draw_seat(axes: Axes, view: _View, seat: int, left: float, bottom: float) -> None:
    """Draw a seat's panel: name, points, drones and bubbles, and its city."""
    board, color, rules = view.state.players[seat], SEAT_COLORS[seat], view.rules
    _box(
        axes, left, bottom, PANEL_WIDTH, PANEL_HEIGHT, facecolor=PAPER, edgecolor=color, linewidth=2
    )
    top = bottom + PANEL_HEIGHT
    _box(axes, left + 0.15, top - 0.36, 0.2, 0.2, facecolor=color, edgecolor="none")
    name = view.styles[seat]
    name = name if len(name) <= 18 else f"{name[:17]}…"
    middle: dict[str, Any] = {"color": INK, "va": "center"}
    axes.text(left + 0.45, top - 0.26, f"Seat {seat}  {name}", fontsize=12, weight="bold", **middle)
    score = points(board.score(rules)).replace("-", MINUS)
    edge = left + PANEL_WIDTH - 0.15
    axes.text(edge, top - 0.26, score, fontsize=13, weight="bold", ha="right", **middle)
    axes.text(left + 0.45, top - 0.53, _marks(rules, board), fontsize=9, **middle)
    status = view.status(seat)
    axes.text(edge, top - 0.53, status, fontsize=10, style="italic", ha="right", **middle)
    _draw_city(axes, view, seat, left, bottom)


def _marks(rules: Rules, board: PlayerState) -> str:
    """Return drones and bubbles in a line, with what they cost."""
    drones = sum(rules.drone_values[: board.slots])
    bubbles = sum(rules.bubble_values[bubble] for bubble in board.bubbles)
    told = f"drones {board.slots} of {len(rules.drone_values)} ({drones})"
    return f"{told}, bubbles {len(board.bubbles)} ({bubbles})".replace("-", MINUS)


@dataclass(frozen=True)
class _Grid:
    """Where a city lies: its upper left corner and the side of a square."""

    left: float
    top: float
    side: float

    def corner(self, square: Square) -> tuple[float, float]:
        """Return the upper left corner of a square."""
        return self.left + square[1] * self.side, self.top - square[0] * self.side

    def center(self, square: Square) -> tuple[float, float]:
        """Return the middle of a square."""
        x, y = self.corner(square)
        return x + self.side / 2, y - self.side / 2

    @property
    def font(self) -> float:
        """The largest letters, in points, that squares have room for."""
        return min(9.5, 72 * self.side * 0.42)


def _draw_city(axes: Axes, view: _View, seat: int, left: float, bottom: float) -> None:
    """Draw a city: neighborhoods tinted, drawings outlined and numbered, values beside it."""
    rules, board = view.rules, view.state.players[seat]
    wide, tall = PANEL_WIDTH - 0.3 - MARGIN, PANEL_HEIGHT - 0.72 - 0.85
    side = min(wide / rules.columns, tall / rules.rows, 0.6)
    grid = _Grid(
        left + 0.15 + (wide - side * rules.columns) / 2,
        bottom + PANEL_HEIGHT - 0.72 - (tall - side * rules.rows) / 2,
        side,
    )
    painted = board.painted
    tiles = []
    for square in rules.squares:
        x, y = grid.corner(square)
        color = _darker(view.tint(square)) if square in painted else view.tint(square)
        tiles.append(Rectangle((x, y - side), side, side, facecolor=color, edgecolor=LINE))
        if square not in painted:
            letter = rules.city[square[0]][square[1]]
            _write(axes, letter, grid.center(square), 0.75 * grid.font, FAINT)
    axes.add_collection(PatchCollection(tiles, match_original=True, linewidth=0.5))
    for element in rules.elements[rules.rows + rules.columns :]:
        _outline(axes, grid, element.squares, color=FAINT, linewidth=1.2)
    _draw_drawings(axes, view, board, grid)
    _draw_values(axes, view, seat, grid, (left, bottom))


def _darker(color: str) -> str:
    parts = [int(int(color[at : at + 2], 16) * DARKER) for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02X}" for part in parts)


def _write(
    axes: Axes, text: str, place: tuple[float, float], size: float, color: str, **style: Any
) -> None:
    axes.text(*place, text, fontsize=size, color=color, ha="center", va="center", **style)


def _outline(axes: Axes, grid: _Grid, squares: Squares, **style: Any) -> None:
    lines = [(grid.corner(start), grid.corner(end)) for start, end in _edges(squares)]
    axes.add_collection(LineCollection(lines, capstyle="round", **style))


def _draw_drawings(axes: Axes, view: _View, board: PlayerState, grid: _Grid) -> None:
    """Outline each drawing, this round's last, and number it in its most central square."""
    numbered = list(enumerate(board.drawings, start=1))
    for number, drawing in numbered:
        is_new = drawing.round == view.rounds - 1
        _outline(
            axes,
            grid,
            drawing.squares,
            color=NEW if is_new else INK,
            linewidth=2.6 if is_new else 1.5,
            linestyle=":" if drawing.by_drone else "-",
            zorder=4 if is_new else 3,
        )
        _write(
            axes,
            str(number),
            grid.center(_central(drawing.squares)),
            grid.font,
            INK,
            weight="bold",
            zorder=5,
        )


def _central(squares: Squares) -> Square:
    """Return the square next to the middle of a drawing."""
    row, column = (sum(place) / len(squares) for place in zip(*squares, strict=True))
    return min(sorted(squares), key=lambda s: (s[0] - row) ** 2 + (s[1] - column) ** 2)


@dataclass(frozen=True)
class _Spot:
    """Where the value of an element is written, and how wide its circle is."""

    x: float
    y: float
    radius: float

    def font(self, value: int) -> float:
        """The size, in points, at which a value fits into the circle."""
        return 64 * self.radius * min(1, 2.4 / len(str(value)))


def _draw_values(
    axes: Axes, view: _View, seat: int, grid: _Grid, panel: tuple[float, float]
) -> None:
    """Write each element's value beside it: circled, or what the seat can still win."""
    rules = view.rules
    radius = min(0.14, 0.47 * grid.side)
    beside = grid.left + rules.columns * grid.side + 0.24
    below = grid.top - rules.rows * grid.side - 0.22
    for row in range(rules.rows):
        spot = _Spot(beside, grid.center((row, 0))[1], radius)
        _draw_value_of(axes, view, seat, rules.elements[row], spot)
    for column in range(rules.columns):
        spot = _Spot(grid.center((0, column))[0], below, radius)
        _draw_value_of(axes, view, seat, rules.elements[rules.rows + column], spot)
    neighborhoods = rules.elements[rules.rows + rules.columns :]
    spots = _neighborhood_spots(len(neighborhoods), panel[0] + PANEL_WIDTH / 2, panel[1])
    for element, spot in zip(neighborhoods, spots, strict=True):
        _draw_letter(axes, view, element, spot)
        _draw_value_of(axes, view, seat, element, spot)


def _neighborhood_spots(count: int, middle: float, bottom: float) -> list[_Spot]:
    """Return where the values of neighborhoods are written: in a line, or in two when many."""
    lines = 1 if count <= 8 else 2
    each = -(-count // lines)
    step = min(0.8, (PANEL_WIDTH - 0.4) / each)
    radius = min(0.14, 0.24 * step)
    spots = []
    for index in range(count):
        line, place = divmod(index, each)
        y = bottom + 0.22 + (lines - 1) * 0.1 - line * 0.21
        spots.append(_Spot(middle + (place - each / 2 + 0.72) * step, y, min(radius, 0.14 / lines)))
    return spots


def _draw_letter(axes: Axes, view: _View, element: Element, spot: _Spot) -> None:
    """Write the letter of a neighborhood before its value, on its tint."""
    half = 0.7 * spot.radius
    x, y = spot.x - 2.4 * spot.radius, spot.y
    tint = view.tint(min(element.squares))
    axes.add_patch(
        Rectangle((x - half, y - half), 2 * half, 2 * half, facecolor=tint, edgecolor=FAINT)
    )
    _write(axes, element.name[-1].upper(), (x, y), 57 * spot.radius, INK)


def _draw_value_of(axes: Axes, view: _View, seat: int, element: Element, spot: _Spot) -> None:
    """Write one value: large ones circled are filled, small ones circled are not."""
    own = [p for p in view.state.players[seat].circled if p.element.number == element.number]
    free = element.number not in view.state.checked_off
    if not own:
        value = element.large if free else element.small
        _write(axes, str(value), (spot.x, spot.y), spot.font(value), INK if free else FAINT)
        return
    face, ink = (SEAT_COLORS[seat], SEAT_INKS[seat]) if own[0].is_large else (PAPER, INK)
    style = {"facecolor": face, "edgecolor": SEAT_COLORS[seat], "linewidth": 12 * spot.radius}
    axes.add_patch(Circle((spot.x, spot.y), spot.radius, **style))
    value = own[0].points
    _write(axes, str(value), (spot.x, spot.y), spot.font(value), ink, weight="bold")
