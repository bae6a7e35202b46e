"""How rounds and games of the compiled game end, who wins, and what the tables say of it."""

import math
from collections import Counter

import numpy as np
import pytest

from sim.games.wildstyle import events

from ..running import uncompiled
from .table import (
    COMPONENTS,
    EXACT,
    GAME,
    SECOND,
    Table,
    log_of,
    named,
    numbers,
    played,
    prefers,
    seat,
    setup,
)
from .words import of, rows_of

GREEDY = GAME.styles()["greedy"]
REASONS = events.END_REASONS


def rows_in_words(made, count=1, seed=1):
    """Play games; return the rows of each table by column name."""
    labels = GAME.labels(made)
    return {
        name: [named(row, labels) for row in table]
        for name, table in played(made, count, seed).items()
    }


def ends(made, games=1, seed=1):
    """Return why the rounds of some games ended."""
    return [row["end"] for row in rows_in_words(made, games, seed)["rounds"]]


# Why a round ends


@uncompiled
def test_a_round_in_which_nobody_does_anything_is_a_stalemate_at_once():
    table = Table(seat("park red"), seat())
    table.let_look(0, 1)
    rows = table.run()
    assert [(row.event, row.seat, row.time) for row in rows] == [
        ("DECIDE", 0, 0), ("DECIDE", 1, 0), ("ROUND_END", -1, 0),
    ]  # fmt: skip
    assert rows[-1].a == events.STALEMATE


@uncompiled
def test_players_who_only_draw_fill_their_hands_and_stop():
    table = Table(*[seat(style=prefers(draw=1))] * 2, draw=["9*park red", "9*park red"])
    table.let_look(0, 1)
    rows = table.run()
    assert table.drawn == [3, 3]
    last = of(rows, "DECIDE")[-1]
    # full hands: both wait, and wake once more after the last draw of the other
    assert (rows[-1].a, rows[-1].time) == (events.STALEMATE, last.time)
    assert last.what == "wait"


@uncompiled
def test_piles_run_empty():
    table = Table(
        seat("park red", sets="park, 3*station", style=prefers(add=2, draw=1)),
        seat(),
        draw=["park blue"],
    )
    table.let_look(0)
    rows = table.run()
    acts = [row.what for row in of(rows, "ACT")]
    assert acts == ["add park red 0", "draw 0", "add park blue 0"]
    assert rows[-1].a == events.PILES_EMPTY
    assert (table.final, table.sets[0]) == (1, ("3*park", "3*station"))


@uncompiled
def test_tags_run_out():
    finisher = prefers(complete=1)
    table = Table(seat(sets="3*park", mat=1, style=finisher), seat(sets="park"))
    table.let_look(0)
    rows = table.run()
    assert [row.event for row in rows if row.event != "DECIDE"] == ["ACT", "TRIGGER", "ROUND_END"]
    assert rows[-1].a == events.TAGS_OUT
    assert rows[-1].time == 3_100_000 + 500_000


@uncompiled
def test_a_round_without_sets_ends_with_the_trigger():
    table = Table(seat(style=prefers(draw=1)), seat(), draw=["park blue"])
    table.let_look(0)
    rows = table.run()
    assert [(row.event, row.time) for row in rows][1:] == [
        ("ACT", 1_600_000), ("TRIGGER", 1_600_000), ("ROUND_END", 1_600_000),
    ]  # fmt: skip


@uncompiled
def test_all_seats_stop():
    stops = prefers(stop=3)
    table = Table(*[seat(sets="park", style=stops)] * 3, final="tags_out")
    table.let_look(0, 1, 2)
    rows = table.run()
    assert [row.what for row in of(rows, "DECIDE")] == ["stop"] * 3
    assert (rows[-1].a, rows[-1].time) == (events.TAGS_OUT, 0)


@uncompiled
def test_what_is_under_way_lands_after_another_seat_stopped():
    table = Table(seat("park red", sets="park"), seat(sets="park", style=prefers(stop=3)),
                  final="tags_out")  # fmt: skip
    table.let_look(1)
    table.decides(0, "add park red 0", lands=9)
    rows = table.run()
    assert [row.event for row in rows if row.event != "DECIDE"] == ["ACT", "ROUND_END"]
    assert table.sets[0] == ("2*park", "")


