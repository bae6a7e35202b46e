"""Game End, compiled: cop cars, solo tags, objectives, tags, and who wins."""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games import bits
from sim.games.bits import NONE
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.graph import lay_out
from sim.games.wildstyle.objectives import CLUSTERS, STATION_PATH, tile_points
from sim.games.wildstyle.rules import AT_START, NOBODY, UNUSED, note

UNPLACED = vocabulary.FATES.index("unplaced")
SCORED = vocabulary.FATES.index("scored")
SOLO = vocabulary.FATES.index("solo")
COP_CAR = vocabulary.FATES.index("cop_car")
WORST = np.int64(-(2**62))
SINGLE = np.int64(0)
PAIR = np.int64(1)


@rule
def read_seat(s, seat):
    """Read a seat's tags on the map."""
    for word in range(s.taken.shape[0]):
        s.w_mask[word] = s.own[seat, word]
    lay_out(s)


@rule
def drop_solo_tags(s):
    """Remove All Solo Tags: read again without the tags that touch no other, all at once."""
    alone = False
    for i in range(s.w_n):
        if s.w_around[i] == NONE:
            alone = True
            cell = s.w_hex[i]
            s.w_mask[cell >> 6] &= ~bits.bit(cell)
    if alone:
        lay_out(s)


@rule
def points_of_hexes(s):
    """Score Tags: points of the hexes of the tags that were read."""
    points = 0
    for i in range(s.w_n):
        points += s.icon_points[s.icon[s.w_hex[i]]]
    return points


@big_rule
def final_points(s):
    """Return what the tags that were read score once solo tags are off: objectives and tags."""
    drop_solo_tags(s)
    points = points_of_hexes(s)
    for position in range(s.dealt):
        points += tile_points(s, position)
    return points


@outer_rule
def points_without(s, seat, first, second):
    """Return what a seat would score without two of its tags (the same one twice: without it)."""
    for word in range(s.taken.shape[0]):
        s.w_mask[word] = s.own[seat, word]
    s.w_mask[first >> 6] &= ~bits.bit(first)
    s.w_mask[second >> 6] &= ~bits.bit(second)
    lay_out(s)
    return final_points(s)


@rule
def most_gained(s):
    """Return how many points the removal of a tag may add at most.

    It may part a cluster in three, and make the path between stations longer; no other objective
    gains by fewer tags.
    """
    gain = 0
    for position in range(s.dealt):
        side = s.tile[position]
        if s.side_kind[side] == CLUSTERS:
            gain += 2 * s.side_points[side]
        elif s.side_kind[side] == STATION_PATH:
            gain += s.w_n * s.side_points[side]
    return gain


@rule
def list_own(s, seat):
    """List the seat's tags on the map in `s.own_hex`, by number of the hex; return how many."""
    n = 0
    for word in range(s.taken.shape[0]):
        left = s.own[seat, word]
        while left != NONE:
            s.own_hex[n] = word * 64 + bits.lowest(left)
            left = bits.without_lowest(left)
            n += 1
    return n


@outer_rule
def points_at_stake(s, seat):
    """Fill `s.stake`: points of each listed tag's hex, 0 if it comes off as a solo tag anyway."""
    read_seat(s, seat)
    for i in range(s.w_n):
        solo = s.w_around[i] == NONE
        s.stake[i] = 0 if solo else s.icon_points[s.icon[s.w_hex[i]]]
    return final_points(s)


@big_rule
def choose_removal(s, seat, pair):
    """Return the one or two tags whose removal leaves most points, lowest hexes among equals.

    A choice that cannot beat the best so far is left out: it loses at least the points of its
    hexes, and gains at most `most_gained` for each tag.
    """
    n = list_own(s, seat)
    all_points = points_at_stake(s, seat)
    spare = most_gained(s)
    best = WORST
    one = s.own_hex[0]
    two = s.own_hex[0]
    for i in range(n):
        for j in range(i + 1 if pair else i, n if pair else i + 1):
            most = all_points - s.stake[i] + spare
            if j != i:
                most += spare - s.stake[j]
            if most > best:
                points = points_without(s, seat, s.own_hex[i], s.own_hex[j])
                if points > best:
                    best = points
                    one = s.own_hex[i]
                    two = s.own_hex[j]
    return one, two


