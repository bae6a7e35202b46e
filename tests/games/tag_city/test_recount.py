"""The columns of the tables, counted by hand for small games and compared with the recount."""

import math

import pytest

from sim.games.game import RuleBroken
from sim.games.tag_city.boards import Rules
from sim.games.tag_city.recount import (
    check_rows,
    element_columns,
    game_columns,
    holes,
    lead_changes,
    seat_columns,
    shape_columns,
    square_columns,
)

from .logs import (
    COMPONENTS,
    I4,
    O4,
    RULINGS,
    SMALL,
    Log,
    at,
    bubbles_gone,
    duel,
    duel_by_order,
    with_city,
)


def columns(rows, *names):
    return [tuple(row[name] for name in names) for row in rows]


def cut_off():
    """A seat flies I2, the other checks; the round cap stops the game."""
    log = Log(2).round(0, (1, O4), (1, I4), (6, O4))
    log.takes(1, 1, I4).drones("i2", "1:1-2", 0, -1).takes(0, 6, O4).checks(0, -1)
    log.last(1, O4).by(1).paints("o4", "3:1-2 4:1-2").by(0).checks(1, -1)
    return log.cut_off((-2, 2), (-1, 0))


def test_columns_of_a_game():
    assert game_columns(duel().replay()) == {
        "players": 2,
        "rounds": 1,
        "turns": 4,
        "end_reason": "large_values",
        "truncated": False,
        "tied": True,
        "lead_changes": 0,
        "margin": 0,
        "ring_0": "o4",
        "ring_1": "i4",
        "ring_2": "l4",
        "ring_3": "s4",
        "ring_4": "t4",
        "ring_5": "p5",
        "large_left": 0,
        "bubbles_left": 5,
        "drawings": 4,
        "drones": 2,
        "checks": 0,
        "shared_larges": 2,
    }


def test_columns_of_a_game_of_checks():
    game = game_columns(bubbles_gone().replay())
    names = ("rounds", "turns", "end_reason", "tied", "margin", "large_left", "bubbles_left")
    assert [game[name] for name in names] == [2, 12, "bubbles", False, 1, 25, 0]
    assert [game[name] for name in ("drawings", "drones", "checks")] == [1, 0, 11]


def test_columns_of_seats():
    assert seat_columns(duel_by_order().replay())[1] == {
        "seat": 1,
        "score": 32,
        "rank": 2,
        "win_share": 0.0,
        "truncated": False,
        "row_large": 0,
        "row_small": 6,
        "rows": 2,
        "column_large": 8,
        "column_small": 4,
        "columns": 4,
        "neighborhood_large": 10,
        "neighborhood_small": 5,
        "neighborhoods": 2,
        "drone_points": -1,
        "bubble_points": 0,
        "larges": 3,
        "last_points": 3 + 3 + 2 + 2 + 5,
        "squares": 8,
        "holes": 0,
        "drawings": 2,
        "drones": 1,
        "bubbles": 0,
        "checks": 0,
        "turns_led": 0,
        "drafted_first": 1,
        "draft_place": 1.0,
    }


def test_columns_of_seats_that_check():
    rows = seat_columns(bubbles_gone().replay())
    assert columns(rows, "score", "rank", "bubbles", "checks", "bubble_points") == [
        (-6, 3, 3, 4, -6),
        (-1, 1, 2, 4, -1),
        (-2, 2, 2, 3, -2),
    ]
    assert columns(rows, "turns_led", "drafted_first", "draft_place", "squares") == [
        (1, 0, 2.5, 0),
        (1, 1, 2.0, 0),
        (0, 1, 1.5, 4),
    ]


def test_parts_add_up_to_the_score():
    parts = ["drone_points", "bubble_points"]
    parts += [
        f"{layer}_{size}"
        for layer in ("row", "column", "neighborhood")
        for size in ("large", "small")
    ]
    for game in (duel, duel_by_order, bubbles_gone, cut_off):
        for row in seat_columns(game().replay()):
            assert row["score"] == sum(row[part] for part in parts)


def test_the_win_is_shared():
    assert columns(seat_columns(duel().replay()), "win_share") == [(0.5,), (0.5,)]
    assert columns(seat_columns(cut_off().replay()), "win_share", "rank") == [(None, 0)] * 2
    assert game_columns(cut_off().replay())["margin"] == 1


def test_columns_of_elements():
    shared = element_columns(duel().replay())
    assert shared[0] == {
        "element": "row_1",
        "layer": "row",
        "squares": 4,
        "large": 6,
        "small": 3,
        "large_taker": "shared",
        "large_takers": 2,
        "large_round": 1,
        "large_last_die": True,
        "small_takers": 0,
        "large_win_share": 1.0,
    }
    names = ("large_taker", "large_takers", "large_last_die", "small_takers", "large_win_share")
    assert columns(shared, *names)[2] == ("seat_1", 1, False, 1, 0.5)
    assert columns(element_columns(duel_by_order().replay()), *names)[:3] == [
        ("seat_0", 1, True, 1, 1.0),
        ("seat_0", 1, True, 1, 1.0),
        ("seat_1", 1, False, 1, 0.0),
    ]
    nobody = element_columns(bubbles_gone().replay())
    assert set(columns(nobody, *names, "large_round")) == {("nobody", 0, False, 0, 0.0, 0)}


def test_elements_of_a_game_cut_off_have_no_win_share():
    assert set(columns(element_columns(cut_off().replay()), "large_win_share")) == {(None,)}


