"""Tuning a style: what is searched for is found, kept, confirmed and told."""

import json
import os
import tomllib
from collections.abc import Mapping

import numpy as np
import pytest
from matplotlib.text import Text
from rigged_game import RiggedGame
from typer.testing import CliRunner

from sim import SimError, games
from sim import run as play_study
from sim.cli import app
from sim.games import data
from sim.games.street_art import GAME as STREET_ART
from sim.plots import tuned as plots
from sim.study import from_dict
from sim.tuning import asked, league, seats, style, style_pages, told
from sim.tuning.confirm import GAIN, WINS, Confirmation

STUDY = {
    "game": "street_art",
    "players": [2, 3],
    "games": 60,
    "seed": 5,
    "lineups": {"round_robin": ["greedy", "rainmaker"]},
    "styles": {"greedy": {"description": "as it was"}},
}
BLIND = {"base": "greedy", "weights": {"hearts_from_middle": -1.0}}
SHORT = {"rounds": 2, "generations": 2, "games_each": 120, "confirm": 120, "jobs": 1}


def study(**changes):
    return from_dict({**STUDY, **changes}, "mine.toml", "mine")


def tuned(folder, which="greedy", changes: Mapping | None = None, **how):
    return style.tune(study(**(changes or {})), which, folder, **{**SHORT, **how})


# Playing one among others


def test_one_among_others_sits_in_every_seat_of_every_deal():
    """The same games as those of a rotated line-up, deal by deal."""
    rules = study().variants["base"]
    known = STREET_ART.styles()
    line_up = [known["greedy"], known["greedy"], known["random"]]
    player = seats.Player(STREET_ART, rules)
    task = player.task("x", line_up[-1], line_up[:-1], 9, 250)
    ((key, found),) = seats.play(STREET_ART, [task], 1).items()
    made = STREET_ART.setup(rules.components, rules.rulings, line_up, True)
    tables = STREET_ART.tables_for(made, 750)
    STREET_ART.play(made, 9, 0, 750, tables, 0)
    rows = tables["seats"]
    own = rows[rows["style"] == 2]
    assert key == "x"
    assert found[:, seats.WIN] == pytest.approx(own["win_share"].reshape(250, 3).mean(1))
    assert found[:, seats.SCORE] == pytest.approx(own["score"].reshape(250, 3).mean(1))
    rest = rows[rows["style"] != 2]["score"].reshape(250, 6).mean(1)
    assert found[:, seats.OTHERS] == pytest.approx(rest)
    assert found[:, seats.WIN].mean() < 1 / 3


def test_games_cut_off_are_left_out():
    rows = np.zeros(4, data.seats_dtype(STREET_ART.seat_columns))
    rows["style"], rows["score"] = [1, 0, 0, 1], [5, 3, 2, 8]
    rows["truncated"] = [True, True, False, False]
    rows["win_share"] = [np.nan, np.nan, 0, 1]
    assert seats._by_deal(rows, 2).tolist() == [[1, 8, 2]]
    rows["truncated"] = True
    assert np.isnan(seats._by_deal(rows, 2)).all()


def test_each_style_of_a_field_comes_equally_often():
    tables = seats.tables_of(["a", "b", "c"], [2, 4])
    assert [table.others for table in tables[:3]] == [("a",), ("b",), ("c",)]
    four = [table.others for table in tables if table.players == 4]
    assert len(four) == 6
    assert {name: sum(others.count(name) for others in four) for name in "abc"} == dict.fromkeys(
        "abc", 6
    )


def test_luck_hangs_on_every_part():
    assert seats.seed_of(1, "a") == seats.seed_of(1, "a")
    assert len({seats.seed_of(*parts) for parts in ((1, "a"), (1, "b"), (2, "a"))}) == 3


# The search


def test_a_weight_that_is_badly_wrong_is_found(tmp_path):
    """A style that shuns hearts comes to like them, and beats its start on fresh luck."""
    found = tuned(
        tmp_path,
        "blind",
        {
            "styles": {"blind": BLIND},
            "lineups": {"round_robin": ["blind", "random"]},
        },
        free=["hearts_from_middle"],
        rounds=2,
        generations=6,
        games_each=300,
        confirm=2000,
        step=1.0,
    )
    assert found.start.weights["hearts_from_middle"] == -1
    assert found.tuned.weights["hearts_from_middle"] > 0
    assert found.tuned.weights | {"hearts_from_middle": -1} == found.start.weights
    for row in told.rows_of(found, GAIN):
        assert row["low"] > 0.1
    assert told.beats_all(found)
    assert told.findings(found)[0].startswith("Blind tuned beats every style of the field")


