"""The referee stops cheating with turns, piles, draws and the end of the game, and names it."""

import pytest

from sim.games.game import RuleBroken
from sim.games.street_art import events

from .logs import KINDS, Cheats, Log, small_deck

CHEATS = Cheats()
cheat = CHEATS.named


def over(**rulings):
    """Seat 0 has just emptied the middle."""
    return Log(["juggler"], ["juggler"], hearts=2, **rulings).turn(0).plays("juggler").takes(2)


# Turns


@cheat(r"turn 2, seat 1: seat 0 plays BMX Artist out of turn")
def plays_twice_running():
    log = Log(["juggler", "bmx_artist"], []).turn(0).plays("juggler").takes(2).draws()
    return log.turn(0).plays("bmx_artist")


@cheat(r"turn 1, seat 0: seat 1 plays Juggler out of turn")
def the_second_seat_starts():
    return Log([], ["juggler"]).turn(1).plays("juggler")


@cheat(r"turn 1, seat 0: plays Juggler in a row of turn 6, not of this turn")
def misdates_a_turn():
    log = Log(["juggler"], []).turn(0)
    log.now = 5
    return log.plays("juggler").takes(2)


# Drawing


@cheat(r"set-up, seat 0: draws Rain, but the top card of the draw pile is Juggler")
def deals_another_card():
    log = Log(["juggler"], [])
    log.rows[60][3] = KINDS.index("rain")
    return log


@cheat(r"set-up, seat 1: seat 0 plays Juggler, but the hand must be drawn up to 5 cards")
def deals_too_few():
    log = Log(["juggler"], [])
    del log.rows[-1]
    return log.turn(0).plays("juggler")


@cheat(r"turn 1, seat 0: seat 1 draws Beatboxer, but it is time to play a card")
def deals_too_many():
    return Log(["juggler"], [], draws=["beatboxer"]).draws().turn(0).plays("juggler")


@cheat(r"set-up: 5 x Juggler in the first draw pile, not 4")
def adds_a_card_to_the_deck():
    log = Log(["juggler"], [])
    log.rows.insert(60, [events.ORDER, -1, -1, 60, KINDS.index("juggler"), -1])
    return log


@cheat(r"set-up: 1 x Rain in the first draw pile, not 2")
def hides_a_card_of_the_deck():
    log = Log(["juggler"], [])
    log.rows.pop(0)
    return log


@cheat(r"set-up: the row .* of the first draw pile must read")
def numbers_positions_wrongly():
    log = Log(["juggler"], [])
    log.rows[3][3] = 4
    return log


@cheat(r"set-up: seat 0 draws Juggler, but the 60 cards must be shuffled first")
def does_not_shuffle():
    log = Log(["juggler"], [])
    log.rows = log.rows[60:]
    return log


@cheat(r"turn 1, seat 0: draws Rain, but the top card of the draw pile is Brass Band")
def draws_from_the_middle_of_the_pile():
    log = Log(["juggler"], [], draws=["brass_band"]).turn(0).plays("juggler").takes(2)
    return log.draws_card("rain")


@cheat(r"turn 1, seat 0: seat 1 plays Juggler, but the hand must")
def does_not_draw_up():
    log = Log(["juggler"], ["juggler"]).turn(0).plays("juggler").takes(2)
    return log.turn(1).plays("juggler").steals(2, victim=0)


@cheat(r"turn 2, seat 1: seat 0 draws .*, but it is time to play a card")
def draws_beyond_a_full_hand():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws(2)


@cheat(r"turn 1, seat 0: seat 1 plays Juggler, but the hand must be drawn up")
def draws_too_few_after_bands():
    log = Log(["brass_band"] * 3, ["juggler"]).turn(0).plays("brass_band", 3).takes(3).draws(2)
    return log.turn(1).plays("juggler").takes(2)


def empty_pile(**rulings):
    """Hands of one, four Jugglers: seat 0 meets an empty draw pile in its second turn."""
    cards = small_deck(1, juggler=3, bmx_artist=1)
    log = Log(["juggler"], ["juggler"], draws=["juggler"], components=cards, **rulings)
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    return log.turn(0).plays("juggler").steals(2, victim=1)


@cheat(r"turn 3, seat 0: draws Juggler, but the draw pile is empty: 3 cards of the piles must be")
def draws_from_an_empty_pile():
    return empty_pile().draws_card("juggler")


@cheat(r"turn 3, seat 0: 1 x Juggler in the collected piles, not 3")
def keeps_tops_without_the_ruling():
    return empty_pile().collects("juggler", rain=False).draws()


