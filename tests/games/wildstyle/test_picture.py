"""The pictures: they show what is on the table, in its place, and no words collide."""

import io
import random
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from sim.errors import SimError
from sim.games.wildstyle.glyphs import ICON_PATHS, SEAT_COLORS, TAG_PATHS
from sim.games.wildstyle.hexmap import city_map
from sim.games.wildstyle.logbook import Acted, Removed, Solo
from sim.games.wildstyle.mapdraw import (
    MARK,
    MARK_FILL,
    draw_map,
    edges,
    heat_map,
    hexagons,
    middles,
    outline,
)
from sim.games.wildstyle.picture import objectives_picture, picture
from sim.games.wildstyle.scoring_rules import count_objective, standing

from .logs import COMPONENTS, EXACT, Play, random_game, variant

STYLES = ("greedy", "High Value", "denier", "rusher", "careful")
LONG = ("a_style_with_a_name_that_goes_on_and_on_and_on",) * 5


@cache
def game(players, radius=3, seed=1, way="eager"):
    return random_game(players, seed, way, board_radius=radius).replay()


TABLES = pytest.mark.parametrize(("players", "radius"), [(2, 2), (3, 3), (4, 2), (5, 3)])


def several(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def acts_of(replay):
    return [at for at, event in enumerate(replay.events) if isinstance(event, Acted)]


def words(figure, axes=0):
    return [text.get_text() for text in figure.axes[axes].texts]


def tags_drawn(axes, replay, kind="tag"):
    """Return (seat, hex) of what is drawn as a tag of a kind: the hex whose middle is nearest."""
    places = middles(replay.events[0].city.ground.cells)
    found = []
    for patch in axes.patches:
        name, _, seat = (patch.get_gid() or "").partition("-")
        if name == kind:
            box = patch.get_path().get_extents()
            at = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
            away = np.hypot(*(places - at).T)
            assert away.min() < 0.5
            found.append((int(seat), int(away.argmin())))
    return sorted(found)


def by_seat(tags):
    return sorted((seat, hex_) for seat, hexes in enumerate(tags) for hex_ in hexes)


# Layout


def check_layout(figure):
    """Check that words lie inside the figure and over no others."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    for axes in figure.axes:
        axes.apply_aspect()
    texts = [text for axes in figure.axes for text in axes.texts if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not box.overlaps(other_box), (text, other)


@TABLES
def test_words_never_collide(players, radius):
    check_layout(picture(game(players, radius), LONG))


@pytest.mark.parametrize("players", [2, 5])
def test_words_never_collide_beside_marked_objectives(players):
    radius = 2 if players == 2 else 3
    check_layout(objectives_picture(game(players, radius), LONG, players - 1))


def test_large_hands_sets_and_many_piles_fit():
    components = variant(
        COMPONENTS,
        numbers={"hand_size": 5, "set_size": 5, "rounds": 1},
        piles={"players_3": {"share": 5, "draw": 5, "unused": 0}},
    )
    replay = random_game(3, 2, components=components).replay()
    check_layout(picture(replay, LONG, len(acts_of(replay)) // 2))


# What the table shows


@TABLES
def test_the_table_shows_its_state(players, radius):
    replay = game(players, radius)
    acts = acts_of(replay)
    turn = int(0.7 * len(acts))
    start, state = replay.events[0], replay.states[acts[turn - 1]]
    figure = picture(replay, STYLES, turn)
    assert tags_drawn(figure.axes[1], replay) == by_seat(state.tags)
    shown = words(figure)
    counts = [several(len(tags), "tag") + " on the map" for tags in state.tags]
    counts += [several(tags, "tag") + " on the mat" for tags in state.tags_left]
    counts += [several(tags, "tag") + " in the supply" for tags in state.supply]
    counts += [several(cars, "cop car") for cars in state.cars]
    counts.append(several(state.cars_left, "cop car") + " left")
    for text, count in Counter(counts).items():
        assert shown.count(text) == count
    for side in start.sides:
        at = shown.index(side.title)
        due = [count_objective(start.city, side, frozenset(tags)).points for tags in state.tags]
        assert shown[at + 2 : at + 2 + players] == list(map(str, due))
    at = shown.index("Total") + 1
    total = [standing(start.city, start.sides, frozenset(tags)) for tags in state.tags]
    assert shown[at : at + players] == list(map(str, total))
    cards = sum(map(len, state.hands)) + sum(len(held) for mat in state.mats for held in mat)
    letters = Counter(name[0] for name in COMPONENTS["colours"]["names"])
    tops = sum(bool(pile) for pile in state.share_piles)
    assert sum(text in letters for text in shown) == cards + tops
    piles = [*map(len, state.share_piles), *state.draw_piles]
    first = shown.index(f"{several(state.cars_left, 'cop car')} left") + 1
    found = shown[first : shown.index("Points as the tags lie")]
    assert [text for text in found if text.isdigit()] == list(map(str, piles))


def test_the_end_shows_what_came_off():
    replay = random_game(3, 5, "random").replay()
    figure = picture(replay, STYLES)
    lost = {
        kind: sorted((e.seat, h) for e in replay.events if isinstance(e, kind) for h in e.hexes)
        for kind in (Removed, Solo)
    }
    assert lost[Removed]
    assert lost[Solo]
    city = figure.axes[1]
    assert tags_drawn(city, replay, "car") == lost[Removed]
    assert tags_drawn(city, replay, "solo") == lost[Solo]
    assert tags_drawn(city, replay) == by_seat(replay.states[-1].tags)
    shown = words(figure)
    assert "given up for a cop car" in shown
    assert "solo, came off" in shown
    results = replay.events[-1].results
    at = shown.index("Total") + 1
    assert shown[at : at + 3] == [str(result.score) for result in results]
    assert "Points" in shown


@pytest.mark.parametrize("turn", [0, 1, 40])
def test_headings(turn):
    replay = game(3)
    acts = acts_of(replay)
    shown = words(picture(replay, STYLES, turn))
    if turn == 0:
        assert shown[:2] == ["Wildstyle, round 1 is dealt", "Everybody has a hand and may begin."]
        return
    event = replay.events[acts[turn - 1]]
    second = f"{event.time / 1e6:.1f} s"
    assert shown[0] == f"Wildstyle, round 1, {second}: after act {turn} of {len(acts)}"
    assert shown[1].startswith(f"Seat {event.seat} ")
    assert shown.count("has just acted") == 1


def test_the_end_of_a_game():
    replay = game(3)
    shown = words(picture(replay, STYLES))
    assert shown[0] == f"Wildstyle, the end, after 3 rounds and {len(acts_of(replay))} acts"
    for result in replay.events[-1].results:
        told = [text for text in shown if text.startswith(f"{result.score} point")]
        assert any(text.endswith("wins" if result.rank == 1 else f"{result.rank}") for text in told)


def test_a_game_cut_off():
    clock = {"handling": EXACT["clock"]["handling"] | {"add": 1.4}, "reaction": 5.0}
    play = Play(components=variant(clock=clock), round_cap_s=2)
    play.round(play.script(["add park red 0", "add park blue 0"]), [["park red", "park blue"]])
    shown = words(picture(play.cut_off().replay(), STYLES))
    assert shown.count("cut off") == 2
    assert "The game is cut off by the longest time for a round: nobody wins." in shown


def test_the_last_tag_is_marked():
    replay = game(3)
    acts = acts_of(replay)
    turn, event = next(
        (turn, replay.events[at])
        for turn, at in enumerate(acts, start=1)
        if replay.events[at].deed.hex is not None
    )
    cells = replay.events[0].city.ground.cells
    assert marked(picture(replay, STYLES, turn).axes[1]) == [ends(outline(cells, [event.deed.hex]))]
    assert marked(picture(replay, STYLES, 1).axes[1]) == []


@pytest.mark.parametrize("turn", [-1, 100_000])
def test_no_such_turn(turn):
    with pytest.raises(SimError, match=rf"turn: {turn} is outside this game, .* 0 \(the deal\) to"):
        picture(game(2), STYLES, turn)


def test_can_be_saved():
    file = io.BytesIO()
    picture(game(2), STYLES).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


# One seat's objectives


def ends(lines):
    """Return edges in a form to be compared: each as its two ends, rounded."""
    return sorted(sorted((round(x, 6), round(y, 6)) for x, y in line) for line in lines)


def marked(axes):
    """Return the outlines drawn as marks."""
    return [
        ends(lines.get_segments())
        for lines in axes.collections
        if isinstance(lines, LineCollection)
        and tuple(lines.get_edgecolor()[0]) == pytest.approx(to_rgba(MARK))
    ]


def scores_all(seat, tiles, number):
    """Return a game in which a seat scores with every tile but Bestagon, None if this is none."""
    play = Play(
        2, tiles=tiles, tiles_ruling=list(tiles), board_radius=2, components=variant(),
        luck=random.Random(number),
    )  # fmt: skip
    for _ in range(play.rules.rounds):
        play.round(play.eager())
    replay = play.scored().replay()
    city, tags = replay.events[0].city, frozenset(replay.states[-1].tags[seat])
    scoring = [count_objective(city, side, tags).points > 0 for side in replay.events[0].sides]
    wanted = [name != "bestagon" for name in tiles]
    return replay if scoring == wanted else None


@pytest.mark.parametrize(
    ("seat", "tiles"),
    [
        (1, ("tricorners", "straight_shooter", "bestagon")),
        (1, ("border_wars", "three_of_a_kind", "end_of_the_line")),
        (1, ("district_division", "rail_supreme", "under_their_noses")),
        (1, ("tricorners", "three_of_a_kind", "zone_control")),
        (1, ("rail_supreme", "border_wars", "urban_planner")),
        (0, ("border_wars", "district_division", "station_snake")),
    ],
)
def test_objectives_are_outlined(seat, tiles):
    replay = next(filter(None, (scores_all(seat, tiles, number) for number in range(200))))
    city = replay.events[0].city
    figure = objectives_picture(replay, STYLES, seat)
    tags = frozenset(replay.states[-1].tags[seat])
    for axes, side in zip(figure.axes[1:], replay.events[0].sides, strict=True):
        found = count_objective(city, side, tags)
        due = [ends(outline(city.ground.cells, group)) for group in found.groups]
        assert marked(axes) == due
        assert any(text.startswith(f"{side.title}: {found.points} point") for text in words(figure))
        assert bool(due) == (side.name != "bestagon")
        if side.kind in ("lines", "longest_line", "station_path"):
            paths = [line.get_xydata() for line in axes.lines]
            assert len(paths) == len(found.groups)
            for path, group in zip(paths, found.groups, strict=True):
                assert path == pytest.approx(middles(city.ground.cells)[list(group)])
        assert tags_drawn(axes, replay) == by_seat(replay.states[-1].tags)


def test_no_such_seat():
    with pytest.raises(SimError, match="seat: found 2; allowed: 0 to 1"):
        objectives_picture(game(2), STYLES, 2)


# Maps


def test_heat_lies_where_it_belongs():
    found = city_map(3, 2)
    values = np.arange(len(found.cells)) / 200
    values[5] = np.nan
    axes = Figure().subplots()
    heat = heat_map(axes, found.cells, values, found.district, "tags a game")
    shown = heat.get_array()
    middle = [path.vertices[:6].mean(axis=0) for path in heat.get_paths()]
    places = middles(found.cells)
    for value, at in zip(shown, middle, strict=True):
        hex_ = round(value * 200)
        assert at == pytest.approx(places[hex_])
    assert len(shown) == len(values) - 1
    assert heat.get_clim() == pytest.approx((0, 0.3))
    grey = [c for c in axes.collections if isinstance(c, PolyCollection) and c.get_hatch()]
    (path,) = grey[0].get_paths()
    assert path.vertices[:6].mean(axis=0) == pytest.approx(places[5])
    assert axes.get_figure().axes[1].get_ylabel() == "tags a game"


@pytest.mark.parametrize(
    ("most", "top"), [(0.0, 0.01), (0.034, 0.04), (0.1, 0.1), (0.31, 0.4), (0.3, 0.3), (1.0, 1.0)]
)
def test_scales_of_heat(most, top):
    found = city_map(2, 2)
    axes = Figure().subplots()
    heat = heat_map(axes, found.cells, np.full(len(found.cells), most), found.district, "")
    assert heat.get_clim() == pytest.approx((0, top))
    heat = heat_map(axes, found.cells, np.zeros(len(found.cells)), found.district, "", top=0.5)
    assert heat.get_clim() == (0, 0.5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_borders_are_those_of_the_map(players):
    found = city_map(players, 3)
    between, rim = edges(found.cells, list(found.district))
    pairs = [
        (hex_, other)
        for hex_, row in enumerate(found.neighbours)
        for other in row
        if other > hex_ and found.district[other] != found.district[hex_]
    ]
    assert len(between) == len(pairs)
    assert len(rim) == int((found.neighbours < 0).sum())
    places = middles(found.cells)
    halfway = sorted(tuple(np.round(places[[a, b]].mean(axis=0), 6)) for a, b in pairs)
    assert sorted(tuple(np.round(edge.mean(axis=0), 6)) for edge in between) == halfway


def test_hexes_touch_and_do_not_overlap():
    places = middles([(0, 0), (1, 0), (0, 1), (-1, 1)])
    away = np.hypot(*(places[1:] - places[0]).T)
    assert away == pytest.approx(1)
    shape = hexagons([(0, 0)])[0]
    assert np.hypot(*(shape - np.roll(shape, 1, axis=0)).T) == pytest.approx(3**-0.5)


def test_a_map_without_icons():
    found = city_map(2, 2)
    axes = Figure().subplots()
    draw_map(axes, found.cells, found.district)
    assert not axes.patches
    assert [text.get_text() for text in axes.texts] == list("ABCDEFG")


def test_icons_and_tags_are_told_apart_by_shape():
    icons = [dark.vertices.tobytes() for dark, _ in ICON_PATHS]
    assert len(set(icons)) == 8
    for dark, light in ICON_PATHS:
        for path in (dark, light):
            if path is not None:
                assert np.abs(path.vertices).max() <= 0.51
    assert len({path.vertices.tobytes() for path in TAG_PATHS}) == 5
    assert len(set(SEAT_COLORS)) == 5
    assert MARK_FILL != MARK
