"""Each ruling alone: what it changes, and that it changes nothing else."""

from collections import Counter
from itertools import islice, pairwise, takewhile

import numpy as np
import pytest
from scipy import stats

from sim.games.west_story import events
from sim.games.west_story.components import Components, building_sets
from sim.games.west_story.events import GAINS, PARTS, REASONS

from .cells import COMPONENTS, GAME, GREEDY, RULINGS, STYLES, changed, log_of, played, setup, style
from .logs import FAR_DODGE, NEAR_DODGE, UNCATCHABLE
from .moments import watched

SURE = 1e-6
"""Chance that a check of luck fails although the luck is fair."""
STEADY = style(forbid=["reset"])
"""A random player who draws no luck of the dice."""
VILLAINS = (events.FIGHT, events.BRIBE, events.FLIP)
DODGE = (NEAR_DODGE, FAR_DODGE)


def gain(row, what, why):
    """Tell whether a row is a gain of something for some reason."""
    return row[0] == events.GAIN and (row[3], row[5]) == (GAINS.index(what), REASONS.index(why))


def parting(one, other, game):
    """Return where the logs of a game part, and the rows there; None if they are the same."""
    logs = [log_of(cell, game).tolist() for cell in (one, other)]
    for at, rows in enumerate(zip(*logs, strict=False)):
        if rows[0] != rows[1]:
            return at, rows
    assert len(logs[0]) == len(logs[1])
    return None


def partings(most=40, games=range(40), player=STEADY, **ruled):
    """Yield where games by the defaults and with one ruling changed part, and both cells."""
    cells = [setup(3, player, **rulings) for rulings in ({}, ruled)]
    found = ((game, parting(*cells, game)) for game in games)
    apart = ((game, *where, cells) for game, where in found if where is not None)
    return islice(apart, most)


def last(log, at, event):
    """Return where the last row of an event before a row is."""
    return int(np.flatnonzero(log[:at, 0] == event)[-1])


# The end


def test_the_game_ends_with_the_last_coin_or_when_none_can_be_taken():
    found = {game: rows for game, _, rows, _ in partings(end_test="last_taken")}
    assert len(found) > 25
    for rows in found.values():
        assert [row[0] for row in rows] == [events.ROLL, events.END]
    for game in set(range(40)) - set(found):
        # the last coin was taken at the lake
        log = log_of(setup(3, STEADY), game)
        assert not (log[log[:, 1] == log[-1, 1]][:, 0] == events.RICHEST).any()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", STYLES)
def test_how_long_a_game_can_be(name, players):
    """Each coin of the pan is a round but for those taken at the lake; then comes the last one."""
    for end_test, most in (("cannot_take", 13), ("last_taken", 12)):
        tables = played(setup(players, STYLES[name], end_test=end_test), 300)
        games, seats = tables["games"], tables["seats"]
        assert not games["truncated"].any()
        assert games["rounds"].min() >= most - players
        assert games["rounds"].max() <= most
        by_rule = 13 - games["lake_coins"].astype(int)
        if end_test == "cannot_take":
            assert np.array_equal(games["rounds"], by_rule)
        else:
            # the last coin was taken at the lake, or by the richest
            assert set((by_rule - games["rounds"]).tolist()) <= {0, 1}
        at_lake = (seats["lake_round"] > 0).reshape(-1, players).sum(axis=1)
        coins = games["lake_coins"].astype(int) + games["bank_coins"]
        assert (coins <= at_lake).all()


@pytest.mark.parametrize(("end_test", "least"), [("cannot_take", 9), ("last_taken", 8)])
def test_the_shortest_game_is_four_at_the_lake(end_test, least):
    near = changed("pan.bonus_at", 12)
    games = played(setup(4, GREEDY, components=near, end_test=end_test), 100)["games"]
    assert set(games["lake_coins"]) == {4}
    assert set(games["rounds"]) == {least}
    far = changed("pan.bonus_at", 400)
    games = played(setup(4, GREEDY, components=far, end_test=end_test), 100)["games"]
    assert not games["lake_coins"].any()
    assert set(games["rounds"]) == {least + 4}


