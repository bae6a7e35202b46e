"""What variants are compared in, and which differences are large enough to matter.

Light on purpose: a study names these metrics, and reading a study loads nothing heavy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from sim.explain import Place, show
from sim.overrides import leaves

SHARE = 0.02
"""Two points: the smallest difference of a share of wins or games that matters."""
CUT_OFF = 0.01
"""One point: games that come to no end leave everything else in doubt."""
PART = 0.05
"""A twentieth: for lengths, counts and points, the part of their size that matters."""
COUNT = 0.1
"""A thing that happens once more in fewer than ten games is hardly seen, however rare it is."""

SHARES, CUTS, SIZES, COUNTS, POINTS = "share", "cut", "size", "count", "points"
"""How large a difference must be: as a share, or as a part of a metric's own size or a score's."""
MATTERS, SMALL, UNDECIDED, UNKNOWN = "matters", "small", "undecided", "unknown"


@dataclass(frozen=True)
class Compared:
    """A metric that variants are compared in: the variable of `Moments.<part>` behind it.

    `groups` are the kinds of groups of seats that it is given for; none where games are whole.
    """

    metric: str
    part: str
    variable: str
    kind: str
    groups: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.kind in (SHARES, CUTS)


def compared(game: Any) -> list[Compared]:
    """Return what variants of a game are compared in, in the order of a report.

    Quantiles, distributions, columns of names, cards and a game's own analysis are left out:
    there is nothing to subtract game by game. A study without `kingmaking` lacks that.
    """
    parts = [column.name for column in game.seat_columns if column.score_part]
    own = [column for column in game.game_columns if not (column.coded or column.key)]
    return [
        Compared("truncated_share", "of_all", "truncated", CUTS),
        Compared("seat_share", "of_seats", "win_share", SHARES, ("seat",)),
        Compared("style_share", "of_seats", "win_share", SHARES, ("style",)),
        *(Compared(f"{n}.mean", "of_all", n, SIZES) for n in ("turns", "rounds", "decisions")),
        Compared("tie_rate", "of_ended", "tied", SHARES),
        Compared("margin.mean", "of_ended", "margin", POINTS),
        Compared("lead_changes.mean", "of_ended", "lead_changes", COUNTS),
        Compared("kingmaking.share", "of_decisions", "decides", SHARES),
        Compared("score.mean", "of_seats", "score", POINTS, ("all", "seat", "style")),
        *(Compared(f"score_part.{n}", "of_seats", n, POINTS, ("all", "style")) for n in parts),
        Compared("end_reason", "of_all", "end_reason", SHARES),
        *(
            Compared(f"detail.{c.name}", "of_ended", c.name, SIZES if "f" in c.dtype else COUNTS)
            for c in own
        ),
    ]


def smallest(game: Any, table: Mapping[str, Any], place: Place) -> dict[str, float]:
    """Return the smallest differences that a study names, by metric.

    Raises SimError for a metric that there is not, and a number that makes no sense.
    """
    known = compared(game) if table else []
    names = list(dict.fromkeys(what.metric for what in known))
    shares = {what.metric for what in known if what.is_share}
    found = {}
    for key, value in leaves(table):
        name = ".".join(key)
        if name not in names:
            raise place.unknown("metric", name, names)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not (isfinite(value) and value > 0):
            raise place.at(*key).error(f"found {show(value)}; allowed: a number above 0.")
        if value >= 1 and name in shares:
            raise place.at(*key).error(
                f"found {show(value)}; allowed for a share: a number below 1 (2 points are 0.02)."
            )
        found[name] = float(value)
    return found


def least(what: Compared, own: Mapping[str, float], size: float, score_size: float) -> float:
    """Return the smallest difference that matters: the study's own, or a rule's.

    `size` is the typical size of the metric's variable in the variant compared with, the root of
    the mean of its squares; `score_size` that of a score.
    """
    if what.metric in own:
        return own[what.metric]
    if what.is_share:
        return CUT_OFF if what.kind == CUTS else SHARE
    part = PART * (score_size if what.kind == POINTS else size)
    return max(part, COUNT) if what.kind == COUNTS else part
