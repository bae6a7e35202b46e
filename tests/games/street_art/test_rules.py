"""Turns of the compiled game worked by hand with the rulebook beside: each card, each ruling."""

from collections import Counter

import pytest

from ..running import uncompiled
from .table import Action, Table, changed, dealt, of, seat

# Setup


@uncompiled
@pytest.mark.parametrize("players", range(2, 7))
def test_set_up(players):
    table = dealt(players)
    order = [row.b for row in of(table.log, "ORDER")]
    assert Counter(order) == Counter(
        beatboxer=7, fireworks=8, brass_band=12, rain=2, breakdancer=4, bmx_artist=4, juggler=4,
        fire_breather=4, street_painter=5, cyr_wheel_acrobat=5, living_statue=5,
    )  # fmt: skip
    for number, hand in enumerate(table.hands):
        assert hand == Counter(order[::-1][5 * number : 5 * number + 5])
    assert table.draw_pile == order[: 60 - 5 * players]
    assert [row.seat for row in of(table.log, "DRAW")] == sorted([*range(players)] * 5)
    assert table.middle == 36
    assert table.hearts == [0] * players
    assert table.tops == [None] * players
    assert (table.turn, table.seat, table.over) == (0, 0, 0)


# What may be played


@uncompiled
def test_one_action_for_each_kind_of_card():
    table = Table(seat("2*juggler rain 2*beatboxer"), seat(hearts=3))
    assert set(table.actions()) == {Action("juggler"), Action("rain"), Action("beatboxer")}
    assert len(table.actions()) == 3


@uncompiled
def test_brass_bands_once_for_each_number():
    table = Table(seat("3*brass_band rain juggler"), seat())
    assert Counter(table.actions()) == Counter(
        [
            Action("juggler"),
            Action("rain"),
            Action("brass_band", 1),
            Action("brass_band", 2),
            Action("brass_band", 3),
        ]
    )


@uncompiled
def test_fireworks_once_for_each_other_player_with_a_heart():
    table = Table(seat(hearts=1), seat("5*fireworks", hearts=9), seat(), seat(hearts=2), mover=1)
    assert Counter(table.actions()) == Counter(
        [Action("fireworks", 0, 0), Action("fireworks", 0, 3)]
    )


@uncompiled
def test_fireworks_without_a_victim_may_be_played_for_nothing():
    table = Table(seat("fireworks", hearts=5), seat())
    assert table.actions() == [Action("fireworks")]
    table.play("fireworks")
    assert (table.hearts, table.middle, table.tops) == ([5, 0], 31, ["fireworks", None])


@uncompiled
def test_brass_band_in_addition_to_every_other_card():
    hand = "2*brass_band fireworks juggler"
    table = Table(seat(hand), seat(hearts=2), seat(hearts=1), brass_band="in_addition")
    others = [Action("fireworks", 0, 1), Action("fireworks", 0, 2), Action("juggler")]
    with_bands = [action._replace(brass=count) for action in others for count in range(3)]
    alone = [Action("brass_band", 1), Action("brass_band", 2)]
    assert Counter(table.actions()) == Counter(with_bands + alone)


# Street Stars


@uncompiled
def test_the_rulebooks_chain_of_thefts():
    fire = "fire_breather"
    table = Table(seat(fire), seat(fire), seat("juggler"), seat(fire), turn=0)
    course = []
    for card in (fire, fire, "juggler", fire):
        table.play(card)
        course.append(table.hearts)
    assert course == [[4, 0, 0, 0], [0, 4, 0, 0], [0, 4, 2, 0], [0, 0, 2, 4]]
    assert table.middle == 30
    assert table.thefts == 2


@uncompiled
@pytest.mark.parametrize(
    ("star", "hearts"),
    [
        ("breakdancer", 2),
        ("bmx_artist", 2),
        ("juggler", 2),
        ("fire_breather", 4),
        ("street_painter", 3),
        ("cyr_wheel_acrobat", 3),
        ("living_statue", 3),
    ],
)
def test_a_star_gives_its_hearts_from_the_middle_or_from_a_twin(star, hearts):
    table = Table(seat(star), seat(star), turn=0)
    table.play(star)
    assert (table.hearts, table.middle) == ([hearts, 0], 36 - hearts)
    table.play(star)
    assert (table.hearts, table.middle) == ([0, hearts], 36 - hearts)
    assert (table.from_middle, table.stolen) == ([hearts, 0], [0, hearts])
    assert table.lost_to_theft == [-hearts, 0]
    assert table.counted("gained", 0) == {star: hearts}
    assert table.counted("gained", 1) == {star: hearts}


@uncompiled
def test_only_the_visible_card_is_a_twin():
    table = Table(seat("juggler"), seat(hearts=5, pile="juggler rain"))
    table.play("juggler")
    assert table.hearts == [2, 5]


