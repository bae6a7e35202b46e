import io
import os
import re
import sys
import threading
import types

import pytest
from rich.console import Console

from sim import progress
from sim.progress import Bar, Counter, Lines, NotebookBar, automatic, duration


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still unless it is moved."""

    class Clock:
        now = 1000.0

        def __call__(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(progress.time, "monotonic", clock)
    return clock


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-1, "0 s"),
        (0, "0 s"),
        (0.4, "0 s"),
        (1, "1 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (60, "1 min 0 s"),
        (200, "3 min 20 s"),
        (3599.4, "59 min 59 s"),
        (3599.9, "1 h 0 min"),
        (7500, "2 h 5 min"),
        (360_000, "100 h 0 min"),
    ],
)
def test_duration(seconds, words):
    assert duration(seconds) == words


def test_counter_in_words(clock):
    counter = Counter(20_000)
    assert counter.text() == "0 of 20,000 games (0 %), 0 games/s"
    clock.now += 10
    counter.add(5_000)
    assert counter.rate == 500
    assert counter.text() == "5,000 of 20,000 games (25 %), 500 games/s, 30 s left"
    counter.add(15_000)
    assert counter.text() == "20,000 of 20,000 games (100 %), 2,000 games/s"


def test_counter_of_nothing(clock):
    assert Counter(0).text() == "0 of 0 games (100 %), 0 games/s"


def test_unfinished_is_never_called_complete(clock):
    counter = Counter(1_000_000)
    clock.now += 1
    counter.add(999_999)
    assert "(99 %)" in counter.text()


def test_counter_counts_from_many_threads():
    counter = Counter(80_000)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        crew = [
            threading.Thread(target=lambda: [counter.add(1) for _ in range(10_000)])
            for _ in range(8)
        ]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert counter.played == 80_000


def test_lines(clock):
    out = io.StringIO()
    lines = Lines(out)
    with lines.playing("seats", 1000):
        for _ in range(10):
            clock.now += 1
            lines.advance(100)
    assert out.getvalue().splitlines() == [
        "seats: playing 1,000 games",
        "  500 of 1,000 games (50 %), 100 games/s, 5 s left",
        "  1,000 of 1,000 games (100 %), 100 games/s",
        "  played 1,000 games in 10 s, 100 games/s",
    ]


def test_lines_are_few_however_many_threads(clock):
    out = io.StringIO()
    lines = Lines(out)
    with lines.playing("seats", 800):
        clock.now += progress.LINE_SECONDS
        crew = [threading.Thread(target=lines.advance, args=(10,)) for _ in range(40)]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
    assert sum(" of 800 " in line for line in out.getvalue().splitlines()) == 1
    assert lines.counter.played == 400


def test_lines_go_to_stderr(capsys):
    Lines().say("hello")
    assert capsys.readouterr() == ("", "hello\n")


def test_a_stopped_run_is_not_said_to_be_played(clock):
    out = io.StringIO()
    lines = Lines(out)
    with pytest.raises(KeyboardInterrupt), lines.playing("seats", 1000):
        raise KeyboardInterrupt
    assert out.getvalue() == "seats: playing 1,000 games\n"


@pytest.fixture
def bar():
    """A bar in a terminal of 60 columns, kept as text."""
    bar = Bar()
    bar.console = Console(
        file=io.StringIO(), force_terminal=True, width=90, highlight=False, color_system=None
    )
    return bar


def shown(bar):
    text = bar.console.file.getvalue()
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n")


def test_bar(bar):
    with bar.playing("Street Art: seats", 1000):
        bar.advance(400)
        bar.bar.refresh()
        assert "Street Art: seats" in shown(bar)
        assert " 40%" in shown(bar)
        assert re.search(r"[\d,]+ games/s", shown(bar))
        assert "left" in shown(bar)
        bar.advance(600)
        bar.bar.refresh()
        assert "100%" in shown(bar)
    last = shown(bar).strip().splitlines()[-1].strip()
    assert re.fullmatch(r"Played 1,000 games in 0 s \([\d,]+ games/s\)\.", last)


def test_bar_from_many_threads(bar):
    with bar.playing("t", 4000):
        crew = [
            threading.Thread(target=lambda: [bar.advance(1) for _ in range(100)]) for _ in range(40)
        ]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        assert bar.bar.tasks[0].completed == 4000
    assert bar.counter.played == 4000


def test_bar_takes_titles_as_they_are(bar):
    """Brackets are no markup, and a long line is not broken up: it can be copied."""
    with bar.playing("[bold]fair?[/nonsense]", 10):
        bar.advance(10)
        bar.bar.refresh()
    path = "/a/long/path" * 12
    bar.say(f"kept in [{path}]")
    assert "[bold]fair?[/nonsense]" in shown(bar)
    assert f"kept in [{path}]" in shown(bar)


def test_bar_gives_the_cursor_back_when_stopped(bar):
    with pytest.raises(KeyboardInterrupt), bar.playing("t", 10):
        raise KeyboardInterrupt
    text = bar.console.file.getvalue()
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    bar.advance(1)  # a thread that has not heard of it yet


@pytest.fixture
def notebook(monkeypatch):
    """A fake IPython that keeps what is displayed."""
    shows = []

    class Handle:
        def update(self, html):
            shows.append(html)

    def display(html, display_id):
        assert display_id is True
        shows.append(html)
        return Handle()

    fake = types.ModuleType("IPython.display")
    fake.display, fake.HTML = display, lambda text: text
    monkeypatch.setitem(sys.modules, "IPython.display", fake)
    return shows


def test_notebook_bar(notebook, clock, capsys):
    bar = NotebookBar()
    with bar.playing("a <b> & c", 1000):
        for _ in range(10):
            clock.now += 0.2
            bar.advance(100)
    assert notebook[0].startswith("a &lt;b&gt; &amp; c<br><progress value='0' max='1000'")
    assert "value='1000' max='1000'" in notebook[-1]
    assert "1,000 of 1,000 games (100 %), 500 games/s" in notebook[-1]
    assert 4 <= len(notebook) <= 7, "it moves twice a second, not at every batch"
    bar.say("done")
    assert capsys.readouterr() == ("done\n", "")


def test_silent(capsys):
    silent = progress.silent()
    with silent.playing("t", 10):
        silent.advance(10)
    silent.say("nothing")
    assert capsys.readouterr() == ("", "")


def test_automatic_without_a_terminal(monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(automatic(), Lines)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_automatic_in_a_terminal(monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert isinstance(automatic(), Bar)
    os.close(master)


@pytest.mark.parametrize(
    ("shell", "kind"),
    [
        (None, Lines),
        (types.SimpleNamespace(config={}), Lines),
        (types.SimpleNamespace(config={"IPKernelApp": {}}), NotebookBar),
    ],
)
def test_automatic_in_a_notebook(monkeypatch, shell, kind):
    """`ipykernel` may be imported for a report without being in a notebook."""
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    fake = types.ModuleType("IPython.core.getipython")
    fake.get_ipython = lambda: shell
    monkeypatch.setitem(sys.modules, "IPython.core.getipython", fake)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(automatic(), kind)


@pytest.mark.parametrize("backend", ["threads", "loky"])
def test_a_run_counts_every_game_once(rigged_run, fresh_workers, backend):
    lines = Lines(io.StringIO())
    run = rigged_run(games=1200, jobs=2, backend=backend, progress=lines, batch=17)
    assert lines.counter.played == lines.counter.total == run.games_played == 1200
