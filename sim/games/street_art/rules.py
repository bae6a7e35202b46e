"""Street Art's rules, compiled: functions named for the rulebook's headings, in its order.

`s` is the record of one game (`components.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim import streams
from sim.compiled import big_rule, rule
from sim.games import eventlog
from sim.games.street_art import events
from sim.games.street_art.components import NO_KIND

# Numbers that go into helpers are int64 (or attributes of a module): Numba would compile a helper
# anew for each plain number.
UNUSED = np.int64(-1)
NOBODY = np.int64(-1)
ONE_CARD = np.int64(1)
NO_BANDS = np.int64(0)
BY_REFILL = np.int64(0)
BY_RAIN = np.int64(1)


@rule
def note(s, log, event, seat, a, b, c):
    """Write a row of the event log, if one is kept."""
    eventlog.note(s, log, event, s.turn, seat, a, b, c)


@big_rule
def set_up(s, log):
    """Setup: shuffle, deal a hand to each player, put the audience in the middle."""
    s.turn = -1
    s.seat = 0
    s.over = 0
    s.log_n = 0
    s.middle = s.hearts_at_start
    s.box = 0
    s.decisions = 0
    s.rains = 0
    s.thefts = 0
    s.reshuffles = 0
    s.final_kind = s.kinds
    for seat in range(s.players):
        s.hearts[seat] = 0
        s.top[seat] = NO_KIND
        s.played_at[seat] = -1
        s.hand_n[seat] = 0
        s.from_middle[seat] = 0
        s.stolen[seat] = 0
        s.lost_to_theft[seat] = 0
        s.lost_to_rain[seat] = 0
        for kind in range(s.kinds):
            s.hand[seat, kind] = 0
            s.held[seat, kind] = 0
            s.played[seat, kind] = 0
            s.gained[seat, kind] = 0
    s.deck_n = 0
    for kind in range(s.kinds):
        s.piles[kind] = 0
        for _ in range(s.copies[kind]):
            s.deck[s.deck_n] = kind
            s.deck_n += 1
    streams.shuffle(s, streams.SETUP, s.deck, s.deck_n)
    for position in range(s.deck_n):
        note(s, log, events.ORDER, NOBODY, position, s.deck[position], UNUSED)
    for seat in range(s.players):
        draw_cards(s, log, seat)
    s.turn = 0


@rule
def add_action(s, kind, brass, victim, allowed):
    """Append an action; the next one takes its place unless it is `allowed` (no branch here)."""
    n = s.n_actions
    s.kind[n] = kind
    s.brass[n] = brass
    s.victim[n] = victim
    s.n_actions = n + allowed


@rule
def add_fireworks(s, seat, brass):
    """Append Fireworks for each player who owns a heart, or without effect if nobody does."""
    before = s.n_actions
    for victim in range(s.players):
        owns = victim != seat and s.hearts[victim] > 0
        add_action(s, events.FIREWORKS, brass, victim, owns)
    add_action(s, events.FIREWORKS, brass, NOBODY, s.n_actions == before)


@rule
def add_cards(s, seat):
    """Append every card of the hand but Brass Bands."""
    add_action(s, events.BEATBOXER, NO_BANDS, NOBODY, s.hand[seat, events.BEATBOXER] > 0)
    if s.hand[seat, events.FIREWORKS] > 0:
        add_fireworks(s, seat, NO_BANDS)
    for kind in range(events.RAIN, s.kinds):
        add_action(s, kind, NO_BANDS, NOBODY, s.hand[seat, kind] > 0)


@rule
def add_cards_with_bands(s, seat, bands):
    """Append every card of the hand but Brass Bands, each with 0..bands of these before it."""
    for kind in range(s.kinds):
        if s.hand[seat, kind] > 0 and kind != events.BRASS_BAND:
            for brass in range(bands + 1):
                if kind == events.FIREWORKS:
                    add_fireworks(s, seat, brass)
                else:
                    add_action(s, kind, brass, NOBODY, True)


@rule
def legal_actions(s, seat):
    """Gameplay: list what the player may do, distinct by effect.

    An action is a kind of card, the Brass Bands played with or before it, and a victim.
    """
    s.n_actions = 0
    bands = s.hand[seat, events.BRASS_BAND]
    if s.brass_in_addition and bands > 0:
        add_cards_with_bands(s, seat, bands)
    else:
        add_cards(s, seat)
    for brass in range(1, bands + 1):
        add_action(s, events.BRASS_BAND, brass, NOBODY, True)


@rule
def victim_of(s, seat, kind):
    """Return who shows this Street Star and played it most recently, the mover left out."""
    victim = NOBODY
    latest = -1
    for other in range(s.players):
        if s.top[other] == kind and s.played_at[other] > latest and other != seat:
            victim = other
            latest = s.played_at[other]
    return victim


@rule
def visible_beatboxers(s, seat):
    """Return how many players other than `seat` show a Beatboxer."""
    count = 0
    for other in range(s.players):
        count += s.top[other] == events.BEATBOXER and other != seat
    return count


@rule
def rain_amount(s, other, beatboxers):
    """Return the hearts that Rain asks of a player: by the card that he shows."""
    kind = s.top[other]
    if kind == NO_KIND:
        return 0
    if kind == events.BEATBOXER:
        return beatboxers
    return s.hearts_of[kind]


@rule
def place_cards(s, seat, kind, count):
    """Put cards of one kind from the hand face up on the player's pile."""
    s.hand[seat, kind] -= count
    s.hand_n[seat] -= count
    s.piles[kind] += count
    s.top[seat] = kind
    s.played_at[seat] = s.turn
    s.played[seat, kind] += count


