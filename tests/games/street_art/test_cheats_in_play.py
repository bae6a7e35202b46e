"""The referee stops cheating with hearts, with Rain and with the cards played, and names it."""

import pytest

from sim.games.game import RuleBroken
from sim.games.street_art import events

from .logs import Cheats, Log, small_deck

CHEATS = Cheats()
cheat = CHEATS.named


def chain(**rulings):
    """Seats 0 and 1 have played Jugglers; seat 1 owns 2 hearts."""
    log = Log(["juggler", "rain"], ["juggler", "fireworks"], ["juggler", "fireworks"], **rulings)
    log.turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("juggler").steals(2, victim=0).draws()


# Hearts


@cheat(r"turn 1, seat 0: takes 3 hearts from the middle, but no other player shows Juggler")
def takes_too_much():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(3).draws()


@cheat(r"turn 1, seat 0: takes 1 heart from the middle, but .* gives 2 hearts from the middle$")
def takes_too_little():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(1).draws()


@cheat(r"turn 1, seat 0: draws .*, but no other player shows Juggler")
def takes_nothing():
    return Log(["juggler"], []).turn(0).plays("juggler").draws()


@cheat(r"turn 1, seat 0: takes 4 hearts .* gives 4 hearts from the middle, of which 3 remain")
def takes_more_than_there_is():
    return Log(["fire_breather"], [], hearts=3).turn(0).plays("fire_breather").takes(4)


@cheat(r"turn 1, seat 0: takes 2 hearts from the middle, but the hand must be drawn up")
def takes_twice():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(2).takes(2).draws()


@cheat(r"turn 1, seat 0: seat 1 takes 2 hearts from the middle, but this is not for seat 1")
def takes_for_another():
    log = Log(["juggler"], []).turn(0).plays("juggler")
    return log.row(events.TAKE, 1, 2)


@cheat(r"turn 3, seat 2: takes 2 hearts from the middle, but Juggler steals 2 hearts from seat 1")
def takes_instead_of_stealing():
    return chain().turn(2).plays("juggler").takes(2).draws()


@cheat(r"turn 3, seat 2: steals 2 hearts from seat 0, but seat 1 played Juggler more recently")
def steals_from_an_earlier_player():
    return chain().turn(2).plays("juggler").steals(2, victim=0).draws()


@cheat(r"turn 2, seat 1: steals 2 hearts from seat 2, but it is seat 0 who shows Juggler")
def steals_from_a_player_who_shows_something_else():
    log = Log(["juggler"], ["juggler"], ["juggler"])
    log.turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("juggler").steals(2, victim=2)


@cheat(r"turn 2, seat 1: steals 2 hearts from seat 1, but it is seat 0 who shows Juggler")
def steals_from_itself():
    log = Log(["juggler"], ["juggler"]).turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("juggler").steals(2, victim=1)


@cheat(r"turn 2, seat 1: steals 3 hearts from seat 0, but Juggler steals 2 hearts from seat 0$")
def steals_more_than_the_star_says():
    log = Log(["juggler"], ["juggler"]).turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("juggler").steals(3, victim=0)


@cheat(r"turn 3, seat 2: steals 4 hearts .* steals 4 hearts from seat 0, who owns only 2")
def steals_more_than_the_victim_owns():
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"])
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    return log.turn(2).plays("fire_breather").steals(4, victim=0)


@cheat(r"turn 3, seat 2: takes 2 hearts from the middle, but the hand must be drawn up")
def makes_up_from_the_middle_without_the_ruling():
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"])
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    return log.turn(2).plays("fire_breather").steals(2, victim=0).takes(2)


@cheat(r"turn 3, seat 2: draws .* the victim lacks .* Fire Breather still gives 2 hearts")
def forgets_to_make_up_from_the_middle():
    log = Log(["fire_breather"], ["fireworks"], ["fire_breather"], steal_shortfall="from_middle")
    log.turn(0).plays("fire_breather").takes(4).draws()
    log.turn(1).plays("fireworks", victim=0).steals(2, victim=0).draws()
    return log.turn(2).plays("fire_breather").steals(2, victim=0).draws()


