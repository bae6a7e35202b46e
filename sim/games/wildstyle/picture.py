"""Draws the table of Wildstyle after an act: the city with all tags, mats, piles and objectives."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.errors import SimError
from sim.games.game import Replay
from sim.games.wildstyle.city import City
from sim.games.wildstyle.events import STATION
from sim.games.wildstyle.glyphs import draw_tag
from sim.games.wildstyle.logbook import (
    Acted,
    FinalPhase,
    GameOver,
    Removed,
    Scored,
    Solo,
    TableState,
)
from sim.games.wildstyle.mapdraw import (
    INK,
    draw_map,
    draw_tags,
    mark_hexes,
    mark_path,
    middles,
    number_hexes,
)
from sim.games.wildstyle.panel import (
    PANEL_WIDTH,
    PAPER,
    PILES_HEIGHT,
    SEAT_HEIGHT,
    draw_legend,
    draw_objectives,
    draw_piles,
    draw_seat,
    objectives_height,
    short,
)
from sim.games.wildstyle.rulebook import Rules
from sim.games.wildstyle.scoring_rules import Counted, Side, count_objective
from sim.games.wildstyle.textmap import owners
from sim.games.wildstyle.wording import Wording, at_second, capital, counted, side_words

WIDTH, HEADING, GAP = 16.0, 0.85, 0.12
"""Inches, as all lengths here but those on the map."""
MAP_WIDTH, MAP_HEIGHT, LEGEND = WIDTH - PANEL_WIDTH - 3 * GAP, 6.9, 1.12


def picture(replay: Replay, style_names: Sequence[str], turn: int | None = None) -> Figure:
    """Draw the table after so many acts that succeeded: 0 is the deal, None the end of the game.

    `style_names` names the style at each seat. Raises SimError when there is no such act.
    """
    view = View.of(replay, style_names, turn)
    side = view.rules.players * (SEAT_HEIGHT + GAP) + PILES_HEIGHT + GAP
    side += objectives_height(len(view.sides)) + GAP
    height = HEADING + max(side, MAP_HEIGHT + LEGEND + GAP)
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    table = figure.add_axes((0, 0, 1, 1))
    table.set(xlim=(0, WIDTH), ylim=(0, height))
    table.set_axis_off()
    _draw_heading(table, view, height)
    _draw_side(table, view, height - HEADING)
    lost = any(map(any, (view.given_up, view.solo)))
    draw_legend(table, view.rules, GAP, GAP, MAP_WIDTH, lost)
    bottom = GAP + LEGEND
    _draw_city(figure, view, (GAP, bottom, MAP_WIDTH, height - HEADING - bottom))
    return figure


@dataclass(frozen=True)
class View:
    """What is shown: a game after the event with a number; `acts` succeeded until then."""

    replay: Replay
    styles: tuple[str, ...]
    at: int
    acts: int

    @classmethod
    def of(cls, replay: Replay, style_names: Sequence[str], turn: int | None) -> "View":
        """Return the view after an act, by its number from 1; 0 is the deal, None the end."""
        acts = [at for at, event in enumerate(replay.events) if isinstance(event, Acted)]
        if turn is not None and not 0 <= turn <= len(acts):
            raise SimError(
                f"turn: {turn} is outside this game, which has acts 0 (the deal) to {len(acts)}"
            )
        at = len(replay.events) - 1 if turn is None else acts[turn - 1] if turn else 1
        if isinstance(replay.events[min(at + 1, len(replay.events) - 1)], FinalPhase):
            at += 1
        return cls(replay, tuple(style_names), at, len(acts) if turn is None else turn)

    @property
    def rules(self) -> Rules:
        """The rules in use."""
        return self.replay.events[0].rules

    @property
    def city(self) -> City:
        """The city map."""
        return self.replay.events[0].city

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides of the objective tiles that show."""
        return self.replay.events[0].sides

    @property
    def state(self) -> TableState:
        """The table as it is shown."""
        return self.replay.states[self.at]

    @property
    def over(self) -> GameOver | None:
        """How the game ended, when its end is shown."""
        event = self.replay.events[self.at]
        return event if isinstance(event, GameOver) else None

    @property
    def all_acts(self) -> int:
        """How many acts succeed in the whole game."""
        return sum(isinstance(event, Acted) for event in self.replay.events)

    @property
    def last(self) -> Acted | None:
        """The act that has just happened, None for the deal and for the end."""
        if self.over or not self.acts:
            return None
        event = self.replay.events[self.at]
        return event if isinstance(event, Acted) else self.replay.events[self.at - 1]

    @cached_property
    def wording(self) -> Wording:
        """How things are said in this game."""
        return Wording(self.replay, self.styles)

    @property
    def given_up(self) -> tuple[tuple[int, ...], ...]:
        """Tags that came off for cop cars, by seat."""
        return self._lost(Removed)

    @property
    def solo(self) -> tuple[tuple[int, ...], ...]:
        """Tags that came off as solo tags, by seat."""
        return self._lost(Solo)

    def _lost(self, kind: type[Removed | Solo]) -> tuple[tuple[int, ...], ...]:
        events = self.replay.events[: self.at]
        lost = {event.seat: event.hexes for event in events if isinstance(event, kind)}
        return tuple(lost.get(seat, ()) for seat in range(self.rules.players))

    def points(self) -> list[list[int]]:
        """Return points by row and seat: each side, then tags by their icons, then the total.

        At the end of the game they are final, else those of the tags as they lie.
        """
        if self.over and not self.over.truncated:
            scored = [event for event in self.replay.events if isinstance(event, Scored)]
            rows = [
                [event.points for event in scored if event.position == position]
                for position in range(len(self.sides))
            ]
            rows.append([result.tag_points for result in self.over.results])
        else:
            tags = [frozenset(hexes) for hexes in self.state.tags]
            rows = [
                [count_objective(self.city, side, own).points for own in tags]
                for side in self.sides
            ]
            rows.append([self.city.tag_points(own) for own in tags])
        return [*rows, [sum(column) for column in zip(*rows, strict=True)]]

    def status(self, seat: int) -> str:
        """Return what is special about a seat at this moment."""
        if self.over:
            result = self.over.results[seat]
            won = "wins" if sum(other.rank == 1 for other in self.over.results) == 1 else "shares"
            rank = {0: "cut off", 1: won if won == "wins" else "shares the win"}
            told = rank.get(result.rank, f"rank {result.rank}")
            return told if self.over.truncated else f"{counted(result.score, 'point')}, {told}"
        if self.state.finished[seat]:
            return "finished for the round"
        return "has just acted" if self.last and self.last.seat == seat else ""


