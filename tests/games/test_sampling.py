"""Which games a sampled table keeps, and where their rows go."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.games import data, sampling


@pytest.mark.parametrize(
    ("sample", "every"),
    [(0.0, 0), (1.0, 1), (0.5, 2), (0.1, 10), (0.3, 3), (0.9, 1), (1e-6, 10**6), (5e-324, 10**9)],
)
def test_one_deal_in_so_many(sample, every):
    assert data.sample_every(sample) == every


@given(st.integers(0, 12), st.integers(1, 6), st.integers(0, 200), st.integers(0, 60))
def test_rows_are_counted_like_the_games_kept(every, each, first, games):
    kept = [g for g in range(first, first + games) if every and g // each % every == 0]
    assert [g for g in range(first, first + games) if data.is_sampled(every, g // each)] == kept
    assert data.sampled_games(every, each, first, games) == len(kept)
    for row, game in enumerate(kept):
        assert data.sampled_games(every, each, first, game - first) == row


def test_compiled_rules_are_the_same():
    for every, each, game in np.ndindex(4, 4, 30):
        found = sampling.samples_before(every, each + 1, game)
        assert found == data.samples_before(every, each + 1, game)
        assert sampling.is_sampled(every, game) == data.is_sampled(every, game)
