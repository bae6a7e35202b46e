"""The referee against games worked by hand with the rulebook beside: each rule and each ruling."""

from collections import Counter

import pytest

from sim.games.street_art.referee import SetUp, Turn
from sim.games.street_art.rulebook import (
    Collected,
    Drew,
    Played,
    Returned,
    Stole,
    Took,
)

from .logs import Log, small_deck


def hearts(replay, turn=-1):
    """Return the hearts by seat after a turn."""
    return [player.hearts for player in replay.states[turn].players]


# The rulebook's examples


def test_theft_chain_of_the_rulebook():
    fire = "fire_breather"
    log = Log([fire], [fire], ["juggler"], [fire])
    log.turn(0).plays(fire).takes(4).draws()
    log.turn(1).plays(fire).steals(4, victim=0).draws()
    log.turn(2).plays("juggler").takes(2).draws()
    log.turn(3).plays(fire).steals(4, victim=1).draws()
    replay = log.cut_off(0, 0, 2, 4).replay()
    assert [hearts(replay, turn) for turn in range(5)] == [
        [0, 0, 0, 0],
        [4, 0, 0, 0],
        [0, 4, 0, 0],
        [0, 4, 2, 0],
        [0, 0, 2, 4],
    ]
    assert replay.states[-1].middle == 30


def test_rain_of_the_rulebook():
    log = Log(["street_painter"], ["juggler"], ["bmx_artist"], ["rain"])
    log.turn(0).plays("street_painter").takes(3).draws()
    log.turn(1).plays("juggler").takes(2).draws()
    log.turn(2).plays("bmx_artist").takes(2).draws()
    log.turn(3).plays("rain").returns(3, 0).returns(2, 1).returns(2, 2)
    log.collects("rain", "juggler", "bmx_artist", "street_painter", rain=True).draws()
    replay = log.cut_off(0, 0, 0, 0).replay()
    assert replay.states[-1].box == 7
    assert [player.visible for player in replay.states[-1].players] == [None] * 4


# Street Stars


def test_middle_has_fewer_hearts_than_the_star_gives():
    log = Log(["fire_breather"], [], hearts=3)
    replay = log.turn(0).plays("fire_breather").takes(3).ends().scores(3, 0, ranks=[1, 2]).replay()
    assert replay.events[1].acts[1] == Took(0, 3, "fire_breather", due=4)


def test_own_star_is_no_victim():
    log = Log(["juggler", "juggler"], ["bmx_artist"])
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("bmx_artist").takes(2).draws()
    log.turn(0).plays("juggler").takes(2).draws()
    log.cut_off(4, 2).replay()


def test_covered_star_is_no_victim():
    log = Log(["juggler", "bmx_artist"], ["street_painter", "juggler"])
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("street_painter").takes(3).draws()
    log.turn(0).plays("bmx_artist").takes(2).draws()
    log.turn(1).plays("juggler").takes(2).draws()
    log.cut_off(4, 5).replay()


def test_most_recent_is_the_last_to_play_not_the_next_seat():
    log = Log(["juggler", "juggler"], ["juggler"], ["bmx_artist", "juggler"])
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(2).plays("bmx_artist").takes(2).draws()
    log.turn(0).plays("juggler").steals(2, victim=1).draws()
    log.turn(1).plays("beatboxer").takes(1).draws()
    log.turn(2).plays("juggler").steals(2, victim=0).draws()
    log.cut_off(0, 1, 4).replay()


def test_short_victim_gives_what_there_is():
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"])
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("fire_breather").steals(2, victim=0).draws()
    replay = log.cut_off(0, 2, 2).replay()
    assert replay.events[3].acts[1] == Stole(2, 2, 0, "fire_breather", due=4)


def test_short_victim_is_made_up_for_from_the_middle():
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"], steal_shortfall="from_middle")
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("fire_breather").steals(2, victim=0).takes(2).draws()
    assert hearts(log.cut_off(0, 2, 4).replay()) == [0, 2, 4]


