"""The report: how long it takes to write, how large it is, and how a page of 20,000 usages feels.

    python benchmarks/report.py WUG_FOLDER VECTORS.npy [--shuffled 1]

The folder and the vectors of DWUG EN give the figures of the README. The large page is compared in
the same browser, in the same run, with a plain page that has a row of a table for every usage.
With ``--shuffled`` the periods are shuffled so many times within each word, and pages that claim
something are counted. Needs Chromium and, of the development tools, playwright.
"""

from __future__ import annotations

import argparse
import html
import shutil
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import polars as pl
from playwright.sync_api import Page, sync_playwright

import senseshift
from senseshift import report
from senseshift.calibration import Calibration
from senseshift.findings import word_finding

MANY = 20_000
CALIBRATION = Calibration(0.3999, 0.0963, 0.33, 0.66)  # of the bundled encoder
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# Times until what a script did is on the screen: after the next frame but one.
WATCH = """
addEventListener('DOMContentLoaded', () => {
  const seen = () => document.querySelector('#lines .row, #plain tr');
  const look = () => {
    if (!seen()) return requestAnimationFrame(look);
    requestAnimationFrame(() => { window.firstRow = performance.now(); });
  };
  look();
  // The first picture: something on the map that is not the ground.
  const drawn = () => {
    const picture = window.senseshift && senseshift.pictures && senseshift.pictures.get('map');
    if (!picture || !picture.drawn) return requestAnimationFrame(drawn);
    requestAnimationFrame(() => { window.firstPicture = performance.now(); });
  };
  drawn();
});
window.timed = (action) => new Promise((resolve) => {
  const start = performance.now();
  action();
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
});
"""

PLAIN = """<!doctype html><meta charset="utf-8"><title>plain</title>
<style>td {{ white-space: nowrap }} .before {{ text-align: right }}</style>
<table id="plain">{rows}</table>
<script>
const table = document.getElementById('plain'), rows = [...table.rows];
const sortBy = (column) => {{
  const text = (row) => row.cells[column].textContent;
  table.append(...rows.sort((a, b) => (text(a) < text(b) ? -1 : 1)));
}};
const find = (text) => rows.forEach((row) => {{ row.hidden = !row.textContent.includes(text); }});
</script>"""


def large_study() -> senseshift.Study:
    """One word with very many usages, whose texts have the length of those of DWUG."""
    rng = np.random.default_rng(0)
    vocabulary = np.array([f"w{k}" for k in range(5_000)])
    records = []
    for k in range(MANY):
        words = vocabulary[rng.zipf(1.3, size=36) % vocabulary.size]
        left, right = " ".join(words[:18]), " ".join(words[18:])
        text = f"{left} cell {right}"
        start = len(left) + 1
        records.append(
            {
                "word": "cell", "period": ("old", "new")[k % 2], "id": f"u{k}", "text": text,
                "start": start, "end": start + 4, "date": str(1800 + int(rng.integers(200))),
            }
        )  # fmt: skip
    senses = rng.normal(size=(4, 48))
    share = np.where(np.arange(MANY) % 2 == 0, 0.1, 0.4)
    chosen = np.where(rng.random(MANY) < share, 3, rng.integers(3, size=MANY))
    vectors = senses[chosen] + 0.6 * rng.normal(size=(MANY, 48))
    usages = senseshift.Usages.from_records(records, periods=("old", "new"))
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "vectors.npy", vectors.astype(np.float32))
        return senseshift.compare(usages, Path(folder) / "vectors.npy", measures=["f_SUS", "g_SUS"])


def plain_page(study: senseshift.Study, path: Path) -> None:
    rows = "".join(
        f"<tr><td>{row['period']}<td>{row['sus']:+.3f}"
        f"<td class=before>{html.escape(row['text'][: row['start']])}"
        f"<td><b>{html.escape(row['text'][row['start'] : row['end']])}</b>"
        f"<td>{html.escape(row['text'][row['end'] :])}<td>{row['date']}</tr>"
        for row in study.instances.iter_rows(named=True)
    )
    path.write_text(PLAIN.format(rows=rows), "utf-8")


def opened(page: Page, address: str) -> float:
    """Milliseconds until the first rows are on the screen."""
    page.goto(address, wait_until="commit")
    return float(until(page, "window.firstRow"))


def until(page: Page, expression: str) -> object:
    """Wait for a value; the page's own policy forbids the way in which playwright would."""
    while not (value := page.evaluate(expression)):
        page.wait_for_timeout(20)
    return value


def timed(page: Page, action: str, times: int = 5) -> float:
    """Milliseconds until an action is on the screen, the median of some."""
    return float(np.median([page.evaluate(f"timed(() => {{ {action} }})") for _ in range(times)]))


