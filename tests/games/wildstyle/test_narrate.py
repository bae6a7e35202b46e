"""The narration: games by hand told word for word, and games of chance told without slips."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games.wildstyle.logbook import (
    Acted,
    Decided,
    Fumbled,
    Removed,
    RoundOver,
    Scored,
    Solo,
)
from sim.games.wildstyle.narrate import narrate
from sim.games.wildstyle.rulebook import LETTERS
from sim.games.wildstyle.scoring_rules import Side, standing
from sim.games.wildstyle.textmap import hex_names, owners, shared_hexes, text_map
from sim.games.wildstyle.wording import Wording, side_words

from .logs import EXACT, Play, random_game, variant

STYLES = ("greedy", "High Value", "denier", "rusher", "careful")
ONE_ROUND = variant(numbers={"rounds": 1})
ONE_TAG = variant(numbers={"rounds": 1, "tags_each_round": 1})


def of_kind(replay, kind):
    return [event for event in replay.events if isinstance(event, kind)]


def name_of(play, icon):
    """Return the name of the first hex with an icon in the first district."""
    return hex_names(play.city.ground.cells)[play.hexes(icon)[0]]


def told(play):
    return list(narrate(play.replay(), STYLES))


def timeline(play):
    """Return the timeline of the first round."""
    lines = told(play)
    first = lines.index(" act    time") + 1
    over = next(at for at, line in enumerate(lines) if "THE ROUND IS OVER" in line)
    return lines[first : over + 1]


# By hand


def shares_and_takes():
    """Two players: seat 0 takes what seat 1 shared and was about to take back."""
    play = Play(components=ONE_ROUND)
    hands = [["railway red", "railway blue", "park red"], ["railway yellow", "park red"]]
    hands[1].append("park blue")
    hex_ = play.hexes("railway")[0]
    script = play.script(
        ["add railway red 0", "add railway blue 0", "take 0 0", f"complete 0 {hex_}", "draw 0"],
        [
            "share railway yellow 0",
            "add park red 0",
            "take 0 1",
            "rush 0 none",
            "share park blue 0",
        ],
    )
    assert play.round(script, hands, [["station red"]]) == "stalemate"
    return play.scored()


def test_a_round():
    play = shares_and_takes()
    name = name_of(play, "railway")
    assert timeline(play) == [
        "   1   1.6 s  seat 0 adds Railway (red): a new set",
        "   2   1.8 s  seat 1 shares Railway (yellow) on the empty share pile 0",
        "   3   3.2 s  seat 0 adds Railway (blue): 2 of 3",
        "   4   3.4 s  seat 1 adds Park (red): a new set",
        "   5   5.2 s  seat 0 takes Railway (yellow) from share pile 0: 3 of 3",
        "   -   5.4 s  seat 1 loses 2.0 s taking Railway (yellow): share pile 0 is empty",
        f"   6   8.3 s  seat 0 completes Railway and tags {name}",
        "   7   9.0 s  seat 1 rushes 1 of 3 Park for a cop car, without a tag",
        "   8   9.9 s  seat 0 draws Train Station (red) from pile 0, 27 left",
        "       9.9 s  seat 0 waits",
        "   9  10.8 s  seat 1 shares Park (blue) on the empty share pile 0",
        "      10.8 s  seat 1 waits",
        "      11.3 s  THE ROUND IS OVER: nobody can or will act",
    ]


def test_the_beginning():
    lines = told(shares_and_takes())
    assert lines[:9] == [
        "Wildstyle with 2 players: 1 round, 6 tags a round, 115 cards, 28 cop cars.",
        "Rulings: board_radius 3, station_snake each_cluster, final_phase_rush true,",
        "  tag_removal best, round_cap_s 1800.",
        "Seat 0 plays greedy.",
        "Seat 1 plays High Value.",
        "Objectives:",
        "  Tricorners: 6 points per triangle of 6 tags.",
        "  Border Wars: 1 point per tag at a border between districts.",
        "  Urban Planner: 2 points per tag on the icon tagged most.",
    ]
    at = lines.index("Round 1")
    assert lines[at + 1 : at + 4] == [
        "  Draw piles of 28 and 27 cards, 54 set aside; 4 empty share piles.",
        "  Seat 0, 6 tags: Railway (red), Railway (blue), Park (red).",
        "  Seat 1, 6 tags: Railway (yellow), Park (red), Park (blue).",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_boards_are_said_as_they_lie(seed):
    replay = random_game(3, seed).replay()
    lines = list(narrate(replay, STYLES))
    first = lines.index("District boards:") + 1
    start = replay.events[0]
    for line, (face, turns), rows in zip(
        lines[first : first + 3], start.districts, ("D to J", "A to G", "H to N"), strict=True
    ):
        turned = f", turned by {60 * turns} degrees" if turns else ""
        board, side = face // 2 + 1, "AB"[face % 2]
        assert line == f"  board {board}, side {side}: rows {rows}{turned}"


def test_the_end():
    play = shares_and_takes()
    lines = told(play)
    at = lines.index("Game end")
    assert lines[at - 5 : at + 3] == [
        "",
        "  placed  left  cop cars  points as the tags lie",
        "       1     5         0       3  seat 0 (greedy)",
        "       0     6         1       0  seat 1 (High Value)",
        "",
        "Game end",
        "  Seat 1 took 1 cop car but has no tag to give up.",
        f"  Seat 0 loses 1 tag (Railway {name_of(play, 'railway')}) as solo.",
    ]
    assert lines[-10:] == [
        "    seat 0    seat 1",
        "     0         0      Tricorners (tags that count)",
        "     0         0      Border Wars (tags that count)",
        "     0         0      Urban Planner (tags that count)",
        "     0         0      tags by their icons",
        "     0         0      total",
        "",
        "  1. seat 0 (greedy): 0 points, 0 cop cars",
        "  2. seat 1 (High Value): 0 points, 1 cop car",
        "  Seat 0 (greedy) wins the tie with fewer cop cars (0 against 1).",
    ]


def ends_by_tags(*said, hands=(["park blue"], ["police red", "police blue"]), **kept):
    """Seat 0 places its only tag at 5.2 s; the other says what it does."""
    play = Play(components=ONE_TAG, **kept)
    rush = ["add park blue 0", f"rush 0 {play.hexes('park')[0]}"]
    assert play.round(play.script(rush, said), hands) == "tags_out"
    return play.scored()


def final_phase(play):
    """Return what is told from the act that triggers the final phase on, but for the end."""
    lines = timeline(play)
    at = lines.index("       5.2 s  FINAL PHASE: no more than one player has tags on the mat")
    name = name_of(play, "park")
    assert lines[at - 2].endswith(f"seat 0 rushes 1 of 3 Park for a cop car and tags {name}")
    assert lines[at - 1] == "       5.2 s  seat 0 has no tag left and is finished"
    return lines[at + 1 : -1]


def test_what_is_dropped_when_the_final_phase_begins():
    play = ends_by_tags("share police red 0", "share police blue 0", "draw 0")
    assert final_phase(play) == [
        "       5.2 s  seat 1 has no set left and is finished (drawing is dropped)"
    ]


def test_the_last_set():
    play = ends_by_tags("add police red 0", "wait", "rush 0 none")
    assert final_phase(play) == [
        "       5.2 s  seat 1 may still finish its sets",
        "   4   9.3 s  seat 1 rushes 1 of 3 Police Station for a cop car, without a tag",
        "       9.3 s  seat 1 has no set left and is finished",
    ]
    assert told(play)[-2:] == [
        "  1. seat 0 (greedy) and seat 1 (High Value): 0 points each, 1 cop car each",
        "  Seat 0 (greedy) and seat 1 (High Value) share the win.",
    ]


def test_a_set_too_late():
    hands = (["park blue"], ["police red", "station red"])
    script = ("add police red 0", "add station red 1", "stop")
    play = ends_by_tags(*script, hands=hands, tempos=[1.0, 2.0])
    assert final_phase(play)[1:] == [
        "   -   6.4 s  seat 1 loses 3.2 s adding Train Station (red): "
        "no new set in the final phase",
        "       6.4 s  seat 1 stops with 1 tag on its mat",
    ]


def test_a_rush_too_late():
    play = ends_by_tags(
        "add police red 0", "rush 0 none", "stop", tempos=[1.0, 1.5], final_phase_rush=False
    )
    assert final_phase(play)[1] == (
        "   -   7.8 s  seat 1 loses 5.4 s rushing a set: nothing is rushed in the final phase"
    )


def test_a_hex_and_a_card_that_another_got():
    play = Play(components=ONE_ROUND)
    hex_ = play.hexes("park")[0]
    script = play.script(
        ["add park red 0", f"rush 0 {hex_}", "share police red 0", "share police blue 0"],
        ["add park green 0", f"rush 0 {hex_}", "wait", "take 0 1"],
    )
    hands = [["park red", "police red", "police blue"], ["park green"]]
    play.round(script, hands)
    name = name_of(play, "park")
    assert [line for line in timeline(play.scored()) if line.startswith("   - ")] == [
        f"   -   5.2 s  seat 1 loses 3.6 s rushing a set on {name}: seat 0 got there first",
        "   -   9.5 s  seat 1 loses 2.0 s taking Police Station (red): "
        "pile 0 has Police Station (blue)",
    ]


def test_a_game_cut_off():
    clock = {"handling": EXACT["clock"]["handling"] | {"add": 1.4}, "reaction": 5.0}
    play = Play(components=variant(clock=clock), round_cap_s=2)
    script = play.script(["add park red 0", "add park blue 0"])
    assert play.round(script, [["park red", "park blue"]]) == "time_cap"
    lines = told(play.cut_off())
    assert "       2.0 s  THE ROUND IS OVER: this is the longest that a round can last" in lines
    assert lines[-2:] == [
        "Game end",
        "  The game is cut off by the longest time for a round: nobody wins.",
    ]


# Sides


@pytest.mark.parametrize(
    ("kind", "points", "number", "words"),
    [
        ("triangles", 6, 3, "6 points per triangle of 6 tags"),
        ("hexagons", 9, 1, "9 points per hexagon of 7 tags"),
        ("lines", 6, 5, "6 points per straight line of 5 tags"),
        ("longest_line", 2, 1, "2 points per tag of the longest line"),
        ("longest_line", 2, 4, "2 points per tag of the longest line from 4 on"),
        ("borders", 1, 1, "1 point per tag at a border between districts"),
        ("police", 1, 1, "1 point per tag beside a police station"),
        ("matching", 4, 3, "4 points per 3 tags on the same icon in a cluster"),
        ("most_icon", 2, 1, "2 points per tag on the icon tagged most"),
        ("districts", 5, 5, "5 points per district with 5 tags"),
        ("clusters", 5, 3, "5 points per cluster of 3 tags"),
        ("railways", 2, 1, "2 points per rail and station in clusters with 1 station"),
        ("station_path", 2, 2, "2 points per tag on a path that joins 2 stations"),
    ],
)
def test_what_sides_are_scored_for(kind, points, number, words):
    assert side_words(Side("name", "Title", kind, points, number)) == words


def test_a_snake_of_the_best_cluster():
    side = Side("name", "Title", "station_path", 2, 2, best_cluster=True)
    assert side_words(side) == "2 points per tag on a path that joins 2 stations, best path only"


# The map in text


def read_map(lines):
    """Return (letter, tag) by name of the hex: the rows' letters and marks, counted from left."""
    found = {}
    for line in lines:
        marks = re.findall(r"[a-zA-Z][ \d*]", line[1:] + " ")
        found |= {f"{line[0]}{at}": mark for at, mark in enumerate(marks, 1) if line[0] != " "}
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("radius", [2, 3])
def test_the_map_shows_every_icon_and_tag(players, radius):
    replay = random_game(players, 1, board_radius=radius).replay()
    city, tags = replay.events[0].city, replay.states[-1].tags
    lines = text_map(city, tags)
    shown = read_map(lines)
    names, there = hex_names(city.ground.cells), owners(tags)
    assert len(shown) == len(names)
    for hex_, name in enumerate(names):
        letter, seats = LETTERS[city.icons[hex_]], there.get(hex_, [])
        mark = "".join(map(str, seats)) if len(seats) < 2 else "*"
        assert shown[name] == (letter + mark if seats else letter.lower() + " ")
        if len(seats) > 1:
            text = f"{letter}* {name}: {' '.join(map(str, seats))}"
            assert text in shared_hexes(city, tags).split("; ")
    assert max(map(len, lines)) <= 80
    assert sum(len(hexes) for hexes in tags) == sum(map(len, there.values()))


