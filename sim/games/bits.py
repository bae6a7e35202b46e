"""Sets as bits of unsigned 64-bit words, for compiled rules; plain Python where not compiled."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from sim.compiled import rule

ONE = np.uint64(1)
NONE = np.uint64(0)


def popcount(word: Any) -> int:
    """Return how many bits of a uint64 are set; one machine instruction."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """Return the number of the lowest set bit of a uint64 that has one; one machine instruction."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _popcount(_context, word):
    def code(_target, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def _lowest(_context, word):
    def code(_target, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@overload(popcount, jit_options={"forceinline": True})
def _popcount_compiled(word):
    def compiled(word):
        return _popcount(word)

    return compiled


@overload(lowest, jit_options={"forceinline": True})
def _lowest_compiled(word):
    def compiled(word):
        return _lowest(word)

    return compiled


@rule
def bit(i):
    """Return the word with bit i & 63 alone."""
    return ONE << np.uint64(i & 63)


@rule
def without_lowest(word):
    """Return the word without its lowest set bit."""
    return word & (word - ONE)


@rule
def has(word, i):
    """Tell whether bit i & 63 of a word is set; of a set over several words, give word i >> 6."""
    return (word >> np.uint64(i & 63)) & ONE != NONE
