"""What a player of My Game weighs in an action, compiled; `vocabulary.FEATURES` says it."""

from my_game import events, vocabulary
from sim import choice
from sim.compiled import rule

SURE_STEPS = vocabulary.FEATURE_NAMES.index("sure_steps")
MEAN_STEPS = vocabulary.FEATURE_NAMES.index("mean_steps")
CHANCE_TO_END = vocabulary.FEATURE_NAMES.index("chance_to_end")


@rule
def look_ahead(s, seat, act):
    """Fill `s.feature` for an act."""
    missing = s.length - s.steps[seat]
    if act == events.WALK:
        s.feature[SURE_STEPS] = s.walk
        s.feature[MEAN_STEPS] = s.walk
        s.feature[CHANCE_TO_END] = s.walk >= missing
    else:
        s.feature[SURE_STEPS] = 0
        s.feature[MEAN_STEPS] = (s.sides * (s.sides + 1) / 2 - 1) / s.sides
        s.feature[CHANCE_TO_END] = max(0, s.sides + 1 - max(missing, 2)) / s.sides


@rule
def weigh_actions(s, seat, place):
    """Fill `s.value`: weights . features for each legal action, -inf for a forbidden one."""
    for action in range(s.n_actions):
        value = 0.0
        if not s.indifferent[place]:
            look_ahead(s, seat, s.act[action])
            value = choice.weights_times_features(s, place)
        s.value[action] = choice.AVOIDED if s.forbids[place, s.act[action]] else value