def test_a_small_map_with_its_borders():
    play = Play(board_radius=2)
    city = play.city
    station = play.hexes("station")[0]
    lines = text_map(city, [(0, station), (station,)])
    shown = read_map(lines)
    assert shown[hex_names(city.ground.cells)[station]] == "T*"
    bare = [re.sub(r"[a-zA-Z][ \d*]", "oo", line[1:] + " ").rstrip() for line in lines]
    assert bare == [
        "                     | oo  oo  oo|",
        "                   | oo  oo  oo  oo|",
        "     | oo  oo  oo| oo  oo  oo  oo  oo|",
        "   | oo  oo  oo  oo| oo  oo  oo  oo|",
        " | oo  oo  oo  oo  oo| oo  oo  oo|",
        "   | oo  oo  oo  oo|",
        "     | oo  oo  oo|",
    ]


def test_districts_above_each_other():
    lines = text_map(Play(3, board_radius=2).city, [()])
    assert [line.strip() for line in lines if "-" in line] == ["--------"]


# Games of chance


SLIPS = re.compile(r"None|\b1 (points|acts|tags|rounds|fumbles|cop cars)\b|\.\.|_")


@given(
    players=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    way=st.sampled_from(["eager", "random"]),
    radius=st.sampled_from([2, 3]),
)
@settings(max_examples=10, deadline=None)
def test_any_game_is_told_without_slips(players, seed, way, radius):
    replay = random_game(players, seed, way, board_radius=radius).replay()
    lines = list(narrate(replay, STYLES))
    assert not [line for line in lines[3:] if SLIPS.search(line)]
    assert max(map(len, lines)) <= 100
    check_timeline(replay, lines)
    check_rounds(replay, lines)
    check_end(replay, lines)


