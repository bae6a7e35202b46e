"""City Map Setup, Player Setup, Share & Draw Pile Setup: what is dealt, and how evenly."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats

from sim.games.wildstyle import events, hexmap
from sim.games.wildstyle.components import Components

from ..running import uncompiled
from .table import (
    COMPONENTS,
    GAME,
    Table,
    changed,
    log_of,
    numbers,
    played,
    seat,
    setup,
)
from .words import of, rows_of

PLAYERS = range(2, 6)
SURE = 1e-6
"""Chance that a check of luck fails although the luck is fair."""
PILES = {2: (4, 2, 2), 3: (4, 2, 1), 4: (3, 3, 1), 5: (3, 3, 0)}
"""Share, draw and unused piles by number of players."""


def logs(made, games, seed=1):
    """Return the logs of some games by rows; the players' quick, since only the deal matters."""
    return [rows_of(log_of(made, game, seed)) for game in range(games)]


def short(players, **how):
    """A cell whose games are cut off after a second: only the set-up of a round is played."""
    return setup(players, round_cap_s=1, **how)


def evenly(counts, options):
    """Tell whether each option came up about as often as any other."""
    found = [counts[option] for option in options]
    assert sum(found) == sum(counts.values())
    return stats.chisquare(found).pvalue > SURE


# Piles


@pytest.mark.parametrize("players", PLAYERS)
def test_piles_by_number_of_players(players):
    share, draw, unused = PILES[players]
    made = setup(players)
    assert made.record[0]["share_piles"] == share
    sizes = Counter()
    for rows in logs(short(players), 40):
        assert [row.seat for row in of(rows, "DEAL")] == sorted([*range(players)] * 3)
        piles = Counter(row.a for row in of(rows, "PILE"))
        aside = piles.pop(events.SET_ASIDE, 0)
        assert sorted(piles) == [*range(draw)]
        left = 115 - 3 * players
        small, longer = divmod(left, draw + unused)
        assert set(piles.values()) <= {small, small + 1}
        drawn_from = sum(size - small for size in piles.values())
        assert aside == small * unused + longer - drawn_from
        assert 0 <= longer - drawn_from <= unused
        sizes[tuple(piles[pile] for pile in range(draw))] += 1
    possible = Counter(
        longs for longs in product((0, 1), repeat=draw)
        if 0 <= (115 - 3 * players) % (draw + unused) - sum(longs) <= unused
    )  # fmt: skip
    assert len(sizes) <= len(possible)


