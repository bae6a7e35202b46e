"""Which studies a change affects, told by git in a scratch repository."""

import subprocess

import pytest
from rigged_study import GOOD

from sim import affected, games
from sim.errors import SimError


class Repository:
    """A designer's repository, with a branch that begins at `main`."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "A designer")
        self.git("config", "user.email", "designer@example.invalid")

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder, *words], check=True, capture_output=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")

    def affected(self, since="main", baselines=None):
        studies = {path.stem: path for path in sorted((self.folder / "configs").glob("*.toml"))}
        return [*affected.affected(studies, since, baselines)]


@pytest.fixture
def repository(tmp_path, monkeypatch, rigged):
    made = Repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    made.write("configs/plain.toml", GOOD)
    made.write("configs/styled.toml", 'styles_from = ["../lib/styles.toml"]\n' + GOOD)
    made.write("configs/parts.toml", 'components_from = ["../lib/parts.toml"]\n' + GOOD)
    made.write("configs/other.toml", GOOD.replace("rigged", "street_art"))
    made.write("lib/styles.toml", "")
    made.write("lib/parts.toml", "")
    made.commit()
    made.git("checkout", "--quiet", "-b", "change")
    return made


def test_nothing_is_affected_without_a_change(repository):
    assert repository.affected() == []
    repository.write("README.md", "told")
    repository.commit()
    assert repository.affected() == []


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("configs/plain.toml", ["plain"]),
        ("configs/new and ümlaut.toml", ["new and ümlaut"]),
        ("lib/styles.toml", ["styled"]),
        ("lib/parts.toml", ["parts"]),
    ],
)
def test_a_study_is_affected_by_its_files(repository, name, known, committed):
    repository.write(name, "# changed\n" + GOOD)
    if committed:
        repository.commit()
    assert repository.affected() == known


def test_what_changed_on_the_other_branch_meanwhile_does_not_count(repository):
    repository.git("checkout", "--quiet", "main")
    repository.write("configs/plain.toml", "# changed there\n" + GOOD)
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    repository.write("configs/parts.toml", "# changed here\n" + GOOD)
    assert repository.affected() == ["parts"]


def test_a_lost_file_affects_those_that_refer_to_it(repository):
    (repository.folder / "lib" / "styles.toml").unlink()
    (repository.folder / "configs" / "plain.toml").unlink()
    assert repository.affected() == ["styled"]


def test_a_folder_below_the_top_knows_the_same(repository, monkeypatch):
    repository.write("configs/plain.toml", "# changed\n" + GOOD)
    monkeypatch.chdir(repository.folder / "configs")
    assert repository.affected() == ["plain"]


def test_rules_and_components_affect_all_studies_of_their_game(repository, monkeypatch):
    game = games.get("rigged")
    rules = repository.write("rules.py", "old")
    components = repository.write("components.toml", "old = 1")
    repository.write("notes.txt", "old")
    repository.commit()
    monkeypatch.setattr(affected, "source_files", lambda module: [rules])
    monkeypatch.setattr(type(game), "components_source", components, raising=False)
    assert repository.affected("HEAD") == []
    repository.write("notes.txt", "new")
    assert repository.affected("HEAD") == []
    repository.write("components.toml", "new = 1")
    assert repository.affected("HEAD") == ["parts", "plain", "styled"]
    repository.git("checkout", "components.toml")
    repository.write("rules.py", "new")
    assert repository.affected("HEAD") == ["other", "parts", "plain", "styled"]


def test_a_baseline_affects_its_study(repository):
    repository.write("baselines/rigged/plain.json", "{}")
    folder = repository.folder / "baselines"
    assert repository.affected(baselines=folder) == ["plain"]
    assert repository.affected() == []


def test_a_study_that_cannot_be_read_is_affected_by_its_own_change(repository):
    repository.write("configs/plain.toml", "games = ")
    assert repository.affected() == ["plain"]


def test_a_revision_that_git_does_not_know_is_a_mistake(repository):
    for name in ("origin/main", "--all", ""):
        with pytest.raises(SimError, match="which git does not know here"):
            repository.affected(name)


def test_without_a_repository_there_is_nothing_to_compare_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SimError, match=r"since: .* is in no git repository"):
        affected.changed_files("main")


def test_the_command_does_those_that_are_affected(repository, main):
    done = main("check", "--since", "main", "--markdown", "check.md")
    assert (done.returncode, done.stderr) == (0, "")
    nothing = "0 of 4 studies affected by what changed since main."
    assert done.stdout.strip() == nothing
    assert (repository.folder / "check.md").read_text().strip() == nothing
    repository.write("configs/plain.toml", GOOD + "[budgets]\nseat_share = { max = 0.01 }\n")
    done = main("check", "--since", "main", "--markdown", "check.md")
    assert done.returncode == 1
    assert "1 of 4 studies affected by what changed since main." in done.stdout
    text = (repository.folder / "check.md").read_text(encoding="utf-8")
    assert "# Rigged Stones: plain: budgets" in text
    assert "**Failed:" in text
