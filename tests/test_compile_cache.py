"""Where compiled code is kept, and what the user is told of it."""

import os
import re
import subprocess
import sys
import time

import numpy as np
from conftest import SIM, install
from rigged_study import as_anybody
from runs import hashes
from tiny_plugin import CALL, PLAY, answer

from sim import compiled, simulate
from sim.compiled import CACHE_NAME, KEPT_FINGERPRINTS
from sim.progress import Lines


def test_read_only_places_are_passed_over(call, tmp_path):
    """A folder that cannot be written, then a home that cannot be: the next place is used."""
    closed, home, temporary = (tmp_path / name for name in ("closed", "home", "temporary"))
    for place in (closed, home, temporary):
        place.mkdir()
    for place in (closed, home):
        place.chmod(0o555)
    places = {
        "SIM_CACHE_DIR": str(closed),
        "HOME": str(home),
        "XDG_CACHE_HOME": "",
        "TMPDIR": str(temporary),
        "preexec_fn": as_anybody,
    }
    assert call(**places) == (20, False)
    assert call(**places) == (20, True)
    assert len(list(temporary.rglob("*.nbc"))) == 1
    assert not list(home.rglob("*"))


def test_nowhere_to_keep_it_still_works(call, tmp_path):
    """Compiled each time then."""
    file = tmp_path / "file"
    file.write_text("")
    places = {"SIM_CACHE_DIR": str(file), "HOME": str(file), "XDG_CACHE_HOME": str(file)}
    code = ("import tempfile\ntempfile.gettempdir = lambda: str({!r})\n" + CALL).format(
        str(file), module="tiny.play", arguments="1"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=call.environment(**places),
        cwd=call.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["20", "False", "0"]


def test_a_script_keeps_its_kernel_and_typed_input_does_not(call, tiny):
    text = PLAY + "print(play(1), sum(play.stats.cache_hits.values()))\n"
    script = tiny.parent / "script.py"
    script.write_text(text)

    def run(*words, **how):
        return subprocess.check_output(
            [sys.executable, *words], env=call.environment(), cwd=call.folder, text=True, **how
        ).split()

    assert run(script) == ["20", "0"]
    assert run(script) == ["20", "1"]
    before = call.files()
    assert run("-", input=text) == ["20", "0"]
    assert call.files() == before


def test_four_first_runs_at_once(call):
    """All compile, all agree, and the fifth finds what they left."""
    started = [call.start() for _ in range(4)]
    assert [answer(process)[0] for process in started] == [20] * 4
    assert call() == (20, True)


def test_a_cache_folder_removed_while_in_use(call, tiny):
    """Another sim may clean up: the kernel is compiled again."""
    code = (
        "import shutil, os\nfrom tiny import play\n"
        "shutil.rmtree(os.environ['SIM_CACHE_DIR'])\nprint(play.play(1))"
    )
    out = subprocess.check_output(
        [sys.executable, "-c", code], env=call.environment(), cwd=call.folder, text=True
    )
    assert out.split() == ["20"]


def test_old_fingerprints_are_forgotten(call, tiny):
    """The ones used last stay, and so does everything that is not ours."""
    call.cache.mkdir()
    old = [call.cache / f"{i:020x}" for i in range(KEPT_FINGERPRINTS + 3)]
    for age, folder in enumerate(old):
        folder.mkdir()
        (folder / "x.nbc").write_text("")
        stamp = time.time() - 100 - age
        os.utime(folder, (stamp, stamp))
    foreign = call.cache / "thesis"
    foreign.mkdir()
    os.utime(foreign, (0, 0))
    (call.cache / "0123456789abcdef0123").write_text("a file")
    call()
    left = {path.name for path in call.cache.iterdir() if CACHE_NAME.fullmatch(path.name)}
    kept = {folder.name for folder in old[: KEPT_FINGERPRINTS - 1]}
    used = left - kept - {"0123456789abcdef0123"}
    assert kept < left
    assert len(used) == 1
    assert foreign.is_dir()


def test_a_folder_in_use_is_young_again(importable):
    importable(young_game="")
    folder = compiled.cache_folder("young_game")
    os.utime(folder, (0, 0))
    compiled.cache_folder.cache_clear()
    assert compiled.cache_folder("young_game") == folder
    assert folder.stat().st_mtime > time.time() - 100


def test_another_machine_or_compiler_has_its_own_folder(call, monkeypatch, importable):
    importable(moved_game="")
    here = compiled.cache_folder("moved_game")
    compiled.cache_folder.cache_clear()
    monkeypatch.setattr(compiled, "_machine", lambda: "another one")
    try:
        assert compiled.cache_folder("moved_game") != here
    finally:
        compiled.cache_folder.cache_clear()


def test_checked_code_has_its_own_folder(call, tiny):
    """`NUMBA_BOUNDSCHECK=1` finds a read beyond the end, whatever was compiled before."""
    (tiny / "far.py").write_text(
        "import numpy as np\nfrom sim.compiled import kernel\n\n"
        "@kernel\ndef get(a, i):\n    return a[i]\n\n"
        "try:\n    get(np.zeros(2), 2)\n    print('unseen')\n"
        "except IndexError:\n    print('seen')\n"
    )

    def run(**more):
        return subprocess.check_output(
            [sys.executable, "-m", "tiny.far"],
            env=call.environment(**more),
            cwd=call.folder,
            text=True,
        ).strip()

    assert [run(NUMBA_BOUNDSCHECK=way) for way in "010"] == ["unseen", "seen", "unseen"]


def test_numba_keeps_its_own_settings():
    """Only kernels are kept in the toolkit's folder, not what else a process compiles."""
    import numba

    assert os.environ.get("NUMBA_CACHE_DIR", "") == numba.config.CACHE_DIR


# What the user is told

COMPILED_GAME = """
import numpy as np
from rigged_game import RiggedGame
from sim.compiled import is_compiled, kernel

@kernel
def doubled(x):
    return x * 2

class CompiledGame(RiggedGame):
    name = "tinygame"
    title = "Tiny"

    def play(self, setup, seed, first, count, tables, at):
        assert doubled(np.int64(21)) == 42
        super().play(setup, seed, first, count, tables, at)

    def compiled(self):
        return is_compiled(doubled)

GAME = CompiledGame()
"""
MINE = 'game = "tinygame"\ngames = 130\nplayers = 2\n[lineups]\nmirror = ["plain"]\n'


def test_the_user_is_told_of_compiling_once(call, tiny, tmp_path):
    (tiny / "game.py").write_text(COMPILED_GAME)
    install(tiny.parent, "tinygame", "tiny.game:GAME")
    (tmp_path / "mine.toml").write_text(MINE)

    def run(out, *words):
        done = subprocess.run(
            [SIM, "run", tmp_path / "mine.toml", "--out", tmp_path / out, *words],
            env=call.environment(),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr

    first = run("one")
    assert len(re.findall(r"^Compiling Tiny for this machine, once; ", first, re.M)) == 1
    assert re.search(r"^Compiled in [0-9.]+ s; the next run starts at once\.$", first, re.M)
    files = call.files()
    second = run("two", "--jobs", "2", "--backend", "loky")
    assert "ompil" not in second
    assert call.files() == files, "nor do worker processes compile"
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")


def test_a_warm_game_is_not_compiled(small_run):
    """After a run nothing waits to be compiled, neither here nor in a new process."""
    game = small_run.game
    assert game.compiled()
    said = []
    progress = Lines()
    progress.say = said.append
    simulate.make_ready(game, progress)
    assert not said
    code = (
        "from sim.games.street_art import GAME\nfrom sim import simulate, progress\n"
        "assert GAME.compiled()\n"
        "simulate.make_ready(GAME, progress.Lines())\n"
        "from sim.games.street_art.play import play_batch\n"
        "print(sum(play_batch.stats.cache_hits.values()), "
        "sum(play_batch.stats.cache_misses.values()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]
    assert done.stderr == ""


def test_one_signature_for_every_cell(small_run, tmp_path):
    """Players, rotation, variants and batches are data: nothing more is ever compiled."""
    from sim.games.street_art.play import play_batch

    simulate.run(small_run.study, tmp_path / "run", jobs=1, batch=50)
    assert len(play_batch.signatures) == 1


def test_kernels_agree_with_plain_python(tiny, monkeypatch):
    """The decorators change speed alone."""

    @compiled.rule
    def half(x):
        return x // 2

    @compiled.big_rule
    def quotient(a, b):
        return half(a) // half(b)

    assert quotient(20, 6) == quotient.py_func(20, 6) == 3
    assert quotient(np.int64(20), np.int64(0)) == 0, "division by zero does not raise"
