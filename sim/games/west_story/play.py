"""One game of West Story, and a batch of games written to columns (the compiled entry point)."""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, kernel, outer_rule, rule
from sim.games import scripting, standings
from sim.games.sampling import row_of
from sim.games.west_story import events
from sim.games.west_story.choosing import player_turn
from sim.games.west_story.events import SPOTS
from sim.games.west_story.producing import production
from sim.games.west_story.rules import NOBODY, UNUSED, note, pay_at_lake
from sim.games.west_story.scoring import final_score
from sim.games.west_story.setting import set_up
from sim.games.west_story.turn import pass_the_dice
from sim.games.west_story.writing import (
    count_spaces,
    log_round,
    tell_end,
    write_game,
    write_market,
    write_purchases,
    write_rounds,
    write_seat,
    write_towns,
    write_villains,
)


@big_rule
def clear_counters(s):
    """Begin to count anew."""
    s.decisions = 0
    s.ties = 0
    s.lake_coins = 0
    s.bank_coins = 0
    for seat in range(s.players):
        s.vp_spaces[seat] = 0
        s.vp_effects[seat] = 0
        s.vp_limits[seat] = 0
        s.vp_printed[seat] = 0
        s.vp_wild[seat] = 0
        s.certificate_round[seat] = 0
        s.certificate_paid[seat] = 0
        s.covered[seat] = 0
        s.skips[seat] = 0
        s.resets[seat] = 0
        s.bribes[seat] = 0
        s.bribe_paid[seat] = 0
        s.executed[seat] = 0
        s.combos[seat] = 0
        s.combo_cows[seat] = 0
        s.clears[seat] = 0
        s.tokens_used[seat] = 0
        s.lake_round[seat] = 0
        s.rounds_first[seat] = 0
        s.richest_coins[seat] = 0
        s.hats_lost[seat] = 0
    for card in range(s.cards):
        s.seen_of[card] = 0
        s.executed_of[card] = 0
        s.coins_of[card] = 0
        s.hats_of[card] = 0
        s.cows_of[card] = 0
        s.rounds_of[card] = 0
    for place in range(s.places):
        s.turned_round[place] = 0
        s.place_bribes[place] = 0
        s.place_paid[place] = 0
        s.gone_round[place] = 0
        s.winner[place] = NOBODY
        s.pot_won[place] = 0
    for spot in range(SPOTS):
        s.spot_printed[spot] = 0
        s.spot_cards[spot] = 0
        for how in range(5):
            s.spot_by[spot, how] = 0


@rule
def roll_the_dice(s, log):
    """Roll the Dice."""
    for die in range(2):
        s.die[die] = streams.below(s, streams.DRAWS, 6) + 1
    note(s, log, events.ROLL, s.first_player, s.die[0], s.die[1], UNUSED)


@big_rule
def score_now(s):
    """Game End: score every seat as if the game ended now."""
    for seat in range(s.players):
        s.score[seat] = final_score(s, seat)


@rule
def watch(s):
    """Count a change of who leads the track; keep what all would score now."""
    standings.watch_leader(s, s.vp)
    if s.keeping:
        score_now(s)
        standings.keep(s, s.score)


@outer_rule
def play_round(s, log, shift):
    """Game Round: dice, production of all, turns, the dice passed on."""
    first = s.first_player
    s.rounds_first[first] += 1
    roll_the_dice(s, log)
    s.producing = 1
    # a turn in two halves: one frame for both keeps the rules compiled once
    for half in range(2 * s.players):
        seat = (first + half) % s.players
        place = standings.place_of(s, seat, shift)
        if half < s.players:
            production(s, log, seat, place)
        else:
            player_turn(s, log, seat, place)
            watch(s)
        if half == s.players - 1:
            s.producing = 0
            pay_at_lake(s, log)
            watch(s)
    pass_the_dice(s, log)
    log_round(s, first)
    s.round += 1


@outer_rule
def play_game(s, log, seed, game, again):
    """Play one game from its number to its end; return which place of the line-up has seat 0.

    `again` is 1 when it is played for the second time (`sim.games.standings`).
    """
    shift = scripting.begin(s, seed, game)
    clear_counters(s)
    set_up(s, log, s.deal)
    score_now(s)
    standings.begin(s, s.score, again)
    while not s.over and s.round < s.round_cap:
        play_round(s, log, shift)
    score_now(s)
    return shift


@kernel
def play_batch(
    state,
    seed,
    first,
    count,
    games,
    seats,
    market,
    villains,
    towns,
    spaces,
    purchases,
    rounds,
    standing,
    acts,
    at,
    log,
):
    """Play games first .. first+count-1 into the tables from row `at` (in games) on.

    `state` is the caller's copy of a setup: a record made in here would not keep its array alive.
    A `log` that is not empty takes the events of the last game; return how many rows it has.
    """
    s = state[0]
    choice.find_indifferent(s)
    for i in range(count):
        game = first + i
        kept = row_of(s, game, first - at)
        shift = np.int64(0)
        for again in range(1 + (kept >= 0)):
            shift = play_game(s, log, seed, game, again)
        row = games[at + i]
        row.game = game
        winners = write_game(s, row)
        for seat in range(s.players):
            seat_row = seats[(at + i) * s.players + seat]
            seat_row.game = game
            write_seat(s, seat_row, seat, standings.place_of(s, seat, shift), winners)
        write_market(s, market, (at + i) * s.cards, game, winners)
        write_villains(s, villains, (at + i) * s.places, game, winners)
        write_towns(s, towns, (at + i) * s.towns, game, winners)
        if s.over:
            count_spaces(s, spaces)
        if kept >= 0:
            standings.write(s, standing, acts, game, shift, kept)
            rows = kept * s.most_rounds * s.players
            write_purchases(s, purchases, 2 * rows, game, shift)
            write_rounds(s, rounds, rows, game, shift)
        tell_end(s, log)
    return s.log_n
