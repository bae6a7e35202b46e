"""What a designer is told about components and rulings that cannot be played."""

import itertools

import pytest
from pydantic import ValidationError

from sim.errors import SimError
from sim.explain import Place
from sim.games.wildstyle import components as parts
from sim.games.wildstyle import events, tiles
from sim.games.wildstyle.components import Components, Rulings
from sim.overrides import apply

from .shipped import COMPONENTS, RULINGS, changed, check, without

PILES = {2: 4, 3: 3, 4: 4, 5: 3}
"""Piles that the deck is split into, by number of players."""


# The schema: what a designer reads


def said_of(changes):
    """Return what a study that makes these changes is told."""
    with pytest.raises(SimError) as caught:
        apply(Components, COMPONENTS, changes, Place("study.toml", ("components",)))
    text = str(caught.value)
    assert "\n" not in text
    return text.removeprefix("study.toml: components.")


def below(path, value):
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


FACE = COMPONENTS["boards"]["radius_2"]["faces"][0]
FACES = COMPONENTS["boards"]["radius_2"]["faces"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "boards.radius_2.faces",
            [*FACES[:3], FACE.replace("T", "R")],
            "boards.radius_2.faces[3]: no train station (T); exactly one is needed, "
            "since boards are turned by it",
        ),
        (
            "boards.radius_3.faces",
            [FACE],
            "boards.radius_3.faces[0]: a hexagon of radius 2; one of radius 3 is needed",
        ),
        (
            "boards.radius_2.faces",
            FACES[:3],
            "boards.radius_2.faces: 3 faces; an even number is needed, "
            "the two sides of each board in turn",
        ),
        (
            "decks.d1.cards.park",
            11,
            "decks.d1.cards.park: found 11; allowed: a multiple of 5, spread evenly over the "
            "colours, or a list of 5 numbers, the copies by colour",
        ),
        (
            "decks.d1.cards.park",
            [1, 2, 3],
            "decks.d1.cards.park: found [1, 2, 3]; allowed: a list of 5 whole numbers from 0, "
            "the copies by colour",
        ),
        (
            "decks.d1.cards.railway",
            75,
            "decks.d1: 165 cards are too many; at most 160 are allowed",
        ),
        (
            "decks.d1.cards.raliway",
            5,
            "decks.d1.cards.raliway: unknown key; allowed: railway, station, residential, "
            'shopping, downtown, industrial, park, police. Did you mean "railway"?',
        ),
        (
            "colours.names",
            ["red", "red", "blue", "green", "black"],
            'colours.names: found ["red", "red", "blue", "green", "black"]; allowed: 5 names, '
            "all different",
        ),
        (
            "numbers.tags_each_round",
            11,
            "numbers: 3 rounds of 11 tags are 33 tags a player; at most 30 are allowed",
        ),
        (
            "objectives.show",
            "AAC",
            'objectives.show: found "AAC"; allowed: A or B for each tile dealt, 1 to 4 tiles',
        ),
        (
            "objectives.tiles",
            [["tricorners"]],
            'objectives: tiles[0]: found ["tricorners"]; a tile has two sides, A and B',
        ),
        (
            "objectives.tiles",
            [["tricorners", "bestagon"], ["zone_control", "bestagon"]],
            'objectives: tiles[1]: the side "bestagon" is on tiles[0] already',
        ),
        (
            "objectives.sides.tricorners.side",
            6,
            "objectives.sides.tricorners: side: found 6; the kind "
            '"triangles" needs a whole number from 2 to 5',
        ),
        (
            "objectives.sides.bestagon.radius",
            2,
            'objectives.sides.bestagon: radius: found 2; the kind "hexagons" needs 1',
        ),
        (
            "objectives.sides.border_wars.tags",
            2,
            'objectives.sides.border_wars: tags: the kind "borders" has no such number; '
            "it takes none but points",
        ),
        (
            "objectives.sides.tricorners.tags",
            2,
            'objectives.sides.tricorners: tags: the kind "triangles" has no such number; '
            "it takes side",
        ),
        (
            "clock.handling.draw",
            -1.0,
            "clock.handling.draw: found -1.0; allowed: a number of at least 0.",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line(path, value, message):
    assert said_of(below(path, value)) == message


def test_a_misspelt_side_on_a_tile_is_explained():
    text = said_of(below("objectives.tiles", [["tricorner", "bestagon"]]))
    assert text.startswith('objectives: tiles[0]: there is no side "tricorner"; allowed: ')
    assert text.endswith('Did you mean "tricorners"?')
    text = said_of(below("objectives.family_without", ["rails"]))
    assert text.startswith('objectives: family_without: there is no side "rails"; allowed:')


def test_a_misspelt_side_or_deck_is_not_a_new_one():
    assert 'Did you mean "tricorners"?' in said_of(below("objectives.sides.tricorner.points", 7))
    assert said_of(below("decks.d4.cards.park", 5)).startswith("decks.d4")


def test_a_misspelt_kind_is_explained():
    text = said_of(below("objectives.sides.tricorners.kind", "triangle"))
    assert text.startswith('objectives.sides.tricorners.kind: found "triangle"; allowed: ')
    assert text.endswith('Did you mean "triangles"?')


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("icons.park.points", -1),
        ("icons.park.points", 101),
        ("icons.park.points", 1.0),
        ("icons.park.points", True),
        ("numbers.rounds", 0),
        ("numbers.rounds", 11),
        ("numbers.tags_each_round", 0),
        ("numbers.cop_cars", -1),
        ("numbers.cop_cars", 201),
        ("numbers.hand_size", 0),
        ("numbers.hand_size", 6),
        ("numbers.set_size", 1),
        ("numbers.set_size", 6),
        ("seats.fewest", 1),
        ("seats.most", 6),
        ("piles.players_2.share", 0),
        ("piles.players_2.share", 6),
        ("piles.players_2.draw", 0),
        ("piles.players_2.draw", 6),
        ("piles.players_2.unused", -1),
        ("piles.players_2.unused", 6),
        ("decks", {}),
        ("decks.d1.source", "hearsay"),
        ("decks.d1.cards.park", -5),
        ("decks.d1.cards.park", 10.0),
        ("decks.d1.cards.park", "10"),
        ("decks.d1.cards.park", True),
        ("decks.d1.cards.park", [1, 1, 1, 1, -1]),
        ("boards.radius_3.faces", []),
        ("boards.radius_3.faces", "R"),
        ("objectives.tiles", []),
        ("objectives.show", ""),
        ("objectives.show", "AAAAB"),
        ("objectives.family_show", "a"),
        ("clock.thinking", 601.0),
        ("clock.thinking", float("inf")),
        ("clock.thinking", float("nan")),
        ("clock.sigma", 2.1),
        ("clock.reaction", "fast"),
        ("clock.handling.wait", 1.0),
    ],
)
def test_nonsense_is_refused(path, value):
    with pytest.raises(ValidationError):
        Components(**changed(path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("numbers.hand_size", 5),
        ("numbers.set_size", 2),
        ("numbers.set_size", 5),
        ("numbers.cop_cars", 0),
        ("numbers.tags_each_round", 10),
        ("piles.players_2.share", 5),
        ("icons.park.points", 100),
        ("objectives.show", "ABBB"),
        ("clock.thinking", 0),
        ("clock.sigma", 0.0),
        ("objectives.family_without", []),
    ],
)
def test_limits_are_allowed(path, value):
    check(changed(path, value))