@pytest.mark.parametrize(("shortfall", "got"), [("none", 0), ("from_middle", 2)])
def test_victim_without_a_heart(shortfall, got):
    log = Log(["juggler"], ["fireworks"], ["juggler"], steal_shortfall=shortfall)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    log.turn(2).plays("juggler")
    if got:
        log.takes(got)
    log.draws()
    assert hearts(log.cut_off(0, 2, got).replay()) == [0, 2, got]


# Special Cards


def test_fireworks_with_nobody_to_rob_does_nothing():
    log = Log(["fireworks"], ["fireworks"])
    log.turn(0).plays("fireworks").draws()
    log.turn(1).plays("fireworks").draws()
    assert hearts(log.cut_off(0, 0).replay()) == [0, 0]


def test_fireworks_takes_one_heart_from_a_poor_victim():
    log = Log(["beatboxer"], ["fireworks"])
    log.turn(0).plays("beatboxer").takes(1).draws()
    log.turn(1).plays("fireworks", victim=0).steals(1, victim=0).draws()
    log.cut_off(0, 1).replay()


def test_fireworks_may_choose_any_rich_player():
    for victim, after in ((0, [0, 3, 2]), (1, [2, 1, 2])):
        log = Log(["juggler"], ["street_painter"], ["fireworks"])
        log.turn(0).plays("juggler").takes(2).draws()
        log.turn(1).plays("street_painter").takes(3).draws()
        log.turn(2).plays("fireworks", victim=victim).steals(2, victim=victim).draws()
        assert hearts(log.cut_off(*after).replay()) == after


def test_fireworks_showing_do_not_make_a_victim():
    """Only Street Stars steal from their twins."""
    log = Log(["brass_band"], ["brass_band"], ["beatboxer"])
    log.turn(0).plays("brass_band").takes(1).draws()
    log.turn(1).plays("brass_band").takes(1).draws()
    log.turn(2).plays("beatboxer").takes(1).draws()
    log.cut_off(1, 1, 1).replay()


def test_beatboxers_count_when_visible_with_the_own_one():
    log = Log(["beatboxer", "juggler"], ["beatboxer", "beatboxer"], ["beatboxer"])
    log.turn(0).plays("beatboxer").takes(1).draws()
    log.turn(1).plays("beatboxer").takes(2).draws()
    log.turn(2).plays("beatboxer").takes(3).draws()
    log.turn(0).plays("juggler").takes(2).draws()  # covers one
    log.turn(1).plays("beatboxer").takes(2).draws()  # covers its own
    log.cut_off(3, 4, 3).replay()


def test_brass_bands_give_a_heart_each_and_are_drawn_up_for():
    log = Log(["brass_band"] * 5, ["brass_band"] * 2)
    log.turn(0).plays("brass_band", count=5).takes(5).draws(5)
    log.turn(1).plays("brass_band", count=1).takes(1).draws()
    log.cut_off(5, 1).replay()


def test_brass_bands_before_another_card():
    log = Log(["brass_band"] * 3 + ["fire_breather"], ["fire_breather"], brass_band="in_addition")
    log.turn(0).plays("brass_band", count=2).takes(2).plays("fire_breather").takes(4).draws(3)
    log.turn(1).plays("fire_breather").steals(4, victim=0).draws()
    replay = log.cut_off(2, 4).replay()
    assert replay.states[1].players[0].pile == ("brass_band", "brass_band", "fire_breather")


def test_a_turn_with_brass_bands_and_a_card_is_resolved_as_a_whole():
    """The Brass Bands empty the middle; the star still steals before the game is over."""
    log = Log(
        ["juggler"], ["brass_band", "brass_band", "juggler"], brass_band="in_addition", hearts=4
    )
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("brass_band", count=2).takes(2).plays("juggler").steals(2, victim=0)
    log.ends().scores(0, 4, ranks=[2, 1]).replay()


def test_rain_costs_by_what_shows_and_what_is_owned():
    log = Log(["brass_band"], ["fireworks"], ["beatboxer"], ["beatboxer"], ["rain"])
    log.turn(0).plays("brass_band", count=1).takes(1).draws()
    log.turn(1).plays("fireworks", victim=0).steals(1, victim=0).draws()
    log.turn(2).plays("beatboxer").takes(1).draws()
    log.turn(3).plays("beatboxer").takes(2).draws()
    log.turn(4).plays("rain").returns(1, 1).returns(1, 2).returns(2, 3)
    log.collects("brass_band", "fireworks", "beatboxer", "beatboxer", "rain", rain=True).draws()
    replay = log.cut_off(0, 0, 0, 0, 0).replay()
    dues = [(act.seat, act.amount, act.due) for act in replay.events[5].acts[1:5]]
    assert dues == [(0, 0, 1), (1, 1, 2), (2, 1, 2), (3, 2, 2)]


