"""What all figures share: size, fonts, colours, panels by number of players, names of series."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sim import words as say
from sim.words import Words

WIDE = 10.0
SIZE = (WIDE, WIDE * 9 / 16)
DPI = 180
"""1800 x 1012 pixels: a slide's width and shape."""
INK, GREY, BAND = "#222222", "#6b6b6b", "#dfe6ec"
MOST_SERIES = 8
LONGEST, LONGEST_LABEL = 24, 90
"""Names along an axis and in a legend are cut to so many characters."""
MARKERS = "osD^vPX*"
SHARES_ROOM = 0.05
"""To either side of shares that are all equal."""
RC = {
    "figure.figsize": SIZE,
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "figure.facecolor": "white",
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.labelsize": 12.5,
    "xtick.labelsize": 11.5,
    "ytick.labelsize": 11.5,
    "legend.fontsize": 11.5,
    "legend.frameon": False,
    "axes.edgecolor": "#b8b8b8",
    "grid.color": "#e6e6e6",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.titlelocation": "left",
}


@dataclass(frozen=True)
class Picture:
    """A figure with the name of its file, what it shows, and its content in words."""

    name: str
    title: str
    alt: str
    figure: Figure


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return a polars frame as a pandas one."""
    return pd.DataFrame(frame.to_dict(as_series=False))


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the project's style without touching anybody else's."""
    with mpl.rc_context(sns.axes_style("whitegrid") | RC):
        yield


def drawn(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function draw in the project's style."""

    @wraps(function)
    def draw(*args: Any, **kwargs: Any) -> Any:
        with styled():
            return function(*args, **kwargs)

    return draw


def known(frame: pl.DataFrame, metric: str, words: Words) -> pd.DataFrame:
    """Return the rows of a metric that have an estimate, with their series."""
    rows = frame.filter(pl.col("metric") == metric, pl.col("estimate").is_not_null())
    table = to_pandas(rows)
    table["series"] = [
        words.series(variant, lineup)
        for variant, lineup in zip(table["variant"], table["lineup"], strict=True)
    ]
    # no interval: a point alone
    table["low"] = table["low"].astype(float).fillna(table["estimate"])
    table["high"] = table["high"].astype(float).fillna(table["estimate"])
    return table


def series_names(table: pd.DataFrame) -> list[str]:
    """Return the series of a table in the study's order, no more than can be told apart."""
    return list(dict.fromkeys(table["series"]))[:MOST_SERIES]


def cut_note(table: pd.DataFrame) -> str:
    """Return a remark if a figure leaves series out."""
    count = table["series"].nunique()
    return f"the first {MOST_SERIES} of {count} tables" if count > MOST_SERIES else ""


def player_counts(table: pd.DataFrame) -> list[int]:
    """Return the numbers of players in a table, ascending."""
    return sorted(int(players) for players in table["players"].unique())


def series_colours(names: Sequence[str]) -> dict[str, Any]:
    """Return a colour for each series, apart for colour-blind eyes."""
    return dict(zip(names, sns.color_palette("colorblind", len(names)), strict=True))


def player_colours(counts: Sequence[int]) -> dict[int, Any]:
    """Return colours from dark to light as players grow in number."""
    return dict(zip(counts, sns.color_palette("viridis", len(counts)), strict=True))


def new_figure(title: str, note: str = "", tall: float = 1.0) -> Figure:
    """Return an empty figure with a title and a grey line below it."""
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06)
    figure = Figure(figsize=(SIZE[0], SIZE[1] * tall), dpi=DPI, layout=layout)
    figure.suptitle(f"{title}\n", x=0.012, ha="left", fontsize=16, fontweight="bold")
    figure.text(0.012, 1 - 0.078 / tall, note, ha="left", va="center", fontsize=11.5, color=GREY)
    return figure


def note_of(*parts: str) -> str:
    """Return remarks as one line, empty ones left out."""
    return "; ".join(part for part in parts if part)


