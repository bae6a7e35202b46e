"""Games told by their logs keep every rule, whatever the components, rulings and styles."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.games.tag_city.vocabulary import FEATURE_NAMES
from tests.games.tag_city.ledger import layer_points, replay
from tests.games.tag_city.table import GREEDY, STYLES, city, log_of, played, setup, style

RULINGS = {
    "hq": st.sampled_from(["A", "B", ["w5", "n5", "u5", "v5", "l5", "t4"]]),
    "bubble_values": st.lists(st.integers(-3, 2), max_size=6),
    "drone_values": st.lists(st.integers(-3, 1), max_size=6),
    "last_die_tie": st.sampled_from(["share_large", "leader_first"]),
    "first_leader": st.sampled_from(["seat0", "random"]),
    "round_cap": st.integers(1, 60),
}
MADE = st.builds(
    lambda weights, temperature: style(temperature, **weights),
    st.dictionaries(st.sampled_from(FEATURE_NAMES), st.sampled_from([-2.0, 0.3, 1.0]), max_size=4),
    st.sampled_from([0.0, 0.0, 0.5]),
)
ANY_STYLE = st.one_of(st.sampled_from(list(STYLES.values())), MADE)
DRAWINGS = st.builds(
    lambda rows, columns, letters: "\n".join(
        "".join(letters[(r * columns + c) % len(letters)] for c in range(columns))
        for r in range(rows)
    ),
    st.integers(1, 9),
    st.integers(1, 14),
    st.lists(st.sampled_from("ABCDEF"), min_size=1, max_size=40),
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(ANY_STYLE, min_size=2, max_size=4),
    st.fixed_dictionaries(RULINGS),
    st.one_of(st.sampled_from(["A", "B"]), DRAWINGS),
    st.integers(0, 10_000),
)
def test_any_game_keeps_the_rules(styles, rulings, board, game):
    if board not in ("A", "B"):
        rulings["components"] = city(board, connected=False)
        board = "X"
    cell = setup(len(styles), *styles, city=board, **rulings)
    log = log_of(cell, game)
    told = replay(cell, log)
    check_tables(cell, game, told)
    assert np.array_equal(log, log_of(cell, game))


def check_tables(cell, game, told) -> None:
    """The tables of a game say what its log says."""
    tables = played(cell, 1, first=game)
    row, seats, position = tables["games"][0], tables["seats"], told.position
    n, over = told.rules.players, told.reason != "round_cap"
    rounds = len(told.leaders)
    assert (row["rounds"], row["turns"]) == (rounds, 2 * n * rounds)
    assert row["truncated"] == (not over)
    assert ("large_values", "bubbles", "drones", "round_cap")[row["end_reason"]] == told.reason
    assert [cell.shapes[row[f"ring_{space}"]] for space in range(6)] == position.ring
    assert row["large_left"] == len(position.large_free)
    assert row["bubbles_left"] == len(position.bubbles_free)
    assert row["drawings"] == len(told.drawings)
    assert row["drones"] == sum(position.slots_used)
    assert row["checks"] == told.checks.total()
    scores = sorted(position.scores)
    assert row["margin"] == scores[-1] - scores[-2]
    leads = [seat for at, seat in enumerate(told.leads) if not at or told.leads[at - 1] != seat]
    assert row["lead_changes"] == max(len(leads) - 1, 0)
    winners = [seat for seat in range(n) if told.scores[seat][1] == 1]
    assert row["tied"] == (len(winners) > 1)
    choices = sum(
        d.what == "side" or len(d.position.actions(d.seat, d.what == "draft")) > 1
        for d in told.decisions
    )
    assert row["decisions"] == choices
    for seat in range(n):
        check_seat(told, seat, seats[seat], winners if over else None)
    check_elements(cell, told, tables["elements"], winners if over else None)


def check_seat(told, seat, row, winners) -> None:
    position, rulings = told.position, told.rules.rulings
    own = [circled for circled in told.circled if circled.seat == seat]
    for column, points in layer_points(told, seat).items():
        assert row[column] == points
    assert row["score"] == position.scores[seat]
    assert row["rank"] == told.scores[seat][1]
    share = (seat in winners) / len(winners) if winners else np.nan
    assert np.array_equal(row["win_share"], share, equal_nan=True)
    assert row["drone_points"] == sum(rulings["drone_values"][: position.slots_used[seat]])
    assert row["drones"] == position.slots_used[seat]
    assert row["bubbles"] == position.circled[seat]
    assert row["checks"] == told.checks[seat]
    layers = [told.rules.elements[circled.element].layer for circled in own]
    for column, layer in (("rows", "row"), ("columns", "column")):
        assert row[column] == layers.count(layer)
    assert row["neighborhoods"] == layers.count("neighborhood")
    assert row["larges"] == sum(circled.large for circled in own)
    assert row["last_points"] == sum(circled.points for circled in own if circled.last)
    assert row["squares"] == len(position.painted[seat])
    assert row["holes"] == len(position.holes(position.painted[seat]))
    assert row["drawings"] == sum(drawing[1] == seat for drawing in told.drawings)
    n = told.rules.players
    assert row["turns_led"] == told.leaders.count(seat)
    places = [(seat - leader - 1) % n + 1 for leader in told.leaders]
    assert row["drafted_first"] == places.count(1)
    assert row["draft_place"] == np.float32(np.mean(places))


def check_elements(cell, told, rows, winners) -> None:
    assert len(rows) == len(cell.elements) == len(told.rules.elements)
    for number, (row, element) in enumerate(zip(rows, told.rules.elements, strict=True)):
        circled = [c for c in told.circled if c.element == number]
        large = [c for c in circled if c.large]
        assert row["element"] == number
        assert ("row", "column", "neighborhood")[row["layer"]] == element.layer
        assert (row["squares"], row["large"], row["small"]) == (
            len(element.squares), element.large, element.small
        )  # fmt: skip
        taker = 5 if not large else large[0].seat if len(large) == 1 else 4
        assert row["large_taker"] == taker
        assert row["large_takers"] == len(large)
        assert row["large_round"] == (large[0].round + 1 if large else 0)
        assert row["large_last_die"] == bool(large and large[0].last)
        assert row["small_takers"] == len(circled) - len(large)
        if winners:
            due = sum(c.seat in winners for c in large) / len(winners)
            assert row["large_win_share"] == pytest.approx(due)
        else:
            assert np.isnan(row["large_win_share"])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("side", ["A", "B"])
def test_shipped_games_keep_the_rules(players, side):
    for styles in ([GREEDY], list(STYLES.values())[2 : 2 + players]):
        cell = setup(players, *styles, hq=side, city=side)
        for game in range(3):
            check_tables(cell, game, replay(cell, log_of(cell, game)))


def test_large_values_shared_with_the_last_die_are_counted():
    cell = setup(4, GREEDY, components=city("AAAB\nAABB"), city="X")
    shared = 0
    for game in range(40):
        told = replay(cell, log_of(cell, game))
        larges = [c.element for c in told.circled if c.large]
        due = sum(larges.count(element) > 1 for element in set(larges))
        assert played(cell, 1, first=game)["games"]["shared_larges"][0] == due
        shared += due
    assert shared > 10


def test_squares_tell_where_and_when_each_drawing_lies():
    cell = setup(3, GREEDY, sample=1.0)
    tables = played(cell, 4)
    for game in range(4):
        told = replay(cell, log_of(cell, game))
        rows = tables["squares"][game * 3 * 96 : (game + 1) * 3 * 96]
        assert set(rows["game"]) == {game}
        for seat in range(3):
            due = {square: (0, len(cell.shapes), 0) for square in range(96)}
            own = [drawing for drawing in told.drawings if drawing[1] == seat]
            for number, (turn, _, shape, squares) in enumerate(own, 1):
                due |= dict.fromkeys(squares, (turn + 1, cell.shapes.index(shape), number))
            mine = rows[rows["seat"] == seat]
            found = {
                int(r["square"]): (int(r["round"]), int(r["shape"]), int(r["drawing"]))
                for r in mine
            }
            assert found == due
            assert np.array_equal(mine["row"] * 12 + mine["column"], mine["square"])


def test_shapes_are_counted_over_finished_games():
    cell = setup(4, GREEDY, hq="B")
    tables = played(cell, 6)
    due = {name: dict.fromkeys(tables["shapes"].dtype.names[1:], 0) for name in cell.shapes}
    for game in range(6):
        told = replay(cell, log_of(cell, game))
        ring = told.position.ring
        for shape in (*told.rules.small, *ring):
            due[shape]["games"] += 1
        lasts = {}
        for d in told.decisions:
            if d.what == "side":
                due[ring[d.space]]["dice"] += 1
                continue
            held = due[ring[d.action.space]]
            held["drafted"] += d.what == "draft"
            held["uses"] += 1
            held["no_room"] += not d.position.room(d.seat, ring[d.action.space])
            if d.what == "last":
                lasts[len(lasts) if d.seat == d.position.order()[0] else len(lasts) - 1] = held
            if d.action.kind != "check":
                kind = "painted" if d.action.kind == "paint" else "flown"
                due[d.action.shape][kind] += 1
        for held in lasts.values():
            held["last"] += 1
        for circled in told.circled:
            due[circled.shape]["points"] += circled.points
    for row in tables["shapes"]:
        found = {name: int(row[name]) for name in row.dtype.names[1:]}
        assert found == due[cell.shapes[row["shape"]]]
