"""The compiled game and the referee agree: every act of every game, and every column of tables."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from joblib import Parallel, delayed

from sim.games.game import RuleBroken
from sim.games.street_art import GAME
from sim.games.street_art.referee import card_counts, check_rows

PLAYER_COUNTS = list(GAME.player_counts)
SWITCHES = {
    "steal_shortfall": ("none", "from_middle"),
    "brass_band": ("instead", "in_addition"),
    "reshuffle": ("all_piles", "keep_tops"),
    "game_end": ("immediate", "finish_round"),
}
RULINGS = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
SEED = 20_240


def line_up(kind, players):
    """Random players, or a different style at each seat."""
    styles = GAME.styles()
    if kind == "random":
        return [styles["random"]] * players
    names = [name for name in styles if name != "random"]
    return [styles[names[(place + players) % len(names)]] for place in range(players)]


def cell(players, kind="styled", rotate=False, components=None, **rulings):
    return GAME.setup(
        GAME.default_components() | (components or {}),
        GAME.default_rulings() | rulings,
        line_up(kind, players),
        rotate,
        sample=1.0,
    )


def named(row, labels):
    """Return a record as a dict with names for codes."""
    values = {column: row[column].item() for column in row.dtype.names}
    for column, names in labels.items():
        if column in values:
            values[column] = names[values[column]]
    return values


TABLES = ("seats", "standings", "acts")


def agree(setup, games, first=0):
    """Play games, referee each, and count all their columns again."""
    players, labels = setup.players, GAME.labels(setup)
    rotate = bool(setup.record[0]["rotate"])
    tables = GAME.tables_for(setup, games)
    GAME.play(setup, SEED, first, games, tables, 0)
    cards = defaultdict(lambda: defaultdict(float))
    for index in range(games):
        game = first + index
        replay = GAME.replay(setup, GAME.log(setup, SEED, game))
        rows = []
        for name in TABLES:
            each = len(tables[name]) // games
            rows.append([named(row, labels) for row in tables[name][index * each :][:each]])
        assert all(row["game"] == game for some in rows for row in some)
        check_rows(replay, named(tables["games"][index], labels), *rows)
        add_cards(cards, replay, game % players if rotate else 0, players)
    found = {
        (row["seat"], row["style"], row["card"]): row
        for row in (named(row, labels) for row in tables["cards"])
    }
    assert sum(row["games"] for row in found.values()) == sum(
        row["games"] for row in cards.values()
    )
    for key, row in cards.items():
        for column, due in row.items():
            assert found[key][column] == pytest.approx(due, abs=1e-6), (key, column)


def add_cards(cards, replay, turned, players):
    """Add a game to the sums of the `cards` table."""
    over = replay.events[-1]
    if over.truncated:
        return
    winners = sum(score.rank == 1 for score in over.scores)
    for (seat, card), count in card_counts(replay).items():
        row = cards[seat, (seat + turned) % players, card]
        share = 1 / winners if over.scores[seat].rank == 1 else 0.0
        row["games"] += 1
        row["held"] += count.held
        row["played"] += count.played
        row["hearts"] += count.hearts
        row["wins"] += share
        row["played_by_winners"] += count.played if share else 0
        for what, copies in (("held", count.held), ("played", count.played)):
            row[f"games_{what}"] += copies > 0
            row[f"wins_{what}"] += share if copies else 0
            row[f"wins_{what}_sq"] += share**2 if copies else 0


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("kind", ["random", "styled"])
def test_agreement_by_default_rulings(players, kind):
    agree(cell(players, kind), games=300)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_under_every_ruling(players):
    for number, rulings in enumerate(RULINGS):
        kind = ("random", "styled")[(number + players) % 2]
        agree(cell(players, kind, hearts=(36, 48, 60)[number % 3], **rulings), games=20)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_when_line_ups_rotate(players):
    agree(cell(players, rotate=True), games=10 * players, first=3 * players)


@pytest.mark.parametrize("turn_cap", [1, 7, 20, 23])
def test_agreement_when_games_are_cut_off(turn_cap):
    for rulings in RULINGS[::3]:
        agree(cell(4, turn_cap=turn_cap, **rulings), games=30)


def deck(stars, copies=None, **numbers):
    """Return components with other cards and numbers; stars are (copies, hearts) by name."""
    shipped = GAME.default_components()
    shipped["stars"]["cards"] = {
        name: {"title": name.title(), "copies": count, "hearts": hearts}
        for name, (count, hearts) in stars.items()
    }
    shipped["specials"]["copies"] |= copies or {}
    shipped["numbers"] |= numbers
    return shipped


NO_SPECIALS = {"beatboxer": 0, "fireworks": 0, "brass_band": 0, "rain": 0}
STRANGE_DECKS = {
    "one star": deck({"mime": (24, 3)}, NO_SPECIALS),
    "one card in hand, one to draw": deck({"mime": (5, 3)}, NO_SPECIALS, hand_size=1),
    "short of cards": deck({"mime": (5, 1), "clown": (5, 2)}, NO_SPECIALS, hand_size=2),
    "hands of ten": deck({"mime": (30, 2), "clown": (10, 9)}, hand_size=10),
    "rain and rain again": deck({"mime": (10, 1)}, {"rain": 20, "beatboxer": 15}),
    "only Brass Bands": deck({"mime": (0, 1)}, NO_SPECIALS | {"brass_band": 40}),
    "free Brass Bands": deck({"mime": (9, 1)}, {"brass_band": 30}, brass_band_hearts=0),
    "dear Brass Bands": deck({"mime": (9, 1)}, {"brass_band": 30}, brass_band_hearts=7),
    "harmless Fireworks": deck({"mime": (9, 1)}, {"fireworks": 30}, fireworks_hearts=0),
    "great Fireworks": deck({"mime": (9, 1)}, {"fireworks": 30}, fireworks_hearts=9),
    "twelve stars": deck({f"star_{n}": (3, n) for n in range(1, 13)}),
}


@pytest.mark.parametrize("reshuffle", SWITCHES["reshuffle"])
@pytest.mark.parametrize("name", STRANGE_DECKS)
def test_agreement_with_strange_decks(name, reshuffle):
    rulings_of_deck = [rulings for rulings in RULINGS if rulings["reshuffle"] == reshuffle]
    for number, rulings in enumerate(rulings_of_deck):
        players = (4, 2, 3)[number % 3]
        setup = cell(players, "random", components=STRANGE_DECKS[name], turn_cap=80, **rulings)
        agree(setup, games=8)


def test_a_changed_log_or_table_is_noticed():
    setup = cell(3)
    log = GAME.log(setup, SEED, 0)
    log[-1, 3] += 1
    with pytest.raises(RuleBroken, match="end of the game, seat 2"):
        GAME.replay(setup, log)
    tables = GAME.tables_for(setup, 1)
    GAME.play(setup, SEED, 0, 1, tables, 0)
    labels = GAME.labels(setup)
    replay = GAME.replay(setup, GAME.log(setup, SEED, 0))
    seats = [named(row, labels) for row in tables["seats"]]
    for column in ("turns", "thefts", "margin", "final_card"):
        row = named(tables["games"][0], labels)
        row[column] = "rain" if column == "final_card" else row[column] + 1
        with pytest.raises(RuleBroken, match=column):
            check_rows(replay, row, seats)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["random", "styled"])
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_over_twenty_thousand_games(players, kind):
    """Each player count under each combination of rulings, 1,250 games of each."""
    hearts = np.resize((36, 48, 60), len(RULINGS))
    Parallel(n_jobs=2)(
        delayed(agree)(cell(players, kind, hearts=int(number), **rulings), games=1250, first=10_000)
        for number, rulings in zip(hearts, RULINGS, strict=True)
    )
