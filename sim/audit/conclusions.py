"""Verdicts on a study's own game and on each change of it, and which of them flip."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from sim import check, verdicts
from sim import words as say
from sim.audit.changes import Base
from sim.audit.play import Held
from sim.budgets import Budget, met
from sim.errors import SimError
from sim.level import CONFIDENCE, at_level
from sim.metric_titles import in_sentence
from sim.metrics.outcome import seat_share, seat_test, style_share
from sim.metrics.rows import WHOLE_GAME, mean_rows, share_rows
from sim.metrics.tidy import finish, headline, pick
from sim.words import Words, words_of

FOLLOWED = (
    *("seat_share", "style_share", "truncated_share", "turns.mean"),
    *("tie_rate", "margin.mean", "score.mean"),
)
"""Metrics whose budgets are judged for each change: those that are known from sums alone."""
ABOVE, BELOW = "above a fair share", "below it"
DECIDED = (verdicts.BALANCED, verdicts.UNBALANCED, check.PASSED, check.FAILED, ABOVE, BELOW)


@dataclass(frozen=True)
class About:
    """What a verdict is about, in words, at which table."""

    what: str
    players: int
    lineup: str
    metric: str = ""
    """Of a budget: two may read alike."""


Verdicts = Mapping[str, Mapping[About, str]]
"""Verdicts by variant."""


def conclusions(held: Held, base: Base, words: Words) -> Verdicts:
    """Return the verdicts on each variant: seats, styles against a fair share, budgets."""
    found: dict[str, dict[About, str]] = {name: {} for name in held.study.variants}
    for variant, about, verdict in _of_wins(held, words):
        found[variant][about] = verdict
    for variant, about, verdict in _budgets(held, base, words):
        found[variant][about] = verdict
    return found


def of_run(run: Any, variant: str) -> dict[About, str]:
    """Return the verdicts of a run's report on one of its variants."""
    words = words_of(run)
    found = {about: verdict for name, about, verdict in _of_wins(run, words) if name == variant}
    with suppress(SimError):  # of a budget that names nothing that was met
        for row in check.of(run).rows if run.study.budgets else ():
            if row.kind == check.RANGE and row.variant == variant:
                found[_about(row, words)] = row.verdict
    return found


def _of_wins(run: Any, words: Words) -> Iterator[tuple[str, About, str]]:
    """Yield the verdicts on seats and styles of each head unit."""
    rows = headline(run, pl.concat([seat_share(run), seat_test(run)]))
    for each in verdicts.seat_verdicts(rows):
        yield each.variant, About("seats", each.players, each.lineup), each.verdict
    for row in headline(run, style_share(run)).iter_rows(named=True):
        about = About(words.group(row["group"]), row["players"], row["lineup"])
        yield row["variant"], about, _side(row)


def _about(row: check.Judged, words: Words) -> About:
    group = "" if row.group == "all" else f", {words.group(row.group)}"
    what = f"budget for {in_sentence(row.name, words)}{group}"
    return About(what, row.players, row.lineup, row.name)


def _side(row: Mapping[str, Any]) -> str:
    """Return on which side of a fair share a style's wins lie, interval and all."""
    fair = 1 / row["players"]
    if row["low"] is None or row["high"] is None:
        return verdicts.UNKNOWN
    return ABOVE if row["low"] > fair else BELOW if row["high"] < fair else verdicts.UNDECIDED


def _budgets(held: Held, base: Base, words: Words) -> Iterator[tuple[str, About, str]]:
    """Yield the verdict on each row with a budget, in each variant.

    All rows of all variants are one family.
    """
    rows = _Rows(held, base)
    budgets = _followed(held, base, rows)
    for variant in held.study.variants if budgets else ():
        looked = check.judge(budgets, partial(rows.of, variant), held.study.source)
        for row in looked.rows:
            yield variant, _about(row, words), row.verdict


def unfollowed(budgets: Iterable[Budget]) -> list[str]:
    """Return the titles of budgets that are about other metrics."""
    return [in_sentence(each.name) for each in budgets if each.of not in FOLLOWED]


def _followed(held: Held, base: Base, rows: "_Rows") -> list[Budget]:
    usual = rows.of(base.name, CONFIDENCE, None)
    return [each for each in held.study.budgets if each.has_range and _is_met(each, usual, held)]


def _is_met(budget: Budget, rows: pl.DataFrame, held: Held) -> bool:
    try:
        return bool(met(budget, rows, held.study.source))
    except SimError:  # of another metric, variant or line-up
        return False


class _Rows:
    """Gives the rows of one variant as if it were the study's own, for a family of all variants."""

    def __init__(self, held: Held, base: Base) -> None:
        self.held, self.base = held, base
        self.known: dict[float, pl.DataFrame] = {}

    def of(self, variant: str, confidence: float, names: Collection[str] | None) -> pl.DataFrame:
        """Return rows of a variant; `confidence` is that of its own family."""
        if confidence not in self.known:
            with at_level(1 - (1 - confidence) / len(self.held.study.variants)):
                self.known[confidence] = rows_of_sums(self.held)
        rows = self.known[confidence]
        rows = rows if names is None else pick(rows, *names)
        return rows.filter(pl.col("variant") == variant).with_columns(
            pl.lit(self.base.name).alias("variant"),
            head=pl.lit(True),
            seen=pl.lit(True),
            games=pl.col("n").cast(pl.Float64),
        )


def rows_of_sums(held: Held) -> pl.DataFrame:
    """Return the rows of all metrics that are followed, at the level in use."""
    of_games = [
        share_rows(held, "of_all", "truncated", "truncated_share", WHOLE_GAME),
        mean_rows(held, "of_all", "turns", "turns.mean", WHOLE_GAME),
        share_rows(held, "of_ended", "tied", "tie_rate", WHOLE_GAME),
        mean_rows(held, "of_ended", "margin", "margin.mean", WHOLE_GAME),
        mean_rows(held, "of_seats", "score", "score.mean"),
    ]
    return pl.concat([seat_share(held), style_share(held), finish(held, of_games)])


def flips(found: Verdicts, before: Mapping[About, str], words: Words) -> dict[str, tuple[str, ...]]:
    """Return the verdicts that each variant flips, in words: both certain, and not the same."""
    turned: dict[str, tuple[str, ...]] = {}
    for variant, own in found.items():
        parts: dict[tuple[str, ...], list[int]] = {}
        for about, verdict in own.items():
            old = before.get(about)
            if old in DECIDED and verdict in DECIDED and old != verdict:
                where = f", {words.lineup(about.lineup)}" if len(words.lineups) > 1 else ""
                parts.setdefault((about.what, where, old, verdict), []).append(about.players)
        turned[variant] = tuple(
            f"{what} with {say.players(sorted(set(counts)))}{where}: {old} to {new}"
            for (what, where, old, new), counts in parts.items()
        )
    return turned


def settled(here: Mapping[About, str], run: Mapping[About, str]) -> dict[About, str]:
    """Return the verdicts on the study's own game: of the games played here, else of its run."""
    return {**run, **{about: each for about, each in here.items() if each in DECIDED}}