@cheat(r"turn 3, seat 0: 3 x Juggler in the collected piles, not 1")
def collects_tops_that_should_stay():
    log = empty_pile(reshuffle="keep_tops")
    return log.collects("juggler", "juggler", "juggler", rain=False).draws()


@cheat(r"turn 3, seat 0: puts Juggler .*\(Rain\), but .* because of the empty draw pile")
def calls_a_refill_rain():
    return empty_pile().collects("juggler", "juggler", "juggler", rain=True).draws()


@cheat(r"turn 1, seat 0: puts Juggler at position 0 .*, but the hand must be drawn up")
def shuffles_the_piles_too_early():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(2).collects("juggler", rain=False)


@cheat(r"turn 4, seat 1: steals 2 hearts from seat 0, but no other player shows Juggler")
def steals_from_a_star_that_was_shuffled_away():
    log = Log(["juggler"], ["juggler"], components=small_deck(1, juggler=4))
    log.turn(0).plays("juggler").takes(2).draws()
    log.turn(1).plays("juggler").steals(2, victim=0).draws()
    log.turn(0).plays("juggler").steals(2, victim=1)
    log.collects("juggler", "juggler", "juggler", rain=False).draws()
    return log.turn(1).plays("juggler").steals(2, victim=0)


# The end


@cheat(r"end of the game: seat 0 draws .*, but no heart is left in the middle: the game is over")
def draws_after_the_end():
    return over().draws()


@cheat(
    r"end of the game: seat 1 plays Juggler, but no heart is left in the middle: the game is over"
)
def plays_on_after_the_end():
    return over().turn(1).plays("juggler")


@cheat(r"turn 2, seat 1: ends the game \(middle empty\), but the round is not complete")
def ends_before_the_round_is_finished():
    return over(game_end="finish_round").draws().ends()


@cheat(r"turn 2, seat 1: ends the game .*, but 34 hearts in the middle .*: it goes on")
def ends_with_hearts_in_the_middle():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws().ends()


@cheat(r"turn 2, seat 1: the log stops, but 34 hearts in the middle .*: it goes on")
def breaks_off():
    return Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws()


@cheat(r"turn 1, seat 0: the log stops, but no other player shows Juggler")
def breaks_off_in_a_turn():
    return Log(["juggler"], []).turn(0).plays("juggler")


@cheat(r"end of the game: seat 1 plays Juggler, but the turn cap of 1 is reached")
def plays_beyond_the_turn_cap():
    log = Log(["juggler"], ["juggler"], turn_cap=1).turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("juggler")


@cheat(r"end of the game: ends the game \(turn cap\), but no heart is left in the middle")
def names_the_wrong_reason():
    return over().ends("turn_cap").scores(2, 0, ranks=[0, 0])


@cheat(r"end of the game: ends the game \(unknown reason 7\)")
def invents_a_reason():
    log = over().ends()
    log.rows[-1][3] = 7
    return log


@cheat(r"seat 0: scores 3 hearts with rank 1, but seat 0 owns 2 hearts and ranks 1")
def scores_too_high():
    return over().ends().scores(3, 0, ranks=[1, 2])


@cheat(r"seat 1: scores 0 hearts with rank 1, but seat 1 owns 0 hearts and ranks 2")
def ranks_too_high():
    return over().ends().scores(2, 0, ranks=[1, 1])


@cheat(r"end of the game, seat 1: .* with rank 2, but seat 1 owns 2 hearts and ranks 1")
def breaks_a_tie():
    log = Log(["juggler"], ["bmx_artist"], hearts=4)
    log.turn(0).plays("juggler").takes(2).draws()
    return log.turn(1).plays("bmx_artist").takes(2).ends().scores(2, 2, ranks=[1, 2])


@cheat(r"end of the game, seat 0: .* with rank 1, but .* has rank 0: a game cut off has no ranks")
def ranks_a_game_that_was_cut_off():
    log = Log(["juggler"], [], turn_cap=1).turn(0).plays("juggler").takes(2).draws()
    return log.ends("turn_cap").scores(2, 0, ranks=[1, 2])


@cheat(r"end of the game, seat 1: the log stops, but seat 1 owns 0 hearts and ranks 2")
def forgets_a_score():
    return over().ends().row(events.SCORE, 0, 2, 1)


@cheat(r"end of the game, seat 1: scores 0 hearts with rank 2, but the game is over")
def scores_twice():
    return over().ends().scores(2, 0, ranks=[1, 2]).row(events.SCORE, 1, 0, 2)


@pytest.mark.parametrize("name", CHEATS)
def test_cheating_is_stopped_and_named(name):
    build, message = CHEATS[name]
    with pytest.raises(RuleBroken, match=message):
        build().replay()
