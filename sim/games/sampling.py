"""The rule of sampled tables for compiled play; `sim.games.data` explains it."""

from sim.compiled import rule
from sim.games import data

is_sampled = rule(data.is_sampled)
samples_before = rule(data.samples_before)
