"""Writes index.html: every study of a folder by game, what it found, and all of its pages."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sim import games, report
from sim.files import SHIPPED
from sim.store import MANIFEST
from sim.takeaways.telling import grouped

INDEX = "index.html"
SET_ASIDE = re.compile(r"\.old\d+$")
PAGES = {
    report.PAGE: "report",
    "compare.html": "variants compared",
    "check.html": "budgets",
    "audit.html": "audit",
    "tournament.html": "tournament",
    "forbid.html": "doing without",
    "tune.html": "values tuned",
    "tune_style.html": "style tuned",
}
"""What a page is, by its file; the order in which they are named."""
BESIDE = ("forbid_", "tune_")
"""How folders begin that lie in a study's own and have a page."""
TITLE = re.compile("<title>([^<]*)</title>")
HEADING = "Balance studies"


@dataclass
class Entry:
    """A study with pages; `known` is its summary, empty if it has no report."""

    folder: Path
    pages: list[Path] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)
    finished: str = ""
    source: str = ""
    """The file of the study, as it was named when it was played."""

    @property
    def game(self) -> str:
        """The game's title, or else the name of the folder around the study's."""
        if self.known:
            return str(self.known["study"]["game_title"])
        name = self.folder.parent.name
        return games.get(name).title if name in games.names() else name

    @property
    def title(self) -> str:
        """The study's title, or that of its first page."""
        if self.known:
            return str(self.known["study"]["title"])
        found = TITLE.search(self.pages[0].read_text(encoding="utf-8"))
        return html.unescape(found[1]) if found else self.folder.name


def write_index(folder: str | Path) -> Path:
    """Write index.html into a folder of studies; return its path."""
    folder = Path(folder)
    entries = sorted(_entries(folder), key=lambda entry: entry.finished, reverse=True)
    parts = [f"<h1>{HEADING}</h1>"]
    for game, own in sorted(grouped(entries, lambda entry: entry.game).items()):
        parts += [f"<h2>{html.escape(game)}</h2>", *(_told(entry, folder) for entry in own)]
    if not entries:
        parts.append("<p>No study has a report yet.</p>")
    report.write(folder / INDEX, report.page(HEADING, "\n".join(parts)))
    return folder / INDEX


def refresh(page: Path) -> None:
    """Write the index anew that lists a page, if there is one above it."""
    for folder in page.resolve().parents[1:5]:
        if (folder / INDEX).is_file():
            if f"<h1>{HEADING}</h1>" in (folder / INDEX).read_text(encoding="utf-8"):
                write_index(folder)
            return


def _entries(folder: Path) -> Iterator[Entry]:
    """Yield the studies that have a page, those set aside left out."""
    found: dict[Path, Entry] = {}
    order = list(PAGES)
    for path in sorted(folder.glob("**/*.html"), key=lambda path: (str(path.parent), path.name)):
        inside = path.relative_to(folder).parts[:-1]
        if path.name not in PAGES or not inside or any(map(SET_ASIDE.search, inside)):
            continue
        own = path.parent.parent if path.parent.name.startswith(BESIDE) else path.parent
        found.setdefault(own, Entry(own)).pages.append(path)
    for entry in found.values():
        entry.pages.sort(key=lambda path: (order.index(path.name), str(path)))
        manifest = _manifest(entry.folder)
        entry.source = str(manifest.get("study", {}).get("source", ""))
        if (entry.folder / report.PAGE).exists() and not _read(entry, manifest):
            continue
        yield entry


def _manifest(folder: Path) -> dict[str, Any]:
    """Return a run's manifest, or nothing."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("study", {}), dict) else {}


def _read(entry: Entry, manifest: dict[str, Any]) -> bool:
    """Take in a study's summary; tell whether it can be read."""
    try:
        known = json.loads((entry.folder / report.SUMMARY).read_text(encoding="utf-8"))
        entry.finished = str(manifest["timings"]["finished"] or "")
        study = known["study"]
        _ = study["title"], study["game_title"], f"{study['games']:,}", known["headline"]
        _ = [(each["topic"], each["verdict"]) for each in known["takeaways"]]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    entry.known = known
    return True


def _told(entry: Entry, folder: Path) -> str:
    links = [(_name(page), _link(page, folder)) for page in entry.pages]
    more = " \N{MIDDLE DOT} ".join(f"<a href='{link}'>{name}</a>" for name, link in links)
    lines = [f"<h3><a href='{links[0][1]}'>{html.escape(entry.title)}</a></h3>"]
    about = [f"<span>{more}</span>"]
    if entry.known:
        lines.append(f"<p>{_badges(entry.known)} {html.escape(entry.known['headline'])}</p>")
        about += [f"{entry.known['study']['games']:,} games", html.escape(entry.finished[:10])]
    lines.append(f"<p class='about'>{', '.join(about)}</p>")
    if _is_gone(entry, folder):
        lines.append(
            f"<p class='about'>Its study file is gone: <code>{html.escape(entry.source)}</code>. "
            f"Without the folder <code>{html.escape(entry.folder.relative_to(folder).as_posix())}"
            "</code> it is no longer listed here.</p>"
        )
    return f"<div class='study'>{''.join(lines)}</div>"


def _is_gone(entry: Entry, folder: Path) -> bool:
    """Tell whether a study's file was there and is no more.

    A name is looked for from here, and from beside the reports; where not even the folder that it
    begins with is found, nothing is known.
    """
    if not entry.source.endswith(".toml"):
        return False  # it came from a program
    source, bases = Path(entry.source), (Path.cwd(), folder.resolve().parent)
    places = [base / source for base in bases]
    if any(path.is_file() for path in (*places, SHIPPED / entry.folder.parent.name / source.name)):
        return False
    first = source.parts[: len(source.parts) > 1]
    return source.is_absolute() or any(base.joinpath(*first).is_dir() for base in bases)


def _badges(known: dict[str, Any]) -> str:
    """Return the verdicts of a study, each once."""
    from sim import show

    verdicts = dict.fromkeys(each["verdict"] for each in known["takeaways"] if each["verdict"])
    return "".join(map(show.badge, verdicts))


def _name(page: Path) -> str:
    name, own = PAGES[page.name], page.parent.name
    of = next((own.removeprefix(start) for start in BESIDE if own.startswith(start)), "")
    return html.escape(f"{name}: {of.replace('_', ' ')}" if of not in ("", "objectives") else name)


def _link(page: Path, folder: Path) -> str:
    return html.escape(quote(page.relative_to(folder).as_posix()))
