"""What lies around the map in a picture of Wildstyle: mats, piles, objectives, the legend.

All is drawn on axes in inches with the origin at the lower left.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import is_color_like, to_rgb
from matplotlib.patches import FancyBboxPatch, Polygon

from sim.games.wildstyle import events
from sim.games.wildstyle.glyphs import (
    ICON_COLORS,
    SEAT_COLORS,
    draw_icons,
    draw_lost_tag,
    draw_tag,
)
from sim.games.wildstyle.logbook import TableState
from sim.games.wildstyle.mapdraw import FAINT, INK, hexagons
from sim.games.wildstyle.rulebook import Cards, Rules
from sim.games.wildstyle.scoring_rules import Side
from sim.games.wildstyle.wording import counted, side_words

PAPER, SHADE = "#FFFFFF", "#F4F4F1"
PANEL_WIDTH, SEAT_HEIGHT, PILES_HEIGHT = 5.95, 1.2, 1.3
CARD_WIDTH, CARD_HEIGHT = 0.44, 0.6
HEADER, TILE_ROW, SUM_ROW = 0.46, 0.4, 0.26
CARD_COLORS = {
    "red": "#D03A3A",
    "yellow": "#F0C22E",
    "green": "#3C9A55",
    "blue": "#3C78B8",
    "purple": "#8A5BA8",
}
"""The assumed names of colours; others are looked up among Matplotlib's."""


# Small things


def short(text: str, longest: int) -> str:
    """Cut a text that is too long."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def rounded(
    axes: Axes, left: float, bottom: float, width: float, height: float, **style: Any
) -> None:
    """Draw a box with rounded corners, `width` by `height` outside."""
    corner = 0.05
    axes.add_patch(
        FancyBboxPatch(
            (left + corner, bottom + corner),
            width - 2 * corner,
            height - 2 * corner,
            boxstyle=f"round,pad={corner}",
            **style,
        )
    )


def card_color(name: str) -> str:
    """Return what to draw a card's colour with; grey if there is no colour of that name."""
    if name in CARD_COLORS:
        return CARD_COLORS[name]
    return name if is_color_like(name) else "#9A9A9A"


def short_names(names: Sequence[str]) -> list[str]:
    """Return the first letters of names, as many as tell them apart."""
    longest = max(map(len, names))
    for length in range(1, longest):
        if len({name[:length] for name in names}) == len(names):
            return [name[:length] for name in names]
    return list(names)


def draw_card(axes: Axes, rules: Rules, card: int, left: float, bottom: float) -> None:
    """Draw a card: its icon, and its colour as a band with the colour's first letter."""
    icon, colour = divmod(card, events.COLOURS)
    fill = card_color(rules.colours[colour])
    rounded(
        axes, left, bottom, CARD_WIDTH, CARD_HEIGHT, facecolor=PAPER, edgecolor=INK, linewidth=0.8
    )
    band = 0.17
    rounded(axes, left + 0.03, bottom + 0.03, CARD_WIDTH - 0.06, band, facecolor=fill, linewidth=0)
    dark = sum(to_rgb(fill)) < 1.7
    axes.text(
        left + 0.07,
        bottom + 0.03 + band / 2,
        short_names(rules.colours)[colour],
        fontsize=7,
        weight="bold",
        color="#FFFFFF" if dark else INK,
        va="center_baseline",
    )
    middle = (left + CARD_WIDTH / 2, bottom + 0.03 + band + 0.19)
    size = 0.3
    if icon == events.STATION:
        rounded(
            axes,
            middle[0] - 0.18,
            middle[1] - 0.17,
            0.36,
            0.34,
            facecolor=ICON_COLORS[icon].fill,
            linewidth=0,
        )
        size = 0.26
    draw_icons(axes, icon, [middle], size)


def draw_blank(axes: Axes, left: float, bottom: float) -> None:
    """Draw the place of a card."""
    rounded(
        axes,
        left,
        bottom,
        CARD_WIDTH,
        CARD_HEIGHT,
        facecolor=PAPER,
        edgecolor="#B5B5B5",
        linestyle="--",
        linewidth=0.8,
    )


