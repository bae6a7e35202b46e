"""The columns of the tables, counted by hand for small games and compared with the referee's."""

import math

import pytest

from sim.games.game import RuleBroken
from sim.games.street_art.recount import CardCount, game_columns, seat_columns
from sim.games.street_art.referee import card_counts, check_rows

from .logs import Log


def theft_and_rain():
    """Seat 0 leads, seat 1 robs it, seat 2 lets it rain, seat 0 ends the game; all by hand."""
    log = Log(
        ["juggler", "fire_breather"], ["juggler", "fireworks"], ["brass_band", "rain"], hearts=8
    )
    log.turn(0).plays("juggler").takes(2).draws()  # 2 0 0: seat 0 leads
    log.turn(1).plays("juggler").steals(2, victim=0).draws()  # 0 2 0: seat 1 leads
    log.turn(2).plays("brass_band").takes(1).draws()  # 0 2 1
    log.turn(0).plays("fire_breather").takes(4).draws()  # 4 2 1: seat 0 leads
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()  # 2 4 1: seat 1
    log.turn(2).plays("rain").returns(2, 0).returns(2, 1)  # 0 2 1, box 4
    piles = ["juggler", "juggler", "brass_band", "fire_breather", "fireworks", "rain"]
    log.collects(*piles, rain=True).draws()
    log.turn(0).plays("beatboxer").takes(1)  # 1 2 1, the middle is empty
    return log.ends().scores(1, 2, 1, ranks=[2, 1, 2]).replay()


def tied():
    """Two seats share the win."""
    log = Log(["juggler"], ["bmx_artist"], ["fireworks"], hearts=4)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("bmx_artist").takes(2).ends()
    return log.scores(2, 2, 0, ranks=[1, 1, 3]).replay()


def cut_off():
    """A game that the turn cap stops."""
    log = Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws()
    return log.cut_off(2, 0).replay()


def test_columns_of_a_game():
    assert game_columns(theft_and_rain()) == {
        "players": 3,
        "rounds": 3,
        "turns": 7,
        "decisions": 7,
        "end_reason": "middle_empty",
        "truncated": False,
        "tied": False,
        "lead_changes": 3,
        "margin": 1,
        "rains": 1,
        "thefts": 1,
        "reshuffles": 0,
        "box_hearts": 4,
        "final_card": "beatboxer",
    }


def test_columns_of_seats():
    scores = [
        (row["score"], row["rank"], row["win_share"]) for row in seat_columns(theft_and_rain())
    ]
    assert scores == [(1, 2, 0.0), (2, 1, 1.0), (1, 2, 0.0)]
    parts = ("from_middle", "stolen", "lost_to_theft", "lost_to_rain")
    assert [tuple(row[part] for part in parts) for row in seat_columns(theft_and_rain())] == [
        (7, 0, -4, -2),
        (0, 4, 0, -2),
        (1, 0, 0, 0),
    ]


def test_ties_share_the_win():
    game, seats = game_columns(tied()), seat_columns(tied())
    assert (game["tied"], game["margin"], game["final_card"]) == (True, 0, "bmx_artist")
    assert [row["win_share"] for row in seats] == [0.5, 0.5, 0.0]


def test_a_game_cut_off_has_no_winner():
    game, seats = game_columns(cut_off()), seat_columns(cut_off())
    assert (game["truncated"], game["tied"], game["final_card"]) == (True, False, "none")
    assert [(row["win_share"], row["rank"]) for row in seats] == [(None, 0), (None, 0)]


def test_lead_passes_over_ties():
    """A shared lead changes nothing: only another sole leader does."""
    log = Log(
        ["juggler", "beatboxer"], ["bmx_artist", "beatboxer"], draws=["juggler", "bmx_artist"]
    )
    log.turn(0).plays("juggler").takes(2).draws()  # 2 0
    log.turn(1).plays("bmx_artist").takes(2).draws()  # 2 2
    log.turn(0).plays("beatboxer").takes(1).draws()  # 3 2: still seat 0
    log.turn(1).plays("beatboxer").takes(2).draws()  # 3 4: seat 1
    log.turn(0).plays("juggler").takes(2).draws()  # 5 4: seat 0
    assert game_columns(log.cut_off(5, 4).replay())["lead_changes"] == 2


def test_counts_of_cards():
    counts = card_counts(theft_and_rain())
    assert counts[0, "juggler"] == CardCount(held=1, played=1, hearts=2)
    assert counts[1, "juggler"] == CardCount(held=1, played=1, hearts=2)
    assert counts[1, "fireworks"] == CardCount(held=1, played=1, hearts=2)
    assert counts[2, "rain"] == CardCount(held=1, played=1, hearts=0)
    assert counts[2, "living_statue"] == CardCount()
    assert sum(count.held for count in counts.values()) == 15 + 6


@pytest.mark.parametrize("game", [theft_and_rain, tied, cut_off])
def test_rows_that_are_right_pass(game):
    seen = game()
    rows = [
        row | {"win_share": math.nan} if row["win_share"] is None else row
        for row in seat_columns(seen)
    ]
    check_rows(seen, game_columns(seen) | {"cell": 3, "game": 9}, rows)


@pytest.mark.parametrize("column", list(game_columns(tied())))
def test_every_column_of_a_game_is_checked(column):
    seen = theft_and_rain()
    row = game_columns(seen)
    wrong = f"{row[column]}?" if isinstance(row[column], str) else row[column] + 1
    with pytest.raises(RuleBroken, match=f"games: {column} is"):
        check_rows(seen, row | {column: wrong}, seat_columns(seen))
    del row[column]
    with pytest.raises(RuleBroken, match=f"games: there is no column {column}"):
        check_rows(seen, row, seat_columns(seen))


@pytest.mark.parametrize("column", list(seat_columns(tied())[0]))
def test_every_column_of_a_seat_is_checked(column):
    seen = theft_and_rain()
    rows = seat_columns(seen)
    rows[1][column] = rows[1][column] + 1
    with pytest.raises(RuleBroken, match=f"seats, row 1: {column} is"):
        check_rows(seen, game_columns(seen), rows)


def test_a_seat_too_few_is_noticed():
    seen = theft_and_rain()
    with pytest.raises(RuleBroken, match="2 rows, the replay gives 3"):
        check_rows(seen, game_columns(seen), seat_columns(seen)[:2])
