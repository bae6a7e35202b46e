"""Monte Carlo balance studies for board games.

`sim.run(study)` plays a study and returns its Run; `sim.open_run(folder)` opens one again;
`sim.load_study(path)` reads and checks a study; `sim.watch.watch(study, game)` plays one of its
games again to tell or draw it.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "run": ("sim.simulate", "run"),
    "open_run": ("sim.store", "open_run"),
    "load_study": ("sim.study", "load"),
    "SimError": ("sim.errors", "SimError"),
}

__all__ = ["SimError", "load_study", "open_run", "run"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the parts of the package when they are first asked for."""
    if name == "watch":
        return import_module("sim.watch")
    if name in _HOME:
        module, attribute = _HOME[name]
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
