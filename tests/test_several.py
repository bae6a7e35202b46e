"""Reports and checks of several studies: what is up to date, what fails, and how it ends."""

import json
import re

import nbformat
import pytest
from rigged_study import GOOD
from runs import manifest

from sim import chosen, current, games, report
from sim.errors import SimError

BUDGET = GOOD + "[budgets]\nseat_share = { min = 0.01 }\n"
FAILING = GOOD + "[budgets]\nseat_share = { max = 0.01 }\n"


@pytest.fixture
def configs(tmp_path):
    """Write studies below configs/."""

    def write(**texts):
        for name, text in texts.items():
            path = tmp_path / "configs" / f"{name.replace('__', '/')}.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "reports" / "rigged"

    return write


@pytest.fixture
def quick(monkeypatch):
    """Let reports have no notebook, which is what takes time."""
    monkeypatch.setattr(report, "execute", lambda *a, **k: nbformat.v4.new_notebook())


def outcome(done, name):
    """Return what is said of a study."""
    (line,) = re.findall(rf"(?m)^{name}: (.*?):? reports/", done.stdout)
    return line


# Which studies


def test_names_stand_for_files_studies_and_folders(configs, tmp_path, monkeypatch):
    configs(one=GOOD, street__two=GOOD, street__deep__three=GOOD, streets__four=GOOD)
    monkeypatch.chdir(tmp_path)

    def names(*words, **how):
        found = chosen.choose(words, **how)
        return [*found.studies], found.several

    everything = ["one", "street/deep/three", "street/two", "streets/four"]
    assert names(every=True) == (everything, True)
    assert names("configs") == (everything, True)
    assert names("street") == (["street/deep/three", "street/two"], True)
    assert names("configs/street/") == (["street/deep/three", "street/two"], True)
    assert names("street", every=True) == (["street/deep/three", "street/two"], True)
    assert names("street/two") == (["street/two"], False)
    assert names("one", "two") == (["one", "two"], True)
    assert names("configs/one.toml") == (["configs/one.toml"], False)


def test_files_that_studies_take_from_are_no_studies(configs, tmp_path, monkeypatch):
    configs(
        street__two='styles_from = ["mine.toml"]\ncomponents_from = ["../cards.toml"]\n' + GOOD,
        street__mine="[mine]\nweights = {}\n",
        cards="[cards]\n",
        one=GOOD,
        broken="styles_from = 7\n[",
    )
    monkeypatch.chdir(tmp_path)
    assert list(chosen.choose(["configs"]).studies) == ["broken", "one", "street/two"]


def test_a_name_that_is_nothing_is_a_mistake(configs, tmp_path, monkeypatch):
    configs(street__two=GOOD)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SimError, match="nowhere: there is no such file"):
        chosen.choose(["nowhere"])
    with pytest.raises(SimError, match="STUDY: none is named"):
        chosen.choose([])


def test_all_are_those_of_a_folder_that_is_there(tmp_path, monkeypatch):
    """Not the shipped ones, which would be played for hours in any folder."""
    monkeypatch.chdir(tmp_path)
    for how in ({"every": True}, {"since": "main"}):
        with pytest.raises(SimError, match="configs: there is no such folder here"):
            chosen.choose([], **how)
    assert "street_art/seats" in chosen.choose(["street_art"]).studies


def test_an_empty_folder_of_studies_says_so(tmp_path, monkeypatch):
    (tmp_path / "configs").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SimError, match="there is no study in it"):
        chosen.choose([], every=True)


# Reports


