"""How a compiled player picks among its legal actions.

A game's record `s` holds `n_actions`, `value` float64 [action] and, for each place of the
line-up, `weights` float64 [place, feature], `temperature` float64 [place] and `indifferent` int64
[place], filled by `find_indifferent`.
"""

import math

import numpy as np

from sim import streams
from sim.compiled import rule

AVOIDED = -np.inf
"""The value of a forbidden action: taken only when every legal action is forbidden."""


@rule
def find_indifferent(s):
    """Mark, once before play, the styles that weigh nothing: their actions need no features."""
    for place in range(s.weights.shape[0]):
        s.indifferent[place] = 1
        for i in range(s.weights.shape[1]):
            if s.weights[place, i] != 0.0:
                s.indifferent[place] = 0


@rule
def weights_times_features(s, place):
    """Return weights . features of the action in `s.feature`."""
    value = 0.0
    for i in range(s.feature.shape[0]):
        value += s.weights[place, i] * s.feature[i]
    return value


@rule
def best_action(s):
    """Return the index of the best action, drawn evenly among equals."""
    best = s.value[0]
    ties = 1
    first = 0
    for i in range(1, s.n_actions):
        value = s.value[i]
        if value > best:
            best = value
            ties = 1
            first = i
        elif value == best:
            ties += 1
    if ties == 1:
        return first
    skip = streams.below(s, streams.CHOICES, ties)
    for i in range(first, s.n_actions):
        if s.value[i] == best:
            if skip == 0:
                return i
            skip -= 1
    return first


@rule
def softmax_action(s, temperature):
    """Return an action drawn with probability proportional to exp(value / temperature)."""
    best = s.value[0]
    for i in range(1, s.n_actions):
        best = max(best, s.value[i])
    if best == AVOIDED:
        return best_action(s)
    total = 0.0
    for i in range(s.n_actions):
        total += math.exp((s.value[i] - best) / temperature)
    left = streams.unit(s, streams.CHOICES) * total
    last = 0
    for i in range(s.n_actions):
        share = math.exp((s.value[i] - best) / temperature)
        if share > 0.0:
            last = i
            if left < share:
                return i
        left -= share
    return last


@rule
def choose(s, place):
    """Return the index of the action that the style at this place of the line-up takes."""
    if s.n_actions == 1:
        return 0
    if s.temperature[place] > 0.0:
        return softmax_action(s, s.temperature[place])
    return best_action(s)
