"""The rows of `standings` and `acts`, counted again from what a referee saw."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sim.games.data import PARTS

Rows = list[dict[str, Any]]


def standing_rows(
    points: Sequence[Sequence[int]], asked: Iterable[tuple[int, int, int]] | None = None
) -> Rows:
    """Return the rows of `standings`, but for game, style and the logarithms.

    `points` are those of all seats before the first turn and after each; `asked` are the decisions
    as (turns before, seat, legal actions), None if they are not counted again.
    """
    turns = len(points) - 1
    moments = [part * turns // PARTS for part in range(PARTS + 1)]
    decisions = None if asked is None else list(asked)
    rows = []
    for seat in range(len(points[0])):
        for part, moment in enumerate(moments):
            row = {"seat": seat, "part": part, "moment": moment, "points": points[moment][seat]}
            if decisions is not None:
                until = len(points) if part == PARTS else moment
                own = [n for before, who, n in decisions if who == seat and before < until]
                row["asked"] = len(own)
                row["choices"] = sum(n > 1 for n in own)
                row["options"] = sum(own)
            rows.append(row)
    return rows


def act_rows(
    acts: Iterable[tuple[int, int, str]], turns: int, seats: int, kinds: Sequence[str]
) -> Rows:
    """Return the rows of `acts`, but for game and style.

    `acts` are (turns before, seat, kind); `turns` is how many the game has.
    """
    count = Counter(
        (seat, kind, min(2, 3 * before // max(turns, 1))) for before, seat, kind in acts
    )
    return [
        {"seat": seat, "act": kind}
        | {name: count[seat, kind, third] for third, name in enumerate(("early", "middle", "late"))}
        for seat in range(seats)
        for kind in kinds
    ]