def test_only_what_changed_is_done_again(main, quick, configs, monkeypatch):
    folder = configs(one=GOOD, two=GOOD)
    done = main("report", "--all")
    assert done.returncode == 0, done.stderr
    assert outcome(done, "one") == outcome(done, "two") == "written (never played)"
    assert (folder.parent / "index.html").read_text(encoding="utf-8").count("class='study'") == 2
    pages = {name: (folder / name / "report.html").stat().st_mtime_ns for name in ("one", "two")}

    again = main("report", "--all")
    assert outcome(again, "one") == outcome(again, "two") == "up to date"
    assert "playing" not in again.stderr
    assert "Writing" not in again.stderr
    assert pages["one"] == (folder / "one" / "report.html").stat().st_mtime_ns

    configs(two=GOOD.replace("games = 50", "games = 60"))
    grown = main("report", "--all")
    assert outcome(grown, "one") == "up to date"
    assert outcome(grown, "two") == "written (changed: games)"
    assert not folder.joinpath("two.old1").exists()

    configs(two=GOOD + '[matters]\n"turns.mean" = 3\n')
    fewer = main("report", "configs")
    assert outcome(fewer, "two") == "written (changed: games: 60 -> 50)"
    assert folder.joinpath("two.old1").exists()

    configs(two=GOOD)
    told = main("report", "--all")
    assert outcome(told, "two") == "written (changed: matters)"
    assert "playing" not in told.stderr

    monkeypatch.setattr(current, "_code", lambda game: "of tomorrow")
    newer = main("report", "--all")
    assert {outcome(newer, "one"), outcome(newer, "two")} == {
        "written (no report of this run by this version of the code)"
    }
    assert "playing" not in newer.stderr


def test_a_change_of_what_is_played_sets_the_old_run_aside(main, quick, configs):
    folder = configs(one=GOOD)
    main("report", "--all")
    configs(one="seed = 7\n" + GOOD)
    done = main("report", "--all")
    assert done.returncode == 0, done.stderr
    assert outcome(done, "one") == "written (changed: seed: 1 -> 7)"
    assert manifest(folder / "one")["study"]["seed"] == 7
    assert manifest(folder / "one.old1")["study"]["seed"] == 1


def test_other_rules_are_played_anew(main, quick, configs):
    folder = configs(one=GOOD)
    main("report", "--all")
    path = folder / "one" / "manifest.json"
    known = manifest(folder / "one")
    known["rules"]["source"] = "0ld"
    path.write_text(json.dumps(known))
    done = main("report", "--all")
    assert re.match(r"written \(changed: rules source: 0ld -> \w+\)", outcome(done, "one"))


@pytest.mark.parametrize("lost", ["report.html", "summary.json"])
def test_a_lost_file_of_a_report_is_written_again(main, quick, configs, lost):
    folder = configs(one=GOOD)
    main("report", "--all")
    (folder / "one" / lost).unlink()
    done = main("report", "--all")
    assert outcome(done, "one").startswith("written (no report of this run")
    assert (folder / "one" / lost).exists()


def test_fresh_plays_all_of_them_again(main, quick, configs):
    folder = configs(one=GOOD)
    main("report", "--all")
    assert outcome(main("report", "--all", "--fresh"), "one") == "written (asked for anew)"
    assert folder.joinpath("one.old1").exists()


def test_what_fails_is_told_and_the_others_go_on(main, quick, configs):
    folder = configs(a=GOOD.replace("rigged", "riged"), b=GOOD, c="games = ", d__b=GOOD)
    done = main("report", "--all")
    assert done.returncode == 2
    assert outcome(done, "b") == "written (never played)"
    assert "3 of 4 could not be done: a, c, d/b." in done.stdout
    mistakes = [line for line in done.stderr.splitlines() if line.startswith("sim: ")]
    assert len(mistakes) == 3
    assert 'configs/a.toml: game: there is no game "riged"' in mistakes[0]
    assert "not valid TOML" in mistakes[1]
    assert "would lie in reports/rigged/b, as that of b does" in mistakes[2]
    assert folder.parent.joinpath("index.html").exists()


def test_a_fault_is_told_and_the_others_go_on(main, configs, monkeypatch):
    def execute(notebook, folder):
        if folder.name == "one":
            raise RuntimeError("the notebook failed")
        return nbformat.v4.new_notebook()

    monkeypatch.setattr(report, "execute", execute)
    configs(one=GOOD, two=GOOD)
    done = main("report", "--all")
    assert done.returncode == 70
    assert outcome(done, "two") == "written (never played)"
    assert "RuntimeError: the notebook failed" in done.stderr
    assert "sim: one: a fault in sim itself" in done.stderr