@pytest.mark.parametrize("cap", [1, 3, 8])
def test_round_cap(cap):
    capped, free = setup(3, GREEDY, round_cap=cap), setup(3, GREEDY)
    tables = played(capped, 30)
    assert set(tables["games"]["rounds"]) == {cap}
    assert tables["games"]["truncated"].all()
    assert set(tables["games"]["end_reason"]) == {events.ROUND_CAP}
    assert not tables["seats"]["rank"].any()
    assert np.isnan(tables["seats"]["win_share"]).all()
    assert not tables["spaces"]["seats"].any()
    for game in range(5):
        at, rows = parting(free, capped, game)
        assert [row[0] for row in rows] == [events.ROLL, events.END]
        assert (log_of(capped, game)[at:, 0] != events.ROLL).all()


def test_an_end_in_the_last_round_allowed_is_no_truncation():
    free = setup(4, GREEDY)
    rounds = played(free, 30)["games"]["rounds"]
    game = int(np.argmax(rounds))
    capped = setup(4, GREEDY, round_cap=int(rounds[game]))
    assert not played(capped, 1, first=game)["games"]["truncated"][0]
    assert np.array_equal(log_of(capped, game), log_of(free, game))


# Hats, coins and cows


def test_hats_bring_a_coin_at_four_or_for_each_execution():
    at_least = COMPONENTS["hat_bonus"]["at"]
    found = list(partings(hat_bonus="each_execution"))
    assert len(found) > 20
    additional = 0
    for game, at, rows, cells in found:
        logs = [log_of(cell, game) for cell in cells]
        began = last(logs[0], at, events.EXECUTE)
        before = watched(cells[0], logs[0])[began].players[rows[1][2]]
        gains = [gains_after(log, began) for log in logs]
        more = gains[1] - gains[0]
        assert not gains[0] - gains[1]
        # told at the end of the execution; a second coin where the marker was high before
        assert all(gain(row, "coins", "hat_bonus") for row in more)
        assert more.total() == (before.hats >= at_least)
        additional += more.total()
    assert additional > 10


def gains_after(log, at):
    """Count the gains that follow a row."""
    return Counter(takewhile(lambda row: row[0] == events.GAIN, map(tuple, log[at + 1 :].tolist())))


def test_the_richest_is_counted_with_or_without_cows():
    found = list(partings(richest="coins_and_cows"))
    assert len(found) > 30
    for game, at, rows, (cell, _) in found:
        assert [row[0] for row in rows] == [events.RICHEST] * 2
        players = watched(cell, log_of(cell, game))[at].players
        for row, with_cows in zip(rows, (False, True), strict=True):
            wealth = [player.coins + player.cows * with_cows for player in players]
            assert wealth[row[2]] == max(wealth)
            assert row[3] == (wealth.count(max(wealth)) == 1)


def test_skipping_with_a_full_herd_is_vp_or_nothing():
    rancher = style(forbid=["reset", *COMPONENTS["cards"]])
    found = list(partings(player=rancher, skip_cow_overflow="nothing"))
    assert len(found) > 20
    for game, at, rows, cells in found:
        assert gain(rows[0], "vp", "too_many_cows")
        assert log_of(cells[0], game)[at - 1, 0] == events.SKIP
        for row, following in pairwise(log_of(cells[1], game).tolist()):
            assert not (row[0] == events.SKIP and gain(following, "vp", "too_many_cows"))


# Symbols


