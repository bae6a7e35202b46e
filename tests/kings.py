"""Decisions that were looked at, made up: the table `kingmaking` for runs without playing."""

import numpy as np
import polars as pl

from sim.games.kingmaking import FEWEST_PLAYERS, Kingmaking
from sim.store import table_file

ROW = {
    "cell": pl.UInt16,
    "game": pl.UInt32,
    "seat": pl.UInt8,
    "decision": pl.UInt32,
    "decisions": pl.UInt32,
    "looked_at": pl.UInt32,
    "can_win": pl.Boolean,
    "swing": pl.Float64,
    "decides": pl.Boolean,
}


def with_rows(run, rows):
    """Store rows (cell, game, seat, decision, decisions, looked_at, *kind) as a run's own."""
    run.study.kingmaking = Kingmaking()
    found = pl.DataFrame(rows, schema=ROW, orient="row")
    seats = run.scan("seats").select("cell", "game", "seat", "style").collect()
    found = found.join(seats, on=["cell", "game", "seat"], how="left", maintain_order="left")
    for shard in run.shards:
        inside = pl.col("game").is_between(shard.first, shard.first + shard.count - 1)
        own = found.filter(pl.col("cell") == shard.cell, inside)
        path = table_file(run.folder, "kingmaking", shard.cell, shard.number)
        path.parent.mkdir(parents=True, exist_ok=True)
        own.write_parquet(path)
    return run


def made_up(run, seed=1):
    """Give a run of tables of three or more a row for each game, one in five kingmaking."""
    rng = np.random.default_rng(seed)
    rows = []
    for cell in run.plan.cells:
        for game in range(cell.games if cell.players >= FEWEST_PLAYERS else 0):
            hopeless = rng.random() < 0.4
            decides = hopeless and rng.random() < 0.5
            about = (
                cell.index,
                game,
                int(rng.integers(cell.players)),
                int(rng.integers(10)),
                10,
                1,
            )
            rows.append((*about, not hopeless, float(decides) * 0.3 if hopeless else None, decides))
    return with_rows(run, rows)