def test_the_markdown_of_several_reports_is_one_file(main, quick, configs, tmp_path):
    configs(one='title = "First"\n' + GOOD, two='title = "Second"\n' + GOOD)
    main("report", "--all", "--markdown", "all.md")
    text = (tmp_path / "all.md").read_text(encoding="utf-8")
    assert text.index("# First\n") < text.index("# Second\n")


def test_one_study_is_written_whether_it_changed_or_not(main, quick, configs):
    configs(one=GOOD)
    for _ in range(2):
        assert "Writing the report" in main("report", "one").stderr


def test_a_folder_for_several_runs_is_a_mistake(main, configs):
    configs(one=GOOD)
    for words in (["report", "--all"], ["check", "configs"]):
        done = main(*words, "--out", "elsewhere")
        assert done.returncode == 2
        assert "sim: out: a folder is that of one study" in done.stderr


def test_a_report_is_made_of_the_code_of_its_game_but_not_of_others(rigged):
    files = set(current._files(games.get("street_art")))
    inside = {
        path.relative_to(report.PACKAGE).as_posix()
        for path in files
        if path.is_relative_to(report.PACKAGE)
    }
    assert {"report.py", "page.css", "metrics/tidy.py", "games/game.py"} <= inside
    assert "games/street_art/rules.py" in inside
    assert not any(path.startswith("games/tag_city/") for path in inside)
    assert report.template(report.TEMPLATE) in files
    own = set(current._files(rigged))
    assert {path.name for path in own} >= {"rigged_game.py", "report.py"}


# Checks


def test_several_studies_are_judged_and_the_worst_decides(main, configs, tmp_path):
    configs(good=BUDGET, bad=FAILING, none=GOOD)
    done = main("check", "configs", "--markdown", "check.md", "--junit", "xml", "--json", "json")
    assert done.returncode == 1, done.stderr
    assert "none: no budgets, so nothing to judge." in done.stdout
    assert re.search(r"(?m)^bad: Failed: of 5 rows, 5 failed\.", done.stdout)
    assert re.search(r"(?m)^good: Passed: 5 rows within", done.stdout)
    text = (tmp_path / "check.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^# .*", text) == [
        "# Rigged Stones: bad: budgets",
        "# Rigged Stones: good: budgets",
    ]
    for ending in ("xml", "json"):
        names = sorted(path.name for path in (tmp_path / ending / "rigged").iterdir())
        assert names == [f"bad.{ending}", f"good.{ending}"]
    assert main("check", "good", "none").returncode == 0


def test_baselines_of_several_studies_lie_in_a_folder(main, configs, tmp_path):
    configs(one=BUDGET + "score.mean = { change = 100 }\n")
    assert main("check", "configs", "--json", "baselines").returncode == 0
    known = json.loads((tmp_path / "baselines" / "rigged" / "one.json").read_text())
    assert known["study"]["name"] == "one"
    configs(two=BUDGET)
    done = main("check", "configs", "--baseline", "baselines")
    assert done.returncode == 0, done.stderr
    assert "Baseline: baselines/rigged/one.json" in done.stdout
    assert "No baseline yet: baselines/rigged/two.json." in done.stdout


def test_a_file_for_several_studies_is_a_mistake(main, configs, tmp_path):
    configs(one=BUDGET, two=BUDGET)
    (tmp_path / "check.json").write_text("{}")
    done = main("check", "configs", "--baseline", "check.json")
    assert done.returncode == 2
    assert "baseline: check.json is a file; of several studies it is a folder." in done.stderr


def test_a_mistake_in_one_is_worse_than_a_failed_budget(main, configs):
    configs(bad=FAILING, worse="games = ")
    assert main("check", "configs").returncode == 2
