"""What a player sees in an act, against plain Python over sampled looks and crowded maps."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from sim.games.wildstyle.city import build_city, ground
from sim.games.wildstyle.events import ICONS
from sim.games.wildstyle.logbook import deed
from sim.games.wildstyle.scoring_rules import Side
from sim.games.wildstyle.vocabulary import KINDS
from sim.players import Style

from . import plain
from .moments import moments
from .table import (
    COMPONENTS,
    FEATURES,
    GAME,
    RULINGS,
    Table,
    changed,
    forget_worths,
    give_weights,
    log_of,
    seat,
    setup,
    weighed,
)
from .words import code_of

SMALL = changed("objectives.sides.tricorners.side", 2)
for path, number in {
    "straight_shooter.length": 3, "end_of_the_line.least": 3, "three_of_a_kind.size": 2,
    "district_division.tags": 3, "zone_control.tags": 2, "rail_supreme.stations": 2,
    "bestagon.points": 11, "station_snake.points": 3,
}.items():  # fmt: skip
    SMALL = changed(f"objectives.sides.{path}", number, SMALL)
"""Objectives that a few tags complete, with other numbers than shipped."""


def collector(name="collector", **more):
    """A style that places many tags near each other, with some chance."""
    weights = dict(GAME.styles()["greedy"].weights) | {"rushes": -2.0, "joins": 1.5} | more
    return Style(name=name, weights=weights, temperature=0.7)


def line_up(players):
    """Return players of several kinds; some ignore objectives."""
    styles = [
        collector(),
        collector("single-minded", blocks_rivals=0.3, free_neighbours=0.1).model_copy(
            update={"forbid": ["border_wars", "station_snake", "tricorners", "bestagon"]}
        ),
        GAME.styles()["random"],
        collector("spread", joins=-0.5, solo=0.5),
        collector("blind").model_copy(update={"forbid": ["zone_control", "rail_supreme", "share"]}),
    ]
    return styles[:players]


def some_weights(luck):
    """Return weights of any sign for many of the features."""
    some_share = 0.4 + 0.6 * luck.random()
    return {name: float(luck.normal()) for name in FEATURES if luck.random() < some_share}


def differences(state, view, values, weights):
    """Return the features that differ from plain Python for some act, by act."""
    found = {}
    for words in values:
        act = deed(*code_of(words))
        due = plain.value_of(view, act, weights)
        if values[words] != pytest.approx(due, abs=1e-9):
            for name in weights:
                copy = state.copy()
                single = weights if name in ("icon_worth", "shares_worth") else {name: 1.0}
                give_weights(copy, int(copy[0]["place"][view.seat]), single)
                kernel, mine = weighed(copy, view.seat)[words], plain.value_of(view, act, single)
                if kernel != pytest.approx(mine, abs=1e-9):
                    found[words, name] = kernel, mine
            found[words, "value"] = values[words], due
    return found


def compare(made, game, step, luck, seen, seed=1):
    """Compare every act's value at every `step`th look of a game, for weights drawn anew."""
    ignored = {
        number: frozenset(made.sides[i] for i in np.flatnonzero(made.record[0]["ignores"][place]))
        for number, place in enumerate(range(made.players))
    }
    log = log_of(made, game, seed)
    looks = plain.views(GAME.replay(made, log), ignored)
    own = []
    for moment, (event, view) in zip(moments(made, game, seed, own), looks, strict=True):
        assert (moment.seat, int(moment.state[0]["now"])) == (event.seat, event.time)
        if moment.look % step != game % step:
            continue
        weights = some_weights(luck)
        copy = moment.state.copy()
        give_weights(copy, int(copy[0]["place"][view.seat]), weights)
        values = weighed(copy, view.seat)
        assert not differences(moment.state, view, values, weights)
        note(seen, view, values)
    assert np.array_equal(own[0], log)


