"""How a compiled player of West Story lists its legal actions in a turn and takes one of them."""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games.west_story import events
from sim.games.west_story.events import SLOTS, SPOTS, TRADED
from sim.games.west_story.features import look_at_board, rounds_left, worth_owned
from sim.games.west_story.producing import choose_alternative
from sim.games.west_story.rules import (
    BY_TRADE,
    NONE,
    ONE,
    UNUSED,
    WILD_EFFECTS,
    area_of,
    clear_rows,
    effect_at,
    execute,
    is_marked,
    mark,
    note,
    villain_of,
)
from sim.games.west_story.state import FREE, NO_KIND, WILD
from sim.games.west_story.taking import (
    BRIBE,
    CARD_BOUGHT,
    CERTIFICATE,
    FIGHT,
    RESET,
    SKIP,
    TRADE,
    add,
    add_pass,
    take,
)
from sim.games.west_story.turn import (
    bribe,
    buy_card,
    buy_certificate,
    end_turn,
    fight,
    may_trade,
    may_use,
    plan_bribe,
    plan_payment,
    put_disc,
    refill_market,
    reset_row,
    skip_purchase,
    wild_bonus,
)
from sim.games.west_story.values import (
    value_of_bribe,
    value_of_certificate,
    value_of_fight,
    value_of_reset,
    value_of_skip,
    value_of_spot,
    value_of_trade,
    weigh_card,
)

A_FIGHT, A_TRADE, A_CERTIFICATE, A_RESET, A_SKIP, _ = range(len(events.ACTIONS))
BY_TOWN = np.int64(TRADED)


@big_rule
def add_certificates(s, seat, place):
    """Railroad Certificates: append those that can be bought where the marker stands."""
    if s.certificate[seat] >= 0 or not s.area_desert[area_of(s, s.vp[seat])]:
        return
    for stack in range(s.stacks):
        n = s.stack_n[stack]
        for from_bottom in range(min(n, 2)):
            cost = s.cost_bottom if from_bottom else s.cost_top
            if plan_payment(s, seat, NONE, cost, NONE, s.cows_first[place]):
                certificate = s.stack[stack, 0 if from_bottom else n - 1]
                value = 0.0
                if not s.indifferent[place]:
                    value = value_of_certificate(s, seat, place, certificate)
                forbidden = s.forbids_kind[place, A_CERTIFICATE]
                add(s, CERTIFICATE, stack, np.int64(from_bottom), value, forbidden)


@rule
def certificate_if_chosen(s, log, seat, place, chosen):
    """Buy the certificate that was chosen; return whether one was."""
    if s.action[chosen, 0] != CERTIFICATE:
        return False
    from_bottom = s.action[chosen, 2]
    cost = s.cost_bottom if from_bottom else s.cost_top
    plan_payment(s, seat, NONE, cost, NONE, s.cows_first[place])
    buy_certificate(s, log, seat, s.action[chosen, 1], from_bottom)
    return True


@rule
def can_fight(s, seat, place, villain):
    """Villains: tell whether a seat can remove a token; fill `pay_*` if so."""
    token = s.token[villain]
    if token == s.uncatchable:
        return False
    hats, coins = s.token_hats[token], s.token_coins[token]
    return plan_payment(s, seat, hats, coins, s.free_fight[seat], s.cows_first[place])


@big_rule
def list_villain_actions(s, seat, place, villain):
    """Face a villain: fight, pay, or buy a certificate before."""
    s.n_actions = 0
    token = s.token[villain]
    fights = can_fight(s, seat, place, villain)
    if fights:
        value = 0.0 if s.indifferent[place] else value_of_fight(s, seat, place, villain)
        forbidden = s.forbids_kind[place, A_FIGHT] or s.forbids_token[place, token]
        add(s, FIGHT, villain, UNUSED, value, forbidden)
    asked = s.token_pay[token]
    if not fights or s.coins[seat] + s.cows[seat] >= asked:
        plan_bribe(s, seat, asked, s.cows_first[place])
        value = 0.0 if s.indifferent[place] else value_of_bribe(s, seat, place, villain)
        add(s, BRIBE, villain, UNUSED, value, False)
    add_certificates(s, seat, place)


