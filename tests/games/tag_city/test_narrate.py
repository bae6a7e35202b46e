"""The narration: games by hand told word for word, and games of chance told without slips."""

import re

import pytest

from sim.games.tag_city.boards import Rules
from sim.games.tag_city.narrate import narrate, several, side_by_side, tell_end, tell_round
from sim.games.tag_city.referee import replay

from .logs import (
    COMPONENTS,
    I4,
    O4,
    RULINGS,
    Log,
    bubbles_gone,
    duel,
    duel_by_order,
    random_log,
    with_city,
)

STYLES = ("greedy", "Row Racer", "random", "packer")


def told(log, boards=False):
    return list(narrate(log.replay(), STYLES, boards))


def test_a_game_in_short():
    assert told(duel()) == [
        "Tag City with 2 players: a city of 2 x 4 squares, 8 rows, columns and neighborhoods, "
        "3 dice.",
        "Rulings: hq A, city C, bubble_values -1, -1, -1, -1, -1, drone_values -1, -2, -3, -4, -5, "
        "last_die_tie share_large, first_leader seat0, round_cap 60.",
        "Space 0 of the HQ, for dice of 1 or 6: O4.",
        "Space 1 of the HQ, for dice of 1 or 2: I4.",
        "Space 2 of the HQ, for dice of 2 or 3: L4.",
        "Space 3 of the HQ, for dice of 3 or 4: S4.",
        "Space 4 of the HQ, for dice of 4 or 5: T4.",
        "Space 5 of the HQ, for dice of 5 or 6: P5.",
        "In its centre: I2, I3 and V3.",
        "",
        "Round 1: seat 0 (greedy) leads and rolls 3, 6, 1.",
        "  It puts a 1 on O4 (space 0), a 3 on L4 (space 2) and a 6 on O4 (space 0).",
        "  Seat 1 (Row Racer) takes the 1 from O4 (space 0) and paints O4 in rows 1-2, "
        "columns 1-2: completes column 1 (large value, 4), column 2 (large value, 4) and "
        "neighborhood A (large value, 10).",
        "  Seat 0 (greedy) takes the 6 from O4 (space 0) and paints O4 in rows 1-2, "
        "columns 3-4: completes column 3 (large value, 4), column 4 (large value, 4) and "
        "neighborhood B (large value, 10).",
        "  The last die, for all at once, is a 3 on L4 (space 2).",
        "  Seat 1 (Row Racer) draws O4 in rows 1-2, columns 3-4 by drone for -1 point: completes "
        "row 1 (large value, 6, shared), row 2 (large value, 6, shared), column 3 (small value, "
        "2), column 4 (small value, 2) and neighborhood B (small value, 5).",
        "  Seat 0 (greedy) draws O4 in rows 1-2, columns 1-2 by drone for -1 point: completes "
        "row 1 (large value, 6, shared), row 2 (large value, 6, shared), column 1 (small value, "
        "2), column 2 (small value, 2) and neighborhood A (small value, 5).",
        "  An end condition is met: all large values are gone. The round is finished.",
        "  Points: 0:38 1:38.",
        "",
        "The game is over after 1 round: all large values are gone.",
        "  1. seat 0 (greedy) and seat 1 (Row Racer): 38 points each",
        "Seat 0 (greedy) and seat 1 (Row Racer) share the win.",
    ]


def test_boards_after_each_round():
    lines = told(duel_by_order(), boards=True)
    at = lines.index("Round 1: seat 0 (greedy) leads and rolls 3, 6, 1.")
    assert lines[at - 8 : at] == [
        "O4   I4     L4   S4    T4    P5   I2   I3    V3",
        "##   ####   #     ##   ###   ##   ##   ###   #",
        "##          #    ##     #    ##              ##",
        "            ##               #",
        "",
        "On the boards a number is a drawing of the seat, in their order; a letter is a free "
        "square",
        "of that neighborhood; * and + mark what is circled: * its large value, + its small one.",
        "",
    ]
    at = lines.index("  Seat 0 (greedy): 38 points        Seat 1 (Row Racer): 32 points")
    assert lines[at - 1 : at + 6] == [
        "",
        "  Seat 0 (greedy): 38 points        Seat 1 (Row Racer): 32 points",
        "    2  2  1  1 *                      1  1  2  2 +",
        "    2  2  1  1 *                      1  1  2  2 +",
        "    +  +  *  *                        *  *  +  +",
        "  +A *B, drones 1 of 5, bubbles 0   *A +B, drones 1 of 5, bubbles 0",
        "",
    ]


def test_free_squares_show_their_neighborhood():
    lines = told(bubbles_gone(), boards=True)
    rows = [line.split("   ")[0] for line in lines if line.startswith("    a  a  a  a  a  a")]
    assert rows
    painted = [line for line in lines if "1  1  a  a  a  a  b  b  b  b  b  b" in line]
    assert len(painted) == 2


