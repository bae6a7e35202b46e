"""The record of one game of Wildstyle, and what it is filled with about map, tiles and players."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sim.games import data, frame
from sim.games.wildstyle import events, hexmap, vocabulary
from sim.games.wildstyle.components import Components, Rulings
from sim.players import Style, forbidden_rows, weight_rows

MAX_PLAYERS = 5
MAX_HEXES = MAX_PLAYERS * 37
WORDS = 3
"""64-bit words of a set of hexes."""
ICONS = len(events.ICONS)
MAX_FACES = 32
MAX_SIDES = 32
MAX_DEALT = 4
"""Objective tiles in a game."""
MAX_SETS = 4096
MAX_FIGURE_SIDES = 12
MAX_SIDE_FIGURES = 768
MAX_FIGURES = MAX_FIGURE_SIDES * MAX_SIDE_FIGURES
MAX_MEMBERS = 96_000
MAX_DECK = 160
MAX_TAGS = 30
MAX_HAND = 5
MAX_SET = 5
SETS = 2
MAX_PILES = 5
MAX_ACTS = 512
MAX_FEATURES = 56
STREAMS = 8
"""Set-up, draws, choices, and the clock of each seat."""

STATE = np.dtype(
    [
        # the rules in use
        ("players", "i8"),
        ("rotate", "i8"),
        ("rounds", "i8"),
        ("tags_each_round", "i8"),
        ("car_stock", "i8"),
        ("hand_size", "i8"),
        ("set_size", "i8"),
        ("share_piles", "i8"),
        ("draw_piles", "i8"),
        ("all_piles", "i8"),
        ("copies", "i8", (ICONS, events.COLOURS)),
        ("icon_copies", "i8", ICONS),
        ("deck_size", "i8"),
        ("icon_points", "i8", ICONS),
        ("least_icon_points", "i8"),
        ("best_cluster", "i8"),
        ("final_rush", "i8"),
        ("removal_best", "i8"),
        ("cap", "i8"),
        ("even_tiles", "i8"),
        ("n_sets", "i8"),
        ("dealt", "i8"),
        ("set_sides", "i8", (MAX_SETS, MAX_DEALT)),
        ("side_kind", "i8", MAX_SIDES),
        ("side_points", "i8", MAX_SIDES),
        ("side_need", "i8", MAX_SIDES),
        ("base_seconds", "f8", (MAX_PLAYERS, len(events.ACTS))),
        ("reaction", "i8", MAX_PLAYERS),
        ("sigma", "f8"),
        # the map
        ("hexes", "i8"),
        ("district_size", "i8"),
        ("district", "i2", MAX_HEXES),
        ("neighbour", "i2", (MAX_HEXES, 6)),
        ("around", "u8", (MAX_HEXES, WORDS)),
        ("at_border", "i2", MAX_HEXES),
        ("boards", "i8"),
        ("face_icons", "i1", (MAX_FACES, 6, 37)),
        ("turns", "i1", (MAX_PLAYERS, MAX_FACES, 6)),
        ("turns_n", "i1", (MAX_PLAYERS, MAX_FACES)),
        # figures of the sides that have some: masks, and by slot and hex which figures hold it
        ("side_slot", "i8", MAX_SIDES),
        ("side_first", "i8", MAX_SIDES),
        ("side_figures", "i8", MAX_SIDES),
        ("figure", "u8", (MAX_FIGURES, WORDS)),
        ("member_start", "i4", (MAX_FIGURE_SIDES, MAX_HEXES + 1)),
        ("member", "i2", MAX_MEMBERS),
        # the players
        ("weights", "f8", (MAX_PLAYERS, MAX_FEATURES)),
        ("temperature", "f8", MAX_PLAYERS),
        ("indifferent", "i8", MAX_PLAYERS),
        ("forbids", "i8", (MAX_PLAYERS, len(events.ACTS))),
        ("ignores", "i8", (MAX_PLAYERS, MAX_SIDES)),
        ("gain_weight", "f8", (MAX_PLAYERS, MAX_SIDES)),
        ("progress_weight", "f8", (MAX_PLAYERS, MAX_SIDES)),
        ("place", "i8", MAX_PLAYERS),
        # the city of this game
        ("rng", "u8", (STREAMS, 4)),
        ("tile", "i8", MAX_DEALT),
        ("tile_set", "i8"),
        ("icon", "i2", MAX_HEXES),
        ("near_police", "i2", MAX_HEXES),
        ("icon_hexes", "i2", (ICONS, MAX_HEXES)),
        ("icon_n", "i8", ICONS),
        ("taken", "u8", WORDS),
        ("own", "u8", (MAX_PLAYERS, WORDS)),
        ("beside", "u8", (MAX_PLAYERS, WORDS)),
        ("free", "i8", ICONS),
        ("full", "i8", ICONS),
        # tags
        ("mat", "i8", MAX_PLAYERS),
        ("tags", "i8", MAX_PLAYERS),
        ("tag_hex", "i8", (MAX_PLAYERS, MAX_TAGS)),
        ("tag_round", "i8", (MAX_PLAYERS, MAX_TAGS)),
        ("tag_second", "i8", (MAX_PLAYERS, MAX_TAGS)),
        ("tag_fate", "i8", (MAX_PLAYERS, MAX_TAGS)),
        ("cars", "i8", MAX_PLAYERS),
        ("cars_left", "i8"),
        # cards
        ("cards", "i2", MAX_DECK),
        ("top", "i8", MAX_PILES),
        ("bottom", "i8", MAX_PILES),
        ("to_draw", "i8"),
        ("drawable", "i8"),
        ("share", "i2", (MAX_PILES, MAX_DECK)),
        ("share_n", "i8", MAX_PILES),
        ("hand", "i2", (MAX_PLAYERS, MAX_HAND)),
        ("hand_n", "i8", MAX_PLAYERS),
        ("set_icon", "i8", (MAX_PLAYERS, SETS)),
        ("set_n", "i8", (MAX_PLAYERS, SETS)),
        ("discarded", "i8"),
        ("shown", "i8", ICONS),
        # the clock
        ("round", "i8"),
        ("now", "i8"),
        ("final", "i8"),
        ("reason", "i8"),
        ("doing", "i8", MAX_PLAYERS),
        ("due", "i8", MAX_PLAYERS),
        ("decided", "i8", MAX_PLAYERS),
        ("act", "i8", MAX_PLAYERS),
        ("target", "i8", MAX_PLAYERS),
        ("spare", "f8", MAX_PLAYERS),
        ("has_spare", "i8", MAX_PLAYERS),
        ("cut", "i8"),
        ("log_n", "i8"),
        # the choice at hand
        ("brief", "i8"),
        ("n_actions", "i8"),
        ("kind", "i8", MAX_ACTS),
        ("aim", "i8", MAX_ACTS),
        ("value", "f8", MAX_ACTS),
        ("feature", "f8", MAX_FEATURES),
        # what a seat thinks of hexes, kept until something near them changes
        ("stale", "u8", (MAX_PLAYERS, WORDS)),
        ("worth", "f8", (MAX_PLAYERS, MAX_HEXES)),
        ("extra", "f8", (MAX_PLAYERS, ICONS)),
        ("best_worth", "f8", (MAX_PLAYERS, ICONS)),
        ("best_bare", "f8", (MAX_PLAYERS, ICONS)),
        ("best_hexes", "i8", (MAX_PLAYERS, ICONS)),
        ("best_known", "i8", (MAX_PLAYERS, ICONS)),
        # each seat's objectives, kept up to date tag by tag
        ("standing", "i8", MAX_PLAYERS),
        ("tile_points", "i8", (MAX_PLAYERS, MAX_DEALT)),
        ("have", "i1", (MAX_DEALT, MAX_PLAYERS, MAX_SIDE_FIGURES)),
        ("district_tags", "i8", (MAX_PLAYERS, MAX_PLAYERS)),
        ("icon_tags", "i8", (MAX_PLAYERS, ICONS)),
        ("cluster_of", "i1", (MAX_PLAYERS, MAX_HEXES)),
        ("clusters", "i8", MAX_PLAYERS),
        ("cluster_size", "i8", (MAX_PLAYERS, MAX_TAGS)),
        ("cluster_icons", "i8", (MAX_PLAYERS, MAX_TAGS, ICONS)),
        ("gain", "i8", MAX_DEALT),
        ("progress", "f8", MAX_DEALT),
        ("touched", "i8", 6),
        ("touched_n", "i8"),
        # work space: tags of one seat as a small graph, and a search over it
        ("w_n", "i8"),
        ("w_hex", "i8", MAX_TAGS + 1),
        ("w_at", "i1", MAX_HEXES),
        ("w_around", "u8", MAX_TAGS + 1),
        ("w_group", "i8", MAX_TAGS + 1),
        ("w_groups", "i8"),
        ("w_members", "u8", MAX_TAGS + 1),
        ("w_figure", "u8", MAX_SIDE_FIGURES),
        ("w_left", "u8", MAX_TAGS + 2),
        ("w_option", "i8", MAX_TAGS + 2),
        ("w_node", "i8", MAX_TAGS + 2),
        ("w_distance", "i1", (MAX_TAGS + 1, MAX_TAGS + 1)),
        ("used", "i8"),
        ("w_mask", "u8", WORDS),
        ("own_hex", "i8", MAX_TAGS),
        ("stake", "i8", MAX_TAGS),
        # what is counted
        ("acts", "i8", MAX_PLAYERS),
        ("fumbles", "i8", MAX_PLAYERS),
        ("waits", "i8", MAX_PLAYERS),
        ("drawn", "i8", MAX_PLAYERS),
        ("shared", "i8", MAX_PLAYERS),
        ("took", "i8", MAX_PLAYERS),
        ("decisions", "i8"),
        ("looks", "i8"),
        ("score", "i8", MAX_PLAYERS),
        ("tag_points", "i8", MAX_PLAYERS),
        ("scored", "i8", (MAX_PLAYERS, MAX_DEALT)),
        ("scored_tags", "i8", (MAX_PLAYERS, MAX_DEALT)),
        ("before", "i8", (MAX_PLAYERS, MAX_DEALT)),
        ("lost_solo", "i8", MAX_PLAYERS),
        ("lost_to_cars", "i8", MAX_PLAYERS),
        ("round_end", "i8", 16),
        ("round_time", "i8", 16),
        ("round_acts", "i8", 16),
        ("round_fumbles", "i8", 16),
        ("round_drawn", "i8", 16),
        ("round_shared", "i8", 16),
        ("round_taken", "i8", 16),
        ("round_placed", "i8", 16),
        ("round_rushed", "i8", 16),
        *data.flow_fields(MAX_PLAYERS, events.WAIT),
        *data.script_fields(MAX_PLAYERS),
        ("unseen", "i2", MAX_DECK),
    ],
    align=True,
)
"""The whole state of one game: rules, map, players, table, clock and counters in one record."""

MAX_ROUNDS = 16


@dataclass(frozen=True)
class Setup(frame.Setup):
    """A cell, ready to be played, and its names."""

    sides: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    cells: np.ndarray
    """int16 [hex, 2]: axial coordinates (q, r)."""

    @property
    def rounds(self) -> int:
        """How many rounds a game has."""
        return int(self.record[0]["rounds"])

    @property
    def tags(self) -> int:
        """How many tags a player has in all rounds together."""
        return int(self.record[0]["rounds"] * self.record[0]["tags_each_round"])


def tile_sets(components: Components, rulings: Rulings) -> tuple[tuple[str, ...], ...]:
    """Return every set of sides that can be dealt, in the order in which `even` deals them.

    The tiles for A sides are combined first, in the order of the component file, then those for
    B sides from the rest.
    """
    if isinstance(rulings.tiles, list):
        return (tuple(rulings.tiles),)
    objectives = components.objectives
    show = objectives.family_show if rulings.family_mode else objectives.show
    left_out = set(objectives.family_without) if rulings.family_mode else set()
    tiles = [pair for pair in objectives.tiles if not left_out & set(pair)]
    a, b = show.count("A"), show.count("B")
    sets = []
    for front in combinations(tiles, a):
        rest = [pair for pair in tiles if pair not in front]
        sets += [
            (*(pair[0] for pair in front), *(pair[1] for pair in back))
            for back in combinations(rest, b)
        ]
    return tuple(sets)


def rules_record(components: Components, rulings: Rulings, players: int) -> np.ndarray:
    """Return a STATE array [1] with rules and map filled in and the rest zero."""
    record = np.zeros(1, STATE)
    s = record[0]
    numbers = components.numbers
    piles = components.piles.of(players)
    s["players"] = players
    s["rounds"] = numbers.rounds
    s["tags_each_round"] = numbers.tags_each_round
    s["car_stock"] = numbers.cop_cars
    s["hand_size"] = numbers.hand_size
    s["set_size"] = numbers.set_size
    s["share_piles"] = piles.share
    s["draw_piles"] = piles.draw
    s["all_piles"] = piles.draw + piles.unused
    s["copies"] = components.decks[rulings.deck].copies()
    s["icon_copies"] = s["copies"].sum(axis=1)
    s["deck_size"] = s["copies"].sum()
    s["icon_points"] = [getattr(components.icons, name).points for name in events.ICONS]
    s["least_icon_points"] = s["icon_points"].min()
    s["best_cluster"] = rulings.station_snake == "best_cluster"
    s["final_rush"] = rulings.final_phase_rush
    s["removal_best"] = rulings.tag_removal == "best"
    s["cap"] = rulings.round_cap_s * 1_000_000
    s["sigma"] = components.clock.sigma
    _fill_map(s, components, rulings, players)
    _fill_tiles(s, components, rulings, players)
    return record


def _fill_map(s: Any, components: Components, rulings: Rulings, players: int) -> None:
    radius = rulings.board_radius
    city = hexmap.city_map(players, radius)
    n = len(city.cells)
    s["hexes"], s["district_size"] = n, city.size
    s["district"][:n] = city.district
    s["neighbour"][:n] = city.neighbours
    s["at_border"][:n] = city.border
    s["around"][:n] = masks(city.neighbours, n)
    faces = components.boards.faces(radius)
    s["boards"] = len(faces) // 2
    cells = hexmap.district_cells(radius)
    for face, names in enumerate(faces):
        icons = [events.ICONS.index(name) for name in names]
        station = cells[icons.index(events.STATION)]
        for turn in range(6):
            s["face_icons"][face, turn, : city.size] = hexmap.turned_face(icons, turn, radius)
        for position in range(players):
            turns = hexmap.nearest_turns(city, position, station)
            s["turns"][position, face, : len(turns)] = turns
            s["turns_n"][position, face] = len(turns)


def masks(rows: np.ndarray, hexes: int) -> np.ndarray:
    """Return rows of hexes (-1 for none) as sets, uint64 [row, WORDS]."""
    found = np.zeros((len(rows), WORDS), np.uint64)
    for i, row in enumerate(rows):
        for cell in row:
            if 0 <= cell < hexes:
                found[i, cell // 64] |= np.uint64(1) << np.uint64(cell % 64)
    return found


def _fill_tiles(s: Any, components: Components, rulings: Rulings, players: int) -> None:
    city = hexmap.city_map(players, rulings.board_radius)
    s["even_tiles"] = rulings.tiles == "even"
    sides = list(components.objectives.sides)
    sets = tile_sets(components, rulings)
    s["n_sets"], s["dealt"] = len(sets), len(sets[0])
    s["set_sides"][: len(sets), : len(sets[0])] = [[sides.index(n) for n in one] for one in sets]
    shown = {name for one in sets for name in one}
    slot = first = members = 0
    for code, (name, side) in enumerate(components.objectives.sides.items()):
        s["side_kind"][code] = vocabulary.KINDS.index(side.kind)
        s["side_points"][code] = side.points
        s["side_need"][code] = need_of(side)
        figures = figures_of(side, city)
        if figures is None or name not in shown:
            continue
        s["side_slot"][code], s["side_first"][code] = slot, first
        s["side_figures"][code] = len(figures)
        s["figure"][first : first + len(figures)] = masks(figures, len(city.cells))
        for cell in range(len(city.cells)):
            holding = np.flatnonzero((figures == cell).any(axis=1))
            s["member_start"][slot, cell] = members
            s["member"][members : members + len(holding)] = holding
            members += len(holding)
        s["member_start"][slot, len(city.cells)] = members
        slot, first = slot + 1, first + len(figures)


def need_of(side: Any) -> int:
    """Return a side's one whole number besides its points: tags of a figure, or a threshold."""
    if side.kind == "triangles":
        return side.side * (side.side + 1) // 2
    if side.kind == "hexagons":
        return 3 * side.radius * (side.radius + 1) + 1
    return int(side.number)


