"""Drawings of the location icons and of the players' tags, each shape and colour its own.

An icon is drawn in two layers, dark and light, in a square from -0.5 to 0.5. They are paths, so
that no font needs to hold them.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

Point = tuple[float, float]
Layers = tuple[Path, Path | None]
"""The dark and the light layer of an icon."""

SEAT_COLORS = ("#0072B2", "#D55E00", "#009E73", "#B0468C", "#1F1F1F")
"""After Okabe and Ito (2008), without their pale ones: told apart with any colour vision."""


class IconColors(NamedTuple):
    """What a hex is filled with, and the dark and the light layer of its icon."""

    fill: str
    dark: str
    light: str


ICON_COLORS = (
    IconColors("#E4E4E1", "#4A4A4A", "#E4E4E1"),
    IconColors("#6E6E6E", "#FFFFFF", "#6E6E6E"),
    IconColors("#FBE7A1", "#7A5600", "#FFF7DC"),
    IconColors("#F8D5E4", "#9A2765", "#FFF0F6"),
    IconColors("#CFE4F7", "#1F5A94", "#F2F9FF"),
    IconColors("#F0CFB2", "#8A4513", "#FFF1E4"),
    IconColors("#CDE8C4", "#2C6E2F", "#CDE8C4"),
    IconColors("#CFC8F0", "#3B2C8F", "#FFFFFF"),
)
"""By code of the icon."""


# Shapes


def polygon(*points: Point) -> Path:
    """Return a closed path through some points."""
    return Path([*points, points[0]], closed=True)


def box(left: float, bottom: float, right: float, top: float) -> Path:
    """Return a rectangle."""
    return polygon((left, bottom), (right, bottom), (right, top), (left, top))


def disc(x: float, y: float, radius: float) -> Path:
    """Return a circle."""
    return Path.circle((x, y), radius)


def star(points: int, radius: float, inner: float, x: float = 0.0, y: float = 0.0) -> Path:
    """Return a star with one point up."""
    angles = np.pi / 2 + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2, inner, radius)
    corners = zip(x + radii * np.cos(angles), y + radii * np.sin(angles), strict=True)
    return polygon(*corners)


def regular(corners: int, radius: float, turn: float = 0.0) -> Path:
    """Return a regular polygon with a corner up, turned by some degrees."""
    angles = np.pi / 2 + np.radians(turn) + np.arange(corners) * 2 * np.pi / corners
    points = zip(radius * np.cos(angles), radius * np.sin(angles), strict=True)
    return polygon(*points)


def together(*paths: Path) -> Path:
    """Return several shapes as one path."""
    return Path.make_compound_path(*paths)


def _rails() -> Layers:
    ties = [box(-0.36, y - 0.05, 0.36, y + 0.05) for y in (-0.36, -0.12, 0.12, 0.36)]
    return together(*ties, box(-0.24, -0.5, -0.13, 0.5), box(0.13, -0.5, 0.24, 0.5)), None


def _train() -> Layers:
    right = [(0.24, 0.48), (0.36, 0.3), (0.36, -0.15), (0.3, -0.27)]
    body = polygon(*right, *((-x, y) for x, y in right[::-1]))
    feet = [polygon((-0.2, -0.27), (-0.08, -0.27), (-0.26, -0.5), (-0.4, -0.5))]
    feet += [polygon((0.2, -0.27), (0.08, -0.27), (0.26, -0.5), (0.4, -0.5))]
    light = together(
        box(-0.25, 0.06, -0.04, 0.3),
        box(0.04, 0.06, 0.25, 0.3),
        disc(-0.2, -0.11, 0.065),
        disc(0.2, -0.11, 0.065),
    )
    return together(body, *feet), light


def _house() -> Layers:
    roof = polygon((-0.5, -0.02), (0, 0.46), (0.5, -0.02))
    walls = box(-0.35, -0.46, 0.35, 0.02)
    light = together(box(-0.08, -0.46, 0.1, -0.12), box(0.17, -0.2, 0.28, -0.08))
    return together(roof, walls), light


def _bag() -> Layers:
    body = polygon((-0.42, -0.48), (0.42, -0.48), (0.34, 0.18), (-0.34, 0.18))
    arc = np.radians(np.linspace(0, 180, 13))
    outer = [(0.22 * np.cos(a), 0.18 + 0.3 * np.sin(a)) for a in arc]
    inner = [(0.13 * np.cos(a), 0.18 + 0.2 * np.sin(a)) for a in arc[::-1]]
    below = [(0.2 * np.cos(a), 0.04 - 0.26 * np.sin(a)) for a in arc]
    above = [(0.12 * np.cos(a), 0.04 - 0.17 * np.sin(a)) for a in arc[::-1]]
    return together(body, polygon(*outer, *inner)), polygon(*below, *above)


def _towers() -> Layers:
    dark = together(
        box(-0.46, -0.48, -0.17, 0.14),
        polygon((-0.14, -0.48), (0.16, -0.48), (0.16, 0.34), (0.01, 0.5), (-0.14, 0.34)),
        box(0.19, -0.48, 0.46, 0.0),
    )
    places = [(-0.39, y) for y in (-0.36, -0.18, 0.0)] + [(-0.29, y) for y in (-0.36, -0.18, 0.0)]
    places += [(x, y) for x in (-0.08, 0.04) for y in (-0.36, -0.18, 0.0, 0.18)]
    places += [(x, y) for x in (0.25, 0.35) for y in (-0.36, -0.18)]
    return dark, together(*(box(x, y, x + 0.06, y + 0.09) for x, y in places))


def _factory() -> Layers:
    saw = [(-0.12, 0.18), (-0.12, 0.0), (0.18, 0.18), (0.18, 0.0), (0.48, 0.18), (0.48, -0.46)]
    hall = polygon((-0.48, -0.46), (-0.48, 0.0), (-0.42, 0.0), *saw)
    chimney = polygon((-0.44, -0.1), (-0.38, 0.48), (-0.22, 0.48), (-0.16, -0.1))
    windows = [box(x, -0.3, x + 0.15, -0.14) for x in (-0.36, -0.08, 0.2)]
    return together(hall, chimney), together(*windows)


def _tree() -> Layers:
    crown = [disc(0, 0.22, 0.27), disc(-0.2, 0.0, 0.23), disc(0.2, 0.0, 0.23)]
    trunk = polygon((-0.1, -0.5), (0.1, -0.5), (0.06, 0.0), (-0.06, 0.0))
    return together(*crown, trunk), None


def _badge() -> Layers:
    side = [(0.2, 0.34), (0.42, 0.36), (0.46, -0.2), (0.0, -0.5)]
    other = [(-0.46, -0.2), (-0.42, 0.36), (-0.2, 0.34), (0.0, 0.5)]
    shield = Path([(0.0, 0.5), *side, *other], [Path.MOVETO] + [Path.CURVE3] * 8)
    return shield, star(5, 0.29, 0.12, y=0.01)


ICON_PATHS = (
    _rails(),
    _train(),
    _house(),
    _bag(),
    _towers(),
    _factory(),
    _tree(),
    _badge(),
)
"""By code of the icon."""

TAG_PATHS = (
    disc(0, 0, 1.0),
    regular(4, 1.24, 45),
    regular(3, 1.5).transformed(Affine2D().translate(0, -0.2)),
    regular(4, 1.36),
    regular(6, 1.14, 30),
)
"""The shape of each seat's tags, about 1 around the middle."""


