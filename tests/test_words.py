import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import words as say


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.5408, "54.1 %"),
        (0.5, "50.0 %"),
        (0.00034, "0.03 %"),
        (1e-6, "less than 0.01 %"),
        (0.99999, "more than 99.9 %"),
        (0.0007, "0.1 %"),
    ],
)
def test_percent(share, text):
    assert say.percent(share) == text


@given(st.floats(0, 1))
def test_a_share_that_is_not_whole_is_never_called_so(share):
    text = say.percent(share)
    assert (text == "0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)


def test_numbers_read_as_a_person_writes_them():
    assert [say.ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 111)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "111th"]
    )
    assert say.listed([2]) == "2"
    assert say.listed([2, 3, 4]) == "2, 3 and 4"
    assert say.players(1) == "1 player"
    assert say.players([2, 3]) == "2 and 3 players"
    assert say.counted(1, "game") == "1 game"
    assert say.counted(1200, "game") == "1,200 games"
    assert say.number(22.0) == "22"
    assert say.number(3.26) == "3.3"
    assert say.number(1234.5) == "1,234"
    assert say.number(-0.04) == "0"
    assert say.number(-2.5) == f"{say.MINUS}2.5"
    assert say.signed(0.04) == "0.0"
    assert say.signed(-1.25) == f"{say.MINUS}1.2"
    assert say.signed(1.25) == "+1.2"
    assert say.points(0.041) == "4.1 points"
    assert say.points(-0.01) == "1 point"
    assert say.about(31_234) == "40,000"
    assert say.about(800) == "800"
    assert say.exactly(1 / 3) == "33.3 %"
    assert say.exactly(0.5) == "50 %"
    assert say.amount("1", "hearts") == "1 heart"
    assert say.amount("1 to 4", "hearts") == "1 to 4 hearts"


def test_styles_whose_titles_read_alike_keep_their_names():
    words = say.Words(None, ("base",), ("all",), ("hot", "hot_", "Greedy", "greedy", "cold_one"))
    assert [words.style(name) for name in words.styles] == [*words.styles[:4], "Cold one"]
    assert words.lineup("hot + hot_") == "hot + hot_"


def test_whole_percentages_of_an_interval_are_written_as_the_share():
    assert [say.whole_or_tenths(value) for value in (0, 0.04, 50, 100)] == [
        "0",
        "0.0",
        "50.0",
        "100",
    ]
