"""Lets the site have pages that lie outside docs/: README, benchmarks and changes."""

import os
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {
    "index.md": ROOT / "README.md",
    "benchmarks.md": ROOT / "benchmarks" / "README.md",
    "pig.md": ROOT / "examples" / "pig" / "README.md",
    "changelog.md": ROOT / "CHANGELOG.md",
}
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Add pages of docs/ that the navigation does not name, as its last part."""
    named = set(re.findall(r"[\w-]+\.md", str(config["nav"])))
    others = sorted(path.name for path in (ROOT / "docs").glob("*.md") if path.name not in named)
    if others:
        config["nav"].append({"More": others})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside."""
    from mkdocs.structure.files import File

    for name, path in OUTSIDE.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links lead to where a page is on the site; of files that are not on it the name stays."""
    source = Path(page.file.abs_src_path)
    return LINK.sub(lambda link: moved(link, source.parent), markdown)


def moved(link: re.Match[str], folder: Path) -> str:
    """Return a link of a page in a folder as it is on the site."""
    words, target, anchor = link.groups()
    path = Path(os.path.normpath(folder / target))
    names = {file: name for name, file in OUTSIDE.items()}
    if path in names:
        return f"[{words}]({names[path]}{anchor or ''})"
    if path.is_relative_to(ROOT / "docs"):
        return f"[{words}]({path.relative_to(ROOT / 'docs').as_posix()}{anchor or ''})"
    return words
