"""Every ruling and number changes what it should, from its moment on, and nothing before.

Random players weigh nothing, so two cells with the same seed play alike until the changed rule
speaks: the first row of the log that differs is foretold from the unchanged game.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from sim.games.street_art import events
from sim.games.street_art.rulebook import Collected, Drew, Returned, Stole, Took

from .moments import Moment, Told, first_difference, told
from .table import COMPONENTS, RULINGS, changed, deck, played, setup

GAMES = 40
SEED = 20
Rows = tuple[int, int]
"""From which row to which the first difference must lie."""


@dataclass(frozen=True)
class Case:
    """A change of one rule; `foretell` returns where a game must differ first, None for never."""

    change: dict[str, Any]
    foretell: Callable[[Told], Rows | None]
    base: dict[str, Any] = field(default_factory=dict)


# Where the first difference is foretold


def by_star(moment: Moment) -> bool:
    """Tell whether a Street Star steals, be it nothing."""
    return isinstance(moment.act, Stole) and moment.act.card not in events.SPECIALS


def exactly(row: int | None) -> Rows | None:
    return None if row is None else (row, row)


def short_star(game: Told) -> Rows | None:
    """A star whose victim is short while the middle has hearts: one TAKE more."""
    found = game.first(
        lambda m: (
            isinstance(m.act, Stole)
            and m.act.card not in events.SPECIALS
            and m.act.amount < m.act.due
            and m.middle > 0
        )
    )
    return exactly(found and found.row + (found.act.amount > 0))


def bands_and_another_card(game: Told) -> Rows | None:
    """A turn with a Brass Band and another card in the hand: more to choose from."""
    for turn, state in enumerate(game.replay.states[:-2]):
        hand = state.players[turn % len(state.players)].hand
        if "brass_band" in hand and set(hand) != {"brass_band"}:
            return game.row_of_turn(turn), len(game.log)
    return None


def refill(game: Told) -> Rows | None:
    """The first pile made anew: fewer cards are collected when the tops stay."""
    found = game.first(lambda m: isinstance(m.act, Collected) and not m.act.by_rain)
    return found and (found.row, found.row + len(found.act.cards))


def round_unfinished(game: Told) -> Rows | None:
    """The end, when the last seat has had a turn less."""
    over, seats = game.replay.events[-1], len(game.replay.states[0].players)
    unfinished = not over.truncated and (len(game.replay.events) - 2) % seats
    return exactly(end_row(game) if unfinished else None)


def end_row(game: Told) -> int:
    return int(np.flatnonzero(game.log[:, 0] == events.END)[0])


def middle_runs_out(game: Told) -> Rows | None:
    """The first time that more is asked than the middle has, or the end that follows."""
    short = game.first(lambda m: isinstance(m.act, Took) and m.act.amount < m.act.due)
    if short:
        return exactly(short.row)
    return None if game.replay.events[-1].truncated else exactly(end_row(game))


def turn_20(game: Told) -> Rows | None:
    """The 20th turn is the last."""
    longer = len(game.replay.events) - 2 > 20
    return exactly(game.row_of_turn(20) if longer else None)


def worth_more(card: str) -> Callable[[Told], Rows | None]:
    """The first time that the card could bring or cost a heart more."""

    def foretell(game: Told) -> Rows | None:
        def matters(m) -> bool:
            if isinstance(m.act, Took):
                return m.act.card == card and m.middle > m.act.due
            if isinstance(m.act, Stole):
                return m.act.card == card and m.hearts[m.act.victim] > m.act.due
            if isinstance(m.act, Returned):
                return m.act.card == card and m.hearts[m.act.seat] > m.act.due
            return False

        found = game.first(matters)
        return exactly(found and found.row)

    return foretell


def deal(card_number: int) -> Callable[[Told], Rows | None]:
    """The draw that goes to another seat when hands have another size."""
    return lambda game: exactly(len(game.replay.events[0].draw_pile) + card_number)


def never(game: Told) -> Rows | None:
    return None


FEW_BANDS = changed("specials.copies.brass_band", 1)
SMALL = deck(
    beatboxer=4, fireworks=5, brass_band=4, rain=1, juggler=4, fire_breather=4, street_painter=5,
    living_statue=5,
)  # fmt: skip
STARS = deck(juggler=12, fire_breather=12, street_painter=12, fireworks=6)
CASES = {
    "steal_shortfall": Case({"steal_shortfall": "from_middle"}, short_star),
    "brass_band": Case({"brass_band": "in_addition"}, bands_and_another_card),
    "brass_band, a single one": Case(
        {"brass_band": "in_addition"},
        bands_and_another_card,
        {"components": FEW_BANDS, "turn_cap": 4},
    ),
    "brass_band, none": Case(
        {"brass_band": "in_addition"},
        never,
        {"components": changed("specials.copies.brass_band", 0)},
    ),
    "reshuffle": Case({"reshuffle": "keep_tops"}, refill, {"components": SMALL, "turn_cap": 16}),
    "game_end": Case({"game_end": "finish_round"}, round_unfinished),
    "hearts, more": Case({"hearts": 48}, middle_runs_out, {"turn_cap": 22}),
    "hearts, many more": Case({"hearts": 10_000}, middle_runs_out, {"turn_cap": 22}),
    "turn_cap": Case({"turn_cap": 20}, turn_20, {"hearts": 30}),
    "turn_cap, out of reach": Case({"turn_cap": 60_000}, never),
    "fire_breather.hearts": Case(
        {"components": changed("stars.cards.fire_breather.hearts", 5)},
        worth_more("fire_breather"),
        {"turn_cap": 6},
    ),
    "fireworks_hearts": Case(
        {"components": changed("numbers.fireworks_hearts", 3)},
        worth_more("fireworks"),
        {"turn_cap": 8},
    ),
    "brass_band_hearts": Case(
        {"components": changed("numbers.brass_band_hearts", 2)},
        worth_more("brass_band"),
        {"turn_cap": 3},
    ),
    "hand_size, larger": Case({"components": changed("numbers.hand_size", 6)}, deal(5)),
    "hand_size, smaller": Case({"components": changed("numbers.hand_size", 4)}, deal(4)),
    "seats": Case({"components": changed("seats.most", 6, changed("seats.fewest", 2))}, never),
    "title": Case({"components": changed("stars.cards.juggler.title", "Balls")}, never),
    "grade": Case({"components": changed("stars.source", "published")}, never),
    "value of a card that is not there": Case(
        {"components": changed("stars.cards.juggler", {"title": "J", "copies": 0, "hearts": 9})},
        never,
        {"components": changed("stars.cards.juggler.copies", 0)},
    ),
}
ALWAYS = {"brass_band", "hand_size, larger", "hand_size, smaller"}
NEVER = {name for name, case in CASES.items() if case.foretell is never}


@pytest.mark.parametrize("name", CASES)
def test_games_differ_first_where_they_should(name):
    case = CASES[name]
    met = Counter()
    for players in range(2, 7):
        before = setup(players, **case.base)
        after = setup(players, **case.base | case.change)
        rows = played(before, GAMES, SEED), played(after, GAMES, SEED)
        for game in range(GAMES):
            one, other = told(before, game, SEED), told(after, game, SEED)
            foretold = case.foretell(one)
            found = first_difference(one.log, other.log)
            met[foretold is not None] += 1
            if foretold is None:
                assert found is None, f"{players} players, game {game}"
                assert_same_rows(*rows, players, game)
            else:
                low, high = foretold
                at = len(one.log) if found is None else found
                assert low <= at <= high, f"{players} players, game {game}"
    assert met[True] or name in NEVER
    assert met[False] or name in ALWAYS


def assert_same_rows(one, other, players: int, game: int) -> None:
    """Compare a game's rows in two tables; truncated games have no win share to compare."""
    for table, per_game in (("games", 1), ("seats", players)):
        part = slice(game * per_game, (game + 1) * per_game)
        for name in one[table].dtype.names:
            np.testing.assert_array_equal(one[table][name][part], other[table][name][part])


