"""What a user sees while games are played: a bar, plain lines, or a bar in a notebook."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

LINE_SECONDS = 5.0
REFRESH_SECONDS = 0.5


class Progress(Protocol):
    """Told what happens; `advance` may be called from several threads."""

    def say(self, text: str) -> None:
        """Show a line."""

    def playing(self, title: str, total: int) -> Any:
        """Return a context in which `total` games are played."""

    def advance(self, played: int) -> None:
        """Count games as played."""


class Counter:
    """Games played so far, their rate, and the time left."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.played = 0
        self.start = time.monotonic()
        self.lock = threading.Lock()

    def add(self, played: int) -> None:
        """Count games, from any thread."""
        with self.lock:
            self.played += played

    @property
    def rate(self) -> float:
        """Games a second since the start."""
        return self.played / max(time.monotonic() - self.start, 1e-9)

    def text(self) -> str:
        """Return played, rate and time left in words."""
        part = 100 * self.played // self.total if self.total else 100
        words = f"{self.played:,} of {self.total:,} games ({part} %), {self.rate:,.0f} games/s"
        if 0 < self.played < self.total:
            words += f", {duration((self.total - self.played) / self.rate)} left"
        return words


def duration(seconds: float) -> str:
    """Return seconds as a person says them: 8 s, 3 min 20 s, 2 h 5 min."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Silent:
    """Shows nothing."""

    def say(self, text: str) -> None:
        """Show nothing."""

    @contextmanager
    def playing(self, title: str, total: int) -> Iterator[None]:
        """Count nothing."""
        yield

    def advance(self, played: int) -> None:
        """Count nothing."""


class Lines:
    """Plain lines, for output that is not a terminal."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self.counter = Counter(0)
        self.next_line = 0.0

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, file=self.out, flush=True)

    @contextmanager
    def playing(self, title: str, total: int) -> Iterator[None]:
        """Print a line at the start, every few seconds, and at the end."""
        self.counter = Counter(total)
        self.next_line = time.monotonic() + LINE_SECONDS
        self.say(f"{title}: playing {total:,} games")
        yield
        spent = duration(time.monotonic() - self.counter.start)
        self.say(
            f"  played {self.counter.played:,} games in {spent}, {self.counter.rate:,.0f} games/s"
        )

    def advance(self, played: int) -> None:
        """Count games and print a line when it is time."""
        self.counter.add(played)
        now = time.monotonic()
        with self.counter.lock:
            due = now >= self.next_line
            if due:
                self.next_line = now + LINE_SECONDS
        if due:
            self.say(f"  {self.counter.text()}")


class Bar:
    """A bar in a terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(stderr=True, highlight=False)
        self.bar: Any = None
        self.task: Any = None
        self.counter = Counter(0)

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self.console.print(text, markup=False, emoji=False, soft_wrap=True)

    @contextmanager
    def playing(self, title: str, total: int) -> Iterator[None]:
        """Show a bar with games a second and the time left."""
        from rich import progress as rich

        self.counter = Counter(total)
        self.bar = rich.Progress(
            rich.TextColumn("{task.description}", markup=False),
            rich.BarColumn(bar_width=30),
            rich.TaskProgressColumn(),
            rich.TextColumn("{task.fields[rate]}"),
            rich.TimeRemainingColumn(compact=True),
            rich.TextColumn("left"),
            console=self.console,
            transient=True,
        )
        with self.bar:
            self.task = self.bar.add_task(title, total=total, rate="")
            yield
        spent = duration(time.monotonic() - self.counter.start)
        self.say(
            f"Played {self.counter.played:,} games in {spent} ({self.counter.rate:,.0f} games/s)."
        )

    def advance(self, played: int) -> None:
        """Move the bar."""
        self.counter.add(played)
        self.bar.update(self.task, advance=played, rate=f"{self.counter.rate:,.0f} games/s")


class NotebookBar:
    """A bar in a Jupyter notebook, in plain HTML: needs no widgets."""

    def __init__(self) -> None:
        self.counter = Counter(0)
        self.handle: Any = None
        self.next_show = 0.0

    def say(self, text: str) -> None:
        """Print a line."""
        print(text)

    @contextmanager
    def playing(self, title: str, total: int) -> Iterator[None]:
        """Show a bar below the cell."""
        from IPython.display import display

        self.counter = Counter(total)
        self.title = title
        self.handle = display(self._html(), display_id=True)
        yield
        self.handle.update(self._html())

    def advance(self, played: int) -> None:
        """Move the bar when it is time."""
        self.counter.add(played)
        now = time.monotonic()
        if now >= self.next_show:
            self.next_show = now + REFRESH_SECONDS
            self.handle.update(self._html())

    def _html(self) -> Any:
        from html import escape

        from IPython.display import HTML

        counter = self.counter
        return HTML(
            f"{escape(self.title)}<br><progress value='{counter.played}' max='{counter.total}' "
            f"style='width:20em'></progress> {counter.text()}"
        )


def silent() -> Progress:
    """Return a progress that shows nothing."""
    return Silent()


def automatic() -> Progress:
    """Return what suits the place: a notebook, a terminal, or plain output."""
    if "ipykernel" in sys.modules:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
        if shell is not None and "IPKernelApp" in shell.config:
            return NotebookBar()
    return Bar() if sys.stderr.isatty() else Lines()
