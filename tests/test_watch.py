import numpy as np
import polars as pl
import pytest
from conftest import SMALL

from sim import study
from sim.errors import SimError
from sim.games.street_art import events
from sim.plan import Cell, plan
from sim.watch import draw, seated, watch

SCORE = events.SCORE


@pytest.fixture(scope="module")
def small():
    return study.from_dict(SMALL, name="small")


def cell_of(small, **wanted):
    return next(
        cell
        for cell in plan(small).cells
        if all(getattr(cell, key) == value for key, value in wanted.items())
    )


def test_every_game_of_every_cell_is_the_one_that_was_stored(small_run):
    """Scores and ranks in the log are those in the tables; so are the styles at the seats."""
    seats = small_run.scan("seats").collect()
    for cell in small_run.plan.cells:
        for number in (0, 1, 7, cell.games - 1):
            told = watch(small_run.study, number, cell=cell.index)
            rows = told.log[told.log[:, 0] == SCORE]
            stored = seats.filter((pl.col("cell") == cell.index) & (pl.col("game") == number))
            assert rows[:, 3].tolist() == stored["score"].to_list()
            assert rows[:, 4].tolist() == stored["rank"].to_list()
            assert list(told.styles) == stored["style"].to_list()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_told_with_the_referee_watching(small, players):
    told = watch(small, 5, players=players)
    lines = list(told.lines())
    assert len(lines) > 10
    assert all(isinstance(line, str) for line in lines)
    assert told.title() == (
        f"Street Art, game 5 of cell {told.cell.index}: {players} players, all greedy, variant base"
    )
    assert "wins" in lines[-1] or "share" in lines[-1]


def test_the_first_cell_that_fits(small):
    planned = plan(small)
    assert watch(small).cell == planned.cells[0]
    assert watch(small, players=4).cell == cell_of(small, players=4)
    assert watch(small, variant="hearts60").cell == cell_of(small, variant="hearts60")
    assert watch(small, players=3, variant="hearts60", lineup="random + greedy + thief").cell == (
        cell_of(small, players=3, variant="hearts60", rotate=True)
    )
    assert watch(small, cell=3).cell == planned.cells[3]
    assert watch(small, cell=3, players=planned.cells[3].players).cell == planned.cells[3]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"number": -1}, "game: found -1; allowed: 0 to 599 in cell 0"),
        ({"number": 600}, "game: found 600; allowed: 0 to 599 in cell 0"),
        ({"cell": 99}, "cell: found 99; allowed: 0 to "),
        ({"cell": -1}, "cell: found -1; allowed: 0 to "),
        ({"players": 6}, 'players: found "6"; in this study: 2, 3, 4.'),
        ({"variant": "hearts6"}, 'Did you mean "hearts60"?'),
        ({"lineup": "all greedi"}, 'Did you mean "all greedy"?'),
    ],
)
def test_no_such_game(small, how, told):
    with pytest.raises(SimError) as error:
        watch(small, **how)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_many_line_ups_are_not_all_listed():
    data = SMALL | {"players": [3], "lineups": {"round_robin": "all"}}
    with pytest.raises(SimError, match=r"and \d+ more\."):
        watch(study.from_dict(data), lineup="nobody")


def test_who_sits_where():
    cell = Cell(0, 3, "base", "a + b + c", ("a", "b", "c"), True, 9, {}, {})
    assert [seated(cell, game) for game in range(4)] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]
    fixed = Cell(0, 3, "base", "a + b + c", ("a", "b", "c"), False, 9, {}, {})
    assert seated(fixed, 1) == ("a", "b", "c")


def test_rotations_of_a_deal_have_the_same_luck(small):
    cell = cell_of(small, players=3, rotate=True)
    order = [
        log[log[:, 0] == events.ORDER].tolist()
        for log in (watch(small, game, cell=cell.index).log for game in (6, 7, 8))
    ]
    assert order[0] == order[1] == order[2]
    assert watch(small, 9, cell=cell.index).log.tolist() != order[0]


def test_variants_have_the_same_luck(small):
    games = [watch(small, 4, players=2, variant=name) for name in ("base", "hearts60")]
    cards = [told.log[told.log[:, 0] == events.ORDER] for told in games]
    assert np.array_equal(*cards)


@pytest.mark.parametrize("ending", ["png", "SVG", "pdf"])
def test_draw(small, tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    draw(watch(small, 2), path)
    content = path.read_bytes()
    assert content[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    assert len(content) > 2000


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("table.txt", "allowed: a file ending in .png, .svg, .pdf"),
        ("table", "allowed: a file ending in .png, .svg, .pdf"),
        ("nowhere/table.png", "cannot be written: No such file or directory"),
    ],
)
def test_draw_where_it_cannot_be(small, tmp_path, name, told):
    with pytest.raises(SimError, match=told):
        draw(watch(small, 2), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_draw_a_turn(small, tmp_path):
    told = watch(small, 2)
    turns = int(told.log[:, 1].max())
    for turn in (0, 1, turns):
        draw(told, tmp_path / f"{turn}.png", turn)
    assert (tmp_path / "0.png").read_bytes() != (tmp_path / f"{turns}.png").read_bytes()
    for turn in (-1, 10_000):
        with pytest.raises(SimError):
            draw(told, tmp_path / "no.png", turn)
    assert not (tmp_path / "no.png").exists()
