"""The component file is the rulebook's list, its schema refuses nonsense, and its record fits."""

import numpy as np
import pytest
from pydantic import ValidationError

from sim.errors import SimError
from sim.games.game import GRADES
from sim.games.street_art import components as parts
from sim.games.street_art import events, vocabulary
from sim.games.street_art.components import Components, Rulings

from .table import COMPONENTS, GAME, RULINGS, changed, deck, setup

STARS = {
    "breakdancer": ("Breakdancer", 4, 2),
    "bmx_artist": ("BMX Artist", 4, 2),
    "juggler": ("Juggler", 4, 2),
    "fire_breather": ("Fire Breather", 4, 4),
    "street_painter": ("Street Painter", 5, 3),
    "cyr_wheel_acrobat": ("Cyr Wheel Acrobat", 5, 3),
    "living_statue": ("Living Statue", 5, 3),
}
SPECIALS = {"beatboxer": 7, "fireworks": 8, "brass_band": 12, "rain": 2}


# The shipped file


def test_the_stars_are_the_rulebooks():
    found = {
        name: (star["title"], star["copies"], star["hearts"])
        for name, star in COMPONENTS["stars"]["cards"].items()
    }
    assert found == STARS
    assert sum(copies for _, copies, _ in found.values()) == 31


def test_the_special_cards_are_the_rulebooks():
    assert COMPONENTS["specials"]["copies"] == SPECIALS
    assert sum(SPECIALS.values()) == 29


def test_the_numbers_are_the_rulebooks():
    numbers = COMPONENTS["numbers"]
    found = [numbers[name] for name in ("hand_size", "fireworks_hearts", "brass_band_hearts")]
    assert found == [5, 2, 1]
    assert (COMPONENTS["seats"]["fewest"], COMPONENTS["seats"]["most"]) == (2, 6)
    assert list(GAME.player_counts) == [2, 3, 4, 5, 6]


def test_every_table_has_its_grade():
    grades = {name: table["source"] for name, table in COMPONENTS.items()}
    assert grades == {
        "stars": "rulebook",
        "specials": "rulebook",
        "numbers": "rulebook",
        "seats": "assumed",
    }


def test_defaults_of_the_rulings():
    assert RULINGS == {
        "hearts": 36,
        "steal_shortfall": "none",
        "brass_band": "instead",
        "reshuffle": "all_piles",
        "game_end": "immediate",
        "turn_cap": 500,
    }
    assert {ruling.name: ruling.default for ruling in vocabulary.RULINGS} == {
        name: str(value) for name, value in RULINGS.items()
    }


@pytest.mark.parametrize(
    ("hearts", "grade"),
    [(36, "rulebook"), (48, "inferred"), (60, "inferred"), (1, "assumed"), (37, "assumed")],
)
def test_grades_of_hearts(hearts, grade):
    facts = {fact.key: fact for fact in GAME.facts(COMPONENTS, RULINGS | {"hearts": hearts})}
    assert (facts["rulings.hearts"].value, facts["rulings.hearts"].grade) == (str(hearts), grade)


def test_a_changed_number_is_assumed_and_says_what_it_was():
    more = changed("stars.cards.juggler.hearts", 3)
    facts = {fact.key: fact for fact in GAME.facts(more, RULINGS)}
    fact = facts["components.stars.cards.juggler.hearts"]
    assert (fact.value, fact.grade, fact.note) == ("3", "assumed", "changed from 2")
    assert facts["components.stars.cards.juggler.copies"].grade == "rulebook"


def test_facts_name_every_number_and_ruling():
    keys = [fact.key for fact in GAME.facts(COMPONENTS, RULINGS)]
    assert len(keys) == len(set(keys)) == 2 * 7 + 4 + 3 + 2 + 6
    assert {fact.grade for fact in GAME.facts(COMPONENTS, RULINGS)} <= set(GRADES)


