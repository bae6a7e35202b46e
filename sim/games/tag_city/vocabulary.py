"""Tag City's names: features, columns, rulings; plain data that needs no compiler."""

from sim.games.game import Column, Feature, Ruling
from sim.games.tag_city.events import SPACES
from sim.players import Style

FEATURES = (
    Feature("large_points", "points of the large values that the drawing wins now"),
    Feature("small_points", "points of the small values that the drawing wins now"),
    Feature(
        "row_progress",
        "in rows: value times the growth of (painted / squares) squared; the value is the large "
        "one while it is free, then the small one",
    ),
    Feature("column_progress", "the same in columns"),
    Feature("neighborhood_progress", "the same in neighborhoods"),
    Feature(
        "races_led",
        "elements whose large value is free in which I pull ahead of every rival by squares "
        "painted: the sum of large minus small",
    ),
    Feature("squares", "squares painted"),
    Feature(
        "holes",
        "growth of the number of my free squares that no ring shape of this game can cover any "
        "more",
    ),
    Feature("perimeter", "growth of the edge of my free area, in sides of a square"),
    Feature("drone", "1 if a drone is used"),
    Feature("drone_points", "value of the slot that is circled on the remote (negative: a cost)"),
    Feature("check", "1 if the networks are checked"),
    Feature("bubble_points", "value of the bubble that is circled (negative: a cost)"),
    Feature(
        "last_die_mine",
        "while drafting: mean over the dice left of what their shape is worth to me before I "
        "paint: one of them will be the last die",
    ),
    Feature("last_die_rivals", "the same, mean over the rivals"),
    Feature(
        "denied",
        "while drafting: mean over the rivals still to draft of what the die is worth to them "
        "above the best of the dice left",
    ),
    Feature("ends_game", "1 if an end condition is first met by the action"),
    Feature(
        "ends_ahead",
        "if an end condition is first met: 1 when no rival has more points than I then, else -1",
    ),
    Feature("side_mine", "as leader: what the shape of the space is worth to me"),
    Feature("side_rivals", "as leader: what it is worth to the rivals, their mean"),
    Feature("side_dice", "as leader: dice that lie on the space already"),
)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)
JUDGE = Style(
    name="judge",
    weights={
        "large_points": 1.0,
        "small_points": 1.0,
        "row_progress": 1.0,
        "column_progress": 1.0,
        "neighborhood_progress": 1.0,
    },
)
"""What a shape is worth to a seat is the value of its best drawing to this style, 0 without one."""

