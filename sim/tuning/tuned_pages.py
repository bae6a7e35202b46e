"""Writes what a tuning found: a page, figures, rows, a summary, a study with the new values."""

from pathlib import Path

from sim import markdown, report, terminal
from sim.tuning import studies, telling
from sim.tuning.objectives import Work
from sim.tuning.tuned import ROWS, Found, found

TEMPLATE = "tuning.ipynb"
PAGE, SHORT, STUDY = "tune.html", "tune.md", "tuned.toml"
FIGURES = "figures/tune"


def write_tuning(work: Work, progress: report.Listener | None = None) -> tuple[Found, Path]:
    """Write tune.html, tune.json, tune.md, tuned.toml and figures/tune/ into the folder.

    Returns what was found and the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing the page ...")
    folder = work.folder
    folder.mkdir(parents=True, exist_ok=True)
    what = found(work)
    report.write(folder / ROWS, report.with_rows(_with_sentences(what), what.rows))
    report.write(folder / STUDY, studies.as_toml(work))
    report.write(folder / SHORT, as_markdown(what))
    notebook = report.execute(report.read_notebook(TEMPLATE), folder)
    report.write_figures(notebook, folder / FIGURES)
    title = f"{work.study.title}: tuning"
    report.write_page(folder / PAGE, title, report.body(notebook))
    return what, folder / PAGE


def _with_sentences(what: Found) -> dict[str, object]:
    return what.content | {"sentences": telling.sentences(what)}


def as_markdown(what: Found) -> str:
    """Return tune.md: sentences and tables, short enough for a CI job's page."""
    parts = [f"# {markdown.escaped(what.content['study']['title'])}: tuning"]
    for (heading, texts), group in zip(telling.findings(what), what.content["groups"], strict=True):
        parts.append(f"## {markdown.escaped(heading)}")
        parts.append(markdown.items(texts))
        parts.append(markdown.table(telling.values_table(what, group)))
    return "\n\n".join(parts) + "\n"


def tell(what: Found) -> None:
    """Print the sentences, and old and new values."""
    for (heading, texts), group in zip(telling.findings(what), what.content["groups"], strict=True):
        terminal.say(f"\n{heading}")
        for text in texts:
            terminal.say(f"- {text}")
        table = telling.short_table(what, group)
        terminal.say("")
        terminal.table(list(table.columns), table.to_numpy().tolist())
