"""What a player of Pig weighs in an action, compiled; `vocabulary.FEATURES` says it."""

from pig import events, vocabulary
from pig.components import MAX_SOLVED
from sim import choice
from sim.compiled import rule
from sim.games import bits

ROLL = vocabulary.FEATURE_NAMES.index("roll")
TURN_TOTAL = vocabulary.FEATURE_NAMES.index("turn_total")
REACHES_GOAL = vocabulary.FEATURE_NAMES.index("reaches_goal")
BEHIND = vocabulary.FEATURE_NAMES.index("behind")
END_RACE = vocabulary.FEATURE_NAMES.index("end_race")
OPTIMAL = vocabulary.FEATURE_NAMES.index("optimal")


@rule
def best_other(s, seat):
    """Return the points of the best of the others."""
    best = 0
    for other in range(s.players):
        if other != seat:
            best = max(best, s.points[other])
    return best


@rule
def optimal_rolls(s, seat, theirs):
    """Tell whether optimal play rolls on; nobody does who can hold and win."""
    mine = s.points[seat]
    if theirs >= s.goal:  # the last turns of a round that is finished
        return mine + s.turn_total <= theirs
    if mine + s.turn_total >= s.goal or s.goal > MAX_SOLVED:
        return False
    return bits.has(s.rolls_on[mine, theirs, s.turn_total >> 6], s.turn_total)


@rule
def look_ahead(s, seat, act):
    """Fill `s.feature` for an act."""
    rolling = act == events.ROLL
    mine, theirs = s.points[seat], best_other(s, seat)
    s.feature[ROLL] = rolling
    s.feature[TURN_TOTAL] = 0 if rolling else s.turn_total
    s.feature[REACHES_GOAL] = not rolling and mine + s.turn_total >= s.goal
    s.feature[BEHIND] = theirs - mine if rolling else 0
    s.feature[END_RACE] = rolling and max(mine, theirs) >= s.goal - vocabulary.END_RACE
    s.feature[OPTIMAL] = rolling == optimal_rolls(s, seat, theirs)


@rule
def weigh_actions(s, seat, place):
    """Fill `s.value`: weights . features for each legal action, -inf for a forbidden one."""
    for action in range(s.n_actions):
        value = 0.0
        if not s.indifferent[place]:
            look_ahead(s, seat, s.act[action])
            value = choice.weights_times_features(s, place)
        s.value[action] = choice.AVOIDED if s.forbids[place, s.act[action]] else value
