"""Objectives: what each kind scores, worked out from a set of tags (compiled).

`graph.lay_out(s)` reads a set of hexes; `tile_points(s, position)` then returns the points of the
tile at that position and leaves the tags that count in `s.used`. `change(s, seat, position, hex)`
says what one more tag would change, from what is kept up to date tag by tag.
"""

import numpy as np

from sim.compiled import big_rule, outer_rule, rule
from sim.games import bits
from sim.games.bits import NONE
from sim.games.wildstyle import events, vocabulary
from sim.games.wildstyle.graph import lay_out, most_disjoint, snake

TRIANGLES = vocabulary.KINDS.index("triangles")
HEXAGONS = vocabulary.KINDS.index("hexagons")
LINES = vocabulary.KINDS.index("lines")
LONGEST_LINE = vocabulary.KINDS.index("longest_line")
BORDERS = vocabulary.KINDS.index("borders")
POLICE = vocabulary.KINDS.index("police")
MATCHING = vocabulary.KINDS.index("matching")
MOST_ICON = vocabulary.KINDS.index("most_icon")
DISTRICTS = vocabulary.KINDS.index("districts")
CLUSTERS = vocabulary.KINDS.index("clusters")
RAILWAYS = vocabulary.KINDS.index("railways")
STATION_PATH = vocabulary.KINDS.index("station_path")

BLOCKED = 64
"""Taken from a figure's count of tags when a rival's tag makes it impossible."""


@rule
def as_tags(s, figure):
    """Return a figure as bits of the tags in the work space; NONE unless all are there."""
    tags = NONE
    for word in range(3):
        if s.figure[figure, word] & ~s.w_mask[word] != NONE:
            return NONE
    for word in range(3):
        left = s.figure[figure, word]
        while left != NONE:
            cell = word * 64 + bits.lowest(left)
            left = bits.without_lowest(left)
            tags |= bits.bit(s.w_at[cell])
    return tags


@outer_rule
def disjoint_figures(s, side):
    """Tricorners, Bestagon, Straight Shooter: the most figures, each tag in one at most."""
    found = np.int64(0)
    if s.w_n < s.side_need[side]:
        return 0
    for i in range(s.side_figures[side]):
        tags = as_tags(s, s.side_first[side] + i)
        if tags != NONE:
            s.w_figure[found] = tags
            found += 1
    return most_disjoint(s, found, s.side_need[side])


@rule
def longest_line(s):
    """End of the Line: the tags of the longest unbroken straight line."""
    longest = 0
    for i in range(s.w_n):
        for direction in range(3):
            behind = s.neighbour[s.w_hex[i], direction + 3]
            if behind < 0 or s.w_at[behind] < 0:
                length = 1
                ahead = s.neighbour[s.w_hex[i], direction]
                while ahead >= 0 and s.w_at[ahead] >= 0:
                    length += 1
                    ahead = s.neighbour[ahead, direction]
                longest = max(longest, length)
    return longest


@rule
def at_borders(s):
    """Border Wars: tags that touch a border between districts."""
    count = 0
    for i in range(s.w_n):
        count += s.at_border[s.w_hex[i]]
    return count


@rule
def under_noses(s):
    """Under Their Noses: tags beside a police station that are not on one."""
    count = 0
    for i in range(s.w_n):
        count += s.near_police[s.w_hex[i]]
    return count


@rule
def icons_of_group(s, group, icon):
    """Return how many tags of a cluster are on an icon."""
    count = 0
    for i in range(s.w_n):
        count += s.w_group[i] == group and s.icon[s.w_hex[i]] == icon
    return count


@rule
def matching_sets(s, size):
    """3 of a Kind: sets of `size` equal icons within a cluster."""
    sets = 0
    for group in range(s.w_groups):
        for icon in range(s.icon_n.shape[0]):
            sets += icons_of_group(s, group, icon) // size
    return sets


@rule
def most_of_an_icon(s):
    """Urban Planner: tags on the icon of which the seat has most."""
    most = 0
    for icon in range(s.icon_n.shape[0]):
        count = 0
        for i in range(s.w_n):
            count += s.icon[s.w_hex[i]] == icon
        most = max(most, count)
    return most


