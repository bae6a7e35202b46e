import json
import subprocess
import sys

import pytest
from toy_game import ToyGame

from sim import files
from sim.errors import SimError
from sim.games.data import titles_in
from sim.overrides import differences
from sim.study import Study, from_dict, load

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


def test_defaults(write):
    study = load(write(STUDY, "my_study.toml"))
    assert (study.name, study.title) == ("my_study", "Street Art: my study")
    assert (study.players, study.games, study.seed) == ([2, 3, 4, 5, 6], 10_000, 1)
    assert list(study.variants) == ["base"]
    assert study.variants["base"].rulings["hearts"] == 36
    assert list(study.styles) == ["greedy"]


def test_forms_of_a_value(write):
    study = load(write("games = 2e5\nplayers = 4\n" + STUDY))
    assert (study.games, study.players) == (200_000, [4])
    assert load(write("players = [6, 2]\n" + STUDY)).players == [2, 6]
    with_mark = load(write(b"\xef\xbb\xbf" + STUDY.replace("\n", "\r\n").encode()))
    assert with_mark.identity() == load(write(STUDY)).identity()


def test_players_follow_the_line_ups_when_not_given(write):
    text = '[lineups]\nfixed = [["greedy", "thief"], ["thief", "thief", "random", "greedy"]]\n'
    assert load(write(GAME + text)).players == [2, 4]


def test_all_stands_for_every_style(write):
    text = '[lineups]\nmirror = "all"\n[styles.calm]\nbase = "thief"\n'
    names = load(write(GAME + text)).lineups.mirror
    assert names[:3] == ["random", "greedy", "thief"]
    assert names[-1] == "calm"


def test_variants_merge_over_the_base(write):
    study = load(
        write(
            STUDY
            + """
            [rulings]
            hearts = 40
            [components]
            "stars.cards.fire_breather.hearts" = 5
            [variants.base]
            [variants.long]
            "rulings.hearts" = 60
            components.numbers.hand_size = 4
            styles.greedy.weights.exposure = -0.1
            [variants.more.components.stars.cards]
            sword_swallower = { title = "Sword Swallower", copies = 2, hearts = 5 }
            """
        )
    )
    base, long, more = study.variants.values()
    assert (base.rulings["hearts"], long.rulings["hearts"], more.rulings["hearts"]) == (40, 60, 40)
    assert base.overrides == {}
    assert long.overrides == {
        "rulings.hearts": 60,
        "components.numbers.hand_size": 4,
        "styles.greedy.weights.exposure": -0.1,
    }
    for variant in (base, long, more):
        assert variant.components["stars"]["cards"]["fire_breather"]["hearts"] == 5
    assert "exposure" not in base.styles["greedy"].weights
    assert long.styles["greedy"].weights["exposure"] == -0.1
    assert list(more.components["stars"]["cards"])[-1] == "sword_swallower"
    assert len(base.components["stars"]["cards"]) == 7


def test_own_styles(write, tmp_path):
    (tmp_path / "more.toml").write_text(
        '[calm]\nbase = "nervous"\ntemperature = 0\n[wild]\nweights = {}\n'
    )
    study = load(
        write(
            'styles_from = ["more.toml"]\n'
            + GAME
            + """
            [lineups]
            mirror = ["calm", "nervous", "wild", "greedy"]
            [styles.nervous]
            base = "greedy"
            temperature = 0.5
            forbid = ["rain"]
            weights = { exposure = -0.2, hearts_stolen = 2 }
            [styles.greedy]
            weights.rivals_lose = 0.75
            """
        )
    )
    nervous, calm = study.styles["nervous"], study.styles["calm"]
    assert nervous.weights == {
        "hearts_from_middle": 1.0,
        "hearts_stolen": 2.0,
        "rivals_lose": 0.75,
        "exposure": -0.2,
    }
    assert (calm.weights, calm.forbid) == (nervous.weights, ["rain"])
    assert (nervous.temperature, calm.temperature) == (0.5, 0.0)
    assert calm.description == "nervous with temperature 0"
    assert "exposure -0.2, hearts_stolen 2, temperature 0.5, no rain" in nervous.description
    assert study.styles["wild"].weights == {}
    assert study.styles["greedy"].description.startswith("takes the most hearts")


def test_identity_is_what_is_played(write):
    def identity(text):
        return load(write(text)).identity()

    same = identity(STUDY)
    assert identity('title = "x"\ngames = 77\n' + STUDY) == same
    assert identity(STUDY + "[variants.base]\n") == same
    assert identity(STUDY + "[rulings]\nhearts = 36\n") == same
    assert identity(STUDY + '[styles.unused]\nbase = "thief"\n') == same
    assert identity(STUDY + '[styles.greedy]\ndescription = "x"\nweights.exposure = 0\n') == same
    others = [
        "seed = 2\n" + STUDY,
        "players = [2, 3]\n" + STUDY,
        GAME + '[lineups]\nmirror = ["thief"]\n',
        STUDY + "[rulings]\nhearts = 37\n",
        STUDY + "[variants.a]\n",
        STUDY + "[variants.base]\n[variants.a]\n",
        STUDY + "[variants.a]\n[variants.base]\n",
        STUDY + "[styles.greedy]\nweights.exposure = 1\n",
        STUDY + "[components]\nspecials.copies.rain = 3\n",
    ]
    assert len({same, *map(identity, others)}) == len(others) + 1


def test_no_sample_is_part_of_the_identity_without_sampled_tables(toy):
    study = from_dict({"game": "toy", "lineups": {"mirror": ["eager"]}})
    assert study.sample is None
    assert "sample" not in study.resolved()


