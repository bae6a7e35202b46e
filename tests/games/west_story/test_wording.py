"""How deeds of West Story are said: productions, turns and ends by hand, word for word."""

import pytest

from sim.games.west_story.logbook import DicePassed, GameOver, Result
from sim.games.west_story.rulebook import Gain, Paid
from sim.games.west_story.wording import Wording, gain_words, goods, price, several

from .logs import (
    ABILENE,
    AT_ABILENE,
    AT_DESERT,
    B1,
    B2,
    B3,
    B4,
    B5,
    B6,
    FAR_DODGE,
    FORT_WORTH,
    NEAR_DODGE,
    SCORING,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    UNCATCHABLE,
    V1,
    V3,
    V4,
    WILD_SPOT,
)
from .table import Scene

STYLES = ("greedy", "High Roller", "random", "rancher")


# Production


def produced(scene, yellow, green):
    before = scene.table.snapshot()
    before.dice = yellow, green
    event = scene.produces(yellow, green)
    return Wording(scene.rules, STYLES).production(event, before)


def test_two_marks():
    scene = Scene().marks(T4, B4)
    scene.executes(T4).gains(("hats", 2)).executes(B4).gains(("cows", 1))
    assert produced(scene, 4, 4) == (
        "Seat 0 marks top 4 and bottom 4. It gets 2 hats from top 4; 1 cow from bottom 4."
    )


def test_marks_that_move_right_and_a_choice():
    scene = Scene().seat(0, marks=[T5, B2]).marks(T6, B3)
    scene.executes(B3).gains(("hats", 2)).executes(T6, 1).gains(("vp", 1))
    assert produced(scene, 5, 2) == (
        "Seat 0 marks top 6 (5 is marked) and bottom 3 (2 is marked). It gets 2 hats from bottom "
        "3; 1 VP (not 2 coins) from top 6."
    )


def test_a_combo_a_card_and_a_full_row():
    scene = Scene().seat(0, [(B3, "posse star")], marks=[B1, B2, B4, B6]).marks(T3, B3, B5)
    scene.executes(T3).gains(("cows", 1)).executes(B3).gains(("hats", 3)).executes(B5)
    scene.gains(("hats", 2)).gains(("coins", 1), why="hat_bonus").clears(1)
    assert produced(scene, 3, 3) == (
        "Seat 0 marks top 3 and bottom 3, and by a star combo bottom 5. It gets 1 cow from top 3; "
        "3 hats from Posse (bottom 3); 2 hats and 1 coin for its hats from bottom 5. Its bottom "
        "row is full: the markers come off."
    )


def test_combos_of_buildings_and_animals():
    """Two buildings meet in star and wheel, an animal in whatever the other shows."""
    brings = {"hotel": [("vp", 2)], "bank": [], "mustang": [("coins", 1), ("hats", 2)]}
    brings["bear"] = [("hats", 3)]
    for top, bottom, name in (
        ("hotel star wheel", "bank star wheel", "star or wheel"),
        ("mustang", "hotel star wheel", "star or wheel"),
        ("mustang", "bear", "wild"),
    ):
        scene = Scene().seat(0, [(T1, top), (B1, bottom)], printed=0).marks(T1, B1, T3)
        for spot, card in ((T1, top), (B1, bottom)):
            scene.executes(spot).gains(*brings[card.split()[0]])
        if bottom == "bear":
            scene.gains(("coins", 1), why="hat_bonus")
        scene.executes(T3).gains(("cows", 1))
        assert f"and by a {name} combo top 3." in produced(scene, 1, 1)
    assert "nothing from Bank (bottom 1)" in produced_with_nothing()


def produced_with_nothing():
    scene = Scene().seat(0, [(B1, "bank star wheel")], printed=0).marks(T1, B1)
    return produced(scene.executes(B1).executes(T1).gains(("hats", 2)), 1, 1)


def test_a_combo_without_a_spot_and_a_full_herd():
    scene = Scene().seat(0, [(T1, "posse wheel")], marks=[T4, B2], cows=6).marks(T1, B6)
    scene.combo_cow().gains(("vp", 1), why="too_many_cows").executes(T1).gains(("hats", 3))
    scene.executes(B6).gains(("hats", 2)).gains(("coins", 1), why="hat_bonus")
    assert produced(scene, 1, 6) == (
        "Seat 0 marks top 1 and bottom 6; a wheel combo finds no spot and brings 1 VP for 1 cow "
        "too many. It gets 3 hats from Posse (top 1); 2 hats and 1 coin for its hats (not 1 VP) "
        "from bottom 6."
    )


