"""What West Story writes of a finished game: rows of its tables, and the end of its log."""

import numpy as np

from sim.compiled import big_rule, rule
from sim.games import standings
from sim.games.west_story import events
from sim.games.west_story.events import GOLD_PAN, ROUND_CAP, SPOTS
from sim.games.west_story.rules import NOBODY, UNUSED, note
from sim.games.west_story.scoring import end_vp, licence_vp, pairs, rank_of, towns_vp
from sim.games.west_story.state import (
    ANIMALS,
    BUILDINGS,
    CARDS,
    CERTIFICATES,
    DISCS,
    LICENCE,
    NEUTRAL,
    PRODUCTION_CARDS,
    QUADRUPLE,
    SCORING_CARDS,
    SYMBOLS,
    VILLAINS,
    WILD,
)

PART_VILLAINS, PART_TOWNS, PART_LICENCE, PART_CERTIFICATE, PART_CARDS = (
    np.int64(part) for part in range(len(events.PARTS))
)
ENDS = np.int64(GOLD_PAN), np.int64(ROUND_CAP)
(
    L_COINS,
    L_COWS,
    L_FIRST,
    L_SPACES,
    L_EFFECTS,
    L_LIMITS,
    L_PRINTED,
    L_WILD,
    L_VILLAINS,
    L_TOWNS,
    L_LICENCE,
    L_END,
) = range(12)


@big_rule
def write_game(s, row):
    """Fill a row of the games table; return how many players share the win."""
    best = s.score[0]
    second = np.int64(-(2**40))
    winners = int(rank_of(s, 0) == 1)
    for seat in range(1, s.players):
        score = s.score[seat]
        second = max(second, min(best, score))
        best = max(best, score)
        winners += rank_of(s, seat) == 1
    row.players = s.players
    row.rounds = s.round
    row.turns = s.players * s.round
    row.decisions = s.decisions
    row.end_reason = GOLD_PAN if s.over else ROUND_CAP
    row.truncated = not s.over
    row.tied = s.over and winners > 1
    row.lead_changes = s.lead_changes
    row.margin = best - second
    row.building_0 = s.building_set[0]
    row.building_1 = s.building_set[1]
    row.building_2 = s.building_set[2]
    row.building_3 = s.building_set[3]
    row.building_4 = s.building_set[4]
    row.ties = s.ties
    row.lake_coins = s.lake_coins
    row.bank_coins = s.bank_coins
    row.bought = total(s, s.by_count[:, CARDS])
    row.skips = total(s, s.skips)
    row.combos = total(s, s.combos) + total(s, s.combo_cows)
    row.trades = total(s, s.by_count[:, DISCS])
    row.fights = total(s, s.by_count[:, VILLAINS])
    row.bribes = total(s, s.bribes)
    row.certificates = held_certificates(s)
    row.resets = total(s, s.resets)
    return winners


@rule
def total(s, counts):
    """Return the sum over the seats."""
    sum_of = 0
    for seat in range(s.players):
        sum_of += counts[seat]
    return sum_of


@rule
def held_certificates(s):
    """Return how many certificates were bought."""
    held = 0
    for seat in range(s.players):
        held += s.certificate[seat] >= 0
    return held


@rule
def share_of(s, seat, winners):
    """Return a seat's win share."""
    return 1.0 / winners if rank_of(s, seat) == 1 else 0.0