def note(seen, view, values):
    """Count what was met: acts, gains and progress by kind of objective."""
    for words in values:
        act = deed(*code_of(words))
        seen[act.act] += 1
        if act.hex is not None:
            for side in view.sides:
                seen["gain", side.kind] += plain.gain(view.city, side, view.mine, act.hex) != 0
                seen["progress", side.kind] += plain.progress(view, side, act.hex) != 0
            seen["blocks"] += plain.blocks(view, act.hex) != 0


WITHOUT_PROGRESS = {"borders", "police", "longest_line"}
VARIANTS = {
    "as shipped": {},
    "small boards": {"board_radius": 2},
    "small objectives": {"components": SMALL},
    "small objectives and boards, the best path": {
        "components": SMALL, "board_radius": 2, "station_snake": "best_cluster",
    },
}  # fmt: skip


def test_values_are_those_of_plain_python():
    """Half of the sets of tiles, all player counts and variants; weights anew at each look."""
    luck, seen = np.random.default_rng(5), Counter()
    cells = [*product(range(2, 6), VARIANTS.values())]
    for number, (players, rulings) in enumerate(cells):
        made = setup(players, styles=line_up(players), tiles="even", **rulings)
        for game in range(number, 60, 30):
            compare(made, game, 127, luck, seen)
    assert {"draw", "add", "share", "take", "complete", "rush", "wait"} <= set(seen)
    assert sum(seen["gain", kind] > 0 for kind in KINDS) > 7
    assert sum(seen["progress", kind] > 0 for kind in KINDS) > 6
    assert seen["blocks"]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", range(2, 6))
def test_values_are_those_of_plain_python_for_every_set_of_tiles(players, variant):
    luck, seen = np.random.default_rng(players), Counter()
    made = setup(players, styles=line_up(players), tiles="even", **VARIANTS[variant])
    for game in range(120):
        compare(made, game, 17, luck, seen)
    assert sum(seen["gain", kind] > 0 for kind in KINDS) > 8
    assert {kind for kind in KINDS if seen["progress", kind]} == set(KINDS) - WITHOUT_PROGRESS


# Gains on maps full of tags


def grow(table, luck, number, count):
    """Give a seat more tags, most of them beside its others or on stations."""
    stations = table.hexes("station")
    for _ in range(count):
        mine = table.tags_on_map[number]
        taken = {cell for tags in table.tags_on_map for cell in tags} - set(stations)
        near = [cell for tag in mine for cell in table.beside(tag)] + stations
        options = near if luck.random() < 0.9 else range(len(table.icons))
        options = [cell for cell in options if cell not in taken and cell not in mine]
        if options:
            table.tag(number, int(luck.choice(options)))


def is_tag(words):
    return words.startswith("complete") and not words.endswith("none")


def gains_of(table, kind):
    """Return what the compiled game gives for a tag of seat 0 on each hex."""
    found = {}
    for one, other in ICON_PAIRS:
        table.s["set_icon"][0] = ICONS.index(one), ICONS.index(other)
        found |= table.feature(f"gain_{kind}")
    return {int(words.split()[2]): gain for words, gain in found.items() if is_tag(words)}


ICON_PAIRS = [*zip(ICONS[::2], ICONS[1::2], strict=True)]


def compare_gains(players, seed, components, seen, **rulings):
    """Compare gains of all tiles with full scoring while the map fills."""
    luck = np.random.default_rng(seed)
    by_chance = [pair[luck.integers(2)] for pair in luck.permutation(TILES)[:3]]
    tiles = (SEARCHED, by_chance, CLUSTERED)[seed % 3]
    pairs = [[name, f"{name}_back"] for name in tiles]
    backs = {pair[1]: components["objectives"]["sides"]["border_wars"] for pair in pairs}
    sides = components["objectives"]["sides"] | backs
    made = changed("objectives.sides", sides, components)
    made = changed("objectives.tiles", pairs, made)
    made = changed("objectives.show", "AAA", changed("objectives.family_without", [], made))
    sets = seat(sets="3*railway, 3*station")
    table = Table(sets, *[seat()] * (players - 1), components=made, seed=seed, **rulings)
    points = [icon["points"] for icon in list(made["icons"].values())[2:]]
    city = build_city(ground(players, rulings.get("board_radius", 3)), table.icons, points)
    for _ in range(4):
        for number in range(players):
            grow(table, luck, number, 4 if number == 0 else 2)
        mine = frozenset(table.tags_on_map[0])
        for name in table.tiles:
            side = Side.read(name, made["objectives"]["sides"][name], RULINGS | rulings)
            for hex_, gain in gains_of(table, side.kind).items():
                assert gain == plain.gain(city, side, mine, hex_), (name, sorted(mine), hex_)
                seen[side.kind, np.sign(gain)] += 1


