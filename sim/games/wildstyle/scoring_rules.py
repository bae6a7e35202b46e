"""Game End and Objectives of Wildstyle in plain Python, in the rulebook's order and terms.

Everything is exact: largest sets of disjoint figures and shortest paths are searched, not guessed.
Tags are sets of hex numbers, those of one seat.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from sim.games.wildstyle.city import AROUND, City
from sim.games.wildstyle.events import RAILWAY, STATION

Tags = frozenset[int]
Group = tuple[int, ...]
"""Hexes that score together: a figure, a line, a path, a cluster."""

NUMBER_OF = {
    "triangles": "side",
    "hexagons": "radius",
    "lines": "length",
    "longest_line": "least",
    "matching": "size",
    "districts": "tags",
    "clusters": "tags",
    "railways": "stations",
    "station_path": "stations",
}
"""What the one number of an objective is called, by kind; the other kinds have none."""


@dataclass(frozen=True)
class Side:
    """A side of an objective tile; `number` is the size or the threshold that its kind needs."""

    name: str
    title: str
    kind: str
    points: int
    number: int = 1
    best_cluster: bool = False
    """Station Snake: only the best path counts, not one in each cluster."""

    @classmethod
    def read(cls, name: str, side: Mapping[str, Any], rulings: Mapping[str, Any]) -> "Side":
        """Read an entry of `objectives.sides`."""
        kind = side["kind"]
        number = side[NUMBER_OF[kind]] if kind in NUMBER_OF else 1
        best = rulings["station_snake"] == "best_cluster"
        return cls(name, side["title"], kind, side["points"], number, best)


class Counted(NamedTuple):
    """What an objective is worth, and the groups of hexes that count, each hex once."""

    points: int
    groups: Sequence[Group]

    @property
    def hexes(self) -> Tags:
        """All hexes that count."""
        return frozenset(hex_ for group in self.groups for hex_ in group)


# Remove 1 Tag per Cop Car


def tags_to_remove(
    city: City, sides: Sequence[Side], tags: Tags, cars: int, choice: str
) -> list[int]:
    """Return the tags that a seat takes off for its cop cars, at most all that it has.

    `choice` is the ruling `tag_removal`. Equals: the lowest hex numbers.
    """
    count = min(cars, len(tags))
    if choice == "cheapest":
        return sorted(tags, key=lambda hex_: (city.points[city.icons[hex_]], hex_))[:count]
    removed: list[int] = []
    while len(removed) < count:
        together = 1 if removed else min(count, 2)
        left = sorted(tags.difference(removed))
        options = list(combinations(left, together))
        results = [final_points(city, sides, tags.difference(removed, gone)) for gone in options]
        removed += options[results.index(max(results))]
    return removed


def final_points(city: City, sides: Sequence[Side], tags: Tags) -> int:
    """Return what tags are worth once the solo ones among them are off the map."""
    return standing(city, sides, tags - solo_tags(city, tags))


def standing(city: City, sides: Sequence[Side], tags: Tags) -> int:
    """Return the points of objectives and hexes for tags as they lie."""
    objectives = sum([count_objective(city, side, tags).points for side in sides])
    return objectives + city.tag_points(tags)


# Remove All Solo Tags


def solo_tags(city: City, tags: Tags) -> Tags:
    """Return the tags that touch no other of them."""
    neighbours = city.ground.neighbours
    return frozenset([hex_ for hex_ in tags if neighbours[hex_].isdisjoint(tags)])


# Score Objectives


def count_objective(city: City, side: Side, tags: Tags) -> Counted:
    """Return what a seat's tags score with a side, and which of them count."""
    points, groups = _KINDS[side.kind](city, side, tags)
    return Counted(points, groups) if points else Counted(0, ())


def objective_hexes(city: City, side: Side, tags: Iterable[int]) -> tuple[int, Tags]:
    """Return the points of a side and the hexes that count, for pictures."""
    counted = count_objective(city, side, frozenset(tags))
    return counted.points, counted.hexes


# Tiebreakers


def ranking(scores: Sequence[int], cars: Sequence[int]) -> list[int]:
    """Return each seat's rank: more points, then fewer cop cars; equals share the better rank."""
    results = [(score, -taken) for score, taken in zip(scores, cars, strict=True)]
    return [1 + sum(other > own for other in results) for own in results]


# Tag Clusters


