"""West Story's rules, compiled: gains, the score track, production, the market.

`s` is the record of one game (`state.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim.compiled import big_rule, rule
from sim.games import eventlog
from sim.games.west_story import events
from sim.games.west_story.events import (
    BY_CARD,
    BY_COMBO,
    BY_COWS,
    BY_EFFECT,
    BY_HAT_BONUS,
    BY_HATS,
    BY_HERD_BONUS,
    BY_POT,
    BY_SKIP,
    BY_VILLAIN,
    BY_WILD_BONUS,
    COINS,
    COWS,
    DISCOUNT,
    FREE_FIGHT,
    FREE_TRADE,
    HATS,
    ROW_SPOTS,
    SLOTS,
    SPOTS,
    VP,
)
from sim.games.west_story.scoring import term_amount
from sim.games.west_story.state import MAX_CARDS, MAX_TRACK, NO_KIND, WILD

# Numbers that go into helpers are int64 (or attributes of a module): Numba would compile a helper
# anew for each plain number.
UNUSED = np.int64(-1)
NOBODY = np.int64(-1)
NONE, ONE = np.int64(0), np.int64(1)
IN, OUT = np.int64(1), np.int64(-1)
(
    EFFECT,
    HAT_BONUS,
    HERD_BONUS,
    TOO_MANY_HATS,
    TOO_MANY_COWS,
    SKIPPED,
    COMBO_COW,
    POT,
    VILLAIN,
    CARD,
    WILD_BONUS,
) = (
    np.int64(reason)
    for reason in (
        BY_EFFECT,
        BY_HAT_BONUS,
        BY_HERD_BONUS,
        BY_HATS,
        BY_COWS,
        BY_SKIP,
        BY_COMBO,
        BY_POT,
        BY_VILLAIN,
        BY_CARD,
        BY_WILD_BONUS,
    )
)
GETS_COINS, GETS_HATS, GETS_COWS, GETS_VP = (np.int64(what) for what in (COINS, HATS, COWS, VP))
WILD_EFFECTS = np.int64(SPOTS + MAX_CARDS)
"""Code of the first town's wild bonus among the effects."""
ALL_SPOTS = (1 << ROW_SPOTS) - 1
BY_DIE, MOVED, BY_COMBO_OF, BY_TOKEN, BY_TRADE = (np.int64(how) for how in range(5))
"""How a spot came to be executed: columns of `spot_by`."""


@rule
def note(s, log, event, seat, a, b, c):
    """Write a row of the event log, if one is kept."""
    eventlog.note(s, log, event, s.round, seat, a, b, c)


@rule
def refill(s, log, deck):
    """Purchase cards: refill a row of the market; an empty deck leaves it short."""
    for slot in range(SLOTS):
        if s.market[deck, slot] == NO_KIND and s.deck_n[deck] > 0:
            kind = s.deck[deck, s.deck_first[deck]]
            s.deck_first[deck] = (s.deck_first[deck] + 1) % s.deck.shape[1]
            s.deck_n[deck] -= 1
            s.market[deck, slot] = kind
            s.seen_of[s.kind_card[kind]] += 1
            note(s, log, events.DRAW, NOBODY, deck, slot, kind)


@rule
def area_of(s, vp):
    """Return the area of the score track in which a marker stands."""
    return np.int64(s.area_at[min(vp, MAX_TRACK - 1)])


@rule
def villain_of(s, area):
    """Villains: return the place of the token that is met in an area, -1 if there is none."""
    place = s.area_place[area]
    if place >= 0 and s.partner[place] >= 0:
        place = min(place, s.partner[place])
        if s.token[place] < 0:
            place = s.partner[place]
    if place >= 0 and s.token[place] < 0:
        return -1
    return place


@rule
def had_enough(s, place, paid):
    """Villains: tell whether a payment is the last that an uncatchable one takes."""
    holds = s.pot_coins[place] + s.pot_cows[place] + paid
    return s.token[place] == s.uncatchable and holds >= s.leaves_at


@rule
def turn_up(s, log, seat):
    """Villains: the token of the area that a marker stands in turns up."""
    place = villain_of(s, area_of(s, s.vp[seat]))
    if place >= 0 and not s.face_up[place]:
        s.face_up[place] = 1
        s.turned_round[place] = s.round + 1
        note(s, log, events.FLIP, seat, place, s.token[place], UNUSED)