@big_rule
def write_seat(s, row, seat, place, winners):
    """Fill a row of the seats table."""
    over = s.over
    certificate = s.certificate[seat]
    row.seat = seat
    row.style = place
    row.score = s.score[seat]
    row.rank = rank_of(s, seat) if over else 0
    row.win_share = share_of(s, seat, winners) if over else np.nan
    row.truncated = not over
    row.vp_spaces = s.vp_spaces[seat]
    row.vp_effects = s.vp_effects[seat]
    row.vp_limits = s.vp_limits[seat]
    row.vp_printed = s.vp_printed[seat]
    row.vp_wild = s.vp_wild[seat]
    row.vp_villains = s.villain_vp[seat]
    row.vp_towns = towns_vp(s, seat)
    row.vp_licence = 0 if certificate >= 0 else licence_vp(s, seat)
    row.vp_certificate = licence_vp(s, seat) if certificate >= 0 else 0
    row.vp_end = end_vp(s, seat)
    row.symbol = s.symbol[seat]
    row.certificate = certificate if certificate >= 0 else CERTIFICATES
    row.certificate_round = s.certificate_round[seat]
    row.certificate_paid = s.certificate_paid[seat]
    row.licence_cards = s.by_count[seat, LICENCE]
    row.certificate_pairs = pairs(s, seat, certificate) if certificate >= 0 else 0
    row.bought = s.by_count[seat, CARDS]
    row.production_cards = s.by_count[seat, PRODUCTION_CARDS]
    row.scoring_cards = s.by_count[seat, SCORING_CARDS]
    row.buildings = s.by_count[seat, BUILDINGS]
    row.animals = s.by_count[seat, ANIMALS]
    row.covered = s.covered[seat]
    row.skips = s.skips[seat]
    row.resets = s.resets[seat]
    row.discs = s.by_count[seat, DISCS]
    row.villains = s.by_count[seat, VILLAINS]
    row.bribes = s.bribes[seat]
    row.bribe_paid = s.bribe_paid[seat]
    row.executed = s.executed[seat]
    row.combos = s.combos[seat]
    row.combo_cows = s.combo_cows[seat]
    row.clears = s.clears[seat]
    row.tokens_used = s.tokens_used[seat]
    row.lake_round = s.lake_round[seat]
    row.rounds_first = s.rounds_first[seat]
    row.pan_coins = s.richest_coins[seat]
    row.hats_lost = s.hats_lost[seat]
    row.coins = s.coins[seat]
    row.cows = s.cows[seat]
    row.marker = s.vp[seat]


@big_rule
def write_market(s, market, at, game, winners):
    """Fill the rows of a game in the market table, the first of them row `at`."""
    for card in range(s.cards):
        row = market[at + card]
        bought = 0
        owners = 0
        wins = 0.0
        for seat in range(s.players):
            bought += s.owned[seat, card]
            if s.owned[seat, card] > 0:
                owners += 1
                wins += share_of(s, seat, winners) if s.over else 0.0
        row.game = game
        row.card = card
        row.in_play = s.in_play[card]
        row.seen = s.seen_of[card]
        row.bought = bought
        row.owners = owners
        row.win_share = wins if s.over else np.nan
        row.executed = s.executed_of[card]
        row.coins = s.coins_of[card]
        row.hats = s.hats_of[card]
        row.cows = s.cows_of[card]
        row.rounds = s.rounds_of[card]


@big_rule
def write_villains(s, villains, at, game, winners):
    """Fill the rows of a game in the villains table, the first of them row `at`."""
    for place in range(s.places):
        row = villains[at + place]
        winner = s.winner[place]
        row.game = game
        row.place = place
        row.token = s.token_was[place]
        row.turned_round = s.turned_round[place]
        row.bribes = s.place_bribes[place]
        row.paid = s.place_paid[place]
        row.gone_round = s.gone_round[place]
        row.fought = winner >= 0
        row.pot = s.pot_won[place]
        row.win_share = share_of(s, winner, winners) if s.over and winner >= 0 else np.nan


@big_rule
def write_towns(s, towns, at, game, winners):
    """Fill the rows of a game in the towns table, the first of them row `at`."""
    for town in range(s.towns):
        row = towns[at + town]
        discs = 0
        seats = 0
        full = 0
        vp = 0
        wins = 0.0
        for seat in range(s.players):
            mine = s.discs[seat, town]
            discs += mine
            full += mine == s.town_discs[town]
            vp += s.town_vp[town, mine]
            if mine > 0:
                seats += 1
                wins += share_of(s, seat, winners) if s.over else 0.0
        row.game = game
        row.town = town
        row.discs = discs
        row.seats = seats
        row.full = full
        row.quadruples = was_used(s, town, QUADRUPLE)
        row.wilds = was_used(s, town, WILD)
        row.vp = vp
        row.win_share = wins if s.over else np.nan


@rule
def was_used(s, town, wanted):
    """Tell whether a player put a disc on such a symbol of a town."""
    used = False
    for symbol in range(6):
        disc = s.disc[town, symbol]
        used = used or (s.town_symbol[town, symbol] == wanted and disc >= 0 and disc != NEUTRAL)
    return used


@big_rule
def count_spaces(s, spaces):
    """Add a finished game to the table of spaces."""
    for spot in range(SPOTS):
        row = spaces[spot]
        row.seats += s.players
        row.by_die += s.spot_by[spot, 0]
        row.moved += s.spot_by[spot, 1]
        row.by_combo += s.spot_by[spot, 2]
        row.by_token += s.spot_by[spot, 3]
        row.by_trade += s.spot_by[spot, 4]
        row.as_space += s.spot_printed[spot]
        row.cards += s.spot_cards[spot]


