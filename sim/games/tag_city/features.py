"""What a player of Tag City weighs in an action, compiled; `vocabulary.FEATURES` says it.

A drawing's worth is a sum over the elements that it touches, so the sums are worked out once for
each part of a layer (`s.part_gain`) and a placement adds three of them. Holes are counted only for
placements that could still be the best.
"""

import numpy as np

from sim import choice
from sim.compiled import big_rule, rule
from sim.games.bits import lowest, popcount
from sim.games.tag_city import vocabulary
from sim.games.tag_city.events import LARGE_VALUES, SPACES
from sim.games.tag_city.rules import DRONE, NO_REASON, ONE, WORD, can_cover, find_holes
from sim.games.tag_city.state import GAINS, JUDGE

LARGE_POINTS = vocabulary.FEATURE_NAMES.index("large_points")
SMALL_POINTS = vocabulary.FEATURE_NAMES.index("small_points")
ROW_PROGRESS = vocabulary.FEATURE_NAMES.index("row_progress")
RACES_LED = vocabulary.FEATURE_NAMES.index("races_led")
SQUARES = vocabulary.FEATURE_NAMES.index("squares")
HOLES = vocabulary.FEATURE_NAMES.index("holes")
PERIMETER = vocabulary.FEATURE_NAMES.index("perimeter")
DRONE_USED = vocabulary.FEATURE_NAMES.index("drone")
DRONE_POINTS = vocabulary.FEATURE_NAMES.index("drone_points")
CHECKED = vocabulary.FEATURE_NAMES.index("check")
BUBBLE_POINTS = vocabulary.FEATURE_NAMES.index("bubble_points")
LAST_DIE_MINE = vocabulary.FEATURE_NAMES.index("last_die_mine")
LAST_DIE_RIVALS = vocabulary.FEATURE_NAMES.index("last_die_rivals")
DENIED = vocabulary.FEATURE_NAMES.index("denied")
ENDS_GAME = vocabulary.FEATURE_NAMES.index("ends_game")
ENDS_AHEAD = vocabulary.FEATURE_NAMES.index("ends_ahead")
SIDE_MINE = vocabulary.FEATURE_NAMES.index("side_mine")
SIDE_RIVALS = vocabulary.FEATURE_NAMES.index("side_rivals")
SIDE_DICE = vocabulary.FEATURE_NAMES.index("side_dice")

BY_JUDGE = np.int64(JUDGE)
NO_PLACEMENT = np.int64(-1)