@big_rule
def move_marker(s, log, seat, vp, why):
    """Victory points move the score marker: villains, wild tokens and the gold pan."""
    if vp <= 0:
        return
    s.vp[seat] += vp
    note(s, log, events.GAIN, seat, GETS_VP, vp, why)
    turn_up(s, log, seat)
    if s.wild_tokens:
        for i in range(2):
            if s.vp[seat] >= s.token_at[i] and not s.passed[seat, i]:
                s.passed[seat, i] = 1
                s.wild[seat] += 1
                note(s, log, events.WILD_TOKEN, seat, s.token_at[i], UNUSED, UNUSED)
    if s.vp[seat] >= s.lake_at and not s.at_lake[seat]:
        s.at_lake[seat] = 1
        s.lake_round[seat] = s.round + 1
        if s.producing:
            s.lake_now[seat] = 1
        elif s.pan > 0:
            s.pan -= 1
            s.lake_coins += 1
            s.coins[seat] += 1
            note(s, log, events.PAN_COIN, seat, ONE, UNUSED, UNUSED)


@rule
def gain_coins(s, log, seat, coins, why):
    """Add coins."""
    if coins > 0:
        s.coins[seat] += coins
        note(s, log, events.GAIN, seat, GETS_COINS, coins, why)


@big_rule
def gain_hats(s, log, seat, hats, why):
    """Production: hats up to the limit, the bonus coin, VP for each hat too many."""
    before = s.hats[seat]
    added = min(hats, s.hat_limit - before)
    if added > 0:
        s.hats[seat] = before + added
        note(s, log, events.GAIN, seat, GETS_HATS, added, why)
        reached = before < s.hat_bonus_at and s.hats[seat] >= s.hat_bonus_at
        if reached and not s.each_execution:
            gain_coins(s, log, seat, s.hat_bonus, HAT_BONUS)
    if hats > added:
        s.vp_limits[seat] += hats - added
        move_marker(s, log, seat, hats - added, TOO_MANY_HATS)


@big_rule
def gain_cows(s, log, seat, cows, why):
    """Production: cows into the herd, coins of the places they take, VP for each too many."""
    added = min(cows, s.cow_limit - s.cows[seat])
    bonus = 0
    for _ in range(added):
        bonus += s.herd_bonus[s.cows[seat]]
        s.cows[seat] += 1
    if added > 0:
        note(s, log, events.GAIN, seat, GETS_COWS, added, why)
        gain_coins(s, log, seat, bonus, HERD_BONUS)
    if cows > added and not (why == SKIPPED and s.no_overflow):
        s.vp_limits[seat] += cows - added
        move_marker(s, log, seat, cows - added, TOO_MANY_COWS)


@big_rule
def run_effect(s, log, seat, effect, alternative, why):
    """Production: give a seat what an effect says."""
    gave_hats = False
    for term in range(s.terms[effect, alternative]):
        what = s.term_what[effect, alternative, term]
        amount = term_amount(s, seat, effect, alternative, term)
        if amount > 0:
            if what == COINS:
                gain_coins(s, log, seat, amount, why)
            elif what == HATS:
                gave_hats = True
                gain_hats(s, log, seat, amount, why)
            elif what == COWS:
                gain_cows(s, log, seat, amount, why)
            elif what == VP:
                count_vp(s, seat, effect, amount)
                move_marker(s, log, seat, amount, why)
            else:
                gain_ability(s, log, seat, what, amount, why)
    if gave_hats and s.each_execution and s.hats[seat] >= s.hat_bonus_at:
        gain_coins(s, log, seat, s.hat_bonus, HAT_BONUS)


@rule
def count_vp(s, seat, effect, vp):
    """Count VP by their source: a space, a card, a town's wild symbol."""
    if effect < SPOTS:
        s.vp_spaces[seat] += vp
    elif effect < WILD_EFFECTS:
        s.vp_effects[seat] += vp
    else:
        s.vp_wild[seat] += vp


