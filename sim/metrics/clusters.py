"""Games added up by cluster, and the sums over clusters that means and intervals need."""

from dataclasses import dataclass

import numpy as np

from sim.inference import Sums


@dataclass(frozen=True)
class Clusters:
    """Some games added up by cluster: numerators of each variable, and the denominators.

    `values` is [variable, group, cluster]; `weights` is [group, cluster], or [group, 1] where
    all clusters have the same.
    """

    values: np.ndarray
    weights: np.ndarray

    def __add__(self, other: "Clusters") -> "Clusters":
        """Return the clusters of two cells that meet the same deals, deal by deal."""
        count = max(self.count, other.count)
        same = self.count == other.count and self.uniform and other.uniform
        weights = (
            self.weights + other.weights
            if same
            else _plus(self.full_weights(), other.full_weights(), count)
        )
        return Clusters(_plus(self.values, other.values, count), weights)

    @property
    def count(self) -> int:
        """How many clusters."""
        return self.values.shape[-1]

    @property
    def uniform(self) -> bool:
        """Whether all clusters have the same denominators."""
        return self.weights.shape[-1] == 1

    def full_weights(self) -> np.ndarray:
        """Return denominators [group, cluster]."""
        return np.broadcast_to(self.weights, (len(self.weights), self.count))


def _plus(a: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    """Add arrays cluster by cluster; the shorter one has no games in the last clusters."""
    total = np.zeros((*a.shape[:-1], count))
    total[..., : a.shape[-1]] += a
    total[..., : b.shape[-1]] += b
    return total


@dataclass
class Tally:
    """Sums over clusters: y, yy, ym are [variable, group], the others [group]."""

    variables: list[str]
    groups: list[str]
    y: np.ndarray
    yy: np.ndarray
    ym: np.ndarray
    m: np.ndarray
    mm: np.ndarray
    clusters: np.ndarray
    cross: np.ndarray
    """Cross products of [y of the first variable, m] between groups."""

    def sums(self, variable: str) -> Sums:
        """Return a variable's sums, each [group]."""
        v = self.variables.index(variable)
        return Sums(self.y[v], self.m, self.yy[v], self.ym[v], self.mm, self.clusters)

    def merge(self, other: "Tally") -> None:
        """Add the sums of other clusters with the same variables and groups."""
        for name in ("y", "yy", "ym", "m", "mm", "clusters", "cross"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def tally(variables: list[str], groups: list[str], parts: Clusters) -> Tally:
    """Return the sums over clusters."""
    values, weights, count = parts.values, parts.weights, parts.count
    times = count if parts.uniform else 1
    y = values.sum(-1)
    ym = y * weights[:, 0] if parts.uniform else np.einsum("vgc,gc->vg", values, weights)
    first = values[0]
    across = np.einsum("gc,hc->gh", first, parts.full_weights())
    square = np.einsum("gc,hc->gh", first, first)
    return Tally(
        variables=variables,
        groups=groups,
        y=y,
        yy=np.einsum("vgc,vgc->vg", values, values),
        ym=ym,
        m=weights.sum(-1) * times,
        mm=np.einsum("gc,gc->g", weights, weights) * times,
        clusters=(weights > 0).sum(-1) * times,
        cross=np.block(
            [[square, across], [across.T, np.einsum("gc,hc->gh", weights, weights) * times]]
        ),
    )
