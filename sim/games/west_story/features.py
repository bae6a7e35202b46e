"""What a player of West Story weighs in an action, compiled; `vocabulary.FEATURES` says it."""

import numpy as np

from sim.compiled import big_rule, rule
from sim.games.west_story import vocabulary
from sim.games.west_story.events import (
    COINS,
    COWS,
    DISCOUNT,
    FREE_FIGHT,
    FREE_TRADE,
    HATS,
    ROW_SPOTS,
    SPOTS,
    VP,
)
from sim.games.west_story.rules import (
    IN,
    OUT,
    area_of,
    effect_at,
    meets,
    row_marks,
    row_of,
    villain_of,
)
from sim.games.west_story.scoring import (
    end_vp,
    own_card,
    term_amount,
)
from sim.games.west_story.state import DISCS, FREE, VILLAINS

FEATURE = {name: number for number, name in enumerate(vocabulary.FEATURE_NAMES)}
F_VP = FEATURE["vp"]
F_COINS = FEATURE["coins"]
F_HATS = FEATURE["hats"]
F_COWS = FEATURE["cows"]
F_ABILITY = FEATURE["ability"]
F_LICENCE_VP = FEATURE["licence_vp"]
F_CARD_VP = FEATURE["card_vp"]
F_TOWN_VP = FEATURE["town_vp"]
F_VILLAIN_VP = FEATURE["villain_vp"]
F_ENGINE_COINS = FEATURE["engine_coins"]
F_ENGINE_HATS = FEATURE["engine_hats"]
F_ENGINE_COWS = FEATURE["engine_cows"]
F_ENGINE_VP = FEATURE["engine_vp"]
F_ENGINE_ABILITY = FEATURE["engine_ability"]
F_COMBOS = FEATURE["combos"]
F_CARD = FEATURE["card"]
F_PRODUCTION_CARD = FEATURE["production_card"]
F_ANIMAL = FEATURE["animal"]
F_BUILDING = FEATURE["building"]
F_SYMBOL_CARD = FEATURE["symbol_card"]
F_DENIED = FEATURE["denied"]
F_SKIP = FEATURE["skip"]
F_HATS_LOST = FEATURE["hats_lost"]
F_FIGHT = FEATURE["fight"]
F_TRADE = FEATURE["trade"]
F_CERTIFICATE = FEATURE["certificate"]
F_CERTIFICATE_VP = FEATURE["certificate_vp"]
F_RESET = FEATURE["reset"]
F_RESET_GAIN = FEATURE["reset_gain"]
F_TOKEN = FEATURE["token"]
F_CLEARS_ROW = FEATURE["clears_row"]
F_TO_LAKE = FEATURE["to_lake"]
F_REACHES_LAKE = FEATURE["reaches_lake"]
F_IN_TOWN = FEATURE["in_town"]
F_IN_DESERT = FEATURE["in_desert"]
F_MEETS_VILLAIN = FEATURE["meets_villain"]
F_RICHEST = FEATURE["richest"]

MARKERS_A_ROUND = 1.3
"""Markers that a row of a player gets in a round, combos and trades counted."""
NEAR_LAKE = 12
"""Who lacks no more VP is expected to take a coin of the pan at the lake."""
FREE_TRADE_SAVES = 2
NOTHING = np.int64(0)


@rule
def begin(s):
    """Forget the features, gains and payment of the action before."""
    for i in range(s.feature.shape[0]):
        s.feature[i] = 0.0
    for what in range(s.gain.shape[0]):
        s.gain[what] = 0
    s.pay_hats = 0
    s.pay_coins = 0
    s.pay_cows = 0
    s.pay_free = 0


@rule
def weights_times_features(s, place):
    """Return weights . features of the action in `s.feature`."""
    value = 0.0
    for i in range(s.feature.shape[0]):
        value += s.weights[place, i] * s.feature[i]
    return value


# What is gained


