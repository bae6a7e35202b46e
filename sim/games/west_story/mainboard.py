"""The main board in a picture of West Story: score track, towns, villains, market, gold pan."""

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from sim.games.west_story.effects import show_end
from sim.games.west_story.events import DECKS, SLOTS
from sim.games.west_story.glyphs import (
    DARK_GOLD,
    DIE_COLORS,
    FAINT,
    GOLD,
    INK,
    LINE,
    NEW,
    PAPER,
    SHADE,
    Point,
    draw_die,
    draw_disc,
    draw_symbol,
    rounded,
    write,
    write_lines,
)
from sim.games.west_story.moment import Moment
from sim.games.west_story.rulebook import WILD, Action, Area, Card, Villain
from sim.games.west_story.wording import cost_words, counted, effect_words, pot_words

TITLE, TOWN, TOKEN, LANE, NUMBERS = 0.28, 0.66, 0.57, 0.2, 0.2
ENDLESS_CELLS = 7
"""Cells of the last area of the track, more when a marker is further on."""
DECK_TITLE = 0.2
DECK_COLORS = ("#E3EEF8", "#FBF1CC", "#F3E0D2")
AREA_COLORS = ("#EFE6D3", "#E3D8C0")
HIGH_CARD = 0.8
"""A card as high as this has a line for its title alone."""


# The score track


def track_height(players: int) -> float:
    """Return how high the score track is, with towns and villains."""
    return TITLE + TOWN + TOKEN + players * LANE + NUMBERS


def draw_track(axes: Axes, view: Moment, left: float, top: float, width: float) -> None:
    """Draw a column for each area: town, villain, and a lane of cells for each marker."""
    areas = view.rules.areas
    step = width / len(areas)
    for number, area in enumerate(areas):
        column = _Column(axes, view, area, left + number * step, top, step)
        column.draw(AREA_COLORS[number % 2], number == len(areas) - 1)


