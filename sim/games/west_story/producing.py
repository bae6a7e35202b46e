"""Production in West Story, compiled: what a player marks and executes, and its choices there."""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games.west_story import events
from sim.games.west_story.events import COMBO, GREEN, SPOTS, TOKEN, YELLOW
from sim.games.west_story.rules import (
    BY_COMBO_OF,
    BY_DIE,
    BY_TOKEN,
    COMBO_COW,
    MOVED,
    NONE,
    ONE,
    UNUSED,
    clear_rows,
    common_symbols,
    effect_at,
    execute,
    gain_cows,
    mark,
    may_be_third,
    meets,
    note,
    spot_of_die,
)
from sim.games.west_story.taking import (
    ALTERNATIVE,
    COW,
    PASS,
    SPOT,
    add,
    add_pass,
    take,
)
from sim.games.west_story.values import (
    value_of_alternative,
    value_of_cow,
    value_of_marking,
)

A_TOKEN = events.ACTIONS.index("token")
BY_YELLOW, BY_GREEN, BY_COMBO, BY_WILD_TOKEN = (
    np.int64(by) for by in (YELLOW, GREEN, COMBO, TOKEN)
)
TOP, BOTTOM = np.int64(0), np.int64(1)


@rule
def die_mark(s, log, seat, row, value, by):
    """Production: mark the spot of a die."""
    spot = spot_of_die(s, seat, row, value)
    own = spot - row * 6 == value - 1
    mark(s, log, seat, spot, by, BY_DIE if own else MOVED, NONE)
    return spot


@big_rule
def choose_third(s, seat, place, symbols, tokens):
    """Production: choose the third spot; for a wild token, or none of it. Return the action."""
    s.n_actions = 0
    forbidden = tokens > 0 and s.forbids_kind[place, A_TOKEN]
    plain = s.indifferent[place]
    if tokens > 0:
        add_pass(s, seat, place)
    found = False
    for spot in range(SPOTS):
        if may_be_third(s, seat, spot, symbols):
            found = True
            value = 0.0 if plain else value_of_marking(s, seat, place, spot, tokens)
            add(s, SPOT, spot, UNUSED, value, forbidden)
    if not found:
        value = 0.0 if plain else value_of_cow(s, seat, place, tokens)
        add(s, COW, UNUSED, UNUSED, value, forbidden)
    return take(s, seat, place)


@outer_rule
def third_spot(s, log, seat, place, top, bottom):
    """Production: a combo, or a wild token in place of one."""
    one = s.symbols[seat, top]
    other = s.symbols[seat, bottom]
    combo = meets(one, other)
    if combo:
        symbols = common_symbols(s, one, other)
        spent = NONE
    elif s.wild_ready[seat] > 0:
        symbols = one | other
        spent = ONE
    else:
        return
    chosen = choose_third(s, seat, place, symbols, spent)
    kind = s.action[chosen, 0]
    if kind == PASS:
        return
    s.wild[seat] -= spent
    s.tokens_used[seat] += spent
    if kind == SPOT:
        spot = s.action[chosen, 1]
        by = BY_COMBO if combo else BY_WILD_TOKEN
        how = BY_COMBO_OF if combo else BY_TOKEN
        s.combos[seat] += combo
        mark(s, log, seat, spot, by, how, spent)
    else:
        s.combo_cows[seat] += combo
        note(s, log, events.COMBO_COW, seat, spent, UNUSED, UNUSED)
        gain_cows(s, log, seat, ONE, COMBO_COW)


@rule
def next_marked(s, seat, left):
    """Return which marked spot is executed next: most hats first, those with a choice last."""
    best = -1
    best_hats = -1
    for number in range(s.n_marked):
        if (left >> number) & 1:
            effect = effect_at(s, seat, s.marked[number])
            hats = s.flat_hats[effect] + 1 if s.alternatives[effect] == 1 else 0
            if hats > best_hats:
                best = number
                best_hats = hats
    return best


@big_rule
def choose_alternative(s, seat, place, effect):
    """Production: choose between what a spot offers."""
    s.n_actions = 0
    for alternative in range(s.alternatives[effect]):
        value = 0.0
        if not s.indifferent[place]:
            value = value_of_alternative(s, seat, place, effect, alternative)
        add(s, ALTERNATIVE, np.int64(alternative), UNUSED, value, False)
    return np.int64(take(s, seat, place))


@outer_rule
def execute_marked(s, log, seat, place):
    """Production: execute what is marked, then clear full rows."""
    left = (1 << s.n_marked) - 1
    while left > 0:
        number = next_marked(s, seat, left)
        left &= ~(1 << number)
        effect = effect_at(s, seat, s.marked[number])
        alternative = np.int64(0)
        if s.alternatives[effect] > 1:
            alternative = choose_alternative(s, seat, place, effect)
        execute(s, log, seat, number, alternative)
    clear_rows(s, log, seat)


@outer_rule
def production(s, log, seat, place):
    """Production: mark, look for a combo, execute, clear."""
    s.n_marked = 0
    s.wild_ready[seat] = s.wild[seat]
    top = die_mark(s, log, seat, TOP, s.die[0], BY_YELLOW)
    bottom = die_mark(s, log, seat, BOTTOM, s.die[1], BY_GREEN)
    third_spot(s, log, seat, place, top, bottom)
    execute_marked(s, log, seat, place)