# What the changed rule does


def games_of(players: int, **options) -> list[Told]:
    made = setup(players, **options)
    return [told(made, game, SEED) for game in range(20)]


@pytest.mark.parametrize("players", range(3, 7))  # of two, the victim's star was paid just before
def test_from_middle_always_pays_a_star_in_full_while_hearts_last(players):
    paid = Counter()
    for game in games_of(players, steal_shortfall="from_middle", components=STARS):
        for m in game.moments:
            if by_star(m):
                gains = [n for n in game.moments if n.turn == m.turn and is_gain(n)]
                gain = sum(n.act.amount for n in gains)
                assert gain == min(m.act.due, m.act.amount + m.middle)
                paid[m.act.amount < m.act.due] += 1
    assert paid[True]
    assert paid[False]


def is_gain(moment) -> bool:
    return isinstance(moment.act, Took | Stole)


@pytest.mark.parametrize("players", range(2, 7))
def test_finish_round_gives_everyone_the_same_number_of_turns(players):
    before = games_of(players)
    after = games_of(players, game_end="finish_round")
    for one, other in zip(before, after, strict=True):
        turns, more = len(one.replay.events) - 2, len(other.replay.events) - 2
        assert more % players == 0
        assert turns <= more < turns + players


@pytest.mark.parametrize("players", range(2, 7))
def test_keep_tops_keeps_every_visible_card_at_a_refill(players):
    kept = 0
    for game in games_of(players, reshuffle="keep_tops", components=SMALL, hearts=60):
        for turn, event in enumerate(game.replay.events[1:-1]):
            if any(isinstance(act, Collected) and not act.by_rain for act in event.acts):
                before, after = game.replay.states[turn], game.replay.states[turn + 1]
                others = [seat for seat in range(players) if seat != event.seat]
                for seat in others:
                    assert after.players[seat].visible == before.players[seat].visible
                    assert len(after.players[seat].pile) <= 1
                kept += any(after.players[seat].visible for seat in others)
    assert kept


