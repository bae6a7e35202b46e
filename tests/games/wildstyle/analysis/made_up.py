"""Runs of Wildstyle with made-up games: real files, numbers that keep to the tables' rules."""

import numpy as np
import polars as pl

from sim import simulate, study
from sim.games.data import samples_before
from sim.games.wildstyle import Wildstyle, events, vocabulary

ENDS = (*events.END_REASONS, "not_played")
POINTS = [6, 9, 6, 2, 1, 1, 4, 2, 5, 5, 2, 2]
"""Of the shipped sides; what a made-up seat scores with one is a multiple of it."""


def luck(rng, sides, seat_style):
    """Return how often a seat scores with each of its tiles; the default for `MadeUp.draw`."""
    return [rng.poisson(0.4 + 0.1 * side) for side in sides]


class MadeUp(Wildstyle):
    """Wildstyle whose games are drawn from a hat."""

    shard_games = 60
    cut_off = 0.1
    draw = staticmethod(luck)

    def compiled(self, logging=False):
        """Nothing to compile."""
        return True

    def play(self, setup, seed, first, count, tables, at):
        """Make up games first .. first+count-1."""
        for i in range(count):
            self._game(setup, seed, first + i, tables, at + i, first - at)

    def _game(self, setup, seed, game, tables, at, shard_first):
        players, rotate = setup.players, bool(setup.record[0]["rotate"])
        deal = game // players if rotate else game
        rng = np.random.default_rng([seed % 2**32, game, players])
        dealt = np.random.default_rng([seed % 2**32, deal]).integers(len(setup.sets))
        sides = [setup.sides.index(name) for name in setup.sets[dealt]]
        cut = bool(rng.random() < self.cut_off)
        places = [(seat + game % players if rotate else seat) % players for seat in range(players)]
        scores = self._seats(setup, rng, tables, at, game, sides, places, cut)
        row = tables["games"][at]
        order = sorted((score for score, _ in scores), reverse=True)
        best = max(scores)
        row["game"], row["players"], row["rounds"] = game, players, setup.rounds
        row["turns"], row["decisions"] = rng.integers(200, 400, 2)
        row["end_reason"] = ENDS.index("time_cap") if cut else rng.integers(3)
        row["truncated"], row["tied"] = cut, not cut and scores.count(best) > 1
        row["margin"] = order[0] - order[1]
        row["lead_changes"], row["tile_set"] = rng.integers(9), dealt
        row["seconds"], row["icons_full"] = rng.integers(200, 500), max(0, rng.integers(-3, 3))
        self._rounds(setup, rng, tables["rounds"], at, game, cut)
        self._tags(setup, rng, tables, at, game, places, shard_first)

    def _seats(self, setup, rng, tables, at, game, sides, places, cut):
        players, found = setup.players, []
        for seat in range(players):
            row = tables["seats"][at * players + seat]
            row["game"], row["seat"], row["style"], row["truncated"] = game, seat, places[seat], cut
            row["cop_cars"] = rng.integers(9) if rng.random() < 0.1 else rng.integers(3)
            row["lost_to_cars"], row["lost_solo"] = row["cop_cars"], rng.integers(3)
            row["placed"], row["acts"], row["fumbles"], row["waits"] = rng.integers(1, 19, 4)
            times = self.draw(rng, sides, places[seat])
            row["tag_points"] = rng.integers(10, 20)
            for position, (side, often) in enumerate(zip(sides, times, strict=True)):
                tile = tables["objectives"][(at * players + seat) * len(sides) + position]
                points = 0 if cut else round(often * POINTS[side])
                tile["game"], tile["seat"], tile["style"] = game, seat, places[seat]
                tile["position"], tile["side"], tile["points"] = position, side, points
                tile["completed"], tile["tags"] = points > 0, min(18, points)
                tile["before"], tile["possible"] = points + rng.integers(4), points + 8
                row["objective_points"] += points
            row["score"] = row["tag_points"] + row["objective_points"]
            found.append((int(row["score"]), -int(row["cop_cars"])))
        best = max(found)
        for seat, own in enumerate(found):
            row = tables["seats"][at * players + seat]
            row["win_share"] = np.nan if cut else (own == best) / found.count(best)
            row["rank"] = 0 if cut else 1 + sum(other > own for other in found)
        return found

    def _rounds(self, setup, rng, rows, at, game, cut):
        for number in range(setup.rounds):
            row = rows[at * setup.rounds + number]
            row["game"], row["round"] = game, number + 1
            if cut and number == setup.rounds - 1:
                row["end"] = ENDS.index("not_played")
                continue
            row["end"] = ENDS.index("time_cap") if cut and number == 1 else rng.integers(3)
            row["seconds"], row["acts"] = rng.uniform(50, 200), rng.integers(40, 99)
            row["fumbles"], row["rushed"] = rng.integers(0, 9), rng.integers(0, 4)

    def _tags(self, setup, rng, tables, at, game, places, shard_first):
        every, players = int(setup.record[0]["every"]), setup.players
        each = players if setup.record[0]["rotate"] else 1
        if not every or game // each % every:
            return
        kept = samples_before(every, each, game) - samples_before(every, each, shard_first)
        for seat in range(players):
            for tag in range(setup.tags):
                row = tables["tags"][(kept * players + seat) * setup.tags + tag]
                fate = rng.integers(len(vocabulary.FATES))
                row["game"], row["seat"], row["style"], row["tag"] = game, seat, places[seat], tag
                row["fate"], row["icon"] = fate, len(events.ICONS)
                if fate:
                    row["hex"] = rng.integers(len(setup.cells))
                    # every board shows its first face
                    size = len(setup.cells) // players
                    row["icon"] = setup.record[0]["face_icons"][0, 0, row["hex"] % size]
                    row["round"] = 1 + tag * setup.rounds // setup.tags


BASE = {
    "title": "Made up",
    "game": "wildstyle",
    "players": [2, 3],
    "games": 240,
    "seed": 7,
    "sample": 0.5,
    "lineups": {"mirror": ["greedy"]},
}
QUICK = {"quick": {"base": "greedy", "tempo": 0.8}, "slow": {"base": "greedy", "tempo": 1.25}}
ROBIN = {
    "players": [2, 3],
    "games": 120,
    "lineups": {"round_robin": ["greedy", "quick", "slow"]},
    "styles": QUICK,
    "rulings": {"tiles": "even"},
}
SIZES = {
    "games": 60,
    "variants": {"large": {}, "small": {"rulings": {"board_radius": 2}}},
}


def play(monkeypatch, folder, changes=None, **how):
    """Return a finished run of made-up games; `how` sets attributes of `MadeUp`."""
    from sim import games

    game = type("MadeUp", (MadeUp,), {name: _kept(value) for name, value in how.items()})()
    monkeypatch.setattr(games, "get", lambda name: game)
    run = simulate.run(study.from_dict(BASE | (changes or {})), folder, jobs=1, backend="threads")
    return run


def _kept(value):
    return staticmethod(value) if callable(value) else value


def rows_of(run, table):
    """Return a table as plain rows."""
    return run.scan(table).cast({pl.Enum: pl.String}).collect().to_dicts()


def estimates(frame, metric, **where):
    """Return the estimates of a metric by players and group."""
    rows = frame.filter(pl.col("metric") == metric)
    for column, value in where.items():
        rows = rows.filter(pl.col(column) == value)
    return {(row["players"], row["group"]): row["estimate"] for row in rows.to_dicts()}