def test_rain_does_not_count_the_beatboxer_that_it_covers():
    log = Log(["beatboxer", "rain"], ["beatboxer"])
    log.turn(0).plays("beatboxer").takes(1).draws()
    log.turn(1).plays("beatboxer").takes(2).draws()
    log.turn(0).plays("rain").returns(1, 1)
    log.collects("beatboxer", "rain", "beatboxer", rain=True).draws()
    log.cut_off(1, 1).replay()


def test_rain_after_brass_bands_spares_its_player():
    log = Log(["brass_band", "rain"], ["juggler"], brass_band="in_addition")
    log.turn(0).plays("brass_band").takes(1).plays("rain")
    log.collects("rain", "brass_band", rain=True).draws(2)
    log.turn(1).plays("juggler").takes(2).draws()
    log.cut_off(1, 2).replay()


def test_first_rain_costs_nobody_and_goes_under_the_pile():
    log = Log(["rain"], [])
    log.turn(0).plays("rain").collects("rain", rain=True).draws()
    replay = log.cut_off(0, 0).replay()
    assert replay.states[-1].draw_pile == 60 - 10
    assert replay.states[-1].box == 0


def test_cards_under_the_pile_come_back_last():
    """Four cards, two of them drawn before those that Rain put under the pile."""
    cards = small_deck(1, rain=1, juggler=2, beatboxer=2)
    log = Log(["rain"], ["juggler"], draws=["juggler", "beatboxer", "beatboxer"], components=cards)
    log.turn(0).plays("rain").collects("rain", rain=True).draws()
    log.turn(1).plays("juggler").takes(2).draws()
    log.turn(0).plays("juggler").steals(2, victim=1).draws()
    log.turn(1).plays("beatboxer").takes(1).draws()
    replay = log.cut_off(2, 1).replay()
    assert replay.states[-1].players[1].hand == ("rain",)


# Refills


def jugglers(copies, **rulings):
    """Two players, hands of one, nothing but Jugglers."""
    return Log(["juggler"], ["juggler"], components=small_deck(1, juggler=copies), **rulings)


def test_refill_from_all_piles_leaves_nothing_to_show():
    log = jugglers(4)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(0).plays("juggler").steals(2, victim=1)
    log.collects("juggler", "juggler", "juggler", rain=False).draws()
    log.turn(1).plays("juggler").takes(2).draws()
    replay = log.cut_off(2, 2).replay()
    assert [player.visible for player in replay.states[3].players] == [None, None]
    assert replay.states[3].draw_pile == 2


def test_refill_that_keeps_tops_leaves_victims():
    log = jugglers(4, reshuffle="keep_tops")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(0).plays("juggler").steals(2, victim=1).collects("juggler", rain=False).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).collects("juggler", rain=False).draws()
    log.cut_off(0, 2).replay()


def test_refill_across_a_reshuffle():
    """The hand is drawn from the rest of the old pile, then from the new one."""
    cards = small_deck(3, brass_band=7)
    log = Log(["brass_band"] * 3, ["brass_band"] * 3, components=cards)
    log.turn(0).plays("brass_band", count=3).takes(3).draws()
    log.collects("brass_band", "brass_band", "brass_band", rain=False).draws(2)
    replay = log.cut_off(3, 0).replay()
    assert replay.states[-1].draw_pile == 1


def test_hand_stays_short_with_no_card_anywhere():
    log = jugglers(3, reshuffle="keep_tops")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0)
    log.turn(0).plays("juggler").steals(2, victim=1).collects("juggler", rain=False).draws()
    log.turn(1).passes()
    replay = log.cut_off(2, 0).replay()
    assert replay.events[4].options == 0


