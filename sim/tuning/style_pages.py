"""Writes what a tuning found: the style as TOML with its record, a page, rows, figures."""

from pathlib import Path
from typing import Any

from sim import markdown, report
from sim import words as say
from sim.explain import show
from sim.players import Style
from sim.tuning import told
from sim.tuning.confirm import GAIN, WINS
from sim.tuning.style import RECORD, Tuned

TEMPLATE = "tuning_style.ipynb"
PAGE, SHORT, FIGURES = "tune_style.html", "tune_style.md", "figures"


def write(found: Tuned, progress: report.Listener | None = None) -> Path:
    """Write NAME.toml, tune_style.html, .json, .md and figures/ into the tuning's folder.

    Returns the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing the tuned style ...")
    folder = found.folder
    report.write(style_file(found), as_toml(found))
    content = found.content | {"sentences": told.findings(found)}
    report.write(folder / RECORD, report.with_rows(content, found.rows))
    report.write(folder / SHORT, as_markdown(found))
    notebook = report.execute(report.read_notebook(TEMPLATE), folder)
    report.write_figures(notebook, folder / FIGURES)
    return report.write_page(folder / PAGE, f"{found.title}: a tuned style", report.body(notebook))


def style_file(found: Tuned) -> Path:
    """Return the file of the tuned style."""
    return found.folder / f"{found.tuned.name}.toml"


def as_toml(found: Tuned) -> str:
    """Return the style as a file that `styles_from` takes, its record in comments."""
    record = "\n".join(f"# {line}".rstrip() for line in _record(found))
    return f"{record}\n\n{style_toml(found.tuned)}"


def style_toml(style: Style) -> str:
    """Return a style as TOML."""
    lines = [
        f"[{style.name}]",
        f"description = {show_text(style.description)}",
        f"origin = {show_text(style.origin)}",
    ]
    lines += [f"temperature = {style.temperature:g}"] if style.temperature else []
    lines += [f"tempo = {style.tempo:g}"] if style.tempo != 1 else []
    lines += [f"forbid = {show(style.forbid)}"] if style.forbid else []
    lines += ["", f"[{style.name}.weights]"]
    lines += [f"{name} = {float(weight)}" for name, weight in style.weights.items()]
    return "\n".join(lines) + "\n"


def show_text(text: str) -> str:
    """Return a text in quotes, whole."""
    import json

    return json.dumps(text, ensure_ascii=False)


def _record(found: Tuned) -> list[str]:
    own, content = found.content["settings"], found.content
    lines = [
        f"{found.tuned.name}: {found.start.name} with weights that were searched for by",
        f"sim tune style, study {content['study']['name']} ({content['study']['source']}).",
        f"Field: {', '.join(content['field'])}; moved: {', '.join(content['free'])}.",
        f"{own['rounds']} rounds of {own['generations']} generations of {own['candidates']} "
        f"candidates, {own['games']} games each; league {own['league']}; seed {own['seed']}.",
        f"Confirmed on {own['confirm']} games a table, seed {own['confirm_seed']}: win share",
        "of one of it among players of a style, in fair shares (1 is fair):",
    ]
    by_style: dict[str, list[str]] = {}
    for row in told.rows_of(found, WINS):
        share = 1 + row["estimate"] * row["players"]
        by_style.setdefault(row["group"].removeprefix("style "), []).append(f"{share:.3f}")
    counts = ", ".join(map(str, content["players"]))
    lines += [f"  {name}: {' '.join(shares)}" for name, shares in by_style.items()]
    gains = [say.signed(100 * row["estimate"]) for row in told.rows_of(found, GAIN)]
    lines.append(f"with {counts} players. More than {found.start.name} in the same seats, in")
    lines.append(f"points of win share: {' '.join(gains)}.")
    return lines


def as_markdown(found: Tuned) -> str:
    """Return tune_style.md: sentences and tables."""
    parts: list[Any] = [
        f"# {markdown.escaped(f'{found.title}: {found.words.style(found.tuned.name)}')}"
    ]
    parts.append(markdown.items(told.findings(found)))
    parts.append(markdown.table(told.confirmation(found)))
    parts.append(markdown.table(told.weights(found)))
    return "\n\n".join(parts) + "\n"
