"""What things that are drawn anew for each game do to it: least squares on which are in play."""

from collections.abc import Iterator, Sequence

import numpy as np

from sim.metrics.estimates import Row, estimate_row
from sim.metrics.tidy import Unit
from sim.metrics.totals import Estimate, Totals, least_squares, mean_of, squares
from sim.metrics.within import with_ones


def drawn_sums(there: np.ndarray, outcomes: Sequence[np.ndarray]) -> np.ndarray:
    """Return what `drawn_rows` needs, a group for each outcome, [outcome, column, game].

    `there` is bool [game, thing], an outcome [game]. Columns are X'X and X'y of the things in play
    (`squares`), then y, y squared and 1.
    """
    x = there.T[:, :, None].astype(float)
    found = []
    for outcome in outcomes:
        y = outcome.astype(float)
        found.append(np.concatenate([squares(x, y[:, None]), [y, y**2]]))
    return with_ones(np.stack(found))


def drawn_rows(
    unit: tuple[int, Unit],
    totals: Totals,
    at: int,
    metric: str,
    names: Sequence[str],
    kind: str,
    sets: Sequence[Sequence[int]] | None = None,
) -> Iterator[Row]:
    """Yield what each thing does to outcome number `at`, against an average thing.

    - METRIC (group "KIND NAME"): by how much a game differs with the thing; n is games with it;
    - METRIC.mean (`all`): the mean over games; METRIC.explained: share of the variance between
      games that the things explain;
    - METRIC.most, .least (group "a+b+..."): the things in play with the highest and the lowest
      fitted value, of all `sets` by number, or of any as large; and that value.

    Nothing where the games do not tell the things apart.
    """
    wide, row = len(names), totals.sums[at]
    inner = row[: wide**2].reshape(wide, wide)
    seen = np.flatnonzero(np.diag(inner) > 0)
    games, clusters = round(row[-1]), int(totals.seen[at, -1])
    each = round(np.diag(inner).sum() / games) if games else 0
    if len(seen) <= each or games <= len(seen):
        return
    fitted = _of_seen(row, seen, wide)
    if fitted is None:
        return
    products = totals.products[at]
    level = mean_of(list(fitted.values()))
    for code, own in fitted.items():
        about = products, clusters, round(inner[code, code]), "least squares"
        yield estimate_row(unit, metric, f"{kind} {names[code]}", own - level, *about)
    mean, explained = _mean(row), _explained(row, fitted, wide)
    yield estimate_row(unit, f"{metric}.mean", "all", mean, products, clusters, games, "mean")
    if explained is not None:
        method = "R squared"
        yield (unit[0], f"{metric}.explained", "all", explained, None, None, games, method)
    for name, chosen in _ends(fitted, each, sets):
        group = "+".join(names[code] for code in sorted(chosen))
        total = mean_of([fitted[code] for code in chosen]).times(each)
        about = products, clusters, games, "least squares"
        yield estimate_row(unit, f"{metric}.{name}", group, total, *about)


def _of_seen(row: np.ndarray, seen: np.ndarray, wide: int) -> dict[int, Estimate] | None:
    """Return the coefficients of the things seen, with slopes along all sums."""
    columns = [code * wide + other for code in seen for other in seen]
    columns += [wide**2 + code for code in seen]
    fitted = least_squares(row[columns], len(seen))
    if fitted is None:
        return None
    found = {}
    for code, own in zip(seen, fitted, strict=True):
        slope = np.zeros(len(row))
        slope[columns] = own.slope
        found[int(code)] = Estimate(own.value, slope)
    return found


def _mean(row: np.ndarray) -> Estimate:
    mean = row[-3] / row[-1]
    slope = np.zeros(len(row))
    slope[[-3, -1]] = 1 / row[-1], -mean / row[-1]
    return Estimate(mean, slope)


def _explained(row: np.ndarray, fitted: dict[int, Estimate], wide: int) -> float | None:
    """Return the share of the variance between games that the things explain."""
    mean = row[-3] / row[-1]
    inside = sum(row[wide**2 + code] * own.value for code, own in fitted.items())
    spread = row[-2] - mean * row[-3]
    return float((inside - mean * row[-3]) / spread) if spread > 0 else None


def _ends(
    fitted: dict[int, Estimate], each: int, sets: Sequence[Sequence[int]] | None
) -> Iterator[tuple[str, Sequence[int]]]:
    if sets is None:
        order = sorted(fitted, key=lambda code: fitted[code].value)
        yield from (("least", order[:each]), ("most", order[-each:]))
        return
    known = [own for own in sets if set(own) <= set(fitted)]
    values = [sum(fitted[code].value for code in own) for own in known]
    if known:
        yield "least", known[int(np.argmin(values))]
        yield "most", known[int(np.argmax(values))]
