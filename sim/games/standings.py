"""How every game's rules keep who is ahead, turn by turn, and what its players could choose from.

A game calls `begin` after its set-up, `watch` after each turn (or act, where there are no turns)
with the points that seats have then, `count_options` at each decision and `count_act` for what is
done. Where the points that leads are counted by are not all that a seat would score if the game
ended now, `watch_leader` and `keep` go apart.

A game of the tables' sample is played twice: the first time tells how many turns it has, the
second time `keeping` is 1 and what stands after each twentieth of them is kept. The record `s`
has `players` and the fields of `data.flow_fields`.
"""

import math

import numpy as np

from sim.compiled import big_rule, rule
from sim.games.data import PARTS

NOBODY = np.int64(-1)


@big_rule
def clear(s):
    """Begin to count a sampled game's decisions and acts."""
    s.next_part = 0
    for seat in range(s.players):
        s.asked[seat] = 0
        s.choices[seat] = 0
        s.options[seat] = 0
        s.log_options[seat] = 0.0
        for third in range(3):
            for act in range(s.act_kinds):
                s.acts_by[third, seat, act] = 0


@big_rule
def keep(s, points):
    """Keep what stands now for each twentieth of the game that has just been reached."""
    while s.next_part <= PARTS and s.next_part * s.moments // PARTS <= s.moment:
        part = s.next_part
        s.kept_moment[part] = s.moment
        for seat in range(s.players):
            s.kept_points[part, seat] = points[seat]
            s.kept_asked[part, seat] = s.asked[seat]
            s.kept_choices[part, seat] = s.choices[seat]
            s.kept_options[part, seat] = s.options[seat]
            s.kept_log_options[part, seat] = s.log_options[seat]
        s.next_part = part + 1


@rule
def begin(s, points, again):
    """Begin a game, for the first time or (`again`) for the second, with the points at the start.

    The second time follows on the first one of the same game.
    """
    s.keeping = again
    if again:
        s.moments = s.moment
        clear(s)
    s.moment = 0
    s.ahead = NOBODY
    s.lead_changes = 0
    if again:
        keep(s, points)


@rule
def watch_leader(s, points):
    """Count a turn, and a change of the sole leader after it."""
    most = points[0]
    ahead = np.int64(0)
    for seat in range(1, s.players):
        if points[seat] > most:
            most = points[seat]
            ahead = seat
        elif points[seat] == most:
            ahead = NOBODY
    if ahead not in (NOBODY, s.ahead):
        s.lead_changes += s.ahead != NOBODY
        s.ahead = ahead
    s.moment += 1


@rule
def watch(s, points):
    """Count a turn and a change of the sole leader after it; keep the points if it is time."""
    watch_leader(s, points)
    if s.keeping:
        keep(s, points)


@rule
def count_options(s, seat, options):
    """Count a decision of a seat among so many legal actions."""
    if s.keeping:
        s.asked[seat] += 1
        s.choices[seat] += options > 1
        s.options[seat] += options
        s.log_options[seat] += math.log(options)


@rule
def count_act(s, seat, act):
    """Count an act of a seat by its kind and the third of the game."""
    if s.keeping:
        third = min(2, 3 * s.moment // max(s.moments, 1))
        s.acts_by[third, seat, act] += 1


@rule
def place_of(s, seat, shift):
    """Return the place of the line-up that plays at a seat."""
    place = seat + shift
    return place - s.players if place >= s.players else place


@big_rule
def write(s, standings, acts, game, shift, number):
    """Fill the rows of a sampled game, the sampled game `number` of the tables."""
    players, kinds = s.players, s.act_kinds
    for seat in range(players):
        # what was decided after the last turn counts as well
        s.kept_asked[PARTS, seat] = s.asked[seat]
        s.kept_choices[PARTS, seat] = s.choices[seat]
        s.kept_options[PARTS, seat] = s.options[seat]
        s.kept_log_options[PARTS, seat] = s.log_options[seat]
        for part in range(PARTS + 1):
            row = standings[(number * players + seat) * (PARTS + 1) + part]
            row.game = game
            row.seat = seat
            row.style = place_of(s, seat, shift)
            row.part = part
            row.moment = s.kept_moment[part]
            row.points = s.kept_points[part, seat]
            row.asked = s.kept_asked[part, seat]
            row.choices = s.kept_choices[part, seat]
            row.options = s.kept_options[part, seat]
            row.log_options = s.kept_log_options[part, seat]
        for act in range(kinds):
            act_row = acts[(number * players + seat) * kinds + act]
            act_row.game = game
            act_row.seat = seat
            act_row.style = place_of(s, seat, shift)
            act_row.act = act
            act_row.early = s.acts_by[0, seat, act]
            act_row.middle = s.acts_by[1, seat, act]
            act_row.late = s.acts_by[2, seat, act]
