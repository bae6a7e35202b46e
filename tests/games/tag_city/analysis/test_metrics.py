"""Metrics against plain recounts of the same tables, and regressions against statsmodels."""

from statistics import fmean

import numpy as np
import pytest
from scipy.stats import t

from sim.games.tag_city.analysis import METRICS, city, layers, leading, shapes, using
from sim.games.tag_city.analysis.gather import BY_ROUNDS
from tests.games.recount import (
    by,
    compare,
    drawn,
    estimates,
    found,
    regression,
    rows_of,
    same_rows,
    shares_and_scores,
)
from tests.games.tag_city.analysis import runs

LAYERS = ("row", "column", "neighborhood")
SQUARES = 96
CASES = [(players, pooled) for players in (2, 3) for pooled in (False, True)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} {'pooled' if case[1] else 'alone'}")
def case(request):
    """A number of players, and whether cells are pooled."""
    return request.param


def test_the_run_has_games_cut_off(run, case):
    every = rows_of(run, "games", *case, ended=False)
    assert 0.05 < fmean(row["truncated"] for row in every) < 0.95


def test_leading_by_seat(run, case):
    frame = leading.leading(run)
    games = by(rows_of(run, "seats", *case), lambda row: row["key"])
    rounds = {row["key"]: row["rounds"] for row in rows_of(run, "games", *case)}
    unequal = [len({row["turns_led"] for row in rows}) > 1 for rows in games.values()]
    assert estimates(frame, "lead.unequal", *case)["all"] == pytest.approx(fmean(unequal))
    seats = by((row for rows in games.values() for row in rows), lambda row: f"seat {row['seat']}")
    led, place = (estimates(frame, f"lead.{name}", *case) for name in ("rounds", "place"))
    share = estimates(frame, "lead.share", *case)
    assert set(led) == set(seats)
    for seat, rows in seats.items():
        assert led[seat] == pytest.approx(fmean(row["turns_led"] for row in rows))
        assert place[seat] == pytest.approx(fmean(row["draft_place"] for row in rows))
        wanted = sum(row["turns_led"] for row in rows) / sum(rounds[row["key"]] for row in rows)
        assert share[seat] == pytest.approx(wanted)


def test_what_leading_goes_with(run, case):
    frame = leading.leading(run)
    seats = rows_of(run, "seats", *case)
    games = by(seats, lambda row: row["key"])

    def against(row):
        led = [other["turns_led"] for other in games[row["key"]]]
        if max(led) == min(led):
            return "led alike"
        return "led more" if row["turns_led"] == max(led) else "led less"

    def place(row):
        return f"place {round(10 * (row['draft_place'] - (case[0] + 1) / 2)) / 10:g}"

    for metric, key in (
        ("lead", against),
        ("times_led", lambda row: f"led {row['turns_led']}"),
        ("draft", place),
    ):
        shares_and_scores(frame, metric, case, by(seats, key), len(seats))


@pytest.mark.parametrize("outcome", ["win", "score"])
def test_regressions_within_the_game_are_those_of_statsmodels(run, case, outcome):
    frame = leading.leading(run)
    seats = rows_of(run, "seats", *case)
    column = {"win": "win_share", "score": "score"}[outcome]
    plain, half = regression(seats, [lambda row: row["turns_led"]], column)
    row = found(frame, f"lead.{outcome}_per_lead_alone", *case)["all"]
    compare(row, plain[0], half[0])
    columns = [lambda row: row["turns_led"], lambda row: row["draft_place"]]
    columns += [lambda row, seat=seat: row["seat"] == seat for seat in range(1, case[0])]
    styles = [lambda row: row["style"] == "checker"] * case[1]
    fitted, half = regression(seats, [*columns, *styles], column)
    compare(found(frame, f"lead.{outcome}_per_lead", *case)["all"], fitted[0], half[0])
    tenth = found(frame, f"lead.{outcome}_per_tenth", *case)["all"]
    compare(tenth, fitted[1] / 10, half[1] / 10)
    of_seats = np.array([0, *fitted[2 : 1 + case[0]]])
    known = estimates(frame, f"lead.{outcome}_by_seat", *case)
    assert list(known.values()) == pytest.approx(list(of_seats - of_seats.mean()), rel=1e-6)


@pytest.mark.parametrize("outcome", ["win", "score"])
def test_slopes_of_drones_and_checks_are_those_of_statsmodels(run, outcome):
    case = (3, True)
    frame = using.using(run)
    columns = [lambda row: row["drones"], lambda row: row["checks"]]
    columns.append(lambda row: row["style"] == "checker")
    column = {"win": "win_share", "score": "score"}[outcome]
    fitted, half = regression(rows_of(run, "seats", *case), columns, column)
    for at, kind in enumerate(("drones", "checks")):
        compare(found(frame, f"{kind}.{outcome}_per_use", *case)["all"], fitted[at], half[at])


