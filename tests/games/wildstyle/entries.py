"""Entries of the tests into the compiled rules of Wildstyle, kept beside those rules' own code.

With `table` and `moments` the only place of the tests of play that knows how rules are called.
"""

import numba
import numpy as np

from sim import choice, compiled, streams
from sim.games import standings
from sim.games.wildstyle import events
from sim.games.wildstyle.clock import land, look, next_instant, next_to_land, play_round
from sim.games.wildstyle.features import choose_act, weigh_acts
from sim.games.wildstyle.rules import (
    NOBODY,
    is_finished,
    legal_acts,
    note,
    place_tag,
)
from sim.games.wildstyle.scoring import score_game
from sim.games.wildstyle.setting import begin_round, set_up


def entry(function):
    """Compile a test's entry into the rules, kept beside those rules' own compiled code."""
    folder = compiled.cache_folder("sim.games.wildstyle.play")
    if folder is None:
        return numba.njit(function)
    with compiled._cache_dir(folder):
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@entry
def deal(state, log, seed, number, shift):
    s = state[0]
    choice.find_indifferent(s)
    for purpose in range(streams.TIMING + s.players):
        streams.seed_stream(s, purpose, seed, number)
    s.log_n = 0
    for seat in range(s.players):
        s.place[seat] = (seat + shift) % s.players
        note(
            s,
            log,
            events.SEAT,
            np.int64(seat),
            np.int64(0),
            s.place[seat],
            np.int64(-1),
            np.int64(-1),
        )
    set_up(s, log, number)


@entry
def begin(state, log, purpose):
    begin_round(state[0], log, purpose)


@entry
def play(state, log):
    s = state[0]
    choice.find_indifferent(s)
    play_round(s, log)


@entry
def let_land(state, log):
    s = state[0]
    seat = next_to_land(s)
    while seat != NOBODY:
        land(s, log, seat)
        seat = next_to_land(s)


@entry
def let_look(state, log, seat):
    look(state[0], log, seat)


@entry
def next_time(state):
    return next_instant(state[0])


@entry
def is_out(state, seat):
    return is_finished(state[0], seat)


@entry
def list_acts(state, seat):
    state[0].brief = 0
    legal_acts(state[0], seat)


@entry
def weigh(state, seat):
    s = state[0]
    s.brief = 0
    legal_acts(s, seat)
    weigh_acts(s, seat, s.place[seat])


@entry
def choose(state, seat, seed, acts, targets):
    s = state[0]
    choice.find_indifferent(s)
    streams.seed_stream(s, streams.CHOICES, seed, 0)
    for i in range(acts.shape[0]):
        chosen = choose_act(s, seat, s.place[seat])
        acts[i] = s.kind[chosen]
        targets[i] = s.aim[chosen]


@entry
def put_tag(state, seat, cell):
    s = state[0]
    place_tag(s, seat, cell)
    standings.watch(s, s.standing)


@entry
def score(state, log):
    score_game(state[0], log)
