"""What is summed over the games of a shard: one function a theme, columns named in order.

Each returns [group, column, game]; a game that was cut off counts in none but `rounds`.
"""

from typing import Any

import numpy as np

from sim.games.wildstyle.analysis.blocks import TIE_BREAK, Block
from sim.metrics.moments import share_scale
from sim.metrics.rescored import deciding, shares_with
from sim.metrics.totals import squares
from sim.metrics.within import centred, of_styles

SIDE = (
    *("games", "seats", "points", "completed", "tags", "lost", "possible", "score"),
    *("decides", "worth", "steeper"),
)
"""Of a side in play: `worth` is win shares that seats owe to their points with it, `steeper` the
win shares between one point less and one more for a seat; both in parts of `share_scale`."""
JOINT = ("seats", "points", "worth", "steeper")
"""These columns again, side after side, for what compares sides."""
STYLE_SIDE = ("seats", "points", "completed")
SET = ("games", "seats", "points", "spread", "tied", "margin")
"""Of a set of tiles: `points` with tiles, `spread` their variance between the seats of a game."""
GAME = ("games", "seats", "steeper", "full")
COUNTED = ("placed", "lost_to_cars", "lost_solo", "cop_cars", "acts", "fumbles", "waits")
SEAT = ("seats", *COUNTED, "landed")
"""`landed` are acts and fumbles."""
CARS = ("seats", "wins", "of")
MOST_CARS = 6
"""So many cop cars or more are told together."""
ALONE = ("games", "wins")
TEMPO = ("seats", "wins")
ROUND = ("rounds", "seconds", "acts", "fumbles", "rushed", "landed")
"""Then a column for each way to end."""
HEX = ("games", "tagged")
ICON = ("tags", "those")
"""All tags placed, and those on the icon."""


def sides(block: Block) -> np.ndarray:
    """Return `SIDE` for each side."""
    tiles, score = block.tiles, block.seats["score"]
    worth = block.wins[:, :, None] - shares_with(block.standing, -TIE_BREAK * tiles["points"])
    values = np.zeros((len(block.names.sides), len(SIDE), len(block.ended)))
    games = np.arange(len(block.ended))
    for tile in range(tiles["side"].shape[2]):
        points = tiles["points"][:, :, tile]
        columns = (
            np.ones(len(games)),
            np.full(len(games), block.players),
            points.sum(1),
            tiles["completed"][:, :, tile].sum(1),
            tiles["tags"][:, :, tile].sum(1),
            (tiles["before"][:, :, tile] - points).sum(1),
            tiles["possible"][:, :, tile].sum(1),
            score.sum(1),
            deciding(block.standing, TIE_BREAK * points),
            worth[:, :, tile].sum(1),
            block.steeper,
        )
        values[tiles["side"][:, 0, tile], :, games] = np.stack(columns, axis=1)
    return values * block.ended


def joint(of_sides: np.ndarray) -> np.ndarray:
    """Return `JOINT` from the sums of `sides`, as one group."""
    picked = of_sides[:, [SIDE.index(name) for name in JOINT]]
    return picked.transpose(1, 0, 2).reshape(1, -1, of_sides.shape[-1])


def style_sides(block: Block) -> np.ndarray:
    """Return `STYLE_SIDE` for each style and side, sides fastest."""
    tiles, styles = block.tiles, block.seats["style"]
    many = len(block.names.sides)
    values = np.zeros((len(block.names.styles) * many, len(STYLE_SIDE), len(block.ended)))
    games = np.arange(len(block.ended))
    for seat in range(block.players):
        for tile in range(tiles["side"].shape[2]):
            group = styles[:, seat] * many + tiles["side"][:, seat, tile]
            columns = (
                np.ones(len(games)),
                tiles["points"][:, seat, tile],
                tiles["completed"][:, seat, tile],
            )
            values[group, :, games] += np.stack(columns, axis=1)
    return values * block.ended


