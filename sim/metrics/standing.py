"""How a game goes: who is ahead when, and what that is worth, from the table `standings`.

Standing is what a seat would score if the game ended then. A seat's chance to win is worked out
from all standings by a conditional logit with one slope for each twentieth of the game (McFadden
1974): chance p ~ exp(slope x points of p), fitted to who won. Every game that keeps `standings`
has these metrics; the games are those of the tables' sample that ended by rule.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax, xlogy

from sim.games.data import PARTS
from sim.metrics import blocks
from sim.metrics.blocks import categories
from sim.metrics.estimates import Row, frame, theme_rows, wins_scale
from sim.metrics.moments import share_scale
from sim.metrics.themes import Found, Theme
from sim.metrics.tidy import units

TABLE = "standings"
FIT_GAMES = 5_000
"""So many games of a unit fit its chances; more would change nothing that is shown."""
STEEPEST = 50.0
"""At the end of a game points decide it: a slope has an end at so much a standard deviation."""
SURE, HOPELESS = 0.95, 0.01
"""Chances from which a game is as good as won, or lost."""
RUNAWAY = 0.8
QUARTERS = (PARTS // 4, PARTS // 2, 3 * PARTS // 4)
TIME = ("games", "leader", "entropy")
RANK = ("seats", "wins")
WHOLE = (
    *("games", "drama", "drama_points", "dead", "last_lead", "uncertainty", "behind"),
    *("moments", "hopeless"),
)
"""Of a game; `behind` is the most points that its winner was ever behind, `moments` are looks at
its seats and `hopeless` those with hardly a chance."""


def has_standings(run: Any) -> bool:
    """Tell whether a run keeps standings of any game."""
    return TABLE in run.game.sampled_tables and bool(run.study.sample)


def at(part: int) -> str:
    """Return the name of a moment of a game: "at 50 %"."""
    return f"at {100 * part // PARTS} %"


@dataclass(frozen=True)
class Names:
    """The most players of a run, and each unit's slope of chances for each part of a game."""

    players: int
    slopes: dict[Any, np.ndarray]
    styles: Sequence[str]
    acts: Sequence[str]


@dataclass(frozen=True)
class Block(blocks.Block):
    """The games of a shard; arrays of sampled games are [sampled game, seat, part]."""

    names: Names

    @cached_property
    def standings(self) -> dict[str, np.ndarray]:
        """Columns of `standings`."""
        shape = (-1, self.players, PARTS + 1)
        return {name: column.reshape(shape) for name, column in self.read(TABLE).items()}

    @cached_property
    def sampled(self) -> np.ndarray:
        """Which games the sampled tables keep, counted from the shard's first."""
        return self.standings["game"][:, 0, 0] - self.shard.first

    @cached_property
    def kept(self) -> np.ndarray:
        """1.0 for each sampled game that ended by rule, else 0.0."""
        return self.ended[self.sampled]

    @cached_property
    def won(self) -> np.ndarray:
        """Win shares in whole parts of `share_scale`, [sampled game, seat]."""
        return self.wins[self.sampled]

    @cached_property
    def points(self) -> np.ndarray:
        """Points of each seat as time goes."""
        return self.standings["points"].astype(float)

    @cached_property
    def chances(self) -> np.ndarray:
        """The chance of each seat to win as time goes."""
        return softmax(self.names.slopes[self.unit] * self.points, axis=1)


