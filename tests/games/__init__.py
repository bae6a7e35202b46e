"""Tests of the games; the asserts of the conformance suite explain themselves like a test's."""

import pytest

pytest.register_assert_rewrite("sim.conformance")
