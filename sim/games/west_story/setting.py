"""West Story's rules, compiled: the game set-up.

`s` is the record of one game (`state.STATE`); `log` is empty unless the game is to be told.
"""

import numpy as np

from sim import streams
from sim.compiled import big_rule, rule
from sim.games.west_story import events
from sim.games.west_story.events import SLOTS, SPOTS
from sim.games.west_story.rules import NOBODY, NONE, UNUSED, note, refill
from sim.games.west_story.scoring import count_symbols
from sim.games.west_story.state import CERTIFICATES, FREE, NEUTRAL, NO_KIND, SYMBOLS


@big_rule
def set_up(s, log, deal):
    """Game Setup: boards, certificates, villains, decks and the market."""
    s.round = -1
    s.over = 0
    s.log_n = 0
    s.first_player = 0
    s.producing = 0
    s.pan = s.pan_coins
    choose_buildings(s, log, deal)
    for seat in range(s.players):
        clear_seat(s, seat)
    deal_boards(s, log)
    deal_certificates(s, log)
    for town in range(s.towns):
        for spot in range(6):
            s.disc[town, spot] = FREE
        if s.players == 2:
            s.disc[town, 0] = NEUTRAL
    shuffle_decks(s, log)
    # Last of all draws, so that one token more leaves the rest of the deal as it was.
    deal_tokens(s, log)
    for deck in range(3):
        refill(s, log, deck)
    s.round = 0


@rule
def choose_buildings(s, log, deal):
    """Game Setup: pick the building types in play."""
    number = np.int64(0)
    if s.random_set:
        number = streams.below(s, streams.SETUP, s.sets)
    elif s.even_set:
        number = deal % s.sets
    for card in range(s.cards):
        s.in_play[card] = s.card_deck[card] != 2
    for place in range(5):
        card = np.int64(s.set_cards[number, place])
        s.building_set[place] = card
        s.in_play[card] = 1
        note(s, log, events.SET, NOBODY, place, card, UNUSED)


@rule
def clear_seat(s, seat):
    """Game Setup: what a player takes."""
    s.coins[seat] = s.start_coins
    s.cows[seat] = s.start_cows
    s.hats[seat] = 0
    s.vp[seat] = 0
    s.certificate[seat] = -1
    s.marks[seat] = 0
    for spot in range(SPOTS):
        s.top[seat, spot] = NO_KIND
        s.symbols[seat, spot] = s.space_symbol[spot]
    for card in range(s.cards):
        s.owned[seat, card] = 0
    for count in range(s.by_count.shape[1]):
        s.by_count[seat, count] = 0
    for symbol in range(SYMBOLS):
        s.by_symbol[seat, symbol] = 0
    for town in range(s.towns):
        s.discs[seat, town] = 0
    s.villain_vp[seat] = 0
    s.wild[seat] = 0
    s.wild_ready[seat] = 0
    s.passed[seat, 0] = 0
    s.passed[seat, 1] = 0
    s.at_lake[seat] = 0
    s.lake_now[seat] = 0
    s.discount[seat] = 0
    s.free_fight[seat] = 0
    s.free_trade[seat] = 0


@rule
def deal_boards(s, log):
    """Game Setup: each player takes a board with another symbol."""
    for symbol in range(SYMBOLS):
        s.symbol[symbol] = symbol
    streams.shuffle(s, streams.SETUP, s.symbol, SYMBOLS)
    for seat in range(s.players):
        count_symbols(s, seat)
        note(s, log, events.BOARD, seat, s.symbol[seat], UNUSED, UNUSED)


@rule
def deal_certificates(s, log):
    """Game Setup: certificates on face-up stacks."""
    pile = s.pile
    for certificate in range(CERTIFICATES):
        pile[certificate] = certificate
    streams.shuffle(s, streams.SETUP, pile, CERTIFICATES)
    for stack in range(s.stacks):
        s.stack_n[stack] = s.per_stack
        for below in range(s.per_stack):
            height = s.per_stack - 1 - below
            certificate = pile[stack * s.per_stack + height]
            s.stack[stack, height] = certificate
            note(s, log, events.CERTIFICATE_AT, NOBODY, stack, below, certificate)


@rule
def deal_tokens(s, log):
    """Game Setup: villain tokens face down, with coins on them."""
    pile = s.pile
    for token in range(s.tokens):
        pile[token] = token
    streams.shuffle(s, streams.SETUP, pile, s.tokens)
    for place in range(s.places):
        s.token[place] = pile[place]
        s.token_was[place] = pile[place]
        s.face_up[place] = 0
        s.pot_coins[place] = s.pot_at_start
        s.pot_cows[place] = 0
        note(s, log, events.TOKEN_AT, NOBODY, place, NONE, pile[place])


@rule
def shuffle_decks(s, log):
    """Game Setup: shuffle the three decks; a deck is a ring buffer that begins at its top."""
    for deck in range(3):
        s.deck_n[deck] = 0
        s.deck_first[deck] = 0
        for slot in range(SLOTS):
            s.market[deck, slot] = NO_KIND
    for kind in range(s.kinds):
        card = s.kind_card[kind]
        if s.in_play[card]:
            deck = s.card_deck[card]
            for _ in range(s.kind_copies[kind]):
                s.deck[deck, s.deck_n[deck]] = kind
                s.deck_n[deck] += 1
    for deck in range(3):
        streams.shuffle(s, streams.SETUP, s.deck[deck], s.deck_n[deck])
        for position in range(s.deck_n[deck]):
            note(s, log, events.ORDER, NOBODY, deck, position, s.deck[deck, position])
