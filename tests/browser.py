"""Opens pages in headless Chromium, at the width of a phone and of a desk, and says what it saw.

A copy of the page reports on itself from inside a frame of the wanted width: no driver is needed.
"""

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-logging=stderr",
    "--virtual-time-budget=20000",
    "--dump-dom",
]
WIDTHS = (390, 1280)
needed = pytest.mark.skipif(
    CHROMIUM is None, reason=f"no browser here: none of {', '.join(NAMES)} is on the path"
)
LISTEN = """<script>
window.faults = [];
addEventListener("error", e => faults.push(e.message || "cannot load " +
  (e.target.src || e.target.href)), true);
addEventListener("unhandledrejection", e => faults.push(String(e.reason)));
</script>"""
REPORT = """<script>
addEventListener("load", () => setTimeout(() => {
  const root = document.documentElement, wide = root.clientWidth;
  const figures = [...document.querySelectorAll("img, svg")].filter(  // icons are none
    e => !e.closest("header, nav, button, a, label"));
  const named = e => e.getAttribute("alt") || e.getAttribute("aria-label") ||
    e.getAttribute("aria-hidden") === "true" || e.closest("[aria-hidden=true]") ||
    e.querySelector("title");
  const scrolls = e => e && (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)
    || scrolls(e.parentElement));
  const over = [...document.body.querySelectorAll("*")].filter(e => e.checkVisibility() &&
    e.getBoundingClientRect().right > wide + 1 && !scrolls(e.parentElement));
  parent.postMessage({
    wide, scroll: root.scrollWidth, faults,
    over: over.slice(0, 5).map(e => e.outerHTML.slice(0, 120)),
    figures: figures.length,
    unnamed: figures.filter(e => !named(e)).map(e => e.outerHTML.slice(0, 120)),
    words: document.body.innerText.length,
  }, "*");
}, 1500));
</script>"""
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><pre id="seen"></pre><script>
const seen = [];
addEventListener("message", e => {
  seen.push(e.data);
  document.getElementById("seen").textContent = JSON.stringify(seen);
});
</script>"""


@dataclass
class Seen:
    """What a browser saw of a page: by width, and all that it wrote to its console."""

    by_width: dict[int, dict]
    console: list[str] = field(default_factory=list)

    def check(self, figures=0):
        """Fail at a fault, a page wider than its window, or a figure without words."""
        assert self.console == []
        assert sorted(self.by_width) == sorted(WIDTHS)
        for width, page in self.by_width.items():
            assert page["faults"] == []
            assert page["scroll"] <= page["wide"], f"{width} px: {page['scroll']}, {page['over']}"
            assert page["unnamed"] == []
            assert page["figures"] >= figures
            assert page["words"] > 50


def look(page: Path, folder: Path) -> Seen:
    """Open a page at each width; `folder` takes what that needs."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"(<head[^>]*>)", lambda head: head[0] + LISTEN, text, count=1)
    copy = page.with_name(f"probe-{page.name}")
    copy.write_text(text.replace("</body>", f"{REPORT}</body>"), encoding="utf-8")
    frames = "".join(
        f'<iframe src="{copy.as_uri()}" width="{width}" height="900" style="border:0"></iframe>'
        for width in WIDTHS
    )
    wrapper = folder / "frames.html"
    wrapper.write_text(FRAMES + frames, encoding="utf-8")
    try:
        dom, told = dump(wrapper.as_uri(), folder)
    finally:
        copy.unlink()
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)
    assert found, "the browser gave no page"
    assert found[1], f"the page said nothing; {told}"
    pages = json.loads(html.unescape(found[1]))
    by_width = {min(WIDTHS, key=lambda width: abs(width - each["wide"])): each for each in pages}
    return Seen(by_width, [line for line in told.splitlines() if "CONSOLE" in line])


def dump(address: str, folder: Path) -> tuple[str, str]:
    """Return a page as it is after its scripts have run, and what the browser said."""
    profile = folder / "profile"
    done = subprocess.run(
        [CHROMIUM, *OPTIONS, f"--user-data-dir={profile}", "--window-size=1400,1000", address],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    shutil.rmtree(profile, ignore_errors=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr
