"""What a designer is told about components and rulings of West Story that cannot be played."""

import pytest
from pydantic import ValidationError

from sim.games.west_story import components as parts
from sim.games.west_story.components import Components, Rulings

from .shipped import COMPONENTS, MODEL, RULINGS, changed, check, refused, said_of, with_changes

pytestmark = pytest.mark.uncompiled
BASE = ["workshop", "trappers_hut", "ranch", "hotel", "bank"]
SYMBOLS = "revolver, horseshoe, star, wheel"
PAIRS = COMPONENTS["certificates"]["pairs"]
SPOTS = COMPONENTS["towns"]["abilene"]["spots"]
BANK = COMPONENTS["cards"]["bank"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "cards.mustang.symbols",
            "revolvr",
            'cards.mustang.symbols: there is no symbol "revolvr"; allowed: each, pairs, wild, '
            f'{SYMBOLS}. Did you mean "revolver"?',
        ),
        (
            "cards.mustang.symbols",
            "star + moon",
            f'cards.mustang.symbols: there is no symbol "moon"; allowed: {SYMBOLS}.',
        ),
        (
            "cards.mustang.symbols",
            "star + star",
            'cards.mustang.symbols: found "star + star"; allowed: two different symbols',
        ),
        (
            "cards.mustang.symbols",
            "star + wheel + revolver",
            'cards.mustang.symbols: found "star + wheel + revolver"; allowed: two different ',
        ),
        ("cards.mustang.effect", "2 hast", 'cards.mustang.effect: in "2 hast": found "hast"; '),
        ("cards.mustang.end", "1 hat", 'cards.mustang.end: in "1 hat": found hats; allowed: vp '),
        ("cards.mustang.base", True, "cards.mustang.base: found true; allowed: for buildings only"),
        (
            "cards.mustang.deck",
            "scorin",
            'cards.mustang.deck: found "scorin"; allowed: "production", "scoring" or "building". '
            'Did you mean "scoring"?',
        ),
        (
            "cards.mustang.costs",
            2,
            "cards.mustang.costs: unknown key; allowed: source, note, title, deck, symbols, "
            'copies, coins, hats, vp, effect, end, base. Did you mean "coins"?',
        ),
        ("cards.mustagn.vp", 2, "cards.mustagn: there is no such entry, and a new one also needs "),
        ("cards.Bank", BANK, "cards.Bank: not a name; allowed: lower-case letters, digits and "),
        ("cards.trade", BANK, 'cards.trade: "trade" means something else; use another name.'),
        ("cards.v1", BANK, "villain_tokens.tokens.v1: cards has this name; names must differ."),
        (
            "villain_tokens.tokens.santa_fe",
            COMPONENTS["villain_tokens"]["tokens"]["v1"],
            "villain_tokens.tokens.santa_fe: towns has this name; names must differ.",
        ),
        (
            "areas.2",
            COMPONENTS["areas"]["lake"],
            "areas.2: not a name; allowed: lower-case letters, digits and underscores, a letter",
        ),
        ("limits.cows", 7, "herd_bonus.first: found 6 numbers; allowed: 7, as many as limits.cows"),
        ("start.cows", 7, "start.cows: found 7; allowed: at most limits.cows, 6"),
        ("wild_tokens.at", [22, 12], "wild_tokens.at: found [22, 12]; allowed: ascending numbers"),
        ("wild_tokens.at", [12, 12], "wild_tokens.at: found [12, 12]; allowed: ascending numbers"),
        (
            "symbols.names",
            ["gun", "gun", "star", "wheel"],
            'symbols.names: found ["gun", "gun", "star", "wheel"]; allowed: 4 names, all different',
        ),
        ("symbols.names", ["a", "b", "c"], 'symbols.names: found ["a", "b", "c"]; allowed: 4 '),
        (
            "symbols.names",
            ["wild", "horseshoe", "star", "wheel"],
            'symbols.names: found "wild"; allowed: names of lower-case letters, digits and '
            "underscores other than each, pairs, wild, quadruple",
        ),
        (
            "symbols.names",
            ["revolver", "horseshoe", "star", "moon"],
            'certificates.pairs[1]: there is no symbol "wheel"; allowed: revolver, horseshoe, ',
        ),
        (
            "certificates.pairs",
            [["star", "wheel"], ["wheel", "star"]],
            'certificates.pairs[1]: found ["wheel", "star"], which is pairs[0] already',
        ),
        (
            "certificates.pairs",
            [["star", "star"]],
            'certificates.pairs[0]: found ["star", "star"]; allowed: two different symbols',
        ),
        (
            "certificates.pairs",
            PAIRS[:5],
            "certificates.pairs: found 5 pairs; allowed: the six of four symbols",
        ),
        (
            "board.bottom_6.symbol",
            "weel",
            f'board.bottom_6.symbol: there is no symbol "weel"; allowed: {SYMBOLS}. Did you mean '
            '"wheel"?',
        ),
        ("board.top_7.effect", "1 vp", "board.top_7: unknown key; allowed: source, note, top_1, "),
        (
            "towns.abilene.spots",
            [*SPOTS[:5], "wyld"],
            'towns.abilene.spots[5]: there is no symbol "wyld"; allowed: '
            f'{SYMBOLS}, quadruple, wild. Did you mean "wild"?',
        ),
        (
            "towns.abilene.wild_bonus",
            "1 coin or 1 hat",
            'towns.abilene.wild_bonus: found "1 coin or 1 hat"; allowed: an effect without a '
            "choice, no or in it",
        ),
        (
            "areas.lake.town",
            "fort_wort",
            'areas.lake.town: there is no town "fort_wort"; allowed: fort_worth, abilene, '
            'dodge_city, santa_fe. Did you mean "fort_worth"?',
        ),
        (
            "areas.lake.last",
            50,
            "areas.fort_worth_far.first: found 50; allowed: 51, right after the area before it",
        ),
        (
            "areas.fort_worth_near.first",
            1,
            "areas.fort_worth_near.first: found 1; allowed: 0, where the track begins",
        ),
        (
            "areas.lake.last",
            41,
            "areas.lake.last: found 41; allowed: 42 to 998, since areas follow",
        ),
        (
            "areas.lake.last",
            999,
            "areas.lake.last: found 999; allowed: 42 to 998, since areas follow",
        ),
        (
            "areas.fort_worth_far.last",
            90,
            "areas.fort_worth_far.last: found 90; allowed: nothing, the last area has no end",
        ),
        (
            "areas.lake.villain",
            True,
            "villain_tokens.places: found 6; allowed: 7, the areas with villain = true",
        ),
        (
            "areas.fort_worth_near.villain",
            True,
            "areas.fort_worth_near.villain: found true; allowed: false, all start here and no ",
        ),
        (
            "areas.desert.town",
            "dodge_city",
            "areas.dodge_city_far.villain: a third villain of the town dodge_city; allowed: two",
        ),
        ("villain_tokens.tokens.v1.hats", 1.5, "villain_tokens.tokens.v1.hats: found 1.5; "),
    ],
)
def test_a_mistake_is_told_in_one_line(path, value, message):
    assert said_of({path: value}).startswith(message)


