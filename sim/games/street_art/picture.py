"""Draws the table of Street Art after a turn, and everyone's hearts turn by turn below it."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from matplotlib.ticker import MaxNLocator

from sim.errors import SimError
from sim.games.game import Replay
from sim.games.street_art.narrate import capital, counted_cards, tell_end, tell_turn
from sim.games.street_art.referee import PlayerState
from sim.games.street_art.rulebook import RAIN, Played, Rules

WIDTH, TABLE, CHART = 12.0, 7.1, 2.9
"""Inches: the table is drawn in inches too, with the origin at its lower left."""
PANEL_WIDTH, PANEL_HEIGHT, GAP = 3.74, 2.2, 0.2
CARD_WIDTH, CARD_HEIGHT = 1.25, 1.5

SEAT_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
"""Okabe and Ito (2008): told apart with any colour vision."""
SEAT_LINES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (2, 1)))
INK, FAINT, PAPER, STAR, SPECIAL = "#222222", "#767676", "#FFFFFF", "#FFF7DC", "#E8EEF4"
HEART = "\N{BLACK HEART SUIT}"
MINUS = "\N{MINUS SIGN}"


def picture(replay: Replay, style_names: Sequence[str], turn: int | None = None) -> Figure:
    """Draw the table after so many turns: 0 is the deal, None the end of the game.

    `style_names` names the style at each seat. Raises SimError when there is no such turn.
    """
    turns = len(replay.events) - 2
    shown = turns if turn is None else turn
    if not 0 <= shown <= turns:
        raise SimError(
            f"turn: {shown} is outside this game, which has turns 0 (the deal) to {turns}"
        )
    figure = Figure(figsize=(WIDTH, TABLE + CHART), facecolor=PAPER)
    table = figure.add_axes((0, CHART / (TABLE + CHART), 1, TABLE / (TABLE + CHART)))
    table.set(xlim=(0, WIDTH), ylim=(0, TABLE))
    table.set_axis_off()
    view = _View(replay, tuple(style_names), shown)
    _draw_heading(table, view)
    for seat, (left, bottom) in enumerate(places(view.players)):
        _draw_player(table, view, seat, left, bottom)
    _draw_middle(table, view)
    _draw_hearts_by_turn(figure, view)
    return figure


def places(players: int) -> list[tuple[float, float]]:
    """Return each seat's lower left corner: clockwise, along the top and back along the bottom."""
    above = (players + 1) // 2
    rows = [(above, TABLE - 0.65 - PANEL_HEIGHT, 1), (players - above, GAP, -1)]
    corners = []
    for count, bottom, direction in rows:
        width = count * PANEL_WIDTH + (count - 1) * GAP
        left = (WIDTH - width) / 2
        row = [(left + index * (PANEL_WIDTH + GAP), bottom) for index in range(count)]
        corners += row[::direction]
    return corners


@dataclass(frozen=True)
class _View:
    """What is shown: a game after some turns."""

    replay: Replay
    styles: tuple[str, ...]
    turn: int

    @property
    def rules(self) -> Rules:
        return self.replay.events[0].rules

    @property
    def players(self) -> int:
        return len(self.replay.states[0].players)

    @property
    def turns(self) -> int:
        return len(self.replay.events) - 2

    @property
    def is_end(self) -> bool:
        return self.turn == self.turns

    @property
    def mover(self) -> int | None:
        """Whose turn was the last one."""
        return self.replay.events[self.turn].seat if self.turn else None

    def player(self, seat: int) -> PlayerState:
        return self.replay.states[self.turn].players[seat]

    def change(self, seat: int) -> int:
        """Return the hearts that a seat won or lost in the last turn."""
        before = self.replay.states[max(self.turn - 1, 0)]
        return self.player(seat).hearts - before.players[seat].hearts

    def name(self, seat: int, longest: int) -> str:
        return f"Seat {seat}  {_short(self.styles[seat], longest)}"

    def status(self, seat: int) -> str:
        """Return what is special about a seat at this moment."""
        over = self.replay.events[-1]
        if self.is_end:
            rank = over.scores[seat].rank
            winners = sum(score.rank == 1 for score in over.scores)
            won = "shares the win" if winners > 1 else "wins"
            return {0: "cut off", 1: won}.get(rank, f"rank {rank}")
        if seat == self.turn % self.players:
            return "is next"
        return "has just played" if seat == self.mover else ""


