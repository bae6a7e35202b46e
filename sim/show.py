"""Showing findings, figures and tables in a notebook."""

import base64
import gzip
import html
import io
import re
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl

from sim.plots import Picture
from sim.takeaways import Takeaway
from sim.takeaways import headline as headline_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sim.samples import Told

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
    "fair": "good",
    "not fair": "bad",
}
VERDICT_CELL = "(fair|not fair|undecided|passed|failed|changed)(?:, (.*))?"
KEYED_CELL = r"(.+) `([\w.\[\]]+)`"
"""A name, and the key that a study's file has for it."""
SHORT = 160
"""A finding of fewer characters is shown whole."""
NO_BREAK = "\N{NO-BREAK SPACE}"
LONG_CELL = 30
"""Of more characters than this, a cell is broken over lines."""
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
    _html(opening_html(words, about))


def opening_html(words: str, about: str) -> str:
    """Return what `opening` shows."""
    return f"<h1>{html.escape(words)}</h1>\n<p class='about'>{html.escape(about)}</p>"


def headline(found: Iterable[Takeaway]) -> None:
    """Show the findings in a line or two."""
    _html(f"<p class='headline'>{html.escape(headline_of(found))}</p>")


def takeaways(found: Iterable[Takeaway], headed: bool = True) -> None:
    """Show findings by topic, the headline first; of each its first sentence, the rest folded."""
    found = list(found)
    if headed:
        headline(found)
    items = "\n".join(f"<li>{_topic(*each)}</li>" for each in _by_topic(found).items())
    _html(f"<ul class='said'>{items}</ul>")


def _by_topic(found: Iterable[Takeaway]) -> dict[str, list[Takeaway]]:
    together: dict[str, list[Takeaway]] = {}
    for each in found:
        together.setdefault(each.topic, []).append(each)
    return together


def _topic(topic: str, found: list[Takeaway]) -> str:
    """Return what is said on a topic, with a link to the table that it is taken from."""
    shown = "".join(_said(each.verdict, each.text) for each in found)
    return f"<b>{html.escape(topic.capitalize())}</b> {_link(topic)}{shown}"


def _said(verdict: str, sentences: str) -> str:
    first, rest = _first_sentence(sentences)
    more = f"<details><summary>more</summary>{_escaped(rest)}</details>" if rest else ""
    return f"<div>{badge(verdict)}{_escaped(first)}{more}</div>"


def _first_sentence(sentences: str) -> tuple[str, str]:
    """Return the first sentence and the others; a short text stays whole."""
    if len(sentences) <= SHORT:
        return sentences, ""
    first, *rest = re.split(r"(?<=[.!?]) (?=[A-Z])", sentences, maxsplit=1)
    return first, "".join(rest)


def _escaped(sentences: str) -> str:
    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(sentences))
    return tight(re.sub(r"(?<![\w-])--[a-z-]+", r"<span class='whole'>\g<0></span>", coded))


def anchor(topic: str) -> str:
    """Return the place on a page where the numbers on a topic stand."""
    return "about-" + re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")


def findings(found: Iterable[tuple[str, list[str]]]) -> None:
    """Show headings, each with a link to the table about it, and sentences below."""
    for words, sentences in found:
        items = "\n".join(f"<li>{_escaped(sentence)}</li>" for sentence in sentences)
        _html(f"<p class='headline'>{html.escape(words)} {_link(words)}</p>\n<ul>{items}</ul>")


def verdict_html(verdict: str, sentences: Iterable[str]) -> str:
    """Return a verdict with its sentences, the first of them large."""
    first, *rest = sentences
    items = "".join(f"<li>{_escaped(each)}</li>" for each in rest)
    return f"<p class='headline'>{badge(verdict)}{_escaped(first)}</p>\n<ul>{items}</ul>"


def _link(topic: str) -> str:
    return f"<a class='to' href='#{anchor(topic)}'>numbers</a>"


def badge(verdict: str) -> str:
    """Return a verdict as a mark; nothing for none."""
    if not verdict:
        return ""
    return f"<span class='badge {BADGES.get(verdict, 'open')}'>{html.escape(verdict)}</span> "


def picture(found: Picture | None, missing: str = "", titled: bool = True) -> None:
    """Show a figure, with a caption if it has no title; without one, a sentence that says why."""
    if found is None:
        text(missing)
        return
    if not titled:
        _html(f"<p class='caption'>{html.escape(found.title)}</p>")
    from IPython.display import display

    content = base64.b64encode(png(found.figure)).decode()
    display(
        {"image/png": content, "text/plain": found.title},
        raw=True,
        metadata={"image/png": {"alt": found.alt, "name": found.name}},
    )


