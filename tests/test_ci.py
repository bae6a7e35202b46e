"""The workflow for pull requests, its very steps run in a designer's scratch repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from test_affected import Repository
from test_docs import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "balance.yml"
KNOWN = {"github.base_ref": "main"}
STUDY = """title = "{title}"
game = "rigged"
players = [2, 3]
games = 400
[lineups]
mirror = ["plain"]
[budgets]
score.mean = {{ max = {most}, group = "all" }}
"""
ACCEPTED, TOO_LITTLE = 1_000, 0.01


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))


def steps(workflow):
    (job,) = workflow["jobs"].values()
    return job["steps"]


class Runner:
    """Runs the steps of a workflow as the job of a pull request to `main` would."""

    def __init__(self, workflow, folder, environment):
        self.steps = steps(workflow)
        self.folder = folder
        texts = dict(workflow["env"])
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self.environment = environment | {"PATH": path} | {k: said(v) for k, v in texts.items()}
        self.status = {}
        self.summary = ""
        self.told = ""

    def run(self):
        """Run every step that calls `sim`; keep status and summary of each."""
        for step in self.steps:
            script = step.get("run", "")
            goes_on = not any(self.status.values()) or "!cancelled()" in step.get("if", "")
            if "sim " in script and goes_on:
                self._step(step["name"], script)
        return self

    def _step(self, name, script):
        summary = self.folder.parent / "summary.md"
        summary.write_text("")
        done = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.folder,
            env=self.environment | {"GITHUB_STEP_SUMMARY": str(summary)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.status[name] = done.returncode
        self.told += done.stdout + done.stderr
        self.summary += summary.read_text(encoding="utf-8")

    @property
    def failed(self):
        return [name for name, status in self.status.items() if status]

    def artifact(self):
        """Return the files that the last step keeps."""
        with_ = self.steps[-1]["with"]
        found = set()
        for pattern in with_["path"].split():
            for path in self.folder.glob(pattern):
                inside = path.rglob("*") if path.is_dir() else [path]
                found |= {each.relative_to(self.folder).as_posix() for each in inside}
        return found


def said(text):
    """Return a text with its expressions replaced by what the job of a pull request knows."""
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: KNOWN[match[1]], str(text))


@pytest.fixture
def repository(tmp_path, environment, command):
    """A clone in which two studies and the baseline of one are on `main`."""
    origin = tmp_path / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", origin], check=True)
    folder = tmp_path / "designer"
    folder.mkdir()
    made = Repository(folder)
    made.write(".gitignore", "reports/\nchecks/\n")
    for name in ("seats", "lengths"):
        text = STUDY.format(title=f"About {name}", most=ACCEPTED)
        made.write(f"configs/rigged/{name}.toml", text)
    kept = command("check", "rigged/seats", "rigged/lengths", "--json", "baselines", cwd=folder)
    assert kept.returncode == 0, kept.stderr
    shutil.rmtree(folder / "reports")
    (folder / "baselines" / "rigged" / "lengths.json").unlink()
    made.commit()
    made.git("remote", "add", "origin", origin)
    made.git("push", "--quiet", "origin", "main")
    made.git("fetch", "--quiet", "origin")
    made.git("checkout", "--quiet", "-b", "change")
    return made


def change(repository, name, most, title):
    text = STUDY.format(title=title, most=most)
    repository.write(f"configs/rigged/{name}.toml", text)
    repository.commit()


def test_a_budget_that_passes(workflow, repository, environment):
    change(repository, "seats", ACCEPTED, "Seats once more")
    job = Runner(workflow, repository.folder, environment).run()
    assert len(job.status) == 2
    assert job.failed == [], job.told
    assert "1 of 2 studies affected by what changed since origin/main." in job.summary
    assert "# Seats once more\n" in job.summary
    assert "# Seats once more: budgets\n" in job.summary
    assert "**Passed: 2 rows within what is accepted.**" in job.summary
    assert "Baseline: baselines/rigged/seats.json" in job.summary
    assert job.artifact() >= {
        "reports/index.html",
        "reports/rigged/seats/report.html",
        "reports/rigged/seats/summary.md",
        "reports/rigged/seats/summary.json",
        "checks/rigged/seats.json",
        "checks/rigged/seats.xml",
    }
    assert not any(name.endswith(".parquet") or "lengths" in name for name in job.artifact())


def test_a_budget_that_fails(workflow, repository, environment):
    change(repository, "lengths", TOO_LITTLE, "Lengths once more")
    job = Runner(workflow, repository.folder, environment).run()
    assert job.failed == ["Check their budgets"], job.told
    assert job.status["Check their budgets"] == 1
    assert "**Failed: of 2 rows, 2 failed.**" in job.summary
    assert "No baseline yet: baselines/rigged/lengths.json." in job.told
    assert job.artifact() >= {"reports/rigged/lengths/report.html", "checks/rigged/lengths.xml"}


def test_a_study_with_a_mistake(workflow, repository, environment):
    repository.write("configs/rigged/seats.toml", "games = ")
    repository.commit()
    job = Runner(workflow, repository.folder, environment).run()
    assert list(job.status.values()) == [2, 1]
    assert "not valid TOML" in job.told


def test_a_pull_request_that_affects_nothing(workflow, repository, environment):
    repository.write("README.md", "A game.")
    repository.commit()
    job = Runner(workflow, repository.folder, environment).run()
    assert job.failed == []
    assert "0 of 2 studies affected" in job.summary


def test_all_that_the_workflow_runs_is_here(workflow):
    """Beside `sim` it installs this checkout, and its actions name a version."""
    scripts = [step["run"] for step in steps(workflow) if "run" in step]
    assert scripts[0] == "python -m pip install -c constraints.txt -e ."
    assert all(script.startswith("sim ") for script in scripts[1:])
    actions = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", action) for action in actions)
    assert "://" not in WORKFLOW.read_text(encoding="utf-8")


def test_the_workflow_runs_when_a_study_changes(workflow):
    paths = workflow[True]["pull_request"]["paths"]  # YAML takes `on` for a truth
    assert {"configs/**", "baselines/**"} <= set(paths)
    for path in paths:
        name = path.removesuffix("/**")
        assert name == "baselines" or (ROOT / name).exists()
