"""Draws the city map on axes: hexes and icons, districts and their borders, and heat maps.

Hexes are given as axial cells (q, r), int [N, 2], with the number of the district of each, [N].
A step along q is one unit to the right; hexes have a corner up and are one unit wide.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.ticker import PercentFormatter

from sim.games.wildstyle.glyphs import (
    ICON_COLORS,
    SEAT_COLORS,
    Point,
    draw_icons,
    draw_lost_tag,
    draw_tag,
)
from sim.games.wildstyle.hexmap import DIRECTIONS
from sim.games.wildstyle.textmap import row_names

CORNER = 1 / math.sqrt(3)
"""From the middle of a hex to its corners."""
ROW = math.sqrt(3) / 2
"""From a row of hexes to the next."""
INK, FAINT, LINE = "#222222", "#6B6B6B", "#808080"
MARK, MARK_FILL = "#F09A00", "#FFDF80"
HEAT = "YlGnBu"
NO_DATA = "#E3E3E3"
FAINT_TAG = 0.3
ICON_SIZE, SMALL_ICON = 0.56, 0.36
RAISED = 0.25
"""How far up the icon goes to make room for a tag."""


# Geometry


def middles(cells: Any) -> np.ndarray:
    """Return where the middles of cells are drawn, float [N, 2]."""
    q, r = np.asarray(cells, float).T
    return np.column_stack([q + r / 2, -ROW * r])


def hexagons(cells: Any, size: float = 1.0) -> np.ndarray:
    """Return the corners of hexes, float [N, 6, 2], from the lower right one clockwise."""
    angles = np.radians(-30 - 60 * np.arange(6))
    corners = size * CORNER * np.column_stack([np.cos(angles), np.sin(angles)])
    return middles(cells)[:, None, :] + corners[None, :, :]


def edges(cells: Any, groups: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges between hexes of different groups, and those at the rim, [E, 2, 2].

    `groups` names a group for each cell: its district, or whether a tag is there.
    """
    where = {(int(q), int(r)): hex_ for hex_, (q, r) in enumerate(cells)}
    corners = hexagons(cells)
    between, rim = [], []
    for (q, r), hex_ in where.items():
        for side, (x, y) in enumerate(DIRECTIONS):
            edge = corners[hex_, [side - 1, side]]
            other = where.get((q + x, r + y))
            if other is None:
                rim.append(edge)
            elif other > hex_ and groups[other] != groups[hex_]:
                between.append(edge)
    return np.array(between).reshape(-1, 2, 2), np.array(rim).reshape(-1, 2, 2)


def outline(cells: Any, hexes: Collection[int]) -> np.ndarray:
    """Return the edges around some hexes, [E, 2, 2]."""
    inside = np.asarray(cells)[sorted(hexes)]
    return edges(inside, [0] * len(inside))[1]


# Drawing


def draw_map(
    ax: Axes,
    cells: Any,
    districts: Any,
    icons: Any = None,
    *,
    tagged: Collection[int] = (),
    rows: bool = True,
    paleness: float = 1.0,
    strong: Collection[int] = (),
) -> None:
    """Draw the hexes with their icons (codes by hex, plain hexes when None).

    On `tagged` hexes the icon makes room for a tag. With `rows` the letters of the rows of hexes
    stand on the left. `paleness` below 1 fades all hexes and icons but the `strong` ones.
    """
    fills: Any = "#F2F2F2" if icons is None else [ICON_COLORS[icon].fill for icon in icons]
    ax.add_collection(
        PolyCollection(
            list(hexagons(cells)), facecolors=fills, edgecolors="#FFFFFF", linewidths=1.2, zorder=1
        )
    )
    if icons is not None:
        _draw_all_icons(ax, middles(cells), icons, tagged)
    if paleness < 1:
        pale = [shape for hex_, shape in enumerate(hexagons(cells)) if hex_ not in strong]
        veil = PolyCollection(
            pale, facecolors="#FFFFFF", alpha=1 - paleness, linewidths=0, zorder=3.5
        )
        ax.add_collection(veil)
    _draw_borders(ax, cells, districts)
    _frame(ax, cells, rows)


def draw_tags(
    ax: Axes,
    cells: Any,
    tags: Sequence[Sequence[int]],
    given_up: Sequence[Sequence[int]] = (),
    solo: Sequence[Sequence[int]] = (),
    *,
    point: float,
    faint: Collection[int] = (),
) -> None:
    """Draw everyone's tags, hexes by seat, on a map drawn with these hexes as `tagged`.

    `given_up` and `solo` are tags that came off. `point` is the size of a point in data units.
    The tags of `faint` seats let the map shine through.
    """
    places = middles(cells)
    there: dict[int, list[tuple[int, str]]] = {}
    for kind, by_seat in (("tag", tags), ("car", given_up), ("solo", solo)):
        for seat, hexes in enumerate(by_seat):
            for hex_ in hexes:
                there.setdefault(int(hex_), []).append((seat, kind))
    for hex_, found in there.items():
        if len(found) == 1 and found[0][1] == "tag":
            seat = found[0][0]
            _ring(ax, cells[hex_], SEAT_COLORS[seat], FAINT_TAG if seat in faint else 1.0)
        spots, radius = _SPOTS[len(found)]
        size = 1.2 * radius / point
        for (seat, kind), spot in zip(sorted(found), spots, strict=True):
            at = _point(places[hex_] + spot)
            if kind == "tag":
                draw_tag(ax, seat, at, radius, size, FAINT_TAG if seat in faint else 1.0)
            else:
                draw_lost_tag(ax, seat, at, radius, size, for_car=kind == "car")


