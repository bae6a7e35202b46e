"""One game of Wildstyle, and a batch of games written to tables (compiled entry points)."""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, kernel, outer_rule, rule
from sim.games import scripting, standings
from sim.games.sampling import row_of
from sim.games.wildstyle import events
from sim.games.wildstyle.clock import play_round
from sim.games.wildstyle.objectives import most_possible
from sim.games.wildstyle.rules import AT_START, UNUSED, note
from sim.games.wildstyle.scoring import UNPLACED, rank_of, score_game
from sim.games.wildstyle.setting import begin_round, set_up

IN_SETUP = np.int64(streams.SETUP)
IN_PLAY = np.int64(streams.DRAWS)


@outer_rule
def play_game(s, log, seed, game, again):
    """Play one game from its number to its end and score it.

    `again` is 1 when it is played for the second time (`sim.games.standings`).
    """
    shift = scripting.begin(s, seed, game)
    for seat in range(s.players):
        streams.seed_stream(s, streams.TIMING + seat, seed, s.deal)
        s.place[seat] = (seat + shift) % s.players
    s.log_n = 0
    for seat in range(s.players):
        note(s, log, events.SEAT, np.int64(seat), AT_START, s.place[seat], UNUSED, UNUSED)
    set_up(s, log, s.deal)
    standings.begin(s, s.standing, again)
    while s.round < s.rounds and not s.cut:
        begin_round(s, log, IN_SETUP if s.round == 0 else IN_PLAY)
        play_round(s, log)
    score_game(s, log)


@rule
def total(counts, n):
    """Return the sum of the first counts."""
    found = 0
    for i in range(n):
        found += counts[i]
    return found


@big_rule
def write_game(s, row):
    """Fill a row of the games table; return how many seats share the win."""
    best = s.score[0]
    for seat in range(1, s.players):
        best = max(best, s.score[seat])
    second = np.int64(-(2**62))
    winners = 0
    leaders = 0
    for seat in range(s.players):
        winners += rank_of(s, seat) == 1
        if s.score[seat] < best:
            second = max(second, s.score[seat])
        else:
            leaders += 1
    row.players = s.players
    row.rounds = s.round
    row.turns = total(s.acts, s.players)
    row.decisions = s.decisions
    row.end_reason = s.reason
    row.truncated = s.cut
    row.tied = winners > 1
    row.lead_changes = s.lead_changes
    row.margin = best - second if leaders == 1 else 0
    row.tile_set = s.tile_set
    row.seconds = np.int64(np.rint(total(s.round_time, s.rounds) / 1e6))
    row.fumbles = total(s.fumbles, s.players)
    row.waits = total(s.waits, s.players)
    row.cop_cars = total(s.cars, s.players)
    row.tags_placed = total(s.tags, s.players)
    row.solo_tags = total(s.lost_solo, s.players)
    row.icons_full = total(s.full, s.full.shape[0])
    row.rounds_piles = 0
    row.rounds_tags = 0
    row.rounds_stalemate = 0
    for i in range(s.rounds):
        row.rounds_piles += s.round_end[i] == events.PILES_EMPTY
        row.rounds_tags += s.round_end[i] == events.TAGS_OUT
        row.rounds_stalemate += s.round_end[i] == events.STALEMATE
    return winners


@rule
def write_seat(s, row, seat, winners):
    """Fill a row of the seats table."""
    rank = rank_of(s, seat)
    row.seat = seat
    row.style = s.place[seat]
    row.score = s.score[seat]
    row.rank = rank
    row.win_share = np.nan if s.cut else (1.0 / winners if rank == 1 else 0.0)
    row.truncated = s.cut
    row.tag_points = s.tag_points[seat]
    row.objective_points = s.score[seat] - s.tag_points[seat]
    row.tags = s.tags[seat] - s.lost_to_cars[seat] - s.lost_solo[seat]
    row.placed = s.tags[seat]
    row.lost_to_cars = s.lost_to_cars[seat]
    row.lost_solo = s.lost_solo[seat]
    row.cop_cars = s.cars[seat]
    row.acts = s.acts[seat]
    row.fumbles = s.fumbles[seat]
    row.waits = s.waits[seat]
    row.drawn = s.drawn[seat]
    row.shared = s.shared[seat]
    row.taken = s.took[seat]


@rule
def write_round(s, row, i):
    """Fill a row of the rounds table."""
    row.round = i + 1
    row.end = s.round_end[i]
    row.seconds = s.round_time[i] / 1e6
    row.acts = s.round_acts[i]
    row.fumbles = s.round_fumbles[i]
    row.drawn = s.round_drawn[i]
    row.shared = s.round_shared[i]
    row.taken = s.round_taken[i]
    row.placed = s.round_placed[i]
    row.rushed = s.round_rushed[i]


@rule
def write_objective(s, row, seat, position):
    """Fill a row of the objectives table."""
    row.seat = seat
    row.style = s.place[seat]
    row.position = position
    row.side = s.tile[position]
    row.points = s.scored[seat, position]
    row.completed = s.scored[seat, position] > 0
    row.tags = s.scored_tags[seat, position]
    row.before = s.before[seat, position]
    row.possible = most_possible(s, position)


@rule
def write_tag(s, row, seat, tag, cells):
    """Fill a row of the tags table."""
    fate = s.tag_fate[seat, tag]
    placed = fate != UNPLACED
    cell = s.tag_hex[seat, tag] if placed else 0
    row.seat = seat
    row.style = s.place[seat]
    row.tag = tag
    row.hex = cell
    row.q = cells[cell, 0] if placed else 0
    row.r = cells[cell, 1] if placed else 0
    row.icon = s.icon[cell] if placed else s.icon_n.shape[0]
    row.round = s.tag_round[seat, tag] if placed else 0
    row.second = s.tag_second[seat, tag] if placed else 0
    row.fate = fate


@kernel
def play_batch(
    state,
    seed,
    first,
    count,
    cells,
    games,
    seats,
    rounds,
    objectives,
    tags,
    standing,
    acts,
    at,
    log,
):
    """Play games first .. first+count-1 into the tables from row `at` (in games) on.

    `state` is the caller's copy of a setup: a record made in here would not keep its array alive.
    `cells` holds the axial coordinates of the hexes, int16 [hex, 2]. The last game's events go into
    `log`, int32 [rows, 6], unless that is empty; returns how many rows they need.
    """
    s = state[0]
    choice.find_indifferent(s)
    own_tags = s.rounds * s.tags_each_round
    for i in range(count):
        game = first + i
        kept = row_of(s, game, first - at)
        for again in range(1 + (kept >= 0)):
            play_game(s, log, seed, game, again)
        at_game = at + i
        games[at_game].game = game
        winners = write_game(s, games[at_game])
        for j in range(s.rounds):
            row = rounds[at_game * s.rounds + j]
            row.game = game
            write_round(s, row, j)
        for seat in range(s.players):
            seat_row = seats[at_game * s.players + seat]
            seat_row.game = game
            write_seat(s, seat_row, seat, winners)
            for position in range(s.dealt):
                tile_row = objectives[(at_game * s.players + seat) * s.dealt + position]
                tile_row.game = game
                write_objective(s, tile_row, seat, position)
        if kept >= 0:
            standings.write(s, standing, acts, game, s.place[0], kept)
            for seat in range(s.players):
                for tag in range(own_tags):
                    tag_row = tags[(kept * s.players + seat) * own_tags + tag]
                    tag_row.game = game
                    write_tag(s, tag_row, seat, tag, cells)
    return s.log_n
