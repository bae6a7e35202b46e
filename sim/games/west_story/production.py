"""Production in West Story as the referee follows it: marks, executions, rows cleared."""

from sim.games.reading import row
from sim.games.west_story import events, phases
from sim.games.west_story.events import COMBO, GREEN, MARKED_BY, ROW_SPOTS, TOKEN, YELLOW
from sim.games.west_story.judge import Judge
from sim.games.west_story.logbook import (
    Cleared,
    ComboCow,
    Deed,
    Executed,
    Marked,
    Production,
    spot_name,
)
from sim.games.west_story.rulebook import Gain


def follow_production(judge: Judge, seat: int) -> Production:
    """Follow the production of one seat: marks, executions in any order, rows cleared."""
    table = judge.table
    deeds: list[Deed] = []
    spots: list[int] = []
    for line, (why, value) in enumerate(zip((YELLOW, GREEN), table.dice or (), strict=True)):
        due = phases.spot_for_die(table.players[seat], line, value)
        spots.append(mark(judge, seat, [due], why))
        deeds.append(Marked(due, MARKED_BY[why], moved=due % ROW_SPOTS != value - 1))
    third = third_action(judge, seat, *spots)
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


def third_action(judge: Judge, seat: int, top: int, bottom: int) -> Marked | ComboCow | None:
    """Read the third action of a combo, or of a wild token spent without one."""
    table = judge.table
    spots = phases.combo_spots(table, seat, top, bottom)
    by_token = spots is None
    if spots is None:
        if not judge.reader.is_next(events.MARK, events.COMBO_COW):
            return None
        spend_token(judge, seat)
        spots = phases.token_spots(table, seat, top, bottom)
    if spots:
        why = TOKEN if by_token else COMBO
        return Marked(mark(judge, seat, spots, why, int(by_token)), MARKED_BY[why])
    due = row(events.COMBO_COW, judge.round, seat, int(by_token))
    judge.expect(due, "no unmarked spot has the symbol")
    return ComboCow(by_token, judge.settle(seat, [Gain("cows", 1, "combo")]))


def spend_token(judge: Judge, seat: int) -> None:
    """Take the wild token that a third action without a combo costs."""
    player = judge.table.players[seat]
    if player.wild_tokens == 0:
        told = judge.told(judge.reader.ahead(), seat)
        judge.breach(f"{told}, but its marks make no combo and it has no wild token", seat)
    player.wild_tokens -= 1


def mark(judge: Judge, seat: int, allowed: list[int], why: int, token: int = 0) -> int:
    """Read which of the allowed spots a seat marks."""
    spots = ", ".join(map(spot_name, allowed))
    due = f"marks one of {spots} ({MARKED_BY[why]})"
    found = judge.read(events.MARK, seat, 3, due)
    if found[3] not in allowed or found[4:] != (why, token):
        judge.back()
        judge.unexpected(due, seat)
    judge.table.players[seat].marks |= {found[3]}
    return found[3]


def execute(judge: Judge, seat: int, spots: list[int]) -> Executed:
    """Read which of the spots a seat executes, how, and what it gets."""
    table = judge.table
    due = f"executes one of {', '.join(map(spot_name, spots))}"
    found = judge.read(events.EXECUTE, seat, 2, due)
    spot, chosen = found[3:5]
    if spot not in spots:
        judge.back()
        judge.unexpected(due, seat)
    action, stack = table.action(seat, spot), table.players[seat].stacks[spot]
    if not 0 <= chosen < len(action.alternatives):
        judge.refuse(f"{action.title} has {len(action.alternatives)} alternatives", seat)
    source = "effects" if stack else "spaces"
    outcome = judge.settle(seat, action.alternatives[chosen], source)
    return Executed(spot, chosen, stack[-1] if stack else None, outcome)


def clear_rows(judge: Judge, seat: int) -> list[Cleared]:
    """Read the rows that are cleared now, in any order."""
    player = judge.table.players[seat]
    cleared = []
    while judge.reader.is_next(events.CLEAR):
        found = judge.read(events.CLEAR, seat, 1, "a full row is cleared")
        if found[3] not in phases.full_rows(player):
            judge.refuse("that row is not full", seat)
        phases.clear_row(player, found[3])
        cleared.append(Cleared(found[3]))
    return cleared


def all_cleared(judge: Judge, seat: int) -> None:
    """See that no full row is left."""
    for full in phases.full_rows(judge.table.players[seat]):
        judge.unexpected(judge.teller.tell(row(events.CLEAR, judge.round, seat, full)), seat)
