"""Rain and drawing up worked by hand: what becomes of hearts, piles, tops and the draw pile."""

from collections import Counter

import pytest

from ..running import uncompiled
from .table import Table, deck, of, seat

FULL = "4*beatboxer"
"""The rest of a hand that does not matter."""


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
