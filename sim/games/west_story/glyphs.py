"""Drawings of symbols, coins, hats, cows and dice, and text that fits into its room.

Axes are in inches with the origin at the lower left. A drawing is made in a square from -0.5 to
0.5 of paths, so that no font needs to hold it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from sim.games.west_story.rulebook import NEUTRAL, QUADRUPLE, WILD

Point = tuple[float, float]
Slant = Literal["normal", "italic"]

SEAT_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
"""Okabe and Ito (2008): told apart with any colour vision; each also bears its number."""
SEAT_INKS = ("#FFFFFF", "#222222", "#222222", "#222222")
"""Letters on these colours."""
INK, FAINT, PAPER, SHADE, LINE = "#222222", "#6A6A6A", "#FFFFFF", "#F4F2EC", "#B8B4A8"
NEW = "#D55E00"
BROWN, GOLD, DARK_GOLD, COVERED = "#5A3A1B", "#F0C22E", "#A87C00", "#8A8A8A"
DIE_COLORS = ("#F6DE6B", "#9CD3A5")
"""The yellow and the green die."""

HINTING = 1.03
"""Letters drawn on a grid of pixels are a little wider than measured."""
SMALLEST = 5.0
"""Letters, in points, below which a text is rather cut."""


# Text


@cache
def text_width(text: str, size: float, weight: str = "normal", style: Slant = "normal") -> float:
    """Return how wide a line of text is, in inches."""
    font = FontProperties(size=size, weight=weight, style=style)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return HINTING * float(width) / 72


def write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    size: float,
    room: float = np.inf,
    *,
    weight: str = "normal",
    style: Slant = "normal",
    color: str = INK,
    ha: str = "left",
    **more: Any,
) -> float:
    """Write a line, smaller or cut where there is not room for it; return its width."""
    while size > SMALLEST and text_width(text, size, weight, style) > room:
        size -= 0.25
    while len(text) > 1 and text_width(text, size, weight, style) > room:
        text = f"{text.rstrip('…')[:-1]}…"
    look: dict[str, Any] = {"fontsize": size, "weight": weight, "style": style, "color": color}
    axes.text(x, y, text, ha=ha, va="center_baseline", parse_math=False, **look, **more)
    return text_width(text, size, weight, style)


def wrapped(text: str, size: float, room: float, style: Slant = "normal") -> list[str]:
    """Return a text in lines of so many inches; a word that is longer stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, "normal", style) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def write_lines(
    axes: Axes,
    x: float,
    top: float,
    text: str,
    size: float,
    room: Point,
    *,
    style: Slant = "normal",
    color: str = INK,
    spacing: float = 1.3,
) -> None:
    """Write a text in lines from `top` down into `room` (width, height), smaller if it must be."""
    wide, tall = room
    lines = wrapped(text, size, wide, style)
    while size > SMALLEST and len(lines) * size * spacing / 72 > tall:
        size -= 0.25
        lines = wrapped(text, size, wide, style)
    most = max(1, int(tall * 72 / size / spacing + 1e-6))
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    for number, line in enumerate(lines):
        y = top - (number + 0.5) * size * spacing / 72
        write(axes, x, y, line, size, wide, style=style, color=color)


# Paths


def polygon(*points: Point) -> Path:
    """Return a closed path through some points."""
    return Path([*points, points[0]], closed=True)


