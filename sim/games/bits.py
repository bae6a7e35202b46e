"""Sets as bits of unsigned 64-bit words, for compiled rules."""

import numpy as np

from sim.compiled import rule

ONE = np.uint64(1)
NONE = np.uint64(0)


@rule
def bit(i):
    """Return the word with bit i & 63 alone."""
    return ONE << np.uint64(i & 63)


@rule
def popcount(word):
    """Return how many bits of a word are set (Warren, Hacker's Delight, 5-1)."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    low = word & np.uint64(0x3333333333333333)
    word = low + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@rule
def without_lowest(word):
    """Return the word without its lowest set bit."""
    return word & (word - ONE)


@rule
def lowest(word):
    """Return the number of the lowest set bit of a word that has one."""
    return popcount((word & (~word + ONE)) - ONE)


@rule
def has(word, i):
    """Tell whether bit i & 63 of a word is set; of a set over several words, give word i >> 6."""
    return (word >> np.uint64(i & 63)) & ONE != NONE
