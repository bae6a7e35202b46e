"""Nothing is lost and nothing is made: games of every kind that the component file allows."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from sim.errors import SimError
from sim.games.street_art import components as parts
from sim.games.street_art import events
from sim.games.street_art.referee import card_counts, check_rows
from sim.players import Style

from ..running import uncompiled
from .ledger import Ledger
from .table import (
    GAME,
    RULINGS,
    Action,
    Table,
    changed,
    deck,
    log_of,
    played,
    seat,
    setup,
)

GAMES = 3
MARGIN = 2
"""Rows before and after those to be filled, which must stay as they were."""
PATTERN = 0xA5
PARTS = [column.name for column in GAME.seat_columns if column.score_part]
FEATURES = [feature.name for feature in GAME.features]


@dataclass(frozen=True)
class Cell:
    """A setup and the luck of some games."""

    setup: parts.Setup
    seed: int
    first: int


# Cells of every kind


def with_enough_cards(components: dict, players: int) -> dict:
    """Return the components with so many copies that a draw pile is left after the deal."""
    numbers, specials = components["numbers"], components["specials"]["copies"]
    stars = components["stars"]["cards"]
    missing = players * numbers["hand_size"] + 1 - sum(specials.values())
    missing -= sum(star["copies"] for star in stars.values())
    for card in [*stars.values(), specials]:
        key = "brass_band" if card is specials else "copies"
        more = max(0, min(60 - card[key], missing))
        card[key] += more
        missing -= more
    return components


@some.composite
def components(draw, players: int) -> dict:
    copies = some.one_of(some.integers(0, 3), some.integers(0, 12))
    hearts = some.one_of(some.integers(1, 5), some.sampled_from([1, 40, 1000]))
    stars = {
        f"star_{number}": {
            "title": f"Star {number}",
            "copies": draw(copies),
            "hearts": draw(hearts),
        }
        for number in range(draw(some.integers(1, parts.MAX_KINDS - 4)))
    }
    made = changed("stars.cards", stars)
    specials = {name: draw(copies) for name in events.SPECIALS}
    made = changed("specials.copies", specials, made)
    for name, values in (
        ("hand_size", some.integers(1, parts.MAX_HAND)),
        ("fireworks_hearts", some.integers(0, 5)),
        ("brass_band_hearts", some.integers(0, 5)),
    ):
        made = changed(f"numbers.{name}", draw(values), made)
    return with_enough_cards(made, players)


RULES = some.fixed_dictionaries(
    {
        "hearts": some.one_of(some.integers(1, 60), some.sampled_from([36, 48, 10_000])),
        "steal_shortfall": some.sampled_from(["none", "from_middle"]),
        "brass_band": some.sampled_from(["instead", "in_addition"]),
        "reshuffle": some.sampled_from(["all_piles", "keep_tops"]),
        "game_end": some.sampled_from(["immediate", "finish_round"]),
        "turn_cap": some.sampled_from([1, 7, 40, 120]),
    }
)
WEIGHTS = some.dictionaries(
    some.sampled_from(FEATURES),
    some.one_of(some.floats(-5, 5), some.sampled_from([-1e9, 1e9, 1e-300])),
    max_size=5,
)
TEMPERATURES = some.sampled_from([0.0, 0.0, 1e-300, 0.5, 3.0, 1e9])


@some.composite
def cells(draw) -> Cell:
    players = draw(some.integers(2, 6))
    made = draw(components(players))
    kinds = parts.kind_names(parts.Components(**made))
    styles = [
        Style(
            name=f"style_{place}",
            weights=draw(WEIGHTS),
            temperature=draw(TEMPERATURES),
            forbid=draw(some.lists(some.sampled_from(kinds), max_size=3, unique=True)),
        )
        for place in range(players)
    ]
    rulings, rotate = draw(RULES), draw(some.booleans())
    return Cell(
        setup(players, styles=styles, rotate=rotate, components=made, **rulings),
        seed=draw(some.integers(0, 2**64 - 1)),
        first=draw(some.one_of(some.integers(0, 50), some.just(2**32 - GAMES))),
    )


# What must hold


def guarded_tables(cell: Cell) -> dict[str, np.ndarray]:
    """Play a cell's games into the middle of larger tables; return the rows after checking."""
    players = cell.setup.players
    tables = GAME.tables_for(cell.setup, GAMES + 2 * MARGIN)
    length = len(tables["cards"])
    spare = np.zeros(MARGIN * 16, tables["cards"].dtype)
    tables["cards"] = np.concatenate([tables["cards"], spare])
    for table in (tables["games"], tables["seats"], tables["cards"][length:]):
        table.view(np.uint8)[:] = PATTERN
    GAME.play(cell.setup, cell.seed, cell.first, GAMES, tables, MARGIN)
    inside = {
        "games": slice(MARGIN, MARGIN + GAMES),
        "seats": slice(MARGIN * players, (MARGIN + GAMES) * players),
        "cards": slice(0, length),
    }
    for name, part in inside.items():
        for outside in (tables[name][: part.start], tables[name][part.stop :]):
            assert (outside.view(np.uint8) == PATTERN).all(), f"{name}: written outside"
    return {name: tables[name][part] for name, part in inside.items()}


