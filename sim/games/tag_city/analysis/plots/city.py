"""Heat maps of the squares that are painted, round by round."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from sim import words as say
from sim.games.tag_city.analysis.blocks import city_lines
from sim.games.tag_city.analysis.gather import BY_ROUNDS
from sim.plots.base import (
    INK,
    Picture,
    drawn,
    games_note,
    known,
    new_figure,
    note_of,
    panels,
    series_names,
)
from sim.plots.base import player_counts as counts_of
from sim.words import Words


@drawn
def painted(run: Any, frame: pl.DataFrame, words: Words) -> list[Picture]:
    """Draw how often each square is painted after some rounds: a picture for each city.

    Of several variants and line-ups the first with such a city is drawn; a row of panels for each
    number of players.
    """
    table = known(frame, "map.painted", words)
    if table.empty:
        return []
    return [
        _heat(table[table["variant"] == variant], city, lines)
        for variant, city, lines in _firsts(run)
    ]


def _firsts(run: Any) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the first variant with each drawing of a city, the city's title and its lines."""
    seen = set()
    for cell in run.plan.cells:
        lines = city_lines(cell.components, cell.rulings)
        if tuple(lines) not in seen:
            seen.add(tuple(lines))
            yield cell.variant, cell.components["cities"][cell.rulings["city"]]["title"], lines


def _heat(table: pd.DataFrame, city: str, lines: list[str]) -> Picture:
    first = series_names(table)[0]
    table = table[table["series"] == first]
    counts = counts_of(table)
    title = f"Where cities are painted, {city[:1].lower()}{city[1:]}"
    note = note_of(first, games_note(table, "board"), "lines: neighborhoods")
    figure = new_figure(title, note, tall=(0.5, 0.75, 1.0)[min(len(counts), 3) - 1])
    moments = [*(f"round {number}, " for number in BY_ROUNDS), ""]
    axes = panels(figure, len(counts) * len(moments), len(moments))
    told = []
    for row, players in enumerate(counts):
        own = table[table["players"] == players].set_index("group")["estimate"]
        for column, moment in enumerate(moments):
            axis = axes[row * len(moments) + column]
            values = [own[f"{moment}square {n}"] for n in range(sum(map(len, lines)))]
            axis.imshow(np.reshape(values, (len(lines), -1)), vmin=0, vmax=1, cmap="cividis")
            _borders(axis, lines)
            axis.set(xticks=[], yticks=[])
            axis.grid(visible=False)
            when = f"after round {BY_ROUNDS[column]}" if moment else "in the end"
            if row == 0:
                axis.set_title(when)
            if column == 0:
                axis.set_ylabel(say.players(players))
            told.append(f"{say.players(players)}, {when}: {say.percent(float(np.mean(values)))}")
    shades = ScalarMappable(Normalize(0, 1), "cividis")
    bar = figure.colorbar(shades, ax=axes, shrink=0.6, format=lambda v, _: f"{100 * v:.0f} %")
    bar.set_label("of boards have the square painted")
    name = "painted_" + "_".join(city.lower().split())
    return Picture(name, title, f"{title}. Squares painted on average, {'; '.join(told)}.", figure)


def _borders(axis: Axes, lines: list[str]) -> None:
    """Draw the borders between neighborhoods."""
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if column and line[column - 1] != letter:
                _stroke(axis, (column - 0.5, column - 0.5), (row - 0.5, row + 0.5))
            if row and lines[row - 1][column] != letter:
                _stroke(axis, (column - 0.5, column + 0.5), (row - 0.5, row - 0.5))


def _stroke(axis: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    axis.plot(x, y, color="white", linewidth=2.4)
    axis.plot(x, y, color=INK, linewidth=1)
