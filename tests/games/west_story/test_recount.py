"""The columns of tables are counted again from a refereed game, and a wrong one is named."""

import math
from collections import Counter

import numpy as np
import pytest

from sim.games.game import Replay, RuleBroken
from sim.games.west_story import events, vocabulary
from sim.games.west_story.happened import lead_changes, own
from sim.games.west_story.logbook import Bought, Production, Turn
from sim.games.west_story.recount import (
    check_rows,
    check_spaces,
    game_columns,
    seat_columns,
    space_columns,
)
from sim.games.west_story.recount_long import (
    market_columns,
    most_rounds,
    purchase_columns,
    round_columns,
    town_columns,
    villain_columns,
)
from sim.games.west_story.referee import replay

from .logs import COMPONENTS, RULINGS
from .random_play import RandomGame
from .table import Scene, rules_for
from .test_cheats import RULED, SHORT

TABLES = {
    "seats": seat_columns,
    "market": market_columns,
    "villains": villain_columns,
    "towns": town_columns,
    "purchases": purchase_columns,
    "rounds": round_columns,
}


def play(players=3, seed=7, components=COMPONENTS, **rulings):
    log = RandomGame(players, seed, components, **rulings).play()
    return log, replay(log, components, RULINGS | rulings, players)


@pytest.fixture(scope="module")
def game():
    return play(wild_tokens=True)


@pytest.fixture(scope="module")
def crowded():
    return play(3, 4, SHORT, **RULED)


def rows_of(seen):
    return game_columns(seen), *(columns(seen) for columns in TABLES.values())


def count(log, event, **fields):
    """Count rows of an event with these values in their columns."""
    columns = ("event", "round", "seat", "a", "b", "c")
    fits = log[:, 0] == event
    for name, value in fields.items():
        fits &= log[:, columns.index(name)] == value
    return int(fits.sum())


# What the columns say


def test_columns_are_those_of_the_vocabulary(game):
    _, seen = game
    due = {
        "seats": vocabulary.SEAT_COLUMNS,
        "market": vocabulary.MARKET_COLUMNS,
        "villains": vocabulary.VILLAIN_COLUMNS,
        "towns": vocabulary.TOWN_COLUMNS,
        "purchases": vocabulary.PURCHASE_COLUMNS,
        "rounds": vocabulary.ROUND_COLUMNS,
    }
    for table, columns in due.items():
        told = set(TABLES[table](seen)[0]) | {"game", "style"}
        assert {column.name for column in columns} <= told
    assert {column.name for column in vocabulary.GAME_COLUMNS} <= set(game_columns(seen))
    spaces = {column.name for column in vocabulary.SPACE_COLUMNS}
    assert spaces == set(space_columns([seen])[0])


def test_games_from_the_rows_of_the_log(crowded):
    log, seen = crowded
    row = game_columns(seen)
    due = {
        "turns": count(log, events.TURN),
        "rounds": count(log, events.ROLL),
        "ties": count(log, events.RICHEST, a=0),
        "lake_coins": count(log, events.PAN_COIN, a=1),
        "bank_coins": count(log, events.PAN_COIN, a=0),
        "bought": count(log, events.BUY),
        "skips": count(log, events.SKIP),
        "combos": count(log, events.MARK, b=events.COMBO) + count(log, events.COMBO_COW, a=0),
        "trades": count(log, events.TRADE),
        "fights": count(log, events.FIGHT),
        "bribes": count(log, events.BRIBE),
        "certificates": count(log, events.CERTIFICATE),
        "resets": count(log, events.RESET),
    }
    assert {name: row[name] for name in due} == due
    assert (row["end_reason"], row["truncated"], row["tied"]) == ("round_cap", True, False)