@rule
def gain_ability(s, log, seat, what, amount, why):
    """Production: an hourglass may be used in the coming turn."""
    note(s, log, events.GAIN, seat, what, amount, why)
    if what == DISCOUNT:
        s.discount[seat] += amount
    elif what == FREE_FIGHT:
        s.free_fight[seat] += amount
    elif what == FREE_TRADE:
        s.free_trade[seat] = 1


@rule
def row_of(spot):
    """Return the row of a spot: 0 top, 1 bottom."""
    return np.int64(spot >= ROW_SPOTS)


@rule
def row_marks(s, seat, row):
    """Return the marks of a row as six bits."""
    return (s.marks[seat] >> (row * ROW_SPOTS)) & ALL_SPOTS


@rule
def spot_of_die(s, seat, row, value):
    """Production: the die's own space, or the first one to the right without a marker."""
    marks = row_marks(s, seat, row)
    space = value - 1
    while (marks >> space) & 1:
        space = (space + 1) % ROW_SPOTS
    return row * ROW_SPOTS + space


@rule
def is_marked(s, seat, spot):
    """Tell whether a spot has a marker."""
    return (s.marks[seat] >> spot) & 1


@rule
def mark(s, log, seat, spot, by, how, spent):
    """Production: put a marker on a spot and note that it is to be executed."""
    s.marks[seat] |= np.int64(1) << spot
    s.marked[s.n_marked] = spot
    s.marked_how[s.n_marked] = how
    s.n_marked += 1
    note(s, log, events.MARK, seat, spot, by, spent)


@rule
def effect_at(s, seat, spot):
    """Return the code of the effect that a spot has: its top card's, or its own."""
    kind = s.top[seat, spot]
    return SPOTS + s.kind_card[kind] if kind >= 0 else np.int64(spot)


@rule
def meets(one, other):
    """Production: tell whether two spots' symbols match; wild matches any."""
    return (one & other) != 0 or WILD in (one, other)


@rule
def common_symbols(s, one, other):
    """Production: return the symbols that the third spot of a combo may have, as a mask."""
    if one == WILD and other == WILD:
        return 0 if s.double_wild_cow else WILD - 1
    if one == WILD:
        return other
    if other == WILD:
        return one
    return one & other


@rule
def may_be_third(s, seat, spot, symbols):
    """Production: tell whether a spot may be marked as the third of a combo."""
    mine = s.symbols[seat, spot]
    fits = (mine & symbols) != 0 or (mine == WILD and s.wild_third and symbols != 0)
    return fits and not is_marked(s, seat, spot)


@rule
def execute(s, log, seat, number, alternative):
    """Production: execute a marked spot."""
    spot = s.marked[number]
    effect = effect_at(s, seat, spot)
    s.executed[seat] += 1
    s.spot_by[spot, s.marked_how[number]] += 1
    if effect >= SPOTS:
        s.executed_of[effect - SPOTS] += 1
    else:
        s.spot_printed[spot] += 1
    note(s, log, events.EXECUTE, seat, spot, alternative, UNUSED)
    run_effect(s, log, seat, effect, alternative, EFFECT)


@rule
def clear_rows(s, log, seat):
    """Production: remove the markers of full rows."""
    for row in range(2):
        if row_marks(s, seat, row) == ALL_SPOTS:
            s.marks[seat] &= ~(np.int64(ALL_SPOTS) << (row * ROW_SPOTS))
            s.clears[seat] += 1
            note(s, log, events.CLEAR, seat, row, UNUSED, UNUSED)


@rule
def pay_at_lake(s, log):
    """Gold Panning: coins for who reached the lake in this production."""
    reached = 0
    for seat in range(s.players):
        reached += s.lake_now[seat]
    for i in range(s.players):
        seat = (s.first_player + i) % s.players
        if s.lake_now[seat]:
            s.lake_now[seat] = 0
            if s.pan > 0:
                s.pan -= 1
                s.lake_coins += 1
                s.coins[seat] += 1
                note(s, log, events.PAN_COIN, seat, ONE, UNUSED, UNUSED)
            elif reached > 1:
                s.bank_coins += 1
                s.coins[seat] += 1
                note(s, log, events.PAN_COIN, seat, NONE, UNUSED, UNUSED)