@rule
def take_from_middle(s, log, seat, kind, asked):
    """Take hearts from the middle, or what is left of them."""
    amount = min(asked, s.middle)
    if amount > 0:
        s.middle -= amount
        s.hearts[seat] += amount
        s.from_middle[seat] += amount
        s.gained[seat, kind] += amount
        if s.middle == 0:
            s.final_kind = kind
        note(s, log, events.TAKE, seat, amount, UNUSED, UNUSED)


@rule
def steal(s, log, seat, victim, kind, asked):
    """Steal hearts from another player; return how many he owned and gave."""
    amount = min(asked, s.hearts[victim])
    if amount > 0:
        s.hearts[victim] -= amount
        s.hearts[seat] += amount
        s.lost_to_theft[victim] -= amount
        s.stolen[seat] += amount
        s.gained[seat, kind] += amount
        note(s, log, events.STEAL, seat, amount, victim, UNUSED)
    return amount


@rule
def street_star(s, log, seat, kind):
    """Gameplay: hearts from whoever showed the same star last, else from the middle."""
    victim = victim_of(s, seat, kind)
    place_cards(s, seat, kind, ONE_CARD)
    value = s.hearts_of[kind]
    if victim == NOBODY:
        take_from_middle(s, log, seat, kind, value)
    else:
        amount = steal(s, log, seat, victim, kind, value)
        s.thefts += amount > 0
        if s.shortfall_from_middle:
            take_from_middle(s, log, seat, kind, value - amount)


@rule
def fireworks(s, log, seat, victim):
    """Fireworks: steal from any player."""
    place_cards(s, seat, events.FIREWORKS, ONE_CARD)
    if victim != NOBODY:
        steal(s, log, seat, victim, events.FIREWORKS, s.hearts_of[events.FIREWORKS])


@rule
def beatboxer(s, log, seat):
    """Beatboxer: a heart for each Beatboxer that shows, this one too."""
    place_cards(s, seat, events.BEATBOXER, ONE_CARD)
    take_from_middle(s, log, seat, events.BEATBOXER, visible_beatboxers(s, seat) + 1)


@rule
def brass_band(s, log, seat, count):
    """Brass Band: hearts for each card played."""
    place_cards(s, seat, events.BRASS_BAND, count)
    take_from_middle(s, log, seat, events.BRASS_BAND, count * s.hearts_of[events.BRASS_BAND])


@big_rule
def rain(s, log, seat):
    """Rain: the others return hearts by the card they show, and all piles are collected."""
    place_cards(s, seat, events.RAIN, ONE_CARD)
    s.rains += 1
    beatboxers = visible_beatboxers(s, seat)
    for other in range(s.players):
        if other != seat:
            amount = min(rain_amount(s, other, beatboxers), s.hearts[other])
            if amount > 0:
                s.hearts[other] -= amount
                s.box += amount
                s.lost_to_rain[other] -= amount
                note(s, log, events.RETURN, other, amount, UNUSED, UNUSED)
    collect_piles(s, log, seat, BY_RAIN)


@big_rule
def collect_piles(s, log, seat, by_rain):
    """Shuffle the piles and put them under the draw pile; `keep_tops` spares tops at a refill."""
    if s.keep_tops and not by_rain:
        for other in range(s.players):
            if s.top[other] != NO_KIND:
                s.piles[s.top[other]] -= 1
    collected = 0
    for kind in range(s.kinds):
        collected += s.piles[kind]
    for position in range(s.deck_n - 1, -1, -1):
        s.deck[position + collected] = s.deck[position]
    position = 0
    for kind in range(s.kinds):
        for _ in range(s.piles[kind]):
            s.deck[position] = kind
            position += 1
        s.piles[kind] = 0
    s.deck_n += collected
    streams.shuffle(s, streams.DRAWS, s.deck, collected)
    for i in range(collected):
        note(s, log, events.COLLECT, seat, i, s.deck[i], by_rain)
    for other in range(s.players):
        if s.keep_tops and not by_rain:
            if s.top[other] != NO_KIND:
                s.piles[s.top[other]] += 1
        else:
            s.top[other] = NO_KIND


@rule
def draw_cards(s, log, seat):
    """Gameplay: draw to a full hand; an empty draw pile is made anew from the piles."""
    while s.hand_n[seat] < s.hand_size:
        if s.deck_n == 0:
            collect_piles(s, log, seat, BY_REFILL)
            if s.deck_n == 0:
                break
            s.reshuffles += 1
        s.deck_n -= 1
        kind = s.deck[s.deck_n]
        s.hand[seat, kind] += 1
        s.hand_n[seat] += 1
        s.held[seat, kind] += 1
        note(s, log, events.DRAW, seat, kind, UNUSED, UNUSED)


@rule
def play_action(s, log, seat, action):
    """Gameplay: play the cards of an action and collect the hearts."""
    kind = s.kind[action]
    brass = s.brass[action]
    victim = s.victim[action]
    if brass > 0:
        note(s, log, events.PLAY, seat, events.BRASS_BAND, brass, UNUSED)
        brass_band(s, log, seat, brass)
        if kind == events.BRASS_BAND:
            return
    note(s, log, events.PLAY, seat, kind, ONE_CARD, victim)
    if kind >= events.FIRST_STAR:
        street_star(s, log, seat, kind)
    elif kind == events.FIREWORKS:
        fireworks(s, log, seat, victim)
    elif kind == events.BEATBOXER:
        beatboxer(s, log, seat)
    else:
        rain(s, log, seat)


@rule
def is_over(s, seat, middle):
    """End of the Game: tell whether the game is over after this seat leaves `middle` hearts."""
    return middle == 0 and (not s.finish_round or seat == s.players - 1)