def _short(text: str, longest: int) -> str:
    """Cut a text that is too long."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _box(
    axes: Axes,
    left: float,
    bottom: float,
    width: float,
    height: float,
    corner: float = 0.08,
    **style: Any,
) -> None:
    """Draw a box with rounded corners, `width` by `height` outside."""
    axes.add_patch(
        FancyBboxPatch(
            (left + corner, bottom + corner),
            width - 2 * corner,
            height - 2 * corner,
            boxstyle=f"round,pad={corner}",
            **style,
        )
    )


def _draw_heading(axes: Axes, view: _View) -> None:
    number = 1 + (view.turn - 1) // view.players
    moment = f"after turn {view.turn} of {view.turns} (round {number})" if view.turn else "the deal"
    axes.text(
        GAP, TABLE - 0.2, f"Street Art: {moment}", fontsize=16, weight="bold", color=INK, va="top"
    )


def _draw_player(axes: Axes, view: _View, seat: int, left: float, bottom: float) -> None:
    """Draw a player's panel: name, hearts, discard pile and hand."""
    player, color = view.player(seat), SEAT_COLORS[seat]
    top = bottom + PANEL_HEIGHT
    moved = seat == view.mover
    _box(
        axes,
        left,
        bottom,
        PANEL_WIDTH,
        PANEL_HEIGHT,
        facecolor=PAPER,
        edgecolor=color,
        linewidth=4.5 if moved else 1.5,
    )
    inside = left + 0.15
    _box(axes, inside, top - 0.32, 0.18, 0.18, corner=0.03, facecolor=color, edgecolor="none")
    axes.text(
        inside + 0.28,
        top - 0.23,
        view.name(seat, 17),
        fontsize=11,
        weight="bold",
        color=INK,
        va="center",
    )
    axes.text(
        left + PANEL_WIDTH - 0.15,
        top - 0.26,
        f"{HEART} {player.hearts}",
        fontsize=17,
        weight="bold",
        color=INK,
        ha="right",
        va="center",
    )
    _draw_card(axes, view, player, inside, bottom + 0.15)
    column = inside + CARD_WIDTH + 0.15
    if status := view.status(seat):
        axes.text(column, top - 0.58, status, fontsize=10, style="italic", color=INK, va="center")
    if change := view.change(seat):
        told = f"+{change}" if change > 0 else f"{MINUS}{-change}"
        axes.text(
            left + PANEL_WIDTH - 0.15,
            top - 0.58,
            told,
            fontsize=11,
            weight="bold",
            color=INK,
            ha="right",
            va="center",
        )
    _draw_hand(axes, view, player, column, bottom)


def _draw_card(axes: Axes, view: _View, player: PlayerState, left: float, bottom: float) -> None:
    """Draw the visible card of a discard pile and how many cards lie there."""
    middle = left + CARD_WIDTH / 2
    if player.visible is None:
        _box(
            axes,
            left,
            bottom,
            CARD_WIDTH,
            CARD_HEIGHT,
            facecolor=PAPER,
            edgecolor=FAINT,
            linestyle="--",
        )
        axes.text(middle, bottom + CARD_HEIGHT / 2, "no card", fontsize=9, color=FAINT, ha="center")
        return
    card = view.rules.cards[player.visible]
    _box(
        axes,
        left,
        bottom,
        CARD_WIDTH,
        CARD_HEIGHT,
        facecolor=STAR if card.is_star else SPECIAL,
        edgecolor=INK,
        linewidth=1.2,
    )
    value = f"{card.hearts} {HEART}" if card.is_star else "special"
    axes.text(
        left + 0.1,
        bottom + CARD_HEIGHT - 0.1,
        value,
        fontsize=12 if card.is_star else 9,
        color=INK,
        va="top",
    )
    widest = max(11, *(len(word) for word in card.title.split()))
    title = textwrap.fill(card.title, widest)
    lines = title.count("\n") + 1
    axes.text(
        middle,
        bottom + 0.7,
        title,
        fontsize=(11 if lines < 3 else 9.5) * 11 / widest,
        weight="bold",
        color=INK,
        ha="center",
        va="center",
        linespacing=1.05,
    )
    count = f"pile of {len(player.pile)}"
    axes.text(middle, bottom + 0.1, count, fontsize=8.5, color=INK, ha="center", va="bottom")


