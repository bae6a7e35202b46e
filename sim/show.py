"""Showing findings, figures and tables in a notebook."""

import base64
import html
import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd

from sim.plots import Picture
from sim.takeaways import Takeaway, headline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BADGES = {
    "balanced": "good",
    "unbalanced": "bad",
    "undecided": "open",
    "dominant style": "bad",
    "many cut off": "bad",
    "passed": "good",
    "failed": "bad",
    "no fault": "good",
    "fault": "bad",
}
NO_BREAK = "\N{NO-BREAK SPACE}"
LONG_CELL = 40
"""A table with longer cells scrolls on a narrow screen instead of being squeezed."""
COLOURS, NEARLY = 255, 254
"""Colours of a figure as a PNG; of red, green and blue, what counts as all of it."""
MOST_ROWS = 12
"""A longer table is folded away until it is asked for."""


def title(run: Any, what: str = "") -> None:
    """Show what was studied, and what of it is shown."""
    variants = len(run.study.variants)
    about = [what] * bool(what) + [f"{run.games_played:,} games of {run.game.title}"]
    if variants > 1:
        about.append(f"{variants} variants")
    about.append(f"finished {str(run.manifest['timings']['finished'])[:10]}")
    opening(run.study.title, ", ".join(about))


def opening(words: str, about: str) -> None:
    """Show the title of a page and a line about it."""
    _html(f"<h1>{html.escape(words)}</h1>\n<p class='about'>{html.escape(about)}</p>")


def takeaways(found: Iterable[Takeaway]) -> None:
    """Show findings, the headline first."""
    found = list(found)
    items = "\n".join(
        f"<li>{_badge(each.verdict)}<b>{html.escape(each.topic.capitalize())}.</b> "
        f"{tight(html.escape(each.text))}</li>"
        for each in found
    )
    _html(f"<p class='headline'>{html.escape(headline(found))}</p>\n<ul>{items}</ul>")


def findings(found: Iterable[tuple[str, list[str]]]) -> None:
    """Show headings, each with sentences below it."""
    for heading, sentences in found:
        items = "\n".join(f"<li>{tight(html.escape(sentence))}</li>" for sentence in sentences)
        _html(f"<p class='headline'>{html.escape(heading)}</p>\n<ul>{items}</ul>")


def _badge(verdict: str) -> str:
    if not verdict:
        return ""
    return f"<span class='badge {BADGES.get(verdict, 'open')}'>{html.escape(verdict)}</span> "


def picture(found: Picture | None, missing: str = "") -> None:
    """Show a figure; without one, the sentence that says why."""
    if found is None:
        text(missing)
        return
    from IPython.display import display

    content = base64.b64encode(_png(found.figure)).decode()
    display(
        {"image/png": content, "text/plain": found.title},
        raw=True,
        metadata={"image/png": {"alt": found.alt, "name": found.name}},
    )


def _png(figure: "Figure") -> bytes:
    """Return a figure as PNG with a palette, a third the size: a page has dozens of them."""
    from PIL import Image

    drawn, packed = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    image = Image.open(drawn).convert("RGB")
    image = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # the octree rounds down, and white must be white
    image.putpalette([min(255, value + (value >= NEARLY)) for value in image.getpalette() or ()])
    image.save(packed, format="png", optimize=True)
    return packed.getvalue()


def table(found: pd.DataFrame, caption: str = "", fold: bool | None = None) -> None:
    """Show a table; a long one folded away, unless `fold` says otherwise."""
    if found.empty:
        return
    wordy = found.astype(str).map(len).to_numpy().max() > LONG_CELL
    classes = "rows wordy" if wordy else "rows"
    content = tight(found.to_html(index=False, border=0, classes=classes, escape=True))
    content = f"<div class='scroll'>{content}</div>"
    if len(found) > MOST_ROWS if fold is None else fold:
        name = html.escape(caption or "Table")
        content = f"<details><summary>{name}, {len(found)} rows</summary>{content}</details>"
    elif caption:
        content = f"<p class='caption'>{html.escape(caption)}</p>{content}"
    _html(content)


def heading(words: str, wanted: bool = True) -> None:
    """Show the heading of a part that not every study has."""
    if wanted:
        _html(f"<h2>{html.escape(words)}</h2>")


def text(sentence: str) -> None:
    """Show a sentence, or nothing."""
    if sentence:
        _html(f"<p>{html.escape(sentence)}</p>")


def tight(content: str) -> str:
    """Keep a number with its % and the ends of an interval on one line."""
    content = re.sub(r"(?<=\d) %", f"{NO_BREAK}%", content)
    return re.sub(r"\(([^ ()]+) to ([^ ()]+)\)", rf"(\1{NO_BREAK}to{NO_BREAK}\2)", content)


def _html(content: str) -> None:
    from IPython.display import HTML, display

    display(HTML(content))
