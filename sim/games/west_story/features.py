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
    SLOTS,
    SPOTS,
    VP,
)
from sim.games.west_story.rules import (
    ALL_SPOTS,
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
    counted,
    end_vp,
    licence_vp,
    own_card,
    pairs,
    term_amount,
)
from sim.games.west_story.state import LICENCE, NO_KIND, WILD

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
    """Add to `s.gain` what so many hats would bring."""
    before = min(s.hats[seat] + s.gain[HATS], s.hat_limit)
    added = min(hats, s.hat_limit - before)
    s.gain[HATS] += added
    s.gain[VP] += hats - added
    after = before + added
    if after >= s.hat_bonus_at and (before < s.hat_bonus_at or s.each_execution):
        s.gain[COINS] += s.hat_bonus


@rule
def foresee_cows(s, seat, cows, overflow):
    """Add to `s.gain` what so many cows would bring."""
    before = max(s.cows[seat] - s.pay_cows, 0) + s.gain[COWS]
    for _ in range(cows):
        if before < s.cow_limit:
            s.gain[COINS] += s.herd_bonus[before]
            s.gain[COWS] += 1
            before += 1
        elif overflow:
            s.gain[VP] += 1


@big_rule
def foresee(s, seat, effect, alternative):
    """Add to `s.gain` what an effect would bring."""
    for term in range(s.terms[effect, alternative]):
        what = s.term_what[effect, alternative, term]
        amount = term_amount(s, seat, effect, alternative, term)
        if what == HATS:
            foresee_hats(s, seat, amount)
        elif what == COWS:
            foresee_cows(s, seat, amount, True)
        elif what == FREE_TRADE:
            s.gain[FREE_TRADE] = FREE_TRADE_SAVES
        else:
            s.gain[what] += amount


@rule
def weigh_marker(s, seat, vp):
    """Fill the features of where a marker would stand after so many VP more."""
    before = s.vp[seat]
    after = before + vp
    s.feature[F_VP] = vp
    s.feature[F_TO_LAKE] = min(after, s.lake_at) - min(before, s.lake_at)
    lake = after >= s.lake_at and not s.at_lake[seat] and s.pan > 0
    s.feature[F_REACHES_LAKE] = lake
    area = area_of(s, after)
    town = s.area_town[area]
    s.feature[F_IN_TOWN] = town >= 0 and s.discs[seat, town] < s.town_discs[town]
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
def weigh_outcome(s, seat):
    """Fill the features of what an action gains (`s.gain`) and pays (`s.pay_*`)."""
    s.feature[F_COINS] = s.gain[COINS] - s.pay_coins
    s.feature[F_HATS] = s.gain[HATS] - s.pay_hats
    s.feature[F_COWS] = s.gain[COWS] - s.pay_cows
    s.feature[F_ABILITY] = s.gain[DISCOUNT] + s.gain[FREE_FIGHT] + s.gain[FREE_TRADE]
    weigh_marker(s, seat, s.gain[VP])
    coins = s.coins[seat] + s.gain[COINS] - s.pay_coins
    s.feature[F_RICHEST] = coins > most_coins_of_rivals(s, seat)


@rule
def fills_row(s, seat, spot):
    """Tell whether a marker on a spot would fill its row."""
    row = row_of(spot)
    bit = np.int64(1) << (spot - row * ROW_SPOTS)
    return (row_marks(s, seat, row) | bit) == ALL_SPOTS


@rule
def value_of_alternative(s, seat, place, effect, alternative):
    """Return the value of executing an alternative of an effect, and nothing else."""
    begin(s)
    foresee(s, seat, effect, alternative)
    weigh_outcome(s, seat)
    return weights_times_features(s, place)