def test_licence_vp_is_counted_at_the_end_alone():
    cells = {vp: setup(3, STEADY, licence_vp=vp) for vp in (0, 1, 2, 7)}
    part = PARTS.index("licence")
    for game in range(20):
        logs = {vp: log_of(cell, game).tolist() for vp, cell in cells.items()}
        until = [[row for row in log if row[0] < events.FINAL] for log in logs.values()]
        assert all(some == until[0] for some in until)
        points = {
            vp: {row[2]: row[4] for row in log if row[0] == events.FINAL and row[3] == part}
            for vp, log in logs.items()
        }
        assert points[0] == {}
        for vp in (2, 7):
            assert points[vp] == {seat: vp * each for seat, each in points[1].items()}
    tables = played(cells[7], 50)["seats"]
    without = tables["certificate"] == len(COMPONENTS["certificates"]["pairs"])
    assert np.array_equal(tables["vp_licence"], 7 * tables["licence_cards"] * without)


def test_two_wild_symbols_allow_any_symbol_or_a_cow():
    found = list(partings(15, range(300), double_wild="cow"))
    assert len(found) == 15
    for game, at, rows, (cell, _) in found:
        assert [row[0] for row in rows] == [events.MARK, events.COMBO_COW]
        assert rows[0][4] == events.COMBO
        dice = log_of(cell, game)[at - 2 : at]
        assert (dice[:, 0] == events.MARK).all()
        table = watched(cell, log_of(cell, game))[at]
        assert all(table.action(rows[0][2], spot).wild for spot in dice[:, 3].tolist())


def test_a_wild_card_may_be_the_third_spot():
    found = list(partings(wild_third=True))
    assert len(found) > 20
    thirds = wild = 0
    for game, at, rows, (cell, _) in found:
        table, seat = watched(cell, log_of(cell, game))[at], rows[0][2]
        unmarked = set(range(events.SPOTS)) - table.players[seat].marks
        could = any(table.action(seat, spot).wild for spot in unmarked)
        if could and {row[0] for row in rows} <= {events.MARK, events.COMBO_COW}:
            thirds += 1
            assert rows[0][0] == events.COMBO_COW or not table.action(seat, rows[0][3]).wild
            assert rows[1][4] == events.COMBO
            wild += table.action(seat, rows[1][3]).wild
    # elsewhere a choice of one became a choice of two, and only its chance is seen later
    assert thirds > 0.7 * len(found)
    assert wild > 5


# Villains


def test_villain_vp_move_the_marker_at_once_or_score_at_the_end():
    found = list(partings(villain_vp="at_once"))
    assert len(found) > 20
    for game, at, rows, (cell, _) in found:
        assert gain(rows[1], "vp", "villain")
        log = log_of(cell, game)
        fought = log[last(log, at, events.FIGHT)].tolist()
        tokens = list(COMPONENTS["villain_tokens"]["tokens"].values())
        assert rows[1][2:5] == [fought[2], events.VP, tokens[fought[4]]["vp"]]
    seats = played(setup(3, GREEDY, villain_vp="at_once"), 100)["seats"]
    assert seats["vp_villains"].any()
    on_track = [f"vp_{name}" for name in ("spaces", "effects", "limits", "printed", "wild")]
    ahead = sum(seats[name] for name in on_track)
    assert np.array_equal(seats["marker"], ahead + seats["vp_villains"])
    later = played(setup(3, GREEDY), 100)["seats"]
    assert np.array_equal(later["marker"], sum(later[name] for name in on_track))


def test_cows_paid_to_a_villain_stay_cows_or_become_coins():
    found = list(partings(games=range(150), paid_cows="become_coins"))
    assert len(found) > 10
    for game, at, rows, (cell, _) in found:
        assert all(gain(row, "coins", "pot") for row in rows)
        log = log_of(cell, game)
        (place,) = log[last(log, at, events.FIGHT), 3:4]
        paid = [
            following[5]
            for row, following in pairwise(log[:at].tolist())
            if row[0] == events.BRIBE and row[3] == place
        ]
        assert 0 < sum(paid) == rows[1][4] - rows[0][4]