@uncompiled
def test_the_cap_comes_before_what_is_too_late():
    table = Table(seat("park red"), seat(), round_cap_s=3)
    table.decides(0, "share park red 0", lands=4 * SECOND)
    rows = table.run()
    assert [(row.event, row.time, row.a) for row in rows] == [
        ("ROUND_END", 3 * SECOND, events.TIME_CAP)
    ]


def drawers():
    """Players who draw and do nothing else."""
    return setup(3, styles=[prefers(draw=1)], components=EXACT)


def test_each_reason_occurs_in_whole_games():
    found = Counter(ends(setup(4, styles=[GREEDY]), 20))
    found.update(ends(setup(2, styles=[GREEDY]), 20))
    assert ends(drawers(), 3) == ["stalemate"] * 9
    found.update(["stalemate"])
    found.update(ends(setup(3, round_cap_s=20), 3))
    assert set(found) == {*REASONS, "not_played"}
    assert (found["time_cap"], found["not_played"]) == (3, 6)
    for reason in ("piles_empty", "tags_out"):
        assert found[reason] > 5


# What the tables say of ends


def test_rounds_are_counted_by_how_they_ended():
    rows = rows_in_words(setup(3, styles=[GREEDY]), 30)
    for number, game in enumerate(rows["games"]):
        mine = rows["rounds"][3 * number : 3 * number + 3]
        reasons = [row["end"] for row in mine]
        assert [row["round"] for row in mine] == [1, 2, 3]
        assert game["end_reason"] == reasons[-1]
        assert [game[f"rounds_{kind}"] for kind in ("piles", "tags", "stalemate")] == [
            reasons.count(reason) for reason in ("piles_empty", "tags_out", "stalemate")
        ]
        assert game["seconds"] == pytest.approx(sum(row["seconds"] for row in mine), abs=0.51)
        assert game["turns"] == sum(row["acts"] for row in mine)
        assert game["fumbles"] == sum(row["fumbles"] for row in mine)
        assert game["tags_placed"] == sum(row["placed"] for row in mine)
        assert game["cop_cars"] == sum(row["rushed"] for row in mine)


@uncompiled
def test_a_game_that_is_cut_off():
    made = setup(3, round_cap_s=9, sample=1.0)
    rows = rows_in_words(made)
    (game,) = rows["games"]
    assert (game["truncated"], game["end_reason"], game["rounds"]) == (True, "time_cap", 1)
    assert (game["margin"], game["tied"], game["seconds"]) == (0, False, 9)
    for row in rows["seats"]:
        assert (row["score"], row["rank"], row["tag_points"], row["lost_solo"]) == (0, 0, 0, 0)
        assert math.isnan(row["win_share"])
    assert [row["end"] for row in rows["rounds"]] == ["time_cap", "not_played", "not_played"]
    assert [row["seconds"] for row in rows["rounds"]] == [9, 0, 0]
    assert not any(row["points"] or row["completed"] or row["tags"] for row in rows["objectives"])
    log = rows_of(log_of(made, 0))
    assert not [row for row in log if row.event in ("REMOVE", "SOLO", "OBJECTIVE")]
    assert (log[-1].event, log[-1].a) == ("END", 1)
    assert [row[3:5] for row in of(log, "SCORE")] == [(0, 0)] * 3


@uncompiled
def test_a_game_that_is_cut_off_in_a_later_round_keeps_cars_and_tags_as_they_were():
    table = Table(seat(cars=2, tags=[0, 1, 9]), seat(tags=[5]), round_cap_s=1)
    table.s["cut"] = 1
    rows = table.score()
    assert [row.event for row in rows] == ["SCORE", "SCORE", "END"]
    assert [row[3:] for row in rows[:2]] == [(0, 0, 2), (0, 0, 0)]


# Game End


PLAIN = ["tricorners", "straight_shooter", "zone_control"]
"""Tiles that two tags do not score with."""


def pair_of(table, icon, other="railway"):
    """Return two hexes side by side with these icons."""
    others = set(table.hexes(other))
    for cell in table.hexes(icon):
        for there in table.beside(cell):
            if there in others:
                return cell, there
    raise AssertionError("no such hexes")


def scores(rows):
    return [(row.a, row.b) for row in of(rows, "SCORE")]


