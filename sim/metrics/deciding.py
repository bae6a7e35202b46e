"""What players choose from and what they do, from the tables `standings` and `acts`.

Every game that keeps these tables has these metrics, over the games of their sample that ended by
rule. Entropy is in bits (Shannon 1948); its interval is linearised over games or deals.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from sim.games.data import PARTS
from sim.metrics.estimates import Row, estimate_row, frame, theme_rows
from sim.metrics.standing import Block
from sim.metrics.themes import Found, Theme
from sim.metrics.tidy import Unit
from sim.metrics.totals import Estimate, Totals

CHOICE = ("asked", "choices", "options", "log_options", "games")
QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
THIRDS = ("early", "middle", "late")
OUTCOMES = ("winners", "others")
"""Groups of acts beside all and the styles; a winner is who has a share of the win."""


def _of_styles(block: Block, values: np.ndarray) -> list[np.ndarray]:
    """Return [column, sampled game, seat] added up over all seats, then over those of a style."""
    style = block.seats["style"][block.sampled]
    codes = range(len(block.names.styles))
    return [values.sum(-1), *((values * (style == code)).sum(-1) for code in codes)]


def choices(block: Block) -> np.ndarray:
    """Return `CHOICE` of all seats, of each style, then of all in each quarter of the game."""
    found = np.stack([block.standings[name].astype(float) for name in CHOICE[:-1]])
    steps = np.diff(found[..., :: PARTS // 4], axis=-1)
    groups = [*_of_styles(block, found[..., -1]), *steps.sum(2).transpose(2, 0, 1)]
    games = np.ones((len(groups), 1, len(block.kept)))
    return np.concatenate([np.stack(groups), games], axis=1) * block.kept


def acts(block: Block) -> np.ndarray:
    """Return how often each kind of act was done, and games, in each group of `groups`."""
    shape = (-1, block.players, len(block.names.acts))
    read = block.read("acts", *THIRDS)
    thirds = np.stack([read[name].reshape(shape) for name in THIRDS]).transpose(0, 3, 1, 2)
    whole = thirds.sum(0).astype(float)
    won = block.won > 0
    groups = [
        *_of_styles(block, whole),
        *thirds.sum(-1),
        (whole * won).sum(-1),
        (whole * ~won).sum(-1),
    ]
    games = np.ones((len(groups), 1, len(block.kept)))
    return np.concatenate([np.stack(groups), games], axis=1) * block.kept


THEMES: dict[str, Theme] = {"choices": choices, "acts": acts}


def deciding_rows(found: Found) -> list[pl.DataFrame]:
    """Return what players choose from and do."""
    return [*_choice_rows(found), *_act_rows(found)]


def _wanted(found: Found) -> pl.Expr:
    """Tell which rows to keep: those of styles only where two meet."""
    mixed = [number for number, unit in enumerate(found.units) if len(unit.styles) > 1]
    return pl.col("unit").is_in(mixed) | ~pl.col("group").str.starts_with("style ")


def _choice_rows(found: Found) -> Iterator[pl.DataFrame]:
    groups = ["all", *(f"style {style}" for style in found.names.styles), *QUARTERS]
    for metric, column, share in (
        ("choice.options", "options", False),
        ("choice.free", "choices", True),
        ("choice.log", "log_options", False),
    ):
        ratio = (column, "asked", "games")
        rows = theme_rows(found, "choices", CHOICE, metric, groups, ratio, share=share)
        yield (_branching(rows) if metric == "choice.log" else rows).filter(_wanted(found))


def _branching(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the geometric mean number of legal actions from rows of mean logarithms."""
    return rows.with_columns(
        pl.lit("choice.branching").alias("metric"),
        pl.col("estimate", "low", "high").exp(),
    )


def _act_rows(found: Found) -> Iterator[pl.DataFrame]:
    names = found.names
    groups = ["all", *(f"style {style}" for style in names.styles), *THIRDS, *OUTCOMES]
    rows = [
        row
        for unit, totals in found.of("acts")
        for at, group in enumerate(groups)
        for row in _of_group(unit, totals, at, group, names.acts)
    ]
    yield frame(rows).filter(_wanted(found))


def _of_group(
    unit: tuple[int, Unit], totals: Totals, at: int, group: str, names: Sequence[str]
) -> Iterator[Row]:
    """Yield the entropy of a group's acts and, for all acts, the share of each kind."""
    sums, clusters = totals.sums[at], int(totals.seen[at, -1])
    total, games = sums[:-1].sum(), round(sums[-1])
    if total == 0:
        return
    about = totals.products[at], clusters, games
    if group == "all":
        for kind, name in enumerate(names):
            slope = np.zeros(len(sums))
            share = sums[kind] / total
            slope[:-1] = -share / total
            slope[kind] += 1 / total
            own = Estimate(float(share), slope)
            yield estimate_row(unit, "act.share", f"act {name}", own, *about, "share of acts")
    yield estimate_row(unit, "act.entropy", group, entropy(sums), *about, "bits")


def entropy(sums: np.ndarray) -> Estimate:
    """Return the entropy in bits of counts [..., the last column is left out], linearised."""
    counts = sums[:-1]
    total = counts.sum()
    share = counts / total
    logs = np.log2(share, where=share > 0, out=np.zeros(len(share)))
    value = float(-(share * logs).sum())
    slope = np.zeros(len(sums))
    slope[:-1] = np.where(share > 0, -(logs + value) / total, 0.0)
    return Estimate(value, slope)