@uncompiled
def test_another_star_of_the_same_value_is_no_twin():
    table = Table(seat("juggler"), seat(hearts=5, pile="bmx_artist"))
    table.play("juggler")
    assert table.hearts == [2, 5]


@uncompiled
def test_the_most_recent_of_several_twins_is_the_victim():
    seats = [
        seat(hearts=9, pile="juggler", since=7),
        seat(hearts=9, pile="juggler", since=13),
        seat("juggler", hearts=1, pile="rain"),
        seat(hearts=9, pile="juggler", since=11),
        seat(hearts=9, pile="bmx_artist", since=16),
    ]
    table = Table(*seats, turn=17)
    rows = table.play("juggler")
    assert table.hearts == [9, 7, 3, 9, 9]
    assert [(row.a, row.b) for row in of(rows, "STEAL")] == [(2, 1)]


@uncompiled
def test_the_most_recent_twin_is_the_victim_even_if_poor():
    table = Table(
        seat("fire_breather"),
        seat(hearts=9, pile="fire_breather", since=4),
        seat(hearts=1, pile="fire_breather", since=5),
        turn=6,
    )
    table.play("fire_breather")
    assert (table.hearts, table.middle) == ([1, 9, 0], 26)


@uncompiled
def test_the_own_visible_card_never_matters():
    alone = Table(seat("juggler", hearts=3, pile="juggler"), seat(hearts=9))
    alone.play("juggler")
    assert (alone.hearts, alone.middle) == ([5, 9], 22)
    later = Table(
        seat("juggler", pile="juggler", since=9), seat(hearts=9, pile="juggler", since=3), turn=10
    )
    later.play("juggler")
    assert later.hearts == [2, 7]


@uncompiled
@pytest.mark.parametrize(
    ("owned", "shortfall", "stolen", "taken"),
    [
        (3, "none", 3, 0),
        (0, "none", 0, 0),
        (4, "none", 4, 0),
        (3, "from_middle", 3, 1),
        (0, "from_middle", 0, 4),
        (4, "from_middle", 4, 0),
        (9, "from_middle", 4, 0),
    ],
)
def test_a_short_victim(owned, shortfall, stolen, taken):
    table = Table(
        seat("fire_breather"),
        seat(hearts=owned, pile="fire_breather"),
        middle=20,
        steal_shortfall=shortfall,
    )
    rows = table.play("fire_breather")
    assert table.hearts == [stolen + taken, owned - stolen]
    assert table.middle == 20 - taken
    assert [row.a for row in of(rows, "STEAL")] == [stolen] * (stolen > 0)
    assert [row.a for row in of(rows, "TAKE")] == [taken] * (taken > 0)
    assert table.thefts == (stolen > 0)
    assert (table.stolen, table.from_middle) == ([stolen, 0], [taken, 0])
    assert table.counted("gained", 0)["fire_breather"] == stolen + taken


@uncompiled
def test_a_short_victim_and_a_short_middle():
    table = Table(
        seat("fire_breather"),
        seat(hearts=1, pile="fire_breather"),
        middle=2,
        steal_shortfall="from_middle",
    )
    table.play("fire_breather")
    assert (table.hearts, table.middle, table.over) == ([3, 0], 0, 1)
    assert table.kinds[table.final_kind] == "fire_breather"


@uncompiled
def test_a_theft_is_forced_even_when_the_middle_is_richer():
    table = Table(seat("fire_breather"), seat(pile="fire_breather"), middle=36)
    assert table.actions() == [Action("fire_breather")]
    table.play("fire_breather")
    assert (table.hearts, table.middle) == ([0, 0], 36)


# Fireworks


@uncompiled
@pytest.mark.parametrize(("owned", "stolen"), [(1, 1), (2, 2), (7, 2)])
def test_fireworks_steals_two_hearts_or_what_there_is(owned, stolen):
    table = Table(seat("fireworks"), seat(hearts=9, pile="fireworks"), seat(hearts=owned))
    rows = table.play("fireworks", victim=2)
    assert table.hearts == [stolen, 9, owned - stolen]
    assert of(rows, "PLAY")[0].c == 2
    assert table.thefts == 0
    assert (table.stolen, table.lost_to_theft) == ([stolen, 0, 0], [0, 0, -stolen])


@uncompiled
def test_fireworks_takes_nothing_from_the_middle_for_a_short_victim():
    table = Table(seat("fireworks"), seat(hearts=1), middle=9, steal_shortfall="from_middle")
    table.play("fireworks", victim=1)
    assert (table.hearts, table.middle) == ([1, 0], 9)


# Beatboxer


