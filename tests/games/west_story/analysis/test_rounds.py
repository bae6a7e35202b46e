"""What is found out about rounds against plain recounts: standings, wealth, dice, purchases."""

from statistics import fmean

import pytest

from sim.games.west_story.analysis import first, runaway
from sim.games.west_story.analysis.blocks import SOURCES
from tests.games.recount import by, compare, estimates, found, regression, rows_of
from tests.games.west_story.analysis import made_up


def rounds_of(run, case):
    """Return the played rows of rounds with standing, and score and win share of their seat."""
    seats = {(row["key"], row["seat"]): row for row in rows_of(run, "seats", *case)}
    rows = [row for row in rows_of(run, "rounds", *case) if row["played"]]
    for row in rows:
        row["standing"] = sum(row[name] for name in SOURCES)
        row |= {name: seats[row["key"], row["seat"]][name] for name in ("score", "win_share")}
    return rows


def tables_of(rows):
    """Return rows by game and round, seat by seat."""
    return by(rows, lambda row: (row["key"], row["round"]))


def top(rows, column):
    """Return each row's share in having the most."""
    best = [row[column] == max(other[column] for other in rows) for row in rows]
    return [own / sum(best) for own in best]


def test_the_last_round_stands_as_the_score_does(run, case):
    rows = by(rounds_of(run, case), lambda row: (row["key"], row["seat"]))
    assert all(own[-1]["standing"] == own[-1]["score"] for own in rows.values())


def test_who_is_ahead_rich_or_first_and_wins(run, case):
    frame = runaway.runaway(run)
    tables = tables_of(rounds_of(run, case))
    wins = {"leader": {}, "richest": {}, "first": {}, "lead": {}}
    again = {}
    for (key, number), rows in tables.items():
        group = f"round {number}"

        def add(name, value, group=group):
            wins[name].setdefault(group, []).append(value)

        shares = [row["win_share"] for row in rows]
        for name, column in (("leader", "standing"), ("richest", "coins"), ("first", "first")):
            add(name, sum(w * s for w, s in zip(top(rows, column), shares, strict=True)))
        order = sorted(row["standing"] for row in rows)
        add("lead", order[-1] - order[-2])
        later = tables.get((key, number + 1))
        if later:
            both = zip(top(rows, "coins"), top(later, "coins"), strict=True)
            again.setdefault(group, []).append(sum(a * b for a, b in both))
    for name, groups in wins.items():
        known = found(frame, f"runaway.{name}", *case)
        assert set(known) == set(groups)
        for group, values in groups.items():
            assert known[group]["estimate"] == pytest.approx(fmean(values)), (name, group)
            assert known[group]["n"] == len(values)
    known = estimates(frame, "runaway.again", *case)
    assert known == {group: pytest.approx(fmean(values)) for group, values in again.items()}


@pytest.mark.parametrize(("metric", "column"), [("rank", "standing"), ("wealth_rank", "coins")])
def test_win_share_by_rank(run, case, metric, column):
    groups = {}
    for (_, number), rows in tables_of(rounds_of(run, case)).items():
        for row in rows:
            rank = 1 + sum(other[column] > row[column] for other in rows)
            groups.setdefault(f"round {number}, rank {rank}", []).append(row["win_share"])
    known = found(runaway.runaway(run), f"runaway.{metric}", *case)
    assert set(known) == set(groups)
    for group, values in groups.items():
        assert known[group]["estimate"] == pytest.approx(fmean(values))
        assert known[group]["n"] == len(values)


def of_styles(case):
    return [lambda row: row["style"] == "shy"] * case[1]


def test_what_a_vp_and_a_coin_go_with_is_that_of_statsmodels(run, case):
    frame = runaway.runaway(run)
    columns = [lambda row: row["standing"], lambda row: row["coins"], *of_styles(case)]
    for number, rows in by(rounds_of(run, case), lambda row: row["round"]).items():
        if len({row["deal"] for row in rows}) < 10:
            continue
        fitted, half = regression(rows, columns, "win_share")
        for at, name in enumerate(("win_per_vp", "win_per_coin")):
            row = found(frame, f"runaway.{name}", *case)[f"round {number}"]
            compare(row, fitted[at], half[at])


@pytest.mark.parametrize(("outcome", "column"), [("win", "win_share"), ("score", "score")])
def test_the_dice_at_ties_are_those_of_statsmodels(run, case, outcome, column):
    tables = tables_of(rounds_of(run, case))
    tied = []
    for (key, number), rows in tables.items():
        later = tables.get((key, number + 1))
        level = [row for row in rows if row["coins"] == max(other["coins"] for other in rows)]
        if later and len(level) > 1:
            dice = {row["seat"]: row["first"] for row in later}
            tied += [row | {"dice": dice[row["seat"]]} for row in level]
    ties = by(tied, lambda row: (row["key"], row["round"]))
    assert all(sum(row["dice"] for row in rows) == 1 for rows in ties.values())
    columns = [lambda row: row["dice"], lambda row: row["standing"], lambda row: row["cows"]]
    columns.append(lambda row: row["first"])
    if case[0] == 2:
        # whoever had the dice never gets them
        assert found(first.first_player(run), f"first.{outcome}_at_ties", *case) == {}
        return
    fitted, half = regression(
        tied, [*columns, *of_styles(case)], column, lambda row: (row["key"], row["round"])
    )
    row = found(first.first_player(run), f"first.{outcome}_at_ties", *case)["all"]
    compare(row, fitted[0], half[0])
    assert row["n"] == len(ties)


