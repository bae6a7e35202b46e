"""Lets the asserts of the conformance suite explain themselves like those of a test."""

import pytest

pytest.register_assert_rewrite("sim.conformance")
