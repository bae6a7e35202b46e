"""Tag City's rules, compiled: functions named for the rulebook's headings, in its order.

`s` is the record of one game (`state.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim import streams
from sim.compiled import big_rule, rule
from sim.games import eventlog, standings
from sim.games.bits import lowest
from sim.games.tag_city import events
from sim.games.tag_city.events import BUBBLES, DRONES, LARGE_VALUES, SPACES

# Numbers that go into helpers are int64 (or attributes of a module): Numba would compile a helper
# anew for each plain number.
UNUSED = np.int64(-1)
NOBODY = np.int64(-1)
NO_BUBBLE = np.int64(-1)
NO_REASON = np.int64(-1)
PAINT, DRONE, CHECK = np.int64(0), np.int64(1), np.int64(2)
FIRST, LAST = np.int64(0), np.int64(1)
WORD = 64
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
NONE = np.uint64(0)


@rule
def note(s, log, event, seat, a, b, c):
    """Write a row of the event log, if one is kept."""
    eventlog.note(s, log, event, s.rounds, seat, a, b, c)


@big_rule
def set_up(s, log):
    """Setup: six shapes on the HQ, a city for each, a first leader."""
    s.rounds = -1
    s.log_n = 0
    s.reason = NO_REASON
    s.large_left = s.elements
    s.bubbles_left = s.bubbles
    s.decisions = 0
    s.shared_larges = 0
    for reason in range(3):
        s.met[reason] = 0
    for element in range(s.elements):
        s.large_free[element] = 1
        s.large_by[element] = 0
        s.large_round[element] = 0
        s.large_last[element] = 0
        s.small_takers[element] = 0
    for bubble in range(s.bubbles):
        s.bubble_free[bubble] = 1
    for shape in range(s.shapes):
        s.dice_of[shape] = 0
        s.drafted_of[shape] = 0
        s.last_of[shape] = 0
        s.uses_of[shape] = 0
        s.no_room_of[shape] = 0
        s.painted_of[shape] = 0
        s.flown_of[shape] = 0
        s.points_of[shape] = 0
    set_out_shapes(s, log)
    for seat in range(s.players):
        take_city(s, seat)
    s.leader = streams.below(s, streams.SETUP, s.players) if s.random_leader else 0
    s.rounds = 0


@rule
def set_out_shapes(s, log):
    """Setup: side A's shapes, or six drawn from the ring stock; the small ones in the centre."""
    for space in range(SPACES):
        s.ring[space] = s.side_a[space]
    if s.random_ring:
        stock = s.shapes - s.small_shapes
        for i in range(stock):
            s.stock[i] = s.small_shapes + i
        streams.shuffle(s, streams.SETUP, s.stock, stock)
        for space in range(SPACES):
            s.ring[space] = s.stock[space]
    in_play = np.uint32(0)
    for i in range(s.small_shapes):
        s.in_play[i] = i
        in_play |= np.uint32(1) << np.uint32(i)
    for space in range(SPACES):
        shape = s.ring[space]
        s.in_play[s.small_shapes + space] = shape
        in_play |= np.uint32(1) << np.uint32(shape)
        note(s, log, events.RING, NOBODY, space, shape, UNUSED)
    s.n_in_play = s.small_shapes + SPACES
    find_live_parts(s, in_play)


@rule
def find_live_parts(s, in_play):
    """List the parts of the shapes in play; they come by layer and number of elements."""
    n = 0
    part = 0
    for layer in range(3):
        for pairs in range(s.live_parts.shape[1]):
            while part < s.parts and s.part_layer[part] == layer and s.part_pairs[part] == pairs:
                if s.part_shapes[part] & in_play:
                    s.live_part[n] = part
                    n += 1
                part += 1
            s.live_parts[layer, pairs] = n


@rule
def take_city(s, seat):
    """Setup: an empty city board."""
    for word in range(s.first_word[s.shapes]):
        s.alive[seat, word] = s.exists[word]
    for half in range(2):
        squares = min(max(s.squares - half * WORD, 0), WORD)
        s.free[seat, half] = ALL_ONES >> np.uint64(WORD - squares) if squares > 0 else NONE
        s.hole[seat, half] = 0
    for element in range(s.elements):
        s.filled[seat, element] = 0
    for square in range(s.squares):
        s.drawing_of[seat, square] = 0
    for layer in range(3):
        s.completed[seat, layer] = 0
        s.points[seat, layer, 0] = 0
        s.points[seat, layer, 1] = 0
    s.holes_known[seat] = 0
    s.worth_known[seat] = 0
    s.score[seat] = 0
    s.slots_used[seat] = 0
    s.n_done[seat] = 0
    s.larges[seat] = 0
    s.drone_points[seat] = 0
    s.bubble_points[seat] = 0
    s.last_points[seat] = 0
    s.circled[seat] = 0
    s.checks[seat] = 0
    s.turns_led[seat] = 0
    s.drafted_first[seat] = 0
    s.draft_places[seat] = 0
    s.drawings[seat] = 0


