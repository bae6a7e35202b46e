"""The level of the intervals that are being worked out: 95 %, or higher where many must hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CONFIDENCE = 0.95

_level: ContextVar[float] = ContextVar("level", default=CONFIDENCE)


def level() -> float:
    """Return the level in use here."""
    return _level.get()


@contextmanager
def at_level(confidence: float) -> Iterator[None]:
    """Let every interval inside be one of this level, unless its maker names another."""
    token = _level.set(confidence)
    try:
        yield
    finally:
        _level.reset(token)
