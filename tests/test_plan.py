import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.lineups import Lineups, count, line_ups
from sim.plan import plan
from sim.study import MAX_GAMES, from_dict, load

NAMES = ["random", "greedy", "thief", "bandleader", "rainmaker", "leader_hunter", "closer"]
some = st.lists(st.sampled_from(NAMES), unique=True)


def study(games=1000, **lineups):
    return {"game": "street_art", "games": games, "lineups": lineups or {"mirror": ["greedy"]}}


@st.composite
def studies(draw):
    seats = st.lists(st.sampled_from(NAMES), min_size=2, max_size=6).filter(lambda s: len({*s}) > 1)
    data = study(
        draw(st.integers(1, 500_000)),
        mirror=draw(some.filter(bool)),
        fixed=draw(st.lists(seats, unique_by=tuple, max_size=3)),
        round_robin=draw(some.filter(lambda names: len(names) != 1)),
    )
    names = draw(st.lists(st.sampled_from("abc"), unique=True))
    data["variants"] = {name: {"rulings": {"hearts": 30}} for name in names}
    return from_dict(data)


@settings(max_examples=40, deadline=None)
@given(studies())
def test_cells_are_numbered_and_named_apart(study):
    cells = plan(study).cells
    assert [cell.index for cell in cells] == list(range(len(cells)))
    assert len({(c.variant, c.players, c.lineup) for c in cells}) == len(cells)
    assert len({(c.variant, c.players, c.styles, c.rotate) for c in cells}) == len(cells)
    assert all(len(cell.styles) == cell.players for cell in cells)
    assert [c.variant for c in cells] == sorted(
        (c.variant for c in cells), key=list(study.variants).index
    )


@settings(max_examples=40, deadline=None)
@given(studies())
def test_shards_hold_each_game_once_and_deals_whole(study):
    played = plan(study)
    shards = {cell.index: [] for cell in played.cells}
    for shard in played.shards():
        shards[shard.cell_index].append(shard)
    for cell in played.cells:
        own = shards[cell.index]
        assert [shard.number for shard in own] == list(range(len(own)))
        ends = [shard.first + shard.count for shard in own]
        assert [shard.first for shard in own] == [0, *ends[:-1]]
        assert ends[-1] == cell.games
        assert all(shard.count > 0 for shard in own)
        if cell.rotate:
            assert all(shard.count % cell.players == 0 for shard in own)
    assert played.total_games == sum(shard.count for shard in played.shards())


@settings(max_examples=40, deadline=None)
@given(studies(), st.integers(1, 500_000))
def test_more_games_keep_the_full_shards(study, more):
    few = plan(study)
    many = plan(study.model_copy(update={"games": study.games + more}))
    assert study.identity() == many.study.identity()
    for cell, larger in zip(few.cells, many.cells, strict=True):
        *full, _last = few.shards_of(cell)
        assert full == list(many.shards_of(larger))[: len(full)]


@settings(max_examples=40, deadline=None)
@given(studies())
def test_rotation_seats_every_place_equally_often(study):
    for cell in plan(study).cells:
        assert study.games <= cell.games < study.games + cell.players
        if cell.rotate:
            n = cell.players
            assert cell.games % n == 0
            seats = Counter((seat, (seat + game % n) % n) for game in range(n) for seat in range(n))
            assert set(seats.values()) == {1}


@given(some, st.lists(st.lists(st.sampled_from(NAMES), max_size=6), max_size=4), st.integers(1, 6))
def test_line_ups_are_counted_as_they_are_listed(names, fixed, players):
    lineups = Lineups(mirror=names, round_robin=names)
    lineups = lineups.model_copy(update={"fixed": fixed, "rotated": fixed[:2]})
    assert count(lineups, players) == len(list(line_ups(lineups, players)))


