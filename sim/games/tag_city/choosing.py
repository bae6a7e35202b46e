"""How a compiled player of Tag City chooses among its legal actions without listing them."""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, outer_rule, rule
from sim.games import scripting, standings
from sim.games.tag_city.features import (
    weigh_side,
)
from sim.games.tag_city.groups import (
    NOTHING,
    best_of_groups,
    drawings_of,
    drawn_drawing,
    group,
    nth_best,
    nth_drawing,
    set_act,
    softmax_of_groups,
    weigh_again,
    weigh_evenly,
    weigh_groups,
)
from sim.games.tag_city.rules import (
    CHECK,
    NO_BUBBLE,
    NOBODY,
    has_drone,
    has_room,
    space_of,
)

BASE = np.int64(1 << 14)
"""More than there are dice, kinds, shapes, bubbles or placements."""
FORBID, ALLOW = np.int64(1), np.int64(0)


@rule
def dice_to_choose(s):
    """Turn Sequence: list the different dice on the HQ, by value and space."""
    s.n_choices = 0
    for value in range(1, 7):
        for side in range(2):
            if s.dice[value, side] > 0:
                s.choice_value[s.n_choices] = value
                s.choice_space[s.n_choices] = space_of(value, side)
                s.n_choices += 1


@rule
def bubbles_to_choose(s):
    """Checking Social Networks: list the bubbles left, the first of each value; or none (-1)."""
    s.n_bubbles = 0
    for bubble in range(s.bubbles):
        if s.bubble_free[bubble]:
            known = False
            for i in range(s.n_bubbles):
                known = known or s.bubble_value[s.bubble[i]] == s.bubble_value[bubble]
            if not known:
                s.bubble[s.n_bubbles] = bubble
                s.n_bubbles += 1
    if s.n_bubbles == 0:
        s.bubble[0] = NO_BUBBLE
        s.n_bubbles = 1


@rule
def best_bubble(s):
    """The Last Die: all who check circle the bubble of the highest value left, the first such."""
    best = NO_BUBBLE
    for bubble in range(s.bubbles):
        better = best == NO_BUBBLE or s.bubble_value[bubble] > s.bubble_value[best]
        if s.bubble_free[bubble] and better:
            best = bubble
    s.bubble[0] = best
    s.n_bubbles = 1


@rule
def is_choice(s, seat):
    """Tell whether a seat has more than one legal action."""
    if s.n_choices > 1 or s.n_bubbles > 1 or has_room(s, seat, s.ring[s.choice_space[0]]):
        return True
    if has_drone(s, seat):
        for i in range(s.n_in_play):
            if has_room(s, seat, s.in_play[i]):
                return True
    return False


@big_rule
def count_actions(s, seat):
    """Count the decision for the tables: every drawing with every die, every bubble left."""
    flown = 0
    for i in range(s.n_in_play if has_drone(s, seat) else 0):
        flown += drawings_of(s, seat, s.in_play[i])
    options = s.n_choices * (s.n_bubbles + flown)
    for i in range(s.n_choices):
        options += drawings_of(s, seat, s.ring[s.choice_space[i]])
    standings.count_options(s, seat, options)


@outer_rule
def choose_side(s, place, value):
    """Turn Sequence: return which of its two spaces a die goes to."""
    s.n_actions = 2
    for side in range(2):
        s.value[side] = 0.0
        if not s.indifferent[place]:
            s.value[side] = weigh_side(s, place, space_of(value, side))
    s.decisions += 1
    standings.count_options(s, s.leader, s.n_actions)
    if s.scripted:
        chosen = scripting.from_list(s, s.leader, place)
        if scripting.forks(s):
            scripting.reseed(s, streams.CHOICES)
        return chosen
    return np.int64(choice.choose(s, place))


@big_rule
def choose_evenly(s, seat, place, forbid):
    """Choose among all actions alike; tell whether there is any."""
    weigh_evenly(s, seat, place, forbid)
    nth = best_of_groups(s, seat)
    if nth == NOBODY:
        return False
    if s.act_kind[seat] != CHECK:
        s.act_placement[seat] = nth_drawing(s, seat, s.act_shape[seat], nth)
    return True