@pytest.mark.parametrize(("players", "cards"), [(2, 120), (3, 117), (4, 115), (5, 118)])
def test_which_piles_are_longer_is_random(players, cards):
    _, draw, unused = PILES[players]
    copies = [cards // 8 // 5 * 5] * 8
    copies[0] += (cards - sum(copies)) // 5 * 5
    rest = cards - sum(copies)
    deck = dict(zip(events.ICONS, copies, strict=True))
    deck["station"] = [copies[1] // 5 + (colour < rest) for colour in range(5)]
    made = short(players, components=changed("decks.d1.cards", deck))
    assert made.record[0]["deck_size"] == cards
    piles = draw + unused
    small, longer = divmod(cards - 3 * players, piles)
    seen = Counter()
    for rows in logs(made, 400):
        sizes = Counter(row.a for row in of(rows, "PILE"))
        seen[tuple(sizes[pile] - small for pile in range(draw))] += 1
    ways = Counter()
    for longs in product((0, 1), repeat=piles):
        if sum(longs) == longer:
            ways[longs[:draw]] += 1
    total = sum(ways.values())
    assert set(seen) <= set(ways)
    if len(ways) > 1:
        found = [seen[way] for way in ways]
        due = [400 * ways[way] / total for way in ways]
        assert stats.chisquare(found, due).pvalue > SURE


@uncompiled
def test_reachable_cards_of_a_round():
    reachable = {}
    for players in PLAYERS:
        rows = rows_of(log_of(short(players), 1))
        piles = Counter(row.a for row in of(rows, "PILE"))
        reachable[players] = 3 * players + sum(n for pile, n in piles.items() if pile >= 0)
    assert [round(n) for n in reachable.values()] == pytest.approx([60, 80, 89, 115], abs=1)


# Cards


@pytest.mark.parametrize("deck", ["d1", "d2", "d3"])
def test_the_deck_is_the_one_named(deck):
    copies = Components(**COMPONENTS).decks[deck].copies()
    due = {card: int(n) for card, n in enumerate(copies.ravel()) if n}
    for rows in logs(short(3, deck=deck), 10):
        cards = [row.a for row in of(rows, "DEAL")] + [row.b for row in of(rows, "PILE")]
        assert Counter(cards) == due


def test_every_place_gets_every_card_alike():
    """First cards of hands, tops and bottoms of piles, the cards set aside."""
    made = short(4)
    tallies = [Counter() for _ in range(5)]
    for rows in logs(made, 1500):
        deal, piles = of(rows, "DEAL"), of(rows, "PILE")
        first = [row.b for row in piles if row.a == 0]
        aside = [row.b for row in piles if row.a == events.SET_ASIDE]
        for tally, card in zip(
            tallies, (deal[0].a, deal[-1].a, first[0], first[-1], aside[0]), strict=True
        ):
            tally[card // events.COLOURS] += 1
    due = np.array([25, 15, 15, 15, 15, 10, 10, 10]) * 1500 / 115
    for tally in tallies:
        assert stats.chisquare([tally[icon] for icon in range(8)], due).pvalue > SURE


def test_every_round_is_shuffled_anew():
    made = setup(2, components=numbers(rounds=3))
    for rows in logs(made, 5):
        rounds = [[]]
        for row in rows:
            if row.event == "ROUND":
                rounds.append([])
            if row.event in ("DEAL", "PILE"):
                rounds[-1].append(row.a if row.event == "DEAL" else row.b)
        assert len(rounds) == 4
        assert all(sorted(one) == sorted(two) for one, two in pairwise(rounds[1:]))
        assert len({tuple(one) for one in rounds[1:]}) == 3


# Tiles


def sets_dealt(made, games):
    """Return the sides that show in each game."""
    shown = [
        tuple(made.sides[row.b] for row in of(rows_of(log_of(made, game)), "TILE"))
        for game in range(games)
    ]
    codes = played(made, games)["games"]["tile_set"]
    assert shown == [made.sets[code] for code in codes]
    return shown


def test_the_sets_of_tiles():
    """The first two tiles show A, the third B: 15 x 4 sets, each of three tiles."""
    made = setup(2)
    tile_of = {side: n for n, tile in enumerate(COMPONENTS["objectives"]["tiles"]) for side in tile}
    fronts = {tile[0] for tile in COMPONENTS["objectives"]["tiles"]}
    assert len(made.sets) == len(set(map(frozenset, made.sets))) == 60
    for sides in made.sets:
        assert len({tile_of[side] for side in sides}) == 3
        assert [side in fronts for side in sides] == [True, True, False]


@pytest.mark.parametrize("players", [2, 5])
def test_random_tiles_are_even_in_the_long_run(players):
    made = short(players)
    assert evenly(Counter(sets_dealt(made, 3000)), made.sets)


@pytest.mark.parametrize("rotate", [False, True])
def test_even_tiles_come_in_turn(rotate):
    made = short(3, tiles="even", rotate=rotate)
    each = 3 if rotate else 1
    found = sets_dealt(made, 130 * each)
    assert found == [made.sets[game // each % 60] for game in range(130 * each)]


def test_tiles_that_are_named():
    sides = ["tricorners", "zone_control", "station_snake"]
    assert set(sets_dealt(short(2, tiles=sides), 20)) == {tuple(sides)}


def test_family_mode_deals_one_front_and_never_rail_supreme():
    made = short(3, family_mode=True)
    fronts = [tile[0] for tile in COMPONENTS["objectives"]["tiles"]]
    assert made.sets == tuple((side,) for side in fronts if side != "rail_supreme")
    assert evenly(Counter(sets_dealt(made, 600)), made.sets)


@pytest.mark.parametrize(("show", "sets"), [("A", 6), ("BB", 15), ("AB", 30), ("AABB", 90)])
def test_other_numbers_of_tiles(show, sets):
    made = short(2, components=changed("objectives.show", show))
    assert len(made.sets) == sets
    assert set(sets_dealt(made, 20)) <= set(made.sets)


# Boards


def boards_of(rows):
    """Return (face, turns) by position."""
    return [(row.b, row.c) for row in of(rows, "DISTRICT")]


@pytest.mark.parametrize("radius", [3, 2])
@pytest.mark.parametrize("players", PLAYERS)
def test_boards_are_all_different_and_lie_station_inwards(players, radius):
    made = short(players, board_radius=radius)
    city = hexmap.city_map(players, radius)
    middle = np.array(hexmap.centres(players, radius)).mean(axis=0)

    def away(cell):
        q, r = np.array(cell) - middle
        return q * q + q * r + r * r

    faces = Components(**COMPONENTS).boards.faces(radius)
    cells = hexmap.district_cells(radius)
    seen = [Counter() for _ in range(players)]
    for rows in logs(made, 60):
        laid = boards_of(rows)
        assert len({face // 2 for face, _ in laid}) == players
        for position, (face, turn) in enumerate(laid):
            q, r = cells[faces[face].index("station")]
            centre = np.array(hexmap.centres(players, radius)[position])
            reach = [away(centre + hexmap.turned((q, r), k)) for k in range(6)]
            assert reach[turn] == pytest.approx(min(reach))
            ties = sum(np.isclose(reach, min(reach)))
            seen[position][face, ties, turn] += 1
    assert len(city.cells) == players * len(cells)


@pytest.mark.parametrize("radius", [3, 2])
def test_what_lies_where_is_what_the_faces_show(radius):
    """The rules' map is the face turned, hex by hex."""
    faces = Components(**COMPONENTS).boards.faces(radius)
    for players in PLAYERS:
        for seed in range(1, 6):
            table = Table(*[seat()] * players, seed=seed, board_radius=radius)
            log = rows_of(log_of(setup(players, board_radius=radius), 0, seed))
            due = []
            for face, turn in boards_of(log):
                due += hexmap.turned_face(
                    [events.ICONS.index(n) for n in faces[face]], turn, radius
                )
            assert table.icons == due


@pytest.mark.slow
@pytest.mark.parametrize("radius", [3, 2])
@pytest.mark.parametrize("players", PLAYERS)
def test_every_face_lies_everywhere_alike(players, radius):
    """Faces at each position, pairs of boards beside each other."""
    made = short(players, board_radius=radius)
    faces = [Counter() for _ in range(players)]
    pairs = Counter()
    for rows in logs(made, 20_000):
        laid = boards_of(rows)
        for position, (face, _) in enumerate(laid):
            faces[position][face] += 1
        pairs[laid[0][0] // 2, laid[1][0] // 2] += 1
    for position in range(players):
        assert evenly(faces[position], range(10))
    assert evenly(pairs, [(a, b) for a in range(5) for b in range(5) if a != b])


def test_turns_that_bring_the_station_equally_near_are_equally_likely():
    """Shipped boards have one such turn each; a station in the middle may lie any way."""
    for radius in (3, 2):
        for players in PLAYERS:
            s = short(players, board_radius=radius).record[0]
            assert (s["turns_n"][:players, :10] == 1).all()
    plain = "HHH\nHHHH\nHHTHH\nHHHR\nHHS"
    made = short(3, components=changed("boards.radius_2.faces", [plain] * 10), board_radius=2)
    turns = Counter()
    for rows in logs(made, 2000):
        turns[tuple(turn for _, turn in boards_of(rows))] += 1
    assert evenly(turns, [*product(range(6), repeat=3)])


# Players


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_log_says_who_sits_where(players, rotate):
    made = short(players, rotate=rotate)
    for game in range(2 * players):
        rows = rows_of(log_of(made, game))
        shift = game % players if rotate else 0
        seated = [(row.seat, row.a) for row in rows[:players]]
        assert seated == [(p, (p + shift) % players) for p in range(players)]
        assert len(of(rows, "SEAT")) == players


@pytest.mark.parametrize("players", PLAYERS)
def test_rotations_share_a_deal(players):
    """The same boards, tiles, hands and piles in all games of a deal; the next deal has others."""
    made = short(players, rotate=True, styles=[GAME.styles()["greedy"]])
    alone = short(players, styles=[GAME.styles()["greedy"]])

    def deal(log):
        kept = np.isin(log[:, 0], [events.TILE, events.DISTRICT, events.DEAL, events.PILE])
        return log[kept].tolist()

    deals = [deal(log_of(made, game)) for game in range(3 * players)]
    for game in range(3 * players):
        assert deals[game] == deal(log_of(alone, game // players))
    assert len({str(one) for one in deals}) == 3


@pytest.mark.parametrize("tags", [1, 4, 9])
def test_tags_on_the_mat_each_round(tags):
    table = Table(seat(), seat(), components=numbers(tags_each_round=tags, rounds=3))
    table.s["mat"] = 0
    table.begin()
    assert table.mat == [tags, tags]
    table.begin()
    assert table.mat == [2 * tags, 2 * tags]
