"""What is summed over the games of a shard: one function a theme, columns named in order.

Each returns [group, column, game]; a game that was cut off counts in none.
"""

import numpy as np

from sim.games.tag_city.analysis.blocks import Block, squares_of
from sim.games.tag_city.components import MAX_PLAYERS
from sim.metrics.drawn import drawn_sums
from sim.metrics.moments import share_scale
from sim.metrics.within import held, of_styles, regressed, seats_but_first, styles_but_first

MOST_LED, MOST_USED = 40, 12
"""So many rounds led, drones or checks, or more, are told together."""
TENTHS = 15
"""A mean place in the draft this many tenths off the middle, or more, is told with these."""
SEAT = ("seats", "led", "place", "rounds", "score")
"""Of each seat; `place` is its mean place in the draft."""
GAME = ("games", "unequal", "rounds")
LAYER = ("seats", "points", "squares", "large_points", "done", "done_squares", "larges", "of")
"""Of a layer: points, and squares that belong to it, a seat each; `done` are elements completed
and `of` those there were."""
ELEMENT = (
    *("games", "seats", "points", "squares", "done", "larges", "taken", "round", "last_die"),
    *("shared", "contested", "large_wins", "large", "small", "done_squares"),
)
"""Of an element; `taken` are games in which somebody circled its large value, `contested` those in
which two seats or more completed it, `large_wins` the win shares of those who took it."""
END = ("games", "rounds", "score", "seats")
USED = (
    *("seats", "drones", "drone_points", "checks", "bubbles", "bubble_points", "holes"),
    *("squares", "free", "drawings", "last_points", "flyers", "checkers"),
)
"""Of all seats, then of each style; `flyers` used a drone, `checkers` checked."""
TIES = ("games", "level", "broken")
"""`level` games had the two best scores equal, in `broken` ones bubbles decided."""
RING = ("score", "rounds", "squares", "holes")
"""What shapes of a ring are held against; means of a seat but for rounds."""
SQUARE = ("seats", "painted", "round")
"""Of a square; `round` sums those in which it was painted."""
BY_ROUNDS = (3, 6, 9)
"""The map is shown after these rounds and at the end."""


def seats(block: Block) -> np.ndarray:
    """Return `SEAT` for each of `MAX_PLAYERS` seats."""
    found = block.seats
    rounds = np.broadcast_to(block.games["rounds"][:, None], block.wins.shape)
    columns = np.stack(
        [
            np.ones_like(block.wins),
            found["turns_led"],
            found["draft_place"],
            rounds,
            found["score"],
        ]
    )
    values = np.zeros((MAX_PLAYERS, *columns.shape[:2]))
    values[: block.players] = columns.transpose(2, 0, 1)
    return values * block.ended


def games(block: Block) -> np.ndarray:
    """Return `GAME` as one group."""
    led = block.seats["turns_led"]
    unequal = led.max(1) > led.min(1)
    return np.stack([np.ones(len(led)), unequal, block.games["rounds"]])[None] * block.ended


def times_led(block: Block) -> np.ndarray:
    """Return `HELD` by rounds led."""
    return held(block, np.minimum(block.seats["turns_led"], MOST_LED), MOST_LED + 1)


def led_against(block: Block) -> np.ndarray:
    """Return `HELD` of seats that led less than others, as often as all, and more than others."""
    led = block.seats["turns_led"]
    low, high = led.min(1, keepdims=True), led.max(1, keepdims=True)
    return held(block, np.where(low == high, 1, np.where(led == high, 2, 0)), 3)


def places(block: Block) -> np.ndarray:
    """Return `HELD` by mean place in the draft, in tenths off the middle."""
    off = np.rint(10 * (block.seats["draft_place"] - (block.players + 1) / 2))
    return held(block, np.clip(off, -TENTHS, TENTHS) + TENTHS, 2 * TENTHS + 1)


def leading(block: Block) -> np.ndarray:
    """Return regressions on rounds led, mean place in the draft, seats and styles but the first."""
    x = [block.seats["turns_led"], block.seats["draft_place"], *seats_but_first(block)]
    return regressed(block, [*x, *styles_but_first(block, block.names.styles)])


def leading_alone(block: Block) -> np.ndarray:
    """Return regressions on rounds led alone."""
    return regressed(block, [block.seats["turns_led"]])


def using(block: Block) -> np.ndarray:
    """Return regressions on drones used, checks made, and styles but the first."""
    x = [block.seats["drones"], block.seats["checks"]]
    return regressed(block, [*x, *styles_but_first(block, block.names.styles)])


