"""Each ruling alone: what it changes, and that it changes nothing else."""

from collections import Counter

import numpy as np
import pytest

from tests.games.tag_city.ledger import replay
from tests.games.tag_city.table import COMPONENTS, GREEDY, STYLES, city, log_of, played, setup

STOCK = list(COMPONENTS["ring_shapes"]["tokens"])
SIDE_A = COMPONENTS["hq"]["side_a"]


def told(cell, game):
    return replay(cell, log_of(cell, game))


def rings(cell, games):
    table = played(cell, games)["games"]
    return [tuple(cell.shapes[row[f"ring_{space}"]] for space in range(6)) for row in table]


def test_hq_a_has_its_six_shapes_in_every_game():
    assert set(rings(setup(2), 20)) == {tuple(SIDE_A)}


def test_hq_b_draws_six_of_eleven_evenly_for_each_game():
    found = rings(setup(2, hq="B"), 3000)
    assert all(len(set(ring)) == 6 for ring in found)
    for space in range(6):
        counts = Counter(ring[space] for ring in found)
        assert set(counts) == set(STOCK)
        assert all(abs(n - 3000 / 11) < 5 * np.sqrt(3000 / 11) for n in counts.values())


def test_hq_can_be_any_six():
    ring = ["w5", "n5", "l5", "v5", "u5", "o4"]
    cell = setup(2, GREEDY, hq=ring)
    assert set(rings(cell, 5)) == {tuple(ring)}
    drawn = {shape for game in range(5) for _, _, shape, _ in told(cell, game).drawings}
    assert drawn <= {*ring, "i2", "i3", "v3"}
    assert drawn & {"w5", "n5", "l5", "v5", "u5"}


def test_city_b_has_other_neighborhoods_and_values():
    elements = [played(setup(2, city=side), 1)["elements"] for side in "AB"]
    assert elements[0]["squares"].tolist() == [12] * 8 + [8] * 12 + [20, 20, 16, 20, 20]
    assert elements[1]["squares"].tolist() == [12] * 8 + [8] * 12 + [12, 16, 20, 22, 26]
    assert elements[0]["large"].tolist() == [6] * 8 + [4] * 12 + [10, 10, 8, 10, 10]
    assert elements[1]["large"][:8].tolist() == [4, 5, 7, 8, 8, 7, 5, 4]
    assert elements[1]["small"][-5:].tolist() == [3, 4, 5, 5, 6]


def test_bubble_values_are_what_a_check_costs():
    cell = setup(3, STYLES["checker"], bubble_values=[0, -1, -1, -2, -3])
    values = [0, -1, -1, -2, -3]
    seen = set()
    for game in range(30):
        for decision in told(cell, game).decisions:
            if decision.what != "side" and decision.action.kind == "check":
                left = decision.position.bubbles_free
                seen.add(decision.action.bubble)
                if left:
                    best = max(values[bubble] for bubble in left)
                    assert values[decision.action.bubble] == best
    assert {0, 1} <= seen


def test_free_bubbles_cost_nothing():
    seats = played(setup(4, STYLES["checker"], bubble_values=[0] * 5), 50)["seats"]
    assert seats["bubbles"].sum() > 0
    assert not seats["bubble_points"].any()


def test_without_bubbles_checking_leaves_no_mark():
    seats = played(setup(2, STYLES["checker"], bubble_values=[]), 100)["seats"]
    assert seats["checks"].sum() > 0
    assert not seats["bubbles"].any()


def test_drone_values_are_circled_in_order():
    cell = setup(2, STYLES["droner"], drone_values=[2, -7, 1])
    seats = played(cell, 60)["seats"]
    due = np.cumsum([0, 2, -7, 1])
    assert np.array_equal(seats["drone_points"], due[seats["drones"]])
    assert seats["drones"].max() == 3


def test_without_drones_nobody_flies():
    seats = played(setup(2, GREEDY, drone_values=[]), 50)["seats"]
    assert not seats["drones"].any()


def test_last_die_tie_decides_who_gets_the_large_value():
    town = city("AAAB\nAABB")
    larges: dict[str, int] = {}
    for ruling in ("share_large", "leader_first"):
        cell = setup(4, GREEDY, components=town, city="X", last_die_tie=ruling)
        larges[ruling] = 0
        for game in range(60):
            tale = told(cell, game)
            taken = Counter(c.element for c in tale.circled if c.large)
            larges[ruling] += sum(n - 1 for n in taken.values())
            for circled in tale.circled:
                if circled.large and circled.last and taken[circled.element] == 1:
                    same = [
                        c
                        for c in tale.circled
                        if (c.element, c.round, c.last) == (circled.element, circled.round, True)
                    ]
                    leader = tale.leaders[circled.round]
                    first = min(same, key=lambda c: (c.seat - leader) % 4)
                    assert ruling == "share_large" or circled.seat == first.seat
    assert larges["share_large"] > 10
    assert larges["leader_first"] == 0


def test_first_leader():
    fixed, random = setup(3), setup(3, first_leader="random")
    assert {told(fixed, game).leaders[0] for game in range(20)} == {0}
    counts = Counter(told(random, game).leaders[0] for game in range(300))
    assert set(counts) == {0, 1, 2}
    assert min(counts.values()) > 60


def test_a_random_leader_leaves_the_dice_as_they_are():
    one, other = (setup(3, GREEDY, first_leader=who) for who in ("seat0", "random"))
    for game in range(5):
        rolls = [
            [row[4] for row in log_of(cell, game).tolist() if row[0] == 2] for cell in (one, other)
        ]
        n = min(map(len, rolls))
        assert n >= 12
        assert rolls[0][:n] == rolls[1][:n]


@pytest.mark.parametrize("cap", [1, 3])
def test_round_cap(cap):
    cell = setup(4, GREEDY, round_cap=cap)
    table = played(cell, 30)
    assert set(table["games"]["rounds"]) == {cap}
    assert table["games"]["truncated"].all()
    assert not table["seats"]["rank"].any()
    assert np.isnan(table["seats"]["win_share"]).all()
    assert not table["shapes"]["games"].any()
    assert told(cell, 0).reason == "round_cap"


def test_an_end_in_the_last_round_allowed_is_no_truncation():
    free = setup(4, GREEDY)
    rounds = played(free, 30)["games"]["rounds"]
    game = int(np.argmax(rounds))
    capped = setup(4, GREEDY, round_cap=int(rounds[game]))
    assert not played(capped, 1, first=game)["games"]["truncated"][0]
    assert np.array_equal(log_of(capped, game), log_of(free, game))
