"""A style without each thing in turn: planted strong and useless cards are found and told."""

import polars as pl
import pytest
from matplotlib.text import Text
from typer.testing import CliRunner

from sim import SimError, metrics, plots
from sim import run as play
from sim.cli import app
from sim.games.street_art import GAME
from sim.study import from_dict
from sim.tuning import forbid as forbidding
from sim.tuning import forbid_pages as pages
from sim.tuning.forbid import SCORED, WON, forbid

STUDY = {
    "game": "street_art",
    "players": [2, 3],
    "games": 1200,
    "seed": 4,
    "lineups": {"mirror": ["greedy"]},
}
PLANTED = {
    "components": {
        # an idol that wins games, and a card that nobody can lack: there is none of it
        "stars": {
            "cards": {
                "idol": {"title": "The Idol", "copies": 4, "hearts": 9},
                "dud": {"title": "Dud", "copies": 0, "hearts": 1},
            }
        },
    }
}


def study(**changes):
    return from_dict({**STUDY, **changes}, "mine.toml", "mine")


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return forbid(study(**PLANTED), None, tmp_path_factory.mktemp("planted"), jobs=1)


def test_a_planted_strong_card_costs_most_and_a_useless_one_nothing(planted):
    told = pages.verdicts(planted)
    assert next(iter(told)) == "idol"
    assert told["idol"] == pages.COSTS
    assert told["dud"] == pages.LEVEL
    assert planted.idle == ["dud"]
    text = pages.findings(planted)
    assert text[0].startswith("Never using The Idol costs Greedy ")
    assert " points of win share with 2 to 3 players (Holm over 26)" in text[0]
    assert "Forbidding Dud changed no game: Greedy never uses it, or has no other choice." in text


def test_rows_are_those_of_a_study_of_twins(tmp_path):
    """The same games, rows and digits as the metric of a stored run."""
    found = forbid(study(players=[3]), None, tmp_path / "a", jobs=1)
    twins = study(
        players=[3],
        lineups={"round_robin": ["greedy", "dry"]},
        styles={"dry": {"base": "greedy", "forbid": ["rain"]}},
    )
    due = metrics.restricted(play(twins, tmp_path / "b", jobs=1))
    for metric in (WON, SCORED):
        pick = (pl.col("metric") == metric) & (pl.col("group") == "greedy without rain")
        (own,), (other,) = (frame.filter(pick).to_dicts() for frame in (found.rows, due))
        for key in ("estimate", "low", "high", "n", "players", "lineup", "variant"):
            assert own[key] == (pytest.approx(other[key]) if key != "lineup" else "all")
        assert own["method"] == other["method"]


def test_what_was_played_is_not_played_again(tmp_path, monkeypatch):
    whole = forbid(study(games=60), None, tmp_path / "whole", jobs=1)
    measure, calls = forbidding.played, []

    def killed(game, tasks, *args):
        for number, done in enumerate(measure(game, tasks, *args)):
            if number == 3 and not calls:
                calls.append(number)
                raise KeyboardInterrupt
            yield done

    monkeypatch.setattr(forbidding, "played", killed)
    with pytest.raises(KeyboardInterrupt):
        forbid(study(games=60), None, tmp_path / "parts", jobs=1)
    path = tmp_path / "parts" / "forbid_greedy" / forbidding.JOURNAL
    assert path.read_bytes().count(b'"key"') == 3
    path.write_bytes(path.read_bytes() + b'\n{"key": "torn')
    seen = []

    def counted(game, tasks, *args):
        seen.extend(tasks)
        yield from measure(game, tasks, *args)

    monkeypatch.setattr(forbidding, "played", counted)
    parts = forbid(study(games=60), None, tmp_path / "parts", jobs=1)
    assert len(seen) == 2 * len(GAME.actions) - 3
    assert parts.rows.equals(whole.rows)
    seen.clear()
    forbid(study(games=60), None, tmp_path / "parts", jobs=1)
    assert not seen
    forbid(study(games=90), None, tmp_path / "parts", jobs=1)  # other games are other games
    assert len(seen) == 2 * len(GAME.actions)