@uncompiled
@pytest.mark.parametrize(
    ("piles", "gain"),
    [
        (("", "", ""), 1),
        (("", "beatboxer", ""), 2),
        (("", "beatboxer", "beatboxer"), 3),
        (("beatboxer", "beatboxer", ""), 2),
        (("beatboxer", "", ""), 1),
        (("", "beatboxer rain", "juggler"), 1),
        (("", "juggler beatboxer", "juggler"), 2),
    ],
)
def test_beatboxer_counts_the_visible_ones_and_itself(piles, gain):
    table = Table(*(seat("beatboxer", pile=pile) for pile in piles))
    table.play("beatboxer")
    assert (table.hearts, table.middle) == ([gain, 0, 0], 36 - gain)


@uncompiled
def test_beatboxer_steals_from_nobody():
    table = Table(seat("beatboxer"), seat(hearts=8, pile="beatboxer"))
    table.play("beatboxer")
    assert (table.hearts, table.middle) == ([2, 8], 26)


# Brass Band


@uncompiled
@pytest.mark.parametrize("count", range(1, 6))
def test_each_brass_band_gives_a_heart(count):
    table = Table(seat("5*brass_band", pile="rain"), seat(hearts=4, pile="brass_band"))
    rows = table.play("brass_band", count)
    assert (table.hearts, table.middle) == ([count, 4], 32 - count)
    assert table.tops == ["brass_band", "brass_band"]
    assert table.on_piles == Counter(brass_band=count + 1, rain=1)
    assert len(of(rows, "DRAW")) == count
    assert sum(table.hands[0].values()) == 5
    assert table.counted("played", 0) == {"brass_band": count}


@uncompiled
def test_more_hearts_asked_than_the_middle_holds():
    for hand, brass in (("4*brass_band", 4), ("fire_breather", 0)):
        table = Table(seat(hand), seat(hearts=30), middle=3)
        rows = table.play(hand.removeprefix("4*"), brass)
        assert (table.hearts, table.middle, table.over) == ([3, 30], 0, 1)
        assert [row.a for row in of(rows, "TAKE")] == [3]
    table = Table(seat("beatboxer"), seat(pile="beatboxer"), middle=1)
    table.play("beatboxer")
    assert (table.hearts, table.middle, table.over) == ([1, 0], 0, 1)


@uncompiled
def test_brass_bands_in_addition_come_first_and_the_other_card_shows():
    table = Table(
        seat("2*brass_band juggler"),
        seat(hearts=6, pile="juggler"),
        brass_band="in_addition",
    )
    rows = table.play("juggler", brass=2)
    assert [(row.event, row.a, row.b) for row in rows if row.event != "DRAW"] == [
        ("PLAY", "brass_band", 2),
        ("TAKE", 2, -1),
        ("PLAY", "juggler", 1),
        ("STEAL", 2, 1),
    ]
    assert (table.hearts, table.tops) == ([4, 4], ["juggler", "juggler"])
    assert table.on_piles == Counter(brass_band=2, juggler=2)
    assert table.counted("gained", 0) == Counter(brass_band=2, juggler=2)
    assert sum(table.hands[0].values()) == 5


@uncompiled
def test_a_card_beside_brass_bands_that_emptied_the_middle_still_counts():
    table = Table(
        seat("2*brass_band fireworks"), seat(hearts=6), middle=1, brass_band="in_addition"
    )
    table.play("fireworks", brass=2, victim=1)
    assert (table.hearts, table.middle, table.over) == ([3, 4], 0, 1)
    assert table.kinds[table.final_kind] == "brass_band"


@uncompiled
def test_brass_bands_before_rain_are_collected_too():
    table = Table(
        seat("brass_band rain", hearts=5), seat(hearts=6, pile="juggler"), draw_pile="2*beatboxer",
        brass_band="in_addition",
    )  # fmt: skip
    rows = table.play("rain", brass=1)
    assert Counter(row.b for row in of(rows, "COLLECT")) == Counter(
        ["brass_band", "rain", "juggler"]
    )
    assert (table.hearts, table.box) == ([6, 4], 2)


# Other numbers


@uncompiled
def test_other_numbers_on_cards_and_in_the_text():
    components = changed("numbers.brass_band_hearts", 3)
    components = changed("numbers.fireworks_hearts", 5, components)
    components = changed("stars.cards.juggler.hearts", 7, components)
    table = Table(
        seat("2*brass_band"),
        seat("fireworks"),
        seat("juggler"),
        seat("rain"),
        turn=0,
        components=components,
    )
    table.play("brass_band", 2)
    assert table.hearts == [6, 0, 0, 0]
    table.play("fireworks", victim=0)
    assert table.hearts == [1, 5, 0, 0]
    table.play("juggler")
    assert table.hearts == [1, 5, 7, 0]
    table.s["hearts"][0] = 9
    table.play("rain")
    assert (table.hearts, table.box) == ([9 - 3, 0, 0, 0], 3 + 5 + 7)
