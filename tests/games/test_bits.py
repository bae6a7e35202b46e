"""Sets as bits: compiled and in plain Python, against Python's own integers."""

import numpy as np
import pytest

from sim.compiled import kernel
from sim.games import bits


@kernel
def counted(words, found):
    for i in range(words.shape[0]):
        found[i, 0] = bits.popcount(words[i])
        found[i, 1] = bits.lowest(words[i]) if words[i] != bits.NONE else -1
        found[i, 2] = bits.popcount(bits.without_lowest(words[i]))
        found[i, 3] = bits.has(words[i], i)
        found[i, 4] = bits.has(bits.bit(i), i + 64)


@pytest.fixture
def words():
    random = np.random.default_rng(1).integers(0, 2**64, 500, dtype=np.uint64)
    sparse = np.array([1 << i for i in range(64)] + [0, 2**64 - 1], np.uint64)
    return np.concatenate([sparse, random, random & np.roll(random, 1) & np.roll(random, 2)])


def test_words(words):
    found = np.empty((len(words), 5), np.int64)
    counted(words, found)
    for i, word in enumerate(map(int, words)):
        lowest = f"{word:b}"[::-1].index("1") if word else -1
        ones = f"{word:b}".count("1")
        rest = max(ones - 1, 0)
        assert found[i].tolist() == [ones, lowest, rest, word >> i % 64 & 1, 1]