def check_timeline(replay, lines):
    """Every act and every fumble is told once, in order, with its second."""
    found = [re.match(r" *(\d+|-) +(\d+\.\d) s  seat (\d)", line) for line in lines]
    shown = [(match[1] == "-", match[2], int(match[3])) for match in found if match]
    happened = [
        (isinstance(event, Fumbled), f"{event.time / 1e6:.1f}", event.seat)
        for event in replay.events
        if isinstance(event, Acted | Fumbled)
    ]
    assert shown == happened
    numbers = [int(match[1]) for match in found if match and match[1] != "-"]
    assert numbers == list(range(1, len(of_kind(replay, Acted)) + 1))
    waits = sum("waits" in line for line in lines)
    assert waits <= sum(look.deed.act == "wait" for look in of_kind(replay, Decided))
    stops = sum(look.deed.act == "stop" for look in of_kind(replay, Decided))
    assert sum("stops with" in line for line in lines) == stops


def check_rounds(replay, lines):
    """At each round's end: the map, and what each seat has."""
    sides, city = replay.events[0].sides, replay.events[0].city
    ends = [at for at, event in enumerate(replay.events) if isinstance(event, RoundOver)]
    heads = [at for at, line in enumerate(lines) if line.startswith("  placed")]
    assert len(ends) == len(heads) == 3
    for at, head in zip(ends, heads, strict=True):
        state = replay.states[at]
        for seat, tags in enumerate(state.tags):
            points = standing(city, sides, frozenset(tags))
            due = [len(tags), state.tags_left[seat], state.cars[seat], points]
            assert [int(word) for word in lines[head + 1 + seat].split()[:4]] == due
        board = text_map(city, state.tags)
        assert any(lines[at : at + len(board)] == board for at in range(head))


def check_end(replay, lines):
    """What comes off, every objective's points, and the ranks."""
    say = Wording(replay, STYLES)
    end = " ".join(line.strip() for line in lines[lines.index("Game end") :])
    for event in of_kind(replay, Removed) + of_kind(replay, Solo):
        assert f"({', '.join(map(say.hex, event.hexes))})" in end
    for position, side in enumerate(replay.events[0].sides):
        row = next(line for line in lines if line.endswith(f"{side.title} (tags that count)"))
        scored = [event for event in of_kind(replay, Scored) if event.position == position]
        due = [(event.points, event.tags) for event in scored]
        found = re.findall(r"(\d+)(?: \((\d+)\))?  ", row)
        assert [(int(points), int(tags or 0)) for points, tags in found] == due
    total = next(line for line in lines if line.endswith("  total"))
    results = replay.events[-1].results
    assert [int(word) for word in total.split()[:-1]] == [result.score for result in results]
    for result in results:
        assert any(
            re.match(rf"  {result.rank}\. .*{re.escape(say.who(result.seat))}", line)
            for line in lines
        )