def test_a_search_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path, monkeypatch):
    whole = tuned(tmp_path / "whole", league_size=1)
    play, calls = league.play, []

    def killed(*args):
        calls.append(args)
        if len(calls) == 4:  # in the middle of the second round
            raise KeyboardInterrupt
        return play(*args)

    monkeypatch.setattr(league, "play", killed)
    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path / "parts", league_size=1)
    assert not (tmp_path / "parts" / style.RECORD).exists()
    monkeypatch.setattr(league, "play", play)
    parts = tuned(tmp_path / "parts", league_size=1)
    assert parts.content == whole.content
    assert parts.rows.equals(whole.rows)


def test_more_rounds_go_on_from_where_it_was(tmp_path):
    one = tuned(tmp_path, rounds=1)
    two = tuned(tmp_path, rounds=2)
    assert two.history[:2] == one.history
    assert len(two.history) == 4
    assert tuned(tmp_path, rounds=1).content == one.content


def test_another_search_in_the_folder_is_refused_or_set_aside(tmp_path):
    folder = tmp_path / "here"
    tuned(folder)
    with pytest.raises(SimError, match=r"something else \(changed: games\); use --fresh"):
        tuned(folder, games_each=130)
    tuned(folder, games_each=130, fresh=True)
    assert (tmp_path / "here.old1" / league.STATE).exists()


def test_a_search_of_other_rules_is_not_gone_on_with(tmp_path, monkeypatch):
    tuned(tmp_path)
    monkeypatch.setattr(league, "rules_of", lambda game: {"version": "other"})
    with pytest.raises(SimError, match=r"something else \(changed: rules\); use --fresh"):
        tuned(tmp_path)


def test_two_searches_in_one_folder_do_not_meet(tmp_path):
    folder = tmp_path / "here"
    with (
        asked.locked(folder),
        pytest.raises(SimError, match="another sim is at work here; wait for it to end"),
    ):
        tuned(folder)


@pytest.mark.parametrize("option", ["step", "limit"])
def test_a_step_without_end_is_refused(tmp_path, option):
    with pytest.raises(SimError, match=f"{option}: found inf; allowed: a number from 1e-06"):
        tuned(tmp_path, **{option: float("inf")})


def test_a_torn_state_is_one_line(tmp_path):
    (tmp_path / league.STATE).write_bytes(b"torn")
    with pytest.raises(SimError, match=r"state\.pickle: cannot be read .* use --fresh"):
        tuned(tmp_path)


def test_the_best_of_a_round_joins_the_field_if_it_is_better(tmp_path):
    search = league.Search(
        game="street_art",
        variant=study().variants["base"],
        players=(2,),
        start=STREET_ART.styles()["bandleader"],
        field={"greedy": STREET_ART.styles()["greedy"]},
        free=("brass_bands_kept",),
        scales=(0.45,),
        games=100,
        generations=1,
        candidates=0,
        league=1,
        step=0.3,
        limit=3.0,
        seed=1,
    )
    state = league.begin(search, tmp_path)
    own = league.League(search, STREET_ART, state, 1, style.silent())
    shares = iter([[0.4, 0.5], [0.6, 0.2, 0.5], [0.4, 0.9, 0.3, 0.5]])
    own.shares = lambda *args: np.array(next(shares))
    own.end_round()
    assert state.members == []  # worse than the start
    own.end_round()
    assert state.members == [0]
    assert list(own.field) == ["greedy", "round 1"]
    own.end_round()
    assert state.members == [1]  # no more than one at a time
    assert [trial["best"] for trial in state.trials] == [0, 0, 1]


def test_candidates_meet_the_same_deals_and_generations_new_ones(tmp_path, monkeypatch):
    seen = []
    play = league.play

    def noted(game, tasks, *args):
        seen.append({(task.key[1], task.seed) for task in tasks})
        return play(game, tasks, *args)

    monkeypatch.setattr(league, "play", noted)
    tuned(tmp_path, rounds=1, generations=2, games_each=400)
    first, second, trial = seen
    # of two tables of two players and four of three as many as have games enough
    assert len(first) == len(second) == 2 + 2
    assert len(trial) == 2 + 4
    assert not {seed for _, seed in first} & {seed for _, seed in second | trial}


def test_limits_hold_and_weights_are_rounded(tmp_path):
    found = tuned(tmp_path, step=5.0, limit=0.5)
    for name, before in found.start.weights.items():
        now = found.tuned.weights[name]
        assert abs(now - before) <= 0.5 * abs(before) * 1.01
        assert float(f"{now:.3g}") == now