def of_deck(deck):
    return [name for name, card in MODEL.cards.items() if card.deck == deck]


def test_decks_need_cards_and_have_room_for_so_many():
    none = {f"cards.{name}.copies": 0 for name in of_deck("production")}
    assert said_of(none) == "cards: the production deck has 0 cards; allowed: 4 to 128"
    with_changes(none | {"cards.posse.copies": 1})
    full = {f"cards.{name}.copies": 0 for name in of_deck("scoring")} | {
        "cards.bear.symbols": "star"
    }
    assert said_of(full | {"cards.bear.copies": 3}).startswith(
        "cards: the scoring deck has 3 cards"
    )
    with_changes(full | {"cards.bear.copies": 4})
    many = {f"cards.{name}.copies": 4 for name in of_deck("production")}
    with_changes(many)
    many["cards.posse.copies"] = 5
    assert said_of(many) == "cards: the production deck has 132 cards; allowed: 4 to 128"
    four = {f"cards.{name}.copies": 4 for name in of_deck("building")}
    with_changes(four)
    some = {f"cards.{name}.copies": 5 for name in of_deck("building")[:5]}
    assert said_of(some) == "cards: the building deck has 150 cards; allowed: 4 to 128"


def test_five_building_types_are_needed():
    types = of_deck("building")
    with_changes({f"cards.{name}.copies": 0 for name in types[5:]})
    assert said_of({f"cards.{name}.copies": 0 for name in types[4:]}) == (
        "cards: found 4 building types with copies; allowed: 5 to 15"
    )
    more = {f"cards.new_{number}": BANK for number in range(5)}
    assert said_of(more) == "cards: found 16 building types with copies; allowed: 5 to 15"


