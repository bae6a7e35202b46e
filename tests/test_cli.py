"""The command as a person uses it: in a process of its own, or through typer's runner."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import SIM
from rigged_study import GOOD
from runs import everything, manifest
from typer.testing import CliRunner

from sim import cli
from sim.games.street_art import GAME
from sim.watch import SEATS

COMMANDS = ("games", "styles", "rulings", "new", "run", "report", "compare", "check", "watch")
COMMANDS += ("audit", "bench", "tune")
ERROR = re.compile(r"sim: .+")


@pytest.fixture
def sim():
    """Run a command in this process; return what it printed. For those that write nothing."""

    def run(*arguments):
        done = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0
        return done.stdout

    return run


def flat(text):
    return " ".join(text.split())


# What there is


def test_games(sim, rigged):
    text = flat(sim("games"))
    assert "street_art Street Art 2 to 6" in text
    assert "rigged Rigged Stones 2 to 5" in text


def test_styles(sim):
    text = sim("styles", "street_art")
    for style in GAME.styles().values():
        assert re.search(rf"^{style.name} ", text, re.MULTILINE)
        assert flat(style.description).split(" ")[0] in text
    for feature in GAME.features:
        assert feature.name in text
    assert ", ".join(GAME.actions) in text


def test_styles_show_what_they_do_without(sim):
    assert "forbid rush" in flat(sim("styles", "wildstyle"))


def test_rulings(sim):
    text = sim("rulings", "street_art")
    for ruling in GAME.rulings_help():
        assert f"rulings.{ruling.name} " in text
    assert "components.numbers.hand_size" in text
    for grade in ("rulebook", "assumed"):
        assert grade in text


def test_help_of_everything(sim):
    top = sim("--help")
    assert "Exit status: 0 done" in flat(top)
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z]", top, re.MULTILINE), name
        text = sim(name, "--help")
        assert text.startswith(f"Usage: sim {name}") or "Usage:" in text
        assert len(text) > 100
        assert max(map(len, text.splitlines())) <= 100
        assert "None" not in text


def test_no_table_is_wider_than_the_page(sim):
    for words in (["games"], ["styles", "street_art"], ["rulings", "street_art"]):
        lines = sim(*words).splitlines()
        assert max(len(line) for line in lines if "forbid" not in line) <= 110


def test_output_that_a_terminal_cannot_show(command, mine):
    """An old terminal or pipe shows a question mark instead of a traceback."""
    mine(GOOD.replace("[lineups]", 'title = "Großstadt → ☂"\n[lineups]'))
    done = command("run", "mine.toml", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr


# Playing


def test_run(command, mine, tmp_path):
    mine()
    done = command("run", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "Rigged Stones: mine: 100 games in 2 cells: 1 variant, 2 player counts, 1 line-up." in (
        done.stderr.splitlines()
    )
    assert "The run is in reports/rigged/mine. For pages and figures: sim report mine.toml" in (
        done.stdout
    )
    assert "Seats" in done.stdout
    found = manifest(tmp_path / "reports" / "rigged" / "mine")
    assert found["complete"]
    again = command("run", "mine.toml")
    assert again.stdout == done.stdout
    assert "playing" not in again.stderr


def test_run_with_every_option(main, fresh_workers, mine, tmp_path):
    mine()
    words = ["--out", "elsewhere/mine", "-j", 2, "--backend", "loky", "--batch", 7]
    done = main("run", "mine", *words)
    assert done.returncode == 0, done.stderr
    assert manifest(tmp_path / "elsewhere" / "mine")["timings"]["backend"] == "loky"
    assert "sim report mine --out elsewhere/mine" in done.stdout
    fresh = main("run", "mine", *words, "--fresh")
    assert fresh.returncode == 0
    assert "The earlier run is kept in elsewhere/mine.old1." in fresh.stderr
    assert not (tmp_path / "reports").exists()


def test_run_finds_a_study_by_name(main, mine, tmp_path):
    (tmp_path / "configs" / "deep").mkdir(parents=True)
    mine(name="configs/deep/named.toml")
    done = main("run", "named")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reports" / "rigged" / "named" / "manifest.json").exists()


def test_progress_is_not_output(main, mine):
    """What a program reads from the main is not mixed with what a person watches."""
    mine()
    done = main("run", "mine.toml")
    assert "playing" in done.stderr
    assert "playing" not in done.stdout
    assert "games/s" not in done.stdout


@pytest.mark.slow
def test_report_of_street_art(command, mine, tmp_path):
    mine(GOOD.replace("rigged", "street_art").replace("plain", "greedy").replace("50", "2000"))
    done = command("report", "mine.toml", "--out", "out/mine")
    assert done.returncode == 0, done.stderr
    assert "Report: out/mine/report.html" in done.stdout
    assert {"report.html", "summary.json", "summary.md", "figures"} <= {
        path.name for path in (tmp_path / "out" / "mine").iterdir()
    }
    assert not (tmp_path / "out" / "index.html").exists()
    assert not (tmp_path / "reports").exists()


def test_bench(command):
    done = command("bench", "rigged", "--seconds", 0.1, "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert "Games/s" in done.stdout
    assert "Reference: " in done.stdout
    done = command("bench", "street_art", "--seconds", 0.1, "--jobs", 1)
    assert len(re.findall(r"^Street Art +\d ", done.stdout, re.MULTILINE)) == 6


# Watching


def test_watch(sim, mine, tmp_path):
    text = sim("watch", "street_art/seats", "--game", 3, "--players", 3)
    lines = text.splitlines()
    assert lines[0] == "Street Art, game 3 of cell 1: 3 players, all greedy, variant base"
    assert lines[1:3] == [SEATS, ""]
    assert len(lines) > 20
    assert sim("watch", "street_art/seats", "-g", 3, "--cell", 1) == text
    assert sim("watch", "street_art/hearts", "--variant", "hearts60") != text


def test_watch_needs_no_run(main, mine, tmp_path):
    mine()
    before = everything(tmp_path)
    done = main("watch", "mine.toml", "--game", 49)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert everything(tmp_path) == before


def test_watch_a_picture(sim, tmp_path):
    path = tmp_path / "table.png"
    told = sim("watch", "street_art/seats", "--picture", path, "--turn", 4)
    assert flat(told).startswith(f"Wrote {path}: Street Art, game 0 of cell 0")
    assert path.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
@pytest.mark.parametrize(
    "words", [["watch", "street_art/seats"], ["games"], ["rulings", "street_art"]]
)
def test_a_reader_that_has_gone(environment, tmp_path, words):
    """`sim watch ... | head -1` is no fault."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [SIM, *words],
        stdout=write,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=tmp_path,
        text=True,
    )
    os.close(write)
    if words[0] == "watch":
        assert os.read(read, 10) == b"Street Art"
    os.close(read)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said == ""


