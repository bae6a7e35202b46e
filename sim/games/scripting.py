"""Games that follow a script: what a searching player (`sim.games.searching`) needs of the rules.

A decision is a moment with more than one legal action; they are numbered through a game. Where
`scripted` is 1, decisions below `script_n` are those of `script`, later ones are made as always.
`made` keeps them all. At decision `fork_at` the game forks: what the seat cannot see is dealt
anew by the game's own rule, and all luck from there on is that of fork number `fork`.
The record `s` has the fields of `data.script_fields`.
"""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, rule
from sim.games.data import MOST_DECISIONS, MOST_WATCHED

NEVER = np.int64(-1)
MIX = np.uint64(0x9E3779B97F4A7C15)


@rule
def begin(s, seed, number):
    """Begin a game, scripted or not, with its streams up to CHOICES seeded.

    Returns which place of the line-up has seat 0. `number` is that of the game, or of the fork
    where a game forks; `s.deal` becomes that of its deal.
    """
    game = np.int64(number)
    if s.scripted and s.fork_at >= 0:
        s.fork = number
        game = np.int64(s.fork_game)
    each = s.players if s.rotate else 1
    s.decision = 0
    s.seed = seed
    s.deal = game // each
    s.watched_at = NEVER
    for purpose in range(streams.TIMING):
        streams.seed_stream(s, purpose, seed, s.deal)
    return game % each


@rule
def watch(s, seat, place):
    """Keep what a searching seat can choose from, at the first such decision from `watch_from`."""
    if s.watch_from >= 0 and s.decision >= s.watch_from and s.searches[place] > 0:
        s.watch_from = NEVER
        s.watched_at = s.decision
        s.watched_seat = seat
        s.watched_n = 0


@rule
def is_watched(s):
    """Tell whether the decision at hand is the one that is kept."""
    return s.watched_at == s.decision


@rule
def keep(s, code, value):
    """Keep an action of the watched decision."""
    if s.watched_n < MOST_WATCHED:
        s.watched_code[s.watched_n] = code
        s.watched_value[s.watched_n] = value
        s.watched_n += 1


@rule
def is_set(s):
    """Tell whether the script has the decision at hand."""
    return s.decision < s.script_n


@rule
def done(s, code):
    """Note what is decided, and go on to the next decision."""
    if s.decision < MOST_DECISIONS:
        s.made[s.decision] = code
    s.decision += 1


@rule
def forks(s):
    """Tell whether the game forks at the decision just made."""
    return s.decision - 1 == s.fork_at


@big_rule
def reseed(s, last):
    """Give the streams from DRAWS up to `last` the luck of the fork."""
    seed = s.seed + MIX * np.uint64(s.fork + 1)
    deal = np.uint64(s.deal) * np.uint64(MOST_DECISIONS) + np.uint64(s.fork_at)
    for purpose in range(streams.DRAWS, last + 1):
        streams.seed_stream(s, purpose, seed, deal)


@big_rule
def from_list(s, seat, place):
    """Return the index of the action that is taken, where a game lists its legal actions."""
    watch(s, seat, place)
    if is_watched(s):
        for action in range(s.n_actions):
            keep(s, np.int64(action), s.value[action])
    chosen = np.int64(s.script[s.decision]) if is_set(s) else np.int64(choice.choose(s, place))
    done(s, chosen)
    return chosen
