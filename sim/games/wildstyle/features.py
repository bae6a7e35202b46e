"""What a player of Wildstyle weighs in an act, compiled; `vocabulary.FEATURES` says it.

Only what an act has is added up: value = weights . features, without the zeros.
"""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, outer_rule, rule
from sim.games import scripting, standings
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.rules import (
    BEST_HEX,
    draws_left,
    icon_of,
    legal_acts,
    places_left,
    target_of,
)
from sim.games.wildstyle.setting import deal_unseen
from sim.games.wildstyle.worth import find_worths, is_open

NAMES = vocabulary.FEATURE_NAMES
DRAWS = NAMES.index("draws")
HAND_SPACE = NAMES.index("hand_space")
ADDS = NAMES.index("adds")
TAKES = NAMES.index("takes")
SHARES = NAMES.index("shares")
STARTS_SET = NAMES.index("starts_set")
GROWS_SET = NAMES.index("grows_set")
FILLS_SET = NAMES.index("fills_set")
ICON_WORTH = NAMES.index("icon_worth")
NO_PLACE = NAMES.index("no_place")
SAME_IN_HAND = NAMES.index("same_in_hand")
ICON_UNSEEN = NAMES.index("icon_unseen")
RIVALS_WANT = NAMES.index("rivals_want")
FEEDS_RIVALS = NAMES.index("feeds_rivals")
SHARES_MATCH = NAMES.index("shares_match")
SHARES_WORTH = NAMES.index("shares_worth")
FREES_FULL_HAND = NAMES.index("frees_full_hand")
COMPLETES = NAMES.index("completes")
RUSHES = NAMES.index("rushes")
CARDS_MISSING = NAMES.index("cards_missing")
CARS_TAKEN = NAMES.index("cars_taken")
FREE_CAR = NAMES.index("free_car")
CARDS_GONE = NAMES.index("cards_gone")
IN_FINAL_PHASE = NAMES.index("in_final_phase")
ROUNDS_LEFT = NAMES.index("rounds_left")
TAGS_LEFT = NAMES.index("tags_left")
RIVALS_TAGS = NAMES.index("rivals_tags")
NO_TAG = NAMES.index("no_tag")
WAITS = NAMES.index("waits")
STOPS = NAMES.index("stops")

FROM_PILE = np.int64(0)
FROM_HAND = np.int64(1)


@rule
def in_hand(s, seat, icon):
    """Return how many cards of an icon a seat holds."""
    count = 0
    for i in range(s.hand_n[seat]):
        count += icon_of(s.hand[seat, i]) == icon
    return count


@rule
def unseen(s, seat, icon):
    """Return how many cards of an icon nobody has shown and the seat does not hold."""
    return s.icon_copies[icon] - s.shown[icon] - in_hand(s, seat, icon)


@rule
def rivals_collecting(s, seat, icon):
    """Return how many rivals have an unfinished set of an icon."""
    rivals = 0
    for other in range(s.players):
        if other != seat:
            wants = False
            for place in range(s.set_n.shape[1]):
                n = s.set_n[other, place]
                wants |= 0 < n < s.set_size and s.set_icon[other, place] == icon
            rivals += wants
    return rivals


@rule
def tags_off_anyway(s, seat):
    """Return how many tags of the seat touch no other of its own."""
    alone = 0
    for cluster in range(s.clusters[seat]):
        alone += s.cluster_size[seat, cluster] == 1
    return alone


@rule
def fewest_rival_tags(s, seat):
    """Return the fewest tags on a mat of a rival."""
    fewest = s.tags_each_round * s.rounds
    for other in range(s.players):
        if other != seat:
            fewest = min(fewest, s.mat[other])
    return fewest


@big_rule
def value_on_set(s, seat, place, where, icon, from_hand):
    """Return what it is worth to play a card of an icon onto a set space."""
    w = s.weights
    n = s.set_n[seat, where]
    value = w[place, GROWS_SET] if n > 0 else w[place, STARTS_SET]
    if n + 1 == s.set_size:
        value += w[place, FILLS_SET]
    value += w[place, ICON_WORTH] * s.best_worth[seat, icon]
    if places_left(s, seat, icon) == 0:
        value += w[place, NO_PLACE]
    if w[place, SAME_IN_HAND] != 0.0:
        value += w[place, SAME_IN_HAND] * (in_hand(s, seat, icon) - from_hand)
    if w[place, ICON_UNSEEN] != 0.0:
        value += w[place, ICON_UNSEEN] * unseen(s, seat, icon)
    return value


