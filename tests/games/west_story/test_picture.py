"""The pictures: they show what is on the table, in its place, and no words collide."""

import io
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from sim.errors import SimError
from sim.games.west_story.endgame import score_of
from sim.games.west_story.glyphs import (
    COVERED,
    GLYPHS,
    NEW,
    SEAT_COLORS,
    SMALLEST,
    draw_symbol,
    short_names,
    text_width,
    wrapped,
    write,
    write_lines,
)
from sim.games.west_story.logbook import Bought, DicePassed, Reset, Traded, Turn
from sim.games.west_story.picture import picture
from sim.games.west_story.referee import replay
from sim.games.west_story.rulebook import NEUTRAL

from .logs import COMPONENTS, RULINGS
from .random_play import RandomGame

STYLES = ("greedy", "High Roller", "random", "rancher")
LONG = ("a_style_with_a_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on",) * 4
ALL = {"wild_tokens": True, "uncatchable_villain": True, "dodge_city": "together"}


@cache
def game(players, seed=1, **rulings):
    log = RandomGame(players, seed, **rulings).play()
    return replay(log, COMPONENTS, RULINGS | rulings, players)


def turns_of(seen):
    return [at for at, event in enumerate(seen.events) if isinstance(event, Turn)]


def words(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def things(figure, kind):
    """Return the drawings of a kind, by the rest of their names."""
    named = [((patch.get_gid() or "").partition(" "), patch) for patch in figure.axes[0].patches]
    return [(rest, patch) for (name, _, rest), patch in named if name == kind]


def named(figure, kind):
    return sorted(rest for rest, _ in things(figure, kind))


def new(figure, kind):
    """Return the drawings of a kind that are outlined as new."""
    return sorted(
        rest for rest, patch in things(figure, kind) if to_hex(patch.get_edgecolor()) == NEW.lower()
    )


# Layout


def check_layout(figure):
    """Check that words lie inside the figure and over no others."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not box.overlaps(other_box), (text, other)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("turn", [0, 17, None])
def test_words_never_collide(players, turn):
    check_layout(picture(game(players, **ALL), LONG, turn))


NEW_NAMES = {"revolver": "cactus", "horseshoe": "star", "star": "stetson", "wheel": "steer"}


def renamed(tree):
    """Return components with other names of symbols, one of them with a drawing."""
    if isinstance(tree, dict):
        return {key: renamed(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [renamed(value) for value in tree]
    return NEW_NAMES.get(tree, tree) if isinstance(tree, str) else tree


def crowded():
    """Return components with long names, many areas, a large pan and many VP."""
    parts = renamed(COMPONENTS)
    parts["pan"]["coins"] = 40
    for town in parts["towns"].values():
        town["title"] += " upon the River"
        town["disc_vp"] = [1, 2, 3, 4, 50, 60, 70, 80]
        town["wild_bonus"] = "1 coin + 2 hats + 1 vp"
    areas = list(parts["areas"].values())
    parts["areas"] = {
        f"area_{number}": areas[number % len(areas)]
        | {
            "title": f"{areas[number % len(areas)]['title']} with a long name",
            "first": 4 * number,
            "last": 4 * number + 3 if number < 14 else 999,
            "villain": number % 2 == 1,
            "desert": number % 3 == 0,
        }
        for number in range(15)
    }
    parts["villain_tokens"]["places"] = 7
    for card in parts["cards"].values():
        card["title"] += " of the Wild West"
        card["vp"] += 8
    return parts


@pytest.mark.parametrize("players", [3, 4])
def test_words_never_collide_on_a_crowded_table(players):
    parts, rulings = crowded(), ALL | {"round_cap": 8}
    seen = replay(
        RandomGame(players, 2, parts, **rulings).play(), parts, RULINGS | rulings, players
    )
    assert max(player.vp for player in seen.states[-1].players) > 99
    check_layout(picture(seen, LONG))


# What the table shows


def marks_of(table):
    return sorted(
        f"{seat} {spot}" for seat, player in enumerate(table.players) for spot in player.marks
    )


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_table_shows_its_state(players, seed):
    seen = game(players, seed, **ALL)
    turns = turns_of(seen)
    turn = 2 * len(turns) // 3 + seed
    at = turns[turn - 1]
    is_last = isinstance(seen.events[at + 1], DicePassed)
    check_table(picture(seen, STYLES, turn), seen.states[at + is_last])


def check_table(figure, table):
    shown = words(figure)
    assert named(figure, "mark") == marks_of(table)
    discs = {
        f"{town} {symbol}": owner
        for town, owners in enumerate(table.discs)
        for symbol, owner in enumerate(owners)
        if owner is not None
    }
    drawn = {place: color_of(patch) for place, patch in things(figure, "disc")}
    assert drawn == {
        place: COVERED if owner == NEUTRAL else SEAT_COLORS[owner] for place, owner in discs.items()
    }
    markers = sorted((color_of(patch), int(vp)) for vp, patch in things(figure, "marker"))
    assert markers == sorted(
        (SEAT_COLORS[seat], player.vp) for seat, player in enumerate(table.players)
    )
    offers = [kind for row in table.market for kind in row if kind is not None]
    assert named(figure, "offer") == sorted(map(str, offers))
    assert len(things(figure, "coin")) == table.pan
    assert f"Gold pan: {table.pan}" in shown
    stacks = [len(stack) for p in table.players for stack in p.stacks if len(stack) > 1]
    assert named(figure, "stack") == sorted(map(str, [*stacks, 2]))
    check_villains(table, shown)
    check_words(table, shown, offers)


def color_of(patch):
    return to_hex(patch.get_facecolor()).upper()


def check_villains(table, shown):
    there = [villain for villain in table.villains if villain.token is not None]
    assert shown.count("villain, face down") == sum(not villain.face_up for villain in there)
    for villain in there:
        token = table.rules.tokens[villain.token]
        if villain.face_up and token.catchable:
            assert f"{token.title}: {token.vp} VP" in shown
    for seat, player in enumerate(table.players):
        for token in player.villains:
            assert f"{table.rules.tokens[token].title}: won by seat {seat}" in shown
    for token in table.left:
        assert f"{table.rules.tokens[token].title}: discarded" in shown


def check_words(table, shown, offers):
    """Amounts, cards and stacks by how often their words are there."""
    due = Counter()
    for player in table.players:
        goods = (("coin", player.coins), ("hat", player.hats), ("cow", player.cows))
        for noun, count in (*goods, ("disc", player.discs), ("wild token", player.wild_tokens)):
            if count or noun != "wild token":
                due[f"{count} {noun}" if count == 1 else f"{count} {noun}s"] += 1
        due["printed symbol" if player.certificate is None else "certificate"] += 1
    found = Counter(shown)
    for text, count in due.items():
        assert found[text] >= count, text
    titles = Counter(table.rules.cards[kind].title for kind in offers)
    titles.update(
        table.rules.cards[stack[-1]].title for p in table.players for stack in p.stacks if stack
    )
    assert {text: found[text] for text in titles} == titles
    for seat, player in enumerate(table.players):
        told = [text for text in shown if text.startswith(f"on the track {player.vp}, ")]
        assert any(f": {score_of(table, seat)} VP as things stand" in text for text in told)
    first = shown.index("Certificates") + 1
    left = sum(map(len, table.certificates))
    assert set(shown[first : first + left]) <= {"4 coins", "6 coins"}
    assert shown[first + left] == table.rules.areas[0].title


DEEDS = (Bought, Traded, Reset)


def test_what_is_new_is_outlined():
    seen = game(3, 1)
    for turn in (10, 21):
        figure, at = picture(seen, STYLES, turn), turns_of(seen)[turn - 1]
        event = seen.events[at]
        deeds = {kind: [d for d in event.deeds if isinstance(d, kind)] for kind in DEEDS}
        bought = {f"{event.seat} {deed.spot}" for deed in deeds[Bought]}
        assert set(new(figure, "spot")) == bought
        assert new(figure, "disc") == [f"{deed.town} {deed.symbol}" for deed in deeds[Traded]]
        table = seen.states[at]
        drawn = {card[:2] for deed in deeds[Reset] for card in deed.drawn} | {
            card[:2] for card in event.drawn
        }
        kinds = [str(table.market[deck][slot]) for deck, slot in drawn]
        assert new(figure, "offer") == sorted(kinds)


def test_a_first_turn_shows_the_marks_of_its_production():
    seen = game(2, 4)
    figure, later = (picture(seen, STYLES, turn) for turn in (1, 2))
    assert named(figure, "mark") == new(figure, "mark") == marks_of(seen.states[turns_of(seen)[0]])
    assert len(new(figure, "mark")) >= 4
    assert set(new(later, "mark")) < set(named(later, "mark"))


def test_the_set_up():
    figure = picture(game(2, 1), STYLES, 0)
    shown = words(figure)
    assert shown[:2] == ["West Story: the set-up", "All is laid out. Seat 0 (greedy) begins."]
    assert shown.count("villain, face down") == 6
    assert len(named(figure, "disc")) == 4
    assert "has the dice" in shown
    assert not named(figure, "mark")


def test_the_end():
    seen = game(3, 2)
    over, turns = seen.events[-1], turns_of(seen)
    shown = words(picture(seen, STYLES))
    assert shown[0] == f"West Story: the end after {over.rounds} rounds and {len(turns)} turns"
    for result in over.results:
        assert f"{result.score} VP" in shown
        assert ("wins" if result.rank == 1 else f"rank {result.rank}") in shown
    winner = next(result.seat for result in over.results if result.rank == 1)
    assert shown[1].startswith(f"Seat {winner} ({STYLES[winner]}) wins by ")
    cut = picture(game(2, 1, round_cap=2), STYLES)
    assert words(cut).count("cut off") == 2


def test_the_middle():
    seen = game(4, 1)
    at = turns_of(seen)[19]
    shown = words(picture(seen, STYLES, 20))
    number, seat = seen.events[at].round + 1, seen.events[at].seat
    assert shown[0] == f"West Story: round {number}, after turn 20 of {len(turns_of(seen))}"
    assert shown[1].startswith(f"Seat {seat} ({STYLES[seat]}): ")
    assert " richest with " in " ".join(shown[1:6])


@pytest.mark.parametrize("turn", [-1, 500])
def test_no_such_turn(turn):
    with pytest.raises(SimError, match=f"turn: {turn} is outside this game, .* 0 .* to "):
        picture(game(2, 1), STYLES, turn)


def test_can_be_saved():
    file = io.BytesIO()
    picture(game(2, 1), STYLES, 5).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


# Letters and glyphs


def axes():
    made = Figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))
    made.set(xlim=(0, 4), ylim=(0, 2))
    return made


def test_a_line_shrinks_and_then_is_cut():
    there = axes()
    assert write(there, 0, 1, "Trading Post", 9) == text_width("Trading Post", 9)
    assert write(there, 0, 1, "Trading Post", 9, 0.6) <= 0.6
    assert write(there, 0, 1, "A name that goes on and on and on", 9, 0.5) <= 0.5
    first, smaller, cut = there.texts
    assert (first.get_text(), first.get_fontsize()) == ("Trading Post", 9)
    assert smaller.get_text() == "Trading Post"
    assert SMALLEST <= smaller.get_fontsize() < 9
    assert cut.get_text().endswith("…")


def test_lines_fit_their_room():
    text = "a text of words that are broken into lines as they fit"
    for room in ((1.0, 1.0), (1.0, 0.3), (0.7, 0.2)):
        there = axes()
        write_lines(there, 0, 1, text, 9, room)
        renderer = FigureCanvasAgg(there.figure).get_renderer()
        boxes = [line.get_window_extent(renderer) for line in there.texts]
        dpi = there.figure.dpi
        assert max(box.width for box in boxes) <= room[0] * dpi * 1.02
        assert boxes[0].y1 - boxes[-1].y0 <= room[1] * dpi * 1.2
    assert there.texts[-1].get_text().endswith("…")
    assert wrapped("one two", 9, 9.0) == ["one two"]
    assert wrapped("one two", 9, 0.1) == ["one", "two"]


def test_symbols_are_told_apart_by_shape():
    shapes = [path.vertices.tobytes() for path in GLYPHS.values()]
    assert len(set(shapes)) == len(GLYPHS) == 9
    for path in GLYPHS.values():
        assert np.abs(path.vertices).max() <= 0.51
    assert len(set(SEAT_COLORS)) == 4


def test_symbols_without_a_drawing_are_told_by_letters():
    names = ["cactus", "star", "stetson", "steer"]
    assert short_names(names) == ["ca", "st", "se", "sr"]
    there = axes()
    for name in (*names, "quadruple"):
        draw_symbol(there, name, names, (1, 1), 0.3)
    assert [text.get_text() for text in there.texts] == ["ca", "se", "sr"] * 2