# A study to start from


def test_new(main, tmp_path):
    done = main("new", "street_art", "mine")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "configs" / "street_art" / "mine.toml"
    assert done.stdout == (
        "Wrote configs/street_art/mine.toml. Change it as you like, then: "
        "sim report configs/street_art/mine.toml\n"
    )
    assert tomllib.loads(path.read_text())["game"] == "street_art"
    assert main("watch", "mine").returncode == 0


def test_new_does_not_overwrite(main, tmp_path):
    (tmp_path / "mine.toml").write_text("precious")
    for words in (["--out", "mine.toml"], ["--out", "."]):
        done = main("new", "rigged", "mine", *words)
        assert_one_line(done, "exists already; choose another name")
    assert (tmp_path / "mine.toml").read_text() == "precious"
    assert main("new", "rigged", "mine").returncode == 0
    assert_one_line(main("new", "rigged", "mine"), "exists already")


def test_new_study_runs_as_it_is(main, tmp_path):
    assert main("new", "rigged", "mine", "--out", "there/mine.toml").returncode == 0
    done = main("run", "there/mine.toml")
    assert done.returncode == 0, done.stderr


# Mistakes


def assert_one_line(done, told):
    """A user's mistake: one line on stderr, status 2, nothing printed."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert ERROR.fullmatch(lines[0])
    assert told in lines[0]


BROKEN = {
    "empty": ("", "nothing in it"),
    "not TOML": ("game = \n", "not valid TOML"),
    "not UTF-8": (b'title = "\xe9"\n' + GOOD.encode(), "is not UTF-8"),
    "no game": (GOOD.replace("game =", "#"), "game: missing"),
    "unknown game": (GOOD.replace("rigged", "riged"), 'Did you mean "rigged"?'),
    "no line-ups": ('game = "rigged"\n', "lineups: missing"),
    "unknown key": ("sed = 2\n" + GOOD, "sed: unknown key; allowed: "),
    "seed below a table": (GOOD + "seed = 2\n", "write seed above the first [table]"),
    "games of a wrong type": (GOOD.replace("50", '"50"'), 'games: found "50"'),
    "no games": (GOOD.replace("50", "0"), "games: found 0"),
    "too many games": (GOOD.replace("50", "5_000_000_000"), "games: found 5000000000"),
    "negative seed": ("seed = -1\n" + GOOD, "seed: found -1"),
    "too many players": (GOOD.replace("[2, 3]", "[2, 9]"), "players: found 9; allowed: 2 to 5"),
    "unknown style": (GOOD.replace("plain", "plane"), 'Did you mean "plain"?'),
    "unknown ruling": (GOOD + "[rulings]\nwiner = 1\n", 'Did you mean "winner"?'),
    "value of a ruling": (GOOD + '[rulings]\nwinner = "seat9"\n', 'rulings.winner: found "seat9"'),
    "type of a ruling": (GOOD + '[rulings]\nrounds = "3"\n', 'rulings.rounds: found "3"'),
    "component out of range": (
        GOOD + "[components.bag]\nlargest_handful = 0\n",
        "components.bag.largest_handful: found 0; allowed: a number of at least 1",
    ),
    "unknown component": (GOOD + "[components.bags]\nx = 1\n", 'Did you mean "bag"?'),
    "unknown feature": (
        GOOD + "[styles.calm]\nweights = { pusch = 1.0 }\n",
        'styles.calm.weights.pusch: there is no feature "pusch"',
    ),
    "base in a circle": (
        GOOD + '[styles.a]\nbase = "b"\n[styles.b]\nbase = "a"\n',
        "goes round in a circle",
    ),
    "infinite weight": (GOOD + "[styles.calm]\nweights = { push = inf }\n", "found inf"),
    "ruling without its table": (
        GOOD + "[variants.long]\nrounds = 5\n",
        'Did you mean "rulings.rounds"?',
    ),
    "line-up of a wrong length": (
        GOOD.replace("mirror", 'fixed = [["pushy"]]\nmirror'),
        "allowed: as many styles as players",
    ),
    "cannot be played": (GOOD + '[rulings]\nwinner = "seat2"\n', "with 2 players: "),
    "missing file of styles": (
        'styles_from = ["gone.toml"]\n' + GOOD,
        "gone.toml: there is no such file",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_studies(kind, main, mine, tmp_path):
    """One line that names the file, status 2, nothing written."""
    text, told = BROKEN[kind]
    mine(text)
    before = everything(tmp_path)
    for word in ("run", "report", "watch"):
        done = main(word, "mine.toml")
        assert_one_line(done, told)
        assert done.stderr.startswith("sim: mine.toml: ")
    assert everything(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {"mine.toml"}


def test_broken_studies_are_many():
    assert len(BROKEN) >= 20


@pytest.mark.parametrize("kind", ["not TOML", "unknown game", "base in a circle"])
def test_a_broken_study_in_a_process_of_its_own(command, mine, tmp_path, kind):
    text, told = BROKEN[kind]
    mine(text)
    assert_one_line(command("run", "mine.toml"), told)
    assert {path.name for path in tmp_path.iterdir()} == {"mine.toml"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "nowhere.toml"], "there is no such file"),
        (["run", "street_art/seat"], 'Did you mean "street_art/seats"?'),
        (["run", "."], "this is a folder"),
        (["run", "mine.toml", "--jobs", 0], "jobs: found 0; allowed: a whole number from 1"),
        (["run", "mine.toml", "--jobs", -2], "jobs: found -2"),
        (["run", "mine.toml", "--batch", 0], "batch: found 0"),
        (["run", "mine.toml", "--backend", "dusk"], 'backend: found "dusk"; allowed: auto,'),
        (["run", "mine.toml", "--out", "mine.toml"], "mine.toml: this is a file"),
        (["run", "mine.toml", "--out", "mine.toml/x"], "mine.toml"),
        (["report", "mine.toml", "--out", "mine.toml"], "mine.toml: this is a file"),
        (["run", "mine.toml", "--out", "."], "is not empty and holds no run"),
        (["watch", "mine.toml", "--game", 50], "game: found 50; allowed: 0 to 49"),
        (["watch", "mine.toml", "--game", -1], "game: found -1"),
        (["watch", "mine.toml", "--cell", 9], "cell: found 9; allowed: 0 to 1"),
        (["watch", "mine.toml", "--players", 7], 'players: found "7"; in this study: 2, 3'),
        (["watch", "mine.toml", "--variant", "bse"], 'Did you mean "base"?'),
        (["watch", "mine.toml", "--lineup", "x"], "in this study: all plain"),
        (["watch", "mine.toml", "--picture", "x.doc"], "allowed: a file ending in .png"),
        (["watch", "mine.toml", "--picture", "no/x.png"], "cannot be written"),
        (["watch", "mine.toml", "--turn", 3], "add --picture"),
        (["compare", "street_art/hearts", "hearts60", "hearts60"], "is named twice"),
        (["styles", "street_atr"], 'Did you mean "street_art"?'),
        (["rulings", "chess"], 'there is no game "chess"'),
        (["bench", "chess"], 'there is no game "chess"'),
        (["bench", "rigged", "--jobs", -1], "jobs: found -1"),
        (["new", "chess", "x"], 'there is no game "chess"'),
        (["new", "rigged", "a/b"], 'name: found "a/b"; allowed: letters'),
        (["new", "rigged", ""], 'name: found ""'),
        (["new", "rigged", "x", "--out", "mine.toml/x.toml"], "mine.toml/x.toml: "),
    ],
)
def test_bad_arguments(words, told, main, mine, tmp_path):
    mine()
    before = everything(tmp_path)
    done = main(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    *before_that, last = done.stderr.splitlines()
    assert ERROR.fullmatch(last)
    assert told in last
    # a folder is looked at after the size of the study was told
    assert len(before_that) == (1 if "--out" in words and words[0] != "new" else 0)
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fly"], "No such command"),
        (["run"], "Missing argument"),
        (["run", "a", "b"], "unexpected extra argument"),
        (["run", "mine.toml", "--jobs", "many"], "Invalid value for '--jobs'"),
        (["watch", "mine.toml", "--game", "one"], "Invalid value for '--game'"),
        (["bench", "--seconds", "0"], "Invalid value for '--seconds'"),
        (["run", "mine.toml", "--fast"], "No such option"),
    ],
)
def test_words_the_command_does_not_know(command, mine, tmp_path, words, told):
    mine()
    done = command(*words)
    assert done.returncode == 2
    assert told.lower() in flat(done.stderr).lower()
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 4
    assert {path.name for path in tmp_path.iterdir()} == {"mine.toml"}


def test_an_unfinished_command_shows_its_help(command):
    done = command()
    assert "Usage: sim" in done.stdout + done.stderr


def test_a_run_of_something_else(main, mine):
    mine()
    assert main("run", "mine.toml").returncode == 0
    mine("seed = 8\n" + GOOD)
    done = main("run", "mine.toml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "sim: reports/rigged/mine: holds a run of something else: seed: 1 -> 8. Use --fresh to set "
        "that run aside, or --out for another folder."
    )


def test_a_fault_of_a_game_is_status_70_and_can_be_reported(environment, mine, tmp_path):
    """Not a user's mistake: the traceback is what a report of the fault needs."""
    mine()
    code = (
        "import sys, rigged_game\n"
        "def play(*a): raise ZeroDivisionError('in the rules')\n"
        "rigged_game.RiggedGame.play = play\n"
        "from sim.cli import main\nsys.argv = ['sim', 'run', 'mine.toml', '-j', '2']\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70
    assert done.stderr.splitlines()[-1] == "ZeroDivisionError: in the rules"


def test_version_and_module():
    for words in (["--version"], ["games"]):
        done = subprocess.run(
            [sys.executable, "-m", "sim", *words], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith(("sim 0.", "Game"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sim", "games"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
