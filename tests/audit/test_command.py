"""`sim audit`: its files, its words, its status, mistakes, and going on after a kill."""

import json
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from conftest import SIM
from runs import everything, wait_for

import sim
from sim import audit, store
from sim.audit import effects
from sim.audit.page import tell
from sim.store import open_run

STUDY = """
game = "rigged"
players = [2, 3]
games = 300
[lineups]
mirror = ["plain"]
round_robin = ["plain", "pushy"]
[rulings]
rounds = 4
[components.bag]
largest_handful = 8
[budgets]
"turns.mean" = { max = 13 }
"""
FEW = ("--games", 24, "--play", 400)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Where the first of these tests leaves its finished run to the others."""
    return tmp_path_factory.mktemp("kept") / "reports"


@pytest.fixture
def played(main, mine, tmp_path, kept):
    """A finished run of a study in the folder where commands run; its folder."""
    mine(STUDY)
    reports = tmp_path / "reports"
    if kept.exists():
        shutil.copytree(kept, reports)
    else:
        assert main("run", "mine.toml").returncode == 0
        shutil.copytree(reports, kept)
    return reports / "rigged" / "mine"


@pytest.fixture
def page_too(monkeypatch, environment):
    """Let the notebook's kernel know the rigged game."""
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])


def test_an_audit_is_a_page_json_and_markdown(main, played, page_too):
    done = main("audit", "mine.toml", *FEW, "--morris", "--trajectories", 3)
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "Referee: 24 games of 1,500 refereed" in text
    assert "no fault. With 95 % confidence fewer than 11.8 % of games have one" in text
    assert re.search(r"Rulings: Of 3 rulings tried \(4 other values\), \d matter", text)
    assert "Numbers: Of 3 numbers that are assumed, moved by 20 %" in text
    assert "Screening: Moved together, 3 numbers in 3 trajectories" in text
    assert done.stdout.rstrip().endswith("Audit: reports/rigged/mine/audit.html")
    page = (played / "audit.html").read_text(encoding="utf-8")
    assert page.count("data:image/png") == 2
    assert "Rounds" in page
    assert not re.search(r"(src|href)=.?https?:", page)
    assert not re.search(r">(nan|None|NaN)<|\w+_\w+</t[dh]>", page)
    short = (played / "audit.md").read_text(encoding="utf-8")
    assert short.startswith("# Rigged Stones: mine: audit\n\n**24 games refereed: no fault.")
    assert "| Winner |" in short
    for name in ("rulings", "numbers"):
        assert (played / "figures" / "audit" / f"{name}.png").stat().st_size > 10_000
    known = json.loads((played / "audit.json").read_text(encoding="utf-8"))
    assert known["columns"] == list(effects.SCHEMA)
    assert known["settings"]["play"] == 400
    assert known["takeaways"][0]["verdict"] == "no fault"
    # what is read is what was found, and is found again without playing
    read = audit.read(played)
    again = audit.audit("mine.toml", games=24, play=400, morris=True, trajectories=3)
    assert read.refereed == again.refereed
    assert read.effects[0].change == again.effects[0].change
    assert [each.flips for each in read.effects] == [each.flips for each in again.effects]
    assert read.rows.schema == pl.Schema(effects.SCHEMA)
    for one, other in ((read.rows, again.rows), (read.screening, again.screening)):
        assert one.select(pl.col(pl.String)).equals(other.select(pl.col(pl.String)))
        assert np.allclose(one["estimate"].fill_null(-1), other["estimate"].fill_null(-1))
    flipped = next(each for each in read.effects if each.change.name == "rulings.rounds = 5")
    assert "budget for turns (mean) with 3 players" in flipped.flips[0]
    assert flipped.flips[0].endswith("passed to failed")


def test_only_a_part(main, played, page_too):
    done = main("audit", "mine.toml", "--only", "referee", "--games", 5)
    assert done.returncode == 0, done.stderr
    assert "Rulings" not in done.stdout
    assert not (played / "audit").exists()
    found = audit.audit("mine.toml", only=("rulings",), play=100, lineup="plain")
    assert found.refereed is None
    assert set(found.rows["lineup"]) == {"all plain"}
    assert set(found.rows["part"]) == {"ruling"}


def test_a_fault_is_status_1_and_the_command_that_shows_it(main, played, page_too):
    path = store.table_file(played, "seats", 1, 0)
    wrong = pl.read_parquet(path).with_columns(pl.col("luck") + 1)
    wrong.write_parquet(path)
    done = main("audit", "mine.toml", "--only", "referee", "--games", 30)
    assert done.returncode == 1, done.stderr
    assert "1 file is not what the run wrote" in " ".join(done.stdout.split())
    assert "data/seats/00001-00000.parquet" in done.stdout
    command = re.search(r"sim (watch mine.toml --cell 1 --game \d+)", done.stdout)[1]
    assert main(*command.split()).returncode == 0
    page = (played / "audit.html").read_text(encoding="utf-8")
    assert "What is wrong" in page
    assert "sim watch mine.toml --cell 1 --game" in page
    # what the run says and what is due stand in words
    assert "| Luck," in (played / "audit.md").read_text(encoding="utf-8")


