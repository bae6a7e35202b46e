"""Wildstyle's rules, compiled: functions named for the rulebook's headings, in its order.

`s` is the record of one game (`state.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games import bits, eventlog
from sim.games.wildstyle import events
from sim.games.wildstyle.objectives import (
    change,
    count_in_figures,
    join_clusters,
    touch,
)
from sim.games.wildstyle.worth import is_open, map_changed

# Numbers that go into helpers are int64 (or attributes of a module): Numba would compile a helper
# anew for each plain number.
UNUSED = np.int64(-1)
NOBODY = np.int64(-1)
EMPTY = np.int64(-1)
AT_START = np.int64(0)
BEST_HEX = np.int64(254)
"""In a brief list of acts: whichever open hex of the icon is worth most."""

FINISHED = 0
ACTING = 1
WAITING = 2
REACTING = 3
LOOKING = 4
"""What a seat is doing."""


@rule
def note(s, log, event, seat, time, a, b, c):
    """Write a row of the event log, if one is kept."""
    eventlog.note(s, log, event, seat, time, a, b, c)


@rule
def icon_of(card):
    """Return a card's icon."""
    return card // events.COLOURS


@rule
def target_of(x, y, z):
    """Return what an act aims at, packed as the log has it."""
    return x * events.X + y * events.Y + z * events.Z


@rule
def places_left(s, seat, icon):
    """Return how many hexes of an icon a seat may still tag."""
    if icon == events.STATION:
        return s.icon_n[icon] - s.icon_tags[seat, icon]
    return s.free[icon]


@rule
def fits_share(s, pile, card):
    """Share a Card: an empty pile, or the icon or the colour of its top card."""
    if s.share_n[pile] == 0:
        return True
    top = s.share[pile, s.share_n[pile] - 1]
    return icon_of(top) == icon_of(card) or top % events.COLOURS == card % events.COLOURS


@rule
def fits_set(s, seat, place, card):
    """Add to a Set: an empty space (not in the final phase), or a set of the icon with room."""
    if s.set_n[seat, place] == 0:
        return not s.final
    return s.set_icon[seat, place] == icon_of(card) and s.set_n[seat, place] < s.set_size


@rule
def same_sets(s, seat):
    """Tell whether both set spaces hold the same: what is done to one is done to either."""
    return s.set_n[seat, 0] == s.set_n[seat, 1] and (
        s.set_n[seat, 0] == 0 or s.set_icon[seat, 0] == s.set_icon[seat, 1]
    )


@rule
def may_rush(s):
    """Rush a Set: a cop car is left, and the round's phase allows it."""
    return s.cars_left > 0 and (not s.final or s.final_rush)


@rule
def add_act(s, kind, aim):
    """Append a legal act."""
    s.kind[s.n_actions] = kind
    s.aim[s.n_actions] = aim
    s.n_actions += 1


@rule
def list_card_acts(s, seat):
    """Actions: Draw a Card, Add to a Set, Share a Card."""
    if s.hand_n[seat] < s.hand_size:
        for pile in range(s.draw_piles):
            if s.top[pile] > s.bottom[pile]:
                add_act(s, events.DRAW, np.int64(pile))
    places = 1 if same_sets(s, seat) else 2
    for i in range(s.hand_n[seat]):
        card = np.int64(s.hand[seat, i])
        seen = False
        for j in range(i):
            seen |= s.hand[seat, j] == card
        if not seen:
            for place in range(places):
                if fits_set(s, seat, place, card):
                    add_act(s, events.ADD, target_of(np.int64(place), card, 0))
            for pile in range(s.share_piles):
                if fits_share(s, pile, card):
                    add_act(s, events.SHARE, target_of(np.int64(pile), card, 0))
    for pile in range(s.share_piles):
        if s.share_n[pile] > 0:
            card = np.int64(s.share[pile, s.share_n[pile] - 1])
            for place in range(places):
                if fits_set(s, seat, place, card):
                    add_act(s, events.TAKE, target_of(np.int64(pile), card, np.int64(place)))


@big_rule
def list_clearing(s, seat):
    """Complete a Set, Rush a Set, Clearing Without Placing: with each open hex, and with none.

    A brief list names the best hexes of the icon once, as BEST_HEX.
    """
    places = 1 if same_sets(s, seat) else 2
    rushing = may_rush(s)
    for place in range(places):
        n = s.set_n[seat, place]
        if n == s.set_size or (n > 0 and rushing):
            kind = events.COMPLETE if n == s.set_size else events.RUSH
            icon = s.set_icon[seat, place]
            if s.brief:
                if places_left(s, seat, icon) > 0:
                    add_act(s, kind, target_of(np.int64(place), BEST_HEX, 0))
            else:
                for i in range(s.icon_n[icon]):
                    cell = np.int64(s.icon_hexes[icon, i])
                    if is_open(s, seat, cell):
                        add_act(s, kind, target_of(np.int64(place), cell, 0))
            add_act(s, kind, target_of(np.int64(place), events.NO_HEX, 0))