@uncompiled
def test_solo_tags_come_off_and_the_rest_scores():
    table = Table(seat(), seat(), tiles=PLAIN)
    park, rail = pair_of(table, "park")
    far = next(c for c in table.hexes("police") if not {park, rail} & {c, *table.beside(c)})
    for cell in (park, far, rail):
        table.tag(0, cell)
    rows = table.score()
    assert [(row.seat, row.a) for row in of(rows, "SOLO")] == [(0, far)]
    assert scores(rows) == [(4, 1), (0, 2)]
    assert (table.lost_solo, table.tag_points) == ([1, 0], [4, 0])


@uncompiled
def test_cop_cars_come_off_before_solo_tags():
    """Giving up one of two tags that touch leaves a solo tag, which then comes off too."""
    table = Table(seat(cars=1), seat(cars=1), tiles=PLAIN)
    park, rail = pair_of(table, "park")
    table.tag(0, park)
    table.tag(0, rail)
    table.tag(1, table.hexes("police")[0])
    rows = table.score()
    assert [(row.event, row.seat) for row in rows[:3]] == [
        ("REMOVE", 0), ("REMOVE", 1), ("SOLO", 0),
    ]  # fmt: skip
    assert scores(rows) == [(0, 1), (0, 1)]


@uncompiled
def test_a_solo_tag_is_given_up_for_free():
    table = Table(seat(cars=1), seat(), tiles=PLAIN)
    park, rail = pair_of(table, "park")
    far = next(c for c in table.hexes("police") if not {park, rail} & {c, *table.beside(c)})
    for cell in (park, far, rail):
        table.tag(0, cell)
    rows = table.score()
    assert [row.a for row in of(rows, "REMOVE")] == [far]
    assert scores(rows)[0] == (4, 1)


@uncompiled
def test_more_cop_cars_than_tags_take_all_tags():
    table = Table(seat(cars=5), seat(), tiles=PLAIN)
    for cell in pair_of(table, "park"):
        table.tag(0, cell)
    rows = table.score()
    assert len(of(rows, "REMOVE")) == 2
    assert (table.lost_to_cars, table.lost_solo) == ([2, 0], [0, 0])
    assert [row.c for row in of(rows, "SCORE")] == [5, 0]


@uncompiled
def test_solo_tags_come_off_all_at_once():
    """Tags of rivals beside it do not help a tag."""
    table = Table(seat(), seat(), tiles=PLAIN)
    park, rail = pair_of(table, "park")
    table.tag(0, park)
    table.tag(1, rail)
    rows = table.score()
    assert sorted(row.seat for row in of(rows, "SOLO")) == [0, 1]


@uncompiled
@pytest.mark.parametrize(
    ("cars", "ranks"), [((0, 0), [1, 1]), ((3, 0), [2, 1]), ((0, 1), [1, 2]), ((2, 2), [1, 1])]
)
def test_the_fewest_cop_cars_break_a_tie(cars, ranks):
    table = Table(*[seat(cars=number) for number in cars], tiles=PLAIN)
    assert [row.b for row in of(table.score(), "SCORE")] == ranks


@uncompiled
def test_points_come_before_cop_cars():
    table = Table(seat(cars=1), seat(), seat(), tiles=PLAIN)
    park, rail = pair_of(table, "park")
    for cell in (park, rail, *[c for c in table.beside(park) if c != rail][:1]):
        table.tag(0, cell)
    rows = table.score()
    assert [row.b for row in of(rows, "SCORE")] == [1, 2, 2]


@uncompiled
def test_a_station_scores_for_everybody_on_it():
    table = Table(seat(), seat(), seat(), tiles=PLAIN)
    station, rail = next(
        (cell, there) for cell in table.hexes("station") for there in table.beside(cell)
        if there in table.hexes("railway")
    )  # fmt: skip
    others = [cell for cell in table.beside(station) if cell != rail]
    table.tag(0, rail)
    table.tag(1, others[0])
    table.tag(2, others[1])
    for number in range(3):
        table.tag(number, station)
    rows = table.score()
    points = [table.s["icon_points"][table.icons[cell]] for cell in (rail, *others[:2])]
    assert [row.a for row in of(rows, "SCORE")] == [1 + point for point in points]