def named(record, labels: dict[str, tuple[str, ...]]) -> dict:
    """Return a row by column name, with labels for codes."""
    row = dict(zip(record.dtype.names, record.tolist(), strict=True))
    return row | {name: labels[name][row[name]] for name in labels if name in row}


def check_cell(cell: Cell) -> None:
    """Play, follow, referee and count again every game of a cell."""
    made, players = cell.setup, cell.setup.players
    tables = guarded_tables(cell)
    labels = GAME.labels(made)
    counted = defaultdict(Counter)
    for number in range(GAMES):
        game = cell.first + number
        log = log_of(made, game, cell.seed)
        Ledger(made).follow(log)
        replay = GAME.replay(made, log)
        row = named(tables["games"][number], labels)
        mine = tables["seats"][number * players : (number + 1) * players]
        seats = [named(record, labels) for record in mine]
        check_rows(replay, row, seats)
        check_game(made, row, seats, game)
        if not row["truncated"]:
            for found in seats:
                count_cards(counted, found, replay, made.kinds)
    check_cards(tables["cards"], counted, labels)


def check_game(made: parts.Setup, row: dict, seats: list[dict], game: int) -> None:
    """Check what must hold in a game's rows, whatever the rules."""
    s = made.record[0]
    assert row["game"] == game
    assert [found["game"] for found in seats] == [game] * made.players
    shift = game % made.players if s["rotate"] else 0
    assert [found["style"] for found in seats] == [
        (place + shift) % made.players for place in range(made.players)
    ]
    assert 1 <= row["turns"] <= s["turn_cap"]
    assert row["truncated"] == (row["end_reason"] == "turn_cap")
    assert row["turns"] == s["turn_cap"] or not row["truncated"]
    assert row["decisions"] <= row["turns"]
    for found in seats:
        assert found["score"] == sum(found[part] for part in PARTS)
    scores = [found["score"] for found in seats]
    inside = sum(found["from_middle"] for found in seats)
    assert sum(scores) + row["box_hearts"] == inside
    if not row["truncated"]:
        assert inside == s["hearts_at_start"]
        assert sum(found["win_share"] for found in seats) == pytest.approx(1, abs=1e-12)
        winners = [found for found in seats if found["score"] == max(scores)]
        assert {found["win_share"] for found in winners} == {1 / len(winners)}


def count_cards(counted, found: dict, replay, kinds) -> None:
    """Add a seat's cards of one game, counted from the replay."""
    share = found["win_share"]
    all_counts = card_counts(replay)
    for kind in kinds:
        count, total = all_counts[found["seat"], kind], counted[found["seat"], found["style"], kind]
        total.update(games=1, held=count.held, played=count.played, hearts=count.hearts, wins=share)
        if count.held:
            total.update(games_held=1, wins_held=share, wins_held_sq=share**2)
        if count.played:
            total.update(games_played=1, wins_played=share, wins_played_sq=share**2)
            total.update(played_by_winners=count.played if share else 0)


def check_cards(cards: np.ndarray, counted, labels) -> None:
    """Compare the cards table with the counts."""
    keys = ("seat", "style", "card")
    seen = set()
    for record in cards:
        row = named(record, labels)
        key = tuple(row[name] for name in keys)
        seen.add(key)
        for name in row.keys() - set(keys):
            assert row[name] == pytest.approx(counted[key][name], abs=1e-12), (key, name)
    assert len(seen) == len(cards)
    assert set(counted) <= seen


# The tests