@given(some.filter(lambda names: len(names) > 1), st.integers(2, 6))
def test_round_robin_groups(names, players):
    groups = [up.styles for up in line_ups(Lineups(round_robin=names), players)]
    if len(names) >= players:
        assert len(groups) == math.comb(len(names), players)
        assert all(len(set(group)) == players for group in groups)
    else:
        assert len(groups) == math.comb(players - 1, len(names) - 1)
        assert all(set(group) == set(names) for group in groups)


@given(some.filter(lambda names: len(names) > 1), st.integers(2, 6))
def test_a_tournament_has_every_group_in_which_two_styles_meet(names, players):
    lineups = Lineups(tournament=names)
    groups = [tuple(sorted(up.styles)) for up in line_ups(lineups, players)]
    assert len(set(groups)) == len(groups) == count(lineups, players)
    every = {tuple(sorted(group)) for group in product(names, repeat=players)}
    assert set(groups) == {group for group in every if len(set(group)) > 1}
    assert all(up.rotate for up in line_ups(lineups, players))


def test_a_rotated_line_up_goes_through_every_seat():
    played = plan(from_dict(study(rotated=[["greedy", "thief"], ["thief", "greedy", "greedy"]])))
    assert [(c.players, c.lineup, c.styles, c.rotate) for c in played.cells] == [
        (2, "greedy + thief", ("greedy", "thief"), True),
        (3, "thief + greedy + greedy", ("thief", "greedy", "greedy"), True),
    ]


def test_labels_can_be_read():
    played = plan(
        from_dict(
            study(
                mirror=["greedy"],
                fixed=[["greedy", "thief"]],
                round_robin=["greedy", "thief", "random"],
            )
        )
    )
    labels = [cell.lineup for cell in played.cells if cell.players == 2]
    assert labels == [
        "all greedy",
        "greedy | thief",
        "greedy + thief",
        "greedy + random",
        "thief + random",
    ]
    assert [cell.lineup for cell in played.cells if cell.players == 4][1:] == [
        "greedy + greedy + thief + random",
        "greedy + thief + thief + random",
        "greedy + thief + random + random",
    ]


def test_cells_go_by_variant_then_players_then_line_up():
    data = study(mirror=["greedy", "thief"]) | {"players": [2, 3], "variants": {"b": {}, "a": {}}}
    keys = [(c.variant, c.players, c.lineup) for c in plan(from_dict(data)).cells]
    assert keys[:3] == [("b", 2, "all greedy"), ("b", 2, "all thief"), ("b", 3, "all greedy")]
    assert keys[4] == ("a", 2, "all greedy")


def test_a_cell_has_what_its_variant_has():
    data = study() | {
        "variants": {
            "base": {},
            "bold": {"rulings.hearts": 48, "styles.greedy.weights.exposure": 0.5},
        }
    }
    played = plan(from_dict(data))
    base, bold = played.cells[0], played.cells[-1]
    assert (base.rulings["hearts"], bold.rulings["hearts"]) == (36, 48)
    assert "exposure" not in played.styles_of(base)[0].weights
    assert [style.weights["exposure"] for style in played.styles_of(bold)] == [0.5] * 6


def test_the_last_games_that_can_be_numbered():
    cells = plan(from_dict(study(MAX_GAMES, round_robin=["greedy", "thief"]))).cells
    for cell in cells:
        assert MAX_GAMES - cell.players < cell.games <= MAX_GAMES
        assert cell.games % cell.players == 0


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("seats", "1,000,000 games in 5 cells: 1 variant, 5 player counts, 1 line-up"),
        ("styles", "4,284,000 games in 238 cells: 1 variant, 5 player counts, 238 line-ups"),
        ("hearts", "1,500,000 games in 15 cells: 3 variants, 5 player counts, 1 line-up"),
    ],
)
def test_shipped_studies(name, summary):
    assert plan(load(f"street_art/{name}")).summary() == summary


def test_setup_is_the_games_own():
    played = plan(from_dict(study(round_robin=["greedy", "thief"]) | {"players": 2}))
    setup = played.setup(played.cells[0])
    assert setup.players == 2
