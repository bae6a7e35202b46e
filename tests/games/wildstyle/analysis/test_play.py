"""Metrics of sets, cop cars, tempo, rounds and the map against plain recounts."""

from collections import Counter, defaultdict
from statistics import fmean, variance

import numpy as np
import pytest
import statsmodels.api as sm

from sim.games.wildstyle import events
from sim.games.wildstyle.analysis.city import city, rounds
from sim.games.wildstyle.analysis.players import cop_cars, players, tempo
from sim.games.wildstyle.analysis.tilesets import tile_sets
from tests.games.wildstyle.analysis import made_up
from tests.games.wildstyle.analysis.test_objectives import bounds, half, robust

HEXES = 37
ON_A_BOARD = dict(zip(events.ICONS, (8, 1, 6, 6, 6, 4, 4, 2), strict=True))
ICON_POINTS = dict(zip(events.ICONS, (1, 1, 2, 2, 2, 3, 3, 4), strict=True))


@pytest.fixture(params=["mirror", "robin"])
def run(request, runs):
    return runs[request.param]


def ended(run, table, n):
    """Return a table's rows with n players, of games that ended by rule, with their deals."""
    cells = {cell.index: cell for cell in run.plan.cells if cell.players == n}
    cut = {(row["cell"], row["game"]) for row in made_up.rows_of(run, "games") if row["truncated"]}
    rows = [
        row
        for row in made_up.rows_of(run, table)
        if row["cell"] in cells and (row["cell"], row["game"]) not in cut
    ]
    for row in rows:
        row["deal"] = row["game"] // n if cells[row["cell"]].rotate else row["game"]
        row["key"] = row["cell"], row["game"]
    return rows


@pytest.mark.parametrize("n", [2, 3])
def test_sets_of_tiles(run, n):
    frame = tile_sets(run)
    tiles = {row["key"]: row["tile_set"] for row in ended(run, "games", n)}
    points = defaultdict(lambda: defaultdict(list))
    for row in ended(run, "seats", n):
        points[tiles[row["key"]]][row["key"]].append(row["objective_points"])
    means = {
        name: fmean(p for game in found.values() for p in game) for name, found in points.items()
    }
    known = made_up.estimates(frame, "tileset.points")
    spread = made_up.estimates(frame, "tileset.spread")
    for name, found in points.items():
        assert known[n, name] == pytest.approx(means[name])
        wanted = fmean(variance(game) for game in found.values()) ** 0.5
        assert spread[n, name] == pytest.approx(wanted)
    gaps = made_up.estimates(frame, "tileset.from_mean")
    deals = defaultdict(set)
    for row in ended(run, "games", n):
        deals[row["tile_set"]].add(row["deal"])
    twice = [name for name in means if len(deals[name]) > 1]
    level = fmean(means[name] for name in twice)
    assert {name for m, name in gaps if m == n} == set(twice)
    for name in twice:
        assert gaps[n, name] == pytest.approx(means[name] - level)
    games = ended(run, "games", n)
    for metric, column in (("tileset.ties", "tied"), ("tileset.margin", "margin")):
        known = made_up.estimates(frame, metric)
        own = defaultdict(list)
        for row in games:
            own[row["tile_set"]].append(row[column])
        for name, values in own.items():
            assert known[n, name] == pytest.approx(fmean(values))


def test_two_tiles_that_go_together_are_found(monkeypatch, tmp_path):
    """Tricorners bring a triangle more where Zone Control is in play, and nothing else does."""

    def draw(rng, sides, style):
        together = {0, 9} <= set(sides)
        return [2 + rng.poisson(1) + (side == 0 and together) for side in sides]

    changes = {"games": 2400, "players": [2], "sample": 0.0, "rulings": {"tiles": "even"}}
    run = made_up.play(monkeypatch, tmp_path / "run", changes, draw=draw, shard_games=600)
    frame = tile_sets(run)
    pairs = made_up.estimates(frame, "tileset.pair")
    assert len(pairs) == 15 + 30
    best = max(pairs, key=lambda key: pairs[key])
    assert best == (2, "tricorners+zone_control")
    estimate, width = bounds(frame, "tileset.pair", *best)
    assert abs(estimate - 6) < 2 * width
    assert width < 1.5


