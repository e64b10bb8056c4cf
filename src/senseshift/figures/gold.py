"""Figure 4: what annotators found against what was computed, for all usages with a gold sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.evaluation import Gold
from senseshift.evaluation.protocol import sense_means, spearman
from senseshift.figures.style import FAINT, INK, Width, house_style, inches, new_figure
from senseshift.formats import correlation
from senseshift.study.word_view import pair_of
from senseshift.usages import Usages

if TYPE_CHECKING:
    from senseshift.study import Study

Floats = NDArray[np.float64]

DOTS, MEANS = "#56b4e9", INK


def against_gold(
    study: Study,
    gold: Gold | None = None,
    *,
    periods: Sequence[str] | None = None,
    width: Width | float = "page",
) -> Figure:
    """Figure 4 of a study whose usages have gold senses; see :func:`tau_figure`.

    Parameters
    ----------
    study
        The study.
    gold
        Their τ*, where it was computed before; by the senses of the study's usages if not.
    periods
        The two periods, where the study compares more than one pair.
    width
        ``column`` or ``page`` of a paper, or inches.
    """
    old, new = pair_of(study.instances, periods, "The words are")
    usages = study.instances.filter(old=old, new=new)
    gold = gold or Gold.of(Usages(usages, (old, new)))
    tau = gold.usages.select("word", "period", "id", "tau").drop_nulls()
    known = usages.join(tau, on=["word", "period", "id"], maintain_order="left")
    if not known.height:
        raise InputError("No word has usages with gold senses in both periods, which τ* needs.")
    return tau_figure(known["tau"], {"SUS": known["sus"], "LDR": known["ldr"]}, width=width)


def tau_figure(
    tau: ArrayLike, scores: Mapping[str, ArrayLike], *, width: Width | float = "page"
) -> Figure:
    """Figure 4: τ* of every usage against its scores, and the means of the scores for each τ*.

    Dots are usages, triangles the means over usages of the same τ*, which stand for senses. The
    Spearman correlation of the dots is the instance level of the paper's Table 2, that of the
    triangles its sense level.

    Parameters
    ----------
    tau
        τ* of every usage.
    scores
        What to draw it against by name, one panel each.
    width
        ``column`` or ``page`` of a paper, or inches.
    """
    gold = np.asarray(tau, dtype=np.float64)
    if gold.size < 2:
        raise InputError(f"There are {gold.size} usages with τ*, too few to draw.")
    side = inches(width) / len(scores)
    with house_style():
        figure = new_figure(width, 0.72 * side + 0.45)
        panels = np.atleast_1d(figure.subplots(1, len(scores), sharey=True))
        for axes, (name, values) in zip(panels, scores.items(), strict=True):
            _draw(axes, gold, np.asarray(values, dtype=np.float64), name, side)
        panels[0].set_ylabel("τ*")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, ncols=2, loc="outside lower center", markerscale=1.5)
    return figure


def _draw(axes: Axes, tau: Floats, scores: Floats, name: str, side: float) -> None:
    distinct, means = sense_means(tau, scores)
    dots: dict[str, Any] = {"color": DOTS, "alpha": 0.45, "linewidths": 0, "rasterized": True}
    axes.scatter(scores, tau, 0.7 * side, label="usage", **dots)
    triangles: dict[str, Any] = {"color": MEANS, "marker": "^", "linewidths": 0}
    axes.scatter(means, distinct, 2.3 * side, label="mean of a τ*", **triangles)
    for line in (axes.axhline, axes.axvline):
        line(0, color=FAINT, linewidth=0.5, zorder=0)
    axes.set_xlabel(name)
    usages, senses = (
        correlation(float(spearman(*pair))) for pair in ((tau, scores), (distinct, means))
    )
    apart, size = (": ", 6.5) if side > 2.5 else ("\n", 5.5)
    axes.set_title(f"Spearman{apart}usages {usages}, means {senses}", fontsize=size)
