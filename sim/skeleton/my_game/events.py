"""The event log of My Game: int32 rows (event, turn, seat, a, b, c), -1 where unused.

`turn` counts the turns completed before. Codes that rules and referee share.
"""

MOVE = 0
"""A turn: a = act, b = the die or -1 for a walk, c = steps gone."""
END = 1
"""a = code of the end reason."""
SCORE = 2
"""a = steps, b = rank (1 is best, ties share it, 0 in a truncated game)."""

ACTS = ("walk", "run")
WALK, RUN = 0, 1
END_REASONS = ("track_end", "turn_cap")
TRACK_END, TURN_CAP = 0, 1