@rule
def symbols_code(s, kind):
    """Return the label of a kind's symbols: wild, a symbol, a pair."""
    mask = s.kind_symbols[kind]
    if mask == WILD:
        return 0
    for symbol in range(SYMBOLS):
        if mask == 1 << symbol:
            return 1 + symbol
    for certificate in range(CERTIFICATES):
        pair = (1 << s.pair[certificate, 0]) | (1 << s.pair[certificate, 1])
        if mask == pair:
            return 1 + SYMBOLS + certificate
    return 1 + SYMBOLS + CERTIFICATES


@big_rule
def write_purchases(s, purchases, at, game, shift):
    """Fill the rows of a sampled game in the purchases table, the first of them row `at`."""
    for number in range(s.most_rounds):
        for seat in range(s.players):
            for which in range(2):
                row = purchases[at + (number * s.players + seat) * 2 + which]
                bought = s.purchase_log[number, seat, which]
                played = number < s.round
                kind = bought[0] if played else -1
                covers = bought[2] if played else -1
                row.game = game
                row.seat = seat
                row.style = standings.place_of(s, seat, shift)
                row.round = number + 1
                row.purchase = which + 1
                row.card = s.kind_card[kind] if kind >= 0 else s.cards + (not played)
                row.symbols = symbols_code(s, kind) if kind >= 0 else 2 + SYMBOLS + CERTIFICATES
                row.spot = bought[1] if kind >= 0 else SPOTS
                row.covers = s.kind_card[covers] if covers >= 0 else s.cards
                row.coins = bought[3] if played else 0
                row.hats = bought[4] if played else 0
                row.cows = bought[5] if played else 0


@rule
def log_round(s, first):
    """Keep the standings at the end of a round for the table of rounds."""
    for seat in range(s.players):
        row = s.round_log[s.round, seat]
        row[L_COINS] = s.coins[seat]
        row[L_COWS] = s.cows[seat]
        row[L_FIRST] = seat == first
        row[L_SPACES] = s.vp_spaces[seat]
        row[L_EFFECTS] = s.vp_effects[seat]
        row[L_LIMITS] = s.vp_limits[seat]
        row[L_PRINTED] = s.vp_printed[seat]
        row[L_WILD] = s.vp_wild[seat]
        row[L_VILLAINS] = s.villain_vp[seat]
        row[L_TOWNS] = towns_vp(s, seat)
        row[L_LICENCE] = licence_vp(s, seat)
        row[L_END] = end_vp(s, seat)


@big_rule
def write_rounds(s, rounds, at, game, shift):
    """Fill the rows of a sampled game in the rounds table, the first of them row `at`."""
    for number in range(s.most_rounds):
        for seat in range(s.players):
            row = rounds[at + number * s.players + seat]
            played = number < s.round
            kept = s.round_log[number, seat]
            row.game = game
            row.seat = seat
            row.style = standings.place_of(s, seat, shift)
            row.round = number + 1
            row.played = played
            row.first = played and kept[L_FIRST] != 0
            row.coins = kept[L_COINS] if played else 0
            row.cows = kept[L_COWS] if played else 0
            row.vp_spaces = kept[L_SPACES] if played else 0
            row.vp_effects = kept[L_EFFECTS] if played else 0
            row.vp_limits = kept[L_LIMITS] if played else 0
            row.vp_printed = kept[L_PRINTED] if played else 0
            row.vp_wild = kept[L_WILD] if played else 0
            row.vp_villains = kept[L_VILLAINS] if played else 0
            row.vp_towns = kept[L_TOWNS] if played else 0
            row.vp_licence = kept[L_LICENCE] if played else 0
            row.vp_end = kept[L_END] if played else 0


@rule
def tell_part(s, log, seat, part, vp):
    """Game End: VP of one source."""
    if vp != 0:
        note(s, log, events.FINAL, seat, part, vp, UNUSED)


@big_rule
def tell_end(s, log):
    """Game End: why it ended, and the scores."""
    s.round -= 1
    note(s, log, events.END, NOBODY, ENDS[0] if s.over else ENDS[1], UNUSED, UNUSED)
    for seat in range(s.players):
        held = s.certificate[seat] >= 0
        if not s.villains_at_once:
            tell_part(s, log, seat, PART_VILLAINS, s.villain_vp[seat])
        tell_part(s, log, seat, PART_TOWNS, towns_vp(s, seat))
        part = PART_CERTIFICATE if held else PART_LICENCE
        tell_part(s, log, seat, part, licence_vp(s, seat))
        tell_part(s, log, seat, PART_CARDS, end_vp(s, seat))
    for seat in range(s.players):
        rank = rank_of(s, seat) if s.over else 0
        note(s, log, events.SCORE, seat, s.score[seat], np.int64(rank), s.villain_vp[seat])