def test_columns_of_squares():
    rows = square_columns(duel().replay())
    assert columns(rows, "seat", "square") == [(s, q) for s in range(2) for q in range(8)]
    assert columns(rows[:8], "row", "column", "round", "shape", "drawing")[:5] == [
        (0, 0, 1, "o4", 2),
        (0, 1, 1, "o4", 2),
        (0, 2, 1, "o4", 1),
        (0, 3, 1, "o4", 1),
        (1, 0, 1, "o4", 2),
    ]
    free = [row for row in square_columns(bubbles_gone().replay()) if row["shape"] == "none"]
    assert len(free) == 3 * 96 - 4
    assert set(columns(free, "round", "drawing")) == {(0, 0)}
    painted = [row for row in square_columns(bubbles_gone().replay()) if row["shape"] != "none"]
    assert columns(painted, "seat", "square", "round") == [(2, q, 2) for q in (0, 1, 12, 13)]


def test_columns_of_shapes():
    """Cut-off games do not count; both seats have no room for L4 as the last die."""
    rules = Rules.read(SMALL, RULINGS | {"city": "C"})
    games = [duel().replay(), duel_by_order().replay()]
    rows = {row["shape"]: row for row in shape_columns(games, rules)}
    assert rows["o4"] == {
        "shape": "o4",
        "games": 2,
        "dice": 4,
        "drafted": 4,
        "last": 0,
        "uses": 4,
        "no_room": 0,
        "painted": 4,
        "flown": 4,
        "points": 38 + 38 + 38 + 32 + 4,
    }
    names = ("games", "dice", "drafted", "last", "uses", "no_room", "painted", "flown", "points")
    assert columns([rows["l4"], rows["i2"], rows["w5"]], *names) == [
        (2, 2, 0, 2, 4, 4, 0, 0, 0),
        (2, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ]
    assert shape_columns([cut_off().replay()], Rules.read(COMPONENTS, RULINGS))[0]["games"] == 0


def test_holes_are_free_squares_that_no_ring_shape_can_cover():
    rules = Rules.read(with_city("AAAA\nAAAA\nAAAA"), RULINGS | {"city": "C"})
    ring = rules.side_a
    assert holes(rules, ring, set()) == 0
    assert holes(rules, ring, set(at("1:2 2:1-2"))) == 1  # the corner
    assert holes(rules, ring, set(at("2:1-4"))) == 0  # two I4
    assert holes(rules, ["o4", "p5"], set(at("2:1-4"))) == 8
    assert holes(rules, ring, set(at("1:1-4 2:1-4 3:1-4"))) == 0


def test_lead_passes_over_ties():
    """A shared lead changes nothing: only another sole leader does."""
    log = Log(2, bubble_values=[1, 2, 2, 4, 0, 9])
    log.round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).checks(0, 1)  # seat 1 leads by 1: the first leader is no change
    log.takes(0, 1, O4).checks(1, 2)  # seat 0: change
    log.last(1, O4).by(1).paints("o4", "1:1-2 2:1-2").by(0).paints("o4", "1:1-2 2:1-2")
    log.round(1, *[(1, O4)] * 3)
    log.takes(0, 1, O4).checks(4, 0)
    log.takes(1, 1, O4).checks(2, 2)  # seat 1, 3 to 2: change
    log.last(1, O4).by(0).checks(5, 9).by(1).checks(5, 9)  # 11 to 12: still seat 1
    assert lead_changes(log.cut_off((11, 3), (12, 3)).replay()) == 2


# Comparing


GAMES = [duel, duel_by_order, bubbles_gone, cut_off]


def rows_of(seen):
    return (
        game_columns(seen),
        seat_columns(seen),
        element_columns(seen),
        square_columns(seen),
    )


@pytest.mark.parametrize("game", GAMES)
def test_rows_that_are_right_pass(game):
    seen = game().replay()
    first, *others = rows_of(seen)
    for rows in others:
        for row in rows:
            for column, value in row.items():
                row[column] = math.nan if value is None else value
    check_rows(seen, first | {"cell": 3, "game": 9, "decisions": 5}, *others)
    check_rows(seen, first, *others[:2])


@pytest.mark.parametrize("column", list(game_columns(duel().replay())))
def test_every_column_of_a_game_is_checked(column):
    seen = duel().replay()
    first, *others = rows_of(seen)
    wrong = f"{first[column]}?" if isinstance(first[column], str) else first[column] + 1
    with pytest.raises(RuleBroken, match=f"games: {column} is"):
        check_rows(seen, first | {column: wrong}, *others)
    del first[column]
    with pytest.raises(RuleBroken, match=f"games: there is no column {column}"):
        check_rows(seen, first, *others)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (table, column)
        for table, rows in enumerate(rows_of(duel().replay())[1:])
        for column in rows[0]
    ],
)
def test_every_column_of_the_other_tables_is_checked(table, column):
    seen = duel().replay()
    first, *others = rows_of(seen)
    value = others[table][1][column]
    others[table][1][column] = f"{value}?" if isinstance(value, str) else value + 1
    name = ("seats", "elements", "squares")[table]
    with pytest.raises(RuleBroken, match=f"{name}, row 1: {column} is"):
        check_rows(seen, first, *others)


@pytest.mark.parametrize("table", range(3))
def test_a_row_too_few_is_noticed(table):
    seen = duel().replay()
    first, *others = rows_of(seen)
    others[table].pop()
    with pytest.raises(RuleBroken, match="rows, the replay gives"):
        check_rows(seen, first, *others)