def test_wild_tokens():
    scene = Scene(wild_tokens=True)
    scene.seat(0, wild_tokens=1, wild_tokens_at=frozenset([12]), vp=13)
    scene.marks(T1, B4, token=B3)
    scene.executes(T1).gains(("hats", 2)).executes(B4).gains(("cows", 1)).executes(B3)
    scene.gains(("hats", 2)).gains(("coins", 1), why="hat_bonus")
    assert "bottom 4, and by a wild token bottom 3. It gets" in produced(scene, 1, 4)
    scene = Scene(wild_tokens=True).seat(0, vp=11).marks(T6, B2)
    scene.executes(T6, 1).gains(("vp", 1)).picks_token(12).flips(AT_ABILENE, V1)
    scene.executes(B2).gains(("coins", 1), ("hats", 1))
    assert " from bottom 2. It picks up a wild token at 12 VP. V1 turns up " in produced(
        scene, 6, 2
    )


def test_a_villain_that_turns_up():
    scene = Scene().villain(AT_ABILENE, V3, face_up=False).seat(0, vp=6).marks(T6, B2)
    scene.executes(T6, 1).gains(("vp", 1)).flips(AT_ABILENE, V3)
    scene.executes(B2).gains(("coins", 1), ("hats", 1))
    assert produced(scene, 6, 2).endswith(
        "V3 turns up in Abilene (fight 2 hats and 2 coins for 3 VP, or pay 1)."
    )


# Turns


def acts(scene, skips=2):
    """Return what seat 0 does in a turn, deed by deed, before its last purchases are skipped."""
    before = scene.table.snapshot()
    for _ in range(skips):
        scene.skips()
    told = Wording(scene.rules, STYLES).deeds(scene.plays(), before, scene.table)
    assert told[len(told) - skips :] == ["Skips a purchase: 1 cow."] * skips
    return told[: len(told) - skips]


def facing(token, coins=1, cows=0, owned=None, **rulings):
    """Seat 0 begins its turn at Abilene before a villain."""
    scene = Scene(**rulings).villain(AT_ABILENE, token, coins=coins, cows=cows)
    return scene.seat(0, vp=7, **({"coins": 3, "hats": 3, "cows": 0} | (owned or {}))).turn(0)


def test_fights():
    scene = facing(V3).fights(AT_ABILENE, V3, hats=2, coins=2).gains(("coins", 1), why="pot")
    assert acts(scene) == [
        "Fights V3 in Abilene for 2 hats and 2 coins: 3 VP at the end and 1 coin from it."
    ]
    scene = facing(V3, villain_vp="at_once", owned={"cows": 1, "fight": 3})
    scene.fights(AT_ABILENE, V3, cows=1).gains(("coins", 1), why="pot")
    scene.gains(("vp", 3), why="villain")
    assert acts(scene) == [
        "Fights V3 in Abilene for 1 cow (cost 2 hats and 2 coins): 1 coin from it and 3 VP."
    ]


def test_payments_to_villains():
    for owned, paid, told in (
        ({"cows": 1}, {"coins": 1, "cows": 1}, "Pays V4 in Abilene 1 coin and 1 cow; "),
        ({"coins": 1, "hats": 0}, {"coins": 1}, "Pays V4 in Abilene all it has, 1 coin instead "),
        ({"coins": 0, "hats": 0}, {}, "Has nothing to pay V4 in Abilene with; "),
    ):
        (line,) = acts(facing(V4, owned=owned).bribes(AT_ABILENE, V4, **paid))
        assert line.startswith(told)
    assert line.endswith("; 1 coin lies on it.")
    (line,) = acts(facing(V4, coins=4, cows=1).bribes(AT_ABILENE, V4, coins=2))
    assert line == "Pays V4 in Abilene 2 coins; 6 coins and 1 cow lie on it."


def test_the_uncatchable_villain():
    rulings = {"uncatchable_villain": True}
    scene = facing(UNCATCHABLE, **rulings).bribes(AT_ABILENE, UNCATCHABLE, coins=1)
    assert acts(scene) == ["Pays the uncatchable villain in Abilene 1 coin; 2 coins lie on it."]
    scene = facing(UNCATCHABLE, coins=3, **rulings).bribes(AT_ABILENE, UNCATCHABLE, coins=1)
    assert acts(scene.leaves(AT_ABILENE, UNCATCHABLE)) == [
        "Pays the uncatchable villain in Abilene 1 coin. That villain has got enough and leaves."
    ]