@lru_cache(maxsize=64)
def tag_clusters(city: City, tags: Tags) -> tuple[Group, ...]:
    """Return the clusters, each sorted, by their lowest hex."""
    neighbours = city.ground.neighbours
    left, clusters = set(tags), []
    while left:
        edge = [min(left)]
        left.remove(edge[0])
        cluster = []
        while edge:
            hex_ = edge.pop()
            cluster.append(hex_)
            touching = left & neighbours[hex_]
            left -= touching
            edge += touching
        clusters.append(tuple(sorted(cluster)))
    return tuple(clusters)


# Objectives

_Worth = tuple[int, Sequence[Group]]


def _figures(city: City, side: Side, tags: Tags) -> _Worth:
    """Tricorners, Bestagon, Straight Shooter: the most disjoint figures."""
    by_lowest = city.ground.figures(side.kind, side.number)
    there = [figure for hex_ in tags for figure in by_lowest.get(hex_, ()) if figure <= tags]
    chosen = most_disjoint(there)
    return side.points * len(chosen), chosen


def most_disjoint(figures: Collection[Tags]) -> list[Group]:
    """Return as many figures without a common hex as there can be, by exact search."""
    if len(figures) < 2:
        return [tuple(sorted(figure)) for figure in figures]
    ordered = sorted((sorted(figure), figure) for figure in figures)

    @cache
    def best(left: Tags) -> tuple[Tags, ...]:
        """Decide about the first figure within `left`: it is chosen, or its lowest hex is out."""
        for lowest, figure in ordered:
            if figure <= left:
                using = [other for hexes, other in ordered if hexes[0] == lowest[0]]
                options = [(other, *best(left - other)) for other in using if other <= left]
                return max(*options, best(left - {lowest[0]}), key=len)
        return ()

    return [tuple(sorted(figure)) for figure in best(frozenset().union(*figures))]


def _end_of_the_line(city: City, side: Side, tags: Tags) -> _Worth:
    """End of the Line: the longest run in any direction, across districts."""
    longest = longest_line(city, tags)
    return (side.points * len(longest), [longest]) if len(longest) >= side.number else (0, ())


def longest_line(city: City, tags: Tags) -> Group:
    """Return the longest unbroken straight line of tags, from its first to its last hex."""
    cells = {city.ground.cells[hex_] for hex_ in tags}
    longest: list[tuple[int, int]] = []
    for q, r in cells:
        for x, y in AROUND[:3]:
            if (q - x, r - y) not in cells:
                line = [(q, r)]
                while (line[-1][0] + x, line[-1][1] + y) in cells:
                    line.append((line[-1][0] + x, line[-1][1] + y))
                longest = max(longest, line, key=len)
    return tuple(city.ground.number[cell] for cell in longest)


def _border_wars(city: City, side: Side, tags: Tags) -> _Worth:
    """Border Wars: tags that touch a hex of another district."""
    there = tuple(sorted(tags & city.ground.borders))
    return side.points * len(there), [there]


def _under_their_noses(city: City, side: Side, tags: Tags) -> _Worth:
    """Under Their Noses: tags that touch a police station, themselves not on one."""
    there = tuple(sorted(tags & city.by_police))
    return side.points * len(there), [there]


def _three_of_a_kind(city: City, side: Side, tags: Tags) -> _Worth:
    """3 of a Kind: whole sets of an icon within a cluster."""
    sets = []
    for cluster in tag_clusters(city, tags):
        for same in _by_icon(city, cluster):
            ends = range(side.number, len(same) + 1, side.number)
            sets += [tuple(same[end - side.number : end]) for end in ends]
    return side.points * len(sets), sets


def _urban_planner(city: City, side: Side, tags: Tags) -> _Worth:
    """Urban Planner: the icon with the most tags, wherever they lie."""
    most = max(_by_icon(city, sorted(tags)), key=len)
    return side.points * len(most), [tuple(most)]


def _by_icon(city: City, hexes: Iterable[int]) -> list[list[int]]:
    kinds: list[list[int]] = [[] for _ in city.hexes]
    for hex_ in hexes:
        kinds[city.icons[hex_]].append(hex_)
    return kinds


def _district_division(city: City, side: Side, tags: Tags) -> _Worth:
    """District Division: districts with enough tags."""
    districts: dict[int, list[int]] = {}
    for hex_ in sorted(tags):
        districts.setdefault(city.ground.district[hex_], []).append(hex_)
    full = [tuple(there) for there in districts.values() if len(there) >= side.number]
    return side.points * len(full), full


