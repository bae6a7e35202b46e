"""What every game's recount works out alike, in plain Python from what a referee saw."""

from collections.abc import Iterable, Sequence
from itertools import pairwise


def lead_changes(standings: Iterable[Sequence[int]]) -> int:
    """Count how often another seat than the last sole leader became the sole leader.

    `standings` are the points by seat at each moment that is looked at.
    """
    leaders = [points.index(max(points)) for points in standings if points.count(max(points)) == 1]
    return sum(one != other for one, other in pairwise(leaders))


def win_shares(ranks: Sequence[int], truncated: bool) -> list[float | None]:
    """Return what part of the win each seat has, None for a game that was cut off."""
    if truncated:
        return [None] * len(ranks)
    return [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]