@rule
def foresee_hats(s, seat, hats):
    """Add to `s.gain` what so many hats would bring; a bonus for each execution comes later."""
    before = s.hats[seat] - s.pay_hats + s.gain[HATS]
    added = min(hats, s.hat_limit - before)
    s.gain[HATS] += added
    s.gain[VP] += hats - added
    if before < s.hat_bonus_at <= before + added and not s.each_execution:
        s.gain[COINS] += s.hat_bonus


@rule
def foresee_cows(s, seat, cows, overflow):
    """Add to `s.gain` what so many cows would bring."""
    before = s.cows[seat] - s.pay_cows + s.gain[COWS]
    for _ in range(cows):
        if before < s.cow_limit:
            s.gain[COINS] += s.herd_bonus[before]
            s.gain[COWS] += 1
            before += 1
        elif overflow:
            s.gain[VP] += 1


@big_rule
def foresee(s, seat, effect, alternative):
    """Add to `s.gain` what an effect would bring; what it counts is counted before."""
    gives_hats = False
    for term in range(s.terms[effect, alternative]):
        what = s.term_what[effect, alternative, term]
        amount = term_amount(s, seat, effect, alternative, term)
        if what == HATS:
            gives_hats = gives_hats or amount > 0
            foresee_hats(s, seat, amount)
        elif what == COWS:
            foresee_cows(s, seat, amount, True)
        elif what == FREE_TRADE:
            s.gain[FREE_TRADE] = FREE_TRADE_SAVES
        else:
            s.gain[what] += amount
    hats = s.hats[seat] - s.pay_hats + s.gain[HATS]
    if gives_hats and s.each_execution and hats >= s.hat_bonus_at:
        s.gain[COINS] += s.hat_bonus


@rule
def takes_disc(s, seat, town, put_there, put):
    """Tell whether a seat could put another disc in a town after so many put there and in all."""
    free = -put_there
    for symbol in range(6):
        free += s.disc[town, symbol] == FREE
    mine = s.discs[seat, town] + put_there < s.town_discs[town]
    return mine and free > 0 and s.by_count[seat, DISCS] + put < s.discs_each


@rule
def weigh_marker(s, seat, place, vp, put):
    """Fill the features of where a marker would stand after so many VP more and a disc put."""
    before = s.vp[seat]
    after = before + vp
    s.feature[F_VP] = vp
    s.feature[F_TO_LAKE] = min(after, s.lake_at) - min(before, s.lake_at)
    lake = after >= s.lake_at and not s.at_lake[seat] and s.pan > 0
    s.feature[F_REACHES_LAKE] = lake
    area = area_of(s, after)
    town = s.area_town[area]
    if s.weights[place, F_IN_TOWN] != 0.0:
        put_there = put if town == s.area_town[area_of(s, before)] else NOTHING
        s.feature[F_IN_TOWN] = town >= 0 and takes_disc(s, seat, town, put_there, put)
    s.feature[F_IN_DESERT] = s.area_desert[area] and s.certificate[seat] < 0
    s.feature[F_MEETS_VILLAIN] = villain_of(s, area) >= 0