# The parts of the picture


def _draw_heading(axes: Axes, view: View, height: float) -> None:
    state = view.state
    if view.over:
        title = f"the end, after {counted(state.round, 'round')} and {counted(view.acts, 'act')}"
    elif view.acts == 0:
        title = "round 1 is dealt"
    else:
        phase = ", final phase" if state.final_phase else ""
        second = at_second(state.time)
        title = f"round {state.round}, {second}{phase}: after act {view.acts} of {view.all_acts}"
    axes.text(
        GAP, height - 0.14, f"Wildstyle, {title}", fontsize=16, weight="bold", color=INK, va="top"
    )
    told = textwrap.wrap(_happened(view), 200)
    axes.text(GAP, height - 0.54, short(told[0], 200), fontsize=11, color=INK, va="top")


def _happened(view: View) -> str:
    """Return the last act in words, or who won."""
    if view.over:
        return view.wording.verdict(view.over)
    if view.last is None:
        return "Everybody has a hand and may begin."
    after = view.replay.events.index(view.last)
    before, state = view.replay.states[after - 1], view.replay.states[after]
    told = f"Seat {view.last.seat} {view.wording.act(view.last, before, state)}."
    ended = [
        view.wording.finished(seat, view.state)
        for seat in range(view.rules.players)
        if view.state.finished[seat] and not before.finished[seat]
    ]
    return " ".join([told, *(f"{capital(text)}." for text in ended)])


def _draw_side(axes: Axes, view: View, top: float) -> None:
    """Draw mats, piles and objectives under each other."""
    left = WIDTH - GAP - PANEL_WIDTH
    for seat in range(view.rules.players):
        top -= SEAT_HEIGHT
        name = short(view.styles[seat], 26)
        moved = view.last is not None and view.last.seat == seat
        draw_seat(axes, view.rules, view.state, seat, name, view.status(seat), moved, left, top)
        top -= GAP
    draw_piles(axes, view.rules, view.state, left, top - PILES_HEIGHT)
    top -= PILES_HEIGHT + GAP
    final = view.over and not view.over.truncated
    title = "Points" if final else "Points as the tags lie"
    draw_objectives(axes, view.sides, view.points(), title, left, top)


def _draw_city(figure: Figure, view: View, place: tuple[float, float, float, float]) -> None:
    """Draw the map into a place in inches."""
    off = [*view.given_up, *view.solo]
    axes, point = _map_axes(figure, view, place, [*view.state.tags, *off])
    cells = view.city.ground.cells
    if view.last and view.last.deed.hex is not None:
        mark_hexes(axes, cells, [view.last.deed.hex])
    draw_tags(axes, cells, view.state.tags, view.given_up, view.solo, point=point)


