"""Pig for two solved, and the exact chances of any way of playing against any other.

T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, UMAP Journal 25(1), 2004,
25-47: value iteration. `python -m pig.optimum` prints the figures.

A policy is a table, bool [own points, the other's points, points of the turn]: whether to roll on,
as every turn does from 0. Who can hold and win does. A chance is that of the player to move.
"""

from functools import cache

import numpy as np

from sim.compiled import kernel, rule

CLOSE = 1e-12
"""Sweeps end when no chance changes by more."""


@rule
def chance_to_roll(after, total, sides, bust):
    """Return the chance of winning by a roll; `after` are those by points of the turn."""
    chance = bust
    for die in range(2, sides + 1):
        chance += after[total + die]
    return chance / sides


@kernel
def sweep(chances, others, rolls_on, sides, improve):
    """Work out `chances`, float64 [own, other], once more by `rolls_on`; return the largest change.

    `others` are the chances of the other player when that one has the move. With `improve` the
    policy becomes the best one against these. The points of a turn only grow, so a sweep is exact
    in them; scores wait for the next sweep.
    """
    goal = len(chances)
    change = 0.0
    for mine in range(goal - 1, -1, -1):
        for theirs in range(goal - 1, -1, -1):
            bust = 1.0 - others[theirs, mine]
            after = np.ones(goal - mine + sides)
            for total in range(goal - mine - 1, -1, -1):
                roll = chance_to_roll(after, total, sides, bust)
                hold = 1.0 - others[theirs, mine + total]
                if improve:
                    rolls_on[mine, theirs, total] = total == 0 or roll > hold
                after[total] = roll if rolls_on[mine, theirs, total] else hold
            change = max(change, abs(after[0] - chances[mine, theirs]))
            chances[mine, theirs] = after[0]
    return change


@cache
def solve(goal: int = 100, sides: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances of optimal players at the start of a turn, and their policy."""
    chances = np.zeros((goal, goal))
    rolls_on = np.zeros((goal, goal, goal), bool)
    while sweep(chances, chances, rolls_on, sides, True) > CLOSE:
        pass
    return chances, rolls_on


def first_wins(first: np.ndarray, second: np.ndarray, sides: int = 6) -> float:
    """Return the chance that the first player wins, by the policies of both."""
    goal = len(first)
    one, two = np.zeros((goal, goal)), np.zeros((goal, goal))
    change = 1.0
    while change > CLOSE:
        change = sweep(one, two, first, sides, False)
        change = max(change, sweep(two, one, second, sides, False))
    return float(one[0, 0])


def hold_at(limit: int, goal: int = 100) -> np.ndarray:
    """Return the policy that holds at so many points of a turn."""
    return np.broadcast_to(np.arange(goal) < limit, (goal, goal, goal)).copy()


def keep_pace(goal: int = 100) -> np.ndarray:
    """Return "keep pace and end race" (Neller and Presser 2010, UMAP Journal 31(1), 5-19)."""
    mine, theirs, total = np.indices((goal, goal, goal))
    limit = 21 + np.floor((theirs - mine) / 8 + 0.5)
    return (np.maximum(mine, theirs) >= goal - 29) | (total < limit)


def turn_outcomes(limit: int, sides: int = 6) -> dict[int, float]:
    """Return the chance of each number of points of a turn that holds at `limit`."""
    reached = np.zeros(limit + sides)
    reached[0] = 1.0
    lost = 0.0
    for total in range(limit):
        part = reached[total] / sides
        lost += part
        reached[total + 2 : total + sides + 1] += part
    ends = {total: float(reached[total]) for total in range(limit, limit + sides)}
    return {0: lost} | {total: chance for total, chance in ends.items() if chance > 0}


@cache
def packed(goal: int, sides: int) -> np.ndarray:
    """Return the optimal policy as bits, uint64 [own, other, word]; bit k is 1 to roll on at k."""
    policy = solve(goal, sides)[1].astype(np.uint64)
    words = np.zeros((goal, goal, -(-goal // 64)), np.uint64)
    for total in range(goal):
        words[:, :, total // 64] |= policy[:, :, total] << np.uint64(total % 64)
    return words


def main() -> None:
    """Print the exact figures of Pig."""
    best = solve()[1]
    players = {"optimal": best, "hold at 20": hold_at(20), "hold at 25": hold_at(25)}
    players["keep pace"] = keep_pace()
    print("Chance that the first player wins, in %")
    for name, policy in players.items():
        against = ", ".join(
            f"{100 * first_wins(policy, other):.2f} against {who}" for who, other in players.items()
        )
        print(f"  {name}: {against}")
    outcomes = turn_outcomes(20)
    mean = sum(points * chance for points, chance in outcomes.items())
    print(f"A turn that holds at 20 has {mean:.4f} points on average")
    for points, chance in outcomes.items():
        print(f"  {points}: {chance:.6f}")


if __name__ == "__main__":
    main()