_SPOTS: dict[int, tuple[list[Point], float]] = {
    1: ([(0, -0.18)], 0.19),
    2: ([(-0.2, -0.16), (0.2, -0.16)], 0.155),
    3: ([(-0.3, -0.1), (0, -0.29), (0.3, -0.1)], 0.135),
    4: ([(-0.3, -0.05), (0.3, -0.05), (-0.16, -0.32), (0.16, -0.32)], 0.13),
    5: ([(-0.33, -0.03), (0, -0.06), (0.33, -0.03), (-0.17, -0.33), (0.17, -0.33)], 0.125),
}
"""Where the tags on a hex lie, by their number, and how large they are."""


def _ring(ax: Axes, cell: Any, color: str, alpha: float) -> None:
    """Draw a line inside a hex."""
    ax.add_collection(
        PolyCollection(
            list(hexagons([cell], 0.88)),
            facecolors="none",
            edgecolors=color,
            linewidths=2.2,
            alpha=alpha,
            zorder=4.3,
        )
    )


def mark_hexes(ax: Axes, cells: Any, hexes: Collection[int], fill: Collection[int] = ()) -> None:
    """Draw a line around some hexes, and fill some."""
    edge = LineCollection(
        list(outline(cells, hexes)), colors=MARK, linewidths=3.6, capstyle="round", zorder=4.4
    )
    ax.add_collection(edge)
    if fill:
        inside = hexagons(np.asarray(cells)[sorted(fill)])
        ax.add_collection(PolyCollection(list(inside), facecolors=MARK_FILL, zorder=2))


def mark_path(ax: Axes, cells: Any, path: Sequence[int]) -> None:
    """Draw a line through hexes from one to the next."""
    x, y = middles(np.asarray(cells)[list(path)]).T
    ax.plot(x, y, color=MARK, linewidth=4.5, solid_capstyle="round", alpha=0.8, zorder=4.6)


def number_hexes(ax: Axes, cells: Any, hexes: Iterable[int], number: int, point: float) -> None:
    """Write the number of a group into the upper right of its hexes."""
    for x, y in middles(np.asarray(cells)[list(hexes)]):
        ax.text(
            x + 0.26,
            y + 0.2,
            str(number),
            fontsize=0.2 / point,
            weight="bold",
            color=INK,
            ha="center",
            va="center_baseline",
            zorder=5.5,
        )


def heat_map(
    ax: Axes,
    cells: Any,
    values: Any,
    districts: Any,
    label: str,
    *,
    top: float | None = None,
) -> Any:
    """Draw a share of 0 to 1 for each cell as a colour, with a colour bar; return its collection.

    Cells without a value (NaN) are grey and hatched. The colours run from 0 to `top`, by default
    the least tenth (or hundredth) that is not below the largest value. Give the same `top` to
    maps that are compared.
    """
    values = np.asarray(values, float)
    known = np.isfinite(values)
    shapes = hexagons(cells)
    lines: dict[str, Any] = {"edgecolors": "#FFFFFF", "linewidths": 0.8}
    heat = PolyCollection(list(shapes[known]), array=values[known], cmap=HEAT, **lines)
    heat.set_clim(0, _round_up(values[known]) if top is None else top)
    ax.add_collection(heat)
    if not known.all():
        ax.add_collection(
            PolyCollection(list(shapes[~known]), facecolors=NO_DATA, hatch="////", **lines)
        )
    _draw_borders(ax, cells, districts)
    _frame(ax, cells, rows=False)
    figure = ax.get_figure()
    assert figure is not None
    percent = PercentFormatter(1, decimals=None)
    bar = figure.colorbar(heat, ax=ax, shrink=0.7, pad=0.02, format=percent)
    bar.set_label(label)
    bar.outline.set_visible(False)
    return heat


def _round_up(values: np.ndarray) -> float:
    """Return the top of a scale: a tenth, or a hundredth when the values are small."""
    most = float(values.max(initial=0.0))
    step = 0.1 if most > 0.1 else 0.01
    return max(step, math.ceil(round(most / step, 9)) * step)


def _draw_all_icons(
    ax: Axes, places: np.ndarray, icons: Sequence[int], tagged: Collection[int]
) -> None:
    """Draw the icon of each hex, smaller and higher where a tag is."""
    for icon in range(len(ICON_COLORS)):
        there = [hex_ for hex_, found in enumerate(icons) if found == icon]
        free = [_point(places[hex_]) for hex_ in there if hex_ not in tagged]
        small = [_point(places[hex_] + (0, RAISED)) for hex_ in there if hex_ in tagged]
        draw_icons(ax, icon, free, ICON_SIZE)
        draw_icons(ax, icon, small, SMALL_ICON)


def _draw_borders(ax: Axes, cells: Any, districts: Any) -> None:
    """Draw the borders between districts as a band, and the rim of the map."""
    between, rim = edges(cells, list(districts))
    for lines, width in ((rim, 2.2), (between, 4.0)):
        ax.add_collection(
            LineCollection(
                list(lines), colors=LINE, linewidths=width, capstyle="round", zorder=4.35
            )
        )


def _frame(ax: Axes, cells: Any, rows: bool) -> None:
    """Fit the axes to the map and put the letters of its rows beside it."""
    places = middles(cells)
    aside = np.array([0.62, CORNER + 0.08])
    left, bottom = places.min(axis=0) - aside
    right, top = np.add(places.max(axis=0), aside)
    if rows:
        for r, name in row_names(cells).items():
            first = min(x for (_, row), (x, _) in zip(cells, places, strict=True) if row == r)
            ax.text(first - 0.72, -ROW * r, name, fontsize=8, color=FAINT, ha="center", va="center")
        left -= 0.35
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.set_axis_off()


def _point(place: Iterable[float]) -> Point:
    x, y = place
    return float(x), float(y)