def test_a_player_who_passed_draws_up():
    """Rain has brought cards back into the draw pile since the hand stayed empty."""
    cards = small_deck(1, juggler=2, rain=1)
    log = Log(["juggler"], ["juggler"], components=cards, reshuffle="keep_tops")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0)
    log.turn(0).plays("rain").returns(2, 1)
    log.collects("juggler", "juggler", "rain", rain=True).draws()
    log.turn(1).passes().draws()
    replay = log.cut_off(0, 0).replay()
    assert replay.states[-1].players[1].hand == ("juggler",)


# End of the Game


def test_game_ends_the_moment_the_middle_is_empty():
    log = Log(["juggler"], ["juggler"], [], hearts=2)
    log.turn(0).plays("juggler").takes(2).ends().scores(2, 0, 0, ranks=[1, 2, 2])
    replay = log.replay()
    assert replay.events[-1].reason == "middle_empty"
    assert len(replay.states[-1].players[0].hand) == 4


def test_round_is_finished_when_so_ruled():
    log = Log(["juggler"], ["juggler"], ["bmx_artist"], hearts=2, game_end="finish_round")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(2).plays("bmx_artist").ends().scores(0, 2, 0, ranks=[2, 1, 2])
    assert [len(player.hand) for player in log.replay().states[-1].players] == [5, 5, 4]


def test_last_seat_ends_its_round_at_once():
    log = Log(["bmx_artist"], ["juggler"], hearts=4, game_end="finish_round")
    log.turn(0).plays("bmx_artist").takes(2).draws()
    log.turn(1).plays("juggler").takes(2).ends().scores(2, 2, ranks=[1, 1])
    log.replay()


def test_turn_cap_cuts_the_game_off_without_ranks():
    log = Log(["juggler"], ["bmx_artist"], turn_cap=2)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("bmx_artist").takes(2).draws()
    replay = log.ends("turn_cap").scores(2, 2, ranks=[0, 0]).replay()
    assert replay.events[-1].truncated


def test_a_game_that_ends_on_the_last_turn_allowed_is_not_cut_off():
    log = Log(["juggler"], [], hearts=2, turn_cap=1)
    log.turn(0).plays("juggler").takes(2).ends().scores(2, 0, ranks=[1, 2])
    assert not log.replay().events[-1].truncated


def test_turn_cap_cuts_into_a_round_that_would_be_finished():
    log = Log(["juggler"], [], hearts=2, turn_cap=1, game_end="finish_round")
    log.turn(0).plays("juggler").takes(2).draws()
    assert log.ends("turn_cap").scores(2, 0, ranks=[0, 0]).replay().events[-1].truncated


def test_tied_players_share_the_best_rank():
    log = Log(["juggler"], ["bmx_artist"], ["fireworks"], hearts=4)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("bmx_artist").takes(2).ends().scores(2, 2, 0, ranks=[1, 1, 3]).replay()


# Setup


@pytest.mark.parametrize("players", range(2, 7))
def test_deal_for_every_player_count(players):
    log = Log(*[["brass_band"]] * players, hearts=players)
    for seat in range(players - 1):
        log.turn(seat).plays("brass_band").takes(1).draws()
    log.turn(players - 1).plays("brass_band").takes(1).ends()
    replay = log.scores(*[1] * players, ranks=[1] * players).replay()
    start = replay.events[0]
    assert isinstance(start, SetUp)
    assert all(isinstance(event, Turn) for event in replay.events[1:-1])
    assert len(replay.events) == len(replay.states) == players + 2
    assert replay.states[0].draw_pile == 60 - 5 * players
    assert [len(player.hand) for player in replay.states[0].players] == [5] * players
    assert Counter(start.draw_pile)["brass_band"] == 12


def test_acts_are_told_in_order_with_names():
    log = Log(["rain"], ["juggler"], draws=["living_statue"])
    log.turn(0).plays("rain").collects("rain", rain=True).draws()
    assert log.cut_off(0, 0).replay().events[1] == Turn(
        number=1,
        seat=0,
        options=2,
        acts=(
            Played(0, "rain"),
            Returned(1, 0, card=None, due=0),
            Collected(0, ("rain",), by_rain=True),
            Drew(0, "living_statue"),
        ),
    )
