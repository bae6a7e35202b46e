"""What an action of West Story is worth to a style: weights . features, compiled."""

import numpy as np

from sim.compiled import big_rule, rule
from sim.games.west_story.events import COINS, ROW_SPOTS, SLOTS, VP
from sim.games.west_story.features import (
    F_ANIMAL,
    F_BUILDING,
    F_CARD,
    F_CARD_VP,
    F_CERTIFICATE,
    F_CERTIFICATE_VP,
    F_CLEARS_ROW,
    F_COMBOS,
    F_DENIED,
    F_FIGHT,
    F_HATS_LOST,
    F_IN_DESERT,
    F_LICENCE_VP,
    F_PRODUCTION_CARD,
    F_RESET,
    F_RESET_GAIN,
    F_SKIP,
    F_SYMBOL_CARD,
    F_TOKEN,
    F_TOWN_VP,
    F_TRADE,
    F_VILLAIN_VP,
    F_VP,
    NOTHING,
    begin,
    end_growth,
    foresee,
    foresee_cows,
    matches,
    rounds_left,
    weigh_outcome,
    weights_times_features,
)
from sim.games.west_story.rules import (
    ALL_SPOTS,
    IN,
    ONE,
    OUT,
    effect_at,
    had_enough,
    row_marks,
    row_of,
)
from sim.games.west_story.scoring import counted, end_vp, licence_vp, own_card, pairs
from sim.games.west_story.state import LICENCE, NO_KIND, WILD


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
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
    return weights_times_features(s, place)


@rule
def value_of_pass(s, seat, place):
    """Return the value of leaving all as it is: where the marker stands, who is richest."""
    begin(s)
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
    return weights_times_features(s, place)


@rule
def value_of_marking(s, seat, place, spot, tokens):
    """Return the value of marking and executing one more spot, for wild tokens or none."""
    effect = effect_at(s, seat, spot)
    best = -np.inf
    for alternative in range(s.alternatives[effect]):
        begin(s)
        foresee(s, seat, effect, alternative)
        weigh_outcome(s, seat, place, NOTHING, NOTHING)
        s.feature[F_CLEARS_ROW] = fills_row(s, seat, spot)
        s.feature[F_TOKEN] = tokens
        best = max(best, weights_times_features(s, place))
    return best


@rule
def value_of_cow(s, seat, place, tokens):
    """Return the value of a cow for a combo without a spot, for wild tokens or none."""
    begin(s)
    foresee_cows(s, seat, 1, True)
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
    s.feature[F_TOKEN] = tokens
    return weights_times_features(s, place)


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
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
    licence, ends = licence_vp(s, seat), end_vp(s, seat)
    own_card(s, seat, kind, IN)
    s.feature[F_LICENCE_VP] = licence_vp(s, seat) - licence
    s.feature[F_CARD_VP] = end_vp(s, seat) - ends + end_growth(s, seat, NOTHING, NOTHING)
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
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
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
    token = s.token[villain]
    s.token[villain] = -1
    weigh_outcome(s, seat, place, NOTHING, ONE)
    s.token[villain] = token
    s.feature[F_VP] -= vp * s.villains_at_once
    s.feature[F_VILLAIN_VP] = vp
    s.feature[F_FIGHT] = 1.0
    return weights_times_features(s, place)


@rule
def value_of_bribe(s, seat, place, villain):
    """Return the value of paying a villain; an uncatchable one may leave."""
    coins, cows = s.pay_coins, s.pay_cows
    begin(s)
    s.pay_coins, s.pay_cows = coins, cows
    token = s.token[villain]
    if had_enough(s, villain, coins + cows):
        s.token[villain] = -1
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
    s.token[villain] = token
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
        weigh_outcome(s, seat, place, ONE, NOTHING)
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
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
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
    weigh_outcome(s, seat, place, NOTHING, NOTHING)
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