@rule
def value_of_marking(s, seat, place, spot, tokens):
    """Return the value of marking and executing one more spot, for wild tokens or none."""
    effect = effect_at(s, seat, spot)
    best = -np.inf
    for alternative in range(s.alternatives[effect]):
        begin(s)
        foresee(s, seat, effect, alternative)
        weigh_outcome(s, seat)
        s.feature[F_CLEARS_ROW] = fills_row(s, seat, spot)
        s.feature[F_TOKEN] = tokens
        best = max(best, weights_times_features(s, place))
    return best


@rule
def value_of_cow(s, seat, place, tokens):
    """Return the value of a cow for a combo without a spot, for wild tokens or none."""
    begin(s)
    foresee_cows(s, seat, 1, True)
    weigh_outcome(s, seat)
    s.feature[F_TOKEN] = tokens
    return weights_times_features(s, place)


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


# Purchases


@rule
def counts_for(s, seat, symbols):
    """Tell whether symbols count for the seat's licence or certificate."""
    if symbols == WILD:
        return False
    certificate = s.certificate[seat]
    if certificate < 0:
        return ((symbols >> s.symbol[seat]) & 1) != 0
    pair = (np.int64(1) << s.pair[certificate, 0]) | (np.int64(1) << s.pair[certificate, 1])
    return (symbols & pair) != 0


@rule
def worth_to_rival(s, rival, kind):
    """Return the VP of a card to a rival: printed, licence or certificate, its end rule."""
    card = s.kind_card[kind]
    before = licence_vp(s, rival) + end_vp(s, rival)
    own_card(s, rival, kind, IN)
    gained = licence_vp(s, rival) + end_vp(s, rival) - before
    own_card(s, rival, kind, OUT)
    return s.card_vp[card] + gained


