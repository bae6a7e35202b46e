"""Figures of a style that was tuned: how the search went, what it wins on fresh luck."""

from typing import Any

from matplotlib.ticker import MaxNLocator

from sim import words as say
from sim.plots.base import (
    GREY,
    Picture,
    as_percent,
    drawn,
    legend_below,
    new_figure,
    note_of,
    series_colours,
    to_pandas,
)
from sim.plots.dots import alt_text, rows_figure
from sim.tuning.confirm import WINS


@drawn
def progress(found: Any) -> Picture:
    """Draw what the candidates of each generation won more than the start, and rounds' trials."""
    history, trials = found.history, found.trials
    at = [each["generation"] for each in history]
    title = "How the search went"
    own = found.content["settings"]
    note = note_of(
        f"{own['candidates']} candidates in each generation",
        "the best of a generation is flattered",
    )
    figure = new_figure(title, note)
    axis = figure.subplots()
    band, middle = series_colours(["candidates", "trial"]).values()
    axis.axhline(0, color=GREY, linewidth=1.4, linestyle="--")
    shade = axis.fill_between(
        at, [e["worst"] for e in history], [e["best"] for e in history], color=band, alpha=0.2
    )
    (line,) = axis.plot(at, [e["median"] for e in history], color=band, linewidth=2.2)
    ends = [own["generations"] * (number + 1) for number in range(len(trials))]
    points = axis.plot(
        ends, [each["gain"] for each in trials], "D", color=middle, markersize=9, clip_on=False
    )
    axis.set_xlabel("generation")
    axis.set_ylabel("win share more than the start, points")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    as_percent(axis.yaxis, signed=True)
    names = ["from worst to best", "median", "best round so far, new deals"]
    legend_below(figure, [shade, line, points[0]], names)
    told = "; ".join(
        f"generation {end}: {say.signed(100 * each['gain'])} points"
        for end, each in zip(ends, trials, strict=True)
    )
    return Picture("progress", title, f"{title}. On new deals, {told}.", figure)


@drawn
def confirmed(found: Any) -> Picture | None:
    """Draw what the tuned style wins among players of each style, on fresh luck."""
    frame = found.rows.filter(found.rows["metric"] == WINS)
    table = to_pandas(frame.drop_nulls("low")).assign(series="", lineup="")
    if table.empty:
        return None
    words = found.words
    name = words.style(found.tuned.name)
    title = f"{name} on fresh deals"
    figure = rows_figure(
        *(table, words, title, "one of it among players of a style; lines: 95 % intervals"),
        "win share less a fair share, points",
        line=0.0,
        percent=lambda axis: as_percent(axis, signed=True, bins=4),
    )
    alt = alt_text(title, table, words, lambda value: say.signed(100 * value))
    return Picture("confirmed", title, alt, figure)