def slopes(points: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the slope of the chances for each part of a game.

    `points` is [game, seat, part], `won` [game, seat] with a sum of 1 for each game.
    """
    found = np.zeros(points.shape[2])
    for part in range(points.shape[2] if len(points) else 0):
        here = points[:, :, part] - points[:, :, part].mean(1, keepdims=True)
        spread = here.std()
        if spread > 0:
            scaled = here / spread
            best = minimize_scalar(
                lambda slope, x=scaled: -(won * log_softmax(slope * x, axis=1)).sum(),
                bounds=(-STEEPEST, STEEPEST),
                method="bounded",
            )
            found[part] = best.x / spread
    return found


def _fitted(run: Any, names: Names) -> dict[Any, np.ndarray]:
    """Return the slopes of every head unit that has games."""
    cells = {cell.index: cell for cell in run.plan.cells}
    found = {}
    for unit in (unit for unit in units(run) if unit.head):
        points, won = [np.empty((0, unit.players, PARTS + 1))], [np.empty((0, unit.players))]
        for shard in run.shards:
            if shard.cell in unit.cells and sum(map(len, won)) < FIT_GAMES:
                block = Block(run, shard, cells[shard.cell], unit, names)
                inside = block.kept > 0
                points.append(block.points[inside])
                won.append(block.won[inside] / share_scale(unit.players))
        found[unit] = slopes(np.concatenate(points)[:FIT_GAMES], np.concatenate(won)[:FIT_GAMES])
    return found


def names_of(run: Any) -> Names:
    """Return what the sums of a run need to know."""
    players = max(cell.players for cell in run.plan.cells)
    names = Names(players, {}, categories(run, "seats", "style"), categories(run, "acts", "act"))
    return replace(names, slopes=_fitted(run, names))


def _leads(points: np.ndarray) -> np.ndarray:
    """Return the share of each seat in being ahead, [game, seat, part]."""
    best = points == points.max(1, keepdims=True)
    return best / best.sum(1, keepdims=True)


def time(block: Block) -> np.ndarray:
    """Return `TIME` for each part of the game."""
    chances = block.chances
    entropy = -xlogy(chances, chances).sum(1) / np.log(max(block.players, 2))
    leader = (_leads(block.points) * block.won[:, :, None]).sum(1)
    columns = np.stack([np.ones_like(leader), leader, entropy])
    return columns.transpose(2, 0, 1) * block.kept


def ranks(block: Block) -> np.ndarray:
    """Return `RANK` for each rank after each quarter, ranks fastest."""
    found = np.zeros((len(QUARTERS) * block.names.players, len(RANK), len(block.kept)))
    for row, part in enumerate(QUARTERS):
        here = block.points[:, :, part]
        rank = (here[:, None, :] > here[:, :, None]).sum(-1)
        for number in range(block.players):
            those = rank == number
            columns = those.sum(1), (those * block.won).sum(1)
            found[row * block.names.players + number] = columns
    return found * block.kept


def whole(block: Block) -> np.ndarray:
    """Return `WHOLE` of each game."""
    chances, points = block.chances, block.points
    own = (block.won / np.maximum(block.won.sum(1, keepdims=True), 1))[:, :, None]
    behind = points.max(1) - (points * own).sum(1)
    hopeless = chances <= HOPELESS
    columns = (
        np.ones(len(points)),
        (chances.max(1) - (chances * own).sum(1)).mean(1),
        behind.mean(1),
        _dead(chances.max(1)),
        _last_lead(points),
        _area(-xlogy(chances, chances).sum(1) / np.log(max(block.players, 2))),
        behind.max(1),
        np.full(len(points), hopeless[0].size if len(points) else 0),
        hopeless.sum((1, 2)),
    )
    return np.stack(columns)[None] * block.kept


def _dead(best: np.ndarray) -> np.ndarray:
    """Return which share of each game comes after it is as good as won for good, [game]."""
    unsure = best < SURE
    last = np.where(unsure.any(1), PARTS - np.argmax(unsure[:, ::-1], axis=1), -1)
    return 1 - np.minimum(last + 1, PARTS) / PARTS


def _last_lead(points: np.ndarray) -> np.ndarray:
    """Return when the lead last passed to another seat, as a share of the game; 0 if never."""
    ordered = np.sort(points, axis=1)
    alone = ordered[:, -1] > ordered[:, -2] if points.shape[1] > 1 else ordered[:, -1] > 0
    leader = np.argmax(points, axis=1)
    last = np.zeros(len(points))
    ahead = np.full(len(points), -1)
    for part in range(points.shape[2]):
        changed = alone[:, part] & (ahead >= 0) & (ahead != leader[:, part])
        last[changed] = part / PARTS
        ahead = np.where(alone[:, part], leader[:, part], ahead)
    return last


def _area(values: np.ndarray) -> np.ndarray:
    """Return the mean over time of [game, part], by the trapezoidal rule."""
    return np.trapezoid(values, axis=1) / PARTS


THEMES: dict[str, Theme] = {"time": time, "ranks": ranks, "whole": whole}


def standing_rows(found: Found) -> list[pl.DataFrame]:
    """Return what standings say of how games go."""
    moments = [at(part) for part in range(PARTS + 1)]
    by_rank = [
        f"rank {rank + 1} {at(part)}" for part in QUARTERS for rank in range(found.names.players)
    ]
    ratio = ("leader", "games", "games")
    leads = theme_rows(
        found, "time", TIME, "lead.wins", moments, ratio, share=True, scale=wins_scale
    )
    parts = [
        leads,
        _runaway(leads),
        theme_rows(
            *(found, "ranks", RANK, "comeback", by_rank, ("wins", "seats", "seats")),
            share=True,
            scale=wins_scale,
        ),
        theme_rows(
            found, "time", TIME, "uncertainty", moments, ("entropy", "games", "games"), share=True
        ),
    ]
    for metric, column, share in (
        ("uncertainty.mean", "uncertainty", True),
        ("drama", "drama", True),
        ("drama.points", "drama_points", False),
        ("comeback.points", "behind", False),
        ("lead.last", "last_lead", True),
        ("dead_time", "dead", True),
    ):
        ratio = (column, "games", "games")
        parts.append(theme_rows(found, "whole", WHOLE, metric, ["all"], ratio, share=share))
    ratio = ("hopeless", "moments", "games")
    parts.append(theme_rows(found, "whole", WHOLE, "hopeless", ["all"], ratio, share=True))
    return parts


def _runaway(leads: pl.DataFrame) -> pl.DataFrame:
    """Return when whoever leads first wins `RUNAWAY` of the games, as a share of the game.

    Its interval is where the curve's own intervals reach that.
    """
    return frame(_when(leads))


def _when(leads: pl.DataFrame) -> Iterator[Row]:
    for (unit,), rows in leads.group_by("unit", maintain_order=True):
        curves = {name: rows[name].to_numpy() for name in ("estimate", "low", "high")}
        when = {name: _reaches(curve) for name, curve in curves.items()}
        if when["estimate"] is not None:
            first, last = when["high"], when["low"]
            # too few games for intervals: it must not be taken for an exact value
            method = f"first time that the leader wins {RUNAWAY:.0%}, where the intervals do"
            method = "none" if first is None else method
            # a bound that is never reached: not before the end
            bounds = (None, None) if first is None else (first, 1.0 if last is None else last)
            yield (
                *(int(str(unit)), "runaway", "all", when["estimate"], *bounds),
                *(int(rows["n"][0]), method),
            )


def _reaches(curve: np.ndarray) -> float | None:
    """Return when a curve first reaches `RUNAWAY`, between parts on a straight line."""
    there = np.flatnonzero(curve >= RUNAWAY)
    if not len(there):
        return None
    first = int(there[0])
    if first == 0:
        return 0.0
    before, after = curve[first - 1], curve[first]
    return float((first - 1 + (RUNAWAY - before) / (after - before)) / PARTS)
