"""Small runs of Tag City, and their tables as plain rows."""

import polars as pl

from sim import games, simulate, study
from sim.games.tag_city import TagCity

BASE = {
    "title": "Small",
    "game": "tag_city",
    "players": [2, 3],
    "games": 60,
    "seed": 7,
    "sample": 0.5,
    "rulings": {"hq": "B", "round_cap": 9},
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "checker"]},
}
"""Some games are cut off, cells are alone or pooled, rings differ, three shards a cell."""


def play(monkeypatch, folder, shard_games=24, **changes):
    """Return a finished run."""
    game = type("Sharded", (TagCity,), {"shard_games": shard_games})()
    monkeypatch.setattr(games, "get", lambda name: game)
    return simulate.run(study.from_dict(BASE | changes), folder, jobs=1, backend="threads")


def rows_of(run, table, players, pooled, ended=True):
    """Return a table's rows of the cells alone or pooled, with key and deal of each game."""
    cells = {
        cell.index: cell
        for cell in run.plan.cells
        if cell.players == players and cell.rotate == pooled
    }
    cut = {
        (row["cell"], row["game"])
        for row in run.scan("games").filter("truncated").collect().to_dicts()
    }
    rows = [
        row
        for row in run.scan(table).cast({pl.Enum: pl.String}).collect().to_dicts()
        if row["cell"] in cells
    ]
    for row in rows:
        if "game" in row:
            row["key"] = row["cell"], row["game"]
            # cells of a pool meet the same deals
            row["deal"] = row["game"] // players if pooled else row["key"]
    return [row for row in rows if not ended or row.get("key") not in cut]


def found(frame, metric, players, pooled):
    """Return the rows of a metric by group."""
    rows = frame.filter(
        pl.col("metric") == metric,
        pl.col("players") == players,
        pl.col("cell").is_null() == pooled,
    ).to_dicts()
    return {row["group"]: row for row in rows}


def estimates(*args):
    """Return the estimates of a metric by group."""
    return {group: row["estimate"] for group, row in found(*args).items()}