GAME_COLUMNS = (
    *(
        Column(
            f"ring_{space}",
            f"Shape on space {space}",
            f"the shape on space {space} of the HQ",
            "u1",
            coded=True,
            key=True,
        )
        for space in range(SPACES)
    ),
    Column("large_left", "Large values left", "large values that nobody circled", "u1"),
    Column("bubbles_left", "Bubbles left", "bubbles that nobody circled", "u1"),
    Column("drawings", "Drawings", "drawings of all seats", "u2"),
    Column("drones", "Drones used", "drones used by all seats", "u2"),
    Column("checks", "Checks", "times that a seat checked its networks, free or not", "u2"),
    Column("shared_larges", "Large values shared", "large values won by several at once", "u1"),
)
SEAT_COLUMNS = (
    Column("row_large", "Rows, large", "points of large row values", "i4", score_part=True),
    Column("row_small", "Rows, small", "points of small row values", "i4", score_part=True),
    Column("column_large", "Columns, large", "points of large ones", "i4", score_part=True),
    Column("column_small", "Columns, small", "points of small ones", "i4", score_part=True),
    Column(
        "neighborhood_large", "Neighborhoods, large", "points of large ones", "i4", score_part=True
    ),
    Column(
        "neighborhood_small", "Neighborhoods, small", "points of small ones", "i4", score_part=True
    ),
    Column("drone_points", "Drone points", "values circled on the remote", "i4", score_part=True),
    Column("bubble_points", "Bubble points", "values of bubbles circled", "i4", score_part=True),
    Column("rows", "Rows completed", "rows completed", "u1"),
    Column("columns", "Columns completed", "columns completed", "u1"),
    Column("neighborhoods", "Neighborhoods completed", "neighborhoods completed", "u1"),
    Column("larges", "Large values", "large values circled, shared ones too", "u1"),
    Column("squares", "Squares painted", "squares painted", "u1"),
    Column("holes", "Holes", "free squares at the end that no ring shape can cover", "u1"),
    Column("drawings", "Drawings", "drawings made, drones' too", "u1"),
    Column("drones", "Drones used", "drones used", "u1"),
    Column("bubbles", "Bubbles circled", "bubbles circled by the seat; breaks ties", "u1"),
    Column("checks", "Checks", "times that it checked its networks, free or not", "u2"),
    Column("last_points", "Last-die points", "points of elements completed with last dice", "i4"),
    Column("turns_led", "Rounds led", "rounds in which the seat was the leader", "u1"),
    Column("drafted_first", "Drafted first", "rounds in which it took the first die", "u1"),
    Column("draft_place", "Place in the draft", "mean place in the draft; 1 is first", "f4"),
)
ELEMENT_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("element", "Element", "row, column or neighborhood", "u1", coded=True),
    Column("layer", "Layer", "kind of element", "u1", coded=True),
    Column("squares", "Squares", "squares of the element", "u1"),
    Column("large", "Large value", "what the first to complete it gets", "i2"),
    Column("small", "Small value", "what later ones get", "i2"),
    Column("large_taker", "Large taker", "who circled the large value", "u1", coded=True),
    Column("large_takers", "Large takers", "seats that circled the large value", "u1"),
    Column("large_round", "Round", "round in which it was circled, from 1; 0 if never", "u1"),
    Column("large_last_die", "By last die", "it was circled with the last die", "?"),
    Column("small_takers", "Small takers", "seats that circled the small value", "u1"),
    Column("large_win_share", "Win share", "sum of the win shares of the seats that took it", "f4"),
)
SHAPE_COLUMNS = (
    Column("shape", "Shape", "shape", "u1", coded=True),
    Column("games", "Games", "games that ended by rule in which it lay on the HQ", "u4"),
    Column("dice", "Dice", "dice that leaders put on it", "u4"),
    Column("drafted", "Drafted", "dice on it taken in the draft", "u4"),
    Column("last", "Last dice", "rounds in which the last die lay on it", "u4"),
    Column("uses", "Uses", "times that a seat held a die of it, last dice for each seat", "u4"),
    Column("no_room", "No room", "uses when the shape fitted nowhere in the seat's city", "u4"),
    Column("painted", "Painted", "drawings by the die", "u4"),
    Column("flown", "By drone", "drawings by drone", "u4"),
    Column("points", "Points", "points of elements completed by its drawings", "i8"),
)
SQUARE_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("square", "Square", "number of the square, row by row from 0", "u1"),
    Column("row", "Row", "row of the square, from 0 at the top", "u1"),
    Column("column", "Column", "column of the square, from 0 at the left", "u1"),
    Column("round", "Round", "round in which it was painted, from 1; 0 if never", "u1"),
    Column("shape", "Shape", "shape that covers it", "u1", coded=True),
    Column("drawing", "Drawing", "the seat's drawings in order, from 1; 0 if free", "u1"),
)

RULINGS = (
    Ruling(
        "hq",
        ("A", "B", "a list of six shapes such as ['o4', 'i4', 'l4', 's4', 't4', 'p5']"),
        "A",
        "shapes on spaces 0 to 5: side A's (components.hq), six of the ring stock drawn anew for "
        "each game, or always these six",
        "assumed",
    ),
    Ruling(
        "city",
        ("A", "B", "the name of any city in components.cities"),
        "A",
        "side of the city boards",
        "rulebook",
    ),
    Ruling(
        "bubble_values",
        (
            "[-1, -1, -1, -1, -1]",
            "[0, -1, -1, -2, -3]",
            "[0, 0, 0, 0, 0]",
            "any list",
        ),
        "[-1, -1, -1, -1, -1]",
        "what the bubbles are worth (up to 12 numbers, -1000 to 1000); where they differ a passer "
        "picks any that is left",
        "assumed",
    ),
    Ruling(
        "drone_values",
        ("[-1, -2, -3, -4, -5]", "any list"),
        "[-1, -2, -3, -4, -5]",
        "what the slots of a remote are worth (up to 12 numbers, -1000 to 1000), in order",
        "assumed",
    ),
    Ruling(
        "last_die_tie",
        ("share_large", "leader_first"),
        "share_large",
        "several complete the same element with the last die: all get the large value; or the "
        "first of them does, counted from the leader",
        "rulebook",
    ),
    Ruling(
        "first_leader",
        ("seat0", "random"),
        "seat0",
        "who leads the first round",
        "assumed",
    ),
    Ruling(
        "round_cap",
        ("60", "any whole number from 1 to 250"),
        "60",
        "a game of so many rounds is stopped, marked truncated, counted and never scored",
        "assumed",
    ),
)
