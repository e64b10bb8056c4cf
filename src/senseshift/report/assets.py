"""The files that pages are made of: our scripts and style, and plotly's own script."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from senseshift.errors import InputError

# In the order in which they are loaded: each may use those before it.
SCRIPTS = (
    "core.js", "fragment.js", "colours.js", "data.js", "plots.js", "overview.js", "model.js",
    "map.js", "histogram.js", "concordance.js", "transport.js", "groups.js", "downloads.js",
    "selection.js", "expression.js", "search.js", "edits.js", "desk.js", "workbench.js",
    "usage.js", "citations.js", "word.js", "main.js",
)  # fmt: skip
STYLE = "style.css"
PLOTLY = "plotly.min.js"

# Nothing is ever fetched from anywhere else, and no script in the page is run that is not ours.
# plotly's WebGL, which draws maps of thousands of usages, compiles code of its own with eval.
_POLICY = (
    "default-src 'none'; script-src {scripts} 'unsafe-eval'; "
    "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def static(name: str) -> str:
    """One of our own files."""
    return files("senseshift.report").joinpath("static", name).read_text("utf-8")


@cache
def plotly_script() -> str:
    """The JavaScript of plotly, as the installed package has it."""
    try:
        source = files("plotly").joinpath("package_data", PLOTLY).read_text("utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        raise InputError(
            f"The installed plotly has no {PLOTLY}, which the report draws with: "
            "install plotly again (pip install --force-reinstall plotly)."
        ) from None
    return source


def policy(inlined: list[str] | None = None) -> str:
    """The policy of a page whose scripts are files beside it, or only those inlined."""
    if inlined is None:
        return _POLICY.format(scripts="'self' file:")
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inlined)
    return _POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in hashes))


def inlinable(text: str) -> str:
    """A script as it can stand in a page: one that holds the end of a script would end there."""
    return text.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