@rule
def full_districts(s, need):
    """District Division: districts with at least `need` tags; their tags in `s.used`."""
    districts = 0
    s.used = 0
    for district in range(s.players):
        count = 0
        for i in range(s.w_n):
            count += s.district[s.w_hex[i]] == district
        if count >= need:
            districts += 1
            s.used += count
    return districts


@rule
def big_clusters(s, need):
    """Zone Control: clusters of at least `need` tags; their tags in `s.used`."""
    clusters = 0
    s.used = 0
    for group in range(s.w_groups):
        size = bits.popcount(s.w_members[group])
        if size >= need:
            clusters += 1
            s.used += size
    return clusters


@rule
def rails_with_station(s, need):
    """Rail Supreme: stations and railways in clusters with at least `need` stations."""
    count = 0
    for group in range(s.w_groups):
        stations = icons_of_group(s, group, events.STATION)
        if stations >= need:
            count += stations + icons_of_group(s, group, events.RAILWAY)
    return count


@rule
def stations_of_group(s, group):
    """Return the tags of a cluster that are on stations, as bits."""
    goals = NONE
    walk = s.w_members[group]
    while walk != NONE:
        i = bits.lowest(walk)
        walk = bits.without_lowest(walk)
        if s.icon[s.w_hex[i]] == events.STATION:
            goals |= bits.bit(i)
    return goals


@outer_rule
def station_paths(s, least):
    """Station Snake: tags on the paths between stations, of each cluster or of the best."""
    total = 0
    best = 0
    for group in range(s.w_groups):
        goals = stations_of_group(s, group)
        if bits.popcount(goals) >= least:
            tags = snake(s, s.w_members[group], goals)
            total += tags
            best = max(best, tags)
    return best if s.best_cluster else total


@big_rule
def tile_points(s, position):
    """Return the points of a tile for the tags that were read; the tags that count in `s.used`."""
    side = s.tile[position]
    kind = s.side_kind[side]
    need = s.side_need[side]
    points = s.side_points[side]
    if kind <= LINES:
        count = disjoint_figures(s, side)
        s.used = count * need
    elif kind == LONGEST_LINE:
        count = longest_line(s)
        count = count if count >= need else 0
        s.used = count
    elif kind == BORDERS:
        count = at_borders(s)
        s.used = count
    elif kind == POLICE:
        count = under_noses(s)
        s.used = count
    elif kind == MATCHING:
        count = matching_sets(s, need)
        s.used = count * need
    elif kind == MOST_ICON:
        count = most_of_an_icon(s)
        s.used = count
    elif kind == DISTRICTS:
        count = full_districts(s, need)
    elif kind == CLUSTERS:
        count = big_clusters(s, need)
    elif kind == RAILWAYS:
        count = rails_with_station(s, need)
        s.used = count
    else:
        count = station_paths(s, need)
        s.used = count
    if points * count == 0:
        s.used = 0
    return points * count


