"""Play until it is known: the study key `until`, and which metrics decide when games stop.

Light on purpose: reading a study loads nothing heavy.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from sim.budgets import Budget, names
from sim.errors import suggest
from sim.explain import Place, show, validate
from sim.games.game import Game
from sim.lineups import Lineups

DECIDED = "decided"
SEATS = ("seat_share", "seat_test")
"""What verdicts on seats are made of."""
SHARES = (
    "seat_share",
    "style_share",
    "tie_rate",
    "truncated_share",
    "completion_rate",
    "end_reason",
)
MEANS = (
    "turns.mean",
    "rounds.mean",
    "decisions.mean",
    "score.mean",
    "margin.mean",
    "lead_changes.mean",
)
EXAMPLE = '"decided" or { metric = "seat_share", half_width = 0.002 }'


class HalfWidth(BaseModel):
    """Play until the interval of a metric is known to plus or minus so much, in every group."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    metric: str
    half_width: Annotated[float, Field(gt=0, allow_inf_nan=False)]

    def __str__(self) -> str:
        return f"{self.metric} is known to within {self.half_width:g}"


Until = str | HalfWidth
"""`DECIDED`, or a metric that is to be known."""


def read(value: Any, place: Place, game: Game, lineups: Lineups) -> Until | None:
    """Return what the key `until` says; raise SimError at a mistake in it."""
    if value is None or value == DECIDED:
        return value
    if not isinstance(value, Mapping):
        near = suggest(value, [DECIDED]) if isinstance(value, str) else ""
        raise place.error(f"found {show(value)}; allowed: {EXAMPLE}.{near}")
    found = validate(HalfWidth, value, place)
    known = [*shares(game), *means(game)]
    if found.metric not in known:
        raise place.at("metric").error(
            f"found {show(found.metric)}; allowed: {names(known)}.{suggest(found.metric, known)}"
        )
    if found.metric in shares(game) and found.half_width >= 0.5:
        raise place.at("half_width").error(
            f"found {found.half_width:g}; allowed for a share: a number below 0.5."
        )
    mixed = (
        lineups.round_robin
        or lineups.tournament
        or lineups.rotated
        or any(len(set(seats)) > 1 for seats in lineups.fixed)
    )
    if found.metric == "style_share" and not mixed:
        raise place.at("metric").error(
            'found "style_share", but no two styles meet in [lineups]; '
            "add round_robin, tournament or fixed."
        )
    return found


def shares(game: Game) -> list[str]:
    """Return the metrics of a game that are means of what lies between 0 and 1 in each game."""
    return [*SHARES, *_own(game, coded=True)]


def means(game: Game) -> list[str]:
    """Return the metrics of a game that are means of any numbers."""
    parts = [f"score_part.{column.name}" for column in game.seat_columns if column.score_part]
    return [*MEANS, *parts, *_own(game, coded=False)]


def _own(game: Game, coded: bool) -> list[str]:
    own = [column for column in game.game_columns if not column.key and column.coded == coded]
    return [f"detail.{column.name}" for column in own]


def steering(until: Until | None, budgets: Iterable[Budget], game: Game) -> set[str]:
    """Return the metrics whose intervals decide when games stop."""
    if until is None:
        return set()
    if isinstance(until, HalfWidth):
        found = {until.metric}
    else:
        found = {"seat_share", *(budget.of for budget in awaited(budgets, game))}
    if "seat_share" in found:
        found |= set(SEATS)
    if "completion_rate" in found:  # 1 minus the other
        found.add("truncated_share")
    return found


def awaited(budgets: Iterable[Budget], game: Game) -> list[Budget]:
    """Return the budgets that games are played for until they are decided: those of shares."""
    known = shares(game)
    return [budget for budget in budgets if budget.has_range and budget.of in known]


def left(budgets: Iterable[Budget], game: Game) -> list[Budget]:
    """Return the budgets that no game is played for."""
    known = awaited(budgets, game)
    return [budget for budget in budgets if budget not in known]
