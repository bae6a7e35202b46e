"""Who can no longer win and yet decides between the others: decisions of finished games, looked at.

A game is played again up to a decision and on from there in many ways (`sim.games.searching`),
after each of the actions that the seat likes best. What is chosen never changes: a script holds
what was done anyway. All luck comes from the study's seed, the game's and the decision's number
and that of the playout, which is the same for each action.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.games import data
from sim.games.game import Column
from sim.games.searching import NO_LOG, Searching, is_wanted

TABLE = "kingmaking"
FEWEST_PLAYERS = 3
"""With two, whoever cannot win leaves nobody to decide between."""
HOPELESS = 0.02
"""With a chance of at most so much a seat can no longer win."""
SWING = 0.1
"""A move decides between the others if it changes the chance of one of them by so much."""
CERTAIN = 2.326
"""And by so many standard errors: without any effect that is seen once in a hundred times."""
CLEAR = 0.1
"""A seat that wins so many of its playouts can win, without a closer look."""
GLANCE = 16
"""So many playouts are made first: they settle it for most seats that can win."""
CLOSER = 4
"""Actions that were picked are played on so many times as often, with fresh luck."""
NOBODY = -1

COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "the seat that decides", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column(
        "decision",
        "Decision",
        "which decision of the game, from 0: a moment with more than one legal action",
        "u4",
    ),
    Column("decisions", "Decisions", "how many the game has", "u4"),
    Column("looked_at", "Looked at", "how many of them this table has", "u4"),
    Column("tried", "Actions tried", "actions after which the game was played on", "u2"),
    Column("chance", "Chance to win", "share of the playouts that the seat wins, at best", "f8"),
    Column("can_win", "Can win", f"the chance is above {100 * HOPELESS:.0f} %", "?"),
    Column(
        "swing",
        "Swing",
        "by how much two of the actions differ in the rival's chance; null if the seat can win",
        "f8",
    ),
    Column("rival", "Rival", f"the seat it is about; {NOBODY} if the seat can win", "i1"),
    Column(
        "decides",
        "Decides",
        f"cannot win, and the swing is at least {SWING} and beyond chance",
        "?",
    ),
)
"""The columns of the table `kingmaking`: a row for each decision that was looked at."""
DTYPE = data.dtype_of(COLUMNS)


class Kingmaking(BaseModel):
    """Which decisions are looked at, and how closely: the study key `kingmaking`.

    Of one deal in so many (`sample`, a share), at most `decisions` of each game. Each of the
    `width` best actions is tried in `playouts` games; what is picked from these is measured in
    `CLOSER` times as many more.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    sample: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.001
    decisions: Annotated[int, Field(ge=1, le=data.MOST_DECISIONS)] = 8
    playouts: Annotated[int, Field(ge=32, le=100_000)] = 64
    width: Annotated[int, Field(ge=2, le=data.MOST_WATCHED)] = 8


