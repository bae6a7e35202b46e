"""Writes a run's report: one HTML page, its figures, a summary for programs and one for people."""

import base64
import html
import json
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from sim import markdown
from sim import takeaways as findings
from sim.errors import SimError
from sim.games.game import Game
from sim.store import write_atomically

PACKAGE = Path(__file__).resolve().parent
TEMPLATE = "balance_study.ipynb"
TEMPLATES = (PACKAGE.parent / "notebooks", PACKAGE / "_notebooks")
"""Where the notebooks lie: in a checkout, and in an installed package."""
PAGE, SUMMARY, SHORT, FIGURES = "report.html", "summary.json", "summary.md", "figures"
GAME_TAG = "game"
"""Marks the cell whose place a game's own notebook takes."""
OWN_START = {"parameters", "setup"}
"""Mark the cells that let a game's notebook run alone."""
STAMP = "<!-- made of {} -->\n"
"""Ends a report, so that one that is up to date is not written again."""
PLACE_LINK = re.compile(r" ?<a class='to' href='#([^']+)'>[^<]*</a>")
DIGITS = 10
"""Significant digits in summary.json."""


class Listener(Protocol):
    """Told what goes on."""

    def say(self, text: str) -> None:
        """Show a line."""


def write_report(run: Any, progress: Listener | None = None) -> Path:
    """Write report.html, summary.json, summary.md and figures/ into the run's folder.

    Returns the page's path. The page stands alone: it loads nothing. summary.json depends on
    the run alone: the same run gives the same bytes.
    """
    from sim import metrics
    from sim.current import stamp

    if progress:
        progress.say("Writing the report ...")
    frame = metrics.all_metrics(run)
    found = findings.takeaways(run, frame)
    notebook = execute(compose(run.game), run.folder)
    folder = Path(run.folder)
    write(folder / SUMMARY, summary(run, frame, found))
    write(folder / SHORT, short_summary(run, frame, found))
    write_figures(notebook, folder / FIGURES)
    return write_page(folder / PAGE, run.study.title, body(notebook), end=STAMP.format(stamp(run)))


def is_written_by(folder: Path, made_of: str) -> bool:
    """Tell whether a folder holds a report that was made of what the stamp says."""
    end = STAMP.format(made_of)
    try:
        with (folder / PAGE).open("rb") as file:
            file.seek(-len(end), os.SEEK_END)
            return file.read() == end.encode() and (folder / SUMMARY).is_file()
    except OSError:
        return False


def template(name: str = TEMPLATE) -> Path:
    """Return the file of a notebook that reports are made from; an absolute path is taken as is."""
    for folder in TEMPLATES:
        if (folder / name).is_file():
            return folder / name
    raise SimError(f"{name}: this notebook of the report is missing; install sim again")


def read_notebook(name: str) -> Any:
    """Return a notebook that reports are made from."""
    import nbformat

    return nbformat.read(template(name), as_version=4)


def compose(game: Game | None = None) -> Any:
    """Return the report's notebook, with the game's own cells in place of the one tagged "game"."""
    notebook = read_notebook(TEMPLATE)
    analysis = game.analysis() if game else None
    own = []
    if analysis and analysis.notebook:
        found = read_notebook(analysis.notebook).cells
        own = [cell for cell in found if not _tags(cell) & OWN_START]
    for number, cell in enumerate(own):
        cell["id"] = f"game-{number}"  # unlike those around it
    cells = [[cell] if GAME_TAG not in _tags(cell) else own for cell in notebook.cells]
    notebook.cells = [cell for part in cells for cell in part]
    return notebook


def _tags(cell: Any) -> set[str]:
    return set(cell.metadata.get("tags", []))


def execute(notebook: Any, folder: str | Path, **parameters: Any) -> Any:
    """Execute a notebook on the run in a folder, and return it.

    Its cell tagged "parameters" sets `run_folder`, and whatever else is given. Its kernel is this
    interpreter, whether or not a kernel is registered with Jupyter.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    _set_parameters(notebook, {"run_folder": str(Path(folder).resolve())} | parameters)
    manager = _kernel_manager()
    client = NotebookClient(notebook, timeout=None, km=manager, allow_errors=False)
    client.owns_km = True  # so that its kernel ends with it
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "MPLBACKEND": "agg",
    }
    try:
        _until_done(client, environment)
    except CellExecutionError as error:
        raise RuntimeError(f"the report's notebook failed: {error}") from error
    return notebook


def _until_done(client: Any, environment: dict[str, str]) -> None:
    """Execute a notebook in a thread: nbclient would take Ctrl-C for a kernel that died."""
    with ThreadPoolExecutor(1) as thread:
        executing = thread.submit(client.execute, env=environment)
        try:
            executing.result()
        except KeyboardInterrupt:
            while not wait([executing], timeout=0.1).done:
                if pid := getattr(client.km.provisioner, "pid", None):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGTERM)
            raise


def _set_parameters(notebook: Any, parameters: dict[str, Any]) -> None:
    for cell in notebook.cells:
        if "parameters" in _tags(cell):
            cell.source = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())


def _kernel_manager() -> Any:
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(AsyncKernelManager):
        """Starts this interpreter as the kernel."""

        @property
        def kernel_spec(self) -> KernelSpec:
            """The command that starts the kernel."""
            # only errors: it would warn that it talks to this process over local TCP
            options = ["-f", "{connection_file}", "--log-level=ERROR"]
            command = [sys.executable, "-m", "ipykernel_launcher", *options]
            return KernelSpec(argv=command, display_name="Python", language="python")

    return ThisPython()


def body(notebook: Any) -> str:
    """Return the notebook's outputs and texts as HTML."""
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(
        template_name="basic",
        exclude_input=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )
    return str(exporter.from_notebook_node(notebook)[0])