def layers(block: Block) -> np.ndarray:
    """Return `LAYER` for each layer."""
    parts = elements(block)
    at = {name: number for number, name in enumerate(ELEMENT)}
    found, here = block.elements, block.elements["element"][0]
    values = np.zeros((len(block.names.layers), len(LAYER), len(block.ended)))
    for code in range(len(block.names.layers)):
        own = parts[here[found["layer"][0] == code]]
        column = {name: own[:, number].sum(0) for name, number in at.items()}
        large = (own[:, at["larges"]] * own[:, at["large"]]).sum(0)
        values[code] = np.stack(
            [
                block.players * block.ended,
                column["points"],
                column["squares"],
                large,
                column["done"],
                column["done_squares"],
                column["larges"],
                column["seats"],
            ]
        )
    return values


def elements(block: Block) -> np.ndarray:
    """Return `ELEMENT` for each element."""
    found = block.elements
    larges, smalls = found["large_takers"], found["small_takers"]
    done, ones = larges + smalls, np.ones_like(larges)
    columns = (
        ones,
        block.players * ones,
        larges * found["large"] + smalls * found["small"],
        found["squares"] * block.players,
        done,
        larges,
        larges > 0,
        found["large_round"],
        found["large_last_die"],
        larges > 1,
        done > 1,
        np.rint(found["large_win_share"] * share_scale(block.players)),
        found["large"],
        found["small"],
        done * found["squares"],
    )
    values = np.zeros((len(block.names.elements), len(ELEMENT), len(block.ended)))
    values[found["element"][0]] = np.stack([part.T for part in columns], axis=1)
    return values * block.ended


def joint(of_layers: np.ndarray) -> np.ndarray:
    """Return `LAYER` of all layers as one group, layers slowest."""
    return of_layers.reshape(1, -1, of_layers.shape[-1])


def ends(block: Block) -> np.ndarray:
    """Return `END` for each end reason."""
    those = block.games["end_reason"] == np.arange(len(block.names.ends))[:, None]
    score = block.seats["score"].sum(1)
    ones = np.ones_like(score)
    columns = np.stack([ones, block.games["rounds"], score, block.players * ones])
    return those[:, None] * columns * block.ended


def used(block: Block) -> np.ndarray:
    """Return `USED` for all seats, then for each style."""
    found = block.seats
    counted = [found[name] for name in USED[1:8]]
    free = squares_of(block.cell) - found["squares"]
    columns = (
        np.ones_like(block.wins),
        *counted,
        free,
        found["drawings"],
        found["last_points"],
        found["drones"] > 0,
        found["checks"] > 0,
    )
    return of_styles(block, np.stack(columns), len(block.names.styles))


def by_drones(block: Block) -> np.ndarray:
    """Return `HELD` by drones used."""
    return held(block, np.minimum(block.seats["drones"], MOST_USED), MOST_USED + 1)


def by_checks(block: Block) -> np.ndarray:
    """Return `HELD` by checks made, free ones too."""
    return held(block, np.minimum(block.seats["checks"], MOST_USED), MOST_USED + 1)


def ties(block: Block) -> np.ndarray:
    """Return `TIES` as one group."""
    level = block.games["margin"] == 0
    broken = level & (block.games["tied"] == 0)
    return np.stack([np.ones(len(level)), level, broken])[None] * block.ended


def rings(block: Block) -> np.ndarray:
    """Return what regressions on the shapes of the ring need, a group for each of `RING`."""
    there = (block.ring[:, :, None] == np.arange(len(block.names.shapes))).any(1)
    outcomes = [
        block.games["rounds"] if name == "rounds" else block.seats[name].mean(1) for name in RING
    ]
    return drawn_sums(there, outcomes) * block.ended


def ring_is_drawn(block: Block) -> bool:
    """Tell whether the shapes on the ring differ from game to game."""
    return bool(block.cell.rulings["hq"] == "B")


def map_squares(block: Block) -> np.ndarray:
    """Return `SQUARE` for each square at the end, then after each of `BY_ROUNDS`.

    A game that is over by then counts as it stood at its end.
    """
    number, ended = block.squares["round"], block.ended[block.squares["at"]]
    values = np.zeros((1 + len(BY_ROUNDS), block.names.squares, len(SQUARE), len(number)))
    for at, last in enumerate((np.inf, *BY_ROUNDS)):
        painted = (number > 0) & (number <= last)
        columns = (np.ones_like(number), painted, number * painted)
        own = np.stack([column.sum(1) for column in columns])
        values[at, : own.shape[-1]] = own.transpose(2, 0, 1)
    # a shard may keep no game: no -1 among the dimensions
    groups = values.shape[0] * values.shape[1]
    return values.reshape(groups, len(SQUARE), len(number)) * ended