def box(left: float, bottom: float, right: float, top: float) -> Path:
    """Return a rectangle."""
    return polygon((left, bottom), (right, bottom), (right, top), (left, top))


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Return points on a circle from one angle to another, in degrees."""
    angles = np.radians(np.linspace(start, end, 25))
    return list(zip(x + radius * np.cos(angles), y + radius * np.sin(angles), strict=True))


def disc(x: float, y: float, radius: float) -> Path:
    """Return a circle."""
    return polygon(*arc(x, y, radius, 0, 345))


def hole(x: float, y: float, radius: float) -> Path:
    """Return a circle that is left out of a path around it."""
    return polygon(*arc(x, y, radius, 345, 0))


def star(points: int, outer: float, inner: float) -> Path:
    """Return a star with one point up."""
    angles = np.pi / 2 + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2, inner, outer)
    return polygon(*zip(radii * np.cos(angles), radii * np.sin(angles), strict=True))


def together(*paths: Path) -> Path:
    """Return several shapes as one path."""
    return Path.make_compound_path(*paths)


def _revolver() -> Path:
    barrel = box(-0.5, 0.1, 0.0, 0.26)
    sight = box(-0.48, 0.2, -0.41, 0.33)
    cylinder = box(-0.06, -0.02, 0.18, 0.31)
    frame = polygon((0.1, 0.0), (0.3, 0.0), (0.42, 0.18), (0.36, 0.28), (0.1, 0.28))
    hammer = polygon((0.3, 0.24), (0.4, 0.24), (0.5, 0.36), (0.4, 0.38))
    grip = polygon((0.17, 0.05), (0.36, 0.08), (0.5, -0.38), (0.27, -0.44))
    guard = together(disc(0.06, -0.09, 0.13), hole(0.06, -0.09, 0.075))
    return together(barrel, sight, cylinder, frame, hammer, grip, guard)


def _horseshoe() -> Path:
    shoe = polygon(*arc(0, 0.02, 0.47, -58, 238), *arc(0, 0.02, 0.25, 238, -58))
    nails = [hole(*arc(0, 0.02, 0.36, angle, angle)[0], 0.04) for angle in range(-30, 211, 48)]
    return together(shoe, *nails)


def _star() -> Path:
    tips = [disc(*arc(0, 0, 0.43, angle, angle)[0], 0.075) for angle in range(90, 450, 72)]
    return together(star(5, 0.44, 0.2), *tips)


def _wheel() -> Path:
    spoke = box(-0.035, 0.05, 0.035, 0.4)
    spokes = [spoke.transformed(Affine2D().rotate_deg(angle)) for angle in range(0, 360, 45)]
    return together(disc(0, 0, 0.48), hole(0, 0, 0.37), disc(0, 0, 0.13), *spokes)


def _paw() -> Path:
    pad = polygon(*arc(0, -0.2, 0.27, -15, 195), (-0.16, -0.44), (0.16, -0.44))
    toes = [disc(-0.37, 0.06, 0.115), disc(0.37, 0.06, 0.115)]
    return together(pad, *toes, disc(-0.15, 0.3, 0.125), disc(0.15, 0.3, 0.125))


def _hat() -> Path:
    brim = polygon(
        (-0.5, 0.02), *arc(0, 0.24, 0.52, 212, 328), (0.5, 0.02), (0.28, -0.1), (-0.28, -0.1)
    )
    crown = polygon((-0.27, -0.12), (-0.2, 0.3), (0.0, 0.21), (0.2, 0.3), (0.27, -0.12))
    return together(brim, crown)


def _cow() -> Path:
    head = polygon(
        (-0.21, 0.2), (-0.13, -0.36), (-0.08, -0.42), (0.08, -0.42), (0.13, -0.36), (0.21, 0.2)
    )
    horn = ((0.14, 0.16), (0.38, 0.2), (0.44, 0.44), (0.5, 0.2), (0.4, 0.06), (0.16, 0.04))
    ear = ((0.16, 0.04), (0.38, -0.04), (0.3, -0.14), (0.16, -0.06))
    left = [polygon(*((-x, y) for x, y in part[::-1])) for part in (horn, ear)]
    return together(head, polygon(*horn), polygon(*ear), *left)


GLYPHS = {
    "revolver": _revolver(),
    "horseshoe": _horseshoe(),
    "star": _star(),
    "wheel": _wheel(),
    WILD: _paw(),
    "coins": together(disc(0, 0, 0.46), hole(0, 0, 0.36), disc(0, 0, 0.28)),
    "hats": _hat(),
    "cows": _cow(),
    "discs": disc(0, 0, 0.42),
}
"""Symbols, and what players have, by name."""


# Drawing


def rounded(
    axes: Axes, left: float, bottom: float, width: float, height: float, **style: Any
) -> None:
    """Draw a box with rounded corners, `width` by `height` outside."""
    corner = min(0.05, width / 4, height / 4)
    axes.add_artist(
        FancyBboxPatch(
            (left + corner, bottom + corner),
            width - 2 * corner,
            height - 2 * corner,
            boxstyle=f"round,pad={corner}",
            **style,
        )
    )


def draw_path(axes: Axes, path: Path, at: Point, size: float, **style: Any) -> None:
    """Draw a path, `size` inches wide, around a point."""
    placed = path.transformed(Affine2D().scale(size).translate(*at))
    axes.add_artist(PathPatch(placed, **{"facecolor": BROWN, "linewidth": 0} | style))


def draw_symbol(
    axes: Axes, name: str, names: Sequence[str], at: Point, size: float, color: str = BROWN
) -> None:
    """Draw a symbol by its name; one without a drawing of its own by its first letters."""
    if name == QUADRUPLE:
        for number, each in enumerate(names):
            x = at[0] + size * (number % 2 - 0.5) * 0.56
            y = at[1] - size * (number // 2 - 0.5) * 0.56
            draw_symbol(axes, each, names, (x, y), 0.46 * size, color)
    elif name in GLYPHS:
        draw_path(axes, GLYPHS[name], at, size, facecolor=color, gid=f"symbol {name}")
    else:
        axes.add_artist(Circle(at, 0.5 * size, facecolor="none", edgecolor=color, linewidth=1))
        short = short_names(names)[list(names).index(name)]
        write(axes, *at, short, 42 * size, 0.8 * size, color=color, ha="center", weight="bold")


def short_names(names: Sequence[str]) -> list[str]:
    """Return two letters for each name, the first one and another that tells it apart."""
    found: list[str] = []
    for name in names:
        pairs = [name[0] + letter for letter in name[1:]] or [name]
        found.append(next((pair for pair in pairs if pair not in found), name))
    return found


def draw_disc(
    axes: Axes, owner: int, at: Point, radius: float, is_new: bool = False, **style: Any
) -> None:
    """Draw a disc or score marker of a seat with its number; that of nobody is plain."""
    color = COVERED if owner == NEUTRAL else SEAT_COLORS[owner]
    edge, line = (NEW, 2.2) if is_new else (INK, 0.6)
    look = {"facecolor": color, "edgecolor": edge, "linewidth": line, "zorder": 3} | style
    axes.add_artist(Circle(at, radius, **look))
    if owner != NEUTRAL:
        write(
            axes,
            *at,
            str(owner),
            85 * radius,
            weight="bold",
            color=SEAT_INKS[owner],
            ha="center",
            zorder=4,
        )


def draw_die(axes: Axes, value: int | None, color: str, left: float, bottom: float) -> None:
    """Draw a die with its value, empty before it is rolled."""
    rounded(axes, left, bottom, 0.4, 0.4, facecolor=color, edgecolor=INK, linewidth=1.2)
    if value is not None:
        write(axes, left + 0.2, bottom + 0.2, str(value), 15, weight="bold", ha="center")