def chosen(name: str, value: str, event: str) -> str:
    """What a reader does: put a value into a control."""
    return (
        f"const control = document.getElementById('{name}'); control.value = '{value}'; "
        f"control.dispatchEvent(new Event('{event}'));"
    )


def first_picture(page_file: Path, word: str) -> None:
    """How long a reader waits for the map of a word of usual size."""
    with sync_playwright() as playwright:
        browser_file = next(filter(None, map(shutil.which, BROWSERS)), None)
        if browser_file is None:
            return
        browser = playwright.chromium.launch(
            executable_path=browser_file, args=["--no-sandbox", "--disable-gpu"]
        )
        taken = []
        for _ in range(3):
            page = browser.new_page(viewport={"width": 1360, "height": 900})
            page.add_init_script(WATCH)
            page.goto(f"{page_file.as_uri()}#{urlencode({'word': word})}", wait_until="commit")
            taken.append(float(until(page, "window.firstPicture")))
            page.close()
        browser.close()
    print(f"{word}: first picture after {np.median(taken):.0f} ms (bar: 1500 ms)")


def feel(study: senseshift.Study, folder: Path) -> None:
    start = time.perf_counter()
    page_file = report.write(study, folder / "report")
    print(f"\na word of {MANY:,} usages: written in {time.perf_counter() - start:.1f} s")
    plain_page(study, folder / "plain.html")
    browser_file = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_file is None:
        print(f"no browser to try it in: install one of {', '.join(BROWSERS)}")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_file, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.add_init_script(WATCH)
        plain = {"first rows": opened(page, (folder / "plain.html").as_uri())}
        plain["sort"] = timed(page, "sortBy(5)", 3)
        plain["filter"] = timed(page, "find('w17 ')", 3)
        page.close()
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.add_init_script(WATCH)
        ours = {"first rows": opened(page, f"{page_file.as_uri()}#word=cell")}
        ours["first picture"] = float(until(page, "window.firstPicture"))
        page.wait_for_timeout(1_000)
        by = {name: chosen("sort", name, "change") for name in ("date", "after", "sus")}
        first_time = {name: timed(page, action, 1) for name, action in by.items()}
        ours["sort"] = max(first_time.values())
        page.wait_for_timeout(1_000)
        found, followed = [], []
        for text in ("w17 ", "w1", ""):
            start = page.evaluate("performance.now()")
            found.append(timed(page, chosen("find", text, "input"), 1))
            until(page, "senseshift.shown.waiting.map === null")
            followed.append(page.evaluate("performance.now()") - start)
        ours["filter"] = max(found)
        browser.close()
    bars = {"first rows": 1000, "first picture": 1500, "sort": 200, "filter": 200}
    print(
        f"{'until it is on the screen':<28}{'report':>10}{'bar':>10}{'plain page':>12}{'ratio':>8}"
    )
    for name, bar in bars.items():
        other = f"{plain[name]:>9.0f} ms{plain[name] / ours[name]:>8.1f}" if name in plain else ""
        print(f"{name:<28}{ours[name]:>7.0f} ms{bar:>7} ms{other}")
    print(
        f"the map has followed {max(followed):.0f} ms after the filter, a pause for typing included"
    )


def claims(usages: senseshift.Usages, vectors: Path, times: int) -> None:
    """How many pages claim something where the periods say nothing."""
    pages = told = lines = 0
    for time_of in range(times):
        shuffled = usages.table.with_columns(pl.col("period").shuffle(seed=time_of).over("word"))
        table = senseshift.Usages.from_table(shuffled, periods=usages.periods)
        study = senseshift.compare(table, vectors, calibration=CALIBRATION, measures=["f_SUS"])
        for row in study.ranked.iter_rows(named=True):
            found = word_finding(study, study.view(row["word"]))
            pages += 1
            told += any(sense.change.direction for sense in found.senses)
            lines += bool(found.beyond.any())
    print(
        f"shuffled, {pages} pages: {told} with a sense that rose or fell, {lines} with a usage in "
        "colour (bar: 5 %)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--shuffled", type=int, default=0, metavar="TIMES")
    arguments = parser.parse_args()
    if arguments.shuffled:
        claims(senseshift.read(arguments.folder), arguments.vectors, arguments.shuffled)
        return
    study = senseshift.compare(senseshift.read(arguments.folder), arguments.vectors)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.perf_counter()
        report.write(study, folder / "report")
        taken = time.perf_counter() - start
        size = sum(path.stat().st_size for path in (folder / "report").rglob("*") if path.is_file())
        print(
            f"{study.ranked.height} words, {study.instances.height:,} usages: written in "
            f"{taken:.1f} s (bar: 60 s), {size / 2**20:.1f} MiB (bar: 15 MiB)"
        )
        first_picture(folder / "report" / "index.html", study.ranked["word"][0])
        feel(large_study(), folder)


if __name__ == "__main__":
    main()
