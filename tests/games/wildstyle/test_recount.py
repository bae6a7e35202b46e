"""The columns of the tables, counted by hand for small games and compared with the referee's."""

import pytest

from sim.games.game import RuleBroken
from sim.games.wildstyle import recount
from sim.games.wildstyle.events import ICONS

from .logs import EXACT, Play, random_game, variant

ONE_ROUND = variant(numbers={"rounds": 1})


def small():
    """Seat 0 tags two railways that touch; seat 1 shares, takes, rushes, and waits from 9.0 s."""
    play = Play(components=ONE_ROUND, tiles=("tricorners", "straight_shooter", "urban_planner"))
    near, railways = play.city.ground.neighbours, play.hexes("railway")
    one, other = next((a, b) for a in railways for b in railways if b in near[a])
    railway = [f"railway {colour}" for colour in ("red", "blue", "green")]
    adds = [f"add {name} 0" for name in railway]
    script = play.script(
        [*adds, f"complete 0 {one}", *["draw 0"] * 3, *adds, f"complete 0 {other}"],
        ["share police red 0", "take 0 0", "add park red 1", f"rush 1 {play.hexes('park')[0]}"],
    )
    play.round(script, [railway, ["park red", "police red"]], [railway])
    return play.scored(), (one, other)


def plain(columns):
    """Return columns with every number that may be rounded as its value."""
    return {name: getattr(value, "value", value) for name, value in columns.items()}


def test_columns_of_a_game():
    play, _ = small()
    assert plain(recount.game_columns(play.replay())) == {
        "players": 2,
        "rounds": 1,
        "turns": 15,
        "decisions": 24,
        "end_reason": "stalemate",
        "truncated": False,
        "tied": False,
        "lead_changes": 2,
        "margin": 6,
        "seconds": 21.1,
        "fumbles": 0,
        "waits": 9,
        "cop_cars": 1,
        "tags_placed": 3,
        "solo_tags": 0,
        "icons_full": 0,
        "rounds_piles": 0,
        "rounds_tags": 0,
        "rounds_stalemate": 1,
    }


def test_columns_of_the_seats():
    play, _ = small()
    first, second = recount.seat_columns(play.replay())
    assert first == {
        "seat": 0,
        "score": 6,
        "rank": 1,
        "win_share": 1.0,
        "truncated": False,
        "tag_points": 2,
        "objective_points": 4,
        "tags": 2,
        "lost_to_cars": 0,
        "lost_solo": 0,
        "cop_cars": 0,
        "fumbles": 0,
        "waits": 1,
        "acts": 11,
        "placed": 2,
        "drawn": 3,
        "shared": 0,
        "taken": 0,
    }
    names = ("score", "rank", "tags", "lost_to_cars", "cop_cars", "shared", "taken", "acts")
    assert [second[name] for name in names] == [0, 2, 0, 1, 1, 1, 1, 4]


def test_columns_of_the_objectives():
    play, _ = small()
    rows = [plain(row) for row in recount.objective_columns(play.replay())]
    assert [(row["seat"], row["position"], row["side"]) for row in rows] == [
        (seat, position, side)
        for seat in (0, 1)
        for position, side in enumerate(("tricorners", "straight_shooter", "urban_planner"))
    ]
    assert [row["points"] for row in rows] == [0, 0, 4, 0, 0, 0]
    assert [row["before"] for row in rows] == [0, 0, 4, 0, 0, 2]
    assert [row["tags"] for row in rows] == [0, 0, 2, 0, 0, 0]
    assert [row["completed"] for row in rows] == [False, False, True, False, False, False]
    assert [row["possible"] for row in rows] == [0, 0, 4, 0, 0, 4]


def test_columns_of_the_rounds():
    play, _ = small()
    (row,) = recount.round_columns(play.replay())
    assert plain(row) == {
        "round": 1,
        "end": "stalemate",
        "seconds": 21.1,
        "fumbles": 0,
        "acts": 15,
        "drawn": 3,
        "shared": 1,
        "taken": 1,
        "placed": 3,
        "rushed": 1,
    }


def test_columns_of_the_tags():
    play, (one, other) = small()
    rows = [plain(row) for row in recount.tag_columns(play.replay())]
    assert [row["seat"] for row in rows] == [0] * 6 + [1] * 6
    assert [row["tag"] for row in rows] == [*range(6)] * 2
    assert [row["fate"] for row in rows] == ["scored"] * 2 + ["unplaced"] * 4 + ["cop_car"] + [
        "unplaced"
    ] * 5
    first = rows[0]
    q, r = play.city.ground.cells[one]
    assert first == {
        "seat": 0,
        "tag": 0,
        "hex": one,
        "q": q,
        "r": r,
        "icon": "railway",
        "round": 1,
        "second": 7.9,
        "fate": "scored",
    }
    assert (rows[1]["hex"], rows[1]["second"]) == (other, 20.6)


