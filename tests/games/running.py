"""Compiled rules run as plain Python too (`NUMBA_DISABLE_JIT=1`): what tests need for both."""

import numba
import numpy as np
import pytest


def uncompiled(test):
    """Mark a test as light enough to run without the compiler (`NUMBA_DISABLE_JIT=1`)."""
    return pytest.mark.uncompiled(test)


class Named(np.record):
    """A record whose fields come before the methods of numpy's records, such as `round`."""

    def __getattribute__(self, name):
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)


def running(array: np.ndarray) -> np.ndarray:
    """Return a structured array as the rules want it when they run uncompiled."""
    if numba.config.DISABLE_JIT and array.dtype.names:
        return array.view(np.dtype((Named, array.dtype)))
    return array
