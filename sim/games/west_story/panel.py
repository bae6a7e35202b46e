"""A player's board in a picture of West Story: its twelve spots, what it has, what it scores."""

from matplotlib.axes import Axes
from matplotlib.patches import Circle

from sim.games.west_story.endgame import final_parts, villain_vp
from sim.games.west_story.events import ROW_SPOTS, SPOTS
from sim.games.west_story.glyphs import (
    BROWN,
    DIE_COLORS,
    FAINT,
    GLYPHS,
    INK,
    LINE,
    NEW,
    PAPER,
    SEAT_COLORS,
    draw_disc,
    draw_path,
    draw_symbol,
    rounded,
    text_width,
    write,
    write_lines,
)
from sim.games.west_story.mainboard import DECK_COLORS, card_words, draw_card, draw_symbols
from sim.games.west_story.moment import Moment
from sim.games.west_story.wording import abilities_of, counted, effect_words

HEAD, GOODS_LINE, SCORE_LINE, SPOT, BETWEEN = 0.34, 0.26, 0.24, 0.86, 0.06
PANEL = HEAD + GOODS_LINE + SCORE_LINE + 2 * (SPOT + BETWEEN) + 0.06
"""How high a player's board is."""


def draw_seat(axes: Axes, view: Moment, seat: int, left: float, top: float, width: float) -> None:
    """Draw the board of a seat and all that it has."""
    player = view.table.players[seat]
    played = view.turn is not None and view.turn.seat == seat
    look = {"edgecolor": SEAT_COLORS[seat], "linewidth": 3.6 if played else 1.4}
    rounded(axes, left, top - PANEL, width, PANEL, facecolor=PAPER, **look)
    y = top - HEAD / 2 - 0.02
    draw_disc(axes, seat, (left + 0.24, y), 0.12)
    score = view.over.results[seat].score if view.over else player.vp
    used = write(axes, left + width - 0.12, y, f"{score} VP", 13, weight="bold", ha="right")
    edge = left + width - 0.3 - used
    status = view.status(seat)
    used += write(axes, edge, y, status, 10, style="italic", ha="right") if status else 0
    room = width - used - 0.9
    write(axes, left + 0.44, y, f"Seat {seat}  {view.styles[seat]}", 11.5, room, weight="bold")
    _draw_goods(axes, view, seat, left + 0.12, top - HEAD - GOODS_LINE / 2, width - 0.24)
    y = top - HEAD - GOODS_LINE - SCORE_LINE / 2
    write(axes, left + 0.12, y, score_words(view, seat), 8.5, width - 0.24, color=FAINT)
    step = (width - 0.16) / ROW_SPOTS
    first = top - HEAD - GOODS_LINE - SCORE_LINE
    for spot in range(SPOTS):
        row, column = divmod(spot, ROW_SPOTS)
        bottom = first - (row + 1) * (SPOT + BETWEEN) + BETWEEN / 2
        place = (left + 0.08 + column * step, bottom, step - 0.05, SPOT)
        _draw_spot(axes, view, seat, spot, place)


def _draw_goods(axes: Axes, view: Moment, seat: int, left: float, y: float, width: float) -> None:
    """Draw what a seat has in a line: coins, hats, cows, discs, tokens, licence, abilities."""
    player = view.table.players[seat]
    items = [
        ("coins", counted(player.coins, "coin")),
        ("hats", counted(player.hats, "hat")),
        ("cows", counted(player.cows, "cow")),
        ("discs", counted(player.discs, "disc")),
    ]
    if player.wild_tokens:
        items.append(("wild", counted(player.wild_tokens, "wild token")))
    certificate = player.certificate
    pair = (player.printed,) if certificate is None else view.rules.pairs[certificate]
    label = "printed symbol" if certificate is None else "certificate"
    told = ", ".join(abilities_of(player))
    texts = [*(text for _, text in items), label, told]
    icons = 0.26 * (len(items) + len(pair)) + 0.16 * len(texts)
    size = 9.5
    while size > 6 and sum(text_width(text, size) for text in texts) + icons > width:
        size -= 0.25
    x = left
    for name, text in items:
        color = SEAT_COLORS[seat] if name == "discs" else BROWN
        draw_path(axes, GLYPHS[name], (x + 0.1, y), 0.2, facecolor=color)
        x += 0.26 + write(axes, x + 0.24, y, text, size) + 0.14
    x += write(axes, x, y, label, size) + 0.06
    for symbol in pair:
        draw_symbol(axes, view.rules.symbols[symbol], view.rules.symbols, (x + 0.1, y), 0.2)
        x += 0.25
    if told:
        write(axes, x + 0.1, y, told, size, max(0.3, left + width - x - 0.1))


