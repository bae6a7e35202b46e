"""Which games a sampled table keeps, and where their rows go."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import metrics, simulate
from sim.games import data, get, sampling
from sim.store import table_file
from sim.study import from_dict


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


@pytest.mark.parametrize("name", ["street_art", "tag_city", "wildstyle", "west_story"])
def test_a_shard_may_keep_no_game_of_the_sample(name, tmp_path):
    """Small shards of a rotated cell, of which only the first keeps a deal."""
    game = get(name)
    styles = [style for style in game.styles() if style != "random"][:2]
    lineups = {"round_robin": styles, "mirror": styles[:1]}
    study = {"game": name, "players": 2, "games": 60, "sample": 0.05, "lineups": lineups}
    whole = simulate.run(from_dict(study), tmp_path / "whole", jobs=1)
    whole_rows = metrics.all_metrics(whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "shard_games", 8)
        parts = simulate.run(from_dict(study), tmp_path / "parts", jobs=1)
        kept = {shard.number: len(parts_of(parts, shard)) for shard in parts.shards}
        assert 0 in kept.values()
        assert any(kept.values())
        rows = metrics.all_metrics(parts)
    keys = ["cell", "players", "metric", "group"]
    assert rows.select(keys).equals(whole_rows.select(keys))


def parts_of(run, shard):
    """Return the rows of a shard's standings."""
    return pl.read_parquet(table_file(run.folder, "standings", shard.cell, shard.number))
