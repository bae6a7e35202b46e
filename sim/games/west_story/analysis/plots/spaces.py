"""How the spots of the player board are used, space by space."""

import pandas as pd
import polars as pl
from matplotlib.patches import Patch

from sim import words as say
from sim.games.west_story.analysis.naming import name_of
from sim.plots.base import (
    Picture,
    drawn,
    games_note,
    known,
    legend_below,
    new_figure,
    note_of,
    only_series,
    player_counts,
    series_colours,
    series_names,
)
from sim.words import Words

HOW = {
    "by_die": "by the die's own value",
    "moved": "moved right from a marked spot",
    "by_combo": "by a combo",
    "by_token": "by a wild token",
    "by_trade": "by a trade",
}
ROWS = ("top", "bottom")


@drawn
def spaces(frame: pl.DataFrame, words: Words) -> Picture | None:
    """Draw how often each spot is executed and why, for the middle number of players."""
    tables = {name: known(frame, f"space.{name}", words) for name in HOW}
    first = tables["by_die"]
    if first.empty:
        return None
    counts, series = player_counts(first), series_names(first)[0]
    players = counts[(len(counts) - 1) // 2]
    own = {name: _of(table, players, series) for name, table in tables.items()}
    used = [name for name in HOW if own[name]["estimate"].max() > 0]
    title = f"Which spaces are executed, {say.players(players)}"
    about = series or only_series(first, words)
    figure = new_figure(title, note_of(about, games_note(own["by_die"], "player")))
    colours, spots = series_colours(list(HOW)), own["by_die"]["group"].tolist()
    for axis, row in zip(figure.subplots(2, 1, sharey=True), ROWS, strict=True):
        here = [spot for spot in spots if spot.startswith(row)]
        base = [0.0] * len(here)
        for name in used:
            values = own[name].set_index("group")["estimate"][here].tolist()
            axis.bar(range(len(here)), values, 0.72, bottom=base, color=colours[name])
            base = [low + value for low, value in zip(base, values, strict=True)]
        axis.set_xticks(range(len(here)), [spot.split("_")[1] for spot in here])
        axis.set_title(f"{row} row")
        axis.grid(visible=False, axis="x")
        axis.set_ylabel("times a player")
    handles = [Patch(color=colours[name]) for name in used]
    legend_below(figure, handles, [HOW[name] for name in used])
    total = _of(known(frame, "space.executed", words), players, series)
    told = "; ".join(
        f"{name_of(row['group'], words)}: {say.number(row['estimate'])}"
        for row in total.to_dict("records")
    )
    return Picture("spaces", title, f"{title}. Times a player: {told}.", figure)


def _of(table: pd.DataFrame, players: int, series: str) -> pd.DataFrame:
    return table[(table["players"] == players) & (table["series"] == series)]