def picture_html(found: Picture) -> str:
    """Return a figure as a page carries it."""
    content = base64.b64encode(png(found.figure)).decode()
    alt = html.escape(found.alt, quote=True)
    return f'<div class="output_png"><img alt="{alt}" src="data:image/png;base64,{content}"></div>'


def png(figure: "Figure") -> bytes:
    """Return a figure as PNG with a palette, a third the size: a page has dozens of them."""
    from PIL import Image

    drawn, packed = io.BytesIO(), io.BytesIO()
    with warnings.catch_warnings():
        # long names leave a panel no room, or a font lacks a letter: nothing for a reader's page
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(drawn, format="png", metadata={"Software": None})
    image = Image.open(drawn).convert("RGB")
    image = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # the octree rounds down, and white must be white
    image.putpalette([min(255, value + (value >= NEARLY)) for value in image.getpalette() or ()])
    image.save(packed, format="png", optimize=True)
    return packed.getvalue()


def table(
    found: pd.DataFrame,
    caption: str = "",
    fold: bool | None = None,
    about: str | Iterable[str] = (),
) -> None:
    """Show a table; a long one folded away, unless `fold` says otherwise.

    `about` names the topics of takeaways, one or several, that are taken from it.
    """
    if not found.empty:
        _html(table_html(found, caption, fold, about))


def table_html(
    found: pd.DataFrame,
    caption: str = "",
    fold: bool | None = None,
    about: str | Iterable[str] = (),
) -> str:
    """Return what `table` shows of a table that has rows."""
    content = tight(found.to_html(index=False, border=0, classes="rows", escape=True))
    content = re.sub("<td>(.*?)</td>", lambda cell: _cell(cell[1]), content, flags=re.DOTALL)
    content = f"<div class='scroll'>{content}</div>"
    if len(found) > MOST_ROWS if fold is None else fold:
        name = html.escape(caption or "Table")
        content = f"<details><summary>{name}, {len(found)} rows</summary>{content}</details>"
    elif caption:
        content = f"<p class='caption'>{html.escape(caption)}</p>{content}"
    topics = [about] if isinstance(about, str) else about
    places = "".join(f"<a class='place' id='{anchor(topic)}'></a>" for topic in topics)
    return f"<div class='table'>{places}{content}</div>"


def _cell(content: str) -> str:
    """Return a cell of a table: a verdict as a mark, a key in small below its name."""
    if verdict := re.fullmatch(VERDICT_CELL, content):
        more = f"<br>{verdict[2]}" if verdict[2] else ""
        return f"<td>{badge(verdict[1])}{more}</td>"
    name, key = content, ""
    if keyed := re.fullmatch(KEYED_CELL, content):
        name, key = keyed[1], f"<code>{keyed[2]}</code>"
    name = re.sub(r"(?<=[\d.%]) to (?=\S+$)", f"{NO_BREAK}to{NO_BREAK}", name)
    long = " class='long'" if len(html.unescape(name)) > LONG_CELL else ""
    return f"<td{long}>{name}{key}</td>"


def numbers(rows: pl.DataFrame, name: str) -> None:
    """Offer all rows as they are, unrounded, in a CSV file that the page carries."""
    packed = base64.b64encode(gzip.compress(rows.write_csv().encode(), mtime=0)).decode()
    about = f"data-name='{html.escape(name)}.csv' data-rows='{len(rows):,}'"
    _html(f"<p><script type='application/gzip' {about}>{packed}</script></p>")


def told(games: "Iterable[Told]") -> None:
    """Show games told move by move, each folded away."""
    from sim.watch import SEATS

    games = list(games)
    if games:
        text(f"Any game can be told from its number. {SEATS}")
    for each in games:
        lines = html.escape("\n".join(each.lines))
        _html(
            f"<details><summary>{html.escape(each.title)}</summary>"
            f"<p class='caption'>{html.escape(each.command)}</p>"
            f"<div class='told'>{lines}</div></details>"
        )


def heading(words: str, wanted: bool = True) -> None:
    """Show the heading of a part that not every study has."""
    if wanted:
        _html(f"<h2>{html.escape(words)}</h2>")


def text(sentence: str) -> None:
    """Show a sentence, or nothing."""
    if sentence:
        _html(f"<p>{_escaped(sentence)}</p>")


def tight(content: str) -> str:
    """Keep a number with its % and the ends of an interval on one line."""
    content = re.sub(r"(?<=\d) %", f"{NO_BREAK}%", content)
    return re.sub(r"\(([^ ()]+) to ([^ ()]+)\)", rf"(\1{NO_BREAK}to{NO_BREAK}\2)", content)


def _html(content: str) -> None:
    from IPython.display import HTML, display

    display(HTML(content))
