"""How a player of the compiled game picks among legal acts: ties, chance, kinds, what it avoids."""

import math
from collections import Counter

import numba
import numpy as np
import pytest
from scipy import stats

from sim.games.wildstyle import events
from sim.games.wildstyle.events import ACTS
from sim.players import Style

from ..running import uncompiled
from .moments import moments
from .table import GAME, RANDOM, Table, prefers, seat, setup, weighed
from .words import words_of

SURE = 1e-6
"""Chance that a check of luck fails although the luck is fair."""
COUNT = 200 if numba.config.DISABLE_JIT else 20_000
KINDS = ACTS[: events.WAIT]
HAND = "park red, police blue, station green"


def as_likely(found, due):
    """Tell whether counts by act fit the chances due; nothing else may have been chosen."""
    assert set(found) <= {act for act, chance in due.items() if chance > 0}
    acts = [act for act, chance in due.items() if chance > 0]
    counts = [found[act] for act in acts]
    chances = np.array([due[act] for act in acts]) / sum(due.values())
    if len(acts) == 1:
        return counts[0] == sum(found.values())
    return stats.chisquare(counts, chances * sum(counts)).pvalue > SURE


def bests(values):
    """Return each best act with an equal chance."""
    best = max(values.values())
    return {words: float(value == best) for words, value in values.items()}


# The best act


@uncompiled
def test_the_best_act_is_taken():
    table = Table(seat(HAND, sets="2*park", style=prefers(add=2, share=1)), seat(sets="3*park"))
    assert set(table.choices(20)) == {
        words for words, value in table.values().items() if value == max(table.values().values())
    }


TIES = {
    "hexes": ("3*park", {"completes": 1.0, "no_tag": -9.0}),
    "hexes and none": ("3*park", {"completes": 1.0}),
    "hexes of both sets": ("3*park, 3*police", {"completes": 1.0, "no_tag": -9.0}),
    "hexes worth the same": ("3*railway", {"completes": 1.0, "free_neighbours": 1.0}),
    "hexes and a draw": ("3*police", {"points": 1.0, "draws": 4.0}),
    "a rush and a complete set": ("3*park, 2*park", {"completes": 1.0, "rushes": 1.0}),
    "clearing without a tag": ("3*park, 2*police", {"no_tag": 2.0}),
    "nothing at all but a weight that is not met": ("3*park, park", {"stops": 1.0}),
    "stations": ("3*station", {"completes": 1.0, "joins": 1.0}),
}


@uncompiled
@pytest.mark.parametrize(("sets", "weights"), TIES.values(), ids=TIES)
def test_equally_good_acts_are_equally_likely(sets, weights):
    table = Table(seat("police red", sets=sets, style=Style(name="tied", weights=weights)), seat())
    for cell in (*table.hexes("park")[:2], *table.hexes("station")[:1], table.hexes("railway")[4]):
        table.tag(1, cell)
    values = table.values()
    assert as_likely(table.choices(COUNT), bests(values))


@pytest.mark.parametrize("seed", range(12))
def test_equally_good_acts_are_equally_likely_on_any_map(seed):
    """Half-filled maps, shipped and random weights in whole numbers, so that much is tied."""
    luck = np.random.default_rng(seed)
    names = [feature.name for feature in GAME.features]
    weights = {name: float(luck.integers(-1, 2)) for name in names} | {"waits": -9.0}
    style = Style(name="whole", weights=weights)
    sets = ("3*park, 3*railway", "2*station, 3*railway", "3*downtown, 2*downtown")[seed % 3]
    table = Table(seat(HAND, sets=sets, style=style), seat(sets="park"), seat(), seed=seed)
    for number in range(3):
        for cell in luck.choice(len(table.icons), 5, replace=False).tolist():
            if cell not in {cell for tags in table.tags_on_map for cell in tags}:
                table.tag(number, cell)
    assert as_likely(table.choices(COUNT), bests(table.values()))


# By chance


@uncompiled
@pytest.mark.parametrize("temperature", [0.3, 2.0])
def test_softmax_draws_in_proportion(temperature):
    style = Style(
        name="soft", weights={"draws": 0.5, "points": 0.4, "shares": -0.3, "adds": 0.2},
        temperature=temperature,
    )  # fmt: skip
    table = Table(seat("park red, police blue", sets="3*park", style=style), seat())
    due = {words: math.exp(value / temperature) for words, value in table.values().items()}
    assert as_likely(table.choices(COUNT), due)