def points_of(row):
    return row["large_takers"] * row["large"] + row["small_takers"] * row["small"]


def test_layers(run, case):
    frame = layers.layers(run)
    rows = rows_of(run, "elements", *case)
    seats = len(rows_of(run, "seats", *case))
    pay = {}
    for layer in LAYERS:
        own = [row for row in rows if row["layer"] == layer]
        done = sum(row["large_takers"] + row["small_takers"] for row in own)
        larges = sum(row["large_takers"] for row in own)
        points = sum(map(points_of, own))
        pay[layer] = points / seats / SQUARES
        squares = sum(row["squares"] * (row["large_takers"] + row["small_takers"]) for row in own)
        for metric, wanted in (
            ("points", points / seats),
            ("per_square", pay[layer]),
            ("per_square_done", points / squares),
            ("completed", done / (len(own) * case[0])),
            ("large_share", larges / done),
            ("large_points", sum(row["large_takers"] * row["large"] for row in own) / points),
        ):
            known = found(frame, f"pay.{metric}", *case)[layer]
            assert known["estimate"] == pytest.approx(wanted), metric
            assert known["n"] == seats
        # the parts of the seats' scores say the same
        parts = [
            row[f"{layer}_large"] + row[f"{layer}_small"] for row in rows_of(run, "seats", *case)
        ]
        assert sum(parts) == points
    level = fmean(pay.values())
    values = {"row": (6, 3), "column": (4, 2), "neighborhood": (9.6, 4.8)}
    for layer in LAYERS:
        gap = estimates(frame, "pay.from_mean", *case)[layer]
        assert gap == pytest.approx(pay[layer] / level - 1)
        for metric, now in zip(("factor", "large", "small"), (1, *values[layer]), strict=True):
            fair = estimates(frame, f"fair.{metric}", *case)[layer]
            assert fair == pytest.approx(now * level / pay[layer])


def test_intervals_of_fair_values_are_those_of_the_jackknife(run, case):
    """Leave out one deal at a time; a jackknife knows nothing of slopes and products."""
    frame = layers.layers(run)
    deals = by(rows_of(run, "elements", *case), lambda row: row["deal"])
    sums = np.array(
        [
            [sum(points_of(row) for row in rows if row["layer"] == layer) for layer in LAYERS]
            for rows in deals.values()
        ]
    )
    left = sums.sum(0) - sums
    factors = left.mean(1, keepdims=True) / left
    many = len(deals)
    error = np.sqrt(((factors - factors.mean(0)) ** 2).sum(0) * (many - 1) / many)
    for layer, wanted in zip(LAYERS, error, strict=True):
        row = found(frame, "fair.factor", *case)[layer]
        half = (row["high"] - row["low"]) / 2
        assert half == pytest.approx(wanted * t.ppf(0.975, many - 1), rel=0.1)


def test_elements(run, case):
    frame = layers.elements(run)
    groups = by(rows_of(run, "elements", *case), lambda row: row["element"])
    assert len(groups) == 25
    for element, rows in groups.items():
        done = [row["large_takers"] + row["small_takers"] for row in rows]
        taken = [row for row in rows if row["large_takers"]]
        seats = len(rows) * case[0]
        wanted = {
            "per_square": sum(map(points_of, rows)) / seats / rows[0]["squares"],
            "completed": sum(done) / seats,
            "taken": len(taken) / len(rows),
            "contested": fmean(count > 1 for count in done),
        }
        if taken:
            wanted |= {
                "round": fmean(row["large_round"] for row in taken),
                "last_die": fmean(row["large_last_die"] for row in taken),
                "shared": fmean(row["large_takers"] > 1 for row in taken),
                "large_win_share": sum(row["large_win_share"] for row in taken)
                / sum(row["large_takers"] for row in taken),
            }
        for metric, value in wanted.items():
            known = estimates(frame, f"element.{metric}", *case)
            assert known[element] == pytest.approx(value, abs=1e-6), metric


def test_drones_checks_and_holes(run, case):
    frame = using.using(run)
    seats = rows_of(run, "seats", *case)
    styles = by(seats, lambda row: f"style {row['style']}") if case[1] else {}
    for group, rows in {"all": seats, **styles}.items():
        drones, free = (sum(f(row) for row in rows) for f in (lambda r: r["drones"], free_of))
        for metric, wanted in (
            ("drones.used", drones / len(rows)),
            ("drones.points", fmean(row["drone_points"] for row in rows)),
            ("drones.cost", sum(row["drone_points"] for row in rows) / drones),
            ("drones.anybody", fmean(row["drones"] > 0 for row in rows)),
            ("checks.made", fmean(row["checks"] for row in rows)),
            ("checks.bubbles", fmean(row["bubbles"] for row in rows)),
            ("checks.points", fmean(row["bubble_points"] for row in rows)),
            ("checks.anybody", fmean(row["checks"] > 0 for row in rows)),
            ("city.painted", fmean(row["squares"] for row in rows)),
            ("city.free", free / len(rows)),
            ("city.holes", fmean(row["holes"] for row in rows)),
            ("city.holes_of_free", sum(row["holes"] for row in rows) / free),
            ("city.drawings", fmean(row["drawings"] for row in rows)),
            ("city.last_points", fmean(row["last_points"] for row in rows)),
        ):
            assert estimates(frame, metric, *case)[group] == pytest.approx(wanted), metric
    assert set(estimates(frame, "drones.used", *case)) == {"all", *styles}
    for kind in ("drones", "checks"):
        groups = by(seats, lambda row, kind=kind: f"{row[kind]} used")
        shares_and_scores(frame, kind, case, groups, len(seats))