def test_the_style_is_the_strong_one_or_the_first_or_any(tmp_path):
    strong = {"strong": {"base": "thief"}}
    pair = {"mirror": ["greedy", "strong"]}
    few = {"games": 4, "players": [2]}
    assert forbid(study(styles=strong, lineups=pair, **few), None, tmp_path).style.name == "strong"
    assert forbid(study(**few), None, tmp_path).style.name == "greedy"
    assert forbid(study(**few), "thief", tmp_path).style.name == "thief"
    with pytest.raises(SimError, match=r'no style "theif" .* Did you mean "thief"\?'):
        forbid(study(**few), "theif", tmp_path)


def test_what_cannot_be_forbidden_is_said(tmp_path, monkeypatch):
    setup = type(GAME).setup

    def refusing(self, components, rulings, styles, rotate, sample=0.0):
        if any("juggler" in style.forbid for style in styles):
            raise SimError("jugglers cannot be done without")
        return setup(self, components, rulings, styles, rotate, sample)

    monkeypatch.setattr(type(GAME), "setup", refusing)
    dry = {"greedy": {"forbid": ["rain"]}}
    found = forbid(study(styles=dry, games=40, players=[2]), None, tmp_path, jobs=1)
    assert found.refused == {
        "juggler": "jugglers cannot be done without",
        "rain": "greedy does without it already",
    }
    text = " ".join(pages.findings(found))
    assert "Juggler was not tried: jugglers cannot be done without." in text
    assert "Rain was not tried: greedy does without it already." in text


def test_a_game_without_names_is_refused(monkeypatch):
    monkeypatch.setattr(type(GAME), "actions_of", lambda self, components: ())
    with pytest.raises(SimError, match=r"^forbid: Street Art has nothing that a style may forbid"):
        forbidding.things_of(GAME, study().variants["base"], GAME.styles()["greedy"], [2])


def test_tables_and_figures(planted):
    table = pages.table(planted)
    assert table["Without"].tolist()[0] == "The Idol"
    assert table["Verdict"].tolist()[0] == "costs"
    assert "changes nothing" in table["Verdict"].tolist()
    assert list(table.columns) == ["Without", "2 players", "3 players", "p (Holm)", "Verdict"]
    picture = plots.restricted(planted.rows, planted.words)
    for text in picture.figure.findobj(Text):
        assert "_" not in text.get_text()


def test_the_record_comes_back(planted):
    planted.folder.joinpath(forbidding.RECORD).write_text(pages.as_json(planted))
    again = forbidding.read(planted.folder)
    assert pages.findings(again) == pages.findings(planted)
    assert pages.table(again).equals(pages.table(planted))


def test_better_left_alone_and_undecided_are_told(planted):
    rows = planted.rows.filter(pl.col("metric") == WON, pl.col("players") == 2)

    def made(thing, value, half):
        row = rows.row(0, named=True)
        group = f"greedy without {thing}"
        bounds = {"low": value - half, "high": value + half}
        return row | {"group": group, "estimate": value} | bounds

    parts = [("idol", -0.1, 0.01), ("rain", 0.05, 0.01), ("juggler", 0.0, 0.05),
             ("fireworks", 0.0, 0.01)]  # fmt: skip
    frame = pl.DataFrame([made(*part) for part in parts], schema=rows.schema)
    content = planted.content | {"idle": []}
    text = pages.findings(forbidding.Forbidden(planted.folder, content, frame))
    assert text == [
        "Never using The Idol costs Greedy 10.0 points of win share with 2 players (Holm over 4).",
        "Better left alone by Greedy: Rain (+5.0), in points of win share.",
        "No loss or gain above 2 points: Fireworks.",
        "More games would have to decide on Juggler.",
    ]
    frame = frame.filter(pl.col("group").str.contains("idol|fireworks"))
    text = pages.findings(forbidding.Forbidden(planted.folder, content, frame))
    assert text[0].endswith("with 2 players (Holm over 2); nothing else matters.")


def test_the_command_takes_a_style_with_forbid_alone(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('game = "street_art"\ngames = 10\n[lineups]\nmirror = ["greedy"]\n')
    done = CliRunner().invoke(app, ["tournament", str(path), "greedy"])
    assert isinstance(done.exception, SimError)
    assert str(done.exception) == 'style: found "greedy"; only --forbid looks at a single style'


@pytest.mark.slow
def test_the_page_is_written(planted):
    page = pages.write(planted)
    assert "The Idol" in page.read_text()
    for name in (forbidding.RECORD, pages.SHORT, "figures/restricted.png"):
        assert (planted.folder / name).exists()