def test_what_did_not_move_stays():
    weights = {"hearts_from_middle": 1.0, "exposure": -0.5}
    start = STREET_ART.styles()["greedy"].model_copy(
        update={"weights": weights, "temperature": 0.2, "forbid": ["rain"]}
    )
    search = league.Search(
        *("street_art", study().variants["base"], (2,), start, {}, ("exposure",), (0.5,)),
        *(1, 1, 0, 0, 0.3, 3.0, 1),
    )
    moved = search.style([2.0])
    assert moved.weights == {"hearts_from_middle": 1.0, "exposure": 0.5}
    assert (moved.temperature, moved.forbid) == (0.2, ["rain"])


# What is asked for


def test_weights_that_may_move():
    greedy = STREET_ART.styles()["greedy"]
    free = asked.free_of(STREET_ART, greedy, [], False)
    assert free == ("hearts_from_middle", "hearts_stolen", "rivals_lose")
    assert asked.free_of(STREET_ART, greedy, ["exposure,rain_kept", "stars_kept"], False) == (
        "exposure", "rain_kept", "stars_kept",
    )  # fmt: skip
    assert len(asked.free_of(STREET_ART, greedy, [], True)) == len(STREET_ART.features)


def test_scales_come_from_the_style_then_others_then_the_usual():
    known = STREET_ART.styles()
    names = ("hearts_stolen", "ends_ahead", "middle_left")
    assert asked.scales_of(known["greedy"], list(known.values()), names) == (1.5, 20.0, 1.0)
    assert asked.scales_of(known["random"], [], names) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("name", "how", "message"),
    [
        ("gredy", {}, r'^style: there is no style "gredy" .* Did you mean "greedy"\?'),
        ("greedy", {"free": ["exposur"]}, r'^free: there is no feature .* mean "exposure"\?'),
        ("greedy", {"free": ["exposure"], "every": True}, r"^free: found names and --all"),
        ("random", {}, r"^free: random weighs nothing; name what may move"),
        ("greedy", {"players": [4]}, r"^players: found 4; allowed: 2, 3, as in mine.toml"),
        ("greedy", {"variant": "bas"}, r'^variant: there is no variant .* mean "base"\?'),
        ("greedy", {"rounds": 0}, r"^rounds: found 0; allowed: a number from 1"),
        ("greedy", {"candidates": 2}, r"^candidates: found 2; allowed: 4 or more"),
        ("greedy", {"name": "rainmaker"}, r'^name: found "rainmaker"; allowed: letters'),
        ("greedy", {"jobs": 0}, r"^jobs: found 0"),
    ],
)
def test_mistakes_are_one_line(tmp_path, name, how, message):
    with pytest.raises(SimError, match=message) as error:
        tuned(tmp_path, name, **how)
    assert "\n" not in str(error.value)
    assert not any(tmp_path.iterdir())


# What is told


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return tuned(tmp_path_factory.mktemp("record"), confirm=600, every=True)


def test_the_style_is_a_file_that_studies_take(record, tmp_path):
    path = tmp_path / "found.toml"
    text = style_pages.as_toml(record)
    path.write_text(text)
    changes = {"styles_from": ["found.toml"], "lineups": {"mirror": ["greedy_tuned"]}}
    again = from_dict({**STUDY, **changes}, "mine.toml", "mine", tmp_path)
    assert again.styles["greedy_tuned"] == record.tuned
    assert "# greedy_tuned: greedy with weights that were searched for by" in text
    assert "#   rainmaker: " in text
    assert tomllib.loads(text)["greedy_tuned"]["weights"] == record.tuned.weights


def test_a_style_with_everything_is_written_whole():
    odd = STREET_ART.styles()["greedy"].model_copy(
        update={"name": "odd", "temperature": 0.5, "tempo": 0.8, "forbid": ["rain"],
                "description": 'a "quoted" one ' * 9}
    )  # fmt: skip
    (table,) = tomllib.loads(style_pages.style_toml(odd)).items()
    assert odd.model_dump() == {**odd.model_dump(), "name": table[0], **table[1]}


def test_the_record_comes_back(record):
    style_pages.report.write(
        record.folder / style.RECORD,
        style_pages.report.with_rows(record.content, record.rows),
    )
    again = style.read(record.folder)
    assert again.content == json.loads(json.dumps(record.content))
    assert told.findings(again) == told.findings(record)


def test_sentences_say_that_the_best_is_flattered(record):
    text = " ".join(told.findings(record))
    assert "the best of many noisy candidates is flattered" in text
    assert "In the place of Greedy, among the styles of the field" in text
    assert "_" not in told.findings(record)[0]


