"""What West Story's cards, symbols, discs and villains are worth, compiled."""

from sim.compiled import big_rule, rule
from sim.games.west_story.state import (
    ANIMALS,
    BUILDINGS,
    CARDS,
    COWS_OWNED,
    FLAT,
    LICENCE,
    MOST_FREQUENT,
    PRODUCTION_CARDS,
    SCORING_CARDS,
    SETS,
    SYMBOLS,
)


@rule
def count_symbols(s, seat):
    """Additional Notes: count again what hangs on the symbols of a seat's cards."""
    most = s.by_symbol[seat, 0]
    least = most
    for symbol in range(1, SYMBOLS):
        n = s.by_symbol[seat, symbol]
        most = max(most, n)
        least = min(least, n)
    s.by_count[seat, MOST_FREQUENT] = most
    s.by_count[seat, SETS] = least
    s.by_count[seat, LICENCE] = s.by_symbol[seat, s.symbol[seat]]


@rule
def own_card(s, seat, kind, number):
    """Count a card of a seat in (1) or out again (-1)."""
    card = s.kind_card[kind]
    deck = s.card_deck[card]
    s.owned[seat, card] += number
    s.by_count[seat, CARDS] += number
    s.by_count[seat, ANIMALS] += number * s.card_animal[card]
    if deck == 0:
        s.by_count[seat, PRODUCTION_CARDS] += number
    elif deck == 1:
        s.by_count[seat, SCORING_CARDS] += number
    else:
        s.by_count[seat, BUILDINGS] += number
    symbols = s.kind_symbols[kind]
    for symbol in range(SYMBOLS):
        s.by_symbol[seat, symbol] += number * ((symbols >> symbol) & 1)
    count_symbols(s, seat)


@rule
def counted(s, seat, count):
    """Return how many a seat has of what an effect counts; 1 for a flat amount."""
    if count == FLAT:
        return 1
    if count == COWS_OWNED:
        return s.cows[seat]
    return s.by_count[seat, count]


@rule
def term_amount(s, seat, effect, alternative, term):
    """Return what a term of an effect gives to a seat as things stand."""
    count = s.term_count[effect, alternative, term]
    amount = s.term_amount[effect, alternative, term]
    if count != FLAT:
        amount *= counted(s, seat, count) // s.term_per[effect, alternative, term]
    return min(amount, s.term_most[effect, alternative, term])


@big_rule
def end_vp(s, seat):
    """Game End: return what the end rules of a seat's cards are worth as things stand."""
    total = 0
    for i in range(s.n_end_cards):
        card = s.end_cards[i]
        if s.owned[seat, card] > 0:
            times = counted(s, seat, s.end_count[card]) // s.end_per[card]
            total += s.owned[seat, card] * min(s.end_amount[card] * times, s.end_most[card])
    return total


@rule
def pairs(s, seat, certificate):
    """Railroad Certificates: return a seat's pairs of the certificate's symbols."""
    return min(s.by_symbol[seat, s.pair[certificate, 0]], s.by_symbol[seat, s.pair[certificate, 1]])


@rule
def licence_vp(s, seat):
    """Railroad Certificates: return what the certificate, or else the licence, is worth now."""
    if s.certificate[seat] >= 0:
        return s.pair_vp * pairs(s, seat, s.certificate[seat])
    return s.licence_vp * s.by_count[seat, LICENCE]


@rule
def towns_vp(s, seat):
    """Town Trades: return what a seat's discs are worth."""
    total = 0
    for town in range(s.towns):
        total += s.town_vp[town, s.discs[seat, town]]
    return total


@rule
def final_score(s, seat):
    """Game End: return a seat's score as things stand."""
    villains = 0 if s.villains_at_once else s.villain_vp[seat]
    return s.vp[seat] + villains + towns_vp(s, seat) + licence_vp(s, seat) + end_vp(s, seat)


@rule
def beats(s, one, other):
    """Game End: tell whether a seat beats another by score, villains, then coins and cows."""
    if s.score[one] != s.score[other]:
        return s.score[one] > s.score[other]
    if s.villain_vp[one] != s.villain_vp[other]:
        return s.villain_vp[one] > s.villain_vp[other]
    return s.coins[one] + s.cows[one] > s.coins[other] + s.cows[other]


@rule
def rank_of(s, seat):
    """Game End: return a seat's rank, 1 for the best; equal seats share it."""
    rank = 1
    for other in range(s.players):
        rank += other != seat and beats(s, other, seat)
    return rank