def _draw_hand(axes: Axes, view: _View, player: PlayerState, left: float, bottom: float) -> None:
    """List the cards in a hand under each other."""
    cards = counted_cards(view.rules, player.hand) or ["no card"]
    height = min(0.2, 1.05 / len(cards))
    axes.text(left, bottom + 1.32, "Hand", fontsize=9, color=FAINT, va="center")
    for line, card in enumerate(cards):
        axes.text(
            left,
            bottom + 1.12 - line * height,
            _short(card, 26),
            fontsize=min(9.5, 60 * height),
            color=INK,
            va="center",
        )


def _draw_middle(axes: Axes, view: _View) -> None:
    """Draw the middle of the table: hearts, box, draw pile, and what has just happened."""
    state = view.replay.states[view.turn]
    bottom, height = GAP * 2 + PANEL_HEIGHT, TABLE - 0.65 - 2 * PANEL_HEIGHT - 3 * GAP
    center = bottom + height / 2
    _box(axes, GAP, bottom, WIDTH - 2 * GAP, height, facecolor="#F4F4F1", edgecolor="none")
    columns = (
        (1.05, f"{HEART} {state.middle}", "in the middle"),
        (2.55, f"{HEART} {state.box}", "in the box"),
        (4.05, str(state.draw_pile), "cards to draw"),
    )
    for x, number, label in columns:
        axes.text(x, center + 0.15, number, fontsize=20, weight="bold", color=INK, ha="center")
        axes.text(x, center - 0.22, label, fontsize=10, color=INK, ha="center")
    text = _happened(view)
    size = 11.5 if len(text) < 300 else 9.5
    axes.text(
        5.1,
        center,
        textwrap.fill(text, int(870 / size)),
        fontsize=size,
        color=INK,
        va="center",
        linespacing=1.25,
    )


def _happened(view: _View) -> str:
    """Return the last turn in words, and the end of the game after it."""
    if view.turn == 0:
        return "The cards are dealt. Seat 0 starts."
    turn = view.replay.events[view.turn]
    told = f"Seat {turn.seat} {tell_turn(view.replay, view.turn)}."
    return f"{told} {capital(tell_end(view.replay, view.styles))}" if view.is_end else told


def _draw_hearts_by_turn(figure: Figure, view: _View) -> None:
    """Draw everyone's hearts by turn, equal ones side by side; what is to come is faint."""
    axes = figure.add_axes((0.055, 0.072, 0.735, (CHART - 1.0) / (TABLE + CHART)))
    states = view.replay.states[:-1]
    most = max(player.hearts for state in states for player in state.players)
    for seat in range(view.players):
        aside = (seat - (view.players - 1) / 2) * 0.012 * max(most, 1)
        hearts = [state.players[seat].hearts + aside for state in states]
        style: dict[str, Any] = {
            "color": SEAT_COLORS[seat],
            "linestyle": SEAT_LINES[seat],
            "linewidth": 2,
            "drawstyle": "steps-post",
            "clip_on": False,
        }
        axes.plot(hearts, alpha=0.3, **style)
        axes.plot(
            hearts[: view.turn + 1],
            label=view.name(seat, 13),
            marker="o",
            markevery=[view.turn],
            **style,
        )
    axes.axvline(view.turn, color=FAINT, linewidth=1, zorder=0)
    _mark_rain(axes, view)
    axes.set(xlabel="turn", ylabel="hearts", xlim=(0, max(view.turns, 1)))
    axes.set_ylim(-0.04 * max(most, 1), 1.06 * max(most, 1))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E3E3E3")
    axes.legend(
        loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=10, handlelength=3.2
    )


def _mark_rain(axes: Axes, view: _View) -> None:
    """Mark the turns of Rain; only as many are named as there is room for."""
    named = None
    for number, event in enumerate(view.replay.events[1:-1], start=1):
        if not any(isinstance(act, Played) and act.card == RAIN for act in event.acts):
            continue
        axes.axvline(number, color=FAINT, linewidth=1, linestyle=":", zorder=0)
        if named is None or number - named > 0.06 * view.turns:
            named = number
            axes.annotate(
                "Rain",
                (number, 1),
                xycoords=("data", "axes fraction"),
                xytext=(0, 3),
                textcoords="offset points",
                fontsize=9,
                color=INK,
                ha="center",
            )
