"""Every ruling and number changes what it should and nothing else, from its moment on.

Two cells with the same seed play the same games until the changed rule speaks: a rule of the end
of the game leaves all acts as they are, one of the final phase all that comes before it.
"""

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from sim.games.wildstyle import events

from ..running import uncompiled
from .table import (
    COMPONENTS,
    GAME,
    RANDOM,
    RULINGS,
    Table,
    changed,
    log_of,
    named,
    numbers,
    played,
    seat,
    setup,
)
from .words import of, rows_of

PLAYERS = range(2, 6)
GAMES = 12
GREEDY = GAME.styles()["greedy"]
RASH = GREEDY.model_copy(update={"weights": GREEDY.weights | {"rushes": 3.0}})
"""Rushes often, so that it has cop cars to pay for and rushes in the final phase."""
BLIND = GREEDY.model_copy(update={"forbid": list(COMPONENTS["objectives"]["sides"])})
"""Does not look at objectives."""
AT_THE_END = (events.REMOVE, events.SOLO, events.OBJECTIVE, events.SCORE, events.END)


def pairs(base, other, styles=(RASH,), games=GAMES):
    """Yield the logs of the same games under two sets of rulings."""
    for players in PLAYERS:
        for style in styles:
            one = setup(players, styles=[style], **base)
            two = setup(players, styles=[style], **other)
            for game in range(games):
                yield log_of(one, game), log_of(two, game)


def in_play(log):
    """Return the rows before the end of the game."""
    return log[~np.isin(log[:, 0], AT_THE_END)]


def first_difference(one, other):
    """Return the first row in which two logs differ, None if they are the same."""
    common = min(len(one), len(other))
    unequal = np.flatnonzero((one[:common] != other[:common]).any(axis=1))
    if len(unequal):
        return int(unequal[0])
    return None if len(one) == len(other) else common


# Rulings of the end of the game


SNAKE = ["three_of_a_kind", "border_wars", "station_snake"]


def test_station_snake_changes_its_points_and_nothing_else():
    """Players who do not weigh objectives act alike; only the best path is scored, of several."""
    met = Counter()
    base, other = {"tiles": SNAKE}, {"tiles": SNAKE, "station_snake": "best_cluster"}
    stationers = BLIND.model_copy(
        update={"weights": {**BLIND.weights, "icon_worth": 0.0, "points": -1.0, "rushes": -20.0}}
    )
    for one, two in pairs(base, other, [stationers, RANDOM], games=12):
        assert np.array_equal(in_play(one), in_play(two))
        snakes = [{r.seat: (r.b, r.c) for r in of(rows_of(log), "OBJECTIVE") if r.a == 2}
                  for log in (one, two)]  # fmt: skip
        others = [[r for r in of(rows_of(log), "OBJECTIVE") if r.a != 2] for log in (one, two)]
        assert others[0] == others[1]
        for number, (points, tags) in snakes[0].items():
            assert points == 2 * tags
            assert snakes[1][number][0] <= points
            met[snakes[1][number][0] < points, points > 0] += 1
    assert met[False, True]


@uncompiled
def test_two_paths_or_the_best():
    table, paths = two_paths()
    for path in paths:
        for cell in path:
            table.tag(0, cell)
    table.s["best_cluster"] = 1
    best = snake_points(table)
    table.s["best_cluster"] = 0
    assert snake_points(table) == 2 * sum(map(len, paths))
    assert best == 2 * max(map(len, paths))


def snake_points(table):
    copy = table.state.copy()
    found = [row.b for row in of(table.score(), "OBJECTIVE") if row.seat == 0 and row.a == 2]
    table.state, table.s = copy, copy[0]
    return found[0]


def two_paths():
    """Return a table and two shortest ways between stations that do not touch."""
    for seed in range(1, 50):
        table = Table(*[seat()] * 5, tiles=SNAKE, board_radius=2, seed=seed)
        stations = table.hexes("station")
        for ends in permutations(stations, 4):
            paths = [way(table, *ends[:2]), way(table, *ends[2:])]
            near = {there for cell in paths[0] for there in (cell, *table.beside(cell))}
            if not near & set(paths[1]) and len(set(stations) & {*paths[0], *paths[1]}) == 4:
                return table, paths
    raise AssertionError("no such map")


def way(table, start, end):
    """Return the hexes of a shortest way between two hexes, both included."""
    came_from, edge = {start: start}, [start]
    for cell in edge:
        for there in table.beside(cell):
            if there not in came_from:
                came_from[there] = cell
                edge.append(there)
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path


def test_tag_removal_changes_what_comes_off_and_nothing_else():
    met = Counter()
    for one, two in pairs({}, {"tag_removal": "cheapest"}, [RASH, GREEDY], games=8):
        assert np.array_equal(in_play(one), in_play(two))
        removed = [Counter(row.seat for row in of(rows_of(log), "REMOVE")) for log in (one, two)]
        assert removed[0] == removed[1]
        best, cheapest = ([row.a for row in of(rows_of(log), "SCORE")] for log in (one, two))
        cars = [row.c for row in of(rows_of(one), "SCORE")]
        for number, taken in enumerate(cars):
            if taken == 0:
                assert best[number] == cheapest[number]
            elif taken <= 2:
                assert best[number] >= cheapest[number]
            met[taken > 0, best[number] > cheapest[number]] += 1
    assert met[True, True]
    assert met[False, False]


