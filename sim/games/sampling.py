"""The rules of sampled tables for compiled play; `sim.games.data` explains them."""

from sim.compiled import rule
from sim.games import data

is_sampled = rule(data.is_sampled)
samples_before = rule(data.samples_before)


@rule
def row_of(s, game, first):
    """Return which of the sampled games from `first` on a game is, from 0; -1 if it is none."""
    each = s.players if s.rotate else 1
    if not is_sampled(s.every, game // each):
        return -1
    return samples_before(s.every, each, game) - samples_before(s.every, each, first)
