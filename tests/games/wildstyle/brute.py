"""The twelve objectives and what comes off at the end, counted the long way from plain sets.

A tag is a hex (q, r), axial. Nothing here is shared with the game, and every method is another one:
figures are found by counting what lies within three lines or a distance and packed by an integer
programme, clusters, lines and paths are graphs, what comes off is found by trying everything.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, permutations, product

import networkx as nx
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

POINTS = {
    "railway": 1,
    "station": 1,
    "residential": 2,
    "shopping": 2,
    "downtown": 2,
    "industrial": 3,
    "park": 3,
    "police": 4,
}
PLACES = {
    2: ((0, 0), (1, 0)),
    3: ((0, 0), (1, 0), (0, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0, 1), (1, 1), (-1, 1)),
}
"""Places of the district boards on the lattice of boards, by number of players."""

SIDES = {
    "tricorners": {"kind": "triangles", "points": 6, "side": 3},
    "bestagon": {"kind": "hexagons", "points": 9, "radius": 1},
    "straight_shooter": {"kind": "lines", "points": 6, "length": 5},
    "end_of_the_line": {"kind": "longest_line", "points": 2, "least": 1},
    "border_wars": {"kind": "borders", "points": 1},
    "under_their_noses": {"kind": "police", "points": 1},
    "three_of_a_kind": {"kind": "matching", "points": 4, "size": 3},
    "urban_planner": {"kind": "most_icon", "points": 2},
    "district_division": {"kind": "districts", "points": 5, "tags": 5},
    "zone_control": {"kind": "clusters", "points": 5, "tags": 3},
    "rail_supreme": {"kind": "railways", "points": 2, "stations": 1},
    "station_snake": {"kind": "station_path", "points": 2, "stations": 2},
}
"""The twelve sides by the rulebook."""


# The map


@dataclass(frozen=True, eq=False)
class City:
    """A map: the icon and the district board of each hex; hexes are numbered in this order."""

    icon_of: dict
    district_of: dict

    @cached_property
    def hexes(self):
        return list(self.district_of)

    @cached_property
    def number_of(self):
        return {hex_: number for number, hex_ in enumerate(self.hexes)}

    @cached_property
    def borders(self):
        """The hexes that share an edge with a hex of another district board."""
        return {
            hex_
            for hex_, district in self.district_of.items()
            if any(self.district_of[other] != district for other in self.around(hex_))
        }

    def around(self, hex_):
        """Return the hexes of the map that touch a hex."""
        q, r = hex_
        square = product((q - 1, q, q + 1), (r - 1, r, r + 1))
        return [other for other in square if other in self.district_of and touch(hex_, other)]


def distance(a, b):
    """Steps between two hexes: the longest of the three cube coordinates."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def touch(a, b):
    return distance(a, b) == 1


def districts(players, radius):
    """Return {hex: district board} of the bare map, in the order of the hexes' numbers."""
    found = {}
    for district, (a, b) in enumerate(PLACES[players]):
        centre = (a * (2 * radius + 1) + b * radius, -a * radius + b * (radius + 1))
        q0, r0 = centre
        for r, q in product(
            range(r0 - radius, r0 + radius + 1), range(q0 - radius, q0 + radius + 1)
        ):
            if distance((q, r), centre) <= radius:
                found[q, r] = district
    return found


def city(players, radius, icons):
    """Return the map whose hexes show `icons`, in the order of the hexes' numbers."""
    district_of = districts(players, radius)
    return City(dict(zip(district_of, icons, strict=True)), district_of)


# Clusters


@lru_cache(maxsize=64)
def graph_of(tags):
    """Return the tags (frozen) as a graph: an edge where two touch."""
    graph = nx.Graph()
    graph.add_nodes_from(sorted(tags))
    graph.add_edges_from(pair for pair in combinations(sorted(tags), 2) if touch(*pair))
    return graph


def clusters(tags):
    return [frozenset(part) for part in nx.connected_components(graph_of(frozenset(tags)))]


# Figures


def triangles(tags, side):
    """Return the triangles in both orientations: all tags within three lines from a corner."""
    whole = side * (side + 1) // 2
    for (a, b), turn in product(tags, (1, -1)):
        steps = {(q, r): ((q - a) * turn, (r - b) * turn) for q, r in tags}
        inside = frozenset(t for t, (i, j) in steps.items() if min(i, j) >= 0 and i + j < side)
        if len(inside) == whole:
            yield inside


def hexagons(tags, radius):
    """Return the full hexagons: all tags within a distance of a tag."""
    for middle in tags:
        inside = frozenset(tag for tag in tags if distance(tag, middle) <= radius)
        if len(inside) == 1 + 3 * radius * (radius + 1):
            yield inside


ALONG = (lambda q, r: (r, q), lambda q, r: (q, r), lambda q, r: (q + r, q))
"""For each of the three directions: which line a hex is on, and where on it."""


