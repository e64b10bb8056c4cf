"""How figures look and how they are written: for print, the same on every machine.

No figure touches matplotlib's global state: each is a ``Figure`` of its own, made and written
under :func:`house_style`, whatever the user's own settings are. No display is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from senseshift.errors import InputError
from senseshift.writing import written_whole

Width = Literal["column", "page"]
WIDTHS: dict[str, float] = {"column": 3.03, "page": 6.3}  # inches, of the ACL's papers
FORMATS = ("pdf", "svg", "png")
DPI = 300
INK, FAINT = "#222222", "#b8b8b8"

STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 7,
    "axes.titlesize": 8,
    "axes.labelsize": 7,
    "xtick.labelsize": 6,
    "ytick.labelsize": 6,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "legend.handletextpad": 0.4,
    "legend.columnspacing": 1.2,
    "legend.borderaxespad": 0.2,
    "axes.linewidth": 0.5,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "savefig.facecolor": "white",
    "text.parse_math": False,  # a word or a sense may have dollar signs
    "pdf.fonttype": 42,  # fonts embedded as TrueType, as publishers ask
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "senseshift",  # the same figure is the same file
}

# Neither dates nor versions, so that the same figure is the same file.
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Creator": "senseshift", "Producer": "senseshift"},
    "svg": {"Date": None, "Creator": "senseshift"},
    "png": {"Software": "senseshift"},
}

# Scripts that the font of the figures lacks; those that are installed are tried in this order.
FALLBACKS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans", "WenQuanYi Zen Hei",
             "PingFang SC", "Microsoft YaHei", "SimHei", "Noto Sans Devanagari")  # fmt: skip


@contextmanager
def house_style() -> Iterator[None]:
    """Matplotlib's defaults and our style on top, as long as it lasts."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    families = [*STYLE["font.family"], *(name for name in FALLBACKS if name in installed)]
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE | {"font.family": families})
        yield


def new_figure(width: Width | float, height: float) -> Figure:
    """An empty figure; ``height`` is in inches."""
    layout = ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02, wspace=0.03, hspace=0.03)
    figure = Figure(figsize=(inches(width), height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def inches(width: Width | float) -> float:
    """A width by name or as it is."""
    if isinstance(width, str):
        if width not in WIDTHS:
            raise InputError(f"The width {width!r} is not one of {', '.join(WIDTHS)}, nor inches.")
        return WIDTHS[width]
    return float(width)


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as its name tells: .pdf, .svg or .png; the same figure is the same file."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise InputError(f"{path} cannot be written: figures are {', '.join(FORMATS)}.")
    subsetting = logging.getLogger("fontTools.subset")
    before = subsetting.level
    with house_style(), written_whole(path) as file:
        subsetting.setLevel(logging.ERROR)  # says at length what it leaves out of the fonts
        try:
            figure.savefig(file, format=kind, metadata=METADATA[kind])
        finally:
            subsetting.setLevel(before)


def period_label(side: str, period: str) -> str:
    """What a period is called in a legend.

    >>> period_label("old", "1810-1860"), period_label("new", "new")
    ('old (1810-1860)', 'new')
    """
    return side if period == side else f"{side} ({period})"