@outer_rule
def face_villain(s, log, seat, place):
    """Face a villain, if the marker is where one is."""
    villain = villain_of(s, area_of(s, s.vp[seat]))
    while villain >= 0:
        list_villain_actions(s, seat, place, villain)
        chosen = take(s, seat, place)
        kind = s.action[chosen, 0]
        if kind == FIGHT:
            can_fight(s, seat, place, villain)
            fight(s, log, seat, villain)
            villain = np.int64(-1)
        elif kind == BRIBE:
            plan_bribe(s, seat, s.token_pay[s.token[villain]], s.cows_first[place])
            bribe(s, log, seat, villain)
            villain = np.int64(-1)
        else:
            certificate_if_chosen(s, log, seat, place, chosen)


@rule
def plan_trade(s, seat, place, town):
    """Town Trades: fill `pay_*`; return whether the seat can pay."""
    if s.free_trade[seat]:
        return plan_payment(s, seat, NONE, NONE, NONE, s.cows_first[place])
    cows_first = s.cows_first[place]
    return plan_payment(s, seat, s.town_hats[town], s.town_coins[town], NONE, cows_first)


@big_rule
def list_trades(s, seat, place):
    """Trade with a town: every free symbol with every spot that it lets execute."""
    s.n_actions = 0
    add_pass(s, seat, place)
    town = s.area_town[area_of(s, s.vp[seat])]
    if town >= 0 and may_trade(s, seat, town) and plan_trade(s, seat, place, town):
        forbidden = s.forbids_kind[place, A_TRADE] or s.forbids_town[place, town]
        for symbol in range(6):
            if s.disc[town, symbol] == FREE:
                wild = s.town_symbol[town, symbol] == WILD
                bonus = WILD_EFFECTS + town if wild else UNUSED
                for spot in range(SPOTS):
                    if may_use(s, seat, town, symbol, spot):
                        value = 0.0
                        if not s.indifferent[place]:
                            plan_trade(s, seat, place, town)
                            value = value_of_trade(s, seat, place, town, spot, bonus)
                        add(s, TRADE, np.int64(symbol), np.int64(spot), value, forbidden)
    add_certificates(s, seat, place)


@outer_rule
def trade(s, log, seat, place, symbol, spot):
    """Trade with a town: a disc, one more execution, the bonus of a wild symbol."""
    town = s.area_town[area_of(s, s.vp[seat])]
    plan_trade(s, seat, place, town)
    put_disc(s, log, seat, town, symbol)
    s.n_marked = 0
    mark(s, log, seat, spot, BY_TOWN, BY_TRADE, NONE)
    effect = effect_at(s, seat, spot)
    alternative = np.int64(0)
    if s.alternatives[effect] > 1:
        alternative = choose_alternative(s, seat, place, effect)
    execute(s, log, seat, NONE, alternative)
    if s.town_symbol[town, symbol] == WILD:
        wild_bonus(s, log, seat, town)
    clear_rows(s, log, seat)


@outer_rule
def trade_with_town(s, log, seat, place):
    """Trade with a town, once, or not at all."""
    choosing = True
    while choosing:
        list_trades(s, seat, place)
        chosen = take(s, seat, place)
        choosing = certificate_if_chosen(s, log, seat, place, chosen)
    if s.action[chosen, 0] == TRADE:
        trade(s, log, seat, place, s.action[chosen, 1], s.action[chosen, 2])