@big_rule
def value_of_share(s, seat, place, icon):
    """Return what it is worth to give away a card of an icon."""
    w = s.weights
    value = w[place, SHARES]
    if s.hand_n[seat] == s.hand_size:
        value += w[place, FREES_FULL_HAND]
    if w[place, FEEDS_RIVALS] != 0.0:
        value += w[place, FEEDS_RIVALS] * rivals_collecting(s, seat, icon)
    for where in range(s.set_n.shape[1]):
        n = s.set_n[seat, where]
        if 0 < n < s.set_size and s.set_icon[seat, where] == icon:
            value += w[place, SHARES_MATCH]
            break
    return value + w[place, SHARES_WORTH] * s.best_worth[seat, icon]


@big_rule
def value_of_rush(s, seat, place, where):
    """Return what speaks for and against a rush, the tag aside."""
    w = s.weights
    value = w[place, RUSHES] + w[place, CARDS_MISSING] * (s.set_size - s.set_n[seat, where])
    value += w[place, CARS_TAKEN] * s.cars[seat]
    if tags_off_anyway(s, seat) > s.cars[seat]:
        value += w[place, FREE_CAR]
    value += w[place, CARDS_GONE] * (s.drawable - draws_left(s)) / s.drawable
    if s.final:
        value += w[place, IN_FINAL_PHASE]
    value += w[place, ROUNDS_LEFT] * (s.rounds - s.round)
    return value + w[place, RIVALS_TAGS] * fewest_rival_tags(s, seat)


@big_rule
def weigh_clearing(s, seat, place, action):
    """Fill in the values of an act that clears a set, and of those after it on the same set.

    They differ in the hex alone. Returns the first act that is another one.
    """
    kind = s.kind[action]
    where = s.aim[action] % events.Y
    icon = s.set_icon[seat, where]
    if kind == events.RUSH:
        value = value_of_rush(s, seat, place, where)
    else:
        value = s.weights[place, COMPLETES]
    with_tag = value + s.weights[place, TAGS_LEFT] * s.mat[seat]
    with_tag += s.extra[seat, icon]
    while s.kind[action] == kind and s.aim[action] % events.Y == where:
        cell = s.aim[action] // events.Y
        if cell == events.NO_HEX:
            s.value[action] = value + s.weights[place, NO_TAG]
        elif cell == BEST_HEX:
            s.value[action] = with_tag + s.best_bare[seat, icon]
        else:
            s.value[action] = with_tag + s.worth[seat, cell]
        action += 1
    return action