def test_a_sample_is_part_of_the_identity_where_tables_keep_one(toy):
    toy_study = {"game": "toy", "lineups": {"mirror": ["eager"]}}
    assert from_dict(toy_study).sample is None
    toy.sampled_tables = ("fields",)
    found = [from_dict(toy_study | given) for given in ({}, {"sample": 0.1}, {"sample": 0})]
    assert [study.sample for study in found] == [0.1, 0.1, 0.0]
    default, same, none = (study.resolved() for study in found)
    assert default == same
    assert differences(default, none) == ["sample: 0.1 -> 0.0"]


def test_resolved_is_plain_data(write):
    study = load(write(STUDY))
    assert json.loads(json.dumps(study.resolved())) == study.resolved()
    assert differences(study.resolved(), study.resolved()) == []


def test_a_study_can_be_kept_as_json(write):
    text = STUDY + "[rulings]\nhearts = 40\n[variants.a]\nstyles.greedy.weights.exposure = -1\n"
    study = load(write(text))
    again = Study.model_validate_json(study.model_dump_json())
    assert again == study
    assert again.identity() == study.identity()


HEARTS = STUDY + "[variants.a]\n[variants.b]\nrulings.hearts = {}\n"


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        (STUDY, STUDY + "[rulings]\nhearts = 48\n", ["rulings.hearts: 36 -> 48"]),
        ("seed = 1\n" + STUDY, "seed = 2\n" + STUDY, ["seed: 1 -> 2"]),
        (STUDY, "players = 2\n" + STUDY, ["players: [2, 3, 4, 5, 6] -> [2]"]),
        (HEARTS.format(48), HEARTS.format(60), ["variants.b.rulings.hearts: 48 -> 60"]),
        (
            HEARTS.format(48),
            HEARTS.format(48) + "[rulings]\nturn_cap = 90\n",
            ["rulings.turn_cap: 500 -> 90"],
        ),
        (
            STUDY,
            STUDY + "[styles.greedy]\nweights.exposure = -0.1\n",
            ["styles.greedy.weights.exposure: nothing -> -0.1"],
        ),
        (
            STUDY + "[variants.a]\n[variants.b]\n",
            STUDY + "[variants.c]\n[variants.a]\n",
            ["variants.b: removed", "variants.c: added"],
        ),
        (
            STUDY + "[variants.a]\n[variants.b]\n",
            STUDY + "[variants.b]\n[variants.a]\n",
            ['variants: order ["a", "b"] -> ["b", "a"]'],
        ),
        (
            GAME + '[lineups]\nmirror = ["thief"]\n',
            GAME + '[lineups]\nmirror = ["thief"]\nround_robin = ["thief", "random"]\n',
            [
                'lineups.round_robin: [] -> ["thief", "random"]',
                "styles.random: nothing -> a table",
            ],
        ),
    ],
)
def test_differences_name_what_changed(write, old, new, changes):
    before = json.loads(json.dumps(load(write(old)).resolved()))
    after = load(write(new)).resolved()
    assert differences(before, after) == changes


def test_differences_look_into_long_lists():
    old = {"tiles": [{"points": n} for n in range(9)], "edges": list(range(50))}
    new = json.loads(json.dumps(old))
    new["tiles"][3]["points"] = 7
    new["edges"][40] = -1
    assert differences(old, new) == ["tiles[3].points: 3 -> 7", "edges[40]: 40 -> -1"]


def test_another_game(toy):
    board = {"spare": 2, "tiles": [{"name": "cup"}], "bag.red": 5}
    study = from_dict(
        {
            "game": "toy",
            "lineups": {"mirror": ["eager"]},
            "components": {"board": board},
            "rulings": {"wrap": True},
        }
    )
    resolved = study.variants["base"]
    assert resolved.components["board"] == {
        "size": 5,
        "tiles": [{"name": "cup", "points": 1.0}],
        "bag": {"red": 5, "blue": 4},
        "spare": 2,
    }
    assert resolved.rulings["wrap"] is True
    assert toy.default_components()["board"]["bag"] == {"red": 3, "blue": 4}


@pytest.mark.parametrize(
    "name", ["seats", "street_art/seats", "configs/street_art/seats.toml", "street_art/seats.toml"]
)
def test_a_shipped_study_is_found_from_anywhere(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load(name).source.endswith("configs/street_art/seats.toml")


def test_a_file_of_ones_own_is_found_without_its_ending(write, tmp_path, monkeypatch):
    write("seed = 9\n" + STUDY, "seats.toml")
    monkeypatch.chdir(tmp_path)
    assert load("seats").seed == 9


@pytest.mark.parametrize("name", sorted(files.studies()))
def test_shipped_studies_load(name):
    assert load(name).game == name.split("/")[0]


def test_a_study_is_read_without_the_compiler():
    code = "import sys, sim.study; sim.study.load('seats'); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_star_that_the_study_adds_can_be_forbidden_and_keeps_its_title():
    star = {"title": "Ice Dancer on Ice", "copies": 4, "hearts": 2}
    added = {"stars": {"cards": {"ice_dancer": star}}}
    data = {
        "game": "street_art",
        "lineups": {"mirror": ["shy"]},
        "styles": {"shy": {"base": "greedy", "forbid": ["ice_dancer"]}},
    }
    assert from_dict(data | {"components": added}).styles["shy"].forbid == ["ice_dancer"]
    assert titles_in(added)["ice_dancer"] == "Ice Dancer on Ice"
    with pytest.raises(SimError, match=r'styles\.shy\.forbid.*"ice_dancer".*breakdancer'):
        from_dict(data)