@pytest.mark.parametrize("players", range(2, 7))
def test_in_addition_some_turns_have_both(players):
    both = alone = 0
    for game in games_of(players, brass_band="in_addition"):
        plays = game.log[game.log[:, 0] == events.PLAY]
        for turn in np.unique(plays[:, 1]):
            kinds = plays[plays[:, 1] == turn, 3].tolist()
            assert len(kinds) == 1 or (len(kinds) == 2 and kinds[0] == events.BRASS_BAND)
            both += len(kinds) == 2
            alone += kinds == [events.BRASS_BAND]
    assert both
    assert alone


@pytest.mark.parametrize("hearts", [1, 24, 48, 60, 500])
def test_hearts_are_the_hearts_in_play(hearts):
    for game in games_of(3, hearts=hearts):
        state = game.replay.states[-1]
        assert state.middle + state.box + sum(p.hearts for p in state.players) == hearts


@pytest.mark.parametrize("hand_size", [1, 3, 4, 6, 9])
def test_hand_size_is_the_size_of_every_hand(hand_size):
    for game in games_of(4, components=changed("numbers.hand_size", hand_size)):
        for state in game.replay.states[:-2]:
            assert {len(player.hand) for player in state.players} == {hand_size}


@pytest.mark.parametrize(
    ("path", "card", "copies"),
    [
        ("stars.cards.juggler.copies", "juggler", 0),
        ("stars.cards.juggler.copies", "juggler", 9),
        ("specials.copies.rain", "rain", 0),
        ("specials.copies.rain", "rain", 7),
        ("specials.copies.fireworks", "fireworks", 1),
    ],
)
def test_copies_are_the_copies_in_the_deck(path, card, copies):
    due = Counter({name: star["copies"] for name, star in COMPONENTS["stars"]["cards"].items()})
    due.update(COMPONENTS["specials"]["copies"])
    due[card] = copies
    for game in games_of(3, components=changed(path, copies)):
        assert Counter(game.replay.events[0].draw_pile) == +due
        drawn = {m.act.card for m in game.moments if isinstance(m.act, Drew)}
        assert copies or card not in drawn


def test_without_rain_nothing_goes_to_the_box():
    tables = played(setup(4, components=changed("specials.copies.rain", 0)), 500)
    assert not tables["games"]["rains"].any()
    assert not tables["games"]["box_hearts"].any()
    assert not tables["seats"]["lost_to_rain"].any()


def test_an_added_star_is_a_star_like_the_others():
    star = {"title": "Ice Dancer", "copies": 12, "hearts": 5}
    more = changed("stars.cards", COMPONENTS["stars"]["cards"] | {"ice_dancer": star})
    made = setup(4, components=more)
    assert made.kinds == (*setup(4).kinds, "ice_dancer")
    gains = Counter()
    for game in games_of(4, components=more):
        assert Counter(game.replay.events[0].draw_pile)["ice_dancer"] == 12
        for m in game.moments:
            if isinstance(m.act, Took | Stole | Returned) and m.act.card == "ice_dancer":
                gains[type(m.act)] += m.act.amount
                assert m.act.due == 5
    assert min(gains[kind] for kind in (Took, Stole, Returned)) > 0
    cards = played(made, 200)["cards"]
    assert cards["played"][cards["card"] == made.kinds.index("ice_dancer")].sum() > 100


def test_every_ruling_has_a_case():
    assert set(RULINGS) <= {name.partition(",")[0] for name in CASES}
