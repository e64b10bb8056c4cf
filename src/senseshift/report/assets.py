"""The files that pages are made of: our scripts and style."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

# In the order in which they are loaded: each may use those before it.
SCRIPTS = (
    "core.js", "fragment.js", "colours.js", "data.js", "pen.js", "axes.js", "picture.js",
    "chart.js", "overview.js", "model.js", "senses.js", "map.js", "histogram.js",
    "concordance.js", "transport.js", "downloads.js", "selection.js", "expression.js",
    "search.js", "edits.js", "desk.js", "workbench.js", "usage.js", "citations.js",
    "panels.js", "slide.js", "compare.js", "word.js", "main.js",
)  # fmt: skip
STYLE = "style.css"

# Nothing is ever fetched from anywhere else, and no script in the page is run that is not ours.
_POLICY = (
    "default-src 'none'; script-src {scripts}; "
    "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def static(name: str) -> str:
    """One of our own files."""
    return files("senseshift.report").joinpath("static", name).read_text("utf-8")


def policy(inlined: list[str] | None = None) -> str:
    """The policy of a page whose scripts are files beside it, or only those inlined."""
    if inlined is None:
        return _POLICY.format(scripts="'self' file:")
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inlined)
    return _POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in hashes))


def inlinable(text: str) -> str:
    """A script as it can stand in a page: one that holds the end of a script would end there."""
    return text.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