def test_ties_share_the_win():
    """Drawers score nothing and take no cop car: all win an equal share."""
    rows = rows_in_words(drawers(), 3)
    assert all(row["tied"] and row["margin"] == 0 for row in rows["games"])
    assert {row["win_share"] for row in rows["seats"]} == {1 / 3}


def test_margin_is_best_minus_second_best():
    rows = rows_in_words(setup(4, styles=[GREEDY]), 200)
    ties = 0
    for number, game in enumerate(rows["games"]):
        points = sorted((row["score"] for row in rows["seats"][4 * number :][:4]), reverse=True)
        assert game["margin"] == points[0] - points[1]
        ties += points[0] == points[1] and not game["tied"]
    assert ties


# Rounds after the first


def test_tags_that_are_left_are_kept_for_the_next_round():
    made = setup(3)
    for game in range(5):
        log = log_of(made, game)
        mat, rounds = [0] * 3, 0
        for row in rows_of(log):
            if row.event == "ROUND":
                rounds += 1
                mat = [left + 6 for left in mat]
            if row.event == "ACT" and row.what.startswith(("complete", "rush")):
                mat[row.seat] -= not row.what.endswith("none")
            assert min(mat) >= 0
        assert rounds == 3
        placed = played(made, 1, first=game)["seats"]["placed"].tolist()
        assert placed == [18 - left for left in mat]


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_game_has_its_rounds(rounds):
    made = setup(2, components=numbers(COMPONENTS, rounds=rounds), styles=[GREEDY])
    tables = played(made, 5)
    assert tables["games"]["rounds"].tolist() == [rounds] * 5
    assert len(tables["rounds"]) == 5 * rounds


# The tags table


def test_each_tag_has_a_row():
    made = setup(3, styles=[GREEDY], sample=1.0)
    rows = rows_in_words(made, 20)
    assert len(rows["tags"]) == 20 * 3 * 18
    fates = Counter(row["fate"] for row in rows["tags"])
    assert set(fates) == {"unplaced", "scored", "solo", "cop_car"}
    seats = rows["seats"]
    assert fates["scored"] == sum(row["tags"] for row in seats)
    assert fates["solo"] == sum(row["lost_solo"] for row in seats)
    assert fates["cop_car"] == sum(row["lost_to_cars"] for row in seats)
    for row in rows["tags"]:
        if row["fate"] == "unplaced":
            assert (row["hex"], row["icon"], row["round"], row["second"]) == (0, "none", 0, 0)
        else:
            assert made.cells[row["hex"]].tolist() == [row["q"], row["r"]]
            assert 1 <= row["round"] <= 3


def test_an_even_share_of_games_has_its_tags_kept():
    made = setup(2, sample=0.25)
    kept = np.unique(played(made, 40, first=3)["tags"]["game"]).tolist()
    assert kept == [game for game in range(3, 43) if game % 4 == 0]


# Counters


def test_lead_changes_follow_the_standing():
    """A sole leader who is not the last one; equal standings lead nobody."""
    table = Table(seat(), seat(), tiles=PLAIN)
    rails, parks = table.hexes("railway"), table.hexes("park")
    course = [(0, rails[0], 0), (1, rails[-1], 0), (1, rails[-2], 1), (0, rails[1], 1),
              (0, parks[0], 2), (1, parks[-1], 2), (1, parks[-2], 3)]  # fmt: skip
    for number, cell, changes in course:
        table.tag(number, cell)
        assert table.lead_changes == changes, cell


@uncompiled
def test_a_decision_is_a_look_with_more_than_one_act():
    one = Table(seat(), seat(), draw=["park red", ""])
    one.let_look(0)
    one.run()
    assert one.decisions == 0
    two = Table(seat(), seat())
    two.let_look(0)
    two.run()
    assert two.decisions == 1
    final = Table(seat(sets="park"), seat(), draw=["", ""], final="piles_empty", cars_left=0)
    final.let_look(0)
    final.run()
    assert final.decisions == 0


def test_possible_points_are_a_bound():
    for players in (2, 5):
        rows = played(setup(players, styles=[GREEDY], tiles="even"), 240)["objectives"]
        assert (rows["possible"] >= np.maximum(rows["points"], rows["before"])).all()
        assert (rows["points"] > 0).any()
