"""Figures for papers: PDF, SVG and PNG, at the width of a column or of a page.

Each function returns a matplotlib figure; :func:`save` writes it, :func:`draw` makes and writes
all of them for some words of a study::

    from senseshift import Study, figures

    study = Study.load("study")
    figures.save(figures.word_map(study, "cell"), "cell.pdf")
    figures.draw(study, ["cell", "mouse"], "figures")
"""

from senseshift.figures.drawing import KINDS, check_formats, draw
from senseshift.figures.gold import against_gold, tau_figure
from senseshift.figures.histograms import histograms
from senseshift.figures.illustration import method_figure
from senseshift.figures.mapping import maps, word_map
from senseshift.figures.paths import path_figure
from senseshift.figures.plans import plans
from senseshift.figures.style import save

__all__ = [
    "KINDS",
    "against_gold",
    "check_formats",
    "draw",
    "histograms",
    "maps",
    "method_figure",
    "path_figure",
    "plans",
    "save",
    "tau_figure",
    "word_map",
]