@rule
def most_denied(s, seat, kind):
    """Return the most VP that a card is worth to a rival."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, worth_to_rival(s, other, kind))
    return most


@big_rule
def weigh_card(s, seat, place, kind, last):
    """Return the value of buying a card as planned in `pay_*`, wherever it is put."""
    card = s.kind_card[kind]
    hats, coins, cows = s.pay_hats, s.pay_coins, s.pay_cows
    begin(s)
    s.pay_hats, s.pay_coins, s.pay_cows = hats, coins, cows
    s.gain[VP] = s.card_vp[card]
    weigh_outcome(s, seat)
    licence, ends = licence_vp(s, seat), end_vp(s, seat)
    own_card(s, seat, kind, IN)
    s.feature[F_LICENCE_VP] = licence_vp(s, seat) - licence
    s.feature[F_CARD_VP] = end_vp(s, seat) - ends
    own_card(s, seat, kind, OUT)
    s.feature[F_CARD] = 1.0
    s.feature[F_PRODUCTION_CARD] = s.card_deck[card] == 0
    s.feature[F_ANIMAL] = s.card_animal[card]
    s.feature[F_BUILDING] = s.card_deck[card] == 2
    s.feature[F_SYMBOL_CARD] = counts_for(s, seat, s.kind_symbols[kind])
    if last:
        s.feature[F_HATS_LOST] = s.hats[seat] - hats
    if s.weights[place, F_DENIED] != 0.0:
        s.feature[F_DENIED] = most_denied(s, seat, kind)
    return weights_times_features(s, place)


@rule
def value_of_spot(s, seat, place, kind, spot, worth_of_card, left):
    """Return the value of putting a card on a spot, beyond buying it: its engine and combos."""
    row = row_of(spot)
    more = matches(s, seat, row, s.kind_symbols[kind]) - s.matches[spot]
    combos = left * more / (ROW_SPOTS * ROW_SPOTS)
    engine = s.executions[spot] * (worth_of_card - s.worth_here[spot])
    return engine + s.weights[place, F_COMBOS] * combos


@rule
def value_of_skip(s, seat, place, last):
    """Return the value of skipping a purchase for a cow."""
    begin(s)
    foresee_cows(s, seat, 1, not s.no_overflow)
    weigh_outcome(s, seat)
    s.feature[F_SKIP] = 1.0
    if last:
        s.feature[F_HATS_LOST] = s.hats[seat]
    return weights_times_features(s, place)


# Other acts; `pay_*` is planned before


@rule
def value_of_fight(s, seat, place, villain):
    """Return the value of fighting a villain."""
    hats, coins, cows = s.pay_hats, s.pay_coins, s.pay_cows
    begin(s)
    s.pay_hats, s.pay_coins, s.pay_cows = hats, coins, cows
    vp = s.token_vp[s.token[villain]]
    foresee_cows(s, seat, s.pot_cows[villain], True)
    s.gain[COINS] += s.pot_coins[villain]
    s.gain[VP] += vp * s.villains_at_once
    weigh_outcome(s, seat)
    s.feature[F_VP] -= vp * s.villains_at_once
    s.feature[F_VILLAIN_VP] = vp
    s.feature[F_FIGHT] = 1.0
    return weights_times_features(s, place)


@rule
def value_of_bribe(s, seat, place):
    """Return the value of paying a villain."""
    hats, coins, cows = s.pay_hats, s.pay_coins, s.pay_cows
    begin(s)
    s.pay_hats, s.pay_coins, s.pay_cows = hats, coins, cows
    weigh_outcome(s, seat)
    return weights_times_features(s, place)


@rule
def value_of_trade(s, seat, place, town, spot, wild_effect):
    """Return the value of a disc in a town that executes a spot; `wild_effect` -1 or a bonus."""
    hats, coins, cows = s.pay_hats, s.pay_coins, s.pay_cows
    effect = effect_at(s, seat, spot)
    discs = s.discs[seat, town]
    best = -np.inf
    for alternative in range(s.alternatives[effect]):
        begin(s)
        s.pay_hats, s.pay_coins, s.pay_cows = hats, coins, cows
        foresee(s, seat, effect, alternative)
        if wild_effect >= 0:
            foresee(s, seat, wild_effect, 0)
        weigh_outcome(s, seat)
        s.feature[F_TOWN_VP] = s.town_vp[town, discs + 1] - s.town_vp[town, discs]
        s.feature[F_TRADE] = 1.0
        s.feature[F_CLEARS_ROW] = fills_row(s, seat, spot)
        best = max(best, weights_times_features(s, place))
    return best


@rule
def value_of_certificate(s, seat, place, certificate):
    """Return the value of buying a certificate."""
    coins, cows = s.pay_coins, s.pay_cows
    begin(s)
    s.pay_coins, s.pay_cows = coins, cows
    weigh_outcome(s, seat)
    now = s.pair_vp * pairs(s, seat, certificate) - s.licence_vp * counted(s, seat, LICENCE)
    played = s.round + 1.0
    s.feature[F_LICENCE_VP] = now
    s.feature[F_CERTIFICATE_VP] = now * (played + rounds_left(s)) / played
    s.feature[F_CERTIFICATE] = 1.0
    s.feature[F_IN_DESERT] = 0.0
    return weights_times_features(s, place)


@rule
def value_of_reset(s, seat, place, deck, chosen):
    """Return the value of replacing cards of a row, by what the cards on offer are worth."""
    hats, coins, cows = s.pay_hats, s.pay_coins, s.pay_cows
    begin(s)
    s.pay_hats, s.pay_coins, s.pay_cows = hats, coins, cows
    weigh_outcome(s, seat)
    mean = 0.0
    cards = 0
    for offer in range(3 * SLOTS):
        if s.market[offer // SLOTS, offer % SLOTS] != NO_KIND:
            mean += s.offer_worth[offer]
            cards += 1
    gain = 0.0
    for slot in range(SLOTS):
        if (chosen >> slot) & 1:
            gain += mean / cards - s.offer_worth[deck * SLOTS + slot]
    s.feature[F_RESET] = 1.0
    s.feature[F_RESET_GAIN] = gain
    return weights_times_features(s, place)