@pytest.mark.parametrize("seat", range(3))
def test_seats_from_the_rows_of_the_log(game, crowded, seat):
    for log, seen in (game, crowded):
        row = seat_columns(seen)[seat]
        due = {
            "bought": count(log, events.BUY, seat=seat),
            "skips": count(log, events.SKIP, seat=seat),
            "resets": count(log, events.RESET, seat=seat),
            "discs": count(log, events.TRADE, seat=seat),
            "villains": count(log, events.FIGHT, seat=seat),
            "bribes": count(log, events.BRIBE, seat=seat),
            "executed": count(log, events.EXECUTE, seat=seat),
            "combos": count(log, events.MARK, seat=seat, b=events.COMBO),
            "combo_cows": count(log, events.COMBO_COW, seat=seat, a=0),
            "tokens_used": count(log, events.MARK, seat=seat, c=1)
            + count(log, events.COMBO_COW, seat=seat, a=1),
            "clears": count(log, events.CLEAR, seat=seat),
            "rounds_first": count(log, events.ROLL, seat=seat),
            "pan_coins": count(log, events.RICHEST, seat=seat, a=1),
        }
        assert {name: row[name] for name in due} == due
        assert row["production_cards"] + row["scoring_cards"] + row["buildings"] == row["bought"]
        score = log[(log[:, 0] == events.SCORE) & (log[:, 2] == seat)][0]
        assert (row["score"], row["rank"]) == (score[3], score[4])


def test_parts_add_up_to_the_score(game, crowded):
    parts = [column.name for column in vocabulary.SEAT_COLUMNS if column.score_part]
    for _, seen in (game, crowded):
        for row in seat_columns(seen):
            assert sum(row[part] for part in parts) == row["score"]


def test_hats_lost_are_those_gained_and_not_paid(game):
    log, seen = game
    hats = (log[:, 0] == events.GAIN) & (log[:, 3] == events.HATS)
    for seat, row in enumerate(seat_columns(seen)):
        mine = log[:, 2] == seat
        gained = log[hats & mine][:, 4].sum()
        paid = log[(log[:, 0] == events.PAY) & mine][:, 3].sum()
        assert row["hats_lost"] == gained - paid


def test_the_lake_is_reached_once(game):
    _, seen = game
    for seat, row in enumerate(seat_columns(seen)):
        number = row["lake_round"]
        there = [table.players[seat].vp for table in seen.states if table.round >= number]
        assert bool(number) == (row["marker"] >= 42)
        assert not number or max(there) >= 42


def test_market_counts_copies_seen_and_bought(game):
    log, seen = game
    rows = {row["card"]: row for row in market_columns(seen)}
    slugs = [card.slug for card in seen.events[0].rules.cards]
    drawn = Counter(slugs[kind] for kind in log[log[:, 0] == events.DRAW][:, 5])
    bought = Counter(slugs[kind] for kind in log[log[:, 0] == events.BUY][:, 5])
    assert {name: row["seen"] for name, row in rows.items() if row["seen"]} == drawn
    assert {name: row["bought"] for name, row in rows.items() if row["bought"]} == bought
    assert [name for name, row in rows.items() if not row["in_play"]] == [
        "saloon", "sheriff_office", "church", "general_store", "telegraph_office", "gold_mine"
    ]  # fmt: skip
    pays = np.flatnonzero(log[:, 0] == events.BUY) + 1
    for field, good in enumerate(("hats", "coins", "cows"), start=3):
        assert sum(row[good] for row in rows.values()) == log[pays][:, field].sum()
    rounds = log[log[:, 0] == events.BUY][:, 1] + 1
    assert sum(row["rounds"] for row in rows.values()) == rounds.sum()
    for name, row in rows.items():
        owners = {
            seat
            for seat in range(3)
            for deed in own(seen, seat, Bought)
            if slugs[deed.card] == name
        }
        assert row["owners"] == len(owners)


def test_executions_are_of_cards_or_of_spaces(game):
    log, seen = game
    cards = sum(row["executed"] for row in market_columns(seen))
    spaces = sum(row["as_space"] for row in space_columns([seen]))
    assert cards + spaces == count(log, events.EXECUTE)


