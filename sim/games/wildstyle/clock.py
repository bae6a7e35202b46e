"""The clock of Wildstyle, compiled: who looks when, when acts land, how a round ends.

Time is counted in whole microseconds, so that acts that land together are known to. At each
instant all acts that land are done first, the earlier decision before the later and then the
lower seat before the higher; then every seat whose time has come looks at the table.
"""

import math

import numpy as np

from sim import streams
from sim.compiled import big_rule, outer_rule, rule
from sim.games import standings
from sim.games.wildstyle import events
from sim.games.wildstyle.features import choose_act
from sim.games.wildstyle.rules import (
    ACTING,
    FINISHED,
    LOOKING,
    NOBODY,
    REACTING,
    UNUSED,
    WAITING,
    add_card,
    clear_set,
    draw_card,
    end_triggered,
    is_finished,
    note,
    share_card,
    take_shared,
)

LATER = np.int64(2**62)


@big_rule
def noise(s, seat):
    """Return a lognormal factor with median 1, from the seat's own stream (Box and Muller)."""
    if s.sigma == 0.0:
        return 1.0
    if s.has_spare[seat]:
        s.has_spare[seat] = 0
        return math.exp(s.sigma * s.spare[seat])
    stream = streams.TIMING + seat
    radius = math.sqrt(-2.0 * math.log(1.0 - streams.unit(s, stream)))
    angle = 2.0 * math.pi * streams.unit(s, stream)
    s.spare[seat] = radius * math.sin(angle)
    s.has_spare[seat] = 1
    return math.exp(s.sigma * radius * math.cos(angle))


@rule
def duration(s, seat, place, act):
    """Return the microseconds that an act takes: (thinking + handling) x tempo x noise."""
    return max(1, np.int64(np.rint(s.base_seconds[place, act] * noise(s, seat) * 1e6)))


@outer_rule
def look(s, log, seat):
    """Let a seat look at the table and decide what to do."""
    place = s.place[seat]
    chosen = choose_act(s, seat, place)
    s.decisions += s.n_actions > 2
    s.looks += 1
    act = s.kind[chosen]
    s.act[seat] = act
    s.target[seat] = s.aim[chosen]
    s.decided[seat] = s.now
    if act < events.WAIT:
        standings.count_act(s, seat, act)
    lands = UNUSED
    if act == events.WAIT:
        s.doing[seat] = WAITING
        s.waits[seat] += 1
    elif act == events.STOP:
        s.doing[seat] = FINISHED
    else:
        s.doing[seat] = ACTING
        s.due[seat] = s.now + duration(s, seat, place, act)
        lands = s.due[seat] if s.due[seat] <= s.cap else np.int64(events.NEVER)
    note(s, log, events.DECIDE, seat, s.now, act, s.aim[chosen], lands)


@outer_rule
def do_act(s, seat):
    """Do what a seat decided; return whether it could be done, and the card drawn."""
    act = s.act[seat]
    x = s.target[seat] % events.Y
    y = s.target[seat] // events.Y % events.Y
    card = UNUSED
    if act == events.DRAW:
        card = draw_card(s, seat, x)
        done = card != UNUSED
    elif act == events.ADD:
        done = add_card(s, seat, x, y)
    elif act == events.SHARE:
        done = share_card(s, seat, x, y)
    elif act == events.TAKE:
        done = take_shared(s, seat, x, y, s.target[seat] // events.Z)
    else:
        done = clear_set(s, seat, x, y, act == events.RUSH)
    return done, card


@outer_rule
def land(s, log, seat):
    """Let what a seat decided happen, or fail since what it aimed at is gone."""
    done, card = do_act(s, seat)
    s.doing[seat] = LOOKING
    if not done:
        s.fumbles[seat] += 1
        s.round_fumbles[s.round - 1] += 1
        note(s, log, events.FUMBLE, seat, s.now, s.act[seat], s.target[seat], UNUSED)
        return
    s.acts[seat] += 1
    s.round_acts[s.round - 1] += 1
    standings.watch(s, s.standing)
    note(s, log, events.ACT, seat, s.now, s.act[seat], s.target[seat], card)
    for other in range(s.players):
        if s.doing[other] == WAITING:
            s.doing[other] = REACTING
            s.due[other] = s.now + s.reaction[s.place[other]]
    if not s.final:
        reason = end_triggered(s)
        if reason != UNUSED:
            s.final = 1
            s.reason = reason
            note(s, log, events.TRIGGER, NOBODY, s.now, reason, UNUSED, UNUSED)
            for other in range(s.players):
                if is_finished(s, other):
                    s.doing[other] = FINISHED
    if is_finished(s, seat):
        s.doing[seat] = FINISHED


@rule
def next_instant(s):
    """Return when an act lands or a seat looks next, LATER if never."""
    first = LATER
    for seat in range(s.players):
        if s.doing[seat] == ACTING or s.doing[seat] == REACTING:
            first = min(first, s.due[seat])
    return first


@rule
def next_to_land(s):
    """Return whose act lands now: the earliest decision, then the lowest seat; or NOBODY."""
    chosen = NOBODY
    for seat in range(s.players):
        lands = s.doing[seat] == ACTING and s.due[seat] == s.now
        if lands and (chosen == NOBODY or s.decided[seat] < s.decided[chosen]):
            chosen = np.int64(seat)
    return chosen


@outer_rule
def play_round(s, log):
    """Play a round from "Go!" to its end: the trigger, the final phase, or a stalemate."""
    for seat in range(s.players):
        if is_finished(s, seat):
            s.doing[seat] = FINISHED
    instant = s.now
    while instant <= s.cap:
        s.now = instant
        seat = next_to_land(s)
        while seat != NOBODY:
            land(s, log, seat)
            seat = next_to_land(s)
        for seat in range(s.players):
            if s.doing[seat] == LOOKING or (s.doing[seat] == REACTING and s.due[seat] == s.now):
                look(s, log, np.int64(seat))
        instant = next_instant(s)
    if instant != LATER:
        s.now = s.cap
        s.reason = events.TIME_CAP
        s.cut = 1
    s.round_end[s.round - 1] = s.reason
    s.round_time[s.round - 1] = s.now
    note(s, log, events.ROUND_END, NOBODY, s.now, s.reason, UNUSED, UNUSED)
