"""The component file is the rulebook's list; a designer can add to it."""

import pytest
from pydantic import ValidationError

from sim.games import data
from sim.games.game import GRADES
from sim.games.wildstyle import components as parts
from sim.games.wildstyle import events, tiles
from sim.games.wildstyle.components import Components

from .brute import POINTS, SIDES
from .shipped import COMPONENTS, RULINGS, changed, check, without

DECKS = {
    "d1": (25, 15, 15, 15, 15, 10, 10, 10),
    "d2": (20, 15, 15, 15, 15, 15, 10, 10),
    "d3": (25, 10, 20, 15, 15, 10, 10, 10),
}
PILES = {2: (4, 2, 2), 3: (4, 2, 1), 4: (3, 3, 1), 5: (3, 3, 0)}
PAIRS = [
    ("Tricorners", "Bestagon"),
    ("Straight Shooter", "End of the Line"),
    ("Border Wars", "Under Their Noses"),
    ("3 of a Kind", "Urban Planner"),
    ("District Division", "Zone Control"),
    ("Rail Supreme", "Station Snake"),
]


def sides(**changes):
    """Return components with some sides of objective tiles changed or added."""
    old = COMPONENTS["objectives"]["sides"]
    return changed("objectives.sides", {**old, **changes})


def changed_side(name, **changes):
    return sides(**{name: {**COMPONENTS["objectives"]["sides"][name], **changes}})


# The shipped file


def test_numbers_are_the_rulebooks():
    numbers = COMPONENTS["numbers"]
    names = ("tags_each_round", "rounds", "cop_cars", "hand_size", "set_size")
    assert [numbers[name] for name in names] == [6, 3, 28, 3, 3]
    assert (COMPONENTS["seats"]["fewest"], COMPONENTS["seats"]["most"]) == (2, 5)


def test_icons_are_in_the_order_of_the_events_with_the_rulebooks_points():
    icons = {name: each for name, each in COMPONENTS["icons"].items() if isinstance(each, dict)}
    assert tuple(icons) == events.ICONS
    assert {name: icon["points"] for name, icon in icons.items()} == POINTS


@pytest.mark.parametrize("players", PILES)
def test_piles_are_the_rulebooks(players):
    piles = Components(**COMPONENTS).piles.of(players)
    assert (piles.share, piles.draw, piles.unused) == PILES[players]


@pytest.mark.parametrize("name", DECKS)
def test_decks_are_115_cards_with_every_icon_in_every_colour(name):
    copies = Components(**COMPONENTS).decks[name].copies()
    assert copies.shape == (8, events.COLOURS)
    assert copies.sum(axis=1).tolist() == list(DECKS[name])
    assert copies.sum() == 115
    assert (copies > 0).all()
    assert (copies.sum(axis=0) == 23).all()


def test_sides_are_the_rulebooks():
    for name, side in COMPONENTS["objectives"]["sides"].items():
        rest = {key: v for key, v in side.items() if key not in ("source", "note", "title")}
        assert rest == SIDES[name]
    assert list(COMPONENTS["objectives"]["sides"]) == list(SIDES)


def test_tiles_are_the_six_pairs():
    objectives = COMPONENTS["objectives"]
    titles = {name: side["title"] for name, side in objectives["sides"].items()}
    assert [tuple(titles[name] for name in tile) for tile in objectives["tiles"]] == PAIRS
    shown = (objectives["show"], objectives["family_show"], objectives["family_without"])
    assert shown == ("AAB", "A", ["rail_supreme"])
    model = Components(**COMPONENTS).objectives
    assert (model.sets(False), model.sets(True)) == (60, 5)
    assert ["rail_supreme", "station_snake"] not in model.dealt_from(True)


def test_times_of_the_clock():
    clock = COMPONENTS["clock"]
    assert [clock[name] for name in ("thinking", "sigma", "reaction")] == [0.6, 0.25, 0.5]
    handling = {act: time for act, time in clock["handling"].items() if isinstance(time, float)}
    assert handling == {
        "draw": 1.0,
        "add": 1.0,
        "share": 1.2,
        "take": 1.4,
        "complete": 2.5,
        "rush": 3.0,
    }
    assert tuple(handling) == events.ACTS[: events.WAIT]


def test_the_file_is_as_the_model_has_it():
    assert Components(**COMPONENTS).model_dump(mode="json", by_alias=True) == COMPONENTS


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("radius", [3, 2])
def test_the_shipped_components_can_be_played(players, deck, radius):
    for family_mode in (False, True):
        check(players=players, deck=deck, board_radius=radius, family_mode=family_mode)


def test_defaults_of_the_rulings():
    assert RULINGS == {
        "board_radius": 3,
        "deck": "d1",
        "station_snake": "each_cluster",
        "final_phase_rush": True,
        "tag_removal": "best",
        "family_mode": False,
        "round_cap_s": 1800,
        "tiles": "random",
    }


# Facts


def facts_of(components):
    found = data.component_facts(components, COMPONENTS, parts.worded)
    facts = {fact.key.removeprefix("components."): fact for fact in found}
    assert len(facts) == len(found)
    return facts


