"""Audits a finished run: a referee over a sample of its games; what rulings and numbers decide."""

from typing import Any


def audit(*args: Any, **kwargs: Any) -> Any:
    """Audit the finished run of a study: see `sim.audit.whole.audit`, which this is."""
    from sim.audit import whole

    return whole.audit(*args, **kwargs)
