"""The referee of West Story: replays an event log by the rulebook and stops at the first breach.

It works out every consequence itself and lets the log decide two things only: luck (the deal, the
dice, the order of returned cards) and what the players chose. Where the rulebook leaves an order
free (executions of a production, gains of an execution), any order will do.
Messages count rounds and spaces from 1, as the narration does; seats from 0.
"""

from collections.abc import Mapping
from typing import Any

from sim.games.game import Replay
from sim.games.west_story import endgame, events, phases
from sim.games.west_story.events import COMBO, END_REASONS, GREEN, PARTS, ROUND_CAP, TOKEN, YELLOW
from sim.games.west_story.gains import at_the_lake
from sim.games.west_story.judge import Judge
from sim.games.west_story.logbook import (
    UNUSED,
    AtTheLake,
    ComboCow,
    Deed,
    DicePassed,
    Event,
    GameOver,
    Marked,
    Production,
    Result,
    RoundBegins,
    outcome_row,
    row,
)
from sim.games.west_story.opening import set_up
from sim.games.west_story.player_turn import PlayerTurn, all_cleared, clear_rows, execute, mark
from sim.games.west_story.rulebook import Gain, Rules, Table

__all__ = ["Replay", "Table", "replay"]

MAX_DIE = 6


def replay(
    log: Any, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
) -> Replay:
    """Replay a log, int32 [rows, 6]; raise `RuleBroken` at the first row that breaks a rule.

    `components` has the shape of `default_components()`, `rulings` a value for every ruling. The
    events of the replay are those of `sim.games.west_story.logbook`; `states[i]` is a picture of
    the `Table` after `events[i]`.
    """
    return _Referee(Judge(log, Rules.read(components, rulings, players))).follow()


class _Referee:
    """Follows a whole game."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.events: list[Event] = []
        self.states: list[Table] = []

    @property
    def table(self) -> Table:
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
            self.note(self.production(seat))
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

    # Production

    def production(self, seat: int) -> Production:
        """B. Production of one seat: marks, executions in any order, rows cleared."""
        judge, table = self.judge, self.table
        deeds: list[Deed] = []
        spots: list[int] = []
        for line, (why, value) in enumerate(zip((YELLOW, GREEN), table.dice or (), strict=True)):
            due = phases.spot_for_die(table.players[seat], line, value)
            spots.append(mark(judge, seat, [due], why))
            moved = due % events.ROW_SPOTS != value - 1
            deeds.append(Marked(due, events.MARKED_BY[why], moved))
        third = self.third(seat, *spots)
        if isinstance(third, Marked):
            spots.append(third.spot)
        if third is not None:
            deeds.append(third)
        while spots:
            executed = execute(judge, seat, spots)
            spots.remove(executed.spot)
            deeds.append(executed)
        deeds += clear_rows(judge, seat)
        all_cleared(judge, seat)
        judge.check(seat)
        return Production(judge.round, seat, tuple(deeds))

    def third(self, seat: int, top: int, bottom: int) -> Marked | ComboCow | None:
        """Read the third action of a combo, or of a wild token spent without one."""
        judge, table = self.judge, self.table
        spots = phases.combo_spots(table, seat, top, bottom)
        by_token = spots is None
        if spots is None:
            if not judge.reader.is_next(events.MARK, events.COMBO_COW):
                return None
            self.spend_token(seat)
            spots = phases.token_spots(table, seat, top, bottom)
        if spots:
            why = TOKEN if by_token else COMBO
            spot = mark(judge, seat, spots, why, int(by_token))
            return Marked(spot, events.MARKED_BY[why])
        due = row(events.COMBO_COW, judge.round, seat, int(by_token))
        judge.expect(due, "no unmarked spot has the symbol")
        return ComboCow(by_token, judge.settle(seat, [Gain("cows", 1, "combo")]))

    def spend_token(self, seat: int) -> None:
        """Take the wild token that a third action without a combo costs."""
        player = self.table.players[seat]
        if player.wild_tokens == 0:
            found = self.judge.reader.ahead()
            self.judge.breach(
                f"{self.judge.told(found, seat)}, but the marked spots make no combo and it has "
                "no wild token",
                seat,
            )
        player.wild_tokens -= 1

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