def test_two_tiles_together_by_least_squares_over_games(runs):
    """One row a game, its points a seat on the sides in play and the pair, by statsmodels."""
    run = runs["mirror"]
    points = defaultdict(list)
    for row in ended(run, "seats", 2):
        points[row["key"]].append(row["objective_points"])
    games = [(row["tile_set"].split("+"), points[row["key"]]) for row in ended(run, "games", 2)]
    seen = Counter(tuple(tiles) for tiles, _ in games)
    games = [(tiles, own) for tiles, own in games if seen[tuple(tiles)] > 1]
    sides = sorted({side for tiles, _ in games for side in tiles})
    y = np.array([fmean(own) for _, own in games])
    known = made_up.estimates(tile_sets(run), "tileset.pair")
    assert len([n for n, _ in known if n == 2]) == 45
    for pair in [("bestagon", "border_wars"), ("tricorners", "straight_shooter")]:
        # two A sides and one B side: the last column tells nothing new
        own = [[side in tiles for side in sides[:-1]] for tiles, _ in games]
        x = np.column_stack([own, [set(pair) <= set(tiles) for tiles, _ in games]])
        found = sm.OLS(y, np.array(x, float)).fit()
        assert known[2, "+".join(sorted(pair))] == pytest.approx(found.params[-1], rel=1e-6)


@pytest.mark.parametrize("n", [2, 3])
def test_means_of_seats(run, n):
    frame = players(run)
    seats = ended(run, "seats", n)
    for metric in ("placed", "lost_to_cars", "lost_solo", "cop_cars", "acts", "waits"):
        known = made_up.estimates(frame, f"player.{metric}")
        assert known[n, "all"] == pytest.approx(fmean(row[metric] for row in seats))
        for style in {row["style"] for row in seats}:
            own = [row[metric] for row in seats if row["style"] == style]
            if len(run.study.lineups.round_robin) > 1:
                assert known[n, f"style {style}"] == pytest.approx(fmean(own))
            else:
                assert (n, f"style {style}") not in known
    failed = sum(row["fumbles"] for row in seats)
    landed = failed + sum(row["acts"] for row in seats)
    assert made_up.estimates(frame, "player.fumbled")[n, "all"] == pytest.approx(failed / landed)


@pytest.mark.parametrize("n", [2, 3])
def test_cop_cars(run, n):
    frame = cop_cars(run)
    seats = ended(run, "seats", n)
    shares, won = (made_up.estimates(frame, f"cars.{name}") for name in ("seats", "win_share"))
    names = ["0 cop cars", "1 cop car", "2 cop cars", "3 cop cars", "6 or more cop cars"]
    for name in names:
        low = int(name[0])
        own = [
            row["win_share"]
            for row in seats
            if row["cop_cars"] == low or (low == 6 and row["cop_cars"] > 6)
        ]
        assert shares[n, name] == pytest.approx(len(own) / len(seats))
        assert won[n, name] == pytest.approx(fmean(own))
    assert sum(share for (m, _), share in shares.items() if m == n) == pytest.approx(1)


@pytest.mark.parametrize("n", [2, 3])
def test_price_of_a_cop_car_is_that_of_statsmodels(run, n):
    lost = defaultdict(float)
    for row in ended(run, "tags", n):
        off = row["fate"] in ("solo", "cop_car")
        lost[row["key"], row["seat"]] += ICON_POINTS[row["icon"]] if off else 0
    for row in ended(run, "objectives", n):
        if (row["key"], row["seat"]) in lost:
            lost[row["key"], row["seat"]] += row["before"] - row["points"]
    seats = [row for row in ended(run, "seats", n) if (row["key"], row["seat"]) in lost]
    y = np.array([lost[row["key"], row["seat"]] for row in seats])
    x = np.array([[1.0, row["lost_to_cars"], row["lost_solo"]] for row in seats])
    found, errors, many = robust(y, x, np.array([row["deal"] for row in seats]))
    estimate, width = bounds(cop_cars(run), "cars.price", n, "all")
    assert estimate == pytest.approx(found[1])
    assert width == pytest.approx(half(errors[1], many), rel=1e-6)


def test_tempo(runs):
    run = runs["robin"]
    frame = tempo(run)
    paces = {"greedy": 1.0, "quick": 0.8, "slow": 1.25}
    for n in (2, 3):
        seats = ended(run, "seats", n)
        known = made_up.estimates(frame, "tempo.win_share")
        for style, pace in paces.items():
            own = [row["win_share"] for row in seats if row["style"] == style]
            assert known[n, f"{pace:g}"] == pytest.approx(fmean(own))
    alone = made_up.estimates(frame, "tempo.alone")
    # three at three tempos: nobody is alone among equals
    assert {n for n, _ in alone} == {2}
    assert len(alone) == 6
    cells = {cell.index: set(cell.styles) for cell in run.plan.cells}
    own = [
        row["win_share"]
        for row in ended(run, "seats", 2)
        if row["style"] == "quick" and cells[row["cell"]] == {"quick", "greedy"}
    ]
    assert alone[2, "0.8 among 1"] == pytest.approx(fmean(own))
    assert len(tempo(runs["mirror"])) == 0