@outer_rule
def choose_weighing(s, seat, place, drafting):
    """Choose by weights and temperature; tell whether any action is allowed."""
    weigh_groups(s, seat, place, drafting)
    temperature = s.temperature[place]
    nth = np.int64(0)
    share = 0.0
    if temperature > 0.0:
        share = softmax_of_groups(s, seat, temperature)
    else:
        nth = best_of_groups(s, seat)
    if nth < 0 or share < 0.0:
        return False
    kind = s.act_kind[seat]
    shape = s.act_shape[seat]
    if kind != CHECK:
        weigh_again(s, seat, place, kind, shape)
        best = s.best[kind, shape]
        if temperature > 0.0:
            left = share * s.total[kind, shape]
            s.act_placement[seat] = drawn_drawing(s, seat, shape, best, temperature, left)
        else:
            s.act_placement[seat] = nth_best(s, seat, shape, best, nth)
    return True


@rule
def packed_act(s, seat):
    """Return what a seat does as one number."""
    what = s.act_bubble[seat] if s.act_kind[seat] == CHECK else s.act_shape[seat]
    placement = 0 if s.act_kind[seat] == CHECK else s.act_placement[seat]
    return ((s.act_choice[seat] * BASE + s.act_kind[seat]) * BASE + what + 1) * BASE + placement


@rule
def unpack_act(s, seat, code):
    """Let a seat do what a number says."""
    s.act_placement[seat] = code % BASE
    what = code // BASE % BASE - 1
    s.act_kind[seat] = code // BASE**2 % BASE
    s.act_choice[seat] = code // BASE**3
    if s.act_kind[seat] == CHECK:
        s.act_bubble[seat] = what
    else:
        s.act_shape[seat] = what


@big_rule
def keep_groups(s, seat, place):
    """Keep the best action of each group of the watched decision."""
    chosen = packed_act(s, seat)
    for i in range(s.n_choices):
        for number in range(1 + s.n_in_play + s.n_bubbles):
            value, ties = group(s, i, number)
            if ties > 0 and value > NOTHING:
                set_act(s, seat, i, number)
                kind = s.act_kind[seat]
                if kind != CHECK:
                    shape = s.act_shape[seat]
                    if s.indifferent[place]:
                        s.act_placement[seat] = nth_drawing(s, seat, shape, np.int64(0))
                    else:
                        weigh_again(s, seat, place, kind, shape)
                        best = s.best[kind, shape]
                        s.act_placement[seat] = nth_best(s, seat, shape, best, np.int64(0))
                scripting.keep(s, packed_act(s, seat), value)
    unpack_act(s, seat, chosen)


@big_rule
def follow(s, seat, place):
    """Keep a scripted game's decision, and fork if it is time."""
    scripting.watch(s, seat, place)
    if scripting.is_watched(s):
        keep_groups(s, seat, place)
    scripting.done(s, packed_act(s, seat))
    if scripting.forks(s):
        scripting.reseed(s, streams.CHOICES)


@outer_rule
def choose_action(s, seat, place, drafting):
    """Choose what to do with one of the dice listed: paint, fly a drone or check the networks."""
    s.act_choice[seat] = 0
    s.act_kind[seat] = CHECK
    s.act_bubble[seat] = s.bubble[0]
    if s.keeping:
        count_actions(s, seat)
    if not is_choice(s, seat):
        return
    s.decisions += 1
    if s.scripted and scripting.is_set(s):
        unpack_act(s, seat, s.script[s.decision])
    else:
        if s.indifferent[place]:
            chosen = choose_evenly(s, seat, place, FORBID)
        else:
            chosen = choose_weighing(s, seat, place, drafting)
        if not chosen:
            choose_evenly(s, seat, place, ALLOW)
    if s.scripted:
        follow(s, seat, place)