TABLES = ("", "numbers", "icons", "icons.park", "seats", "piles", "piles.players_2", "colours",
          "decks.d1", "decks.d1.cards", "boards", "boards.radius_2", "objectives",
          "objectives.sides.bestagon", "clock", "clock.handling")  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_unknown_keys_are_refused(table):
    with pytest.raises(ValidationError, match="surprise"):
        Components(**changed(f"{table}.surprise".lstrip("."), 0))


@pytest.mark.parametrize("table", [each for each in TABLES if each and "." not in each])
def test_every_table_is_needed(table):
    with pytest.raises(ValidationError, match=table):
        Components(**without(table))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("board_radius", 4),
        ("board_radius", "3"),
        ("deck", 1),
        ("station_snake", "all"),
        ("final_phase_rush", 1),
        ("tag_removal", "worst"),
        ("family_mode", "true"),
        ("round_cap_s", 0),
        ("round_cap_s", 2001),
        ("round_cap_s", 9.0),
        ("tiles", "all"),
        ("tiles", [1, 2, 3]),
        ("tiles", 3),
        ("surprise", 1),
    ],
)
def test_nonsense_in_rulings_is_refused(name, value):
    with pytest.raises(ValidationError):
        Rulings(**RULINGS | {name: value})


def test_a_misspelt_ruling_of_tiles_is_explained():
    with pytest.raises(ValidationError, match=r'"evn"; allowed: .* Did you mean "even"\?'):
        Rulings(tiles="evn")


# What cannot be played


def refused(message, components=COMPONENTS, players=4, **rulings):
    with pytest.raises(SimError) as caught:
        check(components, players, **rulings)
    assert str(caught.value).startswith(message), caught.value


def test_players_outside_the_seats_are_refused():
    fewer = changed("seats.most", 4)
    check(fewer)
    refused("players: 5 is outside components.seats, which allows 2 to 4", fewer, 5)
    refused("players: 6 is outside", players=6)
    refused("players: 1 is outside", players=1)


def test_an_unknown_deck_is_refused():
    refused(
        'rulings.deck: there is no deck "d4" in components.decks; allowed: d1, d2, d3.',
        deck="d4",
    )


