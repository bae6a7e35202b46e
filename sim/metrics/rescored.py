"""Finished games scored again with other points: who would have won, had all played the same."""

import numpy as np

from sim.metrics.moments import share_scale


def winners(standing: np.ndarray) -> np.ndarray:
    """Return who wins or shares the win, bool [game, seat]."""
    return standing == standing.max(1, keepdims=True)


def deciding(standing: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return in which games the winners would be others without some points of all seats.

    Both arguments are [game, seat], in units of `standing`; the result is bool [game].
    """
    return (winners(standing) != winners(standing - points)).any(1)


def shares_with(standing: np.ndarray, bonus: np.ndarray) -> np.ndarray:
    """Return what each seat would win if it alone stood higher by a bonus.

    `bonus` is [game, seat, case]; so is the result, in whole parts of `share_scale`.
    """
    scale = share_scale(standing.shape[1])
    found = np.empty(bonus.shape)
    for seat in range(standing.shape[1]):
        others = np.delete(standing, seat, axis=1)
        best = others.max(1)
        shared = scale / (1 + (others == best[:, None]).sum(1))
        own = standing[:, seat, None] + bonus[:, seat]
        level = np.where(own == best[:, None], shared[:, None], 0.0)
        found[:, seat] = np.where(own > best[:, None], scale, level)
    return found