@rule
def most_coins_of_rivals(s, seat):
    """Return the coins of the richest rival."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, s.coins[other])
    return most


@rule
def end_growth(s, seat, put, removed):
    """Return the growth of the end rules by cows gained and paid, a disc put, a villain removed."""
    cows = s.gain[COWS] - s.pay_cows
    if cows == 0 and put == 0 and removed == 0:
        return 0
    before = end_vp(s, seat)
    s.cows[seat] += cows
    s.by_count[seat, DISCS] += put
    s.by_count[seat, VILLAINS] += removed
    growth = end_vp(s, seat) - before
    s.cows[seat] -= cows
    s.by_count[seat, DISCS] -= put
    s.by_count[seat, VILLAINS] -= removed
    return growth


@rule
def weigh_outcome(s, seat, place, put, removed):
    """Fill the features of what an action gains (`s.gain`) and pays (`s.pay_*`).

    `put` and `removed` are its discs put in the town at hand and its villains removed, 0 or 1.
    """
    if s.weights[place, F_CARD_VP] != 0.0:
        s.feature[F_CARD_VP] = end_growth(s, seat, put, removed)
    s.feature[F_COINS] = s.gain[COINS] - s.pay_coins
    s.feature[F_HATS] = s.gain[HATS] - s.pay_hats
    s.feature[F_COWS] = s.gain[COWS] - s.pay_cows
    s.feature[F_ABILITY] = s.gain[DISCOUNT] + s.gain[FREE_FIGHT] + s.gain[FREE_TRADE]
    weigh_marker(s, seat, place, s.gain[VP], put)
    coins = s.coins[seat] + s.gain[COINS] - s.pay_coins
    s.feature[F_RICHEST] = coins > most_coins_of_rivals(s, seat)


# The rest of the game


@rule
def rounds_left(s):
    """Return the rounds to be expected after this one: coins of the pan, less those at the lake."""
    left = s.pan - s.last_taken
    for seat in range(s.players):
        left -= not s.at_lake[seat] and s.vp[seat] >= s.lake_at - NEAR_LAKE
    return max(left, 0)


@rule
def expect_executions(s, seat, left):
    """Fill `s.executions` for each spot without a marker.

    A row is cleared when all six spots have been executed once. So with k spots open and t more
    markers to come, the next one falls on a spot with the chance (1 + marked spots to its left) /
    6, the others on any open spot alike, and each further six markers execute it once more.
    """
    markers = MARKERS_A_ROUND * left
    for row in range(2):
        marks = row_marks(s, seat, row)
        free = ROW_SPOTS
        for space in range(ROW_SPOTS):
            free -= (marks >> space) & 1
        for space in range(ROW_SPOTS):
            run = 0
            while (marks >> ((space - 1 - run) % ROW_SPOTS)) & 1 and run < ROW_SPOTS - 1:
                run += 1
            chance = (1.0 + run) / ROW_SPOTS
            if markers < 1.0:
                expected = chance * markers
            else:
                later = min(1.0, (markers - 1.0) / max(free - 1, 1))
                expected = chance + (1.0 - chance) * later
                expected += max(markers - free, 0.0) / ROW_SPOTS
            s.executions[row * ROW_SPOTS + space] = expected


@rule
def worth_owned(s, seat, place, kind):
    """Return what an execution of a card is worth once it is owned, and counted by itself."""
    effect = SPOTS + s.kind_card[kind]
    if not s.counts[effect]:
        return worth(s, seat, place, effect)
    own_card(s, seat, kind, IN)
    value = worth(s, seat, place, effect)
    own_card(s, seat, kind, OUT)
    return value


@rule
def worth(s, seat, place, effect):
    """Return what an execution of an effect is worth to a style that builds an engine."""
    best = -np.inf
    for alternative in range(s.alternatives[effect]):
        value = 0.0
        for term in range(s.terms[effect, alternative]):
            what = s.term_what[effect, alternative, term]
            amount = term_amount(s, seat, effect, alternative, term)
            if what == COINS:
                value += s.weights[place, F_ENGINE_COINS] * amount
            elif what == HATS:
                value += s.weights[place, F_ENGINE_HATS] * amount
            elif what == COWS:
                value += s.weights[place, F_ENGINE_COWS] * amount
            elif what == VP:
                value += s.weights[place, F_ENGINE_VP] * amount
            else:
                saved = FREE_TRADE_SAVES if what == FREE_TRADE else amount
                value += s.weights[place, F_ENGINE_ABILITY] * saved
        best = max(best, value)
    return best


@rule
def matches(s, seat, row, symbols):
    """Return how many spots of the other row match symbols in a row."""
    count = 0
    for space in range(ROW_SPOTS):
        count += meets(s.symbols[seat, (1 - row) * ROW_SPOTS + space], symbols)
    return count


@rule
def look_at_board(s, seat, place, left):
    """Fill what a card on each spot is compared with: executions, worth, matches of today."""
    expect_executions(s, seat, left)
    for spot in range(SPOTS):
        s.worth_here[spot] = worth(s, seat, place, effect_at(s, seat, spot))
        s.matches[spot] = matches(s, seat, row_of(spot), s.symbols[seat, spot])