class _Column:
    """One area of the score track."""

    def __init__(
        self, axes: Axes, view: Moment, area: Area, left: float, top: float, width: float
    ) -> None:
        self.axes, self.view, self.area = axes, view, area
        self.left, self.top, self.width = left, top, width
        self.bottom = top - track_height(view.rules.players)
        self.room = width - 0.14

    def draw(self, color: str, is_last: bool) -> None:
        """Draw the area."""
        height = self.top - self.bottom
        corner = (self.left, self.bottom)
        self.axes.add_artist(
            Rectangle(corner, self.width, height, facecolor=color, edgecolor=PAPER, linewidth=1.5)
        )
        most = max(player.vp for player in self.view.table.players)
        last = self.area.last
        if is_last or last is None:
            last = max(self.area.first + ENDLESS_CELLS - 1, most)
        x, y = self.left + 0.07, self.top - TITLE / 2
        write(self.axes, x, y, self.area.title, 9, self.room, weight="bold")
        self.draw_town(self.top - TITLE)
        self.draw_villain(self.top - TITLE - TOWN)
        self.draw_cells(last)

    def draw_town(self, top: float) -> None:
        """Draw the symbols of the town with the discs on them; its terms below."""
        axes, rules, town = self.axes, self.view.rules, self.area.town
        middle, low = top - TOWN / 2, top - 0.34
        first = next((area for area in rules.areas if area.town == town), self.area)
        if town is None or first is not self.area:
            x, room = self.left + 0.07, (self.room, 0.5)
            write_lines(axes, x, middle + 0.14, self.told(), 8, room, color=FAINT)
            return
        terms = rules.towns[town]
        pitch = min(0.3, self.room / len(terms.spots))
        for symbol, name in enumerate(terms.spots):
            self.draw_town_symbol(town, symbol, name, pitch, top - 0.17)
        vp = "/".join(map(str, terms.disc_vp))
        told = [f"{cost_words(terms.hats, terms.coins)}: {vp} VP"]
        bonus = effect_words(terms.wild_bonus)
        if WILD in terms.spots and bonus != "nothing":
            told.append(f"wild: {bonus} more")
        if self.area.desert:
            told.append("certificates are sold here")
        for number, text in enumerate((told[0], "; ".join(told[1:]))):
            write(axes, self.left + 0.07, low - 0.06 - number * 0.15, text, 7.8, self.room)

    def told(self) -> str:
        """Return what can be done in an area whose town is not drawn here."""
        rules, area = self.view.rules, self.area
        told = []
        if area.town is not None:
            told.append(f"Trades with {rules.towns[area.town].title}, see there.")
        if area.desert:
            told.append("Certificates are sold here.")
        if area.first == rules.components.pan.bonus_at:
            told.append("Who gets here takes a coin of the gold pan.")
        return " ".join(told)

    def draw_town_symbol(self, town: int, symbol: int, name: str, pitch: float, y: float) -> None:
        """Draw a symbol of a town, or the disc on it."""
        x = self.left + 0.07 + (symbol + 0.5) * pitch
        owner = self.view.table.discs[town][symbol]
        size = pitch - 0.04
        rounded(
            self.axes,
            x - size / 2,
            y - size / 2,
            size,
            size,
            facecolor=PAPER,
            edgecolor=LINE,
            linewidth=0.8,
        )
        if owner is None:
            draw_symbol(self.axes, name, self.view.rules.symbols, (x, y), 0.78 * size)
        else:
            is_new = (town, symbol) in self.view.new_discs
            draw_disc(self.axes, owner, (x, y), 0.4 * size, is_new, gid=f"disc {town} {symbol}")

    def draw_villain(self, top: float) -> None:
        """Draw the villain token of the area, face down or up, or where it lay."""
        if self.area.place is None:
            return
        axes, place = self.axes, self.area.place
        villain = self.view.table.villains[place]
        left, bottom, height = self.left + 0.07, top - TOKEN + 0.03, TOKEN - 0.04
        look = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 0.9}
        if villain.token is None:
            look = {"facecolor": "none", "edgecolor": LINE, "linewidth": 0.9, "linestyle": "--"}
        elif not villain.face_up:
            look = {"facecolor": "#4A4039", "linewidth": 0}
        rounded(axes, left, bottom, self.room, height, gid=f"villain {place}", **look)
        color = PAPER if villain.token is not None and not villain.face_up else INK
        lines = self.villain_lines(place, villain)
        for number, text in enumerate(lines):
            y = bottom + height - 0.1 - number * 0.155
            ink = FAINT if villain.token is None else color
            weight = "bold" if number == 0 and villain.face_up else "normal"
            write(axes, left + 0.06, y, text, 7.5, self.room - 0.12, color=ink, weight=weight)

    def villain_lines(self, place: int, villain: Villain) -> list[str]:
        """Return what is told of a villain on its place, in three lines at most."""
        if villain.token is None:
            return self.gone(place)
        pot = pot_words(villain)
        above = self.above(place)
        if not villain.face_up:
            return ["villain, face down", pot, *above]
        token = self.view.rules.tokens[villain.token]
        if not token.catchable:
            return [token.title, f"pay {token.pay}", pot]
        cost = cost_words(token.hats, token.coins)
        return [f"{token.title}: {token.vp} VP", f"fight {cost}, pay {token.pay}", pot]

    def gone(self, place: int) -> list[str]:
        """Tell who won the token that lay on a place."""
        token = self.view.replay.events[0].deal.tokens[place]
        title = self.view.rules.tokens[token].title
        for seat, player in enumerate(self.view.table.players):
            if token in player.villains:
                return [f"{title}: won by seat {seat}"]
        return [f"{title}: discarded"]

    def above(self, place: int) -> list[str]:
        """Tell that another token of the same stack is met first."""
        stack = self.view.rules.stacks[self.view.rules.areas.index(self.area)]
        there = [p for p in stack if self.view.table.villains[p].token is not None]
        if there[0] == place:
            return []
        return [f"below that of {self.view.rules.places[there[0]].title}"]

    def draw_cells(self, last: int) -> None:
        """Draw a cell for each VP, a lane for each marker, and numbers where there is room."""
        axes, area, players = self.axes, self.area, self.view.table.players
        count = last - area.first + 1
        wide = (self.width - 0.06) / count
        start, floor = self.left + 0.03, self.bottom + NUMBERS
        high = len(players) * LANE
        for cell in range(count):
            face = PAPER if cell % 2 else SHADE
            axes.add_artist(
                Rectangle((start + cell * wide, floor), wide, high, facecolor=face, linewidth=0)
            )
        self.draw_posts(start, floor, wide, high, last)
        for seat, player in enumerate(players):
            if area.first <= player.vp <= last:
                x = start + (player.vp - area.first + 0.5) * wide
                y = floor + (len(players) - seat - 0.5) * LANE
                draw_disc(axes, seat, (x, y), 0.46 * LANE, gid=f"marker {player.vp}")
        every = next((n for n in (1, 2, 5, 10, 20, 50, 100) if n * wide >= 0.22), count)
        for cell in range(0, count, every):
            x = start + (cell + 0.5) * wide
            write(axes, x, floor - 0.1, str(area.first + cell), 6.5, 0.2, ha="center", color=FAINT)

    def draw_posts(self, start: float, floor: float, wide: float, high: float, last: int) -> None:
        """Draw where the lake begins, and where wild tokens lie."""
        parts, rulings = self.view.rules.components, self.view.rules.rulings
        posts = [(parts.pan.bonus_at, DARK_GOLD, "-")]
        if rulings.wild_tokens:
            posts += [(at, INK, ":") for at in parts.wild_tokens.at]
        for vp, color, line in posts:
            if self.area.first <= vp <= last:
                x = start + (vp - self.area.first) * wide
                self.axes.plot([x, x], [floor, floor + high], color=color, ls=line, lw=2)