@rule
def most_of_rivals(s, seat, element):
    """Return the most squares of an element that a rival has painted."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, s.filled[other, element])
    return most


@rule
def gains_of(s, seat, row):
    """Fill `s.gain`: what k more squares of an element are worth by this row of the weights."""
    race = s.weights[row, RACES_LED]
    for element in range(s.elements):
        size = s.element_squares[element]
        filled = s.filled[seat, element]
        free = s.large_free[element]
        value = s.large[element] if free else s.small[element]
        progress = s.weights[row, ROW_PROGRESS + s.layer[element]] * value / (size * size)
        left = size - filled
        at = element * GAINS
        for k in range(1, s.most_cells + 1):
            s.gain[at + k] = progress * (k * (2 * filled + k)) if k <= left else 0.0
        if 0 < left <= s.most_cells:
            s.gain[at + left] += s.weights[row, LARGE_POINTS if free else SMALL_POINTS] * value
        if race != 0.0 and free:
            rival = most_of_rivals(s, seat, element)
            if filled <= rival:
                stake = race * (s.large[element] - s.small[element])
                for k in range(rival - filled + 1, min(left, s.most_cells) + 1):
                    s.gain[at + k] += stake


@rule
def gains_of_parts(s):
    """Fill `s.part_gain` from `s.gain`, and the largest of each layer in `s.bound`."""
    for layer in range(3):
        best = -np.inf
        for pairs in range(1, s.most_cells + 1):
            for i in range(s.live_parts[layer, pairs - 1], s.live_parts[layer, pairs]):
                part = s.live_part[i]
                total = 0.0
                for j in range(pairs):
                    total += s.gain[s.part_gains[part, j]]
                s.part_gain[part] = total
                best = max(best, total)
        s.bound[layer] = best


@rule
def gain_of(s, placement):
    """Return what a placement is worth by its parts."""
    total = s.part_gain[s.part[placement, 0]] + s.part_gain[s.part[placement, 1]]
    return total + s.part_gain[s.part[placement, 2]]


@big_rule
def find_worth(s, seat):
    """Fill `s.worth`: what each ring shape is worth to a seat, if that is not known yet."""
    if s.worth_known[seat]:
        return
    gains_of(s, seat, BY_JUDGE)
    gains_of_parts(s)
    for space in range(SPACES):
        shape = s.ring[space]
        best = 0.0
        for word in range(s.first_word[shape], s.first_word[shape + 1]):
            bits = s.alive[seat, word]
            while bits != 0:
                best = max(best, gain_of(s, word * WORD + lowest(bits)))
                bits &= bits - ONE
        s.worth[seat, shape] = best
    s.worth_known[seat] = 1


@rule
def worth_to_rivals(s, seat, shape):
    """Return what a shape is worth to the rivals, their mean."""
    total = 0.0
    for other in range(s.players):
        if other != seat:
            find_worth(s, other)
            total += s.worth[other, shape]
    return total / (s.players - 1)


@rule
def dice_left_of(s, space, taken):
    """Return how many dice lie on a space once one on the space `taken` is gone."""
    return s.dice_on[space] - (space == taken)


@rule
def mean_worth_left(s, seat, taken):
    """Return what the dice left are worth to a seat, their mean."""
    total = 0.0
    for space in range(SPACES):
        total += dice_left_of(s, space, taken) * s.worth[seat, s.ring[space]]
    return total / (s.n_dice - 1)


@rule
def best_worth_left(s, seat, taken):
    """Return what the best of the dice left is worth to a seat."""
    best = 0.0
    for space in range(SPACES):
        if dice_left_of(s, space, taken) > 0:
            best = max(best, s.worth[seat, s.ring[space]])
    return best


@rule
def drafts_later(s, seat, other):
    """Tell whether a seat drafts after another in this round."""
    first = s.leader + 1
    return (other - first) % s.players > (seat - first) % s.players


@rule
def denied(s, seat, taken):
    """Return what a die is worth, above the best of those left, to the rivals still to draft."""
    total = 0.0
    rivals = 0
    for other in range(s.players):
        if drafts_later(s, seat, other):
            find_worth(s, other)
            more = s.worth[other, s.ring[taken]] - best_worth_left(s, other, taken)
            total += max(more, 0.0)
            rivals += 1
    return total / rivals if rivals > 0 else 0.0


@big_rule
def weigh_dice(s, seat, place):
    """Fill `s.die_worth`: what each die of the draft is worth apart from what is done with it."""
    mine = s.weights[place, LAST_DIE_MINE]
    rivals = s.weights[place, LAST_DIE_RIVALS]
    deny = s.weights[place, DENIED]
    for i in range(s.n_choices):
        total = 0.0
        taken = s.choice_space[i]
        if mine != 0.0:
            find_worth(s, seat)
            total += mine * mean_worth_left(s, seat, taken)
        if rivals != 0.0:
            left = 0.0
            for other in range(s.players):
                if other != seat:
                    find_worth(s, other)
                    left += mean_worth_left(s, other, taken)
            total += rivals * left / (s.players - 1)
        if deny != 0.0:
            total += deny * denied(s, seat, taken)
        s.die_worth[i] = total


@big_rule
def weigh_side(s, place, space):
    """Return what it is worth to the leader to put a die on this space."""
    seat = s.leader
    shape = s.ring[space]
    total = s.weights[place, SIDE_DICE] * s.dice_on[space]
    if s.weights[place, SIDE_MINE] != 0.0:
        find_worth(s, seat)
        total += s.weights[place, SIDE_MINE] * s.worth[seat, shape]
    if s.weights[place, SIDE_RIVALS] != 0.0:
        total += s.weights[place, SIDE_RIVALS] * worth_to_rivals(s, seat, shape)
    return total


@rule
def ending(s, seat, place, score):
    """Return what it is worth to meet the first end condition with this score."""
    ahead = 1.0
    for other in range(s.players):
        if other != seat and s.score[other] > score:
            ahead = -1.0
    return s.weights[place, ENDS_GAME] + s.weights[place, ENDS_AHEAD] * ahead


@rule
def weighs_end(s, place):
    """Tell whether a style cares for the end while no condition is met."""
    weighs = s.weights[place, ENDS_GAME] != 0.0 or s.weights[place, ENDS_AHEAD] != 0.0
    return weighs and s.reason == NO_REASON


@rule
def check_value(s, seat, place, bubble):
    """Return what it is worth to check the networks and circle a bubble, or none (-1)."""
    value = 0
    if bubble >= 0:
        value = s.bubble_value[bubble]
    total = s.weights[place, CHECKED] + s.weights[place, BUBBLE_POINTS] * value
    if bubble >= 0 and s.bubbles_left == 1 and weighs_end(s, place):
        total += ending(s, seat, place, s.score[seat] + value)
    return total


@rule
def drone_value(s, seat, place):
    """Return what it is worth to fly a drone, whatever it draws."""
    slot = s.slot_value[s.slots_used[seat]]
    return s.weights[place, DRONE_USED] + s.weights[place, DRONE_POINTS] * slot


@rule
def larges_near(s, seat):
    """Tell whether one drawing could complete every element whose large value is free."""
    for element in range(s.elements):
        left = s.element_squares[element] - s.filled[seat, element]
        if s.large_free[element] and left > s.most_cells:
            return False
    return not s.met[LARGE_VALUES]


@rule
def sides_of(s, seat):
    """Fill `s.side_gain`: for each square its sides to free squares less its other sides."""
    for square in range(s.squares):
        total = -4.0
        for side in range(4):
            other = s.side_squares[square, side]
            if other >= 0:
                bit = np.uint64(other % WORD)
                total += 2.0 * ((s.free[seat, other // WORD] >> bit) & ONE)
        s.side_gain[square] = total


@big_rule
def prepare(s, seat, place):
    """Work out what all drawings of a decision share."""
    if s.weights[place, HOLES] != 0.0 and not s.holes_known[seat]:
        find_holes(s, seat)
    if s.weights[place, PERIMETER] != 0.0:
        sides_of(s, seat)
    gains_of(s, seat, place)
    gains_of_parts(s)


@big_rule
def weigh_shape(s, seat, place, shape, drone):
    """Fill `s.value` for every drawing of a shape; note best, ties and number of equals."""
    constant = s.weights[place, SQUARES] * s.cells[shape]
    perimeter = s.weights[place, PERIMETER]
    best = -np.inf
    ties = 0
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            bits &= bits - ONE
            value = gain_of(s, placement) + constant
            if perimeter != 0.0:
                value += perimeter * more_perimeter(s, shape, placement)
            s.value[placement] = value
            if value > best:
                best = value
                ties = 1
            elif value == best:
                ties += 1
    s.best[drone, shape] = best
    s.ties[drone, shape] = ties
    if ties > 0 and ends_matter(s, seat, place, drone):
        add_endings(s, seat, place, shape, drone)
    if ties > 0 and s.weights[place, HOLES] != 0.0:
        add_holes(s, seat, place, shape, drone)


@rule
def ends_matter(s, seat, place, drone):
    """Tell whether a drawing of this kind may meet the first end condition."""
    if not weighs_end(s, place):
        return False
    return (drone == DRONE and s.slots_used[seat] + 1 == s.slots) or larges_near(s, seat)


@rule
def more_perimeter(s, shape, placement):
    """Return by how much a drawing lengthens the edge of the free area."""
    total = -2.0 * s.inner_sides[shape]
    for i in range(s.cells[shape]):
        total += s.side_gain[s.covered[placement, i]]
    return total


@big_rule
def add_endings(s, seat, place, shape, drone):
    """Add to `s.value` what meeting the first end condition is worth, drawing by drawing."""
    best = -np.inf
    ties = 0
    cost = 0
    flown = False
    if drone == DRONE:
        cost = s.slot_value[s.slots_used[seat]]
        flown = s.slots_used[seat] + 1 == s.slots
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            bits &= bits - ONE
            points = 0
            larges = 0
            for layer in range(3):
                part = s.part[placement, layer]
                for i in range(s.cells[shape]):
                    element = s.part_element[part, i]
                    squares = s.part_count[part, i]
                    filled = s.filled[seat, element] + squares
                    if squares > 0 and filled == s.element_squares[element]:
                        free = s.large_free[element]
                        points += s.large[element] if free else s.small[element]
                        larges += free
            if flown or larges == s.large_left:
                s.value[placement] += ending(s, seat, place, s.score[seat] + cost + points)
            value = s.value[placement]
            if value > best:
                best = value
                ties = 1
            elif value == best:
                ties += 1
    s.best[drone, shape] = best
    s.ties[drone, shape] = ties


@rule
def more_holes(s, seat, shape, placement):
    """Return by how much a drawing changes the number of squares that no ring shape can cover."""
    for space in range(SPACES):
        other = s.ring[space]
        for word in range(s.first_word[other], s.first_word[other + 1]):
            alive = s.alive[seat, word]
            for i in range(s.cells[shape]):
                alive &= ~s.cover[s.covered[placement, i], word]
            s.after[word] = alive
    made = 0
    for half in range(2):
        near = np.uint64(0)
        for i in range(s.cells[shape]):
            near |= s.near[s.covered[placement, i], half]
        made -= popcount(s.hole[seat, half] & s.mask[placement, half])
        near &= s.free[seat, half] & ~s.hole[seat, half] & ~s.mask[placement, half]
        while near != 0:
            made += not can_cover(s, s.after, half * WORD + lowest(near))
            near &= near - ONE
    return made


@rule
def first_best(s, seat, shape, best):
    """Return the first drawing of a shape whose value is the best."""
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            if s.value[placement] == best:
                return placement
            bits &= bits - ONE
    return NO_PLACEMENT


@big_rule
def add_holes(s, seat, place, shape, drone):
    """Add to `s.value` what holes are worth.

    Holes only grow but for those that are painted. So when holes are disliked and the best drawing
    is wanted, a drawing that would fall behind even with all its squares in holes is left out.
    """
    weight = s.weights[place, HOLES]
    hopeful = weight < 0.0 and s.temperature[place] == 0.0
    start = first_best(s, seat, shape, s.best[drone, shape])
    best = s.value[start] + weight * more_holes(s, seat, shape, start)
    s.value[start] = best
    ties = 1
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            bits &= bits - ONE
            if placement == start:
                continue
            value = s.value[placement]
            if hopeful:
                filled = 0
                for half in range(2):
                    filled += popcount(s.hole[seat, half] & s.mask[placement, half])
                if value - weight * filled < best:
                    s.value[placement] = choice.AVOIDED
                    continue
            value += weight * more_holes(s, seat, shape, placement)
            s.value[placement] = value
            if value > best:
                best = value
                ties = 1
            elif value == best:
                ties += 1
    s.best[drone, shape] = best
    s.ties[drone, shape] = ties
