"""Pig's rules, compiled: set-up, a turn, the end.

`s` is the record of one game (`components.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from pig import events
from sim import streams
from sim.compiled import big_rule, rule
from sim.games import eventlog

# Numbers that go into helpers are int64 (or attributes of a module): Numba would compile a helper
# anew for each plain number.
UNUSED = np.int64(-1)
NOBODY = np.int64(-1)


@rule
def note(s, log, event, seat, a, b, c):
    """Write a row of the event log, if one is kept."""
    eventlog.note(s, log, event, s.turn, seat, a, b, c)


@big_rule
def set_up(s):
    """Set-up: nobody has a point."""
    s.turn = 0
    s.seat = 0
    s.over = 0
    s.log_n = 0
    s.decisions = 0
    s.busts = 0
    for seat in range(s.players):
        s.points[seat] = 0
        s.own_turns[seat] = 0
        s.rolls[seat] = 0
        s.own_busts[seat] = 0


@rule
def begin_turn(s, seat):
    """Begin a turn: no points yet."""
    s.turn_total = 0
    s.own_turns[seat] += 1


@big_rule
def roll(s, log, seat):
    """Roll the die; tell whether the turn goes on, which it does not on a 1."""
    die = streams.below(s, streams.DRAWS, s.sides) + 1
    safe = die > 1
    s.turn_total = s.turn_total + die if safe else 0
    s.rolls[seat] += 1
    s.busts += not safe
    s.own_busts[seat] += not safe
    note(s, log, events.ROLLED, seat, die, s.turn_total, UNUSED)
    return safe


@rule
def legal_actions(s):
    """List what the player may do after a roll: roll on or hold."""
    s.n_actions = len(events.ACTS)
    for act in range(s.n_actions):
        s.act[act] = act


@rule
def hold(s, log, seat):
    """Hold: the points of the turn are safe."""
    s.points[seat] += s.turn_total
    note(s, log, events.HELD, seat, s.turn_total, s.points[seat], UNUSED)


@rule
def is_over(s, seat):
    """Tell whether the game is over after this seat's turn."""
    reached = False
    for other in range(s.players):
        reached = reached or s.points[other] >= s.goal
    return reached and (not s.finish_round or seat == s.players - 1)
