"""Wildstyle's set-up of a game and of a round, compiled; and what is unseen dealt anew."""

import numpy as np

from sim import streams
from sim.compiled import big_rule, rule
from sim.games import bits, scripting
from sim.games.wildstyle import events
from sim.games.wildstyle.rules import (
    ACTING,
    AT_START,
    EMPTY,
    LOOKING,
    NOBODY,
    UNUSED,
    note,
)


@big_rule
def set_up(s, log, deal):
    """Setup: the city map, the objective tiles, empty crew mats."""
    s.cut = 0
    s.round = 0
    s.cars_left = s.car_stock
    s.decisions = 0
    s.looks = 0
    for icon in range(s.icon_n.shape[0]):
        s.icon_n[icon] = 0
        s.full[icon] = 0
    deal_tiles(s, log, deal)
    lay_districts(s, log)
    for word in range(s.taken.shape[0]):
        s.taken[word] = bits.NONE
    s.w_n = 0
    for cell in range(s.hexes):
        s.w_at[cell] = -1
    for seat in range(s.players):
        clear_seat(s, seat)
    for i in range(s.round_end.shape[0]):
        s.round_end[i] = len(events.END_REASONS)
        s.round_time[i] = 0
        s.round_acts[i] = 0
        s.round_fumbles[i] = 0
        s.round_drawn[i] = 0
        s.round_shared[i] = 0
        s.round_taken[i] = 0
        s.round_placed[i] = 0
        s.round_rushed[i] = 0


@rule
def clear_seat(s, seat):
    """Give a seat an empty mat, no tag on the map, and nothing counted."""
    s.mat[seat] = 0
    s.tags[seat] = 0
    s.cars[seat] = 0
    s.clusters[seat] = 0
    s.standing[seat] = 0
    s.acts[seat] = 0
    s.fumbles[seat] = 0
    s.waits[seat] = 0
    s.drawn[seat] = 0
    s.shared[seat] = 0
    s.took[seat] = 0
    s.lost_solo[seat] = 0
    s.lost_to_cars[seat] = 0
    s.has_spare[seat] = 0
    for word in range(s.taken.shape[0]):
        s.own[seat, word] = bits.NONE
        s.beside[seat, word] = bits.NONE
        s.stale[seat, word] = ~bits.NONE
    for icon in range(s.icon_n.shape[0]):
        s.icon_tags[seat, icon] = 0
        s.best_known[seat, icon] = 0
    for district in range(s.players):
        s.district_tags[seat, district] = 0
    for cell in range(s.hexes):
        s.cluster_of[seat, cell] = -1
    for position in range(s.dealt):
        s.tile_points[seat, position] = 0
        s.scored[seat, position] = 0
        s.scored_tags[seat, position] = 0
        s.before[seat, position] = 0
        for figure in range(s.side_figures[s.tile[position]]):
            s.have[position, seat, figure] = 0


@rule
def deal_tiles(s, log, deal):
    """City Map Setup, 3: objective tiles, the first ones A side up."""
    drawn = streams.below(s, streams.SETUP, s.n_sets)
    s.tile_set = deal % s.n_sets if s.even_tiles else drawn
    for position in range(s.dealt):
        s.tile[position] = s.set_sides[s.tile_set, position]
        note(s, log, events.TILE, NOBODY, AT_START, np.int64(position), s.tile[position], UNUSED)


@rule
def lay_districts(s, log):
    """City Map Setup, 1 and 2: a board for each player, any side, its station turned inwards."""
    for cell in range(s.hexes):
        s.near_police[cell] = 0
    for board in range(s.boards):
        s.cards[board] = board
    streams.shuffle(s, streams.SETUP, s.cards, s.boards)
    for position in range(s.players):
        face = 2 * s.cards[position] + streams.below(s, streams.SETUP, 2)
        choices = np.int64(s.turns_n[position, face])
        turn = np.int64(s.turns[position, face, streams.below(s, streams.SETUP, choices)])
        note(s, log, events.DISTRICT, NOBODY, AT_START, np.int64(position), face, turn)
        for i in range(s.district_size):
            cell = position * s.district_size + i
            icon = np.int64(s.face_icons[face, turn, i])
            s.icon[cell] = icon
            s.icon_hexes[icon, s.icon_n[icon]] = cell
            s.icon_n[icon] += 1
    for icon in range(s.icon_n.shape[0]):
        s.free[icon] = s.icon_n[icon]
    for i in range(s.icon_n[events.POLICE]):
        station = s.icon_hexes[events.POLICE, i]
        for direction in range(6):
            beside = s.neighbour[station, direction]
            if beside >= 0 and s.icon[beside] != events.POLICE:
                s.near_police[beside] = 1