@uncompiled
def test_a_random_player_picks_a_kind_first_and_never_waits():
    table = Table(
        seat("park red, police blue", sets="3*park, police", style=RANDOM), seat(),
        share=["police green, station red"],
    )  # fmt: skip
    kinds = Counter(words.split()[0] for words in table.legal())
    assert set(kinds) == {"draw", "add", "share", "complete", "rush", "wait"}
    due = {
        words: 0.0 if words == "wait" else 1 / kinds[words.split()[0]] for words in table.legal()
    }
    assert as_likely(table.choices(COUNT), due)


@uncompiled
def test_a_random_player_waits_if_it_must_and_stops_as_one_of_its_kinds():
    table = Table(seat("park red", style=RANDOM), seat(), draw=["", ""], share=["police blue"] * 4)
    table.s["set_icon"][0], table.s["set_n"][0] = 1, 3
    table.s["cars_left"] = 0
    for cell in table.hexes("station"):
        table.tag(0, cell)
    assert set(table.legal()) == {"complete 0 none", "wait"}
    assert set(table.choices(20)) == {"complete 0 none"}
    table.s["set_icon"][0], table.s["set_n"][0] = 2, 1
    assert set(table.choices(20)) == {"wait"}
    final = Table(seat("park red", sets="police", style=RANDOM), seat(), draw=["park blue"],
                  share=["", *["shopping blue"] * 3], final="tags_out", cars_left=0)  # fmt: skip
    due = {"draw 0": 1 / 3, "share park red 0": 1 / 3, "stop": 1 / 3}
    assert as_likely(final.choices(COUNT), due)


# What is avoided


@uncompiled
@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("weights", [{}, {"points": 1.0, "icon_worth": 0.1}])
def test_a_forbidden_kind_is_never_chosen(weights, temperature):
    forbid = ["complete", "share", "draw"]
    style = Style(name="dry", weights=weights, forbid=forbid, temperature=temperature)
    table = Table(seat("park red", sets="3*park, police", style=style), seat())
    chosen = {words.split()[0] for words in table.choices(400)}
    assert chosen
    assert not chosen & set(forbid)


@uncompiled
@pytest.mark.parametrize("style", [prefers(), Style(name="none", forbid=list(KINDS))])
def test_who_may_do_nothing_waits(style):
    table = Table(seat(HAND, sets="3*park", style=style), seat())
    assert set(table.choices(20)) == {"wait"}


@uncompiled
def test_waiting_and_stopping_are_chosen_when_worth_more():
    lazy = Style(name="lazy", weights={"waits": 1.0, "draws": 0.5})
    assert set(Table(seat(style=lazy), seat()).choices(20)) == {"wait"}
    quitter = Style(name="quitter", weights={"stops": 1.0, "draws": 0.5})
    table = Table(seat(sets="park", style=quitter), seat(), final="tags_out")
    assert set(table.choices(20)) == {"stop"}


# Choosing leaves everything as it was


@pytest.mark.parametrize("name", GAME.styles())
def test_looking_changes_nothing_that_lies(name):
    table = Table(seat(HAND, sets="3*park, 2*police", style=GAME.styles()[name]), seat(sets="park"))
    before = table.state.tobytes()
    table.choices(50)
    table.values()
    table.legal()
    assert table.state.tobytes() == before
    chosen = table.choices(50)
    assert set(chosen) <= set(table.legal())


TAKES_THE_BEST = [
    name for name, style in GAME.styles().items() if style.weights and not style.temperature
]


@pytest.mark.parametrize("name", TAKES_THE_BEST)
def test_what_is_chosen_is_one_of_the_best_of_all_legal_acts(name):
    """At looks of some games; what was decided is read back at the look that comes next."""
    made = setup(3, styles=[GAME.styles()[name]], tiles="even")
    compared = 0
    for game in (0, 25):
        last = None
        for moment in moments(made, game):
            s = moment.state[0]
            if last and last[:2] == (s["round"], s["decided"][last[2]]):
                *_, number, best = last
                assert words_of(int(s["act"][number]), int(s["target"][number])) in best
                compared += 1
            last = None
            if moment.look % 3 == 0:
                values = weighed(moment.state.copy(), moment.seat)
                best = {words for words, chance in bests(values).items() if chance}
                last = (int(s["round"]), int(s["now"]), moment.seat, best)
    assert compared > 200