@rule
def legal_acts(s, seat):
    """Actions: list what a seat may do, distinct by effect; waiting last, stopping before it."""
    s.n_actions = 0
    list_card_acts(s, seat)
    list_clearing(s, seat)
    if s.final:
        add_act(s, events.STOP, UNUSED)
    add_act(s, events.WAIT, UNUSED)


@rule
def remove_from_hand(s, seat, card):
    """Take a card out of a hand."""
    last = s.hand_n[seat] - 1
    for i in range(last):
        if s.hand[seat, i] == card:
            s.hand[seat, i] = s.hand[seat, last]
            break
    s.hand_n[seat] = last


@rule
def put_on_set(s, seat, place, card):
    """Play a card onto a set pile."""
    s.set_icon[seat, place] = icon_of(card)
    s.set_n[seat, place] += 1


@rule
def draw_card(s, seat, pile):
    """Draw a Card; return it, or -1 if the pile is empty."""
    if s.top[pile] == s.bottom[pile]:
        return UNUSED
    s.top[pile] -= 1
    s.to_draw -= 1
    card = np.int64(s.cards[s.top[pile]])
    s.hand[seat, s.hand_n[seat]] = card
    s.hand_n[seat] += 1
    s.drawn[seat] += 1
    s.round_drawn[s.round - 1] += 1
    return card


@rule
def share_card(s, seat, pile, card):
    """Share a Card; tell whether it could be done."""
    if not fits_share(s, pile, card):
        return False
    remove_from_hand(s, seat, card)
    s.share[pile, s.share_n[pile]] = card
    s.share_n[pile] += 1
    s.shown[icon_of(card)] += 1
    s.shared[seat] += 1
    s.round_shared[s.round - 1] += 1
    return True


@rule
def add_card(s, seat, place, card):
    """Add to a Set, with a card from the hand; tell whether it could be done."""
    if not fits_set(s, seat, place, card):
        return False
    remove_from_hand(s, seat, card)
    put_on_set(s, seat, place, card)
    s.shown[icon_of(card)] += 1
    return True


@rule
def take_shared(s, seat, pile, card, place):
    """Playing Shared Cards; tell whether it could be done."""
    n = s.share_n[pile]
    if n == 0 or s.share[pile, n - 1] != card or not fits_set(s, seat, place, card):
        return False
    s.share_n[pile] = n - 1
    put_on_set(s, seat, place, card)
    s.took[seat] += 1
    s.round_taken[s.round - 1] += 1
    return True


@outer_rule
def place_tag(s, seat, cell):
    """Make Your Mark: a tag from the mat onto a hex; objectives and standing follow."""
    tag = s.tags[seat]
    icon = np.int64(s.icon[cell])
    s.mat[seat] -= 1
    s.standing[seat] += s.icon_points[icon]
    touch(s, seat, cell)
    for position in range(s.dealt):
        gain = change(s, seat, position, cell)
        s.tile_points[seat, position] += gain
        s.standing[seat] += gain
    s.tags[seat] = tag + 1
    s.tag_hex[seat, tag] = cell
    s.tag_round[seat, tag] = s.round
    s.tag_second[seat, tag] = s.now // 1_000_000
    s.own[seat, cell >> 6] |= bits.bit(cell)
    if icon != events.STATION:
        s.taken[cell >> 6] |= bits.bit(cell)
        s.free[icon] -= 1
    s.icon_tags[seat, icon] += 1
    s.district_tags[seat, s.district[cell]] += 1
    s.full[icon] |= places_left(s, seat, icon) == 0
    join_clusters(s, seat, cell)
    count_in_figures(s, seat, cell)
    for word in range(s.taken.shape[0]):
        s.beside[seat, word] |= s.around[cell, word]
    map_changed(s, seat, cell)
    s.round_placed[s.round - 1] += 1


@outer_rule
def clear_set(s, seat, place, cell, rushed):
    """Complete a Set, Rush a Set, Clearing Without Placing; tell whether it could be done."""
    if cell != events.NO_HEX and not is_open(s, seat, cell):
        return False
    if rushed:
        if not may_rush(s):
            return False
        s.cars_left -= 1
        s.cars[seat] += 1
        s.round_rushed[s.round - 1] += 1
    s.discarded += s.set_n[seat, place]
    s.set_n[seat, place] = 0
    s.set_icon[seat, place] = EMPTY
    if cell != events.NO_HEX:
        place_tag(s, seat, cell)
    return True


@rule
def draws_left(s):
    """Return how many cards the draw piles still have."""
    return s.to_draw


@rule
def end_triggered(s):
    """End of the Round: return why the final phase begins now, -1 if it does not."""
    if draws_left(s) == 0:
        return np.int64(events.PILES_EMPTY)
    with_tags = 0
    for seat in range(s.players):
        with_tags += s.mat[seat] > 0
    if with_tags <= 1:
        return np.int64(events.TAGS_OUT)
    return UNUSED


@rule
def is_finished(s, seat):
    """Running Out of Tags, End of the Round: tell whether a seat has no more to do."""
    if s.mat[seat] == 0:
        return True
    if not s.final:
        return False
    return s.set_n[seat, 0] == 0 and s.set_n[seat, 1] == 0
