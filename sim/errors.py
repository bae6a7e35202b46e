"""Mistakes that a user can mend, told in one line."""

import difflib
from collections.abc import Iterable


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