# The final phase


def test_final_phase_rush_changes_nothing_before_the_first_final_phase():
    met = Counter()
    for one, two in pairs({}, {"final_phase_rush": False}):
        found = first_difference(one, two)
        triggers = np.flatnonzero(one[:, 0] == events.TRIGGER)
        if found is None:
            met["same"] += 1
            continue
        assert found > triggers[0]
        met["differs"] += 1
    assert met["differs"]
    for players in PLAYERS:
        made = setup(players, styles=[RASH], final_phase_rush=False)
        for game in range(GAMES):
            final = False
            for row in rows_of(log_of(made, game)):
                final = (final or row.event == "TRIGGER") and row.event != "ROUND_END"
                assert not (final and row.event == "ACT" and row.what.startswith("rush"))


def test_rushes_happen_in_the_final_phase_if_so_ruled():
    rushed = 0
    for game in range(GAMES):
        final = False
        for row in rows_of(log_of(setup(4, styles=[RASH]), game)):
            final = (final or row.event == "TRIGGER") and row.event != "ROUND_END"
            rushed += final and row.event == "ACT" and row.what.startswith("rush")
    assert rushed


# The time cap


@pytest.mark.parametrize("cap", [20, 60, 100, 140])
def test_round_cap_cuts_and_changes_nothing_before(cap):
    met = Counter()
    for one, two in pairs({}, {"round_cap_s": cap}, [RANDOM, GREEDY]):
        late = [row.time for row in rows_of(one) if row.time > cap * 1_000_000]
        found = first_difference(one, two)
        met[bool(late)] += 1
        if not late:
            assert found is None
            continue
        assert rows_of(two)[-1].a == 1
        (end,) = [row for row in of(rows_of(two), "ROUND_END") if row.a == events.TIME_CAP]
        assert end.time == cap * 1_000_000
        row, other = one[found], two[found]
        if row[0] == events.DECIDE == other[0]:
            # what would land after the cap is only said never to land
            assert other[5] == events.NEVER
            assert row[5] > cap * 1_000_000
            assert np.array_equal(row[:5], other[:5])
        else:
            assert row[2] > cap * 1_000_000
    assert met[True]


# What is dealt


CARDS_AND_BOARDS = (events.DISTRICT, events.DEAL, events.PILE)


def dealt(log, kinds):
    """Return the rows of the set-up and of all deals of some kinds."""
    return log[np.isin(log[:, 0], kinds)]


def until_play(log):
    """Return the rows before the first decision."""
    return log[: np.flatnonzero(log[:, 0] == events.DECIDE)[0]]


@pytest.mark.parametrize(
    "tiles", ["even", ["tricorners", "zone_control", "station_snake"]], ids=["even", "named"]
)
def test_tiles_change_neither_boards_nor_cards(tiles):
    """Random players do not look at tiles: they do the same, and only points differ."""
    differ = 0
    for one, two in pairs({}, {"tiles": tiles}, [RANDOM]):
        plays = [in_play(log)[in_play(log)[:, 0] != events.TILE] for log in (one, two)]
        assert np.array_equal(*plays)
        differ += not np.array_equal(dealt(one, events.TILE), dealt(two, events.TILE))
    assert differ > GAMES
    for one, two in pairs({}, {"tiles": tiles}, [GREEDY], games=4):
        assert np.array_equal(dealt(one, CARDS_AND_BOARDS), dealt(two, CARDS_AND_BOARDS))


def test_family_mode_changes_neither_boards_nor_cards():
    for one, two in pairs({}, {"family_mode": True}, [RANDOM]):
        plays = [in_play(log)[in_play(log)[:, 0] != events.TILE] for log in (one, two)]
        assert np.array_equal(*plays)
        assert len(dealt(two, events.TILE)) == 1
        assert len(dealt(one, events.TILE)) == 3


def all_cards(log):
    """Return the rows that tell where the cards lie when play begins."""
    first = until_play(log)
    rows = dealt(first, (events.DEAL, events.PILE)).copy()
    rows[rows[:, 0] == events.PILE, 3] = -1
    return rows


@pytest.mark.parametrize("deck", ["d2", "d3"])
def test_a_deck_changes_neither_boards_nor_tiles(deck):
    for one, two in pairs({}, {"deck": deck}, [RANDOM, GREEDY], games=4):
        kept = (events.DISTRICT, events.TILE)
        assert np.array_equal(dealt(one, kept), dealt(two, kept))
        cards = [sorted(rows[:, 3:5].max(axis=1)) for rows in map(all_cards, (one, two))]
        assert cards[0] != cards[1]


def test_a_deck_with_the_same_cards_changes_nothing():
    other = changed("decks.mine", COMPONENTS["decks"]["d1"])
    for one, two in pairs({}, {"deck": "mine", "components": other}, [GREEDY], games=4):
        assert np.array_equal(one, two)


