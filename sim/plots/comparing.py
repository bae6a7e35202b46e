"""The figure of differences between variants: a dot with its interval for each metric."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from sim import sidebyside
from sim import words as say
from sim.plots.base import (
    BAND,
    GREY,
    MARKERS,
    MOST_SERIES,
    Picture,
    drawn,
    new_figure,
    note_of,
    panels,
    series_colours,
)
from sim.plots.dots import label_below
from sim.words import Words

Row = dict[str, Any]
MOST_ROWS = 30
MOST_PANELS = 5
MOST_MARKS = 10
"""Of all panels side by side, to the right of 0."""
ENDS = ("estimate", "low", "high")
STEPS = (1, 3, 10, 30, 100, 300, 1000)
"""Where the axis has marks, in smallest differences that matter."""


@drawn
def differences(rows: Sequence[Row], words: Words) -> Picture | None:
    """Draw differences in units of the smallest one that matters, a panel a number of players.

    `rows` are those of `sim.metrics.differences`. The axis is linear within the shaded band, where
    a difference is too small to matter, and logarithmic outside. None if nothing differs at all.
    """
    rows = [row for row in rows if row["estimate"] is not None and row["least"] > 0]
    differ = {_series(row, words) for row in rows if row["estimate"] != 0}
    rows = _few(sidebyside.shown(row for row in rows if _series(row, words) in differ))
    if not rows:
        return None
    names = list(dict.fromkeys(_series(row, words) for row in rows))
    order = list(dict.fromkeys(sidebyside.key_of(row) for row in rows))
    labels = {sidebyside.key_of(row): sidebyside.name_of(row, words) for row in rows}
    counts = sorted({row["players"] for row in rows})
    title = "What changes, and whether it matters"
    against = ", ".join(dict.fromkeys(words.variant(row["against"]) for row in rows))
    more = f"the first {MOST_SERIES} of {len(names)}" if len(names) > MOST_SERIES else ""
    note = note_of(
        f"against {against}", "shaded: too small to matter", "lines: 95 % intervals", more
    )
    wide = min(len(counts), MOST_PANELS)
    deep = -(-len(counts) // wide)
    room = 0.05 + 0.01 * min(len(names), MOST_SERIES)
    figure = new_figure(title, note, tall=max(1.0, 0.3 + deep * len(order) * room))
    axes = panels(figure, len(counts), wide, sharey=True, sharex=True)
    colours, handles = series_colours(names[:MOST_SERIES]), {}
    reach = max(abs(row[end] or 0) / row["least"] for row in rows for end in ENDS)
    for axis, players in zip(axes, counts, strict=True):
        _scale(axis, reach, wide)
        for number, name in enumerate(colours):
            own = [r for r in rows if r["players"] == players and _series(r, words) == name]
            shift = (number - (len(colours) - 1) / 2) * 0.6 / len(colours)
            at = [order.index(sidebyside.key_of(row)) + shift for row in own]
            handles[name] = _dots(axis, own, at, number, colours[name], len(colours))
        axis.set_title(say.players(players))
    axes[0].set_yticks(range(len(order)), [labels[key] for key in order])
    axes[0].set_ylim(len(order) - 0.4, -0.6)
    label = "difference, as a multiple of the smallest that matters"
    label_below(figure, label, list(handles.values()), list(handles))
    told = "; ".join(
        f"{_series(row, words)}, {say.players(row['players'])}, {sidebyside.name_of(row, words)}: "
        f"{sidebyside.difference(row)}"
        for row in rows
        if row["verdict"] == sidebyside.MATTERS
    )
    return Picture("differences", title, f"{title}. {told or 'Nothing differs enough'}.", figure)


def _series(row: Row, words: Words) -> str:
    return words.series(row["variant"], row["lineup"]) or words.variant(row["variant"])


def _few(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the first metrics, as many as a figure can hold."""
    kept = list(dict.fromkeys(sidebyside.key_of(row) for row in rows))[:MOST_ROWS]
    return [row for row in rows if sidebyside.key_of(row) in kept]


def _dots(
    axis: Axes, rows: Sequence[Row], at: list[float], number: int, colour: Any, of: int
) -> Any:
    values = [row["estimate"] / row["least"] for row in rows]
    sides = [[_side(row, end) for row in rows] for end in ("low", "high")]
    return axis.errorbar(
        values,
        at,
        xerr=sides,
        fmt=MARKERS[number],
        color=colour,
        markersize=6 if of < 3 else 4.5,
        capsize=2.5,
        linewidth=1.4,
    )


def _side(row: Row, end: str) -> float:
    """Return how far an interval reaches to one side; no interval, no line."""
    return 0.0 if row[end] is None else abs(row[end] - row["estimate"]) / row["least"]


def _scale(axis: Axes, reach: float, wide: int) -> None:
    axis.axvspan(-1, 1, color=BAND, zorder=0)
    axis.axvline(0, color=GREY, linewidth=1)
    axis.set_xscale("symlog", linthresh=1, linscale=0.7)
    limit = max(reach * 1.3, 1.5)
    axis.set_xlim(-limit, limit)
    marks = [step for step in STEPS if step <= limit]
    marks = marks[:: max(1, -(-len(marks) * wide // MOST_MARKS))]
    axis.xaxis.set_major_locator(FixedLocator([*(-mark for mark in reversed(marks)), *marks]))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: say.minus(f"{value:,.0f}")))
