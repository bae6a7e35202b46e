import re
import tomllib

import pytest
from toy_game import ToyGame

from sim import games
from sim.plan import plan
from sim.study import from_dict
from sim.template import new_study

EXAMPLE = re.compile(r"^#(?! |$)", re.MULTILINE)


@pytest.fixture(params=[*games.names(), "toy"])
def game(request, monkeypatch):
    if request.param != "toy":
        return games.get(request.param)
    toy = ToyGame()
    toy.sampled_tables = ("fields",)
    monkeypatch.setattr("sim.games.get", lambda name: toy)
    return toy


def read(text):
    return from_dict(tomllib.loads(text), name="mine")


def test_it_runs_as_it_is(game):
    study = read(new_study(game, "first_try"))
    assert study.title == f"{game.title}: first try"
    assert study.players == list(game.player_counts)
    assert list(study.variants) == ["base"]
    assert len(plan(study).cells) == len(game.player_counts)
    assert study.styles[study.lineups.mirror[0]].weights


def test_it_runs_with_every_example(game):
    text = EXAMPLE.sub("", new_study(game, "mine"))
    study = read(text)
    assert list(study.variants) == ["base", "changed"]
    assert ("\nsample = 0.1" in text) == bool(game.sampled_tables)
    assert study.variants["base"].rulings == game.default_rulings()
    changed = study.variants["changed"]
    assert len(changed.overrides) == 1
    assert changed != study.variants["base"]
    assert study.lineups.fixed
    assert study.lineups.round_robin
    metrics = ["seat_share", "tie_rate", "truncated_share", "turns.p95", "spread.score.mean"]
    assert [budget.metric for budget in study.budgets] == metrics
    assert study.matters == {"seat_share": 0.01, "turns.mean": 3.0}
    assert (study.kingmaking is not None) == hasattr(game, "scripted")
    assert any(name.startswith("my_") for name in tomllib.loads(text)["styles"])


def test_each_example_runs_alone(game):
    """One line at a time, with the table heading above it."""
    lines = new_study(game, "mine").splitlines()
    heading = None
    examples = 0
    for index, line in enumerate(lines):
        if line.startswith(("[", "#[")):
            heading = index
        if EXAMPLE.match(line):
            examples += 1
            alone = list(lines)
            for at in {heading, index} - {None}:
                alone[at] = lines[at].removeprefix("#")
            if line.startswith(("#[styles", "#temperature", "#description", "#forbid")):
                base = next(at for at, text in enumerate(lines) if text.startswith("#base"))
                alone[base] = lines[base].removeprefix("#")
            read("\n".join(alone))
    assert examples > 8


def test_it_lists_what_the_game_has(game):
    text = new_study(game, "mine")
    for name in [*game.styles(), *(feature.name for feature in game.features)]:
        assert f"#   {name}:" in text
    for ruling in game.rulings_help():
        assert f"#{ruling.name} = " in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_name_with_quotes(game):
    assert read(new_study(game, 'the "best" \\ one')).title.endswith('the "best" \\ one')