def gains(block: Block) -> np.ndarray:
    """Return for each side what two regressions of win shares need (`squares`).

    The first is on 1 and "completed"; the second, all centred within the game, on "completed" and
    the points with the other tiles.
    """
    tiles = block.tiles
    won = block.wins / share_scale(block.players)
    total = tiles["points"].sum(2)
    values = np.zeros((len(block.names.sides), 12, len(block.ended)))
    games = np.arange(len(block.ended))
    for tile in range(tiles["side"].shape[2]):
        completed = tiles["completed"][:, :, tile].astype(float)
        others = (total - tiles["points"][:, :, tile]).astype(float)
        plain = squares(np.stack([np.ones_like(completed), completed]), won)
        x = np.stack([centred(completed), centred(others)])
        adjusted = squares(x, centred(won))
        values[tiles["side"][:, 0, tile], :, games] = np.concatenate([plain, adjusted]).T
    return values * block.ended


def sets(block: Block) -> np.ndarray:
    """Return `SET` of each game, [column, game]."""
    total = block.tiles["points"].sum(2)
    columns = (
        np.ones(len(block.ended)),
        np.full(len(block.ended), block.players),
        total.sum(1),
        total.var(1, ddof=1),
        block.games["tied"],
        block.games["margin"],
    )
    return np.stack(columns) * block.ended


def games(block: Block) -> np.ndarray:
    """Return `GAME` as one group."""
    full = block.games["icons_full"] > 0
    count = len(block.ended)
    columns = (np.ones(count), np.full(count, block.players), block.steeper, full)
    return np.stack(columns)[None] * block.ended


def seats(block: Block) -> np.ndarray:
    """Return `SEAT` for all seats, then for each style."""
    found = block.seats
    counted = [found[name] for name in COUNTED]
    landed = found["acts"] + found["fumbles"]
    columns = np.stack([np.ones_like(block.wins), *counted, landed])
    return of_styles(block, columns, len(block.names.styles))


def cars(block: Block) -> np.ndarray:
    """Return `CARS` for each number of cop cars up to `MOST_CARS`."""
    taken = np.minimum(block.seats["cop_cars"], MOST_CARS)
    those = taken[None] == np.arange(MOST_CARS + 1)[:, None, None]
    number = those.sum(-1)
    of = np.full_like(number, block.players)
    return np.stack([number, (those * block.wins).sum(-1), of], axis=1) * block.ended


def tempos(run: Any, cell: Any) -> tuple[list[float], list[tuple[float, float]]]:
    """Return the tempos of a cell's places whose styles are alike but for tempo, and who is alone.

    The second lists (own tempo, that of all others) of each place that alone differs.
    """
    known = run.study.variants[cell.variant].styles
    styles = [known[name] for name in cell.styles]
    ways = [
        style.model_dump(exclude={"name", "description", "origin", "tempo"}) for style in styles
    ]
    if any(way != ways[0] for way in ways) or len({style.tempo for style in styles}) < 2:
        return [], []
    found = [style.tempo for style in styles]
    rest = [{*found[:place], *found[place + 1 :]} for place in range(len(found))]
    alone = [
        (own, next(iter(others)))
        for own, others in zip(found, rest, strict=True)
        if len(others) == 1 and own not in others
    ]
    return found, alone


def _wins_by_place(block: Block) -> np.ndarray:
    """Return the wins of each place of the line-up, [place, game]."""
    first = np.arange(len(block.ended)) + block.shard.first
    shift = first % block.players if block.cell.rotate else np.zeros_like(first)
    place = (np.arange(block.players) + shift[:, None]) % block.players
    found = np.empty_like(block.wins)
    np.put_along_axis(found, place, block.wins, axis=1)
    return found.T


def alone(block: Block, known: list[tuple[float, float]]) -> np.ndarray:
    """Return `ALONE` for each pair of an own tempo and that of everybody else."""
    values = np.zeros((len(known), len(ALONE), len(block.ended)))
    here, pairs = tempos(block.run, block.cell)
    for pair in pairs:
        wins = _wins_by_place(block)[here.index(pair[0])]
        values[known.index(pair)] += np.stack([np.ones(len(wins)), wins])
    return values * block.ended


def by_tempo(block: Block, known: list[float]) -> np.ndarray:
    """Return `TEMPO` for each tempo, in cells whose styles are alike but for tempo."""
    values = np.zeros((len(known), len(TEMPO), len(block.ended)))
    here, _ = tempos(block.run, block.cell)
    for place, tempo in enumerate(here):
        wins = _wins_by_place(block)[place]
        values[known.index(tempo)] += np.stack([np.ones(len(wins)), wins])
    return values * block.ended


