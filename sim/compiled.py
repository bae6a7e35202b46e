"""How rules are compiled, and where compiled code is kept between runs.

Numba's disk cache looks only at the file of the cached function, so a changed helper in another
module would be answered from old code. Each kernel is therefore kept in a folder named by a
fingerprint of all source that it may use, of the compiler's versions and of the CPU.
"""

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import platformdirs

PACKAGE = Path(__file__).parent
GAMES = PACKAGE / "games"
SHARED = ("compiled.py", "streams.py", "choice.py")
"""Modules of `sim` whose code is compiled into every game; `games/*.py` are added to them."""
ANALYSIS = "analysis"
"""A game's folder of metrics and findings, whose change makes no finished run stale."""
KEPT_FINGERPRINTS = 48
"""Four games with their plug-ins, some versions of each: below 300 MB."""
CACHE_NAME = re.compile("[0-9a-f]{20}")

rule = numba.njit(nogil=True, error_model="numpy", forceinline=True)
"""A small step of the rules: inlined into its caller."""
big_rule = numba.njit(nogil=True, error_model="numpy")
"""A step that is long or called from many places."""
outer_rule = numba.njit(nogil=True, error_model="numpy", inline="always")
"""A frame around most of the rules (a turn, a game): merged into its caller before that is
compiled, else everything that it calls would be optimised once more for the frame alone."""


def source_files(module: str) -> list[Path]:
    """Return the source files whose code a kernel defined in `module` may use.

    A game of the toolkit: its folder. A plug-in: its whole top-level package, or for a lone file
    the files beside it that it names. Either may reuse the rules of another game. Folders named
    `analysis` are left out.
    """
    own = _own_files(*_origin(module))
    text = "".join(map(_text, own))
    reused = {
        file
        for folder in GAMES.iterdir()
        if folder.is_dir() and folder.name in text
        for file in _sources(folder)
    }
    return sorted({PACKAGE / name for name in SHARED} | set(GAMES.glob("*.py")) | own | reused)


def _own_files(name: str, origin: Path | None) -> set[Path]:
    if origin is None:
        return set()
    if origin.is_relative_to(GAMES):
        return _sources(GAMES / origin.relative_to(GAMES).parts[0])
    depth = name.count(".") + (origin.name == "__init__.py")
    return _sources(origin.parents[depth - 1]) if depth else _named_beside(origin)


def _sources(folder: Path) -> set[Path]:
    """Return a folder's Python files but for those that only read finished runs."""
    files = set(folder.rglob("*.py"))
    return {file for file in files if ANALYSIS not in file.relative_to(folder).parts[:-1]}


def _origin(module: str) -> tuple[str, Path | None]:
    """Return a module's name and file; no file for a notebook or typed input."""
    try:
        spec = importlib.util.find_spec(module)
    except ValueError:  # `__main__` has no spec when it is a script
        spec = None
    file = spec.origin if spec else getattr(sys.modules.get(module), "__file__", None)
    path = Path(file) if file else None
    return spec.name if spec else module, path if path and path.is_file() else None


def _named_beside(file: Path) -> set[Path]:
    """Return a lone file, the files beside it that it names, and so on from these."""
    found: set[Path] = set()
    waiting = {file}
    while waiting:
        found |= waiting
        words = {word for known in waiting for word in re.findall(r"\w+", _text(known))}
        named = {file.parent / f"{word}.py" for word in words}
        waiting = {path for path in named if path.is_file()} - found
    return found


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def source_fingerprint(module: str) -> str:
    """Return a hash of the source behind a kernel: the identity of the rules as played."""
    digest = hashlib.sha256()
    for file in source_files(module):
        digest.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _machine() -> str:
    parts = [platform.python_version(), *(version(name) for name in ("numpy", "numba", "llvmlite"))]
    config: Any = numba.config
    checked = f"boundscheck={config.BOUNDSCHECK}"  # which Numba's cache does not look at
    return " ".join([*parts, llvmlite.binding.get_host_cpu_name(), platform.machine(), checked])


@cache
def cache_folder(module: str) -> Path | None:
    """Return the folder for the compiled code of `module`, None where none can be kept."""
    if _origin(module)[1] is None:
        return None
    text = f"{source_fingerprint(module)} {_machine()} {module}"
    name = hashlib.sha256(text.encode()).hexdigest()[:20]
    for root in _cache_roots():
        folder = root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                os.utime(folder)
        except OSError:
            continue
        _forget_old(root, folder)
        return folder
    return None


def _cache_roots() -> Iterator[Path]:
    """Yield where compiled code may be kept, best first; a read-only home is passed over."""
    if chosen := os.environ.get("SIM_CACHE_DIR"):
        yield Path(chosen)
    yield Path(platformdirs.user_cache_dir("sim", appauthor=False))
    user = getattr(os, "getuid", lambda: 0)()
    with suppress(OSError):  # not even a place for temporary files
        shared = Path(tempfile.gettempdir()) / f"sim-cache-{user}"
        shared.mkdir(mode=0o700, exist_ok=True)
        # loading a cache runs it: only from a folder that nobody else could have filled
        if os.name != "posix" or (shared.stat().st_uid, shared.stat().st_mode & 0o77) == (user, 0):
            yield shared


def _forget_old(root: Path, used: Path) -> None:
    """Remove the folders of fingerprints that have not been used for longest."""
    try:
        ours = [entry for entry in root.iterdir() if CACHE_NAME.fullmatch(entry.name)]
        folders = [entry for entry in ours if entry.is_dir() and entry != used]
        folders.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
    except OSError:
        return
    for folder in folders[KEPT_FINGERPRINTS - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _cache_dir(folder: Path) -> Iterator[None]:
    """Point Numba's cache at `folder` for the functions declared inside."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point of a game: a module-level function, kept on disk between runs."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    folder = cache_folder(function.__module__)
    if folder is None:
        return numba.njit(**options)(function)
    with _cache_dir(folder):
        return numba.njit(cache=True, **options)(function)


def is_compiled(entry: Any) -> bool:
    """Tell whether an entry point is compiled in this process or waits in the disk cache."""
    if not hasattr(entry, "py_func") or entry.signatures:
        return True
    folder = cache_folder(entry.py_func.__module__)
    name = entry.py_func.__qualname__
    return folder is not None and any(folder.rglob(f"*.{name}-*.nbc"))
