"""Tables in a terminal: what may be broken, and what is as long as there is room."""

import pytest

from sim import terminal

HEADS = ["Budget", "Where", "Accepted", "Estimate", "Verdict"]
ROWS = [["seat_share", "2 players, seat 0", "0.48 to 0.52", "0.550 (0.546 to 0.553)", "failed"]]
WHOLE = ("Accepted", "Estimate", "Missing")


def test_cells_stand_unbroken_as_far_as_there_is_room():
    assert terminal._fitting(HEADS, ROWS, WHOLE, 100) == ["Budget", "Accepted", "Estimate"]
    assert terminal._fitting(HEADS, ROWS, WHOLE, 70) == ["Budget", "Accepted"]
    assert terminal._fitting(HEADS, ROWS, WHOLE, 20) == ["Budget"]
    assert terminal._fitting(HEADS, ROWS, (), 100) == ["Budget"]
    assert terminal._fitting(HEADS, [], WHOLE, 100) == ["Budget"]


@pytest.mark.parametrize("whole", [(), WHOLE])
def test_no_line_is_wider_than_the_page(whole, capsys):
    long = [["seat_share", "a " * 60, "0.48 to 0.52", "0.550 (0.546 to 0.553)", "failed"]]
    terminal.table(HEADS, ROWS + long, whole=whole, styles={"failed": "red"})
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 110
    assert "0.550 (0.546 to 0.553)" in lines[2]
    assert "\x1b" not in "".join(lines)
