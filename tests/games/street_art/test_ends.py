"""The end of a game worked by hand: when it comes, who wins, and what the tables say of it.

Decks of a single kind make a game that can be told in advance.
"""

import math

import numpy as np
import pytest

from sim.games.street_art import events

from ..running import uncompiled
from .table import GAME, Table, deck, log_of, of, played, seat, setup

BEATBOXERS = deck(hand_size=1, beatboxer=60)
"""In the first round seats take 1, 2, ... hearts, then all Beatboxers show."""
BRASS_BANDS = deck(hand_size=1, brass_band=60)
JUGGLERS = deck(hand_size=1, juggler=60)
"""The first takes two hearts from the middle, everybody after him steals them."""


def row(table: np.ndarray, number: int = 0) -> dict:
    """Return a row of a table by column name."""
    return dict(zip(table.dtype.names, table[number].tolist(), strict=True))


def outcome(players: int, components: dict, **rulings) -> tuple[dict, list[dict], dict]:
    """Play one game; return its row, its seats' rows and its tables."""
    made = setup(players, components=components, **rulings)
    tables = played(made, 1)
    assert len(tables["seats"]) == players
    return row(tables["games"]), [row(tables["seats"], p) for p in range(players)], tables


def column(seats: list[dict], name: str) -> list:
    return [found[name] for found in seats]


# When the game ends


@uncompiled
def test_the_game_ends_the_moment_the_middle_is_empty():
    table = Table(seat("juggler rain"), seat("juggler"), seat("juggler"), middle=2)
    rows = table.play("juggler")
    assert (table.over, table.middle, table.turn) == (1, 0, 7)
    assert not of(rows, "DRAW")


@uncompiled
def test_a_round_is_finished_if_so_ruled():
    table = Table(
        seat("juggler"), seat("juggler"), seat("beatboxer"), middle=2, game_end="finish_round"
    )
    assert of(table.play("juggler"), "DRAW")
    assert (table.over, table.middle) == (0, 0)
    assert of(table.play("juggler"), "DRAW")
    assert (table.over, table.hearts) == (0, [0, 2, 0])
    assert not of(table.play("beatboxer"), "DRAW")
    assert (table.over, table.hearts, table.turn) == (1, [0, 2, 0], 9)
    assert table.kinds[table.final_kind] == "juggler"


@uncompiled
@pytest.mark.parametrize("game_end", ["immediate", "finish_round"])
def test_the_last_seat_ends_the_game_at_once(game_end):
    table = Table(seat(), seat("juggler"), mover=1, middle=1, game_end=game_end)
    assert not of(table.play("juggler"), "DRAW")
    assert (table.over, table.hearts) == (1, [0, 1])


@uncompiled
def test_the_game_goes_on_while_a_heart_is_left():
    table = Table(seat("juggler"), seat(), middle=3)
    table.play("juggler")
    assert (table.over, table.middle) == (0, 1)


# Whole games told in advance


@uncompiled
def test_beatboxers_with_a_tie():
    game, seats, _ = outcome(3, BEATBOXERS, hearts=8)
    # 1, 2, 3, and the first takes what is left: two of the three that he may
    assert column(seats, "score") == [3, 2, 3]
    assert column(seats, "rank") == [1, 3, 1]
    assert column(seats, "win_share") == [0.5, 0.0, 0.5]
    assert column(seats, "from_middle") == [3, 2, 3]
    assert (game["turns"], game["rounds"], game["players"]) == (4, 2, 3)
    assert (game["tied"], game["margin"], game["truncated"]) == (True, 0, False)
    assert (game["lead_changes"], game["decisions"]) == (2, 0)
    assert game["end_reason"] == events.END_REASONS.index("middle_empty")
    assert game["final_card"] == events.BEATBOXER


@uncompiled
def test_beatboxers_with_a_single_winner():
    game, seats, _ = outcome(3, BEATBOXERS, hearts=6)
    assert column(seats, "score") == [1, 2, 3]
    assert column(seats, "rank") == [3, 2, 1]
    assert column(seats, "win_share") == [0.0, 0.0, 1.0]
    assert (game["tied"], game["margin"], game["lead_changes"]) == (False, 1, 2)
    assert (game["turns"], game["rounds"]) == (3, 1)


