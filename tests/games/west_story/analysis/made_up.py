"""Runs of West Story with made-up games: real files, numbers that keep to the tables' rules."""

import numpy as np

from sim import games, simulate, study
from sim.games.data import samples_before
from sim.games.west_story import WestStory
from sim.games.west_story.analysis.blocks import SOURCES

PARTS = (
    *("vp_spaces", "vp_effects", "vp_limits", "vp_printed", "vp_wild", "vp_villains"),
    *("vp_towns", "vp_licence", "vp_certificate", "vp_end"),
)
NOBODY = 6
"""The code of no certificate."""


def luck(rng, table):
    """Return what each seat gains with cards in a round; the default for `MadeUp.draw`.

    `table` tells the round, the first player, building types in play, places at the seats, and
    the luck of each seat in its deal.
    """
    return rng.integers(0, 9, len(table["places"]))


class MadeUp(WestStory):
    """West Story whose games are drawn from a hat."""

    shard_games = 60
    cut_off = 0.1
    draw = staticmethod(luck)

    def compiled(self, logging=False):
        """Nothing to compile."""
        return True

    def play(self, setup, seed, first, count, tables, at):
        """Make up games first .. first+count-1."""
        for i in range(count):
            self._game(setup, seed % 2**32, first + i, tables, at + i, first - at)

    def _game(self, setup, seed, game, tables, at, shard_first):
        record, players = setup.record[0], setup.players
        rotate = bool(record["rotate"])
        deal = game // players if rotate else game
        rng = np.random.default_rng([seed, game, players])
        dealt = np.random.default_rng([seed, deal])
        table = {
            "places": [(seat + game % players * rotate) % players for seat in range(players)],
            "set": record["set_cards"][dealt.integers(int(record["sets"]))].tolist(),
            "cards": [kind.card for kind in setup.kinds],
            "rounds": int(rng.integers(8, 12)),
            "cut": bool(rng.random() < self.cut_off),
            "luck": dealt.integers(0, 3, players),
        }
        kept = self._rounds(setup, rng, table)
        seats = self._seats(setup, rng, tables["seats"], at * players, game, table, kept)
        row = tables["games"][at]
        scores = sorted(seats["score"].tolist())
        row["game"], row["players"], row["rounds"] = game, players, table["rounds"]
        row["turns"], row["decisions"] = players * table["rounds"], rng.integers(30, 90)
        row["end_reason"], row["truncated"] = table["cut"], table["cut"]
        row["tied"] = not table["cut"] and (seats["rank"] == 1).sum() > 1
        row["lead_changes"], row["margin"] = rng.integers(9), scores[-1] - scores[-2]
        for place, card in enumerate(table["set"]):
            row[f"building_{place}"] = card
        self._market(record, rng, tables["market"], at, game, table, seats)
        self._villains(record, rng, tables["villains"], at, game, seats)
        self._towns(record, rng, tables["towns"], at, game, seats)
        if not table["cut"]:
            self._spaces(rng, tables["spaces"], players)
        self._sampled(setup, rng, tables, game, table, kept, shard_first)

    def _rounds(self, setup, rng, table):
        """Return what the table of rounds keeps, by column [round, seat]."""
        players, rounds = setup.players, table["rounds"]
        gains = rng.integers(0, 3, (len(SOURCES), rounds, players))
        kept = {"first": np.zeros((rounds, players), int)}
        kept["coins"] = rng.integers(0, 5, (rounds, players))
        kept["cows"] = rng.integers(0, 4, (rounds, players))
        first, pan = 0, np.zeros(players, int)
        for number, coins in enumerate(kept["coins"]):
            kept["first"][number, first] = 1
            own = self.draw(rng, table | {"round": number, "first": first})
            gains[SOURCES.index("vp_printed"), number] = own
            richest = np.flatnonzero(coins == coins.max())
            if len(richest) == 1:
                first = int(richest[0])
                coins[first] += 1
                pan[first] += 1
            else:
                first = min(richest, key=lambda seat: (seat - first - 1) % players)
        kept |= dict(zip(SOURCES, gains.cumsum(1), strict=True))
        kept["pan_coins"] = pan
        return kept

    def _seats(self, setup, rng, rows, at, game, table, kept):
        players = setup.players
        rows = rows[at : at + players]
        rows["game"], rows["seat"], rows["style"] = game, range(players), table["places"]
        rows["truncated"] = table["cut"]
        for name in SOURCES:
            rows[name] = kept[name][-1]
        rows["certificate"] = np.where(rng.random(players) < 0.4, rng.integers(0, 6, players), 6)
        holds = rows["certificate"] != NOBODY
        rows["vp_certificate"] = rows["vp_licence"] * holds
        rows["vp_licence"] *= ~holds
        rows["certificate_round"] = rng.integers(4, table["rounds"] + 1, players) * holds
        rows["certificate_paid"] = rng.choice([4, 6], players) * holds
        rows["certificate_pairs"] = rng.integers(1, 6, players) * holds
        rows["licence_cards"] = rng.integers(0, 9, players)
        rows["score"] = sum(rows[name] for name in PARTS)
        best = rows["score"] == rows["score"].max()
        rows["win_share"] = np.nan if table["cut"] else best / best.sum()
        order = (rows["score"][None] > rows["score"][:, None]).sum(1)
        rows["rank"] = 0 if table["cut"] else 1 + order
        rows["rounds_first"] = kept["first"].sum(0)
        rows["pan_coins"] = kept["pan_coins"]
        for name in ("bought", "animals", "discs", "villains", "combos", "executed", "cows"):
            rows[name] = rng.integers(0, 9, players)
        reached = rng.random(players) < 0.7
        rows["lake_round"] = rng.integers(6, table["rounds"] + 1, players) * reached
        return rows

    def _market(self, record, rng, rows, at, game, table, seats):
        cards = int(record["cards"])
        rows = rows[at * cards : (at + 1) * cards]
        rows["game"], rows["card"] = game, range(cards)
        there = (record["card_deck"][:cards] != 2) | np.isin(range(cards), table["set"])
        rows["in_play"] = there
        owners = (rng.random((cards, len(seats))) < 0.5) & there[:, None]
        rows["owners"] = owners.sum(1)
        rows["bought"] = rows["owners"] + rng.integers(0, 2, cards) * there
        rows["seen"] = rows["bought"] + rng.integers(0, 3, cards) * there
        rows["win_share"] = (owners * seats["win_share"]).sum(1)
        for name in ("executed", "coins", "hats", "cows", "rounds"):
            rows[name] = rng.integers(0, 9, cards) * rows["bought"]

    def _villains(self, record, rng, rows, at, game, seats):
        places = int(record["places"])
        tokens = rng.permutation(int(record["tokens"]))
        for place in range(places):
            row = rows[at * places + place]
            row["game"], row["place"], row["token"] = game, place, tokens[place]
            row["win_share"] = np.nan
            if rng.random() < 0.8:
                row["turned_round"] = rng.integers(1, 6)
                row["bribes"], row["paid"] = rng.integers(0, 3, 2)
                row["fought"] = rng.random() < 0.6
                if row["fought"]:
                    row["gone_round"] = row["turned_round"] + rng.integers(0, 4)
                    row["pot"] = 1 + row["paid"]
                    row["win_share"] = rng.choice(seats["win_share"])

    def _towns(self, record, rng, rows, at, game, seats):
        towns = int(record["towns"])
        for town in range(towns):
            row = rows[at * towns + town]
            discs = rng.integers(0, 4, len(seats))
            row["game"], row["town"], row["discs"] = game, town, discs.sum()
            row["seats"], row["full"] = (discs > 0).sum(), (discs == 3).sum()
            row["quadruples"], row["wilds"] = rng.integers(0, 2, 2)
            row["vp"] = record["town_vp"][town, discs].sum()
            row["win_share"] = seats["win_share"][discs > 0].sum()

    def _spaces(self, rng, rows, players):
        rows["seats"] += players
        for name in ("by_die", "moved", "by_combo", "by_trade", "as_space", "cards"):
            rows[name] += rng.integers(0, 3, len(rows)).astype(rows[name].dtype)

    def _sampled(self, setup, rng, tables, game, table, kept, shard_first):
        record, players = setup.record[0], setup.players
        every, each = int(record["every"]), players if record["rotate"] else 1
        if not every or game // each % every:
            return
        most, cards, rounds = int(record["most_rounds"]), int(record["cards"]), table["rounds"]
        number = samples_before(every, each, game) - samples_before(every, each, shard_first)
        wide = most * players
        rows = tables["rounds"][number * wide : (number + 1) * wide].reshape(most, players)
        bought = tables["purchases"][2 * number * wide : 2 * (number + 1) * wide]
        bought = bought.reshape(most, players, 2)
        for part, shape in ((rows, (1, players)), (bought, (1, players, 1))):
            part["game"] = game
            part["seat"] = np.reshape(range(players), shape)
            part["style"] = np.reshape(table["places"], shape)
            part["round"] = np.arange(1, most + 1).reshape(-1, *[1] * (len(shape) - 1))
        rows["played"][:rounds] = True
        for name in ("first", "coins", "cows", *SOURCES):
            rows[name][:rounds] = kept[name]
        for name in ("standings", "acts"):  # as if nobody had points, choices or acts
            own = len(tables[name]) // (len(tables["rounds"]) // wide)
            tables[name]["game"][number * own : (number + 1) * own] = game
        bought["purchase"] = [1, 2]
        bought["card"], bought["covers"] = cards + 1, cards
        shape = (rounds, players, 2)
        some = rng.random(shape) < 0.7
        bought["card"][:rounds] = np.where(some, rng.integers(0, cards, shape), cards)
        onto = some & (rng.random(shape) < 0.3)
        bought["covers"][:rounds] = np.where(onto, rng.integers(0, cards, shape), cards)
        for name in ("coins", "hats"):
            bought[name][:rounds] = rng.integers(0, 4, shape) * some


BASE = {
    "title": "Made up",
    "game": "west_story",
    "players": [2, 3],
    "games": 180,
    "seed": 7,
    "sample": 0.5,
    "rulings": {"buildings": "random"},
    "lineups": {"mirror": ["greedy"], "round_robin": ["greedy", "shy"]},
    "styles": {"shy": {"base": "greedy", "forbid": ["ranch"]}},
}


FEW_SETS = {
    "components": {
        "cards": {
            name: {"copies": 0} for name in ("saloon", "sheriff_office", "church", "gold_mine")
        }
    },
    "rulings": {"buildings": "even"},
    "players": [2],
    "sample": 0.0,
    "lineups": {"mirror": ["greedy"]},
}
"""Seven building types."""


def play(monkeypatch, folder, changes=None, **how):
    """Return a finished run of made-up games; `how` sets attributes of `MadeUp`."""
    kept = {name: staticmethod(v) if callable(v) else v for name, v in how.items()}
    game = type("MadeUp", (MadeUp,), kept)()
    monkeypatch.setattr(games, "get", lambda name: game)
    return simulate.run(study.from_dict(BASE | (changes or {})), folder, jobs=1, backend="threads")
