"""What is found out about things against plain recounts: certificates, cards, buildings, places."""

from statistics import fmean, stdev, variance

import numpy as np
import pytest

from sim.games.west_story.analysis import (
    METRICS,
    buildings,
    first,
    licence,
    market,
    places,
    players,
)
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
from tests.games.west_story.analysis import made_up

LICENCE_VP = 2
SET = [f"building_{place}" for place in range(5)]


def test_the_run_has_games_cut_off(run, case):
    every = rows_of(run, "games", *case, ended=False)
    assert 0.02 < fmean(row["truncated"] for row in every) < 0.5


def test_rounds_first_by_seat(run, case):
    frame = first.first_player(run)
    rounds = {row["key"]: row["rounds"] for row in rows_of(run, "games", *case)}
    seats = rows_of(run, "seats", *case)
    for seat, rows in by(seats, lambda row: f"seat {row['seat']}").items():
        known = estimates(frame, "first.rounds", *case)[seat]
        assert known == pytest.approx(fmean(row["rounds_first"] for row in rows))
        share = sum(row["rounds_first"] for row in rows) / sum(rounds[row["key"]] for row in rows)
        assert estimates(frame, "first.share", *case)[seat] == pytest.approx(share)
    shares_and_scores(
        *(frame, "first", case, by(seats, lambda row: f"first {row['rounds_first']}")), len(seats)
    )


def test_certificates(run, case):
    frame = licence.licence(run)
    seats = rows_of(run, "seats", *case)
    holders = [row for row in seats if row["certificate"] != "none"]
    groups = {"all": holders} | by(holders, lambda row: row["certificate"])
    groups |= by(holders, lambda row: f"bought in round {row['certificate_round']}")
    assert set(groups) == set(estimates(frame, "certificate.vp", *case))
    for group, rows in groups.items():
        vp, cards, paid = (
            fmean(row[name] for row in rows)
            for name in ("vp_certificate", "licence_cards", "certificate_paid")
        )
        wanted = {
            "round": fmean(row["certificate_round"] for row in rows),
            "paid": paid,
            "pairs": fmean(row["certificate_pairs"] for row in rows),
            "vp": vp,
            "instead": LICENCE_VP * cards,
            "gain": vp - LICENCE_VP * cards,
            "net": vp - LICENCE_VP * cards - paid,
            "better": fmean(
                row["vp_certificate"] > LICENCE_VP * row["licence_cards"] for row in rows
            ),
        }
        if cards:
            wanted["even"] = vp / cards
        for name, value in wanted.items():
            row = found(frame, f"certificate.{name}", *case)[group]
            assert row["estimate"] == pytest.approx(value), (group, name)
            assert row["n"] == len(rows)
    names = {True: "certificate", False: "licence"}
    by_kind = by(seats, lambda row: names[row["certificate"] != "none"])
    shares_and_scores(frame, "certificate", case, by_kind, len(seats))
    columns = [lambda row: row["certificate"] != "none"]
    columns += [lambda row: row["style"] == "shy"] * case[1]
    for outcome, column in (("win", "win_share"), ("score", "score")):
        fitted, half = regression(seats, columns, column)
        row = found(frame, f"certificate.{outcome}_per_certificate", *case)["all"]
        compare(row, fitted[0], half[0])


def test_the_licence_pays_what_the_ruling_says(monkeypatch, tmp_path):
    changes = {"rulings": {"licence_vp": 1}, "players": [2], "games": 60}
    run = made_up.play(monkeypatch, tmp_path / "run", changes)
    rows = [row for row in rows_of(run, "seats", 2, False) if row["certificate"] != "none"]
    instead = estimates(licence.licence(run), "certificate.instead", 2, False)["all"]
    assert instead == pytest.approx(fmean(row["licence_cards"] for row in rows))


def test_cards(run, case):
    frame = market.market(run)
    groups = by(
        (row for row in rows_of(run, "market", *case) if row["in_play"]), lambda row: row["card"]
    )
    assert len(groups) == 27
    for card, rows in groups.items():
        total = {
            name: sum(row[name] for row in rows)
            for name in ("seen", "bought", "owners", "win_share", "executed", "rounds")
        }
        paid = {name: sum(row[name] for row in rows) for name in ("coins", "hats", "cows")}
        seats = len(rows) * case[0]
        others = seats - total["owners"]
        wanted = {
            "seen": total["seen"] / len(rows),
            "bought": total["bought"] / len(rows),
            "taken": total["bought"] / total["seen"],
            "owners": total["owners"] / seats,
            "executed": total["executed"] / total["bought"],
            "round": total["rounds"] / total["bought"],
            **{name: value / total["bought"] for name, value in paid.items()},
            "price": sum(paid.values()) / total["bought"],
            "win_share": total["win_share"] / total["owners"],
            "lift": total["win_share"] / total["owners"]
            - (len(rows) - total["win_share"]) / others,
        }
        for name, value in wanted.items():
            known = found(frame, f"market.{name}", *case)[f"card {card}"]
            assert known["estimate"] == pytest.approx(value, abs=1e-6), (card, name)
        assert found(frame, "market.lift", *case)[f"card {card}"]["n"] == total["owners"]