@rule
def space_of(value, side):
    """Turn Sequence: a die of value v lies between the spaces v - 1 and v mod 6."""
    return value - 1 if side == 0 else value % SPACES


@rule
def roll_dice(s, log):
    """Turn Sequence: the leader rolls a die more than there are players."""
    note(s, log, events.LEADER, s.leader, UNUSED, UNUSED, UNUSED)
    s.n_dice = s.players + 1
    for value in range(1, 7):
        s.dice[value, 0] = 0
        s.dice[value, 1] = 0
    for space in range(SPACES):
        s.dice_on[space] = 0
    for position in range(s.n_dice):
        s.roll[position] = streams.below(s, streams.DRAWS, 6) + 1
        note(s, log, events.ROLL, s.leader, position, s.roll[position], UNUSED)
    for i in range(1, s.n_dice):
        value = s.roll[i]
        j = i
        while j > 0 and s.roll[j - 1] > value:
            s.roll[j] = s.roll[j - 1]
            j -= 1
        s.roll[j] = value


@rule
def place_die(s, log, value, side):
    """Turn Sequence: put a die on one of its two spaces."""
    space = space_of(value, side)
    s.dice[value, side] += 1
    s.dice_on[space] += 1
    s.dice_of[s.ring[space]] += 1
    note(s, log, events.PLACE, s.leader, value, space, UNUSED)


@rule
def take_die(s, log, seat, choice):
    """Turn Sequence: a tagger takes a die from the HQ."""
    value = s.choice_value[choice]
    space = s.choice_space[choice]
    s.dice[value, 0 if space == value - 1 else 1] -= 1
    s.dice_on[space] -= 1
    s.n_dice -= 1
    s.drafted_of[s.ring[space]] += 1
    note(s, log, events.TAKE, seat, value, space, UNUSED)


@rule
def has_room(s, seat, shape):
    """Tell whether a shape can still be drawn in a city."""
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        if s.alive[seat, word] != 0:
            return True
    return False


@rule
def has_drone(s, seat):
    """Using a Drone: tell whether the remote has a slot left."""
    return s.slots_used[seat] < s.slots


@big_rule
def paint(s, log, seat, shape, placement):
    """Painting the City: cover the squares; a placement dies with any of its squares.

    The elements that this completes wait in `s.done` to be circled.
    """
    s.drawings[seat] += 1
    s.drawing_round[seat, s.drawings[seat]] = s.rounds + 1
    s.drawing_shape[seat, s.drawings[seat]] = shape
    words = s.first_word[s.shapes]
    for i in range(s.cells[shape]):
        square = s.covered[placement, i]
        for word in range(words):
            s.alive[seat, word] &= ~s.cover[square, word]
        s.drawing_of[seat, square] = s.drawings[seat]
        note(s, log, events.SQUARE, seat, square, UNUSED, UNUSED)
    for half in range(2):
        s.free[seat, half] &= ~s.mask[placement, half]
    s.n_done[seat] = 0
    for layer in range(3):
        part = s.part[placement, layer]
        for i in range(s.cells[shape]):
            if s.part_count[part, i] == 0:
                break
            element = s.part_element[part, i]
            s.filled[seat, element] += s.part_count[part, i]
            if s.filled[seat, element] == s.element_squares[element]:
                s.done[seat, s.n_done[seat]] = element
                s.n_done[seat] += 1
    s.holes_known[seat] = 0
    s.worth_known[seat] = 0


@rule
def use_drone(s, seat):
    """Using a Drone: circle the next slot of the remote; return its value."""
    value = s.slot_value[s.slots_used[seat]]
    s.slots_used[seat] += 1
    s.drone_points[seat] += value
    s.score[seat] += value
    return value