def games_note(table: pd.DataFrame, noun: str = "game") -> str:
    """Return how many games, or what `n` counts, stand behind each table of a figure."""
    low, high = int(table["n"].min()), int(table["n"].max())
    if low == high:
        return f"{say.counted(low, noun)} each"
    return f"{low:,} to {high:,} {noun}s each"


def only_series(table: pd.DataFrame, words: Words) -> str:
    """Return who plays, where all rows are of one line-up."""
    lineups = table["lineup"].unique()
    return words.lineup(lineups[0]) if len(lineups) == 1 else ""


def short(name: str, most: int = LONGEST) -> str:
    """Return a name, of a long one both ends: they tell names apart."""
    if len(name) <= most:
        return name
    ahead = (most - 3) // 2
    return f"{name[:ahead].rstrip(', ')}...{name[ahead + 3 - most :].lstrip(', ')}"


def panels(figure: Figure, count: int, columns: int, **kwargs: Any) -> list[Axes]:
    """Return axes in rows of `columns`, those too many switched off."""
    rows = -(-count // columns)
    axes = figure.subplots(rows, columns, squeeze=False, **kwargs).ravel().tolist()
    for spare in axes[count:]:
        spare.set_visible(False)
    return axes[:count]


def as_percent(axis: Any, signed: bool = False, bins: int = 5) -> None:
    """Write an axis of shares in percent, or of differences in points."""
    if signed:
        axis.set_major_formatter(FuncFormatter(lambda v, _: say.signed(100 * v, 0)))
    else:
        axis.set_major_formatter(FuncFormatter(lambda v, _: f"{say.number(100 * v)} %"))
        _keep_to_shares(axis)
    axis.set_major_locator(MaxNLocator(bins, steps=[1, 2, 5, 10]))


def _keep_to_shares(axis: Any) -> None:
    """Let an axis end where shares do, unless a figure has said where it ends."""
    axes, name = axis.axes, axis.axis_name
    data = tuple(axis.get_data_interval())
    if not getattr(axes, f"get_autoscale{name}_on")() or not np.isfinite(data).all():
        return
    view = tuple(getattr(axes, f"get_{name}lim")())
    limits = limits_of(data, view)
    if limits != view:
        getattr(axes, f"set_{name}lim")(*limits)
        for line in axes.lines:  # a mark at the end is whole
            line.set_clip_on(line.get_marker() in ("None", "", None))


def limits_of(data: tuple[float, float], view: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis: not below 0 or above 1 where no value is.

    Shares that are all equal get some room around them.
    """
    low, high = view
    if data[0] == data[1] and 0 <= data[0] <= 1:
        low, high = data[0] - SHARES_ROOM, data[1] + SHARES_ROOM
    return (max(low, 0.0) if data[0] >= 0 else low), (min(high, 1.0) if data[1] <= 1 else high)


def legend_below(figure: Figure, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Put a legend under the panels."""
    if len(labels) > 1:
        labels = [short(label, LONGEST_LABEL) for label in labels]
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=_legend_columns(labels),
            frameon=False,
        )


def _legend_columns(labels: Sequence[str]) -> int:
    fits = max(1, 90 // (max(len(label) for label in labels) + 5))
    rows = -(-len(labels) // fits)
    return -(-len(labels) // rows)


def told(rows: pd.DataFrame, words: Words, write: Callable[[float], str], most: int = 24) -> str:
    """Return rows as words for those who cannot see a figure."""
    parts = []
    for row in rows.head(most).to_dict("records"):
        place = [row["series"], say.players(int(row["players"]))]
        group = "" if row["group"] == "all" else words.group(row["group"])
        name = ", ".join(part for part in [*place, group] if part)
        parts.append(f"{name}: {write(row['estimate'])}")
    more = f"; and {len(rows) - most} more" if len(rows) > most else ""
    return "; ".join(parts) + more + "."