def test_intervals_of_lifts_are_those_of_the_jackknife(run, case):
    """Leave out one deal at a time; a jackknife knows nothing of slopes and products."""
    from scipy.stats import t

    rows = [row for row in rows_of(run, "market", *case) if row["card"] == "mustang"]
    deals = list(by(rows, lambda row: row["deal"]).values())
    games = {row["key"] for row in rows_of(run, "games", *case)}
    wins = np.array([sum(row["win_share"] for row in own) for own in deals])
    owners = np.array([sum(row["owners"] for row in own) for own in deals])
    count = np.array([sum(row["key"] in games for row in own) for own in deals])

    def lift(wins, owners, count):
        return wins / owners - (count - wins) / (count * case[0] - owners)

    left = lift(*(each.sum() - each for each in (wins, owners, count)))
    many = len(deals)
    error = np.sqrt(((left - left.mean()) ** 2).sum() * (many - 1) / many)
    row = found(market.market(run), "market.lift", *case)["card mustang"]
    half = (row["high"] - row["low"]) / 2
    assert half == pytest.approx(error * t.ppf(0.975, many - 1), rel=0.1)


def of_games(run, case):
    """Return rows of games with mean score and spread, and their building types."""
    seats = by(rows_of(run, "seats", *case), lambda row: row["key"])
    games = rows_of(run, "games", *case)
    for row in games:
        scores = [seat["score"] for seat in seats[row["key"]]]
        row["score"], row["spread"] = fmean(scores), stdev(scores)
        row["set"] = "+".join(row[name] for name in SET)
    return games


@pytest.mark.parametrize("outcome", ["score", "rounds", "margin", "spread"])
def test_building_types_are_those_of_statsmodels(run, case, outcome):
    games = of_games(run, case)
    played = {frozenset(row) for row in run.scan("games").select(SET).collect().rows()}
    seen = set().union(*({row[name] for name in SET} for row in games))
    assert len(seen) == 11
    drawn(
        *(buildings.buildings(run), f"building.{outcome}", "card", case, games),
        lambda row: {row[name] for name in SET},
        lambda row: row[outcome],
        sets=list(played),
    )


def test_sets_of_buildings(monkeypatch, tmp_path):
    changes = made_up.FEW_SETS | {"games": 300}
    run = made_up.play(monkeypatch, tmp_path / "run", changes)
    frame = buildings.buildings(run)
    games = of_games(run, (2, False))
    groups = by(games, lambda row: row["set"])
    assert 5 < len(groups) < 22
    level = fmean(fmean(row["score"] for row in rows) for rows in groups.values() if len(rows) > 1)
    for name in ("score", "rounds", "margin", "spread"):
        known = found(frame, f"building_set.{name}", 2, False)
        assert set(known) == set(groups)
        for group, rows in groups.items():
            assert known[group]["estimate"] == pytest.approx(fmean(row[name] for row in rows))
            assert known[group]["n"] == len(rows)
    gaps = estimates(frame, "building_set.from_mean", 2, False)
    for group, rows in groups.items():
        if len(rows) > 1:
            assert gaps[group] == pytest.approx(fmean(row["score"] for row in rows) - level)
    ties = estimates(frame, "building_set.ties", 2, False)
    assert ties == {
        group: pytest.approx(fmean(row["tied"] for row in rows)) for group, rows in groups.items()
    }


def two_for_a_hotel(rng, table):
    """Where hotels are in play every seat gains two VP more a round."""
    hotel = list(dict.fromkeys(table["cards"])).index("hotel")
    return rng.integers(0, 3, len(table["places"])) + 2 * (hotel in table["set"])


def test_a_rich_type_and_rich_sets_are_found(monkeypatch, tmp_path):
    changes = made_up.FEW_SETS | {"games": 400}
    rich = made_up.play(monkeypatch, tmp_path / "rich", changes, draw=two_for_a_hotel)
    frame = buildings.buildings(rich)
    # nine rounds and a half on average
    worth = found(frame, "building.score", 2, False)["card hotel"]
    others = [
        row["estimate"]
        for group, row in found(frame, "building.score", 2, False).items()
        if group != "card hotel"
    ]
    assert worth["estimate"] - fmean(others) == pytest.approx(19, abs=4)
    assert worth["low"] > 0
    assert estimates(frame, "building_set.score.p", 2, False)["all"] < 1e-6
    ((most, _),) = estimates(frame, "building.score.most", 2, False).items()
    assert "hotel" in most.split("+")