@cheat(r"turn 2, seat 1: takes 1 heart .* Beatboxers visible: 2, which gives 2 hearts")
def miscounts_beatboxers():
    log = Log(["beatboxer"], ["beatboxer"]).turn(0).plays("beatboxer").takes(1).draws()
    return log.turn(1).plays("beatboxer").takes(1)


@cheat(r"turn 1, seat 0: takes 3 hearts .* the Brass Bands played give 2 hearts")
def takes_for_bands_not_played():
    return Log(["brass_band"] * 3, []).turn(0).plays("brass_band", count=2).takes(3)


@cheat(r"turn 3, seat 2: steals 3 hearts .* Fireworks steals 2 hearts from seat 1")
def fireworks_steal_three():
    return chain().turn(2).plays("fireworks", victim=1).steals(3, victim=1)


@cheat(r"turn 3, seat 2: steals 2 hearts from seat 0, but Fireworks steals 2 hearts from seat 1$")
def fireworks_rob_another_than_named():
    return chain().turn(2).plays("fireworks", victim=1).steals(2, victim=0)


# Rain


def rained():
    return chain().turn(2).plays("fireworks", victim=1).steals(2, victim=1).draws().turn(0)


@cheat(r"turn 4, seat 2: returns 1 heart .* Rain costs seat 2 2 hearts for showing Fireworks$")
def pays_too_little_for_rain():
    return rained().plays("rain").returns(1, 2)


@cheat(r"turn 4, seat 2: seat 1 returns 2 hearts .* not for seat 1")
def the_wrong_player_pays_for_rain():
    return rained().plays("rain").returns(2, 1)


@cheat(r"turn 4, seat 2: seat 0 puts Juggler at position 0 .* Rain costs seat 2 2 hearts")
def nobody_pays_for_rain():
    return rained().plays("rain").collects("juggler", "juggler", "fireworks", "rain", rain=True)


@cheat(r"turn 4, seat 0: draws .*, but after Rain the 4 cards of all piles go under the draw pile")
def rain_leaves_the_piles():
    return rained().plays("rain").returns(2, 2).draws()


@cheat(r"turn 4, seat 0: 0 x Rain in the collected piles, not 1")
def rain_stays_on_the_table():
    log = rained().plays("rain").returns(2, 2)
    return log.collects("juggler", "juggler", "fireworks", rain=True).draws()


@cheat(r"turn 4, seat 0: 1 x Fire Breather in the collected piles, not 0")
def a_card_turns_into_another_in_the_shuffle():
    log = rained().plays("rain").returns(2, 2)
    return log.collects("juggler", "fire_breather", "fireworks", "rain", rain=True).draws()


@cheat(r"turn 4, seat 0: draws Rain, but the top card of the draw pile is")
def rain_is_put_on_top():
    log = rained().plays("rain").returns(2, 2)
    log.collects("juggler", "juggler", "fireworks", "rain", rain=True)
    return log.draws_card("rain")


@cheat(r"puts Rain at position 0 under the draw pile \(empty draw pile\), but .* because of Rain")
def rain_is_called_a_refill():
    return Log(["rain"], []).turn(0).plays("rain").collects("rain", rain=False).draws()


# Cards played


@cheat(r"turn 1, seat 0: plays Rain, but holds Juggler, Beatboxer")
def plays_a_card_that_is_not_in_the_hand():
    return Log(["juggler"], []).turn(0).plays("rain")


@cheat(r"turn 1, seat 0: plays 3 x Brass Band, but holds Brass Band, Brass Band, Beatboxer")
def plays_more_bands_than_held():
    return Log(["brass_band"] * 2, []).turn(0).plays("brass_band", count=3)


@cheat(r"turn 1, seat 0: plays 0 x Brass Band, but at least one Brass Band is played")
def plays_no_band():
    return Log(["brass_band"] * 2, []).turn(0).plays("brass_band", count=0)