@outer_rule
def weigh_acts(s, seat, place):
    """Fill `s.value`: weights . features for each legal act, -inf for a forbidden kind."""
    find_worths(s, seat, place)
    action = np.int64(0)
    while action < s.n_actions:
        kind = s.kind[action]
        aim = s.aim[action]
        if kind in (events.COMPLETE, events.RUSH):
            following = weigh_clearing(s, seat, place, action)
            if s.forbids[place, kind]:
                for i in range(action, following):
                    s.value[i] = choice.AVOIDED
            action = following
            continue
        value = 0.0
        if s.forbids[place, kind]:
            value = choice.AVOIDED
        elif kind == events.DRAW:
            value = s.weights[place, DRAWS]
            value += s.weights[place, HAND_SPACE] * (s.hand_size - s.hand_n[seat])
        elif kind == events.ADD:
            icon = icon_of(aim // events.Y)
            value = s.weights[place, ADDS]
            value += value_on_set(s, seat, place, aim % events.Y, icon, FROM_HAND)
        elif kind == events.TAKE:
            icon = icon_of(aim // events.Y % events.Y)
            value = s.weights[place, TAKES]
            value += value_on_set(s, seat, place, aim // events.Z, icon, FROM_PILE)
            if s.weights[place, RIVALS_WANT] != 0.0:
                value += s.weights[place, RIVALS_WANT] * rivals_collecting(s, seat, icon)
        elif kind == events.SHARE:
            value = value_of_share(s, seat, place, icon_of(aim // events.Y))
        elif kind == events.WAIT:
            value = s.weights[place, WAITS]
        else:
            value = s.weights[place, STOPS]
        s.value[action] = value
        action += 1


@big_rule
def any_of_any_kind(s, place):
    """Return an act drawn evenly among the legal kinds, then within the kind; waits if it must."""
    kinds = 0
    before = np.int64(-1)
    for kind in range(events.WAIT):
        if not s.forbids[place, kind] and has_kind(s, kind):
            kinds += 1
    if not s.forbids[place, events.STOP] and has_kind(s, events.STOP):
        kinds += 1
    if kinds == 0:
        return s.n_actions - 1
    skip = streams.below(s, streams.CHOICES, kinds)
    for kind in range(len(events.ACTS)):
        if kind != events.WAIT and not s.forbids[place, kind] and has_kind(s, kind):
            if skip == 0:
                before = kind
                break
            skip -= 1
    count = 0
    for action in range(s.n_actions):
        count += s.kind[action] == before
    skip = streams.below(s, streams.CHOICES, count)
    for action in range(s.n_actions):
        if s.kind[action] == before:
            if skip == 0:
                return action
            skip -= 1
    return s.n_actions - 1


@rule
def has_kind(s, kind):
    """Tell whether an act of a kind is legal."""
    found = False
    for action in range(s.n_actions):
        found |= s.kind[action] == kind
    return found


@rule
def acts_meant(s, seat, action):
    """Return how many acts an entry of the list stands for."""
    if is_clearing(s, action) and s.aim[action] // events.Y == BEST_HEX:
        return s.best_hexes[seat, s.set_icon[seat, s.aim[action] % events.Y]]
    return np.int64(1)


@rule
def is_clearing(s, action):
    """Tell whether an act clears a set."""
    return s.kind[action] == events.COMPLETE or s.kind[action] == events.RUSH


@rule
def name_hex(s, seat, action, number):
    """Put one of the equally best hexes in place of BEST_HEX."""
    where = s.aim[action] % events.Y
    icon = s.set_icon[seat, where]
    best = s.best_bare[seat, icon]
    for i in range(s.icon_n[icon]):
        cell = np.int64(s.icon_hexes[icon, i])
        if is_open(s, seat, cell) and s.worth[seat, cell] == best:
            if number == 0:
                s.aim[action] = target_of(where, cell, 0)
                return
            number -= 1


@big_rule
def best_act(s, seat):
    """Return the best act of a brief list, drawn evenly among equals."""
    best = s.value[0]
    for action in range(1, s.n_actions):
        best = max(best, s.value[action])
    equals = 0
    for action in range(s.n_actions):
        if s.value[action] == best:
            equals += acts_meant(s, seat, action)
    number = streams.below(s, streams.CHOICES, equals) if equals > 1 else np.int64(0)
    for action in range(s.n_actions):
        if s.value[action] == best:
            meant = acts_meant(s, seat, action)
            if number < meant:
                if is_clearing(s, action) and s.aim[action] // events.Y == BEST_HEX:
                    name_hex(s, seat, action, number)
                return np.int64(action)
            number -= meant
    return np.int64(0)


@big_rule
def count_acts(s, seat):
    """Count the decision; the best hexes of a brief list stand for every open one."""
    options = 0
    for action in range(s.n_actions - 1):
        if is_clearing(s, action) and s.aim[action] // events.Y == BEST_HEX:
            options += places_left(s, seat, s.set_icon[seat, s.aim[action] % events.Y])
        else:
            options += 1
    if options > 0:
        standings.count_options(s, seat, options)


@big_rule
def followed(s, seat, place):
    """Return the act that is decided on in a scripted game."""
    if not s.indifferent[place]:
        weigh_acts(s, seat, place)
    scripting.watch(s, seat, place)
    if scripting.is_watched(s):
        for action in range(s.n_actions):
            scripting.keep(s, np.int64(action), 0.0 if s.indifferent[place] else s.value[action])
    if scripting.is_set(s):
        chosen = np.int64(s.script[s.decision])
    elif s.indifferent[place]:
        chosen = np.int64(any_of_any_kind(s, place))
    else:
        chosen = np.int64(choice.choose(s, place))
    scripting.done(s, chosen)
    if scripting.forks(s):
        deal_unseen(s, seat)
    return chosen


@outer_rule
def choose_act(s, seat, place):
    """List the legal acts; return the one that the style at this place of the line-up decides on.

    Who takes the best act needs but a brief list of hexes.
    """
    s.brief = not s.scripted and not s.indifferent[place] and s.temperature[place] == 0.0
    legal_acts(s, seat)
    if s.keeping:
        count_acts(s, seat)
    if s.n_actions == 1:
        return np.int64(0)
    if s.scripted:
        return followed(s, seat, place)
    if s.indifferent[place]:
        return any_of_any_kind(s, place)
    weigh_acts(s, seat, place)
    return best_act(s, seat) if s.brief else choice.choose(s, place)
