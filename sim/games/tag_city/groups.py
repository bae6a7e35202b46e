"""The groups that a player's legal actions in Tag City fall into, compiled.

There are thousands of drawings, each by several dice and by drone. The actions of a decision fall
into groups (a die; painting, a shape by drone, or a bubble), and an action's value is its die's
worth plus its group's own values. The best action, and a draw by softmax, need only each group's
best value, number of equals, and sum of exp((value - best) / temperature).
"""

import math

import numpy as np

from sim import streams
from sim.compiled import big_rule, outer_rule, rule
from sim.games.bits import lowest, popcount
from sim.games.tag_city.features import (
    HOLES,
    PERIMETER,
    SQUARES,
    check_value,
    drone_value,
    ends_matter,
    prepare,
    weigh_dice,
    weigh_shape,
)
from sim.games.tag_city.rules import (
    CHECK,
    DRONE,
    NOBODY,
    ONE,
    PAINT,
    WORD,
    has_drone,
)

KINDS = 3
NOTHING = -np.inf


@rule
def drawings_of(s, seat, shape):
    """Return in how many ways a seat can draw a shape."""
    drawings = 0
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        drawings += popcount(s.alive[seat, word])
    return drawings


@rule
def is_forbidden(s, place, kind, shape):
    """Tell whether a style avoids this kind of action, or drawings of this shape."""
    return s.forbids[place, kind] or (kind != CHECK and s.forbids[place, KINDS + shape])


@big_rule
def weigh_evenly(s, seat, place, forbid):
    """Fill the groups for a style that weighs nothing: all that is allowed is worth the same."""
    s.drone_extra = 0.0
    s.apart = 0
    for i in range(s.n_choices):
        s.die_worth[i] = 0.0
    for i in range(s.n_bubbles):
        s.check_worth[i] = NOTHING if forbid and s.forbids[place, CHECK] else 0.0
    for i in range(s.n_in_play):
        shape = s.in_play[i]
        drawings = drawings_of(s, seat, shape)
        for kind in range(2):
            allowed = drawings > 0 and not (forbid and is_forbidden(s, place, kind, shape))
            if kind == DRONE:
                allowed = allowed and has_drone(s, seat)
            s.best[kind, shape] = 0.0 if allowed else NOTHING
            s.ties[kind, shape] = drawings if allowed else 0


@rule
def no_drawing(s, kind, shape):
    """Leave out the drawings of a shape of one kind."""
    s.best[kind, shape] = NOTHING
    s.ties[kind, shape] = 0


@rule
def spread(s, seat, shape, best, temperature):
    """Return the sum of exp((value - best) / temperature) over the drawings of a shape."""
    total = 0.0
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            total += math.exp((s.value[word * WORD + lowest(bits)] - best) / temperature)
            bits &= bits - ONE
    return total


@outer_rule
def weigh_drawings(s, seat, place, shape, kind):
    """Fill the group of a shape's drawings of one kind."""
    weigh_shape(s, seat, place, shape, kind)
    temperature = s.temperature[place]
    if temperature > 0.0:
        s.total[kind, shape] = spread(s, seat, shape, s.best[kind, shape], temperature)


@outer_rule
def weigh_paints(s, seat, place):
    """Fill the groups of drawings by the dice."""
    for i in range(s.n_in_play):
        no_drawing(s, PAINT, s.in_play[i])
    for i in range(s.n_choices):
        shape = s.ring[s.choice_space[i]]
        if s.ties[PAINT, shape] == 0 and not is_forbidden(s, place, PAINT, shape):
            weigh_drawings(s, seat, place, shape, PAINT)


@rule
def drones_are_worse(s, place):
    """Tell whether no drawing by drone can be as good as the best by a die.

    The sum of the best part of each layer bounds every drawing that is weighed by its parts alone.
    """
    if s.temperature[place] > 0.0 or s.apart:
        return False
    if s.weights[place, HOLES] != 0.0 or s.weights[place, PERIMETER] != 0.0:
        return False
    squares = s.weights[place, SQUARES]
    bound = s.bound[0] + s.bound[1] + s.bound[2] + max(squares, squares * s.most_cells)
    best = NOTHING
    most = NOTHING
    for i in range(s.n_choices):
        most = max(most, s.die_worth[i])
        best = max(best, s.best[PAINT, s.ring[s.choice_space[i]]] + s.die_worth[i])
    return bound + s.drone_extra + most < best


@outer_rule
def weigh_drones(s, seat, place):
    """Fill the groups of drawings by drone; unless they weigh the end apart, as with a die."""
    for i in range(s.n_in_play):
        no_drawing(s, DRONE, s.in_play[i])
    s.apart = 0
    if not has_drone(s, seat) or s.forbids[place, DRONE]:
        return
    s.drone_extra = drone_value(s, seat, place)
    s.apart = ends_matter(s, seat, place, DRONE)
    if drones_are_worse(s, place):
        return
    for i in range(s.n_in_play):
        shape = s.in_play[i]
        if is_forbidden(s, place, DRONE, shape):
            continue
        if s.ties[PAINT, shape] > 0 and not s.apart:
            s.best[DRONE, shape] = s.best[PAINT, shape]
            s.ties[DRONE, shape] = s.ties[PAINT, shape]
            s.total[DRONE, shape] = s.total[PAINT, shape]
        else:
            weigh_drawings(s, seat, place, shape, DRONE)


