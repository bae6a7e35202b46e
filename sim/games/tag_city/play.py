"""One game of Tag City, and a batch of games written to columns (the compiled entry point)."""

import numpy as np

from sim import choice
from sim.compiled import big_rule, kernel, outer_rule, rule
from sim.games import scripting, standings
from sim.games.bits import popcount
from sim.games.sampling import row_of
from sim.games.tag_city import events
from sim.games.tag_city.choosing import (
    best_bubble,
    bubbles_to_choose,
    choose_action,
    choose_side,
    dice_to_choose,
)
from sim.games.tag_city.events import ROUND_CAP
from sim.games.tag_city.rules import (
    FIRST,
    LAST,
    NO_REASON,
    NOBODY,
    UNUSED,
    act,
    circle,
    find_holes,
    note,
    place_die,
    rank_of,
    roll_dice,
    set_up,
    take_die,
    watch_end,
)

NO_TAKER = 5
SHARED_BY_SOME = 4
NO_END = np.int64(ROUND_CAP)


@rule
def drafter(s, number):
    """Return who drafts at place `number` of the round, from 0: the leader is the last."""
    return (s.leader + 1 + number) % s.players


@outer_rule
def lead(s, log, shift):
    """Turn Sequence: roll all dice, then choose a side for each."""
    s.turns_led[s.leader] += 1
    roll_dice(s, log)
    dice = s.n_dice
    for i in range(dice):
        side = choose_side(s, standings.place_of(s, s.leader, shift), s.roll[i])
        place_die(s, log, s.roll[i], side)


@rule
def offer_dice(s, number):
    """Turn Sequence: a tagger looks at the dice on the HQ and at the bubbles."""
    seat = drafter(s, number)
    s.drafted_first[seat] += number == 0
    s.draft_places[seat] += number + 1
    dice_to_choose(s)
    bubbles_to_choose(s)


@rule
def use_die(s, log, seat):
    """Turn Sequence: a tagger takes the chosen die and does with it what it is taken for."""
    taken = s.act_choice[seat]
    take_die(s, log, seat, taken)
    act(s, log, seat, s.ring[s.choice_space[taken]])
    circle(s, log, seat, FIRST)
    watch_end(s, log)
    standings.watch(s, s.score)


@rule
def offer_last_die(s, log):
    """The Last Die: the die that is left, for all."""
    dice_to_choose(s)
    best_bubble(s)
    s.die_worth[0] = 0.0
    space = s.choice_space[0]
    s.last_of[s.ring[space]] += 1
    note(s, log, events.LAST, NOBODY, s.choice_value[0], space, UNUSED)


@rule
def use_last_die(s, log):
    """The Last Die: all do what they have chosen, then what is completed is circled."""
    for number in range(s.players):
        act(s, log, drafter(s, number), s.ring[s.choice_space[0]])
    for number in range(s.players):
        late = number if s.share_large else number + s.players - 1
        circle(s, log, drafter(s, late), LAST)
    watch_end(s, log)
    standings.watch(s, s.score)


@outer_rule
def play_round(s, log, shift):
    """Play a round: every tagger chooses a die in turn, then all use the last one at once."""
    lead(s, log, shift)
    for number in range(2 * s.players):
        seat = drafter(s, number)
        drafting = number < s.players
        if drafting:
            offer_dice(s, number)
        elif number == s.players:
            offer_last_die(s, log)
        choose_action(s, seat, standings.place_of(s, seat, shift), drafting)
        if drafting:
            use_die(s, log, seat)
    use_last_die(s, log)
    s.leader = (s.leader + 1) % s.players
    s.rounds += 1


@outer_rule
def play_game(s, log, seed, game, again):
    """Play one game from its number to its end; return which place of the line-up has seat 0.

    `again` is 1 when it is played for the second time (`sim.games.standings`).
    """
    shift = scripting.begin(s, seed, game)
    set_up(s, log)
    standings.begin(s, s.score, again)
    while s.reason == NO_REASON and s.rounds < s.round_cap:
        play_round(s, log, shift)
    return shift


@big_rule
def write_game(s, row):
    """Fill a row of the games table; return how many players share the win."""
    over = s.reason != NO_REASON
    best = s.score[0]
    second = np.int64(-(2**40))
    winners = int(rank_of(s, 0) == 1)
    drawings = s.drawings[0]
    drones = s.slots_used[0]
    checks = s.checks[0]
    for seat in range(1, s.players):
        score = s.score[seat]
        second = max(second, min(best, score))
        best = max(best, score)
        winners += rank_of(s, seat) == 1
        drawings += s.drawings[seat]
        drones += s.slots_used[seat]
        checks += s.checks[seat]
    row.players = s.players
    row.rounds = s.rounds
    row.turns = 2 * s.players * s.rounds
    row.decisions = s.decisions
    row.end_reason = s.reason if over else ROUND_CAP
    row.truncated = not over
    row.tied = over and winners > 1
    row.lead_changes = s.lead_changes
    row.margin = best - second
    row.ring_0 = s.ring[0]
    row.ring_1 = s.ring[1]
    row.ring_2 = s.ring[2]
    row.ring_3 = s.ring[3]
    row.ring_4 = s.ring[4]
    row.ring_5 = s.ring[5]
    row.large_left = s.large_left
    row.bubbles_left = s.bubbles_left
    row.drawings = drawings
    row.drones = drones
    row.checks = checks
    row.shared_larges = s.shared_larges
    return winners


