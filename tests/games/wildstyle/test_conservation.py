"""Nothing is lost and nothing is made: games of every kind that the component file allows."""

from collections import Counter
from dataclasses import dataclass, field

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from sim.games.wildstyle import events, state
from sim.games.wildstyle.logbook import Acted, GameOver, Removed, RoundBegins, Scored, Solo
from sim.games.wildstyle.recount import check_rows
from sim.games.wildstyle.tiles import KINDS
from sim.players import Style

from ..running import uncompiled
from .moments import moments
from .table import (
    COMPONENTS,
    FEATURES,
    GAME,
    RULINGS,
    changed,
    log_of,
    named,
    setup,
)

GAMES = 2
MARGIN = 2
"""Games before and after those to be played, whose rows must stay as they were."""
PATTERN = 0xA5
PARTS = [column.name for column in GAME.seat_columns if column.score_part]
SIDES = list(COMPONENTS["objectives"]["sides"])
LETTERS = "RHSDIPC"
ROWS = {3: (4, 5, 6, 7, 6, 5, 4), 2: (3, 4, 5, 4, 3)}


@dataclass(frozen=True)
class Cell:
    """A setup and the luck of some games."""

    setup: state.Setup = field(repr=False)
    seed: int
    first: int


# Cells of every kind


def face(luck, radius):
    """Return a drawing of a face with one station and any other icons."""
    cells = sum(ROWS[radius])
    few = luck.choice(list(LETTERS), luck.integers(1, len(LETTERS) + 1), replace=False)
    letters = luck.choice(few, cells)
    letters[luck.integers(cells)] = "T"
    left = list(letters)
    return "\n".join("".join(left.pop() for _ in range(row)) for row in ROWS[radius])


def numbered_side(luck, side):
    """Return a side with other points and another number of its kind."""
    number = KINDS[side["kind"]]
    made = side | {"points": int(luck.choice([0, 1, 3, 9, 100]))}
    if number:
        name, least, most = number
        made[name] = int(min(most, least + luck.integers(0, 5)))
    return made


def cards(luck, needed):
    """Return copies by icon and colour, as many as are needed at least."""
    counts = luck.integers(0, luck.choice([2, 3, 4]), (8, 5))
    counts[luck.random(8) < 0.3] = 0
    while counts.sum() < needed:
        counts[luck.integers(8), luck.integers(5)] += 1
    return {icon: row.tolist() for icon, row in zip(events.ICONS, counts, strict=True)}


SECONDS = some.sampled_from([0.0, 0.0000004, 0.5, 1.0, 2.5])
NUMBERS = some.fixed_dictionaries(
    {
        "cop_cars": some.sampled_from([0, 1, 3, 28, 200]),
        "hand_size": some.integers(1, 5),
        "set_size": some.integers(2, 5),
    }
)
TAGS = some.sampled_from([(1, 1), (1, 10), (10, 1), (2, 2), (6, 3), (3, 4), (4, 2), (9, 2)])
PILES = some.fixed_dictionaries(
    {"share": some.integers(1, 5), "draw": some.integers(1, 5), "unused": some.integers(0, 5)}
)
CLOCK = some.fixed_dictionaries(
    {"thinking": SECONDS, "reaction": SECONDS, "sigma": some.sampled_from([0.0, 0.25, 2.0])}
)
SHOW = some.sampled_from(["A", "B", "AB", "AAB", "BBB", "AABB"])


@some.composite
def components(draw, players: int, radius: int) -> dict:
    luck = np.random.default_rng(draw(some.integers(0, 10_000)))
    made = COMPONENTS
    numbers, piles, clock = draw(NUMBERS), draw(PILES), draw(CLOCK)
    numbers["tags_each_round"], numbers["rounds"] = draw(TAGS)
    for name, value in numbers.items():
        made = changed(f"numbers.{name}", value, made)
    for name, value in clock.items():
        made = changed(f"clock.{name}", value, made)
    for act in events.ACTS[: events.WAIT]:
        made = changed(f"clock.handling.{act}", draw(SECONDS), made)
    made = changed(f"piles.players_{players}", piles, made)
    needed = players * numbers["hand_size"] + piles["draw"] + piles["unused"]
    made = changed("decks.d1.cards", cards(luck, needed), made)
    if draw(some.booleans()):
        faces = [face(luck, radius) for _ in range(2 * players)]
        made = changed(f"boards.radius_{radius}.faces", faces, made)
    for name in SIDES:
        side = numbered_side(luck, COMPONENTS["objectives"]["sides"][name])
        made = changed(f"objectives.sides.{name}", side, made)
    for icon in events.ICONS:
        made = changed(f"icons.{icon}.points", int(luck.integers(0, 8)), made)
    return changed("objectives.show", draw(SHOW), made)


