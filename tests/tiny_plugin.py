"""A plug-in package with a very small kernel, called in processes of their own."""

import os
import subprocess
import sys

from runs import TESTS

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


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, path
    stamp = path.stat()
    path.write_text(text.replace(old, new))
    # nothing may depend on the clock, nor on the size when the texts are as long
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def write(package):
    """Write the package, whose kernel has its rules in other modules; return its folder."""
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