def test_checks():
    lines = told(bubbles_gone())
    assert (
        "  Seat 1 (Row Racer) takes the 1 from O4 (space 0) and checks its networks, circling "
        "bubble 0 for 0 points."
    ) in lines
    assert "  Seat 2 (random) checks its networks, circling bubble 2 for -1 point." in lines
    assert "  Seat 2 (random) checks its networks; no bubble is left." in lines
    assert "  An end condition is met: all bubbles are circled. The round is finished." in lines
    assert lines[-4:] == [
        "  1. seat 1 (Row Racer): -1 point",
        "  2. seat 2 (random): -2 points",
        "  3. seat 0 (greedy): -6 points",
        "Seat 1 (Row Racer) wins by 1 point.",
    ]


def test_a_tie_that_bubbles_break():
    log = Log(2, bubble_values=[0], drone_values=[0, 0]).round(0, *[(1, O4)] * 3)
    log.takes(1, 1, O4).checks(0, 0).met("bubbles").takes(0, 1, O4).checks()
    log.last(1, O4).by(1).checks().by(0).checks().ends("bubbles").scores((0, 2, 0), (0, 1, 1))
    assert tell_end(log.replay(), STYLES) == (
        "Seat 1 (Row Racer) wins the tie by checking its networks more often (1 to 0 bubbles)."
    )


def test_a_game_cut_off():
    lines = told(Log(2, bubble_values=[], drone_values=[]).passed_round().cut_off((0, 0), (0, 0)))
    assert "bubble_values none, drone_values none" in lines[1]
    assert lines[-4:] == [
        "The game is cut off by the round cap after 1 round.",
        "  seat 0 (greedy): 0 points",
        "  seat 1 (Row Racer): 0 points",
        "Nobody wins.",
    ]


def test_a_fixed_ring_is_told():
    ring = ("w5", "o4", "n5", "l5", "v5", "u5")
    log = Log(2, ring=ring, hq=list(ring), bubble_values=[]).passed_round()
    lines = told(log.cut_off((0, 0), (0, 0)))
    assert "hq fixed" in lines[1]
    assert lines[2] == "Space 0 of the HQ, for dice of 1 or 6: W5."


def test_a_round_in_sentences():
    assert tell_round(bubbles_gone().replay(), 2) == [
        "Seat 2 takes the 1 from O4 (space 0) and paints O4 in rows 1-2, columns 1-2.",
        "Seat 0 takes the 1 from O4 (space 0) and checks its networks, circling bubble 3 for "
        "-2 points.",
        "Seat 1 takes the 1 from O4 (space 0) and checks its networks; no bubble is left.",
        "The last die is a 1 on O4 (space 0).",
        "Seat 2 checks its networks; no bubble is left.",
        "Seat 0 checks its networks; no bubble is left.",
        "Seat 1 checks its networks; no bubble is left.",
    ]


def test_blocks_side_by_side():
    blocks = [["ab", "c"], ["d"], ["efgh"]]
    assert side_by_side(blocks, width=8, gap=1) == ["ab d", "c", "", "efgh"]
    assert side_by_side(blocks, width=9, gap=1) == ["ab d efgh", "c"]
    assert side_by_side(blocks[2:], width=1) == ["efgh"]


def test_several():
    assert several(["a"]) == "a"
    assert several("abc") == "a, b and c"


def test_numbers_of_many_drawings_stay_apart():
    components = with_city("\n".join(["A" * 11] * 11))
    rulings = {"city": "C", "hq": ["o4", "i4", "l4", "s4", "t4", "p5"], "drone_values": [0] * 12}
    components["ring_shapes"]["tokens"]["i4"] = {"title": "I1", "drawing": "#"}
    log = Log(2, components=components, bubble_values=[], **rulings)
    squares = [f"{row}:{column}" for row in range(1, 11) for column in range(1, 11)]
    for number in range(50):
        log.round(number % 2, *[(1, I4)] * 3)
        for seat in (1 - number % 2, number % 2):
            log.takes(seat, 1, I4).paints("i4", squares[2 * number])
        log.last(1, I4)
        for seat in (1 - number % 2, number % 2):
            log.by(seat).paints("i4", squares[2 * number + 1])
    lines = told(log.cut_off((0, 0), (0, 0)), boards=True)
    assert any("  99 100   a" in line for line in lines)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_random_games_are_told_without_slips(players, seed):
    rulings = {"hq": "B", "city": "B"} if seed % 2 else {}
    log, _ = random_log(players, seed, **rulings)
    seen = replay(log, COMPONENTS, RULINGS | rulings, players)
    lines = list(narrate(seen, STYLES))
    rounds = seen.events[-1].rounds
    assert sum(line.startswith("Round ") for line in lines) == rounds
    assert sum(bool(re.match(r"  Seat \d .* takes the \d", line)) for line in lines) == (
        rounds * players
    )
    rules = Rules.read(COMPONENTS, RULINGS | rulings)
    for line in lines:
        assert "\n" not in line
        assert line == line.rstrip()
        assert not re.search(r"\bNone\b|frozenset|  \.|\b1 points|--", line)
        if line.startswith("  ") and "drones" in line and "of 5" in line:
            assert len(line) <= 100
    last = [line for line in lines if re.match(r"  Seat \d \([^)]*\): ", line)][-players // 2 :]
    assert last
    assert rules.rows == 8
