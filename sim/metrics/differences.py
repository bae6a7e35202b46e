"""Rows of the differences between variants: interval, what pairing saved, p, whether it matters."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sim import inference
from sim.matters import MATTERS, SMALL, UNDECIDED, UNKNOWN, Compared, compared, least
from sim.metrics.moments import share_scale
from sim.metrics.paired import Gap, Joint, Pair, pairs
from sim.metrics.tidy import SCHEMA as TIDY
from sim.metrics.tidy import Unit, units
from sim.verdicts import LEVEL

SCHEMA = TIDY | {
    "against": pl.String,
    "own": pl.Float64,
    "base": pl.Float64,
    "saved": pl.Float64,
    "p": pl.Float64,
    "p_holm": pl.Float64,
    "least": pl.Float64,
    "verdict": pl.String,
}
"""The tidy shape, where `estimate` is the variant minus the one it is compared with."""
ANYTHING = ("*",)
NUMBERS = ("own", "base", "estimate", "variance", "unpaired", "clusters", "least")


def differences(run: Any, variants: Sequence[str], against: str) -> pl.DataFrame:
    """Return how each of the variants differs from `against`, in every head unit both have.

    `own` and `base` are the estimates of the variant and of `against`, over the games that both
    played; `estimate` is their difference with 95 % bounds; `n` counts the games of each. `saved`
    is the factor in games that pairing saves: the variance of a difference between games that
    have nothing in common, over that of the difference taken game by game. `p` is that of no
    difference, `p_holm` the same corrected for all rows. `least` is the smallest difference that
    matters, and `verdict` one of

    - matters: certain to be larger than that (one-sided, Holm over all rows);
    - small: the whole interval lies within;
    - undecided: neither, or the same in all of too few games to say so; unknown: too few games for
      an interval.
    """
    return of_pairs(run, pairs(run, variants, against))


def of_pairs(
    run: Any, found: Iterable[Pair], groups: Mapping[str, Collection[str]] | None = None
) -> pl.DataFrame:
    """Return the rows of `differences` from sums of pairs.

    `groups` are the metrics wanted, each with the kinds of groups; all without it.
    """
    rows = [row for pair in found for row in _rows(run, pair, groups)]
    shape = {name: SCHEMA.get(name, pl.Float64) for name in (*TIDY, "against", *NUMBERS)}
    del shape["low"], shape["high"], shape["method"]
    table = pl.DataFrame(rows, schema=shape | {"share": pl.Boolean, "same": pl.Boolean})
    table = table.filter(~_never(table))
    if table.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    return _judged(table, [unit.rotate for unit in _units_of(run, table)])


def same_rules(run: Any, a: str, b: str) -> bool:
    """Tell whether two variants are one game under two names: every game goes the same way."""
    known = run.study.variants
    return all(
        getattr(known[a], part) == getattr(known[b], part)
        for part in ("rulings", "components", "styles")
    )


def _rows(
    run: Any, pair: Pair, wanted: Mapping[str, Collection[str]] | None
) -> Iterator[dict[str, Any]]:
    """Yield what is known of each metric and group of a pair, before any inference."""
    unit, base = units(run)[pair.own], units(run)[pair.base]
    if not pair.parts:
        return
    about = {
        "cell": unit.cell,
        "players": unit.players,
        "variant": unit.variant,
        "lineup": unit.lineup,
        "against": base.variant,
        "n": pair.games,
        "same": same_rules(run, unit.variant, base.variant),
    }
    score_size = _score_size(pair.parts["of_seats"], unit.players)
    for what in compared(run.game):
        kinds = ANYTHING if wanted is None else wanted.get(what.metric, ())
        if not kinds or what.part not in pair.parts:
            continue
        joint = pair.parts[what.part]
        for variable, groups in _variables(what, joint):
            scale = float(share_scale(unit.players)) if variable == "win_share" else 1.0
            gap = joint.gap(variable, scale)
            size = _size(joint, variable, 0) if what.part != "of_seats" else score_size
            smallest = least(what, run.study.matters, size, score_size)
            for at, group in groups.items():
                if kinds is not ANYTHING and group.split(" ")[0] not in kinds:
                    continue
                yield about | {
                    "metric": what.metric,
                    "group": group,
                    "least": smallest,
                    "share": what.is_share,
                    **_numbers(gap, at),
                }


def _numbers(gap: Gap, at: int) -> dict[str, float]:
    return {
        "own": float(gap.own[at]),
        "base": float(gap.base[at]),
        "estimate": float(gap.difference[at]),
        "variance": float(gap.variance[at]),
        "unpaired": float(gap.unpaired[at]),
        "clusters": float(gap.clusters[at]),
    }


def _variables(what: Compared, joint: Joint) -> Iterator[tuple[str, Mapping[int, str]]]:
    """Yield the variables behind a metric with the groups to be given, by their place."""
    if what.groups:
        groups = enumerate(joint.own.groups)
        yield what.variable, {at: g for at, g in groups if g.split(" ")[0] in what.groups}
    elif what.variable in joint.own.variables:
        yield what.variable, {0: "all"}
    else:
        for name in joint.own.variables:
            if name.startswith(f"{what.variable}="):
                yield name, {0: name.removeprefix(f"{what.variable}=")}


def _size(joint: Joint, variable: str, at: int) -> float:
    """Return the typical size of a variable in the variant compared with."""
    sums = joint.base.sums(variable)
    return float(np.sqrt(sums.yy[at] / sums.mm[at])) if sums.mm[at] > 0 else np.nan


def _score_size(joint: Joint, players: int) -> float:
    return float(np.mean([_size(joint, "score", seat) for seat in range(players)]))


def _never(table: pl.DataFrame) -> pl.Expr:
    """Tell which rows are about a reason to end that all games had, or none."""
    constant = (pl.col("own") == pl.col("base")) & pl.col("own").is_in([0.0, 1.0])
    return (pl.col("metric") == "end_reason") & constant.all().over("group")


def _units_of(run: Any, table: pl.DataFrame) -> list[Unit]:
    known = {(unit.variant, unit.players, unit.lineup): unit for unit in units(run)}
    return [known[key] for key in table.select("variant", "players", "lineup").rows()]


def _judged(table: pl.DataFrame, by_deal: list[bool]) -> pl.DataFrame:
    """Return the rows with intervals, p-values and verdicts."""
    from scipy.special import stdtr

    names = ("estimate", "variance", "clusters", "unpaired", "least")
    estimate, variance, clusters, unpaired, smallest = (table[n].to_numpy() for n in names)
    same, share = table["same"].to_numpy(), table["share"].to_numpy()
    interval = inference.paired_interval(estimate, variance, clusters, share, by_deal)
    centre, adjusted = inference.pairs_adjusted(estimate, variance, clusters)
    centre = np.where(share, centre, estimate)
    error = np.sqrt(np.where(share, adjusted, variance))
    zero = same & np.isfinite(estimate)
    # that a difference is the same in a few games says little of others
    alike = ~share & (variance == 0) & (clusters < inference.FEWEST)
    low, high = (np.where(zero, 0.0, np.where(alike, np.nan, end)) for end in interval[:2])
    known, tested = np.isfinite(low) & np.isfinite(high), np.isfinite(low) & ~same
    freedom = np.maximum(clusters - 1, 1)
    p = np.minimum(2 * stdtr(freedom, -_over(np.abs(centre), error)), 1)
    beyond = stdtr(freedom, -_over(np.abs(centre) - smallest, error))
    p, beyond = (np.where(tested, value, np.nan) for value in (p, beyond))
    inside = (low >= -smallest) & (high <= smallest)
    verdict = np.select(
        [alike & ~same, ~known, inference.adjusted(beyond) < LEVEL, inside],
        [UNDECIDED, UNKNOWN, MATTERS, SMALL],
        UNDECIDED,
    )
    method = [
        "same games" if equal else f"{name}; Holm over {tested.sum()}" if within else "none"
        for equal, name, within in zip(zero, interval.method, tested, strict=True)
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        saved = np.where(variance > 0, unpaired / variance, np.nan)
    return (
        table.with_columns(
            pl.Series("low", low),
            pl.Series("high", high),
            pl.Series("saved", saved),
            pl.Series("p", p),
            pl.Series("p_holm", inference.adjusted(p)),
            pl.Series("verdict", verdict.tolist(), dtype=pl.String),
            pl.Series("method", method, dtype=pl.String),
        )
        .with_columns(pl.col(pl.Float64).fill_nan(None))
        .select(list(SCHEMA))
    )


def _over(value: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return value / error; without error, a value above 0 is beyond all doubt."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error == 0, np.where(value > 0, np.inf, -np.inf), value / error)
