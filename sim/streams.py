"""Seeded random streams for compiled code.

Every game has one stream for each purpose. A stream is SFC64 (Chris Doty-Humphrey, PractRand;
also in numpy) seeded with three words (study seed, game number, purpose) by the author's own
procedure: counter 1, then 18 outputs thrown away. Distinct words give distinct starting states,
so a game's luck is a function of those three numbers alone.

A game's record `s` holds the streams as `s.rng`, uint64 [purpose, 4].
"""

import numpy as np

from sim.compiled import rule

SETUP = 0
"""Shuffling and dealing before the first turn."""
DRAWS = 1
"""Dice, draws and shuffles during play."""
CHOICES = 2
"""A player's own chance: ties between equal actions, softmax."""
TIMING = 3
"""Noise of the clock in a real-time game."""
PURPOSES = 4

WARM_UP = 18


@rule
def next_u64(s, purpose):
    """Return the next 64 random bits of a stream."""
    rng = s.rng
    a = rng[purpose, 0]
    b = rng[purpose, 1]
    c = rng[purpose, 2]
    counter = rng[purpose, 3]
    out = a + b + counter
    rng[purpose, 3] = counter + np.uint64(1)
    rng[purpose, 0] = b ^ (b >> np.uint64(11))
    rng[purpose, 1] = c + (c << np.uint64(3))
    rng[purpose, 2] = ((c << np.uint64(24)) | (c >> np.uint64(40))) + out
    return out


@rule
def seed_stream(s, purpose, seed, game):
    """Start a stream from (seed, game, purpose)."""
    rng = s.rng
    rng[purpose, 0] = np.uint64(seed)
    rng[purpose, 1] = np.uint64(game)
    rng[purpose, 2] = np.uint64(purpose)
    rng[purpose, 3] = np.uint64(1)
    for _ in range(WARM_UP):
        next_u64(s, purpose)


@rule
def below(s, purpose, n):
    """Return a uniform integer in 0..n-1, exact, for 1 <= n < 2**32 (Lemire 2019)."""
    bound = np.uint64(n)
    product = (next_u64(s, purpose) >> np.uint64(32)) * bound
    low = product & np.uint64(0xFFFFFFFF)
    if low < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while low < threshold:
            product = (next_u64(s, purpose) >> np.uint64(32)) * bound
            low = product & np.uint64(0xFFFFFFFF)
    return np.int64(product >> np.uint64(32))


@rule
def unit(s, purpose):
    """Return a uniform float in [0, 1) with 53 random bits."""
    return np.float64(next_u64(s, purpose) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def shuffle(s, purpose, cards, n):
    """Shuffle cards[:n] in place (Fisher and Yates, Durstenfeld's form)."""
    for i in range(n - 1, 0, -1):
        j = below(s, purpose, i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held
