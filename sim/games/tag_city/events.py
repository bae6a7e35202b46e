"""The event log of Tag City: int32 rows (event, round, seat, a, b, c), -1 where unused.

`round` counts the rounds completed before; the set-up has round -1. Codes that rules and referee
share. A drawing is its row (PAINT or DRONE) and one SQUARE row for each of its squares, ascending.
"""

RING = 0
"""The shape on a space of the HQ: a = space (0..5), b = shape."""
LEADER = 1
"""A round begins: `seat` is its leader."""
ROLL = 2
"""A die as rolled: a = position in the roll, b = value (1..6)."""
PLACE = 3
"""The leader puts a die between two spaces on one of them: a = value, b = space."""
TAKE = 4
"""`seat` takes a die from the HQ: a = value, b = space."""
LAST = 5
"""The die that is left, used by all: a = value, b = space."""
PAINT = 6
"""`seat` draws the shape of the die: a = shape."""
DRONE = 7
"""`seat` draws any shape of the HQ: a = shape, b = slot of the remote (0..), c = its value."""
CHECK = 8
"""`seat` checks its networks: a = bubble (0..) and b = its value; a = -1, b = 0 if none is left."""
SQUARE = 9
"""A square that the drawing covers: a = square."""
CIRCLE = 10
"""`seat` completes an element: a = element, b = 1 if it circles the large value, c = points."""
MET = 11
"""An end condition is met: a = code of the end reason."""
END = 12
"""The game is over: a = code of the end reason."""
SCORE = 13
"""a = score, b = rank (1 is best, ties share it, 0 in a truncated game), c = bubbles circled."""

END_REASONS = ("large_values", "bubbles", "drones", "round_cap")
LARGE_VALUES, BUBBLES, DRONES, ROUND_CAP = range(4)

SPACES = 6
"""Spaces of the HQ's ring; a die of value v lies on space v - 1 or on space v mod 6."""

LAYERS = ("row", "column", "neighborhood")
ROW, COLUMN, NEIGHBORHOOD = range(3)

ACTIONS = ("paint", "drone", "check")