# Dice, gold pan, certificates


def draw_stores(axes: Axes, view: Moment, left: float, bottom: float, box: Point) -> None:
    """Draw the dice of the round, the gold pan, and the certificates that are left."""
    width, height = box
    rounded(axes, left, bottom, width, height, facecolor=SHADE, linewidth=0)
    top = bottom + height - 0.15
    roll = view.roll
    write(axes, left + 0.12, top, "Dice", 9, weight="bold")
    values = (roll.yellow, roll.green) if roll else (None, None)
    for number, value in enumerate(values):
        draw_die(axes, value, DIE_COLORS[number], left + 0.12 + number * 0.5, bottom + 0.2)
    _draw_pan(axes, view, left + 1.3, bottom, (1.55, height))
    _draw_certificates(axes, view, left + 3.0, bottom, (width - 3.1, height))


def _draw_pan(axes: Axes, view: Moment, left: float, bottom: float, box: Point) -> None:
    width, height = box
    all_coins, there = view.rules.components.pan.coins, view.table.pan
    write(axes, left, bottom + height - 0.15, f"Gold pan: {there}", 9, width, weight="bold")
    room = height - 0.34
    rows = next(n for n in range(1, 9) if room / n * (all_coins / n) <= width or n == 8)
    across = -(-all_coins // rows)
    pitch = min(0.2, width / across, room / rows)
    for coin in range(all_coins):
        row, column = divmod(coin, across)
        at = (left + (column + 0.5) * pitch, bottom + height - 0.32 - (row + 0.5) * pitch)
        face, edge = (GOLD, DARK_GOLD) if coin < there else ("none", LINE)
        gid = "coin" if coin < there else "no coin"
        axes.add_artist(
            Circle(at, 0.4 * pitch, facecolor=face, edgecolor=edge, linewidth=0.8, gid=gid)
        )


def _draw_certificates(axes: Axes, view: Moment, left: float, bottom: float, box: Point) -> None:
    width, height = box
    costs, rules = view.rules.components.certificates, view.rules
    write(axes, left, bottom + height - 0.15, "Certificates", 9, width, weight="bold")
    step = width / len(view.table.certificates)
    for number, stack in enumerate(view.table.certificates):
        for place, certificate in enumerate(stack):
            x, y = left + number * step, bottom + height - 0.42 - place * 0.28
            for at, symbol in enumerate(rules.pairs[certificate]):
                draw_symbol(
                    axes, rules.symbols[symbol], rules.symbols, (x + 0.12 + at * 0.25, y), 0.2
                )
            cost = costs.cost_bottom if place else costs.cost_top
            write(axes, x + 0.54, y, counted(cost, "coin"), 8, step - 0.6)


# The market


def draw_market(axes: Axes, view: Moment, left: float, top: float, box: Point, rows: int) -> None:
    """Draw the cards of the market: all decks in a row, or each in a row of its own."""
    width, height = box
    decks = len(DECKS)
    wide = width if rows > 1 else width / decks
    tall = height / rows
    for deck in range(decks):
        x = left if rows > 1 else left + deck * wide
        y = top - (deck * tall if rows > 1 else 0)
        count = len(view.table.decks[deck])
        title = f"{DECKS[deck].capitalize()} cards, {count} in the deck"
        write(axes, x + 0.03, y - DECK_TITLE / 2, title, 9, wide - 0.1, weight="bold")
        step = wide / SLOTS
        for slot, kind in enumerate(view.table.market[deck]):
            place = (x + slot * step, y - tall + 0.03, step - 0.06, tall - DECK_TITLE - 0.06)
            if kind is None:
                rounded(axes, *place, facecolor="none", edgecolor=LINE, linestyle="--")
            else:
                is_new = (deck, slot) in view.new_in_market
                draw_offer(axes, view, view.rules.cards[kind], place, is_new)


def draw_offer(
    axes: Axes,
    view: Moment,
    card: Card,
    place: tuple[float, float, float, float],
    is_new: bool,
) -> None:
    """Draw a card of the market: symbols, title, cost, VP, effect, what it scores at the end."""
    left, bottom, width, height = place
    draw_card(axes, place, DECK_COLORS[card.deck], is_new, f"offer {card.kind}")
    x, y, room = left + 0.05, bottom + height - 0.12, width - 0.1
    vp, cost = f"{card.vp} VP", cost_words(card.hats, card.coins)
    used = draw_symbols(axes, view, card, x, y, 0.18)
    if height > HIGH_CARD:
        write(axes, left + width - 0.06, y, vp, 8.5, weight="bold", ha="right")
        write(axes, x, y - 0.19, card.title, 8.5, room, weight="bold")
        write(axes, x, y - 0.35, cost, 8, room)
        low = y - 0.43
    else:
        write(axes, x + used, y, card.title, 8.5, room - used, weight="bold")
        used = write(axes, left + width - 0.06, y - 0.16, vp, 8, weight="bold", ha="right")
        write(axes, x, y - 0.16, cost, 8, room - used - 0.1)
        low = y - 0.24
    write_lines(axes, x, low, card_words(card), 7.8, (room, low - bottom - 0.035), spacing=1.2)


def draw_card(
    axes: Axes, place: tuple[float, float, float, float], color: str, is_new: bool, gid: str
) -> None:
    """Draw the outline of a card or a spot."""
    edge, line = (NEW, 2.0) if is_new else (LINE, 0.9)
    rounded(axes, *place, facecolor=color, edgecolor=edge, linewidth=line, gid=gid)


def card_words(card: Card) -> str:
    """Return what a card does when executed and at the end."""
    if card.end is None:
        return effect_words(card.effect)
    return f"{effect_words(card.effect)}; end: {show_end(card.end).replace('vp', 'VP')}"


def draw_symbols(
    axes: Axes, view: Moment, card: Action, left: float, y: float, size: float
) -> float:
    """Draw the symbols of a card or a space side by side; return the width used."""
    names = [view.rules.symbols[symbol] for symbol in sorted(card.symbols)] or [WILD]
    for number, name in enumerate(names):
        at = (left + (number + 0.5) * (size + 0.03), y)
        draw_symbol(axes, name, view.rules.symbols, at, size)
    return len(names) * (size + 0.03) + 0.04