def test_more_kinds_than_there_is_room_for_are_refused():
    new = COMPONENTS["cards"]["posse"] | {"symbols": "pairs"}
    decks = ("production", "scoring")
    more = {f"cards.{deck}_{n}": new | {"deck": deck} for deck in decks for n in range(10)}
    more |= {"cards.bear.symbols": "pairs", "cards.bear.copies": 1}
    with_changes(more)
    more |= {"cards.eagle.symbols": "star + wheel", "cards.coyote.symbols": "each"}
    assert said_of(more) == "cards: 243 cards differ in name or symbols; allowed: at most 240"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("limits.hats", 0),
        ("limits.hats", 21),
        ("limits.cows", 0),
        ("limits.cows", 13),
        ("hat_bonus.at", 0),
        ("hat_bonus.coins", -1),
        ("herd_bonus.first", [0, 0, 1, 0, 1, -1]),
        ("pan.coins", 0),
        ("pan.coins", 61),
        ("pan.bonus_at", 0),
        ("pan.bonus_at", 501),
        ("start.coins", True),
        ("start.discs", 0),
        ("certificates.stacks", 3),
        ("certificates.per_stack", 0),
        ("certificates.per_stack", 3),
        ("certificates.cost_top", 21),
        ("wild_tokens.at", [12]),
        ("wild_tokens.at", [1, 2, 3]),
        ("villain_tokens.places", 9),
        ("villain_tokens.tokens", {}),
        ("villain_tokens.tokens.v1.vp", 101),
        ("uncatchable.leaves_at", 0),
        ("towns", {}),
        ("towns.abilene.disc_vp", []),
        ("towns.abilene.disc_vp", [1] * 9),
        ("towns.abilene.disc_vp", [1.0]),
        ("towns.abilene.spots", ["wild"] * 5),
        ("areas.lake.first", 501),
        ("areas.lake.desert", 1),
        ("cards.bank.copies", 31),
        ("cards.bank.coins", "2"),
        ("cards.bank.source", "hearsay"),
        ("cards.bank.effect", 2),
    ],
)
def test_nonsense_is_refused(path, value):
    spoilt = without_merging(path, value)
    with pytest.raises(ValidationError):
        Components(**spoilt)


def without_merging(path, value, components=COMPONENTS):
    """Return components with one value replaced, tables too, by dotted name."""
    first, _, rest = path.partition(".")
    new = without_merging(rest, value, components[first]) if rest else value
    return {**components, first: new}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("limits.hats", 20),
        ("hat_bonus.coins", 0),
        ("pan.coins", 60),
        ("pan.coins", 1),
        ("start.discs", 30),
        ("start.cows", 6),
        ("certificates.stacks", 1),
        ("certificates.per_stack", 1),
        ("wild_tokens.at", [1, 500]),
        ("towns.abilene.disc_vp", [1] * 8),
        ("towns.abilene.spots", ["wild"] * 6),
        ("towns.abilene.wild_bonus", ""),
        ("cards.bank.effect", ""),
        ("cards.bank.coins", 20),
        ("board.top_1.effect", "1 coin per animal or free trade"),
    ],
)
def test_limits_are_allowed(path, value):
    check(with_changes({path: value}))


def test_a_longer_herd_needs_more_numbers():
    check(with_changes({"limits.cows": 12, "herd_bonus.first": [1] * 12}))


TABLES = ("", "symbols", "limits", "hat_bonus", "herd_bonus", "pan", "start", "certificates",
          "wild_tokens", "uncatchable", "villain_tokens", "villain_tokens.tokens.v1", "board",
          "board.top_1", "towns.abilene", "areas.lake", "cards.bank")  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_unknown_keys_are_refused(table):
    key = f"{table}.surprise".lstrip(".")
    assert said_of({key: 0}).startswith(f"{key}: unknown key; allowed: ")