def test_spaces_count_what_was_marked(game):
    log, seen = game
    for spot, row in enumerate(space_columns([seen, seen])):
        marks = log[(log[:, 0] == events.MARK) & (log[:, 3] == spot)]
        assert row["by_combo"] == 2 * count(marks, events.MARK, b=events.COMBO)
        assert row["by_token"] == 2 * count(marks, events.MARK, b=events.TOKEN)
        assert row["by_trade"] == 2 * count(marks, events.MARK, b=events.TRADED)
        dice = count(marks, events.MARK, b=events.YELLOW) + count(
            marks, events.MARK, b=events.GREEN
        )
        assert row["by_die"] + row["moved"] == 2 * dice
        assert row["cards"] == 2 * count(log, events.BUY, b=spot)
        assert row["seats"] == 6


def test_a_die_that_marks_its_own_spot_has_not_moved(game):
    log, seen = game
    stayed = Counter()
    for _, number, _, yellow, green, _ in log[log[:, 0] == events.ROLL]:
        for why, spot in ((events.YELLOW, yellow - 1), (events.GREEN, green + 5)):
            stayed[spot] += count(log, events.MARK, round=number, a=spot, b=why)
    assert [row["by_die"] for row in space_columns([seen])] == [stayed[n] for n in range(12)]


def test_a_game_cut_off_counts_no_spaces(crowded):
    assert all(row["seats"] == row["by_die"] == 0 for row in space_columns([crowded[1]]))


def test_villains_from_the_rows_of_the_log(crowded):
    log, seen = crowded
    for place, row in enumerate(villain_columns(seen)):
        flips = log[(log[:, 0] == events.FLIP) & (log[:, 3] == place)][:, 1]
        assert row["turned_round"] == (flips[0] + 1 if len(flips) else 0)
        assert row["fought"] == bool(count(log, events.FIGHT, a=place))
        gone = np.isin(log[:, 0], (events.FIGHT, events.LEAVE)) & (log[:, 3] == place)
        assert row["gone_round"] == (log[gone][0, 1] + 1 if gone.any() else 0)
        pays = log[np.flatnonzero((log[:, 0] == events.BRIBE) & (log[:, 3] == place)) + 1]
        assert row["bribes"] == len(pays)
        assert row["paid"] == pays[:, 3:].sum()
        assert row["pot"] == (1 + row["paid"] if row["fought"] else 0)


def test_towns_from_the_rows_of_the_log(game):
    log, seen = game
    for town, row in enumerate(town_columns(seen)):
        trades = log[(log[:, 0] == events.TRADE) & (log[:, 3] == town)]
        seats = Counter(trades[:, 2].tolist())
        assert row["discs"] == len(trades)
        assert row["seats"] == len(seats)
        assert row["full"] == sum(discs == 3 for discs in seats.values())
        assert (row["quadruples"], row["wilds"]) == (4 in trades[:, 4], 5 in trades[:, 4])
        worth = seen.events[0].rules.towns[town].disc_vp
        assert row["vp"] == sum(worth[discs - 1] for discs in seats.values())


def test_win_shares(game):
    _, seen = game
    (winner,) = [row["seat"] for row in seat_columns(seen) if row["rank"] == 1]
    for row in town_columns(seen):
        there = seen.states[-1].discs_of(winner, [*COMPONENTS["towns"]].index(row["town"]))
        assert row["win_share"] == float(there > 0)


def test_purchases_and_rounds_have_rows_for_the_longest_game(game):
    log, seen = game
    assert len(purchase_columns(seen)) == 13 * 3 * 2
    assert len(round_columns(seen)) == 13 * 3
    rounds = seen.events[-1].rounds
    later = [row for row in purchase_columns(seen) if row["round"] > rounds]
    assert {row["card"] for row in later} <= {"not_played"}
    skipped = sum(row["card"] == "none" for row in purchase_columns(seen))
    assert skipped == count(log, events.SKIP)
    assert sum(row["played"] for row in round_columns(seen)) == 3 * rounds


@pytest.mark.parametrize(
    ("rulings", "rounds"),
    [({}, 13), ({"end_test": "last_taken"}, 12), ({"round_cap": 5}, 5)],
)
def test_how_many_rounds_a_game_can_have(rulings, rounds):
    assert most_rounds(rules_for(2, **rulings)) == rounds