def test_facts_of_an_added_star():
    star = {"title": "Ice Dancer", "copies": 2, "hearts": 5}
    more = changed("stars.cards", COMPONENTS["stars"]["cards"] | {"ice_dancer": star})
    facts = {fact.key: fact for fact in GAME.facts(more, RULINGS)}
    added = facts["components.stars.cards.ice_dancer.hearts"]
    assert (added.value, added.grade) == ("5", "assumed")


def test_facts_do_without_a_note():
    bare = {**COMPONENTS, "numbers": {**COMPONENTS["numbers"]}}
    del bare["numbers"]["note"]
    facts = {fact.key: fact for fact in GAME.facts(bare, RULINGS)}
    assert facts["components.numbers.hand_size"].note == ""


# The schema


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("stars.cards.juggler.copies", -1),
        ("stars.cards.juggler.copies", 61),
        ("stars.cards.juggler.copies", 2.0),
        ("stars.cards.juggler.copies", "2"),
        ("stars.cards.juggler.copies", True),
        ("stars.cards.juggler.hearts", 0),
        ("stars.cards.juggler.hearts", 1001),
        ("stars.cards.juggler", {"copies": 1, "hearts": 1}),
        ("stars.cards", {}),
        ("stars.source", "hearsay"),
        ("specials.copies.rain", -1),
        ("specials.copies", {"rain": 1}),
        ("numbers.hand_size", 0),
        ("numbers.hand_size", 11),
        ("numbers.fireworks_hearts", -1),
        ("numbers.brass_band_hearts", 1001),
        ("seats.fewest", 1),
        ("seats.most", 7),
    ],
)
def test_nonsense_is_refused(path, value):
    with pytest.raises(ValidationError):
        Components(**changed(path, value))


@pytest.mark.parametrize("table", [[], ["stars"], ["specials", "copies"], ["numbers"]])
def test_unknown_keys_are_refused(table):
    with pytest.raises(ValidationError, match="surprise"):
        Components(**with_key(COMPONENTS, [*table, "surprise"]))


def with_key(tree: dict, keys: list[str]) -> dict:
    """Return a copy of nested tables with one key more."""
    first, *rest = keys
    return {**tree, first: with_key(tree[first], rest) if rest else 0}


def test_more_kinds_than_there_is_room_for_are_refused():
    star = {"title": "Star", "copies": 5, "hearts": 1}
    most = {f"star_{number}": star for number in range(parts.MAX_KINDS - 4)}
    assert len(setup(2, components=changed("stars.cards", most)).kinds) == parts.MAX_KINDS
    with pytest.raises(ValidationError):
        Components(**changed("stars.cards", most | {"one_more": star}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hearts", 0),
        ("hearts", 10_001),
        ("hearts", "36"),
        ("hearts", 36.0),
        ("steal_shortfall", "some"),
        ("brass_band", "both"),
        ("reshuffle", "tops"),
        ("game_end", ""),
        ("turn_cap", 0),
        ("turn_cap", 60_001),
        ("surprise", 1),
    ],
)
def test_nonsense_in_rulings_is_refused(name, value):
    with pytest.raises(ValidationError):
        Rulings(**RULINGS | {name: value})


# What cannot be played


@pytest.mark.parametrize("players", range(2, 7))
def test_a_draw_pile_must_be_left(players):
    cards = {"beatboxer": players * 5}
    with pytest.raises(SimError, match=rf"{players * 5} cards are too few for {players} hands"):
        GAME.check(deck(**cards), RULINGS, players)
    GAME.check(deck(juggler=1, **cards), RULINGS, players)


def test_players_outside_the_seats_are_refused():
    fewer = changed("seats.most", 4)
    GAME.check(fewer, RULINGS, 4)
    with pytest.raises(SimError, match=r"5 is outside .* allows 2 to 4"):
        GAME.check(fewer, RULINGS, 5)
    with pytest.raises(SimError, match="7 is outside"):
        GAME.check(COMPONENTS, RULINGS, 7)


