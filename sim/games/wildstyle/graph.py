"""A seat's tags as a small graph, with two exact searches over it (compiled).

`lay_out` numbers the tags of a set of hexes 0 .. w_n-1 and finds who touches whom; sets of tags
are then bits of one word. Everything lies in the work space (`w_` fields) of the record `s`.
"""

import numpy as np

from sim.compiled import big_rule, rule
from sim.games import bits
from sim.games.bits import NONE, ONE

UNREACHED = 127


@big_rule
def lay_out(s):
    """Read the tags in `s.w_mask`: their hexes, neighbours among them, and clusters."""
    for i in range(s.w_n):
        s.w_at[s.w_hex[i]] = -1
    n = np.int64(0)
    for word in range(3):
        left = s.w_mask[word]
        while left != NONE:
            cell = word * 64 + bits.lowest(left)
            left = bits.without_lowest(left)
            s.w_hex[n] = cell
            s.w_at[cell] = n
            n += 1
    s.w_n = n
    for i in range(n):
        around = NONE
        for direction in range(6):
            beside = s.neighbour[s.w_hex[i], direction]
            if beside >= 0:
                j = s.w_at[beside]
                if j >= 0:
                    around |= bits.bit(j)
        s.w_around[i] = around
    find_clusters(s, n)


@rule
def find_clusters(s, n):
    """Tag Clusters: group the tags that touch; fill `w_group` and `w_members`."""
    s.w_groups = 0
    left = (ONE << np.uint64(n)) - ONE
    while left != NONE:
        members = connected(s, left & (~left + ONE), left)
        walk = members
        while walk != NONE:
            s.w_group[bits.lowest(walk)] = s.w_groups
            walk = bits.without_lowest(walk)
        s.w_members[s.w_groups] = members
        s.w_groups += 1
        left &= ~members


@rule
def connected(s, start, within):
    """Return the tags that can be reached from `start` through `within`, start included."""
    reached = start
    edge = start
    while edge != NONE:
        beside = s.w_around[bits.lowest(edge)] & within & ~reached
        edge = bits.without_lowest(edge) | beside
        reached |= beside
    return reached


@big_rule
def most_disjoint(s, figures, size):
    """Return the largest number of `w_figure[:figures]` that share no tag; exact.

    Branches on the lowest tag left: it is in one of its figures, or in none.
    """
    if figures < 2:
        return figures
    union = NONE
    for i in range(figures):
        union |= s.w_figure[i]
    best = 0
    depth = 0
    s.w_left[0] = union
    s.w_option[0] = 0
    while depth >= 0:
        left = s.w_left[depth]
        if left == NONE or depth + bits.popcount(left) // size <= best:
            depth -= 1
            continue
        low = left & (~left + ONE)
        i = s.w_option[depth]
        while i < figures and (s.w_figure[i] & low == NONE or s.w_figure[i] & ~left != NONE):
            i += 1
        if i < figures:
            s.w_option[depth] = i + 1
            depth += 1
            s.w_left[depth] = left & ~s.w_figure[i]
            s.w_option[depth] = 0
            best = max(best, depth)
        else:
            s.w_left[depth] = left & ~low
            s.w_option[depth] = 0
    return best


@rule
def find_distances(s, members, goals):
    """Fill `w_distance[goal, tag]`: steps from each goal to the tags of its cluster."""
    walk = goals
    while walk != NONE:
        goal = bits.lowest(walk)
        walk = bits.without_lowest(walk)
        for tag in range(s.w_n):
            s.w_distance[goal, tag] = UNREACHED
        s.w_distance[goal, goal] = 0
        reached = bits.bit(goal)
        ring = reached
        steps = 0
        while ring != NONE:
            steps += 1
            further = NONE
            while ring != NONE:
                further |= s.w_around[bits.lowest(ring)]
                ring = bits.without_lowest(ring)
            ring = further & members & ~reached
            reached |= ring
            new = ring
            while new != NONE:
                s.w_distance[goal, bits.lowest(new)] = steps
                new = bits.without_lowest(new)


@rule
def at_least(s, tag, goals):
    """Return a number of steps that no path from `tag` through all `goals` can undercut."""
    nearest = UNREACHED
    furthest = 0
    walk = goals
    while walk != NONE:
        steps = np.int64(s.w_distance[bits.lowest(walk), tag])
        walk = bits.without_lowest(walk)
        nearest = min(nearest, steps)
        furthest = max(furthest, steps)
    return max(furthest, nearest + bits.popcount(goals) - 1)


@big_rule
def shortest_through(s, members, goals, wanted, limit):
    """Return the tags on the shortest simple path that visits `wanted` of the goals.

    The path begins and ends at a goal. Returns 0 if none has at most `limit` tags. Depth first,
    leaving a branch that cannot reach enough goals or cannot be shorter than the best so far.
    """
    best = limit + 1
    starts = goals
    while starts != NONE:
        depth = 0
        start = bits.lowest(starts)
        starts = bits.without_lowest(starts)
        s.w_node[0] = start
        s.w_left[0] = bits.bit(start)
        s.w_option[0] = -1
        while depth >= 0:
            tag = s.w_node[depth]
            path = s.w_left[depth]
            if s.w_option[depth] < 0:
                visited = bits.popcount(path & goals)
                if visited == wanted:
                    best = min(best, depth + 1)
                    depth -= 1
                    continue
                reach = connected(s, bits.bit(tag), members & ~path | bits.bit(tag))
                ahead = reach & goals & ~path
                spare = visited + bits.popcount(ahead) - wanted
                hopeless = spare < 0
                if not hopeless:
                    steps = at_least(s, tag, ahead) if spare == 0 else wanted - visited
                    hopeless = depth + 1 + steps >= best
                if hopeless:
                    depth -= 1
                    continue
                s.w_option[depth] = 0
            options = s.w_around[tag] & members & ~path
            options &= ~((ONE << np.uint64(s.w_option[depth])) - ONE)
            if options == NONE:
                depth -= 1
                continue
            following = bits.lowest(options)
            s.w_option[depth] = following + 1
            depth += 1
            s.w_node[depth] = following
            s.w_left[depth] = path | bits.bit(following)
            s.w_option[depth] = -1
    return best if best <= limit else 0


@big_rule
def snake(s, members, goals):
    """Station Snake: return the tags on a cluster's path.

    The shortest simple path through all goals; if there is none, through as many as possible. A
    short limit is tried first, since a long one lets the search wander.
    """
    find_distances(s, members, goals)
    n = bits.popcount(members)
    for wanted in range(bits.popcount(goals), 0, -1):
        limit = wanted
        while True:
            found = shortest_through(s, members, goals, wanted, limit)
            if found > 0:
                return found
            if limit >= n:
                break
            limit = min(n, limit + 1 + (limit - wanted))
    return 0