def rounds(block: Block) -> np.ndarray:
    """Return `ROUND` and the ways to end for all rounds, then for each; games cut off as played."""
    found, names = block.rounds, block.names
    ends = [found["end"] == code for code in range(len(names.ends))]
    played = ~ends[names.ends.index("not_played")]
    measured = [found[name].astype(float) for name in ROUND[1:-1]]
    measured.append(measured[1] + measured[2])
    each = np.stack([played, *measured, *ends]).astype(float) * played
    values = np.zeros((1 + names.rounds, len(each), len(block.ended)))
    values[0] = each.sum(-1)
    values[1 : 1 + each.shape[-1]] = each.transpose(2, 0, 1)
    return values


def hexes(block: Block) -> np.ndarray:
    """Return `HEX` for each hex, over the sampled games; a station may hold several tags."""
    there = _icon_of_tagged(block) >= 0
    values = np.zeros((block.names.hexes, len(HEX), len(there)))
    values[: block.players * _district(block), 0] = 1
    values[:, 1] = there.T
    return values * block.ended[block.tags["at"]]


def _icon_of_tagged(block: Block) -> np.ndarray:
    """Return the icon of each hex that was tagged, -1 for the others; [sampled game, hex]."""
    tags = block.tags
    placed = tags["fate"] != block.names.fates.index("unplaced")
    found = np.full((len(placed), block.names.hexes), -1)
    game = np.broadcast_to(np.arange(len(placed))[:, None, None], placed.shape)
    found[game[placed], tags["hex"][placed]] = tags["icon"][placed]
    return found


def _district(block: Block) -> int:
    from sim.games.wildstyle.hexmap import hexes_in

    return hexes_in(block.cell.rulings["board_radius"])


def icons(block: Block) -> np.ndarray:
    """Return `ICON` for each icon over all rounds, then round by round, icons fastest."""
    tags = block.tags
    placed = tags["fate"] != block.names.fates.index("unplaced")
    values = []
    for number in range(block.names.rounds + 1):
        those = placed & (tags["round"] == number) if number else placed
        on = [
            (those & (tags["icon"] == code)).sum((1, 2)) for code in range(len(block.names.icons))
        ]
        values += [np.stack([those.sum((1, 2)), tagged]) for tagged in on]
    return np.array(values, float) * block.ended[tags["at"]]


def occupied(block: Block) -> np.ndarray:
    """Return hexes, tagged hexes and games for each icon and all, over the sampled games.

    Hexes are what the faces have on average, should a study draw faces that differ in it.
    """
    there = _hexes_by_icon(block)
    icon = _icon_of_tagged(block)
    tagged = [(icon == code).sum(1) for code in range(len(there))]
    tagged.append((icon >= 0).sum(1))
    values = [
        np.stack([np.full(len(icon), hexes), found, np.ones(len(icon))])
        for found, hexes in zip(tagged, [*there, there.sum()], strict=True)
    ]
    return np.array(values, float) * block.ended[block.tags["at"]]


def _hexes_by_icon(block: Block) -> np.ndarray:
    """Return how many hexes of each icon the map of a cell has, on average over the faces."""
    from sim.games.wildstyle.components import Boards

    faces = Boards(**block.cell.components["boards"]).faces(block.cell.rulings["board_radius"])
    names = [name for name in block.names.icons if name != "none"]
    counts = [[face.count(name) for name in names] for face in faces]
    return np.mean(counts, axis=0) * block.players


def price(block: Block) -> np.ndarray:
    """Return what the regression of points lost on tags lost needs, as one group (`squares`).

    Of each seat of a sampled game: points that came off the map, by hexes and by tiles, on 1, the
    tags given up for cop cars and those lost as solo tags.
    """
    tags, at = block.tags, block.tags["at"]
    known = block.cell.components["icons"]
    worth = np.array([known[name]["points"] if name != "none" else 0 for name in block.names.icons])
    off = np.isin(tags["fate"], [block.names.fates.index(name) for name in ("solo", "cop_car")])
    hex_points = (worth[tags["icon"]] * off).sum(2)
    tile_points = (block.tiles["before"] - block.tiles["points"]).sum(2)[at]
    lost = (hex_points + tile_points).astype(float)
    given, solo = (block.seats[name][at].astype(float) for name in ("lost_to_cars", "lost_solo"))
    return squares(np.stack([np.ones_like(given), given, solo]), lost)[None] * block.ended[at]
