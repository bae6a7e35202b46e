"""Audits a finished run: a referee over a sample of its games; what rulings and numbers decide.

`audit(study)` does it, `read(folder)` returns what was found, `write(audit)` writes its page.
"""

from importlib import import_module
from typing import Any

_HOME = {"audit": "sim.audit.whole", "read": "sim.audit.found", "write": "sim.audit.page"}

__all__ = ["audit", "read", "write"]


def __getattr__(name: str) -> Any:
    """Load the parts when they are first asked for."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
