"""The tornado chart of an audit: what each ruling or number moves, a panel for each metric."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sim import sidebyside
from sim import words as say
from sim.audit.changes import DOWN, NUMBER, RULING, UP, Change
from sim.audit.effects import HEADLINE, size_of
from sim.audit.found import Audit
from sim.audit.naming import names_of, value_text
from sim.matters import MATTERS
from sim.plots.base import (
    BAND,
    GREY,
    INK,
    SIZE,
    Picture,
    as_percent,
    drawn,
    legend_below,
    new_figure,
    note_of,
    panels,
    series_colours,
)
from sim.takeaways.telling import grouped
from sim.words import Words

Row = dict[str, Any]
MOST_BARS = 16
COLUMNS = 3
BAR, PANEL, TITLE = 0.27, 0.85, 1.15
"""Inches for a row of bars, around each panel, and for title and legend."""
LONGEST = 36
PALE = 0.4
"""How bars look that are not known to matter."""
TITLES = {
    "truncated_share": "Games cut off, points",
    "seat_share": "Seat wins, points",
    "style_share": "Style wins, points",
    "tie_rate": "Shared wins, points",
    "margin.mean": "Margin",
    "score.mean": "Score",
}
SIDES = {DOWN: "moved down", UP: "moved up"}


@drawn
def tornado(audit: Audit, part: str, words: Words) -> Picture | None:
    """Draw the differences that changes make, the weightiest at the top.

    Each bar is the largest difference over tables and seats or styles, with its own interval. None
    if nothing differs at all.
    """
    effects = audit.of(part)
    rows = [row for row in audit.rows.to_dicts() if row["part"] == part and row["estimate"]]
    metrics = [name for name in HEADLINE if any(row["metric"] == name for row in rows)]
    if not rows:
        return None
    largest = {
        key: max(own, key=size_of)
        for key, own in grouped(rows, lambda row: (row["variant"], row["metric"])).items()
    }
    lines = _lines([each.change for each in effects], largest, part)
    labels = _labels(lines, words, part)
    count = len(effects) if part == RULING else len({each.change.key for each in effects})
    wide = min(len(metrics), COLUMNS)
    deep = -(-len(metrics) // wide)
    inches = TITLE + deep * (PANEL + BAR * len(lines))
    title = "What hangs on rulings" if part == RULING else "What hangs on numbers"
    several = len({row["players"] for row in rows}) > 1
    note = note_of(
        "where it is largest" if several else "",
        "shaded: too small to matter",
        "pale: not known to matter",
        "lines: 95 % intervals",
        f"the first {len(lines)} of {count}" if len(lines) < count else "",
    )
    figure = new_figure(title, note, tall=inches / SIZE[1])
    axes = panels(figure, len(metrics), wide, sharey=True)
    colours = series_colours([DOWN, UP])
    for axis, metric in zip(axes, metrics, strict=True):
        found = {name: row for (name, own), row in largest.items() if own == metric}
        _panel(axis, metric, lines, found, colours, words)
    axes[0].set_yticks(range(len(lines)), labels)
    axes[0].set_ylim(len(lines) - 0.4, -0.6)
    if part == NUMBER:
        handles = [Patch(color=colours[side]) for side in SIDES]
        legend_below(figure, handles, list(SIDES.values()))
    return Picture(f"{part}s", title, f"{title}. {_told(lines, labels, largest, words)}", figure)


def _lines(
    changes: Sequence[Change], largest: Mapping[tuple[str, str], Row], part: str
) -> list[list[Change]]:
    """Return the changes of each row of bars, in their order, those that move anything."""
    moving = {name for name, _ in largest}
    together = grouped(changes, lambda each: each.name if part == RULING else each.key)
    lines = [own for own in together.values() if any(each.name in moving for each in own)]
    return lines[:MOST_BARS]


def _labels(lines: Sequence[Sequence[Change]], words: Words, part: str) -> list[str]:
    names = names_of((own[0].key for own in lines), words)
    labels = []
    for own in lines:
        values = [own[0].now] if part == NUMBER else [own[0].value]
        text = f"{names[own[0].key]}: {', '.join(map(value_text, values))}"
        labels.append(text if len(text) <= LONGEST else f"{text[: LONGEST - 3].rstrip()}...")
    return labels


def _panel(
    axis: Axes,
    metric: str,
    lines: Sequence[Sequence[Change]],
    found: Mapping[str, Row],
    colours: Mapping[str, Any],
    words: Words,
) -> None:
    """Draw the bars of one metric."""
    share = any(sidebyside.is_share(row) for row in found.values())
    least = min(row["least"] for row in found.values())
    axis.axvspan(-least, least, color=BAND, zorder=0)
    axis.axvline(0, color=GREY, linewidth=1)
    for at, own in enumerate(lines):
        for change in own:
            row = found.get(change.name)
            if row is None:
                continue
            two = len(own) > 1
            shift = 0.0 if not two else -0.19 if change.side == DOWN else 0.19
            _bar(axis, row, at + shift, 0.36 if two else 0.6, colours[change.side or DOWN])
    axis.set_title(TITLES.get(metric) or words.turns.capitalize(), fontsize=12)
    axis.margins(x=0.08)
    if share:
        as_percent(axis.xaxis, signed=True, bins=4)
    else:
        axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: say.signed(v, _digits(axis))))
        axis.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))


def _digits(axis: Axes) -> int:
    """Return how many decimals the marks of an axis need."""
    low, high = axis.get_xlim()
    return 0 if high - low >= 4 else 1 if high - low >= 0.4 else 2


def _bar(axis: Axes, row: Row, at: float, thick: float, colour: Any) -> None:
    alpha = 1.0 if row["verdict"] == MATTERS else PALE
    axis.barh(at, row["estimate"], height=thick, color=colour, alpha=alpha, linewidth=0)
    if row["low"] is not None and row["high"] is not None:
        axis.plot([row["low"], row["high"]], [at, at], color=INK, linewidth=1.1)


def _told(
    lines: Sequence[Sequence[Change]],
    labels: Sequence[str],
    largest: Mapping[tuple[str, str], Row],
    words: Words,
) -> str:
    """Return the chart in words: the largest difference of each row of bars."""
    parts = []
    for own, label in zip(lines, labels, strict=True):
        names = {each.name for each in own}
        row = max((row for (name, _), row in largest.items() if name in names), key=size_of)
        parts.append(
            f"{label}: {sidebyside.name_of(row, words)} {sidebyside.difference(row)}"
            f"{' points' if sidebyside.is_share(row) else ''}"
        )
    return "; ".join(parts) + "."