def test_sets_that_are_alike_are_not_told_apart(monkeypatch, tmp_path):
    changes = made_up.FEW_SETS | {"games": 400}
    run = made_up.play(monkeypatch, tmp_path / "plain", changes)
    frame = buildings.buildings(run)
    assert estimates(frame, "building_set.score.p", 2, False)["all"] > 0.01
    games = by(of_games(run, (2, False)), lambda row: row["set"])
    enough = [[row["score"] for row in rows] for rows in games.values() if len(rows) >= 5]
    gap = variance([fmean(scores) for scores in enough])
    gap -= fmean(variance(scores) / len(scores) for scores in enough)
    spread = estimates(frame, "building_set.score.sd", 2, False)["all"]
    assert spread == pytest.approx(max(0, gap) ** 0.5)


def test_one_set_of_buildings_has_nothing_to_compare(monkeypatch, tmp_path):
    changes = {"rulings": {"buildings": "base"}, "games": 20}
    run = made_up.play(monkeypatch, tmp_path / "run", changes)
    assert buildings.buildings(run).is_empty()
    assert len(market.market(run)) > 0


def test_villains(run, case):
    frame = places.villains(run)
    rows = rows_of(run, "villains", *case)
    worth = run.plan.cells[0].components["villain_tokens"]["tokens"]
    groups = by(rows, lambda row: row["token"]) | by(rows, lambda row: f"at {row['place']}")
    assert len(groups) == 8 + 6
    assert set(groups) == set(estimates(frame, "villain.turned", *case))
    for group, own in groups.items():
        up = [row for row in own if row["turned_round"]]
        won = [row for row in up if row["fought"]]
        wanted = {
            "turned": len(up) / len(own),
            "round": fmean(row["turned_round"] for row in up),
            "fought": len(won) / len(up),
            "stayed": fmean(row["gone_round"] - row["turned_round"] for row in won),
            "bribes": fmean(row["bribes"] for row in up),
            "paid": fmean(row["paid"] for row in up),
            "pot": fmean(row["pot"] for row in won),
            "vp": sum(worth[row["token"]]["vp"] for row in won) / len(own),
            "win_share": fmean(row["win_share"] for row in won),
        }
        for name, value in wanted.items():
            known = estimates(frame, f"villain.{name}", *case)[group]
            assert known == pytest.approx(value, abs=1e-6), (group, name)


def test_towns(run, case):
    frame = places.towns(run)
    for town, rows in by(rows_of(run, "towns", *case), lambda row: row["town"]).items():
        total = {
            name: sum(row[name] for row in rows)
            for name in ("discs", "seats", "full", "vp", "win_share")
        }
        wanted = {
            "discs": total["discs"] / len(rows),
            "vp": total["vp"] / len(rows),
            "per_disc": total["vp"] / total["discs"],
            "owners": total["seats"] / len(rows) / case[0],
            "full": total["full"] / len(rows) / case[0],
            "quadruple": fmean(row["quadruples"] for row in rows),
            "wild": fmean(row["wilds"] for row in rows),
            "win_share": total["win_share"] / total["seats"],
        }
        for name, value in wanted.items():
            known = estimates(frame, f"town.{name}", *case)[town]
            assert known == pytest.approx(value, abs=1e-6), (town, name)


def test_spaces(run, case):
    frame = places.spaces(run)
    how = ("by_die", "moved", "by_combo", "by_token", "by_trade")
    groups = by(rows_of(run, "spaces", *case), lambda row: row["spot"])
    assert len(groups) == 12
    for spot, rows in groups.items():
        total = {name: sum(row[name] for row in rows) for name in (*how, "seats", "as_space")}
        executed = sum(total[name] for name in how)
        for name in how:
            known = estimates(frame, f"space.{name}", *case)[spot]
            assert known == pytest.approx(total[name] / total["seats"])
        known = found(frame, "space.executed", *case)[spot]
        assert known["estimate"] == pytest.approx(executed / total["seats"])
        assert known["n"] == total["seats"]
        printed = estimates(frame, "space.as_printed", *case)[spot]
        assert printed == pytest.approx(total["as_space"] / executed)


def test_players_and_the_lake(run, case):
    frame = players.players(run)
    seats = rows_of(run, "seats", *case)
    styles = by(seats, lambda row: f"style {row['style']}") if case[1] else {}
    for group, rows in ({"all": seats} | styles).items():
        reached = [row for row in rows if row["lake_round"]]
        for metric, value in (
            ("player.bought", fmean(row["bought"] for row in rows)),
            ("player.animals", fmean(row["animals"] for row in rows)),
            ("player.combos", fmean(row["combos"] for row in rows)),
            ("player.certificate", fmean(row["certificate"] != "none" for row in rows)),
            ("lake.reached", len(reached) / len(rows)),
            ("lake.round", fmean(row["lake_round"] for row in reached)),
        ):
            assert estimates(frame, metric, *case)[group] == pytest.approx(value), metric
    assert set(estimates(frame, "player.bought", *case)) == {"all", *styles}
    by_lake = by(seats, lambda row: "lake" if row["lake_round"] else "no lake")
    shares_and_scores(frame, "lake", case, by_lake, len(seats))


def test_shards_do_not_matter(monkeypatch, tmp_path, run):
    whole = made_up.play(monkeypatch, tmp_path / "run", shard_games=10_000)
    same_rows(METRICS, whole, run)