def score_words(view: Moment, seat: int) -> str:
    """Return what a seat has on the track and what it would get at the end, as things stand."""
    table, rules = view.table, view.rules
    player, parts = table.players[seat], final_parts(table, seat)
    won = ", ".join(rules.tokens[token].title for token in player.villains)
    villains = f"villains {villain_vp(table, seat)}{f' ({won})' if won else ''}"
    at_once = rules.rulings.villain_vp == "at_once"
    if player.certificate is None:
        licence = f"{rules.symbols[player.printed]} cards {parts['licence']}"
    else:
        licence = f"certificate {parts['certificate']}"
    told = [
        f"on the track {player.vp}{f', with {villains}' if at_once and won else ''}",
        *([] if at_once else [villains]),
        f"towns {parts['towns']}",
        licence,
        f"end rules {parts['cards']}",
    ]
    when = "" if view.over else " as things stand"
    return f"{', '.join(told)}: {player.vp + sum(parts.values())} VP{when}"


def _draw_spot(
    axes: Axes,
    view: Moment,
    seat: int,
    spot: int,
    place: tuple[float, float, float, float],
) -> None:
    """Draw a spot: its die, symbols, marker, number of cards, title and effect."""
    left, bottom, width, height = place
    player, action = view.table.players[seat], view.table.action(seat, spot)
    stack = player.stacks[spot]
    color = DECK_COLORS[view.rules.cards[stack[-1]].deck] if stack else PAPER
    draw_card(axes, place, color, (seat, spot) in view.new_cards, f"spot {seat} {spot}")
    row, column = divmod(spot, ROW_SPOTS)
    y = bottom + height - 0.13
    die = {"facecolor": DIE_COLORS[row], "edgecolor": LINE, "linewidth": 0.6}
    rounded(axes, left + 0.04, y - 0.08, 0.16, 0.16, **die)
    write(axes, left + 0.12, y, str(column + 1), 7, ha="center")
    draw_symbols(axes, view, action, left + 0.24, y, 0.19)
    right = left + width - 0.12
    if spot in player.marks:
        ring = NEW if (seat, spot) in view.new_marks else INK
        look = {"facecolor": INK, "edgecolor": ring, "linewidth": 2, "gid": f"mark {seat} {spot}"}
        axes.add_artist(Circle((right, y), 0.075, **look))
    if len(stack) > 1:
        draw_count(axes, len(stack), right - 0.22, y)
    low = y - 0.12
    if stack:
        write(axes, left + 0.05, y - 0.22, action.title, 8.2, width - 0.1, weight="bold")
        low = y - 0.31
    room = (width - 0.1, low - bottom - 0.03)
    if stack:
        told, size = card_words(view.rules.cards[stack[-1]]), 7.5
    else:
        told, size = effect_words(action.effect), 8.5
    write_lines(axes, left + 0.05, low, told, size, room, spacing=1.2)


def draw_count(axes: Axes, count: int, x: float, y: float) -> None:
    """Draw how many cards lie on each other."""
    look = {"facecolor": PAPER, "edgecolor": FAINT, "linewidth": 0.7}
    rounded(axes, x - 0.07, y - 0.055, 0.18, 0.17, **look)
    rounded(axes, x - 0.1, y - 0.085, 0.18, 0.17, gid=f"stack {count}", **look)
    write(axes, x - 0.01, y, str(count), 7, 0.16, ha="center")
