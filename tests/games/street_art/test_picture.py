"""The picture: what it shows, and that no words collide, for every number of players."""

import io
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from sim.errors import SimError
from sim.games.street_art.picture import SEAT_COLORS, picture
from sim.games.street_art.referee import replay
from sim.games.street_art.rulebook import RAIN, Played

from .logs import COMPONENTS, RULINGS, Log, random_log, small_deck
from .test_recount import theft_and_rain, tied

STYLES = ("leader_hunter", "rainmaker", "bandleader", "thief", "greedy", "closer")


def words(figure):
    """Return the texts on the table."""
    return [text.get_text() for text in figure.axes[0].texts]


def random_game(players, seed, components=COMPONENTS, **rulings):
    log, _ = random_log(players, seed, components, **rulings)
    return replay(log, components, RULINGS | rulings, players)


def check_layout(figure):
    """Check that texts lie inside the figure and over nothing but their own box."""
    FigureCanvasAgg(figure).draw()
    renderer = figure.canvas.get_renderer()
    texts = [text for axes in figure.axes for text in axes.texts]
    texts += figure.axes[1].get_legend().get_texts()
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not box.overlaps(other_box), (text, other)


@pytest.mark.parametrize("players", range(2, 7))
def test_words_never_collide(players):
    seen = random_game(players, seed=players)
    for turn in (0, 1, players + 1, len(seen.events) - 2):
        check_layout(picture(seen, STYLES, turn))


@pytest.mark.parametrize("players", [2, 6])
def test_words_never_collide_after_rain(players):
    cards = small_deck(5, beatboxer=30, rain=20, street_painter=9, cyr_wheel_acrobat=9)
    seen = random_game(players, 4, cards, hearts=48)
    rains = [
        turn.number
        for turn in seen.events[1:-1]
        if any(isinstance(act, Played) and act.card == RAIN for act in turn.acts)
    ]
    assert rains
    for turn in rains:
        check_layout(picture(seen, STYLES, turn))


def test_long_names_and_large_hands_fit():
    cards = small_deck(10, **dict.fromkeys(COMPONENTS["stars"]["cards"], 9), rain=3, beatboxer=9)
    seen = random_game(6, 1, cards, hearts=300)
    names = ["a_style_with_a_name_that_goes_on_and_on"] * 6
    for turn in (5, 20, None):
        check_layout(picture(seen, names, turn))


def test_what_the_table_shows():
    shown = words(picture(theft_and_rain(), STYLES, turn=2))
    assert shown[0] == "Street Art: after turn 2 of 7 (round 1)"
    for text in (
        "Seat 1  rainmaker",
        "has just played",
        "is next",
        "+2",
        "\N{MINUS SIGN}2",
        "Juggler",
        "pile of 1",
        "no card",
        "3 x Beatboxer",
        "\N{BLACK HEART SUIT} 6",
        "43",
        "Seat 1 plays Juggler and steals 2 hearts from seat 0, who shows it too.",
    ):
        assert text in shown


def test_the_deal_and_the_end():
    game = tied()
    deal = words(picture(game, STYLES, turn=0))
    assert deal[0] == "Street Art: the deal"
    assert "The cards are dealt. Seat 0 starts." in deal
    end = words(picture(game, STYLES))
    assert end[0] == "Street Art: after turn 2 of 2 (round 1)"
    assert end.count("shares the win") == 2
    assert "rank 3" in end
    assert "wins" in words(picture(theft_and_rain(), STYLES))


def test_a_game_cut_off():
    seen = Log(["juggler"], []).turn(0).plays("juggler").takes(2).draws().cut_off(2, 0).replay()
    shown = words(picture(seen, STYLES))
    assert shown.count("cut off") == 2
    assert any("nobody wins" in text for text in shown)


def test_hearts_by_turn():
    figure = picture(theft_and_rain(), STYLES, turn=3)
    chart = figure.axes[1]
    past = [line for line in chart.lines if line.get_label().startswith("Seat")]
    assert [line.get_color() for line in past] == list(SEAT_COLORS[:3])
    assert [[round(value) for value in line.get_ydata()] for line in past] == [
        [0, 2, 0, 0],
        [0, 0, 2, 2],
        [0, 0, 0, 1],
    ]
    assert [text.get_text() for text in chart.texts] == ["Rain"]
    assert len({line.get_linestyle() for line in past}) == 3


@pytest.mark.parametrize("turn", [-1, 8])
def test_no_such_turn(turn):
    with pytest.raises(SimError, match=f"turn: {turn} is outside this game, .* 0 .* to 7"):
        picture(theft_and_rain(), STYLES, turn)


def test_can_be_saved():
    file = io.BytesIO()
    picture(theft_and_rain(), STYLES).savefig(file, format="png", dpi=50)
    assert file.getvalue().startswith(b"\x89PNG")