def draw_cards(
    axes: Axes, rules: Rules, cards: Cards, left: float, bottom: float, width: float, most: int
) -> None:
    """Draw cards side by side, overlapping where there is not room for `most`."""
    if not cards:
        draw_blank(axes, left, bottom)
    step = min(CARD_WIDTH + 0.04, (width - CARD_WIDTH) / max(most - 1, 1))
    for place, card in enumerate(cards):
        draw_card(axes, rules, card, left + place * step, bottom)


# Mats


def draw_seat(
    axes: Axes,
    rules: Rules,
    state: TableState,
    seat: int,
    name: str,
    status: str,
    moved: bool,
    left: float,
    bottom: float,
) -> None:
    """Draw a player's mat: name, hand, sets, tags and cop cars."""
    top = bottom + SEAT_HEIGHT
    rounded(
        axes,
        left,
        bottom,
        PANEL_WIDTH,
        SEAT_HEIGHT,
        facecolor=PAPER,
        edgecolor=SEAT_COLORS[seat],
        linewidth=3.6 if moved else 1.3,
    )
    draw_tag(axes, seat, (left + 0.29, top - 0.22), 0.12, 9)
    heading: dict[str, Any] = {"fontsize": 11, "color": INK, "va": "center_baseline"}
    axes.text(left + 0.5, top - 0.22, f"Seat {seat}  {name}", weight="bold", **heading)
    heading |= {"fontsize": 10, "ha": "right"}
    axes.text(left + PANEL_WIDTH - 0.15, top - 0.22, status, style="italic", **heading)
    row = bottom + 0.09
    label: dict[str, Any] = {"fontsize": 7.5, "color": FAINT, "va": "bottom"}
    columns = (
        ("hand", state.hands[seat], 0.15, 1.42, rules.hand_size),
        ("set", state.mats[seat][0], 1.83, 1.1, rules.set_size),
        ("set", state.mats[seat][1], 3.08, 1.1, rules.set_size),
    )
    for title, cards, x, width, most in columns:
        axes.text(left + x + 0.02, row + CARD_HEIGHT + 0.03, title, **label)
        draw_cards(axes, rules, cards, left + x, row, width, most)
    counts = (
        f"{counted(state.tags_left[seat], 'tag')} on the mat",
        f"{counted(state.supply[seat], 'tag')} in the supply",
        f"{counted(len(state.tags[seat]), 'tag')} on the map",
        counted(state.cars[seat], "cop car"),
    )
    for line, text in enumerate(counts):
        axes.text(
            left + 4.38,
            top - 0.46 - 0.185 * line,
            text,
            fontsize=9,
            color=INK,
            va="center_baseline",
        )


# Piles


def draw_piles(axes: Axes, rules: Rules, state: TableState, left: float, bottom: float) -> None:
    """Draw the tops of the share piles, the draw piles and the cop cars that are left."""
    rounded(axes, left, bottom, PANEL_WIDTH, PILES_HEIGHT, facecolor=SHADE, linewidth=0)
    share, draw = len(state.share_piles), len(state.draw_piles)
    step = min(0.68, (PANEL_WIDTH - 0.5) / (share + draw))
    second = left + 0.15 + share * step + 0.3
    row = bottom + 0.32
    heading: dict[str, Any] = {"fontsize": 9, "color": INK, "va": "center_baseline"}
    y = bottom + PILES_HEIGHT - 0.17
    axes.text(left + 0.15, y, "Share piles", **heading)
    axes.text(second, y, "Draw piles", **heading)
    cars = f"{counted(state.cars_left, 'cop car')} left"
    axes.text(left + PANEL_WIDTH - 0.15, y, cars, ha="right", **heading)
    below: dict[str, Any] = {"fontsize": 8, "color": INK, "ha": "center", "va": "center_baseline"}
    for pile, cards in enumerate(state.share_piles):
        x = left + 0.15 + pile * step
        draw_cards(axes, rules, cards[-1:], x, row, CARD_WIDTH, 1)
        axes.text(x + CARD_WIDTH / 2, bottom + 0.17, str(len(cards)), **below)
    for pile, count in enumerate(state.draw_piles):
        x = second + pile * step
        if count:
            rounded(
                axes,
                x,
                row,
                CARD_WIDTH,
                CARD_HEIGHT,
                facecolor="#555555",
                edgecolor=INK,
                hatch="xx",
            )
        else:
            draw_blank(axes, x, row)
        axes.text(x + CARD_WIDTH / 2, bottom + 0.17, str(count), **below)