@rule
def cheapest_tag(s, seat):
    """Return the tag on the hex with fewest points, the lowest number among equals."""
    n = list_own(s, seat)
    chosen = s.own_hex[0]
    for i in range(1, n):
        if s.icon_points[s.icon[s.own_hex[i]]] < s.icon_points[s.icon[chosen]]:
            chosen = s.own_hex[i]
    return chosen


@rule
def set_fate(s, seat, cell, fate):
    """Note what became of the tag on a hex."""
    for tag in range(s.tags[seat]):
        if s.tag_hex[seat, tag] == cell:
            s.tag_fate[seat, tag] = fate


@rule
def remove_tag(s, log, seat, cell):
    """Take a tag off the map for a cop car."""
    s.own[seat, cell >> 6] &= ~bits.bit(cell)
    s.lost_to_cars[seat] += 1
    set_fate(s, seat, cell, COP_CAR)
    note(s, log, events.REMOVE, seat, AT_START, np.int64(cell), UNUSED, UNUSED)


@outer_rule
def pay_for_cars(s, log, seat):
    """Remove 1 Tag per Cop Car."""
    left = min(s.cars[seat], s.tags[seat])
    if s.removal_best and left >= 2:
        one, two = choose_removal(s, seat, PAIR)
        remove_tag(s, log, seat, one)
        remove_tag(s, log, seat, two)
        left -= 2
    for _ in range(left):
        if s.removal_best:
            one, two = choose_removal(s, seat, SINGLE)
        else:
            one = cheapest_tag(s, seat)
        remove_tag(s, log, seat, one)


@outer_rule
def score_before(s, seat):
    """Note what each tile would give if no tag came off."""
    read_seat(s, seat)
    for position in range(s.dealt):
        s.before[seat, position] = tile_points(s, position)


@rule
def take_solo_tags(s, log, seat):
    """Remove All Solo Tags of a seat; what is left stays read."""
    read_seat(s, seat)
    for i in range(s.w_n):
        if s.w_around[i] == NONE:
            cell = s.w_hex[i]
            s.own[seat, cell >> 6] &= ~bits.bit(cell)
            s.lost_solo[seat] += 1
            set_fate(s, seat, cell, SOLO)
            note(s, log, events.SOLO, seat, AT_START, np.int64(cell), UNUSED, UNUSED)


@outer_rule
def score_seat(s, log, seat):
    """Score Objectives, Score Tags."""
    read_seat(s, seat)
    s.tag_points[seat] = points_of_hexes(s)
    s.score[seat] = s.tag_points[seat]
    for position in range(s.dealt):
        points = tile_points(s, position)
        s.scored[seat, position] = points
        s.scored_tags[seat, position] = s.used
        s.score[seat] += points
        note(s, log, events.OBJECTIVE, seat, AT_START, np.int64(position), points, s.used)


@outer_rule
def score_game(s, log):
    """Game End: cop cars, then solo tags, then objectives and tags; nothing if it was cut off."""
    for seat in range(s.players):
        s.score[seat] = 0
        s.tag_points[seat] = 0
        for tag in range(s.rounds * s.tags_each_round):
            s.tag_fate[seat, tag] = SCORED if tag < s.tags[seat] else UNPLACED
    if not s.cut:
        for seat in range(s.players):
            score_before(s, seat)
            pay_for_cars(s, log, np.int64(seat))
        for seat in range(s.players):
            take_solo_tags(s, log, np.int64(seat))
        for seat in range(s.players):
            score_seat(s, log, np.int64(seat))
    for seat in range(s.players):
        note(
            s,
            log,
            events.SCORE,
            np.int64(seat),
            AT_START,
            s.score[seat],
            rank_of(s, seat),
            s.cars[seat],
        )
    note(s, log, events.END, NOBODY, AT_START, s.cut, UNUSED, UNUSED)


@rule
def beats(s, one, other):
    """Tiebreakers: more points, then fewer cop cars."""
    if s.score[one] != s.score[other]:
        return s.score[one] > s.score[other]
    return s.cars[one] < s.cars[other]


@big_rule
def rank_of(s, seat):
    """Return 1 plus how many seats are better; 0 in a game that was cut off."""
    if s.cut:
        return np.int64(0)
    rank = np.int64(1)
    for other in range(s.players):
        rank += beats(s, other, seat)
    return rank
