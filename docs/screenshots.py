"""The pictures of the README: overview and one word of a report, light, dark and on a phone.

    python docs/screenshots.py REPORT WORD OUTPUT_FOLDER

REPORT is the folder of a report. Needs Chromium and, of the development tools, playwright. Look at
the pictures before you commit them.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1280, 1040
PHONE = {"width": 390, "height": 844}
SHARPNESS = 1.5  # pixels of the picture for each of the page


def main() -> None:
    """Take six pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("word")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    browser_file = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_file is None:
        raise SystemExit(f"There is no browser: install one of {', '.join(BROWSERS)}.")
    arguments.output.mkdir(parents=True, exist_ok=True)
    address = (arguments.report / "index.html").resolve().as_uri()
    pages = {"index": address, "word": f"{address}#{urlencode({'word': arguments.word})}"}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_file, args=["--no-sandbox", "--disable-gpu"]
        )
        for kind in ("light", "dark", "phone"):
            context = browser.new_context(
                color_scheme="dark" if kind == "dark" else "light",
                viewport=PHONE if kind == "phone" else {"width": WIDTH, "height": HEIGHT},
                device_scale_factor=SHARPNESS,
            )
            for name, page_address in pages.items():
                page = context.new_page()
                page.goto(page_address)
                page.wait_for_timeout(1_500)  # until letters and pictures are there
                path = arguments.output / f"report-{name}-{kind}.png"
                page.screenshot(path=path)
                print(path)
        browser.close()


if __name__ == "__main__":
    main()