SEARCHED = ["tricorners", "bestagon", "station_snake"]
CLUSTERED = ["zone_control", "rail_supreme", "straight_shooter"]
TILES = np.array(COMPONENTS["objectives"]["tiles"])


@pytest.mark.parametrize("snake", ["each_cluster", "best_cluster"])
def test_gains_on_crowded_maps(snake):
    seen = Counter()
    for seed in range(24):
        compare_gains(
            2 + seed % 4, seed, (COMPONENTS, SMALL)[seed // 4 % 2], seen, station_snake=snake,
            board_radius=(2, 3)[seed // 8 % 2],
        )  # fmt: skip
    assert all(seen[kind, 1] for kind in ("triangles", "lines", "clusters", "station_path"))
    assert seen["clusters", -1]


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 6))
def test_gains_on_many_crowded_maps(players):
    seen = Counter()
    for seed in range(400):
        snake = ("each_cluster", "best_cluster")[seed // 2 % 2]
        compare_gains(
            players, 1000 + seed, (COMPONENTS, SMALL)[seed // 4 % 2], seen, station_snake=snake,
            board_radius=(2, 3)[seed // 8 % 2],
        )  # fmt: skip
    assert all(seen[kind, 1] for kind in KINDS)
    assert seen["clusters", -1]
    assert seen["station_path", -1]


# What is kept of hexes' worth


def check_worths(made, games, seed=1):
    """Compare, at every look, values as kept with values worked out anew; return the looks."""
    looks = 0
    for game in games:
        own = []
        for moment in moments(made, game, seed, own):
            kept, anew = moment.state.copy(), moment.state.copy()
            forget_worths(anew)
            assert weighed(kept, moment.seat) == weighed(anew, moment.seat), (game, moment.look)
            looks += 1
        assert np.array_equal(own[0], log_of(made, game, seed))
    return looks


def rich_styles(players, seed):
    """Return styles that weigh everything that hexes are worth, each in its own way."""
    luck = np.random.default_rng(seed)
    base = collector().weights
    return [
        Style(
            name=f"rich_{place}",
            weights=base | {name: float(luck.normal()) for name in plain.HEX_FEATURES},
            forbid=["zone_control", "urban_planner"] if place == 1 else [],
            temperature=0.5 * (place % 2),
            tempo=1.0 + 0.1 * place,
        )
        for place in range(players)
    ]


@pytest.mark.parametrize("variant", ["as shipped", "small objectives and boards, the best path"])
def test_worths_that_are_kept_are_never_stale(variant):
    looks = 0
    for players in range(2, 6):
        made = setup(players, styles=rich_styles(players, 1), tiles="even", **VARIANTS[variant])
        looks += check_worths(made, range(players, 60, 30))
    assert looks > 3000


def without_blocks(style):
    """Return a style that does not look at rivals' gains: less goes stale with their tags."""
    weights = {name: weight for name, weight in style.weights.items() if name != "blocks_rivals"}
    return style.model_copy(update={"weights": weights})


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", range(2, 6))
def test_worths_that_are_kept_are_never_stale_in_hundreds_of_games(players, variant, blocks):
    for seed in (1, 2):
        styles = rich_styles(players, seed)
        styles = styles if blocks else [without_blocks(style) for style in styles]
        made = setup(players, styles=styles, tiles="even", **VARIANTS[variant])
        check_worths(made, range(60), seed)
    for style in GAME.styles().values():
        check_worths(setup(players, styles=[style], tiles="even", **VARIANTS[variant]), range(10))