@outer_rule
def weigh_groups(s, seat, place, drafting):
    """Fill the groups for a style that weighs something, forbidden ones left out."""
    if drafting:
        weigh_dice(s, seat, place)
    prepare(s, seat, place)
    weigh_paints(s, seat, place)
    weigh_drones(s, seat, place)
    for i in range(s.n_bubbles):
        forbidden = s.forbids[place, CHECK]
        s.check_worth[i] = NOTHING if forbidden else check_value(s, seat, place, s.bubble[i])


@rule
def group(s, choice_, number):
    """Return the value and the number of equals of a group of actions with one die.

    Group 0 paints, the next fly a drone for each shape in play, the last check a bubble.
    """
    die = s.die_worth[choice_]
    if number == 0:
        shape = s.ring[s.choice_space[choice_]]
        return s.best[PAINT, shape] + die, s.ties[PAINT, shape]
    if number <= s.n_in_play:
        shape = s.in_play[number - 1]
        return s.best[DRONE, shape] + s.drone_extra + die, s.ties[DRONE, shape]
    value = s.check_worth[number - 1 - s.n_in_play] + die
    return value, np.int64(value != NOTHING)


@rule
def set_act(s, seat, choice_, number):
    """Note the die, the kind and the shape or bubble of a group as what the seat does."""
    s.act_choice[seat] = choice_
    if number == 0:
        s.act_kind[seat] = PAINT
        s.act_shape[seat] = s.ring[s.choice_space[choice_]]
    elif number <= s.n_in_play:
        s.act_kind[seat] = DRONE
        s.act_shape[seat] = s.in_play[number - 1]
    else:
        s.act_kind[seat] = CHECK
        s.act_bubble[seat] = s.bubble[number - 1 - s.n_in_play]


@big_rule
def best_of_groups(s, seat):
    """Choose among the best actions, drawn evenly; return which of its group's equals, or -1.

    -1: there is no action at all, as all are forbidden.
    """
    groups = 1 + s.n_in_play + s.n_bubbles
    top = NOTHING
    equals = 0
    for i in range(s.n_choices):
        for number in range(groups):
            value, ties = group(s, i, number)
            if ties > 0 and value > top:
                top = value
                equals = ties
            elif ties > 0 and value == top:
                equals += ties
    if equals == 0:
        return NOBODY
    skip = streams.below(s, streams.CHOICES, equals) if equals > 1 else 0
    for i in range(s.n_choices):
        for number in range(groups):
            value, ties = group(s, i, number)
            if ties > 0 and value == top:
                if skip < ties:
                    set_act(s, seat, i, number)
                    return skip
                skip -= ties
    return NOBODY


@rule
def nth_drawing(s, seat, shape, nth):
    """Return the drawing number `nth` of a shape."""
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        here = popcount(bits)
        if nth < here:
            for _ in range(nth):
                bits &= bits - ONE
            return word * WORD + lowest(bits)
        nth -= here
    return NOBODY


@rule
def nth_best(s, seat, shape, best, nth):
    """Return the drawing number `nth` of those of a shape that have the best value."""
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            bits &= bits - ONE
            if s.value[placement] == best:
                if nth == 0:
                    return placement
                nth -= 1
    return NOBODY


@rule
def drawn_drawing(s, seat, shape, best, temperature, left):
    """Return the drawing of a shape at which the running sum of `spread` passes `left`."""
    placement = NOBODY
    for word in range(s.first_word[shape], s.first_word[shape + 1]):
        bits = s.alive[seat, word]
        while bits != 0:
            placement = word * WORD + lowest(bits)
            bits &= bits - ONE
            left -= math.exp((s.value[placement] - best) / temperature)
            if left < 0.0:
                return placement
    return placement


@rule
def group_weight(s, choice_, number, top, temperature):
    """Return the sum of exp((value - top) / temperature) over a group of actions."""
    value, ties = group(s, choice_, number)
    if ties == 0:
        return 0.0
    weight = math.exp((value - top) / temperature)
    if number == 0:
        return weight * s.total[PAINT, s.ring[s.choice_space[choice_]]]
    if number <= s.n_in_play:
        return weight * s.total[DRONE, s.in_play[number - 1]]
    return weight


@big_rule
def softmax_of_groups(s, seat, temperature):
    """Choose a group by softmax; return where in its own sum the action lies, 0 to 1, or -1."""
    groups = 1 + s.n_in_play + s.n_bubbles
    top = NOTHING
    for i in range(s.n_choices):
        for number in range(groups):
            value, ties = group(s, i, number)
            if ties > 0:
                top = max(top, value)
    if top == NOTHING:
        return -1.0
    total = 0.0
    for i in range(s.n_choices):
        for number in range(groups):
            total += group_weight(s, i, number, top, temperature)
    left = streams.unit(s, streams.CHOICES) * total
    share = 0.0
    for i in range(s.n_choices):
        for number in range(groups):
            weight = group_weight(s, i, number, top, temperature)
            if weight > 0.0:
                set_act(s, seat, i, number)
                share = left / weight
                if share < 1.0:
                    return share
                left -= weight
    return min(share, 1.0)


@outer_rule
def weigh_again(s, seat, place, kind, shape):
    """Fill `s.value` for the drawings chosen from, if others of their shape may have come since."""
    if s.apart:
        weigh_shape(s, seat, place, shape, kind)
