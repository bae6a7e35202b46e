"""Sums over clusters, and estimates that are functions of such sums.

A cluster is what luck is independent between: a game, or all games of one deal. An estimate that
does not change when every sum doubles (a ratio, a difference of ratios, a coefficient of least
squares) has the variance slope' P slope C / (C - 1): P sums the products of each cluster's own
columns, C counts the clusters. That is the linearised variance of survey statistics; for least
squares it is the usual one that is robust to clusters.
"""

from dataclasses import dataclass, fields

import numpy as np

from sim import inference
from sim.inference import Sums


@dataclass
class Totals:
    """Sums over clusters of some columns, for each group.

    `sums` [group, column]; `products` [group, column, column]; `seen` [group, column] counts the
    clusters in which a column is not zero.
    """

    sums: np.ndarray
    products: np.ndarray
    seen: np.ndarray

    def merge(self, other: "Totals") -> None:
        """Add the sums over other clusters."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def ratio_sums(self, y: int, m: int) -> Sums:
        """Return what the ratio of two columns needs, each [group]."""
        return Sums(
            self.sums[:, y],
            self.sums[:, m],
            self.products[:, y, y],
            self.products[:, y, m],
            self.products[:, m, m],
            self.seen[:, m],
        )

    def ratio(self, y: int, m: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the ratio of two columns and its variance, each [group]."""
        return inference.ratio(self.ratio_sums(y, m))


def of_clusters(values: np.ndarray) -> Totals:
    """Return the totals of columns that are known cluster by cluster, [group, column, cluster]."""
    products = values @ values.transpose(0, 2, 1)
    return Totals(values.sum(-1), products, (values != 0).sum(-1))


def by_label(values: np.ndarray, labels: np.ndarray, groups: int) -> Totals:
    """Return the totals of columns [column, cluster] where each cluster belongs to one group."""
    columns = len(values)
    products = np.empty((groups, columns, columns))
    for i in range(columns):
        for j in range(i + 1):
            found = np.bincount(labels, values[i] * values[j], groups)
            products[:, i, j] = products[:, j, i] = found
    sums = np.stack([np.bincount(labels, column, groups) for column in values], axis=1)
    seen = np.stack([np.bincount(labels, column != 0, groups) for column in values], axis=1)
    return Totals(sums, products, seen.astype(np.int64))


@dataclass(frozen=True)
class Estimate:
    """A function of the sums of one group: its value, and its slope along each sum."""

    value: float
    slope: np.ndarray

    def __add__(self, other: "Estimate") -> "Estimate":
        """Return the sum of two estimates."""
        return Estimate(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: "Estimate") -> "Estimate":
        """Return the difference of two estimates."""
        return self + other.times(-1)

    def __truediv__(self, other: "Estimate") -> "Estimate":
        """Return the ratio of two estimates; NaN where the second is 0."""
        if other.value == 0:
            return Estimate(np.nan, np.full_like(self.slope, np.nan))
        value = self.value / other.value
        return Estimate(value, (self.slope - value * other.slope) / other.value)

    def times(self, factor: float) -> "Estimate":
        """Return a multiple of the estimate."""
        return Estimate(self.value * factor, self.slope * factor)

    def variance(self, products: np.ndarray, clusters: int) -> float:
        """Return the variance over clusters; NaN for fewer than two."""
        if clusters < 2:
            return np.nan
        terms = self.slope[:, None] * products * self.slope
        found = float(terms.sum())
        if found <= inference.ROUNDING * np.abs(terms).sum():
            return 0.0
        return found * clusters / (clusters - 1)


def ratio_of(sums: np.ndarray, y: int, m: int) -> Estimate:
    """Return the ratio of two sums of one group, [column]."""
    return _one(sums, y) / _one(sums, m)


def mean_of(estimates: list[Estimate]) -> Estimate:
    """Return the plain mean of some estimates."""
    total = estimates[0]
    for each in estimates[1:]:
        total = total + each
    return total.times(1 / len(estimates))


def _one(sums: np.ndarray, column: int) -> Estimate:
    slope = np.zeros(len(sums))
    slope[column] = 1
    return Estimate(float(sums[column]), slope)


def squares(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return what least squares needs of each game, [variables squared + variables, game].

    `x` is [variable, game, seat] and `y` [game, seat]: X'X row by row, then X'y, over the seats.
    """
    inner = np.einsum("igp,jgp->ijg", x, x).reshape(len(x) ** 2, -1)
    return np.concatenate([inner, np.einsum("igp,gp->ig", x, y)])


def least_squares(sums: np.ndarray, variables: int) -> list[Estimate] | None:
    """Return the coefficients of least squares from the sums of `squares`; None if not unique.

    Sums of more columns may follow.
    """
    known = variables**2 + variables
    inner = sums[: variables**2].reshape(variables, variables)
    if np.linalg.matrix_rank(inner, hermitian=True) < variables:
        return None
    inverse = np.linalg.inv(inner)
    found = inverse @ sums[variables**2 : known]
    return [
        Estimate(
            float(value),
            np.concatenate([np.outer(-row, found).ravel(), row, np.zeros(len(sums) - known)]),
        )
        for value, row in zip(found, inverse, strict=True)
    ]