@uncompiled
@settings(
    max_examples=15 if numba.config.DISABLE_JIT else 200,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(cells())
def test_nothing_is_lost(cell):
    check_cell(cell)


@pytest.mark.slow
@settings(max_examples=3000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(cells())
def test_nothing_is_lost_in_many_more(cell):
    check_cell(cell)


@uncompiled
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", GAME.styles())
def test_nothing_is_lost_as_shipped(players, name):
    check_cell(Cell(setup(players, styles=[GAME.styles()[name]]), seed=7, first=0))


@uncompiled
@pytest.mark.parametrize("reshuffle", ["all_piles", "keep_tops"])
@pytest.mark.parametrize("brass_band", ["instead", "in_addition"])
@pytest.mark.parametrize(("players", "hand_size"), [(2, 1), (2, 10), (6, 10), (6, 1)])
def test_tiny_decks(players, hand_size, reshuffle, brass_band):
    cards = dict.fromkeys(["beatboxer", "brass_band", "fireworks", "rain", "juggler"], 0)
    for number in range(players * hand_size + 1):
        cards[list(cards)[number % 5]] += 1
    made = setup(
        players, components=deck(hand_size, **cards), reshuffle=reshuffle, brass_band=brass_band,
        turn_cap=100,
    )  # fmt: skip
    check_cell(Cell(made, seed=3, first=0))


def largest_deck() -> dict:
    """Return components with as many cards as a deck may have, in as many kinds."""
    stars = {
        f"star_{number}": {"title": "Star", "copies": 14, "hearts": 3}
        for number in range(parts.MAX_KINDS - 4)
    }
    stars["star_0"]["copies"] += parts.MAX_DECK - 14 * 12 - 4 * 15
    made = changed("stars.cards", stars)
    return changed("specials.copies", dict.fromkeys(events.SPECIALS, 15), made)


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("reshuffle", ["all_piles", "keep_tops"])
def test_the_largest_deck(players, reshuffle):
    made = setup(
        players,
        components=changed("numbers.hand_size", parts.MAX_HAND, largest_deck()),
        reshuffle=reshuffle,
        hearts=500,
        turn_cap=300,
    )
    assert made.record[0]["copies"].sum() == parts.MAX_DECK
    check_cell(Cell(made, seed=5, first=0))
    assert played(made, 20)["games"]["turns"].max() > 60


def test_a_larger_deck_is_refused():
    more = changed("specials.copies.rain", 16, largest_deck())
    with pytest.raises(SimError, match=r"257 cards are too many; at most 256"):
        GAME.check(more, RULINGS, 4)


@uncompiled
def test_no_hand_has_more_actions_than_there_is_room_for():
    """Search all hands of a full hand's size: Brass Bands, Fireworks and other kinds."""
    stars = {
        f"star_{number}": {"title": "Star", "copies": 3, "hearts": 3}
        for number in range(parts.MAX_KINDS - 4)
    }
    made = changed("numbers.hand_size", parts.MAX_HAND, changed("stars.cards", stars))
    others = ["rain", "beatboxer", *stars]
    found = {}
    for bands in range(parts.MAX_HAND + 1):
        for fireworks in (0, 1):
            kinds = parts.MAX_HAND - bands - fireworks
            if kinds < 0:
                continue
            hand = ["brass_band"] * bands + ["fireworks"] * fireworks + others[:kinds]
            rivals = [seat(hearts=1) for _ in range(parts.MAX_PLAYERS - 1)]
            table = Table(seat(" ".join(hand)), *rivals, components=made, brass_band="in_addition")
            actions = table.actions()
            assert len(set(actions)) == len(actions)
            found[bands, fireworks] = len(actions)
    assert max(found.values()) == found[7, 1] == 63 <= parts.MAX_ACTIONS
    assert Action("fireworks", 7, 5) in table_of_most_actions().actions()


def table_of_most_actions() -> Table:
    rivals = [seat(hearts=1) for _ in range(5)]
    return Table(
        seat("7*brass_band fireworks rain beatboxer"), *rivals, brass_band="in_addition",
        components=changed("numbers.hand_size", 10, changed("specials.copies.rain", 9)),
    )  # fmt: skip


@uncompiled
def test_weighing_the_most_actions_touches_nothing_else():
    table = table_of_most_actions()
    before = table.state.copy()
    values = table.values({"hearts_from_middle": 1.0})
    assert len(values) == 63
    assert values[Action("beatboxer", 7)] == 8
    assert np.array_equal(before.view(np.uint8), table.state.view(np.uint8))
    chosen = table.choices(20_000 if not numba.config.DISABLE_JIT else 40)
    assert sum(chosen.values()) in (40, 20_000)
    assert numba.config.DISABLE_JIT or min(chosen.values()) > 200
