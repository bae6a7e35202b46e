"""Tables of West Story's own metrics for people: human names, rounded numbers, intervals."""

from functools import partial
from typing import Any

import pandas as pd
import polars as pl

from sim import tables
from sim import words as say
from sim.games.west_story.analysis.blocks import BOUGHT
from sim.games.west_story.analysis.naming import name_of
from sim.tables import SEEN_ENOUGH, Write, interval, points, share
from sim.words import Words

Columns = list[tuple[str, str, Write]]
MOST_SETS = 30
"""Sets of buildings told, half of them the richest, half the poorest."""

_wide = partial(tables.wide, name_of=name_of)
_held = partial(tables.held, name_of=name_of)
_two = partial(interval, digits=2)
_signed = partial(interval, digits=1, signed=True)


def _plain(row: dict[str, Any]) -> str:
    return say.number(row["estimate"], 2)


def _p_value(row: dict[str, Any]) -> str:
    return "less than 0.001" if row["estimate"] < 0.001 else f"{row['estimate']:.3f}"


def _whole(group: str) -> bool:
    return group == "all"


def _seat(group: str) -> bool:
    return group.startswith("seat ")


def _who(group: str) -> bool:
    return group == "all" or group.startswith("style ")


def first_player(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what a round more as first player goes with."""
    columns: Columns = [
        ("first.win_per_round_alone", "Win share a round more", points),
        ("first.win_per_round", "At equal seat", points),
        ("first.score_per_round", "VP, at equal seat", _two),
        ("first.win_per_round_apart", "At as many coins of the pan", points),
        ("first.win_per_coin", "A coin of the pan, at as many rounds", points),
        ("first.win_at_ties", "The dice alone, at ties", points),
        ("first.score_at_ties", "VP, at ties", _two),
    ]
    return _wide(head, words, columns, wanted=_whole)


def seats(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how often seats are first player, and what is left to them."""
    columns: Columns = [
        ("first.rounds", "Rounds first", _two),
        ("first.share", "Of all rounds", share),
        ("seat_share", "Win share", share),
        ("first.win_by_seat", "Left to the seat, points", points),
        ("score.mean", "Score", interval),
        ("first.score_by_seat", "Left to the seat, VP", _signed),
    ]
    return _wide(head, words, columns, "Seat", _seat)


def times_first(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats by rounds as first player."""
    return _held(head, words, "first", "Rounds first", lambda group: group.startswith("first "))


def runaway(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return who wins that is ahead or rich after each round."""
    columns: Columns = [
        ("runaway.leader", "Leader wins", share),
        ("runaway.lead", "Leads by, VP", interval),
        ("runaway.richest", "Richest wins", share),
        ("runaway.first", "First player wins", share),
        ("runaway.win_per_vp", "A VP more, win share", points),
        ("runaway.win_per_coin", "A coin more, win share", points),
        ("runaway.again", "Richest again next round", share),
    ]
    return _wide(_enough(head), words, columns, "After")


def _enough(head: pl.DataFrame) -> pl.DataFrame:
    return head.filter(pl.col("n") >= SEEN_ENOUGH)


def ranks(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by rank in standing and wealth after each round."""
    columns: Columns = [
        ("runaway.rank", "By VP as things stand", share),
        ("runaway.wealth_rank", "By wealth", share),
    ]
    return _wide(_enough(head), words, columns, "After")


def growth(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what players have and buy, round by round."""
    columns: Columns = [
        ("growth.vp", "VP as things stand", interval),
        ("growth.coins", "Coins", _two),
        ("growth.cows", "Cows", _two),
        *((f"buying.{name}", f"{name.capitalize()} cards", _two) for name in BOUGHT[:-1]),
        ("buying.nothing", "Purchases skipped", _two),
        ("buying.covering", "Cards onto others", share),
        ("buying.price", "Paid a card", _two),
    ]
    return _wide(_enough(head), words, columns, "Round")


def certificates(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what certificates bring and cost, in all, by certificate and by round."""
    columns: Columns = [
        ("certificate.round", "Bought in round", interval),
        ("certificate.pairs", "Pairs", _two),
        ("certificate.vp", "VP", interval),
        ("certificate.instead", "Printed symbol instead", interval),
        ("certificate.gain", "Gain", _signed),
        ("certificate.paid", "Price", _two),
        ("certificate.net", "Gain less price", _signed),
        ("certificate.better", "Paid more than the symbol", share),
        ("certificate.even", "Even at licence VP of", _two),
    ]
    return _wide(_enough(head), words, columns, "Certificate")


def holders(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats with and without a certificate."""
    both = ("licence", "certificate")
    return _held(head, words, "certificate", "Scores by", lambda group: group in both)


def market(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how cards are bought and used, and who wins with them."""
    columns: Columns = [
        ("market.seen", "Seen", _two),
        ("market.bought", "Bought", _two),
        ("market.taken", "Bought of seen", share),
        ("market.owners", "Players with it", share),
        ("market.round", "In round", interval),
        ("market.price", "Paid", _two),
        ("market.executed", "Executed a copy", _two),
        ("market.win_share", "Win share of owners", share),
        ("market.lift", "Less that of others", points),
    ]
    return _wide(head, words, columns, "Card")


def buildings(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what a building type in play does to a game, against an average one."""
    columns: Columns = [
        ("building.score", "Score of a player", partial(interval, digits=2, signed=True)),
        ("building.spread", "Spread of scores", partial(interval, digits=2, signed=True)),
        ("building.margin", "Margin", partial(interval, digits=2, signed=True)),
        ("building.rounds", "Rounds", partial(interval, digits=3, signed=True)),
    ]
    return _wide(head, words, columns, "Type in play", lambda group: group.startswith("card "))


def set_tests(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return whether sets differ at all, and how far."""
    columns: Columns = []
    for name, title in (
        *(("score", "Score"), ("spread", "Spread"), ("margin", "Margin"), ("rounds", "Rounds")),
    ):
        columns.append((f"building_set.{name}.p", f"{title}: all alike, p", _p_value))
        columns.append((f"building_set.{name}.sd", f"{title}: true spread between sets", _plain))
    columns.append(("building.score.explained", "Scores explained by types", share))
    return _wide(head, words, columns, wanted=_whole)


def sets(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the sets of buildings with the highest and lowest mean scores."""
    columns: Columns = [
        ("building_set.from_mean", "Score from the mean", _signed),
        ("building_set.score", "Score of a player", interval),
        ("building_set.spread", "Spread of scores", interval),
        ("building_set.margin", "Margin", interval),
        ("building_set.rounds", "Rounds", _two),
    ]
    order = head.filter(pl.col("metric") == "building_set.from_mean").sort("estimate")
    keys = ["players", "variant", "lineup"]
    ends = pl.concat(
        [
            order.group_by(keys, maintain_order=True).head(MOST_SETS // 2),
            order.group_by(keys, maintain_order=True).tail(MOST_SETS // 2),
        ]
    ).unique([*keys, "group"], maintain_order=True)
    shown = head.join(ends.select([*keys, "group"]), on=[*keys, "group"], how="semi")
    return _wide(shown, words, columns, "Buildings")


def villains(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what villains do, by token and by place."""
    columns: Columns = [
        ("villain.turned", "Turned up", share),
        ("villain.round", "In round", interval),
        ("villain.fought", "Fought", share),
        ("villain.stayed", "Rounds later", _two),
        ("villain.bribes", "Times paid", _two),
        ("villain.paid", "Coins and cows paid", _two),
        ("villain.pot", "Pot for the winner", _two),
        ("villain.vp", "VP a game", _two),
        ("villain.win_share", "Win share of who fought", share),
    ]
    return _wide(head, words, columns, "Villain")


def towns(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how towns are traded with."""
    columns: Columns = [
        ("town.discs", "Discs a game", _two),
        ("town.owners", "Players with a disc", share),
        ("town.full", "With all that score", share),
        ("town.vp", "VP a game", _two),
        ("town.per_disc", "VP a disc", _two),
        ("town.quadruple", "Quadruple used", share),
        ("town.wild", "Wild used", share),
        ("town.win_share", "Win share with a disc", share),
    ]
    return _wide(head, words, columns, "Town")


def spaces(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how spots of the player board are used."""
    columns: Columns = [
        ("space.executed", "Executed", _plain),
        ("space.by_die", "By the die", _plain),
        ("space.moved", "Moved right", _plain),
        ("space.by_combo", "By a combo", _plain),
        ("space.by_trade", "By a trade", _plain),
        ("space.by_token", "By a wild token", _plain),
        ("space.as_printed", "As printed", share),
        ("space.cards", "Cards put there", _plain),
    ]
    return _wide(head, words, columns, "Spot")


def players(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what a player does in a game."""
    columns: Columns = [
        ("player.bought", "Cards bought", _two),
        ("player.production_cards", "Production", _two),
        ("player.scoring_cards", "Scoring", _two),
        ("player.buildings", "Buildings", _two),
        ("player.animals", "Animals", _two),
        ("player.covered", "Onto others", _two),
        ("player.executed", "Spots executed", _two),
        ("player.combos", "Combos", _two),
        ("player.clears", "Rows cleared", _two),
        ("player.discs", "Discs", _two),
        ("player.villains", "Villains fought", _two),
        ("player.bribes", "Villains paid", _two),
        ("player.certificate", "Certificate", share),
        ("player.resets", "Market resets", _two),
        ("player.tokens_used", "Wild tokens", _two),
        ("player.hats_lost", "Hats lost", _two),
        ("player.coins", "Coins left", _two),
        ("player.cows", "Cows left", _two),
    ]
    return _wide(head, words, columns, "Who", _who)


def lake(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return who reaches the lake and when, and how long games are."""
    columns: Columns = [
        ("lake.reached", "Reach the lake", share),
        ("lake.round", "In round", _two),
        ("player.marker", "Marker at the end", interval),
        ("detail.lake_coins", "Pan coins taken there", _two),
        ("detail.ties", "Pan coins lost to ties", _two),
        ("rounds.mean", "Rounds", _two),
    ]
    return _wide(head, words, columns, "Who", _who)


def by_lake(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return seats that reached the lake and those that did not."""
    both = ("lake", "no lake")
    return _held(head, words, "lake", "Lake", lambda group: group in both)