# Drawing

ICONS, TAGS = 3.0, 5.0
"""What is drawn later has the higher number."""


def draw_icons(axes: Axes, icon: int, places: Iterable[Point], size: float) -> None:
    """Draw an icon, `size` wide in data units, at some places; the axes keep their limits."""
    where = list(places)
    colors = ICON_COLORS[icon]
    layers = zip(ICON_PATHS[icon], (colors.dark, colors.light), strict=True)
    for layer, (path, color) in enumerate(layers):
        if where and path is not None:
            placed = [path.transformed(Affine2D().scale(size).translate(*at)) for at in where]
            axes.add_artist(
                PathPatch(
                    together(*placed), facecolor=color, linewidth=0, zorder=ICONS + 0.1 * layer
                )
            )


def tag_path(seat: int, at: Point, radius: float) -> Path:
    """Return the outline of a seat's tag."""
    return TAG_PATHS[seat].transformed(Affine2D().scale(radius).translate(*at))


def draw_tag(
    axes: Axes, seat: int, at: Point, radius: float, fontsize: float, alpha: float = 1.0
) -> None:
    """Draw a tag of a seat with its number."""
    patch = PathPatch(
        tag_path(seat, at, radius),
        facecolor=SEAT_COLORS[seat],
        edgecolor="#FFFFFF",
        linewidth=0.9,
        joinstyle="round",
        alpha=alpha,
        zorder=TAGS,
    )
    patch.set_gid(f"tag-{seat}")
    axes.add_patch(patch)
    _number(axes, seat, at, fontsize, "#FFFFFF")


def draw_lost_tag(
    axes: Axes,
    seat: int,
    at: Point,
    radius: float,
    fontsize: float,
    for_car: bool,
) -> None:
    """Draw a tag that came off: an empty outline, dashed if it was solo, struck out if given up."""
    patch = PathPatch(
        tag_path(seat, at, radius),
        facecolor="#FFFFFF",
        edgecolor=SEAT_COLORS[seat],
        linewidth=1.3,
        linestyle="-" if for_car else (0, (1.6, 1.1)),
        zorder=TAGS,
    )
    patch.set_gid(f"{'car' if for_car else 'solo'}-{seat}")
    axes.add_patch(patch)
    _number(axes, seat, at, fontsize, SEAT_COLORS[seat])
    if for_car:
        reach = 1.15 * radius
        axes.plot(
            [at[0] - reach, at[0] + reach],
            [at[1] - reach, at[1] + reach],
            color=SEAT_COLORS[seat],
            linewidth=1.3,
            zorder=TAGS + 0.2,
        )


def _number(axes: Axes, seat: int, at: Point, fontsize: float, color: str) -> None:
    axes.text(
        *at,
        str(seat),
        fontsize=fontsize,
        weight="bold",
        color=color,
        ha="center",
        va="center_baseline",
        zorder=TAGS + 0.1,
    )