@uncompiled
def test_beatboxers_to_the_end_of_the_round():
    game, seats, _ = outcome(3, BEATBOXERS, hearts=8, game_end="finish_round")
    assert column(seats, "score") == [3, 2, 3]
    assert (game["turns"], game["rounds"]) == (6, 2)


@uncompiled
@pytest.mark.parametrize("players", range(2, 7))
def test_equal_takings_tie_everybody(players):
    game, seats, _ = outcome(players, BRASS_BANDS, hearts=3 * players)
    assert column(seats, "score") == [3] * players
    assert column(seats, "rank") == [1] * players
    assert column(seats, "win_share") == [1 / players] * players
    assert (game["tied"], game["margin"], game["rounds"]) == (True, 0, 3)
    # seat 0 leads alone in each round until seat 1 catches up: nobody else ever does
    assert game["lead_changes"] == 0


@uncompiled
@pytest.mark.parametrize("players", range(2, 7))
def test_thieves_pass_two_hearts_around(players):
    game, seats, _ = outcome(players, JUGGLERS, hearts=2, game_end="finish_round")
    assert column(seats, "score") == [0] * (players - 1) + [2]
    assert column(seats, "from_middle") == [2] + [0] * (players - 1)
    assert column(seats, "stolen") == [0] + [2] * (players - 1)
    assert column(seats, "lost_to_theft") == [-2] * (players - 1) + [0]
    assert (game["lead_changes"], game["thefts"]) == (players - 1, players - 1)
    assert (game["margin"], game["turns"]) == (2, players)


@uncompiled
@pytest.mark.parametrize("seat_of_luck", range(3))
def test_margin_is_best_minus_second_best_wherever_they_sit(seat_of_luck):
    # Brass Bands pay 1, 1, ... and the last heart goes to the seat that is next
    game, seats, _ = outcome(3, BRASS_BANDS, hearts=3 + seat_of_luck + 1)
    winners = [2] * (seat_of_luck + 1) + [1] * (2 - seat_of_luck)
    assert column(seats, "score") == winners
    assert game["margin"] == (1 if seat_of_luck == 0 else 0)
    assert game["tied"] == (seat_of_luck > 0)


@uncompiled
def test_rain_and_box():
    # nobody ever owns a heart: only the cards move, until the cap
    game, seats, _ = outcome(2, deck(hand_size=1, rain=60), turn_cap=9)
    assert (game["rains"], game["box_hearts"], game["reshuffles"]) == (9, 0, 0)
    assert column(seats, "score") == [0, 0]


# Stopped by the cap


@uncompiled
@pytest.mark.parametrize("turn_cap", [1, 4, 7])
def test_a_game_as_long_as_the_cap_is_stopped(turn_cap):
    game, seats, tables = outcome(3, JUGGLERS, hearts=9, turn_cap=turn_cap)
    assert (game["turns"], game["rounds"]) == (turn_cap, math.ceil(turn_cap / 3))
    assert game["truncated"]
    assert not game["tied"]
    assert game["end_reason"] == events.END_REASONS.index("turn_cap")
    labels = GAME.labels(setup(3, components=JUGGLERS))
    assert labels["final_card"][game["final_card"]] == "none"
    assert column(seats, "rank") == [0, 0, 0]
    assert column(seats, "truncated") == [True] * 3
    assert all(math.isnan(share) for share in column(seats, "win_share"))
    for name in tables["cards"].dtype.names:
        assert name in ("seat", "style", "card") or not tables["cards"][name].any()


@uncompiled
def test_a_game_that_ends_in_its_last_turn_is_not_stopped():
    game, _, _ = outcome(3, BEATBOXERS, hearts=6, turn_cap=3)
    assert (game["turns"], game["truncated"]) == (3, False)
    game, _, _ = outcome(3, BEATBOXERS, hearts=7, turn_cap=3)
    assert (game["turns"], game["truncated"]) == (3, True)


@uncompiled
def test_a_round_that_the_cap_cuts_off_is_not_scored():
    game, seats, _ = outcome(3, JUGGLERS, hearts=2, turn_cap=2, game_end="finish_round")
    assert (game["turns"], game["truncated"]) == (2, True)
    assert column(seats, "rank") == [0, 0, 0]


# Decisions


