"""The referee against games of chance: they replay clean, and whatever spoils them is noticed."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games.game import RuleBroken
from sim.games.street_art import events
from sim.games.street_art.logbook import Codes, Ended
from sim.games.street_art.referee import replay
from sim.games.street_art.rulebook import Rules

from .logs import COMPONENTS, RULINGS, random_log, small_deck

RULING_SETS = st.fixed_dictionaries(
    {
        "hearts": st.sampled_from([7, 36, 48]),
        "steal_shortfall": st.sampled_from(["none", "from_middle"]),
        "brass_band": st.sampled_from(["instead", "in_addition"]),
        "reshuffle": st.sampled_from(["all_piles", "keep_tops"]),
        "game_end": st.sampled_from(["immediate", "finish_round"]),
        "turn_cap": st.sampled_from([9, 500]),
    }
)
DECKS = {
    "shipped": COMPONENTS,
    "small": small_deck(2, juggler=4, brass_band=4, beatboxer=3, rain=1, fireworks=2),
}


@given(
    players=st.integers(2, 6),
    seed=st.integers(0, 2**32),
    deck=st.sampled_from(sorted(DECKS)),
    rulings=RULING_SETS,
)
@settings(max_examples=150, deadline=None)
def test_random_games_replay_clean(players, seed, deck, rulings):
    log, table = random_log(players, seed, DECKS[deck], **rulings)
    seen = replay(log, DECKS[deck], rulings, players)
    assert written(seen, DECKS[deck], rulings) == log.tolist()
    assert [score.hearts for score in seen.events[-1].scores] == [
        player.hearts for player in table.players
    ]
    for state in seen.states:
        assert state.middle + state.box + sum(p.hearts for p in state.players) == rulings["hearts"]


def written(seen, components, rulings):
    """Return the rows that a replay's events leave in a log."""
    codes = Codes(Rules.read(components, rulings))
    start, turns, end = seen.events[0], seen.events[1:-1], seen.events[-1]
    rows = codes.order_rows(start.draw_pile)
    for number, event in enumerate([start, *turns]):
        for act in event.acts:
            rows += codes.rows(act, number - 1)
    for act in [Ended(end.reason), *end.scores]:
        rows += codes.rows(act, len(turns))
    return [list(row) for row in rows]


@cache
def game_to_spoil(players, seed):
    return random_log(players, seed)[0]


@given(
    players=st.integers(2, 6),
    seed=st.integers(0, 20),
    where=st.floats(0, 1, exclude_max=True),
    field=st.integers(0, 5),
    change=st.integers(-3, 12).filter(bool),
)
@settings(max_examples=600, deadline=None)
def test_one_changed_field_is_noticed_unless_another_game_comes_of_it(
    players, seed, where, field, change
):
    log = game_to_spoil(players, seed).copy()
    row = int(where * len(log))
    log[row, field] += change
    try:
        seen = replay(log, COMPONENTS, RULINGS, players)
    except RuleBroken:
        return  # it is noticed
    assert log[row, 0] == events.PLAY  # another choice, with the same consequences
    assert field >= 3
    assert written(seen, COMPONENTS, RULINGS) == log.tolist()


@given(
    players=st.integers(2, 6),
    seed=st.integers(0, 20),
    where=st.floats(0, 1, exclude_max=True),
    kind=st.sampled_from(["missing", "twice", "swapped"]),
)
@settings(max_examples=300, deadline=None)
def test_a_row_missing_or_twice_or_out_of_order_is_noticed(players, seed, where, kind):
    log = game_to_spoil(players, seed)
    row = int(where * (len(log) - 1))
    rows = log.tolist()
    if kind == "missing":
        del rows[row]
    elif kind == "twice":
        rows.insert(row, rows[row])
    else:
        rows[row], rows[row + 1] = rows[row + 1], rows[row]
    if rows == log.tolist():
        return
    with pytest.raises(RuleBroken):
        replay(np.array(rows, np.int32), COMPONENTS, RULINGS, players)
