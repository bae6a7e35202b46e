"""Turns of the compiled game worked by hand with the rulebook beside: each card, each ruling."""

from collections import Counter

import pytest

from .table import Action, Table, dealt, deck, of, seat, uncompiled

FULL = "4*beatboxer"
"""The rest of a hand that does not matter."""


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


# Rain


@uncompiled
def test_the_rulebooks_rain():
    table = Table(
        seat(hearts=5, pile="street_painter"),
        seat(hearts=4, pile="juggler"),
        seat(hearts=2, pile="bmx_artist"),
        seat("rain", hearts=6, pile="fire_breather"),
        mover=3,
    )
    rows = table.play("rain")
    assert (table.hearts, table.box) == ([2, 2, 0, 6], 7)
    assert [(row.seat, row.a) for row in of(rows, "RETURN")] == [(0, 3), (1, 2), (2, 2)]
    assert table.lost_to_rain == [-3, -2, -2, 0]
    assert table.middle == 36 - 17
    assert table.rains == 1


@uncompiled
@pytest.mark.parametrize(
    ("shown", "cost"),
    [("fireworks", 2), ("brass_band", 1), ("beatboxer", 1), ("fire_breather", 4), ("", 0)],
)
def test_what_rain_costs(shown, cost):
    table = Table(seat("rain"), seat(hearts=9, pile=shown))
    table.play("rain")
    assert (table.hearts, table.box) == ([0, 9 - cost], cost)


@uncompiled
def test_rain_on_beatboxers_counts_the_visible_ones_but_not_the_one_it_covers():
    table = Table(
        seat(hearts=9, pile="beatboxer"),
        seat("rain", hearts=9, pile="beatboxer"),
        seat(hearts=9, pile="rain beatboxer"),
        seat(hearts=9, pile="beatboxer juggler"),
        mover=1,
        hearts=48,
    )
    table.play("rain")
    assert table.hearts == [7, 9, 7, 7]


@uncompiled
def test_rain_on_poor_beatboxers_counts_before_anything_is_returned():
    table = Table(
        seat("rain"),
        seat(hearts=0, pile="beatboxer"),
        seat(hearts=1, pile="beatboxer"),
        seat(hearts=9, pile="beatboxer"),
    )
    rows = table.play("rain")
    assert (table.hearts, table.box) == ([0, 0, 0, 6], 4)
    assert [(row.seat, row.a) for row in of(rows, "RETURN")] == [(2, 1), (3, 3)]


@uncompiled
def test_rain_on_poor_players_takes_all_that_they_own():
    table = Table(
        seat("rain"), seat(hearts=1, pile="fire_breather"), seat(hearts=1, pile="fireworks")
    )
    table.play("rain")
    assert (table.hearts, table.box) == ([0, 0, 0], 2)


@uncompiled
def test_rain_collects_every_pile_under_the_draw_pile():
    table = Table(
        seat("rain", pile="juggler bmx_artist"),
        seat(pile="2*fireworks"),
        seat(),
        draw_pile="beatboxer juggler breakdancer living_statue fire_breather street_painter",
    )
    rows = table.play("rain")
    collected = [row.b for row in of(rows, "COLLECT")]
    assert Counter(collected) == Counter(
        ["juggler", "bmx_artist", "rain", "fireworks", "fireworks"]
    )
    assert [(row.a, row.c, row.seat) for row in of(rows, "COLLECT")] == [
        (position, 1, 0) for position in range(5)
    ]
    drawn = ["street_painter", "fire_breather", "living_statue", "breakdancer", "juggler"]
    assert [row.a for row in of(rows, "DRAW")] == drawn
    assert table.draw_pile == [*collected, "beatboxer"]
    assert table.tops == [None] * 3
    assert not table.on_piles


@uncompiled
@pytest.mark.parametrize("reshuffle", ["all_piles", "keep_tops"])
def test_rain_collects_the_tops_and_itself_under_either_ruling(reshuffle):
    table = Table(
        seat(f"rain {FULL}"), seat(pile="juggler bmx_artist"), draw_pile="", reshuffle=reshuffle
    )
    rows = table.play("rain")
    collected = [row.b for row in of(rows, "COLLECT")]
    assert Counter(collected) == Counter(["rain", "juggler", "bmx_artist"])
    assert [row.a for row in of(rows, "DRAW")] == collected[2:]
    assert (table.draw_pile, table.tops) == (collected[:2], [None, None])
    assert table.reshuffles == 0


