"""Plain recounts that games' own metrics are held against: rows, groups, statsmodels' fits."""

from collections import defaultdict
from statistics import fmean

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy.stats import t


def rows_of(run, table, players, pooled, ended=True):
    """Return a table's rows of the cells alone or pooled, with key and deal of each game."""
    cells = {
        cell.index: cell
        for cell in run.plan.cells
        if cell.players == players and cell.rotate == pooled
    }
    cut = {
        (row["cell"], row["game"])
        for row in run.scan("games").filter("truncated").collect().to_dicts()
    }
    rows = [
        row
        for row in run.scan(table).cast({pl.Enum: pl.String}).collect().to_dicts()
        if row["cell"] in cells
    ]
    for row in rows:
        if "game" in row:
            row["key"] = row["cell"], row["game"]
            # cells of a pool meet the same deals
            row["deal"] = row["game"] // players if pooled else row["key"]
    return [row for row in rows if not ended or row.get("key") not in cut]


def found(frame, metric, players, pooled):
    """Return the rows of a metric by group."""
    rows = frame.filter(
        pl.col("metric") == metric,
        pl.col("players") == players,
        pl.col("cell").is_null() == pooled,
    ).to_dicts()
    return {row["group"]: row for row in rows}


def estimates(*args):
    """Return the estimates of a metric by group."""
    return {group: row["estimate"] for group, row in found(*args).items()}


def by(rows, key):
    """Return rows by key."""
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def shares_and_scores(frame, metric, case, groups, every):
    """Compare win share, score and share of seats of groups of seats with a recount."""
    known = estimates(frame, f"{metric}.win_share", *case)
    assert set(known) == set(groups)
    for group, rows in groups.items():
        assert known[group] == pytest.approx(fmean(row["win_share"] for row in rows))
        score = estimates(frame, f"{metric}.score", *case)[group]
        assert score == pytest.approx(fmean(row["score"] for row in rows))
        share = estimates(frame, f"{metric}.seats", *case)[group]
        assert share == pytest.approx(len(rows) / every)
        assert found(frame, f"{metric}.seats", *case)[group]["n"] == len(rows)


def regression(rows, columns, outcome, within=lambda row: row["key"]):
    """Return statsmodels' coefficients and half intervals, clustered by deal.

    Everything is centred among the rows of equal `within`; columns are functions of a row.
    """
    groups = list(by(rows, within).values())

    def centred(value):
        parts = [np.array([value(row) for row in group], float) for group in groups]
        return np.concatenate([part - part.mean() for part in parts])

    x = np.column_stack([centred(column) for column in columns])
    deals = [row["deal"] for group in groups for row in group]
    numbers = {deal: number for number, deal in enumerate(dict.fromkeys(deals))}
    fitted = sm.OLS(centred(lambda row: row[outcome]), x).fit(
        cov_type="cluster",
        cov_kwds={"groups": [numbers[deal] for deal in deals], "use_correction": False},
    )
    many = len(numbers)
    return fitted.params, fitted.bse * np.sqrt(many / (many - 1)) * t.ppf(0.975, many - 1)


def compare(row, estimate, half):
    """Hold a row against an estimate and half its interval."""
    assert row["estimate"] == pytest.approx(estimate, rel=1e-6, abs=1e-9)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=1e-6)


def drawn(frame, metric, kind, case, games, drawn_of, y_of, sets=None):
    """Hold rows of `sim.metrics.drawn` against statsmodels; ends are of `sets`."""
    things = [drawn_of(row) for row in games]
    y = [y_of(row) for row in games]
    stock, many = sorted(set().union(*things)), len(things[0])
    x = np.array([[name in own for name in stock] for own in things], float)
    numbers = {deal: n for n, deal in enumerate(dict.fromkeys(row["deal"] for row in games))}
    fitted = sm.OLS(y, x).fit(
        cov_type="cluster",
        cov_kwds={"groups": [numbers[row["deal"]] for row in games], "use_correction": False},
    )
    factor = np.sqrt(len(numbers) / (len(numbers) - 1)) * t.ppf(0.975, len(numbers) - 1)
    contrasts = np.eye(len(stock)) - 1 / len(stock)
    error = np.sqrt(np.diag(contrasts @ fitted.cov_params() @ contrasts)) * factor
    known = found(frame, metric, *case)
    for name, own, half in zip(stock, contrasts @ fitted.params, error, strict=True):
        compare(known[f"{kind} {name}"], own, half)
        assert known[f"{kind} {name}"]["n"] == sum(name in each for each in things)
    assert estimates(frame, f"{metric}.mean", *case)["all"] == pytest.approx(fmean(y))
    explained = estimates(frame, f"{metric}.explained", *case)["all"]
    centred = sm.OLS(y, sm.add_constant(x[:, 1:])).fit()
    assert explained == pytest.approx(centred.rsquared)
    worth = dict(zip(stock, fitted.params, strict=True))
    order = sorted(stock, key=worth.get)
    choices = sets or [order[:many], order[-many:]]
    totals = [sum(worth[name] for name in own) for own in choices]
    for part, wanted in (("least", min(totals)), ("most", max(totals))):
        ((group, value),) = estimates(frame, f"{metric}.{part}", *case).items()
        assert value == pytest.approx(wanted)
        assert set(group.split("+")) == set(choices[totals.index(wanted)])


def same_rows(themes, one, many):
    """Hold two runs against each other that differ in their shards alone."""
    assert len(many.shards) > len(one.shards)
    for theme in themes:
        first, second = theme(one), theme(many)
        values = ["estimate", "low", "high"]
        assert first.drop(values).equals(second.drop(values))
        for column in values:
            close = np.isclose(first[column], second[column], rtol=1e-7, atol=1e-9, equal_nan=True)
            assert close.all(), (theme, column)