@cheat(r"turn 1, seat 0: plays Juggler, a second card in the same turn")
def plays_two_cards():
    log = Log(["juggler", "bmx_artist"], []).turn(0).plays("bmx_artist").takes(2)
    return log.plays("juggler").takes(2)


@cheat(r"turn 1, seat 0: plays 2 x Juggler, but a turn has one such card")
def plays_twins():
    return Log(["juggler"] * 2, []).turn(0).plays("juggler", count=2).takes(4)


@cheat(r"turn 1, seat 0: plays Juggler, a second card in the same turn")
def plays_a_star_after_bands_without_the_ruling():
    log = Log(["juggler", "brass_band"], []).turn(0).plays("brass_band").takes(1)
    return log.plays("juggler").takes(2)


@cheat(r"turn 1, seat 0: plays Brass Band, a second card in the same turn")
def plays_bands_after_a_star():
    log = Log(["juggler", "brass_band"], [], brass_band="in_addition")
    return log.turn(0).plays("juggler").takes(2).plays("brass_band").takes(1)


@cheat(r"turn 1, seat 0: plays Brass Band after Brass Bands in the same turn")
def plays_bands_in_two_portions():
    log = Log(["brass_band"] * 3, [], brass_band="in_addition")
    return log.turn(0).plays("brass_band").takes(1).plays("brass_band").takes(1)


@cheat(r"turn 1, seat 0: plays Fireworks, a second card in the same turn")
def plays_two_cards_after_bands():
    log = Log(["brass_band", "juggler", "fireworks"], [], brass_band="in_addition")
    log.turn(0).plays("brass_band").takes(1).plays("juggler").takes(2)
    return log.plays("fireworks")


@cheat(r"turn 1, seat 0: plays Beatboxer against seat 1, but only Fireworks names a victim")
def a_beatboxer_names_a_victim():
    return Log([], []).turn(0).plays("beatboxer", victim=1)


@cheat(r"turn 1, seat 0: plays Fireworks against seat 1, but no other player owns a heart")
def fireworks_against_a_player_without_hearts():
    return Log(["fireworks"], []).turn(0).plays("fireworks", victim=1)


@cheat(r"turn 3, seat 2: plays Fireworks, but it must name another player .*: seat 1$")
def fireworks_against_nobody():
    return chain().turn(2).plays("fireworks").draws()


@cheat(r"turn 3, seat 2: plays Fireworks against seat 2, but it must name another player")
def fireworks_against_itself():
    return chain().turn(2).plays("fireworks", victim=2)


@cheat(r"turn 3, seat 2: plays Fireworks against seat 5, but it must name another player")
def fireworks_against_a_stranger():
    return chain().turn(2).plays("fireworks", victim=5)


@cheat(r"turn 1, seat 0: plays card code 99 \(there is none\), but holds")
def plays_an_unknown_card():
    return Log([], []).turn(0).row(events.PLAY, 0, 99, 1)


@cheat(r"turn 1, seat 0: has the unknown event code 42, but it is time to play a card")
def does_something_unheard_of():
    return Log([], []).turn(0).row(42, 0)


@cheat(r"turn 1, seat 0: passes, but holds Beatboxer")
def passes_with_cards_in_hand():
    return Log([], []).turn(0).passes()


@cheat(r"turn 4, seat 1: plays Juggler, but holds no card")
def plays_from_an_empty_hand():
    log = Log(["juggler"], ["juggler"], components=small_deck(1, juggler=3), reshuffle="keep_tops")
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0)
    log.turn(0).plays("juggler").steals(2, victim=1).collects("juggler", rain=False).draws()
    return log.turn(1).plays("juggler")


@pytest.mark.parametrize("name", CHEATS)
def test_cheating_is_stopped_and_named(name):
    build, message = CHEATS[name]
    with pytest.raises(RuleBroken, match=message):
        build().replay()