@big_rule
def begin_round(s, log, purpose):
    """Player Setup, Share & Draw Pile Setup, Starting a New Round."""
    s.round += 1
    s.now = 0
    s.final = 0
    s.reason = events.STALEMATE
    note(s, log, events.ROUND, NOBODY, AT_START, s.round, UNUSED, UNUSED)
    shuffle_deck(s, purpose)
    left = s.deck_size
    for seat in range(s.players):
        s.mat[seat] += s.tags_each_round
        s.doing[seat] = LOOKING
        s.hand_n[seat] = s.hand_size
        for i in range(s.hand_size):
            left -= 1
            s.hand[seat, i] = s.cards[left]
            note(s, log, events.DEAL, seat, AT_START, np.int64(s.cards[left]), UNUSED, UNUSED)
        for place in range(s.set_n.shape[1]):
            s.set_n[seat, place] = 0
            s.set_icon[seat, place] = EMPTY
    for pile in range(s.share_piles):
        s.share_n[pile] = 0
    for icon in range(s.icon_n.shape[0]):
        s.shown[icon] = 0
    s.discarded = 0
    split_deck(s, log, left, purpose)


@rule
def shuffle_deck(s, purpose):
    """Gather all cards and shuffle them."""
    n = 0
    for icon in range(s.copies.shape[0]):
        for colour in range(s.copies.shape[1]):
            for _ in range(s.copies[icon, colour]):
                s.cards[n] = icon * events.COLOURS + colour
                n += 1
    streams.shuffle(s, purpose, s.cards, n)


@rule
def split_deck(s, log, left, purpose):
    """Share & Draw Pile Setup, 2 and 3: piles of about one size, some of them drawn from."""
    size = left // s.all_piles
    longer = left % s.all_piles
    aside = s.all_piles - s.draw_piles
    # which piles are longer is all that tells them apart: draw the lengths of those set aside
    start = left
    long_left = longer
    for pile in range(s.all_piles):
        long = streams.below(s, purpose, s.all_piles - pile) < long_left
        long_left -= long
        length = size + long
        start -= length
        if pile >= aside:
            s.bottom[pile - aside] = start
            s.top[pile - aside] = start + length
    s.to_draw = s.top[0]
    s.drawable = s.top[0]
    for pile in range(s.draw_piles):
        for i in range(s.bottom[pile], s.top[pile]):
            card = np.int64(s.cards[i])
            note(s, log, events.PILE, NOBODY, AT_START, np.int64(pile), card, UNUSED)
    for i in range(s.top[0], left):
        card = np.int64(s.cards[i])
        note(s, log, events.PILE, NOBODY, AT_START, np.int64(events.SET_ASIDE), card, UNUSED)


@rule
def is_meant(s, seat, card):
    """Tell whether a seat is about to play a card of its hand: it keeps that card."""
    kind = s.act[seat]
    playing = s.doing[seat] == ACTING and kind in (events.ADD, events.SHARE)
    return playing and s.target[seat] // events.Y % events.Y == card


@big_rule
def deal_unseen(s, seat):
    """Deal anew what a seat cannot see: other hands, the draw piles, the cards set aside."""
    scripting.reseed(s, streams.TIMING + s.players - 1)
    pool = s.unseen
    n = 0
    for other in range(s.players):
        s.has_spare[other] = 0
        if other != seat:
            for i in range(s.hand_n[other]):
                if not is_meant(s, other, s.hand[other, i]):
                    pool[n] = s.hand[other, i]
                    n += 1
    for pile in range(s.draw_piles):
        for i in range(s.bottom[pile], s.top[pile]):
            pool[n] = s.cards[i]
            n += 1
    aside = s.deck_size - s.players * s.hand_size
    for i in range(s.drawable, aside):
        pool[n] = s.cards[i]
        n += 1
    streams.shuffle(s, streams.DRAWS, pool, n)
    for other in range(s.players):
        if other != seat:
            for i in range(s.hand_n[other]):
                if not is_meant(s, other, s.hand[other, i]):
                    n -= 1
                    s.hand[other, i] = pool[n]
    for pile in range(s.draw_piles):
        for i in range(s.bottom[pile], s.top[pile]):
            n -= 1
            s.cards[i] = pool[n]
    for i in range(s.drawable, aside):
        n -= 1
        s.cards[i] = pool[n]
