"""Compiled code on disk: used again when nothing changed, never when anything did."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import SIM, TESTS, install
from runs import hashes

from sim import compiled, games, simulate
from sim.compiled import CACHE_NAME, KEPT_FINGERPRINTS, PACKAGE, source_files, source_fingerprint
from sim.progress import Lines

RULES = """
from sim.compiled import rule
from tiny.numbers import BONUS

@rule
def step(x):
    return x + BONUS
"""
NUMBERS = "BONUS = 1\n"
DEEP = "FACTOR = 10\n"
PLAY = """
from sim.compiled import kernel
from tiny.deep.factors import FACTOR
from tiny.rules import step

@kernel
def play(x):
    return step(x) * FACTOR
"""
CALL = """
import sys
from {module} import play
from sim.compiled import is_compiled
waiting = is_compiled(play)
print(play({arguments}), waiting, sum(play.stats.cache_hits.values()))
"""


class Caller:
    """Calls a kernel in a process of its own, with the cache in a folder of the test."""

    def __init__(self, folder, cache):
        self.folder, self.cache = folder, cache

    def environment(self, **more):
        path = os.pathsep.join([str(self.folder), str(TESTS)])
        found = {k: v for k, v in os.environ.items() if k not in ("SIM_CACHE_DIR", "HOME")}
        found |= {"PYTHONPATH": path, "SIM_CACHE_DIR": str(self.cache)}
        return found | {"HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"} | more

    def start(self, module="tiny.play", arguments="1", preexec_fn=None, **more):
        return subprocess.Popen(
            [sys.executable, "-c", CALL.format(module=module, arguments=arguments)],
            env=self.environment(**more),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=preexec_fn,  # noqa: PLW1509 - no threads here
        )

    def __call__(self, *arguments, **more):
        """Return the kernel's result, and whether it came from the cache."""
        result, waiting, hits = answer(self.start(*arguments, **more))
        assert waiting == hits, "is_compiled knows beforehand"
        return result, hits

    def files(self):
        return sorted(self.cache.rglob("*.nbc"))


def answer(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    result, waiting, hits = out.split()
    return int(result), waiting == "True", hits == "1"


@pytest.fixture
def tiny(tmp_path):
    """A plug-in package with a kernel whose rules lie in other modules."""
    package = tmp_path / "plugins" / "tiny"
    (package / "deep").mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "rules.py": RULES,
        "numbers.py": NUMBERS,
        "play.py": PLAY,
        "deep/__init__.py": "",
        "deep/factors.py": DEEP,
    }.items():
        (package / name).write_text(text)
    return package


@pytest.fixture
def call(tiny, tmp_path):
    return Caller(tiny.parent, tmp_path / "cache")


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, path
    stamp = path.stat()
    path.write_text(text.replace(old, new))
    # nothing may depend on the clock, nor on the size when the texts are as long
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


# A change is never answered from old code


def test_a_change_anywhere_in_a_plug_in_is_seen(call, tiny):
    """And code that is as it was is not compiled again."""
    assert call() == (20, False)
    for file, old, new, result in [
        ("rules.py", "x + BONUS", "x - BONUS", 0),
        ("numbers.py", "BONUS = 1", "BONUS = 2", 30),
        ("deep/factors.py", "FACTOR = 10", "FACTOR = 20", 40),
        ("play.py", "* FACTOR", "- FACTOR", -8),
    ]:
        edit(tiny / file, old, new)
        assert call() == (result, False), file
        edit(tiny / file, new, old)
    files = call.files()
    assert len(files) == 5
    assert call() == (20, True)
    assert call.files() == files


def test_a_new_module_in_a_plug_in_is_seen(tiny, monkeypatch):
    monkeypatch.syspath_prepend(tiny.parent)
    before = source_fingerprint("tiny.play")
    (tiny / "more.py").write_text("BONUS = 5\n")
    assert source_fingerprint("tiny.play") != before


