import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress

import psutil
import pytest
from joblib.externals.loky import get_reusable_executor
from runs import wait_for

from sim import workers
from sim.workers import Crew, Stopped, ctrl_c_held_back


def test_a_crew_is_waited_for_and_does_not_begin_again():
    counted = []
    crew = Crew(counted.append)
    began, leave = threading.Event(), threading.Event()
    ended = []

    def play():
        with suppress(Stopped), crew:
            began.set()
            leave.wait()
            ended.append(True)
            crew.advance(5)
            ended.append(False)

    thread = threading.Thread(target=play)
    thread.start()
    began.wait()
    crew_stop = threading.Thread(target=crew.stop)
    crew_stop.start()
    time.sleep(0.05)
    assert crew_stop.is_alive(), "it waits for the batch in hand"
    leave.set()
    crew_stop.join(10)
    assert ended == [True]
    assert not crew_stop.is_alive()
    assert counted == []
    with pytest.raises(Stopped), crew:
        pass


def test_a_crew_counts():
    counted = []
    crew = Crew(counted.append)
    with crew:
        crew.advance(3)
        crew.advance(4)
    assert counted == [3, 4]
    crew.stop()


def test_an_interrupt_in_between_does_not_hang():
    """Ctrl-C right after the main thread went in, before it could leave again."""
    crew = Crew(lambda played: None)
    crew.__enter__()
    crew.stop()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_children_do_not_hear_ctrl_c():
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"

    def hears():
        return subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"

    assert hears()
    with ctrl_c_held_back():
        assert not hears()
        ProcessPoolExecutor(1).submit(int).result()
        reused = get_reusable_executor(max_workers=1)
        reused.submit(int).result()
        assert not hears(), "starting workers lets it through"
    assert hears()
    reused.shutdown(wait=True, kill_workers=True)  # else a later test gets this worker


def test_warnings_are_set_as_they_were(monkeypatch):
    for before in (None, "error"):
        if before:
            monkeypatch.setenv("PYTHONWARNINGS", before)
        with ctrl_c_held_back():
            assert os.environ.get("PYTHONWARNINGS") == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX processes")
def test_a_worker_ends_with_its_parent(tmp_path):
    """The parent starts a worker and is killed; the worker goes too."""
    worker = (
        "import os, pathlib, time\n"
        "from sim.workers import end_with\n"
        "end_with(os.getppid())\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n"
        "time.sleep(300)\n"
    )
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import subprocess, sys; subprocess.run([sys.executable, '-c', {worker!r}])",
        ]
    )
    file = tmp_path / "pid"
    wait_for(lambda: file.exists() and file.read_text(), parent)
    pid = int(file.read_text())
    time.sleep(2 * workers.LOOK_SECONDS)
    assert alive(pid)
    parent.kill()
    parent.wait()
    wait_for(lambda: not alive(pid), seconds=20)


def alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
