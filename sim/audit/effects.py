"""What each change does to the headline metrics and to the verdicts, ranked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import polars as pl

from sim.audit.changes import Base, Change
from sim.audit.conclusions import About, conclusions, flips, settled
from sim.audit.journal import Journal
from sim.audit.play import Held, changed, tasks_of
from sim.audit.tables import Table
from sim.matters import MATTERS, SMALL, UNDECIDED, UNKNOWN
from sim.metrics import moments
from sim.metrics.differences import SCHEMA as DIFFERENCES
from sim.metrics.differences import of_pairs
from sim.metrics.moments import PARTS, Moments
from sim.metrics.paired import Pair
from sim.study import Variant
from sim.verdicts import LEVEL
from sim.words import words_of

HEADLINE = {
    "truncated_share": ("all",),
    "seat_share": ("seat",),
    "style_share": ("style",),
    "turns.mean": ("all",),
    "tie_rate": ("all",),
    "margin.mean": ("all",),
    "score.mean": ("all",),
}
"""What changes are judged by: metrics and the kinds of their groups."""
NOTHING = "nothing seen"
"""Small, and not even certain to be there."""
ORDER = (MATTERS, UNDECIDED, SMALL, NOTHING, UNKNOWN)
"""Verdicts, the weightiest first."""
SCHEMA = {
    "part": pl.String,
    "key": pl.String,
    "value": pl.String,
    "now": pl.String,
    "side": pl.String,
} | DIFFERENCES
"""Tidy rows of differences, and the change that each is about."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Effect:
    """What a change does: the weightiest verdict, verdicts that flip, the largest difference."""

    change: Change
    verdict: str
    flips: tuple[str, ...]
    largest: Row | None
    size: float
    """The largest difference, as a multiple of the smallest that matters."""
    games: int
    """Games of the change in all."""


def compared(
    base: Base,
    changes: Sequence[Change],
    tables: Sequence[Table],
    journal: Journal,
    before: Mapping[About, str] = MappingProxyType({}),
) -> tuple[list[Effect], pl.DataFrame]:
    """Return the effect of each change, ranked, and rows of all differences.

    What the changes need has to be in the journal. `before` are verdicts on the study's own game,
    where the games here leave them open. Holm's correction is over all rows.
    """
    if not changes:
        return [], pl.DataFrame(schema=SCHEMA)
    variants = {change.name: base.with_values({change.key: change.value}) for change in changes}
    held = whole(base, variants, tables)
    rows = _softened(of_pairs(held, pairs_of(held, base, variants, tables, journal), HEADLINE))
    words = words_of(held)
    found = conclusions(held, base, words)
    turned = flips(found, settled(found[base.name], before), words)
    about = pl.DataFrame(
        [
            (each.name, each.part, each.key, *map(plain, (each.value, each.now)), each.side)
            for each in changes
        ],
        schema=["variant", "part", "key", "value", "now", "side"],
        orient="row",
    )
    rows = rows.join(about, on="variant", how="left", maintain_order="left").select(list(SCHEMA))
    by_name: dict[str, list[Row]] = {}
    for row in rows.iter_rows(named=True):
        by_name.setdefault(row["variant"], []).append(row)
    effects = [
        _effect(each, by_name.get(each.name, []), turned.get(each.name, ())) for each in changes
    ]
    return ranked(effects), rows


def plain(value: Any) -> str:
    """Return a value as a person writes it: true, 0.5, from_middle."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value))
    return str(value)


def whole(base: Base, variants: Mapping[str, Variant], tables: Sequence[Table]) -> Held:
    """Return the base and all that is changed as one study, whose games are sums."""
    every = {base.name: base.variant, **variants}
    cells = [
        changed(cell, name, variant)
        for name, variant in every.items()
        for table in tables
        for cell in table.cells
    ]
    study = base.study.model_copy(update={"variants": every, "until": None})
    numbered = [replace(cell, index=index) for index, cell in enumerate(cells)]
    return Held(base.game, study, numbered)


def pairs_of(
    held: Held,
    base: Base,
    variants: Mapping[str, Variant],
    tables: Sequence[Table],
    journal: Journal,
) -> list[Pair]:
    """Return the sums of every change at every table, and let metrics know them."""
    heads = held.heads()
    places = {(each.variant, each.players, each.lineup): n for n, each in enumerate(heads)}
    found = []
    sums: dict[int, Moments] = {}
    for task in tasks_of(base, variants, tables, journal):
        own, against = (
            places[name, task.table.players, task.table.lineup] for name in (task.name, base.name)
        )
        pair = journal.pair(task.key, own, against)
        found.append(pair)
        sums[own] = Moments(*(pair.parts[part].own for part in PARTS))
        sums[against] = Moments(*(pair.parts[part].base for part in PARTS))
    moments.moments.know(held, [sums[number] for number in range(len(heads))])
    return found


def _softened(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows in which a difference that is small and may be none is "nothing seen".

    So is everything about a change that made no difference at all, to any metric at any table.
    """
    none = (pl.col("verdict") == SMALL) & ~(pl.col("p_holm") < LEVEL).fill_null(False)
    known = pl.col("estimate").is_not_null()
    never = (pl.col("estimate").fill_null(0) == 0).all().over("variant") & known
    return rows.with_columns(
        pl.when(none | never).then(pl.lit(NOTHING)).otherwise(pl.col("verdict")).alias("verdict")
    )


def _effect(change: Change, rows: Iterable[Row], turned: Sequence[str]) -> Effect:
    known = [row for row in rows if row["estimate"] is not None]
    seen = [row for row in known if not (row["own"] == row["base"] == 0)] or known
    verdict = min((row["verdict"] for row in seen), key=ORDER.index, default=UNKNOWN)
    weightiest = [row for row in seen if row["verdict"] == verdict]
    largest = max(weightiest, key=size_of, default=None)
    games = sum({(row["players"], row["lineup"]): row["n"] for row in known}.values())
    size = size_of(largest) if largest else 0.0
    return Effect(change, verdict, tuple(turned), largest, size, games)


def size_of(row: Row) -> float:
    """Return a difference as a multiple of the smallest that matters."""
    return abs(row["estimate"]) / row["least"] if row["least"] else 0.0


def ranked(effects: Iterable[Effect]) -> list[Effect]:
    """Return what flips a verdict first, then by verdict, then by size."""
    return sorted(effects, key=lambda each: (not each.flips, ORDER.index(each.verdict), -each.size))
