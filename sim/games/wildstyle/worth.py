"""What a seat thinks of hexes as places for a tag, kept until something near them changes."""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games import bits
from sim.games.bits import NONE
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.objectives import (
    DISTRICTS,
    LINES,
    LONGEST_LINE,
    MOST_ICON,
    change,
    most_icon_change,
    touch,
)

NAMES = vocabulary.FEATURE_NAMES
POINTS = NAMES.index("points")
JOINS = NAMES.index("joins")
SOLO = NAMES.index("solo")
RESCUES = NAMES.index("rescues")
BLOCKS_RIVALS = NAMES.index("blocks_rivals")
FREE_NEIGHBOURS = NAMES.index("free_neighbours")
NO_WORTH = -1e300


@big_rule
def map_changed(s, seat, cell):
    """Mark what a new tag makes out of date: near it, on its figures, in its district."""
    for other in range(s.players):
        for icon in range(s.icon_n.shape[0]):
            s.best_known[other, icon] = 0
        if s.weights[s.place[other], BLOCKS_RIVALS] != 0.0:
            mark_all(s, other)
    for position in range(s.dealt):
        side = s.tile[position]
        kind = s.side_kind[side]
        if kind <= LINES:
            mark_figures(s, side, cell)
        elif kind == DISTRICTS:
            for i in range(s.district_size):
                there = s.district[cell] * s.district_size + i
                s.stale[seat, there >> 6] |= bits.bit(there)
        elif kind == LONGEST_LINE and s.tags[seat] == 1:
            mark_all(s, seat)
    for word in range(s.taken.shape[0]):
        for other in range(s.players):
            s.stale[other, word] |= s.around[cell, word]
        s.stale[seat, word] |= s.beside[seat, word]


@rule
def mark_all(s, seat):
    """Mark every hex as out of date for a seat."""
    for word in range(s.taken.shape[0]):
        s.stale[seat, word] = ~NONE


@rule
def mark_figures(s, side, cell):
    """Mark the hexes of every figure that holds a hex, for all seats."""
    slot = s.side_slot[side]
    for word in range(s.taken.shape[0]):
        near = NONE
        for i in range(s.member_start[slot, cell], s.member_start[slot, cell + 1]):
            near |= s.figure[s.side_first[side] + s.member[i], word]
        for other in range(s.players):
            s.stale[other, word] |= near


@rule
def own_beside(s, seat, cell):
    """Return the seat's tags beside a hex, and how many of them touch no other."""
    beside = 0
    alone = 0
    for direction in range(6):
        there = s.neighbour[cell, direction]
        if there >= 0:
            cluster = s.cluster_of[seat, there]
            if cluster >= 0:
                beside += 1
                alone += s.cluster_size[seat, cluster] == 1
    return beside, alone


@rule
def free_beside(s, seat, cell):
    """Return the hexes beside a hex that the seat could tag."""
    free = 0
    for word in range(s.taken.shape[0]):
        free += bits.popcount(s.around[cell, word] & ~s.taken[word] & ~s.own[seat, word])
    return free


@outer_rule
def objectives_of(s, seat, place, cell):
    """Return weight times change in each tile, and points nearer; Urban Planner is left out.

    That one hangs on the icon alone: `icon_part` adds it.
    """
    value = 0.0
    for position in range(s.dealt):
        side = s.tile[position]
        gain_weight = s.gain_weight[place, side]
        progress_weight = s.progress_weight[place, side]
        if s.side_kind[side] != MOST_ICON and (gain_weight != 0.0 or progress_weight != 0.0):
            gain = change(s, seat, position, cell)
            value += gain_weight * gain + progress_weight * s.progress[position]
    return value


@rule
def icon_part(s, seat, place, icon):
    """Return what Urban Planner adds to the worth of every hex of an icon."""
    value = 0.0
    for position in range(s.dealt):
        side = s.tile[position]
        if s.side_kind[side] == MOST_ICON:
            gain = most_icon_change(s, seat, position, icon)
            value += s.gain_weight[place, side] * gain
            value += s.progress_weight[place, side] * s.progress[position]
    return value


@outer_rule
def rivals_gain(s, seat, place, cell):
    """Return the most that one rival would gain in objectives with a tag on a hex."""
    most = 0
    if s.icon[cell] == events.STATION:
        return most
    for rival in range(s.players):
        if rival != seat:
            touch(s, rival, cell)
            gain = 0
            for position in range(s.dealt):
                if not s.ignores[place, s.tile[position]]:
                    gain += change(s, rival, position, cell)
            most = max(most, gain)
    return most


@outer_rule
def worth_of(s, seat, place, cell):
    """Return weights times the features of a hex, Urban Planner left out."""
    beside, alone = own_beside(s, seat, cell)
    value = s.weights[place, POINTS] * s.icon_points[s.icon[cell]]
    value += s.weights[place, JOINS] * beside + s.weights[place, RESCUES] * alone
    if beside == 0:
        value += s.weights[place, SOLO]
    if s.weights[place, FREE_NEIGHBOURS] != 0.0:
        value += s.weights[place, FREE_NEIGHBOURS] * free_beside(s, seat, cell)
    if s.weights[place, BLOCKS_RIVALS] != 0.0:
        value += s.weights[place, BLOCKS_RIVALS] * rivals_gain(s, seat, place, cell)
    touch(s, seat, cell)
    return value + objectives_of(s, seat, place, cell)


@rule
def is_open(s, seat, cell):
    """Make Your Mark, Train Stations: tell whether a seat may tag a hex."""
    if s.icon[cell] == events.STATION:
        return not bits.has(s.own[seat, cell >> 6], cell)
    return not bits.has(s.taken[cell >> 6], cell)


@rule
def is_wanted(s, seat, icon):
    """Tell whether a seat could do something with an icon: in hand, on a share pile, in a set."""
    for i in range(s.hand_n[seat]):
        if s.hand[seat, i] // events.COLOURS == icon:
            return True
    for pile in range(s.share_piles):
        n = s.share_n[pile]
        if n > 0 and s.share[pile, n - 1] // events.COLOURS == icon:
            return True
    for where in range(s.set_n.shape[1]):
        if s.set_n[seat, where] > 0 and s.set_icon[seat, where] == icon:
            return True
    return False


@big_rule
def find_worths(s, seat, place):
    """Bring up to date what open hexes are worth, for each icon that the seat could use.

    `s.worth` is by hex and `s.extra` what the icon adds to it. Of an icon's open hexes,
    `s.best_bare` is the best `s.worth`, `s.best_hexes` how many have it, and `s.best_worth` the two
    together, 0 if there is none.
    """
    for icon in range(s.icon_n.shape[0]):
        if s.best_known[seat, icon] or not is_wanted(s, seat, icon):
            continue
        best = NO_WORTH
        equals = 0
        for i in range(s.icon_n[icon]):
            cell = np.int64(s.icon_hexes[icon, i])
            if is_open(s, seat, cell):
                if bits.has(s.stale[seat, cell >> 6], cell):
                    s.worth[seat, cell] = worth_of(s, seat, place, cell)
                    s.stale[seat, cell >> 6] &= ~bits.bit(cell)
                worth = s.worth[seat, cell]
                if worth > best:
                    best = worth
                    equals = 0
                equals += worth == best
        extra = icon_part(s, seat, place, icon)
        s.extra[seat, icon] = extra
        s.best_bare[seat, icon] = best
        s.best_hexes[seat, icon] = equals
        s.best_worth[seat, icon] = best + extra if best > NO_WORTH else 0.0
        s.best_known[seat, icon] = 1
