"""Thin ways to ask each of those who count for points and for the tags that come off.

The only place of these tests that knows how the compiled game and the referee are called.
"""

from functools import lru_cache
from pathlib import Path

import numba
import numpy as np

from sim import compiled, streams
from sim.games import data
from sim.games.wildstyle import city as referees_map
from sim.games.wildstyle import components as parts
from sim.games.wildstyle import events, scoring_rules, state
from sim.games.wildstyle.graph import lay_out
from sim.games.wildstyle.objectives import most_possible, tile_points
from sim.games.wildstyle.scoring import pay_for_cars
from sim.games.wildstyle.setting import lay_districts

from . import brute

SHIPPED = data.read_toml(Path(parts.__file__).with_name("components.toml"))
SIDES = SHIPPED["objectives"]["sides"]
KEPT = 64
NO_LOG = np.zeros((0, 6), np.int32)


def numbers_of(city, tags):
    return sorted(city.number_of[tag] for tag in tags)


def icons_of(city):
    """Return the code of the icon on each hex, in the order of the hexes' numbers."""
    return [events.ICONS.index(city.icon_of[hex_]) for hex_ in city.hexes]


# The long way


def long_way(players, radius, city, side, tags, station_snake="each_cluster"):
    return brute.score(side, tags, city, station_snake)


def long_removal(players, radius, city, sides, tags, cars, tag_removal="best"):
    if tag_removal == "cheapest":
        return brute.cheapest_removal(tags, cars, city)
    return brute.best_removal(tags, cars, sides, city)


# The compiled game


def _entry(function):
    """Compile a test's entry into the rules, kept beside those rules' own compiled code."""
    folder = compiled.cache_folder(state.__name__)
    if folder is None:
        return numba.njit(function)
    with compiled._cache_dir(folder):
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@_entry
def _lay_out(record, log):
    s = record[0]
    streams.seed_stream(s, streams.SETUP, 1, 1)
    for icon in range(s.icon_n.shape[0]):
        s.icon_n[icon] = 0
    lay_districts(s, log)


@_entry
def _count(record, words):
    s = record[0]
    for word in range(len(words)):
        s.w_mask[word] = words[word]
    lay_out(s)
    return tile_points(s, 0), s.used


@_entry
def _most(record):
    return most_possible(record[0], 0)


@_entry
def _pay(record, log, words, hexes, cars):
    s = record[0]
    for word in range(len(words)):
        s.own[0, word] = words[word]
    for tag in range(len(hexes)):
        s.tag_hex[0, tag] = hexes[tag]
    s.tags[0] = len(hexes)
    s.cars[0] = cars
    s.log_n = 0
    pay_for_cars(s, log, 0)
    return s.log_n


def kernel_points(players, radius, city, side, tags, station_snake="each_cluster"):
    record = compiled_table(players, radius, frozen([side]), station_snake).with_map(city)
    points, counting = _count(record, words_of(numbers_of(city, tags)))
    return int(points), int(counting)


def kernel_most(players, radius, city, side):
    """Return the most that a player's tags can make of a side on a map, as the game tells it."""
    table = compiled_table(players, radius, frozen([side]), "each_cluster")
    return int(_most(table.with_map(city)))


def kernel_removal(players, radius, city, sides, tags, cars, tag_removal="best"):
    table = compiled_table(players, radius, frozen(sides), "each_cluster", tag_removal)
    numbers = numbers_of(city, tags)
    log = np.zeros((len(numbers) + 1, 6), np.int32)
    words, hexes = words_of(numbers), np.array(numbers, np.int64)
    rows = log[: _pay(table.with_map(city), log, words, hexes, cars)]
    assert (rows[:, 0] == events.REMOVE).all()
    return [city.hexes[number] for number in rows[:, 3]]


def words_of(numbers):
    """Return a set of hexes as the compiled game keeps it."""
    words = np.zeros(state.WORDS, np.uint64)
    for number in numbers:
        words[number // 64] |= np.uint64(1 << number % 64)
    return words


def frozen(sides):
    return tuple(tuple(side.items()) for side in sides)


@lru_cache(maxsize=KEPT)
def compiled_table(*arguments):
    return CompiledTable(*arguments)


class CompiledTable:
    """The state of a game with the tiles asked for, and the map that lies on the table."""

    def __init__(self, players, radius, sides, station_snake, tag_removal="best"):
        names, components = components_with([dict(side) for side in sides])
        rulings = parts.Rulings(
            board_radius=radius, station_snake=station_snake, tag_removal=tag_removal, tiles=names
        )
        self.record = state.rules_record(components, rulings, players)
        self.record["w_at"] = -1
        self.record["tile"][0, : len(names)] = self.record["set_sides"][0, 0, : len(names)]
        self.city = None

    def with_map(self, city):
        """Lay out a map of any icons: a single board to draw from, the others lie in order."""
        if city is not self.city:
            s = self.record[0]
            s["boards"], s["turns_n"], s["turns"] = 1, 1, 0
            icons = np.reshape(icons_of(city), (s["players"], -1))
            for position, face in enumerate(icons):
                s["cards"][position] = position
                s["face_icons"][2 * position : 2 * position + 2, 0, : len(face)] = face
            _lay_out(self.record, NO_LOG)
            assert s["icon"][: icons.size].tolist() == icons.ravel().tolist()
            self.city = city
        return self.record


def components_with(sides):
    """Return names for the sides, and the shipped components with tiles that show them."""
    shown = {f"asked_{i}": of_kind(side["kind"]) | side for i, side in enumerate(sides)}
    backs = {f"back_{i}": SIDES["border_wars"] for i in range(len(sides))}
    tiles = {
        "tiles": [[front, back] for front, back in zip(shown, backs, strict=True)],
        "show": "A" * len(sides),
        "family_show": "A",
        "family_without": [],
        "sides": shown | backs,
    }
    objectives = SHIPPED["objectives"] | tiles
    return list(shown), parts.Components(**SHIPPED | {"objectives": objectives})


def of_kind(kind):
    return next(side for side in SIDES.values() if side["kind"] == kind)


# The referee


def referee_points(players, radius, city, side, tags, station_snake="each_cluster"):
    points, counting = scoring_rules.objective_hexes(
        referees_city(players, radius, city),
        referees_side(side, station_snake),
        numbers_of(city, tags),
    )
    return points, len(counting)


def referee_removal(players, radius, city, sides, tags, cars, tag_removal="best"):
    removed = scoring_rules.tags_to_remove(
        referees_city(players, radius, city),
        [referees_side(side, "each_cluster") for side in sides],
        frozenset(numbers_of(city, tags)),
        cars,
        tag_removal,
    )
    return [city.hexes[number] for number in removed]


def referees_side(side, station_snake):
    titled = side | {"title": "Asked"}
    return scoring_rules.Side.read("asked", titled, {"station_snake": station_snake})


@lru_cache(maxsize=KEPT)
def referees_city(players, radius, city):
    points = [brute.POINTS[icon] for icon in events.ICONS]
    return referees_map.build_city(referees_map.ground(players, radius), icons_of(city), points)


WAYS = {"kernel": kernel_points, "referee": referee_points, "long way": long_way}
REMOVALS = {"kernel": kernel_removal, "referee": referee_removal, "long way": long_removal}
