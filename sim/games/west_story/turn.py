"""West Story's rules, compiled: the player turn, passing the dice, the end.

`s` is the record of one game (`state.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim import streams
from sim.compiled import big_rule, rule
from sim.games.west_story import events
from sim.games.west_story.events import SLOTS
from sim.games.west_story.rules import (
    CARD,
    IN,
    NOBODY,
    NONE,
    ONE,
    POT,
    SKIPPED,
    UNUSED,
    VILLAIN,
    WILD_BONUS,
    WILD_EFFECTS,
    gain_coins,
    gain_cows,
    had_enough,
    is_marked,
    move_marker,
    note,
    refill,
    run_effect,
    turn_up,
)
from sim.games.west_story.scoring import own_card
from sim.games.west_story.state import DISCS, NO_KIND, VILLAINS


@rule
def plan_payment(s, seat, hats, coins, free, cows_first):
    """Fill `pay_*` with how a seat pays; return whether it can. `free` is what it need not pay.

    Free amounts go to hats that are lacking, then coins, then other hats; hats pay hats; cows pay
    what hats lack; coins are paid with coins first, or with cows first.
    """
    lacking = max(hats - s.hats[seat], 0)
    for_lacking = min(free, lacking)
    for_coins = min(free - for_lacking, coins)
    for_hats = min(free - for_lacking - for_coins, hats - for_lacking)
    s.pay_free = for_lacking + for_coins + for_hats
    hats -= for_lacking + for_hats
    coins -= for_coins
    s.pay_hats = min(hats, s.hats[seat])
    s.pay_cows = hats - s.pay_hats
    left = s.cows[seat] - s.pay_cows
    cows = min(coins, left) if cows_first else max(coins - s.coins[seat], 0)
    s.pay_cows += cows
    s.pay_coins = coins - cows
    return left >= 0 and cows <= left and s.pay_coins <= s.coins[seat]


@rule
def pay(s, log, seat):
    """Pay what `plan_payment` found."""
    s.hats[seat] -= s.pay_hats
    s.coins[seat] -= s.pay_coins
    s.cows[seat] -= s.pay_cows
    note(s, log, events.PAY, seat, s.pay_hats, s.pay_coins, s.pay_cows)


@rule
def plan_bribe(s, seat, asked, cows_first):
    """Villains: fill `pay_*` with up to the coins or cows that a villain asks."""
    asked = min(asked, s.coins[seat] + s.cows[seat])
    s.pay_hats = 0
    s.pay_free = 0
    if cows_first:
        s.pay_cows = min(asked, s.cows[seat])
        s.pay_coins = asked - s.pay_cows
    else:
        s.pay_coins = min(asked, s.coins[seat])
        s.pay_cows = asked - s.pay_coins


@rule
def take_token_away(s, log, seat, place):
    """Villains: a token leaves the board; the next one on its stack turns up."""
    s.token[place] = -1
    s.gone_round[place] = s.round + 1
    turn_up(s, log, seat)


@rule
def fight(s, log, seat, place):
    """Villains: remove the token and take what lies on it."""
    token = s.token[place]
    note(s, log, events.FIGHT, seat, place, token, UNUSED)
    s.free_fight[seat] -= s.pay_free
    pay(s, log, seat)
    s.by_count[seat, VILLAINS] += 1
    s.villain_vp[seat] += s.token_vp[token]
    s.winner[place] = seat
    s.pot_won[place] = s.pot_coins[place] + s.pot_cows[place]
    coins = s.pot_coins[place]
    cows = s.pot_cows[place]
    s.pot_coins[place] = 0
    s.pot_cows[place] = 0
    take_token_away(s, log, seat, place)
    gain_coins(s, log, seat, coins, POT)
    if cows > 0:
        gain_cows(s, log, seat, cows, POT)
    if s.villains_at_once:
        move_marker(s, log, seat, s.token_vp[token], VILLAIN)


@rule
def bribe(s, log, seat, place):
    """Villains: pay; an uncatchable one may have enough."""
    token = s.token[place]
    note(s, log, events.BRIBE, seat, place, token, UNUSED)
    paid = s.pay_coins + s.pay_cows
    leaves = had_enough(s, place, paid)
    s.bribes[seat] += 1
    s.bribe_paid[seat] += paid
    s.place_bribes[place] += 1
    s.place_paid[place] += paid
    if s.cows_become_coins:
        s.pot_coins[place] += paid
    else:
        s.pot_coins[place] += s.pay_coins
        s.pot_cows[place] += s.pay_cows
    pay(s, log, seat)
    if leaves:
        note(s, log, events.LEAVE, NOBODY, place, token, UNUSED)
        s.pot_coins[place] = 0
        s.pot_cows[place] = 0
        take_token_away(s, log, seat, place)


@rule
def may_trade(s, seat, town):
    """Town Trades: tell whether a seat may put another disc in a town."""
    return s.discs[seat, town] < s.town_discs[town] and s.by_count[seat, DISCS] < s.discs_each


@rule
def may_use(s, seat, town, symbol, spot):
    """Town Trades: tell whether a town's symbol lets a seat execute a spot."""
    wanted = s.town_symbol[town, symbol]
    return (s.symbols[seat, spot] & wanted) != 0 and not is_marked(s, seat, spot)