RULED = {
    "board_radius": some.sampled_from([3, 2]),
    "station_snake": some.sampled_from(["each_cluster", "best_cluster"]),
    "final_phase_rush": some.booleans(),
    "tag_removal": some.sampled_from(["best", "cheapest"]),
    "family_mode": some.booleans(),
    "round_cap_s": some.sampled_from([1, 20, 60, 2000, 2000, 2000]),
    "tiles": some.sampled_from(["random", "even"]),
}
RULES = some.fixed_dictionaries(RULED)
WEIGHTS = some.one_of(
    some.just({}),
    some.dictionaries(
        some.sampled_from(FEATURES),
        some.one_of(some.floats(-5, 5), some.sampled_from([-1e9, 1e9, 1e-300])),
        min_size=1,
        max_size=8,
    ),
    some.sampled_from([style.weights for style in GAME.styles().values()]),
)


@some.composite
def styles(draw, players: int) -> list[Style]:
    return [
        Style(
            name=f"style_{place}",
            weights=draw(WEIGHTS),
            temperature=draw(some.sampled_from([0.0, 0.0, 1e-300, 0.5, 3.0, 1e9])),
            tempo=draw(some.sampled_from([1.0, 1.0, 0.01, 0.7, 1.5, 30.0])),
            forbid=draw(some.lists(some.sampled_from(GAME.actions), max_size=4, unique=True)),
        )
        for place in range(players)
    ]


@some.composite
def cells(draw) -> Cell:
    players = draw(some.integers(2, 5))
    rulings = draw(RULES)
    made = draw(components(players, rulings["board_radius"]))
    return Cell(
        setup(
            players,
            styles=draw(styles(players)),
            rotate=draw(some.booleans()),
            sample=draw(some.sampled_from([0.0, 0.5, 1.0])),
            components=made,
            **rulings,
        ),
        seed=draw(some.integers(0, 2**64 - 1)),
        first=draw(some.one_of(some.integers(0, 50), some.just(2**32 - GAMES - 2 * MARGIN))),
    )


# What must hold of the table as the referee sees it


AT_THE_END = (Removed, Solo, Scored, GameOver)


def check_replay(replay) -> None:
    """Follow cards, tags and cop cars from state to state."""
    rules = replay.events[0].rules
    gone, before = Counter(), None
    for event, lies in zip(replay.events, replay.states, strict=True):
        if isinstance(event, RoundBegins):
            gone, deal = Counter(), event
        if lies.round and not isinstance(event, AT_THE_END):
            if isinstance(event, Acted) and event.deed.act in ("complete", "rush"):
                gone.update(before.mats[event.seat][event.deed.space])
            assert +(on_the_table(deal, lies) + gone) == +Counter(rules.deck)
            all_tags = [
                len(own) + left + supply
                for own, left, supply in zip(lies.tags, lies.tags_left, lies.supply, strict=True)
            ]
            assert set(all_tags) == {rules.tags_each_round * rules.rounds}
            assert min(*lies.tags_left, *lies.supply) >= 0
            assert lies.cars_left + sum(lies.cars) == rules.cop_cars
            assert lies.cars_left >= 0
            check_map(replay.events[0].city, lies)
            check_mats(rules, lies)
        before = lies


def on_the_table(deal, lies) -> Counter:
    """Count the cards in hands, sets, share and draw piles, and those set aside."""
    found = Counter(deal.set_aside)
    for pile, left in zip(deal.draw_piles, lies.draw_piles, strict=True):
        found.update(pile[:left])
    for some_cards in (*lies.hands, *lies.share_piles, *(s for mat in lies.mats for s in mat)):
        found.update(some_cards)
    return found


def check_map(city, lies) -> None:
    """A hex holds one tag; a station one of each player."""
    others = [hex_ for own in lies.tags for hex_ in own if city.icons[hex_] != events.STATION]
    assert len(set(others)) == len(others)
    assert all(len(set(own)) == len(own) for own in lies.tags)


