"""The referee of West Story: replays an event log by the rulebook and stops at the first breach.

It works out every consequence itself and lets the log decide two things only: luck (the deal, the
dice, the order of returned cards) and what the players chose. Where the rulebook leaves an order
free (executions of a production, gains of an execution), any order will do.
Messages count rounds and spaces from 1, as the narration does; seats from 0.
"""

from collections.abc import Mapping
from typing import Any

from sim.games.game import Replay
from sim.games.reading import UNUSED, row
from sim.games.west_story import endgame, events, phases
from sim.games.west_story.events import END_REASONS, PARTS, ROUND_CAP
from sim.games.west_story.gains import at_the_lake
from sim.games.west_story.judge import Judge
from sim.games.west_story.logbook import (
    AtTheLake,
    DicePassed,
    Event,
    GameOver,
    Result,
    RoundBegins,
    outcome_row,
)
from sim.games.west_story.opening import set_up
from sim.games.west_story.player_turn import PlayerTurn
from sim.games.west_story.production import follow_production
from sim.games.west_story.rulebook import Rules, Table

__all__ = ["Referee", "Replay", "Table", "replay"]

MAX_DIE = 6


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    `components` has the shape of `default_components()`, `rulings` a value for every ruling. The
    events of the replay are those of `sim.games.west_story.logbook`; `states[i]` is a picture of
    the `Table` after `events[i]`.
    """
    return Referee(Judge(log, Rules.read(components, rulings, players))).follow()


class Referee:
    """Follows a whole game."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.events: list[Event] = []
        self.states: list[Table] = []

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.judge.table

    def follow(self) -> Replay:
        """Follow the game from set-up to score."""
        self.note(set_up(self.judge))
        while (reason := self.play_round()) is None:
            pass
        self.game_over(reason)
        return Replay(self.events, self.states)

    def note(self, event: Event) -> None:
        """Keep an event and the table after it."""
        self.events.append(event)
        self.states.append(self.table.snapshot())

    # Game Round

    def play_round(self) -> str | None:
        """Follow a round; return why the game ends with it, None if it goes on."""
        judge, table = self.judge, self.table
        judge.round, judge.place = table.round, f"round {table.round + 1}"
        self.roll()
        order = table.order()
        for seat in order:
            self.note(follow_production(judge, seat))
        self.coins_at_the_lake()
        for seat in order:
            self.note(PlayerTurn(judge, seat).follow())
        table.dice = None
        by_pan = endgame.is_over_before_dice(table)
        table.round += 1
        if not by_pan:
            self.pass_the_dice()
            by_pan = endgame.is_over_after_dice(table)
        return endgame.reason_of_end(table, by_pan)

    def roll(self) -> None:
        """A. Roll the Dice."""
        judge, first = self.judge, self.table.first
        found = judge.read(events.ROLL, first, 2, "the first player rolls")
        if not all(1 <= die <= MAX_DIE for die in found[3:5]):
            judge.refuse(f"dice show 1 to {MAX_DIE}", first)
        self.table.dice = found[3], found[4]
        self.note(RoundBegins(judge.round, first, *found[3:5]))

    def coins_at_the_lake(self) -> None:
        """Gold Panning: coins for those who reached the lake in this production."""
        judge = self.judge
        coins = tuple(at_the_lake(self.table))
        for coin in coins:
            judge.expect(outcome_row(coin, judge.round, coin.seat), "it has reached the lake")
        if coins:
            judge.check()
            self.note(AtTheLake(judge.round, coins))

    def pass_the_dice(self) -> None:
        """D. Pass the Dice."""
        judge = self.judge
        seat, tied = phases.pass_the_dice(self.table)
        coins = [player.coins for player in self.table.players]
        why = f"{'tied for' if tied else ''} the richest; then they have {coins} coins"
        judge.expect(row(events.RICHEST, judge.round, seat, int(not tied)), why.strip())
        judge.check()
        self.note(DicePassed(judge.round, seat, tied))

    # Game End

    def game_over(self, reason: str) -> None:
        """Compare what is added at the end, scores and ranks; nothing may follow."""
        judge, table = self.judge, self.table
        judge.place = "end of the game"
        is_cut_off = reason == END_REASONS[ROUND_CAP]
        end = row(events.END, judge.round, UNUSED, END_REASONS.index(reason))
        judge.expect(end, f"after {table.round} rounds with {table.pan} coins in the gold pan")
        ranks = [0] * len(table.players) if is_cut_off else endgame.ranking(table)
        results = []
        for seat, rank in enumerate(ranks):
            parts = endgame.final_parts(table, seat)
            for part, vp in parts.items():
                if vp:
                    final = row(events.FINAL, judge.round, seat, PARTS.index(part), vp)
                    judge.expect(final, "what lies on its board")
            score, villains = endgame.score_of(table, seat), endgame.villain_vp(table, seat)
            results.append(Result(seat, score, rank, villains, parts))
        for result in results:
            due = (result.score, result.rank, result.villain_vp)
            why = "a game cut off has no ranks" if is_cut_off else "marker and parts"
            judge.expect(row(events.SCORE, judge.round, result.seat, *due), why)
        if judge.reader.ahead() is not None:
            judge.breach(f"{judge.told(judge.reader.ahead())}, but the game is over")
        self.note(GameOver(reason, table.round, tuple(results)))
