"""How Wildstyle's events are said: acts, fumbles, objectives, hexes, who and how many.

Seats and piles count from 0, acts and rounds from 1.
"""

from collections.abc import Iterable, Sequence

from sim.games.game import Replay
from sim.games.wildstyle import events
from sim.games.wildstyle.logbook import Acted, Deed, Fumbled, GameOver, Result, TableState
from sim.games.wildstyle.rulebook import MICROSECONDS, Rules
from sim.games.wildstyle.scoring_rules import Side
from sim.games.wildstyle.textmap import hex_names, owners

ROUND_ENDS = {
    "piles_empty": "the draw piles are empty",
    "tags_out": "no more than one player has tags on the mat",
    "stalemate": "nobody can or will act",
    "time_cap": "this is the longest that a round can last",
}


def several(things: Iterable[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    *most, end = things
    return f"{', '.join(most)} and {end}" if most else end


def counted(count: int, noun: str) -> str:
    """Return `1 tag`, `2 tags`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def capital(words: str) -> str:
    """Return words with a capital first letter, the rest as they are."""
    return words[:1].upper() + words[1:]


def at_second(time: int) -> str:
    """Return microseconds as seconds: `12.3 s`."""
    return f"{time / MICROSECONDS:.1f} s"


def side_words(side: Side) -> str:
    """Return what a side of an objective tile is scored for."""
    number = side.number
    least = f" from {number} on" if number > 1 else ""
    stations = counted(number, "station")
    what = {
        "triangles": f"triangle of {number * (number + 1) // 2} tags",
        "hexagons": f"hexagon of {1 + 3 * number * (number + 1)} tags",
        "lines": f"straight line of {number} tags",
        "longest_line": f"tag of the longest line{least}",
        "borders": "tag at a border between districts",
        "police": "tag beside a police station",
        "matching": f"{number} tags on the same icon in a cluster",
        "most_icon": "tag on the icon tagged most",
        "districts": f"district with {counted(number, 'tag')}",
        "clusters": f"cluster of {counted(number, 'tag')}",
        "railways": f"rail and station in clusters with {stations}",
        "station_path": f"tag on a path that joins {stations}",
    }[side.kind]
    best = ", best path only" if side.kind == "station_path" and side.best_cluster else ""
    return f"{counted(side.points, 'point')} per {what}{best}"


class Wording:
    """Says what happens in one game; `styles` names the style at each seat."""

    def __init__(self, replay: Replay, styles: Sequence[str]) -> None:
        start = replay.events[0]
        self.rules: Rules = start.rules
        self.city = start.city
        self.styles = tuple(styles)
        self.names = hex_names(start.city.ground.cells)

    def who(self, seat: int) -> str:
        """Return `seat 1 (greedy)`."""
        return f"seat {seat} ({self.styles[seat]})"

    def everyone(self, seats: Iterable[int]) -> str:
        """Return `seat 1`, `seats 0 and 2`."""
        numbers = [str(seat) for seat in seats]
        return f"seat{'s' if len(numbers) > 1 else ''} {several(numbers)}"

    def card(self, card: int | None) -> str:
        """Return `Park (red)`."""
        assert card is not None
        return self.rules.card_title(card)

    def cards(self, cards: Iterable[int]) -> str:
        """Return cards in a line."""
        return ", ".join(map(self.card, cards)) or "no card"

    def hex(self, hex_: int) -> str:
        """Return `Park G7`."""
        return f"{self.rules.icon_titles[self.city.icons[hex_]]} {self.names[hex_]}"

    def icon_points(self, hex_: int) -> int:
        """Return what a tag on a hex scores."""
        return self.city.points[self.city.icons[hex_]]

    # Acts

    def act(self, event: Acted, before: TableState, after: TableState) -> str:
        """Return what a seat has done, as the rest of a sentence about it."""
        deed = event.deed
        if deed.act == "draw":
            left = after.draw_piles[deed.pile or 0]
            return f"draws {self.card(event.drawn)} from pile {deed.pile}, {left} left"
        if deed.act == "share":
            return f"shares {self.card(deed.card)} on {self.share_pile(deed, before)}"
        if deed.act in ("add", "take"):
            size = len(after.mats[event.seat][deed.space or 0])
            verb = "adds" if deed.act == "add" else "takes"
            origin = f" from share pile {deed.pile}" if deed.act == "take" else ""
            grown = "a new set" if size == 1 else f"{size} of {self.rules.set_size}"
            return f"{verb} {self.card(deed.card)}{origin}: {grown}"
        return self.clearing(event, before)

    def share_pile(self, deed: Deed, before: TableState) -> str:
        """Return where a card is shared."""
        empty = "" if before.share_piles[deed.pile or 0] else "the empty "
        return f"{empty}share pile {deed.pile}"

    def clearing(self, event: Acted, before: TableState) -> str:
        """Return how a set leaves the mat and where the tag goes."""
        deed, seat = event.deed, event.seat
        cards = before.mats[seat][deed.space or 0]
        icon = cards[0] // events.COLOURS
        title = self.rules.icon_titles[icon]
        size = self.rules.set_size
        verb = "completes" if deed.act == "complete" else f"rushes {len(cards)} of {size}"
        told = f"{verb} {title}"
        if deed.act == "rush":
            told += " for a cop car"
        if deed.hex is None:
            return f"{told}, without a tag{self.full(icon, before, seat)}"
        own = len(self.city.ground.neighbours[deed.hex].intersection(before.tags[seat]))
        beside = f", beside {own} of its own" if own else ""
        return f"{told} and tags {self.names[deed.hex]}{beside}"

    def full(self, icon: int, before: TableState, seat: int) -> str:
        """Return that no hex of an icon is left for a seat, if none is."""
        by_hex = owners(before.tags)
        taken = before.tags[seat] if icon == events.STATION else by_hex
        free = any(hex_ not in taken for hex_ in self.city.hexes[icon])
        return "" if free else ": no hex is left"

    def finished(self, seat: int, after: TableState) -> str:
        """Return why a seat has just finished the round."""
        left = "no tag left" if after.tags_left[seat] == 0 else "no set left"
        return f"seat {seat} has {left} and is finished"

    def aim(self, deed: Deed) -> str:
        """Return what a seat is doing, as `taking Park (red)`."""
        if deed.act == "draw":
            return "drawing"
        if deed.act in ("complete", "rush"):
            how = "completing" if deed.act == "complete" else "rushing"
            return f"{how} a set" if deed.hex is None else f"{how} a set on {self.names[deed.hex]}"
        verb = {"add": "adding", "share": "sharing", "take": "taking"}[deed.act]
        return f"{verb} {self.card(deed.card)}"

    def fumble(self, event: Fumbled, state: TableState, lost: int) -> str:
        """Return what failed, the microseconds lost with it, and why it failed."""
        return f"loses {at_second(lost)} {self.aim(event.deed)}: {self.reason(event, state)}"

    def reason(self, event: Fumbled, state: TableState) -> str:
        """Return why an act fails."""
        deed = event.deed
        if deed.act == "draw":
            return f"pile {deed.pile} is empty"
        if deed.act in ("share", "take"):
            top = state.share_piles[deed.pile or 0][-1:]
            if not top:
                return f"share pile {deed.pile} is empty"
            if top != (deed.card,):
                return f"pile {deed.pile} has {self.card(top[0])}"
        if deed.act in ("add", "take"):
            return "no new set in the final phase"
        if deed.hex is not None and event.why.startswith("hex"):
            others = [seat for seat in owners(state.tags)[deed.hex] if seat != event.seat]
            return f"{self.everyone(others)} got there first"
        return event.why

    # The end

    def ranks(self, over: GameOver) -> dict[int, list[Result]]:
        """Return the results by rank, the best first."""
        ranks: dict[int, list[Result]] = {}
        for result in sorted(over.results, key=lambda result: result.rank):
            ranks.setdefault(result.rank, []).append(result)
        return ranks

    def verdict(self, over: GameOver) -> str:
        """Return in a sentence who won and by how much, or that nobody did."""
        if over.truncated:
            return "The game is cut off by the longest time for a round: nobody wins."
        best, *others = self.ranks(over).values()
        names = capital(several(self.who(result.seat) for result in best))
        if len(best) > 1:
            return f"{names} share the win."
        ahead = best[0].score - others[0][0].score
        if ahead:
            return f"{names} wins by {counted(ahead, 'point')}."
        cars = f"{best[0].cars} against {others[0][0].cars}"
        return f"{names} wins the tie with fewer cop cars ({cars})."