def test_tables_and_figures(record):
    table = told.confirmation(record)
    assert list(table.columns) == ["Among", "2 players", "3 players"]
    assert table["Among"].tolist() == ["Greedy", "Rainmaker", "the field, more than Greedy there"]
    assert len(told.weights(record)) == len(STREET_ART.features)
    for picture in (plots.progress(record), plots.confirmed(record)):
        assert picture.alt.startswith(picture.title)
        for text in picture.figure.findobj(Text):
            assert "_" not in text.get_text()


def test_what_is_confirmed_is_what_a_run_would_say(record):
    """Among greedy players the tuned style wins what the same deals give it."""
    content = record.content
    rules = study().variants["base"]
    seed = seats.seed_of(content["settings"]["confirm_seed"], "confirm", 3, "rainmaker", WINS)
    line_up = [rules.styles["rainmaker"]] * 2 + [record.tuned]
    made = STREET_ART.setup(rules.components, rules.rulings, line_up, True)
    tables = STREET_ART.tables_for(made, 600)
    STREET_ART.play(made, seed, 0, 600, tables, 0)
    own = tables["seats"][tables["seats"]["style"] == 2]["win_share"].mean() - 1 / 3
    (row,) = [
        row for row in told.rows_of(record, WINS)
        if row["players"] == 3 and row["group"] == "style rainmaker"
    ]  # fmt: skip
    assert row["estimate"] == pytest.approx(own)
    assert row["n"] == 600


def test_equal_styles_are_not_told_apart():
    """A style against itself under another name: no gain, and every rotation is even."""
    rules = study().variants["base"]
    greedy = rules.styles["greedy"]
    twin = greedy.model_copy(update={"name": "twin"})
    sure = Confirmation(STREET_ART, ("base", rules), greedy, twin, {"greedy": greedy}, 300, 1)
    rows = sure.play(3, 1, style.silent())
    assert [row[6] for row in rows] == pytest.approx([0, 0, 0])


def test_other_games_and_processes(tmp_path, monkeypatch):
    """A game that needs processes, with styles and scores of its own."""
    game = RiggedGame()
    monkeypatch.setattr(games, "get", lambda name: game)
    rigged = from_dict(
        {"game": "rigged", "players": [2, 3], "games": 40, "seed": 1,
         "lineups": {"round_robin": ["plain", "pushy"]}},
    )  # fmt: skip
    found = style.tune(rigged, "plain", tmp_path, free=["push"], **SHORT)
    assert found.tuned.name == "plain_tuned"
    assert os.path.exists(tmp_path / league.STATE)


@pytest.mark.slow
def test_the_page_is_written(tmp_path):
    found = tuned(tmp_path)
    page = style_pages.write(found)
    text = page.read_text()
    assert "http" not in text.replace("http-equiv", "").split("<main>")[0]
    for part in ("tune_style.json", "tune_style.md", "greedy_tuned.toml"):
        assert (tmp_path / part).exists()
    assert sorted(path.stem for path in (tmp_path / "figures").glob("*.png")) == [
        "confirmed", "progress",
    ]  # fmt: skip
    for sentence in told.findings(found):
        assert sentence.split(":")[0] in (tmp_path / "tune_style.md").read_text()


@pytest.mark.slow
def test_the_command_tells_what_it_found_and_where(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'game = "street_art"\nplayers = 2\n[lineups]\nround_robin = ["greedy", "rainmaker"]\n'
    )
    out = tmp_path / "out"
    words = ["--rounds", "1", "--generations", "2", "--games", "60", "--confirm", "60"]
    done = CliRunner().invoke(
        app, ["tune", "style", str(path), "greedy", "--name", "mine", "--out", str(out), *words]
    )
    assert done.exit_code == 0, done.output
    assert f"The style: {out / 'mine.toml'}" in done.stdout
    assert f"Page: {out / style_pages.PAGE}" in done.stdout
    assert done.stdout.startswith("- Mine ")


def test_a_tuning_may_lie_where_a_run_will(tmp_path):
    """A study's folder that holds nothing but tunings and restricted play is no foreign one."""
    for name in ("tune_greedy", "forbid_greedy"):
        (tmp_path / "run" / name).mkdir(parents=True)
    assert play_study(study(), tmp_path / "run", jobs=1).manifest["complete"]


@pytest.mark.parametrize(
    ("signs", "text"),
    [
        (
            {("a", 2): 1, ("b", 2): 0, ("a", 3): 1, ("b", 3): -1},
            "1 of 2 styles with 2 and 3 players",
        ),
        (
            {("a", 2): 1, ("b", 2): 1, ("a", 3): 0, ("b", 3): 0},
            "2 of 2 styles with 2 players and no style with 3 players",
        ),
    ],
)
def test_how_many_styles_are_beaten_is_told_by_number_of_players(signs, text):
    assert told._count(signs) == text
