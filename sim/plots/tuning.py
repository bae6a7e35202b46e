"""Figures of a tuning: what each element is worth before and after, with intervals."""

from collections.abc import Iterator
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sim import words as say
from sim.plots.base import (
    GREY,
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
from sim.tuning import telling
from sim.tuning.tuned import ELEMENT, Found, Row

SHOWN = {"before": "before", "rescored": "old games scored again", "after": "after, played"}
MARKS = {"before": "o", "rescored": "x", "after": "D"}
MOST_TABLES = 6
ROW, AROUND = 0.3, 2.2
"""Inches for each element, and for title, axis and legend."""


def before_and_after(found: Found) -> Iterator[Picture]:
    """Yield a picture for each group of variants: worth by element, a panel for each table."""
    for number, group in enumerate(found.content["groups"], 1):
        yield _group(found, group, number)


@drawn
def _group(found: Found, group: Row, number: int) -> Picture:
    rows = [row for row in found.of(group) if row["group"].startswith(ELEMENT)]
    tables = list(dict.fromkeys((r["variant"], r["players"], r["lineup"]) for r in rows))
    shown = tables[:MOST_TABLES]
    order = _order(rows, group["elements"])
    title = "What each is worth, before and after"
    if len(found.content["groups"]) > 1:
        title += f": {say.listed(found.words.variant(name) for name in group['names'])}"
    left = f"the first {MOST_TABLES} of {len(tables)} tables" if len(tables) > MOST_TABLES else ""
    games = say.counted(min(row["n"] for row in rows), "fresh game")
    note = note_of(f"{games} of each at each table", "lines: 95 % intervals", left)
    tall = max(1.0, (ROW * len(order) + AROUND) / SIZE[1])
    figure = new_figure(title, note, tall=tall)
    axes = panels(figure, len(shown), min(len(shown), 3), sharey=True)
    handles: dict[str, Any] = {}
    colours = series_colours(list(SHOWN))
    for axis, table in zip(axes, shown, strict=True):
        own = [row for row in rows if (row["variant"], row["players"], row["lineup"]) == table]
        _panel(axis, own, order, handles, colours)
        axis.set_title(telling.table_name(found, own[0]))
        _scale(axis, found)
    names = [found.words.title(name) for name in order]
    for axis in axes:
        axis.set_yticks(range(len(order)), names)
        axis.set_ylim(-0.7, len(order) - 0.3)
    axes[0].set_xlabel("wins owed to it, points" if found.is_wins else "mean points")
    legend_below(figure, list(handles.values()), list(handles))
    return Picture(f"worth_{number}", title, _alt(found, rows, title), figure)


def _order(rows: list[Row], elements: list[str]) -> list[str]:
    """Return the elements, what is worth most before at the top (last)."""
    before: dict[str, list[float]] = {name: [] for name in elements}
    for row in rows:
        if row["metric"] == "tune.before":
            before[row["group"].removeprefix(ELEMENT)].append(row["estimate"])
    return sorted(elements, key=lambda name: sum(before[name]))


def _panel(
    axis: Axes, rows: list[Row], order: list[str], handles: dict[str, Any], colours: Any
) -> None:
    for number, (when, name) in enumerate(SHOWN.items()):
        own = [row for row in rows if row["metric"] == f"tune.{when}"]
        if not own:
            continue
        mean = sum(row["estimate"] for row in own) / len(own)
        shift = (1 - number) * 0.24
        handles[name] = axis.errorbar(
            [row["estimate"] for row in own],
            [order.index(row["group"].removeprefix(ELEMENT)) + shift for row in own],
            xerr=[
                [max(row["estimate"] - row["low"], 0) for row in own],
                [max(row["high"] - row["estimate"], 0) for row in own],
            ],
            fmt=MARKS[when],
            color=GREY if when == "rescored" else colours[when],
            markersize=5,
            capsize=2,
            linewidth=1.3,
        )
        if when != "rescored":
            axis.axvline(mean, color=colours[when], linewidth=1.0, linestyle="--")


def _scale(axis: Axes, found: Found) -> None:
    axis.margins(x=0.08)
    if found.is_wins:
        as_percent(axis.xaxis, signed=False, bins=5)
        axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: say.number(100 * v)))
    else:
        axis.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


def _alt(found: Found, rows: list[Row], title: str) -> str:
    before = [row for row in rows if row["metric"] == "tune.before"]
    after = {
        (row["group"], row["variant"], row["players"], row["lineup"]): row
        for row in rows
        if row["metric"] == "tune.after"
    }
    parts = []
    for row in before[:40]:
        other = after[row["group"], row["variant"], row["players"], row["lineup"]]
        name = found.words.title(row["group"].removeprefix(ELEMENT))
        change = " to ".join(
            telling.amount(found, each["estimate"], unit=False) for each in (row, other)
        )
        parts.append(f"{telling.table_name(found, row)}, {name}: {change}")
    return f"{title}. {'; '.join(parts)}."
