"""Metrics of objectives against plain recounts of the same tables, and against statsmodels."""

from collections import defaultdict
from statistics import fmean

import numpy as np
import pytest
import statsmodels.api as sm

from sim import games as all_games
from sim.games.wildstyle.analysis.objectives import fair_values, objectives, wins
from sim.metrics.tidy import POOLED
from tests.games.wildstyle.analysis import made_up

SIDES = all_games.get("wildstyle").default_components()["objectives"]["sides"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs in which every cell is alone, and with round robins."""
    with pytest.MonkeyPatch.context() as patch:
        yield {
            name: made_up.play(patch, tmp_path_factory.mktemp(name) / "run", changes)
            for name, changes in (("mirror", {}), ("robin", made_up.ROBIN))
        }


def tables(run, players):
    """Return games, seats and objectives that ended by rule with so many players, as rows.

    Rows know their game by (cell, game) and their deal.
    """
    cells = {cell.index: cell for cell in run.plan.cells if cell.players == players}
    found = []
    cut = set()
    for table in ("games", "seats", "objectives"):
        rows = [row for row in made_up.rows_of(run, table) if row["cell"] in cells]
        for row in rows:
            row["key"] = row["cell"], row["game"]
            rotate = cells[row["cell"]].rotate
            row["deal"] = row["game"] // players if rotate else row["game"]
            if row.get("truncated"):
                cut.add(row["key"])
        found.append([row for row in rows if row["key"] not in cut])
    return found


CASES = [(name, players) for name in ("mirror", "robin") for players in (2, 3)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} {case[1]}")
def case(request, runs):
    """A run, a number of players, and its rows."""
    name, players = request.param
    return runs[name], players, tables(runs[name], players)


def test_means_of_sides(case):
    run, players, (_, seats, rows) = case
    frame = objectives(run)
    own = defaultdict(list)
    for row in rows:
        own[row["side"]].append(row)
    score = {(row["key"], row["seat"]): row["score"] for row in seats}
    for metric, write in (
        ("points", lambda found: fmean(row["points"] for row in found)),
        ("completed", lambda found: fmean(row["completed"] for row in found)),
        ("tags_used", lambda found: fmean(row["tags"] for row in found)),
        ("lost", lambda found: fmean(row["before"] - row["points"] for row in found)),
        (
            "share_of_score",
            lambda found: (
                sum(row["points"] for row in found)
                / sum(score[row["key"], row["seat"]] for row in found)
            ),
        ),
        (
            "of_possible",
            lambda found: (
                sum(row["points"] for row in found) / sum(row["possible"] for row in found)
            ),
        ),
    ):
        known = made_up.estimates(frame, f"objective.{metric}")
        for side, found in own.items():
            assert known[players, side] == pytest.approx(write(found), rel=1e-12)
        # no side that was never in play
        assert {group for n, group in known if n == players and " " not in group} == set(own)


def test_by_style_where_styles_meet(runs):
    run = runs["robin"]
    known = made_up.estimates(objectives(run), "objective.points")
    _, _, rows = tables(run, 2)
    own = defaultdict(list)
    for row in rows:
        own[f"style {row['style']}, objective {row['side']}"].append(row["points"])
    assert own
    for group, points in own.items():
        assert known[2, group] == pytest.approx(fmean(points), rel=1e-12)
    mirrored = made_up.estimates(objectives(runs["mirror"]), "objective.points")
    assert not any("style" in group for _, group in mirrored)


def test_only_heads_have_rows(runs):
    frame = objectives(runs["robin"])
    assert set(frame["lineup"]) == {POOLED}
    assert frame["cell"].null_count() == len(frame)


def clusters(rows, values):
    """Return values with the deal of each row, as arrays."""
    return np.array(values, float), np.array([row["deal"] for row in rows])


def robust(y, x, groups):
    """Return coefficients and standard errors of statsmodels, robust to clusters."""
    many = len(set(groups))
    fitted = sm.OLS(y, x).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}, use_t=True
    )
    return fitted.params, fitted.bse * np.sqrt(many / (many - 1)), many


def bounds(frame, metric, players, group):
    row = frame.filter(
        (frame["metric"] == metric) & (frame["players"] == players) & (frame["group"] == group)
    ).to_dicts()[0]
    return row["estimate"], (row["high"] - row["low"]) / 2


def half(error, many):
    from scipy.stats import t

    return error * t.ppf(0.975, many - 1)


def test_interval_of_points_is_that_of_statsmodels(case):
    run, players, (_, _, rows) = case
    frame = objectives(run)
    for side in sorted({row["side"] for row in rows})[:4]:
        own = [row for row in rows if row["side"] == side]
        y, deals = clusters(own, [row["points"] for row in own])
        (mean,), (error,), many = robust(y, np.ones((len(y), 1)), deals)
        estimate, width = bounds(frame, "objective.points", players, side)
        assert estimate == pytest.approx(mean)
        assert width == pytest.approx(half(error, many), rel=1e-9)


def test_win_gains_are_those_of_statsmodels(case, monkeypatch):
    run, players, (_, seats, rows) = case
    monkeypatch.setattr("sim.games.wildstyle.analysis.objectives.LEAST_SEATS", 20)
    frame = wins.__wrapped__(run)
    won = {(row["key"], row["seat"]): row["win_share"] for row in seats}
    total = defaultdict(int)
    for row in rows:
        total[row["key"], row["seat"]] += row["points"]
    known = made_up.estimates(frame, "objective.win_gain")
    checked = [side for n, side in known if n == players]
    assert checked
    for side in checked:
        own = [row for row in rows if row["side"] == side]
        y, deals = clusters(own, [won[row["key"], row["seat"]] for row in own])
        did = np.array([row["completed"] for row in own], float)
        rest = np.array([total[row["key"], row["seat"]] - row["points"] for row in own], float)
        found, errors, many = robust(y, sm.add_constant(did), deals)
        estimate, width = bounds(frame, "objective.win_gain_raw", players, side)
        assert estimate == pytest.approx(found[1])
        assert width == pytest.approx(half(errors[1], many), rel=1e-6)
        game = [row["key"] for row in own]
        centred = [centre(part, game) for part in (y, did, rest)]
        found, errors, many = robust(centred[0], np.column_stack(centred[1:]), deals)
        estimate, width = bounds(frame, "objective.win_gain", players, side)
        assert estimate == pytest.approx(found[0])
        assert width == pytest.approx(half(errors[0], many), rel=1e-6)


def centre(values, keys):
    means = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        means[key].append(value)
    return np.array([value - fmean(means[key]) for key, value in zip(keys, values, strict=True)])


def test_no_gain_where_hardly_anybody_missed_it(monkeypatch, tmp_path):
    run = made_up.play(monkeypatch, tmp_path / "run", draw=lambda rng, sides, style: [1] * 3)
    assert made_up.estimates(wins(run), "objective.win_gain") == {}
    assert made_up.estimates(wins(run), "objective.win_worth")


def share_of(standing, seat):
    """Return a seat's share of the win, given (score, minus cop cars) of all."""
    best = max(standing)
    return (standing[seat] == best) / standing.count(best)


def test_games_scored_again_one_by_one(case):
    run, players, (_, seats, rows) = case
    frame = wins(run)
    standing = defaultdict(dict)
    for row in seats:
        standing[row["key"]][row["seat"]] = row["score"], -row["cop_cars"]
    by_game = defaultdict(dict)
    for row in rows:
        by_game[row["side"], row["key"]][row["seat"]] = row["points"]
    owed, decided, steeper = defaultdict(list), defaultdict(list), defaultdict(list)
    for (side, key), points in by_game.items():
        as_it_was = [standing[key][seat] for seat in range(players)]
        without = [(score - points[seat], cars) for seat, (score, cars) in enumerate(as_it_was)]
        decided[side].append(
            [own == max(without) for own in without] != [own == max(as_it_was) for own in as_it_was]
        )
        for seat, (score, cars) in enumerate(as_it_was):
            shares = []
            for bonus in (0, -points[seat], 1, -1):
                other = [*as_it_was]
                other[seat] = score + bonus, cars
                shares.append(share_of(other, seat))
            owed[side].append(shares[0] - shares[1])
            steeper[side].append((shares[2] - shares[3]) / 2)
    for metric, known in (
        ("objective.win_worth", owed),
        ("objective.decides", decided),
        ("objective.win_per_point", steeper),
    ):
        found = made_up.estimates(frame, metric)
        for side, values in known.items():
            assert found[players, side] == pytest.approx(fmean(values), abs=1e-12)


def test_slope_over_all_games_is_a_mean_of_games(case):
    run, players, (games, seats, _) = case
    standing = defaultdict(dict)
    for row in seats:
        standing[row["key"]][row["seat"]] = row["score"], -row["cop_cars"]
    slopes = []
    for known in standing.values():
        for seat in range(players):
            ends = []
            for bonus in (1, -1):
                other = [known[n] for n in range(players)]
                other[seat] = known[seat][0] + bonus, known[seat][1]
                ends.append(share_of(other, seat))
            slopes.append((ends[0] - ends[1]) / 2)
    found = made_up.estimates(wins(run), "objective.win_per_point")
    assert found[players, "all"] == pytest.approx(fmean(slopes), abs=1e-12)
    assert len(games) * players == len(slopes)


def test_fair_values_bring_all_to_the_mean(case):
    run, players, _ = case
    frame, points = fair_values(run), made_up.estimates(objectives(run), "objective.points")
    points = {side: mean for (n, side), mean in points.items() if n == players and " " not in side}
    worth = made_up.estimates(wins(run), "objective.win_worth")
    slope = made_up.estimates(wins(run), "objective.win_per_point")
    target, owed = fmean(points.values()), fmean(worth[players, side] for side in points)
    for side, mean in points.items():
        now = SIDES[side]["points"]
        if slope[players, side] == 0:
            # no seat of these few games would have won or lost by a point
            assert made_up.estimates(frame, "objective.fair_unit_by_wins")[players, side] is None
            continue
        by_wins = (owed - worth[players, side]) / slope[players, side]
        for metric, wanted in (
            ("fair_change", target - mean),
            ("fair_unit", now * target / mean),
            ("fair_change_by_wins", by_wins),
            ("fair_unit_by_wins", now * (mean + by_wins) / mean),
        ):
            found = made_up.estimates(frame, f"objective.{metric}")
            assert found[players, side] == pytest.approx(wanted, rel=1e-9)


def test_intervals_of_what_compares_sides_are_those_of_the_jackknife(case):
    """Leave out one deal at a time; a jackknife knows nothing of slopes and products."""
    run, players, (_, _, rows) = case
    frame = fair_values(run)
    sides = sorted({row["side"] for row in rows})
    deals = sorted({row["deal"] for row in rows})
    sums = np.zeros((len(deals), 2, len(sides)))
    at = {deal: number for number, deal in enumerate(deals)}
    for row in rows:
        sums[at[row["deal"]], :, sides.index(row["side"])] += 1, row["points"]
    seats, points = (sums.sum(0) - sums).transpose(1, 0, 2)
    means = points / seats
    level = means.mean(1, keepdims=True)
    for metric, values in (
        ("objective.fair_change", level - means),
        ("objective.fair_unit", level / means * [SIDES[side]["points"] for side in sides]),
    ):
        spread = ((values - values.mean(0)) ** 2).sum(0) * (len(deals) - 1) / len(deals)
        for side, error in zip(sides, np.sqrt(spread), strict=True):
            _, width = bounds(frame, metric, players, side)
            many = len({row["deal"] for row in rows if row["side"] == side})
            assert width == pytest.approx(half(error, many), rel=0.15)


def test_a_sides_against_b_sides(case):
    run, players, _ = case
    points = made_up.estimates(objectives(run), "objective.points")
    gaps = made_up.estimates(fair_values(run), "sides.gap")
    tiles = all_games.get("wildstyle").default_components()["objectives"]["tiles"]
    assert len([n for n, _ in gaps if n == players]) == len(tiles)
    for a, b in tiles:
        gap = gaps[players, f"{a} against {b}"]
        assert gap == pytest.approx(points[players, a] - points[players, b], rel=1e-9)


def test_shards_do_not_matter(monkeypatch, tmp_path, runs):
    whole = made_up.play(monkeypatch, tmp_path / "run", made_up.ROBIN, shard_games=10_000)
    for theme in (objectives, wins, fair_values):
        one, many = theme(whole), theme(runs["robin"])
        assert one.drop("estimate", "low", "high").equals(many.drop("estimate", "low", "high"))
        for column in ("estimate", "low", "high"):
            close = np.isclose(one[column], many[column], rtol=1e-9, atol=1e-12, equal_nan=True)
            assert close.all()