def test_a_villain_below_another():
    scene = Scene(dodge_city="together").villain(NEAR_DODGE, V1).villain(FAR_DODGE, V3, False)
    scene.seat(0, vp=14, hats=2, coins=1).turn(0).fights(NEAR_DODGE, V1, hats=2, coins=1)
    scene.flips(FAR_DODGE, V3).gains(("coins", 1), why="pot")
    assert acts(scene) == [
        "Fights V1 in Dodge City (near side) for 2 hats and 1 coin: 2 VP at the end and 1 coin "
        "from it. V3 turns up in Dodge City (far side) (fight 2 hats and 2 coins for 3 VP, or "
        "pay 1)."
    ]


def test_trades():
    scene = Scene(3).seat(0, hats=2, coins=4, marks=[T1, T3, T4, T5, T6]).turn(0)
    scene.discs(FORT_WORTH, 0).trades(FORT_WORTH, 1, T2, hats=1, coins=1).executes(T2)
    assert acts(scene.gains(("coins", 2)).clears(0)) == [
        "Trades with Fort Worth at horseshoe for 1 hat and 1 coin, disc 2 there (3 VP): marks top "
        "2 and gets 2 coins from top 2. Its top row is full: the markers come off."
    ]
    scene = Scene().seat(0, [(B1, "bear")], vp=7, free_trade=True).turn(0)
    scene.table.villains = (scene.table.villains[0]._replace(token=None), *scene.table.villains[1:])
    scene.table.left = (V1,)
    scene.trades(ABILENE, WILD_SPOT, B1).executes(B1).gains(("hats", 3))
    scene.gains(("cows", 1), why="wild_bonus").skips().skips(cows=0)
    scene.gains(("cows", 1), why="skip").gains(("coins", 1), why="herd_bonus")
    assert acts(scene, skips=0) == [
        "Trades with Abilene at wild for nothing (cost 1 hat and 1 coin), disc 1 there (2 VP): "
        "marks bottom 1 and gets 3 hats from Bear (bottom 1). The wild symbol brings 1 cow.",
        "Skips a purchase: 1 cow.",
        "Skips a purchase: 1 cow and 1 coin for its herd.",
    ]


def in_the_desert(**owned):
    scene = Scene(3).seat(0, vp=21, **owned).turn(0)
    tokens = list(scene.table.villains)
    scene.table.left = (tokens[AT_DESERT].token,)
    tokens[AT_DESERT] = tokens[AT_DESERT]._replace(token=None)
    scene.table.villains = tuple(tokens)
    return scene


def test_certificates():
    first, second = ("revolver + horseshoe", "star + wheel")
    scene = in_the_desert(coins=5).certifies(0, 0, 0, coins=4)
    assert acts(scene) == [f"Buys the certificate {first} from the top of stack 1 for 4 coins."]
    scene = in_the_desert(coins=5, cows=1).certifies(0, 1, 1, coins=5, cows=1)
    assert acts(scene) == [
        f"Buys the certificate {second} from the bottom of stack 1 for 5 coins and 1 cow (cost 6 "
        "coins)."
    ]


def test_purchases():
    scene = Scene(3).seat(0, [(B1, "posse star")], vp=6, hats=4, coins=2, discount=2)
    scene.villain(AT_ABILENE, V1, face_up=False)
    rodeo = scene.offer(0, 1, "rodeo wheel")
    bank = scene.offer(2, 3, "bank star wheel")
    scene.turn(0).buys(0, 1, rodeo, B1, hats=3).gains(("vp", 1), why="card").flips(0, V1)
    scene.buys(2, 3, bank, T6, coins=2).gains(("vp", 4), why="card")
    scene.seat(0, vp=6, hats=4, coins=2, cows=2, discount=2)
    scene.rows[-2][5] = 2
    assert acts(scene, skips=0) == [
        "Buys Rodeo (wheel) for 3 hats onto bottom 1 over Posse: 1 VP. V1 turns up in Abilene "
        "(fight 2 hats and 1 coin for 2 VP, or pay 1).",
        "Buys Bank (star + wheel) for 2 coins and 2 cows (cost 6 coins) onto top 6: 4 VP.",
    ]


