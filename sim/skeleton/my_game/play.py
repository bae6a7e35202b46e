"""One game of My Game, and a batch of games written to columns (compiled entry points)."""

import numpy as np

from my_game import events
from my_game.features import weigh_actions
from my_game.rules import NOBODY, UNUSED, is_over, legal_actions, move, note, set_up
from sim import choice, streams
from sim.compiled import big_rule, kernel, outer_rule, rule
from sim.games import scripting, standings
from sim.games.sampling import row_of

ONCE = np.int64(0)


@rule
def decide(s, seat, shift):
    """Return the act that the style at this seat chooses among the legal actions."""
    place = standings.place_of(s, seat, shift)
    chosen = np.int64(0)
    if s.n_actions > 1:
        s.decisions += 1
        weigh_actions(s, seat, place)
        if s.scripted:
            chosen = scripting.from_list(s, seat, place)
            if scripting.forks(s):
                # nothing is hidden here; a game with hands would deal the unseen cards anew
                scripting.reseed(s, streams.CHOICES)
        else:
            chosen = np.int64(choice.choose(s, place))
    standings.count_options(s, seat, s.n_actions)
    standings.count_act(s, seat, s.act[chosen])
    return s.act[chosen]


@outer_rule
def take_turn(s, log, shift):
    """Play the turn of the seat whose turn it is, and pass on to the next."""
    seat = s.seat
    legal_actions(s)
    move(s, log, seat, decide(s, seat, shift))
    standings.watch(s, s.steps)
    s.over = is_over(s, seat)
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
    set_up(s)
    standings.begin(s, s.steps, again)
    while not s.over and s.turn < s.turn_cap:
        take_turn(s, log, shift)
    return shift


@rule
def rank_of(s, seat):
    """Return 1 plus how many players are further, 0 in a truncated game."""
    rank = 1
    for other in range(s.players):
        rank += s.steps[other] > s.steps[seat]
    return rank if s.over else 0


@rule
def write_game(s, row):
    """Fill a row of the games table; return how many players share the win."""
    best, second, winners = np.int64(-1), np.int64(-1), 0
    for seat in range(s.players):
        points = s.steps[seat]
        if points > best:
            best, second, winners = points, best, 1
        elif points == best:
            second, winners = best, winners + 1
        else:
            second = max(second, points)
    row.players = s.players
    row.rounds = (s.turn + s.players - 1) // s.players
    row.turns = s.turn
    row.decisions = s.decisions
    row.end_reason = events.TRACK_END if s.over else events.TURN_CAP
    row.truncated = not s.over
    row.tied = s.over and winners > 1
    row.lead_changes = s.lead_changes
    row.margin = best - second
    row.falls = s.falls
    return winners


@rule
def write_seat(s, row, seat, place, winners):
    """Fill a row of the seats table."""
    rank = rank_of(s, seat)
    row.seat = seat
    row.style = place
    row.score = s.steps[seat]
    row.rank = rank
    share = 1.0 / winners if rank == 1 else 0.0
    row.win_share = share if s.over else np.nan
    row.truncated = not s.over
    row.walked = s.walked[seat]
    row.ran = s.ran[seat]


@big_rule
def write_rows(s, games, seats, game, shift, at):
    """Fill the rows of a game, the game `at` of the tables."""
    games[at].game = game
    winners = write_game(s, games[at])
    for seat in range(s.players):
        row = seats[at * s.players + seat]
        row.game = game
        write_seat(s, row, seat, standings.place_of(s, seat, shift), winners)


@kernel
def play_batch(state, seed, first, count, games, seats, standing, acts, at):
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
        write_rows(s, games, seats, game, shift, at + i)
        if kept >= 0:
            standings.write(s, standing, acts, game, shift, kept)


@kernel
def log_game(state, seed, game, log):
    """Play one game again and write its events; return how many rows it has."""
    s = state[0]
    choice.find_indifferent(s)
    play_game(s, log, seed, game, ONCE)
    reason = events.TRACK_END if s.over else events.TURN_CAP
    note(s, log, events.END, NOBODY, reason, UNUSED, UNUSED)
    for seat in range(s.players):
        note(s, log, events.SCORE, seat, s.steps[seat], rank_of(s, seat), UNUSED)
    return s.log_n
