"""The narration: games by hand told word for word, and games of chance told without slips."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games.street_art.narrate import narrate, tell_turn
from sim.games.street_art.referee import replay

from .logs import COMPONENTS, RULINGS, Log, random_log, small_deck
from .test_recount import theft_and_rain, tied

STYLES = ("thief", "Leader Hunter", "random", "greedy", "closer", "rainmaker")


def turns_of(log, *hearts):
    """Return what is told of each turn of a log that is cut off."""
    seen = log.cut_off(*hearts).replay()
    return [tell_turn(seen, number) for number in range(1, len(seen.events) - 1)]


def test_a_game_in_short():
    assert list(narrate(theft_and_rain(), STYLES, hands=False)) == [
        "Street Art with 3 players: 8 hearts in the middle, 60 cards, hands of 5.",
        "Rulings: steal_shortfall none, brass_band instead, reshuffle all_piles, "
        "game_end immediate, turn_cap 500.",
        "Seat 0 (thief) is dealt 3 x Beatboxer, Juggler, Fire Breather.",
        "Seat 1 (Leader Hunter) is dealt 3 x Beatboxer, Fireworks, Juggler.",
        "Seat 2 (random) is dealt Beatboxer, Brass Band, Rain, 2 x BMX Artist.",
        "45 cards stay in the draw pile. Seat 0 starts.",
        "Turn 1 (round 1), seat 0 (thief): plays Juggler and takes 2 hearts from the middle. "
        "Hearts: 0:2 1:0 2:0; middle 6; draws BMX Artist.",
        "Turn 2 (round 1), seat 1 (Leader Hunter): plays Juggler and steals 2 hearts from seat 0, "
        "who shows it too. Hearts: 0:0 1:2 2:0; middle 6; draws BMX Artist.",
        "Turn 3 (round 1), seat 2 (random): plays 1 Brass Band and takes 1 heart from the middle. "
        "Hearts: 0:0 1:2 2:1; middle 5; draws Brass Band.",
        "Turn 4 (round 2), seat 0 (thief): plays Fire Breather and takes 4 hearts from the "
        "middle. Hearts: 0:4 1:2 2:1; middle 1; draws Brass Band.",
        "Turn 5 (round 2), seat 1 (Leader Hunter): plays Fireworks and steals 2 hearts from "
        "seat 0. Hearts: 0:2 1:4 2:1; middle 1; draws Brass Band.",
        "Turn 6 (round 2), seat 2 (random): plays Rain: seat 0 shows Fire Breather and returns "
        "2 hearts, all it has (4 due); seat 1 shows Fireworks and returns 2 hearts; 6 cards from "
        "all piles are shuffled and go under the draw pile. "
        "Hearts: 0:0 1:2 2:1; middle 1; box 4; draws Brass Band.",
        "Turn 7 (round 3), seat 0 (thief): plays Beatboxer (the only one visible) and takes "
        "1 heart from the middle. Hearts: 0:1 1:2 2:1; middle 0; box 4.",
        "",
        "The middle is empty: the game is over after 7 turns (3 rounds).",
        "  1. seat 1 (Leader Hunter): 2 hearts",
        "  2. seat 0 (thief) and seat 2 (random): 1 heart each",
        "Seat 1 (Leader Hunter) wins by 1 heart.",
    ]


def test_a_game_with_hands():
    lines = list(narrate(theft_and_rain(), STYLES))
    second = lines.index(
        "Turn 2 (round 1), seat 1 (Leader Hunter) holds 3 x Beatboxer, Fireworks, Juggler."
    )
    assert lines[second - 1 : second + 6] == [
        "",
        lines[second],
        "  Plays Juggler and steals 2 hearts from seat 0, who shows it too.",
        "  Draws BMX Artist.",
        "  Hearts: 0:0 1:2 2:0; middle 6.",
        "  Visible: 0 Juggler, 1 Juggler, 2 nothing.",
        "",
    ]


def test_a_shared_win():
    assert list(narrate(tied(), STYLES))[-4:] == [
        "The middle is empty: the game is over after 2 turns (1 round).",
        "  1. seat 0 (thief) and seat 1 (Leader Hunter): 2 hearts each",
        "  3. seat 2 (random): 0 hearts",
        "Seat 0 (thief) and seat 1 (Leader Hunter) share the win.",
    ]


def test_a_game_cut_off():
    seen = Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws().cut_off(2, 0).replay()
    assert list(narrate(seen, STYLES))[-3:] == [
        "The game is cut off by the turn cap after 1 turn (1 round): nobody wins.",
        "  seat 0 (thief): 2 hearts",
        "  seat 1 (Leader Hunter): 0 hearts",
    ]


def test_victims():
    fire = "fire_breather"
    log = Log([fire], [fire], ["juggler"], [fire])
    log.turn(0).plays(fire).takes(4).draws()
    log.turn(1).plays(fire).steals(4, victim=0).draws()
    log.turn(2).plays("juggler").takes(2).draws()
    log.turn(3).plays(fire).steals(4, victim=1).draws()
    assert turns_of(log, 0, 0, 2, 4)[1:] == [
        "plays Fire Breather and steals 4 hearts from seat 0, who shows it too",
        "plays Juggler and takes 2 hearts from the middle",
        "plays Fire Breather and steals 4 hearts from seat 1, who played it last",
    ]


@pytest.mark.parametrize(
    ("shortfall", "told"),
    [
        ("none", "seat 0, who shows it too and owns no more"),
        (
            "from_middle",
            "seat 0, who shows it too and owns no more, "
            "and takes the missing 2 hearts from the middle",
        ),
    ],
)
def test_short_victims(shortfall, told):
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"], steal_shortfall=shortfall)
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("fire_breather").steals(2, victim=0)
    got = 2
    if shortfall == "from_middle":
        log.takes(2)
        got = 4
    assert turns_of(log.draws(), 0, 2, got)[2] == (
        f"plays Fire Breather and steals 2 hearts from {told}"
    )


def test_victims_without_hearts():
    log = Log(["beatboxer"], ["fireworks"], ["fireworks"])
    log.turn(0).plays("beatboxer").takes(1).draws()
    log.turn(1).plays("fireworks", victim=0).steals(1, victim=0).draws()
    log.turn(2).plays("fireworks", victim=1).steals(1, victim=1).draws()
    log.turn(0).plays("beatboxer").takes(1).draws()
    told = turns_of(log, 1, 0, 1)
    assert told[1] == "plays Fireworks and steals 1 heart from seat 0, who owns no more"
    log = Log(["juggler"], ["fireworks"], ["juggler"])
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("juggler").draws()
    assert turns_of(log, 0, 2, 0)[2] == (
        "plays Juggler and would steal from seat 0, who shows it too but has no heart"
    )


@pytest.mark.parametrize(
    ("middle", "told"),
    [
        (1, "takes 1 heart of the missing 2 from the middle, the last"),
        (0, "the middle is empty, so 2 hearts stay missing"),
    ],
)
def test_a_middle_that_cannot_make_up(middle, told):
    log = Log(
        ["fire_breather"],
        ["fireworks"],
        ["fire_breather"],
        steal_shortfall="from_middle",
        game_end="finish_round",
        hearts=4 + middle,
    )
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("fire_breather").steals(2, victim=0)
    if middle:
        log.takes(middle)
    seen = log.ends().scores(0, 2, 2 + middle, ranks=[3, 2 - (middle == 0), 1]).replay()
    assert tell_turn(seen, 3) == (
        "plays Fire Breather and steals 2 hearts from seat 0, who shows it too and owns no more, "
        f"and {told}"
    )


def test_last_hearts_of_the_middle():
    log = Log(["fire_breather"], ["juggler"], hearts=3, game_end="finish_round")
    log.turn(0).plays("fire_breather").takes(3).draws().turn(1).plays("juggler")
    seen = log.ends().scores(3, 0, ranks=[1, 2]).replay()
    assert tell_turn(seen, 1) == (
        "plays Fire Breather and takes the last 3 hearts from the middle (4 due)"
    )
    assert tell_turn(seen, 2) == "plays Juggler, but the middle is empty"
    log = Log(["fire_breather"], [], hearts=1).turn(0).plays("fire_breather").takes(1)
    seen = log.ends().scores(1, 0, ranks=[1, 2]).replay()
    assert tell_turn(seen, 1).endswith("takes the last heart from the middle (4 due)")


def test_special_cards():
    log = Log(["fireworks", "brass_band", "brass_band"], ["beatboxer"], ["beatboxer"])
    log.turn(0).plays("fireworks").draws()
    log.turn(1).plays("beatboxer").takes(1).draws()
    log.turn(2).plays("beatboxer").takes(2).draws()
    log.turn(0).plays("brass_band", count=2).takes(2).draws(2)
    assert turns_of(log, 2, 1, 2) == [
        "plays Fireworks, but nobody else has a heart to steal",
        "plays Beatboxer (the only one visible) and takes 1 heart from the middle",
        "plays Beatboxer (2 visible) and takes 2 hearts from the middle",
        "plays 2 Brass Bands and takes 2 hearts from the middle",
    ]


def test_bands_before_a_card():
    log = Log(["brass_band", "fireworks"], [], brass_band="in_addition")
    log.turn(0).plays("brass_band").takes(1).plays("fireworks").draws(2)
    assert turns_of(log, 1, 0) == [
        "plays 1 Brass Band and takes 1 heart from the middle, "
        "then plays Fireworks, but nobody else has a heart to steal"
    ]


def test_rain():
    log = Log(["rain", "rain"], ["juggler"], ["beatboxer"], ["brass_band"])
    log.turn(0).plays("rain").collects("rain", rain=True).draws()
    log.turn(1).plays("juggler").takes(2).draws()
    log.turn(2).plays("beatboxer").takes(1).draws()
    log.turn(3).plays("brass_band").takes(1).draws()
    log.turn(0).plays("rain").returns(2, 1).returns(1, 2).returns(1, 3)
    log.collects("juggler", "rain", "brass_band", "beatboxer", rain=True).draws()
    told = turns_of(log, 0, 0, 0, 0)
    assert told[0] == (
        "plays Rain: seat 1 shows nothing and keeps its hearts; seat 2 shows nothing and keeps "
        "its hearts; seat 3 shows nothing and keeps its hearts; "
        "1 card from all piles goes under the draw pile"
    )
    assert told[4] == (
        "plays Rain: seat 1 shows Juggler and returns 2 hearts; "
        "seat 2 shows Beatboxer (1 visible) and returns 1 heart; "
        "seat 3 shows Brass Band and returns 1 heart; "
        "4 cards from all piles are shuffled and go under the draw pile"
    )


def lines_of_refill(reshuffle, *cards):
    log = Log(["juggler"], ["juggler"], components=small_deck(1, juggler=4), reshuffle=reshuffle)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(0).plays("juggler").steals(2, victim=1).collects(*cards, rain=False).draws()
    return list(narrate(log.cut_off(2, 0).replay(), STYLES))


def test_refills():
    assert (
        "  The draw pile is empty, so 3 cards from the discard piles are shuffled into a new "
        "one; draws Juggler." in lines_of_refill("all_piles", "juggler", "juggler", "juggler")
    )
    assert (
        "  The draw pile is empty, so 1 card from the discard piles becomes a new one "
        "(visible cards stay); draws Juggler." in lines_of_refill("keep_tops", "juggler")
    )


def test_a_draw_on_both_sides_of_a_refill():
    log = Log(["brass_band"] * 3, ["brass_band"] * 3, components=small_deck(3, brass_band=7))
    log.turn(0).plays("brass_band", count=3).takes(3).draws()
    log.collects("brass_band", "brass_band", "brass_band", rain=False).draws(2)
    lines = list(narrate(log.cut_off(3, 0).replay(), STYLES))
    assert "1 card stays in the draw pile. Seat 0 starts." in lines
    assert (
        "  Draws Brass Band; the draw pile is empty, so 3 cards from the discard piles are "
        "shuffled into a new one; draws 2 x Brass Band." in lines
    )


def test_short_and_empty_hands():
    log = Log(["juggler"], ["juggler"], components=small_deck(1, juggler=3), reshuffle="keep_tops")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0)
    log.turn(0).plays("juggler").steals(2, victim=1).collects("juggler", rain=False).draws()
    lines = list(narrate(log.turn(1).passes().cut_off(2, 0).replay(), STYLES))
    assert "  Finds no more card to draw." in lines
    assert "Turn 4 (round 2), seat 1 (Leader Hunter) holds no card." in lines
    assert "  Has no card and passes." in lines


SLIPS = re.compile(r"None|\b1 (hearts|cards|turns|rounds|Brass Bands)\b|  \S.*  |\.\.|_band [^i]")


@given(
    players=st.integers(2, 6),
    seed=st.integers(0, 2**32),
    hands=st.booleans(),
    shortfall=st.sampled_from(["none", "from_middle"]),
    band=st.sampled_from(["instead", "in_addition"]),
)
@settings(max_examples=60, deadline=None)
def test_any_game_is_told_without_slips(players, seed, hands, shortfall, band):
    rulings = RULINGS | {"steal_shortfall": shortfall, "brass_band": band}
    log, _ = random_log(players, seed, **rulings)
    seen = replay(log, COMPONENTS, rulings, players)
    lines = list(narrate(seen, STYLES[:players], hands=hands))
    assert not [line for line in lines if SLIPS.search(line)]
    told = [line for line in lines if line.startswith("Turn ")]
    assert len(told) == len(seen.events) - 2
    hearts = [re.search(r"Hearts: ([^;]*); middle (\d+)", line) for line in lines]
    found = [(match[1], int(match[2])) for match in hearts if match]
    assert found == [
        (" ".join(f"{seat}:{p.hearts}" for seat, p in enumerate(state.players)), state.middle)
        for state in seen.states[1:-1]
    ]