@pytest.mark.parametrize("players", PILES)
def test_every_pile_gets_a_card(players):
    needed = players * 3 + PILES[players]
    none = dict.fromkeys(events.ICONS, 0)
    cards = {"source": "assumed", "cards": none | {"park": [needed - 1, 0, 0, 0, 0]}}
    refused(
        f"components.decks.few: {needed - 1} cards are too few for {players} hands of 3 and "
        f"{PILES[players]} piles; at least {needed} are needed",
        changed("decks.few", cards),
        players,
        deck="few",
    )
    cards["cards"]["police"] = [0, 0, 0, 1, 0]
    check(changed("decks.few", cards), players, deck="few")


def test_every_player_needs_a_board():
    for radius in (3, 2):
        key = f"boards.radius_{radius}.faces"
        faces = COMPONENTS["boards"][f"radius_{radius}"]["faces"][:6]
        check(changed(key, faces), 3, board_radius=radius)
        check(changed(key, faces), 5, board_radius=5 - radius)
        refused(
            f"components.{key}: 6 faces are too few for 4 players; at least 8 are needed",
            changed(key, faces),
            board_radius=radius,
        )


def test_enough_tiles_are_needed():
    pairs = COMPONENTS["objectives"]["tiles"]
    check(changed("objectives.tiles", pairs[:3]))
    few = changed("objectives.tiles", pairs[:2])
    refused('components.objectives.show: "AAB" needs 3 of the tiles, but only 2 can be', few)
    check(few, family_mode=True)
    rails = changed("objectives.tiles", pairs[5:])
    refused(
        'components.objectives.family_show: "A" needs 1 of the tiles, but only 0 can be',
        rails,
        family_mode=True,
    )


def test_sides_that_always_show():
    check(tiles=["tricorners", "zone_control", "station_snake"])
    check(tiles=["bestagon", "urban_planner", "rail_supreme"])
    check(tiles=["zone_control"], family_mode=True)
    check(tiles="even")
    refused(
        "rulings.tiles: found 2 sides; allowed: 3, as many as components.objectives.show",
        tiles=["tricorners", "zone_control"],
    )
    refused(
        "rulings.tiles: found 3 sides; allowed: 1, as many as components.objectives.family_show",
        tiles=["tricorners", "zone_control", "station_snake"],
        family_mode=True,
    )
    refused(
        'rulings.tiles: "tricorners" and "bestagon" cannot both show; allowed: one side of each',
        tiles=["tricorners", "zone_control", "bestagon"],
    )
    refused(
        'rulings.tiles: "tricorners" and "tricorners" cannot both show',
        tiles=["tricorners", "zone_control", "tricorners"],
    )
    refused(
        'rulings.tiles: there is no side "snake" on the tiles that are dealt; allowed: tricorners,',
        tiles=["tricorners", "zone_control", "snake"],
    )
    refused(
        'rulings.tiles: there is no side "station_snake" on the tiles that are dealt',
        tiles=["station_snake"],
        family_mode=True,
    )


def many_tiles(count, kind="borders", **number):
    side = {"source": "assumed", "title": "New", "kind": kind, "points": 1, **number}
    names = [f"side_{i}" for i in range(2 * count)]
    made = changed("objectives.sides", dict.fromkeys(names, side))
    pairs = [names[i : i + 2] for i in range(0, 2 * count, 2)]
    made = changed("objectives.tiles", pairs, made)
    return changed("objectives.family_without", [], made)


def test_more_tiles_than_there_is_room_for_are_refused():
    check(many_tiles(tiles.MAX_TILES))
    with pytest.raises(ValidationError):
        Components(**many_tiles(tiles.MAX_TILES + 1))
    refused(
        'components.objectives.show: "AABB" from 16 tiles makes 10920 sets; at most 4096',
        changed("objectives.show", "AABB", many_tiles(16)),
    )


@pytest.mark.parametrize("show", ["A", "B", "AB", "AAB", "ABB", "AABB"])
def test_sets_are_counted_as_they_can_be_dealt(show):
    a, tiles_ = show.count("A"), range(6)
    dealt = {
        (frozenset(order[:a]), frozenset(order[a:]))
        for order in itertools.permutations(tiles_, len(show))
    }
    assert Components(**changed("objectives.show", show)).objectives.sets(False) == len(dealt)


def test_more_figures_than_there_is_room_for_are_refused():
    check(many_tiles(6, "lines", length=4))
    with pytest.raises(ValidationError, match="14 sides look for triangles, hexagons, lines"):
        Components(**many_tiles(7, "lines", length=4))


def test_hexes_and_tags_fit_what_logs_and_tables_hold():
    assert parts.MAX_HEXES <= events.NO_HEX
    assert max(PILES) == parts.MAX_PLAYERS
