"""Budgets as a figure: what is accepted, and where the intervals lie, a panel for each budget."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sim import checked
from sim import words as say
from sim.check import CHANGE, FAILED, PASSED, RANGE, UNDECIDED, Checked, Judged
from sim.metric_titles import metric_title
from sim.plots.base import (
    BAND,
    GREY,
    SIZE,
    Picture,
    drawn,
    legend_below,
    limits_of,
    new_figure,
    note_of,
    panels,
    short,
)
from sim.takeaways.telling import grouped
from sim.words import Words

MOST_PANELS, MOST_ROWS = 9, 12
COLUMNS, LONG, LONGEST = 3, (16, 32), 64
"""Panels beside each other; one less for each of two lengths that a name exceeds; names are cut."""
ROW, PANEL, TITLE = 0.24, 0.75, 1.1
"""Inches for a row of a panel, around each panel, and for title and legend."""
LOOKS = {PASSED: ("#1b7a43", "o"), UNDECIDED: ("#8a6100", "D"), FAILED: ("#b3261e", "X")}
"""Colour and shape: either alone tells the verdicts apart."""


@drawn
def budgets(found: Checked, words: Words) -> Picture | None:
    """Draw what was judged, those worst off of each budget; None where nothing was."""
    rows = [row for row in found.rows if row.verdict in LOOKS and row.estimate is not None]
    together = list(grouped(rows, lambda row: (row.kind, row.name)).items())
    if not together:
        return None
    order = list(LOOKS)
    together.sort(key=lambda item: -max(order.index(row.verdict) for row in item[1]))
    shown = together[:MOST_PANELS]
    name_of = checked.place_names(rows, words)
    longest_name = max(len(name_of(row)) for row in rows)
    wide = min(len(shown), COLUMNS - sum(longest_name > length for length in LONG))
    deep = -(-len(shown) // wide)
    longest = min(_longest(shown), MOST_ROWS)
    inches = TITLE + deep * (PANEL + ROW * longest)
    title = "What is accepted, and what came out"
    note = note_of(
        "shaded: accepted",
        f"lines: intervals of {100 * found.each:.4g} %, which hold all at once",
        f"the {len(shown)} worst of {len(together)} budgets" if len(shown) < len(together) else "",
        f"the {MOST_ROWS} worst rows of each" if _longest(shown) > MOST_ROWS else "",
    )
    figure = new_figure(title, note, tall=max(0.5, inches / SIZE[1]))
    for axis, ((kind, name), own) in zip(panels(figure, len(shown), wide), shown, strict=True):
        about = metric_title(name, words)
        axis.set_title(about if kind == RANGE else f"{about}, change", fontsize=12)
        worst = sorted(own, key=checked.room_of)[:MOST_ROWS]
        _panel(axis, worst, [name_of(row) for row in worst])
    there = [each for each in LOOKS if any(row.verdict == each for row in rows)]
    handles = [
        Line2D([], [], color=LOOKS[each][0], marker=LOOKS[each][1], linestyle="") for each in there
    ]
    legend_below(figure, handles, there)
    return Picture("budgets", title, f"{title}. {_told(rows, words)}", figure)


def _longest(shown: Sequence[tuple[Any, Sequence[Judged]]]) -> int:
    return max(len(own) for _, own in shown)


def _panel(axis: Axes, rows: Sequence[Judged], names: Sequence[str]) -> None:
    for at, row in enumerate(rows):
        colour, marker = LOOKS[row.verdict]
        low, high = (
            end if math.isfinite(end) else row.estimate or 0.0 for end in (row.low, row.high)
        )
        axis.plot([low, high], [at, at], color=colour, linewidth=1.6)
        axis.plot([row.estimate or 0.0], [at], color=colour, marker=marker, ms=6, clip_on=False)
    axis.margins(x=0.12)
    seen = axis.dataLim.x0, axis.dataLim.x1
    left, right = axis.get_xlim()
    edges = [edge for row in rows for edge in (row.least, row.most) if math.isfinite(edge)]
    room = 0.06 * (right - left)
    left, right = min([left, *(e - room for e in edges)]), max([right, *(e + room for e in edges)])
    left, right = limits_of((min([seen[0], *edges]), max([seen[1], *edges])), (left, right))
    for at, row in enumerate(rows):
        axis.fill_betweenx(
            [at - 0.5, at + 0.5], max(row.least, left), min(row.most, right), color=BAND, zorder=0
        )
    if rows[0].kind == CHANGE:
        axis.axvline(0, color=GREY, linewidth=1)
    axis.set_xlim(left, right)
    axis.set_yticks(range(len(rows)), [short(name, LONGEST) for name in names])
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.grid(visible=False, axis="y")
    axis.xaxis.set_major_locator(MaxNLocator(3))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))


def _told(rows: Sequence[Judged], words: Words) -> str:
    where = checked.place_names(rows, words)
    parts = [
        f"{metric_title(row.name, words)}, {where(row)}: {checked.estimate(row)}, {row.verdict}"
        for row in rows[:40]
    ]
    more = len(rows) - len(parts)
    return f"{'; '.join(parts)}{f'; and {more} more' if more > 0 else ''}."


def _number(value: float) -> str:
    """Return a number on an axis in three figures, never as a power of ten."""
    small = abs(value) < 0.001
    return say.minus(f"{value:.6f}".rstrip("0").rstrip(".") if small else f"{value:.3g}")
