"""The event log of Pig: int32 rows (event, turn, seat, a, b, c), -1 where unused.

`turn` counts the turns completed before. Codes that rules and referee share.
"""

ROLLED = 0
"""A roll: a = the die, b = points of the turn after it, 0 on a 1."""
HELD = 1
"""The end of a turn by choice: a = points of the turn, b = the seat's points with them."""
END = 2
"""a = code of the end reason."""
SCORE = 3
"""a = points, b = rank (1 is best, ties share it, 0 in a truncated game)."""

ACTS = ("roll", "hold")
ROLL, HOLD = 0, 1
END_REASONS = ("goal_reached", "turn_cap")
GOAL_REACHED, TURN_CAP = 0, 1