# Objectives


def objectives_height(sides: int) -> float:
    """Return how high the table of points is."""
    return HEADER + sides * TILE_ROW + 2 * SUM_ROW + 0.08


def draw_objectives(
    axes: Axes,
    sides: Sequence[Side],
    points: Sequence[Sequence[int]],
    title: str,
    left: float,
    top: float,
) -> None:
    """Draw a table of points: a row for each side, for tags and for the total, seats in columns."""
    players = len(points[0])
    height = objectives_height(len(sides))
    rounded(axes, left, top - height, PANEL_WIDTH, height, facecolor=SHADE, linewidth=0)
    step = 0.46
    columns = [left + PANEL_WIDTH - 0.3 - (players - 1 - seat) * step for seat in range(players)]
    y = top - HEADER / 2
    axes.text(left + 0.15, y, title, fontsize=11, weight="bold", color=INK, va="center_baseline")
    for seat, x in enumerate(columns):
        draw_tag(axes, seat, (x, y), 0.11, 8)
    room = PANEL_WIDTH - 0.5 - players * step
    y = top - HEADER
    for side, row in zip(sides, points, strict=False):
        name = short(side.title, int(room / 0.1))
        axes.text(left + 0.15, y - 0.11, name, fontsize=9.5, color=INK, va="center_baseline")
        words = short(side_words(side), int(room / 0.053))
        axes.text(left + 0.15, y - 0.28, words, fontsize=7.5, color=FAINT, va="center_baseline")
        _points(axes, columns, row, y - 0.19, "normal")
        y -= TILE_ROW
    for name, row, weight in (
        ("Tags by their icons", points[-2], "normal"),
        ("Total", points[-1], "bold"),
    ):
        middle = y - SUM_ROW / 2
        axes.text(
            left + 0.15, middle, name, fontsize=9.5, weight=weight, color=INK, va="center_baseline"
        )
        _points(axes, columns, row, middle, weight)
        y -= SUM_ROW


def _points(
    axes: Axes, columns: Sequence[float], row: Sequence[int], y: float, weight: str
) -> None:
    for x, points in zip(columns, row, strict=True):
        axes.text(
            x,
            y,
            str(points),
            fontsize=10,
            weight=weight,
            color=INK,
            ha="center",
            va="center_baseline",
        )


# Legend


def draw_legend(
    axes: Axes, rules: Rules, left: float, bottom: float, width: float, lost: bool
) -> None:
    """Draw the icons with what a tag on them scores, and how tags that came off look."""
    step = width / 4
    for icon, (title, points) in enumerate(zip(rules.icon_titles, rules.icon_points, strict=True)):
        x = left + 0.2 + icon % 4 * step
        y = bottom + (0.55 if icon < 4 else 0.17)
        place = hexagons([(0, 0)])[0] * 0.3 + (x, y)
        axes.add_patch(
            Polygon(place, facecolor=ICON_COLORS[icon].fill, edgecolor=FAINT, linewidth=0.6)
        )
        draw_icons(axes, icon, [(x, y)], 0.19)
        axes.text(
            x + 0.24,
            y,
            f"{short(title, 18)}  {points}",
            fontsize=9.5,
            color=INK,
            va="center_baseline",
        )
    if lost:
        for column, (for_car, text) in enumerate(
            ((True, "given up for a cop car"), (False, "solo, came off"))
        ):
            x, y = left + 0.2 + 2 * column * step, bottom + 0.92
            draw_lost_tag(axes, 0, (x, y), 0.1, 7.5, for_car)
            axes.text(x + 0.24, y, text, fontsize=9.5, color=INK, va="center_baseline")
