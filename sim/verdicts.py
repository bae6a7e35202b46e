"""Earned verdicts on tidy rows: balanced, unbalanced or undecided; dominant or useless styles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from sim.metrics.tidy import POOLED

TOLERANCE = 0.02
"""How far a seat's win share may lie from 1 / players unless the designer says otherwise."""
LEVEL = 0.05
"""Below this p-value, corrected for all tables tested, a difference between seats is certain."""
NORMAL = 1.96
"""Half a 95 % interval, in standard errors."""
ROUNDING = 1e-9
"""Shares that differ by less are the same."""
BALANCED, UNBALANCED, UNDECIDED, UNKNOWN = "balanced", "unbalanced", "undecided", "unknown"


@dataclass(frozen=True)
class SeatVerdict:
    """Whether the seats of one unit are worth the same.

    `seat` is the one furthest from fair; `certain` tells that seats differ beyond doubt, however
    little; `needed` is about how many games would decide it, if undecided.
    """

    players: int
    variant: str
    lineup: str
    verdict: str
    seat: int
    share: float
    certain: bool
    games: int
    needed: float | None = None
    half_width: float = 0.0
    """Half of the widest interval of a seat."""

    @property
    def fair(self) -> float:
        """The win share of every seat in a fair game."""
        return 1 / self.players

    @property
    def gap(self) -> float:
        """How far the furthest seat is from fair, as a difference of shares."""
        return self.share - self.fair


def seat_verdicts(frame: pl.DataFrame, tolerance: float = TOLERANCE) -> list[SeatVerdict]:
    """Return a verdict for every unit among the rows of `seat_share` and `seat_test`.

    Balanced: the whole interval of every seat lies within `tolerance` of 1 / players.
    Unbalanced: some seat's whole interval lies outside, and the test over all seats, corrected
    for the number of tables tested, rules out chance. Undecided: neither.
    """
    keys = ["variant", "players", "lineup", "cell"]
    p_values = {
        _key(row): row["estimate"]
        for row in frame.filter(pl.col("metric") == "seat_test.p_holm").iter_rows(named=True)
    }
    shares = frame.filter(pl.col("metric") == "seat_share")
    found = []
    for _, rows in shares.group_by(keys, maintain_order=True):
        found.append(_judge(rows, p_values.get(_key(rows.row(0, named=True))), tolerance))
    return found


def _key(row: dict) -> tuple:
    return row["variant"], row["players"], row["lineup"], row["cell"]


def _judge(rows: pl.DataFrame, p_value: float | None, tolerance: float) -> SeatVerdict:
    first = rows.row(0, named=True)
    games = first["n"]
    about = {key: first[key] for key in ("players", "variant", "lineup")}
    if rows["estimate"].null_count():
        return SeatVerdict(**about, verdict=UNKNOWN, seat=0, share=0.0, certain=False, games=games)
    fair = 1 / first["players"]
    furthest = _furthest(rows["estimate"] - fair)
    # differences that floating point makes of 1/n against 1/n
    slack = 1e-12
    low, high = fair - tolerance - slack, fair + tolerance + slack
    certain = p_value is not None and p_value < LEVEL
    bounded = rows["low"].null_count() == 0
    inside = bounded and ((rows["low"] >= low) & (rows["high"] <= high)).all()
    outside = bounded and ((rows["low"] > high) | (rows["high"] < low)).any()
    verdict = BALANCED if inside else UNBALANCED if outside and certain else UNDECIDED
    needed = _needed(rows, fair, tolerance, games) if verdict == UNDECIDED else None
    share = float(rows["estimate"][furthest])
    half = float((rows["high"] - rows["low"]).max() or 0) / 2  # type: ignore[arg-type]
    return SeatVerdict(
        **about,
        verdict=verdict,
        seat=furthest,
        share=share,
        certain=certain,
        games=games,
        needed=needed,
        half_width=half,
    )


def _furthest(gaps: pl.Series) -> int:
    """Return the seat furthest from fair; of two at one distance, the one that wins more."""
    return max(range(len(gaps)), key=lambda seat: (round(abs(gaps[seat]), 12), gaps[seat]))


def _needed(rows: pl.DataFrame, fair: float, tolerance: float, games: int) -> float | None:
    """Return about how many games bring every interval to one side of the tolerance.

    Estimates and intervals of few games are no guide, so it is never less than what narrows the
    interval of a fair share to half the tolerance, nor less than twice the games played.
    """
    half = (rows["high"] - rows["low"]) / 2
    edge = ((rows["estimate"] - fair).abs() - tolerance).abs()
    if (edge <= 0).any():
        return None
    # a single game has no interval
    own = float(((half / edge) ** 2 * games).max() or 0)  # type: ignore[arg-type]
    least = (NORMAL / (tolerance / 2)) ** 2 * fair * (1 - fair)
    return max(own, least, 2 * games)


@dataclass(frozen=True)
class StyleVerdict:
    """How a style fares in all the line-ups of a variant that it was seated in."""

    style: str
    variant: str
    lineups: int
    above: int
    """Line-ups in which its whole interval lies above a fair share."""
    below: int

    @property
    def dominant(self) -> bool:
        """Whether it beats a fair share everywhere, interval and all."""
        return self.lineups > 1 and self.above == self.lineups

    @property
    def useless(self) -> bool:
        """Whether it stays under a fair share everywhere, interval and all."""
        return self.lineups > 1 and self.below == self.lineups


def style_verdicts(frame: pl.DataFrame) -> list[StyleVerdict]:
    """Return a verdict for each variant and style from `style_share` rows of all cells."""
    cells = frame.filter(
        pl.col("metric") == "style_share",
        pl.col("lineup") != POOLED,
        pl.col("estimate").is_not_null(),
    )
    fair = 1 / pl.col("players")
    table = cells.group_by("variant", "group", maintain_order=True).agg(
        pl.len().alias("lineups"),
        (pl.col("low") > fair).sum().alias("above"),
        (pl.col("high") < fair).sum().alias("below"),
    )
    return [
        StyleVerdict(
            row["group"].removeprefix("style "),
            row["variant"],
            row["lineups"],
            row["above"] or 0,
            row["below"] or 0,
        )
        for row in table.iter_rows(named=True)
    ]


def is_level(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two rows have the same share, but for rounding."""
    return bool(abs(one["estimate"] - other["estimate"]) < ROUNDING)
