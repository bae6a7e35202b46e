"""Bits of 64-bit words for compiled code, one machine instruction each; plain Python otherwise."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

ONE = np.uint64(1)


def lowest(word: Any) -> int:
    """Return the number of the lowest bit set in a uint64 that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


def count(word: Any) -> int:
    """Return how many bits of a uint64 are set."""
    return int(word).bit_count()


@intrinsic
def _lowest(_context, word):
    def code(_target, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@intrinsic
def _count(_context, word):
    def code(_target, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@overload(lowest, jit_options={"forceinline": True})
def _lowest_compiled(word):
    def compiled(word):
        return _lowest(word)

    return compiled


@overload(count, jit_options={"forceinline": True})
def _count_compiled(word):
    def compiled(word):
        return _count(word)

    return compiled