@rule
def put_disc(s, log, seat, town, symbol):
    """Town Trades: pay and put a disc on a symbol."""
    note(s, log, events.TRADE, seat, town, symbol, UNUSED)
    s.free_trade[seat] = 0
    pay(s, log, seat)
    s.disc[town, symbol] = seat
    s.discs[seat, town] += 1
    s.by_count[seat, DISCS] += 1


@rule
def wild_bonus(s, log, seat, town):
    """Town Trades: the bonus at the town's wild symbol."""
    run_effect(s, log, seat, WILD_EFFECTS + town, NONE, WILD_BONUS)


@rule
def buy_certificate(s, log, seat, stack, from_bottom):
    """Railroad Certificates: pay, and cover the printed symbol."""
    height = 0 if from_bottom else s.stack_n[stack] - 1
    certificate = s.stack[stack, height]
    note(s, log, events.CERTIFICATE, seat, stack, np.int64(from_bottom), certificate)
    s.certificate_paid[seat] = s.pay_coins + s.pay_cows
    s.certificate_round[seat] = s.round + 1
    pay(s, log, seat)
    s.certificate[seat] = certificate
    for i in range(height, s.stack_n[stack] - 1):
        s.stack[stack, i] = s.stack[stack, i + 1]
    s.stack_n[stack] -= 1


@rule
def buy_card(s, log, seat, deck, slot, spot):
    """Purchase cards: put a card on a spot; its VP move the marker."""
    kind = s.market[deck, slot]
    card = s.kind_card[kind]
    note(s, log, events.BUY, seat, deck * SLOTS + slot, spot, kind)
    s.coins_of[card] += s.pay_coins
    s.hats_of[card] += s.pay_hats
    s.cows_of[card] += s.pay_cows
    s.rounds_of[card] += s.round + 1
    s.spot_cards[spot] += 1
    s.covered[seat] += s.top[seat, spot] >= 0
    s.discount[seat] -= s.pay_free
    pay(s, log, seat)
    s.market[deck, slot] = NO_KIND
    s.top[seat, spot] = kind
    s.symbols[seat, spot] = s.kind_symbols[kind]
    own_card(s, seat, kind, IN)
    s.vp_printed[seat] += s.card_vp[card]
    move_marker(s, log, seat, s.card_vp[card], CARD)


@rule
def skip_purchase(s, log, seat):
    """Purchase cards: a cow for a purchase that is skipped."""
    note(s, log, events.SKIP, seat, UNUSED, UNUSED, UNUSED)
    s.skips[seat] += 1
    gain_cows(s, log, seat, ONE, SKIPPED)


@big_rule
def reset_row(s, log, seat, deck, chosen):
    """Additional Notes: cards of a row go in random order under their deck."""
    pile = s.pile
    n = 0
    for slot in range(SLOTS):
        n += (chosen >> slot) & 1
    note(s, log, events.RESET, seat, deck, np.int64(n), UNUSED)
    s.resets[seat] += 1
    pay(s, log, seat)
    n = 0
    for slot in range(SLOTS):
        if (chosen >> slot) & 1:
            pile[n] = s.market[deck, slot]
            s.market[deck, slot] = NO_KIND
            note(s, log, events.RETURN, NOBODY, deck, np.int64(slot), pile[n])
            n += 1
    streams.shuffle(s, streams.DRAWS, pile, n)
    for i in range(n):
        last = (s.deck_first[deck] + s.deck_n[deck]) % s.deck.shape[1]
        s.deck[deck, last] = pile[i]
        s.deck_n[deck] += 1
        note(s, log, events.UNDER, NOBODY, deck, np.int64(i), pile[i])
    refill(s, log, deck)


@rule
def refill_market(s, log):
    """Purchase cards: refill the market when all purchases are done."""
    for deck in range(3):
        refill(s, log, deck)


@rule
def end_turn(s, seat):
    """Reset your hat track: hats and unused abilities leave."""
    s.hats_lost[seat] += s.hats[seat]
    s.hats[seat] = 0
    s.discount[seat] = 0
    s.free_fight[seat] = 0
    s.free_trade[seat] = 0


@rule
def wealth(s, seat):
    """Pass the Dice: return what makes a player rich."""
    return s.coins[seat] + s.cows[seat] * s.count_cows


@rule
def pass_the_dice(s, log):
    """Pass the Dice: the richest takes a coin and the dice; the pan tells when the game ends."""
    if s.pan == 0:
        s.over = 1
        return
    most = -1
    tied = 0
    richest = s.first_player
    for i in range(1, s.players + 1):
        seat = (s.first_player + i) % s.players
        if wealth(s, seat) > most:
            most = wealth(s, seat)
            richest = seat
            tied = 1
        elif wealth(s, seat) == most:
            tied += 1
    s.pan -= 1
    if tied == 1:
        s.coins[richest] += 1
        s.richest_coins[richest] += 1
    else:
        s.ties += 1
    s.first_player = richest
    note(s, log, events.RICHEST, richest, np.int64(tied == 1), UNUSED, UNUSED)
    if s.last_taken and s.pan == 0:
        s.over = 1