def test_dodge_city_has_a_token_on_each_side_or_both_on_one_stack():
    found = list(partings(games=range(60), dodge_city="together"))
    assert len(found) > 30
    for _, _, rows, _ in found:
        of_villains = [row for row in rows if row[0] in VILLAINS]
        assert of_villains
        assert all(row[3] in DODGE for row in of_villains)
    # the token of the near side is met first, from either side
    cell = setup(4, GREEDY, dodge_city="together")
    met = Counter()
    for game in range(60):
        gone = False
        for row in log_of(cell, game).tolist():
            if row[0] in VILLAINS and row[3] in DODGE:
                assert gone == (row[3] == FAR_DODGE)
                met[row[3]] += 1
                gone |= row[0] == events.FIGHT
    assert min(met[place] for place in DODGE) > 10


def test_the_uncatchable_villain_is_one_of_nine_and_never_fought():
    cell = setup(4, GREEDY, uncatchable_villain=True)
    tables = played(cell, 3000)["villains"]
    places = COMPONENTS["villain_tokens"]["places"]
    counts = np.bincount(tables["token"], minlength=UNCATCHABLE + 1)
    assert stats.chisquare(counts).pvalue > SURE
    assert counts[UNCATCHABLE] == pytest.approx(3000 * places / 9, rel=0.1)
    mine = tables[tables["token"] == UNCATCHABLE]
    assert mine["bribes"].any()
    assert not mine["fought"].any()
    gone = mine[mine["gone_round"] > 0]
    assert len(gone)
    # a coin lies there from the start
    assert (gone["paid"] == COMPONENTS["uncatchable"]["leaves_at"] - 1).all()
    assert (mine["paid"] < COMPONENTS["uncatchable"]["leaves_at"]).all()


def set_up_rows(cell, game):
    """Return the rows of a game before its first roll: the deal and the first cards."""
    log = log_of(cell, game)
    return log[: int(np.argmax(log[:, 0] == events.ROLL))].tolist()


@pytest.mark.parametrize("players", [2, 4])
def test_stretch_goals_leave_the_rest_of_the_deal_as_it_is(players):
    """Building types, boards, certificates, the order of the decks and the first cards."""
    plain, tokens, ninth, both = (
        setup(players, buildings="random", wild_tokens=wild, uncatchable_villain=uncatchable)
        for uncatchable in (False, True)
        for wild in (False, True)
    )
    other_tokens = 0
    for game in range(20):
        rows = set_up_rows(plain, game)
        assert {events.SET, events.BOARD, events.CERTIFICATE_AT, events.ORDER, events.DRAW} < {
            row[0] for row in rows
        }
        assert set_up_rows(tokens, game) == rows
        more = set_up_rows(ninth, game)
        assert set_up_rows(both, game) == more
        without = [[row for row in r if row[0] != events.TOKEN_AT] for r in (rows, more)]
        assert without[0] == without[1]
        other_tokens += rows != more
    assert other_tokens > 10


def dice(cell, game):
    """Return the rolls of a game."""
    return [tuple(row[3:5]) for row in log_of(cell, game).tolist() if row[0] == events.ROLL]


# Stretch goals and set-up


def test_wild_tokens_are_picked_up_and_spent():
    found = list(partings(wild_tokens=True))
    assert len(found) == 40
    assert all(rows[1][0] == events.WILD_TOKEN for _, _, rows, _ in found)
    at = COMPONENTS["wild_tokens"]["at"]
    cell = setup(3, STEADY, wild_tokens=True)
    for game in range(20):
        held = Counter()
        from_round = {}
        for row in log_of(cell, game).tolist():
            seat = row[2]
            if row[0] == events.WILD_TOKEN:
                assert row[3] in at
                held[seat] += 1
                from_round.setdefault(seat, []).append(row[1])
            spent = (row[0] == events.MARK and row[5]) or (row[0] == events.COMBO_COW and row[3])
            if spent:
                held[seat] -= 1
                assert held[seat] >= 0
                assert from_round[seat][0] < row[1]
    seats = played(cell, 200)["seats"]
    assert seats["tokens_used"].max() == len(at)
    assert not played(setup(3, STEADY), 200)["seats"]["tokens_used"].any()