def test_a_solo_tag_has_its_fate():
    play = random_game(3, 4, components=EXACT)
    replay = play.replay()
    fates = [row["fate"] for row in recount.tag_columns(replay)]
    game, seats = recount.game_columns(replay), recount.seat_columns(replay)
    assert fates.count("solo") == game["solo_tags"] == sum(seat["lost_solo"] for seat in seats) > 0
    assert fates.count("cop_car") == sum(seat["lost_to_cars"] for seat in seats) > 0
    assert fates.count("scored") == sum(seat["tags"] for seat in seats) > 0
    assert fates.count("unplaced") == 54 - game["tags_placed"]


def test_icons_full():
    play, _ = small()
    state = recount.map_as_played(play.replay())
    assert [len(tags) for tags in state.tags] == [2, 1]
    full = random_game(2, 1, board_radius=2)
    replay = full.replay()
    tags = recount.map_as_played(replay).tags
    occupied = {hex_ for seat in tags for hex_ in seat}
    stations = set(full.city.hexes[ICONS.index("station")])
    due = any(stations <= set(seat) for seat in tags)
    due += sum(
        set(hexes) <= occupied
        for icon, hexes in enumerate(full.city.hexes)
        if ICONS[icon] != "station"
    )
    assert recount.icons_full(replay) == due > 0


def rows_of(replay):
    """Return the rows of all tables as a game might write them."""
    names = [side.name for side in replay.events[0].sides]
    game = plain(recount.game_columns(replay)) | {"tile_set": " + ".join(names)}
    return {
        "game_row": game,
        "seat_rows": [plain(row) for row in recount.seat_columns(replay)],
        "objective_rows": [plain(row) for row in recount.objective_columns(replay)],
        "round_rows": [plain(row) for row in recount.round_columns(replay)],
        "tag_rows": [plain(row) for row in recount.tag_columns(replay)],
    }


def test_right_rows_pass_rounded_or_not():
    replay = small()[0].replay()
    rows = rows_of(replay)
    recount.check_rows(replay, **rows)
    rows["game_row"]["seconds"] = round(rows["game_row"]["seconds"])
    rows["tag_rows"][0]["second"] = int(rows["tag_rows"][0]["second"])
    rows["objective_rows"][0]["possible"] = 18
    recount.check_rows(replay, **rows)


@pytest.mark.parametrize(
    ("table", "place", "column", "value", "message"),
    [
        ("game_row", None, "lead_changes", 7, "games: lead_changes is 7, the replay gives 2"),
        ("game_row", None, "tile_set", "tricorners", "tile_set .* straight_shooter shows"),
        ("game_row", None, "seconds", 23, "games: seconds is 23, the replay gives 21.1"),
        ("seat_rows", 1, "shared", 0, "seats, seat 1: shared is 0, the replay gives 1"),
        ("objective_rows", 2, "possible", 3, "seat 0, position 2: possible is 3, .* at least 4"),
        ("objective_rows", 5, "before", 0, "seat 1, position 2: before is 0, .* gives 2"),
        ("round_rows", 0, "end", "tags_out", "rounds: end is tags_out, .* gives stalemate"),
        ("tag_rows", 6, "fate", "solo", "tags, seat 1, tag 0: fate is solo, .* gives cop_car"),
    ],
)
def test_wrong_rows_are_noticed(table, place, column, value, message):
    replay = small()[0].replay()
    rows = rows_of(replay)
    row = rows[table] if place is None else rows[table][place]
    row[column] = value
    with pytest.raises(RuleBroken, match=message):
        recount.check_rows(replay, **rows)


def test_missing_rows_and_columns_are_noticed():
    replay = small()[0].replay()
    rows = rows_of(replay)
    with pytest.raises(RuleBroken, match="tags: 11 rows, the replay gives 12"):
        recount.check_rows(replay, tag_rows=rows["tag_rows"][:-1])
    del rows["seat_rows"][0]["drawn"]
    with pytest.raises(RuleBroken, match="seats, seat 0: there is no column drawn"):
        recount.check_rows(replay, seat_rows=rows["seat_rows"])


def test_a_game_cut_off():
    play = Play(components=EXACT, round_cap_s=10)
    railways = [f"railway {colour}" for colour in ("red", "blue", "green")]
    said = [f"add {name} 0" for name in railways]
    said += [f"complete 0 {play.hexes('railway')[0]}", "draw 0", "draw 0"]
    assert play.round(play.script(said), [railways]) == "time_cap"
    replay = play.cut_off().replay()
    game = plain(recount.game_columns(replay))
    names = ("truncated", "tied", "margin", "rounds", "tags_placed", "solo_tags", "seconds")
    assert [game[name] for name in names] == [True, False, 0, 1, 1, 0, 10]
    assert [row["win_share"] for row in recount.seat_columns(replay)] == [None, None]
    assert [row["end"] for row in recount.round_columns(replay)] == [
        "time_cap",
        "not_played",
        "not_played",
    ]
    rows = [plain(row) for row in recount.objective_columns(replay)]
    assert [row["points"] for row in rows] == [0] * 6
    recount.check_rows(replay, **rows_of(replay))