def looked_at(
    games: Searching, how: Kingmaking, seed: int, numbers: Iterable[int]
) -> Iterator[np.ndarray]:
    """Yield a row for each decision looked at of some games; those for two have none."""
    s = games.record[0]
    if s["players"] < FEWEST_PLAYERS:
        return
    every, each = data.sample_every(how.sample), int(s["players"]) if s["rotate"] else 1
    for number in numbers:
        if data.is_sampled(every, number // each):
            yield from _of_game(games, how, seed, number)


def _of_game(games: Searching, how: Kingmaking, seed: int, number: int) -> Iterator[np.ndarray]:
    """Yield the rows of a game, each an array [1]."""
    whole = _script(games, seed, number)
    decisions = int(whole[0]["script_n"])
    # the smallest of uniform numbers: games alike have much of the draw in common
    luck = np.random.default_rng(np.random.SeedSequence((seed, number))).random(decisions)
    drawn = np.sort(np.argsort(luck, kind="stable")[: how.decisions])
    for here in drawn:
        moment = _Moment(games, how, seed, number, whole, int(here))
        found = np.zeros(1, DTYPE)
        row = found[0]
        row["game"], row["seat"], row["style"] = number, moment.seat, moment.place
        row["decision"], row["decisions"], row["looked_at"] = here, decisions, len(drawn)
        moment.judge(row)
        yield found


def _script(games: Searching, seed: int, number: int) -> np.ndarray:
    """Return a record that plays a game as it went, all its decisions in the script."""
    own = games.script(seed, number) if is_wanted(games.record) else games.record.copy()
    s = own[0]
    s["scripted"], s["every"] = 1, 0
    games.run(own, seed, number, 1, games.tables_for(1), 0, NO_LOG)
    s["script"][:] = s["made"]
    s["script_n"] = min(int(s["decision"]), data.MOST_DECISIONS)
    return own


@dataclass
class _Pick:
    """The rival whose chance differs most between two actions, by place in a list of actions."""

    rival: int
    high: int
    low: int

    @classmethod
    def of(cls, chances: np.ndarray, seat: int) -> "_Pick":
        """Return the largest difference in chances [action, seat] of the others."""
        gaps = np.ptp(chances, axis=0)
        gaps[seat] = -1.0
        rival = int(np.argmax(gaps))
        return cls(rival, int(np.argmax(chances[:, rival])), int(np.argmin(chances[:, rival])))


class _Moment:
    """A decision of a game: who decides, what can be done, and how games go on from there."""

    def __init__(
        self,
        games: Searching,
        how: Kingmaking,
        seed: int,
        number: int,
        whole: np.ndarray,
        here: int,
    ) -> None:
        self.games, self.how, self.seed, self.here = games, how, seed, here
        self.record = whole.copy()
        s = self.s = self.record[0]
        s["watch_from"], s["script_n"] = here, here
        s["searches"][:] = 1
        games.run(self.record, seed, number, 1, games.tables_for(1), 0, NO_LOG)
        self.players, self.seat = int(s["players"]), int(s["watched_seat"])
        shift = number % self.players if s["rotate"] else 0
        self.place = (self.seat + shift) % self.players
        self.made = int(whole[0]["script"][here])
        self.actions = self._best_liked(number)
        s["script"][:] = whole[0]["script"]
        s["script_n"], s["watch_from"] = here + 1, -1
        s["fork_at"], s["fork_game"] = here, number

    def _best_liked(self, number: int) -> list[int]:
        """Return what was done, then the other actions that the style likes best."""
        kept = int(self.s["watched_n"])
        codes, values = self.s["watched_code"][:kept], self.s["watched_value"][:kept]
        # among equals no action of a list comes first
        luck = np.random.default_rng(np.random.SeedSequence((self.seed, number, self.here)))
        order = np.lexsort((luck.random(kept), -values))
        others = (int(codes[at]) for at in order if values[at] > -np.inf)
        return list(dict.fromkeys((self.made, *others)))[: self.how.width]

    def _playouts(self, action: int, first: int, count: int) -> np.ndarray:
        """Return win shares [playout, seat] after an action; 0 where a playout is cut off."""
        self.s["script"][self.here] = action
        tables = self.games.tables_for(count)
        self.games.run(self.record, self.seed, first, count, tables, 0, NO_LOG)
        won = tables["seats"]["win_share"].reshape(count, self.players)
        return np.nan_to_num(won)

    def judge(self, row: Any) -> None:
        """Fill what a row says of the decision."""
        row["can_win"], row["swing"], row["rival"] = True, np.nan, NOBODY
        playouts = self.how.playouts
        enough = CLEAR * playouts
        chances = np.empty((len(self.actions), self.players))
        for at, action in enumerate(self.actions):
            row["tried"] = at + 1
            won = self._playouts(action, 0, min(GLANCE, playouts))
            if won[:, self.seat].sum() <= enough:
                won = np.concatenate([won, self._playouts(action, GLANCE, playouts - GLANCE)])
            chances[at] = won.mean(0)
            row["chance"] = chances[: at + 1, self.seat].max()
            if won[:, self.seat].sum() > enough:
                return
        self._look_closer(row, chances)

    def _look_closer(self, row: Any, chances: np.ndarray) -> None:
        """Measure with fresh luck what the first playouts picked: no luck of theirs flatters it."""
        count = CLOSER * self.how.playouts
        pick = _Pick.of(chances, self.seat)
        best = int(np.argmax(chances[:, self.seat]))
        fresh = {
            at: self._playouts(self.actions[at], self.how.playouts, count)
            for at in dict.fromkeys((pick.high, pick.low, best))
        }
        row["chance"] = fresh[best][:, self.seat].mean()
        row["can_win"] = row["chance"] > HOPELESS
        if row["can_win"]:
            return
        gap = fresh[pick.high][:, pick.rival] - fresh[pick.low][:, pick.rival]
        row["rival"], row["swing"] = pick.rival, gap.mean()
        error = gap.std(ddof=1) / sqrt(count)
        row["decides"] = row["swing"] >= SWING and row["swing"] > CERTAIN * error