def page(title: str, content: str) -> str:
    """Return a page that stands alone; a link to a place that it does not have is left out."""
    css, script = ((PACKAGE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    places = set(re.findall(r" id=['\"]([^'\"]+)['\"]", content))
    content = re.sub(PLACE_LINK, lambda link: link[0] if link[1] in places else "", content)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{css}</style>\n</head>\n"
        f"<body>\n<main>\n{content}\n</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def write_page(path: Path, title: str, content: str, end: str = "") -> Path:
    """Write a page, and the index above it anew if there is one; return the page's path."""
    from sim.index import refresh

    write(path, page(title, content) + end)
    refresh(path)
    return path


def write_figures(notebook: Any, folder: Path) -> None:
    """Write the notebook's figures, and remove those of an earlier report."""
    written = set()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("image/png", {}).get("name")
            if name:
                path = folder / f"{name}.png"
                write_atomically(path, base64.b64decode(output["data"]["image/png"]))
                written.add(path)
    for path in folder.glob("*.png"):
        if path not in written:
            path.unlink()


def summary(run: Any, frame: pl.DataFrame, found: list[findings.Takeaway]) -> str:
    """Return summary.json: takeaways, verdicts, all tidy rows, and where they come from."""
    from sim import check, checked, metrics, verdicts
    from sim.baseline import FORMAT

    head = metrics.headline(run, frame)
    study, manifest = run.study, run.manifest
    content = {
        "format": FORMAT,
        "study": {
            "name": study.name,
            "title": study.title,
            "game": run.game.name,
            "game_title": run.game.title,
            "games": run.games_played,
            "seed": study.seed,
            "players": list(study.players),
            "variants": list(study.variants),
            "styles": list(study.styles),
        },
        "headline": findings.headline(found),
        "takeaways": [
            {"topic": each.topic, "verdict": each.verdict, "text": each.text} for each in found
        ],
        "tolerance": verdicts.TOLERANCE,
        "seat_verdicts": [
            {
                "players": each.players,
                "variant": each.variant,
                "lineup": each.lineup,
                "verdict": each.verdict,
                "furthest_seat": each.seat,
                "share": _rounded(each.share),
                "certain": each.certain,
                "games": each.games,
            }
            for each in verdicts.seat_verdicts(head)
        ],
        "assumed": [
            {"key": key, "value": value, "note": note}
            for (key, value), note in findings.assumed_facts(run).items()
        ],
        "provenance": {
            "identity": manifest["identity"],
            "rules": manifest["rules"],
            "versions": manifest["versions"],
            "git": manifest.get("git"),
        },
    }
    if "until" in manifest:
        content["until"] = manifest["until"]
    if study.budgets:
        content["budgets"] = checked.summary(check.of(run))
    return with_rows(content, frame)


def with_rows(content: dict[str, Any], frame: pl.DataFrame) -> str:
    """Return content as JSON with the `columns` and `rows` of a frame, a line for each row."""
    rows = ",\n".join(
        json.dumps([_rounded(value) for value in row], allow_nan=False) for row in frame.rows()
    )
    content = content | {"columns": frame.columns}
    head_text = json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False)
    return f'{head_text[:-2]},\n "rows": [\n{rows}\n ]\n}}\n'


def _rounded(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def short_summary(run: Any, frame: pl.DataFrame, found: list[findings.Takeaway]) -> str:
    """Return summary.md: takeaways and small tables, short enough for a CI job's page."""
    from sim import metrics, tables
    from sim.words import words_of

    head, words = metrics.headline(run, frame), words_of(run)
    parts = [f"# {markdown.escaped(run.study.title)}"]
    parts += [f"**{markdown.prose(findings.headline(found))}**", markdown.findings(found)]
    for title, table in (
        ("Budgets, with intervals that hold all at once", tables.budgets(run, words)),
        ("Win shares by seat", tables.seats(head, words)),
        ("Win shares by style", tables.styles(head, words)),
        ("How games go", tables.games(head, words)),
    ):
        if len(table):
            parts.append(f"## {title}\n\n{markdown.table(table)}")
    parts.append(
        f"{run.games_played:,} games of {run.game.title}, seed {run.study.seed}, "
        f"rules {run.manifest['rules']['version']}."
    )
    return "\n\n".join(parts) + "\n"


def write(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_atomically(path, text.encode("utf-8"))