@big_rule
def list_purchases(s, seat, place, last):
    """Purchase cards: every card that can be paid on every spot, a skip, certificates.

    `offer_worth` keeps what each card on offer is worth on its best spot, 0 if out of reach.
    """
    s.n_actions = 0
    plain = s.indifferent[place]
    left = np.float64(rounds_left(s))
    if not plain:
        look_at_board(s, seat, place, left)
    for offer in range(3 * SLOTS):
        s.offer_worth[offer] = 0.0
        kind = s.market[offer // SLOTS, offer % SLOTS]
        if kind == NO_KIND:
            continue
        card = s.kind_card[kind]
        hats, coins = s.card_hats[card], s.card_coins[card]
        if plan_payment(s, seat, hats, coins, s.discount[seat], s.cows_first[place]):
            forbidden = s.forbids_card[place, card]
            value = 0.0
            worth_of_card = 0.0
            best = -np.inf
            if not plain:
                value = weigh_card(s, seat, place, kind, last)
                worth_of_card = worth_owned(s, seat, place, kind)
            for spot in range(SPOTS):
                if not is_marked(s, seat, spot):
                    here = 0.0
                    if not plain:
                        here = value_of_spot(s, seat, place, kind, spot, worth_of_card, left)
                    add(s, CARD_BOUGHT, np.int64(offer), np.int64(spot), value + here, forbidden)
                    best = max(best, value + here)
            if not forbidden and best > -np.inf:
                s.offer_worth[offer] = best
    value = 0.0 if plain else value_of_skip(s, seat, place, last)
    add(s, SKIP, UNUSED, UNUSED, value, s.forbids_kind[place, A_SKIP])
    add_certificates(s, seat, place)


@big_rule
def list_resets(s, seat, place):
    """Additional Notes: no reset, or any cards of one row."""
    s.n_actions = 0
    add_pass(s, seat, place)
    forbidden = s.forbids_kind[place, A_RESET]
    for deck in range(3):
        on_offer = 0
        for slot in range(SLOTS):
            on_offer |= (s.market[deck, slot] != NO_KIND) << slot
        for chosen in range(1, 1 << SLOTS):
            if chosen & ~on_offer == 0:
                value = 0.0
                if not s.indifferent[place]:
                    plan_payment(s, seat, ONE, NONE, NONE, s.cows_first[place])
                    value = value_of_reset(s, seat, place, deck, chosen)
                add(s, RESET, np.int64(deck), np.int64(chosen), value, forbidden)


@outer_rule
def reset_if_wanted(s, log, seat, place, last):
    """Additional Notes: reset a row for a hat, if the style likes; return whether it did."""
    if not plan_payment(s, seat, ONE, NONE, NONE, s.cows_first[place]):
        return False
    if not s.indifferent[place]:
        list_purchases(s, seat, place, last)
    list_resets(s, seat, place)
    chosen = take(s, seat, place)
    if s.action[chosen, 0] != RESET:
        return False
    plan_payment(s, seat, ONE, NONE, NONE, s.cows_first[place])
    reset_row(s, log, seat, s.action[chosen, 1], s.action[chosen, 2])
    return True


@rule
def log_purchase(s, seat, number, kind, spot, covers):
    """Keep a purchase for the table of purchases."""
    row = s.purchase_log[s.round, seat, number]
    row[0] = kind
    row[1] = spot
    row[2] = covers
    row[3] = s.pay_coins if kind >= 0 else 0
    row[4] = s.pay_hats if kind >= 0 else 0
    row[5] = s.pay_cows if kind >= 0 else 0


@outer_rule
def purchase(s, log, seat, place, number):
    """Purchase cards: one card, or a cow for skipping it."""
    choosing = True
    while choosing:
        list_purchases(s, seat, place, number == 1)
        chosen = take(s, seat, place)
        choosing = certificate_if_chosen(s, log, seat, place, chosen)
    if s.action[chosen, 0] == SKIP:
        log_purchase(s, seat, number, UNUSED, UNUSED, UNUSED)
        skip_purchase(s, log, seat)
        return
    deck, slot = s.action[chosen, 1] // SLOTS, s.action[chosen, 1] % SLOTS
    spot = s.action[chosen, 2]
    kind = s.market[deck, slot]
    card = s.kind_card[kind]
    hats, coins = s.card_hats[card], s.card_coins[card]
    plan_payment(s, seat, hats, coins, s.discount[seat], s.cows_first[place])
    log_purchase(s, seat, number, kind, spot, s.top[seat, spot])
    buy_card(s, log, seat, deck, slot, spot)


@outer_rule
def last_certificate(s, log, seat, place):
    """Railroad Certificates: after the purchases there is another moment to buy one."""
    choosing = True
    while choosing:
        s.n_actions = 0
        add_pass(s, seat, place)
        add_certificates(s, seat, place)
        chosen = take(s, seat, place)
        choosing = certificate_if_chosen(s, log, seat, place, chosen)


@outer_rule
def player_turn(s, log, seat, place):
    """Player Turn: face a villain, trade with a town, purchase cards, reset the hat track."""
    note(s, log, events.TURN, seat, UNUSED, UNUSED, UNUSED)
    face_villain(s, log, seat, place)
    trade_with_town(s, log, seat, place)
    was_reset = False
    for number in range(2):
        if not was_reset:
            was_reset = reset_if_wanted(s, log, seat, place, number == 1)
        purchase(s, log, seat, place, number)
    refill_market(s, log)
    last_certificate(s, log, seat, place)
    end_turn(s, seat)