def test_tempo_of_other_ways_of_playing_is_not_told(monkeypatch, tmp_path):
    """Who also plays otherwise does not win by tempo alone."""
    changes = {
        "players": [2],
        "games": 8,
        "lineups": {"round_robin": ["greedy", "other"]},
        "styles": {"other": {"base": "greedy", "tempo": 0.8, "weights": {"points": 3.0}}},
    }
    assert len(tempo(made_up.play(monkeypatch, tmp_path / "run", changes))) == 0


@pytest.mark.parametrize("n", [2, 3])
def test_rounds(run, n):
    frame = rounds(run)
    cells = {cell.index for cell in run.plan.cells if cell.players == n}
    every = [row for row in made_up.rows_of(run, "rounds") if row["cell"] in cells]
    every = [row for row in every if row["end"] != "not_played"]
    for group in ("all", "round 1", "round 3"):
        own = [row for row in every if group in ("all", f"round {row['round']}")]
        for name in ("seconds", "acts", "rushed"):
            known = made_up.estimates(frame, f"round.{name}")
            assert known[n, group] == pytest.approx(fmean(row[name] for row in own), rel=1e-6)
        failed = sum(row["fumbles"] for row in own)
        landed = failed + sum(row["acts"] for row in own)
        assert made_up.estimates(frame, "round.fumbled")[n, group] == pytest.approx(failed / landed)
        for percent in (5, 50, 95):
            for name, digits in (("seconds", 1), ("acts", 0)):
                values = np.round([row[name] for row in own], digits)
                wanted = np.percentile(values, percent, method="inverted_cdf")
                known = made_up.estimates(frame, f"round.{name}.p{percent:02d}")
                assert known[n, group] == pytest.approx(wanted, abs=1e-6)
        ends = Counter(row["end"] for row in own)
        known = made_up.estimates(frame, "round.end")
        for end, count in ends.items():
            name = end if group == "all" else f"{group}, {end}"
            assert known[n, name] == pytest.approx(count / len(own))
    assert "not_played" not in " ".join(frame["group"].unique())


@pytest.mark.parametrize("n", [2, 3])
def test_the_map(run, n):
    frame = city(run)
    games = ended(run, "games", n)
    full = made_up.estimates(frame, "map.icons_full")
    assert full[n, "all"] == pytest.approx(fmean(row["icons_full"] > 0 for row in games))
    tags = [row for row in ended(run, "tags", n) if row["fate"] != "unplaced"]
    sampled = {row["key"] for row in ended(run, "tags", n)}
    tagged = {(row["key"], row["hex"]): row["icon"] for row in tags}
    known = made_up.estimates(frame, "map.tagged")
    assert len([m for m, _ in known if m == n]) == n * HEXES
    for number in (0, 5, n * HEXES - 1):
        count = sum(number == place for _, place in tagged)
        assert known[n, f"hex {number}"] == pytest.approx(count / len(sampled))
    known = made_up.estimates(frame, "map.occupied")
    for icon, each in ON_A_BOARD.items():
        count = sum(icon == other for other in tagged.values())
        assert known[n, icon] == pytest.approx(count / (each * n * len(sampled)))
    assert known[n, "all"] == pytest.approx(len(tagged) / (n * HEXES * len(sampled)))
    known = made_up.estimates(frame, "map.tags_on")
    for icon in ON_A_BOARD:
        own = [row for row in tags if row["icon"] == icon]
        assert known[n, icon] == pytest.approx(len(own) / len(tags))
        second = [row for row in tags if row["round"] == 2]
        wanted = sum(row["icon"] == icon for row in second) / len(second)
        assert known[n, f"round 2, {icon}"] == pytest.approx(wanted)


def test_least_squares_needs_more_than_one_way_out():
    """A variable that never differs has no coefficient of its own."""
    from sim.metrics.totals import least_squares, squares

    x = np.ones((2, 5, 3))
    assert least_squares(squares(x, np.ones((5, 3))).sum(-1), 2) is None
    x[1] = np.arange(15).reshape(5, 3)
    y = 2 + 3 * x[1]
    found = least_squares(squares(x, y).sum(-1), 2)
    assert [each.value for each in found] == pytest.approx([2, 3])
    assert sm.OLS(y.ravel(), sm.add_constant(x[1].ravel())).fit().params == pytest.approx([2, 3])