@pytest.mark.parametrize("table", COMPONENTS)
def test_every_table_is_needed(table):
    rest = {name: value for name, value in COMPONENTS.items() if name != table}
    with pytest.raises(ValidationError, match=table):
        Components(**rest)


# Rulings and what cannot be played


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("end_test", "never"),
        ("hat_bonus", 4),
        ("richest", "cows"),
        ("licence_vp", 11),
        ("licence_vp", -1),
        ("licence_vp", 2.0),
        ("licence_vp", True),
        ("villain_vp", "never"),
        ("double_wild", "vp"),
        ("wild_third", 1),
        ("skip_cow_overflow", "cow"),
        ("paid_cows", "vanish"),
        ("dodge_city", "one"),
        ("wild_tokens", "true"),
        ("uncatchable_villain", 0),
        ("buildings", "all"),
        ("buildings", [1, 2, 3, 4, 5]),
        ("buildings", 5),
        ("round_cap", 0),
        ("round_cap", 61),
        ("surprise", 1),
    ],
)
def test_nonsense_in_rulings_is_refused(name, value):
    with pytest.raises(ValidationError):
        Rulings(**RULINGS | {name: value})


def test_a_misspelt_ruling_of_buildings_is_explained():
    with pytest.raises(ValidationError, match=r'"evn"; allowed: "base", .* Did you mean "even"\?'):
        Rulings(buildings="evn")


@pytest.mark.parametrize("players", [0, 1, 5, 1000])
def test_numbers_of_players(players):
    assert refused(players=players) == f"players: found {players}; allowed: 2 to 4"


RULE = "two types that cost 4 coins or more and two others that cost 4 hats or more"


@pytest.mark.parametrize(
    ("buildings", "message"),
    [
        (BASE[:4], "rulings.buildings: found 4 types; allowed: five (workshop, trappers_hut, "),
        ([*BASE, "church"], "rulings.buildings: found 6 types; allowed: five (workshop, "),
        ([*BASE[:4], "ranch"], 'rulings.buildings: found "ranch" twice; allowed: five different '),
        (
            [*BASE[:4], "banc"],
            'rulings.buildings: there is no building type "banc"; allowed: workshop, ',
        ),
        ([*BASE[:4], "posse"], 'rulings.buildings: there is no building type "posse"; allowed: '),
        (
            ["workshop", "hotel", "bank", "church", "ranch"],
            "rulings.buildings: found workshop, hotel, bank, church, ranch; allowed: sets with "
            f"{RULE}",
        ),
    ],
)
def test_building_sets_that_break_a_rule(buildings, message):
    assert refused(buildings=buildings).startswith(message)


def test_a_misspelt_building_type_is_explained():
    assert refused(buildings=[*BASE[:4], "banc"]).endswith('Did you mean "bank"?')


def test_the_base_set_can_be_spoilt():
    where = 'rulings.buildings = "base" (cards with base = true)'
    gone = with_changes({"cards.hotel.copies": 0})
    assert refused(gone).startswith(f"{where}: found 4 types; allowed: five (workshop, ")
    check(gone, buildings="random")
    six = with_changes({"cards.church.base": True})
    assert refused(six).startswith(f"{where}: found 6 types; allowed: five")
    cheap = with_changes({"cards.ranch.hats": 3})
    assert refused(cheap) == (
        f"{where}: found workshop, trappers_hut, ranch, hotel, bank; allowed: sets with {RULE}"
    )
    check(cheap, buildings="even")


def test_no_legal_set_at_all():
    cheap = with_changes({f"cards.{name}.hats": 3 for name in of_deck("building")})
    message = f"rulings.buildings: no five of {', '.join(of_deck('building'))} are a legal set: "
    for buildings in ("random", "even"):
        assert refused(cheap, buildings=buildings) == message + RULE


def test_a_token_for_each_place():
    five = dict(list(COMPONENTS["villain_tokens"]["tokens"].items())[:5])
    few = without_merging("villain_tokens.tokens", five)
    assert refused(few) == "components.villain_tokens.tokens: 5 tokens are too few for 6 places"
    check(few, uncatchable_villain=True)


def test_a_set_is_checked_by_itself():
    parts.check_buildings(MODEL, BASE)
    parts.check_buildings(changed({"cards.bank.vp": 9}), BASE[::-1])
