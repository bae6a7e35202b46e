"""The sums of a run's head units: read shard by shard in one pass, no more than a few in memory.

Heads are what a report leads with: cells outside round robins, and the pools of those. The cells
of a pool meet the same deals, so a pool adds them up deal by deal before products are summed.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from sim.metrics.moments import MOST_WORKERS
from sim.metrics.tidy import Unit, units
from sim.metrics.totals import Totals

Read = Callable[[int, list[Any]], Mapping[str, Totals]]
Result = TypeVar("Result")


def totals_of_heads(run: Any, read: Read) -> dict[int, dict[str, Totals]]:
    """Return the totals of each head unit by theme, in the order of `units`.

    `read(number, shards)` returns those of a unit's shards that meet the same deals.
    """
    found: dict[int, dict[str, Totals]] = {}
    for number, part in read_all(run, units(run), read):
        known = found.setdefault(number, {})
        for theme, totals in part.items():
            if theme in known:
                known[theme].merge(totals)
            else:
                known[theme] = totals
    return dict(sorted(found.items()))


def read_all(
    run: Any, about: Sequence[Unit], read: Callable[[int, list[Any]], Result]
) -> Iterator[tuple[int, Result]]:
    """Yield the number of a unit and what `read` returns of it, for all `tasks` in their order."""

    def one(task: tuple[int, list[Any]]) -> tuple[int, Result]:
        return task[0], read(*task)

    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, MOST_WORKERS)) as workers:
        yield from workers.map(one, tasks(run, about))


def tasks(run: Any, about: Sequence[Unit] | None = None) -> Iterator[tuple[int, list[Any]]]:
    """Yield head units with shards to be read together; units of `about`, or those of the run.

    Those are the shards of one number where several cells meet the same deals, else each alone.
    """
    about = units(run) if about is None else about
    heads = {cell: number for number, unit in enumerate(about) if unit.head for cell in unit.cells}
    together: dict[tuple[int, int], list[Any]] = {}
    for shard in run.shards:
        number = heads[shard.cell]
        if about[number].cell is None:
            together.setdefault((number, shard.number), []).append(shard)
        else:
            yield number, [shard]
    for (number, _), shards in together.items():
        yield number, shards


def by_cluster(values: np.ndarray, size: int) -> np.ndarray:
    """Add up each `size` games; the last axis is games, then clusters."""
    return values.reshape(*values.shape[:-1], -1, size).sum(-1)


def plus(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Add arrays cluster by cluster; the shorter one has no games in the last clusters."""
    total = np.zeros((*a.shape[:-1], max(a.shape[-1], b.shape[-1])))
    total[..., : a.shape[-1]] += a
    total[..., : b.shape[-1]] += b
    return total
