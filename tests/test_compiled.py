"""Compiled code on disk: used again when nothing changed, never when anything did."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import tiny_plugin
from tiny_plugin import Caller, edit

from sim import compiled, games
from sim.compiled import PACKAGE, source_files, source_fingerprint

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
            own = {"games", "skeleton"} & set(path.parts) and compiled.ANALYSIS not in path.parts
            assert path in covered or own, path


# What belongs to a fingerprint


def test_files_of_a_shipped_game():
    files = {
        path.relative_to(PACKAGE).as_posix() for path in source_files("sim.games.street_art.play")
    }
    assert {"compiled.py", "streams.py", "choice.py", "games/street_art/rules.py"} <= files
    assert "simulate.py" not in files
    assert source_files("sim.games.street_art") == source_files("sim.games.street_art.rules")


def own_files(module):
    return {path.name for path in source_files(module) if not path.is_relative_to(PACKAGE)}


def test_analysis_is_no_part_of_the_rules(tmp_path, monkeypatch):
    """A package's folder of that name, at any depth; not a file of that name."""
    package = tiny_plugin.write(tmp_path / "analysed")
    monkeypatch.syspath_prepend(tmp_path)
    before = source_fingerprint("analysed.play")
    for folder in (package / "analysis", package / "deep" / "analysis" / "more"):
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("BONUS = 7\n")
    assert source_fingerprint("analysed.play") == before
    (package / "analysis.py").write_text("BONUS = 7\n")
    assert source_fingerprint("analysed.play") != before


def test_analysis_of_a_shipped_game_is_no_part_of_the_rules(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "GAMES", tmp_path)
    rules, metrics = tmp_path / "chess" / "rules.py", tmp_path / "chess" / "analysis" / "mates.py"
    for path in (rules, metrics):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    assert compiled._own_files("sim.games.chess.rules", rules) == {rules}
    (tmp_path.parent / "like_chess.py").write_text("from sim.games.chess import rules\n")
    monkeypatch.syspath_prepend(tmp_path.parent)
    assert rules in source_files("like_chess")
    assert metrics not in source_files("like_chess")


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
