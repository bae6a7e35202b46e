"""What a player of Wildstyle sees in an act, worked out in plain Python from what lies there.

Points come from the referee's scoring of whole sets of tags, with and without a tag; nothing is
kept from one act to the next.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sim.games.wildstyle import vocabulary
from sim.games.wildstyle.city import City, Ground
from sim.games.wildstyle.events import COLOURS, RAILWAY, STATION
from sim.games.wildstyle.logbook import Decided, Deed, RoundBegins, SetUp, TableState
from sim.games.wildstyle.scoring_rules import Side, count_objective

HEX_FEATURES = [feature.name for feature in vocabulary.HEX_FEATURES]
Features = dict[str, float]


@dataclass(frozen=True)
class View:
    """The table at a look: the city, the tiles, the deal of the round and what lies."""

    start: SetUp
    deal: RoundBegins
    lies: TableState
    seat: int
    ignored: frozenset[str] = frozenset()
    worths: dict = field(default_factory=dict)

    @property
    def city(self) -> City:
        return self.start.city

    @property
    def sides(self) -> list[Side]:
        """The tiles that the player heeds."""
        return [side for side in self.start.sides if side.name not in self.ignored]

    @property
    def hand(self) -> tuple[int, ...]:
        return self.lies.hands[self.seat]

    @property
    def mine(self) -> frozenset[int]:
        return frozenset(self.lies.tags[self.seat])

    @property
    def rivals(self) -> list[int]:
        return [seat for seat in range(len(self.lies.hands)) if seat != self.seat]

    def around(self, hex_: int) -> frozenset[int]:
        return frozenset(self.city.ground.neighbours[hex_])

    def free(self, hex_: int) -> bool:
        """Tell whether the player could tag a hex."""
        if self.city.icons[hex_] == STATION:
            return hex_ not in self.mine
        return not any(hex_ in tags for tags in self.lies.tags)

    def places(self, icon: int) -> list[int]:
        return [hex_ for hex_ in self.city.hexes[icon] if self.free(hex_)]

    def cluster_with(self, hex_: int) -> set[int]:
        """Return the cluster that a tag on a hex would belong to, the hex included."""
        found, edge = {hex_}, [hex_]
        while edge:
            new = (self.around(edge.pop()) & self.mine) - found
            found |= new
            edge += new
        return found


def views(replay: Any, ignored: Mapping[int, frozenset[str]]) -> list[tuple[Decided, View]]:
    """Return every look of a game with what lies then; `ignored` names sides by seat."""
    start = replay.events[0]
    found, deal = [], None
    for event, lies in zip(replay.events, replay.states, strict=True):
        if isinstance(event, RoundBegins):
            deal = event
        if isinstance(event, Decided):
            seat = event.seat
            found.append((event, View(start, deal, lies, seat, ignored.get(seat, frozenset()))))
    return found


def features_of(view: View, deed: Deed) -> Features:
    """Return the features of an act, but for those that hang on weights; only what is not 0."""
    by_act = {
        "draw": _draw, "add": _onto_a_set, "take": _onto_a_set, "share": _share,
        "complete": _clearing, "rush": _clearing,
    }  # fmt: skip
    if deed.act in ("wait", "stop"):
        return {f"{deed.act}s": 1} if deed.act == "wait" else {"stops": 1}
    return by_act[deed.act](view, deed)


def _draw(view: View, deed: Deed) -> Features:
    return {"draws": 1, "hand_space": view.start.rules.hand_size - len(view.hand)}


def _onto_a_set(view: View, deed: Deed) -> Features:
    icon = deed.card // COLOURS
    there = view.lies.mats[view.seat][deed.space]
    in_hand = sum(card // COLOURS == icon for card in view.hand)
    found = {
        f"{deed.act}s": 1,
        "grows_set" if there else "starts_set": 1,
        "fills_set": len(there) + 1 == view.start.rules.set_size,
        "no_place": not view.places(icon),
        "same_in_hand": in_hand - (deed.act == "add"),
        "icon_unseen": unseen(view)[icon],
    }
    if deed.act == "take":
        found["rivals_want"] = rivals_with_a_set(view, icon)
    return found


def _share(view: View, deed: Deed) -> Features:
    icon, rules = deed.card // COLOURS, view.start.rules
    return {
        "shares": 1,
        "feeds_rivals": rivals_with_a_set(view, icon),
        "shares_match": has_unfinished(view, view.seat, icon),
        "frees_full_hand": len(view.hand) == rules.hand_size,
    }


def _clearing(view: View, deed: Deed) -> Features:
    found: Features = {"completes": 1} if deed.act == "complete" else _rush(view, deed)
    if deed.hex is None:
        return found | {"no_tag": 1}
    return found | hex_features(view, deed.hex) | {"tags_left": view.lies.tags_left[view.seat]}


def _rush(view: View, deed: Deed) -> Features:
    rules, lies, cars = view.start.rules, view.lies, view.lies.cars[view.seat]
    drawable = sum(map(len, view.deal.draw_piles))
    solo = sum(not view.around(hex_) & view.mine for hex_ in view.mine)
    return {
        "rushes": 1,
        "cards_missing": rules.set_size - len(lies.mats[view.seat][deed.space]),
        "cars_taken": cars,
        "free_car": solo > cars,
        "cards_gone": (drawable - sum(lies.draw_piles)) / drawable,
        "in_final_phase": lies.final_phase is not None,
        "rounds_left": rules.rounds - lies.round,
        "rivals_tags": min(lies.tags_left[seat] for seat in view.rivals),
    }


def unseen(view: View) -> Counter[int]:
    """Count by icon the cards that are in a pile, set aside, or in another's hand."""
    cards = list(view.deal.set_aside)
    for pile, left in zip(view.deal.draw_piles, view.lies.draw_piles, strict=True):
        cards += pile[:left]
    for seat in view.rivals:
        cards += view.lies.hands[seat]
    return Counter(card // COLOURS for card in cards)


def has_unfinished(view: View, seat: int, icon: int) -> bool:
    return any(
        cards and cards[0] // COLOURS == icon and len(cards) < view.start.rules.set_size
        for cards in view.lies.mats[seat]
    )


def rivals_with_a_set(view: View, icon: int) -> int:
    return sum(has_unfinished(view, seat, icon) for seat in view.rivals)


# Hexes


def hex_features(view: View, hex_: int) -> Features:
    """Return the features of a tag on a hex."""
    beside = view.around(hex_) & view.mine
    gains = {side: gain(view.city, side, view.mine, hex_) for side in view.sides}
    found: Features = {
        "points": view.city.points[view.city.icons[hex_]],
        "joins": len(beside),
        "solo": not beside,
        "rescues": sum(not view.around(tag) & view.mine for tag in beside),
        "objective_gain": sum(gains.values()),
        "objective_progress": sum(progress(view, side, hex_) for side in view.sides),
        "blocks_rivals": blocks(view, hex_),
        "free_neighbours": sum(view.free(there) for there in view.around(hex_)),
    }
    for side, points in gains.items():
        found[f"gain_{side.kind}"] = found.get(f"gain_{side.kind}", 0) + points
    return found


def gain(city: City, side: Side, tags: frozenset[int], hex_: int) -> int:
    """Return what a tag adds to a tile's points: all tags counted with it and without."""
    return points_of(city, side, tags | {hex_}) - points_of(city, side, tags)


@lru_cache(maxsize=100_000)
def points_of(city: City, side: Side, tags: frozenset[int]) -> int:
    return count_objective(city, side, tags).points


def blocks(view: View, hex_: int) -> int:
    """Return the most that one rival would gain on a hex; nobody is kept off a station."""
    if view.city.icons[hex_] == STATION:
        return 0
    tags = [frozenset(view.lies.tags[seat]) for seat in view.rivals]
    return max(0, *(sum(gain(view.city, s, own, hex_) for s in view.sides) for own in tags))


def progress(view: View, side: Side, hex_: int) -> float:
    """Return points times the part reached of what the tag does not complete yet."""
    icons, need = view.city.icons, side.number
    cluster = view.cluster_with(hex_)
    stations = sum(icons[tag] == STATION for tag in cluster)
    if side.kind in ("triangles", "hexagons", "lines"):
        part = figure_part(view, side, hex_)
    elif side.kind == "matching":
        part = sum(icons[tag] == icons[hex_] for tag in cluster) % need / need
    elif side.kind == "most_icon":
        tagged = Counter(icons[tag] for tag in view.mine)
        count, most = tagged[icons[hex_]] + 1, max(tagged.values(), default=0)
        part = count / (most + 1) if count <= most else 0
    elif side.kind == "districts":
        district = view.city.ground.district
        count = 1 + sum(district[tag] == district[hex_] for tag in view.mine)
        part = count / need if count < need else 0
    elif side.kind == "clusters":
        part = len(cluster) / need if len(cluster) < need else 0
    elif side.kind == "railways":
        part = 0.5 if icons[hex_] in (RAILWAY, STATION) and stations < need else 0
    elif side.kind == "station_path":
        part = stations / need if stations < need else 0
    else:
        part = 0
    return side.points * part


def figure_part(view: View, side: Side, hex_: int) -> float:
    """Return the fullest part that the tag makes of a figure without a hex that a rival holds."""
    shut = {
        tag
        for seat in view.rivals
        for tag in view.lies.tags[seat]
        if view.city.icons[tag] != STATION
    }
    best = 0.0
    for figure in figures_with(view.city.ground, side.kind, side.number, hex_):
        if not figure & shut:
            part = len(figure & (view.mine | {hex_})) / len(figure)
            best = max(best, part)
    return best if best < 1 else 0.0


@lru_cache(maxsize=100_000)
def figures_with(ground: Ground, kind: str, number: int, hex_: int) -> list[frozenset[int]]:
    """Return the figures of a kind that hold a hex."""
    figures = all_figures(ground, kind, number)
    return [figure for figure in figures if hex_ in figure]


@lru_cache(maxsize=64)
def all_figures(ground: Ground, kind: str, number: int) -> list[frozenset[int]]:
    cells = ground.cells
    at = {cell: hex_ for hex_, cell in enumerate(cells)}
    shapes = []
    if kind == "triangles":
        shapes = [
            [(i * turn, j * turn) for i in range(number) for j in range(number - i)]
            for turn in (1, -1)
        ]
    elif kind == "lines":
        shapes = [[(i * q, i * r) for i in range(number)] for q, r in ((1, 0), (0, 1), (-1, 1))]
    else:
        reach = range(-number, number + 1)
        shapes = [[(q, r) for q in reach for r in reach if abs(q + r) <= number]]
    found = set()
    for shape in shapes:
        for q0, r0 in cells:
            hexes = [at.get((q0 + q, r0 + r)) for q, r in shape]
            if None not in hexes:
                found.add(frozenset(hexes))
    return sorted(found, key=sorted)


# What an icon is worth


def best_worth(view: View, icon: int, weights: Mapping[str, float]) -> float:
    """Return what the best free hex of an icon is worth with these weights, 0 if there is none."""
    worths = []
    for hex_ in view.places(icon):
        if hex_ not in view.worths:
            view.worths[hex_] = hex_features(view, hex_)
        found = view.worths[hex_]
        worths.append(sum(weights.get(name, 0) * found.get(name, 0) for name in HEX_FEATURES))
    return max(worths, default=0.0)


def value_of(view: View, deed: Deed, weights: Mapping[str, float]) -> float:
    """Return weights . features of an act."""
    found = features_of(view, deed)
    value = sum(weights.get(name, 0) * amount for name, amount in found.items())
    name = {"add": "icon_worth", "take": "icon_worth", "share": "shares_worth"}.get(deed.act)
    if name and weights.get(name):
        value += weights[name] * best_worth(view, deed.card // COLOURS, weights)
    return value