@uncompiled
def test_a_decision_is_a_turn_with_more_than_one_action():
    game, _, _ = outcome(2, deck(hand_size=3, brass_band=60), turn_cap=5, hearts=1000)
    assert game["decisions"] == 5
    game, _, _ = outcome(2, deck(hand_size=3, beatboxer=60), turn_cap=5, hearts=1000)
    assert game["decisions"] == 0
    # from the second turn on somebody owns a heart, but with two players only one can be the victim
    one = deck(hand_size=1, fireworks=30, juggler=30)
    game, _, _ = outcome(2, one, turn_cap=20, hearts=1000)
    assert game["decisions"] == 0


@uncompiled
def test_two_possible_victims_are_a_decision():
    table = Table(seat("fireworks"), seat(hearts=1), seat(hearts=1))
    table.play("fireworks", victim=1)
    assert table.decisions == 1
    table = Table(seat("fireworks"), seat(hearts=1), seat())
    table.play("fireworks", victim=1)
    assert table.decisions == 0


# Lead changes


@uncompiled
def test_a_shared_lead_is_no_change_but_another_sole_leader_is():
    table = Table(
        seat("2*juggler", hearts=0), seat("2*bmx_artist"), seat("beatboxer street_painter"), turn=0
    )
    course = [("juggler", 0), ("bmx_artist", 0), ("beatboxer", 0), ("juggler", 0)]
    for card, changes in course:
        table.play(card)
        assert table.lead_changes == changes
    assert table.hearts == [4, 2, 1]
    table.play("bmx_artist")
    assert (table.hearts, table.lead_changes) == ([4, 4, 1], 0)
    table.play("street_painter")
    assert (table.hearts, table.lead_changes) == ([4, 4, 4], 0)
    assert table.ahead == 0


@uncompiled
def test_the_lead_changes_by_theft():
    table = Table(seat("juggler"), seat("juggler"), turn=0)
    table.play("juggler")
    assert (table.ahead, table.lead_changes) == (0, 0)
    table.play("juggler")
    assert (table.ahead, table.lead_changes) == (1, 1)


# The cards table


@uncompiled
def test_cards_of_a_game_told_in_advance():
    _, _, tables = outcome(3, BEATBOXERS, hearts=8)
    kinds = setup(3, components=BEATBOXERS).kinds
    assert len(tables["cards"]) == 3 * len(kinds)
    found = {(r["seat"], kinds[r["card"]]): r for r in map(_named, tables["cards"])}
    # seat: held (a hand of one, refilled after each turn but the last), played, hearts, share
    for number, (held, done, hearts, share) in enumerate(
        [(2, 2, 3, 0.5), (2, 1, 2, 0.0), (2, 1, 3, 0.5)]
    ):
        assert found[number, "beatboxer"] == {
            "seat": number, "style": number, "card": 0, "games": 1, "held": held, "played": done,
            "games_held": 1, "games_played": 1, "wins": share, "wins_held": share,
            "wins_held_sq": share**2, "wins_played": share, "wins_played_sq": share**2,
            "played_by_winners": done if share else 0, "hearts": hearts,
        }  # fmt: skip
        rain = found[number, "rain"]
        assert (rain["games"], rain["wins"]) == (1, share)
        assert not any(
            rain[name] for name in rain if name not in ("seat", "card", "style", "games", "wins")
        )


def _named(record) -> dict:
    return dict(zip(record.dtype.names, record.tolist(), strict=True))


@uncompiled
def test_rotation_shares_a_deal_and_passes_the_styles_on():
    styles = [GAME.styles()[name] for name in ("greedy", "thief", "random")]
    made = setup(3, styles=styles, rotate=True)
    tables = played(made, 12)
    assert tables["games"]["game"].tolist() == list(range(12))
    at = tables["seats"]
    assert at["game"].tolist() == [game for game in range(12) for _ in range(3)]
    assert all(
        found["style"] == (found["seat"] + found["game"] % 3) % 3 for found in map(_named, at)
    )
    deals = [_order(log_of(made, game)) for game in range(12)]
    for game in range(12):
        assert deals[game] == deals[3 * (game // 3)]
    assert len({tuple(deal) for deal in deals}) == 4
    # an unrotated cell plays deal d as its game d
    alone = setup(3, styles=styles)
    assert [_order(log_of(alone, game)) for game in range(4)] == deals[::3]
    assert np.array_equal(log_of(alone, 2), log_of(made, 6))


def _order(log: np.ndarray) -> list[int]:
    return log[log[:, 0] == events.ORDER, 4].tolist()