def test_skips_with_a_full_herd():
    full = ("vp", 1)
    for ruling, told in (("vp", ": 1 VP for 1 cow too many."), ("nothing", ", its herd full.")):
        scene = Scene(3, skip_cow_overflow=ruling).seat(0, cows=6).turn(0)
        for _ in range(2):
            scene.skips(cows=0)
            if ruling == "vp":
                scene.gains(full, why="too_many_cows")
        assert acts(scene, skips=0) == [f"Skips a purchase{told}"] * 2


def test_the_market_is_reset():
    scene = Scene(3).seat(0, hats=1).turn(0)
    market = scene.table.market[SCORING]
    new = scene.table.decks[SCORING][:2]
    say = Wording(scene.rules, STYLES)
    scene.resets(SCORING, [(0, market[0]), (2, market[2])], hats=1)
    assert acts(scene) == [
        f"Resets 2 scoring cards for 1 hat: {say.cards([market[0], market[2]])} go under the deck, "
        f"{say.cards(new)} come."
    ]


# Between rounds, and the end


@pytest.mark.parametrize(
    ("coins", "cows", "event", "rulings", "told"),
    [
        (
            (5, 9),
            (0, 0),
            DicePassed(0, 1, tied=False),
            {},
            "Seat 1 is richest with 9 coins, takes a coin of the gold pan (11 left) and gets the "
            "dice.",
        ),
        (
            (1, 0),
            (0, 0),
            DicePassed(0, 0, tied=False),
            {},
            "Seat 0 is richest with 1 coin, takes a coin of the gold pan (11 left) and keeps the "
            "dice.",
        ),
        (
            (5, 4),
            (1, 2),
            DicePassed(0, 1, tied=True),
            {"richest": "coins_and_cows"},
            "Seats 0 and 1 are richest with 6 coins and cows each: the coin of the gold pan is "
            "discarded (11 left) and seat 1, next to the left, gets the dice.",
        ),
    ],
)
def test_the_dice_are_passed(coins, cows, event, rulings, told):
    scene = Scene(**rulings)
    for seat in range(2):
        scene.seat(seat, coins=coins[seat], cows=cows[seat])
    after = scene.table.snapshot()
    after.pan -= 1
    assert Wording(scene.rules, STYLES).dice_passed(event, scene.table, after) == told


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([(50, 1, 3), (45, 2, 9)], "Seat 0 (greedy) wins by 5 VP."),
        (
            [(50, 2, 3), (50, 1, 9)],
            "Seat 1 (High Roller) wins the tie with more VP of villains (9 to 3).",
        ),
        (
            [(50, 1, 3), (50, 2, 3)],
            "Seat 0 (greedy) wins the tie with more coins and cows (7 to 5).",
        ),
        ([(50, 1, 3), (50, 1, 3)], "Seat 0 (greedy) and seat 1 (High Roller) share the win."),
        ([(50, 0, 3), (40, 0, 3)], "The game is cut off by the round cap: nobody wins."),
    ],
)
def test_who_won(results, told):
    scene = Scene()
    for seat, coins in enumerate((7, 5)):
        scene.seat(seat, coins=coins)
    reason = "gold_pan" if results[0][1] else "round_cap"
    made = tuple(Result(seat, *result, parts={}) for seat, result in enumerate(results))
    over = GameOver(reason, 12, made)
    assert Wording(scene.rules, STYLES).verdict(over, scene.table) == told


def test_small_words():
    assert several("a") == "a"
    assert several("abc") == "a, b and c"
    assert goods() == "nothing"
    assert goods(1, 2, 1) == "1 hat, 2 coins and 1 cow"
    assert price(Paid(0, 0, 0), 0, 2) == "nothing (cost 2 coins)"
    assert price(Paid(1, 2, 0), 1, 2) == "1 hat and 2 coins"
    for gain, told in (
        (Gain("discount", 2, "effect"), "a discount of 2"),
        (Gain("fight", 3, "effect"), "3 free in a fight"),
        (Gain("free_trade", 1, "effect"), "a free trade"),
        (Gain("vp", 2, "too_many_hats"), "2 VP for 2 hats too many"),
        (Gain("coins", 1, "pot"), "1 coin from it"),
    ):
        assert gain_words(gain) == told