def free_of(row):
    return SQUARES - row["squares"]


def test_ties_and_ends(run, case):
    games = rows_of(run, "games", *case)
    frame = using.using(run)
    level = [row for row in games if row["margin"] == 0]
    broken = [row for row in level if not row["tied"]]
    assert estimates(frame, "ties.level", *case)["all"] == pytest.approx(len(level) / len(games))
    assert estimates(frame, "ties.broken", *case)["all"] == pytest.approx(len(broken) / len(games))
    frame = using.ends(run)
    scores = by(rows_of(run, "seats", *case), lambda row: row["key"])
    ends = by(games, lambda row: row["end_reason"])
    assert set(estimates(frame, "ends.rounds", *case)) == set(ends)
    for reason, rows in ends.items():
        rounds = estimates(frame, "ends.rounds", *case)[reason]
        assert rounds == pytest.approx(fmean(row["rounds"] for row in rows))
        own = [seat["score"] for row in rows for seat in scores[row["key"]]]
        assert estimates(frame, "ends.score", *case)[reason] == pytest.approx(fmean(own))


def test_shapes(run, case):
    frame = shapes.shapes(run)
    groups = by(rows_of(run, "shapes", *case), lambda row: f"shape {row['shape']}")

    def total(rows, *names):
        return sum(row[name] for row in rows for name in names)

    for metric, y, m in (
        ("no_room", ["no_room"], ["uses"]),
        ("painted", ["painted"], ["uses"]),
        ("dice", ["dice"], ["games"]),
        ("left", ["last"], ["dice"]),
        ("flown", ["flown"], ["games"]),
        ("points", ["points"], ["painted", "flown"]),
    ):
        wanted = {
            group: total(rows, *y) / total(rows, *m)
            for group, rows in groups.items()
            if total(rows, *m) and (metric != "dice" or total(rows, "dice"))
        }
        assert estimates(frame, f"shape.{metric}", *case) == pytest.approx(wanted)


@pytest.mark.parametrize("outcome", ["score", "rounds", "squares", "holes"])
def test_random_rings_are_those_of_statsmodels(run, case, outcome):
    frame = shapes.rings(run)
    games = rows_of(run, "games", *case)
    seats = by(rows_of(run, "seats", *case), lambda row: row["key"])

    def y_of(row):
        own = seats[row["key"]]
        return row["rounds"] if outcome == "rounds" else fmean(seat[outcome] for seat in own)

    def ring_of(row):
        return {row[f"ring_{space}"] for space in range(6)}

    assert len(set().union(*map(ring_of, games))) == 11
    drawn(frame, f"ring.{outcome}", "shape", case, games, ring_of, y_of)


def test_the_map(run, case):
    frame = city.city(run)
    rows = rows_of(run, "squares", *case)
    assert rows
    painted, rounds = (estimates(frame, f"map.{name}", *case) for name in ("painted", "round"))
    assert len(painted) == SQUARES * (1 + len(BY_ROUNDS))
    for square, own in by(rows, lambda row: row["square"]).items():
        name = f"square {square}"
        there = [row["round"] for row in own if row["round"]]
        assert painted[name] == pytest.approx(len(there) / len(own))
        assert rounds[name] == pytest.approx(fmean(there))
        for last in BY_ROUNDS:
            share = sum(number <= last for number in there) / len(own)
            assert painted[f"round {last}, {name}"] == pytest.approx(share)


def test_a_printed_ring_has_no_rows_of_rings(monkeypatch, tmp_path):
    changes = {"rulings": {"hq": "A"}, "sample": 0.0, "games": 12, "players": [2]}
    run = runs.play(monkeypatch, tmp_path / "run", **changes)
    assert shapes.rings(run).is_empty()
    assert city.city(run).is_empty()
    assert len(layers.layers(run)) > 0


def test_shards_do_not_matter(monkeypatch, tmp_path, run):
    whole = runs.play(monkeypatch, tmp_path / "run", shard_games=10_000)
    same_rows(METRICS, whole, run)
