"""The figures of Pig: as published, as worked out exactly, and as played.

Published: the first of two optimal players wins 53.06 % (Neller and Presser 2004, UMAP Journal
25(1)); the first of two who hold at 20 or the goal wins 53.47 %, the outcomes of a turn that holds
at 20, and the turns that holding so takes to 100 points (T. W. Neller, exercises with Pig, Nifty
Assignments 2010).
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from pig import GAME, events, optimum
from sim.conformance import play, set_up

STYLES = GAME.styles()
OPTIMAL = optimum.solve()[1]
POLICIES = {
    "optimal": OPTIMAL,
    "hold_at_20": optimum.hold_at(20),
    "hold_at_25": optimum.hold_at(25),
    "keep_pace": optimum.keep_pace(),
}
PAIRS = [(one, two) for one in POLICIES for two in POLICIES]


@cache
def exact(one, two):
    """Return the chance that the first player wins, by the names of both."""
    return optimum.first_wins(POLICIES[one], POLICIES[two])


OUTCOMES = {
    0: 0.624541,
    20: 0.099713,
    21: 0.094991,
    22: 0.074189,
    23: 0.054196,
    24: 0.035198,
    25: 0.017173,
}
"""Published: the points of a turn that holds at 20."""


def test_the_published_chances():
    assert optimum.solve()[0][0, 0] == pytest.approx(0.5306, abs=5e-5)
    assert exact("optimal", "optimal") == pytest.approx(0.5306, abs=5e-5)
    assert exact("hold_at_20", "hold_at_20") == pytest.approx(0.5347, abs=5e-5)


def test_the_published_turn():
    outcomes = optimum.turn_outcomes(20)
    assert outcomes.keys() == OUTCOMES.keys()
    for points, chance in OUTCOMES.items():
        assert outcomes[points] == pytest.approx(chance, abs=5e-7)
    assert sum(outcomes.values()) == pytest.approx(1)


def test_the_published_number_of_turns():
    """Alone, from 0 to 100 points; the published number is itself a mean of a million games."""
    turns = np.zeros(100 + 26)
    for points in range(99, -1, -1):
        outcomes = optimum.turn_outcomes(min(20, 100 - points))
        more = sum(chance * turns[points + held] for held, chance in outcomes.items() if held)
        turns[points] = (1 + more) / (1 - outcomes[0])
    assert turns[0] == pytest.approx(12.634906, abs=0.025)


def test_twenty_gives_most_points_a_turn():
    """21 gives as many: a 6th of 20 points is what a roll gains on average."""
    means = {
        limit: sum(points * chance for points, chance in optimum.turn_outcomes(limit).items())
        for limit in range(10, 31)
    }
    assert means[20] == pytest.approx(8.1418, abs=5e-5)
    assert means[21] == pytest.approx(means[20])
    assert max(means.values()) == pytest.approx(means[20])


def test_the_solution_satisfies_its_equations():
    """The chance is the better of rolling and holding, in plain numpy."""
    chances, rolls_on = optimum.solve(30, 6)
    for mine in range(30):
        for theirs in range(30):
            after = np.ones(36)
            for total in range(29 - mine, -1, -1):
                roll = (1 - chances[theirs, mine] + after[total + 2 : total + 7].sum()) / 6
                hold = 1 - chances[theirs, mine + total] if total else 0
                after[total] = max(roll, hold)
                assert rolls_on[mine, theirs, total] == (roll > hold)
            assert after[0] == pytest.approx(chances[mine, theirs], abs=1e-9)


def test_nobody_does_better_than_optimal_play():
    best = exact("optimal", "optimal")
    for other in POLICIES:
        assert exact(other, "optimal") <= best + 1e-9
        assert exact("optimal", other) >= best - 1e-9


@pytest.mark.parametrize(("goal", "sides"), [(100, 6), (65, 4), (10, 8)])
def test_bits_are_the_policy(goal, sides):
    words = optimum.packed(goal, sides)
    bits = [words[:, :, k // 64] >> np.uint64(k % 64) & np.uint64(1) for k in range(goal)]
    assert (np.stack(bits, axis=2) == optimum.solve(goal, sides)[1]).all()


def test_the_style_plays_the_solution():
    """Every choice of a played game, looked up."""
    setup = set_up(GAME, 2, styles=[STYLES["optimal"]] * 2)
    for game in range(50):
        points, seen = [0, 0], 0
        for event, _, seat, a, total, _ in GAME.log(setup, 3, game):
            if event == events.HELD:
                assert points[seat] + a >= 100 or not OPTIMAL[points[seat], points[1 - seat], a]
                points[seat] += a
            elif event == events.ROLLED and a > 1 and total > a:
                assert OPTIMAL[points[seat], points[1 - seat], total - a]
                seen += 1
        assert seen


def first_wins(first, second, games, seed):
    """Return how many games the first of two players wins."""
    setup = set_up(GAME, 2, styles=[STYLES[first], STYLES[second]], sample=0.0)
    seats = play(GAME, setup, games, seed=seed)["seats"]
    return int(seats["win_share"][::2].sum())


def holds_in(games, pairs):
    """Hold played games against exact chances, all intervals together in 99.9 % of seeds."""
    for one, two in pairs:
        wins = first_wins(one, two, games, seed=53)
        assert binomtest(wins, games, exact(one, two)).pvalue > 0.001 / len(pairs), (one, two)


def test_played_games_agree_with_the_exact_chances():
    holds_in(20_000, [("optimal", "optimal"), ("optimal", "hold_at_20"), ("hold_at_20", "optimal")])


@pytest.mark.slow
def test_many_played_games_agree_with_the_exact_chances():
    """So many games know a chance to 0.1 points."""
    holds_in(250_000, PAIRS)


def test_played_turns_have_the_published_outcomes():
    """Of turns that begin far from the goal."""
    setup = set_up(GAME, 2, styles=[STYLES["hold_at_20"]] * 2)
    found = dict.fromkeys(OUTCOMES, 0)
    for game in range(400):
        log = GAME.log(setup, 8, game)
        for seat in (0, 1):
            points = 0
            for event, _, _, a, after, _ in log[log[:, 2] == seat]:
                if points > 74:
                    break
                if event == events.HELD:
                    found[a] += 1
                    points = after
                elif event == events.ROLLED and a == 1:
                    found[0] += 1
    counts = np.array(list(found.values()))
    due = np.array(list(OUTCOMES.values()))
    assert chisquare(counts, counts.sum() * due / due.sum()).pvalue > 0.001
