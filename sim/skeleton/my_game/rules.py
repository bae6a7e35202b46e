"""My Game's rules, compiled: set-up, legal actions, a turn, the end.

`s` is the record of one game (`components.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from my_game import events
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
    """Set-up: everyone at the start."""
    s.turn = 0
    s.seat = 0
    s.over = 0
    s.log_n = 0
    s.decisions = 0
    s.falls = 0
    for seat in range(s.players):
        s.steps[seat] = 0
        s.walked[seat] = 0
        s.ran[seat] = 0


@rule
def legal_actions(s):
    """List what the player may do: walk or run."""
    s.n_actions = len(events.ACTS)
    for act in range(s.n_actions):
        s.act[act] = act


@big_rule
def move(s, log, seat, act):
    """Walk so many steps; or roll the die and run as many, none on a 1."""
    die = UNUSED
    steps = s.walk
    if act == events.RUN:
        die = streams.below(s, streams.DRAWS, s.sides) + 1
        steps = die if die > 1 else 0
        s.falls += die == 1
        s.ran[seat] += steps
    else:
        s.walked[seat] += steps
    s.steps[seat] += steps
    note(s, log, events.MOVE, seat, act, die, steps)


@rule
def is_over(s, seat):
    """Tell whether the game is over after this seat's turn."""
    reached = False
    for other in range(s.players):
        reached = reached or s.steps[other] >= s.length
    return reached and (not s.finish_round or seat == s.players - 1)
