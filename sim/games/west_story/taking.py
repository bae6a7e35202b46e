"""How a compiled player of West Story takes one of the actions that are listed."""

import numpy as np

from sim import choice, streams
from sim.compiled import big_rule, rule
from sim.games import scripting, standings
from sim.games.west_story.rules import (
    UNUSED,
)
from sim.games.west_story.values import (
    value_of_pass,
)

(PASS, FIGHT, BRIBE, TRADE, CERTIFICATE, RESET, CARD_BOUGHT, SKIP, SPOT, COW, ALTERNATIVE) = (
    np.int64(kind) for kind in range(11)
)
"""Kinds of action in the list: those of `vocabulary.ACTS` between PASS and ALTERNATIVE."""


@rule
def add(s, kind, a, b, value, forbidden):
    """Append an action; a forbidden one is avoided."""
    n = s.n_actions
    s.action[n, 0] = kind
    s.action[n, 1] = a
    s.action[n, 2] = b
    s.value[n] = choice.AVOIDED if forbidden else value
    s.n_actions = n + 1


@rule
def add_pass(s, seat, place):
    """Append doing nothing."""
    value = 0.0 if s.indifferent[place] else value_of_pass(s, seat, place)
    add(s, PASS, UNUSED, UNUSED, value, False)


@big_rule
def followed(s, seat, place):
    """Return the index of the action that is taken in a scripted game."""
    if s.n_actions == 1:
        return np.int64(0)
    chosen = scripting.from_list(s, seat, place)
    if scripting.forks(s):
        deal_unseen(s)
    return chosen


@big_rule
def deal_unseen(s):
    """Deal anew what nobody can see: the order of the decks, the tokens that lie face down."""
    scripting.reseed(s, streams.CHOICES)
    size = s.deck.shape[1]
    for deck in range(3):
        for i in range(s.deck_n[deck] - 1, 0, -1):
            j = streams.below(s, streams.DRAWS, i + 1)
            one, other = (s.deck_first[deck] + i) % size, (s.deck_first[deck] + j) % size
            kind = s.deck[deck, one]
            s.deck[deck, one] = s.deck[deck, other]
            s.deck[deck, other] = kind
    unseen = 0
    for token in range(s.tokens):
        known = False
        for place in range(s.places):
            known |= s.token_was[place] == token and (s.face_up[place] or s.token[place] < 0)
        if not known:
            s.pile[unseen] = token
            unseen += 1
    streams.shuffle(s, streams.DRAWS, s.pile, unseen)
    for place in range(s.places):
        if s.token[place] >= 0 and not s.face_up[place]:
            unseen -= 1
            s.token[place] = s.pile[unseen]
            s.token_was[place] = s.pile[unseen]


@rule
def take(s, seat, place):
    """Return the index of the action that the style takes."""
    s.decisions += s.n_actions > 1
    chosen = followed(s, seat, place) if s.scripted else choice.choose(s, place)
    if s.n_actions > 1 or s.action[0, 0] != PASS:
        standings.count_options(s, seat, s.n_actions)
    kind = s.action[chosen, 0]
    if PASS < kind < ALTERNATIVE:
        standings.count_act(s, seat, kind - 1)
    return chosen
