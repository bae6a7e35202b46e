"""Mistakes that a user can mend, told in one line."""

import difflib
import sys
import traceback
from collections.abc import Iterable

MISTAKE, FAULT = 2, 70
"""Exit status of the command: a user's mistake, a fault of sim itself (EX_SOFTWARE)."""


class SimError(Exception):
    """A mistake in a user's input or files; the message is one clear line."""


def suggest(word: str, allowed: Iterable[str]) -> str:
    """Return `' Did you mean "x"?'` for the allowed name nearest to `word`, or `''`."""
    lower = {name.lower(): name for name in allowed}
    near = difflib.get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return f' Did you mean "{lower[near[0]]}"?' if near else ""


def listing(names: Iterable[object]) -> str:
    """Return the names as a comma-separated line for a message."""
    return ", ".join(str(name) for name in names)


def tell(error: Exception, where: str = "") -> int:
    """Print an error, in a line if a user can mend it; return the exit status that it has."""
    if isinstance(error, SimError):
        print(f"sim: {error}", file=sys.stderr)
        return MISTAKE
    if isinstance(error, OSError) and error.filename:
        print(f"sim: {error.filename}: {error.strerror}", file=sys.stderr)
        return MISTAKE
    traceback.print_exception(error)
    if where:
        print(f"sim: {where}: a fault in sim itself", file=sys.stderr)
    return FAULT