@big_rule
def write_seat(s, row, seat, place, winners):
    """Fill a row of the seats table; return the seat's win share."""
    over = s.reason != NO_REASON
    rank = rank_of(s, seat) if over else 0
    share = 1.0 / winners if rank == 1 else 0.0
    free = popcount(s.free[seat, 0]) + popcount(s.free[seat, 1])
    find_holes(s, seat)
    row.seat = seat
    row.style = place
    row.score = s.score[seat]
    row.rank = rank
    row.win_share = share if over else np.nan
    row.truncated = not over
    row.row_large = s.points[seat, 0, 0]
    row.row_small = s.points[seat, 0, 1]
    row.column_large = s.points[seat, 1, 0]
    row.column_small = s.points[seat, 1, 1]
    row.neighborhood_large = s.points[seat, 2, 0]
    row.neighborhood_small = s.points[seat, 2, 1]
    row.drone_points = s.drone_points[seat]
    row.bubble_points = s.bubble_points[seat]
    row.rows = s.completed[seat, 0]
    row.columns = s.completed[seat, 1]
    row.neighborhoods = s.completed[seat, 2]
    row.larges = s.larges[seat]
    row.squares = s.squares - free
    row.holes = popcount(s.hole[seat, 0]) + popcount(s.hole[seat, 1])
    row.drawings = s.drawings[seat]
    row.drones = s.slots_used[seat]
    row.bubbles = s.circled[seat]
    row.checks = s.checks[seat]
    row.last_points = s.last_points[seat]
    row.turns_led = s.turns_led[seat]
    row.drafted_first = s.drafted_first[seat]
    row.draft_place = s.draft_places[seat] / max(s.rounds, 1)
    return share


@rule
def taker_of(s, element):
    """Return the code of who took an element's large value: a seat, several, nobody."""
    takers = s.large_by[element]
    if takers == 0:
        return NO_TAKER
    for seat in range(s.players):
        if takers == 1 << seat:
            return seat
    return SHARED_BY_SOME


@big_rule
def write_elements(s, elements, at, game, winners):
    """Fill the rows of a game in the elements table, the first of them row `at`."""
    over = s.reason != NO_REASON
    for element in range(s.elements):
        row = elements[at + element]
        takers = 0
        wins = 0.0
        for seat in range(s.players):
            if s.large_by[element] & (1 << seat):
                takers += 1
                wins += 1.0 / winners if over and rank_of(s, seat) == 1 else 0.0
        row.game = game
        row.element = element
        row.layer = s.layer[element]
        row.squares = s.element_squares[element]
        row.large = s.large[element]
        row.small = s.small[element]
        row.large_taker = taker_of(s, element)
        row.large_takers = takers
        row.large_round = s.large_round[element]
        row.large_last_die = s.large_last[element]
        row.small_takers = s.small_takers[element]
        row.large_win_share = wins if over else np.nan


@big_rule
def write_squares(s, squares, at, game, shift):
    """Fill the rows of a sampled game in the squares table, the first of them row `at`."""
    for seat in range(s.players):
        for square in range(s.squares):
            row = squares[at + seat * s.squares + square]
            drawing = s.drawing_of[seat, square]
            row.game = game
            row.seat = seat
            row.style = standings.place_of(s, seat, shift)
            row.square = square
            row.row = square // s.columns
            row.column = square % s.columns
            row.round = s.drawing_round[seat, drawing] if drawing > 0 else 0
            row.shape = s.drawing_shape[seat, drawing] if drawing > 0 else s.shapes
            row.drawing = drawing


@big_rule
def count_shapes(s, shapes):
    """Add a finished game to the shapes table."""
    for i in range(s.n_in_play):
        shape = s.in_play[i]
        row = shapes[shape]
        row.games += 1
        row.dice += s.dice_of[shape]
        row.drafted += s.drafted_of[shape]
        row.last += s.last_of[shape]
        row.uses += s.uses_of[shape]
        row.no_room += s.no_room_of[shape]
        row.painted += s.painted_of[shape]
        row.flown += s.flown_of[shape]
        row.points += s.points_of[shape]


@rule
def tell_end(s, log):
    """End of the Competition: why it ended, and the scores."""
    s.rounds -= 1
    over = s.reason != NO_REASON
    note(s, log, events.END, NOBODY, s.reason if over else NO_END, UNUSED, UNUSED)
    for seat in range(s.players):
        rank = rank_of(s, seat) if over else 0
        note(s, log, events.SCORE, seat, s.score[seat], np.int64(rank), s.circled[seat])


@kernel
def play_batch(
    state,
    seed,
    first,
    count,
    games,
    seats,
    elements,
    shapes,
    squares,
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
        write_elements(s, elements, (at + i) * s.elements, game, winners)
        if s.reason != NO_REASON:
            count_shapes(s, shapes)
        if kept >= 0:
            standings.write(s, standing, acts, game, shift, kept)
            write_squares(s, squares, kept * s.players * s.squares, game, shift)
        tell_end(s, log)
    return s.log_n