# One seat's objectives


EACH, TITLE = 6.0, 0.6
PATHS = ("lines", "longest_line", "station_path")
"""Kinds whose groups are lists of hexes from one end to the other."""


def objectives_picture(
    replay: Replay, style_names: Sequence[str], seat: int, turn: int | None = None
) -> Figure:
    """Draw the map once for each objective and mark what a seat scores there.

    Its tags that count are outlined, group by group and numbered where there are several: figures,
    lines, paths, clusters, sets of an icon. `turn` as in `picture`; at the end the tags that are
    left count. Raises SimError when there is no such seat or act. For a game of a study:

        told = watch(load("my_study"), 7)
        replay = told.game.replay(told.setup, told.log)
        objectives_picture(replay, told.styles, seat=2).savefig("seat_2.png")
    """
    view = View.of(replay, style_names, turn)
    if not 0 <= seat < view.rules.players:
        raise SimError(f"seat: found {seat}; allowed: 0 to {view.rules.players - 1}")
    count = len(view.sides)
    width, map_height = count * EACH, _height_for(view, EACH - 0.3)
    height = HEADING + TITLE + map_height + GAP
    figure = Figure(figsize=(width, height), facecolor=PAPER)
    words = figure.add_axes((0, 0, 1, 1))
    words.set(xlim=(0, width), ylim=(0, height))
    words.set_axis_off()
    tags = frozenset(view.state.tags[seat])
    draw_tag(words, seat, (0.32, height - 0.34), 0.16, 11)
    heading = f"Seat {seat}  {short(view.styles[seat], 13 * count)}: {_moment(view)}"
    style: dict[str, Any] = {"color": INK, "va": "center_baseline"}
    words.text(0.6, height - 0.34, heading, fontsize=14, weight="bold", **style)
    for column, side in enumerate(view.sides):
        counted_tags = count_objective(view.city, side, tags)
        left, top = column * EACH + 0.15, height - HEADING
        title = f"{short(side.title, 30)}: {counted(counted_tags.points, 'point')}"
        words.text(left, top, title, fontsize=13, weight="bold", **style)
        told = f"{side_words(side)}; {len(counted_tags.hexes)} of {counted(len(tags), 'tag')} count"
        words.text(left, top - 0.3, textwrap.fill(told, 80), fontsize=9.5, color=INK, va="center")
        place = (left, GAP, EACH - 0.3, map_height)
        _draw_groups(figure, view, seat, side.kind, counted_tags, place)
    return figure


def _moment(view: View) -> str:
    """Return what is shown."""
    if view.over:
        return "the end of the game"
    return f"round {view.state.round}, after act {view.acts}" if view.acts else "the deal"


def _draw_groups(
    figure: Figure,
    view: View,
    seat: int,
    kind: str,
    found: Counted,
    place: tuple[float, float, float, float],
) -> None:
    """Draw a pale map with the tags of all, those of others paler, and the groups that count."""
    mine = view.state.tags[seat]
    axes, point = _map_axes(figure, view, place, view.state.tags, strong=mine, paleness=0.5)
    cells = view.city.ground.cells
    others = set(range(view.rules.players)) - {seat}
    draw_tags(axes, cells, view.state.tags, point=point, faint=others)
    for number, group in enumerate(found.groups, start=1):
        mark_hexes(axes, cells, group, [h for h in group if view.city.icons[h] != STATION])
        if kind in PATHS:
            mark_path(axes, cells, group)
        if len(found.groups) > 1:
            number_hexes(axes, cells, group, number, point)


def _map_axes(
    figure: Figure,
    view: View,
    place: tuple[float, float, float, float],
    tags: Sequence[Sequence[int]],
    **pale: Any,
) -> tuple[Axes, float]:
    """Draw the city into a place in inches, with room for tags; return axes and size of a point.

    `pale` goes to `draw_map`.
    """
    size = figure.get_size_inches()
    left, bottom, width, height = place
    axes = figure.add_axes((left / size[0], bottom / size[1], width / size[0], height / size[1]))
    ground = view.city.ground
    draw_map(axes, ground.cells, ground.district, view.city.icons, tagged=owners(tags), **pale)
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    return axes, max((x1 - x0) / width, (y1 - y0) / height) / 72


def _height_for(view: View, width: float) -> float:
    """Return how high a map of so many inches is."""
    across, down = np.ptp(middles(view.city.ground.cells), axis=0) + 2
    return float(width * down / across)
