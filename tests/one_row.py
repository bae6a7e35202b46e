"""Hand-made runs of variants on the same luck, and what tests ask of a comparison."""

import numpy as np
import polars as pl
from fakes import CARDS, END_REASONS, FakeRun, Spec

from sim import sidebyside

SEATS = np.array([[3, 1], [1, 3], [2, 2], [5, 4], [0, 9], [1, 0], [4, 4], [7, 3]])
"""Scores of eight games."""


def row(rows, metric, group="all", **about):
    """Return the one row of a metric and group as a dict."""
    found = rows.filter(pl.col("metric") == metric, pl.col("group") == group)
    for name, value in about.items():
        found = found.filter(pl.col(name) == value)
    assert len(found) == 1
    return found.row(0, named=True)


def printed(found, capsys):
    """Return what is printed of a comparison."""
    capsys.readouterr()
    sidebyside.tell(found)
    return capsys.readouterr().out


def made(folder, variants, *, players=2, rotate=False, styles=None, shard=12):
    """Return a run; `variants` is {name: {column: values}} or {(name, styles): ...} for more cells.

    `scores` is [game, seat]; `truncated` tells which games were cut short; `mined` and the counts
    of `games` may be given and are 0 otherwise.
    """
    styles = styles or ("alpha",) * players
    keys = [key if isinstance(key, tuple) else (key, styles) for key in variants]
    specs = [
        Spec(seats, len(columns["scores"]), rotate=rotate, variant=name)
        for (name, seats), columns in zip(keys, variants.values(), strict=True)
    ]
    run = FakeRun(folder, specs, cards=False)
    run.game.shard_games = shard
    for number, (spec, columns) in enumerate(zip(specs, variants.values(), strict=True)):
        run.add(number, _games(number, spec, columns), _seats(run, number, spec, columns))
    return run


def _cut(columns):
    return np.asarray(columns.get("truncated", np.zeros(len(columns["scores"]))), bool)


def _games(cell, spec, columns):
    scores = np.asarray(columns["scores"])
    count, cut = len(scores), _cut(columns)
    best = np.sort(scores, axis=1)[:, ::-1]
    known = {
        "cell": np.full(count, cell),
        "game": np.arange(count),
        "players": np.full(count, spec.players),
        "truncated": cut,
        "tied": ~cut & (best[:, 0] == best[:, 1]),
        "margin": best[:, 0] - best[:, 1],
    }
    kinds = {"cell": pl.UInt16, "game": pl.UInt32, "players": pl.UInt8, "margin": pl.Int32}
    kinds |= {"rounds": pl.UInt16, "turns": pl.UInt16, "decisions": pl.UInt32}
    kinds |= {"lead_changes": pl.UInt16, "storms": pl.UInt16}
    zeros = {name: columns.get(name, np.zeros(count)) for name in kinds if name not in known}
    table = pl.DataFrame(known | {name: np.asarray(value) for name, value in zeros.items()})
    reasons = [END_REASONS[int(each)] for each in cut]
    return table.with_columns(
        *(pl.col(name).cast(kind) for name, kind in kinds.items()),
        pl.Series("end_reason", reasons, dtype=pl.Enum(END_REASONS)),
        pl.Series("last_card", ["none"] * count, dtype=pl.Enum((*CARDS, "none"))),
    )


def _seats(run, cell, spec, columns):
    scores, cut = np.asarray(columns["scores"]), _cut(columns)
    count, players = scores.shape
    won = scores == scores.max(axis=1, keepdims=True)
    share = won / won.sum(axis=1, keepdims=True)
    turn = np.arange(count) % players if spec.rotate else np.zeros(count, int)
    places = (np.arange(players) + turn[:, None]) % players
    mined = np.asarray(columns.get("mined", np.zeros(scores.shape)))
    return pl.DataFrame(
        {
            "cell": pl.Series(np.full(scores.size, cell), dtype=pl.UInt16),
            "game": pl.Series(np.repeat(np.arange(count), players), dtype=pl.UInt32),
            "seat": pl.Series(np.tile(np.arange(players), count), dtype=pl.UInt8),
            "style": pl.Series(
                [spec.styles[place] for place in places.ravel()], dtype=pl.Enum(run.styles)
            ),
            "score": pl.Series(scores.ravel(), dtype=pl.Int32),
            "win_share": pl.Series(share.ravel()),
            "truncated": np.repeat(cut, players),
            "mined": pl.Series(mined.ravel(), dtype=pl.Int32),
            "fined": pl.Series((scores - mined).ravel(), dtype=pl.Int32),
        }
    ).with_columns(
        pl.when(pl.col("truncated")).then(None).otherwise(pl.col("win_share")).alias("win_share")
    )
