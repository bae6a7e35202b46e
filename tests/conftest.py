"""What several test files share: a rigged game as a plug-in, the command, a small finished run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import rigged_study
import tiny_plugin
from plugged import install
from runs import TESTS

from sim import cli, games, simulate, study

SIM = Path(sys.executable).with_name("sim")

if "SIM_CACHE_DIR" in os.environ:
    # commands are run in other folders
    os.environ["SIM_CACHE_DIR"] = os.path.abspath(os.environ["SIM_CACHE_DIR"])

SMALL = {
    "title": "Street Art, small",
    "game": "street_art",
    "players": [2, 3, 4],
    "games": 600,
    "seed": 5,
    "lineups": {"mirror": ["greedy"], "round_robin": ["random", "greedy", "thief"]},
    "variants": {"base": {}, "hearts60": {"rulings": {"hearts": 60}}},
}


LONG = [
    line
    for line in (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests of slow.txt before slow ones are left out."""
    for item in items:
        if item.nodeid.startswith(tuple(LONG)):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """A finished run of Street Art: two variants, 2 to 4 players, mirrored and rotated cells."""
    folder = tmp_path_factory.mktemp("small") / "street_art" / "small"
    return simulate.run(study.from_dict(SMALL, name="small"), folder)


@pytest.fixture(scope="session")
def plugins(tmp_path_factory):
    """A folder that makes the rigged game a plug-in for whoever has it on the path."""
    return install(tmp_path_factory.mktemp("plugins"), "rigged", "rigged_game:GAME")


@pytest.fixture
def rigged(monkeypatch, plugins):
    """The rigged game, registered like any plug-in, also for worker processes."""
    monkeypatch.syspath_prepend(plugins)
    games.names.cache_clear()
    games.get.cache_clear()
    yield games.get("rigged")
    games.names.cache_clear()
    games.get.cache_clear()


@pytest.fixture
def fresh_workers(rigged):
    """Let worker processes start anew: those of an earlier test know no rigged game."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)
    yield
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@pytest.fixture
def rigged_run(rigged, tmp_path):
    """Return a function that plays the rigged game and returns the finished run."""

    def play(
        rulings=None,
        *,
        players=(3,),
        games=250,
        lineups=None,
        variants=None,
        out=None,
        title="",
        **how,
    ):
        data = {
            "title": title,
            "game": "rigged",
            "players": list(players),
            "games": games,
            "lineups": lineups or {"mirror": ["plain"]},
            "rulings": rulings or {},
            "variants": variants or {},
        }
        return simulate.run(study.from_dict(data), out or tmp_path / "run", **how)

    return play


@pytest.fixture
def environment(plugins, tmp_path):
    """The environment of a command: knows the rigged game, keeps compiled code as usual."""
    path = os.pathsep.join([str(plugins), str(TESTS), str(TESTS.parent)])
    return os.environ | {"PYTHONPATH": path, "COLUMNS": "100", "NO_COLOR": "1"}


@pytest.fixture
def command(environment, tmp_path):
    """Run `sim` in a folder of its own; return the finished process."""

    def run(*arguments, timeout=300, env=None, **how):
        how.setdefault("cwd", tmp_path)
        return subprocess.run(
            [SIM, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=environment | (env or {}),
            check=False,
            **how,
        )

    return run


@pytest.fixture
def folder(tmp_path):
    """Where `play` puts its run."""
    return tmp_path / "out" / "run"


@pytest.fixture
def play(rigged, folder):
    """Play the stones study, changed by `changes`; return the run and what was said."""

    def play(changes=None, out=folder, **how):
        said = rigged_study.Said()
        data = rigged_study.STUDY | (changes or {})
        how = {"jobs": 2, "backend": "threads", "progress": said} | how
        return simulate.run(study.from_dict(data, name="stones"), out, **how), said

    return play


@pytest.fixture
def tiny(tmp_path):
    """A plug-in package with a kernel whose rules lie in other modules."""
    return tiny_plugin.write(tmp_path / "plugins" / "tiny")


@pytest.fixture
def call(tiny, tmp_path):
    """Call the plug-in's kernel in processes of their own, with a cache folder of the test."""
    return tiny_plugin.Caller(tiny.parent, tmp_path / "cache")


@pytest.fixture
def importable(tmp_path, monkeypatch):
    """Write files into a folder on the path."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        return tmp_path

    return write


@pytest.fixture
def main(rigged, tmp_path, monkeypatch, capsys):
    """Run `main` as the shell calls it, in a folder of its own: status, stdout, stderr.

    In this process, which is quicker; `command` starts one.
    """
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["sim", *map(str, words)])
        before = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as status:
                cli.main()
        finally:
            signal.signal(signal.SIGINT, before)
        return subprocess.CompletedProcess(words, status.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def mine(tmp_path):
    """Write a study; return its path."""

    def write(text=rigged_study.GOOD, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write