def check_mats(rules, lies) -> None:
    """Hands and sets are no larger than allowed, and sets are of one icon."""
    assert max(map(len, lies.hands)) <= rules.hand_size
    for mat in lies.mats:
        for cards_there in mat:
            assert len(cards_there) <= rules.set_size
            assert len({card // events.COLOURS for card in cards_there}) <= 1


# What must hold of the compiled game's own state


def check_state(s) -> None:
    """Compare what the game keeps count of with what lies."""
    players, hexes = int(s["players"]), int(s["hexes"])
    seen = Counter()
    for pile in range(s["draw_piles"]):
        seen.update((s["cards"][s["bottom"][pile] : s["top"][pile]] // events.COLOURS).tolist())
    draws = sum(seen.values())
    aside = int(s["deck_size"] - players * s["hand_size"])
    seen.update((s["cards"][s["drawable"] : aside] // events.COLOURS).tolist())
    for seat in range(players):
        seen.update((s["hand"][seat, : s["hand_n"][seat]] // events.COLOURS).tolist())
    copies = s["copies"].sum(axis=1).tolist()
    assert s["shown"].tolist() == [copies[icon] - seen[icon] for icon in range(8)]
    for pile in range(s["share_piles"]):
        seen.update((s["share"][pile, : s["share_n"][pile]] // events.COLOURS).tolist())
    for seat in range(players):
        for icon, n in zip(s["set_icon"][seat].tolist(), s["set_n"][seat].tolist(), strict=True):
            seen[icon] += n
            assert (icon == -1) == (n == 0)
    del seen[-1]
    left = [copies[icon] - seen[icon] for icon in range(8)]
    assert min(left) >= 0
    assert sum(left) == s["discarded"]
    assert s["to_draw"] == draws
    assert s["cars_left"] + s["cars"][:players].sum() == s["car_stock"]
    tags = s["mat"][:players] + s["tags"][:players]
    assert set(tags.tolist()) == {int(s["round"] * s["tags_each_round"])}
    check_hexes(s, players, hexes)


def check_hexes(s, players: int, hexes: int) -> None:
    icons = s["icon"][:hexes]
    everywhere = Counter()
    for seat in range(players):
        own = s["tag_hex"][seat, : s["tags"][seat]].tolist()
        assert bits_of(s["own"][seat]) == set(own)
        everywhere.update(hex_ for hex_ in own if icons[hex_] != events.STATION)
        assert s["icon_tags"][seat].tolist() == [
            sum(icons[hex_] == icon for hex_ in own) for icon in range(8)
        ]
        assert s["district_tags"][seat, :players].tolist() == [
            sum(s["district"][hex_] == district for hex_ in own) for district in range(players)
        ]
        sizes = s["cluster_size"][seat, : s["clusters"][seat]]
        assert sizes.sum() == len(own)
    assert bits_of(s["taken"]) == set(everywhere)
    for icon in set(range(8)) - {events.STATION}:
        taken = sum(icons[hex_] == icon for hex_ in everywhere)
        assert s["free"][icon] == (icons == icon).sum() - taken


def bits_of(words) -> set[int]:
    """Return the numbers in a set of words."""
    pairs = [(64 * i + bit, word >> bit & 1) for i, word in enumerate(words.tolist())
             for bit in range(64)]  # fmt: skip
    return {number for number, there in pairs if there}


# Checking a cell


def guarded_tables(cell: Cell) -> dict[str, np.ndarray]:
    """Play a cell's games into the middle of larger tables; return the rows after checking."""
    made = cell.setup
    all_games = GAMES + 2 * MARGIN
    tables = GAME.tables_for(made, all_games, cell.first)
    whole = [name for name in tables if name not in GAME.sampled_tables]
    each = {name: len(tables[name]) // all_games for name in whole}
    for table in tables.values():
        table.view(np.uint8)[:] = PATTERN
    GAME.play(made, cell.seed, cell.first + MARGIN, GAMES, tables, MARGIN)
    found = {}
    for name, rows in each.items():
        inside = slice(MARGIN * rows, (MARGIN + GAMES) * rows)
        for outside in (tables[name][: inside.start], tables[name][inside.stop :]):
            assert (outside.view(np.uint8) == PATTERN).all(), f"{name}: written outside"
        found[name] = tables[name][inside]
    return found | {name: tables[name] for name in GAME.sampled_tables}


def check_cell(cell: Cell) -> None:
    """Play, follow, referee and count again every game of a cell."""
    made, labels = cell.setup, GAME.labels(cell.setup)
    tables = guarded_tables(cell)
    written = {name: tables.pop(name) for name in GAME.sampled_tables}
    for index in range(GAMES):
        game = cell.first + MARGIN + index
        own: list = []
        for moment in moments(made, game, cell.seed, own):
            check_state(moment.state[0])
        log = log_of(made, game, cell.seed)
        assert np.array_equal(own[0], log)
        replay = GAME.replay(made, log)
        check_replay(replay)
        rows = {
            name: [named(r, labels) for r in np.split(table, GAMES)[index]]
            for name, table in tables.items()
        }
        (row,) = rows["games"]
        sampled = []
        for table in written.values():
            mine = table[table["game"] == game]
            sampled.append([named(r, labels) for r in mine] if len(mine) else None)
        check_rows(replay, row, rows["seats"], rows["objectives"], rows["rounds"], *sampled)
        check_scores(row, rows["seats"])


def check_scores(row: dict, seats: list[dict]) -> None:
    """Check what must hold in a game's rows, whatever the rules."""
    for found in seats:
        assert found["score"] == sum(found[part] for part in PARTS)
        assert (
            found["tags"] == found["placed"] - found["lost_to_cars"] - found["lost_solo"]
            or (row["truncated"])
        )
        assert found["lost_to_cars"] == (
            0 if row["truncated"] else min(found["cop_cars"], found["placed"])
        )
    assert row["truncated"] == (row["end_reason"] == "time_cap")
    if not row["truncated"]:
        assert sum(found["win_share"] for found in seats) == pytest.approx(1, abs=1e-12)
        best = max((found["score"], -found["cop_cars"]) for found in seats)
        winners = [f for f in seats if (f["score"], -f["cop_cars"]) == best]
        assert all(found["win_share"] == 1 / len(winners) for found in winners)


# The tests


@settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(cells())
def test_nothing_is_lost(cell):
    check_cell(cell)


@pytest.mark.slow
@settings(max_examples=2000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(cells())
def test_nothing_is_lost_in_many_more(cell):
    check_cell(cell)


@pytest.mark.parametrize("players", range(2, 6))
def test_nothing_is_lost_as_shipped(players):
    """Every shipped style sits at the table once."""
    names = list(GAME.styles())
    for first in range(0, len(names), players):
        line_up = [GAME.styles()[names[(first + i) % len(names)]] for i in range(players)]
        check_cell(Cell(setup(players, styles=line_up, sample=1.0), seed=7, first=0))


@uncompiled
@pytest.mark.parametrize("players", [2, 5] if numba.config.DISABLE_JIT else range(2, 6))
def test_the_smallest_games(players):
    """One round, one tag, hands of one card, sets of two, a pile of each sort."""
    made = changed("numbers.rounds", 1, changed("numbers.tags_each_round", 1))
    made = changed("numbers.hand_size", 1, changed("numbers.set_size", 2, made))
    made = changed(f"piles.players_{players}", {"share": 1, "draw": 1, "unused": 0}, made)
    deck = dict.fromkeys(events.ICONS, 0) | {"station": 5, "police": 5}
    made = changed("decks.d1.cards", deck, made)
    check_cell(Cell(setup(players, components=made, board_radius=2), seed=3, first=0))


@pytest.mark.parametrize("board_radius", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_largest_games(board_radius):
    """As many cards, tags, hexes of an icon and cards in a hand and in a set as are allowed."""
    made = changed("numbers.rounds", 3, changed("numbers.tags_each_round", 10))
    made = changed("numbers.hand_size", 5, changed("numbers.set_size", 2, made))
    made = changed("piles.players_5", {"share": 5, "draw": 5, "unused": 0}, made)
    rails = "\n".join("R" * row for row in ROWS[board_radius]).replace("R", "T", 1)
    made = changed(f"boards.radius_{board_radius}.faces", [rails] * 10, made)
    deck = dict.fromkeys(events.ICONS, 0) | {"railway": 80, "station": 80}
    made = changed("decks.d1.cards", deck, made)
    cell = setup(5, components=made, board_radius=board_radius, sample=1.0)
    assert cell.record[0]["deck_size"] == 160
    check_cell(Cell(cell, seed=5, first=0))


def test_no_seat_has_more_acts_than_there_is_room_for():
    """Two sets of an icon that is on every hex but the stations', full hands, all piles."""
    acts = 5 + 5 * (2 + 5) + 5 * 2 + 2 * (5 * 36 + 1) + 2
    assert acts <= state.MAX_ACTS


def test_every_ruling_is_drawn():
    assert set(RULINGS) - {"deck"} == set(RULED)