def figures_of(side: Any, city: Any) -> np.ndarray | None:
    """Return the figures that a side looks for, int16 [figure, tag]; None for other kinds."""
    if side.kind == "triangles":
        return hexmap.triangles(city, side.side)
    if side.kind == "hexagons":
        return hexmap.hexagons(city, side.radius)
    if side.kind == "lines":
        return hexmap.lines(city, side.length)
    return None


def fill_players(s: Any, styles: Sequence[Style], sides: Sequence[str], clock: Any) -> None:
    """Fill in how the styles act, by place of the line-up.

    A side that a style ignores has no weight for it.
    """
    n = len(styles)
    names = vocabulary.FEATURE_NAMES
    weights = weight_rows(styles, names)
    ignored = forbidden_rows(styles, sides)
    s["forbids"][:n] = forbidden_rows(styles, events.ACTS)
    s["ignores"][:n, : len(sides)] = ignored
    handling = [getattr(clock.handling, act, 0.0) for act in events.ACTS]
    for place, style in enumerate(styles):
        s["base_seconds"][place] = [(clock.thinking + each) * style.tempo for each in handling]
        s["reaction"][place] = round(clock.reaction * style.tempo * 1e6)
        heeded = ~ignored[place]
        kinds = [vocabulary.KINDS[kind] for kind in s["side_kind"][: len(sides)]]
        own = np.array([weights[place, names.index(f"gain_{kind}")] for kind in kinds])
        s["gain_weight"][place, : len(sides)] = heeded * (
            weights[place, names.index("objective_gain")] + own
        )
        s["progress_weight"][place, : len(sides)] = (
            heeded * weights[place, names.index("objective_progress")]
        )