def lines(tags, length):
    """Return the stretches of `length` tags in a row."""
    for along in ALONG:
        place = {along(*tag): tag for tag in tags}
        for line, start in place:
            stretch = [place.get((line, start + step)) for step in range(length)]
            if None not in stretch:
                yield frozenset(stretch)


def most_disjoint(figures):
    """Return how many of the figures (frozen sets of tags) can be had without a shared tag."""
    overlap = nx.Graph()
    overlap.add_nodes_from(figures)
    overlap.add_edges_from((a, b) for a, b in combinations(overlap, 2) if a & b)
    return sum(packed(frozenset(part)) for part in nx.connected_components(overlap))


@lru_cache(maxsize=4096)
def packed(figures):
    """Solve the set packing as an integer programme, unless there are tags for no more anyway."""
    tags = sorted(frozenset.union(*figures))
    enough = len(tags) // max(map(len, figures))
    if taken_in_turn(figures) == enough:
        return enough
    uses = np.array([[tag in figure for figure in figures] for tag in tags], float)
    each_once = LinearConstraint(uses, ub=np.ones(len(tags)))
    return round(-programme(-np.ones(len(figures)), each_once).fun)


def taken_in_turn(figures):
    """Return how many are had by taking each that is still free: no more than can be had."""
    taken = frozenset()
    number = 0
    for figure in sorted(figures, key=sorted):
        if not figure & taken:
            taken |= figure
            number += 1
    return number


def programme(worth, rules):
    """Solve for the 0s and 1s that fulfil the rules and make `worth` least."""
    whole = np.ones(len(worth))
    exact = {"mip_rel_gap": 0}
    return milp(worth, constraints=rules, integrality=whole, bounds=Bounds(0, 1), options=exact)


def figures(find, size):
    """Return what counts the figures that `find` finds; they are all of one size."""

    def count(side, tags, city):
        found = set(find(tags, side[size]))
        number = most_disjoint(found)
        return side["points"] * number, sum(map(len, list(found)[:number]))

    return count


# Lines, borders, icons, districts, clusters


def longest_line(side, tags, city):
    longest = 0
    for along in ALONG:
        rows = nx.Graph()
        rows.add_nodes_from(tags)
        rows.add_edges_from((a, b) for a, b in graph_of(tags).edges if along(*a)[0] == along(*b)[0])
        longest = max([longest, *map(len, nx.connected_components(rows))])
    if longest < side["least"]:
        longest = 0
    return side["points"] * longest, longest


def borders(side, tags, city):
    count = len(tags & city.borders)
    return side["points"] * count, count


def police(side, tags, city):
    stations = {hex_ for hex_, icon in city.icon_of.items() if icon == "police"}
    count = sum(any(touch(tag, station) for station in stations) for tag in tags - stations)
    return side["points"] * count, count


def matching(side, tags, city):
    sets = sum(
        count // side["size"]
        for cluster in clusters(tags)
        for count in Counter(city.icon_of[tag] for tag in cluster).values()
    )
    return side["points"] * sets, side["size"] * sets


def most_icon(side, tags, city):
    count = max(Counter(city.icon_of[tag] for tag in tags).values(), default=0)
    return side["points"] * count, count


def full_districts(side, tags, city):
    counts = Counter(city.district_of[tag] for tag in tags).values()
    full = [count for count in counts if count >= side["tags"]]
    return side["points"] * len(full), sum(full)


def big_clusters(side, tags, city):
    big = [len(cluster) for cluster in clusters(tags) if len(cluster) >= side["tags"]]
    return side["points"] * len(big), sum(big)


def railways(side, tags, city):
    count = 0
    for cluster in clusters(tags):
        icons = Counter(city.icon_of[tag] for tag in cluster)
        if icons["station"] >= side["stations"]:
            count += icons["station"] + icons["railway"]
    return side["points"] * count, count


# Station Snake

FEW = 6
"""So many stations can be visited in any order one after the other."""


def station_path(side, tags, city, station_snake="each_cluster"):
    paths = [0]
    for cluster in clusters(tags):
        stations = frozenset(tag for tag in cluster if city.icon_of[tag] == "station")
        if stations and len(stations) >= side["stations"]:
            paths.append(path_length(cluster, stations))
    used = max(paths) if station_snake == "best_cluster" else sum(paths)
    return side["points"] * used, used


@lru_cache(maxsize=4096)
def path_length(cluster, stations):
    """Return the tags of the shortest simple path through all stations, else through the most."""
    graph = graph_of(cluster)
    if len(stations) == 1:
        return 1
    if len(stations) == 2:
        return nx.shortest_path_length(graph, *stations) + 1
    joined = joined_shortest_paths(graph, stations) if len(stations) <= FEW else 0
    return joined or programmed_path(graph, stations)


