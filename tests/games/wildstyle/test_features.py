"""What a player sees in an act, worked by hand."""

import math
from itertools import pairwise

import pytest

from sim.players import Style

from ..running import uncompiled
from .table import COMPONENTS, FEATURES, GAME, Table, prefers, seat


def features(table, words, number=0):
    """Return every feature of an act that is not 0."""
    found = {name: table.feature(name, number)[words] for name in FEATURES}
    return {name: value for name, value in found.items() if value}


def test_each_feature_is_explained_and_named_once():
    assert len(set(FEATURES)) == len(FEATURES)
    assert all(feature.doc for feature in GAME.features)


@uncompiled
def test_cards_onto_sets():
    table = Table(
        seat("2*park red, police blue", sets="2*park"),
        seat("park blue", sets="park, 2*station"),
        seat("police red", sets="3*park"),
        share=["station red, park green"],
    )
    assert features(table, "add park red 0") == {
        "adds": 1, "grows_set": 1, "fills_set": 1, "same_in_hand": 1,
        "icon_unseen": 10 - (2 + 1 + 3 + 1) - 2,
    }  # fmt: skip
    assert features(table, "add park red 1")["starts_set"] == 1
    assert "fills_set" not in features(table, "add park red 1")
    found = features(table, "take park green 0 0")
    # two hold parks in a set, but one of these is full
    assert (found["rivals_want"], found["same_in_hand"]) == (1, 2)
    assert "rivals_want" not in features(table, "add park red 0")


@uncompiled
def test_shared_cards():
    table = Table(
        seat("park red, police blue, station blue", sets="2*park"),
        seat(sets="park, police"),
        seat(sets="police, 3*station"),
    )
    assert features(table, "share park red 0") == {
        "shares": 1, "feeds_rivals": 1, "shares_match": 1, "frees_full_hand": 1,
    }  # fmt: skip
    assert features(table, "share police blue 0")["feeds_rivals"] == 2
    assert features(table, "share station blue 0") == {"shares": 1, "frees_full_hand": 1}


@uncompiled
@pytest.mark.parametrize(("hand", "space"), [("", 3), ("park red", 2), ("park red, park blue", 1)])
def test_space_in_the_hand(hand, space):
    table = Table(seat(hand), seat())
    assert features(table, "draw 1") == {"draws": 1, "hand_space": space}


@uncompiled
def test_waiting_and_stopping():
    table = Table(seat(sets="park"), seat(), final="tags_out")
    assert features(table, "wait") == {"waits": 1}
    assert features(table, "stop") == {"stops": 1}


@uncompiled
def test_a_rush():
    table = Table(
        seat(sets="police, 3*park", mat=4, cars=1), seat(mat=2), seat(mat=5),
        draw=["3*park red", "3*park red"], tiles=["border_wars", "district_division", "bestagon"],
    )  # fmt: skip
    table.s["drawable"] = 10
    found = features(table, "rush 0 none")
    assert found == {
        "rushes": 1, "cards_missing": 2, "cars_taken": 1, "cards_gone": 0.4, "rounds_left": 2,
        "rivals_tags": 2, "no_tag": 1,
    }  # fmt: skip
    assert features(table, "complete 1 none") == {"completes": 1, "no_tag": 1}
    hex_ = table.hexes("police")[0]
    found = features(table, f"rush 0 {hex_}")
    assert (found["points"], found["solo"], found["tags_left"]) == (4, 1, 4)
    assert "no_tag" not in found


@uncompiled
def test_a_car_is_free_while_more_tags_are_alone_than_cars_were_taken():
    alone = Table(seat(sets="police", cars=1, tags=[0, 36]), seat())
    assert alone.feature("free_car")["rush 0 none"] == 1
    table = Table(seat(sets="police", cars=2, tags=[0, 36]), seat())
    assert table.feature("free_car")["rush 0 none"] == 0
    joined = Table(seat(sets="police", tags=[0, 1]), seat())
    assert joined.feature("free_car")["rush 0 none"] == 0


def neighbours(table, icon):
    """Return two hexes side by side, the second with an icon and not a station's."""
    for cell in table.hexes(icon):
        for there in table.beside(cell):
            if there not in table.hexes("station") and there not in table.hexes(icon):
                return there, cell
    raise AssertionError("no such hexes")


@uncompiled
def test_tags_beside():
    table = Table(seat(sets="3*park"), seat())
    first, park = neighbours(table, "park")
    free = len(table.beside(park))
    before = features(table, f"complete 0 {park}")
    assert (before["solo"], before["free_neighbours"]) == (1, free)
    table.tag(0, first)
    after = features(table, f"complete 0 {park}")
    assert (after["joins"], after["rescues"], after["free_neighbours"]) == (1, 1, free - 1)
    assert "solo" not in after
    other = next(cell for cell in table.beside(first) if cell != park)
    table.tag(0, other)
    later = features(table, f"complete 0 {park}")
    assert "rescues" not in later


