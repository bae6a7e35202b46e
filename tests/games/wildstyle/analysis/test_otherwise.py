"""Games scored again with other points, one by one from the same tables."""

from collections import defaultdict
from statistics import fmean

import pytest

from sim.games.wildstyle.analysis.objectives import objectives, wins
from sim.games.wildstyle.analysis.otherwise import otherwise
from tests.games.wildstyle.analysis import made_up
from tests.games.wildstyle.analysis.test_objectives import share_of, tables


@pytest.mark.parametrize("name", ["mirror", "robin"])
def test_with_their_own_points_nothing_changes(runs, name):
    again = otherwise(runs[name], {})
    for metric, before in (
        ("objective.points", objectives(runs[name])),
        ("objective.win_worth", wins(runs[name])),
    ):
        known = made_up.estimates(before, metric)
        found = made_up.estimates(again, metric)
        assert found == pytest.approx({key: known[key] for key in found})
        assert found


@pytest.mark.parametrize("players", [2, 3])
def test_games_one_by_one(runs, players):
    run = runs["mirror"]
    _, seats, rows = tables(run, players)
    sides = sorted({row["side"] for row in rows})
    factors = {sides[0]: 2.0, sides[1]: 0.5, sides[2]: 4 / 3}
    points = {
        (row["side"], row["key"], row["seat"]): round(row["points"] * factors.get(row["side"], 1))
        for row in rows
    }
    change = defaultdict(int)
    for row in rows:
        new = points[row["side"], row["key"], row["seat"]]
        change[row["key"], row["seat"]] += new - row["points"]
    standing = defaultdict(dict)
    for row in seats:
        score = row["score"] + change[row["key"], row["seat"]]
        standing[row["key"]][row["seat"]] = score, -row["cop_cars"]
    owed, mean = defaultdict(list), defaultdict(list)
    for (side, key, seat), own in points.items():
        now = [standing[key][at] for at in range(players)]
        without = list(now)
        without[seat] = now[seat][0] - own, now[seat][1]
        owed[side].append(share_of(now, seat) - share_of(without, seat))
        mean[side].append(own)
    found = otherwise(run, factors)
    for metric, known in (("objective.win_worth", owed), ("objective.points", mean)):
        estimates = made_up.estimates(found, metric)
        for side, values in known.items():
            assert estimates[players, side] == pytest.approx(fmean(values), abs=1e-12)