# Mistakes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--only", "rulngs"], 'only: found "rulngs"; allowed: referee, rulings, numbers. '
                               'Did you mean "rulings"?'),
        (["--grade", "asumed"], 'grade: found "asumed"; allowed: rulebook, published, inferred, '
                                'assumed. Did you mean "assumed"?'),
        (["--games", 0], "games: found 0; allowed: 1 to 4294967295"),
        (["--play", 1], "play: found 1; allowed: 2 to 4294967295"),
        (["--by", 0], "by: found 0; allowed: a number above 0, up to 1"),
        (["--by", "nan"], "by: found nan; allowed: a number above 0, up to 1"),
        (["--seed", -1], "seed: found -1; allowed: 0 to 9223372036854775807"),
        (["--trajectories", 1], "trajectories: found 1; allowed: 2 to 10000"),
        (["--morris", "--only", "rulings"], 'morris: numbers are screened; add "--only numbers"'),
        (["--jobs", 0], "jobs: found 0; allowed: a whole number from 1"),
        (["--variant", "bas"], 'variant: found "bas"; in this study: base. Did you mean "base"?'),
        (["--lineup", "plan"], 'lineup: found "plan"; in this study: all plain, all.'),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(main, played, words, says):
    before = everything(played)
    done = main("audit", "mine.toml", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"sim: {says}")
    assert done.stderr.count("\n") == 1
    assert everything(played) == before


def test_a_screening_without_salib_is_one_line(main, played, monkeypatch):
    monkeypatch.setattr("sim.audit.whole.find_spec", lambda name: None)
    done = main("audit", "mine.toml", "--morris")
    assert (done.returncode, done.stderr) == (
        2,
        "sim: morris: SALib is not installed; pip install SALib, or leave this out\n",
    )


def test_a_run_that_is_not_there_or_not_finished_or_of_something_else(main, mine, tmp_path):
    mine(STUDY)
    folder = "reports/rigged/mine"
    done = main("audit", "mine.toml")
    assert (done.returncode, done.stderr) == (
        2,
        f"sim: {folder}: there is no run here; play the study first: sim run mine.toml\n",
    )
    assert not (tmp_path / "reports").exists()
    assert main("run", "mine.toml").returncode == 0
    place = tmp_path / folder / "manifest.json"
    whole = place.read_text()
    place.write_text(whole.replace('"complete": true', '"complete": false'))
    done = main("audit", "mine.toml")
    assert done.stderr == (
        f"sim: {folder}: this run is not finished; sim run mine.toml goes on with it\n"
    )
    place.write_text(whole)
    mine(STUDY.replace("rounds = 4", "rounds = 5"))
    done = main("audit", "mine.toml")
    assert done.stderr == (
        f"sim: {folder}: holds a run of something else: rulings.rounds: 4 -> 5. "
        "Play the study as it is now: sim run mine.toml --fresh\n"
    )
    mine(STUDY)
    known = json.loads(whole)
    known["rules"]["source"] = "0" * 16
    place.write_text(json.dumps(known))
    assert "rules source: 0000000000000000 -> " in main("audit", "mine.toml").stderr


# Stopped


def test_a_killed_audit_goes_on_where_it_was(played, environment, tmp_path, main, page_too):
    words = ["audit", "mine.toml", "--only", "rulings", "--play", "3000", "--jobs", "1"]
    words += ["--lineup", "plain"]
    (tmp_path / "slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [sys.executable, "slow.py", *words], cwd=tmp_path, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: len(journal(played)) >= 2, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = journal(played)
    assert 2 <= len(kept) < 8
    assert not (played / "audit.json").exists()
    done = main(*words)
    assert done.returncode == 0, done.stderr
    assert journal(played)[: len(kept)] == kept
    assert len(journal(played)) == 8  # four other values, with two and three players
    assert f"{(8 - len(kept)) * 3000:,} games" in done.stderr
    known = audit.read(played).rows
    (place,) = (played / "audit").iterdir()
    place.unlink()
    again = audit.audit("mine.toml", only=("rulings",), play=3000, lineup="plain", jobs=1)
    kept = ["variant", "players", "metric", "group", "verdict"]
    assert again.rows.select(kept).equals(known.select(kept))
    assert np.allclose(again.rows["estimate"].fill_null(-1), known["estimate"].fill_null(-1))


SLOW = """
import time
from sim.audit import journal
right = journal.Journal.add
def add(self, key, pair):
    right(self, key, pair)
    time.sleep(0.5)
journal.Journal.add = add
from sim.cli import main
main()
"""
"""The command, slow enough to be killed between two tables."""


def journal(folder):
    return [
        line
        for path in (folder / "audit").glob("*.jsonl")
        for line in path.read_text().splitlines()
        if line.endswith("}")
    ]


def test_ctrl_c_says_what_is_kept(played, environment, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["audit", "mine.toml", "--only", "rulings", "--play", "3000", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "slow.py", *words], cwd=tmp_path, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: len(journal(played)) >= 1, process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == (
        "Stopped. What was played for the audit is kept; the same command goes on from there."
    )
    assert "Traceback" not in said


# From Python


def test_from_python(rigged, played, page_too, capsys):
    found = audit.audit(played.parents[2] / "mine.toml", played, only=("referee",), games=10)
    run = open_run(played)
    page = audit.write(found, run)
    assert page == played / "audit.html"
    tell(found, run)
    assert "10 games of 1,500 refereed" in capsys.readouterr().out
    with pytest.raises(sim.SimError, match='only: found "referees"'):
        audit.audit(played.parents[2] / "mine.toml", played, only=("referees",))


def test_the_command_is_there():
    done = subprocess.run([SIM, "audit", "--help"], capture_output=True, text=True, check=True)
    for option in (
        "--games",
        "--play",
        "--only",
        "--seed",
        "--jobs",
        "--morris",
        "--by",
        "--grade",
    ):
        assert option in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
