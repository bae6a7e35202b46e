"""How workers, threads or processes, do tasks and come to an end: when told, or with whoever
started them."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any

LOOK_SECONDS = 0.5
JOBLIB_NAMES = {"threads": "threading", "loky": "loky"}


class Stopped(Exception):
    """The run was asked to stop between two batches."""


class Crew:
    """The threads that play shards: told to stop, they end after the batch in hand."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance = advance
        self._changed = threading.Condition()
        self._stopping = False
        self._playing: set[int] = set()

    def __enter__(self) -> None:
        with self._changed:
            self._check()
            self._playing.add(threading.get_ident())

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._playing.discard(threading.get_ident())
            self._changed.notify_all()

    def advance(self, played: int) -> None:
        """Count games as played; raise Stopped when the crew is to stop."""
        self._check()
        self._advance(played)

    def stop(self) -> None:
        """Let no thread begin another batch, and wait for those that others have in hand."""
        me = {threading.get_ident()}  # Ctrl-C may have come between two lines of this class
        with self._changed:
            self._stopping = True
            self._changed.wait_for(lambda: not self._playing - me)

    def _check(self) -> None:
        if self._stopping:
            raise Stopped


def results_of(
    work: Callable[[Any, Crew | None], Any],
    tasks: Iterable[Any],
    jobs: int,
    backend: str,
    crew: Crew | None,
) -> Generator[Any, None, None]:
    """Yield what `work(task, crew)` returns, as tasks are done; no crew where processes work.

    To be closed (`contextlib.closing`): the workers have ended when that returns.
    """
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, backend=JOBLIB_NAMES[backend], return_as="generator_unordered")
    results: Any = None
    try:
        with nullcontext() if crew else ctrl_c_held_back():
            results = parallel(delayed(work)(task, crew) for task in tasks)
        for result in results:  # noqa: UP028 (it would close the results before the crew stops)
            yield result
    except BaseException:
        if crew:
            crew.stop()
        if results:
            _close(results)
        raise


def _close(results: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # joblib's, that results were not fetched
        results.close()


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Block SIGINT while worker processes start: they inherit that, and only we hear Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    _start_trackers()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_trackers() -> None:
    """Start the helpers of worker processes, which let SIGINT through again as they start.

    They would also warn of what a killed run leaves, though they sweep it away.
    """
    from multiprocessing import resource_tracker as multiprocessing_tracker

    from joblib.externals.loky.backend import resource_tracker as loky_tracker

    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, "ignore:resource_tracker"]))
    try:
        multiprocessing_tracker.ensure_running()
        loky_tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


@cache
def end_with(parent: int) -> None:
    """End this worker process soon after the process that gives it work was killed.

    It would wait for work for minutes, and keep the reader of a pipe waiting.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, name="end with parent", daemon=True).start()