def test_growth_and_purchases(run, case):
    frame = runaway.growth(run)
    cards = run.plan.cells[0].components["cards"]
    played = {(row["key"], row["round"], row["seat"]) for row in rounds_of(run, case)}
    bought = by(
        (
            row
            for row in rows_of(run, "purchases", *case)
            if (row["key"], row["round"], row["seat"]) in played
        ),
        lambda row: row["round"],
    )
    for number, rows in by(rounds_of(run, case), lambda row: row["round"]).items():
        group = f"round {number}"
        for name, column in (("vp", "standing"), ("coins", "coins"), ("cows", "cows")):
            row = found(frame, f"growth.{name}", *case)[group]
            assert row["estimate"] == pytest.approx(fmean(row[column] for row in rows))
            assert row["n"] == len(rows)
        for source in SOURCES:
            known = estimates(frame, "growth.source", *case)[f"{group}, {source}"]
            assert known == pytest.approx(fmean(row[source] for row in rows))
        own = [row for row in bought[number] if row["card"] != "none"]
        for deck in ("production", "scoring", "building"):
            count = sum(cards[row["card"]]["deck"] == deck for row in own)
            known = estimates(frame, f"buying.{deck}", *case)[group]
            assert known == pytest.approx(count / len(rows))
        nothing = estimates(frame, "buying.nothing", *case)[group]
        assert nothing == pytest.approx(2 - len(own) / len(rows))
        covering = estimates(frame, "buying.covering", *case)[group]
        assert covering == pytest.approx(fmean(row["covers"] != "none" for row in own))
        price = estimates(frame, "buying.price", *case)[group]
        paid = [row["coins"] + row["hats"] + row["cows"] for row in own]
        assert price == pytest.approx(fmean(paid))


def test_whoever_counts_cows_to_find_the_richest_has_them_counted(monkeypatch, tmp_path):
    changes = {"rulings": {"richest": "coins_and_cows"}, "players": [2], "games": 60}
    run = made_up.play(monkeypatch, tmp_path / "run", changes)
    groups = {}
    for (_, number), rows in tables_of(rounds_of(run, (2, False))).items():
        for row in rows:
            row["wealth"] = row["coins"] + row["cows"]
        shares = zip(top(rows, "wealth"), (row["win_share"] for row in rows), strict=True)
        groups.setdefault(f"round {number}", []).append(sum(w * s for w, s in shares))
    known = estimates(runaway.runaway(run), "runaway.richest", 2, False)
    assert known == {group: pytest.approx(fmean(values)) for group, values in groups.items()}


def dice_worth_five(rng, table):
    """The first player of a round gains five VP more."""
    gains = rng.integers(0, 3, len(table["places"]))
    gains[table["first"]] += 5
    return gains


def test_what_the_dice_bring_is_found(monkeypatch, tmp_path):
    changes = {"players": [3], "games": 600, "lineups": {"mirror": ["greedy"]}, "sample": 1.0}
    run = made_up.play(monkeypatch, tmp_path / "run", changes, draw=dice_worth_five)
    frame = first.first_player(run)
    row = found(frame, "first.score_per_round", 3, False)["all"]
    assert row["low"] < 5 < row["high"]
    assert row["high"] - row["low"] < 1
    # less than five: whoever has the dice is last in line at the next tie
    row = found(frame, "first.score_at_ties", 3, False)["all"]
    assert 2 < row["low"] < row["estimate"] < 5
    coin = found(frame, "first.score_per_coin", 3, False)["all"]
    assert coin["low"] < 0 < coin["high"]
    left = estimates(frame, "first.score_by_seat", 3, False)
    # seat 0 is dealt the first round
    assert left["seat 0"] == pytest.approx(10 / 3, abs=0.7)
    assert sum(left.values()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("outcome", "column"), [("win", "win_share"), ("score", "score")])
def test_rounds_first_are_those_of_statsmodels(run, case, outcome, column):
    frame = first.first_player(run)
    seats = rows_of(run, "seats", *case)

    def earned(row):
        return row["rounds_first"] - (row["seat"] == 0)

    of_seats = [lambda row, seat=seat: row["seat"] == seat for seat in range(1, case[0])]
    plain, half = regression(seats, [lambda row: row["rounds_first"]], column)
    compare(found(frame, f"first.{outcome}_per_round_alone", *case)["all"], plain[0], half[0])
    fitted, half = regression(seats, [earned, *of_seats, *of_styles(case)], column)
    compare(found(frame, f"first.{outcome}_per_round", *case)["all"], fitted[0], half[0])
    left = [0, *fitted[1 : case[0]]]
    known = estimates(frame, f"first.{outcome}_by_seat", *case)
    assert list(known.values()) == pytest.approx([own - fmean(left) for own in left], abs=1e-9)
    columns = [earned, lambda row: row["pan_coins"], *of_seats, *of_styles(case)]
    fitted, half = regression(seats, columns, column)
    for at, name in enumerate(("per_round_apart", "per_coin")):
        compare(found(frame, f"first.{outcome}_{name}", *case)["all"], fitted[at], half[at])


def test_without_a_sample_there_are_no_rounds(monkeypatch, tmp_path):
    run = made_up.play(monkeypatch, tmp_path / "run", {"sample": 0.0, "games": 20})
    assert runaway.runaway(run).is_empty()
    assert runaway.growth(run).is_empty()
    assert found(first.first_player(run), "first.win_at_ties", 3, False) == {}
    assert found(first.first_player(run), "first.win_per_round", 3, False)


def test_shards_without_a_sampled_game_count_for_nothing(monkeypatch, tmp_path):
    changes = {"sample": 0.02, "players": [2], "games": 240}
    run = made_up.play(monkeypatch, tmp_path / "run", changes)
    known = found(runaway.runaway(run), "runaway.leader", 2, False)
    assert known["round 1"]["n"] in (4, 5)
