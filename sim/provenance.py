"""Where a run comes from: versions, machine, git revision."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sim.study import Study

VERSIONS = ("tabletop-balance", "numpy", "numba", "polars", "joblib")


def provenance(study: Study) -> dict[str, Any]:
    """Return the versions, the machine and the git revision of the study's repository."""
    return {
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in VERSIONS},
        "machine": {"cores": os.cpu_count(), "cpu": _cpu(), "system": platform.system()},
        "git": _git(Path(study.source).parent),
    }


def _cpu() -> str:
    import llvmlite.binding

    return str(llvmlite.binding.get_host_cpu_name())


def _git(folder: Path) -> dict[str, Any] | None:
    """Return the revision of the repository that the study lies in, and whether it has changes."""
    where = ["git", "-C", str(folder if folder.is_dir() else Path.cwd())]
    try:
        revision = subprocess.run(
            [*where, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        )
        status = subprocess.run(
            [*where, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return {"revision": revision.stdout.strip(), "changed": bool(status.stdout.strip())}
