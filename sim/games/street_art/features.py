"""What a player of Street Art weighs in an action, compiled; `vocabulary.FEATURES` says it."""

from sim import choice
from sim.compiled import rule
from sim.games.street_art import events, vocabulary
from sim.games.street_art.rules import (
    NOBODY,
    is_over,
    rain_amount,
    victim_of,
    visible_beatboxers,
)

HEARTS_FROM_MIDDLE = vocabulary.FEATURE_NAMES.index("hearts_from_middle")
HEARTS_STOLEN = vocabulary.FEATURE_NAMES.index("hearts_stolen")
RIVALS_LOSE = vocabulary.FEATURE_NAMES.index("rivals_lose")
VICTIM_IS_LEADER = vocabulary.FEATURE_NAMES.index("victim_is_leader")
EXPOSURE = vocabulary.FEATURE_NAMES.index("exposure")
BRASS_BANDS_KEPT = vocabulary.FEATURE_NAMES.index("brass_bands_kept")
RAIN_KEPT = vocabulary.FEATURE_NAMES.index("rain_kept")
BEST_STARS_KEPT = vocabulary.FEATURE_NAMES.index("best_stars_kept")
STARS_KEPT = vocabulary.FEATURE_NAMES.index("stars_kept")
MIDDLE_LEFT = vocabulary.FEATURE_NAMES.index("middle_left")
ENDS_GAME = vocabulary.FEATURE_NAMES.index("ends_game")
ENDS_AHEAD = vocabulary.FEATURE_NAMES.index("ends_ahead")


@rule
def most_hearts(s):
    """Return the hearts of the player who has most."""
    most = 0
    for seat in range(s.players):
        most = max(most, s.hearts[seat])
    return most


@rule
def exposure(s, seat, kind, hearts):
    """Return what a thief could take with a twin of this star, times the twins unseen."""
    unseen = s.copies[kind] - s.piles[kind] - s.hand[seat, kind]
    return min(s.hearts_of[kind], hearts) * unseen


@rule
def rivals_lose(s, seat, beatboxers):
    """Return the hearts that the others would return to the box."""
    total = 0
    for other in range(s.players):
        if other != seat:
            total += min(rain_amount(s, other, beatboxers), s.hearts[other])
    return total


@rule
def standing_at_end(s, seat, gain, victim, stolen, raining, beatboxers):
    """Return 1 if nobody has more hearts than the mover after the action, else -1."""
    mine = s.hearts[seat] + gain
    for other in range(s.players):
        if other != seat:
            theirs = s.hearts[other]
            if other == victim:
                theirs -= stolen
            if raining:
                theirs -= min(rain_amount(s, other, beatboxers), theirs)
            if theirs > mine:
                return -1
    return 1


@rule
def value_unless_forbidden(s, place, action, value):
    """Return an action's value, -inf if the style avoids one of its cards."""
    if s.forbids[place, s.kind[action]]:
        return choice.AVOIDED
    if s.brass[action] > 0 and s.forbids[place, events.BRASS_BAND]:
        return choice.AVOIDED
    return value


@rule
def weigh_actions(s, seat, place):
    """Fill `s.value`: weights . features for each legal action, -inf for a forbidden one."""
    if s.indifferent[place]:
        for action in range(s.n_actions):
            s.value[action] = value_unless_forbidden(s, place, action, 0.0)
    else:
        weigh_features(s, seat, place)


@rule
def weigh_features(s, seat, place):
    """Fill `s.value` for a style that weighs something."""
    leader_hearts = most_hearts(s)
    beatboxers = visible_beatboxers(s, seat)
    stars = 0
    best_stars = 0
    for kind in range(s.kinds):
        stars += s.hand[seat, kind] * s.is_star[kind]
        best_stars += s.hand[seat, kind] * s.is_best_star[kind]
    for action in range(s.n_actions):
        look_ahead(s, seat, action, leader_hearts, beatboxers)
        kind = s.kind[action]
        s.feature[BRASS_BANDS_KEPT] = s.hand[seat, events.BRASS_BAND] - s.brass[action]
        s.feature[RAIN_KEPT] = s.hand[seat, events.RAIN] - (kind == events.RAIN)
        s.feature[BEST_STARS_KEPT] = best_stars - s.is_best_star[kind]
        s.feature[STARS_KEPT] = stars - s.is_star[kind]
        value = choice.weights_times_features(s, place)
        s.value[action] = value_unless_forbidden(s, place, action, value)


@rule
def look_ahead(s, seat, action, leader_hearts, beatboxers):
    """Fill the features that say which hearts an action moves and how the game stands then."""
    kind = s.kind[action]
    victim = s.victim[action]
    middle = s.middle
    taken = min(s.brass[action] * s.hearts_of[events.BRASS_BAND], middle)
    stolen = 0
    lost = 0
    exposed = 0
    if s.is_star[kind]:
        asked = s.hearts_of[kind]
        victim = victim_of(s, seat, kind)
        if victim != NOBODY:
            stolen = min(asked, s.hearts[victim])
            asked = asked - stolen if s.shortfall_from_middle else 0
        taken += min(asked, middle - taken)
        exposed = exposure(s, seat, kind, s.hearts[seat] + taken + stolen)
    elif kind == events.BEATBOXER:
        taken += min(beatboxers + 1, middle - taken)
    elif kind == events.FIREWORKS:
        if victim != NOBODY:
            stolen = min(s.hearts_of[events.FIREWORKS], s.hearts[victim])
    elif kind == events.RAIN:
        lost = rivals_lose(s, seat, beatboxers)
    middle -= taken
    over = is_over(s, seat, middle)
    ahead = 0
    if over:
        raining = kind == events.RAIN
        ahead = standing_at_end(s, seat, taken + stolen, victim, stolen, raining, beatboxers)
    s.feature[HEARTS_FROM_MIDDLE] = taken
    s.feature[HEARTS_STOLEN] = stolen
    s.feature[RIVALS_LOSE] = lost
    s.feature[VICTIM_IS_LEADER] = stolen > 0 and s.hearts[victim] == leader_hearts
    s.feature[EXPOSURE] = exposed
    s.feature[MIDDLE_LEFT] = middle
    s.feature[ENDS_GAME] = over
    s.feature[ENDS_AHEAD] = ahead