@uncompiled
def test_after_rain_there_is_no_twin():
    table = Table(seat("rain"), seat("juggler"), seat(hearts=5, pile="juggler"))
    table.play("rain")
    table.play("juggler")
    assert table.hearts == [0, 2, 3]


# Drawing up


@uncompiled
def test_a_refill_stops_at_the_hand_size():
    table = Table(seat("4*juggler"), seat(), draw_pile="rain 2*fireworks")
    rows = table.play("juggler")
    assert [row.a for row in of(rows, "DRAW")] == ["fireworks", "fireworks"]
    assert table.draw_pile == ["rain"]


@uncompiled
def test_a_refill_across_a_reshuffle_of_all_piles():
    table = Table(
        seat("3*brass_band 2*beatboxer", pile="juggler"),
        seat(pile="rain bmx_artist"),
        draw_pile="fireworks",
    )
    rows = table.play("brass_band", 3)
    collected = [row.b for row in of(rows, "COLLECT")]
    assert Counter(collected) == Counter(brass_band=3, juggler=1, rain=1, bmx_artist=1)
    assert [row.c for row in of(rows, "COLLECT")] == [0] * 6
    assert [row.a for row in of(rows, "DRAW")] == ["fireworks", collected[5], collected[4]]
    assert table.draw_pile == collected[:4]
    assert (table.tops, table.reshuffles) == ([None, None], 1)
    assert not table.on_piles


@uncompiled
def test_a_refill_across_a_reshuffle_that_keeps_tops():
    table = Table(
        seat("3*brass_band 2*beatboxer", pile="juggler"),
        seat(pile="rain bmx_artist"),
        seat(),
        draw_pile="fireworks",
        reshuffle="keep_tops",
    )
    rows = table.play("brass_band", 3)
    collected = [row.b for row in of(rows, "COLLECT")]
    assert Counter(collected) == Counter(brass_band=2, juggler=1, rain=1)
    assert [row.a for row in of(rows, "DRAW")] == ["fireworks", collected[3], collected[2]]
    assert table.draw_pile == collected[:2]
    assert (table.tops, table.reshuffles) == (["brass_band", "bmx_artist", None], 1)
    assert table.on_piles == Counter(brass_band=1, bmx_artist=1)


@uncompiled
def test_kept_tops_still_have_a_twin():
    table = Table(
        seat(f"rain {FULL}", pile=""),
        seat(f"juggler {FULL[2:]}", hearts=0),
        seat(hearts=7, pile="2*bmx_artist juggler"),
        turn=4,
        draw_pile="",
        reshuffle="keep_tops",
    )
    table.play("juggler")
    assert table.hearts == [0, 2, 5]
    assert (table.reshuffles, table.tops) == (1, [None, "juggler", "juggler"])


@uncompiled
def test_with_no_card_anywhere_the_hand_stays_short():
    table = Table(seat(f"juggler {FULL}"), seat(pile="rain"), draw_pile="", reshuffle="keep_tops")
    rows = table.play("juggler")
    assert not of(rows, "DRAW")
    assert not of(rows, "COLLECT")
    assert sum(table.hands[0].values()) == 4
    assert table.tops == ["juggler", "rain"]
    assert (table.turn, table.seat) == (5, 1)


@uncompiled
def test_a_draw_pile_that_could_not_be_made_anew_is_not_counted():
    table = Table(seat(f"juggler {FULL}"), seat(pile="rain"), draw_pile="", reshuffle="keep_tops")
    table.play("juggler")
    assert table.reshuffles == 0


@uncompiled
def test_an_empty_hand_passes_and_draws():
    table = Table(seat(), seat(hearts=2, pile="juggler"), draw_pile="rain fireworks")
    rows = table.move()
    assert (rows[0].event, rows[0].seat) == ("PASS", 0)
    assert [row.a for row in of(rows, "DRAW")][:2] == ["fireworks", "rain"]
    assert (table.hearts, table.seat, table.decisions) == ([0, 2], 1, 0)


@uncompiled
def test_a_last_card_is_reshuffled_and_drawn_by_its_own_player():
    components = deck(hand_size=1, juggler=3)
    table = Table(seat("juggler"), seat("juggler"), draw_pile="", components=components)
    rows = table.play("juggler")
    assert [row.event for row in rows] == ["PLAY", "TAKE", "COLLECT", "DRAW"]
    assert (table.tops, table.hands[0]) == ([None, None], Counter(juggler=1))