def _zone_control(city: City, side: Side, tags: Tags) -> _Worth:
    """Zone Control: clusters with enough tags."""
    large = [cluster for cluster in tag_clusters(city, tags) if len(cluster) >= side.number]
    return side.points * len(large), large


def _rail_supreme(city: City, side: Side, tags: Tags) -> _Worth:
    """Rail Supreme: stations and railways of the clusters with enough stations."""
    groups = []
    for cluster in tag_clusters(city, tags):
        if len(_with_icon(city, cluster, STATION)) >= side.number:
            railways = _with_icon(city, cluster, RAILWAY)
            groups.append(_with_icon(city, cluster, STATION) + railways)
    return side.points * sum(map(len, groups)), groups


def _station_snake(city: City, side: Side, tags: Tags) -> _Worth:
    """Station Snake: a path in each cluster with enough tagged stations, or only the best."""
    clusters = [
        cluster
        for cluster in tag_clusters(city, tags)
        if len(_with_icon(city, cluster, STATION)) >= side.number
    ]
    paths = [station_path(city, cluster) for cluster in clusters]
    if side.best_cluster and paths:
        paths = [max(paths, key=len)]
    return side.points * sum(map(len, paths)), paths


def _with_icon(city: City, hexes: Iterable[int], icon: int) -> Group:
    return tuple(hex_ for hex_ in hexes if city.icons[hex_] == icon)


def station_path(city: City, cluster: Group) -> Group:
    """Return the shortest path of tags, none used twice, that visits every station of a cluster.

    Where no such path visits all, the one with the most stations, then the shortest. A path
    starts and ends at a station: what lies beyond would only make it longer.
    """
    stations = _with_icon(city, cluster, STATION)
    for count in range(len(stations), 0, -1):
        paths = [shortest_path(city, cluster, chosen) for chosen in combinations(stations, count)]
        found = [path for path in paths if path]
        if found:
            return min(found, key=len)
    return ()


def shortest_path(city: City, cluster: Group, stations: Group) -> Group | None:
    """Return the shortest path within a cluster that visits all of these stations, if any."""
    inside = frozenset(cluster)
    touching = {hex_: city.ground.neighbours[hex_] & inside for hex_ in cluster}
    away = {station: steps_from(touching, station) for station in stations}
    best: list[Group] = []

    def longer_than_best(length: int) -> bool:
        return bool(best) and length >= len(best[0])

    def go_on(path: Group, unused: Tags, ahead: Tags) -> None:
        here = path[-1]
        if not ahead:
            if not longer_than_best(len(path)):
                best[:] = [path]
            return
        if longer_than_best(len(path) + max(away[station][here] for station in ahead)):
            return
        if not ahead <= reachable(touching, here, unused):
            return
        nearest = min(ahead, key=lambda station: away[station][here])
        for hex_ in sorted(touching[here] & unused, key=away[nearest].__getitem__):
            go_on((*path, hex_), unused - {hex_}, ahead - {hex_})

    for start in stations:
        go_on((start,), inside - {start}, frozenset(stations) - {start})
    return best[0] if best else None


def steps_from(touching: Mapping[int, Tags], start: int) -> dict[int, int]:
    """Return the steps from a hex to each hex of its cluster."""
    steps = {start: 0}
    for hex_ in (queue := [start]):
        for other in touching[hex_]:
            if other not in steps:
                steps[other] = steps[hex_] + 1
                queue.append(other)
    return steps


def reachable(touching: Mapping[int, Tags], start: int, unused: Tags) -> set[int]:
    """Return the hexes that a path from `start` over unused hexes can get to."""
    edge, found = [start], set()
    while edge:
        new = (touching[edge.pop()] & unused) - found
        found |= new
        edge += new
    return found


_KINDS: dict[str, Callable[[City, Side, Tags], _Worth]] = {
    "triangles": _figures,
    "hexagons": _figures,
    "lines": _figures,
    "longest_line": _end_of_the_line,
    "borders": _border_wars,
    "police": _under_their_noses,
    "matching": _three_of_a_kind,
    "most_icon": _urban_planner,
    "districts": _district_division,
    "clusters": _zone_control,
    "railways": _rail_supreme,
    "station_path": _station_snake,
}