def line(table, length, icon):
    """Return hexes in a row of which the last has an icon, none of them a station's."""
    stations = table.hexes("station")
    for cell in table.hexes(icon):
        for direction in range(6):
            row = [cell]
            while len(row) < length:
                row.append(int(table.s["neighbour"][row[-1], direction]))
                if row[-1] < 0 or row[-1] in stations:
                    break
            else:
                return row[::-1]
    raise AssertionError("no such line")


@uncompiled
def test_gain_and_progress_of_a_line():
    tiles = ["straight_shooter", "border_wars", "bestagon"]
    table = Table(seat(sets="3*park"), seat(), tiles=tiles)
    row = line(table, 5, "park")
    words = f"complete 0 {row[-1]}"
    course = []
    for cell in row[:-1]:
        table.tag(0, cell)
        gain, near = (table.feature(name)[words] for name in ("gain_lines", "objective_progress"))
        course.append((gain, near))
    hexagon = [9 * tags / 7 for tags in hexagon_with(table, row)]
    assert [gain for gain, _ in course] == [0, 0, 0, 6]
    assert [near for _, near in course] == pytest.approx(
        [6 * part + more for part, more in zip((0.4, 0.6, 0.8, 0.0), hexagon, strict=True)]
    )


def hexagon_with(table, row):
    """Return the most tags, after each but the last of a row, of a hexagon with the last hex."""
    middles = [
        cell for cell in range(len(table.icons))
        if len(table.beside(cell)) == 6 and row[-1] in (cell, *table.beside(cell))
    ]  # fmt: skip
    for count in range(1, len(row)):
        tags = {*row[:count], row[-1]}
        yield max((len(tags & {cell, *table.beside(cell)}) for cell in middles), default=0)


@uncompiled
def test_what_a_rival_would_gain_is_blocked_but_not_on_a_station():
    tiles = ["straight_shooter", "district_division", "bestagon"]
    table = Table(seat(sets="3*park"), seat(), seat(), tiles=tiles)
    row = line(table, 5, "park")
    for cell in row[:-1]:
        table.tag(1, cell)
    same_district = table.s["district"][row] == table.s["district"][row[-1]]
    due = 6 + 5 * bool(same_district[:-1].sum() == 4 and same_district[-1])
    assert table.feature("blocks_rivals")[f"complete 0 {row[-1]}"] == due
    assert table.feature("blocks_rivals")["complete 0 none"] == 0


@uncompiled
def test_a_side_that_is_ignored_has_no_weight():
    sides = ["border_wars", "urban_planner", "tricorners"]
    weights = {"objective_gain": 1.0, "objective_progress": 1.0, "blocks_rivals": 1.0}
    heeds = Style(name="heeds", weights=weights)
    ignores = heeds.model_copy(update={"forbid": sides})
    values = [
        Table(seat(sets="3*railway", style=style), seat(), tiles=sides).values()
        for style in (heeds, ignores)
    ]
    assert any(values[0].values())
    assert not any(values[1].values())


@uncompiled
def test_an_icon_without_a_free_hex_is_worth_nothing():
    table = Table(seat("police red, park red"), seat())
    weights = {"icon_worth": 1.0, "points": 1.0, "no_place": -7.0}
    assert table.values(weights)["add police red 0"] == 4
    for cell in table.hexes("police"):
        table.tag(1, cell)
    assert table.values(weights)["add police red 0"] == -7
    assert table.values(weights)["add park red 0"] == 3


@uncompiled
def test_forbidden_kinds_are_worth_minus_infinity():
    table = Table(seat("park red", sets="3*police, park", style=prefers(draw=1.0)), seat())
    for words, value in table.values().items():
        kind = words.split()[0]
        assert (value == -math.inf) == (kind not in ("draw", "wait"))


@uncompiled
def test_a_better_hex_is_worth_more_step_by_step():
    """The order of hexes by points is that of the component file."""
    points = {icon: COMPONENTS["icons"][icon]["points"] for icon in ("railway", "park", "police")}
    found = []
    for icon, worth in points.items():
        table = Table(seat(sets=f"3*{icon}"), seat())
        values = table.feature("points")
        assert {values[f"complete 0 {cell}"] for cell in table.hexes(icon)} == {worth}
        found.append(worth)
    assert all(one < two for one, two in pairwise(found))