@rule
def check_networks(s, log, seat, bubble):
    """Checking Social Networks: circle a bubble; without one the check leaves no mark."""
    s.checks[seat] += 1
    value = np.int64(0)
    if bubble != NO_BUBBLE:
        value = s.bubble_value[bubble]
        s.bubbles_left -= s.bubble_free[bubble]
        s.bubble_free[bubble] = 0
        s.circled[seat] += 1
        s.bubble_points[seat] += value
        s.score[seat] += value
    note(s, log, events.CHECK, seat, bubble, value, UNUSED)


@rule
def act(s, log, seat, die_shape):
    """Do what the seat has chosen with a die: paint, fly a drone or check the networks."""
    s.n_done[seat] = 0
    s.uses_of[die_shape] += 1
    s.no_room_of[die_shape] += not has_room(s, seat, die_shape)
    kind = s.act_kind[seat]
    standings.count_act(s, seat, kind)
    if kind == CHECK:
        check_networks(s, log, seat, s.act_bubble[seat])
    else:
        shape = s.act_shape[seat]
        if kind == DRONE:
            slot = s.slots_used[seat]
            value = use_drone(s, seat)
            s.flown_of[shape] += 1
            note(s, log, events.DRONE, seat, shape, slot, value)
        else:
            s.painted_of[shape] += 1
            note(s, log, events.PAINT, seat, shape, UNUSED, UNUSED)
        paint(s, log, seat, shape, s.act_placement[seat])


@big_rule
def circle(s, log, seat, last):
    """Scoring Points: circle the values of the elements that the seat has just completed.

    With the last die a large value that was won by others with this die is shared, if ruled so.
    """
    for i in range(s.n_done[seat]):
        element = s.done[seat, i]
        layer = s.layer[element]
        first = s.large_free[element]
        shared = last and s.share_large and s.large_by[element] != 0
        shared = shared and s.large_last[element] and s.large_round[element] == s.rounds + 1
        value = s.large[element] if first or shared else s.small[element]
        if first:
            s.large_free[element] = 0
            s.large_left -= 1
            s.large_round[element] = s.rounds + 1
            s.large_last[element] = last
            for other in range(s.players):
                s.worth_known[other] = 0
        elif shared:
            s.shared_larges += (s.large_by[element] & (s.large_by[element] - 1)) == 0
        else:
            s.small_takers[element] += 1
        if first or shared:
            s.large_by[element] |= 1 << seat
            s.larges[seat] += 1
        s.points[seat, layer, 0 if first or shared else 1] += value
        s.completed[seat, layer] += 1
        s.score[seat] += value
        s.last_points[seat] += value * last
        s.points_of[s.act_shape[seat]] += value
        note(s, log, events.CIRCLE, seat, element, np.int64(first or shared), value)
    s.n_done[seat] = 0


@rule
def meet(s, log, reason, now):
    """Note that an end condition is met, once."""
    if now and not s.met[reason]:
        s.met[reason] = 1
        if s.reason == NO_REASON:
            s.reason = reason
        note(s, log, events.MET, NOBODY, reason, UNUSED, UNUSED)


@rule
def watch_end(s, log):
    """End of the Competition: the three conditions; the round is finished in any case."""
    meet(s, log, LARGE_VALUES, s.large_left == 0)
    meet(s, log, BUBBLES, s.bubbles > 0 and s.bubbles_left == 0)
    flown = False
    for seat in range(s.players):
        flown = flown or (s.slots > 0 and s.slots_used[seat] == s.slots)
    meet(s, log, DRONES, flown)


@rule
def is_better(s, one, other):
    """End of the Competition: more points, then more bubbles circled."""
    return s.score[one] > s.score[other] or (
        s.score[one] == s.score[other] and s.circled[one] > s.circled[other]
    )


@rule
def rank_of(s, seat):
    """Return 1 plus how many players are better."""
    rank = 1
    for other in range(s.players):
        rank += is_better(s, other, seat)
    return rank


@big_rule
def find_holes(s, seat):
    """Mark the free squares that no ring shape of this game can cover any more."""
    for half in range(2):
        s.hole[seat, half] = 0
        left = s.free[seat, half]
        while left != 0:
            bit = lowest(left)
            left &= left - ONE
            if not can_cover(s, s.alive[seat], half * WORD + bit):
                s.hole[seat, half] |= ONE << np.uint64(bit)
    s.holes_known[seat] = 1


@rule
def can_cover(s, alive, square):
    """Tell whether a ring shape of this game has a placement in `alive` that covers the square."""
    for space in range(SPACES):
        shape = s.ring[space]
        for word in range(s.first_word[shape], s.first_word[shape + 1]):
            if alive[word] & s.cover[square, word]:
                return True
    return False
