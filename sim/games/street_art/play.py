"""One game of Street Art, and a batch of games written to columns (compiled entry points)."""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, kernel, outer_rule, rule
from sim.games import scripting, standings
from sim.games.sampling import row_of
from sim.games.street_art import events
from sim.games.street_art.events import END_REASONS
from sim.games.street_art.features import weigh_actions
from sim.games.street_art.rules import (
    NOBODY,
    UNUSED,
    draw_cards,
    is_over,
    legal_actions,
    note,
    play_action,
    set_up,
)

MIDDLE_EMPTY = END_REASONS.index("middle_empty")
TURN_CAP = END_REASONS.index("turn_cap")
ONCE = np.int64(0)


@big_rule
def deal_unseen(s, seat):
    """Deal anew what a seat cannot see, the other hands and the draw pile, by the fork's luck."""
    scripting.reseed(s, streams.CHOICES)
    for other in range(s.players):
        if other != seat:
            for kind in range(s.kinds):
                for _ in range(s.hand[other, kind]):
                    s.deck[s.deck_n] = kind
                    s.deck_n += 1
                s.held[other, kind] -= s.hand[other, kind]
                s.hand[other, kind] = 0
    streams.shuffle(s, streams.DRAWS, s.deck, s.deck_n)
    for other in range(s.players):
        if other != seat:
            for _ in range(s.hand_n[other]):
                s.deck_n -= 1
                kind = s.deck[s.deck_n]
                s.hand[other, kind] += 1
                s.held[other, kind] += 1


@outer_rule
def take_turn(s, log, shift):
    """Play the turn of the seat whose turn it is, and pass on to the next."""
    seat = s.seat
    place = seat + shift
    if place >= s.players:
        place -= s.players
    if s.hand_n[seat] == 0:
        note(s, log, events.PASS, seat, UNUSED, UNUSED, UNUSED)
    else:
        legal_actions(s, seat)
        s.decisions += s.n_actions > 1
        if s.n_actions > 1:
            weigh_actions(s, seat, place)
        if s.scripted and s.n_actions > 1:
            chosen = scripting.from_list(s, seat, place)
            if scripting.forks(s):
                deal_unseen(s, seat)
        else:
            chosen = choice.choose(s, place)
        standings.count_options(s, seat, s.n_actions)
        standings.count_act(s, seat, s.kind[chosen])
        play_action(s, log, seat, chosen)
    standings.watch(s, s.hearts)
    s.over = is_over(s, seat, s.middle)
    if not s.over:
        draw_cards(s, log, seat)
    s.turn += 1
    s.seat = seat + 1
    if s.seat == s.players:
        s.seat = 0


@outer_rule
def play_game(s, log, seed, game, again):
    """Play one game from its number to its end; return which place of the line-up has seat 0.

    `again` is 1 when it is played for the second time (`sim.games.standings`).
    """
    shift = scripting.begin(s, seed, game)
    set_up(s, log)
    standings.begin(s, s.hearts, again)
    while not s.over and s.turn < s.turn_cap:
        take_turn(s, log, shift)
    return shift


@rule
def rank_of(s, seat):
    """Return 1 plus how many players have more hearts."""
    rank = 1
    for other in range(s.players):
        rank += s.hearts[other] > s.hearts[seat]
    return rank


@rule
def write_game(s, row):
    """Fill a row of the games table; return how many players share the win."""
    best = -1
    second = -1
    winners = 0
    for seat in range(s.players):
        hearts = s.hearts[seat]
        if hearts > best:
            second = best
            best = hearts
            winners = 1
        elif hearts == best:
            second = best
            winners += 1
        elif hearts > second:
            second = hearts
    row.players = s.players
    row.rounds = (s.turn + s.players - 1) // s.players
    row.turns = s.turn
    row.decisions = s.decisions
    row.end_reason = MIDDLE_EMPTY if s.over else TURN_CAP
    row.truncated = not s.over
    row.tied = s.over and winners > 1
    row.lead_changes = s.lead_changes
    row.margin = best - second
    row.rains = s.rains
    row.thefts = s.thefts
    row.reshuffles = s.reshuffles
    row.box_hearts = s.box
    row.final_card = s.final_kind if s.over else s.kinds
    return winners


@rule
def write_seat(s, row, seat, place, winners):
    """Fill a row of the seats table; return the seat's win share."""
    rank = rank_of(s, seat) if s.over else 0
    share = 1.0 / winners if rank == 1 else 0.0
    row.seat = seat
    row.style = place
    row.score = s.hearts[seat]
    row.rank = rank
    row.win_share = share if s.over else np.nan
    row.truncated = not s.over
    row.from_middle = s.from_middle[seat]
    row.stolen = s.stolen[seat]
    row.lost_to_theft = s.lost_to_theft[seat]
    row.lost_to_rain = s.lost_to_rain[seat]
    return share


@big_rule
def count_cards(s, cards, seat, place, share):
    """Add a seat's cards of one finished game to the cards table."""
    block = seat * s.players + place if s.rotate else seat
    for kind in range(s.kinds):
        row = cards[block * s.kinds + kind]
        held = s.held[seat, kind]
        played = s.played[seat, kind]
        row.games += 1
        row.wins += share
        if held > 0:
            row.held += held
            row.games_held += 1
            row.wins_held += share
            row.wins_held_sq += share * share
        if played > 0:
            row.played += played
            row.games_played += 1
            row.wins_played += share
            row.wins_played_sq += share * share
            row.hearts += s.gained[seat, kind]
            if share > 0.0:
                row.played_by_winners += played


@kernel
def play_batch(state, seed, first, count, games, seats, cards, standing, acts, at):
    """Play games first .. first+count-1 into the tables from row `at` (in games) on.

    `state` is the caller's copy of a setup: a record made in here would not keep its array alive.
    """
    s = state[0]
    choice.find_indifferent(s)
    silent = np.empty((0, 6), np.int32)
    for i in range(count):
        game = first + i
        kept = row_of(s, game, first - at)
        shift = np.int64(0)
        for again in range(1 + (kept >= 0)):
            shift = play_game(s, silent, seed, game, again)
        row = games[at + i]
        row.game = game
        winners = write_game(s, row)
        for seat in range(s.players):
            place = (seat + shift) % s.players
            seat_row = seats[(at + i) * s.players + seat]
            seat_row.game = game
            share = write_seat(s, seat_row, seat, place, winners)
            if s.over:
                count_cards(s, cards, seat, place, share)
        if kept >= 0:
            standings.write(s, standing, acts, game, shift, kept)


@kernel
def log_game(state, seed, game, log):
    """Play one game again and write its events; return how many rows it has."""
    s = state[0]
    choice.find_indifferent(s)
    play_game(s, log, seed, game, ONCE)
    reason = MIDDLE_EMPTY if s.over else TURN_CAP
    note(s, log, events.END, NOBODY, reason, UNUSED, UNUSED)
    for seat in range(s.players):
        rank = rank_of(s, seat) if s.over else 0
        note(s, log, events.SCORE, seat, s.hearts[seat], rank, UNUSED)
    return s.log_n