def joined_shortest_paths(graph, stations):
    """Return the tags of the shortest tour of the stations if it crosses no tag twice, else 0."""
    steps = dict(nx.all_pairs_shortest_path_length(graph))
    tours = {
        order: sum(steps[a][b] for a, b in pairwise(order))
        for order in permutations(sorted(stations))
        if order[0] < order[-1]
    }
    least = min(tours.values())
    for order in (order for order, length in tours.items() if length == least):
        ways = [list(nx.all_shortest_paths(graph, a, b)) for a, b in pairwise(order)]
        for legs in product(*ways):
            visited = [order[0], *(tag for leg in legs for tag in leg[1:])]
            if len(set(visited)) == len(visited):
                return least + 1
    return 0


def programmed_path(graph, stations):
    """Find the path by an integer programme: a station is worth more than all tags cost.

    Unknowns: each tag visited, each tag an end, each edge walked. Rings apart from the path fulfil
    the counts, so each one found is forbidden and the programme solved again.
    """
    tags, edges = list(graph), list(graph.edges)
    number, size = len(tags), 2 * len(tags) + len(edges)
    worth = np.zeros(size)
    worth[:number] = [1 - 2 * number * (tag in stations) for tag in tags]
    degrees = np.zeros((number, size))
    degrees[:, :number] = -2 * np.eye(number)
    degrees[:, number : 2 * number] = np.eye(number)
    for column, edge in enumerate(edges):
        degrees[[tags.index(tag) for tag in edge], 2 * number + column] = 1
    two_ends = np.zeros(size)
    two_ends[number : 2 * number] = 1
    rules = [LinearConstraint(degrees, 0, 0), LinearConstraint(two_ends, 2, 2)]
    while True:
        found = programme(worth, rules)
        walked = np.round(found.x).astype(bool)
        path = nx.Graph(edge for edge, on in zip(edges, walked[2 * number :], strict=True) if on)
        rings = [part for part in nx.connected_components(path) if is_ring(path, part)]
        if not rings:
            return int(walked[:number].sum())
        for ring in rings:
            within = [float(set(edge) <= ring) for edge in edges]
            row = np.concatenate([np.zeros(2 * number), within])
            rules.append(LinearConstraint(row, ub=len(ring) - 1))


def is_ring(path, part):
    return all(path.degree[tag] == 2 for tag in part)


def walked_path(graph, stations):
    """Find the path by walking every simple path; for small clusters."""
    best = (0, 0)
    for start, end in product(graph, graph):
        for path in nx.all_simple_paths(graph, start, end) if start != end else [[start]]:
            best = max(best, (len(stations.intersection(path)), -len(path)))
    return -best[1]


# Everything by kind

KINDS = {
    "triangles": figures(triangles, "side"),
    "hexagons": figures(hexagons, "radius"),
    "lines": figures(lines, "length"),
    "longest_line": longest_line,
    "borders": borders,
    "police": police,
    "matching": matching,
    "most_icon": most_icon,
    "districts": full_districts,
    "clusters": big_clusters,
    "railways": railways,
    "station_path": station_path,
}


def score(side, tags, city, station_snake="each_cluster"):
    """Return (points, tags that count) of an objective side, the table of the component file."""
    more = {"station_snake": station_snake} if side["kind"] == "station_path" else {}
    return KINDS[side["kind"]](side, frozenset(tags), city, **more)


# The end of the game


def solo_removed(tags):
    """Return the tags that touch another one, all looked at before any comes off."""
    return frozenset(tag for tag in tags if any(touch(tag, other) for other in tags))


def final_points(tags, sides, city, station_snake="each_cluster", points=POINTS):
    """Return the points of what stays on the map: objectives and tags."""
    left = solo_removed(tags)
    objectives = sum(score(side, left, city, station_snake)[0] for side in sides)
    return objectives + sum(points[city.icon_of[tag]] for tag in left)


def best_removal(tags, cars, sides, city, station_snake="each_cluster", points=POINTS):
    """Return the tags that come off: the best one or two at once, then the best one at a time."""
    left = sorted(tags, key=city.number_of.get)
    owed = min(cars, len(left))
    removed = []
    for size in [min(owed, 2)] + [1] * (owed - 2):
        choices = list(combinations(left, size))
        worth = [
            final_points(set(left) - set(choice), sides, city, station_snake, points)
            for choice in choices
        ]
        best = choices[worth.index(max(worth))]
        removed.extend(best)
        left = [tag for tag in left if tag not in best]
    return removed


def cheapest_removal(tags, cars, city, points=POINTS):
    """Return the tags that come off: those on the cheapest hexes, the lowest numbers first."""
    return sorted(tags, key=lambda tag: (points[city.icon_of[tag]], city.number_of[tag]))[:cars]
