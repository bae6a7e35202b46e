"""The compiled game and the referee agree: every act of every game, and every column of tables."""

from itertools import product

import pytest

from sim.games.comparing import check_row
from sim.games.game import RuleBroken
from sim.games.tag_city import GAME
from sim.games.tag_city.boards import Rules
from sim.games.tag_city.recount import check_rows, shape_columns

from .logs import with_city

PLAYER_COUNTS = list(GAME.player_counts)
SWITCHES = {
    "hq": ("A", "B", ["w5", "u5", "n5", "v5", "l5", "p5"]),
    "city": ("A", "B"),
    "last_die_tie": ("share_large", "leader_first"),
    "first_leader": ("seat0", "random"),
}
RULINGS = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
BUBBLES = ([-1] * 5, [0, -1, -1, -2, -3], [0] * 5, [], [2, -5, 2])
DRONES = ([-1, -2, -3, -4, -5], [], [3], [-1] * 12)
SEED = 20_250


def line_up(kind, players):
    """Random players, or a different style at each seat."""
    styles = GAME.styles()
    if kind == "random":
        return [styles["random"]] * players
    names = [name for name in styles if name != "random"]
    return [styles[names[(2 * place + players) % len(names)]] for place in range(players)]


def cell(players, kind="styled", rotate=False, components=None, **rulings):
    return GAME.setup(
        components or GAME.default_components(),
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


def rows_of(setup, tables, index):
    """Return a game's rows: of games, and all of those that `check_rows` takes."""
    labels, games = GAME.labels(setup), len(tables["games"])
    parts = []
    for name in ("seats", "elements", "squares", "standings", "acts"):
        each = len(tables[name]) // games
        part = tables[name][index * each : (index + 1) * each]
        parts.append([named(row, labels) for row in part])
    return named(tables["games"][index], labels), *parts


def agree(setup, games, first=0):
    """Play games, referee each, and count all their columns again."""
    tables = GAME.tables_for(setup, games, first)
    GAME.play(setup, SEED, first, games, tables, 0)
    replays = []
    for index in range(games):
        replays.append(GAME.replay(setup, GAME.log(setup, SEED, first + index)))
        check_rows(replays[-1], *rows_of(setup, tables, index))
    expected = shape_columns(replays, Rules.read(setup.components, setup.rulings))
    for row, due in zip(tables["shapes"], expected, strict=True):
        check_row(f"shapes, {due['shape']}", named(row, GAME.labels(setup)), due)
    return replays


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("kind", ["random", "styled"])
def test_agreement_by_default_rulings(players, kind):
    agree(cell(players, kind), games=25)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_under_every_ruling(players):
    for number, rulings in enumerate(RULINGS):
        kind = ("random", "styled")[(number + players) % 2]
        marks = {
            "bubble_values": BUBBLES[number % len(BUBBLES)],
            "drone_values": DRONES[number % len(DRONES)],
        }
        agree(cell(players, kind, **marks, **rulings), games=2)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_when_line_ups_rotate(players):
    agree(cell(players, rotate=True), games=2 * players, first=3 * players)


@pytest.mark.parametrize("round_cap", [1, 2, 7])
def test_agreement_when_games_are_cut_off(round_cap):
    replays = agree(cell(4, round_cap=round_cap), games=10)
    assert any(replay.events[-1].truncated for replay in replays)


CITIES = {
    "one square": "A",
    "one row": "AABBBCCCAABB",
    "one column": "\n".join("AABBCCAABB"),
    "as large as can be": "\n".join(["ABCDEFGHHGFEDCBA"] * 8),
    "sixty squares": "\n".join(["AAABBBCCCC"] * 6),
    "two words, the second nearly full": "\n".join(["AAAABBBBCCCCDD"] * 9),
    "neighborhoods in pieces": "ABABAB\nBABABA\nABABAB\nCCCCCC",
    "two words and a line between": "\n".join(["ABBBBBCC"] * 8 + ["DDDDDDDD"]),
}


@pytest.mark.parametrize("name", CITIES)
def test_agreement_in_other_cities(name):
    """Games in small cities end by large values; ties with the last die are frequent."""
    components = with_city(CITIES[name], rows=(7, 3), neighborhoods=(11, 0))
    for players, tie in product(PLAYER_COUNTS, SWITCHES["last_die_tie"]):
        agree(cell(players, components=components, city="C", last_die_tie=tie), games=2)


def test_a_changed_log_or_table_is_noticed():
    setup = cell(3)
    log = GAME.log(setup, SEED, 0)
    log[-1, 3] += 1
    with pytest.raises(RuleBroken, match="end of the game, seat 2"):
        GAME.replay(setup, log)
    tables = GAME.tables_for(setup, 1)
    GAME.play(setup, SEED, 0, 1, tables, 0)
    seen = GAME.replay(setup, GAME.log(setup, SEED, 0))
    first, *others = rows_of(setup, tables, 0)
    check_rows(seen, first, *others)
    for column in ("turns", "checks", "margin"):
        with pytest.raises(RuleBroken, match=f"games: {column}"):
            check_rows(seen, first | {column: first[column] + 1}, *others)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["random", "styled"])
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_agreement_over_thousands_of_games(players, kind):
    """Over 20,000 games at each player count, the same number under each combination of rulings."""
    for number, rulings in enumerate(RULINGS):
        marks = {
            "bubble_values": BUBBLES[number % len(BUBBLES)],
            "drone_values": DRONES[number % len(DRONES)],
        }
        setup = cell(players, kind, rotate=number % 3 == 0, **marks, **rulings)
        agree(setup, games=420, first=10_000)