def test_board_radius_changes_the_map_and_neither_tiles_nor_faces_nor_cards():
    for one, two in pairs({}, {"board_radius": 2}, [RANDOM]):
        assert np.array_equal(dealt(one, events.TILE), dealt(two, events.TILE))
        faces = [dealt(log, events.DISTRICT)[:, 4] for log in (one, two)]
        assert np.array_equal(*faces)
        first = [dealt(until_play(log), (events.DEAL, events.PILE)) for log in (one, two)]
        assert np.array_equal(*first)
    for radius, hexes in ((3, 37), (2, 19)):
        for players in PLAYERS:
            made = setup(players, board_radius=radius)
            assert made.record[0]["hexes"] == hexes * players == len(made.cells)


# Numbers


SAME = {
    "a title": changed("icons.park.title", "Garden"),
    "a grade": changed("clock.source", "published"),
    "a name of a colour": changed("colours.names", ["a", "b", "c", "d", "e"]),
    "a deck that is not in use": changed("decks.d2", COMPONENTS["decks"]["d3"]),
    "piles of another number of players": changed(
        "piles.players_5", {"share": 1, "draw": 1, "unused": 4}
    ),
    "more cop cars than are taken": numbers(COMPONENTS, cop_cars=200),
}


@pytest.mark.parametrize("components", SAME.values(), ids=SAME)
def test_what_is_not_in_use_changes_nothing(components):
    for players in (2, 4):
        one, two = (
            setup(players, styles=[GREEDY]),
            setup(players, styles=[GREEDY], components=components),
        )
        for game in range(4):
            assert np.array_equal(log_of(one, game), log_of(two, game))


def test_points_of_objectives_change_their_points_alone():
    """For players who do not weigh them: the same acts, the new points."""
    doubled = COMPONENTS
    for name, side in COMPONENTS["objectives"]["sides"].items():
        doubled = changed(f"objectives.sides.{name}.points", 2 * side["points"], doubled)
    for one, two in pairs({}, {"components": doubled}, [RANDOM]):
        assert np.array_equal(in_play(one), in_play(two))
        if not (dealt(one, events.REMOVE) != dealt(two, events.REMOVE)).any():
            points = [dealt(log, events.OBJECTIVE) for log in (one, two)]
            assert np.array_equal(2 * points[0][:, 4], points[1][:, 4])
            assert np.array_equal(points[0][:, 5], points[1][:, 5])


def test_points_of_icons_change_tag_points_alone():
    raised = changed("icons.railway.points", 50)
    for one, two in pairs({}, {"components": raised}, [RANDOM], games=4):
        assert np.array_equal(in_play(one), in_play(two))
    seats = played(setup(3, components=raised), 30)["seats"]
    assert seats["tag_points"].max() > 100


@pytest.mark.parametrize(("name", "value"), [("rounds", 1), ("rounds", 2), ("rounds", 5)])
def test_fewer_or_more_rounds_begin_alike(name, value):
    components = numbers(COMPONENTS, **{name: value})
    for one, two in pairs({}, {"components": components}, [RANDOM], games=3):
        ends = [np.flatnonzero(log[:, 0] == events.ROUND_END) for log in (one, two)]
        assert (len(ends[0]), len(ends[1])) == (3, value)
        common = min(3, value)
        assert np.array_equal(one[: ends[0][common - 1]], two[: ends[1][common - 1]])


def test_fewer_cop_cars_change_nothing_until_they_are_out():
    components = numbers(COMPONENTS, cop_cars=3)
    differ = 0
    for one, two in pairs({}, {"components": components}, games=4):
        found = first_difference(one, two)
        rushes = [
            i for i, row in enumerate(rows_of(one))
            if row.event == "ACT" and row.what.startswith("rush")
        ]  # fmt: skip
        if found is not None:
            differ += 1
            assert found > rushes[2]
        assert sum(row.c for row in of(rows_of(two), "SCORE")) <= 3
    assert differ


def test_tiles_of_another_set_change_nothing_but_what_is_scored():
    """A thirteenth side from an existing kind with other numbers can be dealt and is scored."""
    side = COMPONENTS["objectives"]["sides"]["straight_shooter"] | {"length": 2, "points": 7}
    made = changed("objectives.sides.pair_up", side)
    made = changed("objectives.tiles", [*COMPONENTS["objectives"]["tiles"], ["pair_up", "x"]], made)
    made = changed("objectives.sides.x", COMPONENTS["objectives"]["sides"]["border_wars"], made)
    cell = setup(3, components=made, tiles=["pair_up", "border_wars", "bestagon"], styles=[GREEDY])
    tables, labels = played(cell, 30), GAME.labels(cell)
    rows = [named(row, labels) for row in tables["objectives"]]
    points = [row["points"] for row in rows if row["side"] == "pair_up"]
    assert max(points) >= 14
    assert all(p % 7 == 0 for p in points)
    for game in range(3):
        GAME.replay(cell, log_of(cell, game))


def test_every_ruling_is_tested_here():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in RULINGS if f'"{name}"' not in text and f"{name}=" not in text] == []