def test_every_number_has_the_grade_of_its_table():
    facts = facts_of(COMPONENTS)
    grades = {
        "numbers.rounds": "rulebook",
        "icons.police.points": "rulebook",
        "piles.players_4.draw": "rulebook",
        "colours.names": "inferred",
        "decks.d2.cards.park": "assumed",
        "boards.radius_2.faces": "assumed",
        "objectives.tiles": "inferred",
        "objectives.sides.bestagon.points": "rulebook",
        "clock.thinking": "assumed",
        "clock.handling.rush": "assumed",
        "seats.most": "rulebook",
    }
    assert {key: facts[key].grade for key in grades} == grades
    assert {fact.grade for fact in facts.values()} <= set(GRADES)
    assert not [key for key in facts if key.rsplit(".")[-1] in ("source", "note", "title")]


def test_the_innermost_note_explains_a_number():
    facts = facts_of(COMPONENTS)
    tiles_, clock = COMPONENTS["objectives"], COMPONENTS["clock"]
    assert facts["objectives.show"].note == tiles_["note"]
    side = tiles_["sides"]["tricorners"]
    assert facts["objectives.sides.tricorners.side"].note == side["note"]
    assert facts["clock.handling.draw"].note == clock["handling"]["note"] != clock["note"]
    bare = without("clock.handling.note")
    assert facts_of(bare)["clock.handling.draw"].note == ""


def test_facts_are_short():
    facts = facts_of(COMPONENTS)
    assert facts["boards.radius_3.faces"].value == "10 faces of 37 hexes"
    assert facts["colours.names"].value == "red, yellow, green, blue, purple"
    assert facts["objectives.tiles"].value.startswith("tricorners / bestagon, straight_shooter")
    assert facts["clock.handling.rush"].value == "3.0"
    assert all("\n" not in fact.value + fact.note for fact in facts.values())


def test_what_a_designer_changes_is_assumed():
    faces = COMPONENTS["boards"]["radius_3"]["faces"]
    facts = facts_of(changed("boards.radius_3.faces", faces[:4]))
    fact = facts["boards.radius_3.faces"]
    assert (fact.value, fact.grade) == ("4 faces of 37 hexes", "assumed")
    assert fact.note == "changed from 10 faces of 37 hexes"
    fact = facts_of(changed_side("tricorners", points=7))["objectives.sides.tricorners.points"]
    assert (fact.value, fact.grade, fact.note) == ("7", "assumed", "changed from 6")
    deck = {"source": "rulebook", "cards": COMPONENTS["decks"]["d1"]["cards"]}
    added = facts_of(changed("decks.mine", deck))["decks.mine.cards.park"]
    assert (added.value, added.grade, added.note) == ("10", "assumed", "changed from nothing")


def test_a_table_without_a_source_is_assumed():
    plain = {"table": {"number": 1}}
    (fact,) = data.component_facts(plain, plain)
    assert (fact.key, fact.value, fact.grade) == ("components.table.number", "1", "assumed")


# Decks and objectives of a designer


def test_copies_by_colour():
    deck = changed("decks.d1.cards.police", [0, 1, 2, 3, 4])
    copies = Components(**deck).decks["d1"].copies()
    assert copies[events.POLICE].tolist() == [0, 1, 2, 3, 4]
    assert copies[events.RAILWAY].tolist() == [5] * 5
    assert Components(**deck).model_dump(mode="json") == deck


def test_a_thirteenth_side_from_a_kind_with_other_numbers():
    mega = {"source": "assumed", "title": "Long Haul", "kind": "lines", "points": 9, "length": 7}
    pairs = COMPONENTS["objectives"]["tiles"]
    pairs = [*pairs[:5], ["long_haul", "station_snake"]]
    more = changed("objectives.tiles", pairs, sides(long_haul=mega))
    model = Components(**more).objectives
    assert (model.sides["long_haul"].kind, model.sides["long_haul"].number) == ("lines", 7)
    check(more, tiles=["long_haul", "tricorners", "zone_control"])
    assert Components(**more).objectives.dealt_from(True) == more["objectives"]["tiles"]


def test_the_number_of_each_side():
    shipped = Components(**COMPONENTS).objectives.sides
    numbers = {name: side.number for name, side in shipped.items()}
    rest = {"kind", "points"}
    assert numbers == {
        name: next((v for key, v in side.items() if key not in rest), 0)
        for name, side in SIDES.items()
    }


def test_every_kind_is_on_a_shipped_side():
    shipped = {side["kind"] for side in COMPONENTS["objectives"]["sides"].values()}
    assert shipped == set(tiles.KINDS) > set(tiles.FIGURES)


@pytest.mark.parametrize("kind", tiles.KINDS)
def test_each_kind_takes_its_number_within_its_limits(kind):
    needed = tiles.KINDS[kind]
    side = {"source": "assumed", "title": "New", "kind": kind, "points": 1}
    if needed is None:
        assert tiles.Side(**side).number == 0
        return
    name, least, most = needed
    for number in (least, most):
        assert tiles.Side(**side, **{name: number}).number == number
    for number in (least - 1, most + 1):
        with pytest.raises(ValidationError, match=rf'{name}: found {number}; the kind "{kind}"'):
            tiles.Side(**side, **{name: number})
    with pytest.raises(ValidationError, match=rf"{name}: found nothing; .* needs .*{most}"):
        tiles.Side(**side)