@rule
def most_possible(s, position):
    """Return a bound: the points that all tags of a player could make of a tile on this map."""
    side = s.tile[position]
    kind = s.side_kind[side]
    need = max(1, s.side_need[side])
    tags = s.rounds * s.tags_each_round
    if kind <= LINES or kind in (MATCHING, CLUSTERS):
        count = tags // need
        if kind <= LINES:
            count = min(count, s.side_figures[side])
    elif kind == DISTRICTS:
        count = min(tags // need, s.players)
    else:
        hexes = s.hexes
        if kind in (BORDERS, POLICE):
            hexes = 0
            for cell in range(s.hexes):
                hexes += s.at_border[cell] if kind == BORDERS else s.near_police[cell]
        elif kind == MOST_ICON:
            hexes = 0
            for icon in range(s.icon_n.shape[0]):
                hexes = max(hexes, s.icon_n[icon])
        elif kind == RAILWAYS:
            hexes = s.icon_n[events.RAILWAY] + s.icon_n[events.STATION]
        count = min(tags, hexes)
    return s.side_points[side] * count


@outer_rule
def points_with(s, seat, position, cell):
    """Return the points of a tile for a seat's tags and one more."""
    for word in range(3):
        s.w_mask[word] = s.own[seat, word]
    s.w_mask[cell >> 6] |= bits.bit(cell)
    lay_out(s)
    return tile_points(s, position)


@rule
def touch(s, seat, cell):
    """List in `s.touched` the seat's clusters beside a hex, each once."""
    s.touched_n = 0
    for direction in range(6):
        beside = s.neighbour[cell, direction]
        if beside >= 0:
            cluster = s.cluster_of[seat, beside]
            if cluster >= 0:
                known = False
                for i in range(s.touched_n):
                    known |= s.touched[i] == cluster
                if not known:
                    s.touched[s.touched_n] = cluster
                    s.touched_n += 1


@outer_rule
def figure_change(s, seat, position, cell):
    """Return the gain of a tag for disjoint figures; the part of the best figure in progress."""
    side = s.tile[position]
    slot = s.side_slot[side]
    need = s.side_need[side]
    most = 0
    for i in range(s.member_start[slot, cell], s.member_start[slot, cell + 1]):
        most = max(most, np.int64(s.have[position, seat, s.member[i]]) + 1)
    s.progress[position] = s.side_points[side] * most / need if most < need else 0.0
    if most < need:
        return 0
    return points_with(s, seat, position, cell) - s.tile_points[seat, position]


@rule
def line_through(s, seat, cell):
    """Return the longest line of the seat's tags through a hex, the hex counted."""
    longest = 1
    for direction in range(3):
        length = 1
        for way in (direction, direction + 3):
            ahead = s.neighbour[cell, way]
            while ahead >= 0 and s.cluster_of[seat, ahead] >= 0:
                length += 1
                ahead = s.neighbour[ahead, way]
        longest = max(longest, length)
    return longest


@rule
def matching_change(s, seat, cell, size):
    """Return how many more sets of equal icons the clusters beside a hex would make with it."""
    after = 0
    before = 0
    icon = s.icon[cell]
    for other in range(s.icon_n.shape[0]):
        count = 1 if other == icon else 0
        for i in range(s.touched_n):
            there = s.cluster_icons[seat, s.touched[i], other]
            before += there // size
            count += there
        after += count // size
    return after - before


@rule
def tags_beside(s, seat, icon):
    """Return how many tags of an icon the clusters in `s.touched` have."""
    count = 0
    for i in range(s.touched_n):
        count += s.cluster_icons[seat, s.touched[i], icon]
    return count


@rule
def zone_change(s, seat, need):
    """Return how many more clusters are big enough with a tag that joins those in `s.touched`."""
    size = 1
    before = 0
    for i in range(s.touched_n):
        there = s.cluster_size[seat, s.touched[i]]
        size += there
        before += there >= need
    return (size >= need) - before, size


@rule
def rail_change(s, seat, cell, need):
    """Return how many more rails count with a tag on a hex, and the stations of its cluster."""
    icon = s.icon[cell]
    stations = tags_beside(s, seat, events.STATION) + (icon == events.STATION)
    rails = tags_beside(s, seat, events.RAILWAY) + (icon == events.RAILWAY)
    before = 0
    for i in range(s.touched_n):
        there = s.cluster_icons[seat, s.touched[i], events.STATION]
        if there >= need:
            before += there + s.cluster_icons[seat, s.touched[i], events.RAILWAY]
    after = stations + rails if stations >= need else 0
    return after - before, stations


@rule
def most_icon_change(s, seat, position, icon):
    """Return what a tag on an icon would add where the icon tagged most scores."""
    points = s.side_points[s.tile[position]]
    count = s.icon_tags[seat, icon] + 1
    most = 0
    for other in range(s.icon_n.shape[0]):
        most = max(most, s.icon_tags[seat, other])
    s.progress[position] = points * count / (most + 1) if count <= most else 0.0
    return max(0, points * (count - most))


@rule
def may_change_paths(s, seat, cell):
    """Tell whether a tag can change a path: a station, or a hex with two tags beside it."""
    if s.icon[cell] == events.STATION:
        return s.touched_n > 0
    beside = 0
    for direction in range(6):
        there = s.neighbour[cell, direction]
        beside += there >= 0 and s.cluster_of[seat, there] >= 0
    return beside > 1


@big_rule
def change(s, seat, position, cell):
    """Return what a tag on a hex would change in a tile's points; nearness in `s.progress`.

    Progress is points times the part reached of the next figure, set, district, cluster or path,
    0 where the tag completes it. `touch` must have been called for this hex.
    """
    side = s.tile[position]
    kind = s.side_kind[side]
    need = s.side_need[side]
    points = s.side_points[side]
    s.progress[position] = 0.0
    if kind <= LINES:
        return figure_change(s, seat, position, cell)
    if kind == LONGEST_LINE:
        length = line_through(s, seat, cell)
        return max(0, (length if length >= need else 0) * points - s.tile_points[seat, position])
    if kind == BORDERS:
        return points * s.at_border[cell]
    if kind == POLICE:
        return points * s.near_police[cell]
    if kind == MATCHING:
        sets = matching_change(s, seat, cell, need)
        icon = s.icon[cell]
        count = tags_beside(s, seat, icon) + 1
        s.progress[position] = points * (count % need) / need
        return points * sets
    if kind == MOST_ICON:
        return most_icon_change(s, seat, position, s.icon[cell])
    if kind == DISTRICTS:
        count = s.district_tags[seat, s.district[cell]] + 1
        s.progress[position] = points * count / need if count < need else 0.0
        return points if count == need else 0
    if kind == CLUSTERS:
        clusters, size = zone_change(s, seat, need)
        s.progress[position] = points * size / need if size < need else 0.0
        return points * clusters
    if kind == RAILWAYS:
        rails, stations = rail_change(s, seat, cell, need)
        on_rail = s.icon[cell] == events.RAILWAY or s.icon[cell] == events.STATION
        s.progress[position] = 0.5 * points if on_rail and stations < need else 0.0
        return points * rails
    stations = tags_beside(s, seat, events.STATION) + (s.icon[cell] == events.STATION)
    if stations < need:
        s.progress[position] = points * stations / need
        return 0
    if not may_change_paths(s, seat, cell):
        return 0
    return points_with(s, seat, position, cell) - s.tile_points[seat, position]


@rule
def join_clusters(s, seat, cell):
    """Make one cluster of a new tag and the clusters in `s.touched`."""
    if s.touched_n == 0:
        cluster = s.clusters[seat]
        s.clusters[seat] += 1
        s.cluster_size[seat, cluster] = 0
        for icon in range(s.icon_n.shape[0]):
            s.cluster_icons[seat, cluster, icon] = 0
    else:
        cluster = s.touched[0]
    for i in range(1, s.touched_n):
        other = s.touched[i]
        for tag in range(s.tags[seat]):
            if s.cluster_of[seat, s.tag_hex[seat, tag]] == other:
                s.cluster_of[seat, s.tag_hex[seat, tag]] = cluster
        s.cluster_size[seat, cluster] += s.cluster_size[seat, other]
        s.cluster_size[seat, other] = 0
        for icon in range(s.icon_n.shape[0]):
            s.cluster_icons[seat, cluster, icon] += s.cluster_icons[seat, other, icon]
            s.cluster_icons[seat, other, icon] = 0
    s.cluster_of[seat, cell] = cluster
    s.cluster_size[seat, cluster] += 1
    s.cluster_icons[seat, cluster, s.icon[cell]] += 1


@rule
def count_in_figures(s, seat, cell):
    """Count a tag in the figures that hold its hex; a rival's tag makes them impossible."""
    for position in range(s.dealt):
        side = s.tile[position]
        if s.side_kind[side] <= LINES:
            slot = s.side_slot[side]
            for i in range(s.member_start[slot, cell], s.member_start[slot, cell + 1]):
                figure = s.member[i]
                for other in range(s.players):
                    if other == seat:
                        s.have[position, other, figure] += 1
                    elif s.icon[cell] != events.STATION:
                        s.have[position, other, figure] = -BLOCKED