def test_dice_do_not_depend_on_the_other_rulings():
    """All but the resets draw other luck."""
    changes = {
        "hat_bonus": "each_execution", "richest": "coins_and_cows", "villain_vp": "at_once",
        "double_wild": "cow", "wild_third": True, "skip_cow_overflow": "nothing",
        "paid_cows": "become_coins", "dodge_city": "together", "wild_tokens": True,
        "uncatchable_villain": True, "buildings": "random", "licence_vp": 5,
    }  # fmt: skip
    for game in range(5):
        due = dice(setup(3, STEADY), game)
        for name, value in changes.items():
            found = dice(setup(3, STEADY, **{name: value}), game)
            assert all(one == other for one, other in zip(due, found, strict=False)), name
    assert {*changes, "end_test", "round_cap"} == set(RULINGS)


def sets_of(cell, games, first=0):
    """Return the sets of building types of some games."""
    table = played(cell, games, first=first)["games"]
    names = list(COMPONENTS["cards"])
    return [tuple(names[row[f"building_{place}"]] for place in range(5)) for row in table]


LEGAL = building_sets(Components(**COMPONENTS))


def test_there_are_many_legal_sets():
    assert len(LEGAL) > 100
    assert len(set(LEGAL)) == len(LEGAL)


@pytest.mark.parametrize("rotate", [False, True])
def test_even_buildings_are_every_legal_set_in_turn(rotate):
    each = 3 if rotate else 1
    found = sets_of(setup(3, rotate=rotate, buildings="even"), each * (len(LEGAL) + 5))
    assert found[::each] == [LEGAL[deal % len(LEGAL)] for deal in range(len(LEGAL) + 5)]
    assert all(found[at] == found[at // each * each] for at in range(len(found)))
    late = sets_of(setup(2, buildings="even"), 3, first=1000)
    assert late == [LEGAL[deal % len(LEGAL)] for deal in range(1000, 1003)]


def test_random_buildings_are_legal_sets_evenly():
    counts = Counter(sets_of(setup(2, buildings="random"), 30 * len(LEGAL)))
    assert set(counts) == set(LEGAL)
    assert stats.chisquare([counts[one] for one in LEGAL]).pvalue > SURE


def test_a_list_of_buildings_is_always_these_five():
    names = ["saloon", "church", "gold_mine", "telegraph_office", "sheriff_office"]
    assert set(sets_of(setup(2, buildings=names), 20)) == {
        tuple(sorted(names, key=list(COMPONENTS["cards"]).index))
    }
    base = [name for name, card in COMPONENTS["cards"].items() if card["base"]]
    assert set(sets_of(setup(2), 20)) == {tuple(base)}


def test_only_cards_in_play_are_bought():
    market = played(setup(3, GREEDY, buildings="random"), 200)["market"]
    out = market[~market["in_play"]]
    assert len(out) == 200 * 6
    for column in ("seen", "bought", "executed"):
        assert not out[column].any()
    assert market[market["in_play"]]["seen"].any()


# With players who weigh what they do


@pytest.mark.parametrize("name", [name for name in RULINGS if name != "round_cap"])
def test_shipped_styles_play_by_every_ruling(name):
    """The referee takes these games, and they end by the gold pan."""
    values = {"licence_vp": 5, "buildings": "random", "wild_third": True, "wild_tokens": True}
    values["uncatchable_villain"] = True
    (ruling,) = (one for one in GAME.rulings_help() if one.name == name)
    value = values.get(name, ruling.values[1])
    cell = setup(3, *list(STYLES.values())[1:4], **{name: value})
    assert cell.rulings[name] != RULINGS[name]
    over = GAME.replay(cell, log_of(cell, 3)).events[-1]
    assert over.reason == "gold_pan"