def test_a_star_cannot_have_the_name_of_a_special_card():
    stars = COMPONENTS["stars"]["cards"] | {"rain": {"title": "Rain", "copies": 1, "hearts": 1}}
    with pytest.raises(SimError, match="rain"):
        GAME.check(changed("stars.cards", stars), RULINGS, 4)


# The record


def test_the_record_holds_the_cards_by_code():
    made = setup(4)
    s = made.record[0]
    assert made.kinds == (*SPECIALS, *STARS)
    assert s["kinds"] == 11
    copies = [*SPECIALS.values(), *(copies for _, copies, _ in STARS.values())]
    assert s["copies"].tolist() == copies + [0] * 5
    hearts = [0, 2, 1, 0, *(value for _, _, value in STARS.values())]
    assert s["hearts_of"].tolist() == hearts + [0] * 5
    assert s["is_star"].tolist() == [0] * 4 + [1] * 7 + [0] * 5
    assert np.flatnonzero(s["is_best_star"]).tolist() == [made.kinds.index("fire_breather")]
    assert [events.BEATBOXER, events.FIREWORKS, events.BRASS_BAND, events.RAIN] == [0, 1, 2, 3]
    assert len(events.SPECIALS) == events.FIRST_STAR == 4


def test_the_record_holds_the_rulings():
    s = setup(3).record[0]
    switches = ("shortfall_from_middle", "brass_in_addition", "keep_tops", "finish_round")
    assert [s[name] for name in switches] == [0, 0, 0, 0]
    assert (s["players"], s["hearts_at_start"], s["turn_cap"], s["hand_size"]) == (3, 36, 500, 5)
    s = setup(
        3,
        steal_shortfall="from_middle",
        brass_band="in_addition",
        reshuffle="keep_tops",
        game_end="finish_round",
        hearts=48,
        turn_cap=9,
    ).record[0]
    assert [s[name] for name in switches] == [1, 1, 1, 1]
    assert (s["hearts_at_start"], s["turn_cap"]) == (48, 9)


def test_the_record_holds_the_styles():
    styles = [GAME.styles()["thief"], GAME.styles()["random"]]
    styles[1] = styles[1].model_copy(update={"temperature": 2.5, "forbid": ["rain", "juggler"]})
    s = setup(2, styles=styles, rotate=True).record[0]
    assert s["rotate"] == 1
    found = dict(zip(vocabulary.FEATURE_NAMES, s["weights"][0].tolist(), strict=True))
    assert {name: weight for name, weight in found.items() if weight} == styles[0].weights
    assert s["temperature"].tolist() == [0, 2.5, 0, 0, 0, 0]
    forbidden = {setup(2).kinds[code] for code in np.flatnonzero(s["forbids"][1])}
    assert forbidden == {"rain", "juggler"}
    assert not s["forbids"][0].any()


def test_a_setup_is_not_changed_by_playing():
    made = setup(4)
    before = made.record.tobytes()
    GAME.play(made, 1, 0, 50, GAME.tables_for(made, 50), 0)
    GAME.log(made, 1, 0)
    assert made.record.tobytes() == before


def test_columns_are_wide_enough():
    """The widest numbers that the schema allows fit their columns."""
    made = setup(2)
    games, seats = (GAME.tables_for(made, 1)[name].dtype for name in ("games", "seats"))
    for name in ("turns", "rounds", "rains", "thefts", "reshuffles", "lead_changes"):
        assert np.iinfo(games[name]).max >= 60_000
    for name in ("stolen", "lost_to_theft"):
        assert np.iinfo(seats[name]).max >= 60_000 * 1000
    for name in ("score", "from_middle", "lost_to_rain"):
        assert np.iinfo(seats[name]).max >= 10_000


def test_titles():
    titles = {name: title for name, (title, _, _) in STARS.items()} | {
        "beatboxer": "Beatboxer",
        "fireworks": "Fireworks",
        "brass_band": "Brass Band",
        "rain": "Rain",
    }
    for name, title in titles.items():
        assert GAME.title_of(name) == title
