"""The picture: what it shows, and that no words collide, for every number of players."""

import io
import string
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Circle

from sim.errors import SimError
from sim.games.tag_city.picture import NEW, SEAT_COLORS, picture
from sim.games.tag_city.referee import replay

from .logs import COMPONENTS, RULINGS, bubbles_gone, duel, duel_by_order, random_log, with_city

STYLES = ("district_builder", "greedy", "a_style_with_a_very_long_name", "packer")


def words(figure):
    """Return the texts on the table."""
    return [text.get_text() for text in figure.axes[0].texts]


def random_game(players, seed, components=COMPONENTS, **rulings):
    log, _ = random_log(players, seed, components, **rulings)
    return replay(log, components, RULINGS | rulings, players)


def check_layout(figure):
    """Check that texts lie inside the figure and over no other text."""
    FigureCanvasAgg(figure).draw()
    renderer = figure.canvas.get_renderer()
    boxes = [
        (text.get_text(), text.get_window_extent(renderer))
        for text in figure.axes[0].texts
        if text.get_text()
    ]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not box.overlaps(other_box), (text, other)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_words_never_collide(players):
    seen = random_game(players, seed=players)
    for turn in (0, None):
        check_layout(picture(seen, STYLES, turn))


@pytest.mark.parametrize(
    "city",
    [
        "AB",
        "\n".join(["ABCDEFGH"] * 16),
        "\n".join([string.ascii_uppercase[:16]] * 8),
        "\n".join([string.ascii_uppercase[:13], string.ascii_uppercase[13:]]),
    ],
)
def test_words_never_collide_in_other_cities(city):
    components = with_city(city, rows=(1000, 12), columns=(100, 0), neighborhoods=(88, 5))
    seen = random_game(4, 1, components, city="C", bubble_values=[-1000] * 2, round_cap=6)
    check_layout(picture(seen, STYLES))


def test_the_end_of_a_game():
    shown = words(picture(duel_by_order().replay(), STYLES))
    assert shown[0] == "Tag City: after round 1 of 1"
    for text in ("Seat 0  district_builder", "38 points", "wins", "rank 2", "32 points"):
        assert text in shown
    assert shown.count("drones 1 of 5 (\N{MINUS SIGN}1), bubbles 0 (0)") == 2
    assert any("Seat 0 (district_builder) wins by 6 points." in text for text in shown)
    assert words(picture(duel().replay(), STYLES)).count("shares the win") == 2


def test_the_set_up():
    figure = picture(duel().replay(), STYLES, turn=0)
    shown = words(figure)
    assert shown[:2] == ["Tag City: the set-up", "HQ: no dice yet"]
    assert shown.count("0 points") == 2
    assert "Every city is empty." in shown
    assert shown.count("leads the next round") == 1
    assert not circles(figure)


def test_the_middle_of_a_game():
    shown = words(picture(bubbles_gone().replay(), STYLES, turn=1))
    assert shown[:2] == ["Tag City: after round 1 of 2", "HQ: dice of seat 0, the leader"]
    assert "a_style_with_a_ve…" in "".join(shown)
    assert shown.count("all") == 1
    assert any(text.startswith("Seat 1 takes the 1 from O4") for text in shown)


def circles(figure):
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Circle)]


def test_circled_values_are_circled_and_large_ones_filled():
    found = circles(picture(duel_by_order().replay(), STYLES))
    by_seat = [
        [c for c in found if to_hex(c.get_edgecolor()) == color.lower()] for color in SEAT_COLORS
    ]
    assert [len(seat) for seat in by_seat] == [8, 8, 0, 0]
    filled = [sum(c.get_facecolor() == c.get_edgecolor() for c in seat) for seat in by_seat[:2]]
    assert filled == [5, 3]


def outlines(figure, color):
    """Return how many sides of squares each outline of a colour has."""
    return [
        len(lines.get_segments())
        for lines in figure.axes[0].collections
        if isinstance(lines, LineCollection) and to_hex(lines.get_color()[0]) == color.lower()
    ]


def test_drawings_are_outlined():
    """Seat 2 paints O4 in the second round; in the first nobody draws."""
    assert outlines(picture(bubbles_gone().replay(), STYLES), NEW) == [8]
    assert outlines(picture(bubbles_gone().replay(), STYLES, 1), NEW) == []
    figure = picture(duel().replay(), STYLES)
    assert outlines(figure, NEW) == [8] * 4
    assert words(figure).count("1") - words(picture(duel().replay(), STYLES, 0)).count("1") == 4


@pytest.mark.parametrize("turn", [-1, 2])
def test_no_such_round(turn):
    with pytest.raises(SimError, match=f"turn: {turn} is outside this game, .* 0 .* to 1"):
        picture(duel().replay(), STYLES, turn)


def test_can_be_saved():
    file = io.BytesIO()
    picture(duel().replay(), STYLES).savefig(file, format="png", dpi=50)
    assert file.getvalue().startswith(b"\x89PNG")
