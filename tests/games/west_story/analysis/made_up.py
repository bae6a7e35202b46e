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

    `table` tells the round, the first player, building types in play and places at the seats.
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
        kept = {name: np.zeros((rounds, players), int) for name in (*SOURCES, "coins", "cows")}
        kept["first"] = np.zeros((rounds, players), int)
        first, pan = 0, np.zeros(players, int)
        for number in range(rounds):
            kept["first"][number, first] = 1
            gains = {name: rng.integers(0, 3, players) for name in SOURCES}
            gains["vp_printed"] = self.draw(rng, table | {"round": number, "first": first})
            for name in SOURCES:
                before = kept[name][number - 1] if number else 0
                kept[name][number] = before + gains[name]
            coins = rng.integers(0, 5, players)
            kept["cows"][number] = rng.integers(0, 4, players)
            richest = np.flatnonzero(coins == coins.max())
            if len(richest) == 1:
                first = int(richest[0])
                coins[first] += 1
                pan[first] += 1
            else:
                first = min(richest, key=lambda seat: (seat - first - 1) % players)
            kept["coins"][number] = coins
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
        for card in range(cards):
            row = rows[at * cards + card]
            in_play = record["card_deck"][card] != 2 or card in table["set"]
            owners = (rng.random(len(seats)) < 0.5) * in_play
            row["game"], row["card"], row["in_play"] = game, card, in_play
            row["owners"], row["bought"] = owners.sum(), owners.sum() + rng.integers(0, 2) * in_play
            row["seen"] = (row["bought"] + rng.integers(0, 3)) * in_play
            row["win_share"] = (owners * seats["win_share"]).sum()
            for name in ("executed", "coins", "hats", "cows", "rounds"):
                row[name] = rng.integers(0, 9) * row["bought"]

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
        most = int(record["most_rounds"])
        number = samples_before(every, each, game) - samples_before(every, each, shard_first)
        cards = int(record["cards"])
        for at in range(most * players):
            turn, seat = divmod(at, players)
            played = turn < table["rounds"]
            row = tables["rounds"][number * most * players + at]
            row["game"], row["seat"], row["round"] = game, seat, turn + 1
            row["style"], row["played"] = table["places"][seat], played
            for name in ("first", "coins", "cows", *SOURCES) if played else ():
                row[name] = kept[name][turn, seat]
            for which in range(2):
                bought = tables["purchases"][(number * most * players + at) * 2 + which]
                card = rng.integers(0, cards) if played and rng.random() < 0.7 else cards
                bought["game"], bought["seat"], bought["round"] = game, seat, turn + 1
                bought["style"], bought["purchase"] = table["places"][seat], which + 1
                bought["card"] = card if played else cards + 1
                bought["covers"] = rng.integers(0, cards) if rng.random() < 0.3 else cards
                bought["covers"] = bought["covers"] if card < cards else cards
                bought["coins"], bought["hats"] = rng.integers(0, 4, 2) * (card < cards)


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
