"""Screening of many numbers at once by the method of Morris, through SALib."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sim.audit.changes import UP, Base, Change
from sim.audit.conclusions import rows_of_sums
from sim.audit.effects import HEADLINE, pairs_of, plain, whole
from sim.audit.journal import Journal, identity
from sim.audit.numbers import between
from sim.audit.play import Held
from sim.audit.tables import Table
from sim.errors import SimError
from sim.level import CONFIDENCE
from sim.metrics.differences import of_pairs
from sim.metrics.paired import Pair
from sim.metrics.tidy import SCHEMA as TIDY
from sim.study import Variant
from sim.verdicts import NORMAL

TRAJECTORIES = 10
LEVELS = 4
SPARE = 3
"""So many times as many trajectories are drawn, as the game may refuse some points."""
RESAMPLES = 1000
FURTHEST = "furthest"
"""The group of the seat share that lies furthest from fair."""
MU_STAR, SIGMA, CHANCE = "mu_star", "sigma", "chance"
STEP = LEVELS / (2 * (LEVELS - 1))
"""How much of its range a number moves in a step of a trajectory."""
SCHEMA = {
    "key": pl.String,
    "now": pl.String,
    "from": pl.String,
    "to": pl.String,
    "what": pl.String,
    "least": pl.Float64,
} | TIDY
"""Tidy rows, the number that each is about and its range, and which of three `what` it gives."""


@dataclass(frozen=True)
class Factor:
    """A number with the values furthest down and up that can be played."""

    key: str
    now: Any
    least: Any
    most: Any

    def at(self, part: float) -> Any:
        """Return the value at a part of the way from the least to the most."""
        return between(self.least, self.most, part)


@dataclass(frozen=True)
class Design:
    """What is to be played: `points` are [trajectory x (factors + 1), factor], from 0 to 1."""

    factors: tuple[Factor, ...]
    points: np.ndarray
    variants: tuple[str, ...]
    """The variant of each point; points that round to the same values share one."""
    known: Mapping[str, Variant]
    refused: int
    """Trajectories that were left out, as the game refuses one of their points."""

    @property
    def trajectories(self) -> int:
        """How many trajectories there are."""
        return len(self.points) // (len(self.factors) + 1)


def factors_of(changes: Sequence[Change]) -> tuple[Factor, ...]:
    """Return the numbers that can be moved, each as far as it can be."""
    ends: dict[str, list[Any]] = {}
    now: dict[str, Any] = {}
    for change in changes:
        now[change.key] = change.now
        ends.setdefault(change.key, [change.now, change.now])[change.side == UP] = change.value
    return tuple(Factor(key, now[key], *pair) for key, pair in ends.items())


def design(base: Base, factors: Sequence[Factor], trajectories: int, seed: int) -> Design:
    """Return the points of Morris' trajectories that the game can be played at.

    Raises SimError if there are too few numbers, or trajectories, for a screening.
    """
    from SALib.sample import morris

    if len(factors) < 2:
        raise SimError("morris: a screening needs two numbers or more that can be moved")
    wanted = trajectories * SPARE
    points = morris.sample(_problem(factors), wanted, num_levels=LEVELS, seed=seed % 2**32)
    kept: list[np.ndarray] = []
    names: list[str] = []
    known: dict[str, Variant] = {}
    refused = 0
    for part in np.split(points, wanted):
        found = [_variant(base, factors, point) for point in part]
        playable = [each for each in found if each is not None]
        if len(playable) < len(part):
            refused += 1
            continue
        kept.append(part)
        names += [name for name, _ in playable]
        known |= dict(playable)
        if len(kept) == trajectories:
            break
    if len(kept) < 2:
        raise SimError(
            f"morris: the game refuses {refused} of {wanted} trajectories: these numbers cannot be "
            "moved together; leave --morris out"
        )
    return Design(tuple(factors), np.vstack(kept), tuple(names), known, refused)


def _problem(factors: Sequence[Factor]) -> dict[str, Any]:
    names = [factor.key for factor in factors]
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def _variant(
    base: Base, factors: Sequence[Factor], point: np.ndarray
) -> tuple[str, Variant] | None:
    """Return a point as a variant and its name; None if the game refuses it."""
    values = {factor.key: factor.at(part) for factor, part in zip(factors, point, strict=True)}
    try:
        variant = base.with_values(values)
    except SimError:
        return None
    return f"point {identity(values)}", variant


def screened(
    base: Base, plan: Design, tables: Sequence[Table], journal: Journal, seed: int
) -> pl.DataFrame:
    """Return mu*, sigma and chance of each number, for each metric and table.

    What the design needs has to be in the journal. mu* is the mean size of what a metric changes
    by when a number moves over its whole range, with SALib's bootstrap interval; sigma is how much
    that differs with the other numbers. Chance is what no mu* of a number that does nothing
    passes, in 95 % of screenings, all their numbers, metrics and tables together.
    """
    held = whole(base, plan.known, tables)
    pairs = pairs_of(held, base, plan.known, tables, journal)
    least = _least(held, pairs[: len(tables)])
    outputs: list[tuple[dict[str, Any], str, str, np.ndarray, float]] = [
        ({"players": players, "variant": base.name, "lineup": lineup}, *output)
        for (players, lineup), found in _by_table(rows_of_sums(held)).items()
        for output in _outputs(found, plan, players)
    ]
    # the furthest of several seats moves no further than any of them
    tests = sum(about["players"] if group == FURTHEST else 1 for about, _, group, *_ in outputs)
    unlikely = _unlikely(plan.trajectories, tests * len(plan.factors))
    rows = []
    for about, metric, group, y, error in outputs:
        about |= {"metric": metric, "group": group}
        about["least"] = least[about["players"], about["lineup"], metric]
        rows += [row | about for row in _analysed(plan, y, unlikely * error, seed)]
    return pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)


def _unlikely(trajectories: int, tests: int) -> float:
    """Return a bound of mu* for numbers that do nothing, in standard errors of an output.

    An elementary effect is then the difference of two outputs without common luck, at the most,
    over the step. A mean of sizes is no more than the root of the mean of squares, whose sum is
    chi-square; Bonferroni over all tests.
    """
    from scipy.special import chdtri

    size = np.sqrt(chdtri(trajectories, (1 - CONFIDENCE) / tests) / trajectories)
    return float(size * np.sqrt(2) / STEP)


def _least(held: Held, pairs: Sequence[Pair]) -> dict[tuple[int, str, str], float]:
    """Return the smallest difference that matters at each table, by metric."""
    rows = of_pairs(held, pairs, HEADLINE)
    return {(r["players"], r["lineup"], r["metric"]): r["least"] for r in rows.to_dicts()}


def _by_table(rows: pl.DataFrame) -> dict[tuple[int, str], pl.DataFrame]:
    parts = rows.partition_by("players", "lineup", maintain_order=True, as_dict=True)
    return {(int(key[0]), str(key[1])): part for key, part in parts.items()}


def _outputs(
    rows: pl.DataFrame, plan: Design, players: int
) -> Iterator[tuple[str, str, np.ndarray, float]]:
    """Yield metrics and groups with what they are at every point, and their standard error.

    Of seats the first, and however far the one furthest from fair lies from it.
    """
    found: dict[tuple[str, str], tuple[np.ndarray, float]] = {}
    shares = []
    for (metric, group), part in rows.partition_by(
        "metric", "group", maintain_order=True, as_dict=True
    ).items():
        known = {row["variant"]: row for row in part.to_dicts()}
        y = np.array([known[name]["estimate"] for name in plan.variants], float)
        half = (part["high"] - part["low"]).mean()
        error = float(half or 0) / 2 / NORMAL  # type: ignore[arg-type]
        if metric == "seat_share":
            shares.append((y, error))
        kinds = ("seat 0",) if metric == "seat_share" else HEADLINE.get(str(metric), ())
        if str(group).startswith(kinds):
            found[str(metric), str(group)] = y, error
    gaps = np.abs(np.array([y for y, _ in shares]) - 1 / players)
    found["seat_share", FURTHEST] = gaps.max(axis=0), max(error for _, error in shares)
    for key, (y, error) in found.items():
        if np.isfinite(y).all():
            yield *key, y, error


def _analysed(plan: Design, y: np.ndarray, chance: float, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of one metric: what SALib says of each number."""
    from SALib.analyze import morris

    how = {"num_resamples": RESAMPLES, "num_levels": LEVELS, "seed": seed % 2**32}
    said = morris.analyze(_problem(plan.factors), plan.points, y, **how)
    number = plan.trajectories
    for at, factor in enumerate(plan.factors):
        star, half = float(said["mu_star"][at]), float(said["mu_star_conf"][at])
        about = {
            "key": factor.key,
            "now": plain(factor.now),
            "from": plain(factor.least),
            "to": plain(factor.most),
            "n": number,
            "method": f"Morris, {number} trajectories, SALib",
        }
        bounds = {"low": max(star - half, 0.0), "high": star + half}
        yield about | bounds | {"what": MU_STAR, "estimate": star}
        yield about | {"what": SIGMA, "estimate": float(said["sigma"][at])}
        yield about | {"what": CHANCE, "estimate": chance}