def test_the_last_round_stands_as_the_seats_do_at_the_end(game):
    _, seen = game
    last = [row for row in round_columns(seen) if row["round"] == seen.events[-1].rounds]
    for row, seat in zip(last, seat_columns(seen), strict=True):
        assert row["vp_licence"] == seat["vp_licence"] + seat["vp_certificate"]
        same = ("coins", "cows", "vp_spaces", "vp_effects", "vp_limits", "vp_printed", "vp_wild")
        for column in (*same, "vp_villains", "vp_towns", "vp_end"):
            assert row[column] == seat[column]


# Lead changes


def led(*moments):
    """Return a replay in which the markers of three seats lie so after production or turns."""
    table = Scene(3).table
    happened, states = [], []
    for kind, marks in moments:
        for player, vp in zip(table.players, marks, strict=True):
            player.vp = vp
        happened.append(kind(0, 0, ()) if kind is Production else kind(0, 0, (), (), 0))
        states.append(table.snapshot())
    return Replay(happened, states)


def test_the_first_leader_is_no_change():
    assert lead_changes(led((Turn, (0, 0, 0)), (Turn, (1, 0, 0)), (Turn, (3, 2, 0)))) == 0


def test_a_tie_is_no_leader():
    seen = led((Turn, (1, 0, 0)), (Turn, (1, 1, 0)), (Turn, (2, 1, 0)), (Turn, (2, 1, 3)))
    assert lead_changes(seen) == 1


def test_production_is_looked_at_when_all_have_produced():
    half = [(Production, (0, 1, 0)), (Production, (0, 1, 0)), (Production, (2, 1, 0))]
    assert lead_changes(led((Turn, (1, 0, 0)), *half)) == 0
    half = [(Production, (0, 1, 0)), (Production, (0, 1, 0)), (Production, (0, 1, 0))]
    assert lead_changes(led((Turn, (1, 0, 0)), *half, (Turn, (3, 1, 0)))) == 2


# Comparing


def test_rows_that_are_right_pass(game, crowded):
    for _, seen in (game, crowded):
        first, *others = rows_of(seen)
        for rows in others:
            for row in rows:
                row |= {name: math.nan for name, value in row.items() if value is None}
        check_rows(seen, first | {"game": 9, "decisions": 5}, *others)
        check_rows(seen, first, *others[:4])
        check_spaces([seen], space_columns([seen]))


def wrong(value):
    if value is None:
        return 0.5
    return f"{value}?" if isinstance(value, str) else value + 1


def test_every_column_of_a_game_is_checked(game):
    _, seen = game
    first, *others = rows_of(seen)
    for column, value in first.items():
        with pytest.raises(RuleBroken, match=f"games: {column} is"):
            check_rows(seen, first | {column: wrong(value)}, *others)
    del first["margin"]
    with pytest.raises(RuleBroken, match="games: there is no column margin"):
        check_rows(seen, first, *others)


@pytest.mark.parametrize("number", range(len(TABLES)), ids=TABLES)
def test_every_column_of_the_other_tables_is_checked(game, number):
    _, seen = game
    name = list(TABLES)[number]
    first, *others = rows_of(seen)
    for column, value in others[number][1].items():
        others[number][1][column] = wrong(value)
        with pytest.raises(RuleBroken, match=f"{name}, row 1: {column} is"):
            check_rows(seen, first, *others)
        others[number][1][column] = value
    others[number].pop()
    with pytest.raises(RuleBroken, match=f"{name}: .* rows, the replay gives"):
        check_rows(seen, first, *others)


def test_every_column_of_the_spaces_is_checked(game):
    _, seen = game
    for column, value in space_columns([seen])[2].items():
        rows = space_columns([seen])
        rows[2][column] = wrong(value)
        with pytest.raises(RuleBroken, match=f"spaces, row 2: {column} is"):
            check_spaces([seen], rows)