IN_THE_PACKAGE = """
import numpy as np
from sim import choice, streams
from sim.compiled import kernel
from sim.games.street_art.components import {number}
from sim.games.street_art.rules import note

STATE = np.dtype(
    [
        ("rng", "u8", (4, 4)),
        ("n_actions", "i8"),
        ("value", "f8", 8),
        ("turn", "i8"),
        ("log_n", "i8"),
        ("temperature", "f8", 2),
    ],
    align=True,
)

@kernel
def probe(state, log):
    s = state[0]
    streams.seed_stream(s, streams.CHOICES, 1, 2)
    s.n_actions = 8
    picked = choice.choose(s, 0)
    note(s, log, 0, 1, 2, 3, 4)
    bits = streams.next_u64(s, streams.CHOICES) % np.uint64(100000)
    return picked * 10000000000 + {number} * 100000 + np.int64(bits) + log[0, 3] * 100000000000

def play(temperature):
    state = np.zeros(1, STATE)
    state["temperature"] = temperature
    return probe(state, np.zeros((1, 6), np.int32))

play.stats = probe.stats
play.py_func = probe.py_func
play.signatures = probe.signatures
"""


@pytest.fixture
def copied(tmp_path):
    """A copy of the package with a small kernel in Street Art's folder."""
    folder = tmp_path / "copy"
    shutil.copytree(PACKAGE, folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    probe = IN_THE_PACKAGE.format(number="NO_KIND")
    (folder / "sim" / "games" / "street_art" / "probe.py").write_text(probe)
    return Caller(folder, tmp_path / "cache")


def test_a_change_in_any_module_of_the_package_is_seen(copied):
    """Streams, choice, rules and numbers lie in other files than the kernel."""
    sim = copied.folder / "sim"
    module = "sim.games.street_art.probe"

    def see():
        return copied(module, "0.5")

    first, cached = see()
    assert not cached
    for file, old, new in [
        ("streams.py", "WARM_UP = 18", "WARM_UP = 19"),
        ("choice.py", "left -= share", "left -= share / 2"),
        ("games/street_art/rules.py", "log[row, 3] = a", "log[row, 3] = a + 1"),
        ("games/street_art/components.py", "NO_KIND = -1", "NO_KIND = -2"),
    ]:
        edit(sim / file, old, new)
        changed, cached = see()
        assert changed != first, file
        assert not cached, file
        edit(sim / file, new, old)
    assert see() == (first, True)


def test_a_change_in_how_rules_are_compiled_is_seen(copied):
    """The decorators' options are part of the fingerprint, by their source."""
    code = (
        "from sim.compiled import cache_folder; print(cache_folder('sim.games.street_art.probe'))"
    )

    def folder():
        return subprocess.check_output(
            [sys.executable, "-c", code], env=copied.environment(), cwd=copied.folder, text=True
        )

    first = folder()
    edit(
        copied.folder / "sim" / "compiled.py",
        'options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}',
        'options: dict[str, Any] = {"nogil": True, "error_model": "python"}',
    )
    assert folder() != first


STREET_ART = """
import hashlib, sys
import numpy as np
from sim import study
from sim.games.street_art import GAME
from sim.plan import plan
import sim.games.street_art.play as play
data = {"game": "street_art", "players": [4], "games": 300, "lineups": {"mirror": ["greedy"]}}
setup = plan(study.from_dict(data)).setup(plan(study.from_dict(data)).cells[0])
tables = GAME.tables_for(setup, 300)
GAME.play(setup, 1, 0, 300, tables, 0)
digest = hashlib.sha256(b"".join(table.tobytes() for table in tables.values())).hexdigest()
print(int(digest[:12], 16), GAME.compiled(), sum(play.play_batch.stats.cache_hits.values()))
"""


@pytest.mark.slow
def test_street_art_itself_is_never_answered_from_old_code(tmp_path):
    """The same, with the whole game: a helper, a feature, a number, a stream, a choice."""
    folder = tmp_path / "copy"
    shutil.copytree(PACKAGE, folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    caller = Caller(folder, tmp_path / "cache")

    def see():
        done = subprocess.run(
            [sys.executable, "-c", STREET_ART],
            env=caller.environment(),
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        result, _, hits = done.stdout.split()
        return int(result), hits == "1"

    first, cached = see()
    assert not cached
    assert see() == (first, True)
    for file, old, new in [
        ("streams.py", "WARM_UP = 18", "WARM_UP = 19"),
        ("choice.py", "skip -= 1", "skip -= 2"),
        ("games/street_art/events.py", "RAIN = 3", "RAIN = 2"),
        ("games/street_art/rules.py", "s.turn = 0", "s.turn = 1"),
    ]:
        path = folder / "sim" / file
        if path.read_text().count(old) != 1:
            pattern = re.compile(rf"^( *){re.escape(old)}$", re.MULTILINE)
            text = path.read_text()
            assert pattern.search(text), file
            path.write_text(pattern.sub(rf"\g<1>{new}", text, count=1))
        else:
            edit(path, old, new)
        changed, cached = see()
        assert not cached, file
        assert changed != first, file
        shutil.copy(PACKAGE / file, path)
    assert see() == (first, True)


def functions_behind(entry):
    """Yield every compiled function that an entry point may call, and the modules of globals."""
    waiting, seen = [entry.py_func], set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        yield function
        for name in function.__code__.co_names:
            found = function.__globals__.get(name)
            inside = [found] if not isinstance(found, ModuleType) else vars(found).values()
            waiting += [f.py_func for f in inside if hasattr(f, "py_func")]


@pytest.mark.parametrize("name", games.names())
def test_the_fingerprint_covers_all_that_a_kernel_may_use(name):
    """Every function behind an entry point, and every module of the package it names."""
    game = games.get(name)
    folder = type(game).__module__
    __import__(f"{folder}.play")
    module = sys.modules[f"{folder}.play"]
    kernels = [
        found
        for found in vars(module).values()
        if type(getattr(found, "_cache", None)).__name__ == "FunctionCache"
    ]
    assert kernels
    covered = set(source_files(module.__name__))
    assert covered == set(source_files(folder))
    for kernel in kernels:
        behind = list(functions_behind(kernel))
        assert len(behind) > 3
        for function in behind:
            assert Path(function.__code__.co_filename) in covered, function
            for used in function.__code__.co_names:
                value = function.__globals__.get(used)
                if isinstance(value, ModuleType) and value.__name__.startswith("sim"):
                    assert Path(value.__file__) in covered, used


def test_nothing_is_compiled_outside_the_fingerprint():
    """A helper with compiled code elsewhere in `sim` would go unseen: list it in SHARED."""
    covered = {*source_files("sim.games.street_art.play")}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        if re.search(r"^@(rule|big_rule|outer_rule|kernel|numba\.|njit)", text, re.MULTILINE):
            assert path in covered or "games" in path.parts, path


# What belongs to a fingerprint


def test_files_of_a_shipped_game():
    files = {
        path.relative_to(PACKAGE).as_posix() for path in source_files("sim.games.street_art.play")
    }
    assert {"compiled.py", "streams.py", "choice.py", "games/street_art/rules.py"} <= files
    assert "simulate.py" not in files
    assert source_files("sim.games.street_art") == source_files("sim.games.street_art.rules")


@pytest.fixture
def importable(tmp_path, monkeypatch):
    """Write files into a folder on the path."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        return tmp_path

    return write


def own_files(module):
    return {path.name for path in source_files(module) if not path.is_relative_to(PACKAGE)}


def test_files_of_a_lone_plug_in(importable):
    """Lone files: what it names beside it, and what these name; nothing else in the folder."""
    importable(
        lonely_game="from lonely_rules import step\n",
        lonely_rules="import lonely_numbers\n",
        lonely_numbers="BONUS = 1\n",
        unrelated="print()\n",
    )
    assert own_files("lonely_game") == {"lonely_game.py", "lonely_rules.py", "lonely_numbers.py"}


def test_a_change_beside_a_lone_plug_in_changes_its_fingerprint(importable):
    folder = importable(lonely_two="import lonely_help\n", lonely_help="X = 1\n", other="X = 1\n")
    before = source_fingerprint("lonely_two")
    importable(other="X = 2\n")
    assert source_fingerprint("lonely_two") == before
    importable(lonely_help="X = 2\n")
    assert source_fingerprint("lonely_two") != before
    assert not list(folder.glob("*.nbc"))


def test_a_plug_in_that_reuses_the_rules_of_a_game(importable):
    """Its kernel holds code of that game too."""
    importable(
        like_street="from sim.games.street_art import rules\n", unlike="from sim import streams\n"
    )
    rules = PACKAGE / "games" / "street_art" / "rules.py"
    assert rules in source_files("like_street")
    assert rules not in source_files("unlike")


def test_the_rigged_game_has_a_fingerprint_of_its_own(rigged):
    assert own_files("rigged_game") == {"rigged_game.py"}
    assert source_fingerprint("rigged_game") != source_fingerprint("sim.games.street_art")


def test_two_plug_ins_do_not_share_a_folder(importable):
    importable(one_game="", two_game="")
    assert compiled.cache_folder("one_game") != compiled.cache_folder("two_game")


# Where compiled code is kept


def as_anybody():
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


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
