import math
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_game import ToyGame

from sim import games
from sim.errors import SimError
from sim.study import from_dict, load

GAME = 'game = "street_art"\n'
GREEDY = '[lineups]\nmirror = ["greedy"]\n'
STUDY = GAME + GREEDY


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def toy(monkeypatch):
    game = ToyGame()
    monkeypatch.setattr("sim.games.get", lambda name: game)
    return game


def complaint(path):
    with pytest.raises(SimError) as error:
        load(path)
    message = str(error.value)
    assert "\n" not in message
    return message


# what is wrong: (text of the file, dotted key, what the message must say)
BROKEN = {
    "empty file": ("", "", "nothing in it; needed: at least game and a [lineups] table"),
    "only comments": ("# later\n", "", "nothing in it"),
    "syntax": (GAME + "games 5\n", "", "not valid TOML: ", "at line 2, column 7"),
    "key twice": (GAME + GAME, "", "not valid TOML: ", "line 2"),
    "not UTF-8": (b'title = "\xe9"\n' + STUDY.encode(), "", "byte 9 is not UTF-8"),
    "no game": (GREEDY, "game", "missing; needed: the name of a game (see `sim games`)"),
    "no line-ups": (GAME, "lineups", "missing; needed: a [lineups] table"),
    "unknown game": (
        'game = "street_atr"\n' + GREEDY,
        "game",
        'no game "street_atr"',
        'Did you mean "street_art"?',
    ),
    "game of a wrong type": ("game = 4\n" + GREEDY, "game", "found 4; allowed: a text in quotes"),
    "unknown key": (
        "sed = 4\n" + STUDY,
        "sed",
        "unknown key; allowed: title, game, players, games, until, seed, sample, kingmaking",
        'Did you mean "seed"?',
    ),
    "misspelt needed key": (
        GAME + '[lineup]\nmirror = ["greedy"]\n',
        "lineup",
        'Did you mean "lineups"?',
    ),
    "key below a table": (
        STUDY + "seed = 2\n",
        "lineups.seed",
        "write seed above the first [table]",
    ),
    "one style in a tournament": (
        GAME + '[lineups]\ntournament = ["greedy"]\n',
        "lineups.tournament",
        "two styles or more",
    ),
    "round robin and tournament": (
        GAME + '[lineups]\nround_robin = "all"\ntournament = ["greedy", "thief"]\n',
        "lineups.round_robin",
        "one of round_robin and tournament",
    ),
    "sample below a table": (
        STUDY + "sample = 0.5\n",
        "lineups.sample",
        "write sample above the first [table]",
    ),
    "sample above one": (
        "sample = 5\n" + STUDY,
        "sample",
        "found 5; allowed: a number of at most 1",
    ),
    "sample is nan": ("sample = nan\n" + STUDY, "sample", "found nan; allowed: a finite number"),
    "games is true": ("games = true\n" + STUDY, "games", "found true; allowed: a whole number"),
    "games is a text": ('games = "9"\n' + STUDY, "games", 'found "9"; allowed: a whole number'),
    "games is a fraction": ("games = 1.5\n" + STUDY, "games", "found 1.5; allowed: a whole"),
    "games is nan": ("games = nan\n" + STUDY, "games", "found nan; allowed: a whole number"),
    "no games": ("games = 0\n" + STUDY, "games", "found 0; allowed: a number of at least 1"),
    "negative games": ("games = -5\n" + STUDY, "games", "found -5; allowed: a number of at least"),
    "too many games": (
        "games = 4_294_967_296\n" + STUDY,
        "games",
        "found 4294967296; allowed: a number of at most 4294967295",
    ),
    "negative seed": ("seed = -1\n" + STUDY, "seed", "found -1; allowed: a number of at least 0"),
    "seed too large": (
        "seed = 9_223_372_036_854_775_808\n" + STUDY,
        "seed",
        "allowed: a number of at most 9223372036854775807",
    ),
    "seed is a float": ("seed = 1.0\n" + STUDY, "seed", "found 1.0; allowed: a whole number"),
    "players twice": ("players = [2, 3, 2]\n" + STUDY, "players", "found 2 twice; allowed: each"),
    "players outside": (
        "players = [2, 7]\n" + STUDY,
        "players",
        "found 7; allowed: 2 to 6 for Street Art",
    ),
    "no players": ("players = []\n" + STUDY, "players", "found []; allowed: player counts from 2"),
    "players is true": (
        "players = true\n" + STUDY,
        "players",
        "found true; allowed: a whole number or a list of them",
    ),
    "players is a text": ('players = "4"\n' + STUDY, "players", 'found "4"; allowed: a whole'),
    "a player count is a text": (
        'players = [2, "4"]\n' + STUDY,
        "players[1]",
        'found "4"; allowed: a whole number',
    ),
    "line-ups empty": (GAME + "[lineups]\n", "lineups", "no line-up; allowed: at least one of"),
    "line-ups all empty": (
        GAME + "[lineups]\nmirror = []\nround_robin = []\nfixed = []\n",
        "lineups",
        "no line-up; allowed: at least one of mirror, fixed, rotated, round_robin",
    ),
    "one style turned through the seats": (
        GAME + '[lineups]\nrotated = [["greedy", "greedy"]]\n',
        "lineups.rotated[0]",
        "allowed: two styles or more. For one style use mirror",
    ),
    "two kinds of line-ups that are turned": (
        GAME + '[lineups]\nrotated = [["greedy", "thief"]]\nround_robin = ["greedy", "random"]\n',
        "lineups.rotated",
        "allowed: one of rotated, round_robin and tournament",
    ),
    "misspelt line-up": (
        GAME + '[lineups]\nmirrors = ["greedy"]\n',
        "lineups.mirrors",
        "allowed: mirror, fixed, rotated, round_robin",
        'Did you mean "mirror"?',
    ),
    "unknown style": (
        GAME + '[lineups]\nmirror = ["greedy", "theif"]\n',
        "lineups.mirror[1]",
        'no style "theif"; allowed: random, greedy, thief',
        'Did you mean "thief"?',
    ),
    "style not in a list": (
        GAME + '[lineups]\nmirror = "greedy"\n',
        "lineups.mirror",
        'found "greedy"; allowed: "all", or a list of styles: ["greedy"]',
    ),
    "line-up twice": (
        GAME + '[lineups]\nfixed = [["greedy", "thief"], ["greedy", "thief"]]\n',
        "lineups.fixed",
        'found ["greedy", "thief"] twice; allowed: each line-up once',
    ),
    "round robin of one": (
        GAME + '[lineups]\nround_robin = ["greedy"]\n',
        "lineups.round_robin",
        'found ["greedy"]; allowed: two styles or more',
        'use mirror = ["greedy"]',
    ),
    "fixed is flat": (
        GAME + '[lineups]\nfixed = ["greedy", "thief"]\n',
        "lineups.fixed[0]",
        'found "greedy"; allowed: a list in [ ]. (and 1 more)',
    ),
    "fixed is empty": (
        GAME + "[lineups]\nfixed = [[]]\n",
        "lineups.fixed[0]",
        "found []; allowed: a style for each seat",
    ),
    "fixed is a mirror": (
        GAME + '[lineups]\nmirror = "all"\nfixed = [["thief", "thief"]]\n',
        "lineups.fixed[0]",
        'found ["thief", "thief"], which mirror has already; allowed: each line-up once',
    ),
    "fixed fits nobody": (
        "players = [3, 4]\n" + GAME + '[lineups]\nfixed = [["greedy", "thief"]]\n',
        "lineups.fixed[0]",
        'found ["greedy", "thief"], a line-up of 2; allowed: as many styles as players, here 3, 4',
    ),
    "players without a line-up": (
        "players = [2, 3]\n" + GAME + '[lineups]\nfixed = [["greedy", "thief"]]\n',
        "players",
        "found 3, for which [lineups] has no line-up",
    ),
    "unknown ruling": (
        STUDY + "[rulings]\nheart = 3\n",
        "rulings.heart",
        "unknown key; allowed: hearts, steal_shortfall",
        'Did you mean "hearts"?',
    ),
    "ruling of a wrong value": (
        STUDY + '[rulings]\ngame_end = "immediat"\n',
        "rulings.game_end",
        'found "immediat"; allowed: "immediate" or "finish_round"',
        'Did you mean "immediate"?',
    ),
    "ruling is true": (STUDY + "[rulings]\nhearts = true\n", "rulings.hearts", "found true"),
    "ruling is a table": (
        STUDY + "[rulings.hearts]\nx = 1\n",
        "rulings.hearts",
        "found a table; allowed: a whole number",
    ),
    "several mistakes": (
        STUDY + '[rulings]\nhearts = 0\nturn_cap = 0\nreshuffle = "never"\n',
        "rulings.hearts",
        "found 0; allowed: a number of at least 1. (and 2 more)",
    ),
    "misspelt number": (
        STUDY + "[components.stars.cards.fire_breather]\nheart = 4\n",
        "components.stars.cards.fire_breather.heart",
        "unknown key; allowed: title, copies, hearts",
        'Did you mean "hearts"?',
    ),
    "misspelt card": (
        STUDY + "[components]\nstars.cards.fire_breathr.hearts = 4\n",
        "components.stars.cards.fire_breathr",
        "no such entry, and a new one also needs title, copies",
        'Did you mean "fire_breather"?',
    ),
    "table replaced by a number": (
        STUDY + "[components]\nstars.cards = 4\n",
        "components.stars.cards",
        "found 4; allowed: a table",
    ),
    "too few cards": (
        STUDY + "[components]\nnumbers.hand_size = 10\n",
        "",
        "with 6 players: components: 60 cards are too few for 6 hands of 10",
    ),
    "variant name": (
        STUDY + '[variants."48 hearts"]\nrulings.hearts = 48\n',
        "variants",
        'found the variant name "48 hearts"; allowed: letters, digits, _ and -',
    ),
    "variant without a name": (
        STUDY + "[variants]\nrulings.hearts = 48\n",
        "variants.rulings",
        "write [variants.NAME] above rulings",
    ),
    "variant is a number": (STUDY + "[variants]\na = 4\n", "variants.a", "found 4; allowed: a tab"),
    "variant's part is a number": (
        STUDY + "[variants.a]\nrulings = 4\n",
        "variants.a.rulings",
        "found 4; allowed: a table",
    ),
    "ruling without rulings": (
        STUDY + "[variants.a]\nhearts = 48\n",
        "variants.a.hearts",
        "allowed: rulings, components, styles",
        'Did you mean "rulings.hearts"?',
    ),
    "unknown part of a variant": (
        STUDY + "[variants.a]\nruling.hearts = 48\n",
        "variants.a.ruling",
        'Did you mean "rulings"?',
    ),
    "unknown ruling in a variant": (
        STUDY + '[variants.a]\n"rulings.heart" = 48\n',
        "variants.a.rulings.heart",
        'Did you mean "hearts"?',
    ),
    "override twice": (
        STUDY + '[variants.a]\n"rulings.hearts" = 48\nrulings.hearts = 60\n',
        "variants.a.rulings.hearts",
        "this key is given twice",
    ),
    "variant of an unknown style": (
        STUDY + "[variants.a]\nstyles.gredy.weights.exposure = -0.1\n",
        "variants.a.styles",
        'no style "gredy"',
        'Did you mean "greedy"?',
    ),
    "unknown feature in a variant": (
        STUDY + "[variants.a]\nstyles.greedy.weights.exposur = -0.1\n",
        "variants.a.styles.greedy.weights.exposur",
        'no feature "exposur"',
        'Did you mean "exposure"?',
    ),
    "variant that cannot be played": (
        STUDY + "[variants.a]\n[variants.b]\ncomponents.seats.most = 4\n",
        "variants.b",
        "with 5 players: players: 5 is outside components.seats, which allows 2 to 4",
    ),
    "unknown base": (
        STUDY + '[styles.mine]\nbase = "gredy"\n',
        "styles.mine.base",
        'no style "gredy"',
        'Did you mean "greedy"?',
    ),
    "base is a number": (
        STUDY + "[styles.mine]\nbase = 4\n",
        "styles.mine.base",
        "found 4; allowed: the name of a style in quotes",
    ),
    "bases in a circle": (
        STUDY + '[styles.a]\nbase = "b"\n[styles.b]\nbase = "c"\n[styles.c]\nbase = "a"\n',
        "styles.c.base",
        "goes round in a circle: a -> b -> c -> a",
    ),
    "base of itself": (STUDY + '[styles.a]\nbase = "a"\n', "styles.a.base", "circle: a -> a"),
    "misspelt change of a style": (
        STUDY + "[styles.gredy]\ntemperature = 1\n",
        "styles.gredy",
        "a new style needs base or weights",
        'Did you mean "greedy"?',
    ),
    "unknown feature": (
        STUDY + '[styles.mine]\nbase = "greedy"\nweights = { exposed = -0.2 }\n',
        "styles.mine.weights.exposed",
        'no feature "exposed"; allowed: hearts_from_middle',
        'Did you mean "exposure"?',
    ),
    "weight is nan": (
        STUDY + "[styles.mine]\nweights = { exposure = nan }\n",
        "styles.mine.weights.exposure",
        "found nan; allowed: a finite number",
    ),
    "weight is inf": (
        STUDY + "[styles.mine]\nweights = { exposure = -inf }\n",
        "styles.mine.weights.exposure",
        "found -inf; allowed: a finite number",
    ),
    "weight is true": (
        STUDY + "[styles.mine]\nweights = { exposure = true }\n",
        "styles.mine.weights.exposure",
        "found true; allowed: a number",
    ),
    "weights are no table": (
        STUDY + "[styles.mine]\nweights = [1, 2]\n",
        "styles.mine.weights",
        "found [1, 2]; allowed: a table",
    ),
    "unknown action": (
        STUDY + '[styles.mine]\nbase = "greedy"\nforbid = ["rain", "fireworsk"]\n',
        "styles.mine.forbid[1]",
        'no action "fireworsk"; allowed: beatboxer, fireworks',
        'Did you mean "fireworks"?',
    ),
    "negative temperature": (
        STUDY + '[styles.mine]\nbase = "greedy"\ntemperature = -1\n',
        "styles.mine.temperature",
        "found -1; allowed: a number of at least 0.",
    ),
    "misspelt part of a style": (
        STUDY + '[styles.mine]\nbase = "greedy"\ntemprature = 1\n',
        "styles.mine.temprature",
        "allowed: base, description, origin, weights, temperature, tempo, forbid",
        'Did you mean "temperature"?',
    ),
    "style called all": (STUDY + "[styles.all]\nweights = {}\n", "styles.all", 'and not "all"'),
    "style name": (
        STUDY + '[styles."a + b"]\nweights = {}\n',
        'styles."a + b"',
        'found the style name "a + b"; allowed: letters, digits, _ and -',
    ),
    "style is a number": (
        STUDY + "[styles]\nmine = 4\n",
        "styles.mine",
        "found 4; allowed: a table for each style",
    ),
    "styles_from is a text": (
        'styles_from = "more.toml"\n' + STUDY,
        "styles_from",
        'found "more.toml"; allowed: a list in [ ]',
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_mistake_is_told_in_one_clear_line(write, case):
    text, key, *said = BROKEN[case]
    path = write(text)
    message = complaint(path)
    assert message.startswith(f"{path}: {key}: " if key else f"{path}: ")
    for words in said:
        assert words in message


@pytest.mark.usefixtures("toy")
def test_a_sample_of_nothing():
    with pytest.raises(SimError, match=r"^<dict>: sample: Toy keeps no sampled tables"):
        from_dict({"game": "toy", "lineups": {"mirror": ["eager"]}, "sample": 0.5})


def test_too_many_cells(write):
    styles = "".join(f'[styles.s{n}]\nbase = "greedy"\n' for n in range(30))
    path = write(GAME + '[lineups]\nround_robin = "all"\n' + styles)
    known = len(games.get("street_art").styles()) + 30
    cells = sum(math.comb(known, players) for players in range(2, 7))
    assert f"lineups: found {cells:,} cells" in complaint(path)


def test_no_such_file(tmp_path, write):
    write(STUDY, "first_study.toml")
    message = complaint(tmp_path / "frist_study.toml")
    assert message.startswith(f"{tmp_path}/frist_study.toml: there is no such file")
    assert f'Did you mean "{tmp_path}/first_study.toml"?' in message


@pytest.mark.parametrize(
    ("name", "near"),
    [("street_art/seat", "street_art/seats"), ("heart", "street_art/hearts")],
)
def test_no_such_name(name, near):
    message = complaint(name)
    assert message.startswith(f"{name}: there is no such file, and no study of that name")
    assert f'Did you mean "{near}"?' in message


def test_own_studies_are_named_before_those_that_come_with_sim(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "mine.toml").write_text(STUDY)
    assert "there are: mine, and " in complaint("nothing_alike")
    assert complaint("nothing_alike").endswith(" that come with sim.")
    assert complaint("street_art/seat").endswith('Did you mean "street_art/seats"?')


def test_a_folder(tmp_path, write):
    write(STUDY)
    assert complaint(tmp_path) == (
        f"{tmp_path}: this is a folder; allowed: a TOML file. In it: mine.toml."
    )


def test_a_name_that_two_studies_have(tmp_path, monkeypatch):
    for folder in ("a", "b"):
        (tmp_path / "configs" / folder).mkdir(parents=True)
        (tmp_path / "configs" / folder / "twin.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    assert complaint("twin") == (
        "twin: more than one study has this name; allowed: a/twin, b/twin."
    )
    assert load("a/twin").name == "twin"


def test_mistakes_in_a_file_of_styles(write, tmp_path):
    path = write('styles_from = ["more.toml"]\n' + STUDY)
    missing = f"{path}: styles_from[0]: {tmp_path}/more.toml: there is no such file."
    assert complaint(path) == missing
    write("", "moore.toml")
    assert complaint(path) == f'{missing} Did you mean "{tmp_path}/moore.toml"?'
    more = write('[calm]\nbase = "greedy"\nweights = { exposur = 1 }\n', "more.toml")
    assert complaint(path).startswith(f'{more}: calm.weights.exposur: there is no feature "expos')
    write("calm = 4\n", "more.toml")
    assert complaint(path) == f"{more}: calm: found 4; allowed: a table for each style."
    write('[calm]\nbase = "greedy"\n', "more.toml")
    other = write('[calm]\nbase = "thief"\n', "other.toml")
    path = write('styles_from = ["more.toml", "other.toml"]\n' + STUDY)
    assert complaint(path) == f"{other}: calm: this style is already in {more}."


def test_data_that_is_no_study():
    with pytest.raises(SimError, match=r"^<dict>: games: found \"x\""):
        from_dict({"game": "street_art", "games": "x", "lineups": {"mirror": ["greedy"]}})


@pytest.mark.parametrize(
    ("components", "message"),
    [
        (
            {"board.bag.rad": 3},
            'components.board.bag.rad: unknown key; allowed: red, blue. Did you mean "red"?',
        ),
        (
            {"board.tiles": [{"points": 3.0}]},
            "components.board.tiles[0].name: missing; needed: a value for this key.",
        ),
        (
            {"board.tiles": [{"name": "cup", "point": 3.0}]},
            "components.board.tiles[0].point: unknown key; allowed: name, points. "
            'Did you mean "points"?',
        ),
        (
            {"board.size": 2},
            "with 3 players: components.board.size: too small for 3.",
        ),
    ],
)
@pytest.mark.usefixtures("toy")
def test_mistakes_in_another_game(components, message):
    with pytest.raises(SimError) as error:
        from_dict({"game": "toy", "lineups": {"mirror": ["eager"]}, "components": components})
    assert str(error.value) == f"<dict>: {message}"


FULL = """
title = "x"
game = "street_art"
players = [2, 3]
games = 10
seed = 1
styles_from = []
[lineups]
mirror = ["greedy", "calm"]
fixed = [["greedy", "calm"]]
round_robin = ["greedy", "thief"]
[rulings]
hearts = 40
game_end = "finish_round"
[components.stars.cards.fire_breather]
hearts = 5
[styles.calm]
base = "greedy"
description = "x"
temperature = 0.5
tempo = 1.5
forbid = ["rain"]
weights = { exposure = -0.2 }
[variants.base]
[variants.other]
"rulings.hearts" = 48
components.specials.copies.rain = 3
styles.calm.weights.exposure = 0.1
"""

scalars = st.one_of(
    st.booleans(),
    st.integers(-5, 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["all", "greedy", "calm", "other", "base", "rulings", "a.b", "."]),
    st.datetimes(),
)
values = st.recursive(
    scalars,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3)
    ),
    max_leaves=5,
)


def paths(tree, above=()):
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield (*above, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*above, key))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_is_wrong_is_told_in_one_line(data):
    """One place of a full study is replaced, taken away, or gets a strange neighbour."""
    study = tomllib.loads(FULL)
    *above, key = data.draw(st.sampled_from(list(paths(study))))
    table = study
    for part in above:
        table = table[part]
    act = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if act == "remove":
        del table[key]
    elif act == "replace":
        table[key] = data.draw(values)
    elif isinstance(table, dict):
        table[data.draw(st.text(max_size=5) | scalars.filter(lambda v: isinstance(v, str)))] = (
            data.draw(values)
        )
    else:
        table.append(data.draw(values))
    try:
        from_dict(study, "x.toml").identity()
        message = "x.toml: good"
    except SimError as error:
        message = str(error)
    assert message.startswith("x.toml: ")
    assert len(message.splitlines()) == 1


def test_a_title_that_would_steer_the_terminal():
    data = {"game": "street_art", "title": "\x1b[31mred", "lineups": {"mirror": ["greedy"]}}
    with pytest.raises(SimError, match=r"<dict>: title: found .*allowed: one line of printable"):
        from_dict(data)
